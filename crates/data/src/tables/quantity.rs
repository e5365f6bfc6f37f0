//! [`quantities`]: factors whose levels all are numbers of one unit, such as `200 ms`. They stand in
//! a column of their own as numbers, `delay_ms`, which sorts and draws as text does not.

use super::{factor_columns, is_own_column};

/// A factor whose levels are numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Quantity {
    /// The place of the factor.
    pub factor: usize,
    /// The name of the column.
    pub column: String,
    unit: Unit,
}

/// A unit as trial files write it, and as names of columns do.
type Unit = (&'static str, &'static str);

const UNITS: [Unit; 8] = [
    ("ms", "ms"),
    ("us", "us"),
    ("s", "s"),
    ("min", "min"),
    ("Hz", "hz"),
    ("dB", "db"),
    ("%", "percent"),
    ("bpm", "bpm"),
];

/// A factor as numbers: its place, the name of the column, and the number of each level.
pub type AsNumbers = (usize, String, Vec<Option<f64>>);

/// The factors whose levels are numbers of one unit, of factors with all their levels.
pub fn as_numbers(factors: &[(String, Vec<String>)]) -> Vec<AsNumbers> {
    let names: Vec<String> = factors.iter().map(|(name, _)| name.clone()).collect();
    let found = quantities(&names, |factor| factors[factor].1.iter().map(String::as_str));
    let numbers = |one: &Quantity| {
        let levels = &factors[one.factor].1;
        levels.iter().map(|level| one.of(Some(level))).collect::<Vec<_>>()
    };
    found.into_iter().map(|one| (one.factor, one.column.clone(), numbers(&one))).collect()
}

/// Those of the factors that are numbers; `levels` gives all levels of a factor.
pub(crate) fn quantities<'a, L: Iterator<Item = &'a str> + Clone>(
    factors: &[String],
    levels: impl Fn(usize) -> L,
) -> Vec<Quantity> {
    let columns = factor_columns(factors);
    let of = |factor: usize| {
        let unit = unit_of(levels(factor))?;
        let column = format!("{}_{}", columns[factor], unit.1);
        let taken = is_own_column(&column) || columns.contains(&column);
        (!taken).then_some(Quantity { factor, column, unit })
    };
    (0..factors.len()).filter_map(of).collect()
}

impl Quantity {
    /// The number in a level.
    pub fn of(&self, level: Option<&str>) -> Option<f64> {
        amount(level?, self.unit)
    }

    /// Its unit.
    pub fn unit(&self) -> &'static str {
        self.unit.0
    }
}

/// The unit that all of these levels have, where there is any level.
fn unit_of<'a>(levels: impl Iterator<Item = &'a str> + Clone) -> Option<Unit> {
    let fits = |unit: &&Unit| {
        let mut levels = levels.clone().peekable();
        levels.peek().is_some() && levels.all(|level| amount(level, **unit).is_some())
    };
    UNITS.iter().find(fits).copied()
}

/// The number in a level, if it has this unit.
fn amount(level: &str, (unit, _): Unit) -> Option<f64> {
    let number = level.strip_suffix(unit)?.trim_end();
    number.parse().ok().filter(|number: &f64| number.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_factor_is_a_number_where_all_its_levels_have_one_unit() {
        let all =
            [vec!["0 ms", "70 ms"], vec!["70 ms", "1 s"], vec!["-1.5dB"], vec!["left"], vec![]];
        let names = ["delay", "gap", "level", "hand", "none"].map(str::to_owned);
        let found = quantities(&names, |factor| all[factor].iter().copied());
        let columns: Vec<&str> = found.iter().map(|one| &*one.column).collect();
        assert_eq!(columns, ["delay_ms", "level_db"]);
        assert_eq!((found[0].of(Some("70 ms")), found[0].of(None)), (Some(70.0), None));
        assert_eq!((found[1].of(Some("-1.5dB")), found[1].unit()), (Some(-1.5), "dB"));
    }

    #[test]
    fn a_column_that_is_there_already_is_not_made_again() {
        let names = ["delay", "delay_ms"].map(str::to_owned);
        assert_eq!(
            quantities(&names, |_| ["5 ms"].into_iter()),
            [Quantity { factor: 1, column: "delay_ms_ms".into(), unit: UNITS[0] }]
        );
    }
}

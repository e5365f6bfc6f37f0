//! [`Kind`]: what a column holds.

use chronotap_record::text::MISSING;
use chronotap_tables::MEASURES;

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Text.
    Text,
    /// Whole numbers.
    Integer,
    /// Numbers.
    Number,
    /// True or false.
    Truth,
}

/// Columns of labels and names, which are text even where every cell looks like a number.
const LABELS: [&str; 12] = [
    "participant_id",
    "participant",
    "session",
    "task",
    "step",
    "input",
    "against",
    "stretch",
    "name",
    "port",
    "events_file",
    "message",
];
/// Ends of the names of measures: numbers, even where every cell is a whole one.
const UNITS: [&str; 7] = ["_ms", "_ms2", "_us", "_s", "_rad", "_hz", "_percent"];
/// Measures without a unit and without an interval that are no counts.
const FRACTIONS: [&str; 7] = [
    "rayleigh_p",
    "matched_share",
    "raw_cv_interval",
    "clean_cv_interval",
    "second_order_resultant",
    "second_order_f",
    "second_order_p",
];
/// What stands behind the name of a measure that says how sure or how different it is.
const OF_A_MEASURE: [&str; 3] = ["_low", "_high", "_sd"];

/// Columns of true and false, which hold no text where there is no row.
const TRUTHS: [&str; 2] = ["used", "counts"];
/// Counts of the tables of an analysis that are no measures.
const COUNTS: [&str; 5] = ["trial", "block", "repetition", "attempt", "trials"];

/// Whether a column holds numbers by its name, also where none is there: two datasets then have
/// the same kinds.
fn is_measure(name: &str) -> bool {
    let end = OF_A_MEASURE.iter().find_map(|end| name.strip_suffix(end));
    let bare = end.unwrap_or(name);
    let bare = bare.strip_prefix("pooled_").unwrap_or(bare);
    let known = MEASURES.iter().find(|measure| measure.name == bare);
    let estimated = known.is_some_and(|measure| measure.interval.is_some());
    let has_unit = UNITS.iter().any(|unit| bare.ends_with(unit));
    has_unit || estimated || FRACTIONS.contains(&bare) || (end.is_some() && known.is_some())
}

/// Whether it is a count of a table of the analysis, which may be missing in all rows.
fn is_count(name: &str) -> bool {
    let bare = name.strip_suffix("_n").unwrap_or(name);
    COUNTS.contains(&name) || MEASURES.iter().any(|measure| measure.name == bare)
}

/// Whether it is a mean over trials, by the columns beside it. That of a count may happen to be
/// whole in all rows.
pub(super) fn is_mean(name: &str, names: &[&str]) -> bool {
    let beside = |end: &str| names.iter().any(|other| other.strip_suffix(end) == Some(name));
    is_count(name) && beside("_sd") && beside("_n")
}

impl Kind {
    /// The kind of a column.
    pub(crate) fn of(name: &str, cells: &[&str]) -> Kind {
        if LABELS.contains(&name) {
            return Kind::Text;
        }
        let there = || cells.iter().filter(|cell| **cell != MISSING);
        let whole = there().all(|cell| is_whole(cell));
        let numbers = whole || there().all(|cell| is_number(cell));
        let none = there().next().is_none();
        let truths = || there().all(|cell| matches!(*cell, "true" | "false"));
        Kind::decided(name, none, (whole, numbers), truths)
    }

    /// The kind of a column that is a mean over trials: that of numbers, where there is no text.
    pub(super) fn of_mean(cells: &[&str]) -> Kind {
        let numbers = cells.iter().all(|cell| *cell == MISSING || is_number(cell));
        if numbers { Kind::Number } else { Kind::Text }
    }

    /// The kind of a column of these numbers, of which some may be missing, as of their text.
    pub(crate) fn of_numbers(name: &str, cells: impl Iterator<Item = Option<f64>>) -> Kind {
        // Whether a measure's numbers are whole changes nothing.
        if is_measure(name) {
            return Kind::Number;
        }
        let (mut none, mut whole) = (true, true);
        for number in cells.flatten() {
            none = false;
            whole = whole && as_whole(number).is_some();
            if !whole {
                break;
            }
        }
        Kind::decided(name, none, (whole, true), || false)
    }

    fn decided(
        name: &str,
        none: bool,
        (whole, numbers): (bool, bool),
        truths: impl FnOnce() -> bool,
    ) -> Kind {
        if name.ends_with("_ns") && whole {
            Kind::Integer
        } else if is_measure(name) && numbers {
            Kind::Number
        } else if none && is_count(name) {
            Kind::Integer
        } else if none && TRUTHS.contains(&name) {
            Kind::Truth
        } else if none {
            Kind::Text
        } else if truths() {
            Kind::Truth
        } else if whole {
            Kind::Integer
        } else if numbers {
            Kind::Number
        } else {
            Kind::Text
        }
    }
}

/// The whole number that the text of this one says; `None` where that says none.
pub(crate) fn as_whole(number: f64) -> Option<i64> {
    /// Up to here every whole number is written with all its digits.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if number.abs() >= EXACT || number == 0.0 {
        let text = number.to_string();
        return text.parse().ok().filter(|_| is_whole(&text));
    }
    (number.fract() == 0.0).then_some(number as i64)
}

/// Whether it comes back from a whole number as it is written.
fn is_whole(cell: &str) -> bool {
    cell.parse::<i64>().is_ok_and(|number| number.to_string() == cell)
}

/// Whether it is a finite number without zeros or signs in vain before it.
fn is_number(cell: &str) -> bool {
    let digits = cell.strip_prefix('-').unwrap_or(cell);
    let plain = digits.starts_with(|c: char| c.is_ascii_digit())
        && !(digits.len() > 1 && digits.starts_with('0') && !digits.starts_with("0."));
    plain && cell.parse::<f64>().is_ok_and(f64::is_finite)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_not_come_back_is_text() {
        for text in ["007", "+5", "1e400", "", "5 ms", ".5", "inf", "NaN", "-"] {
            assert!(!is_whole(text) && !is_number(text), "{text}");
        }
        for number in ["0", "-5", "12"] {
            assert!(is_whole(number) && is_number(number), "{number}");
        }
        assert!(is_number("-0.25") && is_number("1e-9") && !is_whole("1.0"));
    }

    #[test]
    fn a_measure_is_a_number_even_where_all_are_whole() {
        assert_eq!(Kind::of("mean_interval_ms", &["500", "600"]), Kind::Number);
        assert_eq!(Kind::of("taps", &["500", "600"]), Kind::Integer);
        assert_eq!(Kind::of("onset_ns", &[MISSING]), Kind::Integer);
        assert_eq!(Kind::of("comment", &[MISSING]), Kind::Text);
    }

    #[test]
    fn a_measure_that_no_trial_has_keeps_its_kind() {
        let pooled = ["pooled_alpha", "pooled_alpha_low", "rayleigh_p"];
        let own = ["alpha", "cv_interval_low", "motor_variance_ms2_high", "taps_sd"];
        for name in own.into_iter().chain(pooled) {
            assert_eq!(Kind::of(name, &[MISSING]), Kind::Number, "{name}");
            assert_eq!(Kind::of(name, &["0"]), Kind::Number, "{name}");
            assert_eq!(Kind::of_numbers(name, [None].into_iter()), Kind::Number, "{name}");
        }
        let (rows, words) = (["trials", "taps_n", "block"], ["used", "counts"]);
        assert!(rows.iter().all(|name| Kind::of(name, &[MISSING]) == Kind::Integer));
        assert!(words.iter().all(|name| Kind::of(name, &[]) == Kind::Truth));
        for name in ["response_rounds", "beats"] {
            assert_eq!(Kind::of(name, &[MISSING]), Kind::Integer, "{name}");
            assert_eq!(Kind::of(name, &["1.5"]), Kind::Number, "{name}");
        }
        assert_eq!(Kind::of("npvi", &["n\\/a"]), Kind::Text);
    }

    #[test]
    fn numbers_have_the_kind_of_their_text() {
        let two = 2.0_f64;
        let some = [0.0, -0.0, 1.0, -3.0, 0.5, two.powi(53), two.powi(60), two.powi(63), 1e300];
        let all = some.iter().map(|number| Some(*number)).chain([None]);
        for number in all {
            let text = number.map_or(MISSING.to_owned(), |number| number.to_string());
            for name in ["taps", "mean_ms", "onset_ns", "cv"] {
                let found = Kind::of_numbers(name, [None, number].into_iter());
                assert_eq!(found, Kind::of(name, &[MISSING, &text]), "{name} {text}");
            }
            let whole = number.and_then(as_whole);
            assert_eq!(whole, text.parse().ok().filter(|_| is_whole(&text)), "{text}");
        }
    }
}

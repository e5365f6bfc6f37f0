//! What is asked of people's numbers besides differences and slopes: their mean against a value, the curve over levels
//! that are numbers, and the place at which it has its bottom or its top.

use super::effect::Effect;
use super::{
    LevelMean, Outcome, OutcomeFound, OutcomeQuestion, OutcomeRow, grouped, numbers, pooled_sd,
};
use chronotap_analysis::curve::{Parabola, parabola, turning_point};
use chronotap_analysis::estimate::{Test, of_mean};

/// `None` where something else is asked, and where it cannot be answered.
pub(super) fn answer(
    outcome: &Outcome,
    unit: &str,
    rows: &[OutcomeRow],
    levels: &[LevelMean],
) -> Option<Effect> {
    match outcome.asks {
        OutcomeQuestion::Difference | OutcomeQuestion::Mean if outcome.is_mean() => {
            mean(outcome, unit, rows)
        }
        OutcomeQuestion::Curve => curve(unit, rows, levels),
        OutcomeQuestion::Least | OutcomeQuestion::Greatest => place(outcome.asks, rows, levels),
        OutcomeQuestion::Difference
        | OutcomeQuestion::Mean
        | OutcomeQuestion::Slope
        | OutcomeQuestion::Each => None,
    }
}

/// Each person's number, against a value where one is named. Of several levels it is the mean over them, each weighing
/// the same.
fn mean(outcome: &Outcome, unit: &str, rows: &[OutcomeRow]) -> Option<Effect> {
    let here = |row: &&OutcomeRow| outcome.level.is_none() || row.level == outcome.level;
    let of_person = |(_, rows): (Option<&str>, Vec<&OutcomeRow>)| {
        let here: Vec<f64> = rows.into_iter().filter(here).map(|row| row.value).collect();
        (!here.is_empty()).then(|| here.iter().sum::<f64>() / here.len() as f64)
    };
    let people = grouped(rows, |row| row.participant.as_deref());
    let people: Vec<f64> = people.into_iter().filter_map(of_person).collect();
    let effect = of_people("d", &people, unit.to_owned(), outcome.value.unwrap_or(0.0))?;
    Some(match outcome.value {
        Some(_) => effect,
        None => Effect { test: None, size: None, ..effect },
    })
}

/// The quadratic trend of each person.
fn curve(unit: &str, rows: &[OutcomeRow], levels: &[LevelMean]) -> Option<Effect> {
    let over = Over::of(rows, levels)?;
    let curves: Vec<f64> = over.people.iter().map(|of| of.curve).collect();
    let per = if over.per.is_empty() { "unit" } else { over.per };
    let unit = format!("{unit} per {per}²").trim_start().to_owned();
    of_people("d_z", &curves, unit, 0.0)
}

/// The mean of people's numbers against a value.
fn of_people(name: &'static str, people: &[f64], unit: String, value: f64) -> Option<Effect> {
    let estimate = of_mean("people", people).ok()?;
    let test = Test::against(&estimate, people.len() as f64 - 1.0, value);
    let size = pooled_sd(&[(1.0, people)]).map(|sd| (name, (estimate.value - value) / sd));
    Some(Effect { estimate, unit, people: people.len(), test, size })
}

/// Where the mean parabola turns; its test is that of the curve, without which nothing turns.
fn place(asks: OutcomeQuestion, rows: &[OutcomeRow], levels: &[LevelMean]) -> Option<Effect> {
    let over = Over::of(rows, levels)?;
    let mut estimate = turning_point(&over.people).ok()?;
    let curve = curve("", rows, levels)?;
    if (curve.estimate.value > 0.0) != (asks == OutcomeQuestion::Least) {
        return None;
    }
    for end in [&mut estimate.value, &mut estimate.low, &mut estimate.high] {
        *end += over.about;
    }
    Some(Effect { estimate, unit: over.per.to_owned(), size: None, ..curve })
}

/// The parabolas of all people who have three levels, about the mean of the levels.
struct Over {
    people: Vec<Parabola>,
    about: f64,
    per: &'static str,
}

impl Over {
    fn of(rows: &[OutcomeRow], levels: &[LevelMean]) -> Option<Over> {
        let names: Vec<&str> = levels.iter().filter_map(|level| level.name.as_deref()).collect();
        let (per, number) = numbers(&names)?;
        let all: Vec<f64> = names.iter().filter_map(|name| number(name)).collect();
        let about = all.iter().sum::<f64>() / all.len() as f64;
        let of_person = |(_, rows): (Option<&str>, Vec<&OutcomeRow>)| {
            let points =
                rows.iter().filter_map(|row| Some((number(row.level.as_deref()?)?, row.value)));
            parabola(&points.collect::<Vec<_>>(), about)
        };
        let people = grouped(rows, |row| row.participant.as_deref());
        Some(Over { people: people.into_iter().filter_map(of_person).collect(), about, per })
    }
}

impl Outcome {
    /// Whether it is answered here.
    pub(super) fn is_answered_apart(&self) -> bool {
        self.is_mean()
            || matches!(
                self.asks,
                OutcomeQuestion::Curve | OutcomeQuestion::Least | OutcomeQuestion::Greatest
            )
    }
}

impl OutcomeFound {
    /// The level whose mean is the least, or the greatest.
    pub(super) fn best_level(&self) -> Option<&str> {
        let mean = |level: &&LevelMean| level.mean;
        let all = self.levels.iter();
        let best = match self.outcome.asks {
            OutcomeQuestion::Greatest => all.max_by(|a, b| mean(a).total_cmp(&mean(b))),
            _ => all.min_by(|a, b| mean(a).total_cmp(&mean(b))),
        };
        best?.name.as_deref()
    }

    /// Whether a place lies beyond all levels, where nobody was asked.
    pub(super) fn is_beyond(&self, place: f64) -> bool {
        let names: Vec<&str> = self.levels.iter().filter_map(|of| of.name.as_deref()).collect();
        let Some((_, number)) = numbers(&names) else { return false };
        let all: Vec<f64> = names.iter().filter_map(|name| number(name)).collect();
        all.iter().all(|level| place < *level) || all.iter().all(|level| place > *level)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test that cannot be set up has failed
mod tests {
    use super::super::values::Value;
    use super::super::{Missing, Stands, found};
    use super::*;
    use crate::tables::Sources;

    fn near(found: f64, known: f64) {
        assert!((found - known).abs() <= 1e-9 * known.abs().max(1.0), "{found}, not {known}");
    }

    fn value(who: usize, level: &str, cell: &str, value: f64) -> Value {
        let cell = vec![Some(level.to_owned()), Some(cell.to_owned())];
        let (participant, level) = (Some(who.to_string()), Some(level.to_owned()));
        Value { participant, level, second: None, cell, value }
    }

    fn came(of: &str, over: &str, asks: OutcomeQuestion, values: &[Value]) -> OutcomeFound {
        let outcome =
            Outcome { of: of.to_owned(), over: Some(over.to_owned()), asks, ..Outcome::default() };
        found(outcome, String::new(), values, &Sources::default())
    }

    /// The same again with what else the outcome says.
    fn again(
        of: &OutcomeFound,
        values: &[Value],
        with: impl Fn(Outcome) -> Outcome,
    ) -> OutcomeFound {
        found(with(of.outcome.clone()), of.unit.clone(), values, &Sources::default())
    }

    /// scipy 1.17: `stats.ttest_1samp([1.12, 0.97, 1.31, 1.05, 1.2, 1.08], 1)`, and its `confidence_interval()`. Each
    /// person's number is the mean of two levels, of which one has more trials.
    #[test]
    fn peoples_numbers_are_held_against_a_value() {
        let ratios = [1.12, 0.97, 1.31, 1.05, 1.2, 1.08];
        let of_person = |(who, ratio): (usize, f64)| {
            let seldom = value(who, "8", "a", ratio + 0.3);
            [seldom].into_iter().chain((0..3).map(move |_| value(who, "16", "a", ratio - 0.3)))
        };
        let values: Vec<Value> = ratios.into_iter().enumerate().flat_map(of_person).collect();
        let of = came("prediction tracking ratio", "over", OutcomeQuestion::Difference, &values);
        let of = again(&of, &values, |outcome| Outcome { value: Some(1.0), ..outcome });
        let effect = of.effect().unwrap();
        near(effect.estimate.value, 1.121_666_666_666_667);
        near(effect.estimate.low, 0.996_187_043_738_803_6);
        near(effect.estimate.high, 1.247_146_289_594_53);
        let test = effect.test.unwrap();
        near(test.t, 2.492_469_422_828_523);
        near(test.p, 0.054_994_559_596_510_4);
        assert_eq!((test.freedom, effect.size.unwrap().0), (5.0, "d"));
        near(effect.size.unwrap().1, 1.017_546_380_903_196);
        let said = "prediction tracking ratio: against 1: 1.122, 95 % interval 0.996 to 1.247, not told from 1 (6 people, \
                    d 1.02).";
        assert_eq!(of.to_string(), said);
        assert!(of.is_effect() && !of.finds());
        let level = again(&of, &values, |outcome| Outcome { level: Some("8".into()), ..outcome });
        near(level.effect().unwrap().estimate.value, 1.421_666_666_666_667);
        assert!(level.to_string().contains("over 8 against 1: 1.422") && level.finds(), "{level}");
        let alone = again(&level, &values, |outcome| Outcome { value: None, ..outcome });
        assert_eq!(alone.effect().unwrap().test, None);
        assert!(alone.to_string().ends_with("to 1.547 (6 people)."), "{alone}");
        let one = again(&of, &values[..4], |outcome| outcome);
        let people = Missing::People { count: 1, at: None, levels: 1 };
        assert_eq!((one.missing(), one.effect()), (Some(people), None));
        assert!(
            one.to_string().ends_with("because 1 person has a value; it takes 2 people."),
            "{one}"
        );
    }

    const AT: [&str; 4] = ["0.0", "0.25", "0.5", "1.0"];
    const PEOPLE: [[f64; 4]; 5] = [
        [22.0, 19.0, 18.5, 27.0],
        [31.0, 25.0, 26.0, 33.5],
        [18.0, 17.5, 16.0, 24.0],
        [27.0, 22.0, 24.5, 36.0],
        [24.0, 21.0, 19.0, 23.0],
    ];

    fn shares() -> Vec<Value> {
        let people = PEOPLE.into_iter().enumerate();
        people
            .flat_map(|(who, of)| {
                AT.into_iter().zip(of).map(move |(at, of)| value(who, at, "a", of))
            })
            .collect()
    }

    /// The place is worked out in [`chronotap_analysis::curve`]; the curve with numpy 2 and scipy 1.17:
    ///
    ///     c = [np.polyfit(x, y, 2)[0] for y in people]; stats.ttest_1samp(c, 0)
    #[test]
    fn a_curve_and_the_place_of_its_bottom_are_those_of_scipy() {
        let values = shares();
        let curve = came("sd asynchrony", "phase", OutcomeQuestion::Curve, &values);
        let effect = curve.effect().unwrap();
        near(
            effect.estimate.value,
            (23.636_363_636_363_66
                + 27.818_181_818_181_92
                + 17.454_545_454_545_49
                + 30.909_090_909_090_99
                + 17.090_909_090_909_165)
                / 5.0,
        );
        near(effect.test.unwrap().t, 8.506_303_125_309_08);
        near(effect.test.unwrap().p, 0.001_047_603_631_772_026_4);
        near(effect.size.unwrap().1, 3.804_134_405_082_003);
        let least = came("sd asynchrony", "phase", OutcomeQuestion::Least, &values);
        let place = least.effect().unwrap();
        near(place.estimate.value, 0.406_415_241_057_542_3);
        near(place.estimate.low, 0.326_194_116_414_309_3);
        near(place.estimate.high, 0.513_129_514_184_945_9);
        assert_eq!((place.test, place.people, place.size), (effect.test, 5, None));
        let said = "sd asynchrony: least over phase: 0.406, 95 % interval 0.326 to 0.513 (5 people; of the levels 0.5 has \
                    the least mean).";
        assert_eq!(least.to_string(), said);
        assert!(!least.is_effect());
        let greatest = came("sd asynchrony", "phase", OutcomeQuestion::Greatest, &values);
        let turn = Missing::Turn { over: "phase".to_owned(), sought: "greatest" };
        assert_eq!((greatest.missing(), greatest.effect()), (Some(turn), None));
        assert!(greatest.to_string().ends_with("is not told to bend downwards."), "{greatest}");
    }

    /// A slope against a value: slopes of 0.5, 1.0 and 1.5 have the mean 1 and the SD 0.5, so against 0.5 t = √3.
    #[test]
    fn slopes_are_held_against_a_value() {
        let of_person = |(who, slope): (usize, f64)| {
            [0.0, 10.0, 40.0].map(|ms| value(who, &format!("{ms} ms"), "a", 7.0 + slope * ms))
        };
        let values: Vec<Value> =
            [0.5, 1.0, 1.5].into_iter().enumerate().flat_map(of_person).collect();
        let of = came("mean interval", "final", OutcomeQuestion::Slope, &values);
        let of = again(&of, &values, |outcome| Outcome { value: Some(0.5), ..outcome });
        let effect = of.effect().unwrap();
        near(effect.test.unwrap().t, 3f64.sqrt());
        near(effect.size.unwrap().1, 1.0);
        assert!(
            of.to_string().starts_with("mean interval: slope over final against 0.5 per ms: 1.0"),
            "{of}"
        );
    }

    /// Three trials of 1 in one cell and one of 5 in another: 3, and not 2.
    #[test]
    fn each_cell_of_a_person_weighs_the_same() {
        let values = [("a", 1.0), ("a", 1.0), ("b", 5.0), ("a", 1.0)];
        let values = values.map(|(cell, of)| value(0, "0 ms", cell, of));
        let of = came("mean asynchrony", "delay", OutcomeQuestion::Difference, &values);
        assert_eq!((of.rows[0].value, of.rows[0].trials, of.rows.len()), (3.0, 4, 1));
        assert_eq!(of.outcome.stands, Stands::Outcome);
    }
}

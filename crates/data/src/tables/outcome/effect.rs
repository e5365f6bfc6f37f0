//! [`outcomes`]: the outcome and the contrasts of a study in one list, each with the test that belongs to its
//! interval. The planned contrasts are corrected for their number by Holm (1979). The outcome is not one of them:
//! it is the one question that the study is for, and is to cost nothing because others are asked beside it. What
//! is asked afterwards is corrected by nothing, because nobody knows how many questions there were.

use super::{Outcome, OutcomeFound, OutcomeQuestion, Stands, outcome_of};
use crate::tables::{Analysis, Sources, TablesError};
use chronotap_analysis::estimate::{Estimate, LEVEL, Test};
use chronotap_analysis::several::holm;
use std::fmt::Formatter;

/// A planned contrast is found where its probability after Holm is at most this.
pub const FOUND: f64 = 1.0 - LEVEL;

/// What a study states, and what is asked besides: the outcome first, then the contrasts.
///
/// # Errors
/// [`TablesError`] where a table of the dataset cannot be read.
pub fn outcomes(
    sources: &Sources,
    analysis: &Analysis,
    asked: &[Outcome],
) -> Result<Vec<OutcomeFound>, TablesError> {
    let mut stated = sources.dataset.as_deref().map_or_else(Vec::new, Outcome::of_dataset);
    stated.extend_from_slice(asked);
    let all: Vec<Outcome> = stated.iter().flat_map(|one| one.expanded_in(sources)).collect();
    outcomes_of(&all, sources, analysis)
}

/// Whether contrasts that are asked name what is there.
///
/// # Errors
/// [`TablesError::Contrast`], and where a table of the dataset cannot be read.
pub fn check_asked(sources: &Sources, asked: &[Outcome]) -> Result<(), TablesError> {
    asked.iter().try_for_each(|asked| asked.check_in(sources))
}

/// The same of what is known.
///
/// # Errors
/// [`TablesError`] where a table of the dataset cannot be read.
pub fn outcomes_of(
    stated: &[Outcome],
    sources: &Sources,
    analysis: &Analysis,
) -> Result<Vec<OutcomeFound>, TablesError> {
    // What has no value is told: nobody should look in vain for what the study states.
    let one = |outcome: Outcome| {
        let found = outcome_of(outcome.clone(), sources, analysis)?;
        let nothing = || OutcomeFound::of(outcome, String::new(), Vec::new(), Vec::new());
        Ok(found.unwrap_or_else(nothing))
    };
    let mut all = Vec::new();
    for outcome in stated {
        let also: Result<Vec<OutcomeFound>, TablesError> =
            outcome.also.iter().map(|of| one(outcome.of_also(of))).collect();
        all.push(OutcomeFound { also: also?, ..one(outcome.clone())? });
    }
    correct(&mut all);
    Ok(all)
}

/// The probabilities of the planned contrasts after Holm.
fn correct(all: &mut [OutcomeFound]) {
    let planned = |found: &&mut OutcomeFound| found.outcome.stands == Stands::Planned;
    let p = |found: &mut OutcomeFound| Some(found.effect()?.test?.p);
    let before: Vec<Option<f64>> = all.iter_mut().filter(planned).map(p).collect();
    let corrected = holm(&before).into_iter();
    all.iter_mut().filter(planned).zip(corrected).for_each(|(found, p)| found.p_holm = p);
}

/// The one number that an outcome comes to.
#[derive(Clone, Debug, PartialEq)]
pub struct Effect {
    pub estimate: Estimate,
    /// As it is written beside the number.
    pub unit: String,
    pub people: usize,
    /// Against 0, or against the value that is asked; of a place that of the curve. `None` where there is no hypothesis,
    /// as of a threshold, or where all values are 0.
    pub test: Option<Test>,
    /// Its name, and the size in SDs.
    pub size: Option<(&'static str, f64)>,
}

impl OutcomeFound {
    /// The difference, the slope, or the mean over people; `None` where there are too few, and where levels are
    /// to be compared and cannot be ([`OutcomeFound::missing`]).
    pub fn effect(&self) -> Option<Effect> {
        let unit = self.unit.clone();
        if self.outcome.is_answered_apart() {
            return self.answer.clone();
        }
        if self.outcome.asks == OutcomeQuestion::Slope {
            let slope = self.slope.as_ref()?;
            let unit = self.unit_per(slope.per).trim_start().to_owned();
            let test = Test::against(&slope.mean, slope.people as f64 - 1.0, self.against());
            let size = slope.effect_size.map(|size| ("d_z", size));
            return Some(Effect { estimate: slope.mean, unit, people: slope.people, test, size });
        }
        if let Some(of) = &self.contrast {
            let test = Test::of(&of.difference, of.freedom);
            let size = of.effect_size.map(|size| (if of.paired { "d_z" } else { "d_s" }, size));
            return Some(Effect { estimate: of.difference, unit, people: of.people, test, size });
        }
        if self.missing().is_some() {
            return None;
        }
        let level = self
            .levels
            .first()
            .filter(|_| self.outcome.stands == Stands::Outcome || self.detection.is_some())?;
        let (estimate, people) = (level.interval?, level.values.len());
        let test = self.detection.as_ref().and_then(|_| Test::of(&estimate, people as f64 - 1.0));
        Some(Effect { estimate, unit, people, test, size: None })
    }

    /// Whether anything is held against 0, which is no effect, or against a value. A place is not.
    pub fn is_effect(&self) -> bool {
        let compares = self.contrast.is_some() || self.detection.is_some();
        let Outcome { asks, value, .. } = &self.outcome;
        compares
            || value.is_some()
            || matches!(asks, OutcomeQuestion::Slope | OutcomeQuestion::Curve)
    }

    /// What it is held against.
    pub fn against(&self) -> f64 {
        self.outcome.value.unwrap_or(0.0)
    }

    /// Whether the effect is there: a planned contrast after Holm, everything else by its own interval.
    pub fn finds(&self) -> bool {
        match (self.outcome.stands, self.effect()) {
            (Stands::Planned, _) => self.p_holm.is_some_and(|p| p <= FOUND),
            (_, Some(_)) if self.outcome.asks.is_a_place() => true,
            (_, Some(Effect { estimate, .. })) => {
                estimate.ends().is_some() && !estimate.holds(self.against())
            }
            (_, None) => false,
        }
    }

    /// The test of a contrast; a sentence of an outcome has its interval alone.
    pub(super) fn tested(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        if self.outcome.stands == Stands::Outcome || self.missing().is_some() {
            return Ok(());
        }
        let Some(Test { t, freedom, p }) = self.effect().and_then(|effect| effect.test) else {
            return write!(f, "; no test");
        };
        write!(f, "; t({}) = {t:.2}, {}", whole(freedom), probability("p", p))?;
        match self.p_holm {
            Some(p) => write!(f, ", {}", probability("after Holm", p)),
            None => write!(f, ", not planned"),
        }
    }
}

/// Degrees of freedom: without decimals where they have none.
fn whole(freedom: f64) -> String {
    if (freedom - freedom.round()).abs() < 1e-9 {
        format!("{freedom:.0}")
    } else {
        format!("{freedom:.2}")
    }
}

pub(super) fn probability(name: &str, p: f64) -> String {
    if p < 0.001 { format!("{name} < 0.001") } else { format!("{name} = {p:.3}") }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test that cannot be set up has failed
mod tests {
    use super::super::found;
    use super::super::values::Value;
    use super::*;
    use chronotap_engine::random::Random;

    const EXPERIMENTS: usize = 10_000;
    /// Three standard errors of a share of 0.05 or 0.95 of so many.
    const MARGIN: f64 = 0.0066;

    fn value(who: String, level: &str, value: f64) -> Value {
        Value { participant: Some(who), level: Some(level.to_owned()), value, ..Value::default() }
    }

    fn planned(slope: bool) -> Outcome {
        let (of, over) = ("mean asynchrony".to_owned(), Some("delay".to_owned()));
        let asks = if slope { OutcomeQuestion::Slope } else { OutcomeQuestion::Difference };
        Outcome { stands: Stands::Planned, of, over, asks, ..Outcome::default() }
    }

    fn came(outcome: Outcome, values: &[Value]) -> OutcomeFound {
        found(outcome, "ms".to_owned(), values, &Sources::default())
    }

    /// Ten people, each with an own mean, at four delays that are unevenly far apart.
    fn within(random: &mut Random, per_ms: f64) -> Vec<Value> {
        let mut all = Vec::new();
        for who in 0..10 {
            let own = 20.0 * random.normal();
            for (level, ms) in [("0 ms", 0.0), ("10 ms", 10.0), ("40 ms", 40.0), ("70 ms", 70.0)] {
                let noise = 8.0 * random.normal();
                all.push(value(who.to_string(), level, own + per_ms * ms + noise));
            }
        }
        all
    }

    /// Two groups of different size, of which one varies three times as much.
    fn between(random: &mut Random, apart: f64) -> Vec<Value> {
        let young = (0..14).map(|who| (format!("y{who}"), "young", 5.0, 0.0));
        let old = (0..8).map(|who| (format!("o{who}"), "old", 15.0, apart));
        let all = young.chain(old);
        all.map(|(who, level, sd, mean)| value(who, level, mean + sd * random.normal())).collect()
    }

    #[test]
    fn the_interval_holds_the_truth_in_95_percent_of_experiments() {
        let mut random = Random::named(7, "coverage of contrasts");
        let (mut pairs, mut groups, mut slopes) = (0, 0, 0);
        for _ in 0..EXPERIMENTS {
            let values = within(&mut random, -0.3);
            let holds = |found: OutcomeFound, truth| {
                usize::from(found.effect().unwrap().estimate.holds(truth))
            };
            pairs += holds(came(planned(false), &values), -21.0);
            slopes += holds(came(planned(true), &values), -0.3);
            groups += holds(came(planned(false), &between(&mut random, 12.0)), 12.0);
        }
        for (what, count) in [("pairs", pairs), ("groups", groups), ("slopes", slopes)] {
            let share = count as f64 / EXPERIMENTS as f64;
            assert!((share - 0.95).abs() < MARGIN, "{what}: {share}");
        }
    }

    /// They were dropped without a word.
    #[test]
    fn an_outcome_without_a_value_says_so_and_so_does_what_it_has_also() {
        let stated = Outcome {
            of: "mean asynchrony".into(),
            over: Some("to".into()),
            stretch: Some("after".into()),
            also: vec!["effort".into()],
            ..Outcome::default()
        };
        let (sources, analysis) = (Sources::default(), Analysis::default());
        let all = outcomes_of(&[stated], &sources, &analysis).unwrap();
        assert_eq!(all[0].to_string(), "mean asynchrony in after: no value.");
        assert_eq!(all[0].also[0].to_string(), "effort: no value.");
        let missing = all[0].missing().unwrap().to_string();
        assert!(missing.ends_with("because nobody has a value; it takes 2 people"), "{missing}");
    }

    /// Of three contrasts without an effect one test in twenty finds any: after Holm in 4.9 % of experiments, before
    /// it in 14.3 %.
    #[test]
    fn several_contrasts_together_find_nothing_more_often_than_one() {
        let mut random = Random::named(8, "errors of contrasts");
        let (mut after, mut before) = (0, 0);
        for _ in 0..EXPERIMENTS {
            let three = [(); 3].map(|()| came(planned(false), &between(&mut random, 0.0)));
            let mut three = three.to_vec();
            before += usize::from(three.iter().any(|of| !of.effect().unwrap().estimate.holds(0.0)));
            correct(&mut three);
            after += usize::from(three.iter().any(OutcomeFound::finds));
        }
        let [after, before] = [after, before].map(|count| count as f64 / EXPERIMENTS as f64);
        assert!((after - 0.049).abs() < MARGIN, "{after}");
        assert!((before - 0.143).abs() < 0.0106, "{before}");
    }

    /// Neither the outcome nor what is asked afterwards is one of the planned.
    #[test]
    fn holms_correction_is_of_planned_contrasts_alone() {
        let mut random = Random::named(9, "who is corrected");
        let values = within(&mut random, -0.3);
        let of = |stands| came(Outcome { stands, ..planned(false) }, &values);
        let mut all = [Stands::Outcome, Stands::Planned, Stands::Planned, Stands::Asked].map(of);
        correct(&mut all);
        let p = all[1].effect().unwrap().test.unwrap().p;
        assert_eq!(all.map(|found| found.p_holm), [None, Some(2.0 * p), Some(2.0 * p), None]);
    }
}

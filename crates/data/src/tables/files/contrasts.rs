//! The table of contrasts: the outcome first, then those that the study plans, then those that were asked of the
//! data. Each row is one test.

use crate::tables::cells::{end, heading, integer, number, text};
use crate::tables::columns::described;
use crate::tables::outcome::{OutcomeFound, Stands};
use serde_json::{Map, Value};

/// A column: its name, and what it is.
const COLUMNS: [(&str, &str); 15] = [
    (
        "name",
        "What the study calls the contrast; the contrast itself where it was asked of the data.",
    ),
    (
        "stated",
        "outcome: the one number that the study is for. planned: a contrast of the study. not planned: asked when the data were there.",
    ),
    ("of", "What is taken of each trial; its mean is the value of a person."),
    ("levels", "Which levels are compared."),
    ("n", "How many people."),
    (
        "estimate",
        "The difference of the levels, the mean of the slopes or curves of people, their mean against a value, the place of the least or greatest value, or d'.",
    ),
    ("unit", "The unit of the estimate and of its interval."),
    (
        "low",
        "The lower end of its 95 % interval by Student's t, of a place by Fieller (1954); it knows nothing of the other contrasts. Without an interval and a test where all people have the same.",
    ),
    ("high", "The upper end of its 95 % interval."),
    ("df", "The degrees of freedom: Welch's or Satterthwaite's where groups are compared."),
    (
        "t",
        "The estimate, less the value that it is held against, in standard errors; of a place that of the curve.",
    ),
    ("p", "The probability of a t as far from 0, to either side."),
    (
        "p_holm",
        "The same after Holm (1979), over the planned contrasts of the study; the outcome is apart.",
    ),
    ("effect_size", "The estimate in SDs."),
    (
        "effect",
        "d_z: in SDs of the differences, slopes or curves of people. d_s: in SDs of people within groups. d: of people, less the value.",
    ),
];

/// All, where anything but the outcome is among them.
pub(super) fn tested(all: &[OutcomeFound]) -> Option<&[OutcomeFound]> {
    all.iter().any(|found| found.outcome.stands != Stands::Outcome).then_some(all)
}

/// A row for each, with a heading.
pub fn table(all: &[OutcomeFound]) -> Vec<u8> {
    let mut out = Vec::new();
    heading(&mut out, COLUMNS.iter().map(|(name, _)| name));
    for found in all {
        row(&mut out, found);
        end(&mut out);
    }
    out
}

fn row(out: &mut Vec<u8>, found: &OutcomeFound) {
    let (name, stated) = called(found);
    text(out, Some(&name));
    text(out, Some(stated));
    text(out, Some(&found.outcome.measure()));
    text(out, Some(found.compared()).filter(|levels| !levels.is_empty()).as_deref());
    let effect = found.effect();
    let test = effect.as_ref().and_then(|effect| effect.test);
    let estimate = effect.as_ref().map(|effect| effect.estimate);
    let [low, high] = estimate.and_then(|of| of.ends()).map_or([None; 2], |ends| ends.map(Some));
    let size = effect.as_ref().and_then(|effect| effect.size);
    integer(out, Some(effect.as_ref().map_or(0, |effect| effect.people) as i64));
    number(out, estimate.map(|of| of.value));
    text(out, effect.as_ref().map(|effect| &*effect.unit).filter(|unit| !unit.is_empty()));
    number(out, low);
    number(out, high);
    number(out, test.map(|of| of.freedom));
    number(out, test.map(|of| of.t));
    number(out, test.map(|of| of.p));
    number(out, found.p_holm);
    number(out, size.map(|(_, size)| size));
    text(out, size.map(|(name, _)| name));
}

fn called(found: &OutcomeFound) -> (String, &'static str) {
    match found.outcome.stands {
        Stands::Outcome => ("outcome".to_owned(), "outcome"),
        Stands::Planned => (found.outcome.name.clone(), "planned"),
        Stands::Asked => (found.outcome.words(), "not planned"),
    }
}

pub(super) fn about() -> Value {
    let about = COLUMNS.iter().map(|(name, what)| ((*name).to_owned(), described(what, "")));
    Value::Object(about.collect::<Map<String, Value>>())
}

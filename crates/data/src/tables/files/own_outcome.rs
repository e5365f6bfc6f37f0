//! The table of the outcome: a row for each person and level, which programs for statistics take as it is.

use crate::tables::cells::{end, heading, integer, number, text};
use crate::tables::columns::described;
use crate::tables::measures::measures;
use crate::tables::outcome::{OutcomeFound, OutcomeRow};
use serde_json::{Map, Value};

/// The headings before the value.
const WHO: &str = "participant_id";
/// The level where the outcome is compared over none.
const ALL: &str = "all";

pub(super) fn table(found: &OutcomeFound) -> Vec<u8> {
    let mut out = Vec::new();
    heading(&mut out, headings(found));
    for (place, OutcomeRow { participant, level, second, value, trials }) in
        found.rows.iter().enumerate()
    {
        text(&mut out, participant.as_deref());
        text(&mut out, Some(level.as_deref().unwrap_or(ALL)));
        second.iter().for_each(|second| text(&mut out, Some(second)));
        number(&mut out, Some(*value));
        integer(&mut out, Some(*trials as i64));
        if let Some(person) = found.detection.as_ref().and_then(|all| all.people.get(place)) {
            let behind = [person.hit_rate, person.false_alarm_rate, person.criterion];
            behind.into_iter().for_each(|cell| number(&mut out, Some(cell)));
        }
        for also in &found.also {
            let same = |one: &&OutcomeRow| {
                one.participant == *participant && one.level == *level && one.second == *second
            };
            number(&mut out, also.rows.iter().find(same).map(|row| row.value));
        }
        end(&mut out);
    }
    out
}

/// The column of one that the outcome has also.
fn column(also: &OutcomeFound) -> String {
    let of = &also.outcome.of;
    let statistic = measures().iter().find(|statistic| statistic.name == *of);
    statistic.map_or_else(|| of.clone(), |statistic| statistic.column())
}

/// What stands behind d' in the table of a signal that is to be told.
const DETECTION: [(&str, &str); 3] = [
    ("hit_rate", "The share of such answers where there was the signal."),
    ("false_alarm_rate", "The share of such answers where there was none."),
    ("criterion", "The criterion c: above 0 answers so seldom."),
];

fn behind(found: &OutcomeFound) -> &'static [(&'static str, &'static str)] {
    if found.detection.is_some() { &DETECTION } else { &[] }
}

/// The column of the levels bears the factor's name.
fn headings(found: &OutcomeFound) -> Vec<String> {
    let over = found.outcome.over.clone().unwrap_or_else(|| "level".to_owned());
    let mut all = vec![WHO.to_owned(), over];
    all.extend(found.outcome.by.clone());
    all.extend(["outcome", "trials"].map(str::to_owned));
    all.extend(behind(found).iter().map(|(name, _)| (*name).to_owned()));
    all.extend(found.also.iter().map(column));
    all
}

pub(super) fn about(found: &OutcomeFound) -> Value {
    let value = match found.detection {
        Some(_) => format!("{}.", found.outcome),
        None => format!("{}: the mean over the trials.", found.outcome),
    };
    let mut about = vec![
        described("The participant, as in participants.tsv.", ""),
        described("The level over which the outcome is compared.", ""),
    ];
    about.extend(found.outcome.by.iter().map(|_| {
        described(
            "The level of the second factor, between whose levels the difference is compared.",
            "",
        )
    }));
    about.extend([
        described(&value, &found.unit),
        described("How many trials, answers or thresholds it is the mean of.", ""),
    ]);
    about.extend(behind(found).iter().map(|(_, what)| described(what, "")));
    let of_also = |also: &OutcomeFound| {
        described(&format!("{}: the mean over the trials.", also.outcome), &also.unit)
    };
    about.extend(found.also.iter().map(of_also));
    let all = headings(found).into_iter().zip(about);
    Value::Object(all.collect::<Map<String, Value>>())
}

//! What participants did that casts doubt on a plain reading of their numbers: beats missed,
//! taps at another level of the metre or against the beat, taps that ignore the beat, and
//! people far from all others.

use super::Recorded;
use super::odd::Odd;
use super::words::{counted, measure, people, place, some_of};
use chronotap_tables::TrialRow;

/// Above this share of beats without a tap it is said.
const MISSED: f64 = 0.2;
/// Above so many taps without a beat for each beat it is said.
const EXTRA: f64 = 0.1;
/// Below this length of the mean vector taps say little of a beat.
const RESULTANT: f64 = 0.5;
/// Fewest taps of which the two above are said.
const TAPS: f64 = 10.0;
/// Fewest participants among whom one can be far off, and how far: in median absolute
/// deviations scaled to SD (Leys et al. 2013 take 2.5 to 3).
const PEOPLE: usize = 6;
const FAR: f64 = 3.5;

/// What is said of rows of a trial, where something is.
type Check = (&'static str, fn(&TrialRow) -> bool);
const CHECKS: [Check; 4] = [
    ("more than a fifth of the beats have no tap", |row| share(row, "missed") > MISSED),
    (
        "there is a tap without a beat for every tenth beat or more: another level of the metre, or doubled taps",
        |row| share(row, "extra") > EXTRA,
    ),
    ("the taps lie against the beat", |row| {
        many(row)
            && has(row, "resultant", |r| r >= RESULTANT)
            && has(row, "direction_rad", |angle| angle.abs() > std::f64::consts::FRAC_PI_2)
    }),
    ("the taps hardly follow the beat (R below 0.5)", |row| {
        many(row) && has(row, "resultant", |r| r < RESULTANT)
    }),
];

/// Everything that is odd about participants.
pub(super) fn all(of: &Recorded<'_>) -> Vec<Odd> {
    let mut found: Vec<Odd> = CHECKS.iter().filter_map(|check| told(of, check)).collect();
    let far =
        [("mean_asynchrony_ms", "mean asynchrony"), ("sd_asynchrony_ms", "SD of asynchronies")];
    found.extend(far.iter().filter_map(|(name, said)| far_off(of, name, said)));
    found
}

fn whole<'a>(of: &'a Recorded<'_>) -> impl Iterator<Item = &'a TrialRow> {
    of.analysis.rows.iter().filter(|row| row.stretch.is_none() && of.analysis.used[row.source])
}

fn told(of: &Recorded<'_>, (said, holds): &Check) -> Option<Odd> {
    let mut trials: Vec<usize> = whole(of).filter(|row| holds(row)).map(|row| row.source).collect();
    trials.dedup();
    let mut who: Vec<String> =
        trials.iter().filter_map(|trial| of.sources.trials[*trial].participant.clone()).collect();
    who.sort_unstable();
    who.dedup();
    let who = if who.is_empty() {
        String::new()
    } else {
        let people = if who.len() == 1 { "participant" } else { "participants" };
        format!(" ({people} {})", some_of(&who, 6))
    };
    let said = format!("In {}{who}, {said}.", counted(trials.len(), "trial"));
    (!trials.is_empty()).then_some(Odd { said, section: Some("participants"), grave: false })
}

fn far_off(of: &Recorded<'_>, name: &str, said: &str) -> Option<Odd> {
    let means: Vec<(&str, f64)> = people(of.sources)
        .into_iter()
        .filter_map(|who| Some((who?, mean_of(of, who?, name)?)))
        .collect();
    if means.len() < PEOPLE {
        return None;
    }
    let middle = median(means.iter().map(|(_, mean)| *mean));
    let spread = 1.4826 * median(means.iter().map(|(_, mean)| (mean - middle).abs()));
    let far = |(_, mean): &&(&str, f64)| spread > 0.0 && (mean - middle).abs() > FAR * spread;
    let who: Vec<String> = means.iter().filter(far).map(|(who, _)| (*who).to_owned()).collect();
    let said = format!("Participants far from the others in their {said}: {}.", some_of(&who, 6));
    (!who.is_empty()).then_some(Odd { said, section: Some("participants"), grave: false })
}

fn mean_of(of: &Recorded<'_>, who: &str, name: &str) -> Option<f64> {
    let theirs =
        whole(of).filter(|row| of.sources.trials[row.source].participant.as_deref() == Some(who));
    let values: Vec<f64> = theirs.filter_map(|row| row.value(place(name))).collect();
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}

/// A count of beats as a share of all, 0 where there is none.
fn share(row: &TrialRow, name: &str) -> f64 {
    let [count, beats] = [measure(row, name), measure(row, "beats")].map(|n| n.unwrap_or(0.0));
    if beats > 0.0 { count / beats } else { 0.0 }
}

fn many(row: &TrialRow) -> bool {
    has(row, "matched", |n| n >= TAPS) || has(row, "taps", |n| n >= TAPS)
}

fn has(row: &TrialRow, name: &str, holds: impl Fn(f64) -> bool) -> bool {
    measure(row, name).is_some_and(holds)
}

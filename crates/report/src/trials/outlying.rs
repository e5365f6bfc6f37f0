//! What participants did that casts doubt on a plain reading of their numbers: beats missed,
//! taps at another level of the metre or against the beat, taps that ignore the beat, and
//! people far from all others.

use super::RecordedTrials;
use super::odd::Odd;
use super::words::{counted, people, some_of};
use chronotap_analysis::statistics::Statistic;
use chronotap_analysis::statistics::of_asynchronies::{MEAN_ASYNCHRONY, SD_ASYNCHRONY};
use chronotap_data::tables::{Mark, TrialRow};

/// Fewest participants among whom one can be far off, and how far: in median absolute
/// deviations scaled to SD (Leys et al. 2013 take 2.5 to 3).
const PEOPLE: usize = 6;
const FAR: f64 = 3.5;

/// What is said of trials with a mark.
fn sentence(mark: Mark) -> &'static str {
    match mark {
        Mark::Missed => "more than a fifth of the beats have no tap",
        Mark::Extra => {
            "there is a tap without a beat for every tenth beat or more: another level of the metre, or doubled taps"
        }
        Mark::Doubled => {
            "there is a second tap at every tenth beat or more: a pad that bounces, or doubled taps"
        }
        Mark::AgainstTheBeat => "the taps lie against the beat",
        Mark::DoesNotFollow => "the taps hardly follow the beat (R below 0.5)",
        Mark::HalfCycleDrift => {
            "the taps drift through half a cycle or more: another tempo than the beat"
        }
        Mark::AnotherLevel => {
            "the taps are faster or slower than every beat: another level of the metre"
        }
        Mark::Swapped => {
            "the taps of two inputs each fit the stream of the other: swapped hands or cables"
        }
    }
}

/// Everything that is odd about participants.
pub(super) fn all(of: &RecordedTrials<'_>) -> Vec<Odd> {
    let mut found: Vec<Odd> = Mark::ALL.iter().filter_map(|mark| odd_trials(of, *mark)).collect();
    let far = [(&MEAN_ASYNCHRONY, "mean asynchrony"), (&SD_ASYNCHRONY, "SD of asynchronies")];
    found.extend(far.iter().filter_map(|(statistic, said)| far_off(of, statistic, said)));
    found
}

fn whole<'a>(of: &'a RecordedTrials<'_>) -> impl Iterator<Item = &'a TrialRow> {
    of.analysis.rows.iter().filter(|row| row.stretch.is_none() && of.analysis.used[row.source])
}

fn odd_trials(of: &RecordedTrials<'_>, mark: Mark) -> Option<Odd> {
    let said = sentence(mark);
    let mut trials: Vec<usize> =
        whole(of).filter(|row| mark.is_of(row)).map(|row| row.source).collect();
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

fn far_off(of: &RecordedTrials<'_>, statistic: &Statistic, said: &str) -> Option<Odd> {
    let means: Vec<(&str, f64)> = people(of.sources)
        .into_iter()
        .filter_map(|who| Some((who?, mean_of(of, who?, statistic)?)))
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

fn mean_of(of: &RecordedTrials<'_>, who: &str, statistic: &Statistic) -> Option<f64> {
    let theirs =
        whole(of).filter(|row| of.sources.trials[row.source].participant.as_deref() == Some(who));
    let values: Vec<f64> = theirs.filter_map(|row| row.of(statistic)).collect();
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}

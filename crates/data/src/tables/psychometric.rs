//! [`fits`]: a psychometric function of each person, fitted to all answers of the staircases of a step
//! together ([`chronotap_analysis::sensitivity`]), and the table of them.

use crate::tables::cells::{end, heading, integer, number, text};
use crate::tables::columns::described;
use crate::tables::names::THRESHOLD;
use crate::tables::study_says::StudySays;
use crate::tables::{Sources, TablesError, Track, tracks};
use chronotap_analysis::estimate::Estimate;
use chronotap_analysis::no_estimate::NoEstimate;
use chronotap_analysis::psychometric::Block;
use chronotap_analysis::sensitivity::{Chance, sensitivity};
use serde_json::{Map, Value};

/// The name of the threshold as an outcome.
pub const PSYCHOMETRIC: &str = "psychometric threshold";

/// A fitted function, or why there is none.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    /// As in participants.tsv.
    pub participant: Option<String>,
    pub session: Option<String>,
    pub step: Option<String>,
    /// The staircases, joined by `+`.
    pub staircases: String,
    /// The unit of the levels; empty of plain numbers.
    pub unit: String,
    pub answers: usize,
    /// The level at which [`RIGHT`] of the answers are right, but for lapses.
    pub threshold: Result<Estimate, NoFit>,
}

/// Why there is no fitted function.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoFit {
    #[error(transparent)]
    Estimate(#[from] NoEstimate),
    /// This file of the study cannot be read, so that nobody knows what it says of guesses and lapses.
    #[error("how often is guessed right is not known, because {0} of the study cannot be read")]
    Unread(String),
}

/// What is taken of staircases that say nothing else: one of two, and 2 % of the answers guessed at any level.
const USUAL: Chance = Chance { guess: 0.5, wrong: 0.01 };
/// The share of right answers at the threshold: what "2 down 1 up" finds (Levitt 1971).
const RIGHT: f64 = std::f64::consts::FRAC_1_SQRT_2;

/// One fit for each participant, session and step with staircases, in their order.
///
/// # Errors
/// [`TablesError`] where a table of the dataset cannot be read.
pub fn fits(sources: &Sources) -> Result<Vec<Fit>, TablesError> {
    let all = tracks(sources)?;
    let mut groups: Vec<Vec<&Track>> = Vec::new();
    for track in &all {
        match groups.iter_mut().rfind(|group| is_of_one_fit(group[0], track)) {
            Some(group) => group.push(track),
            None => groups.push(vec![track]),
        }
    }
    Ok(groups.iter().map(|group| fit(group, &sources.said)).collect())
}

fn is_of_one_fit(one: &Track, other: &Track) -> bool {
    let of = |track: &Track| {
        (track.participant.clone(), track.session.clone(), track.step.clone(), track.unit.clone())
    };
    of(one) == of(other)
}

fn fit(tracks: &[&Track], said: &StudySays) -> Fit {
    let first = tracks[0];
    let blocks = blocks(tracks);
    let threshold = said
        .chance(&first.staircase)
        .map_err(NoFit::Unread)
        .and_then(|stated| Ok(sensitivity(&blocks, &stated.unwrap_or(USUAL), RIGHT)?.threshold));
    let names: Vec<&str> = tracks.iter().map(|track| track.staircase.as_str()).collect();
    Fit {
        participant: first.participant.clone(),
        session: first.session.clone(),
        step: first.step.clone(),
        staircases: names.join("+"),
        unit: first.unit.clone(),
        answers: blocks.iter().map(|block| block.of).sum(),
        threshold,
    }
}

/// The answers at each level, from the lowest.
fn blocks(tracks: &[&Track]) -> Vec<Block> {
    let answers = tracks.iter().flat_map(|track| &track.trials);
    let mut answers: Vec<(f64, bool)> =
        answers.filter_map(|trial| Some((trial.level, trial.correct?))).collect();
    answers.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    let mut blocks: Vec<Block> = Vec::new();
    for (level, right) in answers {
        if blocks.last().is_none_or(|last| last.level != level) {
            blocks.push(Block { level, yes: 0, of: 0 });
        }
        if let Some(last) = blocks.last_mut() {
            last.of += 1;
            last.yes += usize::from(right);
        }
    }
    blocks
}

pub(crate) fn table(fits: &[Fit]) -> Vec<u8> {
    let mut out = Vec::new();
    heading(&mut out, headings());
    for fit in fits {
        let who = [&fit.participant, &fit.session, &fit.step];
        who.into_iter().for_each(|cell| text(&mut out, cell.as_deref()));
        text(&mut out, Some(&fit.staircases));
        integer(&mut out, Some(fit.answers as i64));
        let found = fit.threshold.as_ref().ok();
        let ends = [found.map(|of| of.value), found.map(|of| of.low), found.map(|of| of.high)];
        ends.into_iter().for_each(|cell| number(&mut out, cell));
        text(&mut out, fit.threshold.as_ref().err().map(ToString::to_string).as_deref());
        end(&mut out);
    }
    out
}

/// The columns: name, what it is, and whether it has the unit of the levels.
const COLUMNS: [(&str, &str, bool); 9] = [
    ("participant_id", "The participant, as in participants.tsv.", false),
    ("session", "The session.", false),
    ("step", "The step of the experiment.", false),
    ("staircases", "The staircases whose answers are fitted together.", false),
    ("answers", "Right and wrong answers.", false),
    (
        THRESHOLD,
        "The level at which 70.7 % of the answers are right but for lapses, which is what \"2 down 1 up\" finds: \
         right = 0.01 + 0.98 Φ(level / σ). Of a staircase that states `guess` and `lapse`: the level as far from guessing to \
         all right, right = guess + (1 - guess - lapse) (2 Φ(level / σ) - 1).",
        true,
    ),
    ("threshold_low", "Lower end of its interval for 95 %.", true),
    ("threshold_high", "Upper end of its interval for 95 %.", true),
    ("no_fit", "Why there is no fit.", false),
];

fn headings() -> impl Iterator<Item = &'static str> {
    COLUMNS.iter().map(|(name, ..)| *name)
}

pub(crate) fn about(fits: &[Fit]) -> Value {
    let unit = fits.first().map_or("", |fit| fit.unit.as_str());
    let all = COLUMNS.iter().map(|(name, what, has_unit)| {
        ((*name).to_owned(), described(what, if *has_unit { unit } else { "" }))
    });
    Value::Object(all.collect::<Map<String, Value>>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::Tracked;

    fn track(staircase: &str, answers: &[(f64, usize, usize)]) -> Track {
        let each = answers.iter().flat_map(|(level, right, of)| {
            (0..*of).map(|k| Tracked { level: *level, correct: Some(k < *right), reversal: false })
        });
        Track {
            staircase: staircase.into(),
            unit: "ms".into(),
            trials: each.collect(),
            ..Track::default()
        }
    }

    /// Answers as often right as Φ(x / σ) says, with 70.7 % at 60 ms.
    #[test]
    fn the_answers_of_two_staircases_are_one_function() {
        // Of levels in σ.
        let right =
            [(10.0, 0.536_2), (20.0, 0.572_1), (40.0, 0.641_8), (80.0, 0.766_2), (160.0, 0.926_9)];
        let levels = right.map(|(level, right)| (level, (200.0_f64 * right).round() as usize, 200));
        let fit =
            fit(&[&track("first", &levels), &track("second", &levels)], &StudySays::default());
        assert_eq!((fit.staircases.as_str(), fit.answers), ("first+second", 2_000));
        let threshold = fit.threshold.unwrap().value;
        assert!((threshold / 60.0 - 1.0).abs() < 0.05, "{threshold}");
    }

    /// One of four: half as good as one of two at the same share of right answers.
    #[test]
    fn guessing_and_lapses_are_those_of_the_staircase() {
        let text = "[staircase.first]\nrule = \"quest\"\nguess = 0.25\nlapse = 0.1\n";
        let stated = StudySays::of_text(text).unwrap();
        // 0.25 + 0.65 (2 Φ(level / σ) − 1), with Φ(60 / σ) = 0.7071.
        let right = [(10.0, 0.297), (20.0, 0.344), (40.0, 0.434), (80.0, 0.596), (160.0, 0.805)];
        let levels =
            right.map(|(level, right)| (level, (2_000.0_f64 * right).round() as usize, 2_000));
        let threshold =
            |said: &StudySays| fit(&[&track("first", &levels)], said).threshold.unwrap().value;
        assert!((threshold(&stated) / 60.0 - 1.0).abs() < 0.03, "{}", threshold(&stated));
        let usual = threshold(&StudySays::default());
        assert!(usual > 90.0, "{usual}");
    }

    /// A threshold by the usual guess would be another number than that of the study.
    #[test]
    fn a_study_that_cannot_be_read_gives_no_threshold() {
        let dir = tempfile::tempdir().unwrap();
        let study = dir.path().join("sourcedata/study-01");
        std::fs::create_dir_all(&study).unwrap();
        let said = |text: &str| {
            std::fs::write(study.join("study.toml"), text).unwrap();
            let levels = [(10.0, 100, 200), (40.0, 140, 200), (160.0, 190, 200)];
            fit(&[&track("first", &levels)], &StudySays::of_dataset(dir.path())).threshold
        };
        assert!(said("[staircase.first]\nguess = 0.25\n").is_ok());
        let unread = said("[staircase.first\nguess = 0.25\n").unwrap_err();
        assert_eq!(unread, NoFit::Unread("study.toml".to_owned()));
        assert!(unread.to_string().contains("because study.toml of the study cannot be read"));
    }

    #[test]
    fn a_fit_that_is_none_says_why() {
        let fit = fit(&[&track("one", &[(30.0, 2, 3)])], &StudySays::default());
        let table = String::from_utf8(table(std::slice::from_ref(&fit))).unwrap();
        assert!(table.lines().nth(1).unwrap().ends_with(&fit.threshold.unwrap_err().to_string()));
        let columns = |line: &str| line.split('\t').count();
        assert_eq!(columns(table.lines().next().unwrap()), columns(table.lines().nth(1).unwrap()));
    }
}

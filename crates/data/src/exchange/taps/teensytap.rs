//! Logs of TeensyTap (van Vugt, 2020): a line for each tap, click and feedback sound, in whole
//! milliseconds of the Teensy's clock; lines that begin with `#` have the settings.

use super::error::TapsError;
use super::{Events, ImportOptions, Onsets, Read, SourceFile, SourceOnset, Taken, TimeUnit};
use crate::record::OriginColumn;
use chronotap_core::text::most_like;
use chronotap_core::time::Nanos;

/// The line with the names of the columns begins so.
const HEAD: &str = "message_number type onset_t offset_t";
const CONFIG: &str = "# config ";
const START: &str = "# Start signal";
const KIND: &str = "TeensyTap";

pub(super) fn looks_like(text: &str) -> bool {
    text.lines().any(|line| line.starts_with(HEAD))
}

/// Every start signal begins a trial; one in which nothing happened is none.
pub(super) fn read(file: &SourceFile, how: &ImportOptions) -> Result<Read, TapsError> {
    let text = file.text()?;
    let whose = how.participant.clone().or_else(|| whose(file.stem()));
    let mut trials = vec![Trial::default()];
    let mut settings = Vec::new();
    for (line, words) in (1..).zip(text.lines()) {
        let words = words.trim();
        if let Some(config) = words.strip_prefix(CONFIG) {
            settings = of_config(config);
        } else if words.starts_with(START) {
            trials.push(Trial::default());
        } else if !words.is_empty() && !words.starts_with('#') && !words.starts_with(HEAD) {
            let trial = trials.last_mut().filter(|trial| trial.line > 0);
            let trial = match trial {
                Some(_) => trials.len() - 1,
                None => {
                    let place = trials.len() - 1;
                    trials[place] = Trial { line, settings: settings.clone(), ..Trial::default() };
                    place
                }
            };
            let wrong = || TapsError::Line { name: file.name.clone(), line, kind: KIND };
            trials[trial].take(words).ok_or_else(wrong)?;
        }
    }
    trials.retain(|trial| trial.line > 0);
    let taken = |trial: Trial| trial.taken(file, how, whose.clone());
    let trials = trials.into_iter().map(taken).collect::<Result<_, _>>()?;
    Ok(Read { trials, columns: columns(), step_ns: 1_000_000, ..Read::default() })
}

fn columns() -> Vec<OriginColumn> {
    let of = |holds: &str, column: &str| OriginColumn {
        holds: holds.into(),
        column: column.into(),
        unit: "ms".into(),
    };
    vec![
        of("taps", "onset_t and offset_t where type = tap"),
        of("stimuli", "onset_t where type = click"),
        of("feedback", "onset_t where type = feedback"),
    ]
}

/// The participant in the name that TeensyTap gives its files: `07_20171011_120822`.
fn whose(stem: &str) -> Option<String> {
    let (rest, time) = stem.rsplit_once('_')?;
    let (whose, day) = rest.rsplit_once('_')?;
    let digits = |text: &str, n| text.len() == n && text.bytes().all(|b| b.is_ascii_digit());
    (digits(day, 8) && digits(time, 6) && !whose.is_empty()).then(|| whose.to_owned())
}

/// `AF=1 DELAY=0` as names and values.
fn of_config(config: &str) -> Vec<(String, String)> {
    let pair = |word: &str| word.split_once('=').map(|(name, value)| (name.into(), value.into()));
    config.split_whitespace().filter_map(pair).collect()
}

#[derive(Default)]
struct Trial {
    line: usize,
    settings: Vec<(String, String)>,
    onsets: Onsets,
    missed: u64,
}

impl Trial {
    /// `NUMBER tap ONSET OFFSET TIME FORCE MISSED`; what is not told is `NA`.
    fn take(&mut self, words: &str) -> Option<()> {
        let cells: Vec<&str> = words.split_whitespace().collect();
        let [_, kind, onset, offset, _, _, missed] = cells[..] else { return None };
        let time = |word: &str| TimeUnit::Milliseconds.time(word).ok();
        let at = time(onset)?;
        let end = if offset == "NA" { None } else { Some(time(offset)?) };
        let onset = SourceOnset { at, end: end.filter(|end| *end >= at), key: None };
        match kind {
            "tap" => self.onsets.taps.push(onset),
            "click" => self.onsets.stimuli.push(onset),
            "feedback" => self.onsets.feedback.push(onset),
            _ => return None,
        }
        self.missed = self.missed.max(missed.parse().ok()?);
        Some(())
    }

    fn taken(
        mut self,
        file: &SourceFile,
        how: &ImportOptions,
        participant: Option<String>,
    ) -> Result<Taken, TapsError> {
        let level = |wanted: &String| {
            let found = self.settings.iter().find(|(name, _)| name == wanted);
            let columns: Vec<String> = self.settings.iter().map(|(name, _)| name.clone()).collect();
            let near = most_like(wanted, &columns).map(str::to_owned);
            let (name, line, column) = (file.name.clone(), self.line, wanted.clone());
            let missing = TapsError::NoColumn { name, line, column, columns, near };
            found.map(|(_, value)| Some(value.clone())).ok_or(missing)
        };
        let levels = how.condition_columns.iter().map(level).collect::<Result<_, _>>()?;
        if self.missed > 0 {
            let doubt = format!("TeensyTap missed {} frames of 1 ms", self.missed);
            self.onsets.doubts.push(doubt);
        }
        let interval = self.settings.iter().find(|(name, _)| name == "INTVL");
        self.onsets.interval = interval.and_then(|(_, ms)| TimeUnit::Milliseconds.time(ms).ok());
        self.onsets.interval = self.onsets.interval.filter(|interval| *interval > Nanos::ZERO);
        let (line, events) = (self.line, Events::Onsets(self.onsets));
        Ok(Taken { participant, trial: None, levels, line, events })
    }
}

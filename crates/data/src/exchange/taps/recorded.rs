//! [`made`]: a trial of a source as a recorded trial, for whatever reads those. Times count from its
//! first event. What the source does not say is missing; the trial is of the mode `imported`.

use super::error::TapsError;
use super::kinds::recorder;
use super::{Events, MidiKey, Onsets, SourceOnset, Taken};
use crate::exchange::abs::recorded;
use crate::record::{
    Circumstances, ClockUsed, Entry, Footer, Header, Names, PROGRAM, RecordedOrigin, RunnerMode,
    TrialText, What, answers, forget_unknown, summarize,
};
use chronotap_analysis::summary::Summary;
use chronotap_config::trial_files::TrialFile;
use chronotap_core::midi::{Message, U7};
use chronotap_core::time::Nanos;
use chronotap_engine::action::{Action, ActionKind};
use chronotap_engine::perturbation::Perturbation;
use std::fmt::Write;

/// A recorded trial in the making.
#[derive(Clone, Debug)]
pub struct Made {
    pub header: Header,
    pub entries: Vec<Entry>,
    pub footer: Footer,
    pub trial: TrialFile,
    /// The trial in numbers.
    pub summary: Summary,
    /// Ends of tones and keys that had not begun, by their lines, which are left out.
    pub stray: Vec<usize>,
}

/// The names of what happened, in the trial file and in every table.
const INPUT: &str = "taps";
const STREAM: &str = "stimuli";
const CHANNEL: &str = "feedback";
/// Medians of intervals beyond which no tempo is that of people: fingers in turn reach some 16 taps a second, and two
/// taps a minute apart are no rhythm.
const FASTEST: Nanos = Nanos::from_millis(50);
const SLOWEST: Nanos = Nanos::from_secs(60);
/// Intervals that a trial file may state.
const LEAST: Nanos = Nanos::from_millis(1);
const MOST: Nanos = Nanos::from_secs(3_600);

/// The recorded trial; `title` is what trials of this source are called, and `origin` where it
/// comes from, but for its line and its zero.
///
/// # Errors
/// [`TapsError`] where no trial file can name what happened.
pub fn made(
    taken: &Taken,
    title: &str,
    origin: &RecordedOrigin,
    step_ns: i64,
) -> Result<Made, TapsError> {
    let name = origin.files.first().map_or("", |file| &*file.name).to_owned();
    let origin = RecordedOrigin { line: taken.line, ..origin.clone() };
    match &taken.events {
        Events::Onsets(onsets) => of_onsets(onsets, (title, &name), origin, step_ns),
        Events::Ftap(file) => {
            let made = recorded(file, &name)?;
            let taps =
                made.entries.iter().filter(|entry| matches!(entry.action.kind, ActionKind::Tap(_)));
            let doubt = tempo_doubt("taps", taps.filter_map(|entry| entry.achieved).collect());
            let origin = RecordedOrigin {
                doubts: origin.doubts.into_iter().chain(doubt).collect(),
                ..origin
            };
            let trial = parse(&made.header.trial_file.text, &name, taken.line)?;
            let performer = performer(&origin);
            let header = Header { source: Some(origin), performer, ..made.header };
            let (entries, footer, stray) = (made.entries, made.footer, made.stray);
            let summary = summary(&trial, &entries, header.source.as_ref());
            Ok(Made { header, entries, footer, trial, summary, stray })
        }
    }
}

fn parse(text: &str, name: &str, line: usize) -> Result<TrialFile, TapsError> {
    TrialFile::parse(text, name).map_err(|problems| TapsError::Refused {
        name: name.to_owned(),
        line,
        why: problems.to_string().lines().next().unwrap_or_default().to_owned(),
    })
}

fn of_onsets(
    onsets: &Onsets,
    (title, name): (&str, &str),
    mut origin: RecordedOrigin,
    step_ns: i64,
) -> Result<Made, TapsError> {
    let zero = onsets.all().map(|onset| onset.at).min().unwrap_or(Nanos::ZERO);
    origin.zero_ns = zero.0;
    origin.doubts.clone_from(&onsets.doubts);
    let times = |list: &[SourceOnset]| list.iter().map(|onset| onset.at).collect::<Vec<_>>();
    let lists = [("taps", times(&onsets.taps)), ("stimuli", times(&onsets.stimuli))];
    origin.doubts.extend(lists.into_iter().filter_map(|(what, times)| tempo_doubt(what, times)));
    let text = trial_text(onsets, title);
    let trial = parse(&text, name, origin.line)?;
    let header = Header {
        program: PROGRAM.into(),
        trial_file: TrialText { name: format!("{title}.toml"), text },
        title: title.to_owned(),
        mode: RunnerMode::Imported,
        clock: ClockUsed { name: origin.format.clone(), resolution_ns: step_ns },
        names: Names::of(&trial.trial, &trial.rule_details()),
        limit_ns: trial.limit.0,
        performer: performer(&origin),
        started: "n/a".into(),
        source: Some(origin),
        ..Header::default()
    };
    let entries = entries(onsets, zero);
    let summary = summary(&trial, &entries, header.source.as_ref());
    // Maps with keys that are not strings, the one thing that fails, do not stand in it.
    let told = serde_json::to_value(&summary).unwrap_or_default();
    let footer = Footer { summary: told, ..Footer::default() };
    Ok(Made { header, entries, footer, trial, summary, stray: Vec::new() })
}

/// What is to be doubted of times that are so far apart that they are no tempo of people: mostly their unit.
fn tempo_doubt(what: &str, mut times: Vec<Nanos>) -> Option<String> {
    times.sort_unstable();
    let mut apart: Vec<Nanos> = times.windows(2).map(|two| two[1] - two[0]).collect();
    apart.sort_unstable();
    let median = *apart.get(apart.len() / 2)?;
    (!(FASTEST..=SLOWEST).contains(&median)).then(|| {
        format!(
            "{what} are {} ms apart in the median, which is no tempo of a person; the unit of their times may be another",
            median.as_millis_f64()
        )
    })
}

/// Who recorded it.
fn performer(origin: &RecordedOrigin) -> serde_json::Value {
    format!("recorded by {}", recorder(&origin.format)).into()
}

/// The summary, without what only the other program knew.
fn summary(trial: &TrialFile, entries: &[Entry], source: Option<&RecordedOrigin>) -> Summary {
    let seen =
        Circumstances { limit: trial.limit, answers: answers(trial), ..Circumstances::default() };
    let mut summary = summarize(&trial.title, &trial.trial, entries, &seen);
    forget_unknown(&mut summary, source);
    summary
}

/// A trial file with the names of what happened. It is no description of the trial: what made its
/// events happen is not in the source.
fn trial_text(onsets: &Onsets, title: &str) -> String {
    let shown: String = title.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let mut text = String::from(
        "# Names for what another program recorded. It does not describe the trial: what made its\n\
         # events happen is not known.\n",
    );
    // Text takes whatever is written.
    let _ = writeln!(text, "title = {shown:?}\n\n[input.{INPUT}]");
    if let Some(interval) = interval(onsets) {
        let _ = writeln!(text, "\n[pacing.{STREAM}]\ninterval = \"{} ns\"", interval.0);
        let _ = writeln!(text, "answered_by = \"{INPUT}\"");
        if onsets.paired {
            let _ =
                writeln!(text, "window = 0.5 # the source says which tap answers which stimulus");
        }
    } else {
        // A trial file in which nothing can happen is refused.
        text += "\n[[when]]\ntime = \"24 h\"\nend = true\n";
    }
    if !onsets.feedback.is_empty() {
        let _ = writeln!(text, "\n[feedback.{CHANNEL}]");
    }
    text
}

/// The interval that the source states, or the median one; none where nothing sounded.
fn interval(onsets: &Onsets) -> Option<Nanos> {
    onsets.stimuli.first()?;
    let pairs = onsets.stimuli.windows(2);
    let mut between: Vec<Nanos> = pairs.map(|two| two[1].at - two[0].at).collect();
    between.sort_unstable();
    let median = between.get(between.len() / 2).copied();
    let interval = onsets.interval.or(median).unwrap_or(Nanos::from_secs(1));
    Some(interval.clamp(LEAST, MOST))
}

/// What happened, in the order of time.
fn entries(onsets: &Onsets, zero: Nanos) -> Vec<Entry> {
    let mut all: Vec<(Nanos, ActionKind, u32, SourceOnset)> = Vec::new();
    let lists = [
        (ActionKind::Pacing(0), &onsets.stimuli),
        (ActionKind::Tap(0), &onsets.taps),
        (ActionKind::Feedback(0), &onsets.feedback),
    ];
    for (kind, list) in lists {
        let numbered = (1..).zip(list);
        all.extend(numbered.map(|(number, onset)| (onset.at - zero, kind, number, *onset)));
    }
    all.sort_by_key(|(at, ..)| *at);
    let mut events = Entries::default();
    for (at, kind, number, onset) in all {
        let message = onset.key.map(|MidiKey { channel, note, velocity }| Message::NoteOn {
            channel,
            note,
            velocity,
        });
        let id = events.push(at, kind, (number, 0), message);
        let Some(end) = onset.end else { continue };
        let message = onset.key.map(|MidiKey { channel, note, .. }| Message::NoteOff {
            channel,
            note,
            velocity: U7::from_byte(64),
        });
        match kind {
            ActionKind::Tap(_) => {
                _ = events.push(end - zero, ActionKind::Release(0), (0, id), message)
            }
            _ => events.put(id, end - zero, ActionKind::ToneOff, (0, 0), message),
        }
    }
    events.all
}

#[derive(Default)]
struct Entries {
    all: Vec<Entry>,
    last: u64,
}

impl Entries {
    fn push(
        &mut self,
        at: Nanos,
        kind: ActionKind,
        of: (u32, u64),
        message: Option<Message>,
    ) -> u64 {
        self.last += 1;
        self.put(self.last, at, kind, of, message);
        self.last
    }

    fn put(
        &mut self,
        id: u64,
        at: Nanos,
        kind: ActionKind,
        (number, cause): (u32, u64),
        message: Option<Message>,
    ) {
        let action = Action {
            id,
            kind,
            number,
            cause,
            deadline: at,
            instant: at,
            port: 0,
            message,
            perturbation: Perturbation::NONE,
        };
        let achieved = Some(at);
        self.all.push(Entry { what: What::Happened, action, achieved, stamp: None, frame: None });
    }
}

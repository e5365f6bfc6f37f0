//! [`recorded`]: the events of a data file as a recorded trial, for whatever reads recorded
//! trials. When a tone was asked for stands in no data file: the trial is of the mode
//! `imported`, of which no lateness is told.

use super::{AbsError, AbsEvent, AbsFile, Happened};
use crate::record::{
    Circumstances, ClockUsed, Entry, Footer, Header, Names, PROGRAM, RunnerMode, TrialText, What,
    answers, forget_unknown, summarize,
};
use chronotap_config::trial_files::TrialFile;
use chronotap_core::midi::{Channel, Message, U7};
use chronotap_core::time::Nanos;
use chronotap_engine::action::{Action, ActionKind, TrialEnding};
use chronotap_engine::perturbation::Perturbation;
use chronotap_engine::signal::Stamp;
use std::collections::HashMap;
use std::fmt::Write;

/// A recorded trial in the making.
#[derive(Clone, Debug)]
pub struct ImportedTrial {
    pub header: Header,
    pub entries: Vec<Entry>,
    pub footer: Footer,
    /// Ends of tones and keys that had not begun, by their lines, which are left out.
    pub stray: Vec<usize>,
}

/// Where a velocity is not in the file: MIDI's own for what has none.
const NO_VELOCITY: U7 = U7::from_byte(64);

/// The recorded trial of a data file called `name`.
///
/// # Errors
/// Where its triggers are more than a trial file can have.
pub fn recorded(file: &AbsFile, name: &str) -> Result<ImportedTrial, AbsError> {
    let mut events: Vec<&AbsEvent> = file.events.iter().collect();
    events.sort_by_key(|event| event.at);
    let rules = rules(&events);
    let text = trial_text(file, &events, &rules, name);
    let trial = TrialFile::parse(&text, name).map_err(|problems| AbsError::Refused {
        name: name.to_owned(),
        why: problems.to_string().lines().next().unwrap_or_default().to_owned(),
    })?;
    let header = Header {
        program: PROGRAM.into(),
        trial_file: TrialText { name: name.to_owned(), text },
        title: trial.title.clone(),
        mode: RunnerMode::Imported,
        clock: ClockUsed { name: "FTAP".into(), resolution_ns: 1_000_000 },
        names: Names::of(&trial.trial, &trial.rule_details()),
        limit_ns: trial.limit.0,
        performer: serde_json::json!("recorded by FTAP"),
        started: "n/a".into(),
        ..Header::default()
    };
    let mut taken = Taken { rules, entries: Vec::new(), ..Taken::default() };
    let stray = events.iter().filter(|event| !taken.take(event)).map(|event| event.line).collect();
    taken.end(&events);
    let footer = footer(&trial, &taken.entries);
    let entries = taken.entries;
    Ok(ImportedTrial { header, entries, footer, stray })
}

/// The summary, of which the lateness is not known.
fn footer(trial: &TrialFile, entries: &[Entry]) -> Footer {
    let seen =
        Circumstances { limit: trial.limit, answers: answers(trial), ..Circumstances::default() };
    let mut summary = summarize(&trial.title, &trial.trial, entries, &seen);
    forget_unknown(&mut summary, None);
    // Maps with keys that are not strings, the one thing that fails, do not stand in it.
    let summary = serde_json::to_value(summary).unwrap_or_default();
    Footer { summary, ..Footer::default() }
}

/// The ids of the triggers, each once, in the order in which they first come.
fn rules(events: &[&AbsEvent]) -> Vec<String> {
    let mut ids: Vec<String> = Vec::new();
    for event in events.iter().filter(|event| event.what == Happened::Trigger) {
        let id = rule_of(event);
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    ids
}

fn rule_of(event: &AbsEvent) -> String {
    event.id.clone().unwrap_or_else(|| "trigger".to_owned())
}

/// A trial file with the names of what happened. It is no description of the trial: what made its
/// events happen is not in a data file.
fn trial_text(file: &AbsFile, events: &[&AbsEvent], rules: &[String], name: &str) -> String {
    let shown = |text: &str| text.replace(char::is_control, " ");
    let mut text = format!("# Events of {}, a data file of FTAP (Finney, 2001).\n", shown(name));
    for (line, other) in &file.others {
        let _ = writeln!(text, "# line {line}: {}", shown(other)); // text takes whatever is written
    }
    let stem = std::path::Path::new(name).file_stem();
    let title = stem.map_or_else(|| "FTAP".into(), |stem| stem.to_string_lossy());
    let quoted = |text: &str| format!("{:?}", shown(text));
    let _ = writeln!(text, "title = {}", quoted(&title));
    if let Some(interval) = interval(events) {
        let _ = writeln!(text, "\n[pacing.metronome]\ninterval = \"{} ns\"", interval.0);
    }
    text += "\n[feedback.feed]\n"; // always, since a trial file that does nothing is refused
    if events.iter().any(|event| event.what == Happened::Junk) {
        text += "\n[masking.junk]\n";
    }
    for id in rules {
        let at = events.iter().find(|e| e.what == Happened::Trigger && rule_of(e) == *id);
        let at = at.map_or(0, |event| event.at.0);
        let rule = quoted(id);
        let _ = writeln!(text, "\n[[when]]\nname = {rule}\ntime = \"{at} ns\"\nmark = {rule}");
    }
    text
}

/// The median interval between tones of the metronome; none where it has no tone.
fn interval(events: &[&AbsEvent]) -> Option<Nanos> {
    let tones = events.iter().filter(|event| event.what == Happened::Metronome && event.begins);
    let onsets: Vec<Nanos> = tones.map(|event| event.at).collect();
    let mut intervals: Vec<Nanos> = onsets.windows(2).map(|two| two[1] - two[0]).collect();
    intervals.sort_unstable();
    let median = intervals.get(intervals.len() / 2).copied();
    onsets.first().map(|_| median.unwrap_or(Nanos::from_secs(1)).max(Nanos::from_millis(1)))
}

/// What was taken so far.
#[derive(Default)]
struct Taken {
    rules: Vec<String>,
    entries: Vec<Entry>,
    /// The number of the last event.
    last: u64,
    /// What began and did not end, by kind, channel and note.
    open: HashMap<(u8, Channel, U7), u64>,
    /// Keystrokes, tones of the metronome, of feedback and of masking.
    counts: [u32; 4],
}

impl Taken {
    /// Takes an event; whether it belongs to anything.
    fn take(&mut self, event: &AbsEvent) -> bool {
        let channel = event.channel.unwrap_or(Channel::ONE);
        let (place, kind): (u8, ActionKind) = match event.what {
            Happened::Keystroke => (0, ActionKind::Tap(0)),
            Happened::Metronome => (1, ActionKind::Pacing(0)),
            Happened::Feedback => (2, ActionKind::Feedback(0)),
            Happened::Junk => (3, ActionKind::Masking(0)),
            Happened::Trigger => return self.trigger(event, channel),
        };
        let Some(note) = event.note else { return false };
        let key = (place, channel, note);
        if !event.begins {
            return self.release(event, key);
        }
        let count = &mut self.counts[usize::from(place)];
        *count += 1;
        let of = (*count, 0);
        let id = self.push(event, kind, of, on(event, channel, note));
        self.open.insert(key, id);
        true
    }

    fn trigger(&mut self, event: &AbsEvent, channel: Channel) -> bool {
        let at = self.rules.iter().position(|id| *id == rule_of(event)).unwrap_or(0);
        if let (Some(note), false) = (event.note, event.begins) {
            return self.release(event, (4, channel, note));
        }
        let message = event.note.and_then(|note| on(event, channel, note));
        let id = self.push(event, ActionKind::Rule(at as u16), (at as u32 + 1, 0), message);
        if let Some(note) = event.note {
            self.open.insert((4, channel, note), id);
        }
        true
    }

    fn release(&mut self, event: &AbsEvent, key: (u8, Channel, U7)) -> bool {
        let Some(begun) = self.open.remove(&key) else { return false };
        let (kind, channel, note) = key;
        let velocity = event.velocity.unwrap_or(NO_VELOCITY);
        let message = Some(Message::NoteOff { channel, note, velocity });
        if kind == 0 {
            self.push(event, ActionKind::Release(0), (0, begun), message);
        } else {
            self.put(begun, event.at, ActionKind::ToneOff, (0, 0), message);
        }
        true
    }

    fn push(
        &mut self,
        event: &AbsEvent,
        kind: ActionKind,
        of: (u32, u64),
        message: Option<Message>,
    ) -> u64 {
        self.last += 1;
        self.put(self.last, event.at, kind, of, message);
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
        let arrived = matches!(kind, ActionKind::Tap(_) | ActionKind::Release(_));
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
        let stamp = arrived.then_some(Stamp::UserSpace);
        self.entries.push(Entry {
            what: What::Happened,
            action,
            achieved: Some(at),
            stamp,
            frame: None,
        });
    }

    /// The end of the trial, with its last event: by a trigger, where it is one.
    fn end(&mut self, events: &[&AbsEvent]) {
        let Some(last) = events.last() else { return };
        let by_rule = last.what == Happened::Trigger;
        let cause = self.entries.last().filter(|_| by_rule).map_or(0, |entry| entry.action.id);
        let ending = if by_rule { TrialEnding::Rule } else { TrialEnding::Interrupted };
        self.push(last, ActionKind::End(ending), (0, cause), None);
    }
}

fn on(event: &AbsEvent, channel: Channel, note: U7) -> Option<Message> {
    let velocity = event.velocity.filter(|velocity| velocity.get() > 0).unwrap_or(NO_VELOCITY);
    Some(Message::NoteOn { channel, note, velocity })
}

//! [`rows`]: from the entries of a trial, in the order in which they were carried
//! out, to the rows of its events file, in the order of their onsets.
//!
//! Every entry but a tone-off makes one row. A tone-off ends the row of the tone
//! with its id; a key release makes a row of its own and ends the row of its tap. An
//! entry that says again what was said before corrects it (see [`settled()`]).

use crate::fates::fates;
use crate::{Entry, Flag, Header, Names, Row, TapFate, TrialType, settled};
use chronotap_engine::action::{Action, Kind, Silence};
use chronotap_experiment::TrialFile;
use chronotap_midi::{Message, U7};
use chronotap_time::Nanos;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// The rows of a trial, sorted by onset, then by event id.
pub fn rows(names: &Names, entries: &[Entry]) -> Vec<Row> {
    Rows::of(names, entries).iter().collect()
}

/// The same, each row made only when it is asked for: a row takes several times the memory of
/// its entry, and a long trial has millions.
#[derive(Debug)]
pub struct Rows<'a> {
    names: &'a Names,
    entries: Cow<'a, [Entry]>,
    order: Vec<u32>,         // of the entries that make rows, by their rows
    ended_by: Vec<u32>,      // of each entry, the one that ends its tone or tap
    taps: HashMap<u64, u32>, // the entries of taps, by their events
    fates: HashMap<u64, TapFate>,
    sure: Option<HashSet<u64>>,
}

/// The place of an entry that is not there.
const NONE: u32 = u32::MAX;

impl<'a> Rows<'a> {
    /// The rows of these entries.
    pub fn of(names: &'a Names, entries: &'a [Entry]) -> Rows<'a> {
        Rows::of_all(names, settled(entries), None)
    }

    /// The same where every row whose event is not among the `sure` ones stands behind damage.
    pub(crate) fn of_all(
        names: &'a Names,
        entries: Cow<'a, [Entry]>,
        sure: Option<HashSet<u64>>,
    ) -> Rows<'a> {
        let ended_by = ends(&entries);
        let makes_a_row = |(_, entry): &(u32, &Entry)| trial_type(entry.action.kind).is_some();
        let numbered = (0..NONE).zip(entries.iter());
        let mut order: Vec<u32> = numbered.filter(makes_a_row).map(|(at, _)| at).collect();
        order.sort_by_key(|at| {
            let entry = &entries[*at as usize];
            (onset(entry), entry.action.id)
        });
        let numbered = (0..NONE).zip(entries.iter());
        let is_tap = |(_, entry): &(u32, &Entry)| matches!(entry.action.kind, Kind::Tap(_));
        let taps = numbered.filter(is_tap).map(|(at, entry)| (entry.action.id, at)).collect();
        Rows { names, entries, order, ended_by, taps, fates: HashMap::new(), sure }
    }

    /// The rows of these entries, each tap with what became of it. Where the header has no trial
    /// file that this version of the program can read, taps are without.
    pub fn of_header(header: &'a Header, entries: &'a [Entry]) -> Rows<'a> {
        Rows::of(&header.names, entries).told_by(header)
    }

    /// The same where the trial file is at hand.
    pub fn of_trial(names: &'a Names, file: &TrialFile, entries: &'a [Entry]) -> Rows<'a> {
        Rows::of(names, entries).told_of(file)
    }

    /// With what became of each tap, by the trial file that the header keeps.
    pub(crate) fn told_by(self, header: &Header) -> Rows<'a> {
        let kept = &header.trial_file;
        match TrialFile::parse(&kept.text, &kept.name) {
            Ok(file) => self.told_of(&file),
            Err(_) => self,
        }
    }

    fn told_of(mut self, file: &TrialFile) -> Rows<'a> {
        self.fates = fates(file, &self.entries);
        self
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// Whether one of them has a frame of a sound card.
    pub(crate) fn are_framed(&self) -> bool {
        self.order.iter().any(|at| self.entries[*at as usize].frame.is_some())
    }

    /// One after another, sorted.
    pub fn iter(&self) -> impl Iterator<Item = Row> {
        self.order.iter().filter_map(|at| self.make(*at as usize))
    }

    fn make(&self, at: usize) -> Option<Row> {
        let entry = &self.entries[at];
        let mut row = row(self.names, entry, trial_type(entry.action.kind)?);
        if let Some(end) = self.entries.get(self.ended_by[at] as usize) {
            let is_release = matches!(end.action.kind, Kind::Release(_));
            row.release_deadline = (!is_release).then_some(end.action.deadline);
            row.release_achieved = if is_release { arrived(end) } else { end.achieved };
            let whole = row.achieved.zip(row.release_achieved);
            row.duration = whole.map(|(onset, end)| minus(end, onset));
        }
        flag_tone(&mut row);
        self.answer_tap(&mut row);
        row.fate = self.fates.get(&row.event_id).cloned();
        if self.sure.as_ref().is_some_and(|sure| !sure.contains(&row.event_id)) {
            row.flag = Some(Flag::BehindGap);
        }
        Some(row)
    }

    /// How late after its tap, and how much higher than the key, a feedback tone is.
    fn answer_tap(&self, row: &mut Row) {
        let kinds = [TrialType::Feedback, TrialType::Muted, TrialType::Cancelled];
        let cause = row.cause.filter(|_| kinds.contains(&row.trial_type));
        let tap = cause.and_then(|cause| self.entries.get(*self.taps.get(&cause)? as usize));
        let Some(tap) = tap else { return };
        row.delay = row.deadline.zip(achieved(tap)).map(|(due, tap)| minus(due, tap));
        let keys = row.note.zip(tap.action.message.and_then(note));
        row.pitch_shift = keys.map(|(note, key)| note.get() as i8 - key.get() as i8);
    }
}

/// Of each entry, the one that ends its tone or tap: the first that does.
fn ends(entries: &[Entry]) -> Vec<u32> {
    let mut ended_by = vec![NONE; entries.len()];
    let mut open: HashMap<u64, u32> = HashMap::new();
    for (at, entry) in (0..NONE).zip(entries) {
        let ends = match entry.action.kind {
            Kind::ToneOff => open.remove(&entry.action.id),
            Kind::Release(_) => open.remove(&entry.action.cause),
            _ => None,
        };
        ends.into_iter().for_each(|begun| ended_by[begun as usize] = at);
        if entry.action.kind != Kind::ToneOff {
            open.insert(entry.action.id, at);
        }
    }
    ended_by
}

fn row(names: &Names, entry: &Entry, trial_type: TrialType) -> Row {
    let action = entry.action;
    let deadline = (!is_arrival(action.kind)).then_some(action.deadline);
    let achieved = achieved(entry);
    Row {
        onset: onset(entry),
        duration: without_length(&action).then_some(Nanos::ZERO),
        trial_type,
        name: names.name(action.kind),
        number: (action.number > 0).then_some(action.number),
        channel: action.message.and_then(Message::channel),
        note: action.message.and_then(note),
        velocity: action.message.and_then(velocity),
        port: port(names, &action),
        event_id: action.id,
        cause: (action.cause > 0).then_some(action.cause),
        deadline,
        achieved,
        lateness: achieved.zip(deadline).map(|(achieved, due)| minus(achieved, due)),
        release_deadline: None,
        release_achieved: None,
        engine: action.instant,
        stamp: entry.stamp,
        message: action.message,
        flag: flag(entry),
        detail: detail(names, action.kind),
        perturbation: action.perturbation,
        delay: None,
        pitch_shift: None,
        fate: None,
        frame: entry.frame,
    }
}

/// The flag of an entry by itself; what its end adds is [`flag_tone`]'s.
fn flag(entry: &Entry) -> Option<Flag> {
    match entry.action.kind {
        Kind::Tap(_) if entry.action.number == 0 => Some(Flag::Debounced),
        Kind::SilentBeat(_, Silence::Rest) => Some(Flag::Rest),
        Kind::SilentBeat(_, Silence::Inaudible) => Some(Flag::Inaudible),
        Kind::SilentBeat(_, Silence::Muted) | Kind::Muted(_) => Some(Flag::Muted),
        _ if entry.action.is_output() && entry.achieved.is_none() => Some(Flag::Lost),
        _ => None,
    }
}

/// Marks a tone whose end was lost or is missing.
fn flag_tone(row: &mut Row) {
    let sounded = row.deadline.is_some() && row.achieved.is_some();
    if !sounded || row.duration.is_some() || row.flag.is_some() {
        return;
    }
    let ended = row.release_deadline.is_some();
    row.flag = Some(if ended { Flag::ReleaseLost } else { Flag::Unfinished });
}

fn is_arrival(kind: Kind) -> bool {
    matches!(kind, Kind::Tap(_) | Kind::Release(_) | Kind::ControlIn(_))
}

/// The stamp of an arrival.
fn arrived(entry: &Entry) -> Option<Nanos> {
    Some(entry.achieved.unwrap_or(entry.action.deadline))
}

fn achieved(entry: &Entry) -> Option<Nanos> {
    match entry.action.kind {
        Kind::Cancelled(_) | Kind::Muted(_) | Kind::SilentBeat(..) => None,
        kind if is_arrival(kind) => arrived(entry),
        _ => entry.achieved,
    }
}

fn onset(entry: &Entry) -> Nanos {
    achieved(entry).unwrap_or(entry.action.deadline)
}

fn without_length(action: &Action) -> bool {
    match action.kind {
        Kind::Trigger(_) => action.message.is_none(),
        Kind::Pacing(_) | Kind::Feedback(_) | Kind::Masking(_) => false,
        Kind::Tap(_) | Kind::Muted(_) | Kind::Cancelled(_) => false,
        _ => true,
    }
}

/// `None` for a tone-off, which makes no row.
fn trial_type(kind: Kind) -> Option<TrialType> {
    Some(match kind {
        Kind::Pacing(_) => TrialType::Pacing,
        Kind::SilentBeat(..) => TrialType::Silent,
        Kind::Feedback(_) => TrialType::Feedback,
        Kind::Masking(_) => TrialType::Masking,
        Kind::Trigger(_) => TrialType::Trigger,
        Kind::Tap(_) => TrialType::Tap,
        Kind::Release(_) => TrialType::Release,
        Kind::ControlIn(_) | Kind::ControlOut(_) => TrialType::Control,
        Kind::Marker(_) | Kind::InputClosed(_) | Kind::InputReopened(_) | Kind::Xrun => {
            TrialType::Marker
        }
        Kind::Muted(_) => TrialType::Muted,
        Kind::Cancelled(_) => TrialType::Cancelled,
        Kind::End(_) => TrialType::End,
        Kind::ToneOff => return None,
    })
}

fn port(names: &Names, action: &Action) -> Option<String> {
    let list = match action.kind {
        Kind::Tap(i)
        | Kind::Release(i)
        | Kind::ControlIn(i)
        | Kind::InputClosed(i)
        | Kind::InputReopened(i) => {
            return names.inputs.get(usize::from(i)).cloned();
        }
        Kind::Marker(_) | Kind::Xrun | Kind::End(_) => return None,
        _ => &names.outputs,
    };
    action.message.and_then(|_| list.get(usize::from(action.port)).cloned())
}

fn detail(names: &Names, kind: Kind) -> Option<String> {
    let Kind::Trigger(i) = kind else { return None };
    let detail = &names.triggers.get(usize::from(i))?.detail;
    (!detail.is_empty()).then(|| detail.clone())
}

fn note(message: Message) -> Option<U7> {
    match message {
        Message::NoteOn { note, .. }
        | Message::NoteOff { note, .. }
        | Message::PolyPressure { note, .. } => Some(note),
        _ => None,
    }
}

fn velocity(message: Message) -> Option<U7> {
    match message {
        Message::NoteOn { velocity, .. } | Message::NoteOff { velocity, .. } => Some(velocity),
        _ => None,
    }
}

/// A difference that never wraps; journals may hold any times.
fn minus(a: Nanos, b: Nanos) -> Nanos {
    Nanos(a.0.saturating_sub(b.0))
}

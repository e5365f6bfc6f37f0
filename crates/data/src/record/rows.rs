//! [`rows`]: from the entries of a trial, in the order in which they were carried
//! out, to the rows of its events file, in the order of their onsets.
//!
//! Every entry makes one row but those that end a tone or a code, which end the row with their
//! id; a key release makes a row of its own and ends the row of its tap. An
//! entry that says again what was said before corrects it (see [`settled()`]).

use crate::record::fates::{Fates, judging};
use crate::record::{
    Entry, EventRows, Flag, Header, HeardAgain, Kept, Names, Row, RunnerMode, TapFate, TrialType,
    matching_rule, settled,
};
use chronotap_analysis::matching::MatchingRule;
use chronotap_config::trial_files::TrialFile;
use chronotap_core::midi::{Message, U7};
use chronotap_core::time::Nanos;
use chronotap_engine::action::{Action, ActionKind, Silence};
use std::borrow::Cow;
use std::collections::HashMap;
use std::io;

/// The rows of a trial, sorted by onset, then by event id.
pub fn rows(names: &Names, entries: &[Entry]) -> Vec<Row> {
    Rows::of(names, entries).iter().collect()
}

/// The rows of a trial, each tap with what became of it ([`Rows::of_header`]).
pub fn rows_of(header: &Header, entries: &[Entry]) -> Vec<Row> {
    Rows::of_header(header, entries).iter().collect()
}

/// The same with what is known of the sound that was kept.
pub(crate) fn rows_heard(header: &Header, entries: &[Entry], heard: &HeardAgain) -> Vec<Row> {
    let (mut all, made) = (Vec::new(), Rows::of_heard(header, entries, heard));
    let taken = heard.beside(made).each(&mut |row| {
        all.push(row.clone());
        Ok(())
    });
    debug_assert!(taken.is_ok(), "entries are in memory, and nothing refuses a row");
    all
}

/// The same where the trial file is at hand.
pub fn rows_of_trial(names: &Names, file: &TrialFile, entries: &[Entry]) -> Vec<Row> {
    Rows::of_trial(names, file, entries).iter().collect()
}

/// The rows of a trial, each made only when it is asked for: a row takes several times the memory of
/// its entry, and a long trial has millions.
#[derive(Debug)]
pub struct Rows<'a> {
    names: &'a Names,
    entries: Source<'a>,
    order: Vec<u32>,         // of the entries that make rows, by their rows
    ended_by: Vec<u32>,      // of each entry, the one that ends its tone or tap
    taps: HashMap<u64, u32>, // the entries of taps, by their events
    fates: Fates,
    imported: bool, // another program recorded it: nobody knows what was asked for
}

/// A copy of the entries in which every correction is in its place.
fn settled_of(entries: &Kept) -> Vec<Entry> {
    let all: Vec<Entry> = entries.iter().copied().collect();
    settled(&all).into_owned()
}

/// The place of an entry that is not there.
const NONE: u32 = u32::MAX;

/// Where the entries are; each correction is in its place.
#[derive(Debug)]
enum Source<'a> {
    Slice(Cow<'a, [Entry]>),
    Kept(&'a Kept),
}

impl Source<'_> {
    fn get(&self, at: usize) -> Option<&Entry> {
        match self {
            Source::Slice(entries) => entries.get(at),
            Source::Kept(entries) => entries.get(at),
        }
    }

    fn iter(&self) -> impl Iterator<Item = &Entry> + Clone {
        (0..).map_while(|at| self.get(at))
    }
}

impl<'a> Rows<'a> {
    /// The rows of these entries.
    pub fn of(names: &'a Names, entries: &'a [Entry]) -> Rows<'a> {
        Rows::of_source(names, Source::Slice(settled(entries)))
    }

    /// The same of the entries of a running trial, and of what its kept sound says of taps.
    pub fn of_kept(header: &'a Header, entries: &'a Kept, heard: &HeardAgain) -> Rows<'a> {
        let source = match entries.iter().any(Entry::is_correction) {
            true => Source::Slice(Cow::Owned(settled_of(entries))),
            false => Source::Kept(entries),
        };
        Rows::of_source(&header.names, source).told_by(header, heard)
    }

    fn of_source(names: &'a Names, entries: Source<'a>) -> Rows<'a> {
        let mut ends = Ends::default();
        (0..NONE).zip(entries.iter()).for_each(|(at, entry)| ends.add(at, entry));
        let ended_by = ends.done(); // what is still open takes as much room as the taps below
        let makes_a_row = |(_, entry): &(u32, &Entry)| trial_type(entry.action.kind).is_some();
        let numbered = (0..NONE).zip(entries.iter());
        let mut order: Vec<u32> = numbered.filter(makes_a_row).map(|(at, _)| at).collect();
        order.sort_by_key(|at| {
            entries.get(*at as usize).map(|entry| (onset(entry), entry.action.id))
        });
        let numbered = (0..NONE).zip(entries.iter());
        let is_tap = |(_, entry): &(u32, &Entry)| matches!(entry.action.kind, ActionKind::Tap(_));
        let taps = numbered.filter(is_tap).map(|(at, entry)| (entry.action.id, at)).collect();
        Rows { names, entries, order, ended_by, taps, fates: Fates::default(), imported: false }
    }

    /// The rows of these entries, each tap with what became of it. Where the header has no trial
    /// file that this version of the program can read, taps are without.
    pub fn of_header(header: &'a Header, entries: &'a [Entry]) -> Rows<'a> {
        Rows::of_heard(header, entries, &HeardAgain::default())
    }

    /// The same, where what became of taps goes by what the sound says of them that was kept.
    pub(crate) fn of_heard(
        header: &'a Header,
        entries: &'a [Entry],
        heard: &HeardAgain,
    ) -> Rows<'a> {
        Rows::of(&header.names, entries).told_by(header, heard)
    }

    /// The same where the trial file is at hand.
    pub fn of_trial(names: &'a Names, file: &TrialFile, entries: &'a [Entry]) -> Rows<'a> {
        Rows::of(names, entries).told_of(matching_rule(file), file, &HeardAgain::default())
    }

    /// With what became of each tap, by the trial file that the header keeps.
    fn told_by(mut self, header: &Header, heard: &HeardAgain) -> Rows<'a> {
        self.imported = header.mode == RunnerMode::Imported;
        let kept = &header.trial_file;
        match TrialFile::parse(&kept.text, &kept.name) {
            Ok(file) => self.told_of(header.matching, &file, heard),
            Err(_) => self,
        }
    }

    fn told_of(mut self, rule: MatchingRule, file: &TrialFile, heard: &HeardAgain) -> Rows<'a> {
        self.fates = Fates::of_trial(&judging(rule, file, heard), file, self.entries.iter());
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

    /// One after another, sorted.
    pub fn iter(&self) -> impl Iterator<Item = Row> {
        self.order.iter().filter_map(|at| self.make(*at as usize))
    }

    fn make(&self, at: usize) -> Option<Row> {
        let entry = self.entries.get(at)?;
        let end = self.ended_by.get(at).and_then(|end| self.entries.get(*end as usize));
        let tap =
            answered(entry).and_then(|cause| self.entries.get(*self.taps.get(&cause)? as usize));
        let fate = self.fates.of(entry.action.id);
        let beside = Beside { end: end.copied(), tap: tap.copied(), fate, sure: true };
        let row = row_of(self.names, entry, beside)?;
        Some(if self.imported { without_deadlines(row) } else { row })
    }
}

impl EventRows for Rows<'_> {
    fn rows(&self) -> usize {
        self.order.len()
    }

    fn are_framed(&self) -> bool {
        let frame = |at: &u32| self.entries.get(*at as usize)?.frame;
        self.order.iter().any(|at| frame(at).is_some())
    }

    fn each(&mut self, take: &mut dyn FnMut(&Row) -> io::Result<()>) -> io::Result<()> {
        self.iter().try_for_each(|row| take(&row))
    }
}

/// What happened is all that is known of it, not when it was to happen.
fn without_deadlines(row: Row) -> Row {
    Row { deadline: None, lateness: None, delay: None, ..row }
}

/// What a row says besides its own entry.
#[derive(Debug)]
pub(crate) struct Beside {
    /// The entry that ends its tone or tap.
    pub(crate) end: Option<Entry>,
    /// The tap that it answers ([`answered`]).
    pub(crate) tap: Option<Entry>,
    /// What became of it, where it is a tap.
    pub(crate) fate: Option<TapFate>,
    /// Whether no damage stands before it.
    pub(crate) sure: bool,
}

/// The row of an entry; none of an end of a tone.
pub(crate) fn row_of(names: &Names, entry: &Entry, beside: Beside) -> Option<Row> {
    let mut row = row(names, entry, trial_type(entry.action.kind)?);
    if let Some(end) = &beside.end {
        let is_release = matches!(end.action.kind, ActionKind::Release(_));
        row.release_deadline = (!is_release).then_some(end.action.deadline);
        row.release_achieved = if is_release { arrived(end) } else { end.achieved };
        let whole = row.achieved.zip(row.release_achieved);
        row.duration = whole.map(|(onset, end)| minus(end, onset));
    }
    flag_tone(&mut row);
    if beside.end.is_some_and(|end| end.action.kind == ActionKind::Overwritten) {
        row.flag = Some(Flag::Overwritten);
    }
    if let Some(tap) = &beside.tap {
        row.delay = row.deadline.zip(achieved(tap)).map(|(due, tap)| minus(due, tap));
        let keys = row.note.zip(tap.action.message.and_then(note));
        row.pitch_shift = keys.map(|(note, key)| note.get() as i8 - key.get() as i8);
    }
    row.fate = beside.fate;
    if !beside.sure {
        row.flag = Some(Flag::BehindGap);
    }
    Some(row)
}

/// The tap that a feedback tone answers: how late after it, and how much higher than its key the
/// tone is, stands in the row of the tone.
pub(crate) fn answered(entry: &Entry) -> Option<u64> {
    let kinds = [TrialType::Feedback, TrialType::Muted, TrialType::Cancelled];
    let answers = trial_type(entry.action.kind).is_some_and(|kind| kinds.contains(&kind));
    Some(entry.action.cause).filter(|cause| answers && *cause > 0)
}

/// Of each entry, the one that ends its tone or tap: the first that does.
#[derive(Debug, Default)]
struct Ends {
    ended_by: Vec<u32>,
    open: HashMap<u64, u32>,
}

impl Ends {
    /// Adds the entry at a place; the places ascend.
    fn add(&mut self, at: u32, entry: &Entry) {
        let ends = ended(entry).and_then(|id| self.open.remove(&id));
        self.ended_by.resize(at as usize + 1, NONE);
        ends.into_iter().for_each(|begun| self.ended_by[begun as usize] = at);
        if may_be_ended(entry.action.kind) {
            self.open.insert(entry.action.id, at);
        }
    }

    /// The places of the ends; [`NONE`] where there is none, and nothing behind the last entry.
    fn done(self) -> Vec<u32> {
        self.ended_by
    }
}

/// The event whose tone or tap this one ends, where it is open.
pub(crate) fn ended(entry: &Entry) -> Option<u64> {
    match entry.action.kind {
        ActionKind::Release(_) => Some(entry.action.cause),
        kind => kind.is_end_of_another().then_some(entry.action.id),
    }
}

/// What else there is has no length, and there may be millions of it.
pub(crate) fn may_be_ended(kind: ActionKind) -> bool {
    use ActionKind::{ControlIn, Release, SilentBeat, Sysex};
    let is_short = matches!(kind, Release(_) | ControlIn(_) | Sysex(_) | SilentBeat(..));
    !is_short && !kind.is_end_of_another()
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
        onset_source: None,
        refined: None,
        sound_peak_ppm: None,
        force: None,
    }
}

/// The flag of an entry by itself; what its end adds is [`flag_tone`]'s.
fn flag(entry: &Entry) -> Option<Flag> {
    match entry.action.kind {
        ActionKind::Tap(_) if entry.action.number == 0 => Some(Flag::Debounced),
        ActionKind::SilentBeat(_, Silence::Rest) => Some(Flag::Rest),
        ActionKind::SilentBeat(_, Silence::Inaudible) => Some(Flag::Inaudible),
        ActionKind::SilentBeat(_, Silence::Muted) | ActionKind::Muted(_) => Some(Flag::Muted),
        _ if entry.action.is_output() && entry.achieved.is_none() => Some(Flag::Lost),
        _ => None,
    }
}

/// Marks a tone whose end was lost or is missing. What has no message was heard elsewhere: it may have
/// had no length.
fn flag_tone(row: &mut Row) {
    let sounded = row.deadline.is_some() && row.achieved.is_some() && row.message.is_some();
    if !sounded || row.duration.is_some() || row.flag.is_some() {
        return;
    }
    let ended = row.release_deadline.is_some();
    row.flag = Some(if ended { Flag::ReleaseLost } else { Flag::Unfinished });
}

/// Whether it came in, so that its stamp is its time and nobody asked for it at one.
pub(crate) fn is_arrival(kind: ActionKind) -> bool {
    matches!(
        kind,
        ActionKind::Tap(_)
            | ActionKind::Release(_)
            | ActionKind::ControlIn(_)
            | ActionKind::Sysex(_)
    )
}

/// The stamp of an arrival.
fn arrived(entry: &Entry) -> Option<Nanos> {
    Some(entry.achieved.unwrap_or(entry.action.deadline))
}

fn achieved(entry: &Entry) -> Option<Nanos> {
    match entry.action.kind {
        ActionKind::Cancelled(_) | ActionKind::Muted(_) | ActionKind::SilentBeat(..) => None,
        kind if is_arrival(kind) => arrived(entry),
        _ => entry.achieved,
    }
}

/// When it happened, or was to happen where it never did.
pub(crate) fn onset(entry: &Entry) -> Nanos {
    achieved(entry).unwrap_or(entry.action.deadline)
}

fn without_length(action: &Action) -> bool {
    match action.kind {
        ActionKind::Rule(_) => action.message.is_none(),
        ActionKind::Pacing(_)
        | ActionKind::Feedback(_)
        | ActionKind::Masking(_)
        | ActionKind::Copy(_) => false,
        ActionKind::Tap(_)
        | ActionKind::Muted(_)
        | ActionKind::Cancelled(_)
        | ActionKind::Code(_) => false,
        _ => true,
    }
}

/// `None` for what ends a tone or a code, which makes no row.
pub(crate) fn trial_type(kind: ActionKind) -> Option<TrialType> {
    Some(match kind {
        ActionKind::Pacing(_) => TrialType::Pacing,
        ActionKind::SilentBeat(..) => TrialType::Silent,
        ActionKind::Feedback(_) => TrialType::Feedback,
        ActionKind::Masking(_) => TrialType::Masking,
        ActionKind::Copy(_) => TrialType::Copy,
        ActionKind::Rule(_) => TrialType::Trigger,
        ActionKind::Tap(_) => TrialType::Tap,
        ActionKind::Release(_) => TrialType::Release,
        ActionKind::ControlIn(_) | ActionKind::ControlOut(_) => TrialType::Control,
        ActionKind::Sysex(_) => TrialType::Sysex,
        ActionKind::Marker(_)
        | ActionKind::InputClosed(_)
        | ActionKind::InputReopened(_)
        | ActionKind::Xrun
        | ActionKind::Changed(_) => TrialType::Marker,
        ActionKind::Muted(_) => TrialType::Muted,
        ActionKind::Cancelled(_) => TrialType::Cancelled,
        ActionKind::Code(_) => TrialType::Code,
        ActionKind::End(_) => TrialType::End,
        ActionKind::ToneOff | ActionKind::CodeOff | ActionKind::Overwritten => return None,
    })
}

fn port(names: &Names, action: &Action) -> Option<String> {
    let list = match action.kind {
        ActionKind::Tap(i)
        | ActionKind::Release(i)
        | ActionKind::ControlIn(i)
        | ActionKind::Sysex(i)
        | ActionKind::InputClosed(i)
        | ActionKind::InputReopened(i) => {
            return names.inputs.get(usize::from(i)).cloned();
        }
        ActionKind::Marker(_) | ActionKind::Xrun | ActionKind::Changed(_) | ActionKind::End(_) => {
            return None;
        }
        _ => &names.outputs,
    };
    let is_sent = action.message.is_some() || action.code().is_some();
    list.get(usize::from(action.port)).filter(|_| is_sent).cloned()
}

fn detail(names: &Names, kind: ActionKind) -> Option<String> {
    let ActionKind::Rule(i) = kind else { return None };
    let detail = &names.triggers.get(usize::from(i))?.detail;
    (!detail.is_empty()).then(|| detail.clone())
}

fn note(message: Message) -> Option<U7> {
    match message {
        Message::NoteOn { note, .. }
        | Message::NoteOff { note, .. }
        | Message::NoteOnZero { note, .. }
        | Message::PolyPressure { note, .. } => Some(note),
        _ => None,
    }
}

fn velocity(message: Message) -> Option<U7> {
    match message {
        Message::NoteOn { velocity, .. } => Some(velocity),
        _ => message.release().map(|(_, _, velocity)| velocity),
    }
}

/// A difference that never wraps; journals may hold any times.
fn minus(a: Nanos, b: Nanos) -> Nanos {
    Nanos(a.0.saturating_sub(b.0))
}

//! What the rules of a session ask of a trial's events: which tap was matched to each beat,
//! for the criterion of practice, and what was answered, for staircases.

use chronotap_analysis::account::Account;
use chronotap_analysis::observed::{Beat, Observed, ObservedInput, ObservedStream};
use chronotap_config::trial_files::TrialFile;
use chronotap_core::midi::{Message, U7};
use chronotap_core::time::Nanos;
use chronotap_data::record::Entry;
use chronotap_design::AnswersFrom;
use chronotap_engine::action::ActionKind;
use chronotap_engine::trial::{Pacing, PatternStep, Start};

/// For each beat that sounded, the asynchrony of the tap that was matched to it. Of the first
/// stream that an input answers, and that input; nothing where none does.
pub fn asynchronies(file: &TrialFile, entries: &[Entry]) -> Vec<Option<Nanos>> {
    let Some(&(input, stream)) = file.answers.pairs.first() else { return Vec::new() };
    let pacing = &file.trial.pacing[usize::from(stream)];
    let beats = beats(entries, stream);
    let mut found = vec![None; beats.len()];
    let observed = Observed {
        length: entries.iter().map(|entry| entry.action.instant).max().unwrap_or(Nanos::ZERO),
        pacing: vec![ObservedStream {
            name: &pacing.name,
            pattern: pacing.pattern.iter().map(|step| *step != PatternStep::Rest).collect(),
            adaptive: pacing.adapt.is_some(),
            beats,
        }],
        taps: vec![ObservedInput::tapped("input", taps(entries, input))],
        ..Observed::default()
    };
    let account = Account::of(&observed);
    for pair in account.matching(0, 0).iter().flat_map(|matching| &matching.pairs) {
        found[pair.beat] = Some(pair.asynchrony);
    }
    found
}

/// What was tapped of an answer, on any input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TappedAnswer {
    /// Taps before an answer could be given.
    pub early: u32,
    /// The note of the first tap after that.
    pub first: Option<U7>,
    /// The note of the first one behind it that is another.
    pub then: Option<U7>,
}

/// The taps of a trial as an answer that is given from this moment on.
pub fn answer(file: &TrialFile, entries: &[Entry], from: &AnswersFrom) -> TappedAnswer {
    let opens = opening(file, entries, from);
    let mut taps: Vec<(Nanos, U7)> = entries.iter().filter_map(tap).collect();
    taps.sort_by_key(|(at, _)| *at);
    let is_early = |(at, _): &(Nanos, U7)| opens.is_none_or(|opens| *at < opens);
    let early = taps.iter().take_while(|tap| is_early(tap)).count();
    let first = taps.get(early).map(|(_, note)| *note);
    let then = taps.iter().skip(early).map(|(_, note)| *note).find(|note| Some(*note) != first);
    TappedAnswer { early: early as u32, first, then }
}

/// When a tap that counts came, and on which note.
fn tap(entry: &Entry) -> Option<(Nanos, U7)> {
    let is_tap = matches!(entry.action.kind, ActionKind::Tap(_)) && entry.action.number > 0;
    match entry.action.message? {
        Message::NoteOn { note, .. } if is_tap => Some((entry.action.deadline, note)),
        _ => None,
    }
}

/// From when on a tap was an answer; `None` where the trial ended before that.
fn opening(file: &TrialFile, entries: &[Entry], from: &AnswersFrom) -> Option<Nanos> {
    let last = |(place, stream): (usize, &Pacing)| last_tone(stream, place as u16, entries);
    let mut streams = file.trial.pacing.iter().enumerate();
    match from {
        AnswersFrom::Time(time) => Some(*time),
        AnswersFrom::After { stream, delay, .. } => {
            let stream = streams.find(|(_, known)| known.name == *stream)?;
            last(stream).map(|tone| tone + *delay)
        }
        AnswersFrom::LastTone => {
            let of_all: Option<Vec<Nanos>> =
                streams.filter(|stream| is_awaited(*stream, entries)).map(last).collect();
            of_all.map(|tones| tones.into_iter().max().unwrap_or(Nanos::ZERO))
        }
    }
}

/// Whether a stream ends, and begins by itself or has begun.
fn is_awaited((place, stream): (usize, &Pacing), entries: &[Entry]) -> bool {
    let by_itself = matches!(stream.start, Start::At(_) | Start::After { .. });
    let has_begun = || entries.iter().any(|entry| beat_of(entry, place as u16).is_some());
    stream.beats.is_some() && (by_itself || has_begun())
}

/// When the last tone of a stream came that has an end; `None` where its last beat did not come.
fn last_tone(stream: &Pacing, place: u16, entries: &[Entry]) -> Option<Nanos> {
    let of_stream = || entries.iter().filter(|entry| beat_of(entry, place).is_some());
    let is_over = of_stream().any(|entry| beat_of(entry, place) == stream.beats);
    let sounded = of_stream().filter(|entry| matches!(entry.action.kind, ActionKind::Pacing(_)));
    let tones = sounded.map(|entry| entry.achieved.unwrap_or(entry.action.deadline));
    tones.max().filter(|_| is_over)
}

/// The number of a beat of this stream, also of one that does not sound.
fn beat_of(entry: &Entry, place: u16) -> Option<u32> {
    match entry.action.kind {
        ActionKind::Pacing(of) | ActionKind::SilentBeat(of, _) if of == place => {
            Some(entry.action.number)
        }
        _ => None,
    }
    .filter(|number| *number > 0)
}

/// The beats of a stream that sounded; a chord is one beat.
fn beats(entries: &[Entry], stream: u16) -> Vec<Beat> {
    let mut beats: Vec<Beat> = Vec::new();
    for entry in entries
        .iter()
        .filter(|entry| entry.action.kind == ActionKind::Pacing(stream) && entry.action.number > 0)
    {
        let Some(at) = entry.achieved else { continue };
        let (id, number, deadline) = (entry.action.id, entry.action.number, entry.action.deadline);
        if beats.last().is_none_or(|last| (last.number, last.deadline) != (number, deadline)) {
            beats.push(Beat { id, number, deadline, at });
        }
    }
    beats
}

/// The onsets of the taps that count, in order of time.
fn taps(entries: &[Entry], input: u16) -> Vec<Nanos> {
    let tap =
        |entry: &&Entry| entry.action.kind == ActionKind::Tap(input) && entry.action.number > 0;
    let mut onsets: Vec<Nanos> =
        entries.iter().filter(tap).map(|entry| entry.action.deadline).collect();
    onsets.sort_unstable();
    onsets
}

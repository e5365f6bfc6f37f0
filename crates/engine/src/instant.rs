//! What happens at one instant, and in which order.
//!
//! 1. Silences and times that have been reached are noted; beats that are due are
//!    counted; inputs are accepted up to the first tap, and the beats that begin with
//!    it are counted too.
//! 2. Rules act, in file order.
//! 3. The counted beats ask for their tones and are followed by their next beat;
//!    the accepted tap gets its feedback. Further taps of the same instant follow
//!    one by one, each with its own turn of the rules.
//! 4. Adaptive streams decide; what that, or a rule, began at this very instant
//!    is counted in turn.
//! 5. Controllers that were delayed are sent, and everything due sounds: releases, then
//!    onsets in the order pacing, feedback, masking, each in file order.
//! 6. The codes that are due are sent.
//!
//! Before all this, outputs that wait for a slower one get what has waited long enough. That, the
//! code of the end, and the line's coming to rest are all that happens after the end.

use crate::action::{Action, EventId, OutsideChange, TrialEnding};
use crate::agenda::Agenda;
use crate::aligned::Aligned;
use crate::code_line::CodeLine;
use crate::event::Event;
use crate::feedback::Voice;
use crate::late_control::{LateControl, MOST_WAITING};
use crate::masking::Mask;
use crate::pacing::Stream;
use crate::rules::RuleStates;
use crate::tones::Tones;
use crate::trial::{CopiedTones, Delayed, Start, Trial};
use chronotap_core::midi::{Message, U7};
use chronotap_core::time::Nanos;
use std::collections::VecDeque;

const MOST_WAITING_INPUTS: usize = 1_024;
/// Of them parts of system exclusive messages: a flood of these leaves room for taps.
const MOST_WAITING_WITH_SYSEX: usize = 512;
pub const MOST_TONES: u32 = 8_192;

/// An input that waits to be taken.
#[derive(Clone, Debug)]
pub(crate) struct Waiting {
    /// When it will be taken.
    pub(crate) instant: Nanos,
    /// What came in; of a notice, its stamp.
    pub(crate) event: Event,
    /// What it tells besides, where it is no event of an input.
    pub(crate) notice: Option<Notice>,
}

/// What the engine is told that is no event of an input: recorded, nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Notice {
    /// An input that was closed is there again.
    Reopened,
    /// The audio server missed a period.
    Xrun,
    /// Something changed at the audio server or sequencer.
    Changed(OutsideChange),
}

/// Everything that changes in the course of a trial.
#[derive(Debug)]
pub struct State {
    pub(crate) streams: Vec<Stream>,
    pub(crate) voices: Vec<Voice>,
    pub(crate) masks: Vec<Mask>,
    pub(crate) inputs: Vec<InputState>,
    pub(crate) watch: RuleStates,
    pub(crate) agenda: Agenda,
    pub(crate) tones: Tones,
    pub(crate) copies: Vec<CopiedTones>,
    pub(crate) arrivals: VecDeque<Waiting>, // by instant, ascending
    pub(crate) late_controls: VecDeque<LateControl>, // by deadline, ascending
    pub(crate) line: CodeLine,
    pub(crate) aligned: Aligned,
    pub(crate) pedals: Vec<bool>, // sustain held, by output and channel
    pub(crate) starts: Vec<(u16, u32, u16, Delayed)>, // streams that wait for a tap: input, number, stream, delay
    pub(crate) closed: Nanos,                         // everything up to here has been done
    pub(crate) now: Nanos,
    pub(crate) judged: Nanos, // silences that end up to here have been judged
    pub(crate) tap_now: Option<(u16, U7)>,
    pub(crate) last_event: EventId,
    pub(crate) ending: Option<(TrialEnding, EventId, Nanos)>,
    pub(crate) ended: bool,
    pub(crate) lost: u64,
}

/// An input and its accepted taps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InputState {
    pub(crate) debounce: Nanos,
    pub(crate) taps: u32,
    pub(crate) last: Option<Nanos>,  // stamp of the last accepted tap
    pub(crate) sysex: Option<Sysex>, // none where they are not recorded
}

impl InputState {
    fn new(input: &crate::trial::Input) -> InputState {
        let sysex = input.records_sysex.then(Sysex::default);
        InputState { debounce: input.debounce, taps: 0, last: None, sysex }
    }
}

/// The system exclusive messages of an input.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sysex {
    pub(crate) messages: u32,
    pub(crate) first_part: EventId, // of the message under way; 0 for none
}

impl State {
    /// A trial before its start, with room for so many tones at a time.
    pub fn new(trial: &Trial, seed: u64, tones: u32) -> State {
        let mut state = State {
            streams: trial.pacing.iter().map(|p| Stream::new(p, seed, trial)).collect(),
            voices: trial.feedback.iter().map(|f| Voice::new(f, seed, trial)).collect(),
            masks: trial.masking.iter().map(|m| Mask::new(m, seed)).collect(),
            inputs: trial.inputs.iter().map(InputState::new).collect(),
            watch: RuleStates::new(trial),
            agenda: Agenda::new(2 * tones as usize),
            tones: Tones::new(tones * most_at_once(trial), trial.inputs.len(), trial.outputs.len())
                .with_music(trial.pacing.iter().map(|stream| stream.audio.is_some()).collect()),
            copies: trial.copies.clone(),
            arrivals: VecDeque::with_capacity(MOST_WAITING_INPUTS),
            late_controls: VecDeque::with_capacity(MOST_WAITING),
            line: CodeLine::new(trial),
            aligned: Aligned::new(trial),
            pedals: vec![false; trial.outputs.len() * 16],
            starts: Vec::new(),
            closed: Nanos::MIN,
            now: Nanos::MIN,
            judged: Nanos::MIN,
            tap_now: None,
            last_event: 0,
            ending: None,
            ended: false,
            lost: 0,
        };
        state.set_starts(trial);
        state
    }

    fn set_starts(&mut self, trial: &Trial) {
        for (i, pacing) in trial.pacing.iter().enumerate() {
            match pacing.start {
                Start::At(at) => self.streams[i].start(at.into(), Nanos::ZERO, trial),
                Start::Tap { input, number, delay } => {
                    self.starts.push((input, number, i as u16, delay));
                }
                Start::After { .. } | Start::Rule => {}
            }
        }
    }

    /// Takes in an event; it is treated at its stamp or the first open instant.
    pub(crate) fn queue(&mut self, event: Event, notice: Option<Notice>) {
        let of_an_input = !matches!(notice, Some(Notice::Xrun | Notice::Changed(_)));
        let known = !of_an_input || usize::from(event.input) < self.inputs.len();
        if known && of_an_input && self.passes_over(&event) {
            return;
        }
        if !known || self.ended || self.arrivals.len() >= most_waiting(&event) {
            self.lost += u64::from(known && !self.ended);
            return;
        }
        let instant = event.stamp.max(self.closed.saturating_add(Nanos(1)));
        let place =
            self.arrivals.iter().rposition(|other| other.instant <= instant).map_or(0, |i| i + 1);
        self.arrivals.insert(place, Waiting { instant, event, notice });
    }

    /// Whether it is a part of a system exclusive message that nobody asked for.
    fn passes_over(&self, event: &Event) -> bool {
        is_sysex(event) && self.inputs[usize::from(event.input)].sysex.is_none()
    }

    /// Does everything due by `now`.
    pub fn advance(&mut self, now: Nanos, trial: &Trial, sink: &mut impl FnMut(&Action)) {
        while !self.has_ended() {
            let instant = self.next_instant().max(self.now);
            if instant > now {
                break;
            }
            self.now = instant;
            self.send_waiting(sink);
            if !self.ended {
                self.do_instant(trial, sink);
            }
            self.send_codes(sink);
        }
        self.closed = self.closed.max(now);
    }

    /// Ends the trial from outside.
    pub fn stop(
        &mut self,
        at: Nanos,
        why: TrialEnding,
        trial: &Trial,
        sink: &mut impl FnMut(&Action),
    ) {
        let at = at.max(self.closed.saturating_add(Nanos(1)));
        self.advance(at - Nanos(1), trial, sink);
        if !self.ended {
            self.now = at;
            self.send_waiting(sink);
            self.finish(why, 0, at, sink);
            self.send_codes(sink);
        }
    }

    /// The earliest instant at which something is due; [`Nanos::MAX`] for none.
    pub fn next_instant(&self) -> Nanos {
        let mut due = self.line.due().min(self.aligned.due());
        if self.ended {
            return due;
        }
        due = due.min(self.agenda.next().unwrap_or(Nanos::MAX));
        due = self.streams.iter().fold(due, |due, stream| due.min(stream.due()));
        due = self.masks.iter().fold(due, |due, mask| due.min(mask.due()));
        due = self.late_controls.front().map_or(due, |next| due.min(next.due()));
        due = self.arrivals.front().map_or(due, |next| due.min(next.instant));
        (0..self.inputs.len())
            .fold(due, |due, input| due.min(self.silence_end(input)))
            .min(self.watch.next_time())
    }

    /// Whether the trial has ended, the line of its codes is at rest, and nothing waits.
    pub fn has_ended(&self) -> bool {
        self.ended && self.line.is_at_rest() && self.aligned.is_empty()
    }

    /// Whether the end has come; codes, and what waits for a slower output, may still be due.
    pub const fn is_over(&self) -> bool {
        self.ended
    }

    /// What found no room.
    pub const fn lost(&self) -> u64 {
        self.lost
    }

    fn do_instant(&mut self, trial: &Trial, sink: &mut impl FnMut(&Action)) {
        self.note_silences();
        self.watch.time(self.now);
        loop {
            let mut beats = self.count_beats();
            let tap = self.accept_next(trial, sink);
            beats |= self.count_beats(); // of streams that begin with the tap
            self.act(trial, tap, sink);
            if let Some((ending, cause, due)) = self.ending {
                return self.finish(ending, cause, due, sink);
            }
            self.begin_recordings(trial);
            if beats {
                self.sound_beats(trial, sink);
            }
            if let Some((tap, id)) = tap {
                self.answer(&tap, id, trial, sink);
            }
            if !self.input_is_due() {
                self.streams.iter_mut().for_each(|stream| stream.decide(self.now, trial));
            }
            if !self.input_is_due() && self.streams.iter().all(|s| s.due() > self.now) {
                break;
            }
        }
        self.draw_masks();
        self.send_late_controls(sink);
        self.sound(sink);
    }

    /// When the next silence that a rule waits for is reached.
    fn silence_end(&self, input: usize) -> Nanos {
        let since = self.inputs[input].last.unwrap_or(Nanos::ZERO);
        self.watch.next_silence(input, since, self.judged)
    }

    fn note_silences(&mut self) {
        if (0..self.inputs.len()).any(|input| self.silence_end(input) <= self.now) {
            self.watch.alert();
        }
        self.judged = self.now;
    }
}

fn is_sysex(event: &Event) -> bool {
    matches!(event.message, Some(Message::Sysex(_)))
}

/// How many tones one tone is at the most, with those at further outputs.
fn most_at_once(trial: &Trial) -> u32 {
    let outputs = |copied: &CopiedTones| trial.copies.iter().filter(|c| c.of == copied.of).count();
    1 + trial.copies.iter().map(outputs).max().unwrap_or(0) as u32
}

/// How many inputs may wait where this one is one more.
fn most_waiting(event: &Event) -> usize {
    if is_sysex(event) { MOST_WAITING_WITH_SYSEX } else { MOST_WAITING_INPUTS }
}

//! [`Wire`]: a MIDI cable in memory, with the timing of a real one.
//!
//! Each direction is a serial line: a message that is written at t starts at t or
//! when the line is free, whichever is later, and is complete 320 us a byte later.
//! At the far end is a loop-back plug, a performer, or nobody. An input that is an [`Ear`] hears the
//! performer's taps as sound instead, and one that is a [`Pad`] feels them. Time is an argument,
//! so that the same wire serves real and virtual time and gives the same arrivals.
//!
//! Real-time contract: one thread; no allocation once made, no lock, no system
//! call; what a call does is bounded by the messages under way.

use crate::ear::{Ear, VirtualEar};
use crate::pad::Pad;
use chronotap_core::midi::{BAUD, Message, SYSEX_PART_BYTES, U7, wire_time_at};
use chronotap_core::time::{Exact, Nanos};
use chronotap_engine::action::{Action, ActionKind, EventId};
use chronotap_engine::signal::{
    Arrival, Callbacks, CardSide, FeltForce, Heard, HeardSound, Music, Performer, Port, PortCounts,
    PortError, Readiness, Stage, Stamp, Written,
};
use std::collections::VecDeque;

/// Who is at the other end of the wire.
pub enum FarEnd {
    /// A plug that sends everything back; it arrives at this input of the trial.
    Loop {
        /// Index of the trial's input.
        input: u16,
    },
    /// Someone who listens and plays.
    Performer(Box<dyn Performer>),
    /// Nobody.
    Silence,
}

/// A virtual MIDI cable.
pub struct Wire {
    out: Line,
    back: Line,
    far_end: FarEnd,
    under_way: VecDeque<Arrival>, // ascending in `at`; never grows past ARRIVALS
    taps: Taps,
    ears: Vec<Ear>, // of inputs that hear what the performer taps
    pads: Vec<Pad>, // of those that feel it
    counts: PortCounts,
}

/// Messages on their way to the input.
const ARRIVALS: usize = 4_096;
/// Taps whose feedback may still be heard.
const TAPS: usize = 4_096;
/// Bytes that wait for the line, as in a driver's buffer.
const BUFFER_BYTES: usize = 4_096;

/// The last taps of the trial, each with its input; ascending, never more than `TAPS`.
struct Taps(VecDeque<(EventId, u16)>);

/// One direction of the wire.
struct Line {
    byte_times: [Exact; SYSEX_PART_BYTES + 1], // of so many bytes
    buffer: Nanos,
    free: Exact, // when the last byte is through
}

impl Wire {
    /// A wire of `baud` bits a second, 31,250 where `None`; 0 is without limit:
    /// every message is through at the instant it is written.
    pub fn new(baud: Option<u32>, far_end: FarEnd) -> Wire {
        let baud = baud.unwrap_or(BAUD);
        Wire {
            out: Line::new(baud),
            back: Line::new(baud),
            far_end,
            under_way: VecDeque::with_capacity(ARRIVALS),
            taps: Taps(VecDeque::with_capacity(TAPS)),
            ears: Vec::new(),
            pads: Vec::new(),
            counts: PortCounts::default(),
        }
    }

    /// The same, where what the performer plays for these inputs does not come back as messages, but
    /// is heard on a virtual sound card.
    #[must_use]
    pub fn heard_by(mut self, ears: &[(u16, VirtualEar)]) -> Wire {
        self.ears = ears.iter().map(|(input, about)| Ear::new(*input, about)).collect();
        self
    }

    /// The same, where what the performer plays for these inputs presses on virtual sensors of force.
    #[must_use]
    pub fn felt_by(mut self, inputs: &[u16]) -> Wire {
        self.pads = inputs.iter().map(|input| Pad::new(*input)).collect();
        self
    }

    /// Puts on the wire what the performer sends before `until`, or at `until` where
    /// `inclusive`. It hears nothing before then, so that it cannot change its mind.
    fn perform(&mut self, until: Nanos, inclusive: bool) {
        let FarEnd::Performer(performer) = &mut self.far_end else { return };
        for _ in 0..ARRIVALS {
            let due = performer.next().is_some_and(|at| at < until || (inclusive && at == until));
            let Some(sent) = due.then(|| performer.send()).flatten() else { return };
            if let Some(ear) = self.ears.iter_mut().find(|ear| ear.input == sent.input) {
                let struck = ear.strike(sent.at, sent.message);
                self.counts.lost += u64::from(!struck);
                continue;
            }
            if let Some(pad) = self.pads.iter_mut().find(|pad| pad.input == sent.input) {
                let (under_way, counts) = (&mut self.under_way, &mut self.counts);
                pad.touch(sent.at, sent.message, &mut |told| {
                    let is_full = under_way.len() == ARRIVALS;
                    counts.lost += u64::from(is_full);
                    under_way.extend(Some(told).filter(|_| !is_full));
                });
                continue;
            }
            let at = self.back.carry(sent.at, sent.message);
            push(&mut self.under_way, &mut self.counts, sent.input, at, sent.message);
        }
    }

    /// When the next message of the performer would be through, as things stand.
    fn next_performed(&self) -> Option<Nanos> {
        let FarEnd::Performer(performer) = &self.far_end else { return None };
        // Performers play notes, of three bytes; a shorter message is handed over
        // 320 us late, with its right stamp.
        performer.next().map(|at| self.back.through(at, 3).round())
    }
}

impl Port for Wire {
    fn readiness(&self) -> Readiness<'_> {
        let arriving = self.under_way.front().map(|arrival| arrival.at);
        let heard = self.ears.iter().map(Ear::next).chain(self.pads.iter().filter_map(Pad::next));
        match arriving.into_iter().chain(self.next_performed()).chain(heard).min() {
            Some(at) => Readiness::At(at),
            None => Readiness::Never,
        }
    }

    fn read(&mut self, now: Nanos, arrived: &mut dyn FnMut(Arrival)) -> Result<(), PortError> {
        self.perform(now, true);
        self.pads.iter_mut().for_each(|pad| pad.feel(now));
        while let Some(arrival) = self.under_way.front().copied().filter(|a| a.at <= now) {
            self.under_way.pop_front();
            self.counts.received += 1;
            arrived(arrival);
        }
        let heard = self.ears.iter_mut().map(|ear| ear.hear(now, arrived));
        self.counts.received += heard.sum::<u64>();
        Ok(())
    }

    fn write(&mut self, action: &Action, now: Nanos) -> Result<Written, PortError> {
        let Some(message) = action.message else { return Ok(Written::Now) };
        let looped = matches!(self.far_end, FarEnd::Loop { .. });
        if self.out.is_full(now) || (looped && self.under_way.len() == ARRIVALS) {
            self.counts.lost += 1;
            return Err(PortError::Full);
        }
        let at = self.out.carry(now, message);
        self.counts.sent += 1;
        for ear in &mut self.ears {
            self.counts.lost += u64::from(!ear.play(at, message));
        }
        self.perform(at, false); // the performer sent this before it heard the message
        match &mut self.far_end {
            FarEnd::Loop { input } => {
                push(&mut self.under_way, &mut self.counts, *input, at, message)
            }
            FarEnd::Performer(performer) => {
                let Action { kind, number, port: output, .. } = *action;
                let input = self.taps.behind(action);
                performer.hear(Heard { at, kind, number, input, output, message: Some(message) });
            }
            FarEnd::Silence => {}
        }
        Ok(Written::Now)
    }

    fn counts(&self) -> PortCounts {
        self.counts
    }

    fn music(&mut self) -> Option<&mut dyn Music> {
        Some(self)
    }

    /// Where nobody taps there is nothing to keep.
    fn take_force(&mut self, input: u16) -> Option<Box<dyn FeltForce>> {
        if !matches!(self.far_end, FarEnd::Performer(_)) {
            return None;
        }
        self.pads.iter_mut().find(|pad| pad.input == input)?.take_force()
    }

    fn card(&mut self) -> Option<&mut dyn CardSide> {
        (!self.ears.is_empty()).then_some(self)
    }
}

impl CardSide for Wire {
    fn take_calls(&mut self) -> Option<Box<dyn Callbacks>> {
        None // a virtual card asks for no sound
    }

    fn take_stage(&mut self) -> Option<Box<dyn Stage>> {
        None
    }

    /// Where nobody taps there is nothing to keep.
    fn take_sound(&mut self, input: u16) -> Option<Box<dyn HeardSound>> {
        if !matches!(self.far_end, FarEnd::Performer(_)) {
            return None;
        }
        self.ears.iter_mut().find(|ear| ear.input == input)?.take_sound()
    }

    fn take_loop(&mut self, input: u16) -> Option<Box<dyn HeardSound>> {
        self.ears.iter_mut().find(|ear| ear.input == input)?.take_loop()
    }
}

impl Music for Wire {
    fn pass(&mut self, beat: &Action) {
        let Action { kind, number, deadline, port: output, .. } = *beat;
        let at = deadline.max(self.out.free.round());
        self.perform(at, false); // the performer sent this before it felt the beat
        if let FarEnd::Performer(performer) = &mut self.far_end {
            performer.hear(Heard { at, kind, number, input: None, output, message: None });
        }
    }

    fn tapped(&mut self, tap: &Action) {
        self.taps.remember(tap);
    }
}

impl Taps {
    fn remember(&mut self, tap: &Action) {
        let ActionKind::Tap(input) = tap.kind else { return };
        if self.0.len() == TAPS {
            self.0.pop_front();
        }
        self.0.push_back((tap.id, input));
    }

    /// The input whose tap a feedback tone answers.
    fn behind(&self, tone: &Action) -> Option<u16> {
        let ActionKind::Feedback(_) = tone.kind else { return None };
        let place = self.0.binary_search_by_key(&tone.cause, |(id, _)| *id).ok()?;
        self.0.get(place).map(|(_, input)| *input)
    }
}

impl Line {
    fn new(baud: u32) -> Line {
        Line {
            byte_times: std::array::from_fn(|bytes| wire_time_at(bytes, baud)),
            buffer: wire_time_at(BUFFER_BYTES, baud).round(),
            free: Exact::whole(Nanos::MIN),
        }
    }

    /// When `bytes` written at `at` would be through.
    fn through(&self, at: Nanos, bytes: usize) -> Exact {
        // A free time whose whole part is not before `at` is not before it either.
        let start = if self.free.floor() >= at { self.free } else { Exact::whole(at) };
        start + self.byte_times[bytes.min(SYSEX_PART_BYTES)]
    }

    /// Puts a message on the line; gives when it is complete at the other end.
    fn carry(&mut self, at: Nanos, message: Message) -> Nanos {
        self.free = self.through(at, message.bytes().1);
        self.free.round()
    }

    fn is_full(&self, now: Nanos) -> bool {
        self.buffer > Nanos::ZERO && self.free.floor().saturating_add(-self.buffer) > now
    }
}

/// Puts a message on its way, as a receiver will understand its bytes: a note-on
/// with velocity 0 arrives as a release.
fn push(
    under_way: &mut VecDeque<Arrival>,
    counts: &mut PortCounts,
    input: u16,
    at: Nanos,
    message: Message,
) {
    if under_way.len() == ARRIVALS {
        counts.lost += 1;
        return;
    }
    let ([status, a, b], _) = message.encode();
    let message = Message::decode(status, [a, b].map(U7::from_byte)).unwrap_or(message);
    under_way.push_back(Arrival { input, at, stamp: Stamp::Virtual, message });
}

#[cfg(test)]
mod tests {
    use super::*;
    use chronotap_core::midi::Channel;
    use chronotap_engine::perturbation::Perturbation;
    use chronotap_engine::signal::Sent;

    const MS: i64 = 1_000_000;

    fn note(number: u8) -> Message {
        Message::NoteOn { channel: Channel::ONE, note: U7::from_byte(number), velocity: U7::MAX }
    }

    fn sounding(number: u8) -> Action {
        Action {
            id: 1,
            kind: ActionKind::Pacing(0),
            number: 1,
            cause: 0,
            deadline: Nanos::ZERO,
            instant: Nanos::ZERO,
            port: 0,
            message: Some(note(number)),
            perturbation: Perturbation::NONE,
        }
    }

    fn arrivals(wire: &mut Wire, now: Nanos) -> Vec<(Nanos, Message)> {
        let mut all = Vec::new();
        wire.read(now, &mut |arrival| all.push((arrival.at, arrival.message))).unwrap();
        all
    }

    #[test]
    fn a_looped_note_is_through_after_960_microseconds_and_the_next_waits_for_it() {
        let mut wire = Wire::new(None, FarEnd::Loop { input: 0 });
        assert!(matches!(wire.readiness(), Readiness::Never));
        wire.write(&sounding(60), Nanos(MS)).unwrap();
        wire.write(&sounding(61), Nanos(MS)).unwrap();
        let first = Nanos(1_960_000);
        assert!(matches!(wire.readiness(), Readiness::At(at) if at == first));
        assert_eq!(arrivals(&mut wire, Nanos(1_959_999)), []);
        assert_eq!(arrivals(&mut wire, first), [(first, note(60))]);
        assert_eq!(arrivals(&mut wire, Nanos(9 * MS)), [(Nanos(2_920_000), note(61))]);
        assert_eq!((wire.counts().sent, wire.counts().received), (2, 2));
    }

    #[test]
    fn without_limit_a_message_is_through_at_once() {
        let mut wire = Wire::new(Some(0), FarEnd::Loop { input: 3 });
        wire.write(&sounding(60), Nanos(7)).unwrap();
        assert_eq!(arrivals(&mut wire, Nanos(7)), [(Nanos(7), note(60))]);
    }

    #[test]
    fn a_full_line_loses_the_message_and_counts_it() {
        let mut wire = Wire::new(None, FarEnd::Silence);
        let results: Vec<_> = (0..1_400).map(|_| wire.write(&sounding(60), Nanos::ZERO)).collect();
        assert!(results[..1_365].iter().all(Result::is_ok));
        assert_eq!(results.last(), Some(&Err(PortError::Full)));
        assert!(wire.counts().lost > 0);
        assert!(wire.write(&sounding(60), Nanos::from_secs(2)).is_ok());
    }

    /// Sends a note 2 ms after each one that it hears, and one at 0.5 ms.
    struct Echo {
        due: VecDeque<Nanos>,
    }

    impl Performer for Echo {
        fn hear(&mut self, heard: Heard) {
            self.due.push_back(heard.at + Nanos(2 * MS));
        }
        fn next(&self) -> Option<Nanos> {
            self.due.front().copied()
        }
        fn send(&mut self) -> Option<Sent> {
            self.due.pop_front().map(|at| Sent { input: 0, at, message: note(50) })
        }
    }

    #[test]
    fn the_taps_behind_tones_are_known_by_their_ids_and_those_long_past_are_not() {
        let action = |id, kind, cause| Action { id, kind, cause, ..sounding(60) };
        let mut taps = Taps(VecDeque::with_capacity(TAPS));
        let all = 1..=TAPS as u64 + 1;
        all.clone().for_each(|n| taps.remember(&action(2 * n, ActionKind::Tap(n as u16 % 2), 0)));
        let behind = |n: u64| taps.behind(&action(9, ActionKind::Feedback(0), 2 * n));
        assert!(all.skip(1).all(|n| behind(n) == Some(n as u16 % 2)));
        assert_eq!(behind(1), None);
        assert_eq!(taps.behind(&action(9, ActionKind::Pacing(0), 4)), None);
        assert_eq!(taps.0.capacity(), TAPS, "no memory is taken");
    }

    #[test]
    fn a_performer_hears_and_answers_in_strict_order_of_time() {
        let echo = Echo { due: VecDeque::from([Nanos(MS / 2)]) };
        let mut wire = Wire::new(None, FarEnd::Performer(Box::new(echo)));
        wire.write(&sounding(60), Nanos::ZERO).unwrap(); // heard at 0.96 ms
        let Readiness::At(at) = wire.readiness() else { panic!("something is under way") };
        assert_eq!(at, Nanos(1_460_000)); // 0.5 ms + 0.96 ms
        let all: Vec<Nanos> = arrivals(&mut wire, Nanos(10 * MS)).iter().map(|a| a.0).collect();
        assert_eq!(all, [Nanos(1_460_000), Nanos(3_920_000)]); // 0.96 + 2 + 0.96
    }

    #[test]
    fn reading_often_or_seldom_gives_the_same_arrivals() {
        let run = |step: i64| {
            let echo = Echo { due: VecDeque::new() };
            let mut wire = Wire::new(None, FarEnd::Performer(Box::new(echo)));
            let mut all = Vec::new();
            for beat in 0..20 {
                wire.write(&sounding(60), Nanos(beat * 7 * MS)).unwrap();
                let mut now = beat * 7 * MS;
                while now < (beat + 1) * 7 * MS {
                    now += step;
                    all.extend(arrivals(&mut wire, Nanos(now.min((beat + 1) * 7 * MS))));
                }
            }
            all
        };
        assert_eq!(run(7 * MS), run(MS / 10));
        assert_eq!(run(7 * MS).len(), 20);
    }
}

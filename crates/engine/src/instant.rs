//! What happens at one instant, and in which order.
//!
//! 1. Silences and times that have been reached are noted; beats that are due are
//!    counted; the first input is accepted.
//! 2. Triggers act, in file order.
//! 3. The counted beats ask for their tones and are followed by their next beat;
//!    the accepted tap gets its feedback. Further inputs of the same instant follow
//!    one by one, each with its own turn of the triggers.
//! 4. Adaptive streams decide; what that, or a trigger, began at this very instant
//!    is counted in turn.
//! 5. Everything due sounds: releases, then onsets in the order pacing, feedback,
//!    masking, each in file order.

use crate::action::{Action, Ending, EventId, Kind};
use crate::agenda::{Agenda, Due, Turn};
use crate::engine::Event;
use crate::feedback::{Answer, Tap, Voice};
use crate::masking::Mask;
use crate::pacing::{Stream, velocity_at};
use crate::settings::set_pacing;
use crate::tones::{Tone, ToneId, Tones};
use crate::trial::{Do, Duration, Start, Trial};
use crate::triggers::{Facts, Watch};
use chronotap_midi::{Channel, Message, U7};
use chronotap_time::{Exact, Nanos};
use std::collections::VecDeque;

const MOST_WAITING_INPUTS: usize = 1_024;
const MOST_TONES: u32 = 8_192;
const SUSTAIN: U7 = U7::from_byte(64); // MIDI controller 64

/// Everything that changes in the course of a trial.
#[derive(Clone, Debug)]
pub struct State {
    pub(crate) streams: Vec<Stream>,
    pub(crate) voices: Vec<Voice>,
    pub(crate) masks: Vec<Mask>,
    inputs: Vec<InputState>,
    watch: Watch,
    agenda: Agenda,
    tones: Tones,
    arrivals: VecDeque<(Nanos, Event)>, // with the instant of each, ascending
    pedals: Vec<bool>,                  // sustain held, by output and channel
    starts: Vec<(u16, u32, u16, Nanos)>, // streams that wait for a tap: input, number, stream, delay
    closed: Nanos,                       // everything up to here has been done
    now: Nanos,
    judged: Nanos, // silences that end up to here have been judged
    tap_now: Option<(u16, U7)>,
    last_event: EventId,
    ending: Option<(Ending, EventId, Nanos)>,
    ended: bool,
    lost: u64,
}

#[derive(Clone, Copy, Debug)]
struct InputState {
    debounce: Nanos,
    taps: u32,
    last: Option<Nanos>,
}

impl State {
    /// A trial before its start.
    pub fn new(trial: &Trial, seed: u64) -> State {
        let input =
            |i: &crate::trial::Input| InputState { debounce: i.debounce, taps: 0, last: None };
        let mut state = State {
            streams: trial.pacing.iter().map(|p| Stream::new(p, seed)).collect(),
            voices: trial.feedback.iter().map(|f| Voice::new(f, seed)).collect(),
            masks: trial.masking.iter().map(|m| Mask::new(m, seed)).collect(),
            inputs: trial.inputs.iter().map(input).collect(),
            watch: Watch::new(trial),
            agenda: Agenda::new(2 * MOST_TONES as usize),
            tones: Tones::new(MOST_TONES, trial.inputs.len(), trial.outputs.len()),
            arrivals: VecDeque::with_capacity(MOST_WAITING_INPUTS),
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
                Start::At(at) => self.streams[i].start(at.into(), trial),
                Start::Tap { input, number, delay } => {
                    self.starts.push((input, number, i as u16, delay));
                }
                Start::After { .. } | Start::Trigger => {}
            }
        }
    }

    /// Takes in an event; it is treated at its stamp or the first open instant.
    pub fn queue(&mut self, event: Event) {
        let known = usize::from(event.input) < self.inputs.len();
        if !known || self.ended || self.arrivals.len() == MOST_WAITING_INPUTS {
            self.lost += u64::from(known && !self.ended);
            return;
        }
        let instant = event.stamp.max(self.closed.saturating_add(Nanos(1)));
        let place = self.arrivals.iter().rposition(|(at, _)| *at <= instant).map_or(0, |i| i + 1);
        self.arrivals.insert(place, (instant, event));
    }

    /// Does everything due by `now`.
    pub fn advance(&mut self, now: Nanos, trial: &Trial, sink: &mut impl FnMut(&Action)) {
        while !self.ended {
            let instant = self.next_instant().max(self.now);
            if instant > now {
                break;
            }
            self.now = instant;
            self.do_instant(trial, sink);
        }
        self.closed = self.closed.max(now);
    }

    /// Ends the trial from outside.
    pub fn stop(&mut self, at: Nanos, why: Ending, trial: &Trial, sink: &mut impl FnMut(&Action)) {
        let at = at.max(self.closed.saturating_add(Nanos(1)));
        self.advance(at - Nanos(1), trial, sink);
        if !self.ended {
            self.now = at;
            self.finish(why, 0, at, sink);
        }
    }

    /// The earliest instant at which something is due; [`Nanos::MAX`] for none.
    pub fn next_instant(&self) -> Nanos {
        let mut due = self.agenda.next().unwrap_or(Nanos::MAX);
        due = self.streams.iter().fold(due, |due, stream| due.min(stream.due()));
        due = self.masks.iter().fold(due, |due, mask| due.min(mask.due()));
        due = self.arrivals.front().map_or(due, |(at, _)| due.min(*at));
        (0..self.inputs.len())
            .fold(due, |due, input| due.min(self.silence_end(input)))
            .min(self.watch.next_time())
    }

    /// Whether the trial has ended.
    pub const fn has_ended(&self) -> bool {
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
            let beats = self.count_beats();
            let tap = self.accept_next(trial, sink);
            self.act(trial, tap.map_or((self.now, 0), |(tap, id)| (tap.stamp, id)), sink);
            if let Some((ending, cause, due)) = self.ending {
                return self.finish(ending, cause, due, sink);
            }
            if beats {
                self.sound_beats(trial);
            }
            if let Some((tap, id)) = tap {
                self.answer(&tap, id, trial);
            }
            if !self.input_is_due() {
                self.streams.iter_mut().for_each(|stream| stream.decide(self.now));
            }
            if !self.input_is_due() && self.streams.iter().all(|s| s.due() > self.now) {
                break;
            }
        }
        self.draw_masks();
        self.sound(sink);
    }

    /// When the next silence that a trigger waits for is reached.
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

    fn input_is_due(&self) -> bool {
        self.arrivals.front().is_some_and(|(at, _)| *at <= self.now)
    }

    /// Counts the beats that are due.
    fn count_beats(&mut self) -> bool {
        let mut any = false;
        for (i, stream) in self.streams.iter_mut().enumerate() {
            if stream.arrive(self.now) {
                self.watch.beat(i, stream.beat());
                any = true;
            }
        }
        any
    }

    /// Takes the next input that is due and records it; gives back an accepted tap.
    fn accept_next(
        &mut self,
        trial: &Trial,
        sink: &mut impl FnMut(&Action),
    ) -> Option<(Tap, EventId)> {
        self.tap_now = None;
        if !self.input_is_due() {
            return None;
        }
        let (_, event) = self.arrivals.pop_front()?;
        match event.message {
            Some(Message::NoteOn { channel, note, velocity }) => {
                let tap = Tap { input: event.input, channel, note, velocity, stamp: event.stamp };
                self.accept_tap(&tap, trial, sink).map(|id| (tap, id))
            }
            Some(Message::NoteOff { channel, note, .. }) => {
                self.accept_release(&event, channel, note, sink);
                None
            }
            Some(message) => {
                self.pass_control(&event, message, sink);
                None
            }
            None => {
                self.emit(
                    (Kind::InputClosed(event.input), 0, 0),
                    event.stamp,
                    event.input,
                    None,
                    sink,
                );
                if trial.inputs[usize::from(event.input)].ends_when_closed {
                    self.ending = Some((Ending::InputClosed, 0, event.stamp));
                }
                None
            }
        }
    }

    /// Counts and records a tap; `None` where it was debounced.
    fn accept_tap(
        &mut self,
        tap: &Tap,
        trial: &Trial,
        sink: &mut impl FnMut(&Action),
    ) -> Option<EventId> {
        let state = &mut self.inputs[usize::from(tap.input)];
        let bounced = state.last.is_some_and(|last| tap.stamp - last < state.debounce);
        if !bounced {
            state.taps += 1;
            state.last = Some(tap.stamp);
        }
        let number = if bounced { 0 } else { state.taps };
        let Tap { input, channel, note, velocity, stamp } = *tap;
        let message = Message::NoteOn { channel, note, velocity };
        let id = self.emit((Kind::Tap(input), number, 0), stamp, input, Some(message), sink);
        self.tones.press(input, channel, note, id);
        if bounced {
            return None;
        }
        self.tap_now = Some((input, note));
        if stamp < self.judged {
            self.watch.alert(); // a silence since a late tap may be over already
        }
        self.watch.tap(usize::from(input), number, note);
        self.streams.iter_mut().for_each(|stream| stream.tap(input, stamp));
        for &(waits_for, tap, stream, delay) in &self.starts {
            if (waits_for, tap) == (input, number) {
                self.streams[usize::from(stream)].start((stamp + delay).into(), trial);
            }
        }
        Some(id)
    }

    /// Records a key release and lets its tones go, each after its own delay.
    fn accept_release(
        &mut self,
        event: &Event,
        channel: Channel,
        note: U7,
        sink: &mut impl FnMut(&Action),
    ) {
        let tap = self.tones.release(event.input, channel, note);
        let (kind, message) = (Kind::Release(event.input), event.message);
        self.emit((kind, 0, tap), event.stamp, event.input, message, sink);
        while let Some(id) = self.tones.next_let_go(event.input, channel, note) {
            let delay = self.tones.get(id).map_or(Nanos::ZERO, |tone| tone.delay);
            self.release_at(event.stamp + delay, id);
        }
    }

    /// Records a controller or the like and sends it on, once to each output and
    /// channel that hears this input.
    fn pass_control(&mut self, event: &Event, message: Message, sink: &mut impl FnMut(&Action)) {
        let Some(from) = message.channel() else { return };
        let (input, stamp) = (event.input, event.stamp);
        let cause = self.emit((Kind::ControlIn(input), 0, 0), stamp, input, Some(message), sink);
        for i in 0..self.voices.len() {
            let target = |voice: &Voice| {
                let passes = voice.passes_port(input, from);
                let channel = voice.feedback.channel.unwrap_or(from);
                passes.then_some((voice.feedback.output, channel))
            };
            let Some((output, to)) = target(&self.voices[i]) else { continue };
            if self.voices[..i].iter().any(|voice| target(voice) == Some((output, to))) {
                continue;
            }
            if let Message::Control { controller: SUSTAIN, value, .. } = message {
                self.pedals[usize::from(output) * 16 + to.index()] = value.get() >= 64;
            }
            let (kind, message) = (Kind::ControlOut(i as u16), Some(message.on_channel(to)));
            self.emit((kind, 0, cause), stamp, output, message, sink);
        }
    }

    /// Lets the triggers act whose conditions have come to hold. `due` is when that
    /// was, `tap` the tap behind it.
    fn act(&mut self, trial: &Trial, (due, tap): (Nanos, EventId), sink: &mut impl FnMut(&Action)) {
        if !self.watch.take_alert() {
            return;
        }
        let mut from = 0;
        while let Some(i) = self.next_to_act(from, trial) {
            self.pull(i, trial, due, tap, sink);
            from = i + 1;
        }
    }

    fn next_to_act(&mut self, from: usize, trial: &Trial) -> Option<usize> {
        let facts = Present {
            now: self.now,
            streams: &self.streams,
            inputs: &self.inputs,
            tap: self.tap_now,
        };
        self.watch.next_to_act(from, &trial.triggers, &facts)
    }

    /// One trigger acts.
    fn pull(
        &mut self,
        index: usize,
        trial: &Trial,
        due: Nanos,
        tap: EventId,
        sink: &mut impl FnMut(&Action),
    ) {
        let (kind, number) = (Kind::Trigger(index as u16), index as u32 + 1);
        let actions = &trial.triggers[index].then;
        let ends = actions.contains(&Do::End);
        let plays = actions.iter().any(|action| matches!(action, Do::Play(..))) && !ends;
        // The first tone that a trigger plays is also its row.
        let id = if plays {
            self.new_event()
        } else {
            self.emit((kind, number, tap), due, 0, None, sink)
        };
        let mut promised = id;
        for action in actions {
            match *action {
                Do::Play(output, tone) if !ends => {
                    let cause = if promised == 0 { id } else { tap };
                    let what = (kind, number, cause);
                    self.play(what, std::mem::take(&mut promised), due, (output, tone));
                }
                Do::Mark(text) => {
                    self.emit((Kind::Marker(text), number, id), due, 0, None, sink);
                }
                Do::End => self.ending = self.ending.or(Some((Ending::Trigger, id, due))),
                other => self.set(other, due, trial),
            }
        }
    }

    fn set(&mut self, action: Do, due: Nanos, trial: &Trial) {
        match action {
            Do::Pacing(i, value) => set_pacing(&mut self.streams[usize::from(i)], value),
            Do::Feedback(i, value) => self.voices[usize::from(i)].set(value),
            Do::Masking(i, value) => self.masks[usize::from(i)].set(value),
            Do::Debounce(i, least) => self.inputs[usize::from(i)].debounce = least,
            Do::Ramp(ramp) => self.ramp(ramp, due),
            Do::StartStream(i) => self.streams[usize::from(i)].start(due.into(), trial),
            Do::StopStream(i) => self.streams[usize::from(i)].stop(),
            Do::Play(..) | Do::Mark(_) | Do::End => {}
        }
    }

    fn play(
        &mut self,
        (kind, number, cause): (Kind, u32, EventId),
        id: EventId,
        onset: Nanos,
        (output, tone): (u16, crate::trial::Tone),
    ) {
        let tone = Tone {
            id,
            kind,
            number,
            cause,
            output,
            channel: tone.channel,
            note: tone.note,
            velocity: velocity_at(tone.velocity, onset),
            onset,
            length: Some(tone.duration),
            delay: Nanos::ZERO,
        };
        self.ask(tone, Turn::Trigger, number as u16);
    }

    /// The beats just counted ask for their tones, and the next ones are placed.
    fn sound_beats(&mut self, trial: &Trial) {
        for i in 0..self.streams.len() {
            let stream = &self.streams[i];
            let (onset, number) = (stream.deadline(), stream.beat());
            if !stream.is_at_beat() {
                continue;
            }
            let (output, length) = (stream.pacing.output, Some(stream.pacing.tone.duration));
            for beat in stream.tones(trial) {
                let tone = Tone {
                    id: 0,
                    kind: Kind::Pacing(i as u16),
                    number,
                    cause: 0,
                    output,
                    channel: beat.channel,
                    note: beat.note,
                    velocity: beat.velocity,
                    onset,
                    length,
                    delay: Nanos::ZERO,
                };
                self.ask(tone, Turn::Pacing, i as u16);
            }
            if let Some(end) = self.streams[i].plan(trial) {
                self.start_followers(i as u16, end, trial);
            }
        }
    }

    /// Streams that are to begin after stream `i`, which ends at `end`.
    fn start_followers(&mut self, i: u16, end: Exact, trial: &Trial) {
        for (follower, pacing) in trial.pacing.iter().enumerate() {
            if let Start::After { stream, delay } = pacing.start
                && stream == i
            {
                self.streams[follower].start(end + delay.into(), trial);
            }
        }
    }

    /// The feedback of an accepted tap.
    fn answer(&mut self, tap: &Tap, id: EventId, trial: &Trial) {
        let number = self.inputs[usize::from(tap.input)].taps;
        for i in 0..self.voices.len() {
            if !self.voices[i].passes(tap) {
                continue;
            }
            let Some(answer) = self.voices[i].hear(tap, trial) else { continue };
            let tone = self.feedback_tone(i, tap, &answer, number, id);
            let as_played = tone.length.is_none();
            let asked = self.ask(tone, Turn::Feedback, i as u16);
            if let Some(tone) = asked.filter(|_| as_played) {
                self.tones.hold(tone, tap.input, tap.channel, tap.note);
            }
        }
    }

    fn feedback_tone(
        &self,
        voice: usize,
        tap: &Tap,
        answer: &Answer,
        number: u32,
        cause: EventId,
    ) -> Tone {
        let feedback = &self.voices[voice].feedback;
        Tone {
            id: 0,
            kind: Kind::Feedback(voice as u16),
            number,
            cause,
            output: feedback.output,
            channel: feedback.channel.unwrap_or(tap.channel),
            note: answer.note,
            velocity: answer.velocity,
            onset: tap.stamp + answer.delay,
            length: match answer.duration {
                Duration::AsPlayed => None,
                Duration::Fixed(length) => Some(length),
            },
            delay: answer.delay,
        }
    }

    fn draw_masks(&mut self) {
        for i in 0..self.masks.len() {
            while self.masks[i].due() <= self.now {
                let Some(drawn) = self.masks[i].tone() else { continue };
                let masking = &self.masks[i].masking;
                let tone = Tone {
                    id: 0,
                    kind: Kind::Masking(i as u16),
                    number: drawn.number,
                    cause: 0,
                    output: masking.output,
                    channel: masking.channel,
                    note: drawn.note,
                    velocity: drawn.velocity,
                    onset: drawn.deadline,
                    length: Some(masking.duration),
                    delay: Nanos::ZERO,
                };
                self.ask(tone, Turn::Masking, i as u16);
            }
        }
    }

    /// Puts a tone on the agenda at its onset.
    fn ask(&mut self, tone: Tone, turn: Turn, index: u16) -> Option<ToneId> {
        let onset = tone.onset.max(self.now);
        let id = self.tones.add(tone);
        let asked = id.filter(|&id| self.agenda.push(onset, tone.onset, (turn, index), id));
        if asked.is_none() {
            self.lost += 1;
            id.map(|id| self.tones.end(id));
        }
        asked
    }

    /// Puts the end of a tone on the agenda; a tone never ends before it began.
    fn release_at(&mut self, due: Nanos, id: ToneId) {
        let due = self.tones.get(id).map_or(due, |tone| due.max(tone.onset));
        let own = self.tones.is_waiting(id) && due <= self.now;
        let turn = if own { Turn::OwnRelease } else { Turn::Release };
        if !self.agenda.push(due.max(self.now), due, (turn, 0), id) {
            self.lost += 1; // the end of the trial will release it
        }
    }

    /// Everything on the agenda for this instant.
    fn sound(&mut self, sink: &mut impl FnMut(&Action)) {
        while let Some(due) = self.agenda.pop(self.now) {
            if due.is_onset() {
                self.begin(&due, sink);
            } else if self.tones.is_waiting(due.tone) {
                // Released before it began, at this instant: it begins first.
                self.agenda.push(self.now, due.deadline, (Turn::OwnRelease, 0), due.tone);
            } else {
                self.release(due.tone, due.deadline, sink);
            }
        }
    }

    /// A tone begins; one that is in its way ends first.
    fn begin(&mut self, due: &Due, sink: &mut impl FnMut(&Action)) {
        if let Some(earlier) = self.tones.in_the_way(due.tone) {
            self.release(earlier, due.at, sink);
        }
        let Some(&tone) = self.tones.get(due.tone) else { return };
        let id = if tone.id == 0 { self.new_event() } else { tone.id };
        self.tones.begin(due.tone, id);
        let Tone { channel, note, velocity, .. } = tone;
        let message = Some(Message::NoteOn { channel, note, velocity });
        let what = (tone.kind, tone.number, tone.cause);
        self.tell(id, what, tone.onset, tone.output, message, sink);
        if let Some(length) = tone.length {
            self.release_at(tone.onset + length, due.tone);
        }
    }

    fn release(&mut self, id: ToneId, deadline: Nanos, sink: &mut impl FnMut(&Action)) {
        let Some(tone) = self.tones.end(id) else { return };
        let Tone { channel, note, .. } = tone;
        let message = Some(Message::NoteOff { channel, note, velocity: U7::from_byte(64) });
        let what = (Kind::ToneOff, tone.number, tone.cause);
        self.tell(tone.id, what, deadline, tone.output, message, sink);
    }

    /// The end: what sounds is released, pedals are lifted, feedback still due is
    /// cancelled.
    fn finish(&mut self, why: Ending, cause: EventId, due: Nanos, sink: &mut impl FnMut(&Action)) {
        self.ended = true;
        let mut place = 0;
        while let Some((found, id)) = self.tones.any_sounding(place) {
            self.release(id, self.now, sink);
            place = found + 1;
        }
        self.lift_pedals(sink);
        while let Some(due) = self.agenda.pop(Nanos::MAX) {
            let Some(tone) = self.tones.end(due.tone) else { continue };
            if let (Kind::Trigger(_), 1..) = (tone.kind, tone.id) {
                // A trigger of this instant whose tone the end forestalled.
                let what = (tone.kind, tone.number, tone.cause);
                self.tell(tone.id, what, tone.onset, 0, None, sink);
            } else if let Kind::Feedback(voice) = tone.kind {
                let Tone { channel, note, velocity, .. } = tone;
                let message = Some(Message::NoteOn { channel, note, velocity });
                let kind = Kind::Cancelled(voice);
                self.emit((kind, tone.number, tone.cause), tone.onset, tone.output, message, sink);
            }
        }
        self.emit((Kind::End(why), 0, cause), due, 0, None, sink);
    }

    fn lift_pedals(&mut self, sink: &mut impl FnMut(&Action)) {
        for i in 0..self.pedals.len() {
            if std::mem::take(&mut self.pedals[i]) {
                let channel = Channel::from_status((i % 16) as u8);
                let lift = Message::Control { channel, controller: SUSTAIN, value: U7::ZERO };
                let voice =
                    self.voices.iter().position(|v| usize::from(v.feedback.output) == i / 16);
                let kind = Kind::ControlOut(voice.unwrap_or(0) as u16);
                self.emit((kind, 0, 0), self.now, (i / 16) as u16, Some(lift), sink);
            }
        }
    }

    fn new_event(&mut self) -> EventId {
        self.last_event += 1;
        self.last_event
    }

    fn emit(
        &mut self,
        what: (Kind, u32, EventId),
        deadline: Nanos,
        port: u16,
        message: Option<Message>,
        sink: &mut impl FnMut(&Action),
    ) -> EventId {
        let id = self.new_event();
        self.tell(id, what, deadline, port, message, sink);
        id
    }

    fn tell(
        &mut self,
        id: EventId,
        (kind, number, cause): (Kind, u32, EventId),
        deadline: Nanos,
        port: u16,
        message: Option<Message>,
        sink: &mut impl FnMut(&Action),
    ) {
        let instant = self.now;
        sink(&Action { id, kind, number, cause, deadline, instant, port, message });
    }
}

/// The present, for the conditions of triggers.
struct Present<'a> {
    now: Nanos,
    streams: &'a [Stream],
    inputs: &'a [InputState],
    tap: Option<(u16, U7)>,
}

impl Facts for Present<'_> {
    fn now(&self) -> Nanos {
        self.now
    }

    fn beat(&self, stream: u16) -> u32 {
        self.streams[usize::from(stream)].beat()
    }

    fn taps(&self, input: u16) -> u32 {
        self.inputs[usize::from(input)].taps
    }

    fn silence(&self, input: u16) -> Nanos {
        self.now - self.inputs[usize::from(input)].last.unwrap_or(Nanos::ZERO)
    }

    fn note(&self, input: Option<u16>, note: U7) -> bool {
        self.tap.is_some_and(|(i, n)| n == note && input.is_none_or(|input| input == i))
    }
}

//! [`Stream`]: one pacing stream at run time. It knows its present beat and the
//! deadline of the next, and nothing of the other streams.
//!
//! A beat's life: `arrive` (it is counted), then the rules act, then its tones
//! are asked for, then `plan` places the next one. With adaptive pacing `plan`
//! only sets a decision half an interval later, and `decide` places the beat.
//!
//! Positions are exact fractions and are rounded once, when a beat is placed.

mod listed;
mod tempo;

use crate::action::Silence;
use crate::changes::ChangeCourse;
use crate::end::StreamEnd;
use crate::gradual::{Gradual, Steps};
use crate::partner::Partner;
use crate::perturbation::Perturbation;
use crate::random::Random;
use crate::trial::{Adapt, Delayed, Interval, Pacing, PatternStep, Trial, Varying};
use chronotap_core::midi::{Channel, U7};
use chronotap_core::time::{Exact, Nanos};

/// No interval that is taken from taps is shorter; as in a trial file.
const SHORTEST_OWN_INTERVAL: Exact = Exact::whole(Nanos(1_000_000));

/// A pacing stream and where it stands.
#[derive(Clone, Debug)]
pub struct Stream {
    /// Its parameters, as rules may have changed them.
    pub pacing: Pacing,
    /// When it was over, and the taps since.
    pub end: StreamEnd,
    beat: u32,
    most_beats: u32, // of any run, where it was started again
    at_beat: bool,   // counted, and its tones not asked for yet
    deadline: Nanos, // of the present beat
    next: Option<Nanos>,
    grid: Exact,     // position of the present or next beat, before shifts of it alone
    origin: Exact,   // what an onset list counts from; moved by phase shifts
    interval: Exact, // planned after the present beat
    steady: Exact,   // the same without swing and jitter
    tempo: Interval, // what changes have made of `pacing.interval`
    gradual: Option<Gradual>, // on the way there
    steps: Steps,    // what steps and corrections have added since
    set_since_beat: bool, // by a rule, after the present beat was planned from
    changes: ChangeCourse,
    decision: Option<Nanos>,
    lead_in: Option<Nanos>, // when a recording begins that has something before its first beat
    first_tap: Option<Nanos>, // of those that the interval is taken from
    partner: Partner,       // for adaptive pacing
    random: Random,
}

/// A tone that a beat sounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BeatTone {
    /// MIDI channel.
    pub channel: Channel,
    pub note: U7,
    /// Velocity, 1..=127.
    pub velocity: U7,
}

impl Stream {
    /// A stream that has not begun.
    pub fn new(pacing: &Pacing, seed: u64, trial: &Trial) -> Stream {
        let name = format!("pacing.{}", pacing.name);
        Stream {
            pacing: pacing.clone(),
            end: StreamEnd::new(trial.inputs.len()),
            beat: 0,
            most_beats: 0,
            at_beat: false,
            deadline: Nanos::MIN,
            next: None,
            grid: Exact::ZERO,
            origin: Exact::ZERO,
            interval: Exact::ZERO,
            steady: Exact::ZERO,
            tempo: pacing.interval,
            gradual: None,
            steps: Steps::new(&pacing.changes),
            set_since_beat: false,
            changes: ChangeCourse::new(pacing, &name, seed, trial),
            decision: None,
            lead_in: None,
            first_tap: None,
            partner: Partner::default(),
            random: Random::named(seed, &name),
        }
    }

    /// Beat 1 will come at `at`; a shift of it never goes back before `now`, the time
    /// at which the stream is started. Started again, the stream plays its changes again,
    /// from the interval that the file or a rule gave it.
    pub fn start(&mut self, at: Exact, now: Nanos, trial: &Trial) {
        if self.beat > 0 {
            self.tempo = self.pacing.interval;
            self.gradual = None;
            self.steps.clear();
        }
        self.give_back();
        self.changes.restart();
        self.partner.restart();
        self.end.undo();
        self.beat = 0;
        self.at_beat = false;
        self.deadline = now.saturating_add(Nanos(-1));
        self.decision = None;
        self.origin = at;
        self.lead_in = self.audio_before(trial).map(|_| at.round().max(now));
        self.grid = at + self.listed_onset(0, trial).unwrap_or(Exact::ZERO);
        self.place(self.after_present(), trial);
    }

    /// Whether it goes on: a beat of it is to come, or to be decided.
    fn is_under_way(&self) -> bool {
        self.at_beat || self.next.is_some() || self.decision.is_some()
    }

    /// A beat that was placed, and will not come, has drawn nothing.
    fn give_back(&mut self) {
        if self.at_beat || self.next.is_some() {
            self.changes.give_back();
        }
    }

    /// No further beats, from `now` on.
    pub fn stop(&mut self, now: Nanos) {
        if self.is_under_way() {
            self.end.come(now.into()); // what is over already stays so
        }
        self.give_back();
        self.at_beat = false;
        self.next = None;
        self.decision = None;
        self.lead_in = None;
    }

    /// When the next beat or the next adaptive decision is due.
    pub fn due(&self) -> Nanos {
        let first = |at: Option<Nanos>| at.unwrap_or(Nanos::MAX);
        first(self.next).min(first(self.decision)).min(first(self.lead_in))
    }

    /// Number of the present beat; 0 before the first.
    pub const fn beat(&self) -> u32 {
        self.beat
    }

    /// Beats that have come: those of the longest run, where the stream was started again.
    pub const fn most_beats(&self) -> u32 {
        self.most_beats
    }

    /// Whether the present beat has just been counted and is still to be planned from.
    pub const fn is_at_beat(&self) -> bool {
        self.at_beat
    }

    /// Deadline of the present beat.
    pub const fn deadline(&self) -> Nanos {
        self.deadline
    }

    /// Counts the next beat if it is due by `now`.
    pub fn arrive(&mut self, now: Nanos) -> bool {
        match self.next {
            Some(at) if at <= now => {
                self.beat += 1;
                self.most_beats = self.most_beats.max(self.beat);
                self.at_beat = true;
                self.deadline = at;
                self.next = None;
                self.partner.beat();
                true
            }
            _ => false,
        }
    }

    /// Of a recording that begins by `now`: when, and how long it is to its first beat.
    pub fn begin_audio(&mut self, now: Nanos, trial: &Trial) -> Option<(Nanos, Nanos)> {
        let at = self.lead_in.take_if(|at| *at <= now)?;
        let before = self.audio_before(trial)?;
        self.pacing.audible.then_some((at, before))
    }

    /// What a recording has before its first beat.
    fn audio_before(&self, trial: &Trial) -> Option<Nanos> {
        self.pacing.audio?;
        self.listed_onset(0, trial).map(Exact::round).filter(|first| *first > Nanos::ZERO)
    }

    /// How long a tone of the present beat is; of a recording to the next beat, or to its end.
    pub fn tone_length(&self, trial: &Trial) -> Nanos {
        let onset = |beat: u32| self.listed_onset(beat, trial).map(Exact::round);
        let whole = self.pacing.audio.zip(onset(self.beat.saturating_sub(1)));
        let Some((end, here)) = whole else { return self.pacing.tone.duration };
        (onset(self.beat).unwrap_or(end) - here).max(Nanos(1))
    }

    /// Why the present beat does not sound; `None` where it does.
    pub fn silence(&self) -> Option<Silence> {
        let chord = turn(&self.pacing.step_notes, self.beat);
        match turn(&self.pacing.pattern, self.beat) {
            Some(PatternStep::Rest) => Some(Silence::Rest),
            _ if chord.is_some_and(|notes| notes.len == 0) => Some(Silence::Rest),
            _ if !self.pacing.audible => Some(Silence::Inaudible),
            _ if self.changes.mute(&self.pacing.changes) => Some(Silence::Muted),
            _ => None,
        }
    }

    /// What its changes do to the present beat, and to the interval from it on.
    pub fn perturbation(&self) -> Perturbation {
        self.changes.perturbation(&self.pacing.changes, self.present_interval())
    }

    /// The tones of the present beat; none where it is a rest or silenced.
    pub fn tones<'a>(&self, trial: &'a Trial) -> impl Iterator<Item = BeatTone> + use<'a> {
        let p = &self.pacing;
        let step = *turn(&p.pattern, self.beat).unwrap_or(&PatternStep::Tone);
        let accented = step == PatternStep::Accent;
        let level = if accented { p.accent_velocity } else { p.tone.velocity };
        let velocity = velocity_at(level, self.deadline);
        let channel = *turn(&p.step_channels, self.beat).unwrap_or(&p.tone.channel);
        let accent = p.accent_note.filter(|_| accented);
        let single = accent.unwrap_or(p.tone.note);
        let chord = turn(&p.step_notes, self.beat).filter(|_| accent.is_none());
        let chord = chord.map(|span| span.of(&trial.notes));
        let count = if self.silence().is_none() { chord.map_or(1, <[U7]>::len) } else { 0 };
        (0..count).map(move |i| {
            let note = chord.map_or(single, |notes| notes[i]);
            BeatTone { channel, note, velocity }
        })
    }

    /// Places the beat after the present one, or sets the decision that will.
    /// Where the stream is over, gives the time at which its last interval ends.
    pub fn plan(&mut self, trial: &Trial) -> Option<Exact> {
        self.at_beat = false;
        if let Some(onsets) = self.pacing.onsets {
            return self.plan_listed(onsets.len, trial);
        }
        self.interval = self.interval_now();
        if self.pacing.beats.is_some_and(|beats| self.beat >= beats) {
            self.end.come(self.grid + self.interval.half());
            return Some(self.grid + self.interval);
        }
        if self.pacing.adapt.is_some() {
            let half = Exact::whole(self.deadline) + self.interval.half();
            self.decision = Some(-((-half).floor())); // rounded up: taps at the edge have come
            return None;
        }
        self.grid = self.grid + self.interval;
        self.place(self.after_present(), trial);
        None
    }

    /// Adaptive pacing: takes the decision if it is due by `now`, and places the
    /// next beat (rule 8 of the trial file).
    pub fn decide(&mut self, now: Nanos, trial: &Trial) {
        let (Some(due), Some(adapt)) = (self.decision, self.pacing.adapt) else { return };
        if due > now {
            return;
        }
        self.decision = None;
        let asynchrony = self.partner.asynchrony(&adapt.leaders, self.deadline, self.interval);
        let period = asynchrony.times(adapt.period.at(self.deadline));
        let bound = Exact::whole(adapt.at_most);
        let phase = asynchrony.times(adapt.phase.at(self.deadline)).min(bound).max(-bound);
        let interval = self.correct_interval(period, &adapt);
        let grid = self.anticipated(self.grid + interval + phase, &adapt);
        self.grid = grid.max(due.into());
        self.place(due, trial);
    }

    /// The next beat, moved toward where the next tap is expected.
    fn anticipated(&self, corrected: Exact, adapt: &Adapt) -> Exact {
        match self.partner.expected(&adapt.leaders, adapt.extrapolate) {
            Some(expected) if adapt.anticipate > 0.0 => {
                corrected + (expected - corrected).times(adapt.anticipate)
            }
            _ => corrected,
        }
    }

    /// An accepted tap of `input`: counted after the end, and for adaptive pacing.
    pub fn tap(&mut self, input: u16, number: u32, stamp: Nanos) {
        self.take_tempo(input, number, stamp);
        self.end.tap(input, stamp);
        if let Some(place) = self.pacing.adapt.and_then(|adapt| adapt.leaders.place(input)) {
            self.partner.tap(place, stamp, self.deadline);
        }
    }

    /// The interval is the time between the first and the last of its taps, divided by the
    /// number of intervals between them; exactly.
    fn take_tempo(&mut self, input: u16, number: u32, stamp: Nanos) {
        let Some(own) = self.pacing.own_tempo.filter(|own| own.input == input) else { return };
        if number == own.first {
            self.first_tap = Some(stamp);
        }
        let Some(first) = self.first_tap.filter(|_| number == own.last) else { return };
        let taken = Exact::ratio((stamp - first).0.into(), (own.last - own.first).max(1).into());
        let taken = taken.filter(|taken| taken.floor() >= SHORTEST_OWN_INTERVAL.floor());
        self.set_interval(Interval::Exact(taken.unwrap_or(SHORTEST_OWN_INTERVAL)));
    }

    /// When beat 1 comes, of a stream that starts so long after a tap.
    pub fn start_after(&self, tap: Nanos, delay: Delayed) -> Exact {
        match delay {
            Delayed::By(time) => Exact::whole(tap.saturating_add(time)),
            Delayed::ByOneInterval => Exact::whole(tap) + self.interval_at(tap),
        }
    }

    fn after_present(&self) -> Nanos {
        self.deadline.saturating_add(Nanos(1))
    }

    /// Fixes the deadline of the beat after the present one from its position. It
    /// never comes before the present one or the start, nor before it is decided.
    fn place(&mut self, earliest: Nanos, trial: &Trial) {
        let moved = self.changes.place(self.beat + 1, &self.pacing.changes, trial);
        self.grid = self.grid + moved.phase.into();
        self.origin = self.origin + moved.phase.into();
        let mut alone = moved.onset;
        if let Some(jitter) = self.pacing.jitter.filter(|jitter| !jitter.accumulates) {
            alone += self.random.time(jitter.spread);
        }
        self.next = Some((self.grid.round() + alone).max(earliest));
    }
}

/// A velocity that sounds: 1..=127.
pub fn velocity_at(level: Varying, at: Nanos) -> U7 {
    U7::clamped(Nanos::round_from_f64(level.at(at)).0.max(1))
}

/// The element of a repeated list for a count from 1.
fn turn<T>(list: &[T], count: u32) -> Option<&T> {
    let index = (count.max(1) - 1) as usize;
    list.get(index % list.len().max(1))
}

//! [`Participant`]: hears beats, taps to them, and goes on by itself when they stop.
//!
//! Background: Wing and Kristofferson (1973) put the variability of tapping on two
//! levels, a clock whose intervals vary and a motor delay that each tap adds.
//! Vorberg and Wing (1996) let the clock correct a share alpha of each asynchrony,
//! Schulze, Cordes and Vorberg (2005) its period by a share beta.
//!
//! Solution: `clock` is when the clock calls for the next tap; the tap comes a motor
//! delay later. After a tap the clock moves on by its period and its noise, and as
//! soon as both a tap and its beat are past it is moved by the corrections. So for
//! asynchronies A, intervals C of the pacing, clock noise T and motor noise M
//!
//! ```text
//! A[k+1] = (1 − alpha)·A[k] + t[k+1] + T[k] + M[k+1] − M[k] − C[k],   t[k+1] = t[k] − beta·A[k]
//! ```
//!
//! holds whether the tap or the beat came first. A in this is the asynchrony less
//! the mean one. A beat belongs to the tap whose A lies within half a period.

use super::beats::Beats;
use super::hand::{Hand, Tap};
use super::model::Model;
use crate::trial_files::TrialFile;
use chronotap_core::midi::{Message, U7};
use chronotap_core::time::Nanos;
use chronotap_engine::action::{Kind, Silence};
use chronotap_engine::random::Random;
use chronotap_engine::signal::{Heard, Performer, Sent};
use chronotap_engine::trial::{Pacing, Step, Tone};

/// Shortest and longest period that period correction may reach, and its bounds as
/// shares of the last two intervals heard. Without them a few taps matched to the
/// wrong beat could lead to a multiple of the tempo, which fits as well.
const PERIOD_NS: (f64, f64) = (50e6, 20e9);
const PERIOD_SHARE: (f64, f64) = (2.0 / 3.0, 1.5);
/// A key is held at least so long.
const SHORTEST_HOLD_NS: f64 = 5e6;
/// Contact bounce of a pad, from first to second press.
const BOUNCE_NS: (f64, f64) = (20e6, 60e6);
/// No finger taps again sooner.
const REFRACTORY: Nanos = Nanos::from_millis(10);
/// What grows with the interval is stated at this one, and holds from the least to the greatest.
const STATED_AT_S: f64 = 0.6;
const GROWS_S: (f64, f64) = (0.15, 3.0);
/// Taps of two hands belong together up to this share of the period.
const TOGETHER: f64 = 0.15;
/// Tones that are further apart than these semitones are heard as two streams (van Noorden 1975).
const ONE_STREAM: u8 = 7;
/// A tone so long before a felt beat sounds on it.
const ON_THE_BEAT: Nanos = Nanos::from_millis(20);
/// So many taps are missed in a row at most, which bounds the time of a step.
const MOST_MISSED: u32 = 64;

/// A simulated participant. The same model, seed and things heard give the same taps.
#[derive(Clone, Debug)]
pub struct Participant {
    model: Model,
    random: Random,
    /// For what only some participants do, so that it does not change what the others draw.
    more: Random,
    now: Nanos, // the latest thing heard or sent
    beats: Beats,
    period: f64,                   // ns
    clock: f64,                    // ns, when the clock calls for the next tap
    motor: f64,                    // ns, what the motor adds to it
    tap: Option<Tap>,              // the next tap
    last: Option<LastTap>,         // the last one
    late_for: Option<Nanos>,       // a beat that has no tap yet
    late_for_other: Option<Nanos>, // a tone of another's tap that has none yet
    ear: Option<u16>,              // the output that is heard; all where none
    feels: bool,                   // the beats of the stream, although they never sound
    hands: f64,                    // the share by which this hand goes to the other one's tap
    tone: Nanos,                   // when a tone of any stream was heard last
    felt: Option<(u32, Nanos)>,    // a beat that no tone has fallen on yet
    slips: bool,                   // taps to the tones in place of the beats between them
    sounds: bool,                  // the last tap but one was heard
    confused: bool,                // the last tone belongs to a neighbour of its key
    hand: Hand,
    count: u32, // taps planned, the missed ones too
}

#[derive(Clone, Copy, Debug)]
struct LastTap {
    at: Nanos,
    matched: bool, // its beat was heard and corrected for
    met: bool,     // a tone of another's tap was
    heard: bool,   // its tone was
    delay: f64,    // ns, the longest feedback delay heard so far
}

impl Participant {
    /// A participant of this model; `seed` is usually the trial's.
    pub fn new(model: Model, seed: u64) -> Participant {
        Participant::at_place(model, seed, 0)
    }

    /// The same, one of several: those of one seed draw different numbers.
    pub(super) fn at_place(model: Model, seed: u64, place: usize) -> Participant {
        let random = Random::named(seed, &format!("participant {}", place + 1));
        let more = Random::named(seed, &format!("more of participant {}", place + 1));
        let mut new = Participant {
            random,
            more,
            now: Nanos::MIN,
            beats: Beats::default(),
            period: model.interval.0 as f64,
            clock: 0.0,
            motor: 0.0,
            tap: None,
            last: None,
            late_for: None,
            late_for_other: None,
            ear: None,
            feels: false,
            hands: model.hands,
            tone: Nanos::MIN,
            felt: None,
            slips: false,
            sounds: false,
            confused: false,
            hand: Hand::new(&model),
            count: 0,
            model,
        };
        new.begin_at(new.model.wait);
        new
    }

    /// Knows what is to be done in this trial: hears the feedback of the output alone on which the own
    /// stream sounds, as with headphones; feels its beats where it never sounds; and where a tone falls on
    /// every second step, or every third, taps as seldom.
    pub(super) fn at_trial(mut self, file: &TrialFile) -> Participant {
        let stream = self.model.stream;
        if let Some(pacing) = file.trial.pacing.get(usize::from(stream)) {
            self.ear = Some(pacing.output);
            self.feels = file.answers.silent.contains(&stream);
            self.beats = Beats::every(steps(&pacing.pattern));
            let of = |tone: &Tone| tone.note.get();
            let apart = |other: &Pacing| of(&other.tone).abs_diff(of(&pacing.tone)) > ONE_STREAM;
            let share = if file.trial.pacing.iter().any(apart) { 0.5 } else { 1.0 };
            self.hands = share * self.model.hands;
        }
        self
    }

    /// What it is made of.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Starts afresh, as [`Participant::new`] would make one of the same model.
    pub fn reset(&mut self, seed: u64) {
        let (ear, feels, beats, hands) = (self.ear, self.feels, self.beats.again(), self.hands);
        *self = Participant::new(self.model.clone(), seed);
        (self.ear, self.feels, self.beats, self.hands) = (ear, feels, beats, hands);
    }

    fn begin_at(&mut self, at: Nanos) {
        self.count = 0; // a start that was planned and not come to does not count
        self.clock = at.0 as f64 - self.period;
        self.plan();
    }

    /// Lets the clock run to the next tap that is not missed, and draws everything
    /// about that tap. Every tap takes the same number of draws, so that a change of
    /// one parameter does not change what the others draw.
    fn plan(&mut self) {
        for _ in 0..MOST_MISSED {
            if self.model.taps > 0 && self.count >= self.model.taps {
                self.tap = None;
                return;
            }
            self.clock += self.period + self.clock_sd() * self.random.normal();
            self.motor = self.model.motor.0 as f64 * self.random.normal();
            self.tap = Some(self.draw_tap());
            if self.random.uniform() >= self.model.miss {
                return;
            }
        }
    }

    /// The present interval in seconds, within what the growth of the parameters holds for.
    fn interval_s(&self) -> f64 {
        (self.period / 1e9).clamp(GROWS_S.0, GROWS_S.1)
    }

    fn grown(&self, stated: f64, by: f64) -> f64 {
        stated + by * (self.interval_s() - STATED_AT_S)
    }

    fn alpha(&self) -> f64 {
        self.grown(self.model.alpha, self.model.alpha_grows).clamp(0.0, 2.0)
    }

    /// The asynchrony aimed at, at the present interval and with what is heard of the taps.
    fn aim(&self) -> Nanos {
        let squared = |seconds: f64| seconds * seconds;
        let grown = squared(self.interval_s()) - squared(STATED_AT_S);
        let heard = if self.sounds { self.model.heard } else { Nanos::ZERO };
        let grown = Nanos::round_from_f64(self.model.mean_grows.0 as f64 * grown);
        self.model.mean + grown + heard
    }

    /// The clock's noise at the present period: the generalized law of Weber.
    fn clock_sd(&self) -> f64 {
        let constant = self.model.clock.0 as f64;
        let share = self.grown(self.model.weber, self.model.weber_grows).max(0.0);
        if share == 0.0 {
            return constant;
        }
        let grown = share * self.period;
        (constant * constant + grown * grown).sqrt()
    }

    fn draw_tap(&mut self) -> Tap {
        let model = &self.model;
        let hold = model.hold.0 as f64 + model.hold_sd.0 as f64 * self.random.normal();
        let velocity = model.velocity + model.velocity_sd * self.random.normal();
        let doubled = self.random.uniform() < model.double;
        let bounce = BOUNCE_NS.0 + (BOUNCE_NS.1 - BOUNCE_NS.0) * self.random.uniform();
        let note = self.key(self.count as usize);
        self.count = self.count.wrapping_add(1);
        Tap {
            note,
            velocity: U7::clamped(Nanos::round_from_f64(velocity).0.max(1)),
            hold: Nanos::round_from_f64(hold.max(SHORTEST_HOLD_NS)),
            bounce: doubled.then(|| Nanos::round_from_f64(bounce)),
        }
    }

    /// When the next tap comes: the clock's call and the motor's delay, never
    /// before what is already past.
    fn tap_at(&self) -> Option<Nanos> {
        self.tap?;
        let free = self.last.map_or(Nanos::MIN, |last| last.at + REFRACTORY);
        Some(Nanos::round_from_f64(self.clock + self.motor).max(self.now).max(free))
    }

    fn hear_beat(&mut self, number: u32, at: Nanos) {
        if self.beats.knows(number) {
            return; // another note of the same chord
        }
        let mean_interval = self.beats.hear(number, at);
        let begins = self.beats.heard == self.model.after;
        if self.last.is_none() && self.beats.heard <= self.model.after {
            self.tap = None; // pacing came before the wait was over
        }
        if self.beats.heard == self.model.after.max(2) {
            self.set_period(mean_interval.unwrap_or(self.period));
        }
        if self.last.is_none() && begins {
            self.begin_at(at + Nanos::round_from_f64(self.period) + self.aim());
        } else {
            self.correct_for(at);
        }
    }

    /// A beat that never sounds. Where a tone of another stream falls on it, it is heard there; else it is
    /// imagined between the tones, or lost to them if they are too fast.
    fn feel_beat(&mut self, number: u32, at: Nanos) {
        let imagines = self.model.imagine > 0.0 || self.model.slips_below > Nanos::ZERO;
        if imagines && self.tone < at - ON_THE_BEAT {
            self.felt = Some((number, at));
        } else {
            self.slips = false;
            self.hear_beat(number, at);
        }
    }

    /// Knows of a beat that was felt whether a tone falls on it.
    fn settle(&mut self, now: Nanos, is_tone: bool) {
        let Some((number, at)) = self.felt else { return };
        let on_the_beat = now - at <= ON_THE_BEAT;
        if on_the_beat && !is_tone {
            return;
        }
        self.felt = None;
        let fast = self.period < self.model.slips_below.0 as f64;
        self.slips = !on_the_beat && fast && self.last.is_some();
        if self.slips {
            self.beats.hear(number, at);
            return;
        }
        let sd = if on_the_beat { 0.0 } else { self.model.imagine * self.period };
        let off = if sd > 0.0 { sd * self.more.normal() } else { 0.0 };
        self.hear_beat(number, at + Nanos::round_from_f64(off));
    }

    /// Matches a beat with the last tap, or keeps it for the next.
    fn correct_for(&mut self, beat: Nanos) {
        match self.last {
            Some(last) if !last.matched && self.belongs(last.at, beat) => {
                self.last = Some(LastTap { matched: true, ..last });
                self.late_for = None;
                self.correct(last.at - beat);
            }
            _ => self.late_for = Some(beat),
        }
    }

    fn belongs(&self, tap: Nanos, beat: Nanos) -> bool {
        (tap - beat - self.aim()).abs().0 as f64 <= self.period / 2.0
    }

    fn correct(&mut self, asynchrony: Nanos) {
        self.take_back((asynchrony - self.aim()).0 as f64);
        self.expect();
    }

    /// The period goes on with a trend of the intervals, or follows one that is noticed to differ from it.
    fn expect(&mut self) {
        let (Some((last, _)), Model { notice, follow, anticipate, .. }) =
            (self.beats.intervals, &self.model)
        else {
            return;
        };
        let before = self.period;
        let goes = |share: f64, to: f64| before + share * (to - before);
        let to = match self.beats.trend() {
            trend if trend != 0.0 && *anticipate > 0.0 => goes(*anticipate, last + trend),
            _ if (last - before).abs() > notice * before => goes(*follow, last),
            _ => return,
        };
        self.set_period(to);
        self.clock += self.period - before;
    }

    /// Corrects phase and period for a distance from where the tap should have been.
    fn take_back(&mut self, error: f64) {
        let before = self.period;
        self.set_period(before - self.model.beta * error);
        self.clock += self.period - before - self.alpha() * error;
    }

    fn set_period(&mut self, period: f64) {
        let (mut least, mut most) = PERIOD_NS;
        if let Some((last, before)) = self.beats.intervals {
            least = least.max(PERIOD_SHARE.0 * last.min(before));
            most = most.min(PERIOD_SHARE.1 * last.max(before)).max(least);
        }
        self.period = period.clamp(least, most);
    }

    /// A feedback tone of this hand's input is heard as that of the last tap. Of several the
    /// latest counts, up to a period after the tap, so that tones of others who tap at the
    /// same input cannot put off the next tap for ever.
    fn hear_feedback(&mut self, at: Nanos, note: U7) {
        let Some(last) = self.last else { return };
        let delay = (at - last.at).0 as f64;
        if delay > self.period {
            return;
        }
        self.confused = self.is_of_a_neighbour(note);
        if delay > last.delay {
            self.heed_delay(last.at, delay - last.delay);
        }
        self.last = Some(LastTap { heard: true, delay: delay.max(last.delay), ..last });
    }

    /// Whether a tone has the pitch of the key before the one that was pressed last, or of the one after it.
    fn is_of_a_neighbour(&self, note: U7) -> bool {
        let planned = self.count as usize; // the next tap is planned already
        let key = |back: usize| self.key(planned.wrapping_sub(back));
        note != key(2) && (note == key(1) || note == key(3))
    }

    /// The key of a tap by its number.
    fn key(&self, number: usize) -> U7 {
        let keys = &self.model.note;
        keys.get(number % keys.len().max(1)).copied().unwrap_or(U7::ZERO)
    }

    /// The tap with a key of its neighbours, where a wrong one is pressed.
    fn perhaps_wrong(&mut self, tap: Tap) -> Tap {
        let more = if self.confused { self.model.confuse } else { 0.0 };
        let wrong = self.model.wrong + more;
        if wrong == 0.0 || self.model.note.len() < 2 || self.more.uniform() >= wrong {
            return tap;
        }
        let planned = self.count as usize;
        let after = self.more.uniform() < 0.5;
        Tap { note: self.key(if after { planned } else { planned.wrapping_sub(2) }), ..tap }
    }

    /// The tone of another's tap is taken for a beat where no pacing is heard.
    fn hear_other(&mut self, at: Nanos) {
        if self.hears_pacing(at) {
            return;
        }
        match self.last {
            Some(last) if !last.met && self.is_near(last.at, at) => {
                self.last = Some(LastTap { met: true, ..last });
                self.late_for_other = None;
                self.meet(last.at - at);
            }
            _ => self.late_for_other = Some(at),
        }
    }

    fn is_near(&self, tap: Nanos, tone: Nanos) -> bool {
        (tap - tone).abs().0 as f64 <= self.period / 2.0
    }

    /// Corrects for the distance from another's tap.
    fn meet(&mut self, asynchrony: Nanos) {
        self.clock -= self.model.partner * asynchrony.0 as f64;
    }

    /// The other hand of the same person taps: the tap that is about to come goes to it, or the one after a tap
    /// that has just come.
    fn feel_other_hand(&mut self, at: Nanos) {
        let before = self.last.map_or(Nanos::MIN, |last| last.at);
        let own = self.tap_at().into_iter().chain([before]);
        let near = |own: &Nanos| (*own - at).abs().0 as f64 <= TOGETHER * self.period;
        if let Some(own) = own.filter(|own| *own > Nanos::MIN).find(near) {
            self.clock -= self.hands * (own - at).0 as f64;
        }
    }

    /// Whether a beat was heard at most one and a half periods before.
    fn hears_pacing(&self, at: Nanos) -> bool {
        self.beats.last_at().is_some_and(|beat| (at - beat).0 as f64 <= 1.5 * self.period)
    }

    /// With pacing a delay moves the asynchrony that is aimed at, so that the tap was so far from
    /// it; alone it puts off the next tap.
    fn heed_delay(&mut self, tap: Nanos, delay: f64) {
        match self.hears_pacing(tap) {
            true => self.take_back(-self.model.paced_feedback * delay),
            false => self.clock += self.model.feedback * delay,
        }
    }

    fn send_tap(&mut self, tap: Tap, at: Nanos) -> Sent {
        let late_for = self.late_for.take().filter(|beat| self.belongs(at, *beat));
        let other = self.late_for_other.take().filter(|tone| self.is_near(at, *tone));
        let (matched, met) = (late_for.is_some(), other.is_some());
        let tap = self.perhaps_wrong(tap);
        self.sounds = self.last.is_some_and(|last| last.heard);
        self.last = Some(LastTap { at, matched, met, heard: false, delay: 0.0 });
        self.confused = false;
        self.plan();
        if let Some(beat) = late_for {
            self.correct(at - beat);
        }
        if let Some(tone) = other {
            self.meet(at - tone);
        }
        self.hand.press(tap, at)
    }
}

/// How many steps of a pattern lie between its tones, where that is always the same number; else 1.
fn steps(pattern: &[Step]) -> u32 {
    let tones: Vec<usize> = (0..pattern.len()).filter(|at| pattern[*at] != Step::Rest).collect();
    let apart = |(at, tone): (usize, &usize)| match tones.get(at + 1) {
        Some(next) => next - tone,
        None => tones[0] + pattern.len() - tone,
    };
    let mut all = tones.iter().enumerate().map(apart);
    let first = all.next().unwrap_or(1);
    if all.all(|other| other == first) { first as u32 } else { 1 }
}

impl Performer for Participant {
    fn hear(&mut self, heard: Heard) {
        self.now = self.now.max(heard.at);
        if !matches!(heard.message, None | Some(Message::NoteOn { .. })) {
            return;
        }
        let is_tone = matches!(heard.kind, Kind::Pacing(_));
        self.settle(heard.at, is_tone);
        if is_tone {
            self.tone = heard.at;
        }
        match heard.kind {
            Kind::SilentBeat(stream, Silence::Inaudible)
                if self.feels && stream == self.model.stream =>
            {
                self.feel_beat(heard.number, heard.at);
            }
            Kind::Pacing(stream) if stream == self.model.stream && heard.number > 0 => {
                self.hear_beat(heard.number, heard.at);
            }
            Kind::Tap(input) if input != self.model.input && self.hands > 0.0 => {
                self.feel_other_hand(heard.at);
            }
            Kind::Pacing(_) if self.slips => self.correct_for(heard.at),
            Kind::Feedback(_) if self.ear.is_some_and(|ear| ear != heard.output) => {}
            Kind::Feedback(_) if heard.input == Some(self.model.input) => {
                let Some(Message::NoteOn { note, .. }) = heard.message else { return };
                self.hear_feedback(heard.at, note);
            }
            Kind::Feedback(_) if heard.input.is_some() => self.hear_other(heard.at),
            _ => {}
        }
    }

    fn next(&self) -> Option<Nanos> {
        let next = self.hand.next().into_iter().chain(self.tap_at()).min()?;
        Some(next.max(self.now))
    }

    fn send(&mut self) -> Option<Sent> {
        let at = self.next()?;
        let sent = self.send_at(at);
        self.settle(at, false);
        sent
    }
}

impl Participant {
    fn send_at(&mut self, at: Nanos) -> Option<Sent> {
        self.now = at;
        let taps = self.tap_at() == Some(at);
        if let Some(sent) = self.hand.due(at, taps) {
            return Some(sent);
        }
        let tap = self.tap.take()?;
        Some(self.send_tap(tap, at))
    }
}

//! [`Voice`]: one feedback channel at run time. It hears the taps that pass its
//! filter and answers with the tone each is to have.
//!
//! Its history (serial shift, sequence, list, draws) goes on while it is silent,
//! so that switching it on continues in place.

use crate::chooser::Chooser;
use crate::occasions::{Occasion, is_apart};
use crate::pacing::velocity_at;
use crate::perturbation::{Perturbation, PerturbedPart};
use crate::random::Random;
use crate::trial::{Delay, Duration, Feedback, Pitch, SetFeedback, Trial, Velocity};
use chronotap_core::midi::{Channel, U7};
use chronotap_core::time::{Exact, Nanos};

/// How many taps a serial shift can look back.
pub const LONGEST_SHIFT: usize = 255;

/// A feedback channel and its history.
#[derive(Clone, Debug)]
pub struct Voice {
    /// Its parameters, as rules may have changed them.
    pub feedback: Feedback,
    history: History,
    drawn: Drawn,
    answered: Answered,
    perturb: Vec<Own>,
}

/// Where one perturbation stands.
#[derive(Clone, Debug)]
struct Own {
    occasion: Occasion,
    came: u32,         // how often; its own lists follow that and nothing else
    last: Option<u32>, // the last tap at which it came
    drawn: Drawn,
}

/// What is drawn for the tones of a channel, or of one of its perturbations.
#[derive(Clone, Debug)]
struct Drawn {
    random: Random,
    pitch: Chooser,
    delay: Chooser,
}

/// The last answers of a channel, which controllers may follow.
#[derive(Clone, Debug)]
struct Answered {
    delay: Nanos,
    notes: [Option<U7>; 128], // by key
}

/// The taps that have passed a channel's filter.
#[derive(Clone, Debug)]
struct History {
    taps: u32,
    notes: [U7; LONGEST_SHIFT + 1], // of the last taps; tap n stands at n % len
    last: Option<Nanos>,
    interval: Option<Nanos>,
    sequence_from: u32, // the tap count at which the present sequence began
    list_from: u32,
}

/// An accepted tap.
#[derive(Clone, Copy, Debug)]
pub struct AcceptedTap {
    /// Index of the input.
    pub input: u16,
    /// MIDI channel.
    pub channel: Channel,
    /// Key.
    pub note: U7,
    pub velocity: U7,
    pub stamp: Nanos,
}

/// The tone that a tap is to have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TapTone {
    pub note: U7,
    /// Velocity, 1..=127.
    pub velocity: U7,
    /// From the tap's stamp to the onset.
    pub delay: Nanos,
    /// How long.
    pub duration: Duration,
    /// Whether a perturbation takes the tone away.
    pub muted: bool,
    /// What perturbations did to it.
    pub perturbation: Perturbation,
}

impl Voice {
    /// A channel that has heard nothing.
    pub fn new(feedback: &Feedback, seed: u64, trial: &Trial) -> Voice {
        let name = format!("feedback.{}", feedback.name);
        let perturb = |i| {
            let name = format!("{name}.perturb.{i}");
            let occasion = Occasion::new(Random::named(seed, &name));
            let drawn = Drawn::new(&format!("{name}.value"), seed, trial);
            Own { occasion, came: 0, last: None, drawn }
        };
        Voice {
            feedback: feedback.clone(),
            history: History::new(),
            drawn: Drawn::new(&name, seed, trial),
            answered: Answered::default(),
            perturb: (0..feedback.perturb.len()).map(perturb).collect(),
        }
    }

    /// Whether a tap passes the filter.
    pub fn passes(&self, tap: &AcceptedTap) -> bool {
        let f = &self.feedback.from;
        self.passes_port(tap.input, tap.channel)
            && (f.notes.0..=f.notes.1).contains(&tap.note)
            && (f.velocities.0..=f.velocities.1).contains(&tap.velocity)
    }

    /// Whether anything of this input and MIDI channel passes.
    pub fn passes_port(&self, input: u16, channel: Channel) -> bool {
        let f = &self.feedback.from;
        f.input.is_none_or(|i| i == input) && f.channel.is_none_or(|c| c == channel)
    }

    /// A tap that passed: the tone it is to have, if any.
    pub fn tone_for(&mut self, tap: &AcceptedTap, trial: &Trial) -> Option<TapTone> {
        self.history.remember(tap);
        let (f, drawn) = (&self.feedback, &mut self.drawn);
        let mut answer = TapTone {
            note: self.history.note(f.pitch, self.history.sequence_place(), tap, trial, drawn),
            velocity: loudness(f.velocity, tap.velocity, tap.stamp, &mut drawn.random),
            delay: self.history.lag(f.delay, self.history.list_place(), tap, trial, drawn),
            duration: f.duration,
            muted: false,
            perturbation: Perturbation::NONE,
        };
        self.disturb(&mut answer, tap, trial);
        self.answered.remember(tap.note, &answer);
        self.feedback.sounding.then_some(answer)
    }

    /// How long after its tap the last tone came; 0 before there was one.
    pub fn last_delay(&self) -> Nanos {
        self.answered.delay
    }

    /// The note that a key last sounded; the key's own before it did.
    pub fn last_note(&self, key: U7) -> U7 {
        self.answered.notes[key.index()].unwrap_or(key)
    }

    /// A new value from a rule. A new sequence or list begins at its beginning.
    pub fn set(&mut self, value: SetFeedback) {
        let f = &mut self.feedback;
        match value {
            SetFeedback::Sounding(on) => f.sounding = on,
            SetFeedback::Channel(channel) => f.channel = channel,
            SetFeedback::Pitch(pitch) => {
                f.pitch = pitch;
                self.history.sequence_from = self.history.taps;
                self.drawn.pitch.forget();
            }
            SetFeedback::Velocity(velocity) => f.velocity = velocity,
            SetFeedback::Delay(delay) => {
                f.delay = delay;
                self.history.list_from = self.history.taps;
                self.drawn.delay.forget();
            }
            SetFeedback::Duration(duration) => f.duration = duration,
            SetFeedback::Notes(low, high) => f.from.notes = (low, high),
            SetFeedback::Velocities(low, high) => f.from.velocities = (low, high),
        }
    }

    /// Applies the perturbations whose turn it is. Each alters what none before it in the
    /// file has altered; one that mutes does so only as the first, and is then the only one.
    fn disturb(&mut self, answer: &mut TapTone, tap: &AcceptedTap, trial: &Trial) {
        let (mut taken, own) = (Taken::default(), *answer);
        for i in 0..self.perturb.len() {
            if self.is_turn_of(i, self.history.taps) {
                self.perturb_by(i, &mut taken, answer, tap, trial); // each is asked at every tap
            }
        }
        answer.muted = taken.mute;
        answer.perturbation = taken.perturbation(&own, answer);
    }

    /// Whether a perturbation comes at this tap; to be asked of each, in order, at every tap.
    pub fn is_turn_of(&mut self, i: usize, tap: u32) -> bool {
        let all = &self.feedback.perturb;
        for (own, p) in self.perturb.iter_mut().zip(all) {
            own.occasion.foresee(&p.at);
        }
        let each = || all.iter().zip(&self.perturb);
        let firm = each().filter(|(p, _)| p.apart == 0);
        let to_come = firm.filter_map(|(p, own)| own.occasion.next_from(tap, &p.at));
        let came = each().filter_map(|(p, own)| Some((own.last?, p.apart)));
        let p = &all[i];
        let free = is_apart(tap, p.apart, came, to_come);
        let own = &mut self.perturb[i];
        let comes = own.occasion.comes_at(tap, &p.at, free);
        if comes {
            own.came += 1;
            own.last = Some(tap);
        }
        comes
    }

    fn perturb_by(
        &mut self,
        i: usize,
        taken: &mut Taken,
        answer: &mut TapTone,
        tap: &AcceptedTap,
        trial: &Trial,
    ) {
        let (history, p) = (&self.history, &self.feedback.perturb[i]);
        let Own { came, drawn, .. } = &mut self.perturb[i];
        let place = came.saturating_sub(1);
        if taken.mute || p.mute {
            taken.mute |= !taken.any;
            return;
        }
        taken.any = true;
        if let Some(pitch) = p.pitch.filter(|_| first(&mut taken.pitch)) {
            answer.note = history.note(pitch, place, tap, trial, drawn);
        }
        if let Some(velocity) = p.velocity.filter(|_| first(&mut taken.velocity)) {
            answer.velocity = loudness(velocity, tap.velocity, tap.stamp, &mut drawn.random);
        }
        if let Some(delay) = p.delay.filter(|_| first(&mut taken.delay)) {
            answer.delay = history.lag(delay, place, tap, trial, drawn);
        }
        if let Some(duration) = p.duration.filter(|_| first(&mut taken.duration)) {
            answer.duration = duration;
        }
    }
}

/// What perturbations of one tap have altered so far.
#[derive(Default)]
struct Taken {
    any: bool,
    mute: bool,
    pitch: bool,
    velocity: bool,
    delay: bool,
    duration: bool,
}

impl Taken {
    /// How the altered answer differs from the channel's own.
    fn perturbation(&self, own: &TapTone, altered: &TapTone) -> Perturbation {
        let semitones = altered.note.get() as i8 - own.note.get() as i8;
        let louder = altered.velocity.get() as i8 - own.velocity.get() as i8;
        let longer = match (own.duration, altered.duration) {
            (Duration::Fixed(own), Duration::Fixed(altered)) => Some(altered - own),
            _ => None,
        };
        let parts = [
            (self.mute, PerturbedPart::Mute),
            (self.delay, PerturbedPart::Delay(altered.delay - own.delay)),
            (self.pitch, PerturbedPart::Pitch(semitones)),
            (self.velocity, PerturbedPart::Velocity(louder)),
            (self.duration, PerturbedPart::Duration(longer)),
        ];
        let taken = parts.iter().filter(|(taken, _)| *taken);
        taken.fold(Perturbation::NONE, |all, (_, part)| all.with(*part))
    }
}

/// Whether it is not taken yet; it is from now on.
fn first(taken: &mut bool) -> bool {
    !std::mem::replace(taken, true)
}

impl Drawn {
    fn new(name: &str, seed: u64, trial: &Trial) -> Drawn {
        let chooser = |of| Chooser::new(Random::named(seed, &format!("{name}.{of}")), trial);
        Drawn {
            random: Random::named(seed, name),
            pitch: chooser("pitch"),
            delay: chooser("delay"),
        }
    }
}

impl Default for Answered {
    fn default() -> Answered {
        Answered { delay: Nanos::ZERO, notes: [None; 128] }
    }
}

impl Answered {
    fn remember(&mut self, key: U7, answer: &TapTone) {
        self.delay = answer.delay;
        self.notes[key.index()] = Some(answer.note);
    }
}

impl History {
    fn new() -> History {
        History {
            taps: 0,
            notes: [U7::ZERO; LONGEST_SHIFT + 1],
            last: None,
            interval: None,
            sequence_from: 0,
            list_from: 0,
        }
    }

    fn remember(&mut self, tap: &AcceptedTap) {
        self.taps += 1;
        self.notes[self.taps as usize % self.notes.len()] = tap.note;
        self.interval = self.last.map(|last| tap.stamp - last);
        self.last = Some(tap.stamp);
    }

    /// The place of the present tap in the channel's sequence, from 0.
    fn sequence_place(&self) -> u32 {
        self.taps - 1 - self.sequence_from
    }

    /// The place of the present tap in the channel's list of delays, from 0.
    fn list_place(&self) -> u32 {
        self.taps - 1 - self.list_from
    }

    /// The note of a tap; `place` is that in a sequence.
    fn note(
        &self,
        pitch: Pitch,
        place: u32,
        tap: &AcceptedTap,
        trial: &Trial,
        drawn: &mut Drawn,
    ) -> U7 {
        let played = tap.note;
        match pitch {
            Pitch::AsPlayed => played,
            Pitch::Fixed(note) => note,
            Pitch::Transpose(by) => {
                U7::clamped(i64::from(played.get()) + Nanos::round_from_f64(by.at(tap.stamp)).0)
            }
            Pitch::Mirror(about) => {
                U7::clamped(2 * i64::from(about.get()) - i64::from(played.get()))
            }
            Pitch::Table(index) => {
                trial.tables.get(usize::from(index)).map_or(played, |table| table[played.index()])
            }
            Pitch::Chosen(how, list) => {
                let notes = list.of(&trial.notes);
                let chosen = drawn.pitch.choose(how, notes.len(), &mut drawn.random);
                notes.get(chosen).copied().unwrap_or(played)
            }
            Pitch::Sequence(sequence) => nth(sequence.of(&trial.notes), place).unwrap_or(played),
            Pitch::Shift(taps) => self.before(u32::from(taps)).unwrap_or(played),
        }
    }

    /// The key of so many taps ago.
    fn before(&self, taps: u32) -> Option<U7> {
        let tap = self.taps.checked_sub(taps).filter(|&tap| tap > 0)?;
        Some(self.notes[tap as usize % self.notes.len()])
    }

    /// The delay of a tap's tone; `place` is that in a list.
    fn lag(
        &self,
        delay: Delay,
        place: u32,
        tap: &AcceptedTap,
        trial: &Trial,
        drawn: &mut Drawn,
    ) -> Nanos {
        let lag = match delay {
            Delay::Constant(ns) => Nanos::round_from_f64(ns.at(tap.stamp)),
            Delay::Random(spread) => drawn.random.time(spread),
            Delay::Chosen(how, list) => {
                let times = list.of(&trial.times);
                let chosen = drawn.delay.choose(how, times.len(), &mut drawn.random);
                times.get(chosen).copied().unwrap_or(Nanos::ZERO)
            }
            Delay::List(list) => nth(list.of(&trial.times), place).unwrap_or(Nanos::ZERO),
            Delay::Fraction(share) => {
                let interval = self.interval.unwrap_or(Nanos::ZERO);
                Exact::whole(interval).times(share.at(tap.stamp)).round()
            }
        };
        lag.max(Nanos::ZERO)
    }
}

/// The velocity of a tone for a tap's (or a drawn) velocity.
pub fn loudness(velocity: Velocity, played: U7, at: Nanos, random: &mut Random) -> U7 {
    match velocity {
        Velocity::AsPlayed => played,
        Velocity::Fixed(level) => velocity_at(level, at),
        Velocity::Scale(by) => {
            let scaled = Exact::whole(Nanos(played.get().into())).times(by.at(at));
            U7::clamped(scaled.round().0.max(1))
        }
        Velocity::Random(low, high) => {
            U7::clamped(i64::from(random.between(low.get().into(), high.get().into()).max(1)))
        }
    }
}

/// The element of a list that begins again at its end, counted from 0.
fn nth<T: Copy>(list: &[T], index: u32) -> Option<T> {
    list.get(index as usize % list.len().max(1)).copied()
}

//! One feedback channel as the manual has it: what a tap sounds.

use crate::oracle::exact::Exact;
use crate::oracle::line::Line;
use crate::oracle::model::{Delay, Feedback, Occasion, Perturb, Pitch, Press, Velocity};
use crate::oracle::stream::{every, listed};

/// What a tap is answered with.
#[derive(Clone, Debug)]
pub struct Answer {
    pub delay: i64,
    pub note: u8,
    pub velocity: u8,
    pub channel: u8,
    pub duration: Option<i64>,
    pub mute: bool,
    pub altered: Vec<String>,
}

/// A delay that goes from one value to another: from, to, since, so long.
type Ramp = Option<(Exact, i64, i64, i64)>;

pub struct Channel {
    pub of: Feedback,
    pub ramp: Ramp,
    heard: u32,
    keys: Vec<u8>,
    last: Option<i64>,
    /// Taps that the delay and the pitch have had, since they were set.
    delays: usize,
    pitches: usize,
    /// How often each perturbation came.
    came: Vec<usize>,
}

impl Channel {
    pub fn new(of: &Feedback) -> Channel {
        let came = vec![0; of.perturb.len()];
        let (of, keys) = (of.clone(), Vec::new());
        Channel { of, ramp: None, heard: 0, keys, last: None, delays: 0, pitches: 0, came }
    }

    pub fn set_delay(&mut self, to: Delay) {
        (self.of.delay, self.delays, self.ramp) = (to, 0, None);
    }

    pub fn set_pitch(&mut self, to: Pitch) {
        (self.of.pitch, self.pitches) = (to, 0);
    }

    pub fn ramp_delay(&mut self, to: i64, over: i64, now: i64) {
        self.ramp = match self.of.delay {
            Delay::Fixed(from) => {
                Some((self.ramped(now).unwrap_or(Exact::from(from)), to, now, over))
            }
            _ => None, // it has another form at the moment, and begins at its goal
        };
        self.of.delay = Delay::Fixed(to);
    }

    /// Where a ramp of the delay stands.
    fn ramped(&self, at: i64) -> Option<Exact> {
        let (from, to, since, over) = self.ramp?;
        let share = Exact::new(i128::from((at - since).clamp(0, over)), i128::from(over));
        Some((from + (Exact::from(to) - from) * share).coarse())
    }

    pub fn hears(&self, tap: &Press) -> bool {
        let from = self.of.from;
        from.input.is_none_or(|input| input == tap.input)
            && from.channel.is_none_or(|channel| channel == tap.channel)
            && from.notes.is_none_or(|(low, high)| (low..=high).contains(&tap.note))
            && from.velocities.is_none_or(|(low, high)| (low..=high).contains(&tap.velocity))
    }

    /// The answer to a tap that is heard; `told` is the program's row, where it has one.
    pub fn answer(&mut self, tap: &Press, told: Option<&Line>) -> Answer {
        self.heard += 1;
        let pause = self.last.map(|last| tap.at - last);
        self.last = Some(tap.at);
        let acting = self.acting(told);
        let usual_delay = self.of.delay.clone();
        let usual_pitch = self.of.pitch.clone();
        let without = told.map(unperturbed);
        let without = without.as_ref();
        let delay = self.delay(&usual_delay, self.delays, tap, pause, without);
        let note = self.note(&usual_pitch, self.pitches, tap, without);
        let velocity = velocity_of(&self.of.velocity.clone(), tap, without);
        let usual = Answer {
            delay,
            note,
            velocity,
            channel: self.of.channel.unwrap_or(tap.channel),
            duration: self.of.duration,
            mute: false,
            altered: Vec::new(),
        };
        let answer = self.perturbed(usual, &acting, tap, pause, told);
        self.delays += 1;
        self.pitches += 1;
        self.keys.push(tap.note);
        answer
    }

    fn perturbed(
        &self,
        usual: Answer,
        acting: &[(Perturb, usize)],
        tap: &Press,
        pause: Option<i64>,
        told: Option<&Line>,
    ) -> Answer {
        let mut answer = usual.clone();
        let chance = |p: &Perturb| {
            let drawn =
                matches!(p.delay, Some(Delay::Random(_) | Delay::Shuffled(_) | Delay::Once(_)));
            drawn.then_some(told).flatten()
        };
        if let Some((p, came)) = acting.iter().find(|(p, _)| p.delay.is_some()) {
            answer.delay = self.delay(p.delay.as_ref().unwrap(), *came, tap, pause, chance(p));
            answer.altered.push(format!("delay {}", answer.delay - usual.delay));
        }
        if let Some((p, came)) = acting.iter().find(|(p, _)| p.pitch.is_some()) {
            answer.note = self.note(p.pitch.as_ref().unwrap(), *came, tap, told);
            answer
                .altered
                .push(format!("pitch {}", i64::from(answer.note) - i64::from(usual.note)));
        }
        if let Some((p, _)) = acting.iter().find(|(p, _)| p.velocity.is_some()) {
            answer.velocity = velocity_of(p.velocity.as_ref().unwrap(), tap, told);
            let by = i64::from(answer.velocity) - i64::from(usual.velocity);
            answer.altered.push(format!("velocity {by}"));
        }
        if let Some((p, _)) = acting.iter().find(|(p, _)| p.duration.is_some()) {
            answer.duration = p.duration;
            let by = answer.duration.zip(usual.duration).map(|(a, b)| format!(" {}", a - b));
            answer.altered.push(format!("duration{}", by.unwrap_or_default()));
        }
        if acting.iter().any(|(p, _)| p.mute) {
            answer.mute = true;
            answer.altered.insert(0, "mute".into());
        }
        answer
    }

    /// The perturbations that act on this tap, each with how often it came before.
    fn acting(&mut self, told: Option<&Line>) -> Vec<(Perturb, usize)> {
        let mut acting: Vec<(Perturb, usize)> = Vec::new();
        for i in 0..self.of.perturb.len() {
            let p = self.of.perturb[i].clone();
            if !self.comes(i, &p, told) {
                continue;
            }
            let came = self.came[i];
            self.came[i] += 1;
            let muted = acting.iter().any(|(first, _)| first.mute);
            if acting.is_empty() || !(muted || p.mute) {
                acting.push((p, came));
            }
        }
        acting
    }

    fn comes(&self, index: usize, p: &Perturb, told: Option<&Line>) -> bool {
        match &p.when {
            Occasion::At(taps) => taps.contains(&self.heard),
            Occasion::Every(_) => {
                let all = self.of.perturb.iter().enumerate().filter(|(i, _)| *i != index);
                let taken: Vec<u32> = all.flat_map(|(_, o)| listed(&o.when, o.after)).collect();
                every(&p.when, p.after, p.apart, &taken).any(|n| n == self.heard)
            }
            Occasion::Percent(100) => self.heard > p.after,
            Occasion::Percent(0) => false,
            Occasion::Percent(_) => {
                let kind = if p.mute { "mute" } else { "delay" };
                let word = |w: &String| w.split(' ').next() == Some(kind);
                told.is_some_and(|line| line.altered.iter().any(word))
            }
        }
    }

    fn delay(
        &self,
        delay: &Delay,
        place: usize,
        tap: &Press,
        pause: Option<i64>,
        told: Option<&Line>,
    ) -> i64 {
        let drawn = told.and_then(|line| line.feedback).map(|(delay, _)| delay);
        let among = |list: &[i64]| {
            let found = drawn.unwrap_or(list[0]);
            assert!(list.contains(&found), "{found} is not one of {list:?}");
            found
        };
        match delay {
            Delay::Fixed(_) if self.ramp.is_some() && *delay == self.of.delay => {
                self.ramped(tap.at).unwrap().round()
            }
            Delay::Fixed(ns) => *ns,
            Delay::List(list) => list[place % list.len()],
            Delay::Fraction(percent) => {
                pause.map_or(0, |pause| Exact::new(i128::from(pause * percent), 100).round())
            }
            Delay::Uniform(low, high) => {
                let found = drawn.unwrap_or(*low);
                assert!((low..=high).contains(&&found), "{found} is not in {low} to {high}");
                found
            }
            Delay::Random(list) | Delay::Shuffled(list) | Delay::Once(list) => among(list),
        }
    }

    fn note(&self, pitch: &Pitch, place: usize, tap: &Press, told: Option<&Line>) -> u8 {
        let key = i64::from(tap.note);
        let kept = |note: i64| note.clamp(0, 127) as u8;
        match pitch {
            Pitch::AsPlayed => tap.note,
            Pitch::Fixed(note) => *note,
            Pitch::Transpose(by) => kept(key + by),
            Pitch::Mirror(about) => kept(2 * i64::from(*about) - key),
            Pitch::Table(table) => {
                table.iter().find(|(a, _)| *a == tap.note).map_or(tap.note, |(_, b)| *b)
            }
            Pitch::Sequence(list) => list[place % list.len()],
            Pitch::Shift(back) => {
                self.keys.len().checked_sub(*back).map_or(tap.note, |place| self.keys[place])
            }
            Pitch::Random(list) | Pitch::Shuffled(list) | Pitch::Once(list) => {
                let found = told.and_then(|line| line.tone).map_or(list[0], |(note, ..)| note);
                assert!(list.contains(&found), "{found} is not one of {list:?}");
                found
            }
        }
    }
}

/// The program's answer without what perturbations did to it, by what it says of that.
fn unperturbed(told: &Line) -> Line {
    let by = |kind: &str| -> i64 {
        let mut words = told.altered.iter().map(|word| word.split(' '));
        let found = words.find_map(|mut word| (word.next() == Some(kind)).then(|| word.next()));
        found.flatten().map_or(0, |size| size.parse().unwrap())
    };
    let mut line = told.clone();
    let less = |value: u8, kind: &str| u8::try_from(i64::from(value) - by(kind)).unwrap();
    line.tone = told.tone.map(|(n, v, c)| (less(n, "pitch"), less(v, "velocity"), c));
    line.feedback = told.feedback.map(|(delay, shift)| (delay - by("delay"), shift));
    line
}

pub fn velocity_of(velocity: &Velocity, tap: &Press, told: Option<&Line>) -> u8 {
    match velocity {
        Velocity::AsPlayed => tap.velocity,
        Velocity::Fixed(v) => *v,
        Velocity::Scale(percent) => {
            let scaled = Exact::new(i128::from(i64::from(tap.velocity) * percent), 100).round();
            scaled.clamp(1, 127) as u8
        }
        Velocity::Random(low, high) => drawn_velocity(*low, *high, told),
    }
}

pub fn drawn_velocity(low: u8, high: u8, told: Option<&Line>) -> u8 {
    let found = told.and_then(|line| line.tone).map_or(low, |(_, velocity, _)| velocity);
    assert!((low..=high).contains(&found), "velocity {found} is not in {low} to {high}");
    found
}

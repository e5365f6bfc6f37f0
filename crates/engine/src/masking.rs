//! [`Mask`]: one masking stream at run time: random tones on an even or random
//! grid. The draws go on while it is silent, so that switching it on continues
//! in place.

use crate::feedback::loudness;
use crate::random::Random;
use crate::trial::{Masking, SetMasking};
use chronotap_core::midi::U7;
use chronotap_core::time::{Exact, Nanos};

/// A masking stream and where it stands.
#[derive(Clone, Debug)]
pub struct Mask {
    /// Its parameters, as rules may have changed them.
    pub masking: Masking,
    count: u32,
    grid: Exact,
    random: Random,
}

/// A tone of a masking stream.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MaskTone {
    /// Counts the stream's tones, silent ones included, from 1.
    pub number: u32,
    /// Onset asked for.
    pub deadline: Nanos,
    pub note: U7,
    /// Velocity, 1..=127.
    pub velocity: U7,
}

impl Mask {
    /// A stream before its first tone.
    pub fn new(masking: &Masking, seed: u64) -> Mask {
        let random = Random::named(seed, &format!("masking.{}", masking.name));
        Mask { masking: masking.clone(), count: 0, grid: masking.start.into(), random }
    }

    /// When the next tone is due.
    pub fn due(&self) -> Nanos {
        self.grid.round()
    }

    /// Takes the next tone, which is due; `None` where it is silent.
    pub fn tone(&mut self) -> Option<MaskTone> {
        let deadline = self.due();
        let m = &self.masking;
        let (low, high) = m.notes;
        let note = U7::clamped(self.random.between(low.get().into(), high.get().into()).into());
        let velocity = loudness(m.velocity, U7::MAX, deadline, &mut self.random);
        self.count += 1;
        let sounding = m.sounding;
        self.grid = self.grid + self.interval(deadline);
        sounding.then_some(MaskTone { number: self.count, deadline, note, velocity })
    }

    /// A new value from a rule.
    pub fn set(&mut self, value: SetMasking) {
        let m = &mut self.masking;
        match value {
            SetMasking::Sounding(on) => m.sounding = on,
            SetMasking::Rate(rate) => m.rate = rate,
            SetMasking::Channel(channel) => m.channel = channel,
            SetMasking::Notes(low, high) => m.notes = (low, high),
            SetMasking::Velocity(velocity) => m.velocity = velocity,
            SetMasking::Duration(duration) => m.duration = duration,
        }
    }

    /// 1/rate, or drawn with that mean; at least a microsecond.
    fn interval(&mut self, at: Nanos) -> Exact {
        let rate = self.masking.rate.at(at).clamp(1e-6, 1e6);
        if self.masking.irregular {
            let drawn = Nanos::round_from_f64(self.random.exponential() * 1e9 / rate);
            return Exact::whole(drawn.max(Nanos(1_000)));
        }
        // The rate to a millionth of a tone a minute, so that "30 per s" is exactly a thirtieth of
        // a second, and "140 per min" exactly 3/7.
        let millionths = (rate * 60e6).round() as i128;
        Exact::ratio(60_000_000_000_000_000, millionths).unwrap_or(Exact::whole(Nanos(1_000)))
    }
}

//! [`Pad`]: a virtual sensor of force at the end of a wire: what a performer taps presses on it, and is
//! told by the onsets and releases that this project's firmware would tell, with the force a millisecond at
//! a time.
//!
//! From the onset on the force rises evenly from the level of onset to that of the tap, which goes by its
//! velocity, for 10 ms; there it stays until the release, when it falls to rest at once. Time is an argument:
//! real and virtual time give the same taps and the same force.
//!
//! Real-time contract: as that of the [`Wire`](crate::Wire), but where somebody has taken its force, which
//! waits in memory for whoever keeps it.

use chronotap_core::midi::{Channel, Message, U7};
use chronotap_core::sensor::{ForceStretch, ForceValues};
use chronotap_core::time::Nanos;
use chronotap_engine::signal::{Arrival, FeltForce, LowLatency, SensorFacts, Stamp};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Readings of the firmware on an Arduino: the greatest, at rest, at which a tap begins, and below which it ends.
const FULL_SCALE: u16 = 1_023;
const REST: u16 = 19;
const ON: u16 = 59;
const OFF: u16 = 39;
/// Readings a second, and those whose sum is a value.
const READINGS_HZ: u32 = 8_000;
const SUMMED: i64 = 8;
const READING: Nanos = Nanos::from_micros(125);
const ROW: Nanos = Nanos::from_millis(1);
/// How long the force rises.
const RISE: Nanos = Nanos::from_millis(10);
/// Values of force that are handed over together.
const ROWS: i64 = 7;
/// What every tap looks like to a trial.
const NOTE: u8 = 60;
const VELOCITY: u8 = 127;

/// What is said of it in the head of the data file.
pub(crate) fn facts() -> SensorFacts {
    SensorFacts {
        board: "virtual".to_owned(),
        rate_hz: READINGS_HZ,
        full_scale: FULL_SCALE,
        rest: REST,
        on: ON,
        off: OFF,
        low_latency: LowLatency::Granted,
        clock_drift_ppm: 0.0,
        clock_within_ns: 0,
    }
}

/// The force of a virtual sensor, for whoever keeps it.
struct Felt(Arc<Mutex<Waiting>>);

/// What waits until it is kept.
#[derive(Default)]
struct Waiting {
    stretches: VecDeque<ForceStretch>,
    begun: bool,
}

fn lock(force: &Mutex<Waiting>) -> MutexGuard<'_, Waiting> {
    force.lock().unwrap_or_else(PoisonError::into_inner) // whoever panicked left it whole
}

impl FeltForce for Felt {
    fn values_hz(&self) -> u32 {
        READINGS_HZ / SUMMED as u32
    }

    fn most(&self) -> u32 {
        SUMMED as u32 * u32::from(FULL_SCALE)
    }

    fn next(&mut self) -> Option<ForceStretch> {
        lock(&self.0).stretches.pop_front()
    }

    fn lost(&self) -> u64 {
        0
    }

    fn origin(&self) -> Option<Nanos> {
        lock(&self.0).begun.then_some(Nanos::ZERO)
    }
}

/// The sensor of one input.
pub(crate) struct Pad {
    pub(crate) input: u16,
    presses: VecDeque<Press>, // those that are not yet over in what was felt
    row: i64,                 // the next that is felt
    kept: Option<Arc<Mutex<Waiting>>>,
}

/// A tap.
#[derive(Clone, Copy)]
struct Press {
    from: Nanos,
    until: Option<Nanos>,
    reading: u16, // at its greatest
}

impl Press {
    /// What is read then.
    fn reading(self, at: Nanos) -> Option<u16> {
        let pressed = at >= self.from && self.until.is_none_or(|until| at < until);
        let share = ((at - self.from).0 as f64 / RISE.0 as f64).min(1.0);
        pressed.then(|| ON + (f64::from(self.reading - ON) * share).round() as u16)
    }
}

impl Pad {
    pub(crate) fn new(input: u16) -> Pad {
        Pad { input, presses: VecDeque::new(), row: 0, kept: None }
    }

    /// Its force from now on, once.
    pub(crate) fn take_force(&mut self) -> Option<Box<dyn FeltForce>> {
        if self.kept.is_some() {
            return None;
        }
        let force = Arc::<Mutex<Waiting>>::default();
        self.kept = Some(Arc::clone(&force));
        Some(Box::new(Felt(force)))
    }

    /// The performer sends this; what the sensor tells of it. Whoever presses twice has let go between.
    pub(crate) fn touch(&mut self, at: Nanos, message: Message, arrived: &mut dyn FnMut(Arrival)) {
        let velocity = match message {
            Message::NoteOn { velocity, .. } if velocity != U7::ZERO => Some(velocity),
            Message::NoteOn { .. } | Message::NoteOff { .. } => None,
            _ => return,
        };
        if let Some(last) = self.presses.back_mut().filter(|last| last.until.is_none()) {
            last.until = Some(at);
            self.tell(at, false, arrived);
        }
        if let Some(velocity) = velocity {
            let above = u32::from(FULL_SCALE - ON) * u32::from(velocity.get()) / 127;
            let reading = ON + above as u16;
            self.presses.push_back(Press { from: at, until: None, reading });
            self.tell(at, true, arrived);
        }
    }

    fn tell(&self, at: Nanos, pressed: bool, arrived: &mut dyn FnMut(Arrival)) {
        let (channel, note) = (Channel::ONE, U7::from_byte(NOTE));
        let message = match pressed {
            true => Message::NoteOn { channel, note, velocity: U7::from_byte(VELOCITY) },
            false => Message::NoteOff { channel, note, velocity: U7::ZERO },
        };
        arrived(Arrival { input: self.input, at, stamp: Stamp::Device, message });
    }

    /// When there is more to keep, where somebody does.
    pub(crate) fn next(&self) -> Option<Nanos> {
        self.kept.as_ref().map(|_| ROW * (self.row + ROWS))
    }

    /// Feels what was pressed until now.
    pub(crate) fn feel(&mut self, now: Nanos) {
        let Some(kept) = self.kept.clone() else { return };
        while ROW * (self.row + ROWS) <= now {
            let values: Vec<u16> = (0..ROWS).map(|row| self.value(self.row + row)).collect();
            let first = ROW * self.row;
            let device_us = first.0 / 1_000;
            self.row += ROWS;
            let over = |press: &Press| press.until.is_some_and(|until| until <= ROW * self.row);
            while self.presses.front().is_some_and(over) {
                self.presses.pop_front();
            }
            let mut waiting = lock(&kept);
            waiting.begun = true;
            let values = ForceValues::of(&values);
            let stretch = values.map(|values| ForceStretch { first, device_us, values });
            waiting.stretches.extend(stretch);
        }
    }

    /// The value of a row: the sum of its readings.
    fn value(&self, row: i64) -> u16 {
        let at = |n: i64| ROW * row + READING * n;
        let read = |n: i64| self.presses.iter().find_map(|press| press.reading(at(n)));
        (0..SUMMED).map(|n| read(n).unwrap_or(REST)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn press(velocity: u8) -> Message {
        let (channel, note) = (Channel::ONE, U7::from_byte(40));
        Message::NoteOn { channel, note, velocity: U7::from_byte(velocity) }
    }

    fn values(force: &mut dyn FeltForce) -> Vec<u16> {
        let all = std::iter::from_fn(|| force.next());
        all.flat_map(|stretch| stretch.values.as_slice().to_vec()).collect()
    }

    #[test]
    fn a_tap_rises_for_10_ms_to_its_force_and_rests_when_it_is_over() {
        let mut pad = Pad::new(3);
        let mut force = pad.take_force().unwrap();
        assert!(pad.take_force().is_none() && force.origin().is_none());
        let mut told = Vec::new();
        for (ms, message) in [(100, press(127)), (160, press(0)), (200, press(64)), (250, press(9))]
        {
            pad.feel(Nanos::from_millis(ms));
            pad.touch(Nanos::from_millis(ms), message, &mut |one| told.push(one));
        }
        pad.feel(Nanos::from_millis(400));
        assert_eq!(force.origin(), Some(Nanos::ZERO));
        let all = values(&mut *force);
        assert_eq!(all.len(), 399, "rows come by sevens");
        assert!(all[..100].iter().chain(&all[160..200]).all(|value| *value == 8 * REST));
        assert_eq!(all[110..160], [8 * FULL_SCALE; 50]);
        assert!(all[99..111].is_sorted() && all[100] < 8 * 120, "{:?}", &all[99..111]);
        // 964 of 64/127 above the level of onset.
        assert_eq!(all[215], 8 * (ON + 485));
        let kinds: Vec<(i64, bool)> = told
            .iter()
            .map(|one| (one.at.0 / 1_000_000, matches!(one.message, Message::NoteOn { .. })))
            .collect();
        let expected = [(100, true), (160, false), (200, true), (250, false), (250, true)];
        assert_eq!(kinds, expected);
        assert!(told.iter().all(|one| one.stamp == Stamp::Device && one.input == 3));
    }

    #[test]
    fn feeling_often_or_seldom_gives_the_same_force() {
        let of = |step: usize| {
            let mut pad = Pad::new(0);
            let mut force = pad.take_force().unwrap();
            for ms in 0..=700 {
                let now = Nanos::from_millis(ms);
                if ms % 200 == 150 {
                    pad.touch(now, press(if ms % 400 == 150 { 90 } else { 0 }), &mut |_| {});
                }
                if (ms as usize).is_multiple_of(step) {
                    pad.feel(now);
                }
            }
            values(&mut *force)
        };
        assert_eq!(of(1), of(350));
        assert_eq!(of(1).len(), 700);
    }
}

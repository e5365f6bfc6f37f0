//! [`Ear`]: a channel of a virtual sound card at the end of a wire: what a performer taps sounds there
//! as a sensor would see it, and is heard by the detector that hears real taps.
//!
//! A tap is told at the end of the period in which it was found, as a card does that hands its sound
//! over period by period, and has the time of its onset. Beneath the taps lies the noise of a converter
//! of 16 bits. Time is an argument: real and virtual time give the same taps.
//!
//! Real-time contract: as that of the [`Wire`](crate::Wire), but where somebody has taken its sound, as only
//! trials in virtual time do: that waits in memory for whoever keeps it, and the trial waits where too
//! much of it does.

use chronotap_audio::sensor::{Detector, FoundTap, Listening, TAP_SHAPES, TapShape};
use chronotap_core::midi::{Channel, Message, U7};
use chronotap_core::time::Nanos;
use chronotap_data::record::{Audio, EarUsed};
use chronotap_engine::signal::{Arrival, HeardPart, HeardSound, SoundKept, Stamp};
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// A tap of velocity 127 has this peak, full scale being 1 (-3 dB).
const STRONGEST: f64 = 0.7;
/// The greatest value of the noise: one step of 16 bits.
const NOISE: f32 = 1.0 / 32_768.0;
/// Taps that may sound at the same time.
const TAPS: usize = 64;
/// The samples that may wait until they are kept: 22 s at 48 kHz, 4 MB. Virtual time runs a thousand times as
/// fast as real time, and a disk may be slow.
const WAITING: usize = 1 << 20;
/// What every tap that is heard looks like to a trial.
const NOTE: u8 = 60;
const VELOCITY: u8 = 64;

/// How a virtual ear hears.
#[derive(Clone, Copy, Debug)]
pub struct VirtualEar {
    /// The channel, from 1.
    pub channel: u8,
    /// The channel to which the card's output is looped, where it is.
    pub looped: Option<u8>,
    /// What is kept of its sound in virtual time.
    pub kept: SoundKept,
    pub listening: Listening,
    /// What taps look like.
    pub taps: &'static TapShape,
    /// Frames a second.
    pub rate_hz: u32,
    /// Frames of a period.
    pub period_frames: u32,
}

impl VirtualEar {
    /// For the head of the data file, where its sound is kept. Nothing lies between the tap and the card,
    /// and the time of a frame is exact to half a nanosecond.
    pub fn described(&self) -> Option<Audio> {
        let record = match self.kept {
            SoundKept::Taps => "taps",
            SoundKept::All => "all",
            SoundKept::Nothing => return None,
        };
        let looped = self.looped.map(|channel| format!("&loop={channel}")).unwrap_or_default();
        let settings =
            format!("channel={}&{}&record={record}{looped}", self.channel, self.listening.words());
        let ear = EarUsed {
            channel: self.channel,
            settings,
            record: record.into(),
            ..EarUsed::default()
        };
        let (period_frames, rate_hz) = (self.period_frames, self.rate_hz);
        Some(Audio { period_frames, rate_hz, ear: Some(ear), ..Audio::default() })
    }

    /// Frames before the trial begins: a card runs before, so that its filters have settled. Whole periods.
    fn lead(&self) -> u64 {
        let period = self.period_frames.max(1);
        u64::from((self.rate_hz / 2).div_ceil(period) * period)
    }

    fn time_of(&self, frame: f64) -> Nanos {
        Nanos::round_from_f64((frame - self.lead() as f64) * 1e9 / f64::from(self.rate_hz))
    }
}

/// The sound of a virtual ear, for whoever keeps it.
struct Kept {
    sound: Arc<Queue>,
    about: VirtualEar,
}

/// What waits until it is kept.
#[derive(Default)]
struct Waiting {
    samples: VecDeque<f32>,
    parts: VecDeque<HeardPart>,
    begun: bool,
    nobody_keeps: bool,
}

#[derive(Default)]
struct Queue {
    waiting: Mutex<Waiting>,
    has_room: Condvar,
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner) // whoever panicked left it whole
    }

    /// The same once there is room, or nobody who would take anything.
    fn lock_with_room(&self) -> MutexGuard<'_, Waiting> {
        let full =
            |waiting: &mut Waiting| waiting.samples.len() >= WAITING && !waiting.nobody_keeps;
        self.has_room.wait_while(self.lock(), full).unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        self.sound.lock().nobody_keeps = true;
        self.sound.has_room.notify_one();
    }
}

impl HeardSound for Kept {
    fn rate_hz(&self) -> u32 {
        self.about.rate_hz
    }

    fn kept(&self) -> SoundKept {
        self.about.kept
    }

    fn next(&mut self, samples: &mut Vec<f32>) -> Option<HeardPart> {
        let mut waiting = self.sound.lock();
        let part = waiting.parts.pop_front()?;
        if let HeardPart::Period { frames, .. } = part {
            let there = waiting.samples.len().min(frames as usize);
            samples.extend(waiting.samples.drain(..there));
            self.sound.has_room.notify_one();
        }
        Some(part)
    }

    fn lost(&self) -> u64 {
        0
    }

    fn origin(&self) -> Option<Nanos> {
        self.sound.lock().begun.then_some(Nanos::ZERO)
    }
}

/// The channel of one input, and where the card's output is looped to another, that one.
pub(crate) struct Ear {
    pub(crate) input: u16,
    about: VirtualEar,
    taps: CardChannel,
    looped: Option<CardChannel>,
    heard: u64,          // frames
    held: Option<Nanos>, // until when the last tap is
}

/// What comes in on a channel.
struct CardChannel {
    shape: &'static TapShape,
    detector: Detector,
    sound: Vec<f32>, // of the period that is heard
    strikes: VecDeque<Struck>,
    noise: u32,
    kept: Option<Arc<Queue>>,
}

/// A tap or a tone that sounds.
#[derive(Clone, Copy)]
struct Struck {
    frame: f64,
    peak: f64,
}

impl Ear {
    pub(crate) fn new(input: u16, about: &VirtualEar) -> Ear {
        let noise = u32::from(input) + 1;
        let taps = CardChannel::new(about, &about.listening, about.taps, noise);
        let looped = about.looped.map(|_| {
            CardChannel::new(about, &Listening::to_loop(), tone(), noise.wrapping_add(1 << 16))
        });
        Ear { input, about: *about, taps, looped, heard: 0, held: None }
    }

    /// Its sound from now on, where something of it is to be kept.
    pub(crate) fn take_sound(&mut self) -> Option<Box<dyn HeardSound>> {
        self.taps.take_sound(&self.about)
    }

    /// The same of the channel to which the output is looped.
    pub(crate) fn take_loop(&mut self) -> Option<Box<dyn HeardSound>> {
        self.looped.as_mut()?.take_sound(&self.about)
    }

    /// The performer sends this; a press is a tap. False where more sound than there is room for.
    pub(crate) fn strike(&mut self, at: Nanos, message: Message) -> bool {
        let frame = self.frame_of(at);
        self.taps.strike(frame, message)
    }

    /// The trial's output sends this, which a loop brings back.
    pub(crate) fn play(&mut self, at: Nanos, message: Message) -> bool {
        let frame = self.frame_of(at);
        self.looped.as_mut().is_none_or(|channel| channel.strike(frame, message))
    }

    fn frame_of(&self, at: Nanos) -> f64 {
        let frame = at.0 as f64 * f64::from(self.about.rate_hz) / 1e9;
        (frame + self.about.lead() as f64).max(self.heard as f64)
    }

    /// When there may be something to tell.
    pub(crate) fn next(&self) -> Nanos {
        let period = self.time_of(self.behind());
        self.held.map_or(period, |held| held.min(period))
    }

    /// Hears what has sounded until now; how much was told.
    pub(crate) fn hear(&mut self, now: Nanos, arrived: &mut dyn FnMut(Arrival)) -> u64 {
        let mut told = 0;
        loop {
            let end = self.time_of(self.behind());
            told += self.let_go(now.min(end), arrived);
            if end > now {
                return told;
            }
            if let Some(channel) = &mut self.looped {
                channel.hear(&self.about, self.heard);
            }
            let found = self.taps.hear(&self.about, self.heard);
            self.heard += u64::from(self.about.period_frames);
            if let Some(FoundTap { frame, .. }) = found {
                told += self.press(self.time_of(frame).max(Nanos::ZERO), arrived);
            }
        }
    }

    /// The frame behind the period that is heard next.
    fn behind(&self) -> f64 {
        (self.heard + u64::from(self.about.period_frames)) as f64
    }

    /// A tap began then.
    fn press(&mut self, at: Nanos, arrived: &mut dyn FnMut(Arrival)) -> u64 {
        let hold = Nanos::round_from_f64(self.about.listening.gap_s / 2.0 * 1e9);
        let told = self.let_go(Nanos::MAX, arrived);
        self.held = Some(at + hold);
        let (channel, note, velocity) = tap();
        self.tell(at, Message::NoteOn { channel, note, velocity }, arrived);
        told + 1
    }

    /// The last tap is let go, where that is so by now.
    fn let_go(&mut self, now: Nanos, arrived: &mut dyn FnMut(Arrival)) -> u64 {
        let Some(at) = self.held.take_if(|held| *held <= now) else { return 0 };
        let (channel, note, velocity) = tap();
        self.tell(at, Message::NoteOff { channel, note, velocity }, arrived);
        1
    }

    fn tell(&self, at: Nanos, message: Message, arrived: &mut dyn FnMut(Arrival)) {
        arrived(Arrival { input: self.input, at, stamp: Stamp::AudioFrame, message });
    }

    fn time_of(&self, frame: f64) -> Nanos {
        self.about.time_of(frame)
    }
}

impl CardChannel {
    fn new(
        about: &VirtualEar,
        listening: &Listening,
        shape: &'static TapShape,
        noise: u32,
    ) -> CardChannel {
        CardChannel {
            shape,
            detector: Detector::live(listening, about.rate_hz),
            sound: vec![0.0; about.period_frames as usize],
            strikes: VecDeque::with_capacity(TAPS),
            noise,
            kept: None,
        }
    }

    fn take_sound(&mut self, about: &VirtualEar) -> Option<Box<dyn HeardSound>> {
        if about.kept == SoundKept::Nothing || self.kept.is_some() {
            return None;
        }
        let sound = Arc::<Queue>::default();
        self.kept = Some(Arc::clone(&sound));
        Some(Box::new(Kept { sound, about: *about }))
    }

    /// A note begins to sound. False where more sound than there is room for.
    fn strike(&mut self, frame: f64, message: Message) -> bool {
        let Message::NoteOn { velocity, .. } = message else { return true };
        let fits = self.strikes.len() < TAPS;
        if fits && velocity.get() > 0 {
            let peak = STRONGEST * f64::from(velocity.get()) / 127.0;
            self.strikes.push_back(Struck { frame, peak });
        }
        fits || velocity.get() == 0
    }

    /// Hears a period, which begins with this frame, and hands it to whoever keeps the sound.
    fn hear(&mut self, about: &VirtualEar, first: u64) -> Option<FoundTap> {
        self.sounds(about, first);
        let mut found = None;
        // The least gap is longer than a period, or the next one is told with it.
        self.detector.hear(&self.sound, &mut |tap| found = found.or(Some(tap)));
        self.keep(about, first, found);
        found
    }

    fn keep(&self, about: &VirtualEar, frame: u64, found: Option<FoundTap>) {
        let Some(kept) = &self.kept else { return };
        let (frames, at) = (self.sound.len() as u32, about.time_of(frame as f64));
        let mut waiting = kept.lock_with_room();
        if waiting.nobody_keeps {
            return;
        }
        waiting.begun = true;
        waiting.samples.extend(&self.sound);
        waiting.parts.push_back(HeardPart::Period { frame, frames, at });
        let tap =
            found.map(|tap| HeardPart::Tap { frame: tap.frame, at: about.time_of(tap.frame) });
        waiting.parts.extend(tap);
    }

    /// What comes in within this period.
    fn sounds(&mut self, about: &VirtualEar, first: u64) {
        let CardChannel { shape, sound, strikes, noise, .. } = self;
        for sample in sound.iter_mut() {
            // Numerical Recipes, the quick and dirty generator: nobody looks at its lower bits.
            *noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            *sample = ((*noise >> 8) as f32 / (1 << 23) as f32 - 1.0) * NOISE;
        }
        for strike in strikes.iter() {
            shape.add(sound, strike.frame - first as f64, strike.peak, about.rate_hz);
        }
        let behind = (first + sound.len() as u64) as f64;
        let lasts = shape.lasts_s * f64::from(about.rate_hz);
        while strikes.front().is_some_and(|strike| strike.frame + lasts < behind) {
            strikes.pop_front();
        }
        sound.iter_mut().for_each(|sample| *sample = sample.clamp(-1.0, 1.0));
    }
}

/// What a tone of the trial looks like: a sine that begins at once.
fn tone() -> &'static TapShape {
    TAP_SHAPES.iter().find(|shape| shape.word == "ring").unwrap_or(&TAP_SHAPES[0])
}

fn tap() -> (Channel, U7, U7) {
    (Channel::ONE, U7::from_byte(NOTE), U7::from_byte(VELOCITY))
}

#[cfg(test)]
mod tests {
    use super::*;
    use chronotap_audio::sensor::sensor_named;

    fn ear(shape: usize, period_frames: u32) -> Ear {
        let taps = &TAP_SHAPES[shape];
        let listening = Listening::to(sensor_named(taps.sensor).unwrap(), 0.03);
        let (channel, looped, kept, rate_hz) = (1, None, SoundKept::Nothing, 48_000);
        Ear::new(3, &VirtualEar { channel, looped, kept, listening, taps, rate_hz, period_frames })
    }

    fn press(velocity: u8) -> Message {
        let velocity = U7::from_byte(velocity);
        Message::NoteOn { channel: Channel::ONE, note: U7::from_byte(40), velocity }
    }

    /// Presses at these milliseconds, and what was told: when, and with which times.
    fn told(ear: &mut Ear, ms: &[i64], until_ms: i64) -> Vec<(Nanos, Arrival)> {
        let (mut all, mut left) = (Vec::new(), ms.iter().peekable());
        loop {
            let now = ear.next();
            if now > Nanos::from_millis(until_ms) {
                return all;
            }
            while let Some(at) = left.next_if(|at| Nanos::from_millis(**at) <= now) {
                assert!(ear.strike(Nanos::from_millis(*at), press(100)));
            }
            ear.hear(now, &mut |arrival| all.push((now, arrival)));
        }
    }

    #[test]
    fn a_tap_has_the_time_of_its_onset_and_is_told_within_a_period_and_a_millisecond() {
        let presses = [200, 733, 1_301];
        for (shape, late_us) in [(0, 50), (1, 50)] {
            let all = told(&mut ear(shape, 256), &presses, 2_000);
            let on = |(_, one): &&(Nanos, Arrival)| matches!(one.message, Message::NoteOn { .. });
            let taps: Vec<_> = all.iter().filter(on).collect();
            assert_eq!((taps.len(), all.len()), (3, 6), "each is let go, too");
            for ((now, tap), press) in taps.iter().zip(presses.map(Nanos::from_millis)) {
                assert!((tap.at - press).abs() < Nanos::from_micros(late_us), "{tap:?} {press}");
                assert!(*now - press < Nanos::from_micros(5_334 + 1_000), "{now} {press}");
                assert_eq!((tap.input, tap.stamp), (3, Stamp::AudioFrame));
            }
        }
    }

    #[test]
    fn a_tap_is_held_for_half_of_the_least_gap() {
        let all = told(&mut ear(1, 64), &[500], 1_000);
        let [(_, on), (now, off)] = &all[..] else { panic!("{all:?}") };
        assert_eq!(off.at - on.at, Nanos::from_millis(40));
        assert_eq!(*now, off.at, "and that is told when it is so");
    }

    #[test]
    fn a_tap_too_soft_for_the_threshold_and_noise_are_not_heard() {
        let mut ear = ear(1, 256);
        assert!(ear.strike(Nanos::from_millis(300), press(4)));
        let mut heard = 0;
        ear.hear(Nanos::from_secs(2), &mut |_| heard += 1);
        assert_eq!(heard, 0);
    }

    #[test]
    fn a_trial_that_is_faster_than_whoever_keeps_its_sound_waits_and_memory_is_bounded() {
        let about = VirtualEar { kept: SoundKept::All, ..ear(1, 256).about };
        let mut ear = Ear::new(0, &about);
        let mut sound = ear.take_sound().unwrap();
        let queue = Arc::clone(ear.taps.kept.as_ref().unwrap());
        let trial = std::thread::spawn(move || {
            ear.hear(Nanos::from_secs(60), &mut |_| {});
        });
        let (mut taken, mut most, mut frames) = (Vec::new(), 0, 0);
        loop {
            let is_over = trial.is_finished(); // before the last look
            most = most.max(queue.lock().samples.len());
            match sound.next(&mut taken) {
                None if is_over => break,
                _ => frames += taken.len() as u64,
            }
            taken.clear();
        }
        trial.join().unwrap();
        assert_eq!(frames, 60 * 48_000 + about.lead());
        assert!(most <= WAITING + 256, "{most}");
        let mut ear = Ear::new(0, &about);
        drop(ear.take_sound());
        ear.hear(Nanos::from_secs(60), &mut |_| {});
        assert_eq!(ear.taps.kept.unwrap().lock().samples.len(), 0, "nobody keeps it: nobody waits");
    }

    #[test]
    fn hearing_often_or_seldom_gives_the_same_taps() {
        let of = |step_ms: i64| {
            let (mut ear, mut all) = (ear(1, 256), Vec::new());
            for at in [400, 901] {
                ear.strike(Nanos::from_millis(at), press(90));
            }
            for now in (0..=1_600).step_by(step_ms as usize) {
                ear.hear(Nanos::from_millis(now), &mut |one| all.push((one.at, one.message)));
            }
            all
        };
        assert_eq!(of(1), of(400));
        assert_eq!(of(1).len(), 4);
    }
}

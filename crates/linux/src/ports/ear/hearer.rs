//! [`Hearer`]: the sound card's side of an ear: finds the taps in what comes in, and the tones that a loop brings back.
//!
//! Real-time contract: the card's thread; no allocation, lock, log or panic; bounded by the period.
//! Its one system call is to wake the trial's thread where there was a tap. The queue is wait-free.

use crate::cards::{CardShape, CardWatch};
use crate::ports::guarded;
use crate::realtime::Wake;
use chronotap_audio::sensor::{Detector, FoundTap, Listening};
use chronotap_audio::{Period, Process};
use chronotap_core::time::Nanos;
use chronotap_engine::signal::{HeardPart, HeardSound, SoundKept};
use rtrb::{Consumer, Producer, RingBuffer};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicI64, AtomicU64};

/// What the hearer counts for the trial's thread. Nothing else is read with either, so that they
/// need no order.
#[derive(Debug, Default)]
pub(super) struct Counts {
    /// Taps that found the queue full.
    pub(super) lost: AtomicU64,
    /// Frames that nobody has taken in time who keeps them.
    pub(super) unkept: AtomicU64,
    /// By how much the beginning of a period was furthest from what the period before let expect,
    /// in ns.
    pub(super) deviation: AtomicI64,
}

/// Hears the channel of the taps, and that to which the card's output is looped, where it is.
pub(super) struct Hearer {
    taps: HeardChannel,
    looped: Option<HeardChannel>,
    onsets: Producer<Nanos>, // raw CLOCK_MONOTONIC
    counts: Arc<Counts>,
    watch: Arc<CardWatch>,
    wake: Wake,
    frame_ns: f64,
    capture: Nanos, // from the converter to the beginning of the period
    last: Option<(u64, Nanos)>,
}

/// One channel of the card.
struct HeardChannel {
    channel: usize,
    detector: Detector,
    keeping: Option<Keeping>, // where its sound is kept
}

impl HeardChannel {
    fn new((channel, listening): (usize, &Listening), rate_hz: u32) -> HeardChannel {
        HeardChannel { channel, detector: Detector::live(listening, rate_hz), keeping: None }
    }

    /// Hears a period whose first frame was at the converter at `began`.
    fn hear(
        &mut self,
        period: &Period<'_>,
        (began, frame_ns): (Nanos, f64),
        found: &mut dyn FnMut(Nanos),
    ) {
        let HeardChannel { channel, detector, keeping } = self;
        let Some(input) = period.inputs.get(*channel) else { return };
        if let Some(keeping) = keeping {
            keeping.period(period.frame, began, input);
        }
        detector.hear_from(period.frame, input, &mut |tap: FoundTap| {
            let ahead = (tap.frame - period.frame as f64) * frame_ns;
            let at = began + Nanos::round_from_f64(ahead);
            found(at);
            keeping.iter_mut().for_each(|keeping| keeping.tap(tap.frame, at));
        });
    }
}

/// The card's ends of the queues by which sound and taps go to whoever keeps them.
pub(super) struct Keeping {
    samples: Producer<f32>,
    parts: Producer<HeardPart>,
    counts: Arc<Counts>,
}

impl Keeping {
    /// A period. Where there is no room for all of it, none is handed over.
    fn period(&mut self, frame: u64, at: Nanos, input: &[f32]) {
        let fits = self.parts.slots() > 0;
        let room = self.samples.write_chunk_uninit(input.len()).ok().filter(|_| fits);
        let Some(room) = room else {
            self.counts.unkept.fetch_add(input.len() as u64, Relaxed);
            return;
        };
        room.fill_from_iter(input.iter().copied());
        let frames = input.len() as u32;
        let _ = self.parts.push(HeardPart::Period { frame, frames, at }); // there is room
    }

    fn tap(&mut self, frame: f64, at: Nanos) {
        let _ = self.parts.push(HeardPart::Tap { frame, at }); // without it the sound is not kept
    }
}

/// The other ends.
pub(super) struct Sound {
    samples: Consumer<f32>,
    parts: Consumer<HeardPart>,
    counts: Arc<Counts>,
    watch: Arc<CardWatch>,
    rate_hz: u32,
    kept: SoundKept,
}

/// How much sound waits until somebody takes it: 2 s, in periods of 16 frames or more.
const WAITING_S: usize = 2;
const FRAMES_AT_LEAST: usize = 16;

/// Both ends of the queues, where something is to be kept.
pub(super) fn keeping(
    kept: SoundKept,
    shape: &CardShape,
    watch: &Arc<CardWatch>,
    counts: &Arc<Counts>,
) -> Option<(Keeping, Sound)> {
    if kept == SoundKept::Nothing {
        return None;
    }
    let frames = WAITING_S * shape.rate_hz as usize;
    let (into, samples) = RingBuffer::new(frames);
    let (telling, parts) = RingBuffer::new(frames / FRAMES_AT_LEAST);
    let keeping = Keeping { samples: into, parts: telling, counts: Arc::clone(counts) };
    let (counts, watch, rate_hz) = (Arc::clone(counts), Arc::clone(watch), shape.rate_hz);
    Some((keeping, Sound { samples, parts, counts, watch, rate_hz, kept }))
}

impl HeardSound for Sound {
    fn rate_hz(&self) -> u32 {
        self.rate_hz
    }

    fn kept(&self) -> SoundKept {
        self.kept
    }

    fn next(&mut self, samples: &mut Vec<f32>) -> Option<HeardPart> {
        let part = self.parts.pop().ok()?;
        if let HeardPart::Period { frames, .. } = part
            && let Ok(sound) = self.samples.read_chunk(frames as usize)
        {
            samples.extend(sound);
        }
        Some(part)
    }

    fn lost(&self) -> u64 {
        self.counts.unkept.load(Relaxed)
    }

    fn origin(&self) -> Option<Nanos> {
        self.watch.origin()
    }
}

impl Hearer {
    pub(super) fn new(
        taps: (usize, &Listening),
        shape: &CardShape,
        watch: &Arc<CardWatch>,
        (onsets, counts, wake): (Producer<Nanos>, Arc<Counts>, Wake),
    ) -> Hearer {
        Hearer {
            taps: HeardChannel::new(taps, shape.rate_hz),
            looped: None,
            onsets,
            counts,
            watch: Arc::clone(watch),
            wake,
            frame_ns: 1e9 / f64::from(shape.rate_hz.max(1)),
            capture: shape.capture_latency(),
            last: None,
        }
    }

    /// The same, where the sound is kept.
    pub(super) fn kept_by(mut self, keeping: Option<Keeping>) -> Hearer {
        self.taps.keeping = keeping;
        self
    }

    /// The same, where the output comes back on this channel too: its sound is kept around each tone.
    pub(super) fn with_loop(
        mut self,
        channel: usize,
        shape: &CardShape,
        keeping: Keeping,
    ) -> Hearer {
        let looped = HeardChannel::new((channel, &Listening::to_loop()), shape.rate_hz);
        self.looped = Some(HeardChannel { keeping: Some(keeping), ..looped });
        self
    }

    fn hear(&mut self, period: &Period<'_>) {
        // Known: this is the thread that tells the watch of each period.
        let Some(began) = self.watch.last_period() else { return };
        self.compare(period.frame, began.at);
        let Hearer { taps, looped, onsets, counts, wake, frame_ns, capture, .. } = self;
        let clock = (began.at - *capture, *frame_ns);
        if let Some(looped) = looped {
            looped.hear(period, clock, &mut |_| ());
        }
        taps.hear(period, clock, &mut |at| {
            let full = onsets.push(at).is_err();
            counts.lost.fetch_add(u64::from(full), Relaxed);
            wake.wake();
        });
    }

    /// How far the beginning of this period is from what the last one let expect.
    fn compare(&mut self, frame: u64, began: Nanos) {
        if let Some((last, at)) = self.last.replace((frame, began)) {
            let passed = frame.saturating_sub(last) as f64 * self.frame_ns;
            let off = (began - at - Nanos::round_from_f64(passed)).abs();
            self.counts.deviation.fetch_max(off.0, Relaxed);
        }
    }
}

impl Process for Hearer {
    fn process(&mut self, period: &mut Period<'_>) {
        guarded(|| self.hear(period));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chronotap_audio::sensor::{TAP_SHAPES, sensor_named};
    use rustix::event::{PollFd, PollFlags, poll};
    use rustix::time::Timespec;

    const FRAMES: usize = 256;
    const RATE_HZ: u32 = 48_000;
    /// When frame 0 of the card is due.
    const BEGAN: Nanos = Nanos::from_secs(5);

    struct Set {
        hearer: Hearer,
        onsets: Consumer<Nanos>,
        watch: Arc<CardWatch>,
        counts: Arc<Counts>,
        wake: Wake,
    }

    /// A hearer of the second channel; in its queue there is room for so many.
    fn set(room: usize) -> Set {
        let shape = CardShape {
            rate_hz: RATE_HZ,
            period_frames: FRAMES as u32,
            capture_latency_frames: FRAMES as u32,
            ..CardShape::default()
        };
        let (into, onsets) = RingBuffer::new(room);
        let (watch, counts) = (Arc::new(CardWatch::new(&shape)), Arc::<Counts>::default());
        let wake = Wake::new().unwrap();
        let listening = Listening::to(sensor_named("contact").unwrap(), 0.03);
        let ends = (into, Arc::clone(&counts), wake.clone());
        let hearer = Hearer::new((1, &listening), &shape, &watch, ends);
        Set { hearer, onsets, watch, counts, wake }
    }

    fn due(frame: u64) -> Nanos {
        BEGAN + Nanos((frame * 1_000_000_000 / u64::from(RATE_HZ)) as i64)
    }

    impl Set {
        /// The card hands over the sound from this frame on, each period this much too late.
        fn hear(&mut self, first: u64, sound: &[f32], late: impl Fn(usize) -> Nanos) {
            for (place, input) in sound.chunks_exact(FRAMES).enumerate() {
                let frame = first + (place * FRAMES) as u64;
                self.watch.begin(due(frame) + late(place), frame);
                let other = [0.9; FRAMES];
                let inputs: &[&[f32]] = &[&other, input];
                let mut period = Period { frame, rate_hz: RATE_HZ, inputs, outputs: &mut [] };
                self.hearer.process(&mut period);
            }
        }
    }

    /// A second of rest, in which these taps begin, in frames.
    fn sound(taps: &[f64]) -> Vec<f32> {
        let mut sound = vec![0.0; RATE_HZ as usize];
        taps.iter().for_each(|frame| TAP_SHAPES[1].add(&mut sound, *frame, 0.4, RATE_HZ));
        sound
    }

    #[test]
    fn a_tap_has_the_time_at_which_its_first_frame_was_at_the_converter() {
        let mut set = set(8);
        set.hear(1_024, &sound(&[20_000.3, 30_000.0]), |_| Nanos::ZERO);
        for frame in [20_000.3, 30_000.0] {
            let onset = set.onsets.pop().unwrap();
            let at = (frame + 1_024.0 - 256.0) * 1e9 / f64::from(RATE_HZ);
            let off = onset - BEGAN - Nanos::round_from_f64(at);
            assert!(off.abs() < Nanos::from_micros(30), "{off}");
        }
        assert!(set.onsets.pop().is_err());
        let mut fds = [PollFd::from_borrowed_fd(set.wake.descriptor(), PollFlags::IN)];
        assert_eq!(poll(&mut fds, Some(&Timespec::default())), Ok(1), "the trial is woken");
    }

    #[test]
    fn how_far_periods_are_from_what_was_expected_is_told() {
        let mut set = set(8);
        let late = |place| if place == 30 { Nanos::from_micros(40) } else { Nanos::ZERO };
        set.hear(0, &sound(&[]), late);
        let deviation = set.counts.deviation.load(Relaxed);
        assert!((deviation - 40_000).abs() < 3, "{deviation}");
    }

    #[test]
    fn frames_that_the_card_lost_move_no_tap() {
        let mut set = set(8);
        set.hear(0, &sound(&[]), |_| Nanos::ZERO);
        let gap = 96_000;
        set.hear(gap, &sound(&[24_000.0]), |_| Nanos::ZERO);
        let at = Nanos(((gap + 24_000 - 256) * 1_000_000_000 / u64::from(RATE_HZ)) as i64);
        let off = set.onsets.pop().unwrap() - BEGAN - at;
        assert!(off.abs() < Nanos::from_micros(30), "{off}");
        assert!(set.counts.deviation.load(Relaxed) < 3, "the numbers go on with the time");
    }

    /// The same, and who takes the sound, with room for that of a card of this rate.
    fn set_keeping(room_rate_hz: u32) -> (Set, Sound) {
        let set = set(8);
        let shape = CardShape { rate_hz: room_rate_hz, ..CardShape::default() };
        let (keeping, sound) = keeping(SoundKept::Taps, &shape, &set.watch, &set.counts).unwrap();
        (Set { hearer: set.hearer.kept_by(Some(keeping)), ..set }, sound)
    }

    #[test]
    fn what_is_heard_is_handed_over_and_a_period_without_room_is_counted() {
        let (mut set, mut kept) = set_keeping(1_000);
        let sound: Vec<f32> = (0..10 * FRAMES).map(|n| n as f32 / 1e4).collect();
        set.hear(96_000, &sound, |_| Nanos::ZERO);
        let (mut samples, mut periods) = (Vec::new(), 0);
        while let Some(part) = kept.next(&mut samples) {
            let HeardPart::Period { frame, at, .. } = part else { panic!("{part:?}") };
            assert_eq!(at, due(frame) - Nanos(5_333_333));
            periods += 1;
        }
        // In 2 s at 1,000 Hz there is room for 7 periods of 256.
        assert_eq!((periods, &samples[..]), (7, &sound[..7 * FRAMES]));
        assert_eq!(kept.lost(), 3 * FRAMES as u64);
    }

    #[test]
    fn a_tap_is_told_to_whoever_keeps_the_sound_as_to_the_trial() {
        let (mut set, mut kept) = set_keeping(RATE_HZ);
        set.hear(1_024, &sound(&[20_000.0]), |_| Nanos::ZERO);
        let onset = set.onsets.pop().unwrap();
        let parts = std::iter::from_fn(|| kept.next(&mut Vec::new()));
        let tap = |part| match part {
            HeardPart::Tap { frame, at } => Some((frame, at)),
            HeardPart::Period { .. } => None,
        };
        let taps: Vec<_> = parts.filter_map(tap).collect();
        let [(frame, at)] = taps[..] else { panic!("{taps:?}") };
        assert!((frame - 21_024.0).abs() < 1.5 && at == onset, "{taps:?}");
    }

    #[test]
    fn a_tone_that_comes_back_by_the_loop_is_kept_with_its_time_and_is_no_tap() {
        let mut set = set(8);
        let shape = CardShape { rate_hz: RATE_HZ, ..CardShape::default() };
        let (keeping, mut kept) =
            keeping(SoundKept::Taps, &shape, &set.watch, &set.counts).unwrap();
        // The taps' channel is a constant; what sounds is on the second.
        set.hearer.taps.channel = 0;
        set.hearer = set.hearer.with_loop(1, &shape, keeping);
        set.hear(1_024, &sound(&[20_000.0, 30_000.0]), |_| Nanos::ZERO);
        let parts = std::iter::from_fn(|| kept.next(&mut Vec::new()));
        let tone = |part| match part {
            HeardPart::Tap { frame, at } => Some((frame, at)),
            HeardPart::Period { .. } => None,
        };
        let tones: Vec<_> = parts.filter_map(tone).collect();
        let [(first, at), (second, then)] = tones[..] else { panic!("{tones:?}") };
        assert!((first - 21_024.0).abs() < 1.5 && (second - 31_024.0).abs() < 1.5, "{tones:?}");
        assert!((then - at - Nanos(208_333_333)).abs() < Nanos::from_micros(30), "{tones:?}");
        // A constant is one onset at most.
        assert!(std::iter::from_fn(|| set.onsets.pop().ok()).count() <= 1);
    }

    #[test]
    fn a_tap_that_finds_the_queue_full_is_counted() {
        let mut set = set(1);
        set.hear(0, &sound(&[20_000.0, 30_000.0]), |_| Nanos::ZERO);
        assert_eq!(set.counts.lost.load(Relaxed), 1);
    }
}

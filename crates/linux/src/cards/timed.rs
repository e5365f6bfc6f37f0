//! The virtual card: a timer that calls as a card would, so that everything runs on a
//! machine without sound.
//!
//! Period k is due at an absolute time, the start plus k periods to the nanosecond; a
//! wake-up that comes late makes the next one no later. Its sound would be at the
//! converter one period after it was due, as with a buffer of two periods; where a call
//! begins after that, the buffer has run empty: an xrun, and the frames missed are passed
//! over. It makes no sound, but its outputs may be joined to its inputs.
//!
//! Real-time contract of the thread: after it has begun, no allocation, lock, log or
//! panic; its only system calls are the sleep and the clock's.

use crate::cards::error::{CardError, Offered};
use crate::cards::name::Loop;
use crate::cards::request::{CHANNELS, CardRequest};
use crate::cards::shape::CardShape;
use crate::cards::stage::Stage;
use crate::cards::thread::CardThread;
use crate::clocks::{MonotonicClock, sleep_until};
use crate::realtime::Request;
use chronotap_audio::Period;
use chronotap_core::time::Nanos;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Where nothing else is asked.
const RATE_HZ: u32 = 48_000;
const PERIOD_FRAMES: u32 = 256;
/// Periods that may be asked for.
const FRAMES: std::ops::RangeInclusive<u32> = 8..=8_192;
/// Rates that may be asked for.
const RATES_HZ: std::ops::RangeInclusive<u32> = 8_000..=192_000;
/// Longest loop: 10 s at 192 kHz.
const LONGEST_LOOP: u32 = 1_920_000;

/// How a virtual card runs, if it is to run like that.
pub(crate) fn shape(wanted: &CardRequest, looped: Option<Loop>) -> Result<CardShape, CardError> {
    let period_frames = wanted.period_frames.unwrap_or(PERIOD_FRAMES);
    let rate_hz = wanted.rate_hz.unwrap_or(RATE_HZ);
    let refuse = |asked: String, offered: String| {
        let offered = Offered::Has(offered);
        Err(CardError::NotOffered { card: "virtual".into(), asked, offered })
    };
    if !FRAMES.contains(&period_frames) {
        return refuse(format!("a period of {period_frames} frames"), "8 to 8192 are".into());
    }
    if !RATES_HZ.contains(&rate_hz) {
        return refuse(format!("{rate_hz} Hz"), "8000 to 192000 Hz are".into());
    }
    if let Some(periods) = wanted.periods.filter(|periods| *periods != 2) {
        return refuse(format!("{periods} periods"), "its buffer has 2".into());
    }
    if let Some(Loop { delay_frames, .. }) = looped
        && !(period_frames..=LONGEST_LOOP).contains(&delay_frames)
    {
        let asked = format!("a loop of {delay_frames} frames");
        return refuse(asked, format!("{period_frames} (a period) to {LONGEST_LOOP} are"));
    }
    Ok(CardShape {
        card: "virtual (a timer; nobody hears it)".into(),
        rate_hz,
        period_frames,
        periods: 2,
        inputs: wanted.inputs,
        outputs: wanted.outputs,
        playback_latency_frames: period_frames,
        capture_latency_frames: period_frames,
    })
}

/// Starts the card.
pub(crate) fn start(
    shape: &CardShape,
    looped: Option<Loop>,
    request: &Request,
    stage: Stage,
) -> Result<CardThread, CardError> {
    CardThread::start(request, |stop| {
        let mut turns = Turns::new(shape, looped, stage, stop);
        move || turns.run()
    })
}

/// What the thread works with.
struct Turns {
    stage: Stage,
    stop: Arc<AtomicBool>,
    rate_hz: u32,
    frames: usize,
    inputs: Vec<Vec<f32>>,
    outputs: Vec<Vec<f32>>,
    cable: Option<Cable>,
}

impl Turns {
    fn new(shape: &CardShape, looped: Option<Loop>, stage: Stage, stop: Arc<AtomicBool>) -> Turns {
        let frames = shape.period_frames as usize;
        let silent = |channels: usize| vec![vec![0.0; frames]; channels];
        Turns {
            stage,
            stop,
            rate_hz: shape.rate_hz,
            frames,
            inputs: silent(shape.inputs),
            outputs: silent(shape.outputs),
            cable: looped.map(|looped| Cable::new(looped, shape)),
        }
    }

    fn run(&mut self) {
        let start = MonotonicClock::raw() + Nanos::from_millis(2);
        let period = Nanos(self.time_of(self.frames as u64));
        let mut frame = 0;
        while !self.stop.load(Relaxed) {
            let mut due = start + Nanos(self.time_of(frame));
            sleep_until(due);
            let now = MonotonicClock::raw();
            let missed = ((now - due).0 / period.0.max(1)).max(0) as u64;
            if missed > 0 {
                self.stage.watch.add_xrun(now);
                let from = frame;
                frame += missed * self.frames as u64;
                self.cable.iter_mut().for_each(|cable| cable.pass_over(from..frame));
                due = start + Nanos(self.time_of(frame));
            }
            self.turn(due, frame);
            frame += self.frames as u64;
        }
    }

    /// When a frame is due after the start, in ns.
    fn time_of(&self, frame: u64) -> i64 {
        (i128::from(frame) * 1_000_000_000 / i128::from(self.rate_hz)) as i64
    }

    fn turn(&mut self, due: Nanos, frame: u64) {
        if let Some(cable) = &self.cable {
            self.inputs.iter_mut().enumerate().for_each(|(i, input)| cable.read(i, frame, input));
        }
        let Turns { stage, inputs, outputs, .. } = self;
        let mut ins: [&[f32]; CHANNELS] = [&[]; CHANNELS];
        ins.iter_mut().zip(inputs.iter()).for_each(|(slot, input)| *slot = input);
        let (used_in, used_out) = (inputs.len(), outputs.len());
        let mut outs: [&mut [f32]; CHANNELS] = Default::default();
        for (slot, output) in outs.iter_mut().zip(outputs.iter_mut()) {
            output.fill(0.0);
            *slot = output;
        }
        let (inputs, outputs) = (&ins[..used_in], &mut outs[..used_out]);
        let rate_hz = self.rate_hz;
        stage.turn(due, &mut Period { frame, rate_hz, inputs, outputs });
        if let Some(cable) = &mut self.cable {
            let outputs = self.outputs.iter().enumerate();
            outputs.for_each(|(i, output)| cable.write(i, frame, output));
        }
    }
}

/// Leads output i back to input i, late by a constant. Each channel is a ring, in which a
/// frame has its place by its number.
struct Cable {
    looped: Loop,
    rings: Vec<Vec<f32>>,
}

impl Cable {
    fn new(looped: Loop, shape: &CardShape) -> Cable {
        let length = (looped.delay_frames + shape.period_frames) as usize;
        Cable { looped, rings: vec![vec![0.0; length]; shape.inputs.min(shape.outputs)] }
    }

    fn read(&self, channel: usize, frame: u64, input: &mut [f32]) {
        let Some(ring) = self.rings.get(channel) else { return input.fill(0.0) };
        for (i, sample) in input.iter_mut().enumerate() {
            let from = (frame + i as u64).checked_sub(self.looped.delay_frames.into());
            let place = from.map(|from| (from % ring.len() as u64) as usize);
            *sample = place.map_or(0.0, |place| ring[place] * self.looped.gain);
        }
    }

    /// Nothing sounded in these frames; at most the ring is gone over once.
    fn pass_over(&mut self, frames: std::ops::Range<u64>) {
        for ring in &mut self.rings {
            let length = ring.len() as u64;
            let from = frames.start.max(frames.end.saturating_sub(length));
            (from..frames.end).for_each(|frame| ring[(frame % length) as usize] = 0.0);
        }
    }

    fn write(&mut self, channel: usize, frame: u64, output: &[f32]) {
        let Some(ring) = self.rings.get_mut(channel) else { return };
        let length = ring.len() as u64;
        for (i, sample) in output.iter().enumerate() {
            ring[((frame + i as u64) % length) as usize] = *sample;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cards::{Card, CardName};
    use chronotap_audio::Process;
    use chronotap_engine::signal::Callbacks;
    use std::collections::HashSet;
    use std::sync::mpsc;

    /// What a frame's number is multiplied with, so that it is within full scale for 20
    /// seconds; a power of two, so that nothing is rounded.
    const STEP: f32 = 1.0 / (1 << 20) as f32;

    /// Puts out the number of each frame in steps, and sends on what comes in.
    struct Numbers(mpsc::SyncSender<(u64, Vec<f32>)>);

    impl Process for Numbers {
        fn process(&mut self, period: &mut Period<'_>) {
            for (i, sample) in period.outputs[0].iter_mut().enumerate() {
                *sample = (period.frame + i as u64) as f32 * STEP;
            }
            // A test may allocate where the card must not.
            assert_no_alloc::permit_alloc(|| {
                let _ = self.0.try_send((period.frame, period.inputs[0].to_vec()));
            });
        }
    }

    /// What came in, by first frame.
    type Heard = Vec<(u64, Vec<f32>)>;

    /// Lets a looped card run for so many periods: what it heard, its calls, its xruns.
    fn run(looped: Loop, periods: usize) -> (Heard, Vec<chronotap_engine::signal::Callback>, u64) {
        let wanted = CardRequest {
            period_frames: Some(64),
            inputs: 1,
            outputs: 1,
            ..CardRequest::default()
        };
        let (send, receive) = mpsc::sync_channel(10_000);
        let name = CardName::Virtual(Some(looped));
        let mut card =
            Card::open(&name, &wanted, |_, _| Box::new(Numbers(send))).expect("a virtual card");
        let heard = receive.iter().take(periods).collect();
        let xruns = card.watch().xruns();
        let mut calls = card.take_calls().expect("nobody has them yet");
        (heard, std::iter::from_fn(|| calls.next()).collect(), xruns)
    }

    #[test]
    fn the_cable_brings_back_each_frame_late_by_its_delay_times_its_gain() {
        let (heard, ..) = run(Loop { delay_frames: 100, gain: -0.5 }, 50);
        // After an xrun there is nothing of the frames that were passed over.
        let played: HashSet<u64> = heard.iter().map(|(first, _)| first / 64).collect();
        for (first, input) in &heard {
            for (i, sample) in input.iter().enumerate() {
                let sent = (first + i as u64).checked_sub(100);
                let sent = sent.filter(|sent| played.contains(&(sent / 64)));
                let expected = sent.map_or(0.0, |sent| sent as f32 * STEP * -0.5);
                assert!(*sample == expected, "{first} + {i}: {sample}");
            }
        }
    }

    #[test]
    fn of_frames_that_were_passed_over_nothing_comes_back() {
        let wanted =
            CardRequest { period_frames: Some(8), inputs: 1, outputs: 1, ..CardRequest::default() };
        let looped = Loop { delay_frames: 16, gain: 1.0 };
        let mut cable = Cable::new(looped, &shape(&wanted, Some(looped)).expect("a card"));
        let mut input = [0.0; 8];
        (0..3).for_each(|period| cable.write(0, period * 8, &[1.0; 8]));
        cable.pass_over(24..32);
        cable.read(0, 40, &mut input); // of frames 24 to 31
        assert_eq!(input, [0.0; 8]);
        cable.pass_over(32..1_000_000);
        cable.write(0, 1_000_000, &[0.5; 8]);
        cable.read(0, 1_000_016, &mut input);
        assert_eq!(input, [0.5; 8]);
    }

    #[test]
    fn every_call_is_told_and_each_period_is_due_at_its_time() {
        let (_, calls, xruns) = run(Loop { delay_frames: 64, gain: 1.0 }, 50);
        assert!(calls.len() >= 50);
        let first = calls[0];
        for pair in calls.windows(2) {
            let frames = pair[1].frame - pair[0].frame;
            assert!(frames == 64 || xruns > 0, "{frames} frames without an xrun");
        }
        for call in &calls {
            let exact = (call.frame as i128 - first.frame as i128) * 1_000_000_000 / 48_000;
            assert!(((call.due - first.due).0 as i128 - exact).abs() <= 1);
            assert!(call.due <= call.began && call.began <= call.ended);
        }
    }

    #[test]
    fn what_it_cannot_do_is_refused_with_what_it_can() {
        let refused = |wanted: CardRequest, looped| match shape(&wanted, looped) {
            Err(CardError::NotOffered { offered: Offered::Has(has), .. }) => has,
            other => panic!("{other:?}"),
        };
        let period = |frames| CardRequest { period_frames: Some(frames), ..CardRequest::default() };
        assert_eq!(refused(period(4), None), "8 to 8192 are");
        let short = Some(Loop { delay_frames: 10, gain: 1.0 });
        assert!(refused(period(64), short).starts_with("64 (a period) to "));
        let slow = CardRequest { rate_hz: Some(1), ..period(64) };
        assert_eq!(refused(slow, None), "8000 to 192000 Hz are");
        let three = CardRequest { periods: Some(3), ..period(64) };
        assert_eq!(refused(three, None), "its buffer has 2");
    }
}

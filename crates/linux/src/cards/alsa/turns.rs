//! [`Turns`]: the thread of an ALSA device, a period at a time.
//!
//! Real-time contract: after it has begun, no allocation, lock, log or panic; its system
//! calls are the wait, the look at the position, the transfers and the clock's.

use super::abi::{self, RUNNING, Status, XRUN};
use super::device::Device;
use super::pace::Pace;
use super::transfer;
use crate::cards::request::CHANNELS;
use crate::cards::shape::CardShape;
use crate::cards::stage::Stage;
use crate::clocks::MonotonicClock;
use chronotap_audio::Period;
use chronotap_core::time::Nanos;
use rustix::event::PollFlags;
use rustix::io::{Errno, Result};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// A device that wakes nobody for this long has stopped.
const PATIENCE: Nanos = Nanos::from_millis(500);
/// After so many starts in a row without one whole period the device is given up.
const STARTS: u32 = 100;

/// What the thread works with.
pub(super) struct Turns {
    playback: Option<Device>,
    capture: Option<Device>,
    linked: bool,
    stage: Stage,
    stop: Arc<AtomicBool>,
    pace: Pace,
    shape: CardShape,
    inputs: Vec<Vec<f32>>,
    outputs: Vec<Vec<f32>>,
    bytes: [Vec<u8>; 2], // of a period that was read, and of one to be written
    frame: u64,
}

/// Why the device stopped calling for periods.
enum Ended {
    /// The card is being closed.
    Stopped,
    /// The buffer ran empty, or full.
    Xrun,
    /// The device is gone.
    Gone,
}

impl Turns {
    pub(super) fn new(
        playback: Option<Device>,
        capture: Option<Device>,
        shape: &CardShape,
        stage: Stage,
        stop: Arc<AtomicBool>,
    ) -> Turns {
        let silent = |channels: usize| vec![vec![0.0; shape.period_frames as usize]; channels];
        let bytes = [&capture, &playback]
            .map(|device| vec![0; device.as_ref().map_or(0, Device::period_bytes)]);
        let linked = playback.as_ref().zip(capture.as_ref());
        let linked = linked.is_some_and(|(out, from)| abi::link(out.fd(), from.fd()).is_ok());
        Turns {
            inputs: silent(shape.inputs),
            outputs: silent(shape.outputs),
            pace: Pace::new(shape.period()),
            shape: shape.clone(),
            playback,
            capture,
            linked,
            stage,
            stop,
            bytes,
            frame: 0,
        }
    }

    /// Until it is stopped, or the device is gone.
    pub(super) fn run(&mut self) {
        let mut starts = 0;
        loop {
            let before = self.frame;
            let ended = match self.begin() {
                Ok(()) => self.stretch(),
                Err(Errno::PIPE) => Ended::Xrun,
                Err(_) => Ended::Gone,
            };
            starts = if self.frame == before { starts + 1 } else { 0 };
            match ended {
                Ended::Xrun if starts < STARTS => self.pass_over(),
                Ended::Stopped => break,
                Ended::Xrun | Ended::Gone => {
                    self.stage.watch.set_gone();
                    break;
                }
            }
        }
        for device in [&self.playback, &self.capture].into_iter().flatten() {
            let _ = abi::stop(device.fd()); // one that is gone needs no stopping
        }
    }

    /// Makes ready, fills the buffer with silence, starts.
    fn begin(&mut self) -> Result<()> {
        self.pace.restart();
        for device in [&self.playback, &self.capture].into_iter().flatten() {
            let _ = abi::stop(device.fd());
        }
        for device in [&self.playback, &self.capture].into_iter().flatten() {
            abi::prepare(device.fd())?;
        }
        if let Some(playback) = &self.playback {
            self.bytes[1].fill(0);
            for _ in 0..playback.periods {
                transfer::write_all(playback.fd(), &self.bytes[1])?;
            }
        }
        for device in [&self.playback, &self.capture].into_iter().flatten() {
            abi::start(device.fd())?;
            if self.linked {
                break;
            }
        }
        Ok(())
    }

    /// Periods until something ends them.
    fn stretch(&mut self) -> Ended {
        loop {
            if self.stop.load(Relaxed) {
                return Ended::Stopped;
            }
            match self.turn() {
                Ok(true) => {}
                Ok(false) | Err(Errno::PIPE | Errno::STRPIPE) => return Ended::Xrun,
                Err(_) => return Ended::Gone,
            }
        }
    }

    /// One period; whether the device still runs.
    fn turn(&mut self) -> Result<bool> {
        self.wait()?;
        let Some(status) = self.status()? else { return Ok(false) };
        let due = self.pace.next(self.seen(&status));
        if let Some(capture) = &self.capture {
            transfer::read_all(capture.fd(), &mut self.bytes[0])?;
            for (i, input) in self.inputs.iter_mut().enumerate() {
                capture.format.get(&self.bytes[0], i, capture.channels, input);
            }
        }
        self.call(due);
        if let Some(playback) = &self.playback {
            for (i, output) in self.outputs.iter().enumerate() {
                playback.format.put(output, i, playback.channels, &mut self.bytes[1]);
            }
            transfer::write_all(playback.fd(), &self.bytes[1])?;
        }
        self.frame += u64::from(self.shape.period_frames);
        Ok(true)
    }

    /// Until a period can be read, or else written.
    fn wait(&self) -> Result<()> {
        let devices = [(&self.capture, PollFlags::IN), (&self.playback, PollFlags::OUT)];
        let waiting = devices.iter().find_map(|(device, flag)| Some((device.as_ref()?, *flag)));
        let Some((device, flag)) = waiting else { return Err(Errno::NODEV) };
        match transfer::wait(device.fd(), flag, PATIENCE)? {
            true => Ok(()),
            false => Err(Errno::TIMEDOUT),
        }
    }

    /// Where the device stands; nothing where it has stopped.
    fn status(&self) -> Result<Option<Status>> {
        let device = self.playback.as_ref().or(self.capture.as_ref()).ok_or(Errno::NODEV)?;
        let status = abi::status(device.fd())?;
        match status.state {
            RUNNING => Ok(Some(status)),
            XRUN => Ok(None),
            _ => Err(Errno::NODEV),
        }
    }

    /// When this period began, by a look at the position: what is written now is at the
    /// converter after `delay` frames, which is the playback latency after the beginning.
    fn seen(&self, status: &Status) -> Nanos {
        let at = status.stamped();
        let ahead = match self.playback {
            Some(_) => status.delay as i64 - i64::from(self.shape.playback_latency_frames),
            None => i64::from(self.shape.period_frames) - status.avail as i64,
        };
        at + Nanos(ahead * 1_000_000_000 / i64::from(self.shape.rate_hz))
    }

    fn call(&mut self, due: Nanos) {
        let mut ins: [&[f32]; CHANNELS] = [&[]; CHANNELS];
        ins.iter_mut().zip(&self.inputs).for_each(|(slot, input)| *slot = input);
        let (used_in, used_out) = (self.inputs.len(), self.outputs.len());
        let mut outs: [&mut [f32]; CHANNELS] = Default::default();
        for (slot, output) in outs.iter_mut().zip(&mut self.outputs) {
            output.fill(0.0);
            *slot = output;
        }
        let (inputs, outputs) = (&ins[..used_in], &mut outs[..used_out]);
        let (frame, rate_hz) = (self.frame, self.shape.rate_hz);
        self.stage.turn(due, &mut Period { frame, rate_hz, inputs, outputs });
    }

    /// The frames of the time that an xrun cost are passed over, so that the number of a
    /// frame goes on with the time.
    fn pass_over(&mut self) {
        let now = MonotonicClock::raw();
        self.stage.watch.add_xrun(now);
        if let Some(last) = self.stage.watch.last_period() {
            let passed = (now - last.at).0.max(0) / self.shape.period().0.max(1);
            let frames = passed as u64 * u64::from(self.shape.period_frames);
            self.frame = self.frame.max(last.frame + frames);
        }
    }
}

//! [`SketchedLine`]: the serial line of a sketch of another laboratory, as [`Pulses`], and
//! [`KnownSketch`], what is known of it.
//!
//! Real-time contract: the waiting thread, which is not the trial's, makes two system calls to what
//! has come and the one that wakes the trial; it allocates nothing.

use super::device::{come, opened};
use super::error::SensorError;
use super::name::SensorName;
use crate::clocks::MonotonicClock;
use crate::ports::line::{Edge, Pulses};
use crate::ports::open::Terminal;
use chronotap_core::sensor::{
    SKETCH_RESOLUTION, Sketch, SketchLine, SketchTap, TEENSY_TAP_ASKS, TEENSY_TAP_IS_TOLD,
    TEENSY_TAP_STARTS,
};
use chronotap_core::time::Nanos;
use chronotap_engine::signal::{SketchFacts, Stamp};
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

/// For how long TeensyTap's answer is waited for.
const ANSWER: Nanos = Nanos::from_secs(4);
/// How often TeensyTap is asked for its time before it starts, and how long each answer is waited for:
/// a second in all, as of this project's firmware.
const ASKED: usize = 20;
const APART: Nanos = Nanos::from_millis(50);
/// An Arduino begins anew when its line is opened; its boot loader takes up to 2 s.
const BEGINS: Nanos = Nanos::from_millis(2_500);
/// How long a look lasts that finds nothing.
const LOOK: Nanos = Nanos::from_secs(1);
/// No clock is known.
const UNKNOWN: u64 = u64::MAX;

/// An open line of a sketch.
pub(super) struct SketchedLine {
    line: SketchLine,
    known: Arc<KnownSketch>,
    bytes: [u8; 256],
    _terminal: Terminal, // its settings come back before it is closed
    device: OwnedFd,
}

/// What is known of a sketch. The waiting thread says it and others read it; each number on its own.
pub(super) struct KnownSketch {
    sketch: Sketch,
    drift_ppm: AtomicU64, // the bits of a number with a fraction
    within_ns: AtomicU64,
    lost: AtomicU64,
}

impl KnownSketch {
    fn of(sketch: Sketch) -> KnownSketch {
        let (drift_ppm, within_ns) = (AtomicU64::default(), AtomicU64::new(UNKNOWN));
        KnownSketch { sketch, drift_ppm, within_ns, lost: AtomicU64::default() }
    }

    /// For the data of a trial.
    pub(super) fn told(&self) -> SketchFacts {
        let within = Some(self.within_ns.load(Relaxed)).filter(|within| *within != UNKNOWN);
        let drift_ppm = f64::from_bits(self.drift_ppm.load(Relaxed));
        SketchFacts {
            name: self.sketch.name().to_owned(),
            told: "at the release".to_owned(),
            resolution_ns: SKETCH_RESOLUTION.0.cast_unsigned(),
            clock_drift_ppm: within.map(|_| (drift_ppm * 10.0).round() / 10.0),
            clock_within_ns: within,
        }
    }

    /// Messages that never came, and milliseconds in which the sketch did not look.
    pub(super) fn lost(&self) -> u64 {
        self.lost.load(Relaxed)
    }

    fn learn(&self, line: &SketchLine) {
        let counts = line.counts();
        self.lost.store(counts.lost + counts.damaged + counts.restarted, Relaxed);
        let Some(fit) = line.fit() else { return };
        self.drift_ppm.store(fit.drift_ppm().to_bits(), Relaxed);
        self.within_ns.store(fit.within.0.max(0).cast_unsigned(), Relaxed);
    }
}

impl SketchedLine {
    /// Opens the device and has the sketch feel taps. Of TeensyTap the clock is known then; Tap Arduino
    /// says nothing before its first tap.
    pub(super) fn open(name: &SensorName, sketch: Sketch) -> Result<SketchedLine, SensorError> {
        let (device, terminal) = opened(name, Sketch::BAUD)?;
        let (line, known) = (SketchLine::of(sketch), Arc::new(KnownSketch::of(sketch)));
        let bytes = [0; 256];
        let mut sketched = SketchedLine { line, known, bytes, _terminal: terminal, device };
        match sketch {
            Sketch::TeensyTap => sketched.start_teensy_tap(name)?,
            Sketch::TapArduino => sketched.hear_for(name, BEGINS, |_| false)?,
        }
        if sketch == Sketch::TapArduino {
            sketched.line = SketchLine::of(sketch); // what its boot loader said is no tap
        }
        sketched.known.learn(&sketched.line);
        Ok(sketched)
    }

    pub(super) fn known(&self) -> Arc<KnownSketch> {
        Arc::clone(&self.known)
    }

    fn start_teensy_tap(&mut self, name: &SensorName) -> Result<(), SensorError> {
        self.say(name, &TEENSY_TAP_IS_TOLD)?;
        self.hear_for(name, ANSWER, SketchLine::is_configured)?;
        for _ in 0..ASKED {
            self.say(name, &[TEENSY_TAP_ASKS])?;
            self.hear_for(name, APART, |_| false)?;
        }
        if !self.line.is_configured() || self.line.fit().is_none() {
            let sketch = self.known.sketch.name();
            return Err(SensorError::Mute { port: name.to_string(), sketch });
        }
        self.say(name, &[TEENSY_TAP_STARTS])
    }

    fn say(&self, name: &SensorName, bytes: &[u8]) -> Result<(), SensorError> {
        let written = rustix::io::write(&self.device, bytes);
        let written = written.map_err(|errno| SensorError::system(name, "write", errno))?;
        let cut = || SensorError::system(name, "write", Errno::AGAIN);
        (written == bytes.len()).then_some(()).ok_or_else(cut)
    }

    /// Hears what comes for so long, or until that is so.
    fn hear_for(
        &mut self,
        name: &SensorName,
        patience: Nanos,
        enough: impl Fn(&SketchLine) -> bool,
    ) -> Result<(), SensorError> {
        let until = MonotonicClock::raw() + patience;
        while !enough(&self.line) {
            let left = until - MonotonicClock::raw();
            if left <= Nanos::ZERO {
                break;
            }
            match come(&self.device, &mut self.bytes, left) {
                Ok((bytes, at)) => self.line.hear(bytes, at, &mut |_| {}),
                Err(Errno::TIMEDOUT | Errno::INTR) => {}
                Err(errno) => return Err(SensorError::system(name, "read", errno)),
            }
        }
        Ok(())
    }
}

impl Pulses for SketchedLine {
    fn wait(&mut self, told: &mut dyn FnMut(Edge)) -> Result<bool, Errno> {
        let (bytes, at) = match come(&self.device, &mut self.bytes, LOOK) {
            Err(Errno::TIMEDOUT) => return Ok(true), // nobody taps
            came => came?,
        };
        self.line.hear(bytes, at, &mut |SketchTap { onset, release, .. }| {
            told(Edge { at: onset, stamp: Stamp::Device, high: true });
            told(Edge { at: release, stamp: Stamp::Device, high: false });
        });
        self.known.learn(&self.line);
        Ok(true)
    }
}

impl Drop for SketchedLine {
    fn drop(&mut self) {
        let _ = rustix::termios::ioctl_tiocnxcl(&self.device); // a device that is gone is nobody's
    }
}

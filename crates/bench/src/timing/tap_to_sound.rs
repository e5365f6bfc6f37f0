//! [`TapToSoundTest`]: how long a tap takes to become a sound, and where that time goes.
//!
//! Each tap at a port is answered by a click on the sound card, by the very trial, ports
//! and threads that play feedback to a participant. The card records what comes back: the
//! click by a cable, and the tap itself by a microphone or piezo at the pad. From both
//! onsets and the trial's own times comes a [`TapChain`]: pad and interface, kernel, program,
//! card, converter. Between two onsets in one recording the total is a number of frames;
//! no clock has a part in it.
//!
//! Not here: what makes a tap. A hand does; on the virtual wire, a simulated one.

mod beside;
mod chain;
mod course;
mod doubt;
mod ear;
mod pairing;
mod recording;
mod scripted;
mod series;
mod strikes;
mod trial;
mod witness;

pub use beside::{BesideInput, BesidePad};
pub use chain::{AnsweredTap, Latencies, OnsetFrame, TapChain};
pub use chronotap_timing::PathStep;
pub use course::{TapToSoundError, TapToSoundRun, measure};
pub use doubt::{PadUnheard, TapToSoundDoubt, judged};
pub use ear::{Ear, HeardOnsets, Hearing, Located, pair};
pub use pairing::{Pairing, TapCounts, pair_up};
pub use recording::{Distances, Undistanced, distances};
pub use scripted::{ScriptedPad, ScriptedPadError};
pub use strikes::{BANDS, Band, PadMessage, PadReading, Strike, Struck, read_pad};
pub use trial::trial;
pub use witness::{Seen, Witness};

use crate::timing::roundtrip::Calibration;
use crate::timing::{Length, Probe, TestFound, TestRefusal, TestRun, doubts};
use chronotap_core::time::Nanos;
use chronotap_engine::signal::Port;
use chronotap_linux::ports::{ToneName, TonePort};
use std::sync::Arc;

/// A simulated hand taps so often.
pub const INTERVAL: Nanos = Nanos::from_millis(500);

/// In which of the card's inputs sound and tap are heard, counted from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Channels {
    /// The sound that comes back.
    pub sound: usize,
    /// The tap itself, where there is a microphone for it.
    pub tap: Option<usize>,
}

impl Channels {
    /// How many inputs that takes.
    pub fn inputs(self) -> usize {
        self.sound.max(self.tap.unwrap_or(0)) + 1
    }
}

/// Opens the port at which taps come in.
pub type OpenPort = Arc<dyn Fn() -> Result<Box<dyn Port>, TestRefusal>>;

#[derive(Clone)]
pub struct TapToSoundTest {
    /// The port's name.
    pub input: String,
    pub open: OpenPort,
    /// The card, and how it is to run.
    pub card: ToneName,
    /// Its inputs.
    pub channels: Channels,
    /// How many taps; by default what the length says.
    pub taps: Option<u32>,
    /// The test ends after so long though taps are missing; by default what the number of
    /// taps lets one expect.
    pub longest: Option<Nanos>,
    /// What a sound must exceed, as a share of full scale; by default the noise decides.
    pub threshold: Option<f32>,
    /// The card's measured round trip, where it is known better than the card tells.
    pub calibration: Option<Calibration>,
    /// A pad of which everything is known: its strikes sound in the input of the taps.
    pub scripted: Option<ScriptedPad>,
    /// What is struck together with the pad, to be compared with it.
    pub beside: Vec<BesideInput>,
}

impl TapToSoundTest {
    /// Taps to wait for.
    pub fn taps(&self, length: Length) -> u32 {
        self.taps.unwrap_or(length.pick(20, 100, 1_000))
    }

    /// How long to wait for them: a person taps once a second or two.
    pub fn longest(&self, length: Length) -> Nanos {
        let patience = Nanos::from_secs(2 * i64::from(self.taps(length)) + 10);
        self.longest.unwrap_or(patience)
    }
}

impl Probe for TapToSoundTest {
    fn name(&self) -> &'static str {
        "tap-to-sound"
    }

    fn available(&self) -> Result<(), TestRefusal> {
        (self.open)().map(drop)?;
        self.beside.iter().try_for_each(|beside| (beside.open)().map(drop))?;
        let inputs = self.channels.inputs();
        TonePort::hearing(&self.card, inputs, |_, _| Box::new(()))?;
        Ok(())
    }

    fn duration(&self, length: Length) -> Nanos {
        let tapping = INTERVAL * i64::from(self.taps(length)) + Nanos::from_secs(2);
        tapping.min(self.longest(length))
    }

    fn run(&self, course: &mut TestRun<'_>) -> TestFound {
        let mut found = TestFound::of(self.name());
        match measure(self, course) {
            Ok(measured) => series::add(self, &measured, course.words, &mut found),
            Err(why) => doubts::note(&mut found, course.words_for(&why)),
        }
        found.interrupted = course.interrupted();
        found
    }
}

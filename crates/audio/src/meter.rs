//! [`Meter`]: how many frames a signal takes from output to input, to a thousandth of a
//! frame.
//!
//! Background: the delay of a loop can be read off the phase of a tone, very finely but
//! only modulo the tone's period; a click can be found anywhere, but only to a frame.
//! Solution: thirteen tones at once. The first has a period of 16 frames and gives the
//! delay modulo 16. The i-th has an increment that is an odd multiple of 2^(12-i) in
//! 65,536ths of a cycle per frame: its phase, less what the delay known so far explains,
//! is 0 or half a cycle, which is the next binary digit of the number of sixteens.
//! Why it works: twelve digits of 16 frames make 65,536 frames without ambiguity, and no
//! digit is wrong until a phase is off by a quarter of a cycle. The amplitudes of all
//! tones are fitted together by least squares, so that they do not disturb each other
//! however short the window, and what the fit leaves over is the noise.
//! Example: 100.25 frames: tone 0 says 4.25 modulo 16, the digits say 6 sixteens.
//!
//! The principle is that of F. Adriaensen's jack_delay; tones and receiver are our own.
//! Not here: where the samples come from. Real-time contract of [`Meter::process`]: the
//! audio thread; no allocation, lock or system call; some 40 multiplications a frame.

mod fit;
mod resolve;
mod tones;

pub use resolve::{AMBIGUOUS_FRAMES, Resolved};
pub use tones::{INCREMENTS, SineSum, TONES};

use fit::{Block, Fit};
use resolve::resolve;
use tones::Oscillators;

/// Frames of a block: the step in which the window moves.
const BLOCK: usize = 256;
/// Blocks that are kept; at 48 kHz the longest window is 1.37 s.
const KEPT: usize = 256;
/// A window of so many seconds is taken first; with time it grows to all that agrees.
const WINDOW_S: f64 = 0.1;
/// The weakest main tone that is trusted, full scale being 1 (-60 dB).
const QUIET: f64 = 0.001;
/// From here on a sample counts as clipped.
const CLIPPED: f32 = 0.999;
/// Noise of 24-bit samples and of this arithmetic, full scale being 1.
const ROUNDING: f64 = 1e-6;
/// Halves of a window that differ by more frames than this, and by more than the noise
/// explains, do not agree.
const AGREEMENT_FRAMES: f64 = 0.01;

/// A reading of the meter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reading {
    /// The delay in frames.
    pub frames: f64,
    /// Its standard deviation in frames, from the noise that the fit leaves.
    pub sd_frames: f64,
    /// Whether the loop turns the signal upside down.
    pub inverted: bool,
    /// The main tone's amplitude over that sent: 1 is a loop without loss.
    pub gain: f64,
    /// Root mean square of what is no tone of ours, full scale being 1.
    pub noise: f64,
    /// Seconds of signal that the reading is made of.
    pub window_s: f64,
}

/// Why there is no reading.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum MeterDoubt {
    /// Not enough has come in. Wait.
    #[error("too little has come in as yet")]
    TooShort,
    /// The main tone is below -60 dB. Check the cable; raise the level.
    #[error("the level is too low ({0:.4} of full scale)")]
    Quiet(f64),
    /// Samples reached full scale. Lower the level.
    #[error("{0} samples are clipped")]
    Clipped(u64),
    /// The phases do not fit together. Is there another signal, or a second path?
    #[error("the tones contradict each other (by {0:.2} of half a cycle)")]
    Contradiction(f64),
    /// The card missed a period. Ask for a longer one, or stop what else runs.
    #[error("the card missed a period a moment ago")]
    Missed,
    /// Successive readings differ. Has the loop been changed, or do two clocks run apart?
    #[error("two readings differ by {0:.3} frames")]
    Unsteady(f64),
}

/// Sends the tones and times their return.
#[derive(Clone, Debug)]
pub struct Meter {
    rate_hz: f64,
    sender: SineSum,
    reference: Oscillators,
    blocks: Box<[Block; KEPT]>,
    under_way: Block,
    finished: u64,
    /// Blocks before this one are forgotten.
    since: u64,
}

impl Meter {
    /// For a sound card of this rate. Allocates all it needs.
    pub fn new(rate_hz: f64) -> Meter {
        Meter {
            rate_hz,
            sender: SineSum::new(),
            reference: Oscillators::new(),
            blocks: Box::new([Block::new(); KEPT]),
            under_way: Block::new(),
            finished: 0,
            since: 0,
        }
    }

    /// One period: writes `output` and takes `input`, frame k of which was recorded
    /// while frame k of `output` is played. Both have the same length.
    pub fn process(&mut self, input: &[f32], output: &mut [f32]) {
        self.sender.render(output);
        self.listen(input);
    }

    /// Takes input that was recorded while a [`SineSum`] played from its first frame on.
    pub fn listen(&mut self, input: &[f32]) {
        for sample in input {
            self.under_way.add(*sample, &self.reference);
            self.reference.step();
            if self.under_way.frames() == BLOCK {
                self.blocks[self.finished as usize % KEPT] = self.under_way;
                self.finished += 1;
                self.under_way = Block::new();
            }
        }
    }

    /// Makes no reading of what has come in up to now, because it was disturbed.
    pub fn forget(&mut self) {
        self.since = self.finished + 1; // the block under way holds some of it
    }

    /// The delay as it now stands, of the longest stretch up to now that agrees.
    ///
    /// # Errors
    /// [`MeterDoubt`].
    pub fn read(&self) -> Result<Reading, MeterDoubt> {
        let least = (WINDOW_S * self.rate_hz / BLOCK as f64).ceil() as u64;
        let usable = self.finished.saturating_sub(self.since).min(KEPT as u64);
        if usable < least {
            return Err(MeterDoubt::TooShort);
        }
        let mut best = self.reading_of(self.finished - least, least)?;
        self.confirm(&best, least)?;
        let mut blocks = least * 2;
        while blocks <= usable {
            match self.reading_of(self.finished - blocks, blocks) {
                Ok(longer) if longer.continues(&best) => best = longer,
                _ => break,
            }
            blocks *= 2;
        }
        Ok(best)
    }

    /// The halves of the shortest window must give the same delay.
    fn confirm(&self, whole: &Reading, blocks: u64) -> Result<(), MeterDoubt> {
        let half = blocks / 2;
        let first = self.reading_of(self.finished - blocks, half)?;
        let second = self.reading_of(self.finished - half, half)?;
        let sd = libm::hypot(first.sd_frames, second.sd_frames);
        let apart = (first.frames - second.frames).abs();
        let steady = apart <= AGREEMENT_FRAMES.max(5.0 * sd);
        if steady && agree(whole, &second) { Ok(()) } else { Err(MeterDoubt::Unsteady(apart)) }
    }

    /// Of so many blocks from this one on.
    fn reading_of(&self, from: u64, blocks: u64) -> Result<Reading, MeterDoubt> {
        if blocks == 0 || from + blocks > self.finished {
            return Err(MeterDoubt::TooShort);
        }
        let mut window = Block::new();
        for block in from..from + blocks {
            window.join(&self.blocks[block as usize % KEPT]);
        }
        if window.clipped() > 0 {
            return Err(MeterDoubt::Clipped(window.clipped()));
        }
        let fit = Fit::of(&window, from * BLOCK as u64);
        if fit.amplitude(0) < QUIET {
            return Err(MeterDoubt::Quiet(fit.amplitude(0)));
        }
        self.judged(&fit, &window)
    }

    fn judged(&self, fit: &Fit, window: &Block) -> Result<Reading, MeterDoubt> {
        let found = resolve(&fit.phases());
        if found.contradiction > 0.4 {
            return Err(MeterDoubt::Contradiction(found.contradiction));
        }
        Ok(Reading {
            frames: found.frames,
            sd_frames: fit.sd_of_phase(0) * AMBIGUOUS_FRAMES / (1 << TONES_BEYOND_MAIN) as f64,
            inverted: found.inverted,
            gain: fit.amplitude(0) / tones::AMPLITUDES[0],
            noise: fit.noise(),
            window_s: window.frames() as f64 / self.rate_hz,
        })
    }
}

const TONES_BEYOND_MAIN: u32 = TONES as u32 - 1;

impl Reading {
    /// Whether this one, of a longer window, holds nothing but the signal of the
    /// shorter: silence before the arrival, or a louder loop, would show as noise.
    fn continues(&self, shorter: &Reading) -> bool {
        agree(shorter, self)
            && self.noise <= 1.2 * shorter.noise + ROUNDING
            && (self.gain / shorter.gain - 1.0).abs() < 0.01
    }
}

/// Whether two readings are of the same delay, as far as their noise lets one tell.
fn agree(a: &Reading, b: &Reading) -> bool {
    let noise = 5.0 * libm::hypot(a.sd_frames, b.sd_frames);
    (a.frames - b.frames).abs() <= AGREEMENT_FRAMES.max(noise) && a.inverted == b.inverted
}

/// Whether a sample is clipped.
fn is_clipped(sample: f32) -> bool {
    sample.abs() >= CLIPPED
}

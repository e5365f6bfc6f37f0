//! [`End`]: when a pacing stream was over, and how many taps came after it.
//!
//! A finite stream is over half an interval after its last beat: a tap that is late for
//! that beat belongs to it, one that anticipates the beat that does not come is the first of the
//! continuation. A stream that a trigger stops is over at that instant.

use chronotap_time::{Exact, Nanos};

/// The end of a stream, if it has come, and the taps since.
#[derive(Clone, Debug)]
pub struct End {
    at: Option<Exact>,
    taps: Vec<u32>, // accepted since, by input
}

impl End {
    /// Not yet; of a trial with so many inputs.
    pub fn new(inputs: usize) -> End {
        End { at: None, taps: vec![0; inputs] }
    }

    /// The stream is over at `at`.
    pub fn come(&mut self, at: Exact) {
        self.at = Some(at);
    }

    /// The stream begins again.
    pub fn undo(&mut self) {
        self.at = None;
        self.taps.fill(0);
    }

    /// An accepted tap, which counts where it comes after the end.
    pub fn tap(&mut self, input: u16, stamp: Nanos) {
        if self.is_before(stamp) {
            self.taps[usize::from(input)] += 1;
        }
    }

    /// Whether the stream was over before this time.
    pub fn is_before(&self, stamp: Nanos) -> bool {
        self.at.is_some_and(|at| at.floor() < stamp)
    }

    /// Accepted taps of an input since the end.
    pub fn taps(&self, input: u16) -> u32 {
        self.taps[usize::from(input)]
    }
}

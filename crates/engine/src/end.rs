//! [`StreamEnd`]: when a pacing stream was over, and how many taps came after it.
//!
//! A finite stream is over half an interval after its last beat: a tap that is late for
//! that beat belongs to it, one that anticipates the beat that does not come is the first of the
//! continuation. A stream that a rule stops is over at that instant.

use chronotap_core::time::{Exact, Nanos};

/// The end of a stream, if it has come, and the taps since.
#[derive(Clone, Debug)]
pub struct StreamEnd {
    at: Option<Exact>,
    after: Vec<After>, // by input
}

/// Accepted taps of an input after the end of a stream.
#[derive(Clone, Copy, Debug, Default)]
struct After {
    this: u32,         // after this end
    any: u32,          // the most after this or an earlier one
    without_last: u32, // what `any` was before the input's last tap
}

impl StreamEnd {
    /// Not yet; of a trial with so many inputs.
    pub fn new(inputs: usize) -> StreamEnd {
        StreamEnd { at: None, after: vec![After::default(); inputs] }
    }

    /// The stream is over at `at`.
    pub fn come(&mut self, at: Exact) {
        self.at = Some(at);
    }

    /// The stream begins again. What has come stays so.
    pub fn undo(&mut self) {
        self.at = None;
        self.after.iter_mut().for_each(|after| after.this = 0);
    }

    /// An accepted tap, which counts where it comes after the end.
    pub fn tap(&mut self, input: u16, stamp: Nanos) {
        let counts = self.at.is_some_and(|at| at.floor() < stamp);
        let after = &mut self.after[usize::from(input)];
        after.without_last = after.any;
        after.this += u32::from(counts);
        after.any = after.any.max(after.this);
    }

    /// The most accepted taps of an input after this end or an earlier one.
    pub fn taps(&self, input: u16) -> u32 {
        self.after[usize::from(input)].any
    }

    /// The same as if the input's last tap had not come.
    pub fn taps_but_last(&self, input: u16) -> u32 {
        self.after[usize::from(input)].without_last
    }
}

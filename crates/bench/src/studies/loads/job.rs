//! [`Job`]: what one thread of a load does, step by step. How the steps are done and ended is in
//! `perform.rs`.

use super::work::LoadWork;
use std::io;

/// One thread's part of a load.
pub(crate) trait Job: Send {
    /// Does a little of it, at most some 10 ms where the disk is quick, and counts it.
    fn step(&mut self, work: &mut LoadWork) -> io::Result<()>;

    /// Puts an end to it, and counts what shows only now.
    fn end(&mut self, _work: &mut LoadWork) {}
}

//! [`offline`]: plays a process to nobody, as fast as it goes.

use crate::{Period, Process};

/// Frames of a period; what is heard does not depend on it.
const FRAMES: usize = 512;

/// Plays until `sink` says that it has enough. It is given the left and the right output
/// of each period.
///
/// # Errors
/// What `sink` says.
pub fn offline<P: Process, E>(
    process: &mut P,
    rate_hz: u32,
    mut sink: impl FnMut(&P, [&[f32]; 2]) -> Result<bool, E>,
) -> Result<(), E> {
    let mut frame = 0;
    loop {
        let [mut left, mut right] = [[0.0; FRAMES]; 2];
        let outputs = &mut [&mut left[..], &mut right[..]];
        process.process(&mut Period { frame, rate_hz, inputs: &[], outputs });
        if sink(process, [&left, &right])? {
            return Ok(());
        }
        frame += FRAMES as u64;
    }
}

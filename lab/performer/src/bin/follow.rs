//! `follow`: a cable with somebody who taps. Sound of 16 bits, left and right, comes in and goes out: the left is
//! handed on as it is, and on the right a tap follows each tone of the left (`follower.rs`).

#[path = "../follower.rs"]
mod follower;

use follower::Follower;
use std::io::{Read, Write};
use std::process::ExitCode;

/// Bytes that are handed on at a time: 64 frames.
const BLOCK: usize = 256;

fn main() -> ExitCode {
    let (mut from, mut to) = (std::io::stdin().lock(), std::io::stdout().lock());
    let (mut block, mut follower) = ([0; BLOCK], Follower::default());
    while from.read_exact(&mut block).is_ok() {
        follower.tap_beside(&mut block);
        if to.write_all(&block).and_then(|()| to.flush()).is_err() {
            break; // nobody listens any more
        }
    }
    ExitCode::SUCCESS
}

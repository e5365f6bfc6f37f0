//! [`feed_on`]: the thread of ordinary priority that keeps the rings of a trial's music full.
//!
//! It looks a hundred times a second, and is ten seconds ahead of what is heard: a disk may
//! stall for so long. What it cannot read it tries again; what is late by then is silent, and
//! counted where it is missed.

use crate::clocks::{MonotonicClock, sleep_until};
use chronotap_audio::tone::Pump;
use chronotap_core::time::Nanos;
use std::io;

/// From one look to the next.
const LOOK: Nanos = Nanos::from_millis(10);
/// It calls little; all memory of the program is locked.
const STACK: usize = 128 << 10;

/// Fills these rings until nobody plays from them.
///
/// # Errors
/// Where the system gives no thread.
pub fn feed_on(mut pumps: Vec<Pump>) -> io::Result<()> {
    if pumps.is_empty() {
        return Ok(());
    }
    let work = move || {
        while !pumps.is_empty() {
            for pump in &mut pumps {
                let _ = pump.fill(); // tried again at the next look
            }
            sleep_until(MonotonicClock::raw() + LOOK);
            pumps.retain(|pump| !pump.is_abandoned());
        }
    };
    let thread = std::thread::Builder::new().name("chronotap-music".into()).stack_size(STACK);
    thread.spawn(work).map(drop)
}

//! One file per command, each with one entry of the same name.

mod apart;
mod beside;
pub mod console;
pub mod demo;
pub mod doctor;
pub mod level;
#[cfg(feature = "lsl")]
pub mod listen;
pub mod load;
#[cfg(feature = "lsl")]
pub mod lsl;
pub mod monitor;
pub mod pages;
pub mod play;
pub mod ports;
pub mod run;
mod streamed;
pub mod study;
pub mod threshold;
pub mod timing;

use anyhow::{Context, Result};
use chronotap_linux::realtime::Interrupt;

/// Takes over Ctrl-C, which then ends what is under way and keeps what there is.
fn take_over_ctrl_c() -> Result<Interrupt> {
    Interrupt::install().context("cannot take over Ctrl-C")
}

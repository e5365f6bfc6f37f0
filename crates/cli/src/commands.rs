//! One file per command, each with one entry of the same name.

pub mod align;
pub mod analyze;
mod apart;
pub mod backup;
mod beside;
pub mod check;
pub mod completions;
pub mod console;
pub mod correct;
pub mod demo;
pub mod doctor;
pub mod export;
pub mod gather;
pub mod import_ftap;
pub mod import_taps;
pub mod level;
#[cfg(feature = "lsl")]
pub mod listen;
pub mod load;
#[cfg(feature = "lsl")]
pub mod lsl;
pub mod man;
pub mod merge;
pub mod monitor;
pub mod new;
pub mod open;
pub mod pack;
pub mod pages;
pub mod plan;
pub mod play;
pub mod ports;
pub mod power;
pub mod recover;
pub mod render;
pub mod replay;
pub mod report;
pub mod run;
pub mod simulate;
pub mod status;
mod streamed;
pub mod study;
pub mod summary;
pub mod timing;
pub mod verify;
pub mod withdraw;

use anyhow::{Context, Result};
use chronotap_linux::realtime::Interrupt;

/// Takes over Ctrl-C, which then ends what is under way and keeps what there is.
fn take_over_ctrl_c() -> Result<Interrupt> {
    Interrupt::install().context("cannot take over Ctrl-C")
}

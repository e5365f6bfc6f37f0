//! Reads [`Facts`]: what this machine is, as far as it matters for timing.
//!
//! Everything is read from small files of the kernel; what cannot be read is unknown, and
//! never a guess.

mod clock;
mod devices;
mod host;
mod interrupts;
mod kernel;
mod kernel_config;
mod load;
mod memory;
mod noise;
mod power;
mod processes;
mod processors;
mod raspberry;
mod rights;
mod scheduling;
mod serial;
mod sound;
mod usb;

pub use chronotap_machine::facts::*;
pub(super) use load::load_average;
pub(super) use processes::process_names;

use crate::machine::Root;

/// What is read below a root. `Facts` themselves know of no root: a file that holds them is
/// read where there is no Linux.
pub trait BelowRoot {
    /// Reads a machine. On the running one the kernel is also asked what it grants
    /// (in a thread of its own), and processor use is taken over a quarter of a
    /// second; below another directory only files are read.
    fn read(root: &Root) -> Self;
}

impl BelowRoot for Facts {
    fn read(root: &Root) -> Facts {
        let kernel = kernel::read(root);
        Facts {
            clock: clock::read(root),
            scheduling: scheduling::read(root),
            processors: processors::read(root, kernel.command_line.as_deref()),
            rights: rights::read(root),
            noise: noise::read(root),
            memory: memory::read(root),
            host: host::read(root, kernel.release.as_deref()),
            load: load::read(root),
            power: power::read(root),
            devices: devices::read(root),
            interrupts: interrupts::read(root, kernel.command_line.as_deref()),
            usb: usb::read(root),
            serial: serial::read(root),
            sound: sound::read(root),
            raspberry: raspberry::read(root),
            kernel,
        }
    }
}

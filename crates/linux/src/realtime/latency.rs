//! The wake-up latency of processors: while `/dev/cpu_dma_latency` is held open
//! with a 0 in it, no processor enters an idle state from which it would take
//! microseconds to return. Closing the file undoes it, whatever ends the program.

use chronotap_machine::grant::Item;
use std::fs::{File, OpenOptions};
use std::io::Write;

const DEVICE: &str = "/dev/cpu_dma_latency";

/// The open file; the request stands as long as this lives.
#[derive(Debug)]
pub(crate) struct CpuLatencyFile(#[expect(dead_code, reason = "held open for its effect")] File);

pub(crate) fn hold() -> (Option<CpuLatencyFile>, Option<Item>) {
    const WHAT: &str = "wake-up latency";
    let asked = "0 us".to_owned();
    match open() {
        Ok(file) => (
            Some(CpuLatencyFile(file)),
            Some(Item::granted(WHAT, asked, format!("0 us ({DEVICE})"))),
        ),
        Err(error) => {
            let why = format!("{DEVICE}: {error}");
            let cure = "a udev rule opens it to a group: KERNEL==\"cpu_dma_latency\", GROUP=\"audio\", MODE=\"0660\"";
            (None, Some(Item::refused(WHAT, asked, "the default", why, cure)))
        }
    }
}

fn open() -> std::io::Result<File> {
    let mut file = OpenOptions::new().write(true).open(DEVICE)?;
    file.write_all(&0i32.to_ne_bytes())?; // a 32-bit number of microseconds
    Ok(file)
}

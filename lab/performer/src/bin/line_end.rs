//! `line_end`: the far end of a line, with its own time of what happens there.
//!
//!     line_end read DEVICE PRIORITY          prints each byte that comes on a serial line, after its time
//!     line_end strobe TIMES INTERVAL_MS      makes that many pulses on the line ACK of qemu's parallel port
//!
//! `read` runs until it is killed; its times are those at which its thread, at that SCHED_FIFO priority, had the byte.
//! `strobe` prints for each pulse the times before and after the write that makes it: qemu answers a strobe with ACK, and
//! with an interrupt, within the write. Times are nanoseconds of CLOCK_MONOTONIC. It shares no code with Chronotap.

#[path = "../clock.rs"]
mod clock;

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::fs::FileExt;
use std::process::ExitCode;
use std::time::Duration;

/// The control register of the first parallel port; its bits SELECT, INIT and INTEN (an interrupt with ACK), as pps_parport
/// leaves them.
const CONTROL: u64 = 0x37a;
const AT_REST: u8 = 0x08 | 0x04 | 0x10;
const STROBE: u8 = 0x01;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let done = match words[..] {
        ["read", device, priority] => read(device, priority),
        ["strobe", times, interval_ms] => strobe(times, interval_ms),
        _ => {
            Err("usage: line_end read DEVICE PRIORITY; or line_end strobe TIMES INTERVAL_MS".into())
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("line_end: {message}");
            ExitCode::from(2)
        }
    }
}

fn read(device: &str, priority: &str) -> Result<(), String> {
    let mut line = File::open(device).map_err(|e| format!("{device}: {e}"))?;
    // SAFETY: a zeroed termios is a valid one, which lives for the calls that fill, change and set it.
    unsafe {
        let mut settings: libc::termios = std::mem::zeroed();
        libc::tcgetattr(line.as_raw_fd(), &mut settings);
        libc::cfmakeraw(&mut settings);
        libc::tcsetattr(line.as_raw_fd(), libc::TCSANOW, &settings);
    }
    clock::become_urgent(number(priority)?)?;
    let (mut out, mut bytes) = (std::io::stdout().lock(), [0; 64]);
    loop {
        let count = line.read(&mut bytes).map_err(|e| format!("{device}: {e}"))?;
        let at = clock::now();
        for byte in &bytes[..count] {
            writeln!(out, "{at}\t{byte}").map_err(|e| e.to_string())?;
        }
    }
}

fn strobe(times: &str, interval_ms: &str) -> Result<(), String> {
    let ports =
        File::options().write(true).open("/dev/port").map_err(|e| format!("/dev/port: {e}"))?;
    let put = |byte| ports.write_all_at(&[byte], CONTROL).map_err(|e| format!("/dev/port: {e}"));
    for _ in 0..number(times)? {
        std::thread::sleep(Duration::from_millis(number(interval_ms)? as u64));
        put(AT_REST | STROBE)?;
        let before = clock::now();
        put(AT_REST)?;
        println!("{before}\t{}", clock::now());
    }
    Ok(())
}

fn number(word: &str) -> Result<i32, String> {
    word.parse().map_err(|_| format!("\"{word}\" is no number"))
}

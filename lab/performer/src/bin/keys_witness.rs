//! `keys_witness`: another program that wants a keyboard's keys. It opens the keyboard as any
//! program would, reads what comes, and tries again and again to take the keys for itself
//! (EVIOCGRAB), giving them back at once. So it sees when somebody else has them, and whether
//! any key reached it meanwhile.
//!
//!     keys_witness NAME SECONDS          watches, then prints figures
//!     keys_witness --say SOCKET REQUEST  hands a session a request until it obeys, and prints the reply
//!
//! Figures: `held` how often somebody took the keys, `released` how often they were free again,
//! `held_ms` for how long they were taken in all, `keys_while_free` and `keys_while_held` how many
//! presses were read. It shares no code with Chronotap. The numbers are those of Linux's input.h.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::net::UnixStream;
use std::process::ExitCode;
use std::thread::sleep;
use std::time::{Duration, Instant};

const GRAB: libc::c_ulong = 1 << 30 | 4 << 16 | (b'E' as libc::c_ulong) << 8 | 0x90;
const NAME: libc::c_ulong = 2 << 30 | 256 << 16 | (b'E' as libc::c_ulong) << 8 | 0x06;
const KEY: u16 = 1;
const EVENT_BYTES: usize = 24;
const PRESSED: i32 = 1;
/// Long against the moment for which it has the keys itself.
const EVERY: Duration = Duration::from_millis(20);
/// How long a session or a keyboard may take to be there.
const PATIENCE: Duration = Duration::from_secs(30);

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let done = match &words[..] {
        [name, seconds] if seconds.parse::<f64>().is_ok() => {
            watch(name, Duration::from_secs_f64(seconds.parse().unwrap_or(1.0)))
        }
        [say, socket, request] if say == "--say" => told(socket, request),
        _ => Err("usage: keys_witness NAME SECONDS; or keys_witness --say SOCKET REQUEST".into()),
    };
    match done {
        Ok(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("keys_witness: {message}");
            ExitCode::from(2)
        }
    }
}

/// What was seen of a keyboard.
#[derive(Default)]
struct Seen {
    held: u32,
    released: u32,
    held_for: Duration,
    keys_while_free: u32,
    keys_while_held: u32,
}

fn watch(name: &str, span: Duration) -> Result<String, String> {
    let mut device = patiently(|| open(name))?;
    let (begun, mut seen, mut is_held) = (Instant::now(), Seen::default(), false);
    while begun.elapsed() < span {
        sleep(EVERY);
        let keys = presses(&mut device);
        match is_held {
            true => seen.keys_while_held += keys,
            false => seen.keys_while_free += keys,
        }
        let now_held = somebody_has_it(&device)?;
        seen.held_for += if is_held && now_held { EVERY } else { Duration::ZERO };
        seen.held += u32::from(now_held && !is_held);
        seen.released += u32::from(is_held && !now_held);
        is_held = now_held;
    }
    let Seen { held, released, held_for, keys_while_free, keys_while_held } = seen;
    let held_ms = held_for.as_millis();
    Ok(format!(
        "held\t{held}\nreleased\t{released}\nheld_ms\t{held_ms}\nkeys_while_free\t{keys_while_free}\nkeys_while_held\t{keys_while_held}\n"
    ))
}

/// The event device of that name.
fn open(name: &str) -> Result<File, String> {
    let nodes = std::fs::read_dir("/dev/input").map_err(|e| format!("/dev/input: {e}"))?;
    for node in nodes.flatten() {
        let device = File::options().read(true).custom_flags(libc::O_NONBLOCK).open(node.path());
        let Ok(device) = device else { continue };
        let mut given = [0u8; 256];
        // SAFETY: the call writes at most 256 bytes, as NAME says.
        let got = unsafe { libc::ioctl(device.as_raw_fd(), NAME, given.as_mut_ptr()) };
        if got > 0 && given[..got as usize - 1] == *name.as_bytes() {
            return Ok(device);
        }
    }
    Err(format!("there is no keyboard \"{name}\""))
}

/// Takes the keys and gives them back; whether somebody else has them.
fn somebody_has_it(device: &File) -> Result<bool, String> {
    // SAFETY: the call takes its argument by value.
    let grab = |on: libc::c_int| unsafe { libc::ioctl(device.as_raw_fd(), GRAB, on) };
    if grab(1) == 0 {
        grab(0);
        return Ok(false);
    }
    let error = std::io::Error::last_os_error();
    match error.raw_os_error() {
        Some(libc::EBUSY) => Ok(true),
        _ => Err(format!("EVIOCGRAB: {error}")),
    }
}

/// How many presses came since the last look.
fn presses(device: &mut File) -> u32 {
    let (mut bytes, mut count) = ([0u8; 64 * EVENT_BYTES], 0);
    while let Ok(n @ 1..) = device.read(&mut bytes) {
        for event in bytes[..n].chunks_exact(EVENT_BYTES) {
            let kind = u16::from_ne_bytes([event[16], event[17]]);
            let value = i32::from_ne_bytes([event[20], event[21], event[22], event[23]]);
            count += u32::from(kind == KEY && value == PRESSED);
        }
    }
    count
}

/// Hands over a request until it is obeyed.
fn told(socket: &str, request: &str) -> Result<String, String> {
    patiently(|| {
        let failed = |e: std::io::Error| format!("{socket}: {e}");
        let mut session = UnixStream::connect(socket).map_err(failed)?;
        writeln!(session, "{request}").map_err(failed)?;
        let mut reply = String::new();
        BufReader::new(session).read_line(&mut reply).map_err(failed)?;
        if reply.contains("\"ok\"") { Ok(reply) } else { Err(reply) }
    })
}

fn patiently<T>(mut work: impl FnMut() -> Result<T, String>) -> Result<T, String> {
    let begun = Instant::now();
    loop {
        match work() {
            Err(_) if begun.elapsed() < PATIENCE => sleep(Duration::from_millis(100)),
            other => return other,
        }
    }
}

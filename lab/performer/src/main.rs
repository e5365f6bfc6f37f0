//! `performer`: the participant of the device lab. Plays a TSV of taps on a device at
//! SCHED_FIFO and writes down, in CLOCK_MONOTONIC, when each message was
//! handed over and when each message came back. It shares no code with Chronotap:
//! it is the witness that Chronotap's own record is compared with.
//!
//! DEVICE is a raw MIDI device; or `seq:CLIENT`, a client of the ALSA sequencer that it
//! ties itself to; or `seq:`, a port that others tie themselves to; or `keys:NAME`, a
//! keyboard of that name, which it plugs in. With `--echo` it plays nothing and sends
//! every byte back, as a cable from output to input would.
//!
//! Output, tab-separated: direction (`played`, `delivered`, `heard`, `lost`, `closed`),
//! before_ns, after_ns, message in hexadecimal. For `played` the two times enclose the
//! write; for `delivered` also the other driver's taking of the bytes; for `heard`
//! both are when the bytes were found.

mod clock;
mod device;
mod keyboard;
mod script;
mod sequencer;

use std::fmt::Write as _;
use std::process::ExitCode;

const USAGE: &str = "usage: performer DEVICE --play TAPS.tsv --record FILE [--hear DEVICE] \
[--priority N] [--from-first-note] [--pull] [--tail SECONDS] [--limit SECONDS]; \
or performer DEVICE --echo [--priority N] [--limit SECONDS]";

/// What the command line asks for.
struct Asked {
    device: String,
    /// Where the answer is heard, if not on the device itself.
    hear: Option<String>,
    echo: bool,
    /// Pull the keyboard's cable after the last tap.
    pull: bool,
    play: Option<String>,
    record: String,
    priority: i32,
    from_first_note: bool,
    /// How long to listen after the last tap.
    tail_ns: i64,
    /// When to give up waiting for the first note, or to end the echo.
    limit_ns: i64,
}

fn main() -> ExitCode {
    match asked().and_then(|asked| perform(&asked)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("performer: {message}");
            ExitCode::from(2)
        }
    }
}

fn asked() -> Result<Asked, String> {
    let mut asked = Asked {
        device: String::new(),
        hear: None,
        echo: false,
        pull: false,
        play: None,
        record: String::new(),
        priority: 0,
        from_first_note: false,
        tail_ns: 1_000_000_000,
        limit_ns: 60_000_000_000,
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("{word} needs a value; {USAGE}"));
        match word.as_str() {
            "--hear" => asked.hear = Some(value()?),
            "--echo" => asked.echo = true,
            "--pull" => asked.pull = true,
            "--play" => asked.play = Some(value()?),
            "--record" => asked.record = value()?,
            "--priority" => asked.priority = value()?.parse().map_err(|_| USAGE)?,
            "--tail" => asked.tail_ns = script::nanoseconds(&value()?)?,
            "--limit" => asked.limit_ns = script::nanoseconds(&value()?)?,
            "--from-first-note" => asked.from_first_note = true,
            _ if word.starts_with('-') => return Err(USAGE.into()),
            _ => asked.device = word,
        }
    }
    let complete = !asked.device.is_empty() && (asked.echo || !asked.record.is_empty());
    if complete { Ok(asked) } else { Err(USAGE.into()) }
}

fn perform(asked: &Asked) -> Result<(), String> {
    let script = match &asked.play {
        Some(path) => script::read(path)?,
        None => Vec::new(),
    };
    let mut device = device::Device::open(&asked.device, asked.hear.as_deref())?;
    clock::become_urgent(asked.priority)?;
    if asked.echo {
        device.echo_until(clock::now() + asked.limit_ns);
        return Ok(());
    }
    play(asked, &script, &mut device);
    let mut text = String::from("direction\tbefore_ns\tafter_ns\tmessage\n");
    for event in &device.events {
        let _ = writeln!(text, "{event}");
    }
    std::fs::write(&asked.record, text).map_err(|e| format!("{}: {e}", asked.record))
}

/// Plays and listens until the script and its tail are over or the device is gone.
fn play(asked: &Asked, script: &[script::Planned], device: &mut device::Device) {
    let mut origin = clock::now();
    if asked.from_first_note {
        match device.wait_for_note(origin + asked.limit_ns) {
            Some(first) => origin = first,
            None => return,
        }
    }
    device.warm_up();
    for planned in script {
        if !device.listen_until(origin + planned.at_ns) {
            return;
        }
        device.play(&planned.bytes);
    }
    if asked.pull {
        device.pull();
    }
    device.listen_until(clock::now() + asked.tail_ns);
}

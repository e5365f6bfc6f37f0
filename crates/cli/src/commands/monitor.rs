//! `chronotap monitor`: what arrives at a port, as it comes.

use crate::CommandVerdict;
use crate::args::Monitor;
use crate::commands::take_over_ctrl_c;
use crate::screen::{remark, say, wrapped};
use anyhow::{Context, Result};
use chronotap_core::midi::Message;
use chronotap_core::time::{Clock, Nanos};
use chronotap_engine::signal::{Arrival, Port, PortCounts, PortError, Readiness, Stamp};
use chronotap_linux::clocks::{MonotonicClock, timespec};
use chronotap_linux::ports::Spec;
use chronotap_linux::realtime::Interrupt;
use rustix::event::{PollFd, PollFlags, poll};

pub fn monitor(args: &Monitor) -> Result<CommandVerdict> {
    let spec: Spec = args.input.parse().with_context(|| format!("--in {}", args.input))?;
    let mut port = spec.open(&[(0, "monitor")], &[])?;
    let interrupt = take_over_ctrl_c()?;
    let clock = MonotonicClock::start();
    port.start(clock.origin());
    let (mut last_press, mut before) = (None, PortCounts::default());
    say("      time s  interval ms  stamp   event");
    while !interrupt.requested() {
        wait(port.as_ref(), interrupt)?;
        let read = port.read(clock.now(), &mut |arrival| {
            say(line(&arrival, &mut last_press));
        });
        if read == Err(PortError::Closed) {
            before = before + port.counts();
            drop(port); // some drivers refuse a second opening
            remark(format!("{}: {}", args.input, closed(&spec)));
            let again = if spec.reopens() { look_for(&spec, interrupt)? } else { None };
            let Some(fresh) = again else {
                remark(format!("\n{}", wrapped(&counted(before), "")));
                return Ok(CommandVerdict::Passed);
            };
            port = fresh;
            port.start(clock.origin());
            before.reopened += 1;
            remark(format!("{}: there again, and opened", args.input));
            continue;
        }
        read?;
    }
    remark(format!("\n{}", wrapped(&counted(before + port.counts()), "")));
    Ok(CommandVerdict::Passed)
}

fn closed(spec: &Spec) -> &'static str {
    match spec.reopens() {
        true => "unplugged, or closed by its other end; looking for it until Ctrl-C",
        false => "closed by its other end",
    }
}

/// Looks for a port four times a second; `None` after Ctrl-C. One that has ended
/// already is looked for again.
fn look_for(spec: &Spec, interrupt: Interrupt) -> Result<Option<Box<dyn Port>>> {
    while !interrupt.requested() {
        if let Ok(port) = spec.open(&[(0, "monitor")], &[])
            && is_alive(port.as_ref())
        {
            return Ok(Some(port));
        }
        let mut polled = [PollFd::from_borrowed_fd(interrupt.descriptor(), PollFlags::IN)];
        match poll(&mut polled, Some(&timespec(EVERY))) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error).context("waiting for the port"),
        }
    }
    Ok(None)
}

/// How often a port that was unplugged is looked for.
const EVERY: Nanos = Nanos::from_millis(250);

fn is_alive(port: &dyn Port) -> bool {
    let Readiness::Descriptor(fd) = port.readiness() else { return false };
    let mut polled = [PollFd::from_borrowed_fd(fd, PollFlags::IN)];
    let over = PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL;
    poll(&mut polled, Some(&timespec(Nanos::ZERO))).is_ok() && !polled[0].revents().intersects(over)
}

fn wait(port: &dyn Port, interrupt: Interrupt) -> Result<()> {
    let Readiness::Descriptor(fd) = port.readiness() else { return Ok(()) };
    let interrupt = interrupt.descriptor();
    let mut polled = [
        PollFd::from_borrowed_fd(fd, PollFlags::IN),
        PollFd::from_borrowed_fd(interrupt, PollFlags::IN),
    ];
    match poll(&mut polled, None) {
        Ok(_) | Err(rustix::io::Errno::INTR) => Ok(()),
        Err(error) => Err(error).context("waiting for input"),
    }
}

fn line(arrival: &Arrival, last_press: &mut Option<Nanos>) -> String {
    let mut interval = String::new();
    if let Message::NoteOn { .. } = arrival.message {
        let since = last_press.replace(arrival.at).map(|last| arrival.at - last);
        interval = since.map(|since| format!("{:.3}", since.as_millis_f64())).unwrap_or_default();
    }
    let (at, stamp) = (arrival.at.as_secs_f64(), stamp(arrival.stamp));
    format!("{at:>12.6} {interval:>12}  {stamp:<7} {}", describe(arrival.message))
}

/// Who took the time.
pub fn stamp(stamp: Stamp) -> &'static str {
    match stamp {
        Stamp::UserSpace => "program",
        Stamp::Kernel => "kernel",
        Stamp::AudioFrame => "audio",
        Stamp::Device => "device",
        Stamp::Virtual => "virtual",
    }
}

fn describe(message: Message) -> String {
    match message {
        Message::NoteOn { channel, note, velocity } => {
            format!("press    channel {channel:<2} note {note:<3} velocity {velocity}")
        }
        Message::NoteOff { channel, note, velocity } => {
            format!("release  channel {channel:<2} note {note:<3} velocity {velocity}")
        }
        Message::NoteOnZero { channel, note } => {
            format!("release  channel {channel:<2} note {note:<3} velocity 0")
        }
        Message::PolyPressure { channel, note, pressure } => {
            format!("pressure channel {channel:<2} note {note:<3} value {pressure}")
        }
        Message::Control { channel, controller, value } => {
            format!("control  channel {channel:<2} controller {controller} value {value}")
        }
        Message::Program { channel, program } => {
            format!("program  channel {channel:<2} number {program}")
        }
        Message::ChannelPressure { channel, pressure } => {
            format!("pressure channel {channel:<2} value {pressure}")
        }
        Message::PitchBend { channel, lsb, msb } => {
            let value = i32::from(msb.get()) * 128 + i32::from(lsb.get()) - 8_192;
            format!("bend     channel {channel:<2} value {value}")
        }
        Message::Sysex(part) => {
            let bytes: Vec<String> = part.bytes().iter().map(|b| format!("{b:02x}")).collect();
            format!("sysex    {}", bytes.join(" "))
        }
        Message::SystemCommon { status, .. } | Message::RealTime(status) => {
            format!("system   {status:02x}")
        }
    }
}

fn counted(counts: PortCounts) -> String {
    format!(
        "{} messages; {} bytes of system exclusive, {} real-time bytes, {} invalid bytes, {} overruns, {} times reopened",
        counts.received,
        counts.sysex_bytes,
        counts.realtime_bytes,
        counts.invalid_bytes,
        counts.overruns,
        counts.reopened,
    )
}

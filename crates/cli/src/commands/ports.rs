//! `chronotap ports`: what a trial can be bound to.

use crate::Verdict;
use crate::args::Ports;
use crate::commands::monitor::stamp;
use crate::screen::{say, wrapped};
use anyhow::Result;
use chronotap_ports::{Listed, list};
use serde_json::{Value, json};

const NO_DEVICE: &str = "no MIDI device is present; plug one in, or load its driver \
     (`sudo modprobe snd-usb-audio`)";

/// Runs the command.
pub fn ports(args: &Ports) -> Result<Verdict> {
    let ports = list();
    if args.json {
        say(ports.iter().map(as_json).collect::<Value>());
        return Ok(Verdict::Passed);
    }
    for port in &ports {
        let Listed { name, description, .. } = port;
        let name = if name.contains(' ') { format!("'{name}'") } else { name.clone() };
        say(format!("{name:<24} {}", direction(port)));
        say(wrapped(&format!("{description}; {}", stamped(port)), "    "));
        if let Some(refused) = &port.refused {
            say(wrapped(refused, "    "));
        }
    }
    if !ports.iter().any(|port| port.name.starts_with("alsa:")) {
        say(wrapped(NO_DEVICE, ""));
    }
    say("any character device, FIFO or pseudo-terminal can be named as raw:PATH");
    Ok(Verdict::Passed)
}

fn direction(port: &Listed) -> &'static str {
    match (port.input, port.output) {
        (true, true) => "in out",
        (true, false) => "in",
        (false, true) => "out",
        (false, false) => "-",
    }
}

fn stamped(port: &Listed) -> String {
    match port.stamp {
        _ if !port.input => "output only".into(),
        by => format!("{} stamps", stamp(by)),
    }
}

fn as_json(port: &Listed) -> Value {
    let Listed { name, description, input, output, stamp: by, refused } = port;
    let by = stamp(*by);
    json!({ "name": name, "description": description, "in": input, "out": output, "stamps": by, "refused": refused })
}

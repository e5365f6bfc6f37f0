//! `chronotap ports`: what a trial can be bound to.

use crate::Verdict;
use crate::args::Ports;
use crate::screen::say;
use anyhow::Result;
use chronotap_ports::{Listed, list};
use serde_json::{Value, json};

/// Runs the command.
pub fn ports(args: &Ports) -> Result<Verdict> {
    let ports = list();
    if args.json {
        say(ports.iter().map(as_json).collect::<Value>());
        return Ok(Verdict::Passed);
    }
    for port in &ports {
        say(format!("{:<24} {:<7} {}", port.name, direction(port), port.description));
        if let Some(refused) = &port.refused {
            say(format!("{:<24} {refused}", ""));
        }
    }
    if !ports.iter().any(|port| port.name.starts_with("raw:")) {
        say(
            "no raw MIDI device found under /dev; any character device, FIFO or\npseudo-terminal can be named as raw:PATH",
        );
    }
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

fn as_json(port: &Listed) -> Value {
    let Listed { name, description, input, output, refused } = port;
    json!({ "name": name, "description": description, "in": input, "out": output, "refused": refused })
}

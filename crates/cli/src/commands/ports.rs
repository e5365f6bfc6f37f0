//! `chronotap ports`: what a trial can be bound to.

use crate::CommandVerdict;
use crate::args::PortsArgs;
use crate::commands::monitor::stamp;
use crate::says;
use crate::screen::{say, say_data, wrapped};
use anyhow::Result;
use chronotap_linux::ports::{Listed, PortKinds};
use serde_json::{Value, json};

pub fn ports(args: &PortsArgs) -> Result<CommandVerdict> {
    let kinds = PortKinds::standard();
    if args.json {
        say_data(kinds.list().iter().map(as_json).collect::<Value>());
        return Ok(CommandVerdict::Passed);
    }
    let mut none = Vec::new();
    for kind in kinds.rows() {
        let ports = (kind.list)();
        ports.iter().for_each(show);
        none.extend(kind.none_listed.filter(|_| ports.is_empty()));
    }
    none.into_iter().for_each(|words| say(wrapped(words, "")));
    Ok(CommandVerdict::Passed)
}

fn show(port: &Listed) {
    let Listed { name, description, .. } = port;
    let name = if name.contains(' ') { format!("'{name}'") } else { name.clone() };
    say(format!("{name:<24} {}", direction(port)));
    say(wrapped(&format!("{description}; {}", stamped(port)), "    "));
    if let Some(refused) = &port.refused {
        say(wrapped(&says::of(&**refused), "    "));
    }
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
    let (by, refused) = (stamp(*by), refused.as_ref().map(|error| says::of(&**error)));
    json!({ "name": name, "description": description, "in": input, "out": output, "stamps": by, "refused": refused })
}

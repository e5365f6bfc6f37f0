//! [`JackName`]: whom a trial's JACK ports are connected with.

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

/// What stands after `jack`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum JackName {
    /// `jack` alone: nobody; others connect themselves.
    Anybody,
    /// `jack:loop`: the outputs are connected to the inputs.
    Loop,
    /// `jack:CLIENT:PORT`, as JACK names its ports.
    Peer(String),
}

impl FromStr for JackName {
    type Err = Infallible;

    fn from_str(rest: &str) -> Result<JackName, Infallible> {
        Ok(match rest {
            "" => JackName::Anybody,
            "loop" => JackName::Loop,
            peer => JackName::Peer(peer.into()),
        })
    }
}

impl fmt::Display for JackName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JackName::Anybody => write!(f, "jack"),
            JackName::Loop => write!(f, "jack:loop"),
            JackName::Peer(name) => write!(f, "jack:{name}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_reads_back_as_it_was_written() {
        let parsed = |rest: &str| rest.parse::<JackName>().map(|name| name.to_string());
        assert_eq!(parsed(""), Ok("jack".into()));
        assert_eq!(parsed("loop"), Ok("jack:loop".into()));
        assert_eq!(parsed("system:midi_capture_1"), Ok("jack:system:midi_capture_1".into()));
    }
}

//! [`LineName`]: which device, and how its line stands at rest, or which of its lines is listened to.

use std::fmt;
use std::path::PathBuf;

/// A device that codes are sent to, or that pulses come from.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LineName {
    /// What it is used for, and how.
    pub kind: LineKind,
    /// Where it is.
    pub path: PathBuf,
    /// Bits a second of a serial line.
    pub baud: u32,
    /// What stands on the line at rest; none where the device goes back by itself.
    pub rest: Option<u8>,
    /// Whether every bit is the other way round on the wire.
    pub inverted: bool,
    /// The control line on which pulses come in.
    pub control: Control,
}

/// A control line of a serial port that comes in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Control {
    /// Data carrier detect.
    #[default]
    Dcd,
    /// Clear to send.
    Cts,
    /// Data set ready.
    Dsr,
}

impl Control {
    const ALL: [Control; 3] = [Control::Dcd, Control::Cts, Control::Dsr];

    fn word(self) -> &'static str {
        match self {
            Control::Dcd => "dcd",
            Control::Cts => "cts",
            Control::Dsr => "dsr",
        }
    }
}

/// The kinds of line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LineKind {
    /// Codes go out, each a byte on a serial line.
    Serial,
    /// Codes go out on the data lines of a parallel port.
    Parallel,
    /// Pulses come in on a control line of a serial port.
    Ttl,
    /// Pulses come in that the kernel itself stamps.
    Pps,
}

impl LineKind {
    /// Whether pulses come in, and nothing goes out.
    pub const fn is_input(self) -> bool {
        matches!(self, LineKind::Ttl | LineKind::Pps)
    }
}

/// The rate of a serial line for which its name gives none.
const BAUD: u32 = 115_200;

/// Why the name of a line was not understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineNameError {
    /// No path.
    #[error("`{0}:` needs the path of its device")]
    NoPath(LineKind),
    /// Nothing of that name can be asked.
    #[error("`{0}:…?{1}` is not known")]
    Option(LineKind, String),
    /// Not a number that fits.
    #[error("`{0}:…?{1}` needs another number")]
    Number(LineKind, String),
}

impl LineName {
    /// Reads what stands after the prefix of its kind.
    ///
    /// # Errors
    /// [`LineNameError`].
    pub fn parse(kind: LineKind, rest: &str) -> Result<LineName, LineNameError> {
        let (path, asked) = rest.split_once('?').unwrap_or((rest, ""));
        if path.is_empty() {
            return Err(LineNameError::NoPath(kind));
        }
        let (baud, at_rest) = (BAUD, Some(0));
        let (inverted, control) = (false, Control::default());
        let mut name = LineName { kind, path: path.into(), baud, rest: at_rest, inverted, control };
        for one in asked.split('&').filter(|one| !one.is_empty()) {
            name.ask(one)?;
        }
        Ok(name)
    }

    fn ask(&mut self, one: &str) -> Result<(), LineNameError> {
        let kind = self.kind;
        let number = || LineNameError::Number(kind, one.into());
        let (key, value) = one.split_once('=').unwrap_or((one, ""));
        match key {
            "baud" if kind == LineKind::Serial => {
                self.baud = value.parse().ok().filter(|baud| *baud > 0).ok_or_else(number)?;
            }
            "line" if kind == LineKind::Ttl => {
                let known = Control::ALL.into_iter().find(|control| control.word() == value);
                self.control = known.ok_or_else(number)?;
            }
            "rest" if value == "none" && kind == LineKind::Serial => self.rest = None,
            "rest" if !kind.is_input() => self.rest = Some(value.parse().map_err(|_| number())?),
            "inverted" if value.is_empty() => self.inverted = true,
            _ => return Err(LineNameError::Option(kind, one.into())),
        }
        Ok(())
    }
}

impl fmt::Display for LineKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            LineKind::Serial => "serial",
            LineKind::Parallel => "parallel",
            LineKind::Ttl => "ttl",
            LineKind::Pps => "pps",
        })
    }
}

impl fmt::Display for LineName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.kind, self.path.display())?;
        let rest = match self.rest {
            Some(0) => None,
            Some(rest) => Some(format!("rest={rest}")),
            None => Some("rest=none".to_owned()),
        };
        let baud = (self.baud != BAUD).then(|| format!("baud={}", self.baud));
        let inverted = self.inverted.then(|| "inverted".to_owned());
        let line = format!("line={}", self.control.word());
        let line = (self.control != Control::default()).then_some(line);
        let asked: Vec<String> = [baud, rest, line, inverted].into_iter().flatten().collect();
        if asked.is_empty() { Ok(()) } else { write!(f, "?{}", asked.join("&")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_reads_back_as_it_was_written() {
        for (kind, rest) in [
            (LineKind::Serial, "/dev/ttyUSB0"),
            (LineKind::Serial, "/dev/ttyACM0?baud=9600&rest=255&inverted"),
            (LineKind::Serial, "/dev/ttyACM0?rest=none"),
            (LineKind::Parallel, "/dev/parport0?inverted"),
            (LineKind::Ttl, "/dev/ttyS0"),
            (LineKind::Ttl, "/dev/ttyUSB0?line=cts&inverted"),
            (LineKind::Pps, "/dev/pps0?inverted"),
        ] {
            let name = LineName::parse(kind, rest).unwrap();
            assert_eq!(name.to_string(), format!("{kind}:{rest}"));
        }
    }

    #[test]
    fn what_is_not_understood_is_told() {
        use LineKind::{Parallel, Pps, Serial, Ttl};
        let refused = |kind, rest: &str| LineName::parse(kind, rest).unwrap_err();
        let option = |kind, one: &str| LineNameError::Option(kind, one.into());
        let number = |kind, one: &str| LineNameError::Number(kind, one.into());
        assert_eq!(refused(Serial, ""), LineNameError::NoPath(Serial));
        assert_eq!(refused(Serial, "/dev/x?bauds=3"), option(Serial, "bauds=3"));
        assert_eq!(refused(Parallel, "/dev/x?baud=3"), option(Parallel, "baud=3"));
        assert_eq!(refused(Parallel, "/dev/x?rest=none"), number(Parallel, "rest=none"));
        assert_eq!(refused(Ttl, "/dev/x?line=rts"), number(Ttl, "line=rts"));
        assert_eq!(refused(Ttl, "/dev/x?rest=1"), option(Ttl, "rest=1"));
        assert_eq!(refused(Pps, "/dev/x?line=cts"), option(Pps, "line=cts"));
        assert_eq!(refused(Serial, "/dev/x?rest=256"), number(Serial, "rest=256"));
        assert_eq!(refused(Serial, "/dev/x?baud=0"), number(Serial, "baud=0"));
    }
}

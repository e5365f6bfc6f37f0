//! The rows of serial and parallel lines in the table of kinds, and those that are present.

use super::{EdgePort, LineKind, LineName, LinePort};
use crate::ports::{
    CodesOf, Listed, Misread, NameForm, OpenPortError, Permission, PortKind, PortName, Uses,
};
use chronotap_engine::signal::{Port, Stamp};
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(crate) static SERIAL: PortKind = PortKind {
    prefix: "serial",
    forms: &[
        NameForm {
            name: "serial:PATH",
            words: "codes for another recorder, each a byte on a serial line",
        },
        NameForm {
            name: "serial:PATH?OPTION&OPTION...",
            words: "the same with baud=N, rest=BYTE, rest=none or inverted",
        },
    ],
    parse: |rest| parse(LineKind::Serial, rest),
    list: || listed(LineKind::Serial, &["ttyUSB", "ttyACM"]),
    none_listed: None,
    is_meant_by: |text| text.starts_with("/dev/ttyUSB") || text.starts_with("/dev/ttyACM"),
    has_sockets: false,
    warning: None,
};

pub(crate) static PARALLEL: PortKind = PortKind {
    prefix: "parallel",
    forms: &[
        NameForm {
            name: "parallel:PATH",
            words: "codes on the eight data lines of a parallel port (driver ppdev)",
        },
        NameForm {
            name: "parallel:PATH?OPTION&OPTION...",
            words: "the same with rest=BYTE or inverted",
        },
    ],
    parse: |rest| parse(LineKind::Parallel, rest),
    list: || listed(LineKind::Parallel, &["parport"]),
    none_listed: None,
    is_meant_by: |text| text.starts_with("/dev/parport"),
    has_sockets: false,
    warning: None,
};

pub(crate) static TTL: PortKind = PortKind {
    prefix: "ttl",
    forms: &[
        NameForm {
            name: "ttl:PATH",
            words: "pulses of a scanner or another recorder on a serial port's line",
        },
        NameForm {
            name: "ttl:PATH?OPTION&OPTION...",
            words: "the same with line=dcd, line=cts or line=dsr, or inverted",
        },
    ],
    parse: |rest| parse(LineKind::Ttl, rest),
    list: Vec::new,
    none_listed: None,
    is_meant_by: |_| false,
    has_sockets: false,
    warning: None,
};

pub(crate) static PPS: PortKind = PortKind {
    prefix: "pps",
    forms: &[
        NameForm {
            name: "pps:PATH",
            words: "pulses that the kernel itself stamps (PPS), as /dev/pps0",
        },
        NameForm { name: "pps:PATH?inverted", words: "the same with the falling edge as the tap" },
    ],
    parse: |rest| parse(LineKind::Pps, rest),
    list: || listed(LineKind::Pps, &["pps"]),
    none_listed: None,
    is_meant_by: |text| text.starts_with("/dev/pps"),
    has_sockets: false,
    warning: None,
};

fn parse(kind: LineKind, rest: &str) -> Result<Box<dyn PortName>, Misread> {
    match LineName::parse(kind, rest) {
        Ok(name) => Ok(Box::new(name)),
        Err(error) => Err(Misread::wrong(error)),
    }
}

impl PortName for LineName {
    fn full_name(&self) -> String {
        self.to_string()
    }

    fn open(&self, uses: &Uses<'_>) -> Result<Box<dyn Port>, OpenPortError> {
        if self.kind.is_input() {
            let input = uses.one_input_only(self)?;
            return Ok(Box::new(EdgePort::open(self, input).map_err(OpenPortError::device)?));
        }
        uses.outputs_only(self)?;
        Ok(Box::new(LinePort::open(self).map_err(OpenPortError::device)?))
    }

    fn codes(&self) -> CodesOf {
        match self.kind {
            kind if kind.is_input() => CodesOf::None,
            _ => CodesOf::Only { bits: 8, rest: self.rest.unwrap_or(0).into() },
        }
    }

    /// As with byte streams, the number of a pseudo-terminal may be somebody else's by then.
    fn reopens(&self) -> bool {
        !self.path.starts_with("/dev/pts")
    }
}

fn listed(kind: LineKind, prefixes: &[&str]) -> Vec<Listed> {
    let entries = std::fs::read_dir("/dev").into_iter().flatten().flatten();
    let known = |name: &str| prefixes.iter().any(|prefix| name.starts_with(prefix));
    let named = entries.filter(|entry| known(&entry.file_name().to_string_lossy()));
    let mut paths: Vec<PathBuf> = named.map(|entry| entry.path()).collect();
    paths.sort();
    paths.iter().map(|path| one(kind, path)).collect()
}

fn one(kind: LineKind, path: &Path) -> Listed {
    use rustix::fs::{Access, access};
    let open = access(path, Access::READ_OK | Access::WRITE_OK).is_ok();
    let described = match kind {
        LineKind::Serial => "serial port, for codes",
        LineKind::Parallel => "parallel port, for codes",
        LineKind::Ttl => "control line, for pulses",
        LineKind::Pps => "pulses that the kernel stamps",
    };
    Listed {
        name: format!("{kind}:{}", path.display()),
        description: described.into(),
        input: kind.is_input(),
        output: !kind.is_input(),
        stamp: if kind == LineKind::Pps { Stamp::Kernel } else { Stamp::UserSpace },
        refused: (!open).then(|| Arc::new(Permission::of(path)) as _),
    }
}

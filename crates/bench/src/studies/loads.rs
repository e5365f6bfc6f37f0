//! [`Load`]: what else the machine has to do while it is measured, taken from the
//! studies that the tests come from.
//!
//! A load runs in a process of its own with ordinary priority, but for the card's thread of
//! [`Load::Effects`] ([`RunningLoad`]): the same
//! program, through the public command `chronotap load NAME`. So it competes as another
//! program would, and ends with the one that started it, however that ends. Time, disk
//! and memory are bounded by [`LoadLimits`], and no file of it ever has a name that could
//! be left behind. Nothing here leaves the machine: traffic is on its loopback.

mod arithmetic;
mod disk;
mod effects;
mod job;
mod limits;
mod perform;
mod process_table;
mod refusal;
mod running;
mod tools;
mod varoquaux;
mod work;

pub use limits::LoadLimits;
pub use perform::{Until, perform};
pub use refusal::LoadRefusal;
pub use running::{LoadError, RunningLoad};
pub use work::LoadWork;

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// What else the machine has to do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Load {
    /// Nothing but what runs anyway.
    #[default]
    None,
    /// Three arithmetic loops, wherever the scheduler puts them (Finney 2001).
    Arithmetic,
    /// Three arithmetic loops pinned to each processor, so that they really contend.
    Contending,
    /// Hashing 40 MB of random bytes beside writing 500 MB, then sync, again and again, and
    /// traffic within the machine (Varoquaux's script; his ping left the machine).
    Varoquaux,
    /// Drawing, by x11perf (Senoner; Phillips 2000), as the four that follow.
    SenonerX11,
    /// Reading what /proc tells of every process.
    SenonerProc,
    /// Writing a file of 350 MB over and over.
    SenonerWrite,
    /// Copying it.
    SenonerCopy,
    /// Reading it from the disk.
    SenonerRead,
    /// stress-ng: processor, UDP, sync and network devices (Vignati et al. 2022).
    Vignati,
    /// Reverberators through which a card's input goes to its output (Phillips 2000, effects).
    Effects,
}

impl Load {
    /// All, in the order of the studies.
    pub const ALL: [Load; 11] = [
        Load::None,
        Load::Arithmetic,
        Load::Contending,
        Load::Varoquaux,
        Load::SenonerX11,
        Load::SenonerProc,
        Load::SenonerWrite,
        Load::SenonerCopy,
        Load::SenonerRead,
        Load::Vignati,
        Load::Effects,
    ];

    /// As in `chronotap load NAME` and in the condition `load` of a series.
    pub const fn name(self) -> &'static str {
        match self {
            Load::None => "none",
            Load::Arithmetic => "arithmetic",
            Load::Contending => "contending",
            Load::Varoquaux => "varoquaux",
            Load::SenonerX11 => "senoner-x11",
            Load::SenonerProc => "senoner-proc",
            Load::SenonerWrite => "senoner-write",
            Load::SenonerCopy => "senoner-copy",
            Load::SenonerRead => "senoner-read",
            Load::Vignati => "vignati",
            Load::Effects => "effects",
        }
    }

    /// What it does, in a line.
    pub const fn describe(self) -> &'static str {
        match self {
            Load::None => "nothing but what runs anyway",
            Load::Arithmetic => "three arithmetic loops (Finney 2001)",
            Load::Contending => "three arithmetic loops pinned to each processor",
            Load::Varoquaux => "md5 of random bytes, 500 MB to disk, sync, loopback traffic",
            Load::SenonerX11 => "drawing on the display, by x11perf",
            Load::SenonerProc => "reading /proc for every process",
            Load::SenonerWrite => "writing a file of 350 MB over and over",
            Load::SenonerCopy => "copying a file of 350 MB over and over",
            Load::SenonerRead => "reading a file of 350 MB from the disk",
            Load::Vignati => "stress-ng: cpu, udp, io, netdev (Vignati et al. 2022)",
            Load::Effects => "four reverberators live through a card (--load-card), or a timer",
        }
    }

    /// The same with files of so many MB; of a load without files as it is.
    pub fn described(self, size_mb: Option<u64>) -> String {
        let usual = format!("{} MB", self.files().1);
        match size_mb.filter(|_| self.files().0 > 0) {
            Some(size) => self.describe().replace(&usual, &format!("{size} MB")),
            None => self.describe().to_owned(),
        }
    }

    /// The size that makes another load of it than its name says: that of its files, in MB, where
    /// it is not the usual one.
    pub fn unusual_size(self, size_mb: Option<u64>) -> Option<u64> {
        let (files, usual) = self.files();
        size_mb.filter(|size| files > 0 && *size != usual)
    }

    /// Whether each of its writes can be made to wait for the disk.
    const fn writes_on_request(self) -> bool {
        matches!(self, Load::SenonerWrite | Load::SenonerCopy)
    }

    /// Whether it can run here within these limits. Leaves everything as it was.
    ///
    /// # Errors
    /// [`LoadRefusal`].
    pub fn available(self, limits: &LoadLimits) -> Result<(), LoadRefusal> {
        match self {
            Load::SenonerX11 => tools::display()?,
            Load::Vignati => tools::stress_ng()?,
            Load::Effects => effects::available(&limits.card)?,
            _ => {}
        }
        limits.space_for(self)
    }

    /// How many files of how many MB it has on the disk at a time, unless told else.
    pub(crate) const fn files(self) -> (u64, u64) {
        match self {
            Load::Varoquaux => (1, 500),
            Load::SenonerWrite | Load::SenonerRead => (1, 350),
            Load::SenonerCopy => (2, 350),
            _ => (0, 0),
        }
    }
}

impl fmt::Display for Load {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The name is none of a load's; one of [`Load::ALL`]'s is wanted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no load {name:?}")]
pub struct UnknownLoad {
    /// As it was given.
    pub name: String,
}

impl FromStr for Load {
    type Err = UnknownLoad;
    fn from_str(name: &str) -> Result<Load, UnknownLoad> {
        let named = |load: &Load| load.name() == name;
        Load::ALL.into_iter().find(named).ok_or(UnknownLoad { name: name.into() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_load_is_found_by_its_name_which_files_hold_too() {
        for load in Load::ALL {
            assert_eq!(load.name().parse(), Ok(load));
            assert_eq!(serde_json::json!(load), load.name());
        }
        let name = "arithmetics".to_owned();
        assert_eq!(name.parse::<Load>(), Err(UnknownLoad { name }));
    }

    #[test]
    fn a_disk_that_is_too_small_is_refused_with_a_size_that_would_do() {
        let limits = LoadLimits { size_mb: Some(1 << 40), ..LoadLimits::default() };
        let why = Load::SenonerCopy.available(&limits).unwrap_err();
        let LoadRefusal::NoRoom { load, free_mb, wanted_mb, fits_mb, .. } = why else {
            panic!("{why:?}")
        };
        assert_eq!((load, wanted_mb), (Load::SenonerCopy, 1 << 41), "two files");
        assert_eq!(fits_mb, free_mb.saturating_sub(200) / 2);
        assert!(Load::Arithmetic.available(&limits).is_ok());
    }
}

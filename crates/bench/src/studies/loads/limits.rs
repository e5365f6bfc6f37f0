//! [`LoadLimits`]: how long a load goes on, where, and how much disk it may take; and what of it is
//! not as usual, which a series tells among its conditions. Memory
//! needs no limit of its own: a load holds a buffer of 1 MB for each of its threads,
//! besides what the kernel caches of files, which it gives back when asked.

use super::{Load, LoadRefusal};
use chronotap_linux::cards::CardName;
use std::path::{Path, PathBuf};

/// Left free on the disk whatever a load wants.
const RESERVE_MB: u64 = 200;

/// The bounds of a load.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadLimits {
    /// The program whose command `load` runs it, usually the running one
    /// (`std::env::current_exe`).
    pub program: PathBuf,
    /// Ends by itself after so many seconds.
    pub seconds: u32,
    /// Keep the load on this processor, from 0; else where the load's kind says.
    pub cpu: Option<usize>,
    /// Directory of its files. Should lie on a disk: in memory nothing is written.
    pub dir: PathBuf,
    /// Size of each of its files in MB of 10⁶ bytes, where not that of the study.
    pub size_mb: Option<u64>,
    /// Whether each write of 1 MB waits until it is on the disk (Senoner's `do_tests`, fourth
    /// argument), besides the end of each file.
    pub sync: bool,
    /// The card of effects; by default none, but a timer.
    pub card: CardName,
}

/// A condition of a series: its name and its value.
type LoadCondition = (&'static str, String);

impl Default for LoadLimits {
    /// The running program for an hour, files in /var/tmp, which unlike /tmp lies on
    /// a disk by convention; in the directory for temporary files where it is missing.
    fn default() -> LoadLimits {
        let on_disk = Path::new("/var/tmp");
        let dir = if on_disk.is_dir() { on_disk.into() } else { std::env::temp_dir() };
        LoadLimits {
            program: std::env::current_exe().unwrap_or_else(|_| "chronotap".into()),
            seconds: 3_600,
            cpu: None,
            dir,
            size_mb: None,
            sync: false,
            card: CardName::Virtual(None),
        }
    }
}

impl LoadLimits {
    /// What makes another load of it than its name says, as conditions: the size of its files, that
    /// each write waits for the disk, the card.
    pub fn conditions(&self, load: Load) -> Vec<LoadCondition> {
        let size = load.unusual_size(self.size_mb).map(|size| ("load_size_mb", size.to_string()));
        let sync = self.sync && load.writes_on_request();
        let sync = sync.then(|| ("load_sync", "each write".to_owned()));
        let other = load == Load::Effects && self.card != CardName::Virtual(None);
        let card = other.then(|| ("load_card", self.card.to_string()));
        size.into_iter().chain(sync).chain(card).collect()
    }

    /// Bytes of each file of a load.
    pub(crate) fn bytes(&self, load: Load) -> u64 {
        self.size_mb.unwrap_or(load.files().1).max(1).saturating_mul(1_000_000)
    }

    /// Whether the disk holds its files and the reserve.
    pub(crate) fn space_for(&self, load: Load) -> Result<(), LoadRefusal> {
        let (files, _) = load.files();
        if files == 0 {
            return Ok(());
        }
        let dir = self.dir.clone();
        let disk = rustix::fs::statvfs(&self.dir)
            .map_err(|errno| LoadRefusal::Directory { dir: dir.clone(), errno })?;
        let free_mb = disk.f_bavail.saturating_mul(disk.f_frsize) / 1_000_000;
        let wanted_mb = self.bytes(load).saturating_mul(files) / 1_000_000;
        if wanted_mb.saturating_add(RESERVE_MB) <= free_mb {
            return Ok(());
        }
        let fits_mb = free_mb.saturating_sub(RESERVE_MB) / files;
        let reserve_mb = RESERVE_MB;
        Err(LoadRefusal::NoRoom { dir, load, free_mb, wanted_mb, reserve_mb, fits_mb })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_load_that_is_not_as_usual_tells_how() {
        let limits = LoadLimits {
            size_mb: Some(20),
            sync: true,
            card: CardName::Jack,
            ..LoadLimits::default()
        };
        let told = |load| {
            let all = limits.conditions(load).into_iter();
            all.map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>()
        };
        assert_eq!(told(Load::SenonerWrite), ["load_size_mb=20", "load_sync=each write"]);
        assert_eq!(told(Load::SenonerRead), ["load_size_mb=20"]);
        assert_eq!(told(Load::Effects), ["load_card=jack"]);
        assert!(told(Load::Contending).is_empty());
        assert!(LoadLimits::default().conditions(Load::SenonerCopy).is_empty());
    }
}

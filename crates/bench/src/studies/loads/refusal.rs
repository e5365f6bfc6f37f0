//! [`LoadRefusal`]: why a load cannot run here.

use super::Load;
use chronotap_linux::cards::CardError;
use rustix::io::Errno;
use std::io;
use std::path::PathBuf;

/// Why a load cannot run here.
#[derive(Debug, thiserror::Error)]
pub enum LoadRefusal {
    /// Nothing can be drawn.
    #[error("there is no X display")]
    NoDisplay,
    /// A program of others' is missing.
    #[error("{tool} is not installed")]
    NotInstalled {
        tool: &'static str,
        /// The package of Debian that it is in.
        package: &'static str,
    },
    /// The directory for its files cannot be used.
    #[error("{}: {errno}", dir.display())]
    Directory {
        dir: PathBuf,
        /// What the system said.
        errno: Errno,
    },
    /// The disk is too small for its files.
    #[error(
        "{} has {free_mb} MB free; {load} wants {wanted_mb} MB and {reserve_mb} MB to spare",
        dir.display()
    )]
    NoRoom {
        dir: PathBuf,
        /// What wants the room.
        load: Load,
        /// How much is free.
        free_mb: u64,
        /// How much its files take.
        wanted_mb: u64,
        /// How much is left free in any case.
        reserve_mb: u64,
        /// What each of its files may take at the most; 0 where there is no room at all.
        fits_mb: u64,
    },
    /// It has a priority that it cannot give up.
    #[error("ordinary {what}: {errno}")]
    Ordinary {
        /// Which: scheduling or priority.
        what: &'static str,
        /// What the system said.
        errno: Errno,
    },
    /// It cannot be kept on that processor.
    #[error("{}", no_processor(*cpu, error.as_ref()))]
    Processor {
        /// The number that was given.
        cpu: usize,
        /// What the system said; nothing where there can be no such number.
        error: Option<Errno>,
    },
    /// Its card cannot be opened.
    #[error(transparent)]
    Card(#[from] CardError),
    /// Its files cannot be made.
    #[error("{load} cannot begin in {}: {error}", dir.display())]
    Begin {
        load: Load,
        dir: PathBuf,
        /// What the system said.
        error: io::Error,
    },
}

fn no_processor(cpu: usize, error: Option<&Errno>) -> String {
    match error {
        Some(error) => format!("processor {cpu}: {error}"),
        None => format!("there is no processor {cpu}"),
    }
}

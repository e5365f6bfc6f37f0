//! A study, or a finished one, as one file that another laboratory opens and checks.
//!
//! Background: who is to check a study needs all of it, and nothing about the persons; and whoever
//! opens a file of others opens it with care.
//! Solution: a pack is a ZIP archive ([`archive`]). Its first file, `manifest.json` ([`Manifest`]), lists
//! every other with length and SHA-256. [`stage_study`] and [`stage_dataset`] lay out in a folder what goes
//! into it, and [`check_study`] and [`check_dataset`] work out every table again, from raw data alone: so
//! whoever packs finds out first what others would. [`unpack`] writes into a new folder, which gets its
//! name when it is whole. Devices, pictures and words are not known here.

mod again;
mod archive;
mod claims;
mod dataset;
mod differences;
mod effects;
mod manifest;
mod names;
mod persons;
mod study;

pub use again::check_dataset;
pub use archive::{BadPack, MOST_BYTES, MOST_RATIO, Unpacked, unpack, write};
pub(crate) use archive::{manifest_of, name_in_pack};
pub use dataset::{LeftOutFiles, Packed, stage_dataset};
pub use differences::{Differences, PackDifference};
pub use effects::{PackEffect, of_people};
pub use manifest::{Manifest, OfDataset, OfStudy, PACK_VERSION, PackedDevice};
pub use names::BadName;
pub use study::{check_study, rehearsed_effects, stage_study, study_of_dataset, study_of_pack};

use crate::dataset::DatasetError;
use crate::kept::KeptError;
use crate::rehearse::RehearseError;
use crate::study::StudyError;
use chronotap_data::tables::TablesError;
use std::io;
use std::path::{Path, PathBuf};

/// Why there is no pack, or why one is not opened.
#[derive(Debug, thiserror::Error)]
pub enum PackError {
    #[error(transparent)]
    Dataset(#[from] DatasetError),
    #[error(transparent)]
    Kept(#[from] KeptError),
    #[error(transparent)]
    Study(#[from] StudyError),
    #[error(transparent)]
    Rehearse(#[from] RehearseError),
    #[error(transparent)]
    Tables(#[from] TablesError),
    /// There is something already. Name a place where nothing is.
    #[error("{}: is there already", path.display())]
    There { path: PathBuf },
    /// The disk refuses. Free space, or name another place.
    #[error("{}: {source}", path.display())]
    Disk {
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The pack would lie in the dataset itself. Name a place elsewhere.
    #[error("{}: the pack would lie within the dataset", path.display())]
    Within { path: PathBuf },
    /// A file of the study or dataset lies elsewhere. Put it within the folder.
    #[error("{}: lies outside of the folder that is packed", path.display())]
    Outside { path: PathBuf },
    /// A file has a name that not every computer can open. Rename it.
    #[error("{name}: {why}")]
    Name { name: String, why: BadName },
    /// A file that would be packed tells of somebody who withdrew. Take it out.
    #[error("{}: tells of participant {label}, who withdrew", path.display())]
    Trace { path: PathBuf, label: String },
    /// Nobody's session began.
    #[error("{}: no session began in this dataset, so there are no data", path.display())]
    NoData { path: PathBuf },
    /// A trial cannot be read, so that nobody else could compute anything of it.
    #[error("{first}")]
    Unread {
        first: String,
        /// How many there are.
        trials: usize,
    },
    /// What would be packed does not follow from the data.
    #[error("{first}")]
    Differs {
        first: Box<PackDifference>,
        /// How many there are.
        all: usize,
    },
    /// The file is no pack that may be opened.
    #[error("{}: {source}", path.display())]
    Bad { path: PathBuf, source: BadPack },
    /// Somebody asked for the end.
    #[error("interrupted")]
    Interrupted,
}

/// Says that the end is asked for.
pub type PackStop<'a> = crate::rehearse::RehearsalStop<'a>;

fn refused(path: &Path) -> impl Fn(io::Error) -> PackError + '_ {
    |source| PackError::Disk { path: path.to_owned(), source }
}

fn unless_stopped(stop: PackStop<'_>) -> Result<(), PackError> {
    if stop() { Err(PackError::Interrupted) } else { Ok(()) }
}

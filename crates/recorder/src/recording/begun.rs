//! The files of a trial that begins: the journal with its header, and the log of callbacks.

use crate::RecordedCard;
use crate::callbacks::BegunLog;
use crate::lock;
use chronotap_core::files::{Disk, DiskFile};
use chronotap_data::record::journal::{self, Chain};
use chronotap_data::record::{Header, RecordError};
use std::io::{self, Write};
use std::path::Path;

/// Begins the log of callbacks, where there is a sound card.
pub(super) fn begin_callbacks<D: Disk>(
    disk: &D,
    path: &Path,
    cards: &[RecordedCard],
) -> Result<Option<BegunLog<D::File>>, RecordError> {
    if cards.is_empty() {
        return Ok(None);
    }
    let failed = |source| RecordError::Create { path: path.to_owned(), source };
    let file = disk.create_to_append(path).map_err(failed)?;
    let log = BegunLog::begin(file, cards).inspect_err(|_| {
        let _ = disk.remove(path); // the error that counts is told
    });
    log.map(Some).map_err(failed)
}

/// Makes the journal, with its header on the disk.
pub(super) fn create<D: Disk>(
    disk: &D,
    path: &Path,
    header: &Header,
) -> Result<(D::File, Chain), RecordError> {
    let mut chain = Chain::default();
    let mut line = Vec::new();
    let written = journal::put_header(&mut line, &mut chain, header)
        .and_then(|()| disk.create_to_append(path))
        .and_then(|mut file| begin(disk, path, &mut file, &line).map(|()| file));
    match written {
        Ok(file) => Ok((file, chain)),
        Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {
            Err(RecordError::Exists { path: path.to_owned() })
        }
        Err(source) => Err(RecordError::Create { path: path.to_owned(), source }),
    }
}

/// Locks the journal before anything stands in it, so that nobody can recover it, and writes
/// the first line; a journal without one is of no use, and is removed.
fn begin<D: Disk>(disk: &D, path: &Path, file: &mut D::File, line: &[u8]) -> io::Result<()> {
    if !lock::lock(file) {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    let begun = file.write_all(line).and_then(|()| file.sync_data());
    if begun.is_err() {
        let _ = disk.remove(path); // the error that counts is told
    }
    begun
}

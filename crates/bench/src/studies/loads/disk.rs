//! Senoner's three disk loads: a file written, copied, read, over and over. The files
//! have no name (O_TMPFILE, or unlinked right after opening), so that nothing is left
//! however the load ends. Each pass closes with fdatasync, and so does each write where it
//! is asked; a pass of reading begins by dropping what is cached: the disk is meant, not the cache.

use super::job::Job;
use super::work::LoadWork;
use rustix::fs::{Advice, fadvise};
use std::fs::File;
use std::io::{self, Read as _, Seek, SeekFrom, Write as _};
use std::path::Path;

/// Bytes of a step.
const BLOCK: usize = 1_000_000;

/// A file written from its beginning to its end, again and again.
pub(super) struct Write {
    file: File,
    block: Vec<u8>,
    at: u64,
    bytes: u64,
    /// Whether each block waits until it is on the disk.
    sync: bool,
}

impl Write {
    pub(super) fn begin(dir: &Path, bytes: u64, sync: bool) -> io::Result<Write> {
        Ok(Write {
            file: tempfile::tempfile_in(dir)?,
            block: vec![0x55; BLOCK],
            at: 0,
            bytes,
            sync,
        })
    }

    /// A file of so many bytes, all on the disk.
    fn whole_file(dir: &Path, bytes: u64) -> io::Result<File> {
        let mut write = Write::begin(dir, bytes, false)?;
        let mut work = LoadWork::default();
        for _ in 0..bytes.div_ceil(BLOCK as u64) {
            write.step(&mut work)?;
        }
        Ok(write.file)
    }
}

impl Job for Write {
    fn step(&mut self, work: &mut LoadWork) -> io::Result<()> {
        let now = BLOCK.min((self.bytes - self.at) as usize);
        self.file.write_all(&self.block[..now])?;
        self.at += now as u64;
        work.add("written_mb", now as f64 / 1e6);
        let whole = self.at == self.bytes;
        if whole || self.sync {
            self.file.sync_data()?;
            work.add("syncs", 1.0);
        }
        if whole {
            self.file.seek(SeekFrom::Start(0))?;
            self.at = 0;
        }
        Ok(())
    }
}

/// A file read from its beginning to its end, again and again.
pub(super) struct Read {
    file: File,
    block: Vec<u8>,
}

impl Read {
    pub(super) fn begin(dir: &Path, bytes: u64) -> io::Result<Read> {
        let mut read = Read { file: Write::whole_file(dir, bytes)?, block: vec![0; BLOCK] };
        read.rewind()?;
        Ok(read)
    }

    fn rewind(&mut self) -> io::Result<()> {
        fadvise(&self.file, 0, None, Advice::DontNeed)?;
        self.file.seek(SeekFrom::Start(0)).map(drop)
    }
}

impl Job for Read {
    fn step(&mut self, work: &mut LoadWork) -> io::Result<()> {
        let now = self.file.read(&mut self.block)?;
        if now == 0 {
            return self.rewind();
        }
        work.add("read_mb", now as f64 / 1e6);
        Ok(())
    }
}

/// A file copied into another.
pub(super) struct Copy {
    from: Read,
    to: Write,
}

impl Copy {
    pub(super) fn begin(dir: &Path, bytes: u64, sync: bool) -> io::Result<Copy> {
        Ok(Copy { from: Read::begin(dir, bytes)?, to: Write::begin(dir, bytes, sync)? })
    }
}

impl Job for Copy {
    fn step(&mut self, work: &mut LoadWork) -> io::Result<()> {
        self.from.step(work)?;
        self.to.step(work)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_write_waits_for_the_disk_where_that_is_asked() {
        let dir = tempfile::tempdir().unwrap();
        let syncs = |sync| {
            let mut write = Write::begin(dir.path(), 2_500_000, sync).unwrap();
            let mut work = LoadWork::default();
            (0..6).for_each(|_| write.step(&mut work).unwrap());
            work.done["syncs"]
        };
        assert_eq!((syncs(false), syncs(true)), (2.0, 6.0));
    }

    #[test]
    fn a_file_never_grows_beyond_its_bound_and_is_never_seen() {
        let dir = tempfile::tempdir().unwrap();
        let mut copy = Copy::begin(dir.path(), 2_500_000, false).unwrap();
        let mut work = LoadWork::default();
        (0..20).for_each(|_| copy.step(&mut work).unwrap());
        for file in [&copy.from.file, &copy.to.file] {
            assert_eq!(file.metadata().unwrap().len(), 2_500_000);
        }
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
        assert!(work.done["written_mb"] >= 10.0 && work.done["read_mb"] >= 10.0, "{work:?}");
    }
}

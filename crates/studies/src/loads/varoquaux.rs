//! Varoquaux's stress script, without its ping: while 40 MB from /dev/urandom are
//! hashed with md5, 500 MB of zeros go to the disk; then `sync`, and again. "This is
//! not supposed to be representative of any particular use, I just wanted not the
//! system to be idle." His hash ended before his write; here each goes round by itself.

use super::job::Job;
use super::work::Work;
use md5::{Digest, Md5};
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

const BLOCK: usize = 1 << 20;
/// Blocks that one hash is made of.
const HASHED: u32 = 40;

/// The two parts of the script that run side by side.
pub(super) fn script(dir: &Path, bytes: u64) -> Vec<Box<dyn Job>> {
    let hash = Hash { random: None, hash: Md5::new(), blocks: 0, block: vec![0; BLOCK] };
    let fill = Fill { dir: dir.into(), file: None, left: bytes, bytes, block: vec![0; BLOCK] };
    vec![Box::new(hash), Box::new(fill)]
}

/// `dd if=/dev/urandom bs=1M count=40 | md5sum`
struct Hash {
    random: Option<File>,
    hash: Md5,
    blocks: u32,
    block: Vec<u8>,
}

impl Job for Hash {
    fn step(&mut self, work: &mut Work) -> io::Result<()> {
        if self.random.is_none() {
            self.random = Some(File::open("/dev/urandom")?);
        }
        let Some(random) = &mut self.random else { return Ok(()) };
        random.read_exact(&mut self.block)?;
        self.hash.update(&self.block);
        work.add("hashed_mb", BLOCK as f64 / 1e6);
        self.blocks += 1;
        if self.blocks == HASHED {
            std::hint::black_box(self.hash.finalize_reset());
            self.blocks = 0;
        }
        Ok(())
    }
}

/// `dd if=/dev/zero of=/tmp/foo bs=1M count=500; sync; rm /tmp/foo`
struct Fill {
    dir: PathBuf,
    file: Option<File>,
    left: u64,
    bytes: u64,
    block: Vec<u8>,
}

impl Job for Fill {
    fn step(&mut self, work: &mut Work) -> io::Result<()> {
        if self.file.is_none() {
            self.file = Some(tempfile::tempfile_in(&self.dir)?);
            self.left = self.bytes;
        }
        let Some(file) = &mut self.file else { return Ok(()) };
        let now = BLOCK.min(self.left as usize);
        file.write_all(&self.block[..now])?;
        self.left -= now as u64;
        work.add("written_mb", now as f64 / 1e6);
        if self.left == 0 {
            rustix::fs::sync();
            self.file = None;
            work.add("syncs", 1.0);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_round_writes_its_bytes_syncs_and_leaves_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let mut work = Work::default();
        for job in &mut script(dir.path(), 1_500_000) {
            (0..4).for_each(|_| job.step(&mut work).unwrap());
        }
        assert!((work.done["written_mb"] - 3.0).abs() < 1e-9 && work.done["syncs"] == 2.0);
        assert!(work.done["hashed_mb"] > 4.0);
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
    }
}

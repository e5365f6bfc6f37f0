//! Varoquaux's stress script: while 40 MB from /dev/urandom are hashed with md5, 500 MB of
//! zeros go to the disk; then `sync`, and again; and packets go out and come back. His ping
//! asked a computer far away. Here packets stay on the loopback, so that nobody is disturbed
//! and no network is needed: the kernel's network code works, a network card does not. "This is
//! not supposed to be representative of any particular use, I just wanted not the
//! system to be idle." His hash ended before his write; here each goes round by itself.

use super::job::Job;
use super::work::LoadWork;
use chronotap_core::time::Nanos;
use chronotap_linux::clocks::{MonotonicClock, sleep_until};
use md5::{Digest, Md5};
use std::fs::File;
use std::io::{self, Read, Write};
use std::net::UdpSocket;
use std::path::{Path, PathBuf};
use std::time::Duration;

const BLOCK: usize = 1 << 20;
/// Blocks that one hash is made of.
const HASHED: u32 = 40;

/// The three parts of the script that run side by side.
pub(super) fn script(dir: &Path, bytes: u64) -> Vec<Box<dyn Job>> {
    let hash = Hash { random: None, hash: Md5::new(), blocks: 0, block: vec![0; BLOCK] };
    let fill = Fill { dir: dir.into(), file: None, left: bytes, bytes, block: vec![0; BLOCK] };
    vec![Box::new(hash), Box::new(fill), Box::new(Echo { sockets: None, packet: [0x55; PACKET] })]
}

/// Bytes of a packet: nearly what fits on an Ethernet.
const PACKET: usize = 1_400;
/// Packets of a step.
const BURST: usize = 20;
/// From one burst to the next, so that it loads the network and not a whole processor.
const REST: Nanos = Nanos::from_millis(2);
/// A packet that has not come by then is lost.
const PATIENCE: Duration = Duration::from_millis(100);

/// `ping`, by UDP: each packet is sent back to where it came from.
struct Echo {
    sockets: Option<[UdpSocket; 2]>,
    packet: [u8; PACKET],
}

impl Echo {
    fn sockets() -> io::Result<[UdpSocket; 2]> {
        let [here, there] = [UdpSocket::bind("127.0.0.1:0")?, UdpSocket::bind("127.0.0.1:0")?];
        here.connect(there.local_addr()?)?;
        there.connect(here.local_addr()?)?;
        for socket in [&here, &there] {
            socket.set_read_timeout(Some(PATIENCE))?;
        }
        Ok([here, there])
    }
}

impl Job for Echo {
    fn step(&mut self, work: &mut LoadWork) -> io::Result<()> {
        if self.sockets.is_none() {
            self.sockets = Some(Echo::sockets()?);
        }
        let Some([here, there]) = &self.sockets else { return Ok(()) };
        for _ in 0..BURST {
            for (from, to) in [(here, there), (there, here)] {
                from.send(&self.packet)?;
                match to.recv(&mut self.packet) {
                    Ok(bytes) => work.add("network_mb", bytes as f64 / 1e6),
                    Err(_) => work.add("lost_packets", 1.0), // or very late
                }
            }
        }
        sleep_until(MonotonicClock::raw() + REST);
        Ok(())
    }
}

/// `dd if=/dev/urandom bs=1M count=40 | md5sum`
struct Hash {
    random: Option<File>,
    hash: Md5,
    blocks: u32,
    block: Vec<u8>,
}

impl Job for Hash {
    fn step(&mut self, work: &mut LoadWork) -> io::Result<()> {
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
    fn step(&mut self, work: &mut LoadWork) -> io::Result<()> {
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
        let mut work = LoadWork::default();
        for job in &mut script(dir.path(), 1_500_000) {
            (0..4).for_each(|_| job.step(&mut work).unwrap());
        }
        assert!((work.done["written_mb"] - 3.0).abs() < 1e-9 && work.done["syncs"] == 2.0);
        assert!(work.done["hashed_mb"] > 4.0);
        // Four bursts of 20 packets, there and back.
        let packets = 160.0 - work.done.get("lost_packets").copied().unwrap_or(0.0);
        assert!((work.done["network_mb"] - packets * 0.001_4).abs() < 1e-9, "{work:?}");
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
    }
}

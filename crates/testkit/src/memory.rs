//! What a test program takes of the memory, as Linux tells it.

/// A folder that lies in memory.
pub const SHARED_MEMORY: &str = "/dev/shm";

/// Memory of this program that is not on the disk, in bytes.
pub fn anonymous_bytes() -> u64 {
    bytes("RssAnon:")
}

/// The greatest memory of this program so far, in bytes.
pub fn greatest_bytes() -> u64 {
    bytes("VmHWM:")
}

fn bytes(row: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with(row)).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() * 1024
}

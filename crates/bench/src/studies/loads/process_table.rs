//! Senoner's /proc load, for which he let `top` refresh as fast as it could: reads
//! what the kernel tells of every process, round after round. Each such read holds
//! locks of the process in question.

use super::job::Job;
use super::work::LoadWork;
use std::fs;
use std::io;

const FILES: [&str; 3] = ["stat", "maps", "status"];

/// A walk through all processes.
pub(super) struct Walk;

impl Job for Walk {
    fn step(&mut self, work: &mut LoadWork) -> io::Result<()> {
        for process in fs::read_dir("/proc")?.filter_map(Result::ok) {
            let name = process.file_name();
            if !name.as_encoded_bytes().iter().all(u8::is_ascii_digit) {
                continue;
            }
            for file in FILES {
                // A process may end meanwhile, and another's maps may be forbidden.
                if let Ok(text) = fs::read(process.path().join(file)) {
                    work.add("files_read", 1.0);
                    work.add("read_mb", text.len() as f64 / 1e6);
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_walk_reads_the_files_of_at_least_one_process() {
        let mut work = LoadWork::default();
        Walk.step(&mut work).unwrap();
        assert!(work.done["files_read"] >= FILES.len() as f64);
    }
}

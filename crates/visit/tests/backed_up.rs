//! A backup is compared with what stands on the disk, not with what memory still has of it.

use chronotap_session::backup::backup;
use chronotap_session::{About, Dataset, SessionDisk};
use std::fs;

/// What this process had read from disks so far, in bytes.
fn read_from_disks() -> u64 {
    let counts = fs::read_to_string("/proc/self/io").unwrap();
    let line = counts.lines().find_map(|line| line.strip_prefix("read_bytes: "));
    line.unwrap().parse().unwrap()
}

#[test]
fn what_is_compared_comes_from_the_disk_where_there_is_one() {
    let dir = tempfile::tempdir_in(".").unwrap(); // `/tmp` may be nowhere but in memory
    let root = dir.path().join("d");
    let about = About { task: "t".into(), ..About::default() };
    let dataset = Dataset::open_or_make(&root, &about, true, SessionDisk::durable()).unwrap();
    let bytes = vec![7; 4 << 20];
    fs::write(root.join("large"), &bytes).unwrap();
    let before = read_from_disks();
    backup(&dataset, &dir.path().join("copy")).unwrap();
    match read_from_disks() - before {
        0 => chronotap_testkit::pass_over("a file system that is on a disk"),
        read => assert!(read >= bytes.len() as u64, "{read} bytes"),
    }
}

//! [`State`]: what a disk in memory holds: as programs see it, and as it would be after a power
//! cut. Each file knows its writes since the last sync, and each folder its changes of names.

use super::DiskFault;
use std::collections::BTreeMap;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

#[derive(Clone, Debug, Default)]
pub(super) struct State {
    pub(super) inodes: Vec<Inode>,
    pub(super) names: BTreeMap<PathBuf, usize>,
    kept_names: BTreeMap<PathBuf, usize>,
    changes: Vec<Change>,           // of names, not synced
    moves: Vec<(PathBuf, PathBuf)>, // of folders, not synced
    pub(super) operations: u64,
    pub(super) failing: Option<(u64, DiskFault)>,
    pub(super) refusing: Vec<(PathBuf, ErrorKind)>,
    one_name: bool, // no file has a second one, as on FAT
}

/// Names that come or go together.
type Change = Vec<(PathBuf, Option<usize>)>;

/// What an operation needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    /// Room for bytes.
    Write,
    /// Room for a name.
    Room,
    /// None.
    Other,
}

impl State {
    pub(super) fn with_one_name() -> State {
        State { one_name: true, ..State::default() }
    }

    /// Whether a file can have a second name.
    pub(super) fn knows_second_names(&self) -> bool {
        !self.one_name
    }

    /// Counts an operation, and lets it fail where it is to; whether a write takes all its bytes.
    pub(super) fn allow(&mut self, operation: Operation, path: &Path) -> io::Result<bool> {
        self.operations += 1;
        let refusing = self.refusing.iter().find(|(folder, _)| path.starts_with(folder));
        if let Some((_, kind)) = refusing {
            return Err((*kind).into());
        }
        let Some((at, fault)) = self.failing else { return Ok(true) };
        let now = self.operations == at;
        match fault {
            DiskFault::Kill if self.operations >= at => {
                Err(io::Error::other("the program is gone"))
            }
            DiskFault::Full(length)
                if (at..at.saturating_add(length)).contains(&self.operations) =>
            {
                match operation {
                    Operation::Other => Ok(true),
                    _ => Err(ErrorKind::StorageFull.into()),
                }
            }
            DiskFault::Short if now && operation == Operation::Write => Ok(false),
            DiskFault::Error | DiskFault::Short if now => Err(io::Error::other("refused as asked")),
            _ => Ok(true),
        }
    }

    /// Whether the program has been ended.
    pub(super) fn is_killed(&self) -> bool {
        matches!(self.failing, Some((at, DiskFault::Kill)) if self.operations >= at)
    }

    /// Whether it is ended by this very operation.
    pub(super) fn kills_now(&self) -> bool {
        matches!(self.failing, Some((at, DiskFault::Kill)) if self.operations == at)
    }

    pub(super) fn create(&mut self, path: &Path) -> usize {
        self.inodes.push(Inode::default());
        let inode = self.inodes.len() - 1;
        self.rename(vec![(path.to_owned(), Some(inode))]);
        inode
    }

    pub(super) fn put(&mut self, path: &Path, bytes: &[u8]) {
        let inode = Inode { bytes: bytes.to_vec(), kept: bytes.to_vec(), unsynced: Vec::new() };
        self.inodes.push(inode);
        for names in [&mut self.names, &mut self.kept_names] {
            names.insert(path.to_owned(), self.inodes.len() - 1);
        }
    }

    pub(super) fn rename(&mut self, change: Change) {
        apply(&mut self.names, &change);
        self.changes.push(change);
    }

    /// A folder gets another name with all that is in it. Its files need no other sync; that they
    /// have the new name after a power cut does.
    pub(super) fn rename_folder(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        let inside = |name: &PathBuf| name.starts_with(from);
        if !self.names.keys().any(inside) {
            return Err(ErrorKind::NotFound.into());
        }
        if self.names.keys().any(|name| name.starts_with(to)) {
            return Err(ErrorKind::AlreadyExists.into());
        }
        move_all(&mut self.names, from, to);
        self.moves.push((from.to_owned(), to.to_owned()));
        Ok(())
    }

    pub(super) fn sync_folder(&mut self, folder: &Path) {
        let of_folder = |change: &Change| change.iter().all(|(name, _)| is_in(name, folder));
        let (synced, rest) = std::mem::take(&mut self.changes).into_iter().partition(of_folder);
        self.changes = rest;
        let synced: Vec<Change> = synced;
        synced.iter().for_each(|change| apply(&mut self.kept_names, change));
        let of_folder = |moved: &(PathBuf, PathBuf)| is_in(&moved.1, folder);
        let (synced, rest) = std::mem::take(&mut self.moves).into_iter().partition(of_folder);
        self.moves = rest;
        let synced: Vec<(PathBuf, PathBuf)> = synced;
        synced.iter().for_each(|(from, to)| move_all(&mut self.kept_names, from, to));
    }

    pub(super) fn restarted(&self) -> State {
        State { failing: None, operations: 0, ..self.clone() }
    }

    pub(super) fn after_power_cut(&self, seed: u64) -> State {
        let mut chance = Chance::of(seed);
        let mut names = self.kept_names.clone();
        for change in &self.changes {
            if chance.survives() {
                apply(&mut names, change);
            }
        }
        for (from, to) in &self.moves {
            if chance.survives() {
                move_all(&mut names, from, to);
            }
        }
        let inodes = self.inodes.iter().map(|inode| inode.after_power_cut(&mut chance)).collect();
        State {
            inodes,
            kept_names: names.clone(),
            names,
            one_name: self.one_name,
            ..State::default()
        }
    }
}

fn is_in(name: &Path, folder: &Path) -> bool {
    name.parent() == Some(folder)
}

fn move_all(names: &mut BTreeMap<PathBuf, usize>, from: &Path, to: &Path) {
    let moved: Vec<PathBuf> = names.keys().filter(|name| name.starts_with(from)).cloned().collect();
    for name in moved {
        let rest = name.strip_prefix(from).unwrap_or(&name).to_owned();
        names.remove(&name).map(|inode| names.insert(to.join(rest), inode));
    }
}

fn apply(names: &mut BTreeMap<PathBuf, usize>, change: &Change) {
    for (name, inode) in change {
        match inode {
            Some(inode) => drop(names.insert(name.clone(), *inode)),
            None => drop(names.remove(name)),
        }
    }
}

/// A file, whatever its names.
#[derive(Clone, Debug, Default)]
pub(super) struct Inode {
    pub(super) bytes: Vec<u8>,
    kept: Vec<u8>,
    unsynced: Vec<Piece>,
}

/// What was done to a file since it was synced.
#[derive(Clone, Debug)]
enum Piece {
    Written(usize, Vec<u8>),
    Length(usize),
}

impl Inode {
    pub(super) fn write(&mut self, at: usize, bytes: &[u8]) {
        put(&mut self.bytes, at, bytes);
        self.unsynced.push(Piece::Written(at, bytes.to_vec()));
    }

    pub(super) fn set_len(&mut self, length: usize) {
        self.bytes.resize(length, 0);
        self.unsynced.push(Piece::Length(length));
    }

    pub(super) fn sync(&mut self) {
        self.kept.clone_from(&self.bytes);
        self.unsynced.clear();
    }

    fn after_power_cut(&self, chance: &mut Chance) -> Inode {
        let mut kept = self.kept.clone();
        for piece in &self.unsynced {
            match piece {
                _ if !chance.survives() => {}
                Piece::Written(at, bytes) => {
                    put(&mut kept, *at, &bytes[..chance.part(bytes.len())])
                }
                Piece::Length(length) => kept.resize(*length, 0),
            }
        }
        Inode { bytes: kept.clone(), kept, unsynced: Vec::new() }
    }
}

/// Writes into bytes; what lies between their end and `at` becomes zeros.
fn put(into: &mut Vec<u8>, at: usize, bytes: &[u8]) {
    let end = at + bytes.len();
    into.resize(into.len().max(end), 0);
    into[at..end].copy_from_slice(bytes);
}

/// What a power cut takes.
struct Chance {
    always: Option<bool>,
    numbers: u64,
}

impl Chance {
    /// By a seed: 0 takes everything, 1 nothing.
    fn of(seed: u64) -> Chance {
        let always = [Some(false), Some(true)].get(seed as usize).copied().flatten();
        Chance { always, numbers: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1 }
    }

    fn survives(&mut self) -> bool {
        self.always.unwrap_or_else(|| self.next() & 1 == 0)
    }

    /// How much of so many bytes survives.
    fn part(&mut self, length: usize) -> usize {
        match self.always.is_some() || self.next() & 1 == 0 {
            true => length,
            false => (self.next() as usize) % (length + 1),
        }
    }

    /// Marsaglia's xorshift64 (2003); the upper bits, which are the better ones.
    fn next(&mut self) -> u64 {
        self.numbers ^= self.numbers << 13;
        self.numbers ^= self.numbers >> 7;
        self.numbers ^= self.numbers << 17;
        self.numbers >> 24
    }
}

#[cfg(test)]
mod tests {
    use crate::disk::{DiskFault, MemoryDisk};
    use chronotap_core::files::{Disk, DiskFile};
    use std::io::Write;
    use std::path::Path;

    #[test]
    fn what_was_synced_survives_a_power_cut_and_the_rest_may_not() {
        let disk = MemoryDisk::default();
        let path = Path::new("d/a");
        let mut file = disk.create_new(path).unwrap();
        file.write_all(b"one").unwrap();
        assert_eq!(disk.after_power_cut(0).bytes(path), None, "the name was not synced");
        file.sync().unwrap();
        disk.sync_folder(Path::new("d")).unwrap();
        file.write_all(b"two").unwrap();
        assert_eq!(disk.after_power_cut(0).bytes(path).unwrap(), b"one");
        assert_eq!(disk.after_power_cut(1).bytes(path).unwrap(), b"onetwo");
        let torn = (2..99).any(|seed| disk.after_power_cut(seed).bytes(path).unwrap() == b"onet");
        assert!(torn);
    }

    #[test]
    fn after_a_kill_nothing_happens_and_of_the_last_write_half_is_there() {
        let disk = MemoryDisk::default();
        let mut file = disk.create_new(Path::new("d/a")).unwrap();
        disk.fail(1, DiskFault::Kill);
        assert!(file.write_all(b"1234").is_err());
        assert!(file.write_all(b"5678").is_err() && disk.remove(Path::new("d/a")).is_err());
        assert_eq!(disk.restarted().bytes(Path::new("d/a")).unwrap(), b"12");
    }
}

//! [`Songs`]: the music of a trial, ready to be played: each song at the card's rate, in a file
//! without a name, and both ends of the ring in which it is on its way.
//!
//! A file without a name is gone with the program, however it ends. Whether there is room for
//! it is looked up before anything is written, so that a trial does not begin that the disk
//! cannot bear.

use super::{Song, SoundsError};
use chronotap_audio::tone::{Feed, Frames, Pump, Recordings, feed};
use chronotap_core::files::{System, nameless, read_exact_at};
use chronotap_engine::signal::StagedSound;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What stays free of the disk on which songs are kept.
const RESERVE_MB: u64 = 500;
/// Frames that are read together.
const FRAMES: usize = 256;

/// Why the music of a trial cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum MusicError {
    /// The sound file cannot be used.
    #[error(transparent)]
    Sounds(#[from] SoundsError),
    /// The disk has no room for it at the card's rate.
    #[error(
        "{}: at the card's rate it takes {needed_mb} MB beside {RESERVE_MB} MB to spare, and {} \
         has {free_mb} MB free", path.display(), dir.display()
    )]
    NoRoom {
        path: PathBuf,
        /// What it takes.
        needed_mb: u64,
        /// Where.
        dir: PathBuf,
        /// What is free there.
        free_mb: u64,
    },
    /// No file can be made for it, or it cannot be read again.
    #[error(
        "{}: cannot keep it in {} at the card's rate: {source}", path.display(), dir.display()
    )]
    Kept {
        path: PathBuf,
        /// Where it was to be kept.
        dir: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

/// Looks up how many bytes are free on the disk of a folder.
pub type FreeBytes = fn(&Path) -> io::Result<u64>;

/// Songs that were brought to a rate. Those that the next trial plays too are kept.
pub struct Songs {
    rate_hz: u32,
    dir: PathBuf,
    free: Option<FreeBytes>,
    kept: Vec<(String, Kept)>, // by their checksums
}

/// A song at the card's rate.
#[derive(Clone)]
struct Kept {
    file: Arc<File>,
    frames: u64,
    channels: usize,
}

/// The music of one trial: which beat is which part, and the two ends of each ring.
pub type ReadyMusic = (Recordings, Vec<(Feed, Pump)>);

impl Songs {
    /// For a card of this rate. They are kept where `TMPDIR` says, else in `/var/tmp`, which
    /// is on a disk where `/tmp` may be memory. Without `free` a disk that is full says so itself.
    pub fn new(rate_hz: u32, free: Option<FreeBytes>) -> Songs {
        let named = std::env::var_os("TMPDIR").filter(|dir| !dir.is_empty()).map(PathBuf::from);
        let on_disk = || Some(PathBuf::from("/var/tmp")).filter(|dir| dir.is_dir());
        let dir = named.or_else(on_disk).unwrap_or_else(std::env::temp_dir);
        Songs::in_folder(rate_hz, &dir, free)
    }

    /// The same in another folder.
    pub fn in_folder(rate_hz: u32, dir: &Path, free: Option<FreeBytes>) -> Songs {
        Songs { rate_hz, dir: dir.into(), free, kept: Vec::new() }
    }

    /// Reads, checks and converts the songs of a trial, as far as the last trial did not have
    /// them. Takes its time.
    ///
    /// # Errors
    /// [`MusicError`].
    pub fn ready(&mut self, of: &[StagedSound<'_>]) -> Result<ReadyMusic, MusicError> {
        self.kept.retain(|(sum, _)| of.iter().any(|recorded| recorded.sha256 == *sum));
        let (mut recordings, mut ends) = (Recordings::default(), Vec::new());
        for recorded in of {
            let song = Song::open(recorded, self.rate_hz)?; // it may have changed since
            let kept = self.keep(recorded, song)?;
            let frames = kept.frames;
            let both = feed(Box::new(Reader { kept, bytes: Vec::new() }), frames, self.rate_hz);
            ends.push(both.map_err(|error| self.unkept(recorded.path, error))?);
            recordings.add(recorded.stream, recorded.beats, self.rate_hz);
        }
        Ok((recordings, ends))
    }

    fn keep(&mut self, recorded: &StagedSound<'_>, song: Song) -> Result<Kept, MusicError> {
        if let Some((_, kept)) = self.kept.iter().find(|(sum, _)| sum == recorded.sha256) {
            return Ok(kept.clone());
        }
        let (frames, channels) = (song.frames(), usize::from(song.channels()));
        self.refuse_without_room(recorded.path, frames.saturating_mul(4 * channels as u64))?;
        let file =
            nameless(&System, &self.dir).map_err(|error| self.unkept(recorded.path, error))?;
        let mut out = BufWriter::new(&file);
        song.write(&mut out)?;
        out.flush().map_err(|error| self.unkept(recorded.path, error))?;
        drop(out);
        let kept = Kept { file: Arc::new(file), frames, channels };
        self.kept.push((recorded.sha256.to_owned(), kept.clone()));
        Ok(kept)
    }

    fn refuse_without_room(&self, path: &Path, bytes: u64) -> Result<(), MusicError> {
        let Some(free) = self.free else { return Ok(()) };
        let free_mb = free(&self.dir).map_err(|error| self.unkept(path, error))? / 1_000_000;
        let needed_mb = bytes / 1_000_000;
        if needed_mb.saturating_add(RESERVE_MB) <= free_mb {
            return Ok(());
        }
        let (path, dir) = (path.to_path_buf(), self.dir.clone());
        Err(MusicError::NoRoom { path, needed_mb, dir, free_mb })
    }

    fn unkept(&self, path: &Path, source: io::Error) -> MusicError {
        MusicError::Kept { path: path.into(), dir: self.dir.clone(), source }
    }
}

/// Reads a song where it is kept.
struct Reader {
    kept: Kept,
    bytes: Vec<u8>,
}

impl Frames for Reader {
    fn read_at(&mut self, first: u64, into: &mut [[f32; 2]]) -> io::Result<()> {
        let Reader { kept: Kept { file, channels, .. }, bytes } = self;
        let size = 4 * *channels;
        for (piece, first) in into.chunks_mut(FRAMES).zip((first..).step_by(FRAMES)) {
            bytes.resize(piece.len() * size, 0);
            read_exact_at(file, bytes, first * size as u64)?;
            for (frame, bytes) in piece.iter_mut().zip(bytes.chunks_exact(size)) {
                let sample = |at: usize| {
                    f32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
                };
                *frame = [sample(0), sample(size - 4)];
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chronotap_core::time::Nanos;
    use chronotap_testkit_audio::music::{SoundFileForm, samples, wav};

    fn song(dir: &Path, channels: u16) -> (PathBuf, String, Vec<i32>) {
        let form = SoundFileForm { rate_hz: 48_000, channels, bits: 16 };
        let all = samples(form, 300_000);
        let bytes = wav(form, &all);
        let path = dir.join(format!("{channels}.wav"));
        std::fs::write(&path, &bytes).unwrap();
        (path, chronotap_core::files::sha256(&bytes), all)
    }

    #[test]
    fn a_song_is_read_where_it_is_kept_as_it_was_written_and_leaves_no_file() {
        let dir = tempfile::tempdir().unwrap();
        for channels in [1, 2] {
            let (path, sum, all) = song(dir.path(), channels);
            let keep = tempfile::tempdir().unwrap();
            let mut songs = Songs::in_folder(48_000, keep.path(), None);
            let beats = [Nanos::from_secs(1)];
            let of = StagedSound { stream: 0, path: &path, sha256: &sum, beats: &beats };
            let (_, ends) = songs.ready(&[of]).unwrap();
            assert_eq!((ends.len(), keep.path().read_dir().unwrap().count()), (1, 0));
            let mut reader = Reader { kept: songs.kept[0].1.clone(), bytes: Vec::new() };
            let mut frames = vec![[0.0; 2]; 1_000];
            reader.read_at(123_456, &mut frames).unwrap();
            for (frame, i) in frames.iter().zip(123_456..) {
                let n = usize::from(channels);
                let exact = [all[i * n], all[i * n + n - 1]].map(|s| s as f32 / 32_768.0);
                assert_eq!(*frame, exact, "frame {i}");
            }
            assert!(reader.read_at(299_999, &mut frames).is_err(), "nothing after the last");
        }
    }

    #[test]
    fn the_next_trial_has_the_same_song_without_converting_it_but_not_when_it_has_changed() {
        let dir = tempfile::tempdir().unwrap();
        let (path, sum, _) = song(dir.path(), 1);
        let mut songs = Songs::in_folder(48_000, dir.path(), None);
        let of = [StagedSound { stream: 0, path: &path, sha256: &sum, beats: &[] }];
        songs.ready(&of).unwrap();
        let first = Arc::clone(&songs.kept[0].1.file);
        songs.ready(&of).unwrap();
        assert!(Arc::ptr_eq(&first, &songs.kept[0].1.file));
        std::fs::write(&path, b"RIFF").unwrap();
        let changed = songs.ready(&of).map(|_| ()).unwrap_err();
        assert!(matches!(changed, MusicError::Sounds(SoundsError::Changed { .. })), "{changed}");
        songs.ready(&[]).unwrap();
        assert!(songs.kept.is_empty(), "what is not played any more takes no room");
    }

    #[test]
    fn a_disk_without_room_is_told_before_anything_is_written() {
        let songs = Songs::in_folder(48_000, Path::new("/"), Some(|_| Ok(600_000_000)));
        let full = songs.refuse_without_room(Path::new("song.wav"), 1 << 60).unwrap_err();
        let MusicError::NoRoom { path, needed_mb, .. } = full else { panic!("{full}") };
        assert_eq!((path, needed_mb), ("song.wav".into(), 1_152_921_504_606));
        assert!(songs.refuse_without_room(Path::new("song.wav"), 90_000_000).is_ok());
        let refused: FreeBytes = |_| Err(io::ErrorKind::NotFound.into());
        let nowhere = Songs::in_folder(48_000, Path::new("/nowhere"), Some(refused));
        let gone = nowhere.refuse_without_room(Path::new("song.wav"), 1).unwrap_err();
        let MusicError::Kept { dir, .. } = gone else { panic!("{gone}") };
        assert_eq!(dir, Path::new("/nowhere"));
    }
}

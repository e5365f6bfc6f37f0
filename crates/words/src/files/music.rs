//! What is said of music that a trial plays.

use crate::{Says, Sentences, Surface, of, row, with};
use chronotap_config::sounds::MusicError;

pub(super) const ROWS: &[Sentences] = &[row::<MusicError>()];

impl Says for MusicError {
    fn says(&self, surface: Surface) -> String {
        match self {
            MusicError::Sounds(error) => of(error, surface),
            MusicError::NoRoom { .. } => format!(
                "{self}: make room there, or name a folder on another disk, as in TMPDIR=/data \
                 chronotap …"
            ),
            MusicError::Kept { .. } => {
                with(self, "name another folder, as in TMPDIR=/data chronotap …")
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Vec<Box<dyn std::error::Error>> {
    let (dir, source) = ("/var/tmp".into(), std::io::Error::from_raw_os_error(13));
    let music = [
        MusicError::NoRoom {
            path: "song.wav".into(),
            needed_mb: 700,
            dir: "/var/tmp".into(),
            free_mb: 500,
        },
        MusicError::Kept { path: "song.wav".into(), dir, source },
    ];
    music.into_iter().map(|error| Box::new(error) as _).collect()
}

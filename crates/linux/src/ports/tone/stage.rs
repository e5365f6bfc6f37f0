//! [`ToneStage`]: where the music of a trial is made ready and handed to the port that sounds,
//! by whoever begins trials; in a thread of ordinary priority.

use super::feeder::feed_on;
use chronotap_audio::tone::{Feed, Feeds, Pump, Recordings};
use chronotap_config::sounds::Songs;
use chronotap_engine::signal::{Stage, StagedSound};
use rtrb::{Consumer, Producer};
use std::error::Error;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// Recordings of trials on their way to the player: one at a time.
pub(super) const STAGED: usize = 4;

/// The music of a trial on its way to the port.
pub(super) type Staged = (Arc<Recordings>, Box<Feeds>);

/// Hands recordings to the port. It keeps each until nobody else does, and gets the rings back,
/// so that nothing is ever freed in real time.
pub(super) struct ToneStage {
    songs: Songs,
    staging: Producer<Staged>,
    spent: Consumer<Box<Feeds>>,
    kept: Vec<Arc<Recordings>>,
}

/// How many bytes are free on the disk of a folder.
///
/// # Errors
/// What the system refuses.
pub fn free_bytes(folder: &Path) -> io::Result<u64> {
    let disk = rustix::fs::statvfs(folder)?;
    Ok(disk.f_bavail.saturating_mul(disk.f_frsize))
}

impl Stage for ToneStage {
    fn set(&mut self, of: &[StagedSound<'_>]) -> Result<(), Box<dyn Error + Send + Sync>> {
        while self.spent.pop().is_ok() {}
        let (recordings, ends) = self.songs.ready(of)?;
        let (feeds, pumps): (Vec<Feed>, Vec<Pump>) = ends.into_iter().unzip();
        self.hand_over(recordings, feeds)?;
        let refused = |error| format!("the system gives no thread that reads the music: {error}");
        Ok(feed_on(pumps).map_err(refused)?)
    }
}

impl ToneStage {
    /// For a card of this rate; `none` is what the port has before the first trial.
    pub(super) fn new(
        rate_hz: u32,
        staging: Producer<Staged>,
        spent: Consumer<Box<Feeds>>,
        none: Arc<Recordings>,
    ) -> ToneStage {
        ToneStage { songs: Songs::new(rate_hz, Some(free_bytes)), staging, spent, kept: vec![none] }
    }

    /// Hands over which beat is which part, and the rings.
    pub(super) fn hand_over(
        &mut self,
        of: Recordings,
        feeds: Vec<Feed>,
    ) -> Result<(), &'static str> {
        self.kept.retain(|recordings| Arc::strong_count(recordings) > 1);
        let recordings = Arc::new(of);
        self.kept.push(Arc::clone(&recordings));
        let staged = self.staging.push((recordings, Box::new(feeds.into())));
        staged.map_err(|_| "the sound card takes no recordings at the moment")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_free_is_told_of_a_folder_that_is_there() {
        assert!(free_bytes(Path::new("/")).is_ok());
        assert_eq!(free_bytes(Path::new("/nowhere")).unwrap_err().kind(), io::ErrorKind::NotFound);
    }
}

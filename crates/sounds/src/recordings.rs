//! [`recordings()`]: the sound files that a trial's pacing streams play.

use super::SoundsError;
use chronotap_audio::tone::{Recordings, Sample};
use chronotap_files::Summing;
use chronotap_signal::Recorded;
use std::io::{self, BufReader, Seek};

/// Reads the recordings of a trial and brings them to a rate.
///
/// # Errors
/// [`SoundsError::Unreadable`], [`SoundsError::Changed`], [`SoundsError::Sample`].
pub fn recordings(of: &[Recorded<'_>], rate_hz: u32) -> Result<Recordings, SoundsError> {
    let mut all = Recordings::default();
    for recorded in of {
        all.add(recorded.stream, read(recorded, rate_hz)?, recorded.beats, rate_hz);
    }
    Ok(all)
}

fn read(recorded: &Recorded<'_>, rate_hz: u32) -> Result<Sample, SoundsError> {
    let path = || recorded.path.to_path_buf();
    let unreadable = |source| SoundsError::Unreadable { path: path(), source };
    let mut file = chronotap_files::open(recorded.path).map_err(unreadable)?;
    let mut sum = Summing::of(io::sink());
    io::copy(&mut file, &mut sum).map_err(unreadable)?;
    if sum.sha256() != recorded.sha256 {
        return Err(SoundsError::Changed { path: path(), expected: recorded.sha256.to_owned() });
    }
    file.rewind().map_err(unreadable)?;
    Sample::read_recording(BufReader::new(file), rate_hz)
        .map_err(|source| SoundsError::Sample { path: path(), source })
}

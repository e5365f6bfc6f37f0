//! `sound`: what a trial sounds like, by the generator that plays it on a sound card
//! (`chronotap render`).

use crate::asked::Asked;
use crate::refused::Refused;
use crate::rehearsal::rehearse;
use chronotap_audio::offline;
use chronotap_audio::tone::{Cue, Generator, Recordings, Score};
use chronotap_config::sounds::{Sounds, cue, frame_of};
use chronotap_data::record::Entry;
use std::convert::Infallible;

/// No more is played: at 48,000 samples a second this takes 230 MB.
const SECONDS_MAX: u64 = 600;

/// The samples of left and right by turns. Every note sounds as where no file of sounds is named.
pub(crate) fn sound(asked: &Asked) -> Result<Vec<f32>, Refused> {
    let file = asked.trial()?;
    if !file.recordings.is_empty() {
        return Err(Refused::Music);
    }
    let rehearsal = rehearse(&file, asked.who(), asked.seed_of(&file, 0))?;
    let cues = cues(&rehearsal.entries, asked.rate_hz);
    let mut score = Score::new(Generator::new(asked.rate_hz, Vec::new()), cues);
    Ok(played(&mut score, asked.rate_hz))
}

/// The notes that sounded, each at the frame nearest to its time.
fn cues(entries: &[Entry], rate_hz: u32) -> Vec<Cue> {
    let (kit, recordings) = (Sounds::default().kit, Recordings::default());
    let cue_of = |entry: &Entry| {
        let at = entry.achieved.filter(|_| entry.action.is_output())?;
        cue(&entry.action, frame_of(at, rate_hz), &kit, &recordings)
    };
    entries.iter().filter_map(cue_of).collect()
}

fn played(score: &mut Score, rate_hz: u32) -> Vec<f32> {
    let most = (SECONDS_MAX * u64::from(rate_hz)) as usize * 2;
    let mut samples = Vec::new();
    let Ok(()) = offline(score, rate_hz, |score, [left, right]| {
        samples.extend(left.iter().zip(right).flat_map(|(left, right)| [*left, *right]));
        Ok::<bool, Infallible>(score.is_over() || samples.len() >= most)
    });
    samples
}

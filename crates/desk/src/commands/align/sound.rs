//! A sound that was recorded, as a table of the times at which sounds begin.

use anyhow::{Context, Result};
use chronotap_analysis::alignment::ClockMark;
use chronotap_audio::SoundFile;
use chronotap_audio::onset::OnsetFinder;
use chronotap_core::time::Nanos;
use chronotap_data::alignment::{Chosen, OnsetUnit, RecorderTable};
use std::io::BufReader;
use std::path::Path;

/// Whether a file is a sound, by its name.
pub(super) fn is_sound(path: &Path) -> bool {
    let is = |end: &str| path.extension().is_some_and(|own| own.eq_ignore_ascii_case(end));
    is("wav") || is("flac")
}

/// Where sounds begin. Of two channels the louder one counts, sample by sample.
pub(super) fn read(path: &Path) -> Result<RecorderTable> {
    let place = || format!("--recorder {}", path.display());
    let file = chronotap_core::files::open(path).with_context(place)?;
    let sound = SoundFile::open(BufReader::new(file)).with_context(place)?;
    let rate_hz = sound.form().rate_hz;
    let (mut onsets, mut marks, mut frame) = (OnsetFinder::new(rate_hz, None), Vec::new(), 0);
    let mut found = |at: f64| {
        let at = Nanos::round_from_f64(at / f64::from(rate_hz) * 1e9);
        marks.push(ClockMark { at, code: None });
    };
    let mut take = |frames: &[[f32; 2]]| {
        let mono: Vec<f32> = frames.iter().map(louder).collect();
        onsets.hear(frame, &mono, &mut |onset| found(onset.frame));
        frame += mono.len() as u64;
        Ok(())
    };
    sound.each(&mut take).with_context(place)?;
    let chosen = Chosen { onset: "sound".into(), code: None, unit: OnsetUnit::Samples };
    Ok(RecorderTable { marks, left_out: 0, step_s: 1.0 / f64::from(rate_hz), chosen })
}

fn louder([left, right]: &[f32; 2]) -> f32 {
    if left.abs() >= right.abs() { *left } else { *right }
}

//! What is said of inputs that hear taps on a sound card, before they are used: voices may be in their sound.

use crate::screen::{say, wrapped};
use chronotap_data::record::EarUsed;
use chronotap_simulate::Wires;
use std::path::Path;

/// On which channel taps are heard, and what becomes of the sound.
pub fn hears(ear: &EarUsed, rate_hz: u32) -> String {
    // A sample has 3 bytes; a tap has 50 ms.
    let mb_a_minute = |seconds: f64| seconds * 3.0 * f64::from(rate_hz) / 1e6;
    let kept = match ear.record.as_str() {
        "all" => format!("all sound is recorded, up to {:.1} MB a minute", mb_a_minute(60.0)),
        "taps" => format!(
            "50 ms of sound are recorded around each tap, up to {:.1} MB a minute at two taps a second",
            mb_a_minute(120.0 * 0.05)
        ),
        _ => "no sound is recorded".into(),
    };
    format!("taps are heard on channel {}; {kept}", ear.channel)
}

/// Says of each input whose sound is kept in virtual time what is recorded; whether there is one.
pub fn say_ears(wires: &Wires) -> bool {
    let ears = wires.inputs.iter().filter_map(|wired| Some((wired, wired.ear?.described()?)));
    let mut any = false;
    for (wired, audio) in ears {
        let Some(ear) = &audio.ear else { continue };
        let heard = hears(ear, audio.rate_hz);
        say(wrapped(&format!("input \"{}\": {heard} of a trial", wired.name), ""));
        any = true;
    }
    any
}

/// How much sound is in this folder and those below it, in bytes. What cannot be read is not counted.
pub fn sound_in(folder: &Path) -> u64 {
    let of = |entry: std::fs::DirEntry| {
        let (path, about) = (entry.path(), entry.metadata().ok()?);
        let is_sound = path.file_stem()?.to_string_lossy().ends_with("_sound")
            && path.extension().is_some_and(|kind| kind == "wav" || kind == "flac");
        Some(if about.is_dir() { sound_in(&path) } else { about.len() * u64::from(is_sound) })
    };
    let Ok(entries) = std::fs::read_dir(folder) else { return 0 };
    entries.flatten().filter_map(of).sum()
}

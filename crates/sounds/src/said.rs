//! What a file of sounds may say, key by key, before it is known what it means.

use super::Wrong;
use chronotap_audio::tone::Ears;
use chronotap_time::Nanos;
use serde::Deserialize;
use std::collections::BTreeMap;
use toml::Spanned;

/// The whole file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    pub(super) calibration: Option<MeasuredLevels>,
    #[serde(default)]
    pub(super) channel: BTreeMap<Spanned<String>, Said>,
}

/// `[calibration]`: what was measured at the ears.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MeasuredLevels {
    pub(super) full_scale: Option<Spanned<String>>,
    pub(super) left: Option<Spanned<String>>,
    pub(super) right: Option<Spanned<String>>,
}

/// `[channel.N]`, or `[channel.N.note.N]`, which has no notes of its own.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Said {
    pub(super) sound: Option<Spanned<String>>,
    pub(super) level: Option<Spanned<String>>,
    pub(super) ear: Option<Spanned<String>>,
    pub(super) rise: Option<Spanned<String>>,
    pub(super) fall: Option<Spanned<String>>,
    pub(super) preset: Option<Spanned<String>>,
    pub(super) program: Option<Spanned<u16>>,
    pub(super) bank: Option<Spanned<u16>>,
    pub(super) keys: Option<Spanned<String>>,
    pub(super) longest: Option<Spanned<String>>,
    #[serde(default)]
    pub(super) note: BTreeMap<Spanned<String>, Said>,
}

impl Said {
    /// Where something is said that only a SoundFont has.
    pub(super) fn of_a_soundfont(&self) -> Option<usize> {
        let Said { preset, program, bank, keys, longest, .. } = self;
        let texts = [preset, keys, longest].into_iter().flatten().map(|text| text.span().start);
        let numbers = [program, bank].into_iter().flatten().map(|number| number.span().start);
        texts.chain(numbers).min()
    }
}

/// What a cell says, where it can be understood.
pub(super) fn said<T>(
    cell: &Spanned<String>,
    parse: impl Fn(&str) -> Option<T>,
    expected: &str,
) -> Result<T, Wrong> {
    let text = cell.get_ref();
    parse(text).ok_or_else(|| (cell.span().start, format!("\"{text}\": {expected}")))
}

pub(super) fn ears(text: &str) -> Option<Ears> {
    match text {
        "both" => Some(Ears::Both),
        "left" => Some(Ears::Left),
        "right" => Some(Ears::Right),
        _ => None,
    }
}

pub(super) fn ramp(text: &str) -> Option<Nanos> {
    let ms: f64 = text.strip_suffix("ms")?.trim_end().parse().ok()?;
    (0.0..=1_000.0).contains(&ms).then(|| Nanos::round_from_f64(ms * 1e6))
}

//! Levels: in dB full scale, or, where the file says what full scale is at the ear, in
//! dB SPL.
//!
//! What is measured is a steady tone or noise. Both have the power that their level says,
//! so that full scale + level is their sound pressure level. Of anything else, clicks and
//! samples among them, it is the peak-equivalent one: that of a sine with the same peak.

use crate::trial_files::reading::{Field, Part};
use chronotap_audio::tone::Ears;

/// Softest level in dB full scale.
const SOFTEST_DB: f32 = -120.0;

/// What a sine of level 0 dB would have in dB SPL.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Calibration {
    /// Left and right.
    Ears([f32; 2]),
    /// The file says it wrongly, which was reported.
    Mistaken,
}

impl Calibration {
    pub(super) fn of(measured: &Part<'_>) -> Calibration {
        let given = |name: &str| measured.get(name);
        let ears = match (given("full_scale"), given("left"), given("right")) {
            (Some(both), None, None) => measured_level(&both).map(|spl| [spl; 2]),
            (None, Some(left), Some(right)) => {
                measured_level(&left).zip(measured_level(&right)).map(|(l, r)| [l, r])
            }
            (both, left, right) => {
                let at = [both, left, right].into_iter().flatten().map(|field| field.at).min();
                let problem = "a calibration says full_scale = \"105.2 dB SPL\", or left and right";
                if at.is_some() || measured.table.entries.is_empty() {
                    measured.page.problem(at.unwrap_or(measured.at), problem);
                }
                None
            }
        };
        ears.map_or(Calibration::Mistaken, Calibration::Ears)
    }
}

fn measured_level(field: &Field<'_>) -> Option<f32> {
    const EXPECTED: &str = "the level of full scale is 20 to 180, as in \"105.2 dB SPL\"";
    said(field, |text| spl(text).filter(|spl| (20.0..=180.0).contains(spl)), EXPECTED)
}

/// A level in dB full scale, and what each ear has less than that: 0, but where the ears
/// were calibrated each by itself.
pub(super) fn level(
    field: &Field<'_>,
    ears: Ears,
    calibration: Option<&Calibration>,
) -> Option<(f32, [f32; 2])> {
    let text = field.text()?;
    let Some(spl) = spl(&text) else {
        let expected =
            "a level is at most 0, as in \"-20 dB\"; or \"70 dB SPL\", with [calibration]";
        return said(field, full_scale, expected).map(|level| (level, [0.0; 2]));
    };
    let full = match calibration {
        Some(Calibration::Ears(full)) => full,
        Some(Calibration::Mistaken) => return None,
        None => {
            let problem = "it is not known how loud full scale is; measure it (`chronotap level`) \
                           and write [calibration] with full_scale = \"… dB SPL\" into this file";
            return wrong(field, &text, problem);
        }
    };
    let levels = full.map(|full| spl - full);
    let heard = match ears {
        Ears::Both => levels[0].max(levels[1]),
        Ears::Left => levels[0],
        Ears::Right => levels[1],
    };
    if !(SOFTEST_DB..=0.0).contains(&heard) {
        let most = spl - heard;
        let problem =
            format!("this calibration reaches from {:.1} to {most:.1} dB SPL", most + SOFTEST_DB);
        return wrong(field, &text, &problem);
    }
    let balance = if ears == Ears::Both { levels.map(|level| level - heard) } else { [0.0; 2] };
    Some((heard, balance))
}

/// What a text says, where it can be understood.
pub(super) fn said<T>(
    field: &Field<'_>,
    parse: impl Fn(&str) -> Option<T>,
    expected: &str,
) -> Option<T> {
    let text = field.text()?;
    parse(&text).or_else(|| wrong(field, &text, expected))
}

fn wrong<T>(field: &Field<'_>, text: &str, problem: &str) -> Option<T> {
    field.page.problem(field.at, format!("\"{text}\": {problem}"));
    None
}

fn spl(text: &str) -> Option<f32> {
    let spl: f32 =
        text.strip_suffix("SPL")?.trim_end().strip_suffix("dB")?.trim_end().parse().ok()?;
    spl.is_finite().then_some(spl)
}

fn full_scale(text: &str) -> Option<f32> {
    let level: f32 = text.strip_suffix("dB")?.trim_end().parse().ok()?;
    (SOFTEST_DB..=0.0).contains(&level).then_some(level)
}

#[cfg(test)]
mod tests {
    use crate::sounds::Sounds;
    use chronotap_core::midi::{Channel, U7};
    use std::path::Path;

    /// The level and balance of channel 1's sound.
    fn parsed(text: &str) -> Result<(f32, [f32; 2]), String> {
        let sounds = Sounds::parse(text, Path::new("s.toml")).map_err(|e| e.to_string())?;
        let sound = sounds.kit.sound(Channel::ONE, U7::ZERO, U7::MAX).unwrap();
        Ok((sound.level_db, sound.balance_db))
    }

    #[test]
    fn a_level_in_db_spl_is_as_far_below_full_scale_as_was_measured() {
        let text =
            "[channel.1]\nlevel = \"70 dB SPL\"\n[calibration]\nfull_scale = \"105.5 dB SPL\"\n";
        assert_eq!(parsed(text), Ok((-35.5, [0.0; 2])));
    }

    #[test]
    fn ears_calibrated_each_by_itself_are_made_equally_loud() {
        let both = "[calibration]\nleft = \"100 dB SPL\"\nright = \"98dB SPL\"\n[channel.1]\nlevel = \"70 dB SPL\"\n";
        assert_eq!(parsed(both), Ok((-28.0, [-2.0, 0.0])));
        assert_eq!(parsed(&format!("{both}ear = \"left\"\n")), Ok((-30.0, [0.0; 2])));
        assert_eq!(parsed(&format!("{both}ear = \"right\"\n")), Ok((-28.0, [0.0; 2])));
    }

    #[test]
    fn what_is_no_number_is_no_level() {
        let calibration = "[calibration]\nfull_scale = \"100 dB SPL\"\n";
        for number in ["nan", "NaN", "inf", "-inf", "infinity", "1e39", "-1e39"] {
            for unit in ["dB", "dB SPL"] {
                let text = format!("[channel.1]\nlevel = \"{number} {unit}\"\n{calibration}");
                let said = parsed(&text).unwrap_err();
                let start = format!("s.toml:2: \"{number} {unit}\": a level is at most 0");
                assert!(said.starts_with(&start), "{said}");
            }
            let said = parsed(&format!("[calibration]\nfull_scale = \"{number} dB SPL\"\n"));
            assert!(said.is_err_and(|said| said.contains("the level of full scale is 20 to 180")));
        }
    }

    #[test]
    fn what_cannot_be_is_refused_with_what_can() {
        let said = |text: &str| parsed(text).unwrap_err();
        let level = "[channel.1]\nlevel = \"99 dB SPL\"\n";
        assert!(said(level).starts_with("s.toml:2: \"99 dB SPL\": it is not known how loud"));
        assert!(said(level).contains("`chronotap level`"));
        let full = |cell: &str| said(&format!("[calibration]\n{cell}\n{level}"));
        let beyond = full("full_scale = \"96.8 dB SPL\"");
        assert!(beyond.contains("reaches from -23.2 to 96.8 dB SPL"), "{beyond}");
        assert!(
            full("full_scale = \"96.8 dB\"").starts_with("s.toml:2: \"96.8 dB\": the level of")
        );
        assert!(full("left = \"96.8 dB SPL\"").contains("or left and right"));
        assert!(full("full = \"96.8 dB SPL\"").contains("did you mean \"full_scale\"?"));
    }
}

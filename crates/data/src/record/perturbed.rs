//! The text of a [`Perturbation`]: the keys of the trial file, each with its size, as in
//! `phase_shift +50 ms` or `delay -20 ms, pitch +2`. The column `perturbation` holds it, and
//! the journal.
//!
//! Times are milliseconds with as many decimals as they need, at most six, so that nothing is
//! rounded; pitches are semitones.

use chronotap_core::time::Nanos;
use chronotap_engine::perturbation::{Perturbation, PerturbedPart};

const MILLISECOND: u64 = 1_000_000;
const UNIT: &str = " ms";

/// Appends the text; nothing where nothing was perturbed.
pub fn put_perturbation(out: &mut Vec<u8>, perturbation: Perturbation) {
    for (place, part) in perturbation.parts().enumerate() {
        if place > 0 {
            out.extend_from_slice(b", ");
        }
        put_part(out, part);
    }
}

fn put_part(out: &mut Vec<u8>, part: PerturbedPart) {
    let (word, size) = match part {
        PerturbedPart::PhaseShift(by) => ("phase_shift", Some(milliseconds(by))),
        PerturbedPart::OnsetShift(by) => ("onset_shift", Some(milliseconds(by))),
        PerturbedPart::Interval(by) => ("interval", Some(milliseconds(by))),
        PerturbedPart::Mute => ("mute", None),
        PerturbedPart::Delay(by) => ("delay", Some(milliseconds(by))),
        PerturbedPart::Pitch(by) => ("pitch", Some(format!("{by:+}"))),
        PerturbedPart::Velocity(by) => ("velocity", Some(format!("{by:+}"))),
        PerturbedPart::Duration(by) => ("duration", by.map(milliseconds)),
    };
    out.extend_from_slice(word.as_bytes());
    if let Some(size) = size {
        out.push(b' ');
        out.extend_from_slice(size.as_bytes());
    }
}

/// `+50 ms`, `-0.25 ms`.
fn milliseconds(time: Nanos) -> String {
    let sign = if time < Nanos::ZERO { '-' } else { '+' };
    let ns = time.0.unsigned_abs();
    let (whole, rest) = (ns / MILLISECOND, ns % MILLISECOND);
    if rest == 0 {
        return format!("{sign}{whole}{UNIT}");
    }
    let decimals = format!("{rest:06}");
    format!("{sign}{whole}.{}{UNIT}", decimals.trim_end_matches('0'))
}

/// The perturbation whose text [`put_perturbation`] wrote; `None` where it is none.
pub fn parse_perturbation(text: &str) -> Option<Perturbation> {
    let parts = text.split(", ").map(parse_part);
    let told = parts.collect::<Option<Vec<PerturbedPart>>>()?;
    let all = told.iter().fold(Perturbation::NONE, |all, part| all.with(*part));
    // Each part once, in the order in which it is told.
    all.parts().eq(told).then_some(all)
}

fn parse_part(text: &str) -> Option<PerturbedPart> {
    let (word, size) = match text.split_once(' ') {
        Some((word, size)) => (word, Some(size)),
        None => (text, None),
    };
    let time = || parse_milliseconds(size?);
    let steps = || size.filter(|size| size.starts_with(['+', '-']))?.parse().ok();
    Some(match (word, size) {
        ("phase_shift", _) => PerturbedPart::PhaseShift(time()?),
        ("onset_shift", _) => PerturbedPart::OnsetShift(time()?),
        ("interval", _) => PerturbedPart::Interval(time()?),
        ("mute", None) => PerturbedPart::Mute,
        ("delay", _) => PerturbedPart::Delay(time()?),
        ("pitch", _) => PerturbedPart::Pitch(steps()?),
        ("velocity", _) => PerturbedPart::Velocity(steps()?),
        ("duration", None) => PerturbedPart::Duration(None),
        ("duration", Some(_)) => PerturbedPart::Duration(Some(time()?)),
        _ => return None,
    })
}

fn parse_milliseconds(size: &str) -> Option<Nanos> {
    let number = size.strip_suffix(UNIT)?;
    let (negative, digits) = match number.split_at_checked(1)? {
        ("+", digits) => (false, digits),
        ("-", digits) => (true, digits),
        _ => return None,
    };
    let (whole, decimals) = digits.split_once('.').unwrap_or((digits, "0"));
    let all_digits = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
    if !all_digits(whole) || !all_digits(decimals) || decimals.len() > 6 {
        return None;
    }
    let rest = decimals.parse::<i128>().ok()? * 10i128.pow(6 - decimals.len() as u32);
    let ns = whole.parse::<i128>().ok()?.checked_mul(i128::from(MILLISECOND))? + rest;
    i64::try_from(if negative { -ns } else { ns }).ok().map(Nanos)
}

#[cfg(test)]
pub(crate) use tests::any_perturbation;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Any perturbation, none included.
    pub(crate) fn any_perturbation() -> impl Strategy<Value = Perturbation> {
        let time = || any::<i64>().prop_map(Nanos);
        let part = prop_oneof![
            time().prop_map(PerturbedPart::PhaseShift),
            time().prop_map(PerturbedPart::OnsetShift),
            time().prop_map(PerturbedPart::Interval),
            Just(PerturbedPart::Mute),
            any::<i8>().prop_map(PerturbedPart::Pitch),
            any::<i8>().prop_map(PerturbedPart::Velocity),
            Just(PerturbedPart::Duration(None)),
        ];
        prop::collection::vec(part, 0..4)
            .prop_map(|parts| parts.iter().fold(Perturbation::NONE, |all, part| all.with(*part)))
    }

    fn text(parts: &[PerturbedPart]) -> String {
        let all = parts.iter().fold(Perturbation::NONE, |all, part| all.with(*part));
        let mut out = Vec::new();
        put_perturbation(&mut out, all);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn sizes_have_sign_and_unit() {
        let shifts = [PerturbedPart::PhaseShift(Nanos(50_000_000)), PerturbedPart::Mute];
        assert_eq!(text(&shifts), "phase_shift +50 ms, mute");
        let tone = [
            PerturbedPart::Delay(Nanos(-250_000)),
            PerturbedPart::Pitch(2),
            PerturbedPart::Velocity(-20),
        ];
        assert_eq!(text(&tone), "delay -0.25 ms, pitch +2, velocity -20");
        assert_eq!(text(&[PerturbedPart::Duration(Some(Nanos(1)))]), "duration +0.000001 ms");
        assert_eq!(text(&[PerturbedPart::Duration(None)]), "duration");
    }

    #[test]
    fn what_is_no_perturbation_is_refused() {
        for wrong in [
            "",
            "delay",
            "delay 5 ms",
            "delay +5",
            "delay +5 s",
            "mute +1",
            "pitch 2",
            "tempo +1",
            "delay +1.0000001 ms",
            "mute, mute",
            "pitch +1, mute",
        ] {
            assert_eq!(parse_perturbation(wrong), None, "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn prop_a_perturbation_comes_back_from_its_text(all in any_perturbation()) {
            let mut out = Vec::new();
            put_perturbation(&mut out, all);
            let found = parse_perturbation(std::str::from_utf8(&out).unwrap());
            prop_assert_eq!(found, (!all.is_none()).then_some(all));
        }
    }
}

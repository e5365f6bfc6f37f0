//! Keys of masking streams.

use super::Default::{Is, Not};
use super::*;
use chronotap_engine::trial::Number;

pub(super) const SECTIONS: &[Section] =
    &[Section { name: "masking.NAME", title: "[masking.NAME]: a stream of random tones" }];

const M: &str = "masking.NAME";

/// Of the spacing of tones, whether it is irregular.
pub(in crate::trial_files) const IRREGULAR: [(&str, bool); 2] = [("even", false), ("random", true)];

pub(super) const KEYS: &[Key] = &[
    key(M, "rate", KeyKind::Rate, Is(r#""10 per s""#))
        .set(Settable::MaskingRate)
        .ramp(Number::MaskingRate)
        .means("How many tones.", r#"rate = "20 per s""#),
    key(M, "spacing", KeyKind::Choice(&words_of(&IRREGULAR)), Is(r#""even""#)).means(
        "Evenly spaced, or at random moments (exponential intervals) of the same mean rate.",
        r#"spacing = "random""#,
    ),
    key(M, "start", SPAN, Is(r#""0 s""#)).means("When the first tone comes.", r#"start = "2 s""#),
    key(M, "notes", KeyKind::Range, Is(r#""C3..C6""#))
        .set(Settable::MaskingNotes)
        .means("Each tone's note is drawn from these, all equally likely.", r#"notes = "C3..C6""#),
    key(
        M,
        "velocity",
        KeyKind::Form("{ fixed } or { random } as in feedback"),
        Is("{ random = [40, 70] }"),
    )
    .set(Settable::MaskingVelocity)
    .means("How loud.", "velocity = { random = [40, 70] }"),
    key(M, "duration", LENGTH, Is(r#""50 ms""#))
        .set(Settable::MaskingDuration)
        .means("How long each tone is.", r#"duration = "50 ms""#),
    key(M, "channel", KeyKind::Channel, Is("1")).set(Settable::MaskingChannel).means("MIDI channel.", "channel = 3"),
    key(M, "sounding", KeyKind::Flag, Is("true"))
        .set(Settable::MaskingSounding)
        .means("Whether the tones sound; the draws go on either way.", "sounding = false"),
    key(M, "output", KeyKind::Name("an output, or a list of names"), Not("the first output"))
        .means("Where the tones go. At each further output of a list they sound at the same moments, with rows of their own (`copy`).", r#"output = "headphones""#),
];

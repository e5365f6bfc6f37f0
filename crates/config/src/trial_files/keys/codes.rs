//! Keys of codes for another recorder.

use super::Default::{Is, Not};
use super::*;

pub(super) const SECTIONS: &[Section] = &[
    Section { name: "codes", title: "[codes]: numbers that tell another recorder what happened" },
    Section {
        name: "codes.every",
        title: "every = { ... }: a code that recurs, by which the drift of a recorder is seen",
    },
    Section {
        name: "codes.together",
        title: "[[codes.together]]: one code for several events at one instant",
    },
];

const C: &str = "codes";
const EVERY: &str = "codes.every";
const TOGETHER: &str = "codes.together";
const CODE: KeyKind = KeyKind::Count(1, 65_535);
const CODES: KeyKind = KeyKind::Form("table of names, each with its code");
const NONE: super::Default = Not("no code");

pub(super) const KEYS: &[Key] = &[
    key(C, "output", KeyKind::Name("an output"), Not("must be given"))
        .means("The output that the codes go to; it carries no tones.", r#"output = "eeg""#),
    key(C, "width", KeyKind::Time(100_000, SECOND), Is(r#""5 ms""#))
        .means("How long a code stands on the line before it is at rest again. At least two samples of the recorder.", r#"width = "10 ms""#),
    key(C, "bits", KeyKind::Count(8, 16), Is("8"))
        .means("How many bits the recorder reads: the greatest code is 255 with 8 bits and 65535 with 16.", "bits = 16"),
    key(C, "delay", KeyKind::Time(0, SECOND), Is(r#""0 ms""#))
        .means("How long after its event a code is sent. To go out when a tone sounds, write with_tones_of instead.", r#"delay = "5.33 ms""#),
    key(C, "with_tones_of", KeyKind::Name("an output"), Not("none: a code leaves at its event, and its delay later"))
        .means("Codes leave when tones of the same moment reach the converter of this output: they wait for its constant latency, which the sound card states when it is opened. It is recorded, and added to delay. With align_outputs this happens anyway.", r#"with_tones_of = "headphones""#),
    key(C, "start", CODE, NONE).means("The trial starts.", "start = 1"),
    key(C, "end", CODE, NONE).means("The trial ends.", "end = 2"),
    key(C, "every", KeyKind::Part, Not("no code"))
        .means("A code that recurs until the trial ends, by which the drift of a recorder's clock is seen in silence, too.", r#"every = { interval = "10 s", first = "10.25 s", code = 99 }"#),
    key(C, "pacing", CODES, NONE)
        .means("A beat of a pacing stream sounds.", "pacing = { metronome = 10 }"),
    key(C, "silent", CODES, NONE)
        .means("A beat of a pacing stream does not sound.", "silent = { metronome = 11 }"),
    key(C, "feedback", CODES, NONE)
        .means("A tone of a feedback channel sounds.", "feedback = { tone = 30 }"),
    key(C, "masking", CODES, NONE)
        .means("A tone of a masking stream sounds.", "masking = { noise = 40 }"),
    key(C, "tap", CODES, NONE)
        .means("A tap of an input, unless it is debounced.", "tap = { pad = 20 }"),
    key(C, "rule", CODES, NONE)
        .means("A rule acts, by its name.", "rule = { switch = 50 }"),
    key(C, "together", KeyKind::Part, Not("none"))
        .means("One code for several events that fall on one instant; without it such a trial is refused.", "[[codes.together]]"),
    key(EVERY, "interval", KeyKind::Time(100_000_000, 3_600 * SECOND), Not("must be given"))
        .means("The time from each to the next.", r#"every = { interval = "10 s", code = 99 }"#),
    key(EVERY, "first", KeyKind::Time(0, 3_600 * SECOND), Not("one interval"))
        .means("When the first is sent. Choose a time that keeps all of them away from the beats.", r#"every = { interval = "10 s", first = "10.25 s", code = 99 }"#),
    key(EVERY, "code", CODE, Not("must be given"))
        .means("The code that recurs.", r#"every = { interval = "10 s", code = 99 }"#),
    key(TOGETHER, "of", KeyKind::Form("list of two or more events that have a code"), Not("must be given"))
        .means("The events, as they stand in [codes].", r#"of = ["start", "pacing.metronome"]"#),
    key(TOGETHER, "code", CODE, Not("must be given"))
        .means("The code that is sent instead of theirs.", "code = 60"),
];

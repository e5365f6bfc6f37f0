//! Keys of feedback channels.

use super::Default::{Is, Not};
use super::*;
use chronotap_engine::trial::{Choice, Controllers, Number};

pub(super) const SECTIONS: &[Section] = &[
    Section { name: "feedback.NAME", title: "[feedback.NAME]: tones that taps cause" },
    Section { name: "feedback.NAME.from", title: "from = { ... }: which taps a channel hears" },
    Section { name: "feedback.NAME.pitch", title: "pitch = { ... }: one of these" },
    Section { name: "feedback.NAME.velocity", title: "velocity = { ... }: one of these" },
    Section { name: "feedback.NAME.delay", title: "delay = { ... }: one of these" },
    Section { name: "feedback.NAME.delay.normal", title: "delay = { normal = { ... } }" },
    Section {
        name: "feedback.NAME.perturb",
        title: "[[feedback.NAME.perturb]]: single taps treated otherwise",
    },
];

const F: &str = "feedback.NAME";
const FROM: &str = "feedback.NAME.from";
const PITCH: &str = "feedback.NAME.pitch";
const VELOCITY: &str = "feedback.NAME.velocity";
const DELAY: &str = "feedback.NAME.delay";
const NORMAL: &str = "feedback.NAME.delay.normal";
const PERTURB: &str = "feedback.NAME.perturb";
const ONE: super::Default = Not("none; give one of these forms");
const PLAYED: super::Default = Is(r#""as played""#);
const SAME: super::Default = Not("the channel's");

/// The forms of a pitch.
#[derive(Clone, Copy)]
pub(in crate::trial_files) enum PitchForm {
    Fixed,
    Transpose,
    Mirror,
    Table,
    Sequence,
    Shift,
    Chosen(Choice),
}

/// What the forms of a pitch are called.
pub(in crate::trial_files) const PITCH_FORMS: [(&str, PitchForm); 9] = [
    ("fixed", PitchForm::Fixed),
    ("transpose", PitchForm::Transpose),
    ("mirror", PitchForm::Mirror),
    ("table", PitchForm::Table),
    ("random", PitchForm::Chosen(Choice::Random)),
    ("shuffled", PitchForm::Chosen(Choice::Shuffled)),
    ("once", PitchForm::Chosen(Choice::Once)),
    ("sequence", PitchForm::Sequence),
    ("shift", PitchForm::Shift),
];

/// The forms of a velocity.
#[derive(Clone, Copy)]
pub(in crate::trial_files) enum VelocityForm {
    Fixed,
    Scale,
    Random,
}

/// What the forms of a velocity are called.
pub(in crate::trial_files) const VELOCITY_FORMS: [(&str, VelocityForm); 3] = [
    ("fixed", VelocityForm::Fixed),
    ("scale", VelocityForm::Scale),
    ("random", VelocityForm::Random),
];

/// The forms of a delay.
#[derive(Clone, Copy)]
pub(in crate::trial_files) enum DelayForm {
    Uniform,
    Normal,
    List,
    Fraction,
    Chosen(Choice),
}

/// What the forms of a delay are called.
pub(in crate::trial_files) const DELAY_FORMS: [(&str, DelayForm); 7] = [
    ("uniform", DelayForm::Uniform),
    ("normal", DelayForm::Normal),
    ("random", DelayForm::Chosen(Choice::Random)),
    ("shuffled", DelayForm::Chosen(Choice::Shuffled)),
    ("once", DelayForm::Chosen(Choice::Once)),
    ("list", DelayForm::List),
    ("fraction", DelayForm::Fraction),
];

/// What becomes of controllers.
pub(in crate::trial_files) const CONTROLLERS: [(&str, Controllers); 3] = [
    ("at once", Controllers::AtOnce),
    ("with feedback", Controllers::WithFeedback),
    ("off", Controllers::Off),
];

pub(super) const KEYS: &[Key] = &[
    key(F, "from", KeyKind::Part, Not("every tap"))
        .means("Which taps feed this channel; all that is given must hold.", r#"from = { notes = "A0..B3" }"#),
    key(F, "output", KeyKind::Name("an output, or a list of names"), Not("the first output"))
        .means("Where the tones go. At each further output of a list they sound at the same moments, with rows of their own (`copy`).", r#"output = "headphones""#),
    key(F, "channel", KeyKind::Form(r#"MIDI channel, 1 to 16, or "as played""#), Is("1")).set(Settable::FeedbackChannel)
        .means("MIDI channel of the tones. Controllers pass to the same channel.", "channel = 2"),
    key(F, "sounding", KeyKind::Flag, Is("true")).set(Settable::FeedbackSounding)
        .means("Whether taps sound; histories (shift, sequence, list) go on either way.", "sounding = false"),
    key(F, "pitch", KeyKind::Form(r#""as played" or one of the forms below"#), PLAYED).set(Settable::FeedbackPitch)
        .means("Which note sounds.", r#"pitch = { fixed = "E4" }"#),
    key(F, "velocity", KeyKind::Form(r#""as played" or one of the forms below"#), PLAYED).set(Settable::FeedbackVelocity)
        .means("How loud.", "velocity = { fixed = 90 }"),
    key(F, "delay", KeyKind::Form("a time from 0 s, or one of the forms below"), Is(r#""0 ms""#)).set(Settable::FeedbackDelay).ramp(Number::FeedbackDelay)
        .means("Time from the tap's time stamp to its tone.", r#"delay = "200 ms""#),
    key(F, "duration", KeyKind::Form(r#""as played" or a time above 0"#), PLAYED).set(Settable::FeedbackDuration)
        .means("How long: as the key is held, or a fixed time from the tone's onset.", r#"duration = "100 ms""#),
    key(F, "controllers", KeyKind::Choice(&words_of(&CONTROLLERS)), Is(r#""at once""#))
        .means("What becomes of controllers, pedals, bend, pressure and program changes. At once: they are sent on as they come. With feedback: they are delayed as the channel's last tone was, the pressure of a key goes to the note that it last sounded, and nothing is sent while the channel is silent or after the end. Off: they are only recorded. Channel-mode messages (120 to 127, such as All Notes Off) are always only recorded.", r#"controllers = "with feedback""#),
    key(F, "perturb", KeyKind::Part, Not("none"))
        .means("Single taps that are muted, or given another delay, pitch, velocity or duration.", "[[feedback.tone.perturb]]"),
    key(FROM, "input", KeyKind::Name("an input"), Not("any input"))
        .means("Taps of this input.", r#"from = { input = "pad" }"#),
    key(FROM, "channel", KeyKind::Channel, Not("any channel"))
        .means("Taps on this MIDI channel.", "from = { channel = 10 }"),
    key(FROM, "notes", KeyKind::Range, Is(r#""C-1..G9""#)).set(Settable::FeedbackNotes)
        .means("Taps on these keys.", r#"from = { notes = "C4..C8" }"#),
    key(FROM, "velocities", KeyKind::Form(r#"least and greatest velocity, 1 to 127: "1..63" or [1, 63]"#), Is(r#""1..127""#)).set(Settable::FeedbackVelocities)
        .means("Taps as hard as this.", r#"from = { velocities = "64..127" }"#),
    key(PITCH, "fixed", KeyKind::Note, ONE).means("Always this note.", r#"pitch = { fixed = "E4" }"#),
    key(PITCH, "transpose", KeyKind::Number(-127.0, 127.0), ONE).ramp(Number::FeedbackTranspose)
        .means("This many semitones higher (negative: lower).", "pitch = { transpose = -12 }"),
    key(PITCH, "mirror", KeyKind::Note, ONE)
        .means("As far below this note as the key lies above it, and the reverse.", r#"pitch = { mirror = "D4" }"#),
    key(PITCH, "table", KeyKind::Form("table of notes"), ONE)
        .means("For each key named, the note that sounds; other keys sound as played.", r#"pitch = { table = { C4 = "D4", D4 = "C4" } }"#),
    key(PITCH, "random", KeyKind::Form("list of notes, or a range"), ONE)
        .means("Drawn afresh for each tap, all equally likely.", r#"pitch = { random = ["C4", "E4", "G4"] }"#),
    key(PITCH, "shuffled", KeyKind::Form("list of at most 1000 notes, or a range"), ONE)
        .means("Drawn for each tap without replacement: each note of the list once in random order, then all again in another.", r#"pitch = { shuffled = ["C4", "E4", "G4"] }"#),
    key(PITCH, "once", KeyKind::Form("list of notes, or a range"), ONE)
        .means("Drawn once a trial, all equally likely; anew where a rule sets it.", r#"pitch = { once = ["C4", "G4"] }"#),
    key(PITCH, "sequence", KeyKind::Form("list of notes"), ONE)
        .means("The next of the list at each tap, again from its beginning at its end.", "pitch = { sequence = [60, 62, 64] }"),
    key(PITCH, "shift", KeyKind::Form("whole number, -1 to -255"), ONE)
        .means("The pitch of the tap this many taps before; as played while there are fewer.", "pitch = { shift = -1 }"),
    key(VELOCITY, "fixed", KeyKind::Velocity, ONE).ramp(Number::FeedbackVelocity)
        .means("Always this one.", "velocity = { fixed = 90 }"),
    key(VELOCITY, "scale", KeyKind::Number(0.0, 127.0), ONE).ramp(Number::FeedbackScale)
        .means("The tap's own velocity times this number, kept within 1 to 127.", "velocity = { scale = 0.5 }"),
    key(VELOCITY, "random", KeyKind::Form("least and greatest velocity"), ONE)
        .means("Drawn afresh for each tone, all equally likely.", "velocity = { random = [40, 70] }"),
    key(DELAY, "uniform", KeyKind::Form("two times, least and greatest"), ONE)
        .means("Drawn afresh for each tap, all equally likely.", r#"delay = { uniform = ["0 ms", "250 ms"] }"#),
    key(DELAY, "normal", KeyKind::Part, ONE)
        .means("Drawn afresh for each tap from a normal distribution.", r#"delay = { normal = { mean = "200 ms", sd = "20 ms" } }"#),
    key(DELAY, "random", KeyKind::Form("list of times"), ONE)
        .means("Drawn afresh for each tap from the list, all equally likely.", r#"delay = { random = ["0 ms", "100 ms"] }"#),
    key(DELAY, "shuffled", KeyKind::Form("list of at most 1000 times"), ONE)
        .means("Drawn for each tap without replacement: each time of the list once in random order, then all again in another.", r#"delay = { shuffled = ["0 ms", "100 ms"] }"#),
    key(DELAY, "once", KeyKind::Form("list of times"), ONE)
        .means("Drawn once a trial, all equally likely; anew where a rule sets it.", r#"delay = { once = ["0 ms", "100 ms"] }"#),
    key(DELAY, "list", KeyKind::Form("list of times"), ONE)
        .means("The next of the list at each tap, again from its beginning at its end.", r#"delay = { list = ["0 ms", "100 ms"] }"#),
    key(DELAY, "fraction", KeyKind::Number(0.0, 100.0), ONE).ramp(Number::FeedbackFraction)
        .means("This share of the channel's last inter-tap interval; 0 before there is one.", "delay = { fraction = 0.5 }"),
    key(NORMAL, "mean", SPAN, Not("must be given")).means("Mean.", r#"normal = { mean = "200 ms", sd = "20 ms" }"#),
    key(NORMAL, "sd", SPAN, Not("must be given"))
        .means("Standard deviation.", r#"normal = { mean = "200 ms", sd = "20 ms" }"#),
    key(NORMAL, "within", KeyKind::Form("two times, least and greatest"), Not("three standard deviations about the mean, from 0 s"))
        .means("A draw beyond these is drawn again. They include the mean and lie at least one standard deviation apart.", r#"within = ["100 ms", "300 ms"]"#),
    key(PERTURB, "name", KeyKind::Text, Not("none"))
        .means("A name of its own, by which an experiment file reaches this perturbation.", r#"name = "probe""#),
    key(PERTURB, "at", KeyKind::Form("tap number, or a list of them"), Not("none; give one of at, every, chance"))
        .means("These taps, counted among those that the channel hears.", "at = [5, 12]"),
    key(PERTURB, "every", KeyKind::Form("whole number, or { from, to }"), Not("none; give one of at, every, chance"))
        .means("Every Nth tap; with from and to, N is drawn again each time.", "every = { from = 8, to = 12 }"),
    key(PERTURB, "chance", KeyKind::Number(0.0, 1.0), Not("none; give one of at, every, chance"))
        .means("Each tap with this probability.", "chance = 0.1"),
    key(PERTURB, "after", KeyKind::Count(0, 1_000_000_000), Is("0"))
        .means("With every or chance: the count begins after this tap.", "after = 20"),
    key(PERTURB, "apart", KeyKind::Count(0, 1_000_000_000), Is("0"))
        .means("With every or chance: at least this many taps from any other perturbation of the channel. One that would come sooner is put off (every) or left out (chance).", "apart = 5"),
    key(PERTURB, "mute", KeyKind::Flag, Is("false")).means("No tone at all.", "mute = true"),
    key(PERTURB, "delay", KeyKind::Form("as for the channel"), SAME)
        .means("Instead of the channel's.", r#"delay = "50 ms""#),
    key(PERTURB, "pitch", KeyKind::Form("as for the channel"), SAME)
        .means("Instead of the channel's.", "pitch = { transpose = 1 }"),
    key(PERTURB, "velocity", KeyKind::Form("as for the channel"), SAME)
        .means("Instead of the channel's.", "velocity = { scale = 1.5 }"),
    key(PERTURB, "duration", KeyKind::Form("as for the channel"), SAME)
        .means("Instead of the channel's.", r#"duration = "20 ms""#),
];

const _: () = {
    assert!(have_rows(KEYS, PITCH, &words_of(&PITCH_FORMS)), "a form of a pitch has no row");
    assert!(
        have_rows(KEYS, VELOCITY, &words_of(&VELOCITY_FORMS)),
        "a form of a velocity has no row"
    );
    assert!(have_rows(KEYS, DELAY, &words_of(&DELAY_FORMS)), "a form of a delay has no row");
};

//! Keys at the top of the file, of inputs and of outputs.

use super::Default::{Is, Not};
use super::*;

pub(super) const SECTIONS: &[Section] = &[
    Section { name: "", title: "The top of the file" },
    Section { name: "input.NAME", title: "[input.NAME]: what participants tap on" },
    Section { name: "output.NAME", title: "[output.NAME]: where tones and codes go" },
    Section {
        name: "file.NAME",
        title: "[file.NAME]: what was read of a file that the trial names",
    },
];

/// Whether the trial ends where an input is closed.
pub(in crate::trial_files) const ENDS_WHEN_CLOSED: [(&str, bool); 2] =
    [("continue", false), ("end", true)];

pub(super) const KEYS: &[Key] = &[
    key("", "title", KeyKind::Text, Not("the name of the file"))
        .means("What the trial is called.", r#"title = "Synchronization, 500 ms""#),
    key("", "description", KeyKind::Text, Not("none"))
        .means("What it is for, in the experimenter's words.", r#"description = "practice block""#),
    key("", "reference", KeyKind::Text, Not("none"))
        .means("The publication it follows.", r#"reference = "Wing and Kristofferson (1973)""#),
    key("", "seed", KeyKind::Count(0, u64::MAX), Not("drawn when the trial runs, and recorded"))
        .means("Everything random comes from this number; the same seed and taps give the same trial.", "seed = 7"),
    key("", "limit", KeyKind::Time(1, 10 * SECOND), Is(r#""1 ms""#))
        .means("Lateness of output above which the timing verdict of a run fails.", r#"limit = "500 us""#),
    key("", "align_outputs", KeyKind::Flag, Not("false: each output is as late as it is"))
        .means("Whether what belongs to one moment is heard at one moment at all outputs. Outputs with less latency wait for the one with the most: tones, their copies, controllers and codes. A sound card and JACK state their latency when they are opened; of any other output it must be given (latency).", "align_outputs = true"),
    key("", "input", KeyKind::Part, Not("one input named input"))
        .means("Inputs, each under its name; they are bound to devices when the trial runs.", "[input.pad]"),
    key("", "output", KeyKind::Part, Not("one output named output"))
        .means("Outputs, each under its name.", "[output.headphones]"),
    key("", "pacing", KeyKind::Part, Not("none"))
        .means("Pacing streams, each under its name.", "[pacing.metronome]"),
    key("", "feedback", KeyKind::Part, Not("none"))
        .means("Feedback channels, each under its name; one tap may feed several.", "[feedback.tone]"),
    key("", "masking", KeyKind::Part, Not("none"))
        .means("Streams of random tones, each under its name.", "[masking.noise]"),
    key("", "when", KeyKind::Part, Not("none"))
        .means("Rules, in file order: what each waits for, and what it then does.", "[[when]]"),
    key("", "codes", KeyKind::Part, Not("none"))
        .means("Codes for another recorder, such as an EEG amplifier: a number for each kind of event, sent at the event's own time.", "[codes]"),
    key("", "hed", KeyKind::Part, Not("none"))
        .means("HED tags for the descriptions of the data: what each kind of event means, in the words of a standard that other laboratories can search for.", "[hed]"),
    key("", "file", KeyKind::Part, Not("none"))
        .means("The files that the trial names, as they were when it was read. Written by the program, so that data say what was heard.", "[file.\"song.tsv\"]"),
    key("file.NAME", "path", KeyKind::Text, Not("none"))
        .means("Where a sound file was found.", r#"path = "/home/lab/song.wav""#),
    key("file.NAME", "sha256", KeyKind::Text, Not("none"))
        .means("The checksum of its bytes.", r#"sha256 = "e3b0c442""#),
    key("file.NAME", "length", KeyKind::Time(1, DAY), Not("none"))
        .means("How long it lasts: frames by frames a second.", r#"length = "8820000 s / 44100""#),
    key("file.NAME", "beats", KeyKind::Form("list of times, ascending"), Not("none"))
        .means("Its beats, since the beginning of the recording.", r#"beats = ["0.512 s", "1.02 s"]"#),
    key("file.NAME", "problem", KeyKind::Text, Not("none"))
        .means("Why it could not be read.", r#"problem = "is not text""#),
    key("input.NAME", "debounce", KeyKind::Time(0, 10 * SECOND), Is(r#""0 s""#)).set(Settable::InputDebounce)
        .means("A tap sooner than this after the last accepted tap is recorded and marked, but gives no feedback and no count. 0 is off.", r#"debounce = "80 ms""#),
    key("input.NAME", "when_closed", KeyKind::Choice(&words_of(&ENDS_WHEN_CLOSED)), Is(r#""continue""#))
        .means("What happens to the trial when the device is unplugged or its stream ends.", r#"when_closed = "end""#),
    key("input.NAME", "record_sysex", KeyKind::Flag, Is("false"))
        .means("Whether system exclusive messages that come in are recorded, in rows of at most 16 bytes; otherwise they are only counted. They are no taps and sound nothing. Of a message its first 4096 bytes are recorded.", "record_sysex = true"),
    key("input.NAME", "sequence", KeyKind::Form("list of notes"), Not("none"))
        .means("The keys that are to be pressed one after the other, again from the first after the last. Wrong, missing and added notes are counted against it.", r#"sequence = ["C4", "E4", "G4"]"#),
    key("output.NAME", "description", KeyKind::Text, Not("none"))
        .means("What is at the other end.", r#"description = "left ear""#),
    key("output.NAME", "latency", KeyKind::Time(0, SECOND), Not("what the port states; nothing where it states none"))
        .means("How long what is behind this output takes until it sounds, as you measured it: a synthesizer, an amplifier, 2.9 ms for a metre of air. It comes on top of what the port states. Used by align_outputs and with_tones_of.", r#"latency = "4.2 ms""#),
];

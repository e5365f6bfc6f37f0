//! Keys of rules.

use super::Default::{Is, Not};
use super::*;

pub(super) const SECTIONS: &[Section] = &[
    Section { name: "when", title: "[[when]]: rules; several conditions together must all hold" },
    Section {
        name: "when.taps_after",
        title: "taps_after.NAME = { ... }: where there are several inputs",
    },
    Section { name: "when.ramp", title: "ramp.PATH = { ... }: a gradual change" },
    Section { name: "when.play", title: "play = { ... }: one tone" },
];

const W: &str = "when";
const RAMP: &str = "when.ramp";
const PLAY: &str = "when.play";
const AFTER: &str = "when.taps_after";
const NONE: super::Default = Not("no such condition");
const NOTHING: super::Default = Not("no such action");

pub(super) const KEYS: &[Key] = &[
    key(W, "time", SPAN, NONE).means("Time since the start of the trial.", r#"time = "60 s""#),
    key(W, "beat", KeyKind::Form("beat number from 1; beat.NAME with several streams"), NONE)
        .means("A beat of a stream, audible or not. The rule acts before the beat sounds.", "beat.three = 21"),
    key(W, "tap", KeyKind::Form("tap number from 1; tap.NAME with several inputs"), NONE)
        .means("The tap of that number of an input. The rule acts before the tap's feedback is decided.", "tap = 40"),
    key(W, "taps_after", KeyKind::Form("number of taps from 1, or { taps, input }; taps_after.NAME with several streams"), NONE)
        .means("This many taps since a stream ended: half an interval after its last beat, or when a rule stopped it. The rule acts before the tap's feedback is decided.", "taps_after.countdown = 30"),
    key(W, "note", KeyKind::Form("a note; note.NAME for one input of several"), NONE)
        .means("A tap on this key, on any input or on the one named.", r#"note = "C2""#),
    key(W, "silence", KeyKind::Form("a time above 0; silence.NAME with several inputs"), NONE)
        .means("No tap on an input for so long, counted from its last tap or from the start.", r#"silence = "5 s""#),
    key(W, "all", KeyKind::Form("list of tables of conditions"), NONE)
        .means("All of these hold.", r#"all = [{ tap = 20 }, { time = "10 s" }]"#),
    key(W, "any", KeyKind::Form("list of tables of conditions"), NONE)
        .means("At least one of these holds.", r#"any = [{ tap = 50 }, { time = "30 s" }]"#),
    key(W, "name", KeyKind::Text, Not("when-1, when-2, ... in file order"))
        .means("The rule's name in the data.", r#"name = "feedback off""#),
    key(W, "repeat", KeyKind::Flag, Is("false"))
        .means("Whether it acts again each time its condition becomes true again (a note, a silence); otherwise once.", "repeat = true"),
    key(W, "set", KeyKind::Form("the path of a parameter, as in the file"), NOTHING)
        .means("Gives a parameter another value. Keys of tone, accent, adapt and from that the rule does not name keep their values.", r#"set.feedback.tone.delay = "200 ms""#),
    key(W, "ramp", KeyKind::Form("the path of a number, and { to, over }"), NOTHING)
        .means("Lets a number change gradually from its present value.", r#"ramp.feedback.tone.delay = { to = "70 ms", over = "20 s" }"#),
    key(W, "mark", KeyKind::Text, NOTHING).means("Writes a marker into the data.", r#"mark = "delay begins""#),
    key(W, "play", KeyKind::Part, NOTHING).means("Sounds one tone.", r#"play = { note = "C5", duration = "50 ms" }"#),
    key(W, "start", KeyKind::Name("a pacing stream, or a list of names"), NOTHING)
        .means("Starts the stream at its beat 1, at this instant.", r#"start = "metronome""#),
    key(W, "stop", KeyKind::Name("a pacing stream, or a list of names"), NOTHING)
        .means("Stops the stream; a tone that sounds ends as planned.", r#"stop = "metronome""#),
    key(W, "end", KeyKind::Flag, Is("false"))
        .means("Ends the trial at this instant, after the rule's other actions.", "end = true"),
    key(AFTER, "taps", KeyKind::Count(1, 1_000_000_000), Not("must be given"))
        .means("How many.", r#"taps_after.countdown = { taps = 30, input = "pad" }"#),
    key(AFTER, "input", KeyKind::Name("an input"), Not("must be given"))
        .means("Whose taps are counted.", r#"taps_after.countdown = { taps = 30, input = "pad" }"#),
    key(RAMP, "to", KeyKind::Form("as the parameter itself"), Not("must be given"))
        .means("The value it reaches.", r#"{ to = "70 ms", over = "20 s" }"#),
    key(RAMP, "over", KeyKind::Form("a time; for a pacing interval or tempo also a number of beats"), Not("must be given"))
        .means("How long it takes.", r#"{ to = "140 bpm", over = 16 }"#),
    key(RAMP, "shape", SHAPE, Is(r#""linear""#))
        .means("Equal differences in equal times, or equal ratios.", r#"{ to = 20, over = "10 s", shape = "exponential" }"#),
    key(PLAY, "note", KeyKind::Note, Is("76")).means("Note.", r#"play = { note = "C5" }"#),
    key(PLAY, "channel", KeyKind::Channel, Is("1")).means("MIDI channel.", "play = { channel = 2 }"),
    key(PLAY, "velocity", KeyKind::Velocity, Is("100")).means("Velocity.", "play = { velocity = 80 }"),
    key(PLAY, "duration", LENGTH, Is(r#""30 ms""#)).means("How long.", r#"play = { duration = "100 ms" }"#),
    key(PLAY, "output", KeyKind::Name("an output, or a list of names"), Not("the first output"))
        .means("Where it goes.", r#"play = { output = "headphones" }"#),
];

//! Keys of HED tags.

use super::Default::Not;
use super::*;

pub(super) const SECTIONS: &[Section] =
    &[Section { name: "hed", title: "[hed]: what events mean, as HED tags of your own" }];

const H: &str = "hed";
const TAGS: KeyKind = KeyKind::Form("HED tags");
const NAMED: KeyKind = KeyKind::Form("HED tags, or a table of names, each with its tags");
const USUAL: super::Default = Not("the tags of the manual, where the trial has [codes] or [hed]");

pub(super) const KEYS: &[Key] = &[
    key(H, "pacing", NAMED, USUAL)
        .means("What a beat that sounds means. A text replaces the usual tags; tags of a name are added to them, for events of that name. The same holds below.", r#"pacing.metronome = "Label/Standard""#),
    key(H, "silent", NAMED, USUAL)
        .means("A beat that does not sound.", r#"silent = "Sensory-event, Label/Rest""#),
    key(H, "tap", NAMED, USUAL)
        .means("A tap.", r#"tap.pad = "(Human-agent, (Left-side-of, Body))""#),
    key(H, "release", NAMED, USUAL)
        .means("A key is let go.", r#"release = "Agent-action, Release""#),
    key(H, "feedback", NAMED, USUAL)
        .means("A tone of a feedback channel.", r#"feedback.tone = "Label/Delayed""#),
    key(H, "muted", NAMED, USUAL)
        .means("A feedback tone that a perturbation takes away.", r#"muted = "Sensory-event, Label/Omitted""#),
    key(H, "cancelled", NAMED, USUAL)
        .means("A feedback tone that the end of the trial prevents.", r#"cancelled = "Experiment-control, Label/Cancelled""#),
    key(H, "masking", NAMED, USUAL)
        .means("A tone of a masking stream.", r#"masking.noise = "Label/Masker""#),
    key(H, "rule", NAMED, USUAL)
        .means("A rule acts.", r#"rule.switch = "Label/Tempo-change""#),
    key(H, "copy", TAGS, USUAL)
        .means("A tone at a further output.", r#"copy = "Experiment-control, Label/Box""#),
    key(H, "marker", TAGS, USUAL)
        .means("A marker of a rule.", r#"marker = "Experiment-control, Label/Phase""#),
    key(H, "control", TAGS, USUAL)
        .means("A controller, bend, pressure or program change.", r#"control = "Experiment-control, Label/Pedal""#),
    key(H, "sysex", TAGS, USUAL)
        .means("A part of a system exclusive message.", r#"sysex = "Experiment-control, Label/Dump""#),
    key(H, "code", TAGS, USUAL)
        .means("A code is sent to another recorder.", r#"code = "Experiment-control, Label/Trigger""#),
    key(H, "end", TAGS, USUAL)
        .means("The trial ends.", r#"end = "Experiment-structure, Label/End-of-block""#),
];

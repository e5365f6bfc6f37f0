//! A tiny trial, as the engine would have decided it: header, entries and footer of what is
//! recorded. For tests of what is written of a trial and how it is read again.

use chronotap_core::midi::{Channel, Message, U7};
use chronotap_core::time::Nanos;
use chronotap_data::record::{
    Binding, ClockUsed, Entry, Footer, Header, Names, RuleNames, TrialText, What,
};
use chronotap_engine::action::{Action, ActionKind, Silence, TrialEnding};
use chronotap_engine::perturbation::{Perturbation, PerturbedPart};
use chronotap_engine::signal::Stamp;
use serde_json::json;

/// What stands before the entries.
pub fn header() -> Header {
    let names = |list: &[&str]| list.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    Header {
        program: "chronotap 0.1.0".to_owned(),
        trial_file: TrialText {
            name: "tiny.toml".to_owned(),
            text: "title = \"Tiny\"\n\n[pacing.metronome]\ninterval = \"500 ms\"\n".to_owned(),
        },
        title: "Tiny".to_owned(),
        seed: 7,
        started: "2026-01-02T03:04:05+00:00".to_owned(),
        machine: json!({ "kernel": "test" }),
        rights: json!({ "asked": "SCHED_FIFO 80", "granted": "none" }),
        clock: ClockUsed { name: "CLOCK_MONOTONIC".to_owned(), resolution_ns: 1 },
        ports: vec![Binding {
            name: "output".to_owned(),
            direction: "out".to_owned(),
            port: "wire".to_owned(),
            ..Binding::default()
        }],
        names: Names {
            inputs: names(&["input"]),
            outputs: names(&["output"]),
            pacing: names(&["metronome"]),
            feedback: names(&["tone"]),
            masking: names(&["noise"]),
            triggers: vec![RuleNames {
                name: "when-1".to_owned(),
                detail: "set pacing.metronome.audible = false".to_owned(),
            }],
            markers: names(&["first\tmarker"]),
            codes: Vec::new(),
        },
        limit_ns: 1_000_000,
        performer: json!("nobody"),
        ..Header::default()
    }
}

/// What stands after the entries.
pub fn footer() -> Footer {
    Footer { summary: json!({ "lateness_median_ns": 4000 }), ..Footer::default() }
}

/// A note-on with velocity 100.
pub fn on(note: u8) -> Option<Message> {
    let (note, velocity) = (U7::from_byte(note), U7::from_byte(100));
    Some(Message::NoteOn { channel: Channel::ONE, note, velocity })
}

/// A note-off with velocity 64.
pub fn off(note: u8) -> Option<Message> {
    let (note, velocity) = (U7::from_byte(note), U7::from_byte(64));
    Some(Message::NoteOff { channel: Channel::ONE, note, velocity })
}

/// An entry: id, kind, number, cause, deadline and achieved in milliseconds.
pub fn entry(
    id: u64,
    kind: ActionKind,
    numbers: (u32, u64),
    ms: (i64, Option<i64>),
    message: Option<Message>,
) -> Entry {
    let deadline = Nanos::from_millis(ms.0);
    let arrived = matches!(
        kind,
        ActionKind::Tap(_)
            | ActionKind::Release(_)
            | ActionKind::ControlIn(_)
            | ActionKind::Sysex(_)
    );
    Entry {
        what: What::Happened,
        action: Action {
            id,
            kind,
            number: numbers.0,
            cause: numbers.1,
            deadline,
            instant: deadline,
            port: 0,
            message,
            perturbation: Perturbation::NONE,
        },
        achieved: ms.1.map(|ms| Nanos::from_millis(ms) + Nanos(if arrived { 0 } else { 4_567 })),
        stamp: arrived.then_some(Stamp::UserSpace),
        frame: None,
    }
}

/// A trial with one row of every kind that happens.
pub fn tiny() -> Vec<Entry> {
    let control = Message::Control {
        channel: Channel::ONE,
        controller: U7::from_byte(64),
        value: U7::from_byte(127),
    };
    let mut all = vec![
        entry(1, ActionKind::Pacing(0), (1, 0), (1000, Some(1000)), on(76)),
        entry(2, ActionKind::Tap(0), (1, 0), (1020, Some(1020)), on(60)),
        entry(3, ActionKind::Feedback(0), (1, 2), (1020, Some(1020)), on(64)),
        entry(1, ActionKind::ToneOff, (0, 0), (1030, Some(1030)), off(76)),
        entry(4, ActionKind::Tap(0), (0, 0), (1040, Some(1040)), on(60)),
        entry(5, ActionKind::ControlIn(0), (0, 0), (1050, Some(1050)), Some(control)),
        entry(6, ActionKind::ControlOut(0), (0, 5), (1050, Some(1051)), Some(control)),
        entry(7, ActionKind::Release(0), (0, 2), (1090, Some(1090)), off(60)),
        entry(3, ActionKind::ToneOff, (0, 0), (1120, Some(1120)), off(64)),
        entry(8, ActionKind::Masking(0), (1, 0), (1200, None), on(40)),
        entry(8, ActionKind::ToneOff, (0, 0), (1250, Some(1250)), off(40)),
        entry(9, ActionKind::Rule(0), (1, 0), (1300, Some(1300)), None),
        entry(10, ActionKind::Marker(0), (0, 9), (1300, Some(1300)), None),
        entry(11, ActionKind::Rule(0), (1, 0), (1400, Some(1400)), on(50)),
        entry(11, ActionKind::ToneOff, (0, 0), (1500, None), off(50)),
        entry(12, ActionKind::InputClosed(0), (0, 0), (1550, Some(1550)), None),
        entry(13, ActionKind::Cancelled(0), (1, 2), (1700, None), on(64)),
        entry(14, ActionKind::End(TrialEnding::Interrupted), (0, 0), (1600, Some(1600)), None),
    ];
    let shift = PerturbedPart::PhaseShift(Nanos::from_millis(50));
    all[0].action.perturbation = Perturbation::NONE.with(shift);
    all
}

/// What did not sound in it: a rest, and a feedback tone that was muted.
pub fn unheard() -> Vec<Entry> {
    let mut muted = entry(16, ActionKind::Muted(0), (1, 2), (1020, None), on(64));
    muted.action.perturbation = Perturbation::NONE.with(PerturbedPart::Mute);
    let rest = ActionKind::SilentBeat(0, Silence::Rest);
    vec![entry(15, rest, (2, 0), (1500, None), None), muted]
}

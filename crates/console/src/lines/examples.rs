//! One message of every kind, and of every shape that it may have. Every field is written out, so that
//! a new one is asked for here by the compiler.

use crate::request::Command;
use crate::scene::{CheckedInput, ExpectedAnswer, Phase, Scene, SceneStep, Window};
use crate::shown::{Shown, ShownLine, ShownTrackPoint, TrialShown};
use chronotap_design::question::{Answer, TextForm};
use chronotap_design::{Ends, Words};
use chronotap_session::status::Tally;

/// What a session tells.
pub(super) fn lines() -> Vec<ShownLine> {
    let scenes = phases().into_iter().map(|phase| scene(phase, Window::Never, None));
    let windows = [Window::Full, Window::Open, Window::Closed, Window::Frozen];
    let windows = windows.map(|window| scene(Phase::Gap, window, Some(60.0)));
    let shown = scenes.chain(windows).map(|scene| Shown::Scene(Box::new(scene))).chain(others());
    shown.map(|shown| ShownLine { id: 1, shown }).collect()
}

fn scene(phase: Phase, window: Window, left_s: Option<f64>) -> Scene {
    let level = || vec![("tempo".to_owned(), "400 ms".to_owned())];
    Scene {
        title: "A study".into(),
        study: "study.toml".into(),
        folder: "data".into(),
        participant: "01".into(),
        single: false,
        session: 1,
        resumed: false,
        simulated: false,
        blind: false,
        words: Words::default(),
        cell: level(),
        step: "main".into(),
        trial: 1,
        attempt: 1,
        condition: level(),
        done: 0,
        planned: 12,
        steps: [Some(12), None].map(|trials| SceneStep { name: "main".into(), trials }).to_vec(),
        left_s,
        devices_tested: true,
        turn: 7,
        begun: 0,
        phase,
        waits: false,
        hold: false,
        window,
        keyboard: "Desk".into(),
    }
}

fn phases() -> Vec<Phase> {
    let input = CheckedInput { name: "pad".into(), taps: 1, stamp: "driver".into(), gone: false };
    let question = |experimenter| Phase::Question {
        experimenter,
        name: "effort".into(),
        text: "How hard?".into(),
        answer: ExpectedAnswer::from(&Answer::from(TextForm)),
    };
    let ended = |answered, tally| Phase::Ended { complete: true, answered, sound: true, tally };
    vec![
        Phase::Opening,
        Phase::Check { inputs: vec![input], playing: false, played: true, heard: true },
        Phase::Text { markdown: "Tap.".into(), blinded: None, waits: false },
        Phase::Text {
            markdown: "Tap at 400 ms.".into(),
            blinded: Some("Tap at {tempo}.".into()),
            waits: true,
        },
        question(true),
        question(false),
        Phase::Waiting { on: "tap".into() },
        Phase::Gap,
        Phase::Rest { seconds: 30.0, until_utc_ms: 1.7e12 },
        Phase::Trial,
        Phase::Held { why: "noise".into() },
        Phase::Doubt { text: "Go on?".into() },
        Phase::Practice { text: "Not reached.".into() },
        Phase::Choose,
        ended(None, None),
        ended(Some(Ends::Participation), None),
        ended(Some(Ends::Session), Some(Tally::default())),
        Phase::Failed { error: "the disk is full".into() },
    ]
}

fn others() -> Vec<Shown> {
    let tap = |interval_ms| Shown::Tap {
        input: 0,
        number: 2,
        at_ms: 900.0,
        interval_ms,
        stamp: "driver".into(),
    };
    vec![
        Shown::Trial(trial(Some(-31.2))),
        Shown::Trial(trial(None)),
        Shown::Trial(unanswered()),
        Shown::Summary { text: "31 taps".into() },
        Shown::Remark { at: "2026-11-20T13:04:05Z".into(), text: "Note: noise".into() },
        Shown::Begins {
            inputs: vec!["pad".into()],
            streams: vec!["metronome".into()],
            origin_utc_ms: 1.8e12,
            limit_us: 1_000.0,
        },
        Shown::Beat { stream: 0, at_ms: 500.0 },
        tap(None),
        tap(Some(400.0)),
        Shown::Asynchrony { input: 0, number: 1, at_ms: 470.0, ms: -30.0 },
        Shown::Progress {
            at_s: 1.0,
            taps: vec![("pad".into(), 2)],
            silent_s: 0.1,
            latest_us: 80.0,
            lost: 0,
            closed: vec!["pad".into()],
            overruns: vec![("pad".into(), 1)],
            silent_frames: 0,
            dropped: 0,
            disk: String::new(),
            missed: 0,
        },
    ]
}

/// A trial of a staircase that nobody answered.
fn unanswered() -> TrialShown {
    let all = trial(Some(0.0));
    let track = all.track.clone().map(|point| ShownTrackPoint { right: None, ..point });
    TrialShown { track, ..all }
}

fn trial(mean_ms: Option<f64>) -> TrialShown {
    TrialShown {
        at: "2026-11-20T13:04:05Z".into(),
        step: "main".into(),
        trial: 1,
        attempt: 1,
        taps: 31,
        mean_ms,
        sd_ms: mean_ms.map(f64::abs),
        timing_passed: true,
        complaints: vec!["3 taps too few".into()],
        track: mean_ms.map(|level| ShownTrackPoint {
            staircase: "first".into(),
            level: level.abs(),
            unit: "ms".into(),
            right: Some(true),
            reversal: false,
        }),
    }
}

/// What a page asks for.
pub(super) fn commands() -> Vec<Command> {
    let (turn, begun) = (7, 1);
    let reason = || "noise".to_owned();
    vec![
        Command::Answer { turn, answer: "7".into() },
        Command::GoOn { turn },
        Command::Decide { turn, yes: true },
        Command::Practise { turn },
        Command::Test,
        Command::Heard,
        Command::Start,
        Command::Hold { hold: true },
        Command::Note { text: "noise".into() },
        Command::Repeat { reason: reason(), begun },
        Command::Skip { reason: reason(), begun },
        Command::EndTrial { begun },
        Command::Stop,
        Command::Screen { full: true },
        Command::Alive,
    ]
}

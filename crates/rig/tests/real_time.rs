//! Trials in real time. Nothing here judges how late they were.

use chronotap_config::trial_files::performers::Tappers;
use chronotap_core::time::Nanos;
use chronotap_data::record::Entry;
use chronotap_engine::action::{ActionKind, TrialEnding};
use chronotap_simulate::{FarEnd, Wire};

const TRIAL: &str = r#"
    [pacing.metronome]
    interval = "80 ms"
    start = "0 ms"
    [feedback.tone]
    duration = "10 ms"
    delay = "15 ms"
    [[when]]
    time = "1 s"
    end = true
"#;

fn count(entries: &[Entry], wanted: impl Fn(ActionKind) -> bool) -> usize {
    entries.iter().filter(|entry| wanted(entry.action.kind)).count()
}

#[test]
fn a_trial_with_a_simulated_participant_runs_and_replays() {
    let tapper = "steady, interval = 80 ms, mean = -5 ms, wait = 0.1 s";
    let performer = Tappers::from_spec(tapper, &["input".into()], 7).expect("a participant");
    let wire = Wire::new(None, FarEnd::Performer(Box::new(performer)));
    let (entries, outcome) = crate::common::run(TRIAL, Box::new(wire));
    assert_eq!(count(&entries, |kind| matches!(kind, ActionKind::Pacing(_))), 13);
    let taps = count(&entries, |kind| matches!(kind, ActionKind::Tap(_)));
    assert!(taps > 5, "{taps} taps");
    assert!(count(&entries, |kind| matches!(kind, ActionKind::Feedback(_))) > 5);
    assert_eq!(entries.last().map(|e| e.action.kind), Some(ActionKind::End(TrialEnding::Rule)));
    assert!(outcome.ended >= Nanos::from_secs(1));
    assert!(outcome.watchdog.demotion.is_none());
}

#[test]
fn nothing_is_sounded_before_its_deadline() {
    let (entries, _) = crate::common::run(TRIAL, Box::new(Wire::new(None, FarEnd::Silence)));
    for entry in entries.iter().filter(|entry| entry.action.is_output()) {
        assert!(entry.achieved.expect("sent") >= entry.action.deadline, "{entry:?}");
    }
}

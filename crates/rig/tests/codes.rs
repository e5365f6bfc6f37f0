//! Codes in real time, with a pseudo-terminal as the recorder's end of the line.

use chronotap_core::time::Nanos;
use chronotap_engine::action::{ActionKind, TrialEnding};
use chronotap_linux::ports::Spec;
use chronotap_testkit_linux::terminal::terminal;
use std::io::Read;

const TRIAL: &str = r#"
    [output.sound]
    [output.eeg]
    [pacing.metronome]
    interval = "100 ms"
    start = "50 ms"
    output = "sound"
    [codes]
    output = "eeg"
    start = 1
    end = 2
    pacing.metronome = 10
    [[when]]
    time = "280 ms"
    end = true
"#;

#[test]
fn every_code_comes_to_the_far_end_after_its_deadline_and_stands_for_its_width() {
    let (far, path) = terminal();
    let spec: Spec = format!("serial:{}", path.display()).parse().unwrap();
    // The port of the trial is the line alone: its tones go nowhere, and are lost.
    let (entries, _) =
        crate::common::run(TRIAL, spec.open(&[], &[(0, "sound"), (1, "eeg")]).unwrap());
    let mut heard = [0; 11];
    std::fs::File::from(far).read_exact(&mut heard).unwrap();
    assert_eq!(heard, [0, 1, 0, 10, 0, 10, 0, 10, 0, 2, 0]);
    let last = entries.last().unwrap().action;
    assert_eq!(last.kind, ActionKind::CodeOff);
    assert!(entries.iter().any(|entry| entry.action.kind == ActionKind::End(TrialEnding::Rule)));
    for entry in entries.iter().filter(|entry| entry.action.code().is_some()) {
        assert!(entry.achieved.unwrap() >= entry.action.deadline, "{entry:?}");
    }
    let ends = entries.iter().filter(|entry| entry.action.kind == ActionKind::CodeOff);
    for end in ends {
        let begun = entries.iter().find(|entry| entry.action.id == end.action.id).unwrap();
        assert_eq!(end.action.deadline - begun.action.instant, Nanos::from_millis(5));
    }
}

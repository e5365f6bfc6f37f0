//! Performers run inside the real-time thread: once constructed they take no memory.

use assert_no_alloc::assert_no_alloc;
use chronotap_config::trial_files::performers::{Script, Tappers};
use chronotap_core::midi::{Channel, Message, U7};
use chronotap_core::time::Nanos;
use chronotap_engine::action::ActionKind;
use chronotap_engine::signal::{Heard, Performer};

/// Beats every 400 ms, each answered press followed by a feedback tone; messages sent.
fn perform(performer: &mut dyn Performer) -> usize {
    let message =
        Some(Message::NoteOn { channel: Channel::ONE, note: U7::clamped(76), velocity: U7::MAX });
    let mut count = 0;
    for number in 1..=200u32 {
        let at = Nanos::from_millis(400 * i64::from(number));
        while performer.next().is_some_and(|next| next < at) {
            count += usize::from(performer.send().is_some());
        }
        performer.hear(Heard {
            at,
            kind: ActionKind::Pacing(0),
            number,
            input: None,
            output: 0,
            message,
        });
        performer.hear(Heard {
            at,
            kind: ActionKind::Feedback(0),
            number,
            input: Some(0),
            output: 0,
            message,
        });
    }
    count
}

#[test]
fn performers_take_no_memory_once_constructed() {
    let inputs = ["input".to_string()];
    let spec = "beginner, double = 0.3, miss = 0.3, note = C4 D4 E4; musician";
    let mut tappers = Tappers::from_spec(spec, &inputs, 1).unwrap();
    let table = "onset\tduration\tnote\tvelocity\n1\t0.1\t60\t80\n2\t0.1\t62\t80\n";
    let mut script = Script::parse(table, "taps.tsv", &inputs).unwrap();
    assert_no_alloc(|| {
        assert!(perform(&mut tappers) > 500);
        assert_eq!(perform(&mut script), 4);
        script.reset();
        assert_eq!(perform(&mut script.clone()), 4);
    });
}

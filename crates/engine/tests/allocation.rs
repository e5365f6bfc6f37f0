//! The engine takes all its memory at construction.

use assert_no_alloc::assert_no_alloc;
use chronotap_core::midi::{Channel, Message, SysexPart, U7};
use chronotap_core::time::Nanos;
use chronotap_engine::action::{ActionKind, TrialEnding};
use chronotap_engine::trial::CopiedTones;
use chronotap_engine::{Engine, Event};
use chronotap_testkit_engine::parts::{busy, key};
use std::sync::Arc;

#[test]
fn a_trial_with_every_feature_allocates_nothing_once_it_runs() {
    let mut trial = busy();
    trial.inputs[0].records_sysex = true;
    let kinds = [
        ActionKind::Pacing(0),
        ActionKind::Feedback(0),
        ActionKind::Feedback(1),
        ActionKind::Masking(0),
    ];
    trial.copies = kinds.map(|of| CopiedTones { of, output: 1 }).into();
    trial.align_outputs = true;
    let mut engine = Engine::new(Arc::new(trial.on(&[Nanos::ZERO, Nanos::from_millis(40)])), 7);
    let dump = Message::Sysex(SysexPart::new(&[0xf0, 1, 2, 0xf7]).unwrap());
    let pedal =
        Message::Control { channel: Channel::ONE, controller: U7::from_byte(64), value: U7::MAX };
    let mut count = 0;
    assert_no_alloc(|| {
        let mut sink = |_: &_| count += 1;
        for tap in 0..400i64 {
            let n = 58 + (tap % 8) as u8;
            engine.input(key(tap * 25_000, n, true));
            engine.input(key(tap * 25_000 + 9_000, n, false));
            let stamp = Nanos::from_micros(tap * 25_000);
            engine.input(Event { input: 0, stamp, message: Some(pedal) });
            engine.input(Event { input: 0, stamp, message: Some(dump) });
            engine.advance(Nanos::from_micros(tap * 25_000 + 10_000), &mut sink);
            let _ = engine.next_deadline();
        }
        engine.input(Event { input: 0, stamp: Nanos::from_secs(11), message: None });
        engine.stop(Nanos::from_secs(11), TrialEnding::Interrupted, &mut sink);
    });
    assert!(count > 1_000, "{count} actions");
    assert_eq!(engine.lost(), 0);
}

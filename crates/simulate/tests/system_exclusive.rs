//! System exclusive messages of an input with `record_sysex`: they are in the data as they
//! came, and nothing else in the trial knows of them.

use chronotap_core::midi::{Message, SysexPart};
use chronotap_core::time::Nanos;
use chronotap_data::record::TrialType;
use chronotap_engine::signal::Sent;
use chronotap_testkit_simulate::performers::{control, note_off, note_on};
use chronotap_testkit_simulate::trial::{TrialRows, trial};
use proptest::prelude::*;

/// A trial in which whatever a tap or a controller may set off is set off by them.
const TRIAL: &str = r#"
    [input.input]
    debounce = "80 ms"
    SYSEX
    [pacing.metronome]
    interval = "500 ms"
    [feedback.tone]
    duration = "as played"
    controllers = "with feedback"
    delay = "50 ms"
    [[when]]
    tap = 2
    mark = "second"
    [[when]]
    silence = "2 s"
    mark = "silent"
    [[when]]
    time = "4 s"
    end = true"#;

fn sysex(at_us: i64, bytes: &[u8]) -> Sent {
    let message = Message::Sysex(SysexPart::new(bytes).expect("a part"));
    Sent { input: 0, at: Nanos::from_micros(at_us), message }
}

fn played(line: &str, mut sent: Vec<Sent>) -> TrialRows {
    sent.sort_by_key(|sent| sent.at);
    trial(&TRIAL.replace("SYSEX", line)).messages(sent).play()
}

fn taps() -> Vec<Sent> {
    let first = [note_on(1_010, 60, 90), note_off(1_100, 60), control(1_200, 1, 64, 127)];
    let second = [note_on(1_480, 60, 80), control(1_500, 1, 64, 0), note_off(1_600, 60)];
    first.into_iter().chain(second).collect()
}

#[test]
fn each_message_is_recorded_with_its_time_and_its_bytes_and_longer_ones_in_parts() {
    let mut long: Vec<u8> = vec![0xf0];
    long.extend(1..=16);
    long.push(0xf7);
    let mut sent = taps();
    sent.extend([
        sysex(500_001, &[0xf0, 0x7e, 0x7f, 9, 1, 0xf7]),
        sysex(1_010_000, &long[..16]), // at the very stamp of a tap, and sent after it
        sysex(1_010_640, &long[16..]),
        sysex(2_000_000, &[0xf0, 1, 2]), // cut short by a status byte
        sysex(2_500_000, &[0xf0, 0xf7]),
        sysex(2_600_000, &[5, 0xf7]), // of a message whose beginning was lost
    ]);
    let run = played("record_sysex = true", sent);
    run.expect_of(
        "sysex",
        "0.500001 sysex input 1 f07e7f0901f7
         1.01 sysex input 2 f00102030405060708090a0b0c0d0e0f
         1.01064 sysex input 2 10f7 <sysex2
         2 sysex input 3 f00102
         2.5 sysex input 4 f0f7
         2.6 sysex input 4 05f7",
    );
    let row = run.named(TrialType::Sysex, "input").next().unwrap();
    assert_eq!((row.deadline, row.lateness, row.flag), (None, None, None));
    assert_eq!((row.channel, row.note, row.fate.clone()), (None, None, None));
}

#[test]
fn where_nobody_asks_for_them_they_leave_no_trace() {
    let mut sent = taps();
    sent.push(sysex(1_300_000, &[0xf0, 1, 0xf7]));
    for line in ["", "record_sysex = false"] {
        assert_eq!(played(line, sent.clone()).rows, played("", taps()).rows);
    }
}

/// All but the rows of system exclusive messages, and but the numbers of events, which those
/// take part in.
fn others(run: &TrialRows) -> Vec<String> {
    run.of("pacing|silent|tap|release|feedback|rule|marker|control|cancelled|end")
}

fn any_part() -> impl Strategy<Value = Vec<u8>> {
    let middle = proptest::collection::vec(0u8..128, 1..15);
    (any::<bool>(), middle, any::<bool>()).prop_map(|(begins, middle, ends)| {
        let (first, last) = (begins.then_some(0xf0), ends.then_some(0xf7));
        first.into_iter().chain(middle).chain(last).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(48) })]

    /// No beat, tap, rule, feedback, controller or statistic is another one for them.
    #[test]
    fn prop_whatever_comes_and_whenever_nothing_else_changes(
        parts in proptest::collection::vec((0i64..4_000_000, any_part()), 0..30)
    ) {
        let mut sent = taps();
        sent.extend(parts.iter().map(|(at, bytes)| sysex(*at, bytes)));
        let (with, without) = (played("record_sysex = true", sent), played("", taps()));
        prop_assert_eq!(with.of("sysex").len(), parts.len());
        prop_assert_eq!(others(&with), others(&without));
        prop_assert_eq!(with.summary(), without.summary());
    }
}

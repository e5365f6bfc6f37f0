//! FTAP's data files: written from a recorded trial, read into one, and the round trip.

use chronotap_data::exchange::abs::{abs_file, read_abs, recorded};
use chronotap_data::record::{Recording, RunnerMode, TrialType, read_events, write_events};
use chronotap_testkit_data::tiny::{footer, header, tiny};

/// The recorded trial that a data file makes, written and read again.
fn imported(text: &str) -> (Recording, Vec<usize>) {
    let made = recorded(&read_abs(text, "tiny.abs", None).unwrap(), "tiny.abs").unwrap();
    let dir = tempfile::tempdir().unwrap();
    let (head, foot) = (&made.header, &made.footer);
    let saved = write_events(dir.path(), "tiny", head, &made.entries, foot, false).unwrap();
    (read_events(&saved.tsv).unwrap(), made.stray)
}

fn tiny_as_abs() -> String {
    let dir = tempfile::tempdir().unwrap();
    let saved = write_events(dir.path(), "tiny", &header(), &tiny(), &footer(), false).unwrap();
    abs_file(&read_events(&saved.tsv).unwrap()).unwrap()
}

/// What `chronotap_testkit_data::tiny` holds, worked out by hand: its tone of masking was lost, the
/// end of its last tone too, and its second tap has no release.
const TINY: &str = "# columns time kind press channel note velocity id
1000 M 1 1 76 100 -
1020 K 1 1 60 100 -
1020 F 1 1 64 100 -
1030 M 0 1 76 - -
1040 K 1 1 60 100 -
1090 K 0 1 60 64 -
1120 F 0 1 64 - -
1300 T - - - - when-1
1400 T 1 1 50 100 when-1
";

#[test]
fn a_recorded_trial_is_written_in_whole_milliseconds_with_its_columns() {
    let text = tiny_as_abs();
    let (head, rest) = text.split_once('\n').unwrap();
    assert!(head.starts_with("# Tiny, written by chronotap "), "{head}");
    assert_eq!(rest, TINY);
}

#[test]
fn what_was_written_is_read_and_written_again_the_same() {
    let (read, stray) = imported(&tiny_as_abs());
    assert_eq!((stray, read.header.mode), (Vec::new(), RunnerMode::Imported));
    let again = abs_file(&read).unwrap();
    assert_eq!(again.split_once('\n').unwrap().1, TINY);
    let kinds: Vec<TrialType> = read.rows.iter().map(|row| row.trial_type).collect();
    use TrialType::{End, Feedback, Pacing, Release, Tap, Trigger};
    assert_eq!(kinds, [Pacing, Tap, Feedback, Tap, Release, Trigger, Trigger, End]);
    let tone = read.rows[0].duration.unwrap();
    assert_eq!(tone.0, 30_000_000);
}

#[test]
fn an_imported_trial_has_a_summary_without_lateness() {
    let beats: String =
        (0..20).map(|n| format!("{} M 76\n{} K 60\n", 500 * n, 500 * n + 20)).collect();
    let text = format!("MSPB 500\n# columns time kind note\n{beats}10000 T -\n");
    let (read, _) = imported(&text);
    let summary = read.summary().unwrap();
    assert!(summary.lateness.is_none() && summary.verdict.passed.is_none());
    assert_eq!(summary.verdict.doubts.len(), 1);
    let pair = &summary.synchronization[0];
    assert_eq!((pair.matched, pair.missed), (20, 0));
    assert!(read.header.trial_file.text.contains("# line 1: MSPB 500"));
    assert!(read.header.trial_file.text.contains("interval = \"500000000 ns\""));
    assert!(read.footer.summary["lateness"].is_null());
}

#[test]
fn ends_of_what_did_not_begin_are_named_by_their_lines() {
    let text = "# columns time kind press note\n5 K 0 60\n7 M 1 76\n9 M 0 75\n";
    assert_eq!(imported(text).1, [2, 4]);
}

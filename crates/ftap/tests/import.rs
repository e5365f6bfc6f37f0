//! What becomes of the lines of a configuration file: each is acted on, kept, or refused.
//! What the trial then does is tested in `crates/rehearsal/tests/ftap.rs`.

use chronotap_experiment::TrialFile;
use chronotap_ftap::{Imported, Readings, import, is_ftap, read};
use proptest::prelude::*;

const MANUAL: &str = include_str!("../../../examples/ftap_rhythm.ftap");

fn readings(given: &[&str]) -> Readings {
    Readings::parse(given).unwrap_or_else(|wrong| panic!("{wrong}"))
}

fn imported(text: &str, given: &[&str]) -> Imported {
    let imported = import(text, "t.ftap", &readings(given)).unwrap_or_else(|e| panic!("{e}"));
    TrialFile::parse(&imported.toml, "t.toml").unwrap_or_else(|e| panic!("{e}\n{}", imported.toml));
    imported
}

fn refused(text: &str, given: &[&str]) -> String {
    let refusal = import(text, "t.ftap", &readings(given)).expect_err("it is refused");
    refusal.to_string()
}

#[test]
fn every_line_of_the_manuals_example_stands_in_the_trial_file() {
    let imported = imported(MANUAL, &[]);
    for (index, line) in MANUAL.lines().enumerate() {
        let comment = format!("line {}: {line}", index + 1);
        assert!(imported.toml.contains(&comment), "{comment}\n{}", imported.toml);
    }
    assert_eq!(imported.notes, [""; 0]);
    assert!(imported.toml.contains("count = positions: M counts every position"));
}

#[test]
fn a_configuration_file_is_known_by_its_content() {
    assert!(is_ftap(MANUAL) && is_ftap("\r\n# remark\r\n\tMSPB 500\r\n"));
    assert!(is_ftap("BANNER_STRING a = b\nFEED_ON 1"));
    for trial in [
        "",
        "title = \"MSPB 5\"",
        "[pacing.m]\nMSPB 500",
        "MSPB = 5",
        "feed_on 1",
        "Some text\nMSPB 5",
    ] {
        assert!(!is_ftap(trial), "{trial}");
    }
}

#[test]
fn an_unknown_keyword_is_kept_with_its_line_and_said() {
    let found = imported("METRON_ON 1\nMSPB 500\nSPLIT_POINT 60\nTRIGGER 1 K 5 MASK_ON 1\n", &[]);
    assert!(found.toml.contains("#   line 3: SPLIT_POINT 60\n"));
    assert!(found.toml.contains("#   line 4: TRIGGER 1 K 5 MASK_ON 1\n"));
    let notes = found.notes.join("\n");
    assert!(
        notes.contains("line 3: SPLIT_POINT is no keyword that FTAP's public documents explain")
    );
    assert!(notes.contains("line 4: MASK_ON is no parameter"));
    assert!(!found.toml.contains("[[when]]"));
}

#[test]
fn what_the_file_leaves_out_is_said_and_can_be_given() {
    let found = imported("METRON_ON 1\nMSPB 500\n", &["MET_NOTE=50"]);
    assert!(found.notes.join("\n").contains("read as MET_CHAN 1, MET_VEL 100, MET_LEN 30"));
    assert!(found.toml.contains("tone.note = 50"));
    assert!(found.toml.contains("# --reading MET_NOTE=50"));
}

#[test]
fn what_would_change_the_experiment_is_never_assumed() {
    for (text, lacks) in [
        ("METRON_ON 1", "t.ftap:1: the metronome needs MSPB"),
        ("FEED_ON 1\nFEED_PMODE 1", "t.ftap:2: FEED_PMODE 1 needs FEED_NOTE"),
        ("FEED_ON 1\nFEED_VMODE 1", "t.ftap:2: FEED_VMODE 1 needs FEED_VEL"),
        ("FEED_ON 1\nTRIGGER 1 K 9 FEED_DMODE 1", "t.ftap:2: FEED_DMODE 1 needs FEED_DVAL"),
        ("FEED_ON 1\nTRIGGER 1 M 9 END_EXP 0", "t.ftap:2: the metronome needs MSPB"),
        ("SPLIT_POINT 60", "nothing here would sound"),
        ("", "nothing here would sound"),
    ] {
        let said = refused(text, &[]);
        assert!(said.contains(lacks), "{text}: {said}");
    }
    imported("METRON_ON 1", &["MSPB=500"]);
}

#[test]
fn all_mistakes_are_told_at_once_with_their_lines() {
    let said =
        refused("MSPB x\nFEED_PMODE 7\nTRIGGER 1 K 5\nMET_PATTERN_ARRAY 8 1\nFEED_ON 1", &[]);
    for place in ["t.ftap:1: ", "t.ftap:2: ", "t.ftap:3: ", "t.ftap:4: "] {
        assert!(said.contains(place), "{place} in\n{said}");
    }
}

#[test]
fn a_bad_trigger_can_be_left_out_as_ftap_does() {
    let text = "FEED_ON 1\nTRIGGER 1 K 5\nTRIGGER 2 K 9 END_EXP 0\nTRIGGER 2 K 10 END_EXP 0\n";
    let said = refused(text, &[]);
    assert!(
        said.contains("t.ftap:2: a TRIGGER has five fields") && said.contains("bad-trigger=skip")
    );
    assert!(said.contains("t.ftap:4: a TRIGGER before has the id 2 too"));
    let found = imported(text, &["bad-trigger=skip"]);
    assert!(found.notes.join("\n").contains("line 2: left out: a TRIGGER has five fields"));
    assert!(found.toml.contains("#   line 2: TRIGGER 1 K 5\n"));
}

#[test]
fn of_a_repeated_keyword_one_line_holds_and_the_other_is_kept() {
    let text = "FEED_ON 1\nFEED_CHAN 2\nFEED_CHAN 3\n";
    let (last, first) = (imported(text, &[]), imported(text, &["repeated=first"]));
    assert!(last.toml.contains("channel = 3") && last.toml.contains("#   line 2: FEED_CHAN 2\n"));
    assert!(first.toml.contains("channel = 2") && first.toml.contains("#   line 3: FEED_CHAN 3\n"));
    assert!(last.notes.join("\n").contains("line 2: FEED_CHAN stands on line 3 too"));
}

#[test]
fn an_order_that_only_the_participant_decides_is_refused() {
    let text =
        "FEED_ON 1\nFEED_DVAL 100\nTRIGGER 1 K 9 FEED_DMODE 1\nTRIGGER 2 T 900 FEED_DVAL 50\n";
    let said = refused(text, &[]);
    assert!(said.contains("t.ftap:3: triggers set FEED_DMODE and FEED_DVAL by different counts"));
}

#[test]
fn lines_of_no_consequence_are_said_to_be_such() {
    let found = imported("FEED_ON 1\nFEED_VMODE 0\nFEED_VEL 90\nMSPB 500\n", &[]);
    assert!(found.toml.contains(
        "Known, but of no consequence in this file:\n#   line 3: FEED_VEL 90\n#   line 4: MSPB 500"
    ));
    assert!(found.notes.join("\n").contains("the metronome is never on"));
}

#[test]
fn where_the_keyboard_is_split_is_never_taken_in_silence() {
    let (said, given) = (imported("FEED_ON 3\n", &[]), imported("FEED_ON 3\n", &["split=48"]));
    assert!(said.notes.join("\n").contains("part at note 60"));
    assert!(said.toml.contains("notes = \"0..59\"") && given.toml.contains("notes = \"0..47\""));
    assert!(!given.notes.join("\n").contains("part at note"));
}

#[test]
fn the_doubts_of_the_import_are_those_of_the_trial() {
    let file = read("FEED_ON 1\nXYZ 5\n", "a b.ftap", &Readings::default()).unwrap();
    assert_eq!((file.name.as_str(), file.title.as_str()), ("a b.ftap", "a b"));
    assert!(file.warnings.iter().any(|doubt| doubt.starts_with("line 2: XYZ is no keyword")));
}

/// A line that may well be in a configuration file.
fn line() -> impl Strategy<Value = String> {
    let keyword = prop::sample::select(vec![
        "FEED_ON",
        "FEED_CHAN",
        "FEED_NOTE",
        "FEED_VMODE",
        "FEED_VEL",
        "FEED_LEN",
        "FEED_PMODE",
        "FEED_DMODE",
        "FEED_DVAL",
        "FEED2_ON",
        "FEED2_DMODE",
        "FEED2_DVAL",
        "METRON_ON",
        "MSPB",
        "MET_CHAN",
        "MET_NOTE",
        "MET_VEL",
        "MET_LEN",
        "END_EXP",
        "JUNK",
        "#",
        "SPLIT_POINT",
    ]);
    let number = prop_oneof![30 => 0..2i64, 10 => 1..17i64, 1 => any::<i64>()];
    let integer = (keyword.clone(), number.clone()).prop_map(|(k, n)| format!("{k} {n}"));
    let kind = prop::sample::select(vec!["K", "T", "M"]);
    let trigger = (0..30u32, kind, 0..100i64, keyword, number)
        .prop_map(|(id, kind, count, k, n)| format!("TRIGGER {id} {kind} {count} {k} {n}"));
    let pattern = prop::collection::vec(0..2u8, 0..6).prop_map(|on| {
        let on: Vec<String> = on.iter().map(u8::to_string).collect();
        format!("MET_PATTERN_ARRAY {} {}", on.len(), on.join(" "))
    });
    prop_oneof![8 => integer, 6 => trigger, 1 => pattern, 1 => "\\PC{0,30}", 1 => ".{0,12}"]
}

fn choices() -> impl Strategy<Value = Vec<&'static str>> {
    prop::sample::subsequence(
        vec![
            "count=tones",
            "first-count=0",
            "metronome-trigger=after-tone",
            "MSPB=400",
            "keystroke-trigger=next",
            "low-side=2",
            "split=40",
            "repeated=first",
            "bad-trigger=skip",
            "first-beat=500",
            "FEED_NOTE=70",
            "FEED_VEL=80",
            "FEED_DVAL=5",
        ],
        0..13,
    )
}

proptest! {
    /// Whatever the text, there is a reason or a trial file that is accepted.
    #[test]
    fn prop_what_is_imported_is_a_trial_file(lines in prop::collection::vec(line(), 0..15), given in choices()) {
        let (text, readings) = (lines.join("\n"), readings(&given));
        match import(&text, "t.ftap", &readings) {
            Err(problems) => prop_assert!(!problems.to_string().is_empty()),
            Ok(imported) => {
                let file = TrialFile::parse(&imported.toml, "t.ftap");
                prop_assert!(file.is_ok(), "{}\n{}\n{}", file.unwrap_err(), text, imported.toml);
            }
        }
    }

    #[test]
    fn prop_no_text_is_too_strange(text in any::<String>()) {
        is_ftap(&text);
        let _ = read(&text, &text, &Readings::default());
    }
}

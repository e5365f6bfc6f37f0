//! What becomes of the lines of a configuration file: each is acted on, kept, or refused.
//! What the trial then does is tested in `crates/simulate/tests/ftap.rs`.

use chronotap_config::ftap::{
    FtapFault, ImportedFile, Inert, Note, ReadingError, Readings, Remark, WayOut, import, is_ftap,
    parts, text_of_ftap,
};
use chronotap_config::trial_files::TrialFile;
use proptest::prelude::*;

const MANUAL: &str = include_str!("../../../examples/ftap_rhythm.ftap");

fn readings(given: &[&str]) -> Readings {
    Readings::parse(given).unwrap_or_else(|wrong| panic!("{wrong}"))
}

fn imported(text: &str, given: &[&str]) -> ImportedFile {
    imported_without(text, given, &[])
}

fn imported_without(text: &str, given: &[&str], without: &[&str]) -> ImportedFile {
    let readings = readings(given).without(without).unwrap_or_else(|wrong| panic!("{wrong}"));
    let imported = import(text, "t.ftap", &readings).unwrap_or_else(|e| panic!("{e}"));
    TrialFile::parse(&imported.toml, "t.toml").unwrap_or_else(|e| panic!("{e}\n{}", imported.toml));
    imported
}

/// The mistakes, each with its line.
fn refused(text: &str, given: &[&str]) -> Vec<(usize, FtapFault)> {
    let refusal = import(text, "t.ftap", &readings(given)).expect_err("it is refused");
    refusal.0.into_iter().map(|mistake| (mistake.line, mistake.fault)).collect()
}

fn has(found: &ImportedFile, line: usize, remark: &Remark) -> bool {
    found.notes.contains(&Note { line, remark: remark.clone() })
}

#[test]
fn every_line_of_the_manuals_example_stands_in_the_trial_file() {
    let imported = imported(MANUAL, &[]);
    for (index, line) in MANUAL.lines().enumerate() {
        let comment = format!("line {}: {line}", index + 1);
        assert!(imported.toml.contains(&comment), "{comment}\n{}", imported.toml);
    }
    assert_eq!(imported.notes, []);
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
fn a_mark_before_the_first_word_ends_of_windows_and_remarks_behind_values_change_nothing() {
    let odd = MANUAL.replace("MSPB 250", "MSPB 250 # ms").replace('\n', "\r\n");
    let odd = format!("\u{feff}{odd}");
    assert!(is_ftap(&odd));
    let (plain, odd) = (imported(MANUAL, &[]), imported(&odd, &[]));
    assert_eq!(odd.notes, []);
    assert_eq!(odd.toml.replace("MSPB 250 # ms", "MSPB 250"), plain.toml);
    assert!(is_ftap("\u{feff}MSPB 500\n"), "its only line");
}

#[test]
fn a_file_may_be_saved_in_any_encoding_with_ends_of_lines_of_any_system() {
    let plain = imported(MANUAL, &[]).toml;
    let wide: Vec<u8> =
        format!("\u{feff}{MANUAL}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    let of_a_mac = MANUAL.replace('\n', "\r").into_bytes();
    for bytes in [wide, of_a_mac] {
        let text = text_of_ftap(&bytes).expect("it is a file of FTAP");
        assert_eq!(imported(&text, &[]).toml, plain);
    }
    let latin = [MANUAL.as_bytes(), b"# M\xfcller\n"].concat();
    assert!(text_of_ftap(&latin).is_some_and(|text| text.contains("# M\u{fffd}ller")));
    assert_eq!(text_of_ftap(b"MSPB = 5\n"), None);
}

#[test]
fn a_remark_begins_with_another_sign_where_the_user_says_so() {
    for sign in [";", "//", "%", "!"] {
        let text = MANUAL.replace("MSPB 250", &format!("{sign} tempo\nMSPB 250 {sign}slow"));
        let text = text.replace("END_EXP 0", &format!("END_EXP 0 {sign} over"));
        let strange = |line| (line, FtapFault::StrangeRemark { sign });
        assert_eq!(refused(&text, &[]), [strange(11), strange(12), strange(20)]);
        let found = imported(&text, &[&format!("remark={sign}")]);
        assert!(found.toml.contains(&format!("#   line 11: {sign} tempo\n")), "{}", found.toml);
    }
    let banner = format!("{MANUAL}BANNER_STRING Tap now !\n");
    assert!(matches!(refused(&banner, &[])[..], [(20, FtapFault::NoKeyword { .. })]));
}

#[test]
fn what_one_reading_answers_is_one_mistake_with_all_its_lines() {
    let text = "METRON_ON 1\nMSPB 500\nMASK_ON 1\nFEED_DMODE 2\nMASK_CHAN 3\n\
                TRIGGER 1 K 5 MASK_ON 0\nTRIGGER 2 K 9 FEED_DMODE 3\n";
    let refusal = import(text, "t.ftap", &readings(&[])).expect_err("it is refused");
    let told: Vec<_> =
        refusal.by_cause().iter().map(|(wrong, lines)| (wrong.line, lines.clone())).collect();
    assert_eq!(told, [(3, vec![5, 6]), (4, vec![7])]);
}

#[test]
fn what_follows_from_a_mistake_is_not_a_second_one() {
    let lines = |text| refused(text, &[]).iter().map(|(line, _)| *line).collect::<Vec<_>>();
    assert_eq!(lines("METRON_ON 1\nMSPB 500.5\nTRIGGER 1 T 900 END_EXP 0\n"), [2]);
    assert_eq!(lines("METRON_ON one\nMSPB 500\n"), [1], "nothing sounds because of line 1");
}

#[test]
fn a_count_of_0_is_refused_with_the_reading_that_has_it() {
    let text = "METRON_ON 1\nMSPB 500\nTRIGGER 1 M 0 MSPB 400\nTRIGGER 2 M 9 END_EXP 0\n";
    let fault = FtapFault::BeforeFirst { reading: "first-count", other: "0" };
    assert_eq!(refused(text, &[]), [(3, fault)]);
    assert!(imported(text, &["first-count=0"]).toml.contains("beat.metronome = 1"));
}

const MASKED: &str = "METRON_ON 1\nMSPB 500\nMASK_ON 1\nTRIGGER 1 K 5 MASK_ON 1\nRNG_TABLE 3 1 2 3\nBANNER_STRING a\n";

#[test]
fn what_no_trial_file_can_say_is_refused_with_its_line_and_what_drops_it() {
    let refusal = import(MASKED, "t.ftap", &readings(&[])).expect_err("it is refused");
    let ways: Vec<_> = refusal.0.iter().map(|wrong| (wrong.line, wrong.way_out)).collect();
    let way = |line, part| (line, Some(WayOut::Without(part)));
    let expected =
        [way(3, "masking"), way(4, "masking"), way(5, "random-tables"), way(6, "unknown")];
    assert_eq!(ways, expected);
    let masked = FtapFault::NoParameter { word: "MASK_ON".into(), near: None };
    assert_eq!(refusal.0[1].fault, masked);
}

#[test]
fn what_is_dropped_by_name_is_kept_as_a_comment_and_said() {
    let found = imported_without(MASKED, &[], &["masking", "random-tables", "unknown"]);
    for line in ["3: MASK_ON 1", "4: TRIGGER 1 K 5 MASK_ON 1", "6: BANNER_STRING a"] {
        assert!(found.toml.contains(&format!("#   line {line}\n")), "{}", found.toml);
    }
    let fault = FtapFault::NoKeyword { word: "MASK_ON".into(), near: None };
    assert!(has(&found, 3, &Remark::Dropped { fault, part: "masking" }), "{:?}", found.notes);
    assert!(!found.toml.contains("[[when]]"));
    let others = readings(&[]).without(&["masking", "unknown"]).expect("these are parts");
    let refusal = import(MASKED, "t.ftap", &others).expect_err("the table is refused");
    assert_eq!(refusal.0.iter().map(|wrong| wrong.line).collect::<Vec<_>>(), [5]);
}

#[test]
fn a_random_delay_is_what_the_user_says_it_draws_or_none_or_refused() {
    let text = "FEED_ON 1\nFEED_DMODE 2\nTRIGGER 1 K 5 FEED_DMODE 0\nTRIGGER 2 K 9 FEED_DMODE 3\n";
    let refusal = import(text, "t.ftap", &readings(&[])).expect_err("it is refused");
    let ways: Vec<_> = refusal.0.iter().map(|wrong| (wrong.line, wrong.way_out)).collect();
    let way = Some(WayOut::Without("random-delay"));
    assert_eq!(ways, [(2, way), (4, way)]);
    let drawn = imported(text, &["random-delay=20..250"]).toml;
    assert!(drawn.contains("\ndelay = { uniform = [\"20 ms\", \"250 ms\"] }"), "{drawn}");
    let set = "set.feedback.feed.delay = { uniform = [\"20 ms\", \"250 ms\"] }";
    assert_eq!(drawn.matches(set).count(), 1, "{drawn}");
    let dropped = imported_without(text, &[], &["random-delay"]);
    assert_eq!(dropped.toml.matches("delay = \"0 ms\"").count(), 3, "{}", dropped.toml);
    let mode = |value| FtapFault::UnknownMode { name: "FEED_DMODE", value };
    let remark = |value| Remark::Dropped { fault: mode(value), part: "random-delay" };
    assert!(has(&dropped, 2, &remark(2)) && has(&dropped, 4, &remark(3)), "{:?}", dropped.notes);
    for wrong in ["random-delay=250..20", "random-delay=5", "random-delay=-1..5"] {
        assert!(matches!(Readings::parse(&[wrong]), Err(ReadingError::Value { .. })), "{wrong}");
    }
}

#[test]
fn the_split_point_says_where_the_sides_part() {
    let text = "FEED_ON 3\nFEED2_ON 2\nSPLIT_POINT 48\n";
    let (high, low) = (imported(text, &[]), imported(text, &["split-key=low"]));
    assert!(high.toml.contains("\"0..47\"") && high.toml.contains("\"48..127\""), "{}", high.toml);
    assert!(low.toml.contains("\"0..48\"") && low.toml.contains("\"49..127\""), "{}", low.toml);
    let key = Remark::SplitKey { note: 48, reading: "split-key", other: "low" };
    assert!(has(&high, 3, &key) && !has(&low, 3, &key), "{:?}", high.notes);
    let dropped = imported_without(text, &["split=60"], &["split"]);
    assert!(dropped.toml.contains("\"0..59\""), "{}", dropped.toml);
    let moved = imported(&format!("{text}TRIGGER 1 K 5 SPLIT_POINT 50\n"), &[]).toml;
    let sides = "set.feedback.feed.from.notes = \"0..49\"\nset.feedback.feed2.sounding = true\n\
                 set.feedback.feed2.from.notes = \"50..127\"";
    assert!(moved.contains(sides), "{moved}");
    let none = imported("FEED_ON 1\nSPLIT_POINT 48\nTRIGGER 1 K 5 SPLIT_POINT 50\n", &[]);
    assert!(has(&none, 3, &Remark::Inert(Inert::NoSides)), "{:?}", none.notes);
}

#[test]
fn what_the_file_leaves_out_is_said_and_can_be_given() {
    let found = imported("METRON_ON 1\nMSPB 500\n", &["MET_NOTE=50"]);
    let assumed = ["MET_CHAN 1", "MET_VEL 100", "MET_LEN 30"].map(str::to_owned).to_vec();
    assert!(has(&found, 0, &Remark::Assumed(assumed)), "{:?}", found.notes);
    assert!(found.toml.contains("tone.note = 50"));
    assert!(found.toml.contains("# --reading MET_NOTE=50"));
}

#[test]
fn what_would_change_the_experiment_is_never_assumed() {
    let needs = |what: &str, name| FtapFault::Needs { what: what.to_owned(), name };
    for (text, line, lacks) in [
        ("METRON_ON 1", 1, needs("the metronome", "MSPB")),
        ("FEED_ON 1\nFEED_PMODE 1", 2, needs("FEED_PMODE 1", "FEED_NOTE")),
        ("FEED_ON 1\nFEED_VMODE 1", 2, needs("FEED_VMODE 1", "FEED_VEL")),
        ("FEED_ON 1\nTRIGGER 1 K 9 FEED_DMODE 1", 2, needs("FEED_DMODE 1", "FEED_DVAL")),
        ("FEED_ON 1\nTRIGGER 1 M 9 END_EXP 0", 2, needs("the metronome", "MSPB")),
        ("SPLIT_POINT 60", 0, FtapFault::Nothing),
        ("", 0, FtapFault::Nothing),
    ] {
        let mistakes = refused(text, &[]);
        assert!(mistakes.contains(&(line, lacks)), "{text}: {mistakes:?}");
    }
    imported("METRON_ON 1", &["MSPB=500"]);
}

#[test]
fn all_mistakes_are_told_at_once_with_their_lines() {
    let mistakes =
        refused("MSPB x\nFEED_PMODE 7\nTRIGGER 1 K 5\nMET_PATTERN_ARRAY 8 1\nFEED_ON 1", &[]);
    for line in 1..=4 {
        assert!(mistakes.iter().any(|(at, _)| *at == line), "{line} in {mistakes:?}");
    }
}

#[test]
fn a_bad_trigger_can_be_left_out_as_ftap_does() {
    let text = "FEED_ON 1\nTRIGGER 1 K 5\nTRIGGER 2 K 9 END_EXP 0\nTRIGGER 2 K 10 END_EXP 0\n";
    let refusal = import(text, "t.ftap", &Readings::default()).expect_err("it is refused");
    let [fields, second] = &refusal.0[..] else { panic!("{refusal}") };
    assert_eq!((fields.line, &fields.fault), (2, &FtapFault::Fields { found: 3 }));
    assert_eq!(fields.way_out, Some(WayOut::Reading("bad-trigger", "skip")));
    assert_eq!((second.line, &second.fault), (4, &FtapFault::SecondId { id: "2".into() }));
    let found = imported(text, &["bad-trigger=skip"]);
    assert!(has(&found, 2, &Remark::LeftOut(FtapFault::Fields { found: 3 })));
    assert!(found.toml.contains("#   line 2: TRIGGER 1 K 5\n"));
}

#[test]
fn of_a_repeated_keyword_one_line_holds_and_the_other_is_kept() {
    let text = "FEED_ON 1\nFEED_CHAN 2\nFEED_CHAN 3\n";
    let (last, first) = (imported(text, &[]), imported(text, &["repeated=first"]));
    assert!(last.toml.contains("channel = 3") && last.toml.contains("#   line 2: FEED_CHAN 2\n"));
    assert!(first.toml.contains("channel = 2") && first.toml.contains("#   line 3: FEED_CHAN 3\n"));
    assert!(has(&last, 2, &Remark::Repeated { name: "FEED_CHAN".into(), holds: 3 }));
}

#[test]
fn an_order_that_only_the_participant_decides_is_refused() {
    let text = "FEED_ON 1\nFEED_DVAL 100\nTRIGGER 1 K 9 FEED_DMODE 1\nTRIGGER 2 T 900 FEED_DVAL 50\n\
                TRIGGER 3 T 950 FEED_DMODE 0\n";
    let (mode, number) = ("FEED_DMODE", "FEED_DVAL");
    let unordered = FtapFault::Unordered { mode, number, other: 4 };
    assert_eq!(refused(text, &[]), [(3, unordered)]);
    let dropped = imported_without(text, &[], &["unordered-triggers"]);
    assert_eq!(dropped.toml.matches("[[when]]").count(), 1, "{}", dropped.toml);
    assert!(dropped.toml.contains("#   line 4: TRIGGER 2 T 900 FEED_DVAL 50\n"));
    let fault = FtapFault::Unordered { mode, number, other: 3 };
    assert!(has(&dropped, 4, &Remark::Dropped { fault, part: "unordered-triggers" }));
}

#[test]
fn masking_is_what_the_user_says_that_its_keywords_mean() {
    let text = "MASK_ON 0\nMASK_CHAN 3\nMASK_LEN 40\nTRIGGER 1 K 5 MASK_ON 1\nTRIGGER 2 T 900 MASK_VEL 20\n";
    let needs = FtapFault::Needs { what: "masking".into(), name: "MASK_VEL" };
    assert_eq!(refused(text, &["masking=20@48..84"]), [(1, needs)]);
    let given = ["masking=20@48..84", "MASK_VEL=60", "masking-spacing=random"];
    let found = imported(text, &given).toml;
    for line in [
        "[masking.mask]",
        "sounding = false",
        "rate = \"20 per s\"",
        "notes = \"48..84\"",
        "spacing = \"random\"",
        "channel = 3 ",
        "velocity = { fixed = 60 }",
        "duration = \"40 ms\"",
        "tap = 5\nset.masking.mask.sounding = true",
        "time = \"900 ms\"\nset.masking.mask.velocity = { fixed = 20 }",
        "masking = 20@48..84: so many random tones",
    ] {
        assert!(found.contains(line), "{line}\n{found}");
    }
    let off = imported("FEED_ON 1\nMASK_CHAN 3\nTRIGGER 1 K 5 MASK_CHAN 4\n", &given);
    assert!(has(&off, 3, &Remark::Inert(Inert::NeverMasked)), "{:?}", off.notes);
    assert!(off.toml.contains("of no consequence in this file:\n#   line 2: MASK_CHAN 3"));
}

#[test]
fn random_delays_are_drawn_from_the_table_of_the_file_that_the_user_names() {
    let text = "FEED_ON 1\nFEED_DMODE 2\nRNG_TABLE 3 0 100 250\n";
    let random = imported(text, &["random-delay=RNG_TABLE"]).toml;
    assert!(random.contains("delay = { random = [\"0 ms\", \"100 ms\", \"250 ms\"] }"), "{random}");
    assert!(random.contains("Random delays are drawn from:\n#   line 3: RNG_TABLE 3 0 100 250"));
    let in_order = imported(text, &["random-delay=RNG_TABLE:in-order"]).toml;
    assert!(in_order.contains("delay = { list = [\"0 ms\""), "{in_order}");
    let none = FtapFault::NoTable { word: "RNG_OTHER".into() };
    assert!(refused(text, &["random-delay=RNG_OTHER"]).contains(&(0, none)));
    let short = FtapFault::Announced { name: "RNG_TABLE".into(), announced: 4, found: 1 };
    let text = "FEED_ON 1\nFEED_DMODE 2\nRNG_TABLE 4 0\n";
    assert!(refused(text, &["random-delay=RNG_TABLE"]).contains(&(3, short)));
}

#[test]
fn altered_pitch_is_the_form_that_the_user_gives_its_mode() {
    let text = "FEED_ON 1\nFEED_PMODE 2\nTRIGGER 1 K 5 FEED_PMODE 3\n";
    let map = ["pitch-map=2:mirror:62;3:shift:-1"];
    let found = imported(text, &map).toml;
    assert!(found.contains("pitch = { mirror = 62 }"), "{found}");
    assert!(found.contains("set.feedback.feed.pitch = { shift = -1 }"), "{found}");
    let unknown = FtapFault::UnknownMode { name: "FEED_PMODE", value: 3 };
    assert_eq!(refused(text, &["pitch-map=2:mirror:62"]), [(3, unknown)]);
}

#[test]
fn texts_go_into_the_data_and_a_trigger_sounds_the_tone_that_the_user_says() {
    let text = "FEED_ON 1\nFACTORS delay 3\nSUBJECT \"a b\"\nTRIGGER 1 K 5 PLAY_NOTE 84\n";
    let given = ["strings=FACTORS,SUBJECT", "trigger-tone=PLAY_NOTE:2/90/300"];
    let found = imported(text, &given).toml;
    let trial = TrialFile::parse(&found, "t.toml").expect("it is one");
    assert_eq!(trial.description.as_deref(), Some("FACTORS delay 3\nSUBJECT \"a b\""));
    let tone = "play = { note = 84, channel = 2, velocity = 90, duration = \"300 ms\" }";
    assert!(found.contains(tone), "{found}");
    let high = FtapFault::Element { name: "PLAY_NOTE".into(), value: 128, least: 0, most: 127 };
    assert_eq!(refused("FEED_ON 1\nTRIGGER 1 K 5 PLAY_NOTE 128\n", &given), [(2, high)]);
}

#[test]
fn lines_of_no_consequence_are_said_to_be_such() {
    let found = imported("FEED_ON 1\nFEED_VMODE 0\nFEED_VEL 90\nMSPB 500\n", &[]);
    assert!(found.toml.contains(
        "Known, but of no consequence in this file:\n#   line 3: FEED_VEL 90\n#   line 4: MSPB 500"
    ));
    assert!(has(&found, 0, &Remark::NeverOn));
}

#[test]
fn where_the_keyboard_is_split_is_never_taken_in_silence() {
    let (said, given) = (imported("FEED_ON 3\n", &[]), imported("FEED_ON 3\n", &["split=48"]));
    assert!(has(&said, 0, &Remark::Parted { note: 60, reading: "split" }));
    assert!(said.toml.contains("notes = \"0..59\"") && given.toml.contains("notes = \"0..47\""));
    let parted = |note: &Note| matches!(note.remark, Remark::Parted { .. });
    assert!(!given.notes.iter().any(parted));
}

#[test]
fn triggers_of_several_kinds_on_one_parameter_each_set_it() {
    let text = "FEED_ON 1\nFEED_DMODE 1\nFEED_DVAL 9\nTRIGGER 1 K 9 FEED_DVAL 100\nTRIGGER 2 T 900 FEED_DVAL 50\n";
    let found = imported(text, &[]).toml;
    let first = "tap = 9\nset.feedback.feed.delay = \"100 ms\"";
    let second = "time = \"900 ms\"\nset.feedback.feed.delay = \"50 ms\"";
    assert!(found.contains(first) && found.contains(second), "{found}");
}

#[test]
fn a_trigger_that_does_nothing_is_marked_with_its_reason() {
    let found = imported("FEED_ON 1\nTRIGGER 1 K 5 FEED_DVAL 50\n", &[]);
    assert!(has(&found, 2, &Remark::Inert(Inert::ModeOff("FEED_DMODE"))), "{:?}", found.notes);
    assert!(found.toml.contains("mark = \"FEED_DVAL 50\""), "{}", found.toml);
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
        "MASK_ON",
        "MASK_LEN",
        "#",
        "SPLIT_POINT",
        "RNG",
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
            "random-delay=0..9",
            "split-key=low",
            "masking=9@40..50",
            "MASK_VEL=50",
            "masking-spacing=random",
            "pitch-map=2:mirror:62",
            "trigger-tone=JUNK:1/9/9",
            "strings=END_EXP",
        ],
        0..21,
    )
}

proptest! {
    /// Whatever the text, there is a reason or a trial file that is accepted.
    #[test]
    fn prop_what_is_imported_is_a_trial_file(
        lines in prop::collection::vec(line(), 0..15),
        given in choices(),
        without in prop::sample::subsequence(parts().collect::<Vec<_>>(), 0..9),
    ) {
        let readings = readings(&given).without(&without).expect("these are parts");
        let text = lines.join("\n");
        match import(&text, "t.ftap", &readings) {
            Err(mistakes) => prop_assert!(!mistakes.0.is_empty()),
            Ok(imported) => {
                let file = TrialFile::parse(&imported.toml, "t.ftap");
                prop_assert!(file.is_ok(), "{}\n{}\n{}", file.unwrap_err(), text, imported.toml);
            }
        }
    }

    #[test]
    fn prop_no_text_is_too_strange(text in any::<String>()) {
        is_ftap(&text);
        let _ = import(&text, &text, &Readings::default());
    }
}

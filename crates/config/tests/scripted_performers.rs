//! Scripted performers: tables written by hand, events files that perform again,
//! and what is said about mistakes in them.

use chronotap_config::trial_files::performers::{Script, ScriptError};
use chronotap_core::midi::Message;
use chronotap_engine::random::Random;
use chronotap_engine::signal::Performer;

fn inputs() -> Vec<String> {
    vec!["left".to_string(), "right".to_string()]
}

fn parse(text: &str) -> Result<Script, ScriptError> {
    Script::parse(text, "taps.tsv", &inputs())
}

/// What is sent, as `(ns, input, bytes)`.
fn sent(script: &mut Script) -> Vec<(i64, u16, [u8; 3])> {
    let mut sent = Vec::new();
    while let Some(at) = script.next() {
        let out = script.send().unwrap();
        assert_eq!(out.at, at);
        sent.push((out.at.0, out.input, Message::encode(out.message).0));
    }
    sent
}

fn complaint(text: &str) -> String {
    parse(text).unwrap_err().to_string()
}

#[test]
fn rows_are_played_in_the_order_of_time_whatever_their_order() {
    let table = "onset\tduration\tnote\tvelocity\tchannel\tinput\n\
                 1.5\t0.1\t62\t90\t2\tright\n\
                 1.0\t0.5\t60\t80\tn/a\tn/a\n";
    let expected = vec![
        (1_000_000_000, 0, [0x90, 60, 80]),
        (1_500_000_000, 0, [0x80, 60, 64]),
        (1_500_000_000, 1, [0x91, 62, 90]),
        (1_600_000_000, 1, [0x81, 62, 64]),
    ];
    assert_eq!(sent(&mut parse(table).unwrap()), expected);
}

#[test]
fn decimals_are_exact_to_the_nanosecond() {
    let table =
        "onset\tduration\tnote\tvelocity\n0.1\t0.2\t60\t1\n3600.123456789\t0.000000001\t60\t1\n";
    let times: Vec<i64> = sent(&mut parse(table).unwrap()).iter().map(|s| s.0).collect();
    assert_eq!(times, [100_000_000, 300_000_000, 3_600_123_456_789, 3_600_123_456_790]);
}

#[test]
fn a_missing_duration_is_100_ms_and_a_zero_one_still_presses_first() {
    let table = "onset\tduration\tnote\tvelocity\n1\tn/a\t60\t9\n2\t0\t60\t9\n";
    let mut script = parse(table).unwrap();
    let events = sent(&mut script);
    assert_eq!(events[1].0, 1_100_000_000);
    assert_eq!((events[2].2[0], events[3].2[0]), (0x90, 0x80));
}

#[test]
fn line_ends_of_other_systems_and_a_byte_order_mark_do_no_harm() {
    let table = "\u{feff}onset\tduration\tnote\tvelocity\r\n1\t0.1\t60\t9\r\n\r\n2\t0.1\t60\t9\r\n";
    assert_eq!(parse(table).unwrap().len(), 4);
}

#[test]
fn a_script_plays_again_after_a_reset() {
    let mut script = parse("onset\tduration\tnote\tvelocity\n1\t0.1\t60\t9\n").unwrap();
    let first = sent(&mut script);
    script.reset();
    assert_eq!(sent(&mut script), first);
    assert!(parse("onset\tduration\tnote\tvelocity\n").unwrap().is_empty());
}

const EVENTS: &str = "\
onset\tduration\ttrial_type\tname\tnumber\tchannel\tnote\tvelocity\tport\tevent_id\tcause\tdeadline_ns\tachieved_ns\tlateness_ns
1.000000000\t0.030000000\tpacing\tmetronome\t1\t10\t76\t100\toutput\t1\tn/a\t1000000000\t1000000000\t0
1.470000001\t0.110000001\ttap\tright\t1\t1\t60\t81\tright\t2\tn/a\t1470000001\t1470000001\t0
1.470000001\t0.100000000\tfeedback\ttone\t1\t1\t64\t90\toutput\t3\t2\t1470000001\t1470000001\t0
1.580000002\tn/a\trelease\tright\t1\t1\t60\t30\tright\t4\t2\t1580000002\t1580000002\t0
1.970000000\t0.200000000\ttap\tright\t2\t1\t60\t82\tright\t5\tn/a\t1970000000\t1970000007\t7
";

#[test]
fn an_events_file_performs_its_taps_again() {
    let expected = vec![
        (1_470_000_001, 1, [0x90, 60, 81]),
        (1_580_000_002, 1, [0x80, 60, 30]),
        (1_970_000_007, 1, [0x90, 60, 82]),
        (2_170_000_007, 1, [0x80, 60, 64]),
    ];
    assert_eq!(sent(&mut parse(EVENTS).unwrap()), expected);
}

#[test]
fn the_channel_of_an_events_file_is_read_by_its_name_and_its_earlier_one() {
    let on_three = |name: &str| {
        let events = EVENTS.replace("\tchannel\t", &format!("\t{name}\t"));
        let events = events.replace("right\t1\t1\t60\t81", "right\t1\t3\t60\t81");
        sent(&mut parse(&events).unwrap())[0].2[0]
    };
    assert_eq!((on_three("midi_channel"), on_three("channel")), (0x92, 0x92));
}

#[test]
fn a_bad_value_is_named_with_its_place_and_a_cure() {
    let row = |row: &str| complaint(&format!("onset\tduration\tnote\tvelocity\tinput\n{row}\n"));
    assert_eq!(
        row("1e-3\t0.1\t60\t80\tleft"),
        "taps.tsv:2:1: onset is '1e-3'; scientific notation is not read; write the number out, as in 0.00025"
    );
    assert_eq!(
        row("1\t0.1\t128\t80\tleft"),
        "taps.tsv:2:3: note is '128'; give a MIDI note number, 0 to 127 (60 is middle C)"
    );
    assert_eq!(row("1\t0.1\t60\t0\tleft"), "taps.tsv:2:4: velocity is '0'; give 1 to 127");
    assert!(row("1\t-0.1\t60\t80\tleft").starts_with("taps.tsv:2:2: duration is '-0.1'; "));
    assert!(row("-1\t0.1\t60\t80\tleft").contains("before the start of the trial"));
    assert!(row("1\t0.1\t60").starts_with("taps.tsv:2:4: velocity is 'missing'"));
    assert!(row("1\t0.1\t60\t80\trihgt").contains("did you mean 'right'?"));
}

#[test]
fn a_bad_header_is_named_with_a_cure() {
    assert!(complaint("").contains("there is no column 'onset'"));
    let remark = complaint("# by hand\nonset\tduration\tnote\tvelocity\n");
    assert!(
        remark.contains(":1:1: the line begins with #, and a table has no remarks"),
        "{remark}"
    );
    assert!(complaint("onset duration note velocity\n").contains("separate the columns by tabs"));
    assert!(complaint("onset\tduration\tnote\n").contains("there is no column 'velocity'"));
    let twice = "onset\tduration\tnote\tvelocity\tnote\n";
    assert_eq!(complaint(twice), "taps.tsv:1:5: the column 'note' stands there twice; keep one");
    let slip = "onset\tduration\tnote\tvelocity\tchanel\n";
    assert_eq!(complaint(slip), "taps.tsv:1:5: unknown column 'chanel'; did you mean 'channel'?");
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let error = Script::read("no/such/taps.tsv".as_ref(), &inputs()).unwrap_err();
    assert!(error.to_string().starts_with("no/such/taps.tsv: "));
}

/// The law: whatever the rows, everything is sent in the order of time and every press
/// has its release.
#[test]
fn any_table_is_played_in_order_and_releases_every_key() {
    let mut random = Random::named(1, "tables");
    for _ in 0..200 {
        let mut table = "note\tvelocity\tonset\tduration\n".to_string();
        let rows = random.between(0, 40);
        for _ in 0..rows {
            let (note, velocity) = (random.between(0, 127), random.between(1, 127));
            let (onset, duration) = (random.between(0, 9), random.between(0, 3));
            table += &format!("{note}\t{velocity}\t{onset}.5\t0.{duration}\n");
        }
        let played = sent(&mut parse(&table).unwrap());
        assert!(played.windows(2).all(|pair| pair[0].0 <= pair[1].0), "{table}");
        let presses = played.iter().filter(|(.., bytes)| bytes[0] == 0x90).count();
        assert_eq!((presses, played.len()), (rows as usize, 2 * rows as usize));
    }
}

/// The law: noise gives a table or a complaint, never a panic.
#[test]
fn noise_is_refused_and_does_no_harm() {
    let pieces = [
        "onset",
        "duration",
        "note",
        "velocity",
        "\t",
        "\t",
        "\n",
        "\r",
        "1",
        "-",
        ".",
        "n/a",
        "e9",
        "\u{feff}",
        "trial_type",
        "tap",
        "99999999999999999999",
        "\u{2212}",
        "",
    ];
    let mut random = Random::named(1, "noise");
    for round in 0..2_000 {
        let mut text =
            if round % 2 == 0 { "onset\tduration\tnote\tvelocity\n" } else { "" }.to_string();
        for _ in 0..random.between(0, 60) {
            text += pieces[random.between(0, pieces.len() as u32 - 1) as usize];
        }
        if let Err(error) = parse(&text) {
            assert!(error.to_string().starts_with("taps.tsv:"), "{error}");
        }
    }
}

//! What is said about trial files that are wrong: the line, what is wrong, the
//! cure, and the nearest name. And that no text makes reading panic.

use chronotap_config::trial_files::{Problems, TrialFile, explain};
use proptest::prelude::*;
use std::path::{Path, PathBuf};

fn problems(text: &str) -> Problems {
    match TrialFile::parse(text, "t.toml") {
        Ok(_) => panic!("accepted:\n{text}"),
        Err(problems) => problems,
    }
}

/// The first problem, as it is shown.
fn shown(text: &str) -> String {
    problems(text).all()[0].to_string()
}

fn assert_told(text: &str, parts: &[&str]) {
    let all = problems(text).to_string();
    for part in parts {
        assert!(all.contains(part), "{part:?} is not in:\n{all}\nfor:\n{text}");
    }
}

const PACING: &str = "[pacing.p]\ninterval = \"500 ms\"\n";
const FEEDBACK: &str = "[feedback.f]\n";

#[test]
fn a_misspelt_key_is_one_mistake_and_not_two() {
    let text = "[pacing.m]\nintervall = \"500 ms\"";
    let problems = TrialFile::parse(text, "t.toml").expect_err("a mistake");
    let found: Vec<_> = problems.all().iter().map(|p| p.nearest.as_deref()).collect();
    assert_eq!(found, [Some("interval")], "{problems}");
    let elsewhere = TrialFile::parse("[pacing.m]\nioi = \"1 s\"", "t.toml").expect_err("a mistake");
    let found: Vec<_> = elsewhere.all().iter().map(|p| p.nearest.as_deref()).collect();
    assert_eq!(found, [Some("interval")], "{elsewhere}");
}

#[test]
fn a_stream_without_a_name_is_told_beside_what_waits_for_it() {
    let rule = "[[when]]\nbeat = 5\nend = true\n";
    let streams = format!("[pacing]\ntone = {{ channel = 10 }}\n{rule}");
    assert_told(&streams, &["t.toml:2", "has no name", "[pacing.NAME]"]);
    let beside = format!("[pacing]\ntone = {{ channel = 10 }}\n{PACING}{rule}");
    assert_told(&beside, &["t.toml:2: tone stands in [pacing], which has no name"]);
    let many: String = (0..1001).map(|n| format!("[pacing.p{n}]\n")).collect();
    assert_told(&format!("{many}{rule}"), &["more than 1000 of [pacing.NAME]"]);
    let copied =
        "[feedback]\ndelay = { uniform = [\"1 ms\", \"9 ms\"] }\n[[when]]\ntap = 5\nend = true\n";
    assert_told(copied, &["t.toml:2", "has no name", "[feedback.NAME]"]);
    let listed = format!("{PACING}[input]\nports = [\"wire\"]\n{rule}");
    assert_told(&listed, &["ports stands in [input], which has no name"]);
    let twice = format!("{PACING}[[input.pad]]\n[[input.pad]]\n{rule}");
    assert_told(&twice, &["input.pad stands more than once; write [input.pad] with single"]);
}

#[test]
fn a_text_that_lacks_its_first_quote_is_told_in_words() {
    assert_told("title = first trial\"\n", &["t.toml:1", "write the same quote at both ends"]);
}

#[test]
fn what_lacks_quotes_or_has_a_comma_between_braces_is_told_with_its_key() {
    for (line, cure) in [
        ("tone = { note = E5 }", "write note = \"E5\""),
        ("tone = { channel = 10, duration = 30 ms }", "write duration = \"30 ms\""),
        ("adapt = { phase = 0,25 }", "decimals have a point: write phase = 0.25"),
        ("tone = { channel = 10 note = 60 }", "comma"),
    ] {
        assert_told(&format!("{PACING}{line}"), &["t.toml:3: ", cure]);
    }
    for heading in ["pacing.p]", "(pacing.p)", "pacing.p:"] {
        let text = format!("{heading}\ninterval = \"500 ms\"\n");
        assert_told(&text, &["t.toml:1: a heading stands in [ ]; write [pacing.p]"]);
    }
    let list = problems("[pacing.p]\nonsets = [\n\"1 s\",\nfoo]\n").to_string();
    assert!(!list.contains("a heading stands"), "{list}");
}

#[test]
fn the_cure_of_a_decimal_comma_or_a_capital_can_be_written_as_it_stands() {
    assert_told("[pacing.p]\ntempo = \"120,5 bpm\"", &["point: write \"120.5 bpm\""]);
    assert_told("[pacing.p]\ninterval = 0,5 s", &["point: write \"0.5 s\""]);
    assert_told("[pacing.p]\naudible = False", &["small letters: false"]);
}

#[test]
fn the_example_of_a_condition_names_the_stream_or_input_of_the_file() {
    let when = |condition: &str| format!("{PACING}[[when]]\n{condition}\nend = true\n");
    assert_told(&when("beat = 0"), &["t.toml:4: when 1.beat must be", "; for example: beat = 21"]);
    assert_told(&when("beat.p = 0"), &["when 1.beat.p must be", "; for example: beat.p = 21"]);
    assert_told(&when("any = [{ beat = 0 }]"), &["when 1.any.beat", "; for example: beat = 21"]);
    assert_told(&when("taps_after = 0"), &["; for example: taps_after = 30"]);
    let inputs = format!("[input.left]\n[input.right]\n{}", when("tap.right = 0"));
    assert_told(&inputs, &["when 1.tap.right must be", "; for example: tap.right = 40"]);
}

#[test]
fn words_that_mean_another_thing_elsewhere_are_answered_with_the_key_that_is_meant_here() {
    let inputs = "[input.left]\n[input.right]\n[feedback.f]\n";
    assert_told(&format!("{inputs}input = \"left\""), &["t.toml:4", "did you mean \"from\"?"]);
    assert_told(&format!("{inputs}note = 60"), &["t.toml:4", "did you mean \"pitch\"?"]);
    let change = format!("{PACING}change = [{{ beat = 5, shift = \"20 ms\" }}]");
    assert_told(&change, &["did you mean \"at\"?", "did you mean \"phase_shift\"?"]);
}

#[test]
fn an_unknown_key_is_told_with_its_line_and_the_nearest_name() {
    let text = "title = \"x\"\n[pacing.metronome]\nintervall = \"500 ms\"\ninterval = \"500 ms\"\n";
    let expected =
        "t.toml:3: unknown key \"intervall\" in pacing.metronome; did you mean \"interval\"?";
    assert_eq!(shown(text), expected);
    assert_told(
        &format!("{PACING}tone = {{ notes = 3 }}"),
        &["t.toml:3", "did you mean \"note\"?"],
    );
    assert_told("interval = \"500 ms\"", &["t.toml:1", "interval belongs in [pacing.NAME]"]);
    assert_told("[pacing]\ninterval = \"500 ms\"", &["t.toml:2", "has no name", "[pacing.NAME]"]);
    assert_told(&format!("{PACING}colour = 3"), &["known here: interval, tempo"]);
    assert_told(
        &format!("{PACING}[[when]]\ntap = 1\nfinish = true"),
        &["t.toml:5", "unknown key \"finish\""],
    );
}

#[test]
fn a_bare_number_is_no_time() {
    let expected = "t.toml:2: pacing.p.interval = 500 has no unit; \
                    a time is a string with its unit: write \"500 ms\" or \"500 s\"";
    assert_eq!(shown("[pacing.p]\ninterval = 500"), expected);
    assert_told("[pacing.p]\ntempo = 120", &["write \"120 bpm\""]);
    assert_told(&format!("{FEEDBACK}delay = 0.2"), &["t.toml:2", "has no unit"]);
    assert_told(&format!("{FEEDBACK}delay = {{ uniform = [0, 250] }}"), &["has no unit"]);
}

#[test]
fn the_unit_that_is_asked_for_makes_a_time_that_is_allowed() {
    let cure = |delay: &str| {
        let shown = shown(&format!("{FEEDBACK}delay = {delay}"));
        shown.split_once("has no unit; ").map(|(_, cure)| cure.to_owned()).unwrap_or(shown)
    };
    let negative = cure("-20");
    assert!(negative.contains("write a time, 0 s to"), "{negative}");
    assert!(!negative.contains("-20"), "{negative}");
    assert_eq!(cure("\"-20\"").split("write ").last(), negative.split("write ").last());
    assert_eq!(cure("20").split("unit: ").last(), Some("write \"20 ms\" or \"20 s\""));
    assert_eq!(cure("100000").split("unit: ").last(), Some("write \"100000 ms\""));
    assert_eq!(cure("\"40/3\""), "write \"40 ms / 3\" or \"40 s / 3\"");
}

#[test]
fn a_tempo_in_another_unit_is_told_in_beats_per_minute() {
    for (tempo, bpm) in
        [("100/min", "100"), ("100 BPM", "100"), ("2 Hz", "120"), ("1.67 Hz", "100.2")]
    {
        let text = format!("[pacing.p]\ntempo = \"{tempo}\"");
        assert_told(&text, &[&format!("write beats per minute, here \"{bpm} bpm\"")]);
    }
}

#[test]
fn a_frequency_is_told_with_the_nearest_note() {
    for (pitch, note) in [("440 Hz", "A4"), ("262Hz", "C4"), ("8.2 Hz", "C-1"), ("12600 Hz", "G9")]
    {
        let text = format!("{FEEDBACK}pitch = \"{pitch}\"\n");
        assert_told(&text, &["is a frequency", &format!("write {{ fixed = \"{note}\" }}")]);
    }
    assert_told(&format!("{PACING}tone = {{ note = \"880 hz\" }}"), &["write \"A5\""]);
    assert_told(&format!("{FEEDBACK}pitch = \"90000 Hz\"\n"), &["must be \"as played\""]);
}

#[test]
fn a_path_without_its_beginning_is_told_whole() {
    for (path, whole) in [
        ("delay", "feedback.f.delay"),
        ("f.delay", "feedback.f"),
        ("feedback.delay", "feedback.f.delay"),
        ("interval", "pacing.p.interval"),
    ] {
        let text = format!("{PACING}{FEEDBACK}[[when]]\nbeat = 3\nset.{path} = \"9 ms\"\n");
        assert_told(&text, &["t.toml:6: ", &format!("write set.{whole} in place of set.")]);
    }
}

#[test]
fn a_rule_is_written_as_one_beat_under_its_own_heading() {
    let rule = |line: &str| format!("{PACING}[[when]]\n{line}\nend = true\n");
    assert_told(&rule("beat = [10, 20]"), &["t.toml:4: ", "write a [[when]] for each of them"]);
    assert_told(&rule("beat >= 61"), &["t.toml:4: a comparison", "write beat = 61"]);
    assert_told(&format!("{PACING}[[if]]\nbeat = 3\nend = true\n"), &["did you mean \"when\"?"]);
    assert_told(&format!("{PACING}sound = \"click\"\n"), &["did you mean \"tone\"?"]);
    assert_told("seed = \"random\"\n", &["t.toml:1: ", "or leave seed out"]);
}

#[test]
fn a_range_in_the_place_of_a_time_is_told_as_two() {
    for range in ["1-3 s", "1..3 s", "1 s to 3 s", "1 s \u{2013} 3 s"] {
        let text = format!("[pacing.p]\ninterval = \"{range}\"");
        assert_told(&text, &["is two times", "where two may stand [\"1 s\", \"3 s\"]"]);
    }
    assert_told("[pacing.p]\ninterval = \"1-s\"", &["is not a time"]);
}

#[test]
fn what_ends_or_changes_a_trial_is_told_as_the_rule_that_does() {
    let ends = "write [[when]] and below it beat = 61 and end = true";
    assert_told(&format!("{FEEDBACK}beats = 61\n"), &["unknown key \"beats\"", ends]);
    assert_told("n_taps = 30\n", &["tap = 30 and end = true"]);
    let rule = format!("{PACING}[[when]]\nbeat = 3\npacing.p.audible = false\n");
    assert_told(
        &rule,
        &["unknown key \"pacing\" in when 1", "write set.pacing in place of pacing"],
    );
    assert_told(
        &format!("{PACING}[[when]]\nat = \"30 s\"\nend = true\n"),
        &["did you mean \"time\"?"],
    );
}

#[test]
fn a_tempo_that_none_can_have_is_not_offered_with_its_unit() {
    for tempo in ["0", "-100", "100000"] {
        let shown = shown(&format!("[pacing.p]\ntempo = {tempo}"));
        assert!(shown.ends_with("unit: write 1 bpm / 60 to 60000 bpm"), "{shown}");
    }
}

#[test]
fn wrong_units_are_cured() {
    assert_told("[pacing.p]\ninterval = \"500\"", &["interval: \"500\" has no unit", "\"500 ms\""]);
    assert_told("[pacing.p]\ninterval = \"5 sec\"", &["unknown unit \"sec\"", "\"s\""]);
    assert_told("[pacing.p]\ninterval = \"100 bpm\"", &["a tempo stands where a time belongs"]);
    assert_told("[pacing.p]\ntempo = \"500 ms\"", &["not a tempo", "\"100 bpm\""]);
    assert_told("[masking.m]\nrate = 20", &["\"20 per s\""]);
    assert_told("title = Sync\n[feedback.f]", &["t.toml:1", "put text in quotes: write \"Sync\""]);
    assert_told(
        "[pacing.p]\ninterval = 5\ntempo = \"9 bpm\"",
        &["t.toml:2", "has no unit", "both"],
    );
    assert_told("[pacing.p]\ninterval = 500 ms", &["t.toml:2", "write \"500 ms\""]);
}

#[test]
fn impossible_values_are_refused() {
    assert_told("[pacing.p]\ninterval = \"0 ms\"", &["1 ms to 1 h"]);
    assert_told("[pacing.p]\ninterval = \"-5 ms\"", &["t.toml:2"]);
    assert_told(&format!("{PACING}tone = {{ note = 128 }}"), &["128 is not a note"]);
    assert_told(
        &format!("{PACING}tone = {{ note = \"H4\" }}"),
        &["\"H4\" is not a note", "\"B4\""],
    );
    assert_told(&format!("{PACING}tone = {{ note = \"X4\" }}"), &["\"X4\" is not a note", "C4"]);
    assert_told(&format!("{PACING}tone = {{ channel = 17 }}"), &["1 to 16"]);
    assert_told(&format!("{PACING}tone = {{ velocity = 0 }}"), &["would be a release"]);
    assert_told(&format!("{PACING}pattern = \"xoxo\""), &["'o'", "x for a tone"]);
    assert_told(&format!("{PACING}pattern = \"\""), &["no steps"]);
    assert_told(
        &format!("{FEEDBACK}delay = \"-5 ms\""),
        &["negative", "cannot come before its tap"],
    );
    assert_told(
        &format!("{FEEDBACK}pitch = {{ shift = 1 }}"),
        &["looks ahead", "write shift = -1"],
    );
    assert_told(&format!("{FEEDBACK}pitch = \"E4\""), &["{ fixed = \"E4\" }"]);
    assert_told(&format!("{FEEDBACK}from = {{ notes = \"C5..C4\" }}"), &["\"C4..C5\""]);
    assert_told(
        &format!("{FEEDBACK}delay = {{ uniform = [\"9 ms\", \"1 ms\"] }}"),
        &["\"1 ms\", \"9 ms\""],
    );
    assert_told(
        &format!(
            "{FEEDBACK}delay = {{ normal = {{ mean = \"9 ms\", sd = \"5 ms\", within = [\"20 ms\", \"30 ms\"] }} }}"
        ),
        &["leave out most of the distribution"],
    );
    assert_told("seed = -1\n[feedback.f]", &["t.toml:1", "seed"]);
    assert_told("[masking.m]\nvelocity = { scale = 2 }", &["no tap to take a velocity from"]);
    assert_told("[input.pad]\nwhen_closed = \"stop\"\n[feedback.f]", &["\"continue\" or \"end\""]);
    assert_told("[pacing.p]\nonsets = [\"1 s\", \"0 s\"]", &["ascending"]);
}

#[test]
fn contradictions_are_refused() {
    assert_told(&format!("{PACING}tempo = \"100 bpm\""), &["t.toml:3", "both interval and tempo"]);
    assert_told("[pacing.p]\n", &["t.toml:1", "lacks one of interval, tempo, onsets"]);
    assert_told(
        &format!("{FEEDBACK}delay = {{ fraction = 1, list = [\"1 ms\"] }}"),
        &["several forms"],
    );
    let change = |lines: &str| format!("{PACING}[[pacing.p.change]]\n{lines}");
    assert_told(
        &change("at = 3\nonset_shift = \"500 ms\""),
        &["t.toml:5", "as long as the interval"],
    );
    assert_told(&change("at = 3\nphase_shift = \"-600 ms\""), &["as long as the interval"]);
    assert_told(&change("at = 3"), &["changes nothing"]);
    assert_told(&change("phase_shift = \"1 ms\""), &["lacks one of at, every, chance"]);
    assert_told(
        &change("at = 3\nonset_shift = { random = [\"10 ms\", \"-500 ms\"] }"),
        &["as long as the interval"],
    );
    assert_told(
        &change("at = 3\nonset_shift = { randm = [\"10 ms\"] }"),
        &["did you mean \"random\""],
    );
    assert_told(&change("at = 3\nonset_shift = [\"10 ms\"]"), &["onset_shift"]);
    assert_told(&change("at = 3\napart = 2\nmute = true"), &["both at and apart"]);
    assert_told(&change("at = 3\nafter = 2\nphase_shift = \"1 ms\""), &["both at and after"]);
    assert_told(
        &change("every = { from = 9, to = 3 }\nphase_shift = \"1 ms\""),
        &["{ from = 3, to = 9 }"],
    );
    assert_told(
        &format!("{PACING}jitter = {{ uniform = [\"-300 ms\", \"300 ms\"] }}"),
        &["out of order"],
    );
    assert_told(&format!("{PACING}[pacing.p.change]\nat = 3"), &["[[pacing.p.change]]"]);
    assert_told(
        "[pacing.p]\nonsets = [\"0 s\"]\nadapt = { phase = 1 }",
        &["no interval for adapt"],
    );
}

#[test]
fn streams_that_wait_for_themselves_or_for_the_endless_are_refused() {
    let text = "[pacing.a]\ninterval = \"1 s\"\nbeats = 4\nstart = { after = \"b\" }\n\
                [pacing.b]\ninterval = \"1 s\"\nbeats = 4\nstart = { after = \"a\" }";
    assert_told(text, &["t.toml:4", "waits for itself"]);
    let text = format!("{PACING}[pacing.b]\ninterval = \"1 s\"\nstart = {{ after = \"p\" }}");
    assert_told(&text, &["t.toml:5", "endless", "number of beats"]);
    assert_told(&format!("{PACING}start = {{ after = \"q\" }}"), &["no pacing stream \"q\""]);
    assert_told(&format!("{PACING}start = \"when started\""), &["no rule starts"]);
    assert_told(&format!("{PACING}start = \"frist tap\""), &["did you mean \"first tap\"?"]);
}

#[test]
fn names_that_stand_for_nothing_are_told_with_the_nearest() {
    let two = "[pacing.three]\ninterval = \"400 ms\"\n[pacing.two]\ninterval = \"600 ms\"\n";
    assert_told(&format!("{two}[[when]]\nbeat = 4\nend = true"), &["t.toml:6", "beat.three = 4"]);
    assert_told(&format!("{two}[[when]]\nbeat.thre = 4\nend = true"), &["did you mean \"three\"?"]);
    assert_told(&format!("{two}[[when]]\ntap = 4\nstart = \"tow\""), &["did you mean \"two\"?"]);
    assert_told("[feedback.f]\n[[when]]\nbeat = 4\nend = true", &["there is none"]);
    assert_told("[feedback.f]\n[[when]]\ntap = 4\nstop = \"f\"", &["only pacing", "sounding"]);
    let inputs = "[input.left]\n[input.right]\n[feedback.f]\n";
    assert_told(&format!("{inputs}[[when]]\ntap = 4\nend = true"), &["tap.left = 4"]);
    assert_told(
        &format!("{inputs}[[when]]\nsilence = \"5 s\"\nend = true"),
        &["silence.left = \"5 s\""],
    );
    assert_told(&format!("{inputs}from = {{ input = \"lefft\" }}"), &["did you mean \"left\"?"]);
    assert_told("[feedback.f]\npitch = \"as playd\"", &["t.toml:2", "did you mean \"as played\"?"]);
    assert_told(&format!("{PACING}beats = \"endles\""), &["did you mean \"endless\"?"]);
    assert_told("[feedback.f]\noutput = \"ear\"", &["no output \"ear\"", "declare [output.ear]"]);
    assert_told("[\"pacing\".\"a\\tb\"]\ninterval = \"1 s\"", &["cannot be a name"]);
}

#[test]
fn rules_that_wait_or_act_wrongly_are_told() {
    let when = |lines: &str| format!("{PACING}beats = 16\n{FEEDBACK}[[when]]\n{lines}");
    assert_told(&when("end = true"), &["t.toml:5", "waits for nothing"]);
    assert_told(&when("tap = 3"), &["does nothing"]);
    assert_told(&when("tap = 0\nend = true"), &["t.toml:6"]);
    assert_told(&when("beat = 17\nend = true"), &["only 16 beats"]);
    assert_told(
        &when("tap = 3\nset.pacing.p.pattern = \"x.\""),
        &["cannot set pattern", "it can set"],
    );
    assert_told(&when("tap = 3\nset.pacing.q.audible = true"), &["no [pacing.q]", "known here: p"]);
    assert_told(&when("tap = 3\nset.pacing.p.audibel = true"), &["did you mean \"audible\"?"]);
    assert_told(&when("tap = 3\nset.feedbak.f.sounding = true"), &["did you mean \"feedback\"?"]);
    assert_told(&when("tap = 3\nset.pacing.audible = true"), &["there is no [pacing.audible]"]);
    assert_told(&when("tap = 3\nset.pacing.p.adapt.phase = 0.1"), &["does not adapt"]);
    assert_told(&when("tap = 3\nramp.feedback.f.delay = \"70 ms\""), &["over"]);
    assert_told(&when("tap = 3\nramp.feedback.f.delay = { to = \"70 ms\" }"), &["lacks over"]);
    assert_told(
        &when("tap = 3\nramp.feedback.f.velocity = { to = 9, over = \"1 s\" }"),
        &["velocity.fixed or scale"],
    );
    assert_told(
        &when("tap = 3\nramp.feedback.f.delay.fraction = { to = 1, over = \"1 s\" }"),
        &["never { fraction = ... }"],
    );
    assert_told(
        &when("tap = 3\nramp.feedback.f.delay = { to = \"9 ms\", over = 3 }"),
        &["has no unit"],
    );
    assert_told(
        &when(
            "tap = 3\nramp.feedback.f.delay = { to = \"9 ms\", over = \"3 s\", shape = \"exponential\" }",
        ),
        &["cannot begin at 0"],
    );
    assert_told(
        &when("tap = 3\nramp.pacing.p.interval = { to = \"1 s\", over = \"16 beats\" }"),
        &["over = 16"],
    );
    assert_told(&when("any = [{ tapp = 3 }]\nend = true"), &["did you mean \"tap\"?"]);
    assert_told(&format!("{PACING}[when]\ntap = 3\nend = true"), &["[[when]]"]);
    let twice = "[[when]]\nname = \"a\"\ntap = 1\nend = true\n[[when]]\nname = \"a\"\ntap = 2\nmark = \"b\"";
    assert_told(twice, &["t.toml:6", "two rules are named \"a\""]);
}

#[test]
fn all_problems_are_told_at_once_in_the_order_of_their_lines() {
    let text = "titel = \"x\"\n[pacing.p]\ninterval = 500\n[feedback.f]\ndelay = \"5 parsec\"\n";
    let lines: Vec<usize> = problems(text).all().iter().map(|problem| problem.line).collect();
    assert_eq!(lines, [1, 3, 5]);
    let many: String = (0..50).map(|n| format!("k{n} = 1\n")).collect();
    let shown = problems(&many).to_string();
    assert_eq!(shown.lines().count(), 21);
    assert!(shown.ends_with("and 30 more"));
}

#[test]
fn an_empty_file_says_what_a_trial_needs() {
    for text in ["", "\n\n", "# nothing\n", "title = \"only\"\n"] {
        assert_told(text, &["the trial does nothing", "[pacing.NAME]"]);
    }
}

#[test]
fn broken_toml_is_told_with_its_line() {
    assert_told("[pacing.p\ninterval = \"500 ms\"", &["t.toml:1"]);
    assert_told("[pacing.p]\ninterval = \"500 ms", &["t.toml:2"]);
    assert_told(
        "[pacing.p]\ninterval = \"1 s\"\ninterval = \"2 s\"",
        &["t.toml:3", "\"interval\" stands twice"],
    );
}

#[test]
fn noise_is_refused_quickly_and_briefly() {
    let dir = std::env::temp_dir().join(format!("chronotap-noise-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    let noise: Vec<u8> =
        (0..10_000_000u64).map(|n| (n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8).collect();
    let read = |name: &str, bytes: &[u8]| {
        let path = dir.join(name);
        std::fs::write(&path, bytes).unwrap();
        TrialFile::read(&path).unwrap_err().to_string()
    };
    assert!(read("noise.toml", &noise).contains("larger than 1 MB"));
    assert!(read("small.toml", &noise[..50_000]).contains("not UTF-8"));
    assert!(read("zeros.toml", &[0; 1000]).contains("not a text file"));
    let brackets = "[".repeat(900_000);
    assert!(read("brackets.toml", brackets.as_bytes()).len() < 20_000);
    let lines = "x y z = 3 ms\n".repeat(60_000);
    assert!(read("lines.toml", lines.as_bytes()).len() < 20_000);
    let keys: String = (0..60_000).map(|n| format!("key{n} = 1\n")).collect();
    assert!(read("keys.toml", keys.as_bytes()).len() < 20_000);
    let deep = format!("{} = 1", vec!["a"; 400_000].join("."));
    assert!(read("deep.toml", deep.as_bytes()).contains("recurs"));
    let deep = format!("{} = 1", vec!["a"; 1_900].join("."));
    assert!(read("less_deep.toml", deep.as_bytes()).contains("recurs"));
    std::fs::remove_dir_all(&dir).unwrap();
}

#[test]
fn a_file_that_cannot_be_read_is_named() {
    let problems = TrialFile::read(Path::new("/nowhere/trial.toml")).unwrap_err();
    assert!(problems.to_string().starts_with("/nowhere/trial.toml: there is no such file"));
    assert!(TrialFile::read(Path::new("/")).is_err());
}

fn examples() -> Vec<String> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let names = [
        "masking",
        "altered_pitch",
        "isolated_perturbation",
        "phase_shift",
        "adaptive_partner",
        "delayed_feedback",
    ];
    names
        .map(|name| {
            std::fs::read_to_string(folder.join(format!("{name}.toml"))).expect("an example")
        })
        .to_vec()
}

/// What stands in trial files, to be put where it does not belong.
const PIECES: [&str; 24] = [
    "0",
    "-1",
    "128",
    "1e9",
    "\"500 ms\"",
    "\"0 s\"",
    "true",
    "[]",
    "{}",
    "[[when]]",
    "beat = 1",
    "\"none\"",
    "\"C4\"",
    "9999999999",
    "\"1 ns\"",
    "0.5",
    "end = true",
    "{ fraction = 0.5 }",
    "\"-30 ms\"",
    ".",
    "=",
    "\n",
    "\"as played\"",
    "at = 1",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn no_text_makes_reading_panic(text in ".{0,300}") {
        let _ = TrialFile::parse(&text, "t.toml");
    }

    #[test]
    fn no_bytes_make_reading_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let _ = TrialFile::from_bytes(&bytes, "t.toml");
    }

    #[test]
    fn no_mutated_example_makes_reading_or_explaining_panic(
        which in 0usize..6,
        edits in proptest::collection::vec((0.0..1.0f64, 0usize..24, 0usize..12), 1..5),
    ) {
        let mut text = examples()[which].clone();
        for (place, piece, cut) in edits {
            let mut from = (place * text.len() as f64) as usize;
            while !text.is_char_boundary(from) { from -= 1; }
            let to = text[from..].char_indices().nth(cut).map_or(text.len(), |(at, _)| from + at);
            text.replace_range(from..to, PIECES[piece]);
        }
        if let Ok(file) = TrialFile::parse(&text, "t.toml") {
            let _ = explain(&file).render();
        }
    }

    #[test]
    fn no_replaced_value_makes_reading_or_explaining_panic(
        which in 0usize..6,
        line in 0usize..60,
        piece in 0usize..24,
    ) {
        let text = examples()[which].clone();
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let line = line % lines.len();
        if let Some((key, _)) = lines[line].split_once('=') {
            lines[line] = format!("{key}= {}", PIECES[piece]);
        }
        if let Ok(file) = TrialFile::parse(&lines.join("\n"), "t.toml") {
            let _ = explain(&file).render();
        }
    }
}

#[test]
fn what_word_processors_and_other_programs_make_of_a_file_has_its_cure() {
    assert_told(
        "[pacing.p]\ninterval = \u{201c}500 ms\u{201d}",
        &["the quotes are typographic", "\"500 ms\""],
    );
    assert_told("[pacing.p]\ninterval = \"0,5 s\"", &["decimals have a point: write \"0.5 s\""]);
    assert_told(
        "[feedback.f]\n[[feedback.f.perturb]]\nchance = 0,5",
        &["decimals have a point: write 0.5"],
    );
    assert_told("[pacing.p]\ninterval = \"120 bpm\"", &["write it as tempo = \"120 bpm\""]);
    assert_told("[pacing.p]\nbpm = 120\ninterval = \"500 ms\"", &["write tempo = \"120 bpm\""]);
}

#[test]
fn a_key_that_is_none_is_one_mistake_with_the_line_to_write() {
    let when = |rule: &str| format!("{PACING}[[when]]\n{rule}\n");
    for (text, told) in [
        ("[pacing.p]\ninterval_ms = 500".to_owned(), "write interval = \"500 ms\""),
        ("[pacing.p]\ntempo_bpm = 120".to_owned(), "write tempo = \"120 bpm\""),
        ("[pacing.p]\nbpm = 120".to_owned(), "write tempo = \"120 bpm\""),
        (format!("{PACING}number_of_beats = 40"), "did you mean \"beats\"?"),
        (when("beat = 9\nend_trial = true"), "did you mean \"end\"?"),
        (when("tap_count = 9\nend = true"), "did you mean \"tap\"?"),
        (when("beat = 9\naction = \"end\""), "write end = true"),
        (when("after = \"40 beats\"\nend = true"), "unknown key \"after\""),
        (when("after = \"20 s\"\nend = true"), "did you mean \"time\"?"),
        (format!("repetitions = 5\n{PACING}"), "repetitions belongs in an experiment file"),
        (
            "[pacing.p]\ninterval = { factor = \"tempo\" }".to_owned(),
            "write one value here, and pacing.p.interval = { factor = \"tempo\" } below [set]",
        ),
        (when("time = \"1:30\"\nend = true"), "write \"90 s\""),
        (format!("{PACING}[[rule]]\nbeat = 9\nend = true"), "did you mean \"when\"?"),
        (
            "[metronome]\ninterval = \"500 ms\"\n[[when]]\nbeat.metronome = 9\nend = true"
                .to_owned(),
            "write [pacing.metronome]",
        ),
        ("[feedback]\npitch = { fixed = 60 }".to_owned(), "write [feedback.NAME]"),
        ("[feedback.f]\nenabled = false".to_owned(), "did you mean \"sounding\"?"),
        ("\"feedback.f.delay\" = \"5 ms\"".to_owned(), "write feedback.f.delay without quotes"),
    ] {
        let said = shown(&text);
        assert!(said.contains(told) && said.lines().count() == 1, "{text}\n{said}");
    }
}

#[test]
fn what_a_partner_follows_must_be_inputs_each_once_with_a_weight() {
    let with = |adapt: &str| {
        format!("[input.a]\n[input.b]\n[pacing.p]\ninterval = \"500 ms\"\nadapt = {{ {adapt} }}")
    };
    assert_told(&with("to = [\"a\", \"a\"]"), &["one twice", "each once"]);
    assert_told(&with("to = [\"a\", \"c\"]"), &["there is no input \"c\""]);
    assert_told(&with("to = [\"a\", \"b\"], weights = [1]"), &["write 2 numbers"]);
    assert_told(&with("to = [\"a\", \"b\"], weights = [1, 0]"), &["a number above 0"]);
    assert!(TrialFile::parse(&with("to = [\"a\", \"b\"], weights = [2, 1]"), "t.toml").is_ok());
}

#[test]
fn a_list_that_repeats_and_what_is_reproduced_must_fit() {
    let listed = "[pacing.p]\nonsets = [\"0 s\", \"1 s\"]\n";
    let told = |more: &str, parts: &[&str]| assert_told(&format!("{listed}{more}"), parts);
    told("repeat = { every = \"1 s\" }", &["t.toml:3", "as long as 1 s"]);
    told("repeat = { times = 3 }", &["lacks every", "every = \"5 s\""]);
    told("repeat = { every = \"2 s\", times = 2 }\nbeats = 5", &["has 4 onsets but beats = 5"]);
    told("response = { after = \"2 s\", within = \"1 s\" }", &["not later than after"]);
    told(
        "repeat = { every = \"3 s\" }\nresponse = { within = \"2 s\" }",
        &["t.toml:4", "sounds again after 2 s", "repeat.every"],
    );
    assert_told(&format!("{PACING}repeat = {{ every = \"1 s\" }}"), &["only a list of onsets"]);
    assert_told(&format!("{PACING}response = {{}}"), &["never ends", "number of beats"]);
    assert_told(&format!("{PACING}beats = 1\nresponse = {{}}"), &["no interval to reproduce"]);
}

#[test]
fn recordings_and_their_beats_must_be_there_and_belong_together() {
    let files = "[file.\"b.tsv\"]\nbeats = [\"1 s\", \"2 s\"]\n\
                 [file.\"s.wav\"]\npath = \"s\"\nlength = \"9 s\"\n\
                 [file.\"short.wav\"]\npath = \"s\"\nlength = \"2 s\"\n\
                 [file.\"bad.tsv\"]\nproblem = \"is not text\"\n";
    let told =
        |lines: &str, parts: &[&str]| assert_told(&format!("{files}[pacing.m]\n{lines}"), parts);
    told("beats_from = \"c.tsv\"", &["= \"c.tsv\" was not found", "beside the trial file"]);
    told("beats_from = \"bad.tsv\"", &["= \"bad.tsv\" is not text; correct the file"]);
    told("beats_from = \"s.wav\"", &["has no beats"]);
    told("beats_from = \"b.tsv\"\naudio = \"b.tsv\"", &["is no recording", "WAV or FLAC"]);
    told("audio = \"s.wav\"\ninterval = \"1 s\"", &["without knowing its beats", "beats_from"]);
    told(
        "beats_from = \"b.tsv\"\naudio = \"short.wav\"",
        &["behind the end of the recording (2 s)"],
    );
    let song = "beats_from = \"b.tsv\"\naudio = \"s.wav\"\n";
    told(&format!("{song}jitter = {{ normal = \"5 ms\" }}"), &["jitter would tear"]);
    let shift = "[[pacing.m.change]]\nat = 2\nonset_shift = \"5 ms\"";
    told(&format!("{song}{shift}"), &["change would tear the recording apart"]);
}

#[test]
fn a_number_in_quotes_and_a_yes_are_told_how_to_be_written() {
    assert_told("[[when]]\ntime = \"1 s\"\nend = yes", &["t.toml:3", "write true, or \"yes\""]);
    assert_told("[input.i]\nrecord_sysex = off", &["t.toml:2", "write false"]);
    assert_told("[feedback.f]\nchannel = \"10\"", &["t.toml:2", "write 10 without quotes"]);
    let trial = "[pacing.p]\ninterval = \"500 ms\"\n[[when]]\nbeat = \"21\"\nend = true";
    assert_told(trial, &["t.toml:4", "write 21 without quotes"]);
}

/// The doubts about a trial that is accepted.
fn doubts(text: &str) -> String {
    let file = TrialFile::parse(text, "t.toml").unwrap_or_else(|wrong| panic!("{wrong}\n{text}"));
    explain(&file).warnings.join("\n")
}

const END: &str = "[[when]]\ntime = \"5 s\"\nend = true\n";

#[test]
fn what_a_trial_has_and_what_does_nothing_in_it_is_doubted_with_its_line() {
    let stream = |keys: &str| format!("{PACING}{keys}\n{END}");
    for (text, said) in [
        (stream("pattern = \"....\""), "line 3: [pacing.p]: every step of the pattern is a rest"),
        (
            stream("[input.pad]\ndebounce = \"2 s\""),
            "line 4: input.pad.debounce: taps that come sooner than 2 s",
        ),
        (
            stream("adapt = { at_most = \"9 ms\" }"),
            "line 3: pacing.p.adapt: at_most bounds the correction of the phase",
        ),
        (
            stream("adapt = { phase = 0.2, within = [\"400 ms\", \"600 ms\"] }"),
            "within bounds the correction of the period, which is 0; write period beside it",
        ),
        (stream("adapt = { to = \"input\" }"), "pacing.p.adapt corrects nothing"),
        (
            stream("[output.o]\n[output.c]\n[codes]\noutput = \"c\"\nstart = 1\ntap.input = 1"),
            "line 8: codes: start and tap.input are both 1",
        ),
    ] {
        assert!(doubts(&text).contains(said), "{text}{}", doubts(&text));
    }
    for text in [
        stream("pattern = \"x...\""),
        stream("[input.pad]\ndebounce = \"80 ms\""),
        stream("adapt = { phase = 0.0, at_most = \"9 ms\" }"),
        stream("adapt = { at_most = \"9 ms\" }\n[[when]]\ntap = 3\nset.pacing.p.adapt.phase = 0.5"),
        stream(
            "adapt = { at_most = \"9 ms\" }\n[[when]]\ntap = 3\n[when.set.pacing.p]\nadapt = { phase = 0.5 }",
        ),
        stream(
            "[pacing.p.adapt]\nat_most = \"9 ms\"\n[[when]]\ntap = 3\nramp.pacing.p.adapt.phase = { to = 0.5, over = \"1 s\" }",
        ),
        stream("[output.o]\n[output.c]\n[codes]\noutput = \"c\"\nstart = 1\ntap.input = 2"),
    ] {
        assert_eq!(doubts(&text), "", "{text}");
    }
}

#[test]
fn a_doubt_of_the_whole_trial_has_the_line_of_what_it_is_about() {
    let late = format!("{PACING}{END}[[when]]\nbeat = 99\nmark = \"late\"\n");
    assert!(
        doubts(&late).starts_with("line 6: rule when-2 (beat 99 of p) never acts"),
        "{}",
        doubts(&late)
    );
    let change = format!("{PACING}[[pacing.p.change]]\nat = 99\nmute = true\n{END}");
    assert!(doubts(&change).starts_with("line 3: the change at beat 99 of p never comes"));
    let second = change.replacen(
        "at = 99",
        "at = [2, 3]\nmute = true\n[[pacing.p.change]]\nat = [4, 99]",
        1,
    );
    assert!(doubts(&second).starts_with("line 6: the change at beat 99"), "{}", doubts(&second));
    let silent = format!("{PACING}{FEEDBACK}sounding = false\n{END}");
    assert!(doubts(&silent).starts_with("line 4: feedback f never sounds"), "{}", doubts(&silent));
    let outputs = format!("{PACING}[output.a]\n[output.b]\n{END}");
    assert!(doubts(&outputs).starts_with("line 4: nothing goes to output b"));
}

#[test]
fn a_cure_can_be_followed_where_the_stream_or_key_is_of_another_form() {
    let waits = |keys: &str| format!("[pacing.p]\n{keys}\n[[when]]\nbeat = 9\nend = true\n");
    assert_told(&waits("onsets = [\"0 s\", \"1 s\"]"), &["only 2 beats; add onsets, or wait"]);
    let again = "onsets = [\"0 s\", \"1 s\"]\nrepeat = { every = \"3 s\", times = 2 }";
    assert_told(&waits(again), &["only 4 beats; raise repeat.times, or wait"]);
    assert_told(&waits("interval = \"1 s\"\nbeats = 4"), &["only 4 beats; raise beats, or wait"]);
    assert_told(
        &format!("{PACING}start = \"-1 s\"\n"),
        &[
            "t.toml:3: pacing.p.start = \"-1 s\" lies before the beginning of the trial; write a time from \"0 s\"",
        ],
    );
    let delay =
        "delay belongs in a value of [pacing.NAME]: start = { tap = 1, delay = \"500 ms\" }";
    assert_told(&format!("{PACING}delay = \"1 s\"\n"), &[delay]);
    assert_told(&format!("[pacing]\ndelay = \"1 s\"\n{PACING}"), &[delay]);
    assert_eq!(doubts(&format!("{PACING}start = {{ tap = 1, delay = \"500 ms\" }}\n{END}")), "");
    let device = "[input]\npad = \"alsa:hw:1,0\"\n";
    assert_told(
        &format!("{device}{PACING}"),
        &["write [input.pad] in a trial; the machine file says which device"],
    );
}

#[test]
fn a_file_of_sound_in_the_place_of_a_tone_is_told_where_it_belongs_and_what_is_read() {
    let sound = |file: &str| format!("{PACING}sound = \"{file}\"\n");
    assert_told(
        &sound("tick.mp3"),
        &["t.toml:3: unknown key \"sound\"", "WAV and FLAC files alone are read"],
    );
    assert!(!shown(&sound("tick.wav")).contains("alone are read"));
    assert_told(
        &format!("{PACING}tone = \"tick.mp3\"\n"),
        &[
            "t.toml:3: pacing.p.tone must be a table; the sound of a tone stands in a file of sounds",
            "audio = \"song.wav\" with beats_from",
            "WAV and FLAC files alone are read",
        ],
    );
    assert!(shown(&sound("loud")).ends_with("did you mean \"tone\"?"), "{}", shown(&sound("loud")));
}

#[test]
fn a_rule_that_does_not_end_and_a_value_of_another_form_are_told_what_to_write() {
    let rule = format!("{PACING}[[when]]\ntime = \"5 s\"\nend = false\n");
    assert_told(&rule, &["t.toml:5: [when 1] does nothing: end is false; write end = true"]);
    let jitter = format!("{PACING}jitter = \"20 ms\"\n{END}");
    assert_told(
        &jitter,
        &["jitter must be \"none\" or a table, not \"20 ms\"; for example: jitter = {"],
    );
}

#[test]
fn changes_below_a_misspelt_name_are_told_the_name_that_is_meant() {
    let change = |name: &str| format!("{PACING}[[pacing.{name}.change]]\nat = 3\nmute = true\n");
    let long = change("metronom").replace("[pacing.p]", "[pacing.metronome]");
    let one = problems(&format!("{long}[[when]]\nbeat = 9\nend = true\n")).to_string();
    assert_eq!(
        one,
        "t.toml:3: there is no [pacing.metronom] for its changes; did you mean \"metronome\"?"
    );
    let perturb = "[feedback.tone]\n[[feedback.ton.perturb]]\nat = 3\nmute = true\n";
    assert!(shown(perturb).ends_with("did you mean \"tone\"?"), "{}", shown(perturb));
    let two = "[feedback.tone1]\n[[feedback.tone2.perturb]]\nat = 3\nmute = true\n";
    assert!(TrialFile::parse(two, "t.toml").is_ok(), "names with numbers are names");
}

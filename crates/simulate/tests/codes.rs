//! Codes from the trial file to the nanosecond, and what the events file says of them.

use chronotap_config::trial_files::{TrialFile, explain};
use chronotap_core::time::Nanos;
use chronotap_data::record::{Entry, Flag, Names, Row, TrialType, rows};
use chronotap_simulate::{FarEnd, Wire, virtual_time};
use chronotap_trial::Ports;

const TRIAL: &str = r#"
[output.sound]
[output.eeg]

[pacing.metronome]
interval = "500 ms"
start = "1 s"
beats = 3

[[when]]
name = "over"
time = "2.5 s"
end = true

[codes]
output = "eeg"
start = 1
end = 2
pacing.metronome = 10
"#;

fn simulated(text: &str) -> Vec<Row> {
    let file = TrialFile::parse(text, "codes.toml").unwrap();
    let mut ports = Ports::new(1, 2);
    ports.add(Box::new(Wire::new(None, FarEnd::Silence)), &[0], &[0, 1]).unwrap();
    let mut entries: Vec<Entry> = Vec::new();
    let names = Names::of(&file.trial, &[]);
    let _ = virtual_time::run(file.engine(1), ports, Nanos::from_secs(60), &mut |entry| {
        entries.push(entry)
    });
    rows(&names, &entries)
}

fn codes(rows: &[Row]) -> Vec<(i64, u32, String)> {
    let codes = rows.iter().filter(|row| row.trial_type == TrialType::Code);
    let said = |row: &Row| Some((row.deadline?.0 / 1_000_000, row.number?, row.name.clone()?));
    codes.filter_map(said).collect()
}

#[test]
fn a_file_says_which_event_has_which_code_and_the_rows_say_what_was_sent_when() {
    let rows = simulated(TRIAL);
    let expected = [
        (0, 1, "start"),
        (1000, 10, "pacing.metronome"),
        (1500, 10, "pacing.metronome"),
        (2000, 10, "pacing.metronome"),
        (2500, 2, "end"),
    ];
    assert_eq!(codes(&rows), expected.map(|(at, code, of)| (at, code, of.to_owned())));
    for row in rows.iter().filter(|row| row.trial_type == TrialType::Code) {
        assert_eq!(row.port.as_deref(), Some("eeg"));
        assert_eq!((row.duration, row.lateness), (Some(Nanos::from_millis(5)), Some(Nanos::ZERO)));
        assert_eq!((row.flag, row.message), (None, None));
    }
}

#[test]
fn width_and_delay_are_those_of_the_file() {
    let rows = simulated(&TRIAL.replace("start = 1\n", "width = \"10 ms\"\ndelay = \"5.33 ms\"\n"));
    let beat = rows.iter().find(|row| row.trial_type == TrialType::Code).unwrap();
    assert_eq!(beat.deadline, Some(Nanos::from_micros(1_005_330)));
    assert_eq!(beat.release_deadline, Some(Nanos::from_micros(1_015_330)));
}

#[test]
fn several_events_at_one_instant_are_refused_unless_they_have_a_code_together() {
    let coded = TRIAL.replace("start = \"1 s\"", "start = \"0 s\"");
    let refused = TrialFile::parse(&coded, "codes.toml").unwrap_err().to_string();
    assert!(
        refused.starts_with("codes.toml:15: start and pacing.metronome fall on one"),
        "{refused}"
    );
    let together = "[[codes.together]]\nof = [\"pacing.metronome\", \"start\"]\ncode = 11\n";
    let rows = simulated(&format!("{coded}{together}"));
    let first = (0, 11, "start + pacing.metronome".to_owned());
    assert_eq!(codes(&rows)[0], first);
}

#[test]
fn a_code_recurs_in_silence_and_is_checked_against_the_beats_beforehand() {
    let with =
        |every: &str| TRIAL.replace("end = 2\n", &format!("end = 2\nevery = {{ {every} }}\n"));
    let rows = simulated(&with("interval = \"700 ms\", code = 99"));
    let at = |name: &str| -> Vec<(i64, u32)> {
        let of = codes(&rows).into_iter().filter(|(.., of)| of == name);
        of.map(|(at, code, _)| (at, code)).collect()
    };
    assert_eq!(at("every"), [(700, 99), (1400, 99), (2100, 99)]);
    assert_eq!(at("pacing.metronome"), [(1000, 10), (1500, 10), (2000, 10)]);
    let refused =
        |every: &str| TrialFile::parse(&with(every), "codes.toml").unwrap_err().to_string();
    for (every, said) in [
        ("interval = \"500 ms\", code = 99", "every and pacing.metronome fall on one instant, 1 s"),
        ("interval = \"1 s\", first = \"0 s\", code = 99", "every and start fall on one instant"),
        ("interval = \"1 s\"", "[codes.every] lacks code"),
        ("code = 99", "lacks interval"),
        ("interval = \"50 ms\", code = 99", "100 ms"),
        ("interval = \"1 s\", code = 256", "does not fit into 8 bits"),
    ] {
        let refused = refused(every);
        assert!(refused.contains(said), "{every}: {refused}");
    }
    let met = with("interval = \"500 ms\", first = \"250 ms\", code = 99");
    assert!(TrialFile::parse(&met, "codes.toml").is_ok());
}

#[test]
fn a_code_that_the_next_one_cuts_short_is_doubted_before_and_flagged_afterwards() {
    let other = "[pacing.other]\ninterval = \"500 ms\"\nstart = \"1.003 s\"\nbeats = 1\n";
    let text = TRIAL.replace("[[when]]", &format!("{other}[[when]]"));
    let text = text.replace("pacing.metronome = 10", "pacing = { metronome = 10, other = 12 }");
    let file = TrialFile::parse(&text, "codes.toml").unwrap();
    let doubts = explain(&file).warnings;
    assert!(
        doubts.iter().any(|doubt| doubt.contains("comes 3 ms after pacing.metronome")),
        "{doubts:?}"
    );
    let rows = simulated(&text);
    let cut: Vec<&Row> = rows.iter().filter(|row| row.flag == Some(Flag::Overwritten)).collect();
    let [cut] = cut[..] else { panic!("{cut:?}") };
    assert_eq!((cut.number, cut.duration), (Some(10), Some(Nanos::from_millis(3))));
}

#[test]
fn mistakes_are_told_with_their_line_and_what_to_write() {
    let refusal = |from: &str, to: &str| {
        TrialFile::parse(&TRIAL.replace(from, to), "codes.toml").unwrap_err().to_string()
    };
    for (from, to, said) in [
        (
            "start = 1\n",
            "start = 256\n",
            "codes.toml:17: codes.start = 256 does not fit into 8 bits; write 1 to 255, or bits = 9",
        ),
        ("start = 1\n", "start = 0\n", "codes.toml:17: codes.start = 0 is the line at rest"),
        (
            "start = 1\n",
            "bits = 9\nstart = 512\n",
            "codes.toml:18: codes.start = 512 does not fit into 9 bits",
        ),
        ("start = 1\n", "strat = 1\n", "did you mean \"start\"?"),
        ("metronome = 10", "metronom = 10", "did you mean \"metronome\"?"),
        (
            "metronome = 10",
            "metronome = 10\nrule.ovr = 3",
            "codes.toml:20: codes.rule: there is no rule \"ovr\"; did you mean \"over\"?",
        ),
        ("output = \"eeg\"", "output = \"egg\"", "did you mean \"eeg\"?"),
        (
            "output = \"eeg\"",
            "output = \"sound\"",
            "[pacing.metronome] sends its tones to sound, which carries codes; write output = \"eeg\" there",
        ),
        ("output = \"eeg\"\n", "", "codes.toml:15: [codes] lacks output"),
        (
            "pacing.metronome = 10\n",
            "[[codes.together]]\nof = [\"start\", \"ned\"]\ncode = 3\n",
            "did you mean \"end\"?",
        ),
    ] {
        let refused = refusal(from, to);
        assert!(refused.contains(said), "{to}: {refused}");
    }
}

/// The doubts of a trial whose third tap ends it, with these codes.
fn doubted(codes: &str, feedback: &str) -> Vec<String> {
    let text = format!(
        "[output.sound]\n[output.eeg]\n[feedback.tone]\nduration = \"50 ms\"\n{feedback}\n\
         [[when]]\nname = \"third\"\ntap = 3\nend = true\n[codes]\noutput = \"eeg\"\n{codes}"
    );
    let doubts = explain(&TrialFile::parse(&text, "codes.toml").unwrap()).warnings;
    doubts.into_iter().filter(|doubt| doubt.contains("wherever taps bring them about")).collect()
}

#[test]
fn codes_that_a_tap_lets_meet_are_doubted_beforehand_and_one_together_cures_it() {
    let ends = doubted("tap.input = 1\nend = 2", "");
    let said = "tap.input and end fall on one instant wherever taps bring them about, and one code \
                can be sent at a time; give them one together, [[codes.together]] with \
                of = [\"tap.input\", \"end\"], or let one of them come later";
    assert_eq!(ends, [said]);
    let cured =
        "tap.input = 1\nend = 2\n[[codes.together]]\nof = [\"end\", \"tap.input\"]\ncode = 3";
    assert_eq!(doubted(cured, ""), [""; 0]);
    let sounds = doubted("tap.input = 1\nfeedback.tone = 2", "");
    assert!(
        sounds.len() == 1 && sounds[0].starts_with("tap.input and feedback.tone"),
        "{sounds:?}"
    );
    let three = doubted("tap.input = 1\nend = 2\nrule.third = 4", "");
    assert!(three[0].starts_with("tap.input, rule.third and end fall"), "{three:?}");
    let late = doubted("tap.input = 1\nfeedback.tone = 2", "delay = \"3 ms\"");
    let said = "feedback.tone, wherever taps bring them about, comes 3 ms after tap.input, whose code \
                of 5 ms it cuts short";
    assert_eq!(late, [said]);
    assert_eq!(doubted("tap.input = 1\nfeedback.tone = 2", "delay = \"200 ms\""), [""; 0]);
    assert_eq!(doubted("tap.input = 1\nstart = 2", ""), [""; 0]);
}

#[test]
fn the_cure_of_three_codes_at_one_instant_names_the_three() {
    let coded = TRIAL.replace("time = \"2.5 s\"", "time = \"2 s\"").replace(
        "end = 2\n",
        "end = 2\nrule.over = 3\nevery = { interval = \"2 s\", code = 99 }\n",
    );
    let coded = format!("{coded}[[codes.together]]\nof = [\"end\", \"rule.over\"]\ncode = 4\n");
    let refused = TrialFile::parse(&coded, "codes.toml").unwrap_err().to_string();
    let of = "of = [\"every\", \"rule.over\", \"end\"]";
    assert!(refused.contains(of), "{refused}");
    let cured = format!("{coded}[[codes.together]]\n{of}\ncode = 5\n");
    assert_eq!(codes(&simulated(&cured)).last().unwrap().1, 5);
}

#[test]
fn the_row_of_a_code_together_has_all_names_its_own_number_and_its_first_event_as_cause() {
    let coded = TRIAL.replace("end = 2\n", "end = 2\nrule.over = 3\n");
    let coded = format!("{coded}[[codes.together]]\nof = [\"rule.over\", \"end\"]\ncode = 40\n");
    let rows = simulated(&coded);
    let last = rows.iter().rfind(|row| row.trial_type == TrialType::Code).unwrap();
    assert_eq!((last.name.as_deref(), last.number), (Some("end + rule.over"), Some(40)));
    let rule = rows.iter().find(|row| row.trial_type == TrialType::Trigger).unwrap();
    assert_eq!(last.cause, Some(rule.event_id), "the rule acts first");
}

//! What the program says to mistakes: where, what was expected, and the cure, in
//! lower-case lines; the exit status; and that nothing was started.

use chronotap_testkit_cli::program::{Numbers, Output, Workspace, names_in, start};
use serde_json::Value;
use std::os::unix::ffi::OsStrExt;

const PROGRAM: &str = env!("CARGO_BIN_EXE_chronotap");

const SOUND: &str = "[pacing.metronome]\ninterval = \"500 ms\"\n\n[[when]]\nbeat = 3\nend = true\n";

/// Every message is short lines in lower case without a full stop.
fn well_said(said: &Output) {
    for line in said.err.lines() {
        let line = line.strip_prefix("chronotap: ").unwrap_or_else(|| panic!("{said:?}"));
        assert!(!line.ends_with('.'), "{line}");
        assert!(!line.starts_with(char::is_uppercase), "{line}");
        assert!(!line.contains("Usage"), "{line}");
    }
}

/// `check` must say all of `wanted` and exit with 1; `run` and `simulate` must say
/// the same, exit with 2 and leave nothing behind.
fn refused(content: &[u8], wanted: &[&str]) {
    let place = Workspace::of(PROGRAM);
    place.file("wrong.toml", content);
    refused_in(&place, "wrong.toml", wanted);
}

fn refused_in(place: &Workspace, file: &str, wanted: &[&str]) {
    refused_with(1, place, file, wanted);
}

fn refused_with(checked_code: i32, place: &Workspace, file: &str, wanted: &[&str]) {
    let before = names_in(&place.path(""));
    let checked = place.run(&format!("check {file}"));
    assert_eq!((checked.code, checked.out.as_str()), (Some(checked_code), ""), "{checked:?}");
    well_said(&checked);
    for part in wanted {
        assert!(checked.err.contains(part), "{part} is not in {}", checked.err);
    }
    for command in [format!("run {file} --simulate tapper"), format!("simulate {file}")] {
        let said = place.run(&command);
        assert_eq!(said.code, Some(2), "{said:?}");
        assert_eq!((said.out.as_str(), &said.err), ("", &checked.err), "{command}");
    }
    assert_eq!(names_in(&place.path("")), before, "something was started");
}

#[test]
fn an_unknown_key_is_answered_with_its_line_and_the_nearest_name() {
    let wrong = SOUND.replace("interval", "intervall");
    refused(
        wrong.as_bytes(),
        &["wrong.toml:2: unknown key \"intervall\"", "did you mean \"interval\"?"],
    );
}

#[test]
fn a_wrong_unit_is_answered_with_its_line_and_what_would_be_right() {
    refused(SOUND.replace("500 ms", "500 sm").as_bytes(), &["wrong.toml:2: ", "ms"]);
    refused(SOUND.replace("\"500 ms\"", "500").as_bytes(), &["wrong.toml:2: ", "\"500 ms\""]);
    refused(SOUND.replace("500 ms", "-1 s").as_bytes(), &["wrong.toml:2: "]);
}

#[test]
fn a_contradiction_is_answered_with_its_line() {
    let both = SOUND.replace("interval", "tempo = \"120 bpm\"\ninterval");
    refused(both.as_bytes(), &["wrong.toml:", "tempo", "interval"]);
    let nowhere = SOUND.replace("beat = 3", "beat.drum = 3");
    refused(nowhere.as_bytes(), &["wrong.toml:5: ", "drum"]);
}

#[test]
fn all_mistakes_of_a_file_are_told_at_once() {
    let wrong = SOUND.replace("500 ms", "500 sm").replace("end = true", "ende = true");
    refused(
        wrong.as_bytes(),
        &["wrong.toml:2: ", "\nchronotap: wrong.toml:6: ", "did you mean \"end\"?"],
    );
}

#[test]
fn ten_megabytes_of_noise_are_refused_without_being_read() {
    let noise: Vec<u8> = Numbers(1).take(10 << 20).map(|n| n as u8).collect();
    refused(&noise, &["wrong.toml", "larger than 1 MB", "check the path"]);
    refused(&noise[..100_000], &["wrong.toml:1: ", "not UTF-8 text"]);
    let letters: Vec<u8> = noise.iter().take(500_000).map(|n| b'a' + n % 26).collect();
    refused(&letters, &["wrong.toml:1: "]);
}

/// As Windows' Notepad saves it where one does not choose UTF-8, and as some programs do.
#[test]
fn a_study_in_another_encoding_is_refused_with_its_line_by_every_command() {
    let place = Workspace::of(PROGRAM);
    assert_eq!(place.run("new synchronization .").code, Some(0));
    let text = std::fs::read_to_string(place.path("study.toml")).unwrap();
    let in_two_bytes = |mark: &[u8]| -> Vec<u8> {
        mark.iter().copied().chain(text.bytes().flat_map(|letter| [letter, 0])).collect()
    };
    let windows_1252 = [b"# M\xfcnchen\n".as_slice(), text.as_bytes()].concat();
    let utf_16 =
        "study.toml:1: this is text in UTF-16, not text in UTF-8; save it as text in UTF-8\n";
    let other =
        "study.toml:1: this is not UTF-8 text; save it as text in UTF-8, or check the path\n";
    for (bytes, wanted) in
        [(in_two_bytes(b"\xff\xfe"), utf_16), (in_two_bytes(b""), utf_16), (windows_1252, other)]
    {
        place.file("study.toml", bytes);
        for command in [
            "check study.toml",
            "plan study.toml --participant 07",
            "power study.toml",
            "simulate study.toml --data data",
            "pack study.toml --output study.zip",
        ] {
            let said = place.run(command);
            assert!(said.err.ends_with(wanted), "{command}: {said:?}");
            assert!(matches!(said.code, Some(1 | 2)), "{command}: {said:?}");
        }
    }
    assert!(!place.path("data").exists() && !place.path("study.zip").exists());
}

#[test]
fn binary_files_are_refused() {
    refused(&[0x7f, b'E', b'L', b'F', 2, 1, 1, 0, 0xff], &["wrong.toml:1: "]);
    refused(&[0; 64], &["wrong.toml:1: "]);
}

#[test]
fn a_file_that_is_not_there_or_no_file_is_refused() {
    let place = Workspace::of(PROGRAM);
    // Nothing was checked, which is another thing than a check that failed.
    refused_with(
        2,
        &place,
        "absent.toml",
        &["absent.toml: there is no such file", "; check the path"],
    );
    refused_with(2, &place, "/usr", &["/usr: cannot be read: it is a folder, not a file"]);
    // The study in a folder is nearly its name.
    std::fs::create_dir(place.path("mine")).expect("a folder");
    std::fs::write(place.path("mine/trial.toml"), "").expect("a file");
    let meant = |file: &str| format!("mine: it is a folder, not a file; did you mean \"{file}\"?");
    refused_with(2, &place, "mine", &[&meant("mine/trial.toml")]);
    std::fs::write(place.path("mine/study.toml"), "").expect("a file");
    refused_with(2, &place, "mine", &[&meant("mine/study.toml")]);
}

#[test]
fn what_stands_in_the_place_of_another_file_is_told_as_what_it_is() {
    let place = Workspace::of(PROGRAM);
    assert_eq!(place.run("new synchronization .").code, Some(0));
    std::fs::create_dir(place.path("data")).expect("a folder");
    place.file("data/dataset_description.json", "{}");
    let before = names_in(&place.path(""));
    for (args, wanted) in [
        (
            "render study.toml --output s.wav",
            "study.toml: this is the experiment file of a study, and one trial is needed; name one \
             of its trial files: sync.toml",
        ),
        ("render sync.toml --output s.mp3", "name s.wav; another program makes mp3 of it, as in"),
        ("render sync.toml --output s.MID", "`chronotap export` writes recorded trials as MIDI"),
        ("check data", "data: it is the folder of a dataset, and a trial or a study is needed"),
        ("run gone.toml --participant 1", "gone.toml: there is no such file; check the path"),
        ("status .", "the one that holds dataset_description.json; did you mean \"./data\"?"),
        ("verify study.toml", "this is a file; name the folder that holds dataset_description"),
        (
            "simulate sync.toml --data study.toml",
            "--data study.toml: cannot make the directory: it is a file; name a folder for the data",
        ),
    ] {
        let said = place.run(args);
        assert_eq!((said.code, said.out.as_str()), (Some(2), ""), "{args}: {said:?}");
        assert!(said.err.contains(wanted), "{args}: {}", said.err);
        assert_eq!(said.err.lines().count(), 1, "{args}: {}", said.err);
        well_said(&said);
    }
    assert_eq!(names_in(&place.path("")), before, "something was written");
}

/// Each of these must be refused with exit status 2, one line, and nothing started.
#[test]
fn a_mistake_on_the_command_line_is_one_line_that_names_the_flag_and_the_cure() {
    let place = Workspace::of(PROGRAM);
    place.file("sound.toml", SOUND);
    place.file("taps.tsv", "onset\tduration\tnote\tvelocity\n0.5\t0.1\t60\tloud\n");
    place.file("notes.txt", "");
    let before = names_in(&place.path(""));
    for (args, wanted) in [
        ("run sound.toml", "input `input` has no port; add --in input=PORT"),
        ("run sound.toml --in wire", "output `output` has no port; add --out output=PORT"),
        ("run sound.toml --in wier --out wire", "--in wier: there is no port `wier`; did you mean"),
        ("run sound.toml --in foo --out wire", "--in foo: there is no port `foo` (known: wire, "),
        ("run sound.toml --in wire:lop --out wire", "did you mean `wire:loop`?"),
        ("run sound.toml --in pad=wire --out wire", "no input `pad`; it has: input"),
        ("run sound.toml --in wire --out a=wire", "no output `a`; it has: output"),
        ("run sound.toml --in wire --in wire --out wire", "bound twice; leave one out"),
        ("run sound.toml --in raw: --out wire", "`raw:` needs a path, as in raw:/dev/snd"),
        ("run sound.toml --in raw:/nowhere --out wire", "raw:/nowhere does not exist"),
        ("run sound.toml --in raw:notes.txt --out wire", "is a regular file, not a byte stream"),
        ("run sound.toml --in wire --out wire:loop", "bind an input to it with --in wire:loop"),
        ("run sound.toml --performer none.tsv", "--performer: none.tsv: No such file"),
        ("run sound.toml --performer taps.tsv", "taps.tsv:2:4: velocity is 'loud'"),
        ("run sound.toml --simulate taper", "--simulate: there is no participant 'taper'; did you"),
        (
            "run sound.toml --simulate mean=3",
            "--simulate: mean = 3: a time needs its unit; write 3 ms (a time from",
        ),
        ("run sound.toml --simulate tapper --data notes.txt", "--data notes.txt: cannot make"),
        ("run sound.toml --simulate tapper --name a/b", "--name \"a/b\": "),
        ("run sound.toml --simulate tapper --limit-us 0", "'--limit <TIME>'"),
        (
            "run sound.toml --simulate tapper --priority 99",
            "write a whole number from 1 to 98; see `chronotap run --help`",
        ),
        ("run sound.toml --simulate a --performer b", "'--simulate <MODEL>'"),
        ("run sound.toml --dta x", "'--data'; see `chronotap run --help`"),
        ("run", "run lacks <FILE> (the trial file, a configuration file of FTAP, or an exper"),
        (
            "gather study",
            "gather lacks <OUT> (the folder to create); for example: chronotap gather",
        ),
        ("simulate sound.toml --repeat 0", "'--repeat <N>': write a whole number from 1; see"),
        ("simulate sound.toml --seed -1", "'--seed <S>'"),
        ("simulate sound.toml --in raw:/dev/tty", "use `chronotap run`, or a wire"),
        ("simulate sound.toml --data a --no-data", "see `chronotap simulate --help`"),
        ("monitor --in wire", "nothing is at the far end of a virtual wire; name a device"),
        ("monitor", "monitor --in alsa:Pad; see `chronotap monitor --help`"),
        ("console --in pad=wier", "--in pad=wier: there is no port `wier`; did you mean `wire`?"),
        ("console --out a=wire --out a=wire", "output `a` is bound twice; leave one out"),
        ("console --in raw:notes.txt", "raw:notes.txt is a regular file, not a byte stream"),
        (
            "console --model taper",
            "--model: there is no participant 'taper'; did you mean 'tapper'?",
        ),
        ("console --machine none.toml", "none.toml"),
        ("replay notes.txt", "name a file that ends in _events.tsv"),
        ("replay a_events.tsv", "a_events.json: cannot read it: No such file"),
        ("recover notes.txt", "name a file that ends in .journal"),
        ("recover a.journal", "a.journal: cannot read the journal: No such file"),
        ("chekc sound.toml", "a similar subcommand exists: 'check'; see `chronotap --help`"),
        ("simulat sound.toml", "'simulate'"),
    ] {
        let said = place.run(args);
        assert_eq!((said.code, said.out.as_str()), (Some(2), ""), "{args}: {said:?}");
        assert!(said.err.contains(wanted), "{args}: {}", said.err);
        assert_eq!(said.err.lines().count(), 1, "{args}: {}", said.err);
        well_said(&said);
    }
    assert_eq!(names_in(&place.path("")), before, "something was started");
}

#[test]
fn a_data_directory_that_may_not_be_written_is_told() {
    let place = Workspace::of(PROGRAM);
    place.file("sound.toml", SOUND);
    for command in ["run sound.toml --simulate tapper", "simulate sound.toml"] {
        let said = place.run(&format!("{command} --data /proc/here"));
        assert_eq!(said.code, Some(2), "{said:?}");
        assert!(said.err.contains("--data /proc/here: cannot make the directory"), "{said:?}");
        assert!(said.err.trim_end().ends_with("name one you may write to"), "{said:?}");
    }
}

#[test]
fn names_that_are_taken_are_passed_over_and_nothing_is_overwritten() {
    let place = Workspace::of(PROGRAM);
    place.file("sound.toml", SOUND);
    std::fs::create_dir(place.path("data")).unwrap();
    place.file("data/sound_run-01.journal", "left behind");
    place.file("data/sound_run-02_events.tsv", "mine");
    let said = place.run("simulate sound.toml --repeat 2 -q");
    assert_eq!((said.code, said.out.as_str(), said.err.as_str()), (Some(0), "", ""));
    let names = names_in(&place.path("data"));
    assert_eq!(names.len(), 6, "{names:?}");
    assert!(names.contains(&"sound_run-03_events.json".into()), "{names:?}");
    assert!(names.contains(&"sound_run-04_events.tsv".into()), "{names:?}");
    assert_eq!(
        std::fs::read_to_string(place.path("data/sound_run-02_events.tsv")).unwrap(),
        "mine"
    );
}

#[test]
fn mistakes_can_be_had_as_json() {
    let place = Workspace::of(PROGRAM);
    place.file("wrong.toml", SOUND.replace("interval", "intervall"));
    let said = place.run("check wrong.toml --json");
    assert_eq!(said.code, Some(1));
    let problems: Value = serde_json::from_str(&said.out).unwrap();
    let problems = problems["problems"].as_array().unwrap();
    let problem = problems.iter().find(|problem| problem["line"] == 2).unwrap();
    assert_eq!(
        (problem["file"].as_str(), &problem["nearest"]),
        (Some("wrong.toml"), &"interval".into())
    );
}

#[test]
fn several_files_are_checked_each_under_its_name() {
    let place = Workspace::of(PROGRAM);
    place.file("sound.toml", SOUND);
    place.file("wrong.toml", SOUND.replace("interval", "intervall"));
    let said = place.run("check sound.toml wrong.toml sound.toml");
    assert_eq!(said.code, Some(1), "{said:?}");
    let names: Vec<&str> = said.out.lines().filter(|line| line.starts_with("===")).collect();
    assert_eq!(names, ["=== sound.toml ===", "=== wrong.toml ===", "=== sound.toml ==="]);
    assert!(said.err.contains("wrong.toml:2: unknown key"), "{said:?}");
    assert_eq!(place.run("check sound.toml sound.toml").code, Some(0));
    let told = place.run("check sound.toml wrong.toml --json");
    let told: Vec<Value> =
        told.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((told.len(), &told[1]["file"]), (2, &"wrong.toml".into()));
    assert_eq!(told[1]["check"]["problems"][0]["line"], 2);
}

#[test]
fn a_journal_whose_name_is_no_text_is_called_a_journal_and_the_cure_is_said() {
    let place = Workspace::of(PROGRAM);
    let name = std::ffi::OsStr::from_bytes(b"b\xe9at.journal");
    std::fs::write(place.path("").join(name), "left behind").unwrap();
    let mut command = place.chronotap(["recover"]);
    command.arg(name);
    let said = start(command).wait();
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.err.contains("its name is not UTF-8"), "{said:?}");
    well_said(&said);
}

#[test]
fn why_a_file_cannot_be_summed_up_is_said_once() {
    let place = Workspace::of(PROGRAM);
    place.file("a_events.json", "{");
    place.file("a_events.tsv", "onset\n");
    let said = place.run("summary a_events.tsv gone_events.tsv");
    assert_eq!(said.code, Some(2), "{said:?}");
    assert_eq!(said.err.matches("No such file").count(), 1, "{said:?}");
    let lines: Vec<&str> = said.err.lines().filter(|line| line.contains("a_events.json")).collect();
    let [line] = lines[..] else { panic!("{said:?}") };
    let parts: Vec<&str> = line.split(": ").collect();
    let mut once = parts.clone();
    once.dedup();
    assert_eq!(parts, once, "{line}");
}

#[test]
fn an_input_of_keys_that_is_to_record_system_exclusive_is_refused_before_any_port_is_opened() {
    let place = Workspace::of(PROGRAM);
    place.file("keys.toml", format!("[input.pad]\nrecord_sysex = true\n\n{SOUND}"));
    let before = names_in(&place.path(""));
    let said = place.run("run keys.toml --in evdev:None?keys=SPACE:60 --out raw:nowhere");
    assert_eq!((said.code, said.out.as_str()), (Some(2), ""), "{said:?}");
    well_said(&said);
    let begins =
        "chronotap: keys.toml:2: input `pad`: no system exclusive message can come by evdev:";
    assert!(said.err.starts_with(begins) && said.err.contains("record_sysex"), "{said:?}");
    assert_eq!(names_in(&place.path("")), before, "something was started");
}

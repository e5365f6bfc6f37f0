//! Configuration files of FTAP as they are given to the program.

use chronotap_testkit_cli::program::Workspace;
use std::fs;

const PROGRAM: &str = env!("CARGO_BIN_EXE_chronotap");
const MANUAL: &str = include_str!("../../../examples/ftap_rhythm.ftap");

#[test]
fn a_configuration_file_runs_as_it_is_and_its_recording_replays() {
    let place = Workspace::of(PROGRAM);
    place.file("rhythm", MANUAL);
    let said = place.run("simulate rhythm --seed 3 -q");
    assert_eq!((said.code, said.err.as_str()), (Some(0), ""), "{said:?}");
    place.replays("rhythm");
    let checked = place.run("check rhythm");
    assert_eq!(checked.code, Some(0), "{checked:?}");
    assert!(checked.out.contains("beat 92 of metronome: end the trial"), "{checked:?}");
    let tones = place.run("check rhythm --reading count=tones");
    assert!(tones.out.contains("beat 122 of metronome: end the trial"), "{tones:?}");
}

#[test]
fn an_import_gives_a_trial_file_and_writes_over_none() {
    let place = Workspace::of(PROGRAM);
    place.file("rhythm", MANUAL.replace("MSPB 250", "MSPB 250\n# a remark"));
    let said = place.run("import-ftap rhythm -o rhythm.toml");
    assert_eq!((said.code, said.out.as_str()), (Some(0), "Trial: rhythm.toml\n"), "{said:?}");
    let trial = fs::read_to_string(place.path("rhythm.toml")).expect("it was written");
    assert!(trial.contains("#   line 12: # a remark"), "{trial}");
    assert_eq!(place.run("check rhythm.toml").code, Some(0));
    let again = place.run("import-ftap rhythm -o rhythm.toml");
    assert_eq!(again.code, Some(2));
    assert!(again.err.contains("it exists; name another file"), "{again:?}");
    assert_eq!(place.run("import-ftap rhythm -o rhythm.toml --force").code, Some(0));
    assert_eq!(place.run("import-ftap rhythm").out, trial);
}

#[test]
fn masking_is_refused_unless_it_is_dropped_by_name() {
    let place = Workspace::of(PROGRAM);
    place.file("masked", MANUAL.replace("MSPB 250", "MSPB 250\nMASK_ON 1"));
    for (command, code) in [("check", 1), ("simulate", 2), ("import-ftap", 2)] {
        let said = place.run(&format!("{command} masked"));
        assert_eq!(said.code, Some(code), "{said:?}");
        assert!(said.err.contains("masked:12: MASK_ON is no keyword"), "{said:?}");
        assert!(said.err.contains("--without masking"), "{said:?}");
        let said = place.run(&format!("{command} masked --without masking"));
        assert_eq!(said.code, Some(0), "{said:?}");
        let told = if command == "check" { &said.out } else { &said.err };
        assert!(told.contains("dropped with masking"), "{said:?}");
    }
    let said = place.run("simulate masked --without maskng");
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.err.contains("did you mean \"masking\"?"), "{said:?}");
    assert!(said.err.contains("random-delay"), "the names are listed: {said:?}");
    place.file("trial.toml", "[pacing.m]\ninterval = \"500 ms\"\n");
    assert_eq!(place.run("check trial.toml --without masking").code, Some(2));
}

#[test]
fn mistakes_are_told_with_their_line_and_the_exit_status_is_that_of_the_command() {
    let place = Workspace::of(PROGRAM);
    place.file("wrong", MANUAL.replace("FEED_DMODE 1", "FEED_DMODE 2"));
    for (command, code) in [("check", 1), ("simulate", 2), ("import-ftap", 2)] {
        let said = place.run(&format!("{command} wrong"));
        assert_eq!(said.code, Some(code), "{said:?}");
        assert!(said.err.contains("wrong:8: FEED_DMODE 2 is a mode that is not"), "{said:?}");
    }
    place.file("trial.toml", "[pacing.m]\ninterval = \"500 ms\"\n");
    let said = place.run("check trial.toml --reading count=tones");
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.err.contains("trial.toml is a trial file, which leaves nothing open"), "{said:?}");
    let said = place.run("import-ftap trial.toml");
    assert!(said.err.contains("no line of it begins with a keyword of FTAP"), "{said:?}");
    let said = place.run("import-ftap wrong --reading cuont=tones");
    assert!(said.err.contains("did you mean \"count\"?"), "{said:?}");
}

#[test]
fn a_recorded_trial_is_exported_as_ftaps_data_and_read_again() {
    let place = Workspace::of(PROGRAM);
    place.file("rhythm", MANUAL);
    assert_eq!(place.run("simulate rhythm --seed 3 -q --data data").code, Some(0));
    let said = place.run("export data/rhythm_run-01_events.tsv --as ftap --to abs");
    assert_eq!((said.code, said.out.as_str()), (Some(0), "abs: 1 FTAP files\n"), "{said:?}");
    let file = "abs/rhythm_run-01_events.abs";
    let said = place.run(&format!("import-ftap {file} --data again"));
    assert_eq!(said.code, Some(0), "{said:?}");
    let events = "again/rhythm_run-01_run-01_events.tsv";
    assert!(said.out.starts_with(&format!("Data: {events} (")), "{said:?}");
    let said = place.run(&format!("export {events} --as ftap --to twice"));
    assert_eq!(said.code, Some(0), "{said:?}");
    let rest = |path: &str| {
        let text = fs::read_to_string(place.path(path)).expect("it was written");
        text.split_once('\n').expect("a first line").1.to_owned()
    };
    assert_eq!(rest("twice/rhythm_run-01_run-01_events.abs"), rest(file));
    let told = place.run(&format!("summary {events}"));
    assert!(told.out.contains("another program recorded it"), "{told:?}");
    assert_eq!(place.run(&format!("analyze {events} --to tables")).code, Some(0));
}

#[test]
fn a_data_file_needs_its_columns_and_options_of_the_other_kind_are_refused() {
    let place = Workspace::of(PROGRAM);
    place.file("t.abs", "12 7 K 60\n");
    let refused = |args: &str, what: &str| {
        let said = place.run(args);
        assert_eq!(said.code, Some(2), "{said:?}");
        assert!(said.err.contains(what), "{said:?}");
        assert!(!place.path("data").exists(), "nothing is written");
    };
    refused("import-ftap t.abs", "with --columns");
    refused("import-ftap t.abs --columns time,-,knid,note", "did you mean kind?");
    refused("import-ftap t.abs --columns time,kind,note", "t.abs:1: 4 cells");
    refused("import-ftap t.abs --output x.toml", "--data DIR");
    place.file("rhythm", MANUAL);
    refused("import-ftap rhythm --columns time,kind", "is no data file");
    assert_eq!(place.run("import-ftap t.abs --columns time,-,kind,note").code, Some(0));
}

/// A study whose two steps have files of FTAP.
const STUDY: &str = "trial = \"01_synccont\"\n\n[[step]]\nname = \"one\"\n\n[[step]]\nname = \"two\"\n\
                     trial = \"02_more.txt\"\n";

#[test]
fn files_of_ftap_are_trials_of_a_study_as_they_are() {
    let place = Workspace::of(PROGRAM);
    place.file("01_synccont", format!("\u{feff}{}", MANUAL.replace('\n', "\r\n")));
    place.file("02_more.txt", MANUAL.replace("FEED_CHAN 1", "FEED_CHAN 1\nFEED_CHAN 2"));
    place.file("study.toml", STUDY);
    let said = place.run("check study.toml");
    assert_eq!((said.code, said.err.as_str()), (Some(0), ""), "{said:?}");
    let out = said.out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(out.contains("Read of FTAP's files"), "{said:?}");
    assert!(out.contains("rests as well (all 2 files)"), "{said:?}");
    assert!(
        out.contains("FEED_CHAN stands on line 3 too, and that line holds (02_more.txt:2)"),
        "{said:?}"
    );
    let said = place.run("simulate study.toml --participants 1 --data data -q");
    assert_eq!(said.code, Some(0), "{said:?}");
    assert_eq!(place.run("verify data").code, Some(0));
    place.file("study.toml", format!("ftap.reading = \"count=tones\"\n{STUDY}"));
    let said = place.run("check study.toml");
    assert!(said.out.contains("count = tones"), "{said:?}");
}

#[test]
fn what_a_study_cannot_read_of_ftaps_is_told_with_file_line_and_what_to_write_in_the_study() {
    let place = Workspace::of(PROGRAM);
    place.file("01_synccont", MANUAL.replace("MSPB 250", "MSPB 250\nBANNER_STRING a"));
    place.file("02_more.txt", MANUAL.replace("TRIGGER 3 M 92", "TRIGGER 3 M"));
    place.file("study.toml", STUDY);
    let said = place.run("check study.toml");
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.err.contains("01_synccont:12: BANNER_STRING"), "{said:?}");
    assert!(said.err.contains("without = [\"unknown\"] under [ftap]"), "{said:?}");
    assert!(said.err.contains("02_more.txt:19: a TRIGGER has five"), "{said:?}");
    assert!(!said.err.contains("key with no value"), "{said:?}");
    let of = "ftap = { without = \"unknown\", reading = [\"bad-trigger=skip\"] }\n";
    place.file("study.toml", format!("{of}{STUDY}"));
    assert_eq!(place.run("check study.toml").code, Some(0));
    place.file("study.toml", format!("ftap.reading = \"cuont=tones\"\n{STUDY}"));
    assert!(place.run("check study.toml").err.contains("there is no reading \"cuont\""));
}

#[test]
fn a_folder_is_imported_by_one_command_with_one_list_of_what_was_read_how() {
    let place = Workspace::of(PROGRAM);
    fs::create_dir(place.path("lab")).expect("it is new");
    place.file("lab/01_synccont", MANUAL);
    place.file("lab/02.ftap", MANUAL.replace("MET_LEN 30\n", ""));
    place.file("lab/02.old", MANUAL);
    place.file("lab/run.abs", "# columns time kind note\n12 K 60\n");
    place.file("lab/README", "Our experiments.\n");
    let said = place.run("import-ftap lab -o new");
    assert_eq!((said.code, said.err.as_str()), (Some(0), ""), "{said:?}");
    let list = fs::read_to_string(place.path("new/imported.txt")).expect("the list is written");
    for told in [
        "01_synccont -> 01_synccont.toml",
        "02.ftap -> 02.ftap.toml",
        "run.abs -> data/run_run-01_events.tsv",
        "read as MET_LEN 30: give them with --reading NAME=VALUE (02.ftap)",
        "rests as well (all 3 files)",
        "README",
    ] {
        assert!(list.contains(told), "{told}\n{list}");
    }
    for trial in ["01_synccont", "02.ftap", "02.old"] {
        assert_eq!(place.run(&format!("check new/{trial}.toml")).code, Some(0));
    }
    assert_eq!(place.run("summary new/data/run_run-01_events.tsv").code, Some(0));
    let again = place.run("import-ftap lab -o new");
    assert_eq!(again.code, Some(2));
    assert!(again.err.contains("--output new: it exists"), "{again:?}");
}

#[test]
fn folders_in_a_folder_are_imported_too_and_what_is_no_file_is_left_alone() {
    let place = Workspace::of(PROGRAM);
    for folder in ["lab/pilot/old", "lab/papers/drafts"] {
        fs::create_dir_all(place.path(folder)).expect("it is new");
    }
    place.file("lab/pilot/01.ftap", MANUAL);
    place.file("lab/pilot/old/01.ftap", MANUAL.replace('\n', "\r"));
    for name in ["lab/pilot/a.abs", "lab/pilot/a_events.abs"] {
        place.file(name, "# columns time kind note\n12 K 60\n");
    }
    place.file("lab/papers/drafts/notes", "FTAP is old.\n");
    std::os::unix::fs::symlink("nowhere", place.path("lab/.#01.ftap")).expect("it is new");
    std::os::unix::fs::symlink("..", place.path("lab/pilot/up")).expect("it is new");
    let said = place.run("import-ftap lab -o new");
    assert_eq!((said.code, said.err.as_str()), (Some(0), ""), "{said:?}");
    let list = fs::read_to_string(place.path("new/imported.txt")).expect("the list is written");
    let left = list.split_once("not FTAP's\n").expect("what was left alone").1;
    assert_eq!(left, "  .#01.ftap\n  papers/\n  pilot/up\n", "{list}");
    for line in list.lines().filter(|line| line.contains(" -> ")) {
        let (_, to) = line.split_once(" -> ").expect("what became of it");
        assert!(place.path(&format!("new/{to}")).is_file(), "{line}");
    }
    assert_eq!(list.matches(" -> ").count(), 4, "{list}");
}

#[test]
fn a_folder_of_which_one_file_cannot_be_read_is_told_whole_and_nothing_is_written() {
    let place = Workspace::of(PROGRAM);
    fs::create_dir(place.path("lab")).expect("it is new");
    place.file("lab/01", MANUAL);
    place.file("lab/02", MANUAL.replace("MSPB 250", "MSPB x"));
    place.file("lab/03", MANUAL.replace("MET_LEN 30", "MASK_ON 1"));
    place.file("lab/04.abs", "12 K 60\n");
    let said = place.run("import-ftap lab -o new");
    assert_eq!(said.code, Some(2), "{said:?}");
    for told in ["lab/02:11: MSPB takes", "lab/03:15: MASK_ON", "lab/04.abs: nothing says"] {
        assert!(said.err.contains(told), "{told}: {said:?}");
    }
    assert!(!place.path("new").exists());
    assert!(place.run("import-ftap lab").err.contains("--output DIR"));
}

#[test]
fn columns_that_only_one_order_fits_are_inferred_and_said() {
    let place = Workspace::of(PROGRAM);
    place.file("t.abs", "12 K D 1 60 90 -\n50 T 7\n55 T - - - - 8\n80 K U 1 60 40 -\n");
    let said = place.run("import-ftap t.abs");
    assert_eq!(said.code, Some(0), "{said:?}");
    let told = "columns read as time,kind,press,channel,note,velocity,id, the only order that fits";
    assert!(said.err.split_whitespace().collect::<Vec<_>>().join(" ").contains(told), "{said:?}");
    let marked = "\u{feff}12 K D 1 60 90 -\r50 T 7\r55 T - - - - 8\r80 K U 1 60 40 -\r";
    place.file("t.abs", marked);
    let said = place.run("import-ftap t.abs");
    assert!(said.err.split_whitespace().collect::<Vec<_>>().join(" ").contains(told), "{said:?}");
    place.file("u.abs", "12 K D 1 60 90\n80 K U 1 60 90\n");
    let said = place.run("import-ftap u.abs");
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.err.contains("time,kind,press,channel,velocity,note"), "{said:?}");
    place.file("v.abs", "12 K 1 2 1 60\n50 T 7 8\n");
    let columns = "--columns time,kind,-,id,channel,note";
    let said = place.run(&format!("import-ftap v.abs {columns}"));
    assert_eq!(said.code, Some(0), "a line of four cells can be read in one way: {said:?}");
    let said = place.run(&format!("import-ftap v.abs {columns} --trigger-columns time,kind,-,id"));
    assert_eq!(said.code, Some(0), "{said:?}");
}

#[test]
fn taps_are_played_on_another_channel_only_where_they_are_played() {
    let place = Workspace::of(PROGRAM);
    place.file("rhythm", MANUAL);
    place.file("taps.tsv", "onset\tduration\tnote\tvelocity\n1\t0.05\t60\t80\n");
    let simulated = place.run("simulate rhythm --performer taps.tsv --seed 1 -q --data data");
    assert_eq!(simulated.code, Some(0), "{simulated:?}");
    let play = |more: &str| {
        place.run(&format!(
            "play data/rhythm_run-01_events.tsv --out wire --rate 50 --ordinary --limit 1s {more}"
        ))
    };
    let said = play("--tap-channel 3");
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.err.contains("--tap-channel: taps are not played"), "{said:?}");
    let said = play("--only taps --transpose-taps 68");
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.err.contains("a tap on note 60 would sound on note 128"), "{said:?}");
    let said = play("--only taps,moments --tap-channel 3 --transpose-taps -12 --moment-note 90");
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.out.contains("4 tones as they were"), "one tap and three rules: {said:?}");
}

#[test]
fn the_help_names_every_reading() {
    let said = Workspace::of(PROGRAM).run("import-ftap --help");
    for reading in ["count=positions", "split=60", "random-delay=0..250", "unordered-triggers"] {
        assert!(said.out.contains(reading), "{said:?}");
    }
    assert!(said.out.lines().all(|line| line.chars().count() <= 80), "{}", said.out);
}

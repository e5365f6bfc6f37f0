//! Who withdraws is gone: canaries of one participant (what they answered, the seed, onset and name of
//! a trial) are sought in every file, in what form ever, after data and everything computed from them
//! were made as the manual says.

use chronotap_linux::clocks::MonotonicClock;
use chronotap_testkit_cli::program::{
    ANY_LATENESS, SHORT_TRIAL, Workspace, pause, start, wait_until,
};
use parquet::file::reader::{FileReader, SerializedFileReader};
use rustix::process::Signal;
use std::fs::{self, File};
use std::io::Read;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

const PROGRAM: &str = env!("CARGO_BIN_EXE_chronotap");

const STUDY: &str = "\
title = \"Short\"
task = \"short\"
participants = 3
seed = 1
trial = \"trial.toml\"
[participant]
remark = { question = \"Anything?\" }
[[step]]
name = \"main\"
repetitions = 2
gap = \"10 ms\"
";

/// What participant 01 alone has answered.
const ANSWER: &str = "canaryanswer";

/// A study with two participants.
fn studied() -> Workspace {
    let place = Workspace::of(PROGRAM);
    place.file("study.toml", STUDY);
    place.file("trial.toml", SHORT_TRIAL);
    for (label, answer) in [("01", ANSWER), ("02", "nothing")] {
        session(&place, label, answer, "");
    }
    place
}

fn session(place: &Workspace, label: &str, answer: &str, more: &str) {
    let run = format!(
        "run study.toml --participant {label} --data d --simulate tapper --ordinary {ANY_LATENESS} \
         --answer remark={answer}{more}"
    );
    let said = place.run(&run);
    assert!(said.out.contains("The session is complete"), "{said:?}");
}

/// What tells of participant 01.
fn canaries(place: &Workspace) -> Vec<String> {
    let table = fs::read_to_string(place.path("d/sub-01/beh/sub-01_task-short_beh.tsv")).unwrap();
    let mut lines = table.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let (names, first) = (lines.next().unwrap(), lines.next().unwrap());
    let cell = |name: &str| first[names.iter().position(|one| *one == name).unwrap()].to_owned();
    let events = fs::read_to_string(place.path("d").join(cell("events_file"))).unwrap();
    let tap = events.lines().find(|line| line.contains("\ttap\t")).unwrap();
    let onset = tap.split('\t').next().unwrap();
    assert!(onset.contains('.') && onset.len() > 6, "{onset}");
    let ns = format!("{}", (onset.parse::<f64>().unwrap() * 1e9).round() as i64);
    vec![ANSWER.to_owned(), cell("seed"), onset.to_owned(), ns, "sub-01".into(), cell("onset_utc")]
}

/// Every file, link and folder below, by its path.
fn all(folder: &Path, found: &mut Vec<PathBuf>) {
    for item in fs::read_dir(folder).into_iter().flatten().map(Result::unwrap) {
        found.push(item.path());
        if item.file_type().unwrap().is_dir() {
            all(&item.path(), found);
        }
    }
}

/// What a file holds, in words: Parquet cell by cell, compressed text as text, a page without its
/// markup.
fn read(path: &Path) -> String {
    let name = path.to_string_lossy();
    if path.is_symlink() {
        return fs::read_link(path).unwrap().display().to_string();
    }
    if name.ends_with(".parquet") {
        let reader = SerializedFileReader::new(File::open(path).unwrap()).unwrap();
        let rows = reader.get_row_iter(None).unwrap().map(|row| row.unwrap().to_string());
        let facts = format!("{:?}", reader.metadata().file_metadata().key_value_metadata());
        return rows.collect::<String>() + &facts;
    }
    let bytes = fs::read(path).unwrap_or_default();
    if name.ends_with(".xlsx") {
        let all = chronotap_data::exchange::unpacked_xlsx(&bytes).unwrap();
        return String::from_utf8_lossy(&all).into_owned();
    }
    if name.ends_with(".gz") {
        let mut text = String::new();
        flate2::read::MultiGzDecoder::new(&bytes[..]).read_to_string(&mut text).unwrap();
        return text;
    }
    String::from_utf8_lossy(&bytes).replace("&#39;", "'").replace("&quot;", "\"")
}

/// Which canaries are in which files; the note that somebody withdrew may have the label.
fn sightings(place: &Workspace, folders: &[&str], canaries: &[String]) -> Vec<String> {
    let mut files = Vec::new();
    folders.iter().for_each(|folder| all(&place.path(folder), &mut files));
    let noted = |path: &&PathBuf| !path.ends_with("sourcedata/withdrawals.tsv");
    let mut seen = Vec::new();
    for path in files.iter().filter(noted) {
        let text = path.display().to_string() + "\n" + &read(path);
        let here = canaries.iter().filter(|canary| text.contains(*canary));
        seen.extend(here.map(|canary| format!("{canary} in {}", path.display())));
    }
    seen
}

/// Everything that the manual says can be computed from a dataset, in the dataset.
fn compute(place: &Workspace) {
    for command in [
        "analyze d --first-taps 1",
        "report d",
        "gather d d/derivatives/gathered",
        "export d --to d/derivatives/export",
        "export d --to d/derivatives/columns --as parquet",
        "export d --to d/derivatives/notes --as midi",
        "export d --to d/derivatives/book --as xlsx",
    ] {
        let said = place.run(command);
        assert_eq!(said.code, Some(0), "{command}: {said:?}");
    }
    let of_one = "d/sub-01/beh/sub-01_task-short_run-01_events.tsv";
    assert_eq!(place.run(&format!("report {of_one} --to d/one.html")).code, Some(0));
    assert_eq!(place.run(&format!("analyze {of_one} --to d/derivatives/one")).code, Some(0));
}

/// Where the files of a participant hide.
fn hide(place: &Workspace) {
    let (people, beh) = (place.path("d/participants.tsv"), place.path("d/sub-01/beh"));
    // A program that was killed while it replaced the table, and one that was in an analysis.
    fs::copy(&people, place.path("d/chronotap-4194999-2.part")).unwrap();
    let taps = place.path("d/derivatives/chronotap/desc-taps_beh.tsv");
    fs::copy(&taps, place.path("d/derivatives/chronotap/chronotap-1-7.part")).unwrap();
    fs::copy(&people, place.path("d/derivatives/of-us.tsv")).unwrap();
    // The same file under another name, a copy, and a link to it.
    let events = beh.join("sub-01_task-short_run-01_events.tsv");
    fs::hard_link(&events, place.path("d/derivatives/linked.tsv")).unwrap();
    fs::copy(&events, place.path("d/derivatives/copied.txt")).unwrap();
    symlink("../sub-01/beh", place.path("d/derivatives/latest")).unwrap();
    // The disk refused: the trial went to a spare folder, once to the usual one.
    for spare in ["spare", "state/chronotap"] {
        fs::create_dir_all(place.path(spare)).unwrap();
        for end in ["tsv", "json"] {
            let name = format!("sub-01_task-short_run-01_events.{end}");
            fs::copy(beh.join(&name), place.path(spare).join(&name)).unwrap();
        }
    }
}

#[test]
fn of_who_withdraws_nothing_is_left_wherever_it_was_computed_or_hidden() {
    let place = studied();
    session(&place, "01", ANSWER, " --pilot");
    session(&place, "02", "nothing", " --spare-data spare"); // complete already: only the folder is told
    compute(&place);
    let canaries = canaries(&place);
    hide(&place);
    let folders = ["d", "d-pilot", "spare", "state"];
    let before = sightings(&place, &folders, &canaries);
    for canary in &canaries {
        assert!(before.iter().any(|seen| seen.starts_with(canary)), "{canary} in {before:#?}");
    }
    // A trial that was killed there: only somebody who knows can say whose it is.
    let killed = place.file("spare/sub-01_task-short_run-09.journal", "chronotap");
    let said = place.run("withdraw d --participant 01 --yes");
    assert_eq!(said.code, Some(0), "{said:?}");
    let told = said.out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(told.contains("spare/sub-01_task-short_run-09.journal: a trial of"), "{said:?}");
    fs::remove_file(killed).unwrap();
    let seen = sightings(&place, &folders, &canaries);
    assert_eq!(seen, Vec::<String>::new(), "{said:?}");
    for told in
        ["copies of this dataset", "derivatives/chronotap: analyzed again", "report.html: removed"]
    {
        assert!(said.out.contains(told), "{told}: {said:?}");
    }
    let verified = place.run("verify d");
    assert_eq!(verified.code, Some(0), "{verified:?}");
    assert_eq!(place.run("verify d-pilot").code, Some(0));
    // Of the other participant all is there, also what was computed.
    let taps = fs::read_to_string(place.path("d/derivatives/chronotap/desc-taps_beh.tsv")).unwrap();
    assert!(taps.lines().count() > 2, "{taps}");
    let record = fs::read_to_string(place.path("d/derivatives/chronotap/analysis.json")).unwrap();
    assert!(record.contains("first taps 1") && record.contains("sub-02"), "{record}");
    for kept in
        ["export/sub-02/beh/sub-02_task-short_beh.csv", "export/participants.csv", "of-us.tsv"]
    {
        assert!(place.path(&format!("d/derivatives/{kept}")).exists(), "{kept}");
    }
    let again = place.run("withdraw d --participant 01 --yes");
    assert_eq!(again.code, Some(0), "{again:?}");
    assert!(again.out.contains("participant 01: 0 files removed"), "{again:?}");
}

/// How often a withdrawal is killed: more on demand.
fn kills() -> i64 {
    std::env::var("CHRONOTAP_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(12)
}

/// Every operation of the dataset's own disk fails in `visit/tests/withdrawn_midway.rs`; here the
/// program is killed wherever it is, also while an analysis is made anew.
#[test]
fn a_withdrawal_killed_at_any_moment_leaves_nothing_when_the_same_command_is_given_again() {
    let place = studied();
    compute(&place);
    let canaries = canaries(&place);
    hide(&place);
    fs::rename(place.path("d"), place.path("whole")).unwrap();
    let copied = || {
        let _ = fs::remove_dir_all(place.path("d"));
        let mut copy = Command::new("cp");
        let copied = copy.args(["-a", "whole", "d"]).current_dir(place.path(".")).status();
        assert!(copied.unwrap().success());
    };
    let withdraw = "withdraw d --participant 01 --yes";
    copied();
    let began = MonotonicClock::raw();
    assert_eq!(place.run(withdraw).code, Some(0));
    let whole = (MonotonicClock::raw() - began).0 / 1_000_000;
    let mut seen_half_done = 0;
    for kill in 0..kills() {
        copied();
        let mut running = start(place.chronotap(withdraw.split(' ')));
        pause(whole * (2 * kill + 1) / (2 * kills()));
        if !running.has_ended() {
            running.signal(Signal::KILL);
        }
        running.wait();
        let mut left = sightings(&place, &["d"], &canaries);
        left.retain(|seen| !seen.ends_with("sourcedata/sub-01.lock")); // the last to go; it holds nothing
        if !left.is_empty() && place.path("d/sourcedata/withdrawals.tsv").exists() {
            seen_half_done += 1;
            assert_eq!(place.run("verify d").code, Some(1), "kill {kill}: {left:?}");
        }
        let said = place.run(withdraw);
        assert_eq!(said.code, Some(0), "kill {kill}: {said:?}");
        let seen = sightings(&place, &["d"], &canaries);
        assert_eq!(seen, Vec::<String>::new(), "kill {kill}: {said:?}");
        let verified = place.run("verify d");
        assert_eq!(verified.code, Some(0), "kill {kill}: {verified:?}");
        let record = place.path("d/derivatives/chronotap/analysis.json");
        assert!(fs::read_to_string(record).unwrap().contains("sub-02"), "kill {kill}");
    }
    assert!(seen_half_done > 0, "no kill came in the middle");
}

#[test]
fn who_withdrew_and_came_back_into_any_file_is_found_by_verify_and_removed_again() {
    let place = studied();
    compute(&place);
    assert_eq!(place.run("backup d copy").code, Some(0));
    assert_eq!(place.run("withdraw d --participant 01 --yes").code, Some(0));
    assert_eq!(place.run("verify d").code, Some(0));
    for name in [
        "participants.tsv",
        "derivatives/chronotap/desc-taps_beh.parquet",
        "derivatives/chronotap/desc-conditions_beh.tsv",
        "derivatives/chronotap/report.html",
        "derivatives/export/participants.csv",
        "sub-01/sub-01_scans.tsv",
        "sourcedata/sub-01/sub-01_task-short_journal.jsonl",
        "derivatives/notes/sub-01/beh/sub-01_task-short_run-01_events.mid",
    ] {
        let (from, to) = (place.path("copy").join(name), place.path("d").join(name));
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(from, &to).unwrap();
        let verified = place.run("verify d");
        assert_eq!(verified.code, Some(1), "{name}: {verified:?}");
        let out = verified.out.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(out.contains("01, who withdrew"), "{name}: {verified:?}");
        assert_eq!(place.run("withdraw d --participant 01 --yes").code, Some(0), "{name}");
        let verified = place.run("verify d");
        assert_eq!(verified.code, Some(0), "{name}: {verified:?}");
    }
    place.file("d/notes.txt", "sub-01 was tired");
    assert_eq!(place.run("verify d").code, Some(1));
    let said = place.run("withdraw d --participant 01 --yes");
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.out.contains("notes.txt: names them"), "{said:?}");
}

#[test]
fn data_behind_a_link_or_under_another_name_are_named_and_never_said_to_be_gone() {
    let place = studied();
    let (beh, elsewhere) = (place.path("d/sub-01/beh"), place.path("elsewhere"));
    fs::rename(&beh, &elsewhere).unwrap();
    symlink(&elsewhere, &beh).unwrap();
    let said = place.run("withdraw d --participant 01 --yes");
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.err.contains("sub-01/beh: it is a link to"), "{said:?}");
    assert!(place.path("d/sub-01/sub-01_scans.tsv").exists() && elsewhere.exists());
    fs::remove_file(&beh).unwrap();
    fs::rename(&elsewhere, &beh).unwrap();
    let events = beh.join("sub-01_task-short_run-01_events.tsv");
    fs::hard_link(&events, place.path("outside.tsv")).unwrap();
    let said = place.run("withdraw d --participant 01 --yes");
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.out.contains("run-01_events.tsv: has another name outside"), "{said:?}");
    assert!(!place.path("d/sub-01").exists());
}

#[test]
fn who_withdrew_and_whose_data_are_kept_is_in_no_table_report_or_export() {
    let place = studied();
    compute(&place);
    assert_eq!(place.run("withdraw d --participant 01 --keep --yes").code, Some(0));
    assert_eq!(place.run("verify d").code, Some(0));
    let canaries = canaries(&place);
    let left_out = "1 participant withdrew and is left out";
    for (command, made) in [
        ("analyze d", "d/derivatives/chronotap"),
        ("report d", "d/derivatives/chronotap"),
        ("gather d gathered", "gathered"),
        ("export d --to exported", "exported"),
        ("export d --to columns --as parquet", "columns"),
        ("export d --to notes --as midi", "notes"),
    ] {
        let said = place.run(command);
        assert_eq!(said.code, Some(0), "{command}: {said:?}");
        assert!(said.out.contains(left_out), "{command}: {said:?}");
        assert_eq!(sightings(&place, &[made], &canaries), Vec::<String>::new(), "{command}");
    }
    let one = "d/sub-01/beh/sub-01_task-short_run-01_events.tsv";
    for command in [format!("analyze {one} --to one"), format!("export {one} --to one")] {
        let said = place.run(&command);
        assert_eq!(said.code, Some(2), "{command}: {said:?}");
        assert!(said.err.contains("withdrew"), "{command}: {said:?}");
    }
    assert!(place.path(one).exists());
}

#[test]
fn an_analysis_of_somebody_who_alone_took_part_is_removed_and_that_is_said() {
    let place = Workspace::of(PROGRAM);
    place.file("study.toml", STUDY);
    place.file("trial.toml", SHORT_TRIAL);
    session(&place, "01", ANSWER, "");
    assert_eq!(place.run("analyze d").code, Some(0));
    let said = place.run("withdraw d --participant 01 --yes");
    assert!(said.out.contains("the analysis is removed, for"), "{said:?}");
    assert!(!place.path("d/derivatives/chronotap/analysis.json").exists());
    assert_eq!(place.run("verify d").code, Some(0));
}

#[test]
fn a_design_whose_levels_read_like_labels_stays_when_somebody_withdraws() {
    let place = Workspace::of(PROGRAM);
    let study = STUDY.replace("[participant]", "conditions = \"list.tsv\"\n[participant]");
    place
        .file("study.toml", study.replace("repetitions = 2", "repetitions = 1\nshuffle = \"all\""));
    place.file("trial.toml", SHORT_TRIAL);
    place.file("list.tsv", "participant\tpair\n01\t3\n02\t4\n");
    assert_eq!(place.run("simulate study.toml --data d --participants 2").code, Some(0));
    assert_eq!(place.run("withdraw d --participant 01 --yes").code, Some(0));
    let verified = place.run("verify d");
    assert_eq!(verified.code, Some(0), "{verified:?}");
}

#[test]
fn verify_names_added_rows_changed_tables_of_an_analysis_and_events_outside() {
    let place = studied();
    assert_eq!(place.run("analyze d").code, Some(0));
    assert_eq!(place.run("verify d").code, Some(0));
    let changed = |name: &str, from: &str, to: &str, told: &str| {
        let path = place.path("d").join(name);
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{text}");
        fs::write(&path, text.replacen(from, to, 1)).unwrap();
        let verified = place.run("verify d");
        assert_eq!(verified.code, Some(1), "{name}: {verified:?}");
        assert!(verified.out.contains(told), "{name}: {verified:?}");
        fs::write(&path, text).unwrap();
    };
    let row = "sub-02\t";
    changed("participants.tsv", row, "sub-99\t1\tx\nsub-02\t", "sub-99: has a row, and no session");
    changed("participants.tsv", row, "sub-01\t0\tx\nsub-02\t", "sub-01: has more than one row");
    let folder = "derivatives/chronotap";
    for table in ["taps", "trials", "conditions"] {
        let name = format!("{folder}/desc-{table}_beh.tsv");
        changed(&name, "\t", "\t1", "changed since it was written");
    }
    let table = "sub-01/beh/sub-01_task-short_beh.tsv";
    changed(table, "\tsub-01/", "\t../sub-01/", "which lies outside of");
    let events = place.path("d/sub-01/beh/sub-01_task-short_run-01_events.tsv");
    fs::rename(&events, place.path("moved.tsv")).unwrap();
    symlink(place.path("moved.tsv"), &events).unwrap();
    let verified = place.run("verify d");
    assert!(verified.out.contains("run-01_events.tsv: lies outside"), "{verified:?}");
    let text = fs::read_to_string(place.path("d").join(table)).unwrap();
    fs::write(place.path("d").join(table), text.replacen("\tsub-01/", "\t../sub-01/", 1)).unwrap();
    let said = place.run("analyze d");
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.err.contains("is outside of the dataset"), "{said:?}");
}

#[test]
fn a_folder_of_a_user_is_in_nothing_that_is_shared() {
    let place = Workspace::of(PROGRAM);
    place.file("study.toml", STUDY);
    place.file("trial.toml", SHORT_TRIAL);
    let home = place.path("anna");
    fs::create_dir_all(&home).unwrap();
    let run = |args: &[&str]| {
        let mut command = place.chronotap(args.iter().copied());
        start({
            command.env("HOME", &home);
            command
        })
        .wait()
    };
    let (study, data) = (place.path("study.toml"), home.join("d"));
    let data = data.to_str().unwrap();
    let session = ["run", study.to_str().unwrap(), "--participant", "01", "--data", data];
    let more = ["--simulate", "tapper", "--ordinary", ANY_LATENESS, "--answer", "remark=x"];
    assert!(run(&[&session[..], &more[..]].concat()).out.contains("trial 2 of 2"));
    let gathered = home.join("g");
    for command in [
        vec!["analyze", data],
        vec!["report", data],
        vec!["gather", data, gathered.to_str().unwrap()],
    ] {
        let said = run(&command);
        assert_eq!(said.code, Some(0), "{said:?}");
    }
    let mut files = Vec::new();
    all(&home, &mut files);
    for path in files.iter().filter(|path| path.is_file()) {
        assert!(!read(path).contains(home.to_str().unwrap()), "{}", path.display());
    }
}

#[test]
fn a_report_does_not_say_in_whose_folder_music_lay() {
    let place = Workspace::of(PROGRAM);
    let home = place.path("anna");
    fs::create_dir_all(&home).unwrap();
    // As long as it is silent: 1 s at 8,000 Hz, of one byte.
    let head = b"RIFF\x64\x1f\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x40\x1f\0\0\x01\0\x08\0data\x40\x1f\0\0";
    fs::write(home.join("song.wav"), [&head[..], &[128; 8_000]].concat()).unwrap();
    let trial = "title = \"Song\"\n[pacing.song]\naudio = \"song.wav\"\nbeats_from = \"beats.tsv\"\n\
                 [[when]]\ntime = \"600 ms\"\nend = true\n";
    fs::write(home.join("trial.toml"), trial).unwrap();
    fs::write(home.join("study.toml"), STUDY).unwrap();
    fs::write(home.join("beats.tsv"), "onset\n0.2\n0.4\n").unwrap();
    for line in ["simulate anna/study.toml --participants 1 --data d --quiet", "report d"] {
        let words: Vec<&str> = line.split(' ').collect();
        let mut command = place.chronotap(words);
        let said = start({
            command.env("HOME", &home);
            command
        })
        .wait();
        assert!(said.code.is_some_and(|code| code < 2), "{said:?}");
    }
    let page = fs::read_to_string(place.path("d/derivatives/chronotap/report.html")).unwrap();
    assert!(page.contains("song.wav") && page.contains("~"), "the trial file is shown");
    assert!(!page.contains(home.to_str().unwrap()));
}

/// A pack reads everything, then works it out again, which takes a while. Whoever withdraws in between is in no
/// pack: it is refused, and nothing of it is left.
#[test]
fn who_withdraws_while_a_pack_is_made_is_in_no_pack() {
    let place = studied();
    session(&place, "03", "nothing", "");
    let canaries = canaries(&place);
    assert_eq!(place.run("pack d --output before.zip").code, Some(0));
    fs::remove_file(place.path("before.zip")).unwrap();

    let staged = || {
        let mut files = Vec::new();
        all(&place.path(""), &mut files);
        let of_the_pack = |path: &&PathBuf| !path.starts_with(place.path("d"));
        files.iter().filter(of_the_pack).any(|path| path.ends_with("sub-01"))
    };
    let mut packing = start(place.chronotap(["pack", "d", "--output", "made.zip"]));
    wait_until("data of participant 01 lie beside the pack", staged);
    packing.signal(Signal::STOP);
    let mut leaving = start(place.chronotap(["withdraw", "d", "--participant", "01", "--yes"]));
    // While it reads it holds the dataset: it goes on by moments until the withdrawal is through.
    while !within(500, || leaving.has_ended()) {
        assert!(!packing.has_ended(), "it was not in the middle");
        packing.signal(Signal::CONT);
        pause(2);
        packing.signal(Signal::STOP);
    }
    let left = leaving.wait();
    assert_eq!(left.code, Some(0), "{left:?}");
    packing.signal(Signal::CONT);
    let said = packing.wait();
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(!place.path("made.zip").exists(), "{said:?}");
    assert_eq!(sightings(&place, &[""], &canaries), Vec::<String>::new());
    assert_eq!(place.run("pack d --output made.zip").code, Some(0), "the others can be packed");
    let pack = place.run("open made.zip --to opened");
    assert_eq!(pack.code, Some(0), "{pack:?}");
    assert_eq!(sightings(&place, &["opened"], &canaries), Vec::<String>::new());
}

/// Whether something comes to hold within so many milliseconds.
fn within(ms: u32, mut holds: impl FnMut() -> bool) -> bool {
    (0..ms).any(|_| {
        pause(1);
        holds()
    })
}

//! A study, or finished data, as one file that others open: what is in it, what is not, that the same input
//! gives the same bytes, that one changed digit is named, and that a hostile file harms nothing.

use chronotap_core::files::sha256;
use chronotap_design::PARADIGMS;
use chronotap_testkit::{left_to_all, pass_over};
use chronotap_testkit_cli::program::{ANY_LATENESS, Output, SHORT_TRIAL, Workspace, pause, start};
use rustix::process::Signal;
use serde_json::{Value, json};
use std::fs;
use std::io::{Cursor, Read};
use std::os::unix::fs::symlink;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

const PROGRAM: &str = env!("CARGO_BIN_EXE_chronotap");

const STUDY: &str = "\
title = \"Short\"
task = \"short\"
participants = 2
seed = 1
trial = \"trial.toml\"
[participant]
remark = { question = \"Anything?\" }
[question.why]
text = \"Why?\"
[outcome]
of = \"mean interval\"
[[step]]
name = \"main\"
repetitions = 2
gap = \"10 ms\"
ask = [\"why\"]
";

/// What a participant has answered about themselves, and about the trials.
const PERSON: &str = "canaryperson";
const OWN_WORDS: &str = "ownwords";

/// The folder of a study.
fn study() -> Workspace {
    let place = Workspace::of(PROGRAM);
    place.file("study.toml", STUDY);
    place.file("trial.toml", SHORT_TRIAL);
    place
}

/// The same with the data of two participants in `d`.
fn studied() -> Workspace {
    let place = study();
    for label in ["01", "02"] {
        let said = place.run(&format!(
            "run study.toml --participant {label} --data d --simulate tapper --ordinary {ANY_LATENESS} \
             --answer remark={PERSON}{label} --answer why={OWN_WORDS}"
        ));
        assert!(said.out.contains("The session is complete"), "{said:?}");
    }
    place
}

fn passed(place: &Workspace, args: &str) -> Output {
    let said = place.run(args);
    assert_eq!(said.code, Some(0), "{args}: {said:?}");
    said
}

/// The files of a pack in their order.
fn files_of(pack: &Path) -> Vec<(String, Vec<u8>)> {
    let mut archive = zip::ZipArchive::new(Cursor::new(fs::read(pack).unwrap())).unwrap();
    let mut files = Vec::new();
    for place in 0..archive.len() {
        let mut file = archive.by_index(place).unwrap();
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).unwrap();
        files.push((file.name().unwrap().into_owned(), bytes));
    }
    files
}

/// Everything in a folder that is no test file, to see that nothing came or went.
fn names(folder: &Path) -> Vec<PathBuf> {
    let mut names: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    names.sort();
    names
}

/// An entry of an archive that is built by hand.
#[derive(Clone)]
struct Entry {
    name: Vec<u8>,
    data: Vec<u8>,
    mode: u32,
    /// The length that its headers state; its own where `None`.
    stated: Option<u32>,
    method: u16,
}

impl Entry {
    fn of(name: impl Into<Vec<u8>>, data: impl Into<Vec<u8>>) -> Entry {
        Entry { name: name.into(), data: data.into(), mode: 0o100_644, stated: None, method: 0 }
    }
}

/// A ZIP archive (PKWARE APPNOTE 4.3) of files as they are.
fn archive(entries: &[Entry]) -> Vec<u8> {
    let (mut out, mut central) = (Vec::new(), Vec::new());
    for Entry { name, data, mode, stated, method } in entries {
        let start = out.len() as u32;
        let mut sum = flate2::Crc::new();
        sum.update(data);
        let mut common = Vec::new();
        common.extend(20_u16.to_le_bytes()); // version needed
        common.extend(0x800_u16.to_le_bytes()); // names are UTF-8
        common.extend(method.to_le_bytes());
        common.extend([0, 0, 0x21, 0]); // midnight of 1980-01-01
        common.extend(sum.sum().to_le_bytes());
        common.extend((data.len() as u32).to_le_bytes());
        common.extend(stated.unwrap_or(data.len() as u32).to_le_bytes());
        common.extend((name.len() as u16).to_le_bytes());
        common.extend([0, 0]); // no further fields
        out.extend(b"PK\x03\x04");
        out.extend(&common);
        out.extend(name);
        out.extend(data);
        central.extend(b"PK\x01\x02");
        central.extend([20, 3]); // made by Unix
        central.extend(&common);
        central.extend([0; 6]); // no comment, first disk, no attributes of MS-DOS
        central.extend((mode << 16).to_le_bytes());
        central.extend(start.to_le_bytes());
        central.extend(name);
    }
    let (at, length) = (out.len() as u32, central.len() as u32);
    out.extend(central);
    out.extend(b"PK\x05\x06\0\0\0\0");
    out.extend((entries.len() as u16).to_le_bytes());
    out.extend((entries.len() as u16).to_le_bytes());
    out.extend(length.to_le_bytes());
    out.extend(at.to_le_bytes());
    out.extend([0, 0]);
    out
}

/// A manifest that lists these files.
fn listing(files: &[(String, Vec<u8>)], manifest: &[u8]) -> Vec<u8> {
    let mut manifest: Value = serde_json::from_slice(manifest).unwrap();
    let sums = files
        .iter()
        .map(|(name, data)| (name.clone(), json!({ "bytes": data.len(), "sha256": sha256(data) })));
    manifest["files"] = Value::Object(sums.collect());
    serde_json::to_vec(&manifest).unwrap()
}

/// A pack with one file changed, and the manifest so that it does not show.
fn forged(pack: &Path, name: &str, change: impl Fn(&str) -> String) -> Vec<u8> {
    let mut files = files_of(pack);
    let (_, manifest) = files.remove(0);
    let file = files.iter_mut().find(|(of, _)| of == name);
    let file = &mut file.unwrap_or_else(|| panic!("no {name}")).1;
    let before = String::from_utf8(file.clone()).unwrap();
    *file = change(&before).into_bytes();
    assert_ne!(before.as_bytes(), &file[..], "nothing is changed");
    let manifest = listing(&files, &manifest);
    let all = std::iter::once(("manifest.json".to_owned(), manifest)).chain(files);
    archive(&all.map(|(name, data)| Entry::of(name, data)).collect::<Vec<_>>())
}

/// The text with the last digit of this column of the first row another, and both cells.
fn other_digit(text: &str, column: &str) -> (String, String, String) {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let place = lines[0].split('\t').position(|name| name == column).unwrap();
    let mut cells: Vec<String> = lines[1].split('\t').map(str::to_owned).collect();
    let before = cells[place].clone();
    let digit = before.chars().next_back().unwrap().to_digit(10).unwrap();
    let after = format!("{}{}", &before[..before.len() - 1], (digit + 1) % 10);
    cells[place].clone_from(&after);
    lines[1] = cells.join("\t");
    (lines.join("\n") + "\n", before, after)
}

#[test]
fn a_study_is_opened_elsewhere_and_is_the_same_there() {
    let (here, there) = (study(), Workspace::of(PROGRAM));
    let said = passed(&here, "pack study.toml --output p.zip");
    assert!(said.out.contains("Short: the study, ") && said.out.ends_with("p.zip\n"), "{said:?}");
    fs::copy(here.path("p.zip"), there.path("q.zip")).unwrap();
    let said = passed(&there, "open q.zip");
    assert!(
        said.out.contains("2 participants rehearsed") && said.out.contains("\nthe same\n"),
        "{said:?}"
    );
    assert!(said.out.contains("input pad: no device of this machine has this name"), "{said:?}");
    assert_eq!(fs::read_to_string(there.path("q/study/study.toml")).unwrap(), STUDY);
    assert!(there.path("q/plans/sub-01_task-short_plan.json").is_file());
    let page = fs::read_to_string(there.path("q/effect.html")).unwrap();
    assert!(page.contains("rehearsal") && page.contains("<svg"), "{page}");
    assert_eq!(files_of(&here.path("p.zip"))[0].0, "manifest.json");
}

/// The user with the fewest rights.
const NOBODY: u32 = 65_534;

/// Makes a folder and a file in it those of another user, where this one may.
fn given_away(paths: &[PathBuf]) -> bool {
    let is_root = rustix::process::geteuid().is_root();
    for path in paths.iter().filter(|_| is_root) {
        std::os::unix::fs::chown(path, Some(NOBODY), Some(NOBODY)).unwrap();
    }
    is_root
}

/// Runs the program that lies in a folder open to all, in another folder.
fn by_another_user(program: &Workspace, there: &Workspace, args: &[&str]) -> Output {
    let mut command = Command::new(program.path("chronotap"));
    command.current_dir(there.path("")).env("XDG_STATE_HOME", there.path("state")).args(args);
    command.uid(NOBODY).gid(NOBODY);
    start(command).wait()
}

#[test]
fn every_ready_made_study_is_packed_and_is_the_same_under_another_root_and_user() {
    let mut another = true;
    let program = Workspace::open_to_all(PROGRAM);
    for paradigm in PARADIGMS {
        let (here, there) = (Workspace::of(PROGRAM), Workspace::of(PROGRAM));
        passed(&here, &format!("new {} s", paradigm.name));
        let study = format!("s/{}", paradigm.files[0].0);
        passed(&here, &format!("pack {study} --output p.zip --participants 1 --quiet"));
        fs::create_dir_all(there.path("a/b")).unwrap();
        fs::copy(here.path("p.zip"), there.path("a/b/p.zip")).unwrap();
        another &= given_away(&["", "a", "a/b", "a/b/p.zip"].map(|path| there.path(path)));
        let opened = ["open", "a/b/p.zip", "--to", "a/b/o"];
        let said = match another {
            true => by_another_user(&program, &there, &opened),
            false => there.run(&opened.join(" ")),
        };
        let the_same = said.code == Some(0) && said.out.contains("\nthe same\n");
        assert!(the_same, "{}: {said:?}", paradigm.name);
        let table = "rehearsal/desc-conditions_beh.tsv";
        let made = fs::read(there.path("a/b/o").join(table)).unwrap();
        let packed = files_of(&here.path("p.zip")).into_iter().find(|(name, _)| name == table);
        assert!(packed.unwrap().1 == made, "{}: {table}", paradigm.name);
    }
    if !another {
        pass_over("the right to become another user");
    }
}

/// A study with the title of a ready-made one, so that what was published of that one is shown beside it.
const READY: &str = "\
title = \"Synchronization with a metronome at three tempi\"
task = \"known\"
participants = 4
seed = 1
trial = \"trial.toml\"
[factor]
tempo = [\"600 ms\", \"750 ms\"]
[between]
group = [\"young\", \"old\"]
[set]
pacing.metronome.interval = { factor = \"tempo\" }
[outcome]
of = \"mean asynchrony\"
over = \"tempo\"
[[step]]
name = \"main\"
shuffle = \"all\"
";
/// Who taps without any noise: at 600 ms the young 20 ms and the old 10 ms early, at 750 ms 4 ms more.
const KNOWN: &[&str] = &[
    "--simulate",
    "steady,mean=-20 ms",
    "--difference",
    "group old: mean + 10 ms",
    "--difference",
    "tempo 750 ms: mean - 4 ms",
];

fn said_by(place: &Workspace, args: &[&str]) -> String {
    let said = start(place.chronotap(args.iter().copied())).wait();
    assert_eq!(said.code, Some(0), "{args:?}: {said:?}");
    unbroken(&said.out)
}

/// The mean of four values with its 95 % interval: 3.182446 is Student's t of three degrees of freedom.
fn of_four(values: &[f64; 4]) -> String {
    let mean = values.iter().sum::<f64>() / 4.0;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let half = 3.182_446 * (squares / 3.0 / 4.0).sqrt();
    format!("{mean:.2} [{:.2}, {:.2}]", mean - half, mean + half)
}

/// Published: by the table of what is expected. These data: by hand; the mean of -20 and -10 ms, and 12.7062 (Student's
/// t of one degree of freedom) standard errors of 5 ms. The rehearsal: from the tables of the same people simulated
/// into files.
#[test]
fn published_rehearsed_and_found_are_the_numbers_that_are_known_of_each() {
    let place = Workspace::of(PROGRAM);
    place.file("study.toml", READY);
    place.file("trial.toml", SHORT_TRIAL.replace("beat = 8", "beat = 12"));
    let simulated = ["simulate", "study.toml", "--quiet", "--participants"];
    said_by(&place, &[&simulated[..], &["2", "--data", "d"], KNOWN].concat());
    said_by(&place, &["pack", "d", "--output", "d.zip", "--quiet"]);
    let said = said_by(&place, &["open", "d.zip", "--to", "o"]);
    said_by(&place, &[&simulated[..], &["4", "--data", "r"]].concat());
    passed(&place, "analyze r");
    let table = "derivatives/chronotap/desc-outcome_beh.tsv";
    let table = fs::read_to_string(place.path("r").join(table)).unwrap();
    let at_600 = table.lines().filter(|row| row.contains("\t600 ms\t"));
    let values = at_600.map(|row| row.split('\t').nth(2).unwrap().parse().unwrap());
    let values: [f64; 4] = values.collect::<Vec<_>>().try_into().unwrap();
    let line = format!(
        "mean asynchrony: tempo 600 ms (ms): published -40.10 [-47.80, -32.40]; rehearsal, 4 simulated people {}; \
         these data, 2 people -15.00 [-78.53, 48.53]",
        of_four(&values)
    );
    assert!(said.contains(&line), "{line}: {said}");
    let own = "mean asynchrony: tempo 750 ms less 600 ms (ms): rehearsal, 4 simulated people";
    assert!(said.contains(own), "{said}");
    // Both differ by the same, which tells nothing of how far others would.
    assert!(said.contains("these data, 2 people -4.00"), "{said}");
    assert!(!said.contains("-4.00 ["), "{said}");
    let svg = "figures/effect_mean-asynchrony-tempo-600-ms.svg";
    let drawn = fs::read_to_string(place.path("o").join(svg)).unwrap();
    assert!(drawn.contains("-15.00 [-78.53, 48.53]") && drawn.matches("<circle").count() == 3);
    said_by(&place, &["open", "d.zip", "--to", "again"]);
    let made = |folder: &str| -> Vec<Vec<u8>> {
        let figures = names(&place.path(folder).join("figures"));
        assert_eq!(figures.len(), 4, "{figures:?}");
        let page = place.path(folder).join("effect.html");
        figures.iter().chain([&page]).map(|path| fs::read(path).unwrap()).collect()
    };
    assert!(made("o") == made("again"), "the same bytes twice");
}

#[test]
fn finished_data_are_a_dataset_again_and_every_number_of_them_follows() {
    let (here, there) = (studied(), Workspace::of(PROGRAM));
    let said = passed(&here, "pack d --output p.zip");
    assert!(
        said.out.contains("2 participants, 2 sessions, 4 trials; timing failed in 0"),
        "{said:?}"
    );
    assert!(said.out.contains("(remark); --with-persons packs it"), "{said:?}");
    assert!(said.out.contains("in people's own words: why ("), "{said:?}");
    fs::copy(here.path("p.zip"), there.path("p.zip")).unwrap();
    let said = passed(&there, "open p.zip");
    assert!(
        said.out.contains("4 trials replayed") && said.out.contains("\nthe same\n"),
        "{said:?}"
    );
    assert!(said.out.contains("input pad: was simulated"), "{said:?}");
    let page = fs::read_to_string(there.path("p/effect.html")).unwrap();
    assert!(page.contains("rehearsal") && page.contains("these data"), "{page}");
    let verified = passed(&there, "verify p/dataset");
    assert!(verified.out.contains("everything is as it was written"), "{verified:?}");
}

#[test]
fn nothing_that_was_asked_about_persons_is_packed_unless_it_is_wanted() {
    let place = studied();
    passed(&place, "pack d --output p.zip --quiet");
    for (name, bytes) in files_of(&place.path("p.zip")) {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        assert!(!text.contains(PERSON), "{name} has an answer about a person");
        let journal = name.ends_with("_journal.jsonl");
        assert!(!journal || text.contains(OWN_WORDS), "{name} lacks the answers about trials");
        // Nor a checksum by which an answer could be tried out.
        let journal = fs::read(place.path("d/sourcedata/sub-01/sub-01_task-short_journal.jsonl"));
        assert!(
            !text.contains(&sha256(&journal.unwrap())),
            "{name} has a checksum of the original"
        );
    }
    let said = passed(&place, "pack d --output all.zip --with-persons");
    assert!(!said.out.contains("left out"), "{said:?}");
    let people = files_of(&place.path("all.zip"));
    let people = people.into_iter().find(|(name, _)| name == "dataset/participants.tsv").unwrap().1;
    assert!(String::from_utf8(people).unwrap().contains(&format!("{PERSON}02")));
    assert!(passed(&place, "open all.zip").out.contains("\nthe same\n"));
}

#[test]
fn a_pack_that_denies_its_answers_about_persons_is_told() {
    let place = studied();
    passed(&place, "pack d --output all.zip --with-persons --quiet");
    let mut files = files_of(&place.path("all.zip"));
    let manifest = String::from_utf8(files.remove(0).1).unwrap();
    let denied = manifest.replace("\"persons\": true", "\"persons\": false");
    assert_ne!(denied, manifest);
    files.insert(0, ("manifest.json".into(), denied.into_bytes()));
    let entries: Vec<Entry> = files.into_iter().map(|(name, data)| Entry::of(name, data)).collect();
    fs::write(place.path("denied.zip"), archive(&entries)).unwrap();
    let said = place.run("open denied.zip");
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(unbroken(&said.out).contains("persons"), "{said:?}");
}

#[test]
fn nothing_of_anybody_who_withdrew_is_packed_also_if_the_data_were_kept() {
    let place = studied();
    passed(&place, "analyze d");
    passed(&place, "withdraw d --participant 01 --keep --yes");
    let said = passed(&place, "pack d --output p.zip");
    assert!(said.out.contains("left out: 1 participant, who withdrew"), "{said:?}");
    for (name, bytes) in files_of(&place.path("p.zip")) {
        let text = name + "\n" + &String::from_utf8_lossy(&bytes);
        for canary in ["sub-01", "withdrawals", "\"participant\": \"01\""] {
            assert!(!text.contains(canary), "{canary} in {text}");
        }
    }
    assert!(passed(&place, "open p.zip").out.contains("1 participant, 1 session, 2 trials"));
    place.file("d/README.md", "sub-01 was tired.\n");
    let said = place.run("pack d --output q.zip");
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.err.contains("d/README.md: tells of participant 01, who withdrew"), "{said:?}");
    assert!(!place.path("q.zip").exists());
}

#[test]
fn files_that_are_somebody_s_own_stay_and_are_named() {
    let place = studied();
    place.file("d/notes.txt", "mine");
    place.file("d/sub-01/beh/pulse.csv", "mine");
    let said = passed(&place, "pack d --output p.zip");
    assert!(said.out.contains("left out: 2 other files in the dataset (notes.txt, "), "{said:?}");
    assert!(files_of(&place.path("p.zip")).iter().all(|(_, bytes)| bytes != b"mine"));
    fs::remove_file(place.path("d/sub-01/beh/pulse.csv")).unwrap();
    let table = place.path("d/sub-01/sub-01_scans.tsv");
    fs::rename(&table, place.path("elsewhere.tsv")).unwrap();
    symlink(place.path("elsewhere.tsv"), &table).unwrap();
    let said = place.run("pack d --output q.zip");
    assert!(said.code == Some(2) && said.err.contains("lies outside of the folder"), "{said:?}");
}

/// A copy of a folder whose files are made in the order of their names turned round.
fn copied(from: &Path, to: &Path) {
    fs::create_dir(to).unwrap();
    for path in names(from).into_iter().rev() {
        let to = to.join(path.file_name().unwrap());
        match path.is_dir() {
            true => copied(&path, &to),
            false => fs::write(&to, fs::read(&path).unwrap()).unwrap(),
        }
    }
}

/// The program under another umask, home, time zone and language.
fn elsewhere(place: &Workspace, args: &str) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("umask 000; exec {PROGRAM} {args}")]).current_dir(place.path(""));
    command.env("TZ", "Pacific/Chatham").env("HOME", "/d").env("LANG", "de_DE.UTF-8");
    command
}

#[test]
fn the_same_input_gives_the_same_bytes_wherever_and_by_whom_it_is_packed() {
    let (here, there) = (studied(), Workspace::of(PROGRAM));
    fs::create_dir(there.path("x")).unwrap();
    copied(&here.path("d"), &there.path("x/data"));
    for file in ["study.toml", "trial.toml"] {
        fs::copy(here.path(file), there.path("x").join(file)).unwrap();
    }
    passed(&here, "pack d --output d.zip --quiet");
    passed(&here, "pack study.toml --output s.zip --quiet");
    for (args, pack) in [("x/data", "d.zip"), ("x/study.toml", "s.zip")] {
        let said = start(elsewhere(&there, &format!("pack {args} --output {pack}"))).wait();
        assert_eq!(said.code, Some(0), "{said:?}");
        assert!(
            fs::read(here.path(pack)).unwrap() == fs::read(there.path(pack)).unwrap(),
            "{pack}"
        );
    }
}

#[test]
fn another_user_opens_a_pack_and_finds_the_same() {
    let (place, there) = (studied(), Workspace::of(PROGRAM));
    passed(&place, "pack d --output p.zip --quiet");
    fs::copy(place.path("p.zip"), there.path("p.zip")).unwrap();
    if !given_away(&[there.path(""), there.path("p.zip")]) {
        return pass_over("the right to become another user");
    }
    let program = Workspace::open_to_all(PROGRAM);
    let said = by_another_user(&program, &there, &["open", "p.zip"]);
    assert!(said.code == Some(0) && said.out.contains("\nthe same\n"), "{said:?}");
    let again = ["pack", "p/dataset", "--output", "again.zip", "--quiet"];
    let said = by_another_user(&program, &there, &again);
    assert_eq!(said.code, Some(0), "{said:?}");
    let [first, again] = ["p.zip", "again.zip"].map(|name| fs::read(there.path(name)).unwrap());
    assert!(first == again, "what was opened gives the same bytes");
}

#[test]
fn one_changed_digit_of_any_table_is_named_with_both_values() {
    let place = studied();
    passed(&place, "pack d --output p.zip --quiet");
    let derived = "dataset/derivatives/chronotap/desc";
    let beh = "dataset/sub-02/beh/sub-02_task-short_beh.tsv";
    for (table, column) in [
        (format!("{derived}-trials_beh.tsv"), "mean_interval_ms"),
        (format!("{derived}-conditions_beh.tsv"), "mean_interval_ms"),
        (format!("{derived}-outcome_beh.tsv"), "outcome"),
        (format!("{derived}-taps_beh.tsv"), "onset_ns"),
        (beh.to_owned(), "mean_interval_ms"),
        ("dataset/participants.tsv".to_owned(), "k"),
    ] {
        let text = files_of(&place.path("p.zip")).into_iter().find(|(name, _)| *name == table);
        let text = String::from_utf8(text.unwrap_or_else(|| panic!("no {table}")).1).unwrap();
        let (changed, before, after) = other_digit(&text, column);
        place.file("f.zip", forged(&place.path("p.zip"), &table, |_| changed.clone()));
        let said = place.run("open f.zip --to f");
        let line = format!("{table}: row 1, {column}: packed {after}, computed {before}");
        assert!(said.code == Some(1) && unbroken(&said.out).contains(&line), "{line}: {said:?}");
        fs::remove_dir_all(place.path("f")).unwrap();
    }
}

/// What is said, in one line.
fn unbroken(said: &str) -> String {
    said.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn one_changed_digit_of_the_data_is_named_by_its_file() {
    let place = studied();
    passed(&place, "pack d --output p.zip --quiet");
    let events = "dataset/sub-01/beh/sub-01_task-short_run-01_events.tsv";
    let later = |text: &str| other_digit(text, "onset").0;
    let journal = "dataset/sourcedata/sub-01/sub-01_task-short_journal.jsonl";
    let seed = |text: &str| text.replacen("\"seed\":", "\"seed\":1", 1);
    for (name, forged) in [
        (events, forged(&place.path("p.zip"), events, later)),
        (journal, forged(&place.path("p.zip"), journal, seed)),
    ] {
        place.file("f.zip", forged);
        let said = place.run("open f.zip --to f");
        let named = name.strip_prefix("dataset/").unwrap();
        assert!(said.code == Some(1) && said.out.contains(named), "{name}: {said:?}");
        assert!(!said.out.contains(".part"), "no folder that is gone is named: {said:?}");
        fs::remove_dir_all(place.path("f")).unwrap();
    }
}

#[test]
fn a_file_that_is_not_the_one_of_the_manifest_is_named() {
    let place = study();
    passed(&place, "pack study.toml --output p.zip --quiet");
    let mut files = files_of(&place.path("p.zip"));
    let plan =
        files.iter_mut().find(|(name, _)| name == "plans/sub-01_task-short_plan.tsv").unwrap();
    plan.1 = String::from_utf8(plan.1.clone()).unwrap().replacen("main", "mian", 1).into_bytes();
    let entries: Vec<Entry> = files.into_iter().map(|(name, data)| Entry::of(name, data)).collect();
    place.file("f.zip", archive(&entries));
    let said = place.run("open f.zip");
    assert_eq!(said.code, Some(1), "{said:?}");
    let plan = "plans/sub-01_task-short_plan.tsv";
    for line in [
        format!("{plan}: not the file that was packed"),
        format!("{plan}: row 1, step: packed mian, computed main"),
    ] {
        assert!(unbroken(&said.out).contains(&line), "{line}: {said:?}");
    }
}

#[test]
fn tables_of_the_dataset_that_say_something_else_are_not_packed() {
    let place = studied();
    passed(&place, "analyze d");
    passed(&place, "pack d --output p.zip --quiet");
    let table = place.path("d/derivatives/chronotap/desc-conditions_beh.tsv");
    let (changed, ..) = other_digit(&fs::read_to_string(&table).unwrap(), "mean_interval_ms");
    fs::write(&table, changed).unwrap();
    let said = place.run("pack d --output q.zip");
    assert!(said.code == Some(2) && said.err.contains("row 1, mean_interval_ms: "), "{said:?}");
    assert!(!place.path("q.zip").exists());
}

#[test]
fn a_pack_is_asked_for_as_it_was_sent_before_anything_else() {
    let place = study();
    fs::create_dir(place.path("p")).unwrap();
    place.file("tapping.zip", "sent");
    for (typed, said) in [
        ("open p", "p: it is a folder; give the file that was sent, without unpacking it"),
        ("open tapping", "tapping: there is no such file; did you mean \"tapping.zip\"?"),
        ("open elsewhere/other.zip", "elsewhere/other.zip: there is no such file; check the path"),
    ] {
        let found = place.run(typed);
        assert!(found.code == Some(2) && found.err.contains(said), "{found:?}");
    }
}

#[test]
fn nothing_that_exists_is_replaced() {
    let place = study();
    place.file("there.zip", "mine");
    fs::create_dir(place.path("there")).unwrap();
    let said = place.run("pack study.toml --output there.zip");
    assert!(said.code == Some(2) && said.err.contains("there.zip: is there already"), "{said:?}");
    assert_eq!(fs::read_to_string(place.path("there.zip")).unwrap(), "mine");
    passed(&place, "pack study.toml --output p.zip --quiet");
    let before = names(&place.path(""));
    let said = place.run("open p.zip --to there");
    assert!(said.code == Some(2) && said.err.contains("there: is there already"), "{said:?}");
    assert_eq!(names(&place.path("")), before);
    let said = place.run("pack d --output q.zip");
    assert!(said.code == Some(2) && said.err.contains("neither an experiment file nor a dataset"));
}

#[test]
fn a_study_that_names_files_elsewhere_is_not_packed() {
    let place = study();
    fs::create_dir(place.path("in")).unwrap();
    place.file("in/study.toml", STUDY.replace("trial.toml", "../trial.toml"));
    let said = place.run("pack in/study.toml --output p.zip");
    assert!(said.code == Some(2) && said.err.contains("lies outside of the folder"), "{said:?}");
    assert!(!place.path("p.zip").exists());
}

/// What a study names elsewhere is there and in order, so that reading it would be seen.
#[test]
fn a_study_in_a_pack_that_names_files_elsewhere_is_refused_and_they_are_not_read() {
    let (place, there) = (study(), Workspace::of(PROGRAM));
    passed(&place, "pack study.toml --output p.zip --quiet");
    let pack = place.path("p.zip");
    there.file("trial.toml", SHORT_TRIAL);
    there.file("beats.tsv", "0.5\n1.0\n1.5\n2.0\n");
    let other_trial = |name: String| move |text: &str| text.replace("trial.toml", &name);
    let here = there.path("trial.toml").display().to_string();
    let trial = SHORT_TRIAL.replace("beat = 8", "beat.metronome = 8");
    let stream = |lines: &str| format!("{trial}\n[pacing.song]\n{lines}\n");
    let beats = stream("beats_from = \"../../beats.tsv\"");
    let sound = stream("audio = \"/etc/shadow\"");
    let held = stream("audio = \"s.wav\"") + "[file.\"s.wav\"]\npath = \"/etc/shadow\"\n";
    let set = "[set]\npacing.song.beats_from = \"own.tsv\"\n[[step]]";
    place.file("own.tsv", "0.5\n1.0\n1.5\n2.0\n");
    place.file("song.toml", stream("beats_from = \"own.tsv\""));
    let setting = STUDY.replace("[[step]]", set).replace("trial.toml", "song.toml");
    place.file("setting.toml", setting);
    passed(&place, "pack setting.toml --output s.zip --quiet");
    let elsewhere = |text: &str| text.replace("own.tsv", "../../beats.tsv");
    let mut files = files_of(&pack);
    let manifest = String::from_utf8(files.remove(0).1).unwrap();
    let other =
        manifest.replace("\"experiment\": \"study.toml\"", "\"experiment\": \"../../s.toml\"");
    assert_ne!(manifest, other);
    there.file("s.toml", STUDY);
    let other = [("manifest.json".to_owned(), other.into_bytes())].into_iter().chain(files);
    let other = archive(&other.map(|(name, data)| Entry::of(name, data)).collect::<Vec<_>>());
    for (what, bytes, why) in [
        (
            "above",
            forged(&pack, "study/study.toml", other_trial("../../trial.toml".into())),
            "lies outside",
        ),
        ("absolute", forged(&pack, "study/study.toml", other_trial(here)), "lies outside"),
        (
            "secret",
            forged(&pack, "study/study.toml", other_trial("/etc/shadow".into())),
            "lies outside",
        ),
        ("beats", forged(&pack, "study/trial.toml", |_| beats.clone()), "lies outside"),
        ("sound", forged(&pack, "study/trial.toml", |_| sound.clone()), "lies outside"),
        ("held", forged(&pack, "study/trial.toml", |_| held.clone()), "lies outside"),
        ("set", forged(&place.path("s.zip"), "study/setting.toml", elsewhere), "was not found"),
        ("manifest", other, "lies outside"),
    ] {
        there.file("f.zip", bytes);
        let before = names(&there.path(""));
        let said = there.run("open f.zip --to f");
        assert!(said.code == Some(2) && unbroken(&said.err).contains(why), "{what}: {said:?}");
        assert_eq!(names(&there.path("")), before, "{what}");
    }
}

#[test]
fn a_list_of_checksums_in_a_pack_that_names_files_elsewhere_is_told_and_they_are_not_read() {
    let place = studied();
    passed(&place, "pack d --output p.zip --quiet");
    let list = "dataset/sourcedata/sub-01/sub-01_task-short_checksums.sha256";
    let secret = place.path("study.toml").display().to_string();
    let sum = "0".repeat(64);
    let more = |text: &str| format!("{text}{sum}  {secret}\n{sum}  ../../study.toml\n");
    place.file("f.zip", forged(&place.path("p.zip"), list, more));
    let said = place.run("open f.zip --to f");
    let told = unbroken(&said.out);
    for path in [&*secret, "../../study.toml"] {
        assert!(told.contains(&format!("{path}: lies outside of the dataset")), "{path}: {said:?}");
    }
    assert!(said.code == Some(1) && !told.contains("changed since it was written"), "{said:?}");
}

#[test]
fn sound_files_are_packed_with_a_study_and_named_of_a_dataset() {
    let place = Workspace::of(PROGRAM);
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    for end in ["toml", "tsv", "wav"] {
        let name = format!("beat_alignment.{end}");
        place.file(&name, fs::read(examples.join(&name)).unwrap());
    }
    place.file(
        "study.toml",
        "trial = \"beat_alignment.toml\"\ntask = \"b\"\nseed = 1\n[[step]]\nname = \"main\"\n",
    );
    passed(&place, "pack study.toml --output p.zip --participants 1 --quiet");
    let sound = files_of(&place.path("p.zip")).into_iter();
    let sound =
        sound.filter(|(name, _)| name == "study/beat_alignment.wav").map(|(_, bytes)| bytes);
    assert_eq!(sound.collect::<Vec<_>>(), [fs::read(place.path("beat_alignment.wav")).unwrap()]);
    passed(&place, "open p.zip");
    passed(&place, "simulate study.toml --participants 1 --data d --quiet");
    let said = passed(&place, "pack d --output d.zip");
    let line = "left out: sound files that trials played (beat_alignment.wav); where they lay";
    assert!(unbroken(&said.out).contains(line), "{said:?}");
}

#[test]
fn ctrl_c_ends_what_would_take_hours_and_leaves_nothing() {
    let place = study();
    passed(&place, "pack study.toml --output p.zip --quiet");
    let mut files = files_of(&place.path("p.zip"));
    let mut manifest: Value = serde_json::from_slice(&files[0].1).unwrap();
    manifest["study"]["participants"] = json!(100_000);
    files[0].1 = serde_json::to_vec(&manifest).unwrap();
    let entries: Vec<Entry> = files.into_iter().map(|(name, data)| Entry::of(name, data)).collect();
    place.file("f.zip", archive(&entries));
    let before = names(&place.path(""));
    let running = start(place.chronotap(["open", "f.zip"]));
    while names(&place.path("")).len() < before.len() + 2 {
        pause(5); // until what is unpacked and what is worked out again have their folders
    }
    running.signal(Signal::INT);
    let said = running.wait();
    assert!(said.code == Some(2) && said.err.contains("interrupted; nothing is left"), "{said:?}");
    assert_eq!(names(&place.path("")), before);
}

#[test]
fn hostile_packs_are_refused_and_leave_nothing() {
    let place = study();
    passed(&place, "pack study.toml --output p.zip --quiet");
    let files = files_of(&place.path("p.zip"));
    let manifest = || Entry::of("manifest.json", files[0].1.clone());
    let with = |more: Entry| vec![manifest(), more];
    let entry = |name: &str| Entry::of(name, "x");
    let of_kind = |mode| Entry { mode, ..Entry::of("study/l", "/etc/passwd") };
    let all: Vec<Entry> =
        files.iter().map(|(name, data)| Entry::of(name.clone(), data.clone())).collect();
    let good = archive(&all);
    let without = archive(&all[..all.len() - 1]);
    let unlisted = archive(&[&all[..], &[entry("study/more")]].concat());
    let bomb = Entry { stated: Some(u32::MAX - 1), ..Entry::of("study/b", "x") };
    let many: Vec<Entry> = (0..20)
        .map(|n| Entry {
            name: format!("study/{n}").into(),
            ..Entry { stated: bomb.stated, ..entry("") }
        })
        .collect();
    let cases: Vec<(&str, Vec<u8>, &str)> = vec![
        ("absolute", archive(&with(entry("/tmp/owned"))), "may lead out"),
        ("above", archive(&with(entry("study/../../owned"))), "may lead out"),
        ("backslash", archive(&with(entry("study\\..\\owned"))), "U+005C"),
        ("drive", archive(&with(entry("C:owned"))), "U+003A"),
        ("folder", archive(&with(entry("study/"))), "may lead out"),
        ("link", archive(&with(of_kind(0o120_777))), "a link, folder or device"),
        ("device", archive(&with(of_kind(0o020_666))), "a link, folder or device"),
        ("pipe", archive(&with(of_kind(0o010_666))), "a link, folder or device"),
        (
            "twice",
            archive(&[manifest(), entry("study/a"), entry("study/a")]),
            "two files have this name",
        ),
        (
            "case",
            archive(&[manifest(), entry("study/a"), entry("study/A")]),
            "cannot stand in one folder",
        ),
        (
            "file and folder",
            archive(&[manifest(), entry("study/a"), entry("study/a/b")]),
            "cannot stand in one",
        ),
        ("no text", archive(&with(Entry::of(b"study/\xff\xfe".to_vec(), "x"))), "not UTF-8"),
        ("escape", archive(&with(entry("study/\u{1b}]0;owned\u{7}"))), "U+001B"),
        ("turned", archive(&with(entry("study/\u{202e}lmth"))), "U+202E"),
        ("huge", archive(&[vec![manifest(), bomb], many].concat()), "may hold"),
        ("method", archive(&with(Entry { method: 99, ..entry("study/m") })), "packed in a way"),
        ("unlisted", unlisted, "\"study/more\": not in the manifest"),
        ("missing", without, "in the manifest, and not there"),
        ("no manifest", archive(&[entry("study/a")]), "no pack"),
        ("another manifest", archive(&[Entry::of("manifest.json", "{}")]), "manifest.json is none"),
        (
            "newer",
            archive(&[Entry::of(
                "manifest.json",
                r#"{"format":"chronotap-pack","version":2,"program":"chronotap 9"}"#,
            )]),
            "newer than this program",
        ),
        ("empty", Vec::new(), "not a whole ZIP archive"),
        ("no archive", b"hello".to_vec(), "not a whole ZIP archive"),
        ("half", good[..good.len() / 2].to_vec(), "not a whole ZIP archive"),
        ("cut", good[..good.len() - 5].to_vec(), "not a whole ZIP archive"),
        ("flipped", flipped(&good), "not a whole ZIP archive"),
    ];
    for (what, bytes, why) in cases {
        place.file("h.zip", bytes);
        let before = names(&place.path(""));
        let said = place.run("open h.zip --to h");
        assert!(said.code == Some(2) && said.err.contains(why), "{what}: {said:?}");
        assert!(!said.err.contains(['\u{1b}', '\u{7}', '\u{202e}']), "{what}: {said:?}");
        assert_eq!(names(&place.path("")), before, "{what}");
    }
    assert!(!Path::new("/tmp/owned").exists());
    place.file("h.zip", good);
    assert_eq!(place.run("open h.zip --to h").code, Some(0));
}

/// Versions before packed such names; where they do no harm the pack is opened as any other.
#[test]
fn a_pack_of_an_earlier_version_with_a_name_that_windows_keeps_is_opened_here() {
    let (place, there) = (study(), Workspace::of(PROGRAM));
    passed(&place, "pack study.toml --output p.zip --quiet");
    let mut files = files_of(&place.path("p.zip"));
    let manifest = files.remove(0).1;
    for (name, data) in &mut files {
        let text = String::from_utf8(data.clone()).unwrap();
        *name = name.replace("trial.toml", "aux.toml");
        *data = text.replace("trial.toml", "aux.toml").into_bytes();
    }
    files.sort();
    let manifest = listing(&files, &manifest);
    let all = std::iter::once(("manifest.json".to_owned(), manifest)).chain(files);
    let entries: Vec<Entry> = all.map(|(name, data)| Entry::of(name, data)).collect();
    there.file("old.zip", archive(&entries));
    let said = passed(&there, "open old.zip");
    let remark =
        "\"study/aux.toml\": this name is that of a device on Windows, so that nobody can open";
    assert!(unbroken(&said.err).contains(remark) && said.out.contains("the same"), "{said:?}");
    let again = there.run("pack old/study/study.toml --output new.zip");
    assert!(again.code == Some(2) && again.err.contains("rename the file"), "{again:?}");
}

/// One bit of the last file's bytes is another.
fn flipped(good: &[u8]) -> Vec<u8> {
    let mut bytes = good.to_vec();
    let central = bytes.windows(4).position(|four| four == b"PK\x01\x02").unwrap();
    bytes[central - 3] ^= 1;
    bytes
}

#[test]
fn a_bomb_is_refused_before_anything_of_it_is_written() {
    if left_to_all() {
        return;
    }
    let place = study();
    passed(&place, "pack study.toml --output p.zip --quiet");
    let (_, manifest) = files_of(&place.path("p.zip")).remove(0);
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    let zeros = vec![0; 300 << 20];
    let files = [("study/zeros".to_owned(), zeros)];
    writer.start_file("manifest.json", options).unwrap();
    std::io::Write::write_all(&mut writer, &listing(&files, &manifest)).unwrap();
    writer.start_file("study/zeros", options).unwrap();
    std::io::Write::write_all(&mut writer, &files[0].1).unwrap();
    let bytes = writer.finish().unwrap().into_inner();
    assert!(bytes.len() < 1 << 20, "{} bytes are no bomb", bytes.len());
    place.file("h.zip", bytes);
    let said = place.run("open h.zip");
    assert!(said.code == Some(2) && said.err.contains("may hold"), "{said:?}");
    assert!(!place.path("h").exists());
}

#[test]
fn a_device_that_differs_from_this_machine_s_is_named() {
    let place = studied();
    passed(&place, "pack d --output p.zip --quiet");
    let mut files = files_of(&place.path("p.zip"));
    // As if the trials had been tapped on a pad: what they say counts, and not what the manifest claims.
    for (_, data) in files.iter_mut().filter(|(name, _)| name.ends_with("_events.json")) {
        let text = String::from_utf8(std::mem::take(data)).unwrap();
        let text = text.replace("\"wire:unthrottled\"", "\"wire\"");
        *data = text.replace("\"wire\"", "\"raw:/dev/snd/midiC7D0\"").into_bytes();
    }
    let entries: Vec<Entry> = files.into_iter().map(|(name, data)| Entry::of(name, data)).collect();
    place.file("f.zip", archive(&entries));
    place.file("machine.toml", "[input]\npad = \"raw:/dev/snd/midiC8D0\"\n");
    let said = place.run("open f.zip --machine machine.toml");
    let line = "input pad: differs: was raw:/dev/snd/midiC7D0, here raw:/dev/snd/midiC8D0";
    assert!(unbroken(&said.out).contains(line), "{said:?}");
    assert!(unbroken(&said.out).contains("manifest.json: devices: packed"), "{said:?}");
}

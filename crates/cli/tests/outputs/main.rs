//! Every output of the program as text, in `kept/`: help, explanations, JSON, tables, reports, written files and exit
//! statuses of all commands, examples, ready-made studies, mistakes, damaged files and older recordings. A change of
//! the program shows there as a difference, and is reviewed as one: `make accept` makes all of them anew.
//!
//! What is run stands in `list.rs`, and what is wrong on purpose in `mistakes.txt`. What differs from run to run
//! (places, moments, the version, the machine) has a word in its place (`words.rs`). Nothing is run in real time, and
//! no device is opened.
//!
//! `CHRONOTAP=FILE` in the environment tries that program, `CHRONOTAP_MOST_S` gives each command other than 120 s.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod damage;
mod list;
mod place;
mod shorten;
mod words;

use chronotap_kept as kept;
use chronotap_testkit::left_to_all;
use place::{Place, names};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread::{available_parallelism, scope};

/// Outputs, each by the name of its file.
type Outputs = Vec<(String, String)>;

#[test]
fn help_of_every_command() {
    each("help", [String::new()], |place, _| {
        help_of(place, "");
        place.run(list::HELP);
    });
}

/// The help of a command, short and long, and of each command that it lists.
fn help_of(place: &mut Place, command: &str) {
    let name = format!("chronotap{}", command.replace(' ', "-"));
    place.output(&name, &[format!("{command} -h"), format!("{command} --help")]);
    let help = place.chronotap(&format!("{command} --help"));
    let help = String::from_utf8(help.stdout).unwrap();
    let head = |line: &str| line.starts_with("Commands"); // of each group
    let listed = help.lines().skip_while(|line| !head(line));
    let listed = listed.take_while(|line| line.is_empty() || line.starts_with(' ') || head(line));
    let named = listed.filter(|line| line.starts_with("  ") && !line[2..].starts_with(' '));
    for below in
        named.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help")
    {
        help_of(place, &format!("{command} {below}"));
    }
}

#[test]
fn examples() {
    let files = names(&root("examples"));
    let trials =
        files.into_iter().filter(|file| file.ends_with(".toml") || file.ends_with(".ftap"));
    each("examples", trials, |place, file| {
        let name = file.split_once('.').unwrap().0;
        put_examples(place);
        place.word("FILE", file);
        place.word("EVENTS", format!("d/{name}_run-01_events.tsv"));
        let performer = format!("performers/{name}.tsv");
        let performs = place.path(&performer).exists();
        place.word(
            "PERFORMER",
            if performs { format!("--performer {performer}") } else { String::new() },
        );
        place.run(list::EXAMPLE);
        place.run(list::RECORDING);
        if file.ends_with(".ftap") {
            place.run(list::FTAP);
        }
    });
}

#[test]
fn studies() {
    if left_to_all() {
        return;
    }
    let mut studies = names(&root("crates/design/paradigms"));
    studies.extend(["delay-study", "german-study"].map(str::to_owned));
    each("studies", studies, |place, study| {
        let example = root("examples").join(study);
        if example.is_dir() {
            place.put(example);
        } else {
            place.output("new", &[format!("new {study}")]);
        }
        place.word("FILE", format!("{study}/study.toml"));
        place.word("DATASET", "d");
        place.word("PEOPLE", if OF_TWO.contains(&study) { "2" } else { "1" });
        place.run(list::STUDY);
        place.run(list::DATASET);
        if let Some(levels) = levels(place, study) {
            place.word("LEVELS", levels);
            place.run(list::POWER);
        }
    });
}

/// Studies that are rehearsed with two people: of groups, of pairs, in two languages.
const OF_TWO: [&str; 4] = ["delay-study", "german-study", "joint-tapping", "anisochrony-detection"];

/// The first two levels of a study's first factor, as `power` takes them.
fn levels(place: &Place, study: &str) -> Option<String> {
    let plan = place.chronotap(&format!("plan {study}/study.toml --participant 1 --tsv"));
    let plan = String::from_utf8(plan.stdout).unwrap();
    let mut fifth = plan.lines().filter_map(|line| line.split('\t').nth(4));
    let factor = fifth.next().filter(|&name| name != "seed")?;
    let mut levels: Vec<&str> = Vec::new();
    for level in fifth.filter(|&level| level != "n/a") {
        if !levels.contains(&level) {
            levels.push(level);
        }
    }
    Some(format!("{factor} {} - {}", levels.first()?, levels.get(1)?))
}

/// The trial and experiment files that the manual shows, whole or in part.
#[test]
fn files_of_the_manual() {
    let pages = names(&root("docs")).into_iter().map(|page| format!("docs/{page}"));
    let pages = pages.filter(|page| page.ends_with(".md")).chain(["README.md".to_owned()]);
    each("manual", pages, |place, page| {
        put_examples(place);
        let text = fs::read_to_string(root(page)).unwrap();
        let name = Path::new(page).file_stem().unwrap().to_str().unwrap();
        for (number, part) in text.split("\n```toml").skip(1).enumerate() {
            let (_, toml) = part.split_once('\n').unwrap();
            let number = (number + 1).to_string();
            let file = format!("{name}-{number}");
            let toml = toml.split("\n```").next().unwrap().to_owned() + "\n";
            fs::write(place.path(&format!("{file}.toml")), toml).unwrap();
            place.output(&number, &[format!("check {file}.toml")]);
        }
    });
}

/// What is wrong on the command line, and files that are not there or of another kind.
#[test]
fn mistakes() {
    each("mistakes", [String::new()], |place, _| {
        put_examples(place);
        place.put_all_of(here("given"));
        fs::write(place.path("notes.txt"), "").unwrap();
        let list = fs::read_to_string(here("mistakes.txt")).unwrap();
        let lines = list.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        place.output("all", &lines.collect::<Vec<_>>());
    });
}

/// Recordings that are kept, of trials, of this version and of earlier ones.
#[test]
fn recordings() {
    let golden = names(&root("crates/data/tests/golden"));
    let golden =
        golden.iter().filter_map(|file| file.strip_suffix("_events.tsv")).map(str::to_owned);
    each("recordings", golden, |place, name| {
        for ends in ["tsv", "json"] {
            place.put(root("crates/data/tests/golden").join(format!("{name}_events.{ends}")));
        }
        place.word("EVENTS", format!("{name}_events.tsv"));
        place.run(list::RECORDING);
    });
}

#[test]
fn journals() {
    let journals = names(&root("fuzz/seeds/journal"));
    let journals =
        journals.iter().filter_map(|file| file.strip_suffix(".journal")).map(str::to_owned);
    each("journals", journals, |place, name| {
        place.put(root("fuzz/seeds/journal").join(format!("{name}.journal")));
        place.word("NAME", name);
        place.run(list::JOURNAL);
    });
}

/// A session that was run in real time.
#[test]
fn a_dataset() {
    each("dataset", [String::new()], |place, _| {
        place.put(here("given/dataset"));
        place.word("DATASET", "dataset");
        place.run(list::VERIFIED);
        place.run(list::DATASET);
        place.run(list::WITHDRAWN);
    });
}

/// Results of timing tests that the manual keeps, and those of other programs.
#[test]
fn timing() {
    each("timing", [String::new()], |place, _| {
        put_timing(place);
        place.run(list::COMPARED);
        let of = |fits: fn(&str) -> bool, command: fn(&str) -> Vec<String>| -> Vec<String> {
            names(&place.path(""))
                .iter()
                .filter(|file| fits(file))
                .flat_map(|file| command(file))
                .collect()
        };
        let measured = |file: &str| file.ends_with("all_run-01.json");
        let others = |file: &str| file.starts_with("cyclictest") || file.starts_with("rtla");
        let report = of(measured, |file| {
            vec![format!("timing report {file} --output {}.html", file.trim_end_matches(".json"))]
        });
        let doctor = of(measured, |file| vec![format!("doctor --facts {file}")]);
        let others = of(others, |file| {
            vec![
                format!("timing compare a={file} b=stock-6.1_wakeup_run-01.json"),
                format!("timing report {file} --output {file}.html"),
            ]
        });
        place.output("report", &report);
        place.output("others", &others);
        place.output("doctor", &doctor);
    });
}

fn put_timing(place: &Place) {
    place.put_all_of(root("crates/timing/tests/fixtures"));
    let kept = root("docs/stock-and-realtime");
    for file in names(&kept) {
        if let Some(name) = file.strip_suffix(".gz") {
            fs::write(place.path(name), unpacked(&kept.join(&file))).unwrap();
        }
    }
}

fn unpacked(path: &Path) -> Vec<u8> {
    let mut whole = Vec::new();
    let packed = fs::read(path).unwrap();
    std::io::copy(&mut flate2::read::GzDecoder::new(&*packed), &mut whole).unwrap();
    whole
}

/// Files that are damaged, always in the same ways: the exit status of every command, and the first line that it says.
/// What is looked for is a defect.
#[test]
fn damaged_files() {
    if left_to_all() {
        return;
    }
    let kinds = list::DAMAGED.iter().map(|(kind, _)| (*kind).to_owned());
    compare(
        "damaged",
        &in_threads(kinds.collect(), |place, kind| {
            put_examples(place);
            if ["sounds", "machines", "sessions", "events"].contains(&kind) {
                place.put_all_of(here("given"));
            }
            let (_, commands) = list::DAMAGED.iter().find(|(name, _)| *name == kind).unwrap();
            let mut table = format!(
                "# number, file: exit statuses of {}: what is said first\n",
                commands.join("; ")
            );
            for (numbers, files) in files_to_damage(place, kind) {
                let file = |number: u64| &files[number as usize % files.len()];
                table.extend(numbers.map(|number| damage(place, number, file(number), commands)));
            }
            vec![(kind.to_owned(), table)]
        }),
    );
}

/// The files that are damaged in turn, and how often; all that they need is there.
fn files_to_damage(
    place: &mut Place,
    kind: &str,
) -> Vec<(std::ops::RangeInclusive<u64>, Vec<String>)> {
    let here_with = |place: &Place, ends: &str| -> Vec<String> {
        names(&place.path("")).into_iter().filter(|name| name.ends_with(ends)).collect()
    };
    let one = |file: &str| vec![file.to_owned()];
    let count = match kind {
        "trials" => 70,
        "studies" => 60,
        "ftap" | "results" | "journals" | "events" | "sessions" => 20,
        _ => 10,
    };
    let files = match kind {
        "trials" => [here_with(place, ".toml"), seeds(place, "trial_file")].concat(),
        "studies" => studies_to_damage(place),
        "ftap" => [here_with(place, ".ftap"), seeds(place, "ftap_file")].concat(),
        "performers" => names(&place.path("performers"))
            .iter()
            .map(|name| format!("performers/{name}"))
            .collect(),
        "beats" => one("beat_alignment.tsv"),
        "conditions" => {
            place.chronotap("new small-latency");
            one("small-latency/latencies.tsv")
        }
        "sounds" => {
            place.put(root("fuzz/seeds/soundfont/tiny.sf2"));
            place.put(root("fuzz/seeds/wav/integers_16.wav"));
            one("sounds.toml")
        }
        "machines" => one("machine.toml"),
        "results" => {
            let results = seeds(place, "peer_results");
            let wakeup = unpacked(&root("docs/stock-and-realtime/stock-6.1_wakeup_run-01.json.gz"));
            fs::write(place.path("wakeup.json"), wakeup).unwrap();
            [results, one("wakeup.json")].concat()
        }
        "journals" => seeds(place, "journal"),
        "sessions" => below(&place.path("dataset"), "dataset"),
        "events" => {
            place.put_all_of(root("crates/data/tests/golden"));
            place.put_all_of(place.path("dataset/sub-01/beh"));
            let descriptions = here_with(place, "_events.json");
            return vec![(1..=20, here_with(place, "_events.tsv")), (21..=40, descriptions)];
        }
        _ => panic!("no files of {kind}"),
    };
    vec![(1..=count, files)]
}

/// The seeds of a parser's fuzzing, put there: their names.
fn seeds(place: &Place, parser: &str) -> Vec<String> {
    let folder = root("fuzz/seeds").join(parser);
    place.put_all_of(&folder);
    names(&folder)
}

fn studies_to_damage(place: &Place) -> Vec<String> {
    let mut studies = ["delay-study", "german-study"].map(str::to_owned).to_vec();
    for study in
        ["altered-feedback", "phase-shift", "anisochrony-detection", "joint-tapping", "music"]
    {
        place.chronotap(&format!("new {study}"));
        studies.push(study.to_owned());
    }
    let seeds = root("fuzz/seeds/experiment_file");
    for seed in names(&seeds) {
        let study = seed.trim_end_matches(".toml");
        place::copy(&root("examples/delay-study"), &place.path(study));
        fs::copy(seeds.join(&seed), place.path(study).join("study.toml")).unwrap();
        studies.push(study.to_owned());
    }
    studies.iter().map(|study| format!("{study}/study.toml")).collect()
}

/// The files in a folder and below it, but for what only people read.
fn below(folder: &Path, name: &str) -> Vec<String> {
    let names = if folder.is_dir() { names(folder) } else { Vec::new() };
    let found = names.into_iter().flat_map(|entry| {
        let (path, name) = (folder.join(&entry), format!("{name}/{entry}"));
        if path.is_dir() { below(&path, &name) } else { vec![name] }
    });
    found.filter(|name| !name.ends_with(".md")).collect()
}

/// A line for each damage: its number and file, the exit status of each command, the first line that is said.
fn damage(place: &mut Place, number: u64, file: &str, commands: &[&str]) -> String {
    let whole = fs::read(place.path(file)).unwrap();
    fs::write(place.path(file), damage::damaged(&whole, number)).unwrap();
    let stem = file.rsplit_once('.').unwrap().0;
    place.word("FILE", file);
    place.word("NAME", stem);
    place.word("TABLE", format!("{stem}.tsv"));
    if file.ends_with(".journal") {
        names(&place.path(""))
            .iter()
            .filter(|name| name.starts_with(&format!("{stem}_events")))
            .for_each(|name| fs::remove_file(place.path(name)).unwrap());
    }
    let tried: Vec<(i32, String)> =
        commands.iter().map(|command| place.first_line(command)).collect();
    fs::write(place.path(file), whole).unwrap();
    let statuses: Vec<String> = tried.iter().map(|(status, _)| status.to_string()).collect();
    let said = tried.into_iter().map(|(_, said)| said).find(|said| !said.is_empty());
    format!("{number:03} {file}: {}: {}\n", statuses.join(" "), said.unwrap_or_default())
}

/// Runs each item in a place of its own, and compares its outputs with what is kept of this kind.
fn each(
    kind: &str,
    items: impl IntoIterator<Item = String>,
    run: impl Fn(&mut Place, &str) + Sync,
) {
    let outputs = in_threads(items.into_iter().collect(), |place, item| {
        run(place, item);
        let folder = Path::new(item).file_stem().unwrap_or_default().to_str().unwrap().to_owned();
        let named = |(name, text)| {
            (if folder.is_empty() { name } else { format!("{folder}/{name}") }, text)
        };
        place.take_outputs().into_iter().map(named).collect()
    });
    compare(kind, &outputs);
}

fn in_threads(items: Vec<String>, run: impl Fn(&mut Place, &str) -> Outputs + Sync) -> Outputs {
    let (next, made) = (AtomicUsize::new(0), Mutex::new(Outputs::new()));
    scope(|threads| {
        for _ in 0..available_parallelism().unwrap().get() {
            threads.spawn(|| {
                while let Some(item) = items.get(next.fetch_add(1, Relaxed)) {
                    let outputs = run(&mut Place::new(), item);
                    made.lock().unwrap().extend(outputs);
                }
            });
        }
    });
    made.into_inner().unwrap()
}

/// Differences that are shown whole; of more the names say enough.
const SHOWN: usize = 10;

fn compare(kind: &str, outputs: &Outputs) {
    let folder = here("kept").join(kind);
    let path = |name: &str| folder.join(format!("{name}.txt"));
    let compared = |(name, text): &(String, String)| {
        Some((path(name), kept::file(&path(name), text).err()?.to_string()))
    };
    let mut differ: Vec<(PathBuf, String)> = outputs.iter().filter_map(compared).collect();
    let made: BTreeSet<PathBuf> = outputs.iter().map(|(name, _)| path(name)).collect();
    let known = below(&folder, "").into_iter().map(|name| folder.join(&name[1..]));
    for path in known.filter(|path| !made.contains(path)) {
        if kept::are_made_anew() {
            fs::remove_file(&path).unwrap();
        } else {
            differ.push((path, "\nnothing makes it any more\n".to_owned()));
        }
    }
    differ.sort();
    let shown: String =
        differ.iter().take(SHOWN).map(|(path, how)| format!("{}{how}", path.display())).collect();
    let named: String = differ
        .iter()
        .skip(SHOWN)
        .map(|(path, _)| format!("{} differs\n", path.display()))
        .collect();
    assert!(
        differ.is_empty(),
        "{shown}{named}{} of {} outputs differ",
        differ.len(),
        outputs.len()
    );
}

fn put_examples(place: &Place) {
    place.put_all_of(root("examples"));
    fs::remove_dir_all(place.path("expected")).unwrap();
}

fn root(path: impl AsRef<Path>) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

fn here(path: impl AsRef<Path>) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/outputs").join(path)
}

/// The program that is tried.
fn program() -> PathBuf {
    let other = std::env::var_os("CHRONOTAP").map(PathBuf::from);
    other
        .map_or_else(|| env!("CARGO_BIN_EXE_chronotap").into(), |path| path.canonicalize().unwrap())
}

/// How long a command may take, in seconds.
fn most_s() -> String {
    std::env::var("CHRONOTAP_MOST_S").unwrap_or_else(|_| "120".to_owned())
}

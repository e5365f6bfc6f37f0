//! A disk that runs full in mid-trial: a file system of two megabytes, most of it
//! taken. It is mounted in a name space of its own, so nothing is left of it; where
//! the system allows that to nobody here, the test says so and checks nothing.

use chronotap_audio::{Period, Process};
use chronotap_core::files::Refusal;
use chronotap_core::time::Nanos;
use chronotap_data::record::{Left, RecordError, read_events, read_journal};
use chronotap_engine::action::ActionKind;
use chronotap_linux::cards::{Card, CardRequest};
use chronotap_rig::recorder::{
    BesidesEntries, Notice, RecordedCard, Recorder, Sender, Watch, recover, sink,
};
use chronotap_testkit::pass_over;
use chronotap_testkit_data::tiny::{entry, footer, header, on, tiny};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The directory to mount on; set only for the child of a test.
const CHILD: &str = "CHRONOTAP_FULL_DISK";
/// Printed by a child that did its work.
const DONE: &str = "the full disk was tried";

/// Runs a test of this file again where it may mount.
fn on_a_small_disk(name: &str) -> Option<PathBuf> {
    if let Some(dir) = std::env::var_os(CHILD) {
        let small = ["-t", "tmpfs", "-o", "size=2M", "tmpfs"];
        assert!(Command::new("mount").args(small).arg(&dir).status().unwrap().success());
        return Some(PathBuf::from(dir));
    }
    let dir = tempfile::tempdir().unwrap();
    let run = |flags: &str| {
        let mut command = Command::new("unshare");
        command.arg(flags).arg(std::env::current_exe().unwrap());
        command
            .args([&*format!("full_disk::{name}"), "--exact", "--nocapture"])
            .env(CHILD, dir.path());
        command.output().map(|out| {
            let told = [out.stdout, out.stderr].concat();
            (out.status.success(), String::from_utf8_lossy(&told).into_owned())
        })
    };
    let may_mount = |flags| {
        let mut tried = Command::new("unshare");
        tried.args([flags, "mount", "-t", "tmpfs", "tmpfs"]).arg(dir.path());
        tried.output().is_ok_and(|out| out.status.success())
    };
    let Some(flags) = ["-m", "-rm"].into_iter().find(|flags| may_mount(flags)) else {
        pass_over("neither root nor a user name space may mount a small disk here");
        return None;
    };
    let (success, told) = run(flags).unwrap();
    assert!(success && told.contains(DONE), "{told}");
    None
}

/// Fills the disk but for a few pages.
fn ballast(dir: &Path) -> PathBuf {
    let path = dir.join("ballast");
    fs::write(&path, vec![1; 1_960_000]).unwrap();
    path
}

fn send(sender: &mut Sender, ids: std::ops::Range<u64>) {
    ids.for_each(|id| sender.push(entry(id, ActionKind::Pacing(0), (1, 0), (0, Some(0)), on(60))));
}

fn wait_until(mut holds: impl FnMut() -> bool) {
    while !holds() {
        std::thread::park_timeout(std::time::Duration::from_millis(5));
    }
}

/// What sinks were told last of the disk, where they were told since they were asked last.
fn told_last(watch: &Watch) -> Option<Option<Refusal>> {
    let told = std::iter::from_fn(|| watch.next(std::time::Duration::ZERO));
    let told = told.filter_map(|notice| match notice {
        Notice::Lost(losses) => Some(losses.disk),
        _ => None,
    });
    told.last()
}

#[test]
fn a_folder_that_is_removed_or_renamed_is_told_while_the_trial_runs_and_when_it_is_back() {
    let dir = tempfile::tempdir().unwrap();
    let (data, elsewhere) = (dir.path().join("data"), dir.path().join("elsewhere"));
    fs::create_dir(&data).unwrap();
    let (sink, watch) = sink(100);
    let mut around = BesidesEntries { sinks: vec![sink], ..BesidesEntries::default() };
    let begun = Recorder::start_with(&data, "gone", &header(), &mut around);
    let (mut sender, mut recorder) = begun.unwrap();
    sender.begin(Nanos::ZERO);
    send(&mut sender, 1..11);
    fs::rename(&data, &elsewhere).unwrap();
    wait_until(|| told_last(&watch) == Some(Some(Refusal::Gone)));
    fs::rename(&elsewhere, &data).unwrap();
    wait_until(|| told_last(&watch) == Some(None));
    fs::remove_dir_all(&data).unwrap();
    wait_until(|| told_last(&watch) == Some(Some(Refusal::Gone)));
    recorder.finish(footer()).unwrap(); // into the folder, made anew
    assert_eq!(recorder.moved().unwrap().refusal, Refusal::Gone);
}

#[test]
fn a_disk_that_was_full_for_a_while_costs_nothing() {
    let Some(dir) = on_a_small_disk("a_disk_that_was_full_for_a_while_costs_nothing") else {
        return;
    };
    let (sink, watch) = sink(10_000);
    let mut around = BesidesEntries { sinks: vec![sink], ..BesidesEntries::default() };
    let begun = Recorder::start_with(&dir, "full", &header(), &mut around);
    let (mut sender, mut recorder) = begun.unwrap();
    sender.begin(Nanos::ZERO);
    let ballast = ballast(&dir);
    send(&mut sender, 1..3001);
    wait_until(|| sender.trouble());
    wait_until(|| told_last(&watch) == Some(Some(Refusal::Full)));
    assert!(recorder.problem().unwrap().contains("space"), "{:?}", recorder.problem());
    assert!(!read_journal(recorder.journal()).unwrap().entries.is_empty(), "still readable");
    fs::remove_file(ballast).unwrap();
    wait_until(|| !sender.trouble());
    wait_until(|| told_last(&watch) == Some(None));
    send(&mut sender, 3001..4001);
    let saved = recorder.finish(footer()).unwrap();
    assert_eq!(read_events(&saved.tsv).unwrap().rows.len(), 4000);
    println!("{DONE}");
}

#[test]
fn a_disk_that_stays_full_is_told_and_nothing_already_written_is_lost() {
    let name = "a_disk_that_stays_full_is_told_and_nothing_already_written_is_lost";
    let Some(dir) = on_a_small_disk(name) else { return };
    let (mut sender, mut recorder) = Recorder::start(&dir, "full", &header()).unwrap();
    let path = recorder.journal().to_owned();
    let ballast = ballast(&dir);
    send(&mut sender, 1..3001);
    let refused = recorder.finish(footer()).unwrap_err();
    assert!(matches!(refused, RecordError::Journal { unwritten: 1.., .. }), "{refused:?}");
    let RecordError::Journal { source, left, .. } = refused else { panic!("{refused}") };
    assert_eq!((Refusal::of(&source), left), (Refusal::Full, Left::Journal(path.clone())));
    let kept = read_journal(&path).unwrap().entries.len();
    assert!(kept > 0);
    assert!(matches!(recover(&path), Err(RecordError::Events { .. })), "no room for two files");
    assert_eq!(read_journal(&path).unwrap().entries.len(), kept, "the journal stays");
    fs::remove_file(ballast).unwrap();
    drop(recorder); // the program ends; what is in memory now fits
    let saved = recover(&path).unwrap().saved;
    let recording = read_events(&saved.tsv).unwrap();
    assert_eq!((recording.rows.len(), recording.footer), (3000, footer()));
    println!("{DONE}");
}

#[test]
fn a_disk_that_runs_full_loses_callbacks_before_events() {
    let Some(dir) = on_a_small_disk("a_disk_that_runs_full_loses_callbacks_before_events") else {
        return;
    };
    let wanted = CardRequest { period_frames: Some(8), ..CardRequest::default() };
    let name = "virtual".parse().unwrap();
    let mut card = Card::open(&name, &wanted, |_, _| Box::new(Silence)).unwrap();
    let cards =
        vec![RecordedCard { outputs: Vec::new(), calls: Box::new(card.take_calls().unwrap()) }];
    let started = Recorder::start_with(
        &dir,
        "full",
        &header(),
        &mut BesidesEntries { cards, ..BesidesEntries::default() },
    );
    let (mut sender, mut recorder) = started.unwrap();
    let ballast = ballast(&dir);
    wait_until(|| recorder.problem().is_some());
    send(&mut sender, 1..101);
    wait_until(|| read_journal(recorder.journal()).unwrap().entries.len() == 100);
    drop(card);
    recorder.stop().unwrap();
    let lost = recorder.loads()[0].lost;
    assert!(lost > 0);
    fs::remove_file(ballast).unwrap();
    let saved = recorder.finish(footer()).unwrap();
    assert_eq!(read_events(&saved.tsv).unwrap().rows.len(), 100);
    let json = fs::read_to_string(dir.join("full_callbacks.json")).unwrap();
    assert!(json.contains(&format!("\"lost\": {lost},")), "{json}");
    assert!(json.contains("\"complete\": true"), "{json}");
    println!("{DONE}");
}

/// What the card plays.
struct Silence;

impl Process for Silence {
    fn process(&mut self, _: &mut Period<'_>) {}
}

#[test]
fn a_folder_that_was_removed_is_made_anew_where_no_other_takes_the_files() {
    let dir = tempfile::tempdir().unwrap();
    let (folder, file) = (dir.path().join("data"), dir.path().join("file"));
    fs::create_dir(&folder).unwrap();
    fs::write(&file, "in the way of a spare folder").unwrap();
    for spare in [vec![], vec![file]] {
        let around = &mut BesidesEntries { spare, ..BesidesEntries::default() };
        let (mut sender, mut recorder) =
            Recorder::start_with(&folder, "tiny", &header(), around).unwrap();
        tiny().into_iter().for_each(|entry| sender.push(entry));
        fs::remove_dir_all(&folder).unwrap();
        let saved = recorder.finish(footer()).unwrap();
        assert_eq!(saved.tsv, folder.join("tiny_events.tsv"));
        assert_eq!(read_events(&saved.tsv).unwrap().rows.len(), 14);
        assert_eq!(recorder.moved().unwrap().left, None);
        drop(recorder);
        fs::remove_file(&saved.tsv).unwrap();
        fs::remove_file(&saved.json).unwrap();
    }
}

//! One session, many trials: what stays open, what begins anew, and what is left behind.

use chronotap_config::trial_files::TrialFile;
use chronotap_core::time::Nanos;
use chronotap_data::record::{Flag, TrialType, free_name, read_events};
use chronotap_engine::action::ActionKind;
use chronotap_linux::clocks::DayClock;
use chronotap_linux::machine::Passing;
use chronotap_linux::realtime::{Interrupt, Request};
use chronotap_rig::laboratory::{Bindings, KeepData, PortNames, Rig, RigError, Side, TrialRun};
use chronotap_rig::recorder::{Notice, Sink, USUAL_ROOM, Watch, sink};
use chronotap_rig::runner::real_time::RealTimeSettings;
use chronotap_simulate::{Tapper, replay};
use chronotap_testkit_linux::terminal::terminal;
use chronotap_trial::TrialEnd;
use std::path::Path;
use std::time::Duration;

const NOBODY: Tapper = Tapper::Nobody;

fn file(text: &str) -> TrialFile {
    TrialFile::parse(text, "trial.toml").unwrap()
}

/// Two beats, then the end, within 30 ms.
fn short() -> TrialFile {
    file(
        "[pacing.metronome]\nstart = \"1 ms\"\ninterval = \"10 ms\"\nbeats = 2\n\
         tone = { note = 76, duration = \"1 ms\" }\n[[when]]\ntime = \"25 ms\"\nend = true\n",
    )
}

/// A trial that ends at its first instant.
fn empty() -> TrialFile {
    file("[[when]]\ntime = \"0 s\"\nend = true\n")
}

fn ordinary() -> RealTimeSettings {
    RealTimeSettings { request: Request::nothing(), spin: false, serve_every: None }
}

fn wires(inputs: &[&str], outputs: &[&str]) -> Bindings {
    Bindings::resolve(&PortNames::default(), inputs, outputs, Some("wire")).unwrap()
}

fn rig(bindings: Bindings) -> Rig {
    let interrupt = Interrupt::without_signals().unwrap();
    Rig::open(bindings, None, &ordinary(), interrupt).unwrap()
}

fn run<'a>(file: &'a TrialFile, tapper: &'a Tapper, keep: KeepData<'a>) -> TrialRun<'a> {
    TrialRun { file, seed: 1, tapper, limit: Some(Nanos::from_secs(60)), keep, sinks: &[] }
}

/// Services of a trial of 300 ms in which nothing happens, and how many of the times between them
/// were counted as long.
fn services(serve_every: Option<Nanos>) -> (u64, Option<u64>) {
    let silent = file("[[when]]\ntime = \"300 ms\"\nend = true\n");
    let settings = RealTimeSettings { serve_every, ..ordinary() };
    let interrupt = Interrupt::without_signals().unwrap();
    let mut rig = Rig::open(wires(&["input"], &["output"]), None, &settings, interrupt).unwrap();
    let finished = rig.run(&TrialRun::unkept(&silent, &NOBODY), |_| ()).unwrap();
    let services = finished.summary.services.unwrap();
    (services.n, services.over_1_ms)
}

#[test]
fn a_trial_is_served_as_often_as_asked_and_long_times_between_are_counted_then() {
    let (rarely, none) = services(None);
    let (often, some) = services(Some(Nanos::from_micros(490)));
    // Asleep it is served some four times, else 612 times on a machine that keeps up.
    assert!(often > 4 * rarely, "{often} and {rarely}");
    assert_eq!((none, some.is_some()), (None, true));
    assert!(some < Some(often));
}

#[test]
fn trials_with_other_inputs_and_outputs_run_on_one_session_and_each_replays() {
    let two_hands = file(
        "[input.left]\n[input.right]\n[feedback.low]\nfrom = { input = \"left\" }\n\
         output = \"booth\"\n[feedback.high]\nfrom = { input = \"right\" }\noutput = \"desk\"\n\
         [output.booth]\n[output.desk]\n[[when]]\ntime = \"40 ms\"\nend = true\n",
    );
    let right_alone = file(
        "[input.right]\n[output.desk]\n[feedback.high]\nduration = \"1 ms\"\n\
         [[when]]\ntap = 2\nend = true\n",
    );
    let mut rig = rig(wires(&["left", "right"], &["booth", "desk"]));
    let dir = tempfile::tempdir().unwrap();
    let presses = dir.path().join("presses.tsv");
    std::fs::write(
        &presses,
        "onset\tduration\tnote\tvelocity\n0.01\t0.001\t60\t90\n0.02\t0.001\t60\t90\n",
    )
    .unwrap();
    let tapper = Tapper::scripted(&presses, &right_alone.trial).unwrap();
    for (trial, tapper) in [(&two_hands, &NOBODY), (&right_alone, &tapper), (&two_hands, &NOBODY)] {
        let name = free_name(dir.path(), "trial").unwrap();
        let finished = rig.run(&run(trial, tapper, KeepData::Files(dir.path(), &name)), |_| {});
        let saved = finished.unwrap().saved.unwrap().unwrap();
        let recording = read_events(&saved.tsv).unwrap();
        let again = replay::run(trial.engine(1), &recording);
        let rows = chronotap_data::record::rows(&recording.header.names, &again);
        assert_eq!(chronotap_data::record::difference(&recording.rows, &rows), None);
        let ports: Vec<&str> = recording.header.ports.iter().map(|p| p.name.as_str()).collect();
        let all = ["left", "right", "booth", "desk"];
        let expected = if trial.trial.inputs.len() == 2 { &all[..] } else { &["right", "desk"] };
        assert_eq!(ports, expected);
    }
}

#[test]
fn a_trial_whose_input_the_session_does_not_have_is_refused_by_name() {
    let mut rig = rig(wires(&["pad"], &["output"]));
    let other = file("[input.left]\n[feedback.tone]\n[[when]]\ntime = \"1 s\"\nend = true\n");
    let refused = rig.run(&run(&other, &NOBODY, KeepData::Nothing), |_| {}).unwrap_err();
    assert!(matches!(&refused, RigError::Unknown { name } if name == "left"), "{refused}");
}

#[test]
fn a_simulated_participant_begins_anew_with_each_trial() {
    let trial = file(
        "[pacing.m]\nstart = \"5 ms\"\ninterval = \"10 ms\"\nbeats = 6\n[feedback.tone]\n\
         duration = \"1 ms\"\n[[when]]\ntime = \"90 ms\"\nend = true\n",
    );
    let (inputs, outputs) = (["input"], ["output"]);
    let bindings = wires(&inputs, &outputs);
    let mut rig = Rig::in_virtual_time(bindings, Nanos::from_secs(60)).unwrap();
    let tapper = Tapper::simulated("tapper", &trial).unwrap();
    let mut taps = || rig.run(&run(&trial, &tapper, KeepData::Nothing), |_| {}).unwrap().entries;
    let first = taps();
    assert_eq!(first, taps());
    assert!(first.iter().any(|entry| matches!(entry.action.kind, ActionKind::Tap(_))));
}

#[test]
fn a_request_to_end_ends_its_own_trial_and_neither_the_next_nor_one_of_another_session() {
    let (endless, trial) = (file("[pacing.m]\ninterval = \"10 ms\"\n"), short());
    let mut rig = rig(wires(&["input"], &["output"]));
    let mut other = self::rig(wires(&["input"], &["output"]));
    let (first, second) = (TrialEnd::default(), TrialEnd::default());
    let ask = |_| {
        first.request();
    };
    let ended = rig.run_until(&run(&endless, &NOBODY, KeepData::Nothing), &first, ask).unwrap();
    assert_eq!(ended.summary.ending, "interruption");
    assert!(!first.request(), "it is over");
    for rig in [&mut rig, &mut other] {
        let again = rig.run(&run(&trial, &NOBODY, KeepData::Nothing), |_| {}).unwrap();
        assert_eq!(again.summary.ending, "its trigger");
    }
    let asked_before = second.request();
    let ended = rig.run_until(&run(&endless, &NOBODY, KeepData::Nothing), &second, |_| {}).unwrap();
    assert!(asked_before && ended.summary.ending == "interruption");
}

fn all(watch: &Watch) -> Vec<Notice> {
    std::iter::from_fn(|| watch.next(Duration::ZERO)).collect()
}

#[test]
fn every_sink_sees_beginning_entries_and_end_and_a_stuck_one_costs_nothing() {
    let trial = short();
    let mut rig = rig(wires(&["input"], &["output"]));
    let dir = tempfile::tempdir().unwrap();
    let (sinks, watches): (Vec<Sink>, Vec<Watch>) =
        (0..10).map(|i| sink(if i == 9 { 3 } else { USUAL_ROOM })).unzip();
    for n in 0..3 {
        let name = format!("observed_run-{n}");
        let keep = KeepData::Files(dir.path(), &name);
        let run = TrialRun { sinks: &sinks, ..run(&trial, &NOBODY, keep) };
        let finished = rig.run(&run, |_| {}).unwrap();
        for watch in &watches[..9] {
            let seen = all(watch);
            let Some(Notice::Begins(beginning)) = seen.first() else { panic!("{seen:?}") };
            assert_eq!(beginning.header.names.pacing, ["metronome"]);
            assert!(beginning.origin > Nanos::ZERO && beginning.origin_utc > Nanos::ZERO);
            let entries = seen.iter().filter(|n| matches!(n, Notice::Happened(_))).count();
            assert_eq!(entries, finished.entries.len());
            let Some(Notice::Ends(end)) = seen.last() else { panic!("{seen:?}") };
            assert_eq!(end.saved, finished.saved.as_ref().unwrap().clone());
        }
    }
    let stuck = all(&watches[9]);
    assert!(stuck.iter().any(|notice| matches!(notice, Notice::Missed(_))), "{stuck:?}");
}

/// Entries of a folder of /proc/self: descriptors or threads.
fn count(of: &str) -> usize {
    std::fs::read_dir(Path::new("/proc/self").join(of)).unwrap().count()
}

/// Resident memory in kB.
fn memory() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

#[test]
fn ten_thousand_empty_trials_leave_nothing_behind() {
    let trial = empty();
    let mut rig = rig(wires(&["input"], &["output"]));
    let mut trials = |count: usize| {
        for _ in 0..count {
            let finished = rig.run(&run(&trial, &NOBODY, KeepData::Nothing), |_| {}).unwrap();
            assert_eq!(finished.dropped, 0);
        }
    };
    trials(500);
    let before = (count("fd"), count("task"), memory());
    trials(9_500);
    let after = (count("fd"), count("task"), memory());
    // Other tests of this program run beside it and come and go with theirs.
    assert!(after.0 <= before.0 + 40 && after.1 <= before.1 + 20, "{before:?} {after:?}");
    assert!(after.2 < before.2 + 20_000, "{before:?} {after:?} kB");
}

#[test]
fn what_comes_in_between_two_trials_is_dropped_and_counted() {
    let dir = tempfile::tempdir().unwrap();
    let pipe = dir.path().join("pad");
    rustix::fs::mknodat(
        rustix::fs::CWD,
        &pipe,
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::RWXU,
        0,
    )
    .unwrap();
    let mut far_end = std::fs::OpenOptions::new().read(true).write(true).open(&pipe).unwrap();
    let names =
        PortNames { inputs: vec![format!("raw:{}", pipe.display())], outputs: vec!["wire".into()] };
    let bindings = Bindings::resolve(&names, &["input"], &["output"], None).unwrap();
    let mut rig = rig(bindings);
    let trial = file("[feedback.tone]\n[[when]]\ntime = \"30 ms\"\nend = true\n");
    let keep = |rig: &mut Rig, name: &str| {
        let keep = KeepData::Files(dir.path(), name);
        let saved = rig.run(&run(&trial, &NOBODY, keep), |_| {}).unwrap().saved;
        read_events(&saved.unwrap().unwrap().tsv).unwrap()
    };
    keep(&mut rig, "first");
    let press = [0x90, 60, 100, 0x80, 60, 64];
    (0..3).for_each(|_| std::io::Write::write_all(&mut far_end, &press).unwrap());
    let second = keep(&mut rig, "second");
    let taps = second.rows.iter().filter(|row| row.trial_type == TrialType::Tap).count();
    assert_eq!(taps, 0);
    assert_eq!(second.footer.summary["ports"][0]["early"], 6);
    assert_eq!(second.footer.summary["ports"][0]["received"], 0);
    assert!(second.rows.iter().all(|row| row.flag != Some(Flag::Lost)));
    let third = keep(&mut rig, "third");
    assert_eq!(third.footer.summary["ports"][0]["early"], 0, "counts begin anew");
}

#[test]
fn a_device_that_was_pulled_between_two_trials_is_named_before_the_next_begins() {
    let dir = tempfile::tempdir().unwrap();
    let (far_end, path) = terminal();
    let link = dir.path().join("pad");
    std::os::unix::fs::symlink(path, &link).unwrap();
    let names =
        PortNames { inputs: vec![format!("raw:{}", link.display())], outputs: vec!["wire".into()] };
    let bindings = Bindings::resolve(&names, &["input"], &["output"], None).unwrap();
    let mut rig = rig(bindings);
    let trial = file("[feedback.tone]\n[[when]]\ntime = \"5 ms\"\nend = true\n");
    rig.run(&run(&trial, &NOBODY, KeepData::Nothing), |_| {}).unwrap();
    std::fs::remove_file(&link).unwrap();
    drop(far_end);
    let refused = rig.run(&run(&trial, &NOBODY, KeepData::Nothing), |_| {}).unwrap_err();
    let RigError::Gone { side, name, .. } = &refused else { panic!("{refused}") };
    assert_eq!((*side, name.as_str()), (Side::Input, "input"));
    let (_far_end, path) = terminal();
    std::os::unix::fs::symlink(path, &link).unwrap();
    rig.run(&run(&trial, &NOBODY, KeepData::Nothing), |_| {}).unwrap();
}

#[test]
fn a_wall_clock_that_was_set_since_the_last_trial_is_recorded_and_doubted_once() {
    let (trial, dir) = (short(), tempfile::tempdir().unwrap());
    let mut rig = rig(wires(&["input"], &["output"]));
    let mut set_by = |name| {
        let finished =
            rig.run(&run(&trial, &NOBODY, KeepData::Files(dir.path(), name)), |_| ()).unwrap();
        rig.day_was(DayClock::as_if_set_by(Nanos::from_secs(-7_200))); // of the next one
        let saved = finished.saved.unwrap().unwrap();
        let recorded = read_events(&saved.tsv).unwrap();
        let doubts = finished.summary.verdict.doubts;
        let said = doubts.iter().any(|doubt| doubt.contains("set back by 7200"));
        let again = recorded.summary().unwrap().verdict.doubts;
        assert_eq!(doubts, again, "worked out anew from the file");
        (recorded.footer.summary["wall_clock_set_ns"].as_i64(), said)
    };
    assert_eq!(set_by("first"), (None, false));
    let (by, said) = set_by("second");
    assert!(said && (by.unwrap() + 7_200_000_000_000).abs() < 1_000_000_000, "{by:?}");
}

#[test]
fn what_passes_of_the_machine_is_that_of_each_trial() {
    let (trial, dir) = (empty(), tempfile::tempdir().unwrap());
    let mut rig = rig(wires(&["input"], &["output"]));
    let mut machine = |name| {
        let finished =
            rig.run(&run(&trial, &NOBODY, KeepData::Files(dir.path(), name)), |_| ()).unwrap();
        read_events(&finished.saved.unwrap().unwrap().tsv).unwrap().header.machine
    };
    let first = machine("first");
    let now = serde_json::to_value(Passing::now()).unwrap();
    assert_eq!(first["clock_source"], now["clock_source"]);
    let names =
        |of: &serde_json::Value| of.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert!(names(&now).iter().all(|name| names(&first).contains(name)), "no other names");
    assert_eq!(names(&machine("second")), names(&first));
}

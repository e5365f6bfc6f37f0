//! Every operation of a whole session fails once, in every way there is: of its dataset, its
//! journal, its tables, and of the trials in it. Then the same command is given again, on the disk
//! as a kill left it, and as power cuts left it. It comes to its end: no line that was written down
//! is lost, no trial that was finished is run again, every table follows from the journals, and
//! nobody else's file is touched.

use super::{Equipment, Session, SessionError};
use chronotap_core::files::Disk as AnyDisk;
use chronotap_core::time::Nanos;
use chronotap_data::record::{Footer, Header, read_events};
use chronotap_design::Experiment;
use chronotap_recorder::keep_on;
use chronotap_session::{
    dataset::Dataset, disk::SessionDisk, drawn::Drawn, ending::Ending, journal::lines_of,
    line::Line, study::Study, verify::verify, who::Who,
};
use chronotap_simulate::{
    FinishedTrial, KeepData, NotRun, Tapper, TrialRun, TrialRunner, VirtualTrials, Wires,
};
use chronotap_testkit::disk::{DiskFault, MemoryDisk};
use chronotap_testkit::left_to_all;
use chronotap_trial::TrialEnd;
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use tempfile::TempDir;

const TRIAL: &str = "\
[input.pad]
[pacing.metronome]
interval = \"100 ms\"
[feedback.tone]
[[when]]
beat = 3
end = true
";

/// Two trials, with everything that stands between trials.
const STUDY: &str = "\
task = \"small\"
participants = 2
seed = 3
trial = \"trial.toml\"
[factor]
delay = [\"0 ms\", \"5 ms\"]
[between]
hand = [\"left\", \"right\"]
[set]
feedback.tone.delay = { factor = \"delay\" }
[participant]
age = { question = \"Age in years\", number = [18, 99] }
[question.effort]
text = \"How hard was that?\"
scale = [1, 7]
[[step]]
text = \"Welcome.\"
[[step]]
name = \"main\"
shuffle = \"all\"
rest = { every = 1, for = \"10 s\" }
ask = [\"effort\"]
";

const FAULTS: [DiskFault; 5] = [
    DiskFault::Error,
    DiskFault::Short,
    DiskFault::Full(7),
    DiskFault::Full(u64::MAX),
    DiskFault::Kill,
];
const ROOT: &str = "lab/data";
/// Somebody else's file, beside the dataset.
const THEIRS: (&str, &[u8]) = ("lab/notes.txt", b"theirs");
/// A program that there is not.
const NO_PROGRAM: &str = "4294967295";

/// Runs trials in virtual time, and keeps them on a disk in memory as trials in real time are
/// kept: with a journal.
struct InMemory<'m> {
    disk: MemoryDisk,
    rig: &'m mut VirtualTrials,
    known: &'m mut HashMap<(String, u64), (Header, Footer)>,
    aside: &'m TempDir,
}

impl TrialRunner for InMemory<'_> {
    fn run(
        &mut self,
        run: &TrialRun<'_>,
        _: &TrialEnd,
        _: &mut dyn FnMut(Nanos),
    ) -> Result<FinishedTrial, NotRun> {
        let KeepData::Files(folder, name) = run.keep else { return Ok(self.rig.run(run)?) };
        let (header, footer) = self.around(run, name)?;
        let mut finished = self.rig.run(&TrialRun { keep: KeepData::Nothing, ..*run })?;
        let (disk, entries) = (&self.disk, &finished.entries);
        finished.saved = keep_on(disk, (folder, name), &header, entries, footer).map(Some);
        Ok(finished)
    }

    fn reuse(&mut self, finished: &mut FinishedTrial) {
        self.rig.reuse(finished);
    }
}

impl InMemory<'_> {
    /// Head and foot of the trial's data, from its files on a real disk, where it is run once.
    fn around(&mut self, run: &TrialRun<'_>, name: &str) -> Result<(Header, Footer), NotRun> {
        let key = (name.to_owned(), run.seed);
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        let once = format!("{name}_{}", run.seed);
        let keep = KeepData::Files(self.aside.path(), &once);
        let finished = self.rig.run(&TrialRun { keep, ..*run })?;
        let saved = finished.saved.unwrap().unwrap();
        let read = read_events(&saved.tsv).unwrap();
        self.known.insert(key, (read.header.clone(), read.footer.clone()));
        Ok((read.header, read.footer))
    }
}

/// A study that is run again and again.
struct Bench {
    study: Study,
    rig: VirtualTrials,
    known: HashMap<(String, u64), (Header, Footer)>,
    aside: TempDir,
}

impl Bench {
    fn new() -> Bench {
        let files = vec![("trial.toml".to_owned(), TRIAL.to_owned())];
        let study = Study::of(Experiment::parse(STUDY, "study.toml", &files).unwrap()).unwrap();
        let (inputs, outputs) = study.inputs_and_outputs();
        let wires = Wires::unthrottled(&inputs, &outputs);
        let longest = Nanos::from_secs(60);
        let rig = VirtualTrials::new(&wires, longest, Arc::default()).unwrap();
        let aside = tempfile::tempdir().unwrap();
        Bench { study, rig, known: HashMap::new(), aside }
    }

    /// The command; how it ended, and the lines that it knew to be written down.
    fn command(&mut self, disk: &MemoryDisk) -> (Result<Ending, SessionError>, Vec<Line>) {
        let Bench { study, rig, known, aside } = self;
        let on = SessionDisk::durable_on(disk.clone());
        let dataset = match Dataset::open_or_make(Path::new(ROOT), &study.about, true, on) {
            Ok(dataset) => dataset,
            Err(refused) => return (Err(refused.into()), Vec::new()),
        };
        let simulated = Some("tapper".to_owned());
        let who = Who { label: "01".into(), session: 1, simulated, ..Who::default() };
        let mut frontend = Drawn::new(study.experiment.seed, "01", 1);
        let mut session = match Session::open(study, &dataset, &who, &mut frontend) {
            Ok(session) => session,
            Err(refused) => return (Err(refused), Vec::new()),
        };
        let mut laboratory = InMemory { disk: disk.clone(), rig, known, aside };
        let mut equipment = Equipment {
            laboratory: &mut laboratory,
            in_real_time: None,
            tapper: &Tapper::Simulated("tapper".into()),
            limit: None,
            sinks: &[],
        };
        let ended = session.run(&mut equipment, &mut frontend);
        let sure = session.journal.synced(); // a line that was not may be lost with the power
        (ended, session.journal.lines()[..sure].to_vec())
    }

    /// Gives the command again on what is left of a disk, and looks whether all is there.
    fn assert_goes_on(&mut self, disk: &MemoryDisk, written: &[Line], case: &str) {
        forget_the_program(disk);
        let (ended, lines) = self.command(disk);
        assert_eq!(ended.unwrap_or_else(|e| panic!("{case}: {e}")), Ending::Completed, "{case}");
        assert!(lines.starts_with(written), "{case}: lines are lost");
        let place = self.study.place("01", 1);
        let path = Path::new(ROOT).join(place.journal());
        let read = lines_of(&path, Ok(disk.bytes(&path).expect(case)));
        assert_eq!(read.expect(case), lines, "{case}");
        assert_each_once(&lines, case);
        let dataset = Dataset::open_on(Path::new(ROOT), SessionDisk::durable_on(disk.clone()));
        let found = verify(&dataset.expect(case)).expect(case);
        assert!(found.problems.is_empty() && found.sessions == 1, "{case}: {found:?}");
        assert_eq!(disk.bytes(Path::new(THEIRS.0)).as_deref(), Some(THEIRS.1), "{case}");
    }
}

/// Every planned trial came to its end once, and every answer is there once.
fn assert_each_once(lines: &[Line], case: &str) {
    let (mut open, mut ended, mut answers) = (None, Vec::new(), BTreeSet::new());
    let mut given = 0;
    for line in lines {
        match line {
            Line::TrialBegan(began) => open = Some(began.trial),
            Line::TrialEnded(_) => ended.extend(open.take()),
            Line::Answered(answered) => {
                given += 1;
                answers.insert((answered.name.clone(), format!("{:?}", answered.asked)));
            }
            _ => {}
        }
    }
    ended.sort_unstable();
    assert_eq!(ended, [1, 2], "{case}");
    assert_eq!((given, answers.len()), (3, 3), "{case}");
}

/// What the program was writing when it ended has its number in the name; that program is no
/// more, but here it is this one.
fn forget_the_program(disk: &MemoryDisk) {
    let ours = format!("chronotap-{}-", std::process::id());
    for path in disk.names() {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if let Some(rest) = name.strip_prefix(&ours) {
            let other = path.with_file_name(format!("chronotap-{NO_PROGRAM}-{rest}"));
            disk.rename(&path, &other).unwrap();
        }
    }
}

fn empty_disk() -> MemoryDisk {
    let disk = MemoryDisk::default();
    disk.put(&PathBuf::from(THEIRS.0), THEIRS.1);
    disk
}

/// With `CHRONOTAP_FAULTS=all` in the environment every fault comes at every operation; else a kill
/// does, and each of the others at every third.
fn every() -> u64 {
    if std::env::var("CHRONOTAP_FAULTS").is_ok_and(|which| which == "all") { 1 } else { 3 }
}

/// All that is tried at one operation; how many cases that was.
fn assert_goes_on_after(bench: &mut Bench, n: u64, operations: u64) -> u64 {
    let mut cases = 0;
    for (place, fault) in (0..).zip(FAULTS) {
        let every = if fault == DiskFault::Kill { 1 } else { every() };
        if !(n + place).is_multiple_of(every) {
            continue;
        }
        let disk = empty_disk();
        disk.fail(n, fault);
        let (_, written) = bench.command(&disk);
        let case = format!("{fault:?} at operation {n} of {operations}");
        bench.assert_goes_on(&disk.restarted(), &written, &format!("{case}, killed"));
        for seed in [0, 2 + n] {
            let cut = disk.after_power_cut(seed);
            bench.assert_goes_on(&cut, &written, &format!("{case}, power cut {seed}"));
        }
        cases += 3;
    }
    cases
}

#[test]
fn whatever_fails_in_a_session_the_same_command_completes_it_and_nothing_is_lost() {
    if left_to_all() {
        return;
    }
    let mut bench = Bench::new();
    let undisturbed = empty_disk();
    bench.command(&undisturbed).0.unwrap();
    let operations = undisturbed.operations();
    bench.assert_goes_on(&undisturbed, &[], "undisturbed");
    // No test of this program takes nearly as long: the operations are shared among the processors.
    let shares = thread::available_parallelism().map_or(1, |n| n.get() as u64);
    let share = |first: u64| {
        let mut bench = Bench::new();
        let of_share = (first..=operations).step_by(shares as usize);
        of_share.map(|n| assert_goes_on_after(&mut bench, n, operations)).sum::<u64>()
    };
    let cases = thread::scope(|scope| {
        let all: Vec<_> = (1..=shares).map(|first| scope.spawn(move || share(first))).collect();
        all.into_iter().map(|one| one.join().unwrap()).sum::<u64>()
    });
    assert!(operations > 300 && cases > 2_000, "only {cases} cases of {operations} operations");
}

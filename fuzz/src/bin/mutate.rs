//! Feeds mutated seeds to every fuzz target on the stable toolchain:
//! `mutate [SECONDS] [SEED]`, a few seconds each in `make test`. It knows nothing
//! of coverage, unlike cargo-fuzz; it is there so that a parser that panics on
//! plain rubbish never passes the tests. The same seed gives the same inputs.
//!
//! `mutate --long SECONDS` goes on where the last such run ended, on every processor: slices of
//! every target in turn, each with a seed of its own, and `fuzz/runs.tsv` says what was done.
//! `mutate --sum` adds it up. The inputs that `fuzz/corpus` and `fuzz/seeds` hold come first.
//!
//! An input that makes a target panic, or takes it more than a second of computing, is kept
//! in `fuzz/artifacts/` and named; the exit status is then 1.

#![allow(clippy::disallowed_methods, reason = "seconds of fuzzing are no data of a trial")]

use std::error::Error;
use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use chronotap_fuzz::ledger::{self, Ledger};
use chronotap_fuzz::mutator::{Mutator, Seed};
use chronotap_fuzz::{TARGETS, Target};

type Failed = Box<dyn Error + Send + Sync>;

const DEFAULT_SECONDS: u64 = 10;
const SLOW: Duration = Duration::from_secs(1);
/// Seconds of a slice, for each part of a target's share.
const SLICE: Duration = Duration::from_secs(2);

fn main() -> Result<(), Failed> {
    let mut arguments = std::env::args().skip(1).peekable();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    match arguments.next_if(|word| word.starts_with("--")).as_deref() {
        Some("--sum") => {
            print!("{}", ledger::sum(root, &names())?);
            return Ok(());
        }
        Some("--long") => {
            return long(root, Duration::from_secs(arguments.next().unwrap_or_default().parse()?));
        }
        Some(other) => return Err(format!("{other}: there are --long SECONDS and --sum").into()),
        None => {}
    }
    let seconds = arguments.next().map_or(Ok(DEFAULT_SECONDS), |s| s.parse())?;
    let seed = arguments.next().map_or(Ok(1), |s| s.parse())?;
    short(root, Duration::from_secs(seconds), seed)
}

fn names() -> [&'static str; TARGETS.len()] {
    TARGETS.each_ref().map(|target| target.name)
}

/// Every target once.
fn short(root: &Path, time: Duration, seed: u64) -> Result<(), Failed> {
    let mut found = 0;
    for target in &TARGETS {
        let seeds = read_seeds(root, target)?;
        let runs = fuzz(target, &seeds, time, seed, root)?;
        found += usize::from(runs.fault.is_some());
        let end = runs.fault.map_or("no fault".into(), |f| format!("FAULT, see {}", f.display()));
        println!("{}: {} inputs from {} seeds, {end}", target.name, runs.inputs, seeds.len());
    }
    if found > 0 {
        return Err(format!("{found} targets failed (seed {seed})").into());
    }
    Ok(())
}

/// Slices of every target until the time is up, a thread for each processor; what was done is
/// written down after each.
fn long(root: &Path, time: Duration) -> Result<(), Failed> {
    let ledger = Ledger::open(root)?;
    let seeds: Result<Vec<_>, _> = TARGETS.iter().map(|target| read_seeds(root, target)).collect();
    let last = ledger.last_seed();
    let search = Search { root, seeds: &seeds?, end: Instant::now() + time, day: day()? };
    let state = Mutex::new(State { ledger, first: last, last, faults: 0 });
    let threads = thread::available_parallelism()?.get();
    let ends: Vec<Result<(), Failed>> = thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(|| search.slices(&state))).collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap_or_else(|_| Err("died".into())))
            .collect()
    });
    ends.into_iter().collect::<Result<(), Failed>>()?;
    print!("{}", ledger::sum(root, &names())?);
    match locked(&state).faults {
        0 => Ok(()),
        faults => Err(format!("{faults} faults").into()),
    }
}

/// A long run.
struct Search<'r> {
    root: &'r Path,
    /// Of each target.
    seeds: &'r [Vec<Seed>],
    end: Instant,
    day: String,
}

/// What its threads share.
struct State {
    ledger: Ledger,
    /// The number before that of the first slice, and that of the last one.
    first: u64,
    last: u64,
    faults: u64,
}

impl Search<'_> {
    fn slices(&self, state: &Mutex<State>) -> Result<(), Failed> {
        while Instant::now() < self.end {
            let (seed, index) = {
                let mut state = locked(state);
                state.last += 1;
                (state.last, (state.last - state.first - 1) as usize % TARGETS.len())
            };
            let (target, before) = (&TARGETS[index], computed());
            let runs = fuzz(target, &self.seeds[index], SLICE * target.share, seed, self.root)?;
            let took = before.zip(computed()).map(|(before, after)| after.saturating_sub(before));
            let mut state = locked(state);
            state.ledger.add(&self.day, target.name, seed, runs.inputs, took)?;
            if let Some(fault) = &runs.fault {
                println!("{}: FAULT, see {} (seed {seed})", target.name, fault.display());
                state.faults += 1;
            }
        }
        Ok(())
    }
}

fn locked(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Today in UTC, as `date` says it.
fn day() -> Result<String, Failed> {
    let said = std::process::Command::new("date").args(["-u", "+%Y-%m-%d"]).output()?;
    Ok(String::from_utf8(said.stdout)?.trim().to_owned())
}

struct Runs {
    inputs: u64,
    fault: Option<PathBuf>,
}

/// Runs one target until the time is up or a fault is found. The seeds themselves come first,
/// unchanged.
fn fuzz(
    target: &Target,
    seeds: &[Seed],
    time: Duration,
    seed: u64,
    root: &Path,
) -> Result<Runs, Failed> {
    let mut mutator = Mutator::new(seeds, target.words, seed);
    let begin = Instant::now();
    let (mut inputs, mut started) = (0, begin);
    while started - begin < time || inputs < seeds.len() {
        let input = match seeds.get(inputs) {
            Some(seed) => seed.bytes(),
            None => mutator.next_input(),
        };
        inputs += 1;
        let panicked = catch_unwind(|| (target.body)(input)).is_err();
        let ended = Instant::now();
        if panicked || ended - started > SLOW && is_slow(target, input) {
            let fault = Some(keep(root, target, input, seed, panicked)?);
            return Ok(Runs { inputs: inputs as u64, fault });
        }
        started = ended;
    }
    Ok(Runs { inputs: inputs as u64, fault: None })
}

/// Whether it really takes that long. On a busy machine any input may have to wait, so it is given
/// once more, and the time counts that the processor had for it.
fn is_slow(target: &Target, input: &[u8]) -> bool {
    let (started, before) = (Instant::now(), computed());
    (target.body)(input);
    let took = before.zip(computed()).map(|(before, after)| after.saturating_sub(before));
    took.unwrap_or_else(|| started.elapsed()) > SLOW
}

/// How long a processor worked for this thread (Linux, Documentation/scheduler/sched-stats.rst);
/// `None` where the system does not say.
fn computed() -> Option<Duration> {
    let text = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(Duration::from_nanos(text.split_whitespace().next()?.parse().ok()?))
}

fn keep(
    root: &Path,
    target: &Target,
    input: &[u8],
    seed: u64,
    panicked: bool,
) -> std::io::Result<PathBuf> {
    let directory = root.join("artifacts").join(target.name);
    fs::create_dir_all(&directory)?;
    let path = directory.join(format!("{}-{seed}", if panicked { "panic" } else { "slow" }));
    fs::write(&path, input)?;
    Ok(path)
}

/// Every file of the target's seed directories; at least the empty input.
fn read_seeds(root: &Path, target: &Target) -> std::io::Result<Vec<Seed>> {
    let mut paths = Vec::new();
    let kept = format!("corpus/{}", target.name); // where cargo-fuzz keeps what it found
    let all = target.seeds.iter().copied().chain([(kept.as_str(), "")]);
    for (directory, ending) in all {
        let Ok(entries) = fs::read_dir(root.join(directory)) else { continue };
        for entry in entries {
            let path = entry?.path();
            if path.is_file() && path.to_string_lossy().ends_with(ending) {
                paths.push(path);
            }
        }
    }
    paths.sort();
    let mut seeds = vec![Seed::new(Vec::new())];
    for path in paths {
        seeds.push(Seed::new(fs::read(path)?));
    }
    Ok(seeds)
}

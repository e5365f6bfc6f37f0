//! Feeds mutated seeds to every fuzz target on the stable toolchain:
//! `mutate [SECONDS] [SEED]`, a few seconds each in `make test`. It knows nothing
//! of coverage, unlike cargo-fuzz; it is there so that a parser that panics on
//! plain rubbish never passes the tests. The same seed gives the same inputs.
//!
//! `mutate --long SECONDS` goes on where the last such run ended: every target in turn, each round
//! with a seed of its own, and a line in `fuzz/runs.tsv` for what was done: day, target, seed,
//! inputs. `mutate --sum` adds them up. The inputs that `fuzz/corpus` and `fuzz/seeds` hold come first.
//!
//! An input that makes a target panic, or takes it more than a second of computing, is kept
//! in `fuzz/artifacts/` and named; the exit status is then 1.

use std::error::Error;
use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use chronotap_fuzz::{TARGETS, Target};

const DEFAULT_SECONDS: u64 = 10;
const SLOW: Duration = Duration::from_secs(1);
const MOST_BYTES: usize = 1 << 16;
const FEW_BYTES: usize = 1 << 12;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1).peekable();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    match arguments.next_if(|word| word.starts_with("--")).as_deref() {
        Some("--sum") => return sum(root),
        Some("--long") => {
            return long(root, Duration::from_secs(arguments.next().unwrap_or_default().parse()?));
        }
        Some(other) => return Err(format!("{other}: there are --long SECONDS and --sum").into()),
        None => {}
    }
    let seconds = arguments.next().map_or(Ok(DEFAULT_SECONDS), |s| s.parse())?;
    let seed = arguments.next().map_or(Ok(1), |s| s.parse())?;
    let mut found = 0;
    for target in TARGETS {
        let seeds = read_seeds(root, target)?;
        let runs = fuzz(target, &seeds, Duration::from_secs(seconds), seed, root)?;
        found += usize::from(runs.fault.is_some());
        let end = runs.fault.map_or("no fault".into(), |f| format!("FAULT, see {}", f.display()));
        println!("{}: {} inputs from {} seeds, {end}", target.name, runs.inputs, seeds.len());
    }
    if found > 0 {
        return Err(format!("{found} targets failed (seed {seed})").into());
    }
    Ok(())
}

/// Seconds for each target in a round of a long run.
const ROUND_SECONDS: u64 = 20;
const LEDGER: &str = "runs.tsv";

/// Rounds over every target until the time is up; what was done is written down after each.
fn long(root: &Path, time: Duration) -> Result<(), Box<dyn Error>> {
    let (begin, mut found) = (Instant::now(), 0);
    let day = day()?;
    let mut lines = ledger(root);
    let mut seed = lines.iter().map(|line| line.seed).max().unwrap_or(1);
    while begin.elapsed() < time {
        seed += 1;
        for target in TARGETS {
            let seconds = Duration::from_secs(ROUND_SECONDS);
            let runs = fuzz(target, &read_seeds(root, target)?, seconds, seed, root)?;
            if let Some(fault) = &runs.fault {
                println!("{}: FAULT, see {} (seed {seed})", target.name, fault.display());
                found += 1;
            }
            add(&mut lines, &day, target.name, seed, runs.inputs);
        }
        write_ledger(root, &lines)?;
    }
    sum(root)?;
    if found > 0 { Err(format!("{found} faults").into()) } else { Ok(()) }
}

/// What was searched in one target on one day.
struct Searched {
    day: String,
    target: String,
    seed: u64,
    inputs: u64,
}

fn ledger(root: &Path) -> Vec<Searched> {
    let text = fs::read_to_string(root.join(LEDGER)).unwrap_or_default();
    let line = |line: &str| {
        let mut cells = line.split('\t');
        let (day, target) = (cells.next()?.to_owned(), cells.next()?.to_owned());
        Some(Searched {
            day,
            target,
            seed: cells.next()?.parse().ok()?,
            inputs: cells.next()?.parse().ok()?,
        })
    };
    text.lines().filter_map(line).collect()
}

fn add(lines: &mut Vec<Searched>, day: &str, target: &str, seed: u64, inputs: u64) {
    match lines.iter_mut().find(|line| line.day == day && line.target == target) {
        Some(line) => (line.seed, line.inputs) = (seed, line.inputs + inputs),
        None => {
            let (day, target) = (day.to_owned(), target.to_owned());
            lines.push(Searched { day, target, seed, inputs });
        }
    }
}

fn write_ledger(root: &Path, lines: &[Searched]) -> std::io::Result<()> {
    let mut text = "day\ttarget\tlast_seed\tinputs\n".to_owned();
    for Searched { day, target, seed, inputs } in lines {
        text += &format!("{day}\t{target}\t{seed}\t{inputs}\n");
    }
    let unfinished = root.join("runs.tsv.new");
    fs::write(&unfinished, text)?;
    fs::rename(unfinished, root.join(LEDGER))
}

/// Inputs of all long runs.
fn sum(root: &Path) -> Result<(), Box<dyn Error>> {
    let lines = ledger(root);
    for target in TARGETS {
        let of = lines.iter().filter(|line| line.target == target.name);
        println!("{:<18} {:>13}", target.name, of.map(|line| line.inputs).sum::<u64>());
    }
    let all: u64 = lines.iter().map(|line| line.inputs).sum();
    let mut days: Vec<&str> = lines.iter().map(|line| line.day.as_str()).collect();
    days.sort_unstable();
    let days =
        days.first().zip(days.last()).map_or(String::new(), |(a, b)| format!(", {a} to {b}"));
    println!("{:<18} {all:>13}{days}", "together");
    Ok(())
}

/// Today in UTC, as `date` says it.
fn day() -> Result<String, Box<dyn Error>> {
    let said = std::process::Command::new("date").args(["-u", "+%Y-%m-%d"]).output()?;
    Ok(String::from_utf8(said.stdout)?.trim().to_owned())
}

struct Runs {
    inputs: u64,
    fault: Option<PathBuf>,
}

/// Runs one target until the time is up or a fault is found.
fn fuzz(
    target: &Target,
    seeds: &[Vec<u8>],
    time: Duration,
    seed: u64,
    root: &Path,
) -> Result<Runs, Box<dyn Error>> {
    let mut random = Random(seed.max(1));
    let begin = Instant::now();
    let mut inputs = 0;
    // The seeds themselves come first, unchanged.
    while begin.elapsed() < time || inputs < seeds.len() as u64 {
        let input = match seeds.get(inputs as usize) {
            Some(seed) => seed.clone(),
            None => random.mutant(seeds, target.words),
        };
        inputs += 1;
        let started = Instant::now();
        let panicked = catch_unwind(|| (target.body)(&input)).is_err();
        if panicked || started.elapsed() > SLOW && is_slow(target, &input) {
            let fault = Some(keep(root, target, &input, panicked)?);
            return Ok(Runs { inputs, fault });
        }
    }
    Ok(Runs { inputs, fault: None })
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

fn keep(root: &Path, target: &Target, input: &[u8], panicked: bool) -> std::io::Result<PathBuf> {
    let directory = root.join("artifacts").join(target.name);
    fs::create_dir_all(&directory)?;
    let path = directory.join(if panicked { "panic" } else { "slow" });
    fs::write(&path, input)?;
    Ok(path)
}

/// Every file of the target's seed directories; at least the empty input.
fn read_seeds(root: &Path, target: &Target) -> std::io::Result<Vec<Vec<u8>>> {
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
    let mut seeds = vec![Vec::new()];
    for path in paths {
        seeds.push(fs::read(path)?);
    }
    Ok(seeds)
}

/// xorshift64*: quick, and the same on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    fn below(&mut self, n: usize) -> usize {
        if n == 0 { 0 } else { (self.next() >> 16) as usize % n }
    }

    fn mutant(&mut self, seeds: &[Vec<u8>], words: &[&str]) -> Vec<u8> {
        let mut input = seeds[self.below(seeds.len())].clone();
        // A large input costs as much as hundreds of small ones, and says little more.
        if input.len() > FEW_BYTES && self.below(8) > 0 {
            let least = self.below(FEW_BYTES);
            let end = input[least..]
                .iter()
                .position(|&b| b == b'\n')
                .map_or(FEW_BYTES, |i| least + i + 1);
            input.truncate(end);
        }
        let most = self.below(6) + 1; // few changes more often: rubbish is refused too soon
        for _ in 0..=self.below(most) {
            self.mutate(&mut input, seeds, words);
        }
        input.truncate(MOST_BYTES);
        input
    }

    fn mutate(&mut self, input: &mut Vec<u8>, seeds: &[Vec<u8>], words: &[&str]) {
        let at = self.below(input.len() + 1);
        let end = (at + 1 + self.below(24)).min(input.len());
        match self.below(8) {
            0 if at < input.len() => input[at] ^= 1 << self.below(8),
            1 if at < input.len() => input[at] = self.next() as u8,
            2 => drop(input.drain(at..end.max(at))),
            3 => input.truncate(at),
            4 if at < end => {
                let piece = input[at..end].to_vec();
                let to = self.below(input.len() + 1);
                input.splice(to..to, piece);
            }
            5 => {
                let other = &seeds[self.below(seeds.len())];
                let from = self.below(other.len() + 1);
                let to = (from + self.below(200)).min(other.len());
                input.splice(at..at, other[from..to].iter().copied());
            }
            6 => {
                let from = self.below(seeds.len());
                let line = self.line(&seeds[from]);
                let at = input[..at].iter().rposition(|&b| b == b'\n').map_or(0, |i| i + 1);
                input.splice(at..at, line);
            }
            _ if !words.is_empty() => {
                let word = words[self.below(words.len())];
                input.splice(at..at, word.bytes());
            }
            _ => input.insert(at, self.next() as u8),
        }
    }

    /// A whole line of a seed, with its end.
    fn line(&mut self, seed: &[u8]) -> Vec<u8> {
        let lines: Vec<_> = seed.split_inclusive(|&b| b == b'\n').collect();
        if lines.is_empty() { Vec::new() } else { lines[self.below(lines.len())].to_vec() }
    }
}

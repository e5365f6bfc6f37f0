//! Feeds mutated seeds to every fuzz target on the stable toolchain:
//! `mutate [SECONDS] [SEED]`, a few seconds each in `make test`. It knows nothing
//! of coverage, unlike cargo-fuzz; it is there so that a parser that panics on
//! plain rubbish never passes the tests. The same seed gives the same inputs.
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

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let seconds = arguments.next().map_or(Ok(DEFAULT_SECONDS), |s| s.parse())?;
    let seed = arguments.next().map_or(Ok(1), |s| s.parse())?;
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
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
    for (directory, ending) in target.seeds {
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

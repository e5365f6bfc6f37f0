//! [`Ledger`]: what all long runs searched, in `fuzz/runs.tsv`: a line for each day and target, with
//! the number of the last slice, how many inputs there were, and the processor's time for them.

use rustix::fs::{FlockOperation, flock};
use std::error::Error;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::Duration;

type Failed = Box<dyn Error + Send + Sync>;

const HEAD: &str = "day\ttarget\tlast_seed\tinputs\tprocessor_seconds\n";
/// Where the time of a line is not known.
const UNKNOWN: &str = "n/a";

/// The lines, and the right to write them until this is dropped.
pub struct Ledger {
    path: PathBuf,
    lines: Vec<Line>,
    /// Held, not read.
    _lock: File,
}

#[derive(Debug, PartialEq)]
struct Line {
    day: String,
    target: String,
    seed: u64,
    inputs: u64,
    seconds: Option<f64>,
}

impl Ledger {
    /// Opens that of a folder.
    ///
    /// # Errors
    /// Where another long run is under way, or the ledger is not as this program writes it.
    pub fn open(folder: &Path) -> Result<Ledger, Failed> {
        let path = folder.join("runs.tsv");
        let lock = File::open(folder)?;
        flock(&lock, FlockOperation::NonBlockingLockExclusive)
            .map_err(|_| "another long run is under way; wait for it")?;
        let lines = read(&path)?;
        Ok(Ledger { path, lines, _lock: lock })
    }

    /// The greatest number of a slice.
    pub fn last_seed(&self) -> u64 {
        self.lines.iter().map(|line| line.seed).max().unwrap_or(1)
    }

    /// Adds a slice and writes the ledger.
    pub fn add(
        &mut self,
        day: &str,
        target: &str,
        seed: u64,
        inputs: u64,
        took: Option<Duration>,
    ) -> std::io::Result<()> {
        let seconds = took.map(|took| took.as_secs_f64());
        let same = |line: &&mut Line| {
            line.day == day && line.target == target && line.seconds.is_some() == took.is_some()
        };
        match self.lines.iter_mut().find(same) {
            Some(line) => {
                line.seed = line.seed.max(seed);
                line.inputs += inputs;
                line.seconds = line.seconds.zip(seconds).map(|(before, now)| before + now);
            }
            None => {
                let (day, target) = (day.to_owned(), target.to_owned());
                self.lines.push(Line { day, target, seed, inputs, seconds });
            }
        }
        self.write()
    }

    fn write(&self) -> std::io::Result<()> {
        let mut text = HEAD.to_owned();
        for Line { day, target, seed, inputs, seconds } in &self.lines {
            let seconds = seconds.map_or(UNKNOWN.to_owned(), |s| format!("{s:.1}"));
            text += &format!("{day}\t{target}\t{seed}\t{inputs}\t{seconds}\n");
        }
        let unfinished = self.path.with_extension("tsv.new");
        fs::write(&unfinished, text)?;
        fs::rename(unfinished, &self.path)
    }
}

/// Inputs of all long runs, and how many a second of a processor was given where that is known.
pub fn sum(folder: &Path, targets: &[&str]) -> Result<String, Failed> {
    let lines = read(&folder.join("runs.tsv"))?;
    let mut text = String::new();
    for target in targets {
        let of = || lines.iter().filter(|line| line.target == *target);
        let all: u64 = of().map(|line| line.inputs).sum();
        let timed = of().filter_map(|line| Some((line.inputs, line.seconds?)));
        let (inputs, seconds) = timed.fold((0, 0.0), |(n, s), (inputs, of)| (n + inputs, s + of));
        let rate = inputs as f64 / seconds;
        let rate = if seconds > 0.0 { format!("{rate:>11.0} a second") } else { String::new() };
        text += &format!("{}\n", format!("{target:<16} {all:>13}{rate}").trim_end());
    }
    let all: u64 = lines.iter().map(|line| line.inputs).sum();
    let days = lines.iter().map(|line| line.day.as_str());
    let days = days.clone().min().zip(days.max());
    let days = days.map_or(String::new(), |(from, to)| format!(", {from} to {to}"));
    Ok(text + &format!("{:<16} {all:>13}{days}\n", "together"))
}

fn read(path: &Path) -> Result<Vec<Line>, Failed> {
    let text = match fs::read_to_string(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        read => read?,
    };
    let lines = text.lines().enumerate().skip(1);
    let lines = lines.map(|(index, text)| {
        line(text)
            .ok_or_else(|| format!("{}:{}: not a line of it", path.display(), index + 1).into())
    });
    lines.collect()
}

fn line(text: &str) -> Option<Line> {
    let mut cells = text.split('\t');
    Some(Line {
        day: cells.next()?.to_owned(),
        target: cells.next()?.to_owned(),
        seed: cells.next()?.parse().ok()?,
        inputs: cells.next()?.parse().ok()?,
        seconds: cells.next().unwrap_or(UNKNOWN).parse().ok(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_of_one_day_and_target_add_up_and_only_one_may_write() {
        let folder = std::env::temp_dir().join(format!("chronotap-ledger-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("runs.tsv"), "day\ttarget\tlast_seed\tinputs\nthen\ta\t8\t5\n")
            .unwrap();
        let mut ledger = Ledger::open(&folder).unwrap();
        assert!(Ledger::open(&folder).is_err(), "another one has it");
        assert_eq!(ledger.last_seed(), 8);
        let second = Some(Duration::from_secs(1));
        ledger.add("now", "a", 9, 10, second).unwrap();
        ledger.add("now", "a", 10, 20, second).unwrap();
        ledger.add("now", "b", 11, 1, None).unwrap();
        drop(ledger);
        assert_eq!(Ledger::open(&folder).unwrap().last_seed(), 11);
        let said = sum(&folder, &["a", "b"]).unwrap();
        let expected = "a                           35         15 a second\n\
                        b                            1\n\
                        together                    36, now to then\n";
        assert_eq!(said, expected);
        fs::remove_dir_all(&folder).unwrap();
    }
}

//! What stands in the head and the foot of a data file, and where the files go.

use crate::screen::say;
use anyhow::{Context, Result, anyhow, bail};
use chronotap_analysis::observed::Answers;
use chronotap_analysis::summary::Summary;
use chronotap_engine::Engine;
use chronotap_experiment::TrialFile;
use chronotap_record::{Binding, ClockUsed, Footer, Header, Mode, Names, Saved};
use chronotap_signal::PortCounts;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;

/// The program and its version.
pub const PROGRAM: &str = concat!("chronotap ", env!("CARGO_PKG_VERSION"));

/// A header with everything that does not depend on the runner.
pub fn header(file: &TrialFile, seed: u64, mode: Mode, ports: Vec<Binding>, who: Value) -> Header {
    let name = Path::new(&file.name)
        .file_name()
        .map_or_else(|| file.name.clone(), |name| name.to_string_lossy().into_owned());
    Header {
        program: PROGRAM.into(),
        trial_file: chronotap_record::TrialText { name, text: file.source.clone() },
        title: file.title.clone(),
        seed,
        started: chronotap_clocks::wall_clock_now(),
        mode,
        machine: serde_json::to_value(chronotap_machine::describe(PROGRAM)).unwrap_or_default(),
        rights: Value::Null,
        clock: clock(mode),
        ports,
        names: Names::of(&file.trial, &file.trigger_details()),
        limit_ns: file.limit.0,
        performer: who,
    }
}

fn clock(mode: Mode) -> ClockUsed {
    match mode {
        Mode::RealTime => ClockUsed {
            name: "CLOCK_MONOTONIC".into(),
            resolution_ns: chronotap_clocks::timer_resolution().0,
        },
        Mode::VirtualTime | Mode::Replay => ClockUsed { name: "virtual".into(), resolution_ns: 1 },
    }
}

/// The engine of a trial file.
pub fn engine(file: &TrialFile, seed: u64) -> Engine {
    Engine::new(Arc::new(file.trial.clone()), seed)
}

/// Which input answers which stream, as the trial file has it.
pub fn answers(file: &TrialFile) -> Answers {
    let place = |(input, stream): &(u16, u16)| (usize::from(*input), usize::from(*stream));
    Answers {
        pairs: Some(file.answers.pairs.iter().map(place).collect()),
        named: file.answers.named.iter().copied().map(usize::from).collect(),
        because: file.answers.because.clone(),
    }
}

/// The seed of a trial: given, in the file, or drawn.
pub fn seed(given: Option<u64>, file: &TrialFile) -> Result<u64> {
    if let Some(seed) = given.or(file.seed) {
        return Ok(seed);
    }
    let mut bytes = [0; 8];
    std::fs::File::open("/dev/urandom")
        .and_then(|mut source| std::io::Read::read_exact(&mut source, &mut bytes))
        .context("/dev/urandom: cannot draw a seed; give one with --seed")?;
    Ok(u64::from_le_bytes(bytes) >> 32) // 32 bits are easier to write down
}

/// Makes the data directory where it is missing.
pub fn prepare(dir: &Path) -> Result<()> {
    std::fs::create_dir_all(dir).map_err(|error| {
        let dir = dir.display();
        anyhow!("--data {dir}: cannot make the directory: {error}; name one you may write to")
    })
}

/// First part of the data files' names.
pub fn stem(given: Option<&str>, file: &TrialFile) -> Result<String> {
    if let Some(name) = given {
        if name.is_empty() || name.contains('/') {
            bail!("--name \"{name}\": a name has letters and no `/`; --data names the directory");
        }
        return Ok(name.to_owned());
    }
    let stem = Path::new(&file.name).file_stem();
    Ok(stem.map_or_else(|| "trial".into(), |stem| stem.to_string_lossy().into_owned()))
}

/// The foot of a data file: the trial in numbers, and what its runner counted.
pub fn footer(summary: &Summary, runner: Value) -> Footer {
    let mut all = serde_json::to_value(summary).unwrap_or_default();
    if let (Value::Object(all), Value::Object(runner)) = (&mut all, runner) {
        all.extend(runner);
    }
    Footer { summary: all, ..Footer::default() }
}

/// Says where a trial's files are.
pub fn say_saved(saved: &Saved) {
    say(format!("Data: {} ({} events)", saved.tsv.display(), saved.rows));
    say(format!("      {}", saved.json.display()));
    if let Some(callbacks) = &saved.callbacks {
        say(format!("      {}", callbacks.display()));
    }
}

/// What the ports counted, for the foot of a data file.
pub fn ports(counts: &[PortCounts]) -> Value {
    let count = |c: &PortCounts| {
        json!({
            "received": c.received,
            "sent": c.sent,
            "lost": c.lost,
            "invalid_bytes": c.invalid_bytes,
            "sysex_bytes": c.sysex_bytes,
            "realtime_bytes": c.realtime_bytes,
            "early": c.early,
            "overruns": c.overruns,
            "reopened": c.reopened,
            "xruns": c.xruns,
            "clipped": c.clipped,
        })
    };
    counts.iter().map(count).collect()
}

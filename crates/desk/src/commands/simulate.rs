//! `chronotap simulate`: trials in virtual time, on all processors; of an experiment file a whole study.

mod whole_study;

use crate::args::{Show, Simulate};
use crate::commands::study::is_study;
use crate::ears::say_ears;
use crate::longest;
use crate::over_trials::MeansOverTrials;
use crate::says::{Says, Terminal};
use crate::screen::{Progress, complain, say, say_data, say_summary};
use crate::surroundings::here;
use crate::who_taps::tapper;
use crate::{CommandVerdict, data, trial_file};
use anyhow::{Result, bail};
use chronotap_analysis::summary::Summary;
use chronotap_config::trial_files::TrialFile;
use chronotap_core::time::{Nanos, state_wall_clock};
use chronotap_data::record::{Saved, free_names};
use chronotap_session::is_cut_off;
use chronotap_simulate::{
    KeepData, Tapper, TrialRun, TrialRunner, VirtualTrials, Wires, WiresError,
};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::Duration;

pub fn simulate(args: &Simulate) -> Result<CommandVerdict> {
    state_wall_clock_as_asked()?;
    if is_study(&args.file) {
        return whole_study::simulate_study(args);
    }
    let file = trial_file::read_told(&args.file, &args.ftap, args.show.quiet)?;
    if !args.difference.is_empty() {
        bail!("--difference is of a study, whose trials have levels; name an experiment file");
    }
    if args.shard.is_some() {
        bail!(
            "--shard: {} is a trial file; give each computer its own --seed and --repeat",
            args.file.display()
        );
    }
    if args.language.is_some() {
        bail!(
            "--language: {} is a trial file, and only a study has texts; leave --language out, or \
             name an experiment file",
            args.file.display()
        );
    }
    if args.participants.is_some() {
        bail!("--participants: {} is a trial file; use --repeat", args.file.display());
    }
    let looped = args.ports.inputs.iter().any(|port| port.contains(":loop"));
    let tapper = tapper(&args.who, &file, (!looped).then_some("tapper"))?;
    let (inputs, outputs) = data::names(&file.trial);
    let wires = here().wires(&args.ports, (&inputs, &outputs))?;
    let longest = longest::of_trial(&file, &args.file.display().to_string(), args.longest)?;
    // What cannot be opened is refused before anything is made.
    VirtualTrials::new(&wires, longest, Arc::default())?;
    let seed = data::seed(args.seed, &file)?;
    let places = Places::of(args, &file)?;
    if !args.no_data && !args.show.quiet && !args.show.json {
        say_ears(&wires);
    }
    let machine = Arc::new(here().machine());
    let batch = Batch { args, file: &file, wires, longest, tapper, seed, places, machine };
    let gathered = batch.run()?;
    batch.report(&gathered);
    if gathered.cut > 0 {
        complain(&longest::cut_off(gathered.cut, gathered.told, longest));
    }
    Ok(CommandVerdict::of(gathered.sound && gathered.cut == 0))
}

/// The date of the data, where the environment states it, as for anything that is to be made again to the byte
/// (<https://reproducible-builds.org/specs/source-date-epoch/>).
fn state_wall_clock_as_asked() -> Result<()> {
    let Some(stated) = std::env::var_os("SOURCE_DATE_EPOCH") else { return Ok(()) };
    // Until the year 2106.
    let seconds = stated.to_str().and_then(|text| text.parse::<u32>().ok());
    let Some(seconds) = seconds else {
        bail!("SOURCE_DATE_EPOCH: write whole seconds since 1970, or unset it");
    };
    state_wall_clock(Nanos::from_secs(seconds.into()));
    Ok(())
}

/// More trials than this have folders of their own, each of so many.
const FOLDER: usize = 1_000;

/// Where the data go.
enum Places {
    Nowhere,
    /// Under these names in the folder of the data.
    Names(Vec<String>),
    /// Into numbered folders in one of their own, under names that begin with this.
    Folders(PathBuf, String),
}

impl Places {
    fn of(args: &Simulate, file: &TrialFile) -> Result<Places> {
        if args.no_data {
            return Ok(Places::Nowhere);
        }
        let stem = data::stem(args.name.as_deref(), file)?;
        data::prepare(&args.data)?;
        let count = args.repeat as usize;
        if count <= FOLDER {
            return Ok(Places::Names(free_names(&args.data, &stem, count)?));
        }
        free_names(&args.data, &stem, 0)?; // which refuses a stem that is too long
        Ok(Places::Folders(data::new_set(&args.data, &stem)?, stem))
    }

    /// The folder and name of trial `k`, from 0; the folder is made with its first trial.
    fn of_trial(&self, args: &Simulate, k: usize) -> Result<Option<(PathBuf, String)>> {
        Ok(match self {
            Places::Nowhere => None,
            Places::Names(names) => names.get(k).map(|name| (args.data.clone(), name.clone())),
            Places::Folders(set, stem) => {
                let first = k / FOLDER * FOLDER;
                let last = (first + FOLDER).min(args.repeat as usize);
                let folder = set.join(format!("runs-{:07}-{last:07}", first + 1));
                data::prepare(&folder)?;
                Some((folder, format!("{stem}_run-{:07}", k + 1)))
            }
        })
    }
}

/// A trial that was run.
struct Trial {
    seed: u64,
    summary: Summary,
    saved: Option<Saved>,
}

/// What is known of the trials that are done.
#[derive(Default)]
struct Gathered {
    /// Those that come after one that is not done yet.
    waiting: BTreeMap<usize, Trial>,
    /// How many stand before the first that is not done.
    told: usize,
    /// What a report of all of them needs; no trial but the first is kept, so that any number
    /// of them fits into the memory.
    means: MeansOverTrials,
    first: Option<Trial>,
    last_saved: Option<Saved>,
    sound: bool,
    cut: usize, // at the bound
    refused: Option<anyhow::Error>,
}

impl Gathered {
    /// Takes in trial `k`; lines of JSON are printed as soon as all before them are.
    fn take(&mut self, k: usize, trial: Trial, show: Show) {
        self.waiting.insert(k, trial);
        while let Some(trial) = self.waiting.remove(&self.told) {
            self.told += 1;
            self.sound &= trial.summary.is_sound();
            self.cut += usize::from(is_cut_off(&trial.summary));
            match (show.quiet, show.json) {
                (true, _) => {}
                (_, true) => say_data(as_json(&trial)),
                _ => self.keep(trial),
            }
        }
    }
}

impl Gathered {
    fn keep(&mut self, trial: Trial) {
        self.means.add(&trial.summary);
        match &self.first {
            None => self.first = Some(trial),
            Some(_) => self.last_saved = trial.saved,
        }
    }
}

/// Trials that differ only in their seed.
struct Batch<'a> {
    args: &'a Simulate,
    file: &'a TrialFile,
    wires: Wires,
    longest: Nanos,
    tapper: Tapper,
    seed: u64,
    places: Places,
    machine: Arc<Value>,
}

impl Batch<'_> {
    /// Runs all trials, as many at a time as there are processors.
    fn run(&self) -> Result<Gathered> {
        let count = self.args.repeat as usize;
        let next = AtomicUsize::new(0);
        let failed = AtomicBool::new(false);
        let gathered = Mutex::new(Gathered { sound: true, ..Gathered::default() });
        let threads = std::thread::available_parallelism().map_or(1, NonZero::get).min(count);
        std::thread::scope(|scope| {
            let worker = || {
                let mut session = self.session();
                loop {
                    let k = next.fetch_add(1, Relaxed);
                    if k >= count || failed.load(Relaxed) {
                        return;
                    }
                    let trial = self.run_one(k, &mut session);
                    // One that was cut off takes much room, and the next would be, too.
                    let cut = trial.as_ref().is_ok_and(|trial| is_cut_off(&trial.summary));
                    let bounded = cut && self.args.longest.is_none();
                    failed.fetch_or(trial.is_err() || bounded, Relaxed);
                    if let Ok(mut gathered) = gathered.lock() {
                        match trial {
                            Ok(trial) => gathered.take(k, trial, self.args.show),
                            Err(refused) => gathered.refused = Some(refused),
                        }
                    }
                }
            };
            let workers: Vec<_> = (0..threads).map(|_| scope.spawn(worker)).collect();
            self.show_progress(&next, || workers.iter().all(|w| w.is_finished()));
        });
        let gathered = gathered.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        match gathered.refused {
            Some(refused) => Err(refused),
            None => Ok(gathered),
        }
    }

    fn show_progress(&self, next: &AtomicUsize, finished: impl Fn() -> bool) {
        let mut progress = Progress::new(50);
        let mut turns = 0;
        while !finished() {
            std::thread::park_timeout(Duration::from_millis(if turns < 50 { 2 } else { 100 }));
            turns += 1;
            if turns > 150 && !self.args.show.quiet && !self.args.show.json {
                let done = next.load(Relaxed).min(self.args.repeat as usize);
                progress.show(&format!("{done} of {} trials", self.args.repeat));
            }
        }
        progress.end();
    }

    fn session(&self) -> Result<VirtualTrials, WiresError> {
        VirtualTrials::new(&self.wires, self.longest, Arc::clone(&self.machine))
    }

    fn run_one(&self, k: usize, session: &mut Result<VirtualTrials, WiresError>) -> Result<Trial> {
        let session = match session {
            Ok(session) => session,
            Err(refused) => bail!("{}", refused.says(Terminal)),
        };
        let place = self.places.of_trial(self.args, k)?;
        let seed = self.seed.wrapping_add(k as u64);
        let keep = place
            .as_ref()
            .map_or(KeepData::Nothing, |(folder, name)| KeepData::Files(folder, name));
        let (tapper, limit) = (&self.tapper, self.args.limit);
        let run = TrialRun { seed, limit, keep, ..TrialRun::unkept(self.file, tapper) };
        let mut finished = session.run(&run)?;
        session.reuse(&mut finished);
        Ok(Trial { seed, summary: finished.summary, saved: finished.saved? })
    }

    fn report(&self, gathered: &Gathered) {
        let Gathered { means, first: Some(first), last_saved, .. } = gathered else { return };
        match self.args.repeat {
            1 => say_summary(&first.summary, self.args.show.notation),
            _ => say(means),
        }
        match (&first.saved, last_saved) {
            (None, _) => {}
            (Some(only), None) => say(format!("Data: {}", only.tsv.display())),
            (Some(first), Some(last)) => {
                say(format!("Data: {} to\n      {}", first.tsv.display(), last.tsv.display()));
            }
        }
    }
}

fn as_json(trial: &Trial) -> Value {
    json!({ "seed": trial.seed, "summary": trial.summary, "files": trial.saved })
}

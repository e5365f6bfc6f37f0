//! `chronotap simulate STUDY`: a whole study in virtual time, with the files that people
//! would leave.

use crate::CommandVerdict;
use crate::args::Simulate;
use crate::commands::study::read;
use crate::commands::take_over_ctrl_c;
use crate::ears::{say_ears, sound_in};
use crate::longest;
use crate::screen::{Progress, complain, say, say_data, wrapped};
use crate::surroundings::{CtrlC, here};
use anyhow::{Result, bail};
use chronotap_config::trial_files::performers::assumptions;
use chronotap_core::text::counted;
use chronotap_data::shares::Shard;
use chronotap_session::{Dataset, SessionDisk, Study};
use chronotap_session::{
    described::{model_of, with_differences},
    rehearse::Rehearsal,
};
use chronotap_simulate::VirtualTrials;
use chronotap_visit::simulate::{Simulated, simulate as rehearse};
use serde_json::json;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::Duration;

pub(super) fn simulate_study(args: &Simulate) -> Result<CommandVerdict> {
    let study = read(&args.file, &args.data)?;
    let study = match &args.language {
        Some(language) => study.in_language(language)?,
        None => study,
    };
    if args.no_data || args.who.performer.is_some() {
        bail!(
            "a simulated study leaves a dataset and is tapped by a model: leave out --no-data and --performer"
        );
    }
    refuse_what_is_of_trials(args)?;
    let rehearsal = rehearsal_of(args, &study)?;
    refuse_nobody(args, rehearsal.labels.len())?;
    let longest = rehearsal.longest;
    let disk = SessionDisk::that_syncs_at_the_end();
    let dataset = Dataset::open_or_make(&args.data, &study.about, true, disk)?;
    let shard = args.shard.unwrap_or(Shard::ALL);
    let count = (0..rehearsal.labels.len()).filter(|k| shard.has(*k)).count();
    let shown = !args.show.quiet && !args.show.json;
    let keeps_sound = shown && say_ears(&rehearsal.wires);
    let (interrupt, machine) = (take_over_ctrl_c()?, Arc::new(here().machine()));
    let (finished, told) = (AtomicBool::new(false), AtomicUsize::new(0));
    let done = std::thread::scope(|scope| {
        let watch = scope.spawn(|| ends_when_asked(&interrupt, &finished, &told, count));
        let progress = Mutex::new(Progress::new(50));
        let done = rehearse(&study, &dataset, &rehearsal, shard, &machine, &|done| {
            told.store(done, Relaxed);
            if let Ok(mut progress) = progress.lock() {
                progress.show(&format!("{done} of {count} participants"));
            }
        });
        finished.store(true, Relaxed);
        watch.thread().unpark();
        if let Ok(mut progress) = progress.lock() {
            progress.end();
        }
        done
    });
    let done = done?;
    report(args, done.participants, &rehearsal.model, &done);
    if keeps_sound {
        let folder = args.data.join("sourcedata");
        let mb = sound_in(&folder) as f64 / 1e6;
        say(format!("Sound: {mb:.1} MB in {}", folder.display()));
    }
    if done.cut > 0 {
        complain(&longest::cut_off(done.cut, done.trials, longest));
    }
    if done.participants < count {
        let simulated = done.participants;
        complain(&format!(
            "{simulated} of {count} participants were simulated: the next ones' trials would go on as long"
        ));
    }
    Ok(CommandVerdict::of(done.cut == 0))
}

/// At Ctrl-C says how to go on, and ends the program: what lies on the disk then is what a kill leaves, and the same
/// command finishes it.
fn ends_when_asked(interrupt: &CtrlC, finished: &AtomicBool, told: &AtomicUsize, count: usize) {
    while !finished.load(Relaxed) {
        if interrupt.requested() {
            let done = told.load(Relaxed);
            complain(&format!(
                "interrupted: {done} of {count} participants are done; give the same command again, and it goes on from there"
            ));
            std::process::exit(INTERRUPTED);
        }
        std::thread::park_timeout(LOOKS);
    }
}

/// As of any command that could not do its work.
const INTERRUPTED: i32 = 2;
const LOOKS: Duration = Duration::from_millis(50);

/// Who is simulated, by which model and on which ports. What cannot be opened or tapped is
/// refused here, before anything is made.
fn rehearsal_of(args: &Simulate, study: &Study) -> Result<Rehearsal> {
    let model = args.who.simulate.clone().unwrap_or_else(|| study.usual_model());
    let (inputs, outputs) = study.inputs_and_outputs();
    let (longest, limit) = (longest::of_study(study, args.longest)?, args.limit);
    let wires = here().wires(&args.ports, (&inputs, &outputs))?;
    VirtualTrials::new(&wires, longest, Arc::default())?;
    let model = with_differences(&model, &args.difference, &study.experiment)?;
    study.check_model(&model)?;
    let count = args.participants.unwrap_or(study.experiment.participants);
    let labels = (1..=count).map(|n| study.label(&n.to_string())).collect::<Result<_, _>>();
    let labels = labels.map_err(anyhow::Error::msg)?;
    let stops_when_cut = args.longest.is_none();
    Ok(Rehearsal { labels, model, wires, longest, stops_when_cut, limit })
}

/// A share in which nobody is has nothing to simulate.
fn refuse_nobody(args: &Simulate, all: usize) -> Result<()> {
    match args.shard {
        Some(Shard { of, .. }) if of > all => {
            bail!(
                "--shard: {all} participants cannot be shared among {of} computers; make at most {all} shares"
            )
        }
        _ => Ok(()),
    }
}

fn report(args: &Simulate, count: usize, model: &str, done: &Simulated) {
    let (sessions, trials, data) = (done.sessions, done.trials, args.data.display());
    if args.show.json {
        say_data(
            json!({ "participants": count, "sessions": sessions, "trials": trials, "dataset": args.data,
                "model": model, "assumes": assumptions(model_of(model)) }),
        );
    } else if !args.show.quiet {
        let [people, sessions, trials] =
            [(count, "simulated participant"), (sessions, "session"), (trials, "trial")]
                .map(|(n, of)| counted(n, of));
        say(format!("{people}, {sessions}, {trials}"));
        say(wrapped(&format!("They assume: {}", assumptions(model_of(model))), ""));
        for difference in &args.difference {
            say(wrapped(&format!("They differ: {difference}"), ""));
        }
        say(format!("Data: {data}"));
    }
}

/// What would be passed over without a word is refused.
fn refuse_what_is_of_trials(args: &Simulate) -> Result<()> {
    let cure = match (args.seed, args.repeat, &args.name) {
        (Some(_), ..) => {
            "--seed: a study has its seed in its file, such as seed = 1; change it there"
        }
        (_, 2.., _) => {
            "--repeat: a study's file says how often its trials come; to simulate more people, give --participants"
        }
        (.., Some(_)) => "--name: the files of a study are named by its dataset; leave it out",
        _ => return Ok(()),
    };
    bail!("{cure}")
}

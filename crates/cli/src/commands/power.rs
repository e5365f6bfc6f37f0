//! `chronotap power`: how often a study would find what it looks for.

use crate::Verdict;
use crate::args::Power as Arguments;
use crate::commands::take_over_ctrl_c;
use crate::longest;
use crate::screen::{Progress, complain, remark, say, say_data, wrapped};
use anyhow::{Result, bail};
use chronotap_analysis::proportion::{Proportion, proportion};
use chronotap_analysis::statistics::find;
use chronotap_config::trial_files::performers::assumptions;
use chronotap_core::text::counted;
use chronotap_data::tables::Outcome;
use chronotap_design::{Expected, Experiment, Factor, InRehearsal, expected};
use chronotap_rig::laboratory::{Bindings, PortNames, Rig};
use chronotap_session::Study;
use chronotap_session::power::{
    Contrast, Difference, Found, Looked, Power, rehearse, rehearse_outcome,
};
use serde_json::{Value, json};
use std::sync::Mutex;

pub fn power(args: &Arguments) -> Result<Verdict> {
    let study = Study::read(&args.file)?;
    let (power, outcome) = asked(args, &study)?;
    let interrupt = take_over_ctrl_c()?;
    let progress = Mutex::new(Progress::new(50));
    let count = args.studies;
    let told = |done| {
        if let Ok(mut progress) = progress.lock() {
            progress.show(&format!("{done} of {count} studies"));
        }
    };
    let stop = || interrupt.requested();
    let found = match &outcome {
        None => rehearse(&study, &power, &told, &stop).map(|found| looked_for(&power, found)),
        Some(outcome) => rehearse_outcome(&study, outcome, &power, &told, &stop).map(Sought::from),
    };
    if let Ok(mut progress) = progress.lock() {
        progress.end();
    }
    let Sought { called, is_effect, found } = found?;
    if found.is_empty() {
        bail!("interrupted before the first study was done; rehearse fewer participants");
    }
    if (found.len() as u32) < count {
        remark(format!("interrupted: {} of {count} studies were rehearsed", found.len()));
    }
    let (trials, cut) = found.iter().fold((0, 0), |(n, cut), one| (n + one.trials, cut + one.cut));
    match args.json {
        true => say_data(as_json((&power, &study.experiment), &called, &found, cut)),
        false => show((&power, &study.experiment), (&called, is_effect), &found),
    }
    if cut > 0 {
        complain(&longest::cut_off(cut, trials, power.longest));
    }
    Ok(Verdict::Passed)
}

/// What was looked for, by its names, and what came of it.
struct Sought {
    called: Vec<String>,
    /// Whether 0 is no effect.
    is_effect: bool,
    found: Vec<Found>,
}

fn looked_for(power: &Power, found: Vec<Found>) -> Sought {
    let called = power.contrasts.iter().map(ToString::to_string).collect();
    Sought { called, is_effect: true, found }
}

impl From<Looked> for Sought {
    fn from(looked: Looked) -> Sought {
        let Looked { called, is_effect, found } = looked;
        Sought { called: vec![called], is_effect, found }
    }
}

/// What is rehearsed, and the outcome that is looked for where that is none of the contrasts.
fn asked(args: &Arguments, study: &Study) -> Result<(Power, Option<Outcome>)> {
    let (inputs, outputs) = study.inputs_and_outputs();
    let bindings =
        Bindings::resolve(&PortNames::default(), &inputs, &outputs, Some("wire:unthrottled"))?;
    let longest = longest::of_study(study, args.longest)?;
    // What cannot be opened or tapped is refused before anything is run.
    Rig::in_virtual_time(bindings.clone(), longest)?;
    let model = args.simulate.clone().unwrap_or_else(|| study.usual_model());
    study.check_model(&model)?;
    let contrasts = match &args.contrast[..] {
        [] => Ok(of_outcome(&study.experiment)?.into_iter().collect()),
        given => given.iter().map(|text| text.parse()).collect::<Result<Vec<Contrast>, _>>(),
    };
    let contrasts: Vec<Contrast> = contrasts?;
    let outcome = study.experiment.outcome.clone().filter(|_| contrasts.is_empty());
    let differences = args.difference.iter().map(|text| text.parse());
    let power = Power {
        studies: args.studies,
        participants: args.participants.unwrap_or(study.experiment.participants),
        seed: args.seed.unwrap_or(study.experiment.seed),
        model,
        contrasts,
        differences: differences.collect::<Result<_, _>>()?,
        bindings,
        longest,
    };
    Ok((power, outcome))
}

/// The effect that the study itself states: its outcome at the last level less that at the first. `None` where
/// that is no statistic of whole trials at levels of a factor, so that the tables of an analysis are needed.
fn of_outcome(experiment: &Experiment) -> Result<Option<Contrast>> {
    let none = "name the effect to look for with --contrast, such as \"mean asynchrony: delay 200 ms - 0 ms\"";
    let Some(outcome) = &experiment.outcome else {
        bail!("the study states no [outcome]: {none}");
    };
    let factors = experiment.factors.iter().chain(&experiment.between);
    let over = |factor: &&Factor| Some(&factor.name) == outcome.over.as_ref();
    let levels = factors.filter(over).map(|factor| &factor.levels[..]).next();
    let whole = outcome.stretch.is_none() && outcome.input.is_none() && outcome.against.is_none();
    let is_statistic = find(&outcome.of).is_some();
    match (levels, &outcome.over) {
        (Some([first, .., last]), Some(factor)) if whole && is_statistic => Ok(Some(Contrast {
            statistic: outcome.of.clone(),
            factor: factor.clone(),
            level: last.to_string(),
            less: first.to_string(),
        })),
        _ => Ok(None),
    }
}

/// What came of one contrast over all studies.
struct Came {
    found: Proportion,
    /// Studies that found the opposite of what they found on average.
    opposite: usize,
    /// Studies in which it could not be estimated; they count as not finding it.
    without: usize,
    mean: f64,
    sd: f64,
    /// Half of the 95 % interval, on average.
    reach: f64,
}

fn came(place: usize, all: &[Found]) -> Came {
    let estimates: Vec<_> =
        all.iter().filter_map(|one| one.estimates[place].as_ref().ok()).collect();
    let n = estimates.len() as f64;
    let mean = estimates.iter().map(|found| found.value).sum::<f64>() / n;
    let squares: f64 = estimates.iter().map(|found| (found.value - mean).powi(2)).sum();
    let finds = estimates.iter().filter(|found| !found.holds(0.0));
    let opposite = finds.clone().filter(|found| found.value.signum() != mean.signum()).count();
    Came {
        found: proportion(finds.count(), all.len()).expect("at least one study was rehearsed"),
        opposite,
        without: all.len() - estimates.len(),
        mean,
        sd: (squares / (n - 1.0)).sqrt(),
        reach: estimates.iter().map(|of| (of.high - of.low) / 2.0).sum::<f64>() / n,
    }
}

fn show(
    (power, experiment): (&Power, &Experiment),
    (called, is_effect): (&[String], bool),
    all: &[Found],
) {
    let trials = all[0].trials;
    say(format!(
        "{} of {} and {} each, seeds from {}",
        counted(all.len(), "study"),
        counted(power.participants, "participant"),
        counted(trials, "trial"),
        power.seed
    ));
    say(wrapped(&format!("participants: {}", power.model), "  "));
    say(wrapped(&format!("they assume: {}", assumptions(&power.model)), "  "));
    for difference in &power.differences {
        let Difference { factor, level, parameter, mean, sd, unit } = difference;
        say(wrapped(&format!("{factor} {level}: {parameter} {mean:+} {unit}, SD {sd}"), "  "));
    }
    for (of, why) in cannot(experiment) {
        say(wrapped(
            &format!("what rehearsals cannot find: {} The reason: {why}", of.effect),
            "  ",
        ));
    }
    for (place, called) in called.iter().enumerate() {
        show_sought(called, is_effect, &came(place, all));
    }
}

/// What the study was published to find, and simulated people do not.
fn cannot(experiment: &Experiment) -> impl Iterator<Item = (&'static Expected, &'static str)> {
    expected(experiment).filter_map(|of| match of.rehearsed {
        InRehearsal::Cannot(why) => Some((of, why)),
        _ => None,
    })
}

fn show_sought(called: &str, is_effect: bool, of: &Came) {
    let Proportion { count, of: all, share, low, high } = of.found;
    let [share, low, high] = [share, low, high].map(|x| 100.0 * x);
    say("");
    say(wrapped(called, ""));
    if is_effect {
        say(format!("  found in {count} of {all} studies: {share:.1} % [{low:.1}, {high:.1}]"));
    }
    if of.mean.is_finite() {
        let sd = if of.sd.is_finite() { format!("{:.3}", of.sd) } else { "-".into() };
        say(format!("  estimates: mean {:.3}, SD between studies {sd}", of.mean));
        if !is_effect {
            say(format!("  95 % intervals reach {:.3} to each side", of.reach));
        }
    }
    if of.opposite > 0 && is_effect {
        say(format!("  of these {} with the opposite sign", of.opposite));
    }
    if of.without > 0 {
        let studies = if of.without == 1 { "study" } else { "studies" };
        say(format!("  {} {studies} had too few data for it, or none", of.without));
    }
}

fn as_json(
    (power, experiment): (&Power, &Experiment),
    called: &[String],
    all: &[Found],
    cut: usize,
) -> Value {
    let contrast = |(place, called): (usize, &String)| {
        let of = came(place, all);
        let finite = |x: f64| x.is_finite().then_some(x);
        json!({ "contrast": called, "found": of.found, "opposite": of.opposite,
            "without": of.without, "mean": finite(of.mean), "sd": finite(of.sd) })
    };
    let mut told = json!({
        "studies": all.len(),
        "asked": power.studies,
        "participants": power.participants,
        "trials": all[0].trials,
        "seed": power.seed,
        "model": power.model,
        "assumes": assumptions(&power.model),
        "contrasts": called.iter().enumerate().map(contrast).collect::<Vec<_>>(),
    });
    let cannot: Vec<Value> =
        cannot(experiment).map(|(of, why)| json!({ "effect": of.effect, "why": why })).collect();
    if !cannot.is_empty() {
        told["cannot"] = cannot.into();
    }
    if cut > 0 {
        told["cut"] = cut.into();
    }
    told
}

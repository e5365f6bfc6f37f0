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
use chronotap_design::{Experiment, Factor};
use chronotap_rig::laboratory::{Bindings, PortNames, Rig};
use chronotap_session::Study;
use chronotap_session::power::{Contrast, Difference, Found, Power, rehearse};
use serde_json::{Value, json};
use std::sync::Mutex;

pub fn power(args: &Arguments) -> Result<Verdict> {
    let study = Study::read(&args.file)?;
    let power = asked(args, &study)?;
    let interrupt = take_over_ctrl_c()?;
    let progress = Mutex::new(Progress::new(50));
    let count = args.studies;
    let found = rehearse(
        &study,
        &power,
        &|done| {
            if let Ok(mut progress) = progress.lock() {
                progress.show(&format!("{done} of {count} studies"));
            }
        },
        &|| interrupt.requested(),
    );
    if let Ok(mut progress) = progress.lock() {
        progress.end();
    }
    let found = found?;
    if found.is_empty() {
        bail!("interrupted before the first study was done; rehearse fewer participants");
    }
    if (found.len() as u32) < count {
        remark(format!("interrupted: {} of {count} studies were rehearsed", found.len()));
    }
    let (trials, cut) = found.iter().fold((0, 0), |(n, cut), one| (n + one.trials, cut + one.cut));
    match args.json {
        true => say_data(as_json(&power, &found, cut)),
        false => show(&power, &found),
    }
    if cut > 0 {
        complain(&longest::cut_off(cut, trials, power.longest));
    }
    Ok(Verdict::Passed)
}

fn asked(args: &Arguments, study: &Study) -> Result<Power> {
    let (inputs, outputs) = study.inputs_and_outputs();
    let bindings =
        Bindings::resolve(&PortNames::default(), &inputs, &outputs, Some("wire:unthrottled"))?;
    let longest = longest::of_study(study, args.longest)?;
    // What cannot be opened or tapped is refused before anything is run.
    Rig::in_virtual_time(bindings.clone(), longest)?;
    study.check_model(&args.simulate)?;
    let contrasts = match &args.contrast[..] {
        [] => Ok(vec![of_outcome(&study.experiment)?]),
        given => given.iter().map(|text| text.parse()).collect::<Result<Vec<Contrast>, _>>(),
    };
    let differences = args.difference.iter().map(|text| text.parse());
    Ok(Power {
        studies: args.studies,
        participants: args.participants.unwrap_or(study.experiment.participants),
        seed: args.seed.unwrap_or(study.experiment.seed),
        model: args.simulate.clone(),
        contrasts: contrasts?,
        differences: differences.collect::<Result<_, _>>()?,
        bindings,
        longest,
    })
}

/// The effect that the study itself states: its outcome at the last level less that at the first.
fn of_outcome(experiment: &Experiment) -> Result<Contrast> {
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
        (Some([first, .., last]), Some(factor)) if whole && is_statistic => Ok(Contrast {
            statistic: outcome.of.clone(),
            factor: factor.clone(),
            level: last.to_string(),
            less: first.to_string(),
        }),
        _ => bail!(
            "the study's [outcome] ({outcome}) is no statistic of whole trials at levels of a factor: {none}"
        ),
    }
}

/// What came of one contrast over all studies.
struct Outcome {
    found: Proportion,
    /// Studies that found the opposite of what they found on average.
    opposite: usize,
    /// Studies in which it could not be estimated; they count as not finding it.
    without: usize,
    mean: f64,
    sd: f64,
}

fn outcome(place: usize, all: &[Found]) -> Outcome {
    let estimates: Vec<_> =
        all.iter().filter_map(|one| one.estimates[place].as_ref().ok()).collect();
    let n = estimates.len() as f64;
    let mean = estimates.iter().map(|found| found.value).sum::<f64>() / n;
    let squares: f64 = estimates.iter().map(|found| (found.value - mean).powi(2)).sum();
    let finds = estimates.iter().filter(|found| !found.holds(0.0));
    let opposite = finds.clone().filter(|found| found.value.signum() != mean.signum()).count();
    Outcome {
        found: proportion(finds.count(), all.len()).expect("at least one study was rehearsed"),
        opposite,
        without: all.len() - estimates.len(),
        mean,
        sd: (squares / (n - 1.0)).sqrt(),
    }
}

fn show(power: &Power, all: &[Found]) {
    let trials = all[0].trials;
    say(format!(
        "{} studies of {} participants and {trials} trials each, seeds from {}",
        all.len(),
        power.participants,
        power.seed
    ));
    say(wrapped(&format!("participants: {}", power.model), "  "));
    say(wrapped(&format!("they assume: {}", assumptions(&power.model)), "  "));
    for difference in &power.differences {
        let Difference { factor, level, parameter, mean, sd, unit } = difference;
        say(wrapped(&format!("{factor} {level}: {parameter} {mean:+} {unit}, SD {sd}"), "  "));
    }
    for (place, contrast) in power.contrasts.iter().enumerate() {
        show_contrast(contrast, &outcome(place, all));
    }
}

fn show_contrast(contrast: &Contrast, of: &Outcome) {
    let Proportion { count, of: all, share, low, high } = of.found;
    let [share, low, high] = [share, low, high].map(|x| 100.0 * x);
    say("");
    say(wrapped(&contrast.to_string(), ""));
    say(format!("  found in {count} of {all} studies: {share:.1} % [{low:.1}, {high:.1}]"));
    if of.mean.is_finite() {
        let sd = if of.sd.is_finite() { format!("{:.3}", of.sd) } else { "-".into() };
        say(format!("  estimates: mean {:.3}, SD between studies {sd}", of.mean));
    }
    if of.opposite > 0 {
        say(format!("  of these {} with the opposite sign", of.opposite));
    }
    if of.without > 0 {
        let studies = if of.without == 1 { "study" } else { "studies" };
        say(format!("  {} {studies} had too few data for it, or none", of.without));
    }
}

fn as_json(power: &Power, all: &[Found], cut: usize) -> Value {
    let contrast = |(place, contrast): (usize, &Contrast)| {
        let of = outcome(place, all);
        let finite = |x: f64| x.is_finite().then_some(x);
        json!({ "contrast": contrast.to_string(), "found": of.found, "opposite": of.opposite,
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
        "contrasts": power.contrasts.iter().enumerate().map(contrast).collect::<Vec<_>>(),
    });
    if cut > 0 {
        told["cut"] = cut.into();
    }
    told
}

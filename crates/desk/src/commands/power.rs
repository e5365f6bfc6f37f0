//! `chronotap power`: how often a study would find what it looks for.

mod share;

use crate::Verdict;
use crate::args::Power as Arguments;
use crate::commands::take_over_ctrl_c;
use crate::longest;
use crate::screen::{Progress, complain, remark, say, say_data, wrapped};
use crate::surroundings::CtrlC;
use anyhow::{Result, bail};
use chronotap_analysis::proportion::{Proportion, proportion};
use chronotap_config::trial_files::performers::assumptions;
use chronotap_core::text::counted;
use chronotap_data::{
    shares::Shard,
    tables::{Outcome, Stands},
};
use chronotap_design::{Expected, Experiment, Factor, InRehearsal, expected};
use chronotap_session::Study;
use chronotap_session::power::{
    Contrast, Difference, Found, Looked, Power, Sought, Tested, check_asked, rehearse,
    rehearse_outcomes,
};
use chronotap_simulate::Wires;
use serde_json::{Value, json};
use std::sync::Mutex;

pub fn power(args: &Arguments) -> Result<Verdict> {
    let study = Study::read(&args.file)?;
    if !args.shares.is_empty() {
        return tell(args, &study, &share::together(args, &study)?);
    }
    let (power, outcomes) = asked(args, &study)?;
    share::refuse(args)?;
    let interrupt = take_over_ctrl_c()?;
    let mut points = Vec::new();
    for power in of_each_count(args, &power) {
        if interrupt.requested() {
            share::refuse_part(args)?;
            remark(format!(
                "interrupted: nothing of {} participants was rehearsed",
                power.participants
            ));
            break;
        }
        let looked = looked(&study, &power, &outcomes, &interrupt)?;
        points.push((power, looked));
    }
    match args.shard {
        Some(shard) => share::write(args, &study, (&outcomes, shard), &points),
        None => tell(args, &study, &points),
    }
}

/// Prints what was found.
fn tell(args: &Arguments, study: &Study, points: &[(Power, Looked)]) -> Result<Verdict> {
    match args.json {
        true => say_data(all_as_json(points, &study.experiment)),
        false => show_all(points, &study.experiment),
    }
    let all = points.iter().flat_map(|(_, looked)| &looked.found);
    let (trials, cut) = all.fold((0, 0), |(n, cut), one| (n + one.trials, cut + one.cut));
    if let Some((power, _)) = points.first().filter(|_| cut > 0) {
        complain(&longest::cut_off(cut, trials, power.longest));
    }
    Ok(Verdict::Passed)
}

/// The same studies with each number of participants: those of fewer are the first of those of more.
fn of_each_count(args: &Arguments, power: &Power) -> Vec<Power> {
    let counts = args.participants.clone().map_or(vec![power.participants], |counts| counts.0);
    counts.into_iter().map(|participants| Power { participants, ..power.clone() }).collect()
}

/// Rehearses the studies of one number of participants.
fn looked(study: &Study, power: &Power, outcomes: &[Outcome], interrupt: &CtrlC) -> Result<Looked> {
    let progress = Mutex::new(Progress::new(50));
    let (count, people) = (power.own().count() as u32, counted(power.participants, "participant"));
    let told = |done| {
        if let Ok(mut progress) = progress.lock() {
            progress.show(&format!("{done} of {count} studies of {people}"));
        }
    };
    let stop = || interrupt.requested();
    let looked = match outcomes {
        [] => rehearse(study, power, &told, &stop).map(|found| looked_for(power, found)),
        outcomes => rehearse_outcomes(study, outcomes, power, &told, &stop),
    };
    if let Ok(mut progress) = progress.lock() {
        progress.end();
    }
    let looked = looked?;
    if looked.found.is_empty() {
        bail!("interrupted before the first study was done; rehearse fewer participants");
    }
    let done = looked.found.len();
    if (done as u32) < count && power.shard != Shard::ALL {
        bail!("interrupted: {done} of {count} studies were rehearsed, and no share was written");
    }
    if (done as u32) < count {
        remark(format!("interrupted: {done} of {count} studies were rehearsed"));
    }
    Ok(looked)
}

fn looked_for(power: &Power, found: Vec<Found>) -> Looked {
    let called = |contrast: &Contrast| Sought {
        called: contrast.to_string(),
        is_effect: true,
        against: 0.0,
    };
    Looked { sought: power.contrasts.iter().map(called).collect(), found }
}

/// What is rehearsed, and the outcome and contrasts that are looked for as an analysis finds them; none where
/// what is looked for stands in the summaries of trials.
fn asked(args: &Arguments, study: &Study) -> Result<(Power, Vec<Outcome>)> {
    let (inputs, outputs) = study.inputs_and_outputs();
    let wires = Wires::unthrottled(&inputs, &outputs);
    let longest = longest::of_study(study, args.longest)?;
    let model = args.simulate.clone().unwrap_or_else(|| study.usual_model());
    study.check_model(&model)?;
    let outcomes = outcomes(args, &study.experiment)?;
    let contrasts = of_summaries(&outcomes, &study.experiment);
    let outcomes = if contrasts.is_empty() { outcomes } else { Vec::new() };
    let differences = args.difference.iter().map(|text| text.parse());
    let power = Power {
        studies: args.studies,
        participants: study.experiment.participants,
        seed: args.seed.unwrap_or(study.experiment.seed),
        model,
        contrasts,
        differences: differences.collect::<Result<_, _>>()?,
        wires,
        longest,
        shard: args.shard.unwrap_or(Shard::ALL),
    };
    Ok((power, outcomes))
}

/// What is asked for, or what the study itself states.
fn outcomes(args: &Arguments, experiment: &Experiment) -> Result<Vec<Outcome>> {
    let asked = |text: &String| {
        let asked: Outcome = text.parse()?;
        check_asked(experiment, &asked).map(|()| asked)
    };
    if !args.contrast.is_empty() {
        let asked: Vec<Outcome> = args.contrast.iter().map(asked).collect::<Result<_, _>>()?;
        return Ok(asked.iter().flat_map(|asked| experiment.expanded(asked)).collect());
    }
    if experiment.outcomes.is_empty() {
        bail!(
            "the study states no [outcome] and no [[contrast]]: name the effect to look for with --contrast, such as \"mean asynchrony: delay 200 ms - 0 ms\""
        );
    }
    Ok(experiment.outcomes.clone())
}

/// The same, where all of it are statistics of whole trials at levels of a factor, which need no table of an
/// analysis; nothing where any is more, or planned beside others and so corrected for their number.
fn of_summaries(outcomes: &[Outcome], experiment: &Experiment) -> Vec<Contrast> {
    let factors = experiment.factors.iter().chain(&experiment.between);
    let of_study = |outcome: &Outcome| {
        let over = |factor: &&Factor| Some(&factor.name) == outcome.over.as_ref();
        let levels = factors.clone().find(over).map(|factor| &factor.levels[..]);
        let ends = match levels {
            Some([first, .., last]) => Some([last.to_string(), first.to_string()]),
            _ => None,
        };
        let selects = [&outcome.stretch, &outcome.input, &outcome.against];
        let whole = selects.iter().all(|key| key.is_none());
        let levels = outcome.levels.clone().or(ends).filter(|_| whole);
        Outcome { levels, step: None, ..outcome.clone() }
    };
    let contrast = |outcome: &Outcome| match outcome.stands {
        Stands::Outcome => Contrast::of(&of_study(outcome)),
        Stands::Planned => None,
        Stands::Asked => Contrast::of(outcome),
    };
    outcomes.iter().map(contrast).collect::<Option<_>>().unwrap_or_default()
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

fn came(against: f64, place: usize, all: &[Found]) -> Came {
    let tested: Vec<&Tested> =
        all.iter().filter_map(|one| one.estimates[place].as_ref().ok()).collect();
    let n = tested.len() as f64;
    let mean = tested.iter().map(|of| of.estimate.value).sum::<f64>() / n;
    let squares: f64 = tested.iter().map(|of| (of.estimate.value - mean).powi(2)).sum();
    let finds = tested.iter().filter(|of| of.finds);
    let side = |value: f64| (value - against).signum();
    let opposite = finds.clone().filter(|of| side(of.estimate.value) != side(mean)).count();
    Came {
        found: proportion(finds.count(), all.len()).expect("at least one study was rehearsed"),
        opposite,
        without: all.len() - tested.len(),
        mean,
        sd: (squares / (n - 1.0)).sqrt(),
        reach: tested.iter().map(|of| (of.estimate.high - of.estimate.low) / 2.0).sum::<f64>() / n,
    }
}

/// One number of participants in full, or several as a curve.
fn show_all(points: &[(Power, Looked)], experiment: &Experiment) {
    let Some((power, looked)) = points.last() else { return };
    let trials = counted(looked.found[0].trials, "trial");
    let size = match points {
        [(first, _), _, ..] => {
            format!(
                "{} to {} participants and up to {trials}",
                first.participants, power.participants
            )
        }
        _ => format!("{} and {trials}", counted(power.participants, "participant")),
    };
    say(format!(
        "{} of {size} each, seeds from {}",
        counted(looked.found.len(), "study"),
        power.seed
    ));
    show_people(power, experiment);
    for (place, sought) in looked.sought.iter().enumerate() {
        match points {
            [_] => show_sought(sought, &came(sought.against, place, &looked.found)),
            _ => show_curve(sought, place, points),
        }
    }
}

/// A line for each number of participants.
fn show_curve(
    Sought { called, is_effect, against }: &Sought,
    place: usize,
    points: &[(Power, Looked)],
) {
    say("");
    say(wrapped(called, ""));
    let enough =
        points.iter().find(|(_, looked)| came(*against, place, &looked.found).found.low >= ENOUGH);
    for (power, looked) in points {
        let of = came(*against, place, &looked.found);
        let count = power.participants;
        let reach = match is_effect {
            true => {
                let [share, low, high] =
                    [of.found.share, of.found.low, of.found.high].map(|x| 100.0 * x);
                format!("found in {share:5.1} % [{low:.1}, {high:.1}]")
            }
            false => format!("95 % intervals reach {:.3} to each side", of.reach),
        };
        say(format!("  {count:>6} participants: {reach}"));
    }
    if *is_effect {
        let enough = enough.map_or("none of these numbers".to_owned(), |(power, _)| {
            counted(power.participants, "participant")
        });
        say(format!("  at least 80 %, with the whole interval: {enough}"));
    }
}

/// The power that is usually asked for.
const ENOUGH: f64 = 0.8;

fn show_people(power: &Power, experiment: &Experiment) {
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
}

/// What the study was published to find, and simulated people do not.
fn cannot(experiment: &Experiment) -> impl Iterator<Item = (&'static Expected, &'static str)> {
    expected(experiment).filter_map(|of| match of.rehearsed {
        InRehearsal::Cannot(why) => Some((of, why)),
        _ => None,
    })
}

fn show_sought(Sought { called, is_effect, .. }: &Sought, of: &Came) {
    let Proportion { count, of: all, share, low, high } = of.found;
    let [share, low, high] = [share, low, high].map(|x| 100.0 * x);
    say("");
    say(wrapped(called, ""));
    if *is_effect {
        say(format!("  found in {count} of {all} studies: {share:.1} % [{low:.1}, {high:.1}]"));
    }
    if of.mean.is_finite() {
        let sd = if of.sd.is_finite() { format!("{:.3}", of.sd) } else { "-".into() };
        say(format!("  estimates: mean {:.3}, SD between studies {sd}", of.mean));
        if !*is_effect {
            say(format!("  95 % intervals reach {:.3} to each side", of.reach));
        }
    }
    if of.opposite > 0 && *is_effect {
        say(format!("  of these {} with the opposite sign", of.opposite));
    }
    if of.without > 0 {
        let studies = if of.without == 1 { "study" } else { "studies" };
        say(format!("  {} {studies} had too few data for it, or none", of.without));
    }
}

/// That of one number of participants, or a list of those of several.
fn all_as_json(points: &[(Power, Looked)], experiment: &Experiment) -> Value {
    let one = |(power, looked): &(Power, Looked)| {
        let cut = looked.found.iter().map(|found| found.cut).sum();
        as_json((power, experiment), &looked.sought, &looked.found, cut)
    };
    match points {
        [point] => one(point),
        _ => json!({ "curve": points.iter().map(one).collect::<Vec<_>>() }),
    }
}

fn as_json(
    (power, experiment): (&Power, &Experiment),
    sought: &[Sought],
    all: &[Found],
    cut: usize,
) -> Value {
    let contrast = |(place, Sought { called, against, .. }): (usize, &Sought)| {
        let of = came(*against, place, all);
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
        "contrasts": sought.iter().enumerate().map(contrast).collect::<Vec<_>>(),
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

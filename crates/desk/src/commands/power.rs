//! `chronotap power`: how often a study would find what it looks for.

mod share;

use crate::CommandVerdict;
use crate::args::PowerArgs as Arguments;
use crate::commands::take_over_ctrl_c;
use crate::longest;
use crate::screen::{Progress, complain, remark, say, say_data, wrapped};
use crate::surroundings::CtrlC;
use anyhow::{Result, bail};
use chronotap_analysis::proportion::Proportion;
use chronotap_config::trial_files::performers::assumptions;
use chronotap_core::text::counted;
use chronotap_data::{shares::Shard, tables::Outcome};
use chronotap_design::Experiment;
use chronotap_session::Study;
use chronotap_session::power::{
    Difference, Looked, OverStudies, Power, Sought, as_json, by_way, came, cannot, check_asked,
    look, no_effect,
};
use chronotap_simulate::Wires;
use std::sync::Mutex;

pub fn power(args: &Arguments) -> Result<CommandVerdict> {
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
fn tell(args: &Arguments, study: &Study, points: &[(Power, Looked)]) -> Result<CommandVerdict> {
    // Those who put shares together need not say again what is looked for.
    let looked_for = match args.shares.is_empty() {
        true => outcomes(args, &study.experiment)?,
        false => Vec::new(),
    };
    match args.json {
        true => say_data(as_json(points, &study.experiment)),
        false => show_all(points, &study.experiment, &looked_for),
    }
    let all = points.iter().flat_map(|(_, looked)| &looked.found);
    let (trials, cut) = all.fold((0, 0), |(n, cut), one| (n + one.trials, cut + one.cut));
    if let Some((power, _)) = points.first().filter(|_| cut > 0) {
        complain(&longest::cut_off(cut, trials, power.longest));
    }
    Ok(CommandVerdict::Passed)
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
    let looked = look(study, outcomes, power, &told, &stop);
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

/// What is rehearsed, and the outcome and contrasts that are looked for as an analysis finds them; none where
/// what is looked for stands in the summaries of trials.
fn asked(args: &Arguments, study: &Study) -> Result<(Power, Vec<Outcome>)> {
    let (inputs, outputs) = study.inputs_and_outputs();
    let wires = Wires::unthrottled(&inputs, &outputs);
    let longest = longest::of_study(study, args.longest)?;
    let model = args.simulate.clone().unwrap_or_else(|| study.usual_model());
    study.check_model(&model)?;
    let outcomes = outcomes(args, &study.experiment)?;
    let (outcomes, contrasts) = by_way(outcomes, &study.experiment);
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

/// One number of participants in full, or several as a curve.
fn show_all(points: &[(Power, Looked)], experiment: &Experiment, outcomes: &[Outcome]) {
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
        // Where an outcome stands for several results, which belongs to which is not known here.
        let told = sought.is_effect && outcomes.len() == looked.sought.len();
        let outcome = outcomes.get(place).filter(|_| told);
        outcome.into_iter().for_each(|outcome| show_no_effect(outcome, power, experiment));
    }
}

/// That nobody assumed what is looked for.
fn show_no_effect(outcome: &Outcome, power: &Power, experiment: &Experiment) {
    let Some((factor, level)) = no_effect(outcome, power, experiment) else { return };
    let said = format!(
        "no effect was assumed: no trial depends on {factor}, and no --difference is of it. So this is the \
         rate of false alarms, of which 5 % are to be expected. Assume an effect with, for example, \
         --difference \"{factor} {level}: mean + 10 ms\""
    );
    say(wrapped(&said, "  "));
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

fn show_sought(Sought { called, is_effect, .. }: &Sought, of: &OverStudies) {
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

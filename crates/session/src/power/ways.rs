//! [`look`]: the two ways to what is looked for. Statistics of whole trials at levels of a factor stand in the
//! summaries of trials; everything else needs the tables of an analysis.

use super::{
    FoundByStudy, Looked, Power, PowerContrast, PowerError, Sought, rehearse, rehearse_outcomes,
};
use crate::rehearse::RehearsalStop;
use crate::study::Study;
use chronotap_data::tables::{Outcome, Stands};
use chronotap_design::{Experiment, Factor};

/// Rehearses the studies of one number of participants; where there are no outcomes, for the contrasts of `power`.
///
/// # Errors
/// The first [`PowerError`].
pub fn look(
    study: &Study,
    outcomes: &[Outcome],
    power: &Power,
    progress: &(dyn Fn(u32) + Sync),
    stop: RehearsalStop<'_>,
) -> Result<Looked, PowerError> {
    match outcomes {
        [] => rehearse(study, power, progress, stop).map(|found| looked_for(power, found)),
        outcomes => rehearse_outcomes(study, outcomes, power, progress, stop),
    }
}

/// What is looked for, by the way that it is found: as an analysis finds it, or in the summaries of trials alone.
pub fn by_way(
    outcomes: Vec<Outcome>,
    experiment: &Experiment,
) -> (Vec<Outcome>, Vec<PowerContrast>) {
    let contrasts = of_summaries(&outcomes, experiment);
    (if contrasts.is_empty() { outcomes } else { Vec::new() }, contrasts)
}

fn looked_for(power: &Power, found: Vec<FoundByStudy>) -> Looked {
    let called = |contrast: &PowerContrast| Sought {
        called: contrast.to_string(),
        is_effect: true,
        against: 0.0,
    };
    Looked { sought: power.contrasts.iter().map(called).collect(), found }
}

/// The contrasts, where all of it are statistics of whole trials at levels of a factor, which need no table of an
/// analysis; nothing where any is more, or planned beside others and so corrected for their number.
fn of_summaries(outcomes: &[Outcome], experiment: &Experiment) -> Vec<PowerContrast> {
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
        Stands::Outcome => PowerContrast::of(&of_study(outcome)),
        Stands::Planned => None,
        Stands::Asked => PowerContrast::of(outcome),
    };
    outcomes.iter().map(contrast).collect::<Option<_>>().unwrap_or_default()
}

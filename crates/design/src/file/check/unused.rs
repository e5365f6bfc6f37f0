//! Whether each factor does something: a factor that sets nothing, limits nothing, makes no blocks and stands
//! in no text leaves all its levels the same, which is mostly a forgotten line of `[set]`. It is a doubt and
//! no mistake: somebody may tell the participants the level. A group that was there before the study, which is
//! chosen or follows from answers, needs to do nothing.

use crate::study::experiment::Experiment;
use crate::study::factor::Factor;
use crate::study::setting::Setting;
use crate::study::step::{Doing, Order, Step, Trials};
use chronotap_config::trial_files::reading::{Page, tree};
use std::collections::HashSet;

/// Warns of each factor that nothing uses.
pub(crate) fn unused(page: &Page<'_>, experiment: &Experiment) {
    let mut used: HashSet<&str> = experiment.settings.iter().flat_map(Setting::factor).collect();
    let translated = experiment.translations.iter().flat_map(|of| &of.steps);
    experiment.steps.iter().chain(translated).for_each(|step| of_step(step, &mut used));
    let drawn = experiment.between.iter().filter(|factor| !factor.is_measured());
    let session = experiment.session_factor.iter().map(|session| &session.factor);
    // A column of a table of conditions may name them, and do nothing else.
    let of_tables = tree(&experiment.source).is_ok_and(|top| top.has("conditions"));
    let within = experiment.factors.iter().filter(|_| !of_tables);
    for factor in within.chain(session).chain(drawn) {
        if !used.contains(&*factor.name) {
            warn(page, experiment, factor);
        }
    }
}

fn warn(page: &Page<'_>, experiment: &Experiment, factor: &Factor) {
    let at = experiment.source.find(&factor.name).unwrap_or(0);
    let message = format!(
        "nothing uses the factor {}: no setting, limit, block or text; its levels do the same",
        factor.name
    );
    page.warn(at, message);
}

fn of_step<'e>(step: &'e Step, used: &mut HashSet<&'e str>) {
    used.extend(step.only.iter().map(|limited| limited.factor.as_str()));
    used.extend(step.say.iter().flat_map(|text| text.names()));
    match &step.doing {
        Doing::Trials(trials) => of_trials(trials, used),
        Doing::Say | Doing::Ask(_) | Doing::Person | Doing::Rest(_) => {}
    }
}

fn of_trials<'e>(trials: &'e Trials, used: &mut HashSet<&'e str>) {
    used.extend(trials.settings.iter().filter_map(Setting::factor));
    used.extend(trials.tell.iter().flat_map(|text| text.names()));
    if let Some(blocks) = &trials.blocks {
        used.insert(&blocks.by);
        used.extend(blocks.say.iter().flat_map(|text| text.names()));
        if let Order::By { factor, .. } = &blocks.order {
            used.insert(factor);
        }
    }
}

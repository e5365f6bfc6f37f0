//! What is set in the trial file of a planned trial.

use super::Occasion;
use crate::plan::{GivenValue, PlannedSetting};
use crate::study::setting::{Carried, Setting, SettingSource, Times};
use crate::study::step::Trials;

/// The settings of a trial, weakest first: `[set]` where it has a condition, then its step's.
pub(crate) fn settings(
    occasion: &Occasion<'_>,
    trials: &Trials,
    condition: Option<usize>,
) -> Vec<PlannedSetting> {
    let general = occasion.experiment.settings.iter().filter(|_| condition.is_some());
    let all = general.chain(&trials.settings);
    all.filter_map(|setting| planned(occasion, setting, condition)).collect()
}

/// A setting with the level of its factor; `None` only where the factor has no level here,
/// which is refused when the file is read.
fn planned(
    occasion: &Occasion<'_>,
    setting: &Setting,
    condition: Option<usize>,
) -> Option<PlannedSetting> {
    let value = match &setting.source {
        SettingSource::Toml(toml) => GivenValue::Toml(toml.clone()),
        SettingSource::Factor(factor) => {
            GivenValue::Toml(occasion.level_in(factor, condition)?.toml())
        }
        SettingSource::Result(carried) => result(occasion, carried, condition)?,
    };
    Some(PlannedSetting { path: setting.path.clone(), value })
}

fn result(
    occasion: &Occasion<'_>,
    carried: &Carried,
    condition: Option<usize>,
) -> Option<GivenValue> {
    let times = match &carried.times {
        Times::Number(number) => *number,
        Times::Factor(factor) => occasion.level_in(factor, condition)?.number()?,
    };
    Some(GivenValue::Result {
        step: carried.step.clone(),
        result: carried.result.clone(),
        times,
        within: carried.within,
    })
}

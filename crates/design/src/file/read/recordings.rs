//! The sound files, and the tables of their beats, that an experiment sets in its trial files: a
//! trial's text holds what is to be known of each, as it does of those that it names itself.

use crate::file::files::Shelf;
use crate::study::experiment::Experiment;
use crate::study::factor::Level;
use crate::study::setting::{Setting, SettingSource};
use crate::study::step::Doing;
use chronotap_config::trial_files::Further;

/// Takes what is set into the text of each trial file.
pub(super) fn attach(shelf: &Shelf<'_>, experiment: &Experiment) {
    for step in &experiment.steps {
        let Doing::Trials(trials) = &step.doing else { continue };
        let mut further = Further::default();
        for setting in experiment.settings.iter().chain(&trials.settings) {
            match key(setting) {
                Some("audio") => further.sounds.extend(names(experiment, &setting.source)),
                Some("beats_from") => further.beats.extend(names(experiment, &setting.source)),
                _ => {}
            }
        }
        if !(further.sounds.is_empty() && further.beats.is_empty()) {
            shelf.attach(&trials.file, &further);
        }
    }
}

/// The key of a pacing stream that is set.
fn key(setting: &Setting) -> Option<&str> {
    match &setting.path[..] {
        [kind, _, key] if kind == "pacing" => Some(key),
        _ => None,
    }
}

fn names(experiment: &Experiment, source: &SettingSource) -> Vec<String> {
    let text = |level: &Level| match level {
        Level::Text(text) => Some(text.clone()),
        _ => None,
    };
    match source {
        SettingSource::Toml(toml) => {
            let value = toml.parse::<toml_edit::Value>().ok();
            value.and_then(|value| value.as_str().map(str::to_owned)).into_iter().collect()
        }
        SettingSource::Factor(name) => {
            let found = experiment.factor(name);
            found.map_or(Vec::new(), |factor| factor.levels.iter().filter_map(text).collect())
        }
        SettingSource::Result(_) => Vec::new(),
    }
}

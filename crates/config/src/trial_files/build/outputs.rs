//! Outputs: what the file says of them, and whether they wait for each other.

use crate::trial_files::reading::Part;
use chronotap_engine::trial::Trial;

/// Reads every `[output.NAME]`, and whether all are aligned.
pub(super) fn outputs(top: &Part<'_>, parts: &[Part<'_>], trial: &mut Trial) {
    trial.align_outputs = top.read("align_outputs", |f| f.flag()).unwrap_or_default();
    for part in parts {
        part.read("description", |field| field.text());
        trial.latencies.push(part.read("latency", |field| field.time()));
    }
}

/// Doubts about latencies that change nothing, and about those that nobody may state.
pub(super) fn check(top: &Part<'_>, parts: &[Part<'_>], trial: &Trial) {
    let warn = |part: &Part<'_>, key, said| top.page.warn(part.at(key), said);
    let waits = trial.codes.as_ref().is_some_and(|codes| codes.with_tones_of.is_some());
    if trial.align_outputs && trial.outputs.len() == 1 {
        let only = &trial.outputs[0];
        warn(top, "align_outputs", format!("{only} is the only output: there is nothing to align"));
    } else if trial.align_outputs {
        let silent = trial.outputs.iter().zip(&trial.latencies).filter(|(_, said)| said.is_none());
        let silent: Vec<&str> = silent.map(|(name, _)| name.as_str()).collect();
        if silent.len() > 1 {
            let names = silent.join(" and ");
            let said = format!(
                "{names} give no latency: with a port that states none either, the trial is refused \
                 when it is run"
            );
            warn(top, "align_outputs", said);
        }
    } else if !waits && let Some(part) = parts.iter().find(|part| part.has("latency")) {
        let said = format!(
            "{}.latency changes nothing without align_outputs = true or with_tones_of",
            part.path
        );
        warn(part, "latency", said);
    }
}

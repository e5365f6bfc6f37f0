//! `record`: the files of a rehearsed trial, as `chronotap simulate` writes them, for `replay`,
//! Python and R.

use crate::asked::Asked;
use crate::refused::Refused;
use crate::rehearsal::{Rehearsal, rehearse};
use crate::who::Who;
use chronotap_analysis::summary::Summary;
use chronotap_config::trial_files::TrialFile;
use chronotap_data::record::{
    Binding, ClockUsed, Footer, Header, Names, PROGRAM, RunnerMode, TrialText, events_in_memory,
    matching_rule,
};
use chronotap_engine::signal::PortCounts;
use serde::Serialize;
use serde_json::json;

/// What the inputs and outputs of a rehearsed trial are bound to.
const WIRE: &str = "wire:unthrottled";

/// Table and description of a recorded trial.
#[derive(Serialize)]
pub(crate) struct Files {
    events: String,
    description: String,
}

/// Rehearses the trial of the first person, and gives its files.
pub(crate) fn record(asked: &Asked) -> Result<Files, Refused> {
    let Who::Simulated(_) = asked.who() else { return Err(Refused::TapsOfPage) };
    let file = asked.trial()?;
    let seed = asked.seed_of(&file, 0);
    let rehearsal = rehearse(&file, asked.who(), seed)?;
    let (header, footer) = (header(&file, asked, seed), footer(&file, &rehearsal));
    let bytes = events_in_memory(&header, &rehearsal.entries, &footer)?;
    let [events, description] = bytes.map(|all| String::from_utf8_lossy(&all).into_owned());
    Ok(Files { events, description })
}

fn header(file: &TrialFile, asked: &Asked, seed: u64) -> Header {
    Header {
        program: PROGRAM.into(),
        trial_file: TrialText { name: file.name.clone(), text: file.source.clone() },
        title: file.title.clone(),
        description: file.description.clone().unwrap_or_default(),
        seed,
        started: asked.started.clone(),
        mode: RunnerMode::VirtualTime,
        machine: json!({ "program": PROGRAM, "system": "a page in a browser" }),
        clock: ClockUsed { name: "virtual".into(), resolution_ns: 1 },
        ports: bindings(file),
        names: Names::of(&file.trial, &file.rule_details()),
        limit_ns: file.limit.0,
        performer: json!({ "simulated": asked.participant }),
        matching: matching_rule(file),
        hed: file.hed.clone(),
        ..Header::default()
    }
}

fn bindings(file: &TrialFile) -> Vec<Binding> {
    let bound = |name: &String, direction: &str| Binding {
        name: name.clone(),
        direction: direction.into(),
        port: WIRE.into(),
        ..Binding::default()
    };
    let inputs = file.trial.inputs.iter().map(|input| bound(&input.name, "in"));
    inputs.chain(file.trial.outputs.iter().map(|output| bound(output, "out"))).collect()
}

fn footer(file: &TrialFile, rehearsal: &Rehearsal) -> Footer {
    #[derive(Serialize)]
    struct All<'a> {
        #[serde(flatten)]
        summary: &'a Summary,
        ports: &'a [PortCounts],
        lost_in_engine: u64,
    }
    let (summary, ended) = (rehearsal.summary(file), &rehearsal.ended);
    let all = All { summary: &summary, ports: &ended.ports, lost_in_engine: ended.lost };
    Footer { summary: serde_json::to_value(all).unwrap_or_default(), ..Footer::default() }
}

//! How a study is rehearsed in memory, as the command line asks for it: several commands do.

use crate::args::RehearsalArgs;
use crate::longest;
use anyhow::Result;
use chronotap_session::{Study, rehearse::Rehearsal};
use chronotap_simulate::Wires;

/// Who is rehearsed. What cannot be opened or tapped is refused here, before anything is run.
pub fn rehearsal(study: &Study, args: &RehearsalArgs) -> Result<Rehearsal> {
    let model = args.simulate.clone().unwrap_or_else(|| study.usual_model());
    let (inputs, outputs) = study.inputs_and_outputs();
    let wires = Wires::unthrottled(&inputs, &outputs);
    let longest = longest::of_study(study, args.longest)?;
    study.check_model(&model)?;
    let count = args.participants.unwrap_or(study.experiment.participants);
    let labels = (1..=count).map(|n| study.label(&n.to_string())).collect::<Result<_, _>>();
    let labels = labels.map_err(anyhow::Error::msg)?;
    Ok(Rehearsal { labels, model, wires, longest, stops_when_cut: false, limit: None })
}

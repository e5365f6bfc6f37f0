//! [`rehearse`]: a trial in virtual time with somebody who taps, and its picture.

use crate::asked::Asked;
use crate::refused::Refused;
use crate::who::Who;
use chronotap_analysis::summary::Summary;
use chronotap_config::trial_files::{TrialFile, never_ends};
use chronotap_core::time::Nanos;
use chronotap_data::record::{Circumstances, Entry, answers, observed, summarize};
use chronotap_engine::signal::Performer;
use chronotap_simulate::virtual_time::{self, Ended};
use chronotap_simulate::{FarEnd, Wire};
use chronotap_trial::{Arrangement, Ports};
use serde::Serialize;

/// Of a trial that nothing ends so much is rehearsed, as the command draws it.
const ENDLESS: Nanos = Nanos::from_secs(60);
/// Every other ends here at the latest, as in the command.
pub(crate) const LONGEST: Nanos = Nanos::from_secs(60 * 60);
/// Bits a second of a wire on which messages take no time.
const UNTHROTTLED: Option<u32> = Some(0);

/// A trial that somebody has tapped in.
pub(crate) struct Rehearsal {
    pub entries: Vec<Entry>,
    pub seen: Circumstances,
    pub ended: Ended,
}

impl Rehearsal {
    pub fn summary(&self, file: &TrialFile) -> Summary {
        summarize(&file.title, &file.trial, &self.entries, &self.seen)
    }
}

/// Runs the trial. The same file, participant and seed give the same trial to the nanosecond.
pub(crate) fn rehearse(file: &TrialFile, who: Who<'_>, seed: u64) -> Result<Rehearsal, Refused> {
    let mut entries = Vec::new();
    let ports = ports(file, who.performer(file, seed)?)?;
    let longest = if never_ends(file) { ENDLESS } else { LONGEST };
    let ended =
        virtual_time::run(file.engine(seed), ports, longest, &mut |entry| entries.push(entry));
    let seen = Circumstances {
        limit: file.limit,
        lost: ended.lost + ended.ports.iter().map(|port| port.lost).sum::<u64>(),
        answers: answers(file),
        ..Circumstances::default()
    };
    Ok(Rehearsal { entries, seen, ended })
}

/// One wire to all inputs and outputs, with somebody who taps at its far end.
fn ports(file: &TrialFile, performer: Box<dyn Performer>) -> Result<Ports, Refused> {
    let (inputs, outputs) = (file.trial.inputs.len(), file.trial.outputs.len());
    let all = |count: usize| (0..).take(count).collect::<Vec<u16>>();
    let mut ports = Ports::new(inputs, outputs);
    let wire = Wire::new(UNTHROTTLED, FarEnd::Performer(performer));
    ports.add(Box::new(wire), &all(inputs), &all(outputs))?;
    ports.arrange(Arrangement::identity(inputs, outputs));
    Ok(ports)
}

/// A picture, and the same in words.
#[derive(Serialize)]
pub(crate) struct Drawn {
    svg: String,
}

/// The timeline of the trial, as `chronotap check --picture` draws it, in the width that the page has for it.
pub(crate) fn timeline(asked: &Asked) -> Result<Drawn, Refused> {
    let file = asked.trial()?;
    let seed = asked.seed_of(&file, 0);
    let rehearsal = rehearse(&file, asked.who(), seed)?;
    let seen = observed(&file.trial, &rehearsal.entries, &rehearsal.seen);
    let cut = match never_ends(&file) {
        true => " Nothing ends this trial; its first 60 s are drawn.",
        false => "",
    };
    let taps = match asked.who() {
        Who::Simulated(person) => format!("of a simulated person ({person}, seed {seed})"),
        Who::AtPage(_) => "that were made in a browser, which are no data".to_owned(),
    };
    let who = format!("The taps are those {taps}.{cut}");
    let width = f64::from(asked.width_px);
    Ok(Drawn { svg: chronotap_drawing::timeline(&file, &rehearsal.entries, &seen, &who, width) })
}

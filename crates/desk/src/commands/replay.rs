//! `chronotap replay`: does the engine decide again what it decided, and does the file
//! agree with itself? Says what was checked, and what no check can know.

use crate::CommandVerdict;
use crate::args::Replay;
use crate::screen::{say, wrapped};
use anyhow::{Context, Result};
use chronotap_data::record::{Checksum, read_events};
use chronotap_simulate::{Proof, SummaryProof, prove};

pub fn replay(args: &Replay) -> Result<CommandVerdict> {
    let recording = read_events(&args.file)?;
    let name = args.file.display();
    let proof = prove(&recording).with_context(|| format!("{name}: the trial file kept in it"))?;
    let wrong = proof.faults();
    wrong.iter().for_each(|wrong| say(format!("{name}: {wrong}")));
    if wrong.is_empty() {
        say(format!("{name}: {}", agreement(recording.rows.len(), &proof)));
        remarks(&proof).iter().for_each(|remark| say(wrapped(remark, "  ")));
    }
    Ok(CommandVerdict::of(proof.holds()))
}

fn agreement(count: usize, proof: &Proof) -> String {
    let part =
        if proof.cut_short { " (the trial was cut short; what is there agrees)" } else { "" };
    format!("{count} events, decided again as recorded, to the nanosecond{part}")
}

/// What was found to agree, and what was not looked at.
fn remarks(proof: &Proof) -> Vec<&'static str> {
    let summary = match proof.summary {
        SummaryProof::Agrees | SummaryProof::Differs(_) => {
            "The other columns, their order and the summary follow from that and the recorded times."
        }
        SummaryProof::Absent => {
            "The other columns and their order follow from that and the recorded times; there is no \
             summary to compare (`chronotap summary` works one out)."
        }
        SummaryProof::OfAnother => {
            "The other columns and their order follow from that and the recorded times; the summary \
             is another version's and was not compared."
        }
    };
    let checksum = match proof.checksum {
        Checksum::Agrees | Checksum::Differs => {
            "The table is the one that was written (its SHA-256 stands in the .json)."
        }
        Checksum::Absent => {
            "No checksum was written with the table, so that a change of its times would not be seen."
        }
    };
    let unknown = "Not proved: the times themselves (achieved_ns, release_achieved_ns, stamps, \
                   frames), which only the machine knew; nor what the .json says of the machine, \
                   its rights, clock and ports, what these counted, and when the trial began.";
    let told = "Nor what the .json only tells: texts and units of the columns, TaskName and its kin, \
                StimulusPresentation, and in the header the program and the performer.";
    vec![summary, checksum, unknown, told]
}

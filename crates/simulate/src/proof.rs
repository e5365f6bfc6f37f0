//! [`prove`]: how far the files of a trial prove themselves. The recorded inputs go through
//! the engine again, what follows from other columns is worked out anew, and so is the
//! summary. What is left is what only the machine knew: achieved times and stamps. Nothing
//! here can tell whether those were changed, but for the checksum of the whole table.

use crate::meaning::changed_meanings;
use crate::replay;
use chronotap_config::trial_files::{Problems, TrialFile};
use chronotap_data::record::{
    Checksum, Names, PROGRAM, Recording, difference, difference_of_part, rows, summary_difference,
};
use serde_json::Value;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// How the replay differs.
    pub replay: Option<String>,
    /// What of the trial file meant something else in earlier versions, which may be why.
    pub meanings: Vec<&'static str>,
    /// Where the table or its description contradicts itself.
    pub contradiction: Option<String>,
    pub summary: SummaryProof,
    /// The table as a whole.
    pub checksum: Checksum,
    /// Whether the trial was cut short, so that only what is there was compared.
    pub cut_short: bool,
    /// Events that are missing in the table, because the recorder had no room for them.
    pub dropped: u64,
}

/// What became of the summary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SummaryProof {
    /// It follows from the rows.
    Agrees,
    /// It does not: where.
    Differs(String),
    /// None was written.
    Absent,
    /// Another version of the program wrote it, which may reckon otherwise.
    OfAnother,
}

impl Proof {
    /// Whether nothing speaks against the files.
    pub fn holds(&self) -> bool {
        let whole = self.replay.is_none() && self.dropped == 0;
        let sound = whole && self.contradiction.is_none();
        sound
            && !matches!(self.summary, SummaryProof::Differs(_))
            && self.checksum != Checksum::Differs
    }

    /// What speaks against the files, a sentence each; empty where the proof holds.
    pub fn faults(&self) -> Vec<String> {
        let dropped = (self.dropped > 0).then(|| {
            format!(
                "{} events are missing, because the recorder had no room for them; whatever rests \
                 on them differs",
                self.dropped
            )
        });
        let replay = self.replay.as_ref().map(|found| format!("the replay differs: {found}"));
        let meanings = (self.replay.is_some() && !self.meanings.is_empty()).then(|| {
            let all = self.meanings.join("; ");
            format!(
                "earlier versions understood this trial file otherwise than this one, in which \
                 {all}. If one of them recorded the trial, the recording is as it was played: \
                 replay it with the version that recorded it"
            )
        });
        let itself = self.contradiction.as_ref();
        let itself = itself.map(|found| format!("the file contradicts itself: {found}"));
        let summary = match &self.summary {
            SummaryProof::Differs(found) => {
                Some(format!("the summary is not that of the rows: {found}"))
            }
            _ => None,
        };
        let checksum = (self.checksum == Checksum::Differs).then(|| {
            "the table was changed after it was written: its SHA-256 is not the one in the .json"
                .to_owned()
        });
        [dropped, replay, meanings, itself, summary, checksum].into_iter().flatten().collect()
    }
}

/// Checks everything about a recording that can be derived.
///
/// # Errors
/// The problems of the trial file kept in it.
pub fn prove(recording: &Recording) -> Result<Proof, Problems> {
    let header = &recording.header;
    let file = recording.trial_file()?;
    let engine = file.engine_on(header.seed, &header.latencies());
    let decided = replay::run(engine, recording);
    let cut_short = recording.end().is_none();
    let compare = if cut_short { difference_of_part } else { difference };
    let replay = compare(&recording.rows, &rows(&header.names, &decided));
    let table = || recording.contradiction().map(|found| found.to_string());
    Ok(Proof {
        replay: replay.map(|found| found.to_string()),
        meanings: changed_meanings(&file.trial, &recording.rows),
        contradiction: head(recording, &file).or_else(table),
        summary: sum(recording),
        checksum: recording.checksum,
        cut_short,
        dropped: recording.footer.dropped,
    })
}

/// Where the head of the description is not that of its trial file. Another version of the
/// program may have had other words.
fn head(recording: &Recording, file: &TrialFile) -> Option<String> {
    let header = &recording.header;
    let names = Names::of(&file.trial, &file.rule_details());
    if header.program != PROGRAM {
        return None;
    }
    let named = |what| format!("the {what} in the .json not those of the trial file kept there");
    if header.names != names {
        return Some(named("names are"));
    }
    (header.title != file.title).then(|| named("words of the title are"))
}

fn sum(recording: &Recording) -> SummaryProof {
    if recording.footer.summary == Value::Null {
        return SummaryProof::Absent;
    }
    if recording.header.program != PROGRAM {
        return SummaryProof::OfAnother;
    }
    match recording.summary() {
        Err(error) => SummaryProof::Differs(error.to_string()),
        Ok(summary) => match summary_difference(&recording.footer.summary, &summary) {
            Some(difference) => SummaryProof::Differs(difference),
            None => SummaryProof::Agrees,
        },
    }
}

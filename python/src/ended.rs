//! Trials of the laboratory as Python takes them: the columns of events, taps and statistics
//! ([`put`]), and of one that ran in real time what is said of the whole ([`Ended`]).

use crate::says::Says;
use crate::simulated::Part;
use chronotap_config::trial_files::TrialFile;
use chronotap_data::record::{Names, observed, rows};
use chronotap_rig::laboratory::Finished;
use serde_json::json;

/// What came of a trial in real time.
pub struct Ended {
    /// Of the whole trial, as JSON.
    pub told: String,
    /// Of its events.
    pub part: Part,
}

impl Ended {
    /// Of a trial that is over.
    pub fn of(file: &TrialFile, finished: &Finished) -> Ended {
        let mut part = Part::default();
        put(&mut part, 0, file, finished);
        let files = finished.saved.as_ref().ok().and_then(Option::as_ref);
        let files = files.map(|saved| {
            json!({ "events": saved.tsv, "description": saved.json, "callbacks": saved.callbacks })
        });
        let told = json!({
            "title": file.title,
            "seed": finished.seed,
            "summary": finished.summary,
            "text": finished.summary.to_string(),
            "files": files,
            "not_saved": finished.saved.as_ref().err().map(Says::says),
            "problem": finished.problem,
            "dropped": finished.dropped,
        });
        Ended { told: told.to_string(), part }
    }
}

/// Appends a trial under this number.
pub fn put(part: &mut Part, number: i64, file: &TrialFile, finished: &Finished) {
    let names = Names::of(&file.trial, &file.rule_details());
    let observed = observed(&file.trial, &finished.entries, &finished.circumstances);
    let rows = rows(&names, &finished.entries);
    part.push((number, finished.seed), &rows, &observed, &finished.summary);
}

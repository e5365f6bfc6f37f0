//! Trials of the laboratory as Python takes them: the columns of events, taps and statistics
//! ([`put`]), and of one that ran in real time what is said of the whole ([`Ended`]).

use crate::simulated::Part;
use chronotap_analysis::summary::Summary;
use chronotap_config::trial_files::TrialFile;
use chronotap_data::record::{Circumstances, Entry, Names, observed, rows};
use chronotap_rig::laboratory::FinishedTrial;
use chronotap_simulate::Computed;
use chronotap_words::{Says, Surface};
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
    pub fn of(file: &TrialFile, finished: &FinishedTrial) -> Ended {
        let mut part = Part::default();
        put(&mut part, 0, file, &Over::from(finished));
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
            "not_saved": finished.saved.as_ref().err().map(|error| error.says(Surface::Python)),
            "problem": finished.problem,
            "dropped": finished.dropped,
        });
        Ended { told: told.to_string(), part }
    }
}

/// A trial that is over, in whichever time it ran.
pub struct Over<'f> {
    seed: u64,
    summary: &'f Summary,
    entries: &'f [Entry],
    circumstances: &'f Circumstances,
}

impl<'f> From<&'f FinishedTrial> for Over<'f> {
    fn from(finished: &'f FinishedTrial) -> Over<'f> {
        let FinishedTrial { seed, summary, entries, circumstances, .. } = finished;
        Over { seed: *seed, summary, entries, circumstances }
    }
}

impl<'f> From<&'f Computed> for Over<'f> {
    fn from(computed: &'f Computed) -> Over<'f> {
        let Computed { seed, summary, entries, circumstances, .. } = computed;
        Over { seed: *seed, summary, entries, circumstances }
    }
}

/// Appends a trial under this number.
pub fn put(part: &mut Part, number: i64, file: &TrialFile, over: &Over<'_>) {
    let names = Names::of(&file.trial, &file.rule_details());
    let observed = observed(&file.trial, over.entries, over.circumstances);
    let rows = rows(&names, over.entries);
    part.push((number, over.seed), &rows, &observed, over.summary);
}

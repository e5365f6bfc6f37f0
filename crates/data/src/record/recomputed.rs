//! What [`Recording::summary`] rests on: the summary of a recorded trial, worked out anew.
//!
//! The rows give back the entries, and the statistics are those of [`summarize()`], so that
//! a finished trial has the same summary as on its last screen. What only the runner could
//! count (lost messages, faults, services, callbacks) is taken from the footer; a trial
//! that was cut short has none of it.

use crate::record::summarize::CUT_SHORT;
use crate::record::{
    Circumstances, HeardAgain, RecordedOrigin, Recording, ReplayDifference, RunnerMode, summarize,
};
use chronotap_analysis::observed::Answers;
use chronotap_analysis::summary::Summary;
use chronotap_analysis::usable::Revision;
use chronotap_core::time::Nanos;
use chronotap_engine::trial::Trial;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Takes out of the summary of a trial that another program recorded what only that knew: the
/// lateness, the verdict on it, and how the trial ended, where that is not in the source.
pub(crate) fn forget_unknown(summary: &mut Summary, source: Option<&RecordedOrigin>) {
    summary.lateness = None;
    summary.verdict.passed = None;
    if summary.ending == CUT_SHORT {
        summary.ending = "not known".to_owned();
        summary.data.doubts.retain(|doubt| !doubt.contains(CUT_SHORT));
    }
    summary.verdict.doubts.push(
        "another program recorded it: when its tones were asked for, and so their lateness, is not \
         known"
            .to_owned(),
    );
    summary.verdict.doubts.extend(source.iter().flat_map(|source| source.doubts.clone()));
}

impl Recording {
    /// The summary; `trial` is that of the trial file kept in it, and `answers` says which
    /// input answers which stream. The first row that is none of this trial's is refused.
    pub(crate) fn summary_of(
        &self,
        trial: &Trial,
        answers: Answers,
    ) -> Result<Summary, ReplayDifference> {
        let seen = Circumstances { answers, ..self.circumstances() };
        let mut summary = summarize(&self.header.title, trial, &self.entries()?, &seen);
        summary.sound_cards = self.counted("sound_cards").unwrap_or_default();
        if self.header.mode == RunnerMode::Imported {
            forget_unknown(&mut summary, self.header.source.as_ref());
        }
        Ok(summary)
    }

    fn circumstances(&self) -> Circumstances {
        let counted = |key: &str| self.footer.summary[key].as_u64().unwrap_or(0);
        let ports = self.footer.summary["ports"].as_array().map_or(&[][..], Vec::as_slice);
        let of_ports =
            |key: &str| -> u64 { ports.iter().filter_map(|port| port[key].as_u64()).sum() };
        let demotion = &self.footer.summary["watchdog"]["demotion"];
        Circumstances {
            limit: Nanos(self.header.limit_ns),
            dropped: self.footer.dropped,
            lost: counted("lost_in_engine") + of_ports("lost"),
            overdue: counted("overdue"),
            missing: of_ports("missing"),
            wall_clock_set: Nanos(
                self.footer.summary["wall_clock_set_ns"].as_i64().unwrap_or_default(),
            ),
            latencies: self.header.latencies(),
            overruns: self.counted("overruns").unwrap_or_default(),
            watchdog: !demotion.is_null(),
            sensing_missed: of_ports("sensing_missed"),
            heard: HeardAgain::of_rows(&self.rows),
            revision: self.revision(),
            services: self.counted("services"),
            system: self.counted("system"),
            ..Circumstances::default()
        }
    }

    /// Which doubts the program looked for that wrote the summary. A trial without one is judged by those
    /// of today.
    fn revision(&self) -> Revision {
        match &self.footer.summary {
            Value::Null => Revision::NOW,
            summary => {
                Revision::deserialize(&summary["data"]["revision"]).unwrap_or(Revision::FIRST)
            }
        }
    }

    /// What the runner counted, where the footer has it.
    fn counted<T: DeserializeOwned>(&self, key: &str) -> Option<T> {
        T::deserialize(self.footer.summary.get(key)?).ok()
    }
}

/// Where the summary that was written says something else than the one worked out anew: the
/// key, what was written and what it should be. Further keys of the written one are let be.
pub fn summary_difference(written: &Value, recomputed: &Summary) -> Option<String> {
    match serde_json::to_value(recomputed) {
        Ok(recomputed) => differs("summary", written, &recomputed),
        Err(error) => Some(format!("the summary cannot be compared: {error}")),
    }
}

fn differs(path: &str, written: &Value, due: &Value) -> Option<String> {
    match (written, due) {
        (Value::Object(written), Value::Object(due)) => due.iter().find_map(|(key, due)| {
            differs(&format!("{path}.{key}"), written.get(key).unwrap_or(&Value::Null), due)
        }),
        (Value::Array(written), Value::Array(due)) if written.len() == due.len() => {
            let each = (1..).zip(written.iter().zip(due));
            let mut found = each.filter_map(|(n, (w, d))| differs(&format!("{path}.{n}"), w, d));
            found.next()
        }
        _ if written == due => None,
        _ => Some(format!("{path} is {written} in the footer, but the rows give {due}")),
    }
}

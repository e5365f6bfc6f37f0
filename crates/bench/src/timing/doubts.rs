//! What speaks against a measuring thread's figures, in sentences: rights that were
//! refused, a scheduling that it did not keep, page faults in a measured loop.

use crate::timing::{TestFound, Timed};
use chronotap_linux::realtime::{Item, Usage};

/// Notes what a thread was refused and what befell it, each sentence once; the first
/// real-time thread's grant becomes the test's.
pub fn of_thread<T>(timed: &Timed<T>, what: &str, found: &mut TestFound) {
    note_all(found, timed.grant.refused().map(Item::sentence));
    let demotion = timed.watchdog.as_ref().and_then(|report| report.demotion.as_ref());
    if let Some(demotion) = demotion {
        note(found, format!("{what}: {}", demotion.reason));
    }
    let realtime = timed.policy.is_some_and(|policy| policy.is_realtime());
    if timed.grant.is_realtime() && !realtime && demotion.is_none() {
        note(found, format!("{what}: the thread lost its real-time priority meanwhile"));
    }
    if timed.watchdog.is_some() {
        found.grant.get_or_insert_with(|| timed.grant.clone());
    }
}

/// Notes a sentence, once.
pub fn note(found: &mut TestFound, sentence: String) {
    if !found.notes.contains(&sentence) {
        found.notes.push(sentence);
    }
}

/// Notes several, each once.
pub fn note_all(found: &mut TestFound, sentences: impl IntoIterator<Item = String>) {
    sentences.into_iter().for_each(|sentence| note(found, sentence));
}

/// What the kernel counted in the measured loops alone.
#[derive(Clone, Copy, Debug, Default)]
pub struct Faults {
    minor: i64,
    major: i64,
    involuntary_switches: i64,
}

impl Faults {
    /// Adds what was counted around one loop.
    pub fn add(&mut self, usage: Usage) {
        self.minor += usage.minor_faults;
        self.major += usage.major_faults;
        self.involuntary_switches += usage.involuntary_switches;
    }

    /// By name.
    pub fn figures(&self) -> [(String, f64); 3] {
        [
            ("minor_faults".to_owned(), self.minor as f64),
            ("major_faults".to_owned(), self.major as f64),
            ("involuntary_switches".to_owned(), self.involuntary_switches as f64),
        ]
    }

    /// A sentence where there was a fault.
    pub fn note(&self, what: &str) -> Option<String> {
        let Faults { minor, major, .. } = self;
        (minor + major > 0).then(|| {
            format!("{what}: {minor} minor and {major} major page faults in the measured loop")
        })
    }
}

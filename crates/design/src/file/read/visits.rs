//! `after`: how long after a session the next one may begin.

use crate::file::keys::AFTER;
use crate::study::experiment::DueVisit;
use chronotap_config::trial_files::reading::{Field, Part, say};
use std::collections::BTreeSet;

pub(crate) fn visits(top: &Part<'_>, sessions: u32) -> Vec<DueVisit> {
    let given = top.read("after", |field| field.some("tables")).unwrap_or_default();
    let visits: Vec<DueVisit> = given.iter().filter_map(|one| visit(one, sessions)).collect();
    let different: BTreeSet<u32> = visits.iter().map(|visit| visit.after).collect();
    if different.len() < visits.len() {
        let message = "after names a session twice";
        top.page.cured(top.at("after"), message, "give each session one table with both times");
    }
    visits
}

fn visit(field: &Field<'_>, sessions: u32) -> Option<DueVisit> {
    let part = Part::of(field, AFTER)?;
    let last = u64::from(sessions.saturating_sub(1));
    let after = part.must("session", |f| f.whole(1, last.max(1))).map(|n| n as u32);
    let time = |name: &str| part.read(name, Field::time);
    let (at_least, at_most) = (time("at_least"), time("at_most"));
    if sessions < 2 {
        let cure = "give sessions = 2 or more, or leave it out";
        part.page.cured(field.at, "after: there is one session only", cure);
    }
    if let (Some(least), Some(most)) = (at_least, at_most)
        && least >= most
    {
        let message = format!("after: at_most = {} is not above at_least", say(most));
        part.page.cured(part.at("at_most"), message, format!("write more than {}", say(least)));
    }
    if at_least.is_none() && at_most.is_none() {
        part.page.cured(field.at, "after: says no time", "give at_least, at_most, or both");
    }
    Some(DueVisit { after: after?, at_least, at_most })
}

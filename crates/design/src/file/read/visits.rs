//! `after`: how long after a session the next one may begin.

use crate::file::keys::AFTER;
use crate::study::experiment::DueVisit;
use chronotap_config::trial_files::reading::{DAY, Field, Part, say_whole};
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
    let nights = part.read("nights", |f| f.whole(1, 99)).map(|n| n as u32);
    if sessions < 2 {
        let cure = "give sessions = 2 or more, or leave it out";
        part.page.cured(field.at, "after: there is one session only", cure);
    }
    if let (Some(least), Some(most)) = (at_least, at_most)
        && least >= most
    {
        let message = format!("after: at_most = {} is not above at_least", say_whole(most));
        part.page.cured(
            part.at("at_most"),
            message,
            format!("write more than {}", say_whole(least)),
        );
    }
    if let (Some(nights), Some(most)) = (nights, at_most)
        && most.0 <= DAY * i64::from(nights - 1)
    {
        let message = format!("after: in at_most = {} lie no {nights} nights", say_whole(most));
        // From the evening before the first to the morning after the last.
        part.page.cured(part.at("at_most"), message, format!("write \"{nights} d\" or more"));
    }
    let says = [at_least.is_some(), at_most.is_some(), nights.is_some()].contains(&true);
    if !says && !part.misspells(&["nights", "at_least", "at_most"]) {
        part.page.cured(field.at, "after: says no time", "give at_least, at_most or nights");
    }
    Some(DueVisit { after: after?, nights, at_least, at_most })
}

//! `chronotap status`: how far a study has come.

use crate::CommandVerdict;
use crate::args::StatusArgs as Arguments;
use crate::says::{Says, Terminal};
use crate::screen::{complain, say, say_data, wrapped};
use anyhow::Result;
use chronotap_core::text::counted;
use chronotap_session::moment::here;
use chronotap_session::status::{ImportedTrials, SessionStatus, Status, status as look};
use chronotap_session::{Attrition, Dataset};
use serde_json::json;

pub fn status(args: &Arguments) -> Result<CommandVerdict> {
    let found = look(&Dataset::open(&args.dataset)?)?;
    let problems: Vec<String> =
        found.problems.iter().map(|problem| problem.says(Terminal)).collect();
    match args.json {
        true => {
            let mut told = json!(found);
            told["problems"] = json!(problems);
            say_data(told);
        }
        false => print(&found),
    }
    for problem in &problems {
        complain(problem);
    }
    Ok(CommandVerdict::of(problems.is_empty()))
}

fn print(found: &Status) {
    if let Some(imported) = &found.imported {
        print_imported(found, imported);
        return say_withdrawn(found);
    }
    let kind = if found.simulated { " (simulated participants)" } else { "" };
    say(wrapped(&format!("{}{kind}", found.title), ""));
    for session in &found.began {
        say(wrapped(&line(session, found), "  "));
        if let Some(why) = &session.despite {
            say(wrapped(&format!("begun out of turn: {why}"), "    "));
        }
    }
    let complete = found.began.iter().filter(|session| session.complete).count();
    let all = found.planned * found.sessions;
    let are = if all == 1 { "session is" } else { "sessions are" };
    say(format!("{complete} of {all} planned {are} complete"));
    if found.cells.len() > 1 {
        let each: Vec<String> =
            found.cells.iter().map(|(cell, n)| format!("{cell}: {n}")).collect();
        say(wrapped(&format!("participants in each group: {}", each.join("; ")), ""));
    }
    if found.blind && found.began.iter().any(|session| !session.cell.is_empty()) {
        say(wrapped(
            "groups are hidden: the study says blind = true; participants.tsv has them",
            "",
        ));
    }
    say_left(found);
    say_withdrawn(found);
}

/// Who takes no further part, each way of leaving on a line.
fn say_left(found: &Status) {
    for how in [Attrition::Declined, Attrition::Ended, Attrition::DroppedOut] {
        let theirs = found.left.iter().filter(|(_, left)| **left == how);
        let labels: Vec<&str> = theirs.map(|(label, _)| label.as_str()).collect();
        if !labels.is_empty() {
            let what = match how {
                Attrition::Declined => "declined",
                Attrition::Ended => "ended by an answer",
                Attrition::DroppedOut => "dropped out",
            };
            say(wrapped(&format!("{what}: {}", labels.join(", ")), ""));
        }
    }
}

fn say_withdrawn(found: &Status) {
    if !found.withdrawn.is_empty() {
        say(wrapped(&format!("withdrawn: {}", found.withdrawn.join(", ")), ""));
    }
}

/// Trials of another program: no session was planned.
fn print_imported(found: &Status, imported: &ImportedTrials) {
    let ImportedTrials { format, participants, trials, unusable } = imported;
    say(wrapped(&format!("{} (recorded by another program: {format})", found.title), ""));
    let unusable = if *unusable > 0 { format!(", {unusable} unusable") } else { String::new() };
    let (trials, people) = (counted(trials, "trial"), counted(participants, "participant"));
    say(wrapped(&format!("{trials} of {people}{unusable}; the timing is unknown"), "  "));
}

/// With the day, and the hour from which the next session is due, where there are several.
fn complete(session: &SessionStatus, found: &Status) -> String {
    let day = |moment: &str| moment.split('T').next().unwrap_or_default().to_owned();
    match (found.sessions > session.session, &session.next_due) {
        _ if found.sessions < 2 => "complete".to_owned(),
        (true, Some(due)) => {
            let next = session.session + 1;
            let from = here(due).unwrap_or_else(|| due.clone());
            format!("complete on {}; session {next} from {from} on", day(&session.last))
        }
        _ => format!("complete on {}", day(&session.last)),
    }
}

fn line(session: &SessionStatus, found: &Status) -> String {
    let SessionStatus { label, cell, done, planned, tally, .. } = session;
    let trials = tally.trials;
    let number =
        if found.sessions > 1 { format!(" session {}", session.session) } else { String::new() };
    let cell = if cell.is_empty() || found.blind { String::new() } else { format!(" ({cell})") };
    let state = match (session.complete, &*session.next) {
        (true, "") => complete(session, found),
        (false, why) if session.ended.is_some() => format!("ended: {why}"),
        (_, next) => format!("next: {next}"),
    };
    let counts = [
        (tally.timing_failed, "timing failed"),
        (tally.unusable, "unusable"),
        (tally.repeated, "repeated by hand"),
        (tally.cut_short, "cut short"),
        (tally.skipped, "skipped"),
    ];
    let counts = counts.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!(", {n} {what}"));
    let counts: String = counts.collect();
    format!(
        "{label}{number}{cell}: {done} of {planned} planned trials, {trials} run{counts}; {state}"
    )
}

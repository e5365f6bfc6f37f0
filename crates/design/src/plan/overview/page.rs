//! An overview as text for a terminal of 80 columns.

use super::{OrderOverview, Overview, StepOverview};
use chronotap_config::trial_files::reading::say;
use chronotap_core::text::broken;
use chronotap_core::time::Nanos;
use std::fmt::Write;

/// So many conditions and orders are shown; all are in the JSON form.
const SHOWN: usize = 40;

impl Overview {
    /// Title, conditions, steps, time of a session, orders, balance, warnings.
    pub fn render(&self) -> String {
        let mut page = self.head();
        self.conditions_in(&mut page);
        page.push_str("\nSteps\n");
        self.steps.iter().for_each(|step| page.push_str(&line_of(step)));
        self.sessions_in(&mut page);
        self.orders_in(&mut page);
        for (title, sign, lines) in [
            ("Read of FTAP's files", "- ", &self.read_of_ftap),
            ("Not balanced", "- ", &self.unbalanced),
            ("Warnings", "! ", &self.warnings),
        ] {
            if !lines.is_empty() {
                let _ = writeln!(page, "\n{title}");
            }
            for line in lines {
                page.push_str(&wrapped(&format!("  {sign}"), line));
            }
        }
        page
    }

    fn head(&self) -> String {
        let mut head = wrapped("", &self.title);
        let cells = self.cells.iter().filter(|cell| !cell.levels.is_empty()).map(|cell| {
            let levels = cell.levels.iter().map(|(name, level)| format!("{name} = {level}"));
            format!("{} with {}", cell.participants, levels.collect::<Vec<_>>().join(", "))
        });
        let cells: Vec<String> = cells.collect();
        // How many a group will have that is no draw, nobody knows.
        let between = match cells.is_empty() || !self.groups.is_empty() {
            true => String::new(),
            false => format!(": {}", cells.join("; ")),
        };
        let groups = (!self.groups.is_empty()).then(|| self.groups.join("; "));
        let rows = [
            ("file", Some(self.file.clone())),
            ("description", self.description.clone()),
            ("reference", self.reference.clone()),
            ("task", Some(self.task.clone())),
            ("seed", Some(self.seed.to_string())),
            ("languages", Some(self.languages.join(", ")).filter(|_| self.languages.len() > 1)),
            ("participants", Some(format!("{}{between}", self.participants))),
            ("groups", groups),
            ("sessions", Some(self.sessions.to_string()).filter(|_| self.sessions > 1)),
        ];
        for (name, value) in rows {
            if let Some(value) = value {
                head.push_str(&wrapped(&format!("  {name:<14}"), &value));
            }
        }
        head
    }

    fn conditions_in(&self, page: &mut String) {
        let names: Vec<&str> = self.factors.iter().map(|(name, _)| name.as_str()).collect();
        for (list, conditions) in self.conditions.iter().enumerate() {
            let which = if self.conditions.len() > 1 {
                format!(" of list {}", list + 1)
            } else {
                String::new()
            };
            if names.is_empty() {
                page.push_str("\nOne condition\n");
                continue;
            }
            let _ =
                writeln!(page, "\n{} conditions{which}: {}", conditions.len(), names.join(", "));
            for (levels, weight) in conditions.iter().take(SHOWN) {
                let times = if *weight > 1 { format!(" ({weight} times)") } else { String::new() };
                page.push_str(&wrapped("  ", &format!("{}{times}", levels.join(", "))));
            }
            more(page, conditions.len());
        }
    }

    fn sessions_in(&self, page: &mut String) {
        page.push_str("\nTime of a session, without texts, questions and waiting\n");
        for (index, (ns, about)) in self.session_ns.iter().enumerate() {
            let which =
                if self.sessions > 1 { format!("session {}: ", index + 1) } else { String::new() };
            let about = if *about { "about " } else { "" };
            let _ = writeln!(page, "  {which}{about}{}", minutes(*ns));
        }
        self.visits.iter().for_each(|visit| page.push_str(&wrapped("  ", visit)));
    }

    fn orders_in(&self, page: &mut String) {
        if self.orders.iter().all(|order| order.steps.is_empty() && order.levels.is_empty()) {
            return;
        }
        page.push_str("\nOrders\n");
        if !self.decided.is_empty() {
            let decided = self.decided.join(", ");
            let said = format!(
                "As if every group came in turn; it is decided when a person comes: {decided}."
            );
            page.push_str(&wrapped("  ", &said));
        }
        for order in self.orders.iter().take(SHOWN) {
            page.push_str(&order_line(order, self.sessions > 1));
        }
        more(page, self.orders_planned);
    }
}

fn more(page: &mut String, all: usize) {
    if all > SHOWN {
        let _ =
            writeln!(page, "  and {} more; all of them are in the results as JSON", all - SHOWN);
    }
}

fn line_of(step: &StepOverview) -> String {
    let open = if step.open { "up to " } else { "" };
    let trials = match step.trials {
        0 => String::new(),
        1 => format!(": {open}1 trial"),
        n => format!(": {open}{n} trials"),
    };
    let earlier = if step.about { ", or with a tap" } else { "" };
    let length = match step.lengths_ns {
        Some((least, most)) if least == most => format!(" of {}{earlier}", seconds(least)),
        Some((least, most)) => format!(" of {} to {}{earlier}", seconds(least), seconds(most)),
        None if step.trials > 0 => " whose length the participant decides".to_owned(),
        None => String::new(),
    };
    wrapped(&format!("  {:<13} ", step.name), &format!("{}{trials}{length}", step.what))
}

fn order_line(order: &OrderOverview, sessions: bool) -> String {
    let session = if sessions { format!(" session {}", order.session) } else { String::new() };
    let mut said: Vec<String> = Vec::new();
    if !order.levels.is_empty() {
        said.push(order.levels.join(", "));
    }
    said.extend(order.steps.iter().map(|(name, order)| format!("{name}: {order}")));
    wrapped(&format!("  {}{session}  k = {:<4}", order.participant, order.k), &said.join("; "))
}

/// To a tenth of a second.
fn seconds(ns: i64) -> String {
    say(Nanos(ns / 100_000_000 * 100_000_000))
}

fn minutes(ns: i64) -> String {
    let s = ns / 1_000_000_000;
    match s {
        0..60 => format!("{s} s"),
        60..3_600 => format!("{} min {} s", s / 60, s % 60),
        _ => format!("{} h {} min", s / 3_600, s % 3_600 / 60),
    }
}

/// A sentence after a heading, in lines of at most 80 columns.
fn wrapped(heading: &str, text: &str) -> String {
    let indent = " ".repeat(heading.chars().count().min(18));
    let lines = broken(text, heading, &indent);
    lines.iter().map(|line| format!("{}\n", line.trim_end())).collect()
}

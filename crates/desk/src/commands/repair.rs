//! `chronotap repair`: tables of trials with levels under the names of other factors are made again.

use crate::CommandVerdict;
use crate::args::Repair;
use crate::screen::{say, wrapped};
use anyhow::Result;
use chronotap_core::text::counted;
use chronotap_session::Dataset;
use chronotap_session::repair::{Derived, Repaired, RepairedTable, Stale, repair as made_again};

pub fn repair(args: &Repair) -> Result<CommandVerdict> {
    let Repaired { tables, stale } = made_again(&Dataset::open(&args.dataset)?)?;
    tables.iter().for_each(tell);
    if tables.is_empty() {
        say("every table has the levels of its plan, each under its factor's name");
    }
    if !stale.is_empty() {
        say("computed before from tables that were wrong, for you to make again:");
        stale.iter().for_each(|one| say(wrapped(&what_is_stale(one), "  ")));
    }
    if !(tables.is_empty() && stale.is_empty()) {
        say(wrapped("what lies elsewhere, such as exports and copies, is not known here", ""));
    }
    Ok(CommandVerdict::of(stale.is_empty()))
}

fn tell(table: &RepairedTable) {
    say(wrapped(&format!("{}: made again from the journal", table.path.display()), ""));
    for (column, cells) in &table.changed {
        say(format!("  {column}: {} changed", counted(*cells, "cell")));
    }
}

fn what_is_stale(stale: &Stale) -> String {
    let what = match stale.what {
        Derived::Analysis => "an analysis",
        Derived::Report => "a report",
        Derived::Gathered => "gathered tables",
        Derived::Pack => "a pack",
    };
    format!("{}: {what}", stale.path.display())
}

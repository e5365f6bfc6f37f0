//! `chronotap replay`: does the engine decide again what it decided?

use crate::Verdict;
use crate::args::Replay;
use crate::screen::say;
use anyhow::{Context, Result};
use chronotap_experiment::TrialFile;
use chronotap_record::{Recording, difference, difference_of_part, read_events, rows};

/// Runs the command.
pub fn replay(args: &Replay) -> Result<Verdict> {
    let recording = read_events(&args.file)?;
    let header = &recording.header;
    let file = TrialFile::parse(&header.trial_file.text, &header.trial_file.name)
        .with_context(|| format!("{}: the trial file kept in it", args.file.display()))?;
    let entries = chronotap_rehearsal::replay::run(file.engine(header.seed), &recording);
    let replayed = rows(&header.names, &entries);
    let cut_short = recording.end().is_none();
    let compare = if cut_short { difference_of_part } else { difference };
    if let Some(difference) = compare(&recording.rows, &replayed) {
        say(format!("{}: the replay differs: {difference}", args.file.display()));
        return Ok(Verdict::Failed);
    }
    say(format!("{}: {}", args.file.display(), agreement(&recording, cut_short)));
    Ok(Verdict::Passed)
}

fn agreement(recording: &Recording, cut_short: bool) -> String {
    let count = recording.rows.len();
    let part = if cut_short { " (the trial was cut short; what is there agrees)" } else { "" };
    format!("{count} events, all as recorded, to the nanosecond{part}")
}

//! `chronotap align`: recorded trials and the table of another recorder on one clock.

mod sound;

use crate::CommandVerdict;
use crate::args::Align;
use crate::says::{Says, Terminal};
use crate::screen::{say, say_data, wrapped};
use anyhow::{Result, anyhow, bail};
use chronotap_analysis::alignment::{Alignment, AlignmentError, AlignmentLimits, align as aligned};
use chronotap_analysis::estimate::Estimate;
use chronotap_core::text::counted;
use chronotap_core::time::Nanos;
use chronotap_data::alignment::{Ours, RecorderTable, put_heading, read_table};
use chronotap_data::record::{TrialType, read_events};
use serde_json::{Value, json};
use std::io::{ErrorKind, Write};

/// A sound has faded so long after its end, and the next one is heard by itself.
const FADED: Nanos = Nanos::from_millis(20);

pub fn align(args: &Align) -> Result<CommandVerdict> {
    let table = theirs(args)?;
    let recordings = args.files.iter().map(|file| Ok((file.clone(), read_events(file)?)));
    let mut groups = Ours::of(recordings.collect::<Result<_>>()?, &kinds(args), args.each);
    if sound::is_sound(&args.recorder) {
        groups.iter_mut().for_each(|ours| ours.leave_out_covered(FADED));
    }
    let (mut out, mut all_aligned) = (Vec::new(), true);
    put_heading(&mut out);
    for ours in &groups {
        refuse_nothing(args, ours)?;
        match found(args, ours, &table)? {
            Some(found) => ours.put_rows(&mut out, &found, &table.marks),
            None => all_aligned = false,
        }
    }
    if all_aligned {
        write(args, &out)?;
    }
    Ok(CommandVerdict::of(all_aligned))
}

/// What the other recorder has: a table, or sounds.
fn theirs(args: &Align) -> Result<RecorderTable> {
    match sound::is_sound(&args.recorder) {
        true => sound::read(&args.recorder),
        false => Ok(read_table(&args.recorder, &args.table.columns())?),
    }
}

/// The events that the other recorder has: those that are named; else of a sound what sounds, and of a table
/// the codes.
fn kinds(args: &Align) -> Vec<TrialType> {
    match &args.events[..] {
        [] if sound::is_sound(&args.recorder) => {
            vec![TrialType::Pacing, TrialType::Feedback, TrialType::Masking]
        }
        [] => vec![TrialType::Code],
        named => named.to_vec(),
    }
}

/// A trial without events of these kinds is no matter of likeness.
fn refuse_nothing(args: &Align, ours: &Ours) -> Result<()> {
    if !ours.marks.is_empty() {
        return Ok(());
    }
    let file = ours.trials[0].path.display();
    let asked = kinds(args);
    let kinds = asked.iter().map(|kind| kind.word()).collect::<Vec<_>>().join(" or ");
    if asked == [TrialType::Code] {
        bail!(
            "{file}: it has no codes; align by what it played, with --events pacing, or by --events tap"
        );
    }
    bail!("{file}: it has no events of the kind {kinds}; name others with --events")
}

/// The alignment, which is told; none where it is refused.
fn found(args: &Align, ours: &Ours, table: &RecorderTable) -> Result<Option<Alignment>> {
    let limits = AlignmentLimits {
        tolerance: args.tolerance,
        drift_ppm: args.most_drift,
        step_s: table.step_s,
    };
    match aligned(&ours.marks, &table.marks, &limits) {
        Ok(found) => {
            tell(args, ours, table, &found);
            Ok(Some(found))
        }
        Err(error @ AlignmentError::TooFew { .. }) => Err(error.into()),
        Err(error) => {
            tell_refused(args, ours, &error);
            Ok(None)
        }
    }
}

fn tell_refused(args: &Align, ours: &Ours, error: &AlignmentError) {
    let files = files(ours);
    if args.json {
        say_data(json!({ "files": files, "aligned": false, "reason": error.says(Terminal) }));
    } else {
        say(wrapped(&format!("{}: not aligned: {}", files.join(", "), error.says(Terminal)), ""));
    }
}

fn tell(args: &Align, ours: &Ours, table: &RecorderTable, found: &Alignment) {
    if args.json {
        return say_data(as_json(ours, found));
    }
    say(compared(args, ours, table));
    for trial in &ours.trials {
        let begins = found.theirs_s(trial.zero);
        say(format!("  {} begins at {}", trial.path.display(), with_reach(&begins, 1.0, 6, "s")));
    }
    say(format!("  the recorder's clock is {}", faster(&found.drift_ppm)));
    let (sd, most) = (found.residual_sd_s * 1e3, found.residual_max_s * 1e3);
    say(format!("  residuals: SD {sd:.3} ms, greatest {most:.3} ms"));
    let Alignment { matched, missing, outside, spurious, .. } = found;
    say(format!(
        "  {} matched, {} missing, {} before or after the recording, {} none of ours",
        matched.len(),
        missing.len(),
        outside.len(),
        spurious.len()
    ));
    listed("missing", missing.iter().map(|place| event(ours, *place)));
    listed("none of ours", spurious.iter().map(|place| their_event(table, *place)));
}

/// What was compared with what.
fn compared(args: &Align, ours: &Ours, table: &RecorderTable) -> String {
    let kinds = match &kinds(args)[..] {
        [TrialType::Code] => "code",
        _ => "event",
    };
    let chosen = &table.chosen;
    let by = match &chosen.code {
        _ if sound::is_sound(&args.recorder) => "where sounds begin".to_owned(),
        Some(code) => format!("columns {} and {code}", chosen.onset),
        None => format!("column {}", chosen.onset),
    };
    let left_out = match table.left_out {
        0 => String::new(),
        lines => format!(", {} left out", counted(lines, "line")),
    };
    wrapped(
        &format!(
            "{} in {}, {} in {} ({by}{left_out}): aligned",
            counted(ours.marks.len(), kinds),
            counted(ours.trials.len(), "trial"),
            counted(table.marks.len(), "event"),
            args.recorder.display(),
        ),
        "",
    )
}

/// A value with the half of its interval.
fn with_reach(estimate: &Estimate, scale: f64, decimals: usize, unit: &str) -> String {
    let reach = (estimate.high - estimate.value) * scale;
    format!("{:.decimals$} {unit} +- {reach:.decimals$} {unit}", estimate.value * scale)
}

fn faster(drift_ppm: &Estimate) -> String {
    let way = if drift_ppm.value < 0.0 { "slower" } else { "faster" };
    let (size, reach) = (drift_ppm.value.abs(), drift_ppm.high - drift_ppm.value);
    format!("{size:.3} ppm {way} +- {reach:.3} ppm")
}

/// A line for the first of them, and how many more there are.
fn listed(what: &str, events: impl ExactSizeIterator<Item = String>) {
    const SHOWN: usize = 5;
    let count = events.len();
    if count == 0 {
        return;
    }
    let mut shown: Vec<String> = events.take(SHOWN).collect();
    if count > SHOWN {
        shown.push(format!("and {} more", count - SHOWN));
    }
    say(wrapped(&format!("{what}: {}", shown.join(", ")), "  "));
}

/// An event of ours, by its own clock.
fn event(ours: &Ours, place: usize) -> String {
    let (trial, at) = ours.trial_of(place);
    let within = match ours.trials.len() {
        1 => String::new(),
        _ => format!(" of {}", trial.path.display()),
    };
    let what = ours.marks[place].code.map_or("the event".to_owned(), |code| format!("code {code}"));
    format!("{what} at {:.3} s{within}", at.as_secs_f64())
}

fn their_event(table: &RecorderTable, place: usize) -> String {
    let mark = table.marks[place];
    let what = mark.code.map_or("the event".to_owned(), |code| format!("code {code}"));
    format!("{what} at {:.3} s", mark.at.as_secs_f64())
}

fn files(ours: &Ours) -> Vec<String> {
    ours.trials.iter().map(|trial| trial.path.display().to_string()).collect()
}

fn as_json(ours: &Ours, found: &Alignment) -> Value {
    let trials = ours
        .trials
        .iter()
        .map(|trial| json!({ "file": trial.path, "begins_s": found.theirs_s(trial.zero) }));
    let missing = found.missing.iter().map(|place| {
        let (trial, at) = ours.trial_of(*place);
        json!({ "file": trial.path, "onset_s": at.as_secs_f64(), "code": ours.marks[*place].code })
    });
    json!({
        "aligned": true,
        "trials": trials.collect::<Vec<_>>(),
        "drift_ppm": found.drift_ppm,
        "residual_sd_ms": found.residual_sd_s * 1e3,
        "residual_max_ms": found.residual_max_s * 1e3,
        "matched": found.matched.len(),
        "missing": missing.collect::<Vec<_>>(),
        "outside": found.outside.len(),
        "spurious": found.spurious.len(),
    })
}

fn write(args: &Align, out: &[u8]) -> Result<()> {
    let Some(path) = &args.write else { return Ok(()) };
    let put = |file: &mut std::fs::File| file.write_all(out);
    let written = match args.force {
        true => chronotap_core::files::replace(path, put),
        false => chronotap_core::files::place(path, false, put),
    };
    written.map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => anyhow!(
            "--write {}: already there, and nothing is overwritten; name another, or replace it with --force",
            path.display()
        ),
        _ => anyhow!("--write {}: cannot write it: {error}; name a file that you may", path.display()),
    })?;
    if !args.json {
        say(format!("  written: {}", path.display()));
    }
    Ok(())
}

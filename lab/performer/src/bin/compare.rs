//! `compare`: what Chronotap recorded against what the performer wrote down, note by
//! note. Prints one figure a line, name and value, times in microseconds; docs/lab.md
//! says what each figure means. Where several performers took part, `--input` and
//! `--output` say which of the trial's this one played and heard.
//!
//! Both clocks are CLOCK_MONOTONIC; Chronotap's counts from the start of its trial.
//! That start stands in the data's description, and is checked: no byte arrives before
//! it was written, in either direction, which encloses it. Where it does not stand
//! there (a trial cut short), it is the middle of what encloses it.

use std::collections::BTreeMap;
use std::process::ExitCode;

type Row = BTreeMap<String, String>;

/// A message on one side, with the times that enclose it.
#[derive(Clone, Copy, Debug)]
struct Message {
    /// Note-on or note-off, channel and note; velocity for note-ons.
    what: (bool, u8, u8, u8),
    before_ns: i64,
    after_ns: i64,
}

const USAGE: &str = "usage: compare EVENTS.tsv PERFORMED.tsv [--input NAME] [--output NAME]";

/// What the command line asks for.
#[derive(Default)]
struct Asked {
    files: Vec<String>,
    input: Option<String>,
    output: Option<String>,
}

fn main() -> ExitCode {
    match asked().and_then(|asked| compare(&asked)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("compare: {message}");
            ExitCode::from(2)
        }
    }
}

fn asked() -> Result<Asked, String> {
    let mut asked = Asked::default();
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--input" => asked.input = Some(words.next().ok_or(USAGE)?),
            "--output" => asked.output = Some(words.next().ok_or(USAGE)?),
            _ => asked.files.push(word),
        }
    }
    Ok(asked)
}

fn compare(asked: &Asked) -> Result<(), String> {
    let [events_path, performed_path] = asked.files.as_slice() else { return Err(USAGE.into()) };
    let mut events = table(events_path)?;
    events.retain(|row| concerns(row, asked));
    let performed = table(performed_path)?;
    let description =
        std::fs::read_to_string(events_path.replace(".tsv", ".json")).unwrap_or_default();

    let (played, heard) =
        (witnessed(&performed, &["played", "delivered"]), witnessed(&performed, &["heard"]));
    let delivered = performed.iter().any(|row| row["direction"] == "delivered");
    let (arrived, sounded) = (arrivals(&events), outputs(&events));
    let taps = agree("taps", &played, &arrived);
    let tones = agree("sounded", &sounded, &heard);
    stamps_of(&events);

    let (earliest, latest) = enclosed_origin(&taps, &tones, delivered && kernel_stamped(&events));
    figure("origin_uncertainty_us", us(latest - earliest));
    let origin = match stated_origin(&description) {
        Some(stated) => {
            figure("origin_wrong_us", us((earliest - stated).max(stated - latest).max(0)));
            stated
        }
        None => earliest + (latest - earliest) / 2,
    };
    spread("tap_stamp", taps.iter().map(|(played, got)| got.after_ns + origin - played.before_ns));
    spread(
        "write_ended_after_stamp",
        taps.iter().map(|(played, got)| played.after_ns - got.after_ns - origin),
    );
    spread(
        "heard_after",
        tones.iter().map(|(sent, heard)| heard.before_ns - sent.after_ns - origin),
    );
    lateness(&events);
    feedback(&events);
    Ok(())
}

/// Whether a row is of the input and the output in question.
fn concerns(row: &Row, asked: &Asked) -> bool {
    let arrived = matches!(row["trial_type"].as_str(), "tap" | "release");
    let port = if arrived { &asked.input } else { &asked.output };
    port.as_ref().is_none_or(|port| row["port"] == *port)
}

/// What the performer wrote down in one direction; releases too.
fn witnessed(rows: &[Row], directions: &[&str]) -> Vec<Message> {
    let rows = rows.iter().filter(|row| directions.contains(&row["direction"].as_str()));
    rows.filter_map(|row| {
        Some(Message {
            what: meaning(&row["message"])?,
            before_ns: nanos(row, "before_ns")?,
            after_ns: nanos(row, "after_ns")?,
        })
    })
    .collect()
}

/// What Chronotap recorded as arrived.
fn arrivals(rows: &[Row]) -> Vec<Message> {
    let rows = rows.iter().filter(|row| matches!(row["trial_type"].as_str(), "tap" | "release"));
    let message = |row: &Row| {
        let at = nanos(row, "achieved_ns")?;
        Some(Message { what: meaning(&row["message"])?, before_ns: at, after_ns: at })
    };
    rows.filter_map(message).collect()
}

/// What Chronotap recorded as sent: onsets, and the releases that end them.
fn outputs(rows: &[Row]) -> Vec<Message> {
    let mut sent = Vec::new();
    for row in rows.iter().filter(|row| sounds(row)) {
        let Some(what) = meaning(&row["message"]) else { continue };
        for (deadline, achieved, what) in [
            ("deadline_ns", "achieved_ns", what),
            ("release_deadline_ns", "release_achieved_ns", (false, what.1, what.2, 0)),
        ] {
            if let (Some(before_ns), Some(after_ns)) = (nanos(row, deadline), nanos(row, achieved))
            {
                sent.push(Message { what, before_ns, after_ns });
            }
        }
    }
    sent.sort_by_key(|message| message.after_ns);
    sent
}

fn sounds(row: &Row) -> bool {
    matches!(row["trial_type"].as_str(), "pacing" | "feedback" | "masking" | "trigger")
}

/// Pairs what one side sent with what the other received, in order. A message that
/// never arrived is lost; one that arrived unsent, or altered, is changed.
fn agree(name: &str, sent: &[Message], received: &[Message]) -> Vec<(Message, Message)> {
    let (mut pairs, mut next, mut changed) = (Vec::new(), 0, 0);
    for got in received {
        match sent[next..].iter().position(|message| message.what == got.what) {
            Some(skipped) => {
                pairs.push((sent[next + skipped], *got));
                next += skipped + 1;
            }
            None => changed += 1,
        }
    }
    let onsets = sent.iter().filter(|message| message.what.0).count();
    figure(&format!("{name}_onsets"), onsets.to_string());
    figure(&format!("{name}_messages"), sent.len().to_string());
    figure(&format!("{name}_lost"), (sent.len() - pairs.len()).to_string());
    figure(&format!("{name}_changed"), changed.to_string());
    pairs
}

/// How many taps bear which kind of stamp.
fn stamps_of(rows: &[Row]) {
    let taps = rows.iter().filter(|row| row["trial_type"] == "tap");
    let kernel = taps.clone().filter(|row| row["stamp"] == "kernel").count();
    figure("taps_kernel_stamped", kernel.to_string());
    figure("taps_user_stamped", (taps.count() - kernel).to_string());
}

fn kernel_stamped(rows: &[Row]) -> bool {
    rows.iter().filter(|row| row["trial_type"] == "tap").all(|row| row["stamp"] == "kernel")
}

fn stated_origin(description: &str) -> Option<i64> {
    let (_, rest) = description.split_once("\"origin_ns\":")?;
    rest.trim_start().split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

/// Between which two times the trial's clock must have begun. `within_write`: each
/// tap was stamped before the performer's write returned.
fn enclosed_origin(
    taps: &[(Message, Message)],
    tones: &[(Message, Message)],
    within_write: bool,
) -> (i64, i64) {
    let lowest = taps.iter().map(|(played, got)| played.before_ns - got.after_ns);
    let highest = tones.iter().map(|(sent, heard)| heard.before_ns - sent.before_ns);
    let within =
        taps.iter().filter(|_| within_write).map(|(played, got)| played.after_ns - got.after_ns);
    let lowest = lowest.max().unwrap_or(0);
    (lowest, highest.chain(within).min().unwrap_or(lowest))
}

/// Of what was due at a time known beforehand: all tones but those that taps cause,
/// whose deadline is the moment that the tap arrives.
fn lateness(rows: &[Row]) {
    let late = |row: &Row| Some(nanos(row, "achieved_ns")? - nanos(row, "deadline_ns")?);
    let ended =
        |row: &Row| Some(nanos(row, "release_achieved_ns")? - nanos(row, "release_deadline_ns")?);
    let planned = rows.iter().filter(|row| sounds(row) && row["trial_type"] != "feedback");
    spread("lateness", planned.flat_map(|row| [late(row), ended(row)]).flatten());
}

/// From the tap's arrival to its tone's bytes handed over, without the delay asked for.
fn feedback(rows: &[Row]) {
    let tones = rows.iter().filter(|row| row["trial_type"] == "feedback");
    spread(
        "feedback_late",
        tones.filter_map(|row| Some(nanos(row, "achieved_ns")? - nanos(row, "deadline_ns")?)),
    );
    let waits = rows.iter().filter(|row| row["trial_type"] == "tap");
    spread(
        "tap_read_after",
        waits.filter_map(|row| Some(nanos(row, "engine_ns")? - nanos(row, "achieved_ns")?)),
    );
}

/// Median, 95th and 99th percentile and maximum of some times, in microseconds.
fn spread(name: &str, times: impl Iterator<Item = i64>) {
    let mut times: Vec<i64> = times.collect();
    if times.is_empty() {
        return;
    }
    times.sort_unstable();
    // The smallest value that at least that share of the times do not exceed.
    let rank = |percent: usize| times[(times.len() * percent).div_ceil(100).max(1) - 1];
    for (part, value) in [
        ("min", times[0]),
        ("median", rank(50)),
        ("p95", rank(95)),
        ("p99", rank(99)),
        ("max", times[times.len() - 1]),
    ] {
        figure(&format!("{name}_{part}_us"), us(value));
    }
}

fn us(ns: i64) -> String {
    format!("{:.1}", ns as f64 / 1000.0)
}

fn figure(name: &str, value: impl AsRef<str>) {
    println!("{name}\t{}", value.as_ref());
}

/// Note-on (with velocity) or note-off (without), channel, note.
fn meaning(hex: &str) -> Option<(bool, u8, u8, u8)> {
    let bytes: Vec<u8> =
        hex.split(' ').filter_map(|byte| u8::from_str_radix(byte, 16).ok()).collect();
    let [status, note, velocity] = bytes.as_slice() else { return None };
    match status & 0xf0 {
        0x90 if *velocity > 0 => Some((true, status & 0x0f, *note, *velocity)),
        0x80 | 0x90 => Some((false, status & 0x0f, *note, 0)),
        _ => None,
    }
}

fn nanos(row: &Row, column: &str) -> Option<i64> {
    row.get(column)?.parse().ok()
}

fn table(path: &str) -> Result<Vec<Row>, String> {
    let text = std::fs::read_to_string(path).map_err(|e| format!("{path}: {e}"))?;
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().ok_or(format!("{path} is empty"))?.split('\t').collect();
    let row = |line: &str| {
        header.iter().map(|h| h.to_string()).zip(line.split('\t').map(String::from)).collect()
    };
    Ok(lines.map(row).collect())
}

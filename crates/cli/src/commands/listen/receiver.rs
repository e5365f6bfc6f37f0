//! The process that reads from the network, and nothing else: a child of `chronotap listen`. It says on its standard output what
//! comes, a line each, until its standard input ends. Whatever the network does to it ends it alone, and another takes its place.

use super::inlet::{AskedStream, StreamInlet, TakenSample, names, text};
use super::said::Said;
use crate::CommandVerdict;
use crate::commands::lsl::confine;
use anyhow::Result;
use chronotap_core::time::Nanos;
use chronotap_data::record::text::{MISSING, put_i64, put_text};
use chronotap_linux::clocks::MonotonicClock;
use std::io::{Read, Write, stdin, stdout};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// How long it looks for a stream before it says that it is not there.
const LOOK: Duration = Duration::from_secs(2);
/// How long it waits for samples at once.
const PATIENCE: Duration = Duration::from_millis(20);
/// At the end, for what is on its way.
const LAST: Nanos = Nanos::from_millis(500);

/// Reads the streams until nobody wants them any more.
pub fn receive(streams: &[String]) -> Result<CommandVerdict> {
    std::panic::set_hook(Box::new(|_| std::process::abort())); // a thread that is missing would be missed by nobody
    confine();
    let ended = Arc::new(AtomicBool::new(false));
    let threads: Vec<_> = streams
        .iter()
        .enumerate()
        .map(|(place, asked)| (place, AskedStream::of(asked), ended.clone()))
        .map(|(place, asked, ended)| thread::spawn(move || read(place, &asked, &ended)))
        .collect();
    let _ = stdin().read(&mut [0]); // nothing is ever written to it
    ended.store(true, Ordering::Relaxed);
    threads.into_iter().for_each(|thread| drop(thread.join()));
    Ok(CommandVerdict::Passed)
}

fn read(place: usize, asked: &AskedStream, ended: &AtomicBool) {
    let Some(mut stream) = find(place, asked, ended) else { return };
    tell(place, &Said::Found(stream.about().to_string()));
    let mut was_there = true;
    let mut until = None;
    while until.is_none_or(|until| MonotonicClock::raw() < until) {
        if ended.load(Ordering::Relaxed) {
            until = until.or(Some(MonotonicClock::raw() + LAST));
        }
        let mut lines = Vec::new();
        let taken = stream.take(PATIENCE, &mut |taken| put_line(&mut lines, place, &taken));
        let _ = stdout().lock().write_all(&lines);
        let is_there = taken.is_ok() && stream.is_there();
        if is_there != was_there {
            tell(place, if is_there { &Said::Back } else { &Said::Gone });
        }
        was_there = is_there;
    }
    tell(place, &Said::Dropped(stream.dropped()));
}

/// The stream, once there is one alone that is so.
fn find(place: usize, asked: &AskedStream, ended: &AtomicBool) -> Option<StreamInlet> {
    let mut said = None;
    while !ended.load(Ordering::Relaxed) {
        let found = asked.look(LOOK).unwrap_or_default();
        let now = match &found[..] {
            [one] => match StreamInlet::open(one) {
                Ok(stream) => return Some(stream),
                Err(_) => Said::Silent,
            },
            [] => Said::Absent(names(LOOK).unwrap_or_default()),
            several => Said::Several(several.iter().map(|info| info.source_id.clone()).collect()),
        };
        if said.as_ref() != Some(&now) {
            tell(place, &now);
        }
        said = Some(now);
    }
    None
}

fn tell(place: usize, said: &Said) {
    let _ = stdout().lock().write_all(said.line(place).as_bytes());
}

/// A row of the table.
fn put_line(out: &mut Vec<u8>, place: usize, taken: &TakenSample) {
    let correction = taken.correction_s.and_then(|(by, way)| Some((ns(by)?, ns(way)?)));
    let source = ns(taken.source_s);
    out.extend_from_slice(format!("{place}\trow").as_bytes());
    let cells = [
        source.zip(correction).and_then(|(source, (by, _))| source.checked_add(by)),
        source,
        correction.map(|(by, _)| by),
        correction.map(|(_, way)| way),
        Some(MonotonicClock::raw().0),
    ];
    for cell in cells {
        out.push(b'\t');
        match cell {
            Some(cell) => put_i64(out, cell),
            None => out.extend_from_slice(MISSING.as_bytes()),
        }
    }
    for value in &taken.values {
        out.push(b'\t');
        put_text(out, &text(value));
    }
    out.push(b'\n');
}

/// LSL counts in seconds, as a floating-point number. A stamp that is none, or beyond all times that can be
/// written, comes from a source that has no clock, and is no time here either.
fn ns(seconds: f64) -> Option<i64> {
    let ns = (seconds * 1e9).round();
    (ns.abs() < i64::MAX as f64).then_some(ns as i64) // NaN is not less than anything
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stamp_that_is_no_number_is_missing_and_makes_no_time() {
        let row = |source_s: f64, by: f64| {
            let mut out = Vec::new();
            put_line(
                &mut out,
                0,
                &TakenSample { source_s, correction_s: Some((by, 0.001)), values: Vec::new() },
            );
            let line = String::from_utf8(out).unwrap();
            line.split('\t').skip(2).take(3).map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(row(1.5, 0.5), ["2000000000", "1500000000", "500000000"]);
        for none in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300] {
            assert_eq!(row(none, 0.5), ["n/a", "n/a", "500000000"], "{none}");
            assert_eq!(row(1.5, none), ["n/a", "1500000000", "n/a"], "{none}");
        }
    }
}

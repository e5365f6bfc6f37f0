//! The process that reads from the network, and nothing else: a child of `chronotap listen`. It says on its standard output what
//! comes, a line each, until its standard input ends. Whatever the network does to it ends it alone, and another takes its place.

use super::inlet::{Asked, Stream, Taken, names, text};
use super::said::Said;
use crate::Verdict;
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
pub fn receive(streams: &[String]) -> Result<Verdict> {
    std::panic::set_hook(Box::new(|_| std::process::abort())); // a thread that is missing would be missed by nobody
    confine();
    let ended = Arc::new(AtomicBool::new(false));
    let threads: Vec<_> = streams
        .iter()
        .enumerate()
        .map(|(place, asked)| (place, Asked::of(asked), ended.clone()))
        .map(|(place, asked, ended)| thread::spawn(move || read(place, &asked, &ended)))
        .collect();
    let _ = stdin().read(&mut [0]); // nothing is ever written to it
    ended.store(true, Ordering::Relaxed);
    threads.into_iter().for_each(|thread| drop(thread.join()));
    Ok(Verdict::Passed)
}

fn read(place: usize, asked: &Asked, ended: &AtomicBool) {
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
fn find(place: usize, asked: &Asked, ended: &AtomicBool) -> Option<Stream> {
    let mut said = None;
    while !ended.load(Ordering::Relaxed) {
        let found = asked.look(LOOK).unwrap_or_default();
        let now = match &found[..] {
            [one] => match Stream::open(one) {
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
fn put_line(out: &mut Vec<u8>, place: usize, taken: &Taken) {
    let correction = taken.correction_s.map(|(correction, way)| (ns(correction), ns(way)));
    let source = ns(taken.source_s);
    out.extend_from_slice(format!("{place}\trow").as_bytes());
    let cells = [
        correction.map(|(correction, _)| source + correction),
        Some(source),
        correction.map(|(correction, _)| correction),
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

/// LSL counts in seconds, as a floating-point number.
fn ns(seconds: f64) -> i64 {
    (seconds * 1e9).round() as i64
}

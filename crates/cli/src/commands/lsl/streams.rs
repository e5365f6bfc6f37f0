//! The streams. Only this file knows the library of LSL, so that another can take its place.

use chronotap_core::time::Nanos;
use labstream::Format;
use labstream_net::{Node, Outlet, StreamInfo};
use labstream_wire::{Sample, Value};
use std::io;

/// What can be recorded: events as texts, and codes as numbers.
pub struct Streams {
    events: Outlet,
    codes: Option<Outlet>,
}

impl Streams {
    /// Opens them; from then on other programs find them.
    pub fn open(name: &str, with_codes: bool) -> io::Result<Streams> {
        let events = stream(name, "events", Format::String, "kind/name/number/event_id")?;
        let codes = with_codes.then(|| stream(name, "codes", Format::Int32, "code"));
        Ok(Streams { events, codes: codes.transpose()? })
    }

    /// How many programs read each of them at least.
    pub fn readers(&self) -> usize {
        self.all().map(Outlet::consumer_count).min().unwrap_or(0)
    }

    /// Publishes an event at its time on CLOCK_MONOTONIC. It never waits.
    pub fn event(&self, at: Nanos, text: &str) {
        push(&self.events, at, Value::Str(text.into()));
    }

    /// The same of a code, where there is a stream of codes.
    pub fn code(&self, at: Nanos, code: i32) {
        self.codes.iter().for_each(|codes| push(codes, at, Value::I32(code)));
    }

    fn all(&self) -> impl Iterator<Item = &Outlet> {
        [Some(&self.events), self.codes.as_ref()].into_iter().flatten()
    }
}

/// The names of the streams.
pub fn names(name: &str, with_codes: bool) -> Vec<String> {
    let all = [Some("events"), with_codes.then_some("codes")];
    all.into_iter().flatten().map(|what| format!("{name}-{what}")).collect()
}

/// A stream without a rate. Its source is the same after a new start, by which a recorder finds it again.
fn stream(name: &str, what: &str, format: Format, label: &str) -> io::Result<Outlet> {
    let mut info = StreamInfo::new(&format!("{name}-{what}"), "Markers", 1, format, 0.0);
    info.source_id = format!("chronotap-{}-{name}-{what}", info.hostname);
    describe(&mut info.desc, label);
    Outlet::new(info)
}

/// In the words that LSL has for them (XDF's wiki, "Meta-Data").
fn describe(desc: &mut Node, label: &str) {
    let channel = desc.append_child("channels").append_child("channel");
    channel.append_child_value("label", label).append_child_value("type", "Markers");
    let by = desc.append_child("acquisition");
    by.append_child_value("manufacturer", "Chronotap");
    by.append_child_value("version", env!("CARGO_PKG_VERSION"));
    by.append_child_value("clock", "CLOCK_MONOTONIC");
}

/// LSL counts in seconds, as a floating-point number: in the year after a computer's start to 4 ns.
fn push(stream: &Outlet, at: Nanos, value: Value) {
    stream.push(&Sample { timestamp: at.as_secs_f64(), values: vec![value] });
}

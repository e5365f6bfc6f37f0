//! The streams. Only this file knows the library of LSL, so that another can take its place.

use crate::commands::streamed::Streamed;
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
    pub fn open(name: &str, with_codes: bool, of: &Streamed) -> io::Result<Streams> {
        let events = stream(name, "events", Format::String, ("kind/name/number/event_id", of))?;
        let codes = with_codes.then(|| stream(name, "codes", Format::Int32, ("code", of)));
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
fn stream(
    name: &str,
    what: &str,
    format: Format,
    (label, of): (&str, &Streamed),
) -> io::Result<Outlet> {
    let mut info = StreamInfo::new(&format!("{name}-{what}"), "Markers", 1, format, 0.0);
    info.source_id = format!("chronotap-{}-{name}-{what}", info.hostname);
    describe(&mut info.desc, label, of);
    Outlet::new(info)
}

/// In the words that LSL has for them (XDF's wiki, "Meta-Data").
fn describe(desc: &mut Node, label: &str, of: &Streamed) {
    let channel = desc.append_child("channels").append_child("channel");
    put(channel, &[("label", label), ("type", "Markers"), ("unit", "none")]);
    let version = env!("CARGO_PKG_VERSION");
    let clock = [("clock", "CLOCK_MONOTONIC"), ("clock_unit", "s")];
    let by = [("manufacturer", "Chronotap"), ("version", version)];
    put(desc.append_child("acquisition"), &[by, clock].concat());
    if !of.participant.is_empty() {
        put(desc.append_child("subject"), &[("id", &of.participant)]);
    }
    let trial =
        [("title", &of.title), ("task", &of.task), ("session", &of.session), ("trial", &of.trial)];
    let known: Vec<_> = trial.into_iter().filter(|(_, text)| !text.is_empty()).collect();
    if !known.is_empty() {
        let known: Vec<(&str, &str)> =
            known.iter().map(|(name, text)| (*name, text.as_str())).collect();
        put(desc.append_child("experiment"), &known);
    }
    if of.has_codes() {
        let codes = desc.append_child("codes");
        for (value, event) in &of.codes {
            put(codes.append_child("code"), &[("value", &value.to_string()), ("event", event)]);
        }
    }
}

/// Adds children with texts. The library writes `<` and `&` so that they stay text; characters that no XML can
/// have become `\u{fffd}`.
fn put(node: &mut Node, texts: &[(&str, &str)]) {
    let is_none =
        |c: char| (c.is_control() && !"\t\n".contains(c)) || "\u{fffe}\u{ffff}".contains(c);
    for (name, text) in texts {
        node.append_child_value(name, &text.replace(is_none, "\u{fffd}"));
    }
}

/// LSL counts in seconds, as a floating-point number: in the year after a computer's start to 4 ns.
fn push(stream: &Outlet, at: Nanos, value: Value) {
    stream.push(&Sample { timestamp: at.as_secs_f64(), values: vec![value] });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_name_is_taken_for_a_part_of_the_description() {
        let text = |text: &str| text.to_owned();
        let of = Streamed {
            title: text("</title><subject><id>99</id></subject>"),
            task: text("a & b"),
            participant: text("0\u{7}1"),
            session: text("1"),
            trial: String::new(),
            codes: [(10, text("pacing.<m>")), (2, text("end"))].into(),
        };
        let mut desc = Node::element("desc");
        describe(&mut desc, "code", &of);
        let mut written = String::new();
        desc.write(&mut written, 0);
        let lines: Vec<&str> = written.lines().map(str::trim).collect();
        let expected = [
            "<subject>",
            "<id>0\u{fffd}1</id>",
            "</subject>",
            "<experiment>",
            "<title>&lt;/title&gt;&lt;subject&gt;&lt;id&gt;99&lt;/id&gt;&lt;/subject&gt;</title>",
            "<task>a &amp; b</task>",
            "<session>1</session>",
            "</experiment>",
            "<codes>",
            "<code>",
            "<value>2</value>",
            "<event>end</event>",
            "</code>",
            "<code>",
            "<value>10</value>",
            "<event>pacing.&lt;m&gt;</event>",
            "</code>",
            "</codes>",
            "</desc>",
        ];
        assert_eq!(lines[lines.len() - expected.len()..], expected);
    }

    #[test]
    fn what_is_not_known_is_not_said() {
        let mut desc = Node::element("desc");
        describe(&mut desc, "code", &Streamed::default());
        let mut written = String::new();
        desc.write(&mut written, 0);
        assert!(!["subject", "experiment", "codes"].iter().any(|name| written.contains(name)));
        assert!(written.contains("<clock_unit>s</clock_unit>"), "{written}");
    }
}

//! Lines of `--follow` as markers: what is published, with its time on CLOCK_MONOTONIC.
//!
//! A sound card says beforehand when a tone will be at the converter, and may correct that. So each
//! event is held for a while after its time, and then comes in the order of times. One that is
//! corrected later still has been published: its correction is a further marker.

use chronotap_core::time::Nanos;
use serde::Deserialize;
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::path::PathBuf;

/// After this time no sound card corrects an event any more: it is many periods.
const SETTLED: Nanos = Nanos::from_millis(500);

/// What is published.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marker {
    /// When it happened, on CLOCK_MONOTONIC.
    pub at: Nanos,
    /// Kind, name, number and event_id, with a `/` between them; behind them its flag, if it has one.
    pub text: String,
    /// Of a code that was sent: the code.
    pub code: Option<i32>,
    /// Whether it is an event of the data: neither a trial's frame nor a correction.
    pub is_event: bool,
}

/// What a line tells, apart from its marker.
#[derive(Debug, PartialEq, Eq)]
pub enum Told {
    /// No more than that.
    Event,
    /// A trial begins, with this title.
    Begins(String),
    /// So many events were lost on the way.
    Lost(u64),
}

/// Why a line cannot be published.
#[derive(Debug)]
pub enum MarkerError {
    /// It is no line of `--follow`.
    Unreadable(serde_json::Error),
    /// It is of a version that is not known here.
    Version(u64),
    /// It belongs to no trial that has begun in real time.
    NoTrial,
}

impl fmt::Display for MarkerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MarkerError::Unreadable(why) => write!(f, "it is no line of --follow: {why}"),
            MarkerError::Version(version) => {
                write!(f, "it is of version {version} of --follow, and this program knows 1")
            }
            MarkerError::NoTrial => f.write_str("no trial has begun, or not in real time"),
        }
    }
}

/// A line of `--follow`, as far as it matters here.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct FollowedLine {
    event: String,
    correction: bool,
    name: Option<String>,
    number: Option<u32>,
    event_id: u64,
    deadline_ns: Option<i64>,
    achieved_ns: Option<i64>,
    engine_ns: Option<i64>,
    flag: Option<String>,
    version: u64,
    title: String,
    origin_monotonic_ns: Option<i64>,
    count: u64,
    dropped: u64,
    files: Option<Files>,
}

/// Where the data of a trial are.
#[derive(Debug, Deserialize)]
struct Files {
    events: PathBuf,
}

impl FollowedLine {
    /// Reads a line.
    pub fn read(text: &str) -> Result<FollowedLine, MarkerError> {
        serde_json::from_str(text).map_err(MarkerError::Unreadable)
    }

    /// When it happened, or was to happen where it never did: the onset of the events file.
    fn onset(&self) -> Option<Nanos> {
        self.achieved_ns.or(self.deadline_ns).or(self.engine_ns).map(Nanos)
    }

    fn marker(&self, at: Nanos) -> Marker {
        let never = self.correction && self.achieved_ns.is_none();
        let flag = self.flag.clone().or(never.then(|| "lost".to_owned()));
        let number = self.number.map_or("-".to_owned(), |number| number.to_string());
        let name = self.name.as_deref().unwrap_or("-");
        let id = self.event_id.to_string();
        let parts = [&self.event, name, &number, &id].map(part);
        let sent =
            self.event == "code" && self.achieved_ns.is_some() && flag.as_deref() != Some("lost");
        let text = parts.into_iter().chain(flag).collect::<Vec<_>>().join("/");
        let code = self.number.filter(|_| sent).and_then(|code| code.try_into().ok());
        Marker { at, text, code, is_event: true }
    }
}

/// A marker that says where a trial begins, or where its data are.
fn frame(at: Nanos, what: &str, of: &str) -> Marker {
    Marker { at, text: format!("{what}/{}", part(of)), code: None, is_event: false }
}

/// A part of a text keeps to its line and to its place.
fn part(text: &str) -> String {
    text.chars().map(|c| if c == '/' || c.is_control() { '_' } else { c }).collect()
}

/// The markers of trials, one after the other.
#[derive(Debug, Default)]
pub struct Markers {
    origin: Option<Nanos>,                // of the trial that runs
    held: BTreeMap<(Nanos, u64), Marker>, // by their times, and as they came
    places: HashMap<u64, (Nanos, u64)>,   // of the events of the trial that are held
    came: u64,
    dropped: u64, // of the trial that runs
    ready: Vec<Marker>,
}

impl Markers {
    /// Takes a line.
    pub fn take(&mut self, line: FollowedLine) -> Result<Told, MarkerError> {
        match line.event.as_str() {
            "begin" => self.begin(&line),
            "missed" => Ok(Told::Lost(line.count)),
            "lost" => Ok(self.lost(line.dropped)),
            "finished" => self.finish(&line),
            "release of tone" | "end of code" => Ok(Told::Event), // what began is what is marked
            _ => self.event(&line),
        }
    }

    fn begin(&mut self, line: &FollowedLine) -> Result<Told, MarkerError> {
        if line.version != 1 {
            return Err(MarkerError::Version(line.version));
        }
        self.break_off();
        self.origin = line.origin_monotonic_ns.map(Nanos);
        let at = self.origin.ok_or(MarkerError::NoTrial)?;
        self.hold(None, frame(at, "begin", &line.title));
        Ok(Told::Begins(line.title.clone()))
    }

    fn lost(&mut self, dropped: u64) -> Told {
        let more = dropped.saturating_sub(self.dropped);
        self.dropped = self.dropped.max(dropped);
        if more == 0 { Told::Event } else { Told::Lost(more) }
    }

    /// Nothing of this trial is corrected any more. Its last marker says which data are its.
    fn finish(&mut self, line: &FollowedLine) -> Result<Told, MarkerError> {
        let last = self.held.last_key_value().map(|((at, _), _)| *at);
        let at = last.or(self.origin).ok_or(MarkerError::NoTrial)?;
        if let Some(file) = line.files.as_ref().and_then(|files| files.events.file_name()) {
            self.hold(None, frame(at, "saved", &file.to_string_lossy()));
        }
        self.break_off();
        Ok(Told::Event)
    }

    fn event(&mut self, line: &FollowedLine) -> Result<Told, MarkerError> {
        let (origin, onset) = self.origin.zip(line.onset()).ok_or(MarkerError::NoTrial)?;
        let mut marker = line.marker(origin + onset);
        if line.correction && self.take_back(line.event_id).is_none() {
            marker =
                Marker { text: format!("corrected/{}", marker.text), is_event: false, ..marker };
        }
        self.hold(Some(line.event_id), marker);
        Ok(Told::Event)
    }

    fn take_back(&mut self, event_id: u64) -> Option<Marker> {
        self.held.remove(&self.places.remove(&event_id)?)
    }

    fn hold(&mut self, event_id: Option<u64>, marker: Marker) {
        self.came += 1;
        let place = (marker.at, self.came);
        event_id.map(|id| self.places.insert(id, place));
        self.held.insert(place, marker);
    }

    /// What is settled by now, in the order of times.
    pub fn settled(&mut self, now: Nanos) -> Vec<Marker> {
        let mut settled = std::mem::take(&mut self.ready);
        while let Some(first) = self.held.first_entry() {
            if first.key().0.saturating_add(SETTLED) > now {
                break;
            }
            settled.push(first.remove());
        }
        if self.held.is_empty() {
            self.places.clear();
        }
        settled
    }

    /// Whether nothing is held.
    pub fn is_empty(&self) -> bool {
        self.held.is_empty() && self.ready.is_empty()
    }

    /// Nothing more comes of the trial that runs: all of it is settled. Says whether one ran.
    pub fn break_off(&mut self) -> bool {
        self.ready.extend(std::mem::take(&mut self.held).into_values());
        self.places.clear();
        self.dropped = 0;
        self.origin.take().is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BEGIN: &str =
        r#"{"event":"begin","version":1,"title":"A/B","origin_monotonic_ns":1000000000}"#;

    fn told(lines: &[&str]) -> Markers {
        let mut markers = Markers::default();
        for line in lines {
            markers.take(FollowedLine::read(line).unwrap()).unwrap();
        }
        markers
    }

    fn tone(id: u32, ms: u32) -> String {
        format!(
            r#"{{"event":"pacing","name":"metronome","number":{id},"event_id":{id},"achieved_ns":{ms}000000}}"#
        )
    }

    fn texts(markers: &[Marker]) -> Vec<&str> {
        markers.iter().map(|marker| marker.text.as_str()).collect()
    }

    #[test]
    fn an_event_stands_at_its_time_on_the_clock_of_the_computer_half_a_second_later() {
        let mut markers = told(&[BEGIN, &tone(7, 20)]);
        assert_eq!(texts(&markers.settled(Nanos::from_millis(1_519))), ["begin/A_B"]);
        let settled = markers.settled(Nanos::from_millis(1_520));
        assert_eq!(texts(&settled), ["pacing/metronome/7/7"]);
        assert_eq!(settled[0].at, Nanos::from_millis(1_020));
        assert!(markers.is_empty());
    }

    #[test]
    fn markers_come_in_the_order_of_their_times() {
        let mut markers = told(&[BEGIN, &tone(1, 30), &tone(2, 20)]);
        let settled = markers.settled(Nanos::MAX);
        assert_eq!(texts(&settled), ["begin/A_B", "pacing/metronome/2/2", "pacing/metronome/1/1"]);
    }

    #[test]
    fn a_correction_in_time_takes_the_place_of_what_was_announced() {
        let corrected = tone(1, 50).replace('{', r#"{"correction":true,"#);
        let settled = told(&[BEGIN, &tone(1, 30), &corrected]).settled(Nanos::MAX);
        assert_eq!(texts(&settled), ["begin/A_B", "pacing/metronome/1/1"]);
        assert_eq!(settled[1].at, Nanos::from_millis(1_050));
    }

    #[test]
    fn a_correction_that_comes_late_is_a_further_marker() {
        let mut markers = told(&[BEGIN, &tone(1, 30)]);
        markers.settled(Nanos::MAX);
        let never = r#"{"event":"pacing","name":"metronome","number":1,"event_id":1,"deadline_ns":0,"correction":true}"#;
        markers.take(FollowedLine::read(never).unwrap()).unwrap();
        assert_eq!(texts(&markers.settled(Nanos::MAX)), ["corrected/pacing/metronome/1/1/lost"]);
    }

    #[test]
    fn a_code_has_its_number_unless_it_was_lost() {
        let sent = r#"{"event":"code","name":"start","number":255,"event_id":1,"achieved_ns":5}"#;
        let lost = r#"{"event":"code","name":"start","number":255,"event_id":2,"deadline_ns":6,"flag":"lost"}"#;
        let settled = told(&[BEGIN, sent, lost]).settled(Nanos::MAX);
        assert_eq!([settled[1].code, settled[2].code], [Some(255), None]);
        assert_eq!(settled[2].text, "code/start/255/2/lost");
    }

    #[test]
    fn the_end_of_a_trial_settles_everything_and_names_its_data() {
        let end = r#"{"event":"finished","files":{"events":"/data/a_run-01_events.tsv"}}"#;
        let mut markers = told(&[BEGIN, &tone(1, 30), end]);
        let settled = markers.settled(Nanos::ZERO);
        assert_eq!(texts(&settled)[2], "saved/a_run-01_events.tsv");
        assert!(!markers.break_off(), "none runs any more");
    }

    #[test]
    fn what_is_lost_is_told_once() {
        let mut markers = told(&[BEGIN]);
        let mut take = |line| markers.take(FollowedLine::read(line).unwrap()).unwrap();
        assert_eq!(take(r#"{"event":"missed","count":3}"#), Told::Lost(3));
        assert_eq!(take(r#"{"event":"lost","dropped":2}"#), Told::Lost(2));
        assert_eq!(take(r#"{"event":"lost","dropped":2}"#), Told::Event);
    }

    #[test]
    fn what_is_no_line_or_of_no_trial_is_refused() {
        assert!(matches!(FollowedLine::read("GET / HTTP/1.1"), Err(MarkerError::Unreadable(_))));
        let refused = |line: &str| Markers::default().take(FollowedLine::read(line).unwrap());
        assert!(matches!(refused(&tone(1, 1)), Err(MarkerError::NoTrial)));
        assert!(matches!(refused(r#"{"event":"begin","version":1}"#), Err(MarkerError::NoTrial)));
        assert!(matches!(
            refused(r#"{"event":"begin","version":2}"#),
            Err(MarkerError::Version(2))
        ));
    }
}

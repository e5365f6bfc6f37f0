//! Which condition of a result tells of each option of a timing test: an option that changes what is
//! measured, and stands in no result, would let two different things be compared as the same. The test
//! reads the list of options, so that a new one has to say where it stands.
//!
//! What a test itself does not know of is added here, where it is not as usual ([`ToldOptions`]).

use chronotap_bench::timing::{Length, Probe, SampleSeries, TestFound, TestRefusal, TestRun};
use chronotap_core::time::Nanos;
use chronotap_linux::cards::PortJoin;
use std::path::Path;

/// Options of a test, as conditions of its series.
#[derive(Clone, Default)]
pub struct ToldOptions(Vec<(&'static str, String)>);

impl ToldOptions {
    /// With this one where it is not as usual.
    pub fn and(mut self, condition: &'static str, unusual: Option<impl ToString>) -> ToldOptions {
        self.0.extend(unusual.map(|value| (condition, value.to_string())));
        self
    }

    /// With a file, by its name without its folder.
    pub fn and_file(self, condition: &'static str, file: Option<&Path>) -> ToldOptions {
        let name = file.and_then(Path::file_name).map(|name| name.to_string_lossy());
        self.and(condition, name)
    }

    /// With what a server joins the card's ports to.
    pub fn and_join(self, join: PortJoin) -> ToldOptions {
        let unusual = match join {
            PortJoin::Card => None,
            PortJoin::Itself => Some("self"),
            PortJoin::Monitor => Some("monitor"),
        };
        self.and("join", unusual)
    }

    /// Puts them into series.
    pub fn put<'s>(&self, series: impl Iterator<Item = &'s mut SampleSeries>) {
        for one in series {
            let told = self.0.iter().map(|(name, value)| ((*name).to_owned(), value.clone()));
            one.conditions.extend(told);
        }
    }
}

/// A test whose series tell of these options.
pub struct TellingProbe<P> {
    pub test: P,
    pub options: ToldOptions,
}

impl<P: Probe> Probe for TellingProbe<P> {
    fn name(&self) -> &'static str {
        self.test.name()
    }

    fn available(&self) -> Result<(), TestRefusal> {
        self.test.available()
    }

    fn duration(&self, length: Length) -> Nanos {
        self.test.duration(length)
    }

    fn longest(&self, length: Length) -> Nanos {
        self.test.longest(length)
    }

    fn run(&self, course: &mut TestRun<'_>) -> TestFound {
        let mut found = self.test.run(course);
        self.options.put(found.series.iter_mut());
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linux::Linux;
    use chronotap_bench::timing::{Histogram, Quantity};
    use std::collections::BTreeSet;

    /// Options by the condition that tells of them. Files whose size is the usual one, and threads at
    /// the usual distance, are not told.
    const CONDITIONS: [(&str, &str); 40] = [
        ("also", "ports"),
        ("arrangement", "arrangement"),
        ("busy", "busy_percent"),
        ("bytes", "fragment_bytes"),
        ("calibration", "calibration"),
        ("card", "card"),
        ("channel", "channel"),
        ("core", "core"),
        ("cores", "core"),
        ("cpu", "cpu_percent"),
        ("deadline", "scheduling"),
        ("distance", "distance_us"),
        ("fragments", "fragments"),
        ("gap", "gap_us"),
        ("in", "ports"),
        ("inputs", "ports"),
        ("interval", "interval_us"),
        ("join", "join"),
        ("load", "load"),
        ("load-card", "load_card"),
        ("load-size", "load_size_mb"),
        ("load-sync", "load_sync"),
        ("looped", "ports"),
        ("no-spin", "spin"),
        ("ordinary", "scheduling"),
        ("out", "ports"),
        ("pauses", "requested_us"),
        ("period", "period_frames"),
        ("periods", "period_frames"),
        ("plugins", "plugin"),
        ("priority", "scheduling"),
        ("rate", "rate_hz"),
        ("rates-hz", "rate_hz"),
        ("serve-every", "serve_every_us"),
        ("sound-channel", "sound_channel"),
        ("stop-above", "stop_above_us"),
        ("tap-channel", "tap_channel"),
        ("threshold", "threshold_db"),
        ("tracks", "tracks"),
        ("wav", "wav"),
    ];
    /// How much is measured, which the number of samples and of runs tells.
    const MUCH: [&str; 11] = [
        "quick", "normal", "full", "duration", "searches", "samples", "repeat", "resume", "taps",
        "strikes", "single",
    ];
    /// What is done with it afterwards.
    const AFTERWARDS: [&str; 11] = [
        "label", "for", "output", "json", "csv", "html", "methods", "as", "results", "help",
        "limit",
    ];
    /// What measures nothing: it writes a file of tones and ends.
    const NOTHING: [&str; 1] = ["tones"];

    fn options() -> BTreeSet<String> {
        chronotap_desk::begin(&Linux);
        let commands = chronotap_desk::surroundings::whole_command();
        let timing = commands.find_subcommand("timing").unwrap().clone();
        let tests = timing.get_subcommands().flat_map(|test| test.get_arguments());
        tests.filter_map(|option| option.get_long()).map(str::to_owned).collect()
    }

    #[test]
    fn each_option_of_a_timing_test_says_which_condition_tells_of_it() {
        let known = || MUCH.iter().chain(&AFTERWARDS).chain(&NOTHING);
        let all: BTreeSet<String> = known()
            .chain(CONDITIONS.iter().map(|(option, _)| option))
            .map(|name| (*name).to_owned())
            .collect();
        let options = options();
        let unsaid: Vec<&String> = options.difference(&all).collect();
        assert!(unsaid.is_empty(), "no condition is named for --{unsaid:?}");
        let gone: Vec<&String> = all.difference(&options).filter(|one| *one != "help").collect();
        assert!(gone.is_empty(), "no test has --{gone:?}");
        let manual = include_str!("../../../../../docs/results-files.md");
        for (option, condition) in CONDITIONS {
            assert!(manual.contains(&format!("`{condition}`")), "--{option}: {condition}");
        }
    }

    #[test]
    fn series_tell_of_options_that_are_not_as_usual() {
        let told = |options: &ToldOptions| {
            let mut series = [SampleSeries::of(Quantity::AudioRoundTrip, &[], Histogram::new())];
            options.put(series.iter_mut());
            series[0].conditions.clone().into_iter().collect::<Vec<_>>()
        };
        let usual = ToldOptions::default().and_join(PortJoin::Card).and("channel", None::<u8>);
        assert!(told(&usual).is_empty());
        let file = Path::new("/results/box.json");
        let other = usual.and_join(PortJoin::Monitor).and_file("calibration", Some(file));
        let pairs = [("calibration", "box.json"), ("join", "monitor")];
        let pairs = pairs.map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(told(&other), pairs);
    }
}

//! Figures 2 and 3 and Table 1 of Vignati et al. (2022) of any systems, as text of at most 80
//! columns, from results files: a line for each system, what they found below.
//!
//! Where a label has several runs, the median of a figure is shown, and all wake-ups of a core are
//! taken together. What they show in a graph alone is a dash. The plots are on the page of a
//! comparison.

use crate::words::words;
use chronotap_core::time::Nanos;
use chronotap_timing::{
    Histogram, MeasureSource, Published, Quantity, Results, RoundTripLine, SEEN_BY, SampleSeries,
    SampleStatistic, Statistics, comparable, is_user,
};
use std::collections::{BTreeMap, BTreeSet};

/// A figure or a table of theirs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vignati {
    /// How many instances a track bears, and the load of one.
    Figure2,
    /// How late wake-ups are, core by core.
    Figure3,
    /// The round trip, in milliseconds and in samples.
    Table1,
}

/// What stands before a figure of theirs.
const THEIRS: &str = "Vignati et al. (2022)";
/// The width of a name, of a number, and how many of these a line has.
const NAME: usize = 32;
const NUMBER: usize = 8;
const NUMBERS: usize = 6;
/// Later than so many microseconds: what of the distribution stands in a line.
const LATE_US: [i64; 4] = [5, 10, 20, 50];

/// A line: its name, and a number or none in each column.
type Line = (String, Vec<Option<String>>);

impl Vignati {
    /// All, by the names that one calls them by.
    pub const ALL: [(&'static str, Vignati); 3] = [
        ("vignati-2", Vignati::Figure2),
        ("vignati-3", Vignati::Figure3),
        ("vignati-table-1", Vignati::Table1),
    ];

    /// The test that measures it.
    pub const fn test(self) -> &'static str {
        match self {
            Vignati::Figure2 => "dsp",
            Vignati::Figure3 => "wakeup",
            Vignati::Table1 => "roundtrip",
        }
    }

    /// From results, with those of the published figures that are of the same; `None` where no
    /// results have any of it.
    pub fn text(self, all: &[Results], figures: &[Published]) -> Option<String> {
        let theirs: Vec<Published> =
            figures.iter().copied().filter(|one| one.source == THEIRS).collect();
        let lines = match self {
            Vignati::Figure2 => instances(all, &theirs),
            Vignati::Figure3 => wakeups(all, &theirs),
            Vignati::Table1 => round_trips(all, &theirs),
        };
        (!lines.is_empty()).then(|| lines.join("\n"))
    }
}

/// A pair of graphs for each period: over the tracks, the instances of each and the load of one.
fn instances(all: &[Results], theirs: &[Published]) -> Vec<String> {
    let of = [("instances_per_track", 1.0, 0), ("load_per_instance", 100.0, 3)];
    let titles = ["Instances per track", "DSP load of an instance, % of the period"];
    let mut lines = Vec::new();
    for frames in numbers(all, Quantity::DspCycle, "period_frames") {
        let period = frames.to_string();
        let at = |series: &SampleSeries| series.condition("period_frames") == Some(period.as_str());
        let tracks: BTreeSet<u32> = numbers(all, Quantity::DspCycle, "tracks");
        let tracks: Vec<u32> = (1..=tracks.last().copied().unwrap_or(1).max(4)).collect();
        for ((figure, unit, digits), title) in of.into_iter().zip(titles) {
            let column = Column { condition: "tracks", values: &tracks, figure, unit, digits };
            let mut rows = column.ours(all, Quantity::DspCycle, &["period_frames"], at);
            let theirs_at = |plugin: &'static str, tracks: u32| {
                let tracks = tracks.to_string();
                let conditions = [
                    ("period_frames", period.as_str()),
                    ("tracks", tracks.as_str()),
                    ("plugin", plugin),
                ];
                SampleSeries::of(Quantity::DspCycle, &conditions, Histogram::new())
            };
            for plugin in ["light", "heavy"] {
                let of = |tracks| theirs_at(plugin, tracks);
                rows.extend(column.theirs(theirs, "dsp", &format!(", {plugin}"), of));
            }
            lines.extend(grid(
                &format!("{title}: {frames} frames, on so many tracks"),
                &tracks,
                &rows,
            ));
        }
    }
    if !lines.is_empty() && theirs.iter().any(|one| one.test == "dsp") {
        lines.push(
            "light and heavy of the study are Faust's, which cost about six times ours.".into(),
        );
    }
    lines
}

/// How late each core of each system woke up: mean, maximum, and how many later than so much.
fn wakeups(all: &[Results], theirs: &[Published]) -> Vec<String> {
    let mut cells: BTreeMap<Section, Wakeups> = BTreeMap::new();
    for results in all {
        let ours = results.series(Quantity::Lateness);
        for (_, series) in ours.filter(|(found, one)| found.test == "wakeup" && is_real_time(one)) {
            let core = series.condition("core").or(series.condition("thread")).unwrap_or("any");
            let name = format!("{}, core {core}", results.label);
            add(cells.entry(Section::of(series)).or_default(), (name, series.histogram.clone()));
        }
    }
    beside_ours(&mut cells);
    let mut heads = vec!["mean us".to_owned(), "max us".to_owned()];
    heads.extend(LATE_US.map(|us| format!(">{us} us")));
    let mut lines = Vec::new();
    for (section, rows) in &cells {
        let mut rows: Vec<Line> =
            rows.iter().map(|(name, of)| (name.clone(), lateness(of))).collect();
        if section.seen_by.is_none() {
            rows.extend(their_wakeups(theirs));
        }
        lines.extend(table(&section.title(), &heads, &rows));
    }
    lines
}

/// The cores of a table, each with its name.
type Wakeups = Vec<(String, Histogram)>;

/// What stands in one table: wake-ups at one interval beside one load, seen by threads of users, or
/// by whom else.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Section {
    interval: String,
    /// Of users' threads nobody: they come first.
    seen_by: Option<String>,
    /// Of ours; other programs do not tell it.
    beside: String,
}

impl Section {
    fn of(series: &SampleSeries) -> Section {
        let of = |names: &[&str]| words(&series.conditions, |name| names.contains(&name));
        let seen_by = series.condition(SEEN_BY).filter(|who| !is_user(who)).map(str::to_owned);
        let (interval, beside) = (of(&["interval_us"]), of(&["load", "wakeup_latency"]));
        Section { interval, beside, seen_by }
    }

    /// Whether this has what another program measured and tells no more of.
    fn takes(&self, theirs: &Section) -> bool {
        let same = (&self.interval, &self.seen_by) == (&theirs.interval, &theirs.seen_by);
        same && theirs.beside.is_empty() && !self.beside.is_empty()
    }

    fn title(&self) -> String {
        let who = self.seen_by.as_ref().map(|who| format!("seen by the {who}"));
        let parts = [Some(self.interval.clone()), Some(self.beside.clone()), who];
        let parts: Vec<String> =
            parts.into_iter().flatten().filter(|part| !part.is_empty()).collect();
        match parts.is_empty() {
            true => "Wake-ups".to_owned(),
            false => format!("Wake-ups: {}", parts.join(", ")),
        }
    }
}

fn add(rows: &mut Wakeups, (name, histogram): (String, Histogram)) {
    match rows.iter_mut().find(|(earlier, _)| *earlier == name) {
        Some((_, earlier)) => earlier.merge(&histogram),
        None => rows.push((name, histogram)),
    }
}

/// What other programs measured stands beside ours of the same interval, as in any comparison.
fn beside_ours(cells: &mut BTreeMap<Section, Wakeups>) {
    let sections: Vec<Section> = cells.keys().cloned().collect();
    for theirs in &sections {
        let ours: Vec<&Section> = sections.iter().filter(|one| one.takes(theirs)).collect();
        if ours.is_empty() {
            continue;
        }
        let rows = cells.remove(theirs).unwrap_or_default();
        for one in ours {
            let here = cells.entry(one.clone()).or_default();
            rows.iter().for_each(|row| add(here, row.clone()));
        }
    }
}

fn is_real_time(series: &SampleSeries) -> bool {
    series.condition("scheduling").is_none_or(|scheduling| scheduling.starts_with("SCHED_FIFO"))
}

fn lateness(histogram: &Histogram) -> Vec<Option<String>> {
    let found = Statistics::of(histogram);
    let us = |which: SampleStatistic| which.of(&found).map(|ns| format!("{:.1}", ns / 1e3));
    let mut cells = vec![us(SampleStatistic::Mean), us(SampleStatistic::Max)];
    cells.extend(LATE_US.map(|us| {
        let late = histogram.at_least(Nanos::from_micros(us) + Nanos(1));
        let percent = 100.0 * late as f64 / histogram.n().max(1) as f64;
        Some(if percent >= 10.0 { format!("{percent:.1}%") } else { format!("{percent:.4}%") })
    }));
    cells
}

fn their_wakeups(theirs: &[Published]) -> Vec<Line> {
    let of: Vec<&Published> = theirs.iter().filter(|one| one.test == "wakeup").collect();
    let value = |system: &str, which: SampleStatistic| {
        let figure =
            of.iter().find(|one| one.system == system && one.of == MeasureSource::Statistic(which));
        figure.map(|figure| format!("{:.1}", figure.value))
    };
    let line = |system: &'static str| {
        let mut cells =
            vec![value(system, SampleStatistic::Mean), value(system, SampleStatistic::Max)];
        cells.resize(2 + LATE_US.len(), None);
        (format!("[{system}]"), cells)
    };
    systems(&of).into_iter().map(line).collect()
}

/// Both halves of the table: a column for each period.
fn round_trips(all: &[Results], theirs: &[Published]) -> Vec<String> {
    let of = [
        ("round_trip_ns", 1e-6, 2, "(a) Round trip in ms"),
        ("round_trip_frames", 1.0, 0, "(b) Round trip in samples"),
    ];
    let periods: Vec<u32> =
        numbers(all, Quantity::AudioRoundTrip, "period_frames").into_iter().collect();
    let mut lines = Vec::new();
    for (figure, unit, digits, title) in of.into_iter().filter(|_| !periods.is_empty()) {
        let column = Column { condition: "period_frames", values: &periods, figure, unit, digits };
        let mut rows = column.ours(all, Quantity::AudioRoundTrip, &["rate_hz"], |_| true);
        rows.extend(column.theirs(theirs, "roundtrip", "", |frames| {
            let conditions = [("period_frames", frames.to_string())];
            let conditions = conditions.each_ref().map(|(name, value)| (*name, value.as_str()));
            SampleSeries::of(Quantity::AudioRoundTrip, &conditions, Histogram::new())
        }));
        lines.extend(grid(&format!("{title}, at a period of so many samples"), &periods, &rows));
        if figure == "round_trip_frames" {
            lines.extend(fitted_lines(&periods, &rows));
        }
    }
    lines
}

/// Of each row in samples, the line through its periods: theirs have 2 periods and 32 or 25 samples besides. Where no
/// row has two periods, there is none.
fn fitted_lines(periods: &[u32], rows: &[Line]) -> Vec<String> {
    let heads = ["periods", "samples", "off by"].map(str::to_owned);
    let fitted = |(name, cells): &Line| {
        let points = periods.iter().zip(cells);
        let points = points.filter_map(|(at, cell)| Some((*at, cell.as_ref()?.parse().ok()?)));
        let line = RoundTripLine::fit(&points.collect::<Vec<_>>())?;
        let cells = [line.periods, line.constant_frames, line.residual_frames];
        Some((name.clone(), cells.map(|number| Some(format!("{number:.2}"))).to_vec()))
    };
    let rows: Vec<Line> = rows.iter().filter_map(fitted).collect();
    match rows.is_empty() {
        true => Vec::new(),
        false => table("Lines fitted to (b): so many periods, and samples besides", &heads, &rows),
    }
}

/// A figure over the values of one condition.
struct Column<'a> {
    condition: &'a str,
    values: &'a [u32],
    figure: &'static str,
    unit: f64,
    digits: usize,
}

impl Column<'_> {
    /// A line for each label and what else differs, `but` these conditions.
    fn ours(
        &self,
        all: &[Results],
        quantity: Quantity,
        but: &[&str],
        wanted: impl Fn(&SampleSeries) -> bool,
    ) -> Vec<Line> {
        let mut rows: Vec<(String, BTreeMap<u32, Vec<f64>>)> = Vec::new();
        for results in all {
            for (_, series) in results.series(quantity).filter(|(_, series)| wanted(series)) {
                let at = series.condition(self.condition).and_then(|value| value.parse().ok());
                let Some((at, value)) = at.zip(series.figures.get(self.figure)) else { continue };
                let told = |name: &str| {
                    let idle = name == "load" && series.condition(name) == Some("none");
                    !idle && name != self.condition && name != "scheduling" && !but.contains(&name)
                };
                let told = words(&series.conditions, told);
                let comma = if told.is_empty() { "" } else { ", " };
                let name = format!("{}{comma}{told}", results.label);
                let known = rows.iter().position(|(earlier, _)| *earlier == name);
                let place = known.unwrap_or(rows.len());
                if known.is_none() {
                    rows.push((name, BTreeMap::new()));
                }
                rows[place].1.entry(at).or_default().push(value * self.unit);
            }
        }
        let line = |(name, cells): (String, BTreeMap<u32, Vec<f64>>)| {
            let value = |at: &u32| Some(self.in_its_unit(median(cells.get(at)?)));
            (name, self.values.iter().map(value).collect())
        };
        rows.into_iter().map(line).collect()
    }

    /// A line for each system of theirs that has any of these.
    fn theirs(
        &self,
        theirs: &[Published],
        test: &str,
        what: &str,
        like: impl Fn(u32) -> SampleSeries,
    ) -> Vec<Line> {
        let of: Vec<&Published> = theirs.iter().filter(|one| one.test == test).collect();
        let line = |system: &'static str| {
            let value = |at: &u32| {
                let found = comparable(theirs, test, &like(*at));
                let mut found = found.iter().filter(|one| one.system == system);
                let figure = found.find(|one| one.of == MeasureSource::Figure(self.figure))?;
                // A time is in their unit already.
                Some(self.in_its_unit(figure.value))
            };
            (format!("[{system}{what}]"), self.values.iter().map(value).collect::<Vec<_>>())
        };
        let lines = systems(&of).into_iter().map(line);
        lines.filter(|(_, cells)| cells.iter().any(Option::is_some)).collect()
    }

    fn in_its_unit(&self, value: f64) -> String {
        format!("{value:.0$}", self.digits)
    }
}

/// In the order of the table of figures, each once.
fn systems(of: &[&Published]) -> Vec<&'static str> {
    let mut systems: Vec<&'static str> = Vec::new();
    for one in of {
        if !systems.contains(&one.system) {
            systems.push(one.system);
        }
    }
    systems
}

/// The values that a condition has, in rising order.
fn numbers(all: &[Results], quantity: Quantity, condition: &str) -> BTreeSet<u32> {
    let series = all.iter().flat_map(|results| results.series(quantity));
    series.filter_map(|(_, one)| one.condition(condition)?.parse().ok()).collect()
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match sorted.len() % 2 {
        0 => f64::midpoint(sorted[middle - 1], sorted[middle]),
        _ => sorted[middle],
    }
}

/// Under numbers, as many tables as the width makes necessary.
fn grid(title: &str, columns: &[u32], rows: &[Line]) -> Vec<String> {
    let mut lines = Vec::new();
    for (n, heads) in columns.chunks(NUMBERS).enumerate() {
        let heads: Vec<String> = heads.iter().map(u32::to_string).collect();
        let part = |cells: &[Option<String>]| {
            cells.iter().skip(n * NUMBERS).take(NUMBERS).cloned().collect::<Vec<_>>()
        };
        let rows: Vec<Line> =
            rows.iter().map(|(name, cells)| (name.clone(), part(cells))).collect();
        lines.extend(table(title, &heads, &rows));
    }
    lines
}

/// A name that is too long stands on a line of its own.
fn table(title: &str, heads: &[String], rows: &[Line]) -> Vec<String> {
    let cells =
        |cells: &[String]| cells.iter().map(|cell| format!("{cell:>NUMBER$}")).collect::<String>();
    let mut lines = vec![title.to_owned(), format!("{:NAME$}{}", "", cells(heads))];
    for (name, values) in rows {
        let values: Vec<String> =
            values.iter().map(|value| value.clone().unwrap_or_else(|| "-".into())).collect();
        let name = format!("  {name}");
        if name.chars().count() > NAME {
            lines.extend([name, format!("{:NAME$}{}", "", cells(&values))]);
        } else {
            lines.push(format!("{name:NAME$}{}", cells(&values)));
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use chronotap_timing::PUBLISHED;
    use chronotap_timing::{Length, TestFound};

    fn results(label: &str, test: &str, series: Vec<SampleSeries>) -> Results {
        let mut results = Results::begin("chronotap", label, "", Length::Quick);
        results.tests.push(TestFound { test: test.into(), series, ..TestFound::default() });
        results
    }

    /// Their own numbers, as if they were ours: Xenomai's instances at 16 samples.
    #[test]
    fn figure_2_has_the_tracks_on_its_axis_and_what_they_printed_below() {
        let cell = |tracks: &str, instances: f64| {
            let conditions = [("period_frames", "16"), ("tracks", tracks), ("plugin", "light")];
            SampleSeries::of(Quantity::DspCycle, &conditions, Histogram::of([Nanos(1)]))
                .with("instances_per_track", instances)
                .with("load_per_instance", 0.085)
        };
        let one = results("here", "dsp", vec![cell("1", 60.0), cell("2", 50.0)]);
        let other = results("there", "dsp", vec![cell("1", 11.0)]);
        let text = Vignati::Figure2.text(&[one, other], PUBLISHED).unwrap();
        let expected = "\
Instances per track: 16 frames, on so many tracks
                                       1       2       3       4
  here, light                         60      50       -       -
  there, light                        11       -       -       -
  [Raspberry Pi 4B, HiFiBerry, Xenomai, light]
                                      11       -       -       8
  [Raspberry Pi 4B, HiFiBerry, Xenomai, heavy]
                                       5       -       -       4
DSP load of an instance, % of the period: 16 frames, on so many tracks
                                       1       2       3       4
  here, light                      8.500   8.500       -       -
  there, light                     8.500       -       -       -
light and heavy of the study are Faust's, which cost about six times ours.";
        assert_eq!(text, expected);
    }

    #[test]
    fn figure_3_gives_each_core_s_distribution_and_their_mean_and_maximum() {
        let conditions = [("core", "1"), ("scheduling", "SCHED_FIFO 90"), ("interval_us", "200")];
        let series = |us: &[i64]| {
            let times = Histogram::of(us.iter().map(|us| Nanos::from_micros(*us)));
            SampleSeries::of(Quantity::Lateness, &conditions, times)
        };
        let runs =
            [series(&[4, 6]), series(&[11, 99])].map(|one| results("rt", "wakeup", vec![one]));
        let text = Vignati::Figure3.text(&runs, PUBLISHED).unwrap();
        let expected = "\
Wake-ups: 200 us
                                 mean us  max us   >5 us  >10 us  >20 us  >50 us
  rt, core 1                        30.0    99.0   75.0%   50.0%   25.0%   25.0%
  [Raspberry Pi 4B, PREEMPT_RT]      6.5    20.0       -       -       -       -
  [Raspberry Pi 4B, Xenomai]         2.5    12.0       -       -       -       -";
        assert_eq!(text, expected);
    }

    /// An import tells no load; kernel threads and interrupts are no wake-ups of a user's program.
    #[test]
    fn what_other_programs_measured_stands_beside_ours_and_by_who_saw_it() {
        let one = |label: &str, conditions: &[(&str, &str)], us: i64| {
            let times = Histogram::of([Nanos::from_micros(us)]);
            let mut conditions = conditions.to_vec();
            conditions.push(("interval_us", "200"));
            results(label, "wakeup", vec![SampleSeries::of(Quantity::Lateness, &conditions, times)])
        };
        let runs = [
            one("ours", &[("core", "1"), ("load", "none")], 6),
            one("xenomai", &[("thread", "0")], 2),
            one("rtla", &[("core", "1"), ("seen_by", "timer interrupt")], 1),
            one("rtla", &[("core", "1"), ("seen_by", "kernel thread")], 3),
            one("rtla", &[("core", "1"), ("seen_by", "user thread")], 5),
        ];
        let text = Vignati::Figure3.text(&runs, &[]).unwrap();
        let expected = "\
Wake-ups: 200 us, idle
                                 mean us  max us   >5 us  >10 us  >20 us  >50 us
  ours, core 1                       6.0     6.0  100.0% 0.0000% 0.0000% 0.0000%
  xenomai, core 0                    2.0     2.0 0.0000% 0.0000% 0.0000% 0.0000%
  rtla, core 1                       5.0     5.0 0.0000% 0.0000% 0.0000% 0.0000%
Wake-ups: 200 us, seen by the kernel thread
                                 mean us  max us   >5 us  >10 us  >20 us  >50 us
  rtla, core 1                       3.0     3.0 0.0000% 0.0000% 0.0000% 0.0000%
Wake-ups: 200 us, seen by the timer interrupt
                                 mean us  max us   >5 us  >10 us  >20 us  >50 us
  rtla, core 1                       1.0     1.0 0.0000% 0.0000% 0.0000% 0.0000%";
        assert_eq!(text, expected);
    }

    #[test]
    fn table_1_is_theirs_below_ours_in_milliseconds_and_in_samples() {
        let series = |frames: f64| {
            let conditions = [("card", "hw:0"), ("period_frames", "64"), ("rate_hz", "48000")];
            SampleSeries::of(Quantity::AudioRoundTrip, &conditions, Histogram::of([Nanos(1)]))
                .with("round_trip_frames", frames)
                .with("round_trip_ns", frames / 48e-6)
        };
        let runs = [("one", 160.0), ("one", 162.0), ("two", 153.0)]
            .map(|(label, frames)| results(label, "roundtrip", vec![series(frames)]));
        let text = Vignati::Table1.text(&runs, PUBLISHED).unwrap();
        let expected = "\
(a) Round trip in ms, at a period of so many samples
                                      64
  one, hw:0                         3.35
  two, hw:0                         3.19
  [Raspberry Pi 4B, HiFiBerry, PREEMPT_RT]
                                    3.34
  [Raspberry Pi 4B, HiFiBerry, Xenomai]
                                    3.20
(b) Round trip in samples, at a period of so many samples
                                      64
  one, hw:0                          161
  two, hw:0                          153
  [Raspberry Pi 4B, HiFiBerry, PREEMPT_RT]
                                     160
  [Raspberry Pi 4B, HiFiBerry, Xenomai]
                                     153";
        assert_eq!(text, expected);
        assert_eq!(Vignati::Figure2.text(&runs, PUBLISHED), None);
    }
    /// The article's sentence on its table: 2 periods, and 32 samples with PREEMPT_RT, 25 with Xenomai.
    #[test]
    fn below_table_1_stands_the_line_through_each_system_s_periods() {
        let series = |period: &str, frames: f64| {
            let conditions = [("period_frames", period), ("rate_hz", "48000")];
            SampleSeries::of(Quantity::AudioRoundTrip, &conditions, Histogram::of([Nanos(1)]))
                .with("round_trip_frames", frames)
        };
        let ours = vec![series("64", 212.0), series("128", 404.0), series("256", 788.0)];
        let text = Vignati::Table1.text(&[results("one", "roundtrip", ours)], PUBLISHED).unwrap();
        let expected = "\
Lines fitted to (b): so many periods, and samples besides
                                 periods samples  off by
  one                               3.00   20.00    0.00
  [Raspberry Pi 4B, HiFiBerry, PREEMPT_RT]
                                    2.00   32.00    0.00
  [Raspberry Pi 4B, HiFiBerry, Xenomai]
                                    2.00   25.00    0.00";
        assert!(text.ends_with(expected), "{text}");
    }
}

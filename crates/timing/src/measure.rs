//! [`MachineMeasure`]: a number by which machines are compared, its unit, and which way is better.
//!
//! [`measures`] is the list for each quantity. What the papers print stands first, in their
//! units. A number of which it cannot be said whether more or less of it is better has no
//! direction: a longer DSP cycle is a slower machine, or one that computed more instances.

use crate::{Quantity, SampleSeries, SampleStatistic, Statistics, spoken_limit};
use serde::{Serialize, Serializer};

/// A number by which machines are compared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MachineMeasure {
    /// What it is made of.
    pub source: MeasureSource,
    pub title: &'static str,
    /// In which it is shown.
    pub unit: MeasureUnit,
    /// Which way is better; `None` where it cannot be said.
    pub better: Option<BetterWhen>,
}

/// What a measure is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeasureSource {
    /// The samples.
    Statistic(SampleStatistic),
    /// A figure of the series, by its name.
    Figure(&'static str),
}

/// Which way is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BetterWhen {
    Less,
    More,
}

/// In which a measure is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeasureUnit {
    /// Times of clocks and wake-ups.
    Microseconds,
    /// Times of messages and of sound.
    Milliseconds,
    /// Times as a share of 1/f, Varoquaux's unit.
    Periods,
    /// Shares.
    Percent,
    /// Frames of sound.
    Frames,
    Count,
    /// How many of a run's samples; runs of different length have different numbers.
    CountOfSamples,
    PerSecond,
}

use BetterWhen::{Less, More};
use MeasureSource::{Figure, Statistic as Of};
use MeasureUnit::{
    Count, CountOfSamples, Frames, Microseconds as Us, Milliseconds as Ms, PerSecond, Percent,
    Periods,
};
use SampleStatistic::{Max, Mean, Median, Min, P99, Sd};

const CLOCK_STEP: &[MachineMeasure] = &[less(Mean, Us), less(Max, Us), less(Sd, Us)];
const LATENESS: &[MachineMeasure] = &[
    less(Max, Us),
    less(Mean, Us),
    figure("smallest_pause_ns", "smallest pause", Ms, Some(Less)),
    figure("overhead_ns", "a call without a wait", Us, Some(Less)),
    figure("left_to_others_share", "left to others", Percent, Some(More)),
    less(Median, Us),
    less(P99, Us),
    figure("phase_deg", "phase in degrees", Count, None),
    figure("jitter_deg", "jitter in degrees", Count, Some(Less)),
];
const PAUSE: &[MachineMeasure] = &[less(Min, Us), less(Median, Us), less(P99, Us)];
const INTERVAL_DEVIATION: &[MachineMeasure] = &[
    less(Sd, Periods),
    less(Max, Periods),
    figure("beyond_one_period_share", "beyond one period", Percent, Some(Less)),
    figure("centre_offset_periods", "centre", Periods, None),
    figure("skipped_beats", "skipped beats", CountOfSamples, Some(Less)),
    figure("extra_clicks", "clicks besides", CountOfSamples, Some(Less)),
    less(P99, Us),
];
const MESSAGE_INTERVAL: &[MachineMeasure] = &[
    less(Mean, Ms),
    less(Max, Ms),
    figure("messages_per_s", "messages", PerSecond, Some(More)),
    figure("faults", "faults", CountOfSamples, Some(Less)),
    less(Median, Ms),
    less(P99, Ms),
];
const DSP_CYCLE: &[MachineMeasure] = &[
    figure("instances_per_track", "instances per track", Count, Some(More)),
    figure("dsp_load", "DSP load", Percent, None),
    figure("load_per_instance", "load per instance", Percent, Some(Less)),
    figure("fan_out_ns", "fan-out", Us, Some(Less)),
    none(Median, Ms),
    none(P99, Ms),
    none(Max, Ms),
];
const FRAGMENT_CYCLE: &[MachineMeasure] = &[
    figure("within_1_ms_share", "within 1 ms", Percent, Some(More)),
    figure("within_2_ms_share", "within 2 ms", Percent, Some(More)),
    less(Max, Ms),
    figure("overruns", "overruns", CountOfSamples, Some(Less)),
    figure("dropouts", "drop-outs", CountOfSamples, Some(Less)),
    figure("late_writes", "late and not heard", CountOfSamples, Some(Less)),
    less(Sd, Ms),
    less(P99, Ms),
];
const FRAGMENT_LOOP: &[MachineMeasure] = &[
    figure("within_0_1_ms_share", "within 0.1 ms", Percent, Some(More)),
    figure("within_0_2_ms_share", "within 0.2 ms", Percent, Some(More)),
    less(Max, Ms),
    less(Sd, Ms),
    none(Median, Ms),
];
const AUDIO_ROUND_TRIP: &[MachineMeasure] = &[
    figure("round_trip_ns", "round trip", Ms, Some(Less)),
    figure("round_trip_frames", "round trip", Frames, Some(Less)),
    figure("sd_frames", "SD of readings", Frames, Some(Less)),
];
const TAP_TO_SOUND: &[MachineMeasure] =
    &[less(Mean, Ms), less(Sd, Ms), less(Median, Ms), less(P99, Ms), less(Max, Ms)];
const PAD_DELAY: &[MachineMeasure] = &[
    less(Mean, Ms),
    less(Sd, Ms),
    figure("missed_share", "missed", Percent, Some(Less)),
    figure("doubled_share", "doubled", Percent, Some(Less)),
    less(Median, Ms),
    less(P99, Ms),
    less(Max, Ms),
];
const GAP: &[MachineMeasure] = &[
    figure("noise_share", "noise", Percent, Some(Less)),
    less(Max, Us),
    less(Mean, Us),
    figure("smi", "by the firmware", CountOfSamples, Some(Less)),
    less(P99, Us),
];
const ROUND_TRIP: &[MachineMeasure] =
    &[less(Mean, Ms), less(Max, Ms), less(Median, Ms), less(P99, Ms)];

/// Those of a quantity, the papers' own results first. A series has those of its figures.
pub const fn measures(quantity: Quantity) -> &'static [MachineMeasure] {
    match quantity {
        Quantity::ClockStep => CLOCK_STEP,
        Quantity::Lateness | Quantity::CorrectedLateness => LATENESS,
        Quantity::Pause => PAUSE,
        Quantity::IntervalDeviation => INTERVAL_DEVIATION,
        Quantity::MessageInterval => MESSAGE_INTERVAL,
        Quantity::RoundTrip => ROUND_TRIP,
        Quantity::DspCycle => DSP_CYCLE,
        Quantity::FragmentCycle => FRAGMENT_CYCLE,
        Quantity::FragmentLoop => FRAGMENT_LOOP,
        Quantity::AudioRoundTrip => AUDIO_ROUND_TRIP,
        Quantity::TapToSound => TAP_TO_SOUND,
        Quantity::PadDelay => PAD_DELAY,
        Quantity::Gap => GAP,
    }
}

const fn less(statistic: SampleStatistic, unit: MeasureUnit) -> MachineMeasure {
    MachineMeasure { source: Of(statistic), title: statistic.name(), unit, better: Some(Less) }
}

const fn none(statistic: SampleStatistic, unit: MeasureUnit) -> MachineMeasure {
    MachineMeasure { source: Of(statistic), title: statistic.name(), unit, better: None }
}

const fn figure(
    name: &'static str,
    title: &'static str,
    unit: MeasureUnit,
    better: Option<BetterWhen>,
) -> MachineMeasure {
    MachineMeasure { source: Figure(name), title, unit, better }
}

impl MachineMeasure {
    /// Its name in tables for programs, which tells the unit: `max_us`, `dsp_load`.
    pub fn name(&self) -> String {
        match (self.source, self.unit.ending()) {
            (Of(statistic), ending) => format!("{}{ending}", statistic.name()),
            (Figure(name), ending) => match name.strip_suffix("_ns") {
                Some(time) => format!("{time}{ending}"),
                None => name.to_owned(),
            },
        }
    }

    /// Whether single samples decide it, so that a run tells nothing of the next one.
    pub(crate) fn is_of_the_extremes(&self) -> bool {
        matches!(self.source, Of(Min | Max | Sd))
    }

    /// A time in its unit.
    pub(crate) fn in_unit(&self, ns: f64, series: &SampleSeries) -> Option<f64> {
        let rate_hz = series.condition("rate_hz").and_then(|rate| rate.parse().ok());
        Some(ns / self.unit.in_ns(rate_hz)?)
    }

    /// Its value of a series, in its unit; `all` are the samples, where more than its own count.
    pub fn amount(&self, series: &SampleSeries, all: &Statistics) -> Option<Amount> {
        let rate_hz = series.condition("rate_hz").and_then(|rate| rate.parse().ok());
        self.of(all, |name| series.figures.get(name).copied(), rate_hz)
    }

    /// Its value in its unit, where a series of a rate has one, from samples and figure.
    pub(crate) fn of(
        &self,
        all: &Statistics,
        figure: impl Fn(&str) -> Option<f64>,
        rate_hz: Option<f64>,
    ) -> Option<Amount> {
        match self.source {
            Of(statistic) => {
                let of_unit = self.unit.in_ns(rate_hz)?;
                let at = |ns: f64, beyond| Amount { value: ns / of_unit, beyond };
                let known = statistic.of(all).map(|ns| at(ns, false));
                known.or_else(|| statistic.limit(all).map(|ns| at(ns, true)))
            }
            Figure(name) => {
                let value = figure(name)?;
                let value = match name.ends_with("_ns") {
                    true => value / self.unit.in_ns(rate_hz)?,
                    false => value * self.unit.of_figure(),
                };
                Some(Amount { value, beyond: false })
            }
        }
    }
}

impl MeasureSource {
    /// The name of the statistic or the figure.
    pub fn name(&self) -> &'static str {
        match self {
            Of(statistic) => statistic.name(),
            Figure(name) => name,
        }
    }
}

impl MeasureUnit {
    /// As tables have it.
    pub fn name(self) -> &'static str {
        match self {
            Us => "us",
            Ms => "ms",
            Periods => "periods",
            Percent => "%",
            Frames => "frames",
            Count | CountOfSamples => "count",
            PerSecond => "1/s",
        }
    }

    /// How the name of a time ends.
    const fn ending(self) -> &'static str {
        match self {
            Us => "_us",
            Ms => "_ms",
            Periods => "_periods",
            _ => "",
        }
    }

    /// Nanoseconds of one of it; of a period only where the rate is known.
    fn in_ns(self, rate_hz: Option<f64>) -> Option<f64> {
        match self {
            Us => Some(1e3),
            Ms => Some(1e6),
            Periods => rate_hz.map(|rate| 1e9 / rate),
            _ => None,
        }
    }

    const fn of_figure(self) -> f64 {
        if matches!(self, Percent) { 100.0 } else { 1.0 }
    }

    /// A value with its unit, as people read it.
    pub fn said(self, value: f64) -> String {
        let digits = match (self, value.abs()) {
            (Count | CountOfSamples, _) if value.fract() == 0.0 => 0,
            (Frames | Periods, _) => 3,
            (Percent, v) if v == 0.0 || v >= 0.1 => 2,
            (_, v) if v == 0.0 || v >= 999.95 => 0,
            (_, v) if v < 0.995 => 3,
            (_, v) if v < 9.995 => 2,
            (Ms, v) if v < 99.995 => 2,
            _ => 1,
        };
        let unit = match self {
            Count | CountOfSamples => String::new(),
            PerSecond => "/s".into(),
            unit => format!(" {}", unit.name()),
        };
        format!("{value:.digits$}{unit}")
    }
}

impl Serialize for MeasureUnit {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// A value of a measure, in its unit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Amount {
    pub value: f64,
    /// Whether it is only known to be more than that.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub beyond: bool,
}

impl Amount {
    /// With its unit, as people read it: `25.3 us`, `> 400 us`.
    pub fn said(self, unit: MeasureUnit) -> String {
        match (self.beyond, unit) {
            (false, _) => unit.said(self.value),
            (true, Us) => spoken_limit(self.value * 1e3),
            (true, Ms) => spoken_limit(self.value * 1e6),
            (true, _) => format!("> {}", unit.said(self.value)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_said_in_the_papers_units() {
        let said = [
            Us.said(24_100.0),
            Us.said(1.25),
            Ms.said(0.96),
            Percent.said(99.5),
            Frames.said(1_024.0),
            Count.said(188.0),
            Periods.said(0.5),
            PerSecond.said(1_041.6),
        ];
        let expected = [
            "24100 us",
            "1.25 us",
            "0.960 ms",
            "99.50 %",
            "1024.000 frames",
            "188",
            "0.500 periods",
            "1042/s",
        ];
        assert_eq!(said, expected);
        assert_eq!(Amount { value: 400.0, beyond: true }.said(Us), "> 400 us");
    }

    #[test]
    fn names_tell_the_unit_and_no_two_measures_of_a_quantity_share_one() {
        let all = [CLOCK_STEP, LATENESS, INTERVAL_DEVIATION, DSP_CYCLE, AUDIO_ROUND_TRIP];
        for list in all.into_iter().chain([MESSAGE_INTERVAL, FRAGMENT_CYCLE, FRAGMENT_LOOP]) {
            let mut names: Vec<String> = list.iter().map(MachineMeasure::name).collect();
            names.sort();
            names.dedup();
            assert_eq!(names.len(), list.len(), "{names:?}");
        }
        let named = |source: &[MachineMeasure]| {
            source.iter().map(MachineMeasure::name).take(2).collect::<Vec<_>>()
        };
        assert_eq!(named(LATENESS), ["max_us", "mean_us"]);
        assert_eq!(named(AUDIO_ROUND_TRIP), ["round_trip_ms", "round_trip_frames"]);
    }

    #[test]
    fn more_instances_are_better_and_a_longer_cycle_is_neither() {
        let direction = |title| DSP_CYCLE.iter().find(|one| one.title == title).unwrap().better;
        assert_eq!(direction("instances per track"), Some(More));
        assert_eq!((direction("max"), direction("DSP load")), (None, None));
    }
}

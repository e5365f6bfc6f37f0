//! Histograms as plots: OSADL's form for lateness (linear microseconds, logarithmic
//! counts), Varoquaux's for interval deviations (units of the period), logarithmic
//! nanoseconds for clock steps.
//!
//! The axis ends where 99.9 % of the samples do, rounded up, so that one stall does
//! not squeeze all the rest; how many lie beyond, and the greatest, is said below.

use super::Overlay;
use crate::plot::{Axis, AxisScale, Plot, PlotLine, power_of_ten};
use crate::words::in_a_word;
use chronotap_timing::{Histogram, Quantity, SampleStatistic, Statistics};

/// Columns of a plot.
const COLUMNS: usize = 200;

/// One plot of these lines, of which there is at least one.
pub(super) fn plot(lines: &[Overlay<'_>]) -> Plot {
    let pooled: Vec<Histogram> = lines.iter().map(pooled).collect();
    let form = Form::of(&lines[0], &pooled);
    let outlines: Vec<Vec<(f64, f64)>> = pooled.iter().map(|all| form.outline(all)).collect();
    let most = outlines.iter().flatten().map(|(_, count)| *count).fold(1.0, f64::max);
    let named = lines.iter().zip(outlines);
    let conditions = &lines[0].conditions;
    let what = capital(&in_a_word(lines[0].quantity));
    Plot {
        title: if conditions.is_empty() { what } else { format!("{what}: {conditions}") },
        description: describe(lines, &pooled, &form),
        y: Axis::logarithmic("samples", 0.7, most * 1.3),
        lines: named.map(|(line, outline)| PlotLine::steps(&line.name, outline)).collect(),
        x: form.axis,
    }
}

fn pooled(line: &Overlay<'_>) -> Histogram {
    let mut all = Histogram::new();
    line.series.iter().for_each(|series| all.merge(&series.histogram));
    all
}

/// How times lie on the axis.
struct Form {
    axis: Axis,
    /// Nanoseconds of one unit of the axis.
    unit_ns: f64,
    /// No column is narrower, in units of the axis.
    narrowest: f64,
}

impl Form {
    fn of(line: &Overlay<'_>, all: &[Histogram]) -> Form {
        let extreme = |num, fallback: f64| {
            let of = |one: &Histogram| one.quantile(num, 1_000).map(|time| time.0 as f64);
            all.iter()
                .filter_map(of)
                .reduce(if num > 500 { f64::max } else { f64::min })
                .unwrap_or(fallback)
        };
        let (low, high) = (extreme(1, 0.0), extreme(999, 1.0));
        let rate = line.series[0].condition("rate_hz").and_then(|rate| rate.parse::<f64>().ok());
        match (line.quantity, rate) {
            (Quantity::IntervalDeviation, Some(rate)) if rate > 0.0 => {
                let period = 1e9 / rate;
                let end = rounded_up(low.abs().max(high.abs()) / period * 1.2).clamp(0.001, 2.0);
                let axis = Axis::linear("deviation from the period (1/f)", -end, end);
                Form { axis, unit_ns: period, narrowest: 0.0 }
            }
            (Quantity::ClockStep | Quantity::Gap, _) => {
                let title = format!("{} (ns)", crate::words::in_a_word(line.quantity));
                let axis = Axis::logarithmic(&title, low.max(1.0), high.max(10.0) * 10.0);
                Form { axis, unit_ns: 1.0, narrowest: 0.0 }
            }
            (Quantity::MessageInterval | Quantity::RoundTrip, _) => {
                let margin = ((high - low) / 1e3).max(20.0) * 0.2;
                let (from, to) = ((low / 1e3 - margin).max(0.0), high / 1e3 + margin);
                Form { axis: Axis::linear("microseconds", from, to), unit_ns: 1e3, narrowest: 1.0 }
            }
            (Quantity::TapToSound | Quantity::PadDelay, _) => {
                let margin = ((high - low) / 1e6 * 0.2).max(0.02);
                let (from, to) = (low / 1e6 - margin, high / 1e6 + margin);
                let axis = Axis::linear("milliseconds", from, to);
                Form { axis, unit_ns: 1e6, narrowest: 0.001 }
            }
            _ => {
                let from = if low < 0.0 { -rounded_up(-low / 1e3) } else { 0.0 };
                let to = rounded_up(high / 1e3 * 1.2).max(20.0);
                Form { axis: Axis::linear("microseconds", from, to), unit_ns: 1e3, narrowest: 1.0 }
            }
        }
    }

    /// The beginning of each column, and how many samples are in it.
    fn outline(&self, all: &Histogram) -> Vec<(f64, f64)> {
        let Axis { from, to, scale, .. } = self.axis;
        let width = ((to - from) / COLUMNS as f64).max(self.narrowest);
        let columns = match scale {
            AxisScale::Linear | AxisScale::Counted => ((to - from) / width).ceil() as usize,
            AxisScale::Logarithmic => COLUMNS,
        };
        let place = |share: f64| match scale {
            AxisScale::Linear | AxisScale::Counted => from + share * (to - from),
            AxisScale::Logarithmic => from * libm::pow(to / from, share),
        };
        let mut counts = vec![0u64; columns];
        for bin in all.bins() {
            let value = bin.from_ns as f64 / self.unit_ns;
            let share = match scale {
                AxisScale::Linear | AxisScale::Counted => (value - from) / (to - from),
                AxisScale::Logarithmic => libm::log(value / from) / libm::log(to / from),
            };
            if (0.0..1.0).contains(&share) {
                counts[((share * columns as f64) as usize).min(columns - 1)] += bin.count;
            }
        }
        let at = |column: usize| place(column as f64 / columns as f64);
        let mut outline: Vec<(f64, f64)> =
            counts.iter().enumerate().map(|(at_column, n)| (at(at_column), *n as f64)).collect();
        outline.push((to, 0.0));
        outline.dedup_by(|later, earlier| later.1 == earlier.1 && later.0 < to);
        outline
    }

    /// How many samples lie outside of the axis.
    fn beyond(&self, all: &Histogram) -> u64 {
        let outside = |bin: &chronotap_timing::Bin| {
            let value = bin.from_ns as f64 / self.unit_ns;
            value < self.axis.from || value >= self.axis.to
        };
        let in_bins: u64 = all.bins().filter(outside).map(|bin| bin.count).sum();
        in_bins + all.beyond().map_or(0, |beyond| beyond.count)
    }
}

/// In words, what each line is: how many, median, greatest, how many beyond the axis.
fn describe(lines: &[Overlay<'_>], pooled: &[Histogram], form: &Form) -> String {
    let one = |(line, all): (&Overlay<'_>, &Histogram)| {
        let statistics = Statistics::of(all);
        let [median, greatest] =
            [SampleStatistic::Median, SampleStatistic::Max].map(|s| s.said(&statistics));
        let beyond = form.beyond(all);
        let more = if beyond > 0 { format!(", {beyond} beyond the axis") } else { String::new() };
        format!("{}: n {}, median {median}, max {greatest}{more}", line.name, all.n())
    };
    lines.iter().zip(pooled).map(one).collect::<Vec<_>>().join("; ")
}

/// The next of 1, 2, 5 times a power of ten.
fn rounded_up(value: f64) -> f64 {
    if value <= 0.0 {
        return 0.0;
    }
    let power = power_of_ten(libm::log10(value).floor() as i32);
    let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| factor * power >= value);
    factor.unwrap_or(10.0) * power
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use chronotap_core::time::Nanos;
    use chronotap_timing::SampleSeries;

    fn line(quantity: Quantity, series: &SampleSeries) -> Overlay<'_> {
        Overlay { name: "core 0".into(), quantity, conditions: String::new(), series: vec![series] }
    }

    #[test]
    fn every_sample_is_in_a_column_or_counted_beyond() {
        let times = (0..5_000).map(|i| Nanos(1_000 * (i % 97))).chain([Nanos::from_millis(3)]);
        let series = SampleSeries::of(Quantity::Lateness, &[], Histogram::of(times));
        let overlay = line(Quantity::Lateness, &series);
        let form = Form::of(&overlay, std::slice::from_ref(&series.histogram));
        assert_eq!((form.axis.from, form.axis.to), (0.0, 200.0));
        assert_eq!(form.beyond(&series.histogram), 1);
        let plot = plot(&[overlay]);
        assert!(plot.description.contains("1 beyond the axis"), "{}", plot.description);
        assert!(plot.description.contains("max 3.00 ms"), "{}", plot.description);
    }

    #[test]
    fn deviations_are_in_units_of_the_period() {
        let times = (0..1_000).map(|i| Nanos(if i % 2 == 0 { 100_000 } else { -100_000 }));
        let conditions = [("rate_hz", "1000")];
        let series =
            SampleSeries::of(Quantity::IntervalDeviation, &conditions, Histogram::of(times));
        let plot = plot(&[line(Quantity::IntervalDeviation, &series)]);
        assert_eq!((plot.x.from, plot.x.to), (-0.2, 0.2)); // 0.1 periods and the margin
    }
}

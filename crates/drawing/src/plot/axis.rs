//! [`Axis`]: from values to shares of a length, with ticks at round numbers.

/// How values lie on an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AxisScale {
    /// Evenly.
    Linear,
    /// Evenly, for numbers of things: what lies between two of them is not named.
    Counted,
    /// By their logarithm; values at or below 0 lie at its beginning.
    Logarithmic,
}

/// One axis of a plot.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// What it shows, with the unit.
    pub label: String,
    pub scale: AxisScale,
    /// Its least value; above 0 where it is logarithmic.
    pub from: f64,
    /// Its greatest value.
    pub to: f64,
}

impl Axis {
    /// Even, from one value to another.
    pub fn linear(label: &str, from: f64, to: f64) -> Axis {
        let to = if to > from { to } else { from + 1.0 };
        Axis { label: label.into(), scale: AxisScale::Linear, from, to }
    }

    /// Even, for numbers of things.
    pub fn counted(label: &str, from: f64, to: f64) -> Axis {
        Axis { scale: AxisScale::Counted, ..Axis::linear(label, from, to) }
    }

    /// Logarithmic, from a value above 0 to another.
    pub fn logarithmic(label: &str, from: f64, to: f64) -> Axis {
        let from = from.max(f64::MIN_POSITIVE);
        let to = if to > from { to } else { from * 10.0 };
        Axis { label: label.into(), scale: AxisScale::Logarithmic, from, to }
    }

    /// Where a value lies, 0 to 1; `None` for what is no number.
    pub fn share(&self, value: f64) -> Option<f64> {
        let share = match self.scale {
            AxisScale::Linear | AxisScale::Counted => (value - self.from) / (self.to - self.from),
            AxisScale::Logarithmic if value <= self.from => 0.0,
            AxisScale::Logarithmic => libm::log(value / self.from) / libm::log(self.to / self.from),
        };
        share.is_finite().then(|| share.clamp(0.0, 1.0))
    }

    /// Round values on it, and how they are written.
    pub fn ticks(&self) -> Vec<(f64, String)> {
        let values = match self.scale {
            AxisScale::Linear => self.linear_ticks(),
            AxisScale::Counted => {
                self.linear_ticks().into_iter().filter(|value| value.fract() == 0.0).collect()
            }
            AxisScale::Logarithmic => self.logarithmic_ticks(),
        };
        values.into_iter().map(|value| (value, written(value))).collect()
    }

    /// Four to eight multiples of 1, 2 or 5 times a power of ten.
    fn linear_ticks(&self) -> Vec<f64> {
        let rough = (self.to - self.from) / 6.0;
        let power = power_of_ten(libm::log10(rough).floor() as i32);
        let step = [1.0, 2.0, 5.0, 10.0]
            .into_iter()
            .map(|factor| factor * power)
            .find(|step| *step >= rough)
            .unwrap_or(10.0 * power);
        let first = (self.from / step).ceil() as i64;
        let last = (self.to / step + 1e-9).floor() as i64;
        (first..=last).take(20).map(|k| k as f64 * step).collect()
    }

    fn logarithmic_ticks(&self) -> Vec<f64> {
        let first = (libm::log10(self.from) - 1e-9).ceil() as i32;
        let last = (libm::log10(self.to) + 1e-9).floor() as i32;
        let every = ((last - first) / 7 + 1).max(1) as usize;
        let powers = (first - 1..=last).map(power_of_ten);
        let within = |value: &f64| (self.from..=self.to).contains(value);
        match libm::log10(self.to / self.from) {
            // Too few powers of ten to read by; over so little it is nearly even.
            decades if decades < 0.5 => self.linear_ticks(),
            decades if decades < 1.0 => {
                let multiples = |power| [1.0, 2.0, 3.0, 4.0, 6.0, 8.0].map(|k| k * power);
                powers.flat_map(multiples).filter(within).collect()
            }
            decades if decades < 2.5 => {
                powers.flat_map(|power| [1.0, 2.0, 5.0].map(|k| k * power)).filter(within).collect()
            }
            _ => (first..=last).step_by(every).map(power_of_ten).collect(),
        }
    }
}

/// The number that is nearest to this power of ten; the last digit of `powi` is not the same on every system.
pub fn power_of_ten(exponent: i32) -> f64 {
    format!("1e{exponent}").parse().unwrap_or(f64::NAN)
}

/// The least and the greatest of finite values; 0 and 1 where there are none.
pub fn extent(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let finite = values.filter(|value| value.is_finite());
    let extent = finite.fold((f64::MAX, f64::MIN), |(least, most), v| (least.min(v), most.max(v)));
    if extent.0 > extent.1 { (0.0, 1.0) } else { extent }
}

/// A tick's number, short: thousands as k, millions as M.
fn written(value: f64) -> String {
    let amount = value.abs();
    let (value, unit) = match amount {
        a if a >= 1e9 => (value / 1e9, "G"),
        a if a >= 1e6 => (value / 1e6, "M"),
        a if a >= 1e4 => (value / 1e3, "k"),
        _ => (value, ""),
    };
    let digits = if value.abs() >= 1.0 || value == 0.0 { 2 } else { 4 };
    let text = format!("{value:.digits$}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    let text = if text == "-0" { "0" } else { text };
    format!("{text}{unit}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn between_two_things_there_is_no_tick() {
        let named = |to: f64| -> Vec<String> {
            let ticks = Axis::counted("trial", 0.5, to).ticks();
            ticks.into_iter().map(|(_, name)| name).collect()
        };
        assert_eq!(named(1.6), ["1"]);
        assert_eq!(named(3.6), ["1", "2", "3"]);
    }

    #[test]
    fn an_axis_of_less_than_three_decades_has_ticks_between_its_powers_of_ten() {
        let values = |axis: Axis| axis.ticks().into_iter().map(|(v, _)| v).collect::<Vec<_>>();
        assert_eq!(values(Axis::logarithmic("", 15.0, 150.0)), [20.0, 50.0, 100.0]);
        assert_eq!(values(Axis::logarithmic("", 31.0, 62.0)), [40.0, 50.0, 60.0]);
    }

    #[test]
    fn a_power_of_ten_is_the_nearest_number() {
        let found = [-23, -9, -5, 0, 5, 23].map(power_of_ten);
        assert_eq!(found, [1e-23, 1e-9, 1e-5, 1.0, 1e5, 1e23]);
    }

    #[test]
    fn ticks_are_round_numbers() {
        let texts = |axis: Axis| axis.ticks().into_iter().map(|(_, text)| text).collect::<Vec<_>>();
        assert_eq!(texts(Axis::linear("", 0.0, 400.0)), ["0", "100", "200", "300", "400"]);
        assert_eq!(texts(Axis::linear("", -1.0, 1.0)), ["-1", "-0.5", "0", "0.5", "1"]);
        assert_eq!(
            texts(Axis::logarithmic("", 0.7, 1e5)),
            ["1", "10", "100", "1000", "10k", "100k"]
        );
    }

    proptest! {
        #[test]
        fn every_tick_lies_on_its_axis(from in -1e6f64..1e6, span in 1e-3f64..1e9) {
            let axis = Axis::linear("", from, from + span);
            let ticks = axis.ticks();
            prop_assert!((2..=20).contains(&ticks.len()), "{}", ticks.len());
            for (value, _) in ticks {
                prop_assert!(axis.share(value).is_some());
                prop_assert!(value >= from - span * 1e-6 && value <= from + span * 1.000_001);
            }
        }
    }
}

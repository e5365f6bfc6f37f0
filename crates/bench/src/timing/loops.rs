//! The loop test among the other tests: what it measured, as [`SampleSeries`].
//!
//! The loop is a trial and has a report of its own; here it takes the form that plots,
//! comparisons and verdicts are made of.

use crate::timing::{CirculationReport, FAULTS, Histogram, MeasuredLoop, Quantity, SampleSeries};

/// What circulated through a pair of ports, by the name they are shown with.
pub fn loop_series(measured: &MeasuredLoop, ports: &str) -> Vec<SampleSeries> {
    let report = CirculationReport::of(measured, ports, ports);
    let traffic = &measured.traffic;
    let intervals = Histogram::of(traffic.intervals());
    let trips = Histogram::of(traffic.round_trips.iter().copied());
    let of = |quantity, histogram| {
        SampleSeries::of(quantity, &[("ports", ports), ("load", "none")], histogram)
            .with("messages", traffic.counts.received as f64)
            .with(FAULTS, traffic.counts.faults() as f64)
            .with("messages_per_s", report.messages_per_s.unwrap_or_default())
    };
    vec![of(Quantity::MessageInterval, intervals), of(Quantity::RoundTrip, trips)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timing::{CirculationTest, SampleStatistic, in_virtual_time};
    use chronotap_simulate::{FarEnd, Wire};
    use chronotap_trial::Ports;

    #[test]
    fn the_loop_on_a_wire_shows_the_wire_s_speed() {
        let mut rig = Ports::new(1, 1);
        rig.add(Box::new(Wire::new(None, FarEnd::Loop { input: 0 })), &[0], &[0]).unwrap();
        let measured = in_virtual_time(CirculationTest::Loop { inputs: 100 }, rig).unwrap();
        let series = loop_series(&measured, "wire:loop");
        assert_eq!(series.len(), 2);
        assert_eq!(SampleStatistic::Median.of(&series[0].statistics), Some(960_000.0));
        assert_eq!(series[0].figures[FAULTS], 0.0);
    }
}

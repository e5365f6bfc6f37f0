//! [`PUBLISHED`]: figures from the literature, for what is measured here and in
//! `chronotap-timing`. Only numbers and their sources.
//!
//! Figures that no test could give (tap to sound) are deliberately not in it; nor are figures
//! of which only an abstract could be read. Shares of a period stand as the time that they are
//! of it.

use crate::clock::{TableRow, finney_2001};
use chronotap_timing::Like::{Begins, Is};
use chronotap_timing::{Like, Published, Quantity, Series, Statistic, comparable};

type When = &'static [(&'static str, Like)];

const US: f64 = 1e3;
const MS: f64 = 1e6;

const ORDINARY: Like = Is("ordinary");
const NICE: Like = Begins("nice");
const FIFO: Like = Begins("SCHED_FIFO");
const REAL_TIME: When = &[("scheduling", FIFO)];
const ANY_PORTS: When = &[];

/// Reads in runs of a million, as hers.
const RUNS: (&str, Like) = ("variant", Is("runs"));
const TABLE_1: [TableRow; 6] = finney_2001();

/// The figures that a series of a test can be compared with.
pub fn published(test: &str, series: &Series) -> Vec<Published> {
    comparable(PUBLISHED, test, series)
}

/// Every figure, by source.
pub const PUBLISHED: &[Published] = &[
    finney(
        &[RUNS, ("scheduling", ORDINARY), ("load", Is("none"))],
        Statistic::Mean,
        TABLE_1[0].mean_ns,
    ),
    finney(
        &[RUNS, ("scheduling", ORDINARY), ("load", Is("none"))],
        Statistic::Max,
        TABLE_1[0].max_ns as f64,
    ),
    finney(
        &[RUNS, ("scheduling", ORDINARY), ("load", Is("none"))],
        Statistic::Sd,
        TABLE_1[0].sd_ns,
    ),
    finney(
        &[RUNS, ("scheduling", ORDINARY), ("load", Is("contending"))],
        Statistic::Mean,
        TABLE_1[1].mean_ns,
    ),
    finney(
        &[RUNS, ("scheduling", ORDINARY), ("load", Is("contending"))],
        Statistic::Max,
        TABLE_1[1].max_ns as f64,
    ),
    finney(
        &[RUNS, ("scheduling", ORDINARY), ("load", Is("contending"))],
        Statistic::Sd,
        TABLE_1[1].sd_ns,
    ),
    finney(
        &[RUNS, ("scheduling", NICE), ("load", Is("none"))],
        Statistic::Mean,
        TABLE_1[2].mean_ns,
    ),
    finney(
        &[RUNS, ("scheduling", NICE), ("load", Is("none"))],
        Statistic::Max,
        TABLE_1[2].max_ns as f64,
    ),
    finney(&[RUNS, ("scheduling", NICE), ("load", Is("none"))], Statistic::Sd, TABLE_1[2].sd_ns),
    finney(
        &[RUNS, ("scheduling", NICE), ("load", Is("contending"))],
        Statistic::Mean,
        TABLE_1[3].mean_ns,
    ),
    finney(
        &[RUNS, ("scheduling", NICE), ("load", Is("contending"))],
        Statistic::Max,
        TABLE_1[3].max_ns as f64,
    ),
    finney(
        &[RUNS, ("scheduling", NICE), ("load", Is("contending"))],
        Statistic::Sd,
        TABLE_1[3].sd_ns,
    ),
    finney(
        &[RUNS, ("scheduling", FIFO), ("load", Is("none"))],
        Statistic::Mean,
        TABLE_1[4].mean_ns,
    ),
    finney(
        &[RUNS, ("scheduling", FIFO), ("load", Is("none"))],
        Statistic::Max,
        TABLE_1[4].max_ns as f64,
    ),
    finney(&[RUNS, ("scheduling", FIFO), ("load", Is("none"))], Statistic::Sd, TABLE_1[4].sd_ns),
    finney(
        &[RUNS, ("scheduling", FIFO), ("load", Is("contending"))],
        Statistic::Mean,
        TABLE_1[5].mean_ns,
    ),
    finney(
        &[RUNS, ("scheduling", FIFO), ("load", Is("contending"))],
        Statistic::Max,
        TABLE_1[5].max_ns as f64,
    ),
    finney(
        &[RUNS, ("scheduling", FIFO), ("load", Is("contending"))],
        Statistic::Sd,
        TABLE_1[5].sd_ns,
    ),
    loop_test(Statistic::Mean, 0.96 * MS),
    loop_test(Statistic::Max, 2.0 * MS),
    // "There is a jitter that can go up to half a period at 1kHz."
    Published {
        source: "Varoquaux (2006)",
        place: "Real-time clock interrupt latency",
        system: "desktop PCs, Linux 2.6.18",
        test: "periodic",
        quantity: Quantity::IntervalDeviation,
        statistic: Statistic::Max,
        value_ns: 0.5 * MS,
        conditions: &[("rate_hz", Is("1024"))],
    },
    phillips("Pentium III 550 MHz, Linux 2.2, as it came", 400.0 * MS),
    phillips("Pentium III 550 MHz, Linux 2.2.10, as it came", 150.0 * MS),
    phillips("Pentium III 550 MHz, Linux 2.2, low-latency patches", 4.0 * MS),
    vignati("Raspberry Pi 4B, PREEMPT_RT", Statistic::Mean, 6.5 * US),
    vignati("Raspberry Pi 4B, PREEMPT_RT", Statistic::Max, 20.0 * US),
    vignati("Raspberry Pi 4B, Xenomai", Statistic::Mean, 2.5 * US),
    vignati("Raspberry Pi 4B, Xenomai", Statistic::Max, 12.0 * US),
    vignati_sound(
        "roundtrip",
        "Raspberry Pi 4B, HiFiBerry, PREEMPT_RT, 64 frames",
        AT_64,
        3.34 * MS,
    ),
    vignati_sound("roundtrip", "Raspberry Pi 4B, HiFiBerry, Xenomai, 64 frames", AT_64, 3.2 * MS),
    vignati_sound("roundtrip", "Raspberry Pi 4B, HiFiBerry, Xenomai, 16 frames", AT_16, 1.2 * MS),
    vignati_sound(
        "dsp",
        "Raspberry Pi 4B, PREEMPT_RT, DSP load 75 % of 64 frames",
        AT_64,
        1.0 * MS,
    ),
    vignati_sound(
        "dsp",
        "Raspberry Pi 4B, Xenomai, DSP load 85 % of 16 frames",
        AT_16,
        0.85 * MS / 3.0,
    ),
    wakeups(
        "OSADL QA farm, rack 5 slot 8",
        "osadl.org/Latency-plot-of-system-in-rack-5-slot.qa-latencyplot-r5s8.0.html",
        "PC, PREEMPT_RT, 1e8 cycles",
        55.0 * US,
    ),
    wakeups(
        "Gleixner and Emde (2009)",
        "linuxtoday.com/developer/2009021201235NWKN",
        "PC, PREEMPT_RT, X11 and ping flood",
        47.0 * US,
    ),
    wakeups(
        "ROS real-time image (2023)",
        "github.com/ros-realtime/ros-realtime-rpi4-image/pull/68",
        "Raspberry Pi 4, 5.15-rt62, stressed 2 h",
        60.0 * US,
    ),
    wakeups(
        "machinekit issue 792",
        "github.com/machinekit/machinekit/issues/792",
        "Raspberry Pi 2, PREEMPT_RT",
        66.0 * US,
    ),
    wakeups(
        "MPE-Sound-Module issue 38 (2026)",
        "github.com/MitchSchwartz/MPE-Sound-Module/issues/38",
        "Raspberry Pi 4, stock kernel",
        320.0 * US,
    ),
];

const fn finney(conditions: When, statistic: Statistic, value_ns: f64) -> Published {
    Published {
        source: "Finney (2001), Table 1",
        place: "Behavior Research Methods, Instruments, & Computers 33",
        system: "Pentium II 350 MHz, Linux 2.2",
        test: "clock",
        quantity: Quantity::ClockStep,
        statistic,
        value_ns,
        conditions,
    }
}

const fn loop_test(statistic: Statistic, value_ns: f64) -> Published {
    Published {
        source: "Finney (2001), loop test",
        place: "Behavior Research Methods, Instruments, & Computers 33",
        system: "Pentium II 350 MHz, Linux 2.2, Sound Blaster 16, 4Front driver",
        test: "loop",
        quantity: Quantity::MessageInterval,
        statistic,
        value_ns,
        conditions: ANY_PORTS,
    }
}

const fn vignati(system: &'static str, statistic: Statistic, value_ns: f64) -> Published {
    Published {
        source: "Vignati et al. (2022)",
        place: "Journal of the Audio Engineering Society",
        system,
        test: "wakeup",
        quantity: Quantity::Lateness,
        statistic,
        value_ns,
        conditions: REAL_TIME,
    }
}

const AT_64: When = &[("period_frames", Is("64"))];
const AT_16: When = &[("period_frames", Is("16"))];

/// The greatest time from one write to the next under the worst of Senoner's loads.
const fn phillips(system: &'static str, value_ns: f64) -> Published {
    Published {
        source: "Phillips (2000)",
        place: "Low Latency in the Linux Kernel, oreillynet.com",
        system,
        test: "fragments",
        quantity: Quantity::FragmentCycle,
        statistic: Statistic::Max,
        value_ns,
        conditions: REAL_TIME,
    }
}

/// At 48 kHz: the mean round trip, or the mean cycle at the border.
const fn vignati_sound(
    test: &'static str,
    system: &'static str,
    conditions: When,
    value_ns: f64,
) -> Published {
    Published {
        source: "Vignati et al. (2022)",
        place: "Journal of the Audio Engineering Society",
        system,
        test,
        quantity: match test.as_bytes() {
            b"dsp" => Quantity::DspCycle,
            _ => Quantity::AudioRoundTrip,
        },
        statistic: Statistic::Mean,
        value_ns,
        conditions,
    }
}

const fn wakeups(
    source: &'static str,
    place: &'static str,
    system: &'static str,
    value_ns: f64,
) -> Published {
    Published {
        source,
        place,
        system,
        test: "wakeup",
        quantity: Quantity::Lateness,
        statistic: Statistic::Max,
        value_ns,
        conditions: REAL_TIME,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chronotap_timing::Histogram;

    fn steps(scheduling: &str, load: &str) -> Vec<Published> {
        let conditions = [("scheduling", scheduling), ("load", load), ("variant", "runs")];
        published("clock", &Series::of(Quantity::ClockStep, &conditions, Histogram::new()))
    }

    #[test]
    fn each_cell_of_table_1_stands_beside_its_own_conditions() {
        let max = |found: Vec<Published>| {
            assert_eq!(found.len(), 3, "{found:?}");
            found.iter().find(|one| one.statistic == Statistic::Max).unwrap().value_ns
        };
        assert_eq!(max(steps("ordinary", "none")), 246_000.0);
        assert_eq!(max(steps("ordinary", "contending")), 840_019_000.0);
        assert_eq!(max(steps("nice -20, memory locked", "none")), 322_000.0);
        assert_eq!(max(steps("SCHED_FIFO 80, memory locked", "contending")), 69_000.0);
        assert!(steps("deadline", "none").is_empty());
    }

    #[test]
    fn each_of_the_studies_has_figures_beside_the_tests_that_repeat_it() {
        let sources = |test: &str, quantity, conditions: &[(&str, &str)]| {
            let series = Series::of(quantity, conditions, Histogram::new());
            let found = published(test, &series);
            let mut sources: Vec<_> = found.iter().map(|one| (one.source, one.value_ns)).collect();
            sources.sort_by(|one, other| one.1.total_cmp(&other.1));
            sources
        };
        let fifo = ("scheduling", "SCHED_FIFO 80");
        let written = sources("fragments", Quantity::FragmentCycle, &[fifo]);
        assert_eq!(written.last(), Some(&("Phillips (2000)", 400e6)));
        let frames = |of: &'static str| [("period_frames", of)];
        let trips = sources("roundtrip", Quantity::AudioRoundTrip, &frames("64"));
        assert_eq!(trips.len(), 2);
        assert_eq!(trips[0], ("Vignati et al. (2022)", 3.2e6));
        assert_eq!(sources("dsp", Quantity::DspCycle, &frames("64")).len(), 1);
        assert!(sources("dsp", Quantity::DspCycle, &frames("128")).is_empty());
    }

    #[test]
    fn figures_of_one_test_stand_beside_no_other() {
        let conditions = [("scheduling", "SCHED_FIFO 90, memory locked"), ("load", "none")];
        let series = Series::of(Quantity::Lateness, &conditions, Histogram::new());
        let wakeups = published("wakeup", &series);
        assert!(wakeups.iter().any(|figure| figure.value_ns == 20_000.0));
        assert!(published("waits", &series).is_empty());
    }
}

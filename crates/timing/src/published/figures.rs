//! [`PUBLISHED`]: figures from the literature, for what is measured here and in
//! [`crate::timing`]. Only numbers and where they stand.
//!
//! Each is the number that its source prints, in its unit; what a source shows in a graph
//! alone is not read off. Where what they computed is not what is computed here, the row says
//! that it is not comparable, and why.

use super::Like::{Begins, Has, Is};
use super::finney::{TableRow, finney_2001};
use super::{Like, Published, comparable};
use crate::{MeasureSource, MeasureUnit, Quantity, SampleSeries, SampleStatistic};

type When = &'static [(&'static str, Like)];

const FIFO: Like = Begins("SCHED_FIFO");
const REAL_TIME: When = &[("scheduling", FIFO)];
/// Reads in runs of a million, as hers.
const RUNS: (&str, Like) = ("variant", Is("runs"));
const TABLE_1: [TableRow; 6] = finney_2001();

const MEAN: MeasureSource = MeasureSource::Statistic(SampleStatistic::Mean);
const MAX: MeasureSource = MeasureSource::Statistic(SampleStatistic::Max);
const SD: MeasureSource = MeasureSource::Statistic(SampleStatistic::Sd);

/// The figures that a series of a test can be compared with.
pub fn published(test: &str, series: &SampleSeries) -> Vec<Published> {
    comparable(PUBLISHED, test, series)
}

const FINNEY: Published = Published {
    source: "Finney (2001)",
    place: "Table 1",
    system: "Pentium II 350 MHz, Linux 2.2",
    under: "gettimeofday, a million times",
    test: "clock",
    quantity: Quantity::ClockStep,
    of: MEAN,
    bound: "",
    value: 0.0,
    unit: MeasureUnit::Microseconds,
    not_comparable: None,
    conditions: &[],
};
const LOOP: Published = Published {
    place: "I/O Tests, 100 runs",
    system: "Pentium II 350 MHz, Linux 2.2, Sound Blaster 16, 4Front driver",
    under: "10,000 messages a run; stamps of FTAP in whole milliseconds; no load told",
    test: "loop",
    quantity: Quantity::MessageInterval,
    unit: MeasureUnit::Milliseconds,
    ..FINNEY
};
const PAUSE: Published = Published {
    place: "Process Suspension",
    under: "no load and no clock told",
    test: "waits",
    quantity: Quantity::Lateness,
    of: MeasureSource::Figure("smallest_pause_ns"),
    unit: MeasureUnit::Milliseconds,
    ..FINNEY
};
/// What a recorder dropped while the machine was busy, as its recording had it.
const PLAYER: Published = Published {
    place: "below Figure 4, tests again without patch and tuning",
    under: "ecasound at real-time priority, stereo at 44.1 kHz to the disk for three minutes",
    test: "player",
    quantity: Quantity::IntervalDeviation,
    of: MeasureSource::Figure("skipped_beats"),
    bound: "",
    unit: MeasureUnit::CountOfSamples,
    not_comparable: Some("he counted drop-outs of a recording of three minutes, not clicks"),
    conditions: &[],
    ..PHILLIPS
};
const VAROQUAUX: Published = Published {
    source: "Varoquaux (2006), Real-time clock interrupt latency",
    place: "Interpretation of the results",
    system: "desktop PCs under load, Linux of 2006",
    under: "beside ping, md5sum of 40 MB of random bytes, and 500 MB to the disk; no clock told",
    test: "periodic",
    quantity: Quantity::IntervalDeviation,
    of: MAX,
    bound: "about",
    value: 0.5,
    unit: MeasureUnit::Periods,
    not_comparable: None,
    conditions: &[("rate_hz", Is("1024"))],
};
const PHILLIPS: Published = Published {
    source: "Phillips (2000), Achieving Low-Latency Response Times Under Linux",
    place: "Bennomarks",
    system: "Pentium III 550 MHz",
    under: "the worst beside Senoner's loads (X11, /proc, disk); writes to /dev/dsp",
    test: "fragments",
    quantity: Quantity::FragmentCycle,
    of: MAX,
    bound: "<",
    value: 4.0,
    unit: MeasureUnit::Milliseconds,
    not_comparable: None,
    conditions: REAL_TIME,
};
const VIGNATI: Published = Published {
    source: "Vignati et al. (2022)",
    place: "Fig. 3 and Sec. 3.2.2",
    system: "",
    under: "cyclictest -m -S -p 90 -i200, 10^8 wake-ups, beside stress-ng on the first core",
    test: "wakeup",
    quantity: Quantity::Lateness,
    of: MAX,
    bound: "",
    value: 0.0,
    unit: MeasureUnit::Microseconds,
    not_comparable: None,
    conditions: REAL_TIME,
};
const PREEMPT_RT: &str = "Raspberry Pi 4B, HiFiBerry, PREEMPT_RT";
const XENOMAI: &str = "Raspberry Pi 4B, HiFiBerry, Xenomai";
const OUR_NETWORK: &str =
    "our reverberator costs about a sixth of theirs; Faust's as an LV2 plugin is comparable";
const OUR_DESIGNER: &str =
    "the same reverberator, but what Faust's compiler made of it costs up to two times as much";
/// Tap to sound, of an experimenter's pad and what follows it.
const PADS: Published = Published {
    source: "Schultz and van Vugt (2016), Tap Arduino",
    place: "Behavior Research Methods 48, 1591, abstract",
    system: "",
    under: "",
    test: "tap-to-sound",
    quantity: Quantity::TapToSound,
    of: MEAN,
    bound: "",
    value: 0.0,
    unit: MeasureUnit::Milliseconds,
    not_comparable: None,
    conditions: &[("step", Is("total"))],
};

/// Every figure, by source.
pub const PUBLISHED: &[Published] = &[
    table_1(0, MEAN, &[RUNS, ("scheduling", ORDINARY), IDLE]),
    table_1(0, MAX, &[RUNS, ("scheduling", ORDINARY), IDLE]),
    table_1(0, SD, &[RUNS, ("scheduling", ORDINARY), IDLE]),
    table_1(1, MEAN, &[RUNS, ("scheduling", ORDINARY), LOADED]),
    table_1(1, MAX, &[RUNS, ("scheduling", ORDINARY), LOADED]),
    table_1(1, SD, &[RUNS, ("scheduling", ORDINARY), LOADED]),
    table_1(2, MEAN, &[RUNS, ("scheduling", NICE), IDLE]),
    table_1(2, MAX, &[RUNS, ("scheduling", NICE), IDLE]),
    table_1(2, SD, &[RUNS, ("scheduling", NICE), IDLE]),
    table_1(3, MEAN, &[RUNS, ("scheduling", NICE), LOADED]),
    table_1(3, MAX, &[RUNS, ("scheduling", NICE), LOADED]),
    table_1(3, SD, &[RUNS, ("scheduling", NICE), LOADED]),
    table_1(4, MEAN, &[RUNS, ("scheduling", FIFO), IDLE]),
    table_1(4, MAX, &[RUNS, ("scheduling", FIFO), IDLE]),
    table_1(4, SD, &[RUNS, ("scheduling", FIFO), IDLE]),
    table_1(5, MEAN, &[RUNS, ("scheduling", FIFO), LOADED]),
    table_1(5, MAX, &[RUNS, ("scheduling", FIFO), LOADED]),
    table_1(5, SD, &[RUNS, ("scheduling", FIFO), LOADED]),
    Published { of: MEAN, value: 0.96, ..LOOP },
    Published { of: MAX, value: 2.0, ..LOOP },
    Published { value: 10.0, conditions: &[("mechanism", Is("setitimer"))], ..PAUSE },
    Published {
        bound: "about 10 or",
        value: 20.0,
        conditions: &[NANOSLEEP, ("scheduling", ORDINARY)],
        ..PAUSE
    },
    Published {
        value: 0.005,
        conditions: &[NANOSLEEP, ("scheduling", FIFO)],
        not_comparable: Some("that kernel waited by computing, and no other program could run"),
        ..PAUSE
    },
    longer_than_2_ms(&[NANOSLEEP, ("scheduling", FIFO), ("requested_us", Is("5000"))]),
    longer_than_2_ms(&[NANOSLEEP, ("scheduling", FIFO), ("requested_us", Is("10000"))]),
    Published {
        place: "Discussion, after Process Suspension",
        under: "gettimeofday, the overhead of a system call",
        of: MeasureSource::Figure("overhead_ns"),
        bound: "about",
        value: 1.0,
        unit: MeasureUnit::Microseconds,
        conditions: &[NANOSLEEP],
        ..PAUSE
    },
    Published { value: 0.12, conditions: &[("mechanism", Is("/dev/rtc"))], ..PAUSE },
    VAROQUAUX,
    Published {
        quantity: Quantity::Lateness,
        of: MEAN,
        unit: MeasureUnit::Microseconds,
        value: 500.0,
        ..VAROQUAUX
    },
    Published {
        system: "standard kernel 2.6.18, as others told him",
        under: "nothing told",
        quantity: Quantity::Lateness,
        unit: MeasureUnit::Microseconds,
        value: 1_000.0,
        ..VAROQUAUX
    },
    Published {
        system: "with RT_PREEMPT, as others told him",
        under: "nothing told",
        quantity: Quantity::Lateness,
        unit: MeasureUnit::Microseconds,
        value: 50.0,
        ..VAROQUAUX
    },
    phillips("Linux 2.4.0-test9 as it came, disks not tuned", "almost", MAX, 400.0),
    phillips("Linux 2.4.0-test9 with Morton's patch, disks tuned", "<", MAX, 4.0),
    Published { place: INGOS, ..phillips("Linux 2.2.10 as it came", "", MAX, 150.0) },
    Published { place: INGOS, ..phillips("Linux 2.2.10 with Molnar's patch", "<", MAX, 3.0) },
    phillips("Linux 2.2.10 with Molnar's patch", "<", MEAN, 2.0),
    phillips("Linux 2.4.0-test9 with Morton's patch", "<", MEAN, 4.0),
    threshold("a demand: desktop and semiprofessional", MAX, 7.0),
    threshold("a demand: professional, latency-critical", MEAN, 5.0),
    Published { system: "Linux 2.4.0-test9 as it came, disks not tuned", value: 16.0, ..PLAYER },
    Published { system: "Raspberry Pi 4B, PREEMPT_RT", of: MEAN, value: 6.5, ..VIGNATI },
    Published { system: "Raspberry Pi 4B, PREEMPT_RT", value: 20.0, ..VIGNATI },
    Published { system: "Raspberry Pi 4B, Xenomai", of: MEAN, value: 2.5, ..VIGNATI },
    Published { system: "Raspberry Pi 4B, Xenomai", value: 12.0, ..VIGNATI },
    trip_ms(PREEMPT_RT, AT_64, 3.34),
    trip_frames(PREEMPT_RT, AT_64, 160.0),
    trip_ms(PREEMPT_RT, AT_128, 6.00),
    trip_frames(PREEMPT_RT, AT_128, 288.0),
    trip_ms(PREEMPT_RT, AT_256, 11.34),
    trip_frames(PREEMPT_RT, AT_256, 544.0),
    trip_ms(PREEMPT_RT, AT_512, 22.00),
    trip_frames(PREEMPT_RT, AT_512, 1056.0),
    trip_ms(XENOMAI, AT_16, 1.20),
    trip_frames(XENOMAI, AT_16, 57.0),
    trip_ms(XENOMAI, AT_32, 1.86),
    trip_frames(XENOMAI, AT_32, 89.0),
    trip_ms(XENOMAI, AT_64, 3.20),
    trip_frames(XENOMAI, AT_64, 153.0),
    trip_ms(XENOMAI, AT_128, 5.86),
    trip_frames(XENOMAI, AT_128, 281.0),
    trip_ms(XENOMAI, AT_256, 11.20),
    trip_frames(XENOMAI, AT_256, 537.0),
    trip_ms(XENOMAI, AT_512, 21.86),
    trip_frames(XENOMAI, AT_512, 1049.0),
    instances(XENOMAI, "Fig. 2a and Sec. 3.2.1", LIGHT_1_16, 11.0),
    instances(XENOMAI, "Fig. 2a and Sec. 3.2.1", HEAVY_1_16, 5.0),
    instances(XENOMAI, "Sec. 3.2.1, 32 over four tracks", LIGHT_4_16, 8.0),
    instances(XENOMAI, "Sec. 3.2.1, 16 over four tracks", HEAVY_4_16, 4.0),
    instances(PREEMPT_RT, "Sec. 3.2.1, 27 over three tracks", LIGHT_3_64, 9.0),
    instances(PREEMPT_RT, "Sec. 3.2.1, 12 over three tracks", HEAVY_3_64, 4.0),
    designers(XENOMAI, "Fig. 2a and Sec. 3.2.1", DESIGNER_LIGHT_1_16, 11.0),
    designers(XENOMAI, "Fig. 2a and Sec. 3.2.1", DESIGNER_HEAVY_1_16, 5.0),
    designers(XENOMAI, "Sec. 3.2.1, 32 over four tracks", DESIGNER_LIGHT_4_16, 8.0),
    designers(XENOMAI, "Sec. 3.2.1, 16 over four tracks", DESIGNER_HEAVY_4_16, 4.0),
    designers(PREEMPT_RT, "Sec. 3.2.1, 27 over three tracks", DESIGNER_LIGHT_3_64, 9.0),
    designers(PREEMPT_RT, "Sec. 3.2.1, 12 over three tracks", DESIGNER_HEAVY_3_64, 4.0),
    fausts(XENOMAI, "Fig. 2a and Sec. 3.2.1", FAUST_LIGHT_1_16, 11.0),
    fausts(XENOMAI, "Fig. 2a and Sec. 3.2.1", FAUST_HEAVY_1_16, 5.0),
    fausts(XENOMAI, "Sec. 3.2.1, 32 over four tracks", FAUST_LIGHT_4_16, 8.0),
    fausts(XENOMAI, "Sec. 3.2.1, 16 over four tracks", FAUST_HEAVY_4_16, 4.0),
    fausts(PREEMPT_RT, "Sec. 3.2.1, 27 over three tracks", FAUST_LIGHT_3_64, 9.0),
    fausts(PREEMPT_RT, "Sec. 3.2.1, 12 over three tracks", FAUST_HEAVY_3_64, 4.0),
    load(XENOMAI, "Fig. 2b and Sec. 3.2.1", ">", AT_16, 85.0),
    load(PREEMPT_RT, "Fig. 2f and Sec. 3.2.1", "<", AT_64, 75.0),
    load(PREEMPT_RT, "Sec. 4", ">", AT_64, 70.0),
    Published { system: "a percussion pad with its own sound", value: 9.1, ..PADS },
    Published { system: "a percussion pad with its own sound", of: SD, value: 2.0, ..PADS },
    Published { system: "pad, USB-MIDI, FTAP on Linux", value: 14.6, ..PADS },
    Published { system: "pad, USB-MIDI, FTAP on Linux", of: SD, value: 2.8, ..PADS },
    Published { system: "pad, Max/MSP on a MacBook", value: 15.8, ..PADS },
    Published { system: "pad, Max/MSP on a MacBook", of: SD, value: 3.4, ..PADS },
    Published { system: "Arduino, wave shield", value: 2.6, ..PADS },
    Published { system: "Arduino, wave shield", of: SD, value: 0.3, ..PADS },
    Published { system: "Arduino, its own output (PWM)", value: 0.6, ..PADS },
    Published { system: "Arduino, its own output (PWM)", of: SD, value: 0.3, ..PADS },
    wakeups(
        "Gleixner and Emde (2009)",
        "linuxtoday.com/developer/2009021201235NWKN",
        "PC, PREEMPT_RT, X11 and ping flood",
        47.0,
    ),
    wakeups(
        "ROS real-time image (2023)",
        "github.com/ros-realtime/ros-realtime-rpi4-image/pull/68",
        "Raspberry Pi 4, 5.15-rt62, stressed 2 h",
        60.0,
    ),
    wakeups(
        "machinekit issue 792",
        "github.com/machinekit/machinekit/issues/792",
        "Raspberry Pi 2, PREEMPT_RT",
        66.0,
    ),
    wakeups(
        "MPE-Sound-Module issue 38 (2026)",
        "github.com/MitchSchwartz/MPE-Sound-Module/issues/38",
        "Raspberry Pi 4, stock kernel",
        320.0,
    ),
];

const ORDINARY: Like = Is("ordinary");
const NANOSLEEP: (&str, Like) = ("mechanism", Is("nanosleep"));
const NICE: Like = Begins("nice");
const IDLE: (&str, Like) = ("load", Is("none"));
const LOADED: (&str, Like) = ("load", Is("contending"));
/// Measured before the article, on a machine that it does not name.
const INGOS: &str = "Identifying latency sources, machine not told";

const AT_16: When = &[("period_frames", Is("16"))];
const AT_32: When = &[("period_frames", Is("32"))];
const AT_64: When = &[("period_frames", Is("64"))];
const AT_128: When = &[("period_frames", Is("128"))];
const AT_256: When = &[("period_frames", Is("256"))];
const AT_512: When = &[("period_frames", Is("512"))];
const LIGHT_1_16: When =
    &[("plugin", Is("light")), ("tracks", Is("1")), ("period_frames", Is("16"))];
const DESIGNER_LIGHT_1_16: When =
    &[("plugin", Is("designer-light")), ("tracks", Is("1")), ("period_frames", Is("16"))];
const FAUST_LIGHT_1_16: When =
    &[("plugin", Has("reverbdesigner", "light")), ("tracks", Is("1")), ("period_frames", Is("16"))];
const LIGHT_4_16: When =
    &[("plugin", Is("light")), ("tracks", Is("4")), ("period_frames", Is("16"))];
const DESIGNER_LIGHT_4_16: When =
    &[("plugin", Is("designer-light")), ("tracks", Is("4")), ("period_frames", Is("16"))];
const FAUST_LIGHT_4_16: When =
    &[("plugin", Has("reverbdesigner", "light")), ("tracks", Is("4")), ("period_frames", Is("16"))];
const LIGHT_3_64: When =
    &[("plugin", Is("light")), ("tracks", Is("3")), ("period_frames", Is("64"))];
const DESIGNER_LIGHT_3_64: When =
    &[("plugin", Is("designer-light")), ("tracks", Is("3")), ("period_frames", Is("64"))];
const FAUST_LIGHT_3_64: When =
    &[("plugin", Has("reverbdesigner", "light")), ("tracks", Is("3")), ("period_frames", Is("64"))];
const HEAVY_1_16: When =
    &[("plugin", Is("heavy")), ("tracks", Is("1")), ("period_frames", Is("16"))];
const DESIGNER_HEAVY_1_16: When =
    &[("plugin", Is("designer-heavy")), ("tracks", Is("1")), ("period_frames", Is("16"))];
const FAUST_HEAVY_1_16: When =
    &[("plugin", Has("reverbdesigner", "heavy")), ("tracks", Is("1")), ("period_frames", Is("16"))];
const HEAVY_4_16: When =
    &[("plugin", Is("heavy")), ("tracks", Is("4")), ("period_frames", Is("16"))];
const DESIGNER_HEAVY_4_16: When =
    &[("plugin", Is("designer-heavy")), ("tracks", Is("4")), ("period_frames", Is("16"))];
const FAUST_HEAVY_4_16: When =
    &[("plugin", Has("reverbdesigner", "heavy")), ("tracks", Is("4")), ("period_frames", Is("16"))];
const HEAVY_3_64: When =
    &[("plugin", Is("heavy")), ("tracks", Is("3")), ("period_frames", Is("64"))];
const DESIGNER_HEAVY_3_64: When =
    &[("plugin", Is("designer-heavy")), ("tracks", Is("3")), ("period_frames", Is("64"))];
const FAUST_HEAVY_3_64: When =
    &[("plugin", Has("reverbdesigner", "heavy")), ("tracks", Is("3")), ("period_frames", Is("64"))];

/// What a sleep became that asked for more than 2 ms, at SCHED_FIFO.
const fn longer_than_2_ms(conditions: When) -> Published {
    let not_comparable = Some("that kernel counted such a sleep in ticks of 10 ms");
    Published { value: 20.0, not_comparable, conditions, ..PAUSE }
}

/// A cell of Finney's table: its row, and which column.
const fn table_1(row: usize, of: MeasureSource, conditions: When) -> Published {
    let TableRow { mean_ns, max_ns, sd_ns, .. } = TABLE_1[row];
    let ns = match of {
        MEAN => mean_ns,
        MAX => max_ns as f64,
        _ => sd_ns,
    };
    Published { of, value: ns / 1e3, conditions, ..FINNEY }
}

const fn phillips(
    system: &'static str,
    bound: &'static str,
    of: MeasureSource,
    value: f64,
) -> Published {
    Published { system, bound, of, value, ..PHILLIPS }
}

/// What he asks of a system: no measurement.
const fn threshold(system: &'static str, of: MeasureSource, value: f64) -> Published {
    let (place, under) = ("Introduction", "what is asked of any system, not what one had");
    Published { place, under, ..phillips(system, "<", of, value) }
}

/// Table 1a, in milliseconds.
const fn trip_ms(system: &'static str, conditions: When, value: f64) -> Published {
    let (place, unit) = ("Table 1a", MeasureUnit::Milliseconds);
    Published { place, unit, ..trip(system, conditions, "round_trip_ns", value) }
}

/// Table 1b, in samples at 48 kHz.
const fn trip_frames(system: &'static str, conditions: When, value: f64) -> Published {
    let (place, unit) = ("Table 1b", MeasureUnit::Frames);
    Published { place, unit, ..trip(system, conditions, "round_trip_frames", value) }
}

const fn trip(
    system: &'static str,
    conditions: When,
    figure: &'static str,
    value: f64,
) -> Published {
    Published {
        system,
        under: "jack_iodelay on another computer; no load told",
        test: "roundtrip",
        quantity: Quantity::AudioRoundTrip,
        of: MeasureSource::Figure(figure),
        value,
        conditions,
        ..VIGNATI
    }
}

/// Of ours, beside theirs.
const fn instances(
    system: &'static str,
    place: &'static str,
    conditions: When,
    value: f64,
) -> Published {
    let not_comparable = Some(OUR_NETWORK);
    Published { not_comparable, ..fausts(system, place, conditions, value) }
}

/// Of theirs in this program's code.
const fn designers(
    system: &'static str,
    place: &'static str,
    conditions: When,
    value: f64,
) -> Published {
    let not_comparable = Some(OUR_DESIGNER);
    Published { not_comparable, ..fausts(system, place, conditions, value) }
}

/// Of Faust's reverbDesigner, as theirs.
const fn fausts(
    system: &'static str,
    place: &'static str,
    conditions: When,
    value: f64,
) -> Published {
    Published {
        system,
        place,
        under: "10 min and 2 h without an xrun, beside stress-ng",
        test: "dsp",
        quantity: Quantity::DspCycle,
        of: MeasureSource::Figure("instances_per_track"),
        unit: MeasureUnit::Count,
        value,
        conditions,
        ..VIGNATI
    }
}

/// The load at the border; that of a period does not depend on what is computed in it.
const fn load(
    system: &'static str,
    place: &'static str,
    bound: &'static str,
    conditions: When,
    value: f64,
) -> Published {
    let (of, unit) = (MeasureSource::Figure("dsp_load"), MeasureUnit::Percent);
    Published { of, unit, bound, ..fausts(system, place, conditions, value) }
}

const fn wakeups(
    source: &'static str,
    place: &'static str,
    system: &'static str,
    value: f64,
) -> Published {
    let under = "interval and clock: see there";
    Published { source, place, system, under, value, ..VIGNATI }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Histogram;

    fn beside(test: &str, quantity: Quantity, conditions: &[(&str, &str)]) -> Vec<Published> {
        published(test, &SampleSeries::of(quantity, conditions, Histogram::new()))
    }

    fn said(found: &[Published]) -> Vec<String> {
        let mut all: Vec<String> = found.iter().map(Published::said).collect();
        all.sort();
        all
    }

    fn steps(scheduling: &str, load: &str) -> Vec<Published> {
        let conditions = [("scheduling", scheduling), ("load", load), ("variant", "runs")];
        beside("clock", Quantity::ClockStep, &conditions)
    }

    #[test]
    fn each_cell_of_table_1_stands_beside_its_own_conditions() {
        let all = |scheduling: &str, load: &str| {
            let found = steps(scheduling, load);
            [MEAN, MAX, SD].map(|of| found.iter().find(|one| one.of == of).unwrap().value)
        };
        assert_eq!(all("ordinary", "none"), [1.29, 246.0, 1.17]);
        assert_eq!(all("ordinary", "contending"), [5.23, 840_019.0, 1_601.0]);
        assert_eq!(all("nice -20, memory locked", "none"), [1.23, 322.0, 0.48]);
        assert_eq!(all("nice -20, memory locked", "contending"), [3.11, 630_031.0, 1_079.0]);
        assert_eq!(all("SCHED_FIFO 80, memory locked", "none"), [1.25, 72.0, 0.46]);
        assert_eq!(all("SCHED_FIFO 80, memory locked", "contending"), [1.25, 69.0, 0.46]);
        assert!(steps("deadline", "none").is_empty());
    }

    /// The article: "from almost 400 msec (unpatched kernel, untuned drives) to less than 4
    /// msec (patched kernel, tuned drives)" for 2.4.0-test9; "on an unpatched 2.2.10 kernel,
    /// latencies measured as high as 150 msec; with Ingo's patch, latency dropped to less than
    /// 3 msec". On averages: "under 2 msec with Ingo Molnar's original patch for the 2.2.10
    /// kernel, and less than 4 msec with Andrew Morton's patch".
    #[test]
    fn phillips_figures_are_those_of_the_kernels_that_had_them() {
        let fifo = [("scheduling", "SCHED_FIFO 80")];
        let found = beside("fragments", Quantity::FragmentCycle, &fifo);
        let of = |kernel: &str| {
            let all = found.iter().filter(|one| one.system.contains(kernel) && one.of == MAX);
            all.map(|one| (one.bound, one.value)).collect::<Vec<_>>()
        };
        assert_eq!(of("2.4.0-test9"), [("almost", 400.0), ("<", 4.0)]);
        assert_eq!(of("2.2.10"), [("", 150.0), ("<", 3.0)]);
        assert_eq!(of("a demand"), [("<", 7.0)]);
        let means = found.iter().filter(|one| one.of == MEAN);
        let means: Vec<_> = means.map(|one| (one.bound, one.value)).collect();
        assert_eq!(means, [("<", 2.0), ("<", 4.0), ("<", 5.0)]);
        assert!(found.iter().all(|one| one.source.contains("Achieving Low-Latency Response")));
    }

    /// Table 1 of the article.
    #[test]
    fn all_ten_round_trips_of_vignati_stand_in_milliseconds_and_samples() {
        let table: [(&str, &[&str]); 6] = [
            ("16", &["1.20 ms", "57.000 frames"]),
            ("32", &["1.86 ms", "89.000 frames"]),
            ("64", &["153.000 frames", "160.000 frames", "3.20 ms", "3.34 ms"]),
            ("128", &["281.000 frames", "288.000 frames", "5.86 ms", "6.00 ms"]),
            ("256", &["11.20 ms", "11.34 ms", "537.000 frames", "544.000 frames"]),
            ("512", &["1049.000 frames", "1056.000 frames", "21.86 ms", "22.00 ms"]),
        ];
        for (period, trips) in table {
            let conditions = [("period_frames", period)];
            let found = beside("roundtrip", Quantity::AudioRoundTrip, &conditions);
            let mut trips: Vec<String> = trips.iter().map(|trip| (*trip).into()).collect();
            trips.sort();
            assert_eq!(said(&found), trips, "{period}");
            assert!(found.iter().all(|one| one.place.starts_with("Table 1")));
        }
    }

    #[test]
    fn instances_of_our_network_are_not_comparable_and_those_of_fausts_are() {
        let of = |plugin: &str| {
            let conditions = [("period_frames", "16"), ("tracks", "1"), ("plugin", plugin)];
            let found = beside("dsp", Quantity::DspCycle, &conditions);
            let counts = found.iter().filter(|one| one.unit == MeasureUnit::Count);
            counts.map(|one| (one.value, one.not_comparable.is_none())).collect::<Vec<_>>()
        };
        assert_eq!(of("light"), [(11.0, false)]);
        assert_eq!(of("heavy"), [(5.0, false)]);
        assert_eq!(of("designer-light"), [(11.0, false)]);
        assert_eq!(of("designer-heavy"), [(5.0, false)]);
        // As faust2lv2 names the plugins of the manual.
        assert_eq!(of("lv2:https://faustlv2.bitbucket.io/reverbDesigner_light"), [(11.0, true)]);
        assert_eq!(of("lv2:https://faustlv2.bitbucket.io/reverbDesigner_heavy"), [(5.0, true)]);
        assert!(of("cpu").is_empty());
    }

    /// "If a time greater than 2 msec is requested by such a real-time process, the minimum
    /// resolution returns to 20 msec" (Process Suspension); "the time to process a gettimeofday
    /// system call is on the order of 1 microsecond" (Discussion).
    #[test]
    fn a_real_time_sleep_beyond_two_ms_stands_beside_the_twenty_that_it_became() {
        let of = |us: &str, scheduling: &str| {
            let conditions =
                [("mechanism", "nanosleep"), ("scheduling", scheduling), ("requested_us", us)];
            said(&beside("waits", Quantity::Lateness, &conditions))
        };
        assert_eq!(of("10000", "SCHED_FIFO 80"), ["0.005 ms", "20.00 ms", "about 1.00 us"]);
        assert_eq!(of("1000", "SCHED_FIFO 80"), ["0.005 ms", "about 1.00 us"]);
        assert_eq!(of("10000", "ordinary"), ["about 1.00 us", "about 10 or 20.00 ms"]);
    }

    /// "The resulting WAV file was ruined by sixteen dropouts in a three-minute recording", of
    /// ecasound with "the real-time priority flag set", "using an unpatched 2.4.0-test9 kernel with
    /// untuned drives".
    #[test]
    fn what_a_recorder_dropped_is_a_row_of_the_test_of_players() {
        let found = beside("player", Quantity::IntervalDeviation, &[("rate_hz", "2")]);
        assert_eq!(said(&found), ["16"]);
        assert!(found[0].not_comparable.is_some_and(|why| why.contains("three minutes")));
        assert!(found[0].system.contains("2.4.0-test9"));
        assert!(beside("periodic", Quantity::IntervalDeviation, &[("rate_hz", "2")]).is_empty());
    }

    #[test]
    fn pads_stand_beside_the_whole_way_from_tap_to_sound() {
        let found = beside("tap-to-sound", Quantity::TapToSound, &[("step", "total")]);
        let means = found.iter().filter(|one| one.of == MEAN).map(|one| one.value);
        assert_eq!(means.collect::<Vec<_>>(), [9.1, 14.6, 15.8, 2.6, 0.6]);
        assert!(beside("tap-to-sound", Quantity::TapToSound, &[("step", "card")]).is_empty());
    }

    #[test]
    fn figures_of_one_test_stand_beside_no_other_and_each_says_where_it_is_printed() {
        let conditions = [("scheduling", "SCHED_FIFO 90, memory locked"), ("load", "none")];
        let wakeups = beside("wakeup", Quantity::Lateness, &conditions);
        assert!(wakeups.iter().any(|figure| figure.said() == "20.0 us"));
        assert!(beside("waits", Quantity::Lateness, &conditions).is_empty());
        assert!(PUBLISHED.iter().all(|one| !one.place.is_empty() && !one.system.is_empty()));
        let told = |one: &Published| !one.under.is_empty() || one.test == "tap-to-sound";
        assert!(PUBLISHED.iter().all(told), "load, interval and clock stand beside each");
        assert!(
            PUBLISHED.iter().all(|one| !one.source.contains("OSADL")),
            "a caption is no figure"
        );
    }
}

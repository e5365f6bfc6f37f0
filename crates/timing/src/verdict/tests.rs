use super::*;
use crate::{Histogram, Length, Quantity, SampleSeries};
use chronotap_core::time::Nanos;

/// Wake-ups of which `late` are 2 ms late and the rest 20 us, under a load.
fn results(n: usize, late: usize, load: &str) -> Results {
    let times = (0..n).map(|i| Nanos::from_micros(if i < late { 2_000 } else { 20 }));
    let conditions =
        [("scheduling", "SCHED_FIFO 80, memory locked"), ("load", load), ("core", "0")];
    let series = SampleSeries::of(Quantity::Lateness, &conditions, Histogram::of(times));
    let found = TestFound { test: "wakeup".into(), series: vec![series], ..TestFound::default() };
    let mut results = Results::begin("test", "a", "2026-01-01T00:00:00Z", Length::Quick);
    results.tests.push(found);
    results
}

fn fitness(n: usize, late: usize) -> Fitness {
    judge(&results(n, late, "arithmetic"), Purpose::Tapping).fitness
}

#[test]
fn the_share_of_late_wakeups_decides() {
    assert_eq!(fitness(100_000, 0), Fitness::Fit);
    assert_eq!(fitness(100_000, 10), Fitness::Fit);
    assert_eq!(fitness(100_000, 11), Fitness::Reservations);
    assert_eq!(fitness(100_000, 100), Fitness::Reservations);
    assert_eq!(fitness(100_000, 101), Fitness::Unfit);
}

#[test]
fn a_short_run_without_a_late_one_proves_little() {
    let verdict = judge(&results(3_000, 0, "arithmetic"), Purpose::Tapping);
    assert_eq!(verdict.fitness, Fitness::Reservations);
    assert_eq!(verdict.reservations[0], Reservation::TooShort { n: 3_000, bound: 0.001 });
    assert_eq!(fitness(29_999, 0), Fitness::Reservations);
    assert_eq!(fitness(30_000, 0), Fitness::Fit);
}

#[test]
fn the_worst_load_decides_and_is_named() {
    let mut both = results(100_000, 0, "none");
    both.tests[0].series.extend(results(100_000, 500, "arithmetic").tests[0].series.clone());
    let verdict = judge(&both, Purpose::Tapping);
    assert_eq!(verdict.fitness, Fitness::Unfit);
    let wakeups = WakeUps { load: "arithmetic".into(), n: 100_000, late: 500, max_ns: 2_000_000 };
    assert_eq!(verdict.because, Because::WakeUps(wakeups));
}

#[test]
fn an_ordinary_thread_does_not_count_where_a_real_time_one_was_measured() {
    let mut both = results(100_000, 0, "arithmetic");
    let mut ordinary = results(100_000, 90_000, "arithmetic").tests[0].series[0].clone();
    ordinary.conditions.insert("scheduling".into(), "ordinary".into());
    both.tests[0].series.push(ordinary);
    assert_eq!(judge(&both, Purpose::Tapping).fitness, Fitness::Fit);
}

#[test]
fn audio_is_judged_by_half_a_period_and_drop_outs_a_minute() {
    let audio: Purpose = "audio:64@48000".parse().unwrap();
    assert_eq!(audio.limit(), Nanos(666_666));
    let of = |n, late| judge(&results(n, late, "arithmetic"), audio).fitness;
    assert_eq!(of(2_000_000, 0), Fitness::Fit); // 45,000 periods a minute
    assert_eq!(of(2_000_000, 44), Fitness::Reservations);
    assert_eq!(of(2_000_000, 45), Fitness::Unfit);
    assert_eq!(of(90_000, 0), Fitness::Reservations);
}

#[test]
fn what_is_not_known_or_not_granted_is_a_reservation() {
    let idle = judge(&results(100_000, 0, "none"), Purpose::Tapping);
    assert_eq!(idle.fitness, Fitness::Reservations);
    assert_eq!(idle.reservations, [Reservation::Idle]);
    let mut guest = results(100_000, 0, "arithmetic");
    let mut facts = chronotap_machine::facts::Facts::default();
    facts.host.hypervisor = Some(true);
    guest.machine = Some(facts);
    let guest = judge(&guest, Purpose::Tapping);
    assert_eq!(guest.fitness, Fitness::Reservations);
    assert_eq!(guest.reservations, [Reservation::Guest]);
    let nothing = Results::begin("test", "a", "2026-01-01T00:00:00Z", Length::Quick);
    let nothing = judge(&nothing, Purpose::Tapping);
    assert_eq!((nothing.fitness, nothing.because), (Fitness::Unknown, Because::NotMeasured));
    let mut deadline = results(100_000, 0, "arithmetic");
    for series in deadline.tests.iter_mut().flat_map(|found| &mut found.series) {
        series.conditions.insert("scheduling".into(), "SCHED_DEADLINE 100 us in 1000 us".into());
    }
    let deadline = judge(&deadline, Purpose::Tapping);
    assert_eq!((deadline.fitness, deadline.because), (Fitness::Unknown, Because::OtherClass));
}

#[test]
fn ports_that_lose_messages_are_unfit() {
    let mut results = results(100_000, 0, "arithmetic");
    let series = SampleSeries::of(Quantity::RoundTrip, &[("ports", "seq:loop")], Histogram::new());
    let series = vec![series.with(crate::FAULTS, 3.0)];
    results.tests.push(TestFound { test: "loop".into(), series, ..TestFound::default() });
    let verdict = judge(&results, Purpose::Tapping);
    assert_eq!(verdict.fitness, Fitness::Unfit);
    let faulty = Because::FaultyPorts { ports: "seq:loop".into(), faults: 3.0 };
    assert_eq!(verdict.because, faulty);
}

#[test]
fn purposes_are_read_as_they_are_written_and_refused_with_the_form() {
    assert_eq!("tapping".parse(), Ok(Purpose::Tapping));
    assert_eq!("audio:16@96000".parse(), Ok(Purpose::Audio { frames: 16, rate: 96_000 }));
    for wrong in ["", "taping", "audio", "audio:64", "audio:0@48000", "audio:64@4"] {
        assert_eq!(wrong.parse::<Purpose>(), Err(PurposeError(wrong.to_owned())));
    }
}

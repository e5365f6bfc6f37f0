//! The waits test, on waits whose lateness was chosen, and on the machine's own as far
//! as laws go that hold on any.

use crate::common::run;
use assert_no_alloc::assert_no_alloc;
use chronotap_bench::mechanisms::{HeldSignals, Mechanism, Wait};
use chronotap_bench::studies::{WaitsTest, take_pauses};
use chronotap_bench::timing::{
    Histogram, Length, Quantity, RealTimer, Statistics, TestFound, Timer,
};
use chronotap_core::time::Nanos;
use std::cell::Cell;
use std::rc::Rc;

/// A clock that stands until a wait moves it.
#[derive(Clone, Default)]
struct Still(Rc<Cell<i64>>);

impl Timer for Still {
    fn now(&mut self) -> Nanos {
        Nanos(self.0.get())
    }

    fn sleep_until(&mut self, at: Nanos) {
        self.0.set(self.0.get().max(at.0));
    }
}

/// Ends so much too late, in turn.
struct Late {
    clock: Still,
    lateness_ns: Vec<i64>,
    turn: usize,
}

impl Wait for Late {
    fn wait(&mut self, begin: Nanos, span: Nanos) -> std::io::Result<()> {
        let late = self.lateness_ns[self.turn % self.lateness_ns.len()];
        self.turn += 1;
        self.clock.sleep_until(begin + span + Nanos(late));
        Ok(())
    }
}

#[test]
fn known_lateness_and_stalls_are_recovered_exactly() {
    let clock = Still::default();
    // 99 waits between 1.000 and 1.980 us late, and a stall of 7 ms.
    let mut lateness_ns: Vec<i64> = (0..99).map(|n| 1_000 + n * 10).collect();
    lateness_ns.push(7_000_000);
    let mut wait = Late { clock: clock.clone(), lateness_ns, turn: 0 };
    let span = Nanos::from_micros(500);
    let mut pauses = vec![Nanos::ZERO; 200];
    let taken = take_pauses(&mut clock.clone(), &mut wait, span, &mut pauses, || false);
    assert_eq!(taken.unwrap(), 200);
    let found = Statistics::of(&Histogram::of(pauses.iter().map(|pause| *pause - span)));
    assert_eq!((found.n, found.min_ns, found.max_ns), (200, Some(1_000), Some(7_000_000)));
    assert_eq!(found.mean_ns, Some((99.0 * 1_490.0 + 7_000_000.0) / 100.0));
    assert_eq!((found.median_ns, found.p99_ns), (Some(1_490), Some(1_980)));
}

#[test]
fn an_interruption_keeps_the_pauses_taken_until_then() {
    let clock = Still::default();
    let mut wait = Late { clock: clock.clone(), lateness_ns: vec![0], turn: 0 };
    let mut looks = 0;
    let ended = || {
        looks += 1;
        looks > 3
    };
    let mut pauses = vec![Nanos::ZERO; 10];
    let taken = take_pauses(&mut clock.clone(), &mut wait, Nanos(5), &mut pauses, ended);
    assert_eq!(taken.unwrap(), 3);
    assert_eq!(&pauses[..4], [5, 5, 5, 0].map(Nanos));
}

#[test]
fn no_wait_allocates() {
    let work = || {
        let _held = HeldSignals::all();
        let mut pauses = [Nanos::ZERO; 3];
        for mechanism in Mechanism::ALL {
            let Ok(mut wait) = mechanism.open() else { continue };
            let span = Nanos::from_micros(1_500);
            let mut timer = RealTimer;
            assert_no_alloc(|| take_pauses(&mut timer, wait.as_mut(), span, &mut pauses, || false))
                .unwrap();
        }
    };
    std::thread::spawn(work).join().unwrap();
}

fn waited(mechanisms: Vec<Mechanism>) -> (TestFound, Vec<f64>) {
    run(&WaitsTest { mechanisms, core: 0, pauses: None }, Length::Quick)
}

#[test]
fn every_mechanism_is_measured_or_refused_with_the_reason() {
    // The alarm is refused here: the test program's own threads would be given it.
    let asked = [Mechanism::Setitimer, Mechanism::Timerfd, Mechanism::Hpet, Mechanism::Hybrid];
    let (found, done) = waited(asked.to_vec());
    for mechanism in asked {
        let name = mechanism.name();
        let of = |series: &&chronotap_bench::timing::SampleSeries| {
            series.condition("mechanism") == Some(name)
        };
        let series: Vec<_> = found.series.iter().filter(of).collect();
        let refused = found.notes.iter().any(|note| note.starts_with(name));
        assert!(series.is_empty() == refused, "{name}: {:?}", found.notes);
    }
    let refused = |note: &String| note.contains("setitimer") && note.contains("SIGALRM");
    assert_eq!(found.notes.iter().filter(|note| refused(note)).count(), 1, "{:?}", found.notes);
    assert!(done.iter().all(|done| (0.0..=1.0).contains(done)));
}

#[test]
fn no_pause_is_shorter_than_asked_and_every_share_is_one() {
    let (found, _) = waited(vec![Mechanism::ClockNanosleepAbsolute]);
    assert_eq!(found.series.len(), 9, "three pauses under three schedulings");
    for series in &found.series {
        assert_eq!(series.quantity, Quantity::Lateness);
        assert!(series.statistics.min_ns >= Some(0), "{series:?}");
        let asked_us: f64 = series.condition("requested_us").unwrap().parse().unwrap();
        assert!(series.figures["smallest_pause_ns"] >= asked_us * 1e3);
        assert!(series.figures["overhead_ns"] >= 0.0);
        for share in ["cpu_share", "left_to_others_share"] {
            // The companion's own count may lag by a step of its loop.
            assert!((-0.01..=1.1).contains(&series.figures[share]), "{share}: {series:?}");
        }
    }
}

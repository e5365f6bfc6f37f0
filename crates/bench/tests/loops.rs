//! The loop test on a virtual wire, where every figure is known beforehand, and on
//! a wire whose faults were chosen.

use chronotap_bench::timing::{CirculationReport, CirculationTest, RateLimit, in_virtual_time};
use chronotap_core::midi::{Message, U7};
use chronotap_core::time::Nanos;
use chronotap_engine::action::Action;
use chronotap_engine::signal::{Arrival, Port, PortCounts, PortError, Readiness, Written};
use chronotap_simulate::{FarEnd, Wire};
use chronotap_trial::Ports;

/// What is done to the k-th message sent, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    Drop(u64),
    Double(u64),
    Change(u64),
    Delay(u64, Nanos),
}

/// A looped wire with faults.
struct Faulty {
    wire: Wire,
    faults: Vec<Fault>,
    sent: u64,
    held: Vec<(Nanos, Action)>, // delayed messages and when they go out
}

impl Faulty {
    fn new(faults: &[Fault]) -> Faulty {
        let wire = Wire::new(None, FarEnd::Loop { input: 0 });
        Faulty { wire, faults: faults.to_vec(), sent: 0, held: Vec::new() }
    }
}

impl Port for Faulty {
    fn readiness(&self) -> Readiness<'_> {
        let held = self.held.iter().map(|(at, _)| *at);
        let arriving = match self.wire.readiness() {
            Readiness::At(at) => Some(at),
            _ => None,
        };
        held.chain(arriving).min().map_or(Readiness::Never, Readiness::At)
    }

    fn read(&mut self, now: Nanos, arrived: &mut dyn FnMut(Arrival)) -> Result<(), PortError> {
        let (due, held) = self.held.drain(..).partition(|(at, _)| *at <= now);
        self.held = held;
        let due: Vec<(Nanos, Action)> = due;
        for (at, action) in due {
            self.wire.write(&action, at)?;
        }
        self.wire.read(now, arrived)
    }

    fn write(&mut self, action: &Action, now: Nanos) -> Result<Written, PortError> {
        self.sent += 1;
        let n = self.sent;
        let mut action = *action;
        for fault in self.faults.clone() {
            match fault {
                Fault::Drop(k) if k == n => return Ok(Written::Now),
                Fault::Double(k) if k == n => {
                    self.wire.write(&action, now)?;
                }
                Fault::Change(k) if k == n => action.message = action.message.map(another),
                Fault::Delay(k, by) if k == n => {
                    self.held.push((now + by, action));
                    return Ok(Written::Now);
                }
                _ => {}
            }
        }
        self.wire.write(&action, now)
    }

    fn counts(&self) -> PortCounts {
        self.wire.counts()
    }
}

/// A message of another key, one that the test never sends.
fn another(message: Message) -> Message {
    let key = U7::from_byte(100);
    match message {
        Message::NoteOn { channel, velocity, .. } => {
            Message::NoteOn { channel, note: key, velocity }
        }
        Message::NoteOff { channel, velocity, .. } => {
            Message::NoteOff { channel, note: key, velocity }
        }
        other => other,
    }
}

fn report(test: CirculationTest, port: Box<dyn Port>) -> CirculationReport {
    let mut rig = Ports::new(1, 1);
    rig.add(port, &[0], &[0]).expect("one port is within the limit");
    CirculationReport::of(
        &in_virtual_time(test, rig).expect("the count is in range"),
        "wire:loop",
        "wire:loop",
    )
}

fn with_faults(faults: &[Fault]) -> CirculationReport {
    report(CirculationTest::Loop { inputs: 1_000 }, Box::new(Faulty::new(faults)))
}

fn counted(report: &CirculationReport) -> [u64; 6] {
    let m = report.messages;
    [m.lost, m.doubled, m.changed, m.out_of_order, m.unknown, m.refused]
}

#[test]
fn on_a_cable_of_31250_baud_every_interval_is_960_microseconds() {
    let found = report(CirculationTest::Loop { inputs: 10_000 }, Box::new(Faulty::new(&[])));
    let intervals = found.intervals.clone().unwrap();
    assert_eq!((intervals.mean_us, intervals.min_us, intervals.max_us), (960.0, 960.0, 960.0));
    assert_eq!(intervals.sd_us, Some(0.0));
    assert_eq!(found.bound, Some(RateLimit::Wire));
    assert!(found.fit && found.complete && found.starts == 1, "{found}");
    assert_eq!((found.messages.received, counted(&found)), (10_000, [0; 6]));
    assert!((found.messages_per_s.unwrap() - 1_041.667).abs() < 1e-3);
}

#[test]
fn a_lost_message_is_counted_and_the_loop_goes_on() {
    for nth in [100, 101] {
        let found = with_faults(&[Fault::Drop(nth)]);
        assert_eq!(counted(&found), [1, 0, 0, 0, 0, 0], "message {nth}\n{found}");
        assert!(!found.fit && found.complete);
    }
    let found = with_faults(&[Fault::Drop(50), Fault::Drop(200), Fault::Drop(301)]);
    assert_eq!(counted(&found), [3, 0, 0, 0, 0, 0], "{found}");
}

#[test]
fn a_doubled_message_is_counted_once() {
    for nth in [100, 101] {
        let found = with_faults(&[Fault::Double(nth)]);
        assert_eq!(counted(&found), [0, 1, 0, 0, 0, 0], "message {nth}\n{found}");
    }
    let found = with_faults(&[Fault::Double(60), Fault::Double(61), Fault::Double(200)]);
    assert_eq!(counted(&found), [0, 3, 0, 0, 0, 0], "{found}");
}

#[test]
fn a_changed_message_is_neither_lost_nor_unknown() {
    for nth in [100, 101] {
        let found = with_faults(&[Fault::Change(nth)]);
        assert_eq!(counted(&found), [0, 0, 1, 0, 0, 0], "message {nth}\n{found}");
    }
}

#[test]
fn a_delayed_message_shows_in_the_maximum_and_not_in_the_counts() {
    let late = Nanos::from_millis(20);
    let single = CirculationTest::Single { samples: 100 };
    let found = report(single, Box::new(Faulty::new(&[Fault::Delay(50, Nanos::from_millis(8))])));
    assert_eq!(counted(&found), [0; 6], "{found}");
    assert_eq!(found.round_trips.clone().unwrap().max_us, 8_960.0);
    assert!(!found.fit, "above 6 ms");
    // One that another passes is out of order.
    let found = with_faults(&[Fault::Delay(100, late)]);
    assert_eq!((found.messages.lost, found.messages.out_of_order), (0, 1), "{found}");
}

#[test]
fn all_faults_together_are_told_apart() {
    let faults = [Fault::Drop(100), Fault::Double(300), Fault::Change(501), Fault::Drop(700)];
    assert_eq!(counted(&with_faults(&faults)), [2, 1, 1, 0, 0, 0]);
}

#[test]
fn single_messages_on_a_cable_take_960_microseconds_each() {
    let found = report(CirculationTest::Single { samples: 1_000 }, Box::new(Faulty::new(&[])));
    let trips = found.round_trips.clone().unwrap();
    assert_eq!((trips.n, trips.min_us, trips.max_us), (1_000, 960.0, 960.0));
    assert_eq!((trips.peak_jitter_us, trips.average_jitter_us), (0.0, 0.0));
    assert!(found.fit && found.complete && found.bound.is_none(), "{found}");
}

#[test]
fn a_silent_far_end_ends_the_test_with_the_cure() {
    let found =
        report(CirculationTest::Loop { inputs: 100 }, Box::new(Wire::new(None, FarEnd::Silence)));
    assert!(!found.fit && !found.complete);
    assert_eq!(found.messages.received, 0);
    assert!(found.reasons[0].contains("no message came back"), "{found}");
}

#[test]
fn the_report_keeps_to_80_columns() {
    let found = with_faults(&[Fault::Drop(100), Fault::Double(300)]).to_string();
    let widest = found.lines().max_by_key(|line| line.chars().count()).unwrap();
    assert!(widest.chars().count() <= 80, "{widest}");
}

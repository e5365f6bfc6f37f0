//! Laws of the virtual wire: a serial line is never in two places at once, and
//! when and how often it is read changes nothing of what arrives.

use chronotap_core::midi::{Channel, Message, U7};
use chronotap_core::time::Nanos;
use chronotap_engine::action::{Action, ActionKind};
use chronotap_engine::perturbation::Perturbation;
use chronotap_engine::signal::{Heard, Performer, Port, Sent};
use chronotap_simulate::{FarEnd, Wire};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

const NOTE_NS: i64 = 960_000;

fn note(number: u8) -> Message {
    let (note, velocity) = (U7::from_byte(number), U7::MAX);
    Message::NoteOn { channel: Channel::ONE, note, velocity }
}

fn action(number: u32) -> Action {
    let (deadline, instant) = (Nanos::ZERO, Nanos::ZERO);
    let message = Some(note(number as u8));
    Action {
        id: 1,
        kind: ActionKind::Pacing(0),
        number,
        cause: 0,
        deadline,
        instant,
        port: 0,
        message,
        perturbation: Perturbation::NONE,
    }
}

/// Reads up to `until` in steps that cycle through `steps`, then at `until`.
fn read_up_to(wire: &mut Wire, from: i64, until: i64, steps: &[i64]) -> Vec<(Nanos, Message)> {
    let mut all = Vec::new();
    let mut now = from;
    for step in steps.iter().cycle() {
        now = (now + step).min(until);
        wire.read(Nanos(now), &mut |a| all.push((a.at, a.message)))
            .expect("a wire is never closed");
        if now == until {
            return all;
        }
    }
    all
}

/// A listener that takes its plans back: everything it hears drops what it had
/// planned for later than 3 ms from then, and plans taps at odd distances.
struct Fickle {
    planned: BTreeSet<i64>,
    order: Arc<Mutex<Vec<i64>>>,
    distances: Vec<i64>,
}

impl Performer for Fickle {
    fn hear(&mut self, heard: Heard) {
        self.order.lock().expect("unpoisoned").push(heard.at.0);
        self.planned.retain(|at| *at < heard.at.0 + 3_000_000);
        self.planned.extend(self.distances.iter().map(|d| heard.at.0 + d));
    }
    fn next(&self) -> Option<Nanos> {
        self.planned.first().copied().map(Nanos)
    }
    fn send(&mut self) -> Option<Sent> {
        let at = self.planned.pop_first()?;
        self.order.lock().expect("unpoisoned").push(at);
        Some(Sent { input: 0, at: Nanos(at), message: note(50) })
    }
}

type Ran = (Vec<(Nanos, Message)>, Vec<i64>);

fn with_fickle(gaps: &[i64], distances: &[i64], steps: &[i64]) -> Ran {
    let order = Arc::default();
    let distances = distances.to_vec();
    let fickle = Fickle { planned: BTreeSet::new(), order: Arc::clone(&order), distances };
    let mut wire = Wire::new(None, FarEnd::Performer(Box::new(fickle)));
    let (mut now, mut all) = (0, Vec::new());
    for (n, gap) in gaps.iter().enumerate() {
        all.extend(read_up_to(&mut wire, now, now + gap, steps));
        now += gap;
        let _ = wire.write(&action(n as u32), Nanos(now));
    }
    all.extend(read_up_to(&mut wire, now, now + 1_000_000_000, &[50_000_000]));
    let order = order.lock().expect("unpoisoned").clone();
    (all, order)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

    #[test]
    fn looped_messages_keep_their_order_and_their_distance(gaps in prop::collection::vec(0i64..3_000_000, 1..50)) {
        let mut wire = Wire::new(None, FarEnd::Loop { input: 0 });
        let (mut now, mut free, mut expected) = (0, 0, Vec::new());
        for (n, gap) in gaps.iter().enumerate() {
            now += gap;
            wire.write(&action(n as u32), Nanos(now)).expect("room");
            free = now.max(free) + NOTE_NS;
            expected.push((Nanos(free), note(n as u8)));
        }
        prop_assert_eq!(read_up_to(&mut wire, 0, free, &[70_000_000]), expected);
    }

    #[test]
    fn reading_often_or_seldom_changes_nothing(
        gaps in prop::collection::vec(1i64..5_000_000, 1..30),
        distances in prop::collection::vec(100_000i64..9_000_000, 1..4),
        steps in prop::collection::vec(10_000i64..4_000_000, 1..5),
    ) {
        let often = with_fickle(&gaps, &distances, &steps);
        let seldom = with_fickle(&gaps, &distances, &[1_000_000_000]);
        prop_assert!(often.1.is_sorted(), "heard and sent out of order: {:?}", often.1);
        prop_assert_eq!(often, seldom);
    }

    #[test]
    fn arrivals_are_never_closer_than_a_message(
        gaps in prop::collection::vec(1i64..5_000_000, 1..30),
        distances in prop::collection::vec(100_000i64..2_000_000, 1..6),
    ) {
        let (all, _) = with_fickle(&gaps, &distances, &[500_000]);
        for pair in all.windows(2) {
            prop_assert!(pair[1].0 - pair[0].0 >= Nanos(NOTE_NS));
        }
    }
}

/// Finney's loop: two messages circulate, each arrival sends the next.
#[test]
fn two_messages_on_a_loop_come_in_every_960_microseconds() {
    let mut wire = Wire::new(None, FarEnd::Loop { input: 0 });
    wire.write(&action(1), Nanos(1)).expect("room");
    wire.write(&action(2), Nanos(1)).expect("room");
    let mut last = Nanos(1);
    for _ in 0..10_000 {
        let chronotap_engine::signal::Readiness::At(at) = wire.readiness() else {
            panic!("nothing under way")
        };
        assert_eq!(at - last, Nanos(NOTE_NS));
        last = at;
        let late = at + Nanos::from_micros(70); // woken late: the other one is on the line
        wire.read(late, &mut |_| ()).expect("open");
        wire.write(&action(3), late).expect("room");
    }
}

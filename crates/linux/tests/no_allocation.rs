//! The hot path of every port for real time: reading and writing never allocate.

use assert_no_alloc::assert_no_alloc;
use chronotap_core::midi::{Channel, Message, U7};
use chronotap_core::time::Nanos;
use chronotap_engine::action::{Action, ActionKind};
use chronotap_engine::perturbation::Perturbation;
use chronotap_engine::signal::{Heard, Performer, Port, Sent};
use chronotap_linux::ports::RawPort;
use chronotap_simulate::{FarEnd, Wire};
use chronotap_testkit_linux::terminal::terminal;

const NOTE: Message =
    Message::NoteOn { channel: Channel::ONE, note: U7::MAX, velocity: U7::from_byte(90) };

fn tone() -> Action {
    let (deadline, instant) = (Nanos::ZERO, Nanos::ZERO);
    let message = Some(NOTE);
    Action {
        id: 1,
        kind: ActionKind::Pacing(0),
        number: 1,
        cause: 0,
        deadline,
        instant,
        port: 0,
        message,
        perturbation: Perturbation::NONE,
    }
}

/// Answers every second thing it hears after 1 ms.
#[derive(Default)]
struct Partner {
    heard: u32,
    next: Option<Nanos>,
}

impl Performer for Partner {
    fn hear(&mut self, heard: Heard) {
        self.heard += 1;
        if self.heard.is_multiple_of(2) {
            self.next = Some(heard.at + Nanos::from_millis(1));
        }
    }
    fn next(&self) -> Option<Nanos> {
        self.next
    }
    fn send(&mut self) -> Option<Sent> {
        self.next.take().map(|at| Sent { input: 0, at, message: NOTE })
    }
}

#[test]
fn wires_neither_allocate_when_written_nor_when_read() {
    for far_end in [
        FarEnd::Loop { input: 0 },
        FarEnd::Performer(Box::new(Partner::default())),
        FarEnd::Silence,
    ] {
        let mut wire = Wire::new(None, far_end);
        let mut arrived = 0u32;
        assert_no_alloc(|| {
            for n in 0..20_000 {
                // faster than the line, so that the buffer and the queue fill up
                let _ = wire.write(&tone(), Nanos::from_micros(100 * n));
                let _ = wire.readiness();
                let _ = wire.read(Nanos::from_micros(100 * n), &mut |_| arrived += 1);
            }
        });
        assert!(wire.counts().lost > 0);
    }
}

#[test]
fn raw_ports_neither_allocate_when_written_nor_when_read() {
    let (master, path) = terminal();
    let mut port = RawPort::open(&path, Some(0), true).unwrap();
    let mut arrived = 0u32;
    let mut buffer = [0u8; 64];
    assert_no_alloc(|| {
        for n in 0..200 {
            rustix::io::write(&master, &[0x90, 60, 100]).unwrap();
            port.read(Nanos(n), &mut |_| arrived += 1).unwrap();
            port.write(&tone(), Nanos(n)).unwrap();
            rustix::io::read(&master, &mut buffer).unwrap();
        }
        for n in 0..20_000 {
            let _ = port.write(&tone(), Nanos(n)); // until nobody takes it any more
        }
    });
    assert_eq!(arrived, 200);
    assert!(port.counts().lost > 0);
}

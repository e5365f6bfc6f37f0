//! What is said of a verdict on the timing of this machine.

use chronotap_bench::timing::{Because, Reservation, TimingVerdict, WakeUps, spoken};
use chronotap_report::Spoken;

/// A verdict in words.
pub fn verdict(verdict: &TimingVerdict) -> Spoken {
    Spoken {
        purpose: verdict.purpose.to_string(),
        fitness: verdict.fitness,
        because: because(verdict),
        reservations: verdict.reservations.iter().map(reservation).collect(),
    }
}

fn because(verdict: &TimingVerdict) -> String {
    match &verdict.because {
        Because::NotMeasured => {
            "wake-ups were not measured; `chronotap timing wakeup` does it".into()
        }
        Because::OtherClass => {
            "the wake-ups were those of the deadline class, which no trial has; \
                                leave out --deadline"
                .into()
        }
        Because::WakeUps(wakeups) => wake_ups(wakeups, &spoken(verdict.purpose.limit().0 as f64)),
        Because::FaultyPorts { ports, faults } => {
            format!("{faults:.0} messages through {ports} were lost, doubled or changed")
        }
    }
}

fn wake_ups(wakeups: &WakeUps, limit: &str) -> String {
    let WakeUps { load, n, late, max_ns } = wakeups;
    let under = if load == "none" { String::new() } else { format!(" under {load}") };
    let (n, greatest) = (thousands(*n), spoken(*max_ns as f64));
    match late {
        0 => format!("none of {n} wake-ups{under} was {limit} late; the latest {greatest}"),
        late => format!(
            "{} of {n} wake-ups{under} ({}) were {limit} late or more; the latest {greatest}",
            thousands(*late),
            share(wakeups.rate())
        ),
    }
}

fn reservation(reservation: &Reservation) -> String {
    match reservation {
        Reservation::TooShort { n, bound } if *bound >= 1.0 => {
            format!("too short a run: {n} wake-ups show nothing of those that are late; try --full")
        }
        Reservation::TooShort { n, bound } => format!(
            "too short a run: {n} wake-ups show only that fewer than {} are late; try --full",
            share(*bound)
        ),
        Reservation::Guest => {
            "this is a virtual machine or a container: its host can stall it at any time".into()
        }
        Reservation::RightsRefused => {
            "not every real-time right was granted; `chronotap doctor` says what cures it".into()
        }
        Reservation::Interrupted => "the wake-ups were interrupted".into(),
        Reservation::Idle => {
            "wake-ups were measured on an idle machine; `--load contending` shows more".into()
        }
    }
}

/// A share as people say it: `1 in 2,000`.
fn share(rate: f64) -> String {
    match rate {
        rate if rate <= 0.0 => "none".into(),
        rate if rate >= 0.1 => format!("{:.0} %", rate * 100.0),
        rate => format!("1 in {}", thousands((1.0 / rate).round() as u64)),
    }
}

/// A whole number with a comma before every three digits.
fn thousands(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use chronotap_bench::timing::{Fitness, Purpose};

    fn said(because: Because, reservations: Vec<Reservation>) -> Spoken {
        let (purpose, fitness) = (Purpose::Tapping, Fitness::Reservations);
        verdict(&TimingVerdict { purpose, fitness, because, reservations })
    }

    #[test]
    fn a_verdict_is_said_with_what_it_rests_on() {
        let of = |late, load: &str| {
            let wakeups = WakeUps { load: load.into(), n: 100_000, late, max_ns: 2_000_000 };
            said(Because::WakeUps(wakeups), Vec::new()).because
        };
        assert_eq!(
            of(500, "arithmetic"),
            "500 of 100,000 wake-ups under arithmetic (1 in 200) were 1.00 ms late or more; \
             the latest 2.00 ms"
        );
        assert_eq!(of(0, "none"), "none of 100,000 wake-ups was 1.00 ms late; the latest 2.00 ms");
        let faulty = Because::FaultyPorts { ports: "seq:loop".into(), faults: 3.0 };
        let lossy = said(faulty, Vec::new()).because;
        assert_eq!(lossy, "3 messages through seq:loop were lost, doubled or changed");
    }

    #[test]
    fn a_reservation_says_what_would_lift_it() {
        let all = [
            Reservation::TooShort { n: 3_000, bound: 0.001 },
            Reservation::TooShort { n: 2, bound: 1.5 },
            Reservation::Guest,
            Reservation::RightsRefused,
            Reservation::Interrupted,
            Reservation::Idle,
        ];
        assert_eq!(
            said(Because::NotMeasured, all.to_vec()).reservations,
            [
                "too short a run: 3000 wake-ups show only that fewer than 1 in 1,000 are late; try \
                 --full",
                "too short a run: 2 wake-ups show nothing of those that are late; try --full",
                "this is a virtual machine or a container: its host can stall it at any time",
                "not every real-time right was granted; `chronotap doctor` says what cures it",
                "the wake-ups were interrupted",
                "wake-ups were measured on an idle machine; `--load contending` shows more",
            ]
        );
    }
}

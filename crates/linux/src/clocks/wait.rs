//! Waits: an absolute sleep, and a bounded spin for the last stretch.
//!
//! Background: a thread that sleeps until a deadline wakes up late, by some tens
//! of microseconds (timer interrupt, exit from the idle state, scheduling; for an
//! ordinary thread the timer slack too). A thread that spins is on time to the
//! tenth of a microsecond, but takes a processor for itself.
//! Solution: sleep until a little before the deadline (the [`Guard`]), then spin.
//! Why it works: the guard is the lateness that this machine shows for nearly all
//! its wake-ups, measured at the start, so the sleep ends before the deadline and
//! the spin lasts tens of microseconds. Sleeps are absolute and on
//! CLOCK_MONOTONIC: a relative sleep adds the time between reading the clock and
//! going to sleep, and the wall clock may be stepped in between. What the spins may
//! take is bounded by [`SpinBudget`], far below the 95 % of a second at which
//! Linux takes the processor from real-time threads for 50 ms.
//! Example: FIFO, 1 ms apart: mean lateness some 25 us by sleeping alone, 1.4 us
//! with 100 us of guard; the greatest lateness stays, since it is not the sleep's.

use crate::clocks::MonotonicClock;
use crate::clocks::clock::nanos;
use chronotap_core::time::{Clock, Nanos};
use rustix::io::Errno;
use rustix::thread::{ClockId, clock_nanosleep_absolute};
use rustix::time::Timespec;

/// Sleeps until `raw`, a time of CLOCK_MONOTONIC itself; at once where it has
/// passed. A signal does not end it.
pub fn sleep_until(raw: Nanos) {
    let at = timespec(raw);
    while clock_nanosleep_absolute(ClockId::Monotonic, &at) == Err(Errno::INTR) {}
}

/// A time as the kernel's calls want it; times before 0 become 0.
pub fn timespec(at: Nanos) -> Timespec {
    let ns = at.0.max(0);
    Timespec { tv_sec: ns / 1_000_000_000, tv_nsec: ns % 1_000_000_000 }
}

impl MonotonicClock {
    /// Sleeps until this clock reads `at`.
    pub fn sleep_until(&self, at: Nanos) {
        sleep_until(self.to_raw(at));
    }

    /// Sleeps until `guard` before `at`, then spins where the budget allows, else
    /// sleeps on. Gives the time of the return.
    pub fn wait_until(&self, at: Nanos, guard: &mut Guard, spins: &mut SpinBudget) -> Nanos {
        let wake = at - guard.span();
        self.sleep_until(wake);
        guard.woke(self.now() - wake);
        if spins.allows(self.now(), guard.span()) {
            return self.spin_until(at, spins);
        }
        self.sleep_until(at);
        self.now()
    }

    /// Spins until this clock reads `at`, and charges the budget. Ask
    /// [`SpinBudget::allows`] first. Gives the time of the return.
    pub fn spin_until(&self, at: Nanos, spins: &mut SpinBudget) -> Nanos {
        let begin = self.now();
        let mut now = begin;
        while now < at {
            std::hint::spin_loop();
            now = self.now();
        }
        spins.charge(begin, now);
        now
    }
}

/// How long before a deadline the sleep ends and the spin begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guard {
    span: Nanos,
    measured: Nanos,
}

impl Guard {
    /// The least guard.
    pub const LEAST: Nanos = Nanos::from_micros(20);
    /// The greatest guard, and so the longest single spin.
    pub const GREATEST: Nanos = Nanos::from_micros(300);

    /// Measures the lateness of some 30 sleeps on the calling thread, in at most
    /// 25 ms: twice the lateness of all but the two latest, within 20 to 300 us.
    /// Call it with the scheduling that the trial will have.
    pub fn calibrate() -> Guard {
        let mut late = [Nanos::ZERO; CALIBRATION_SLEEPS];
        let end = MonotonicClock::raw() + Nanos::from_millis(20);
        let mut slept = 0;
        while slept < late.len() && MonotonicClock::raw() < end {
            // 200 to 500 us, unlike each other so as not to lock to a tick
            let length = Nanos::from_micros(200 + (slept as i64 * 137) % 300);
            let at = MonotonicClock::raw() + length;
            sleep_until(at);
            late[slept] = MonotonicClock::raw() - at;
            slept += 1;
        }
        Guard::from_lateness(&mut late[..slept])
    }

    /// A guard for measured lateness of wake-ups; sorts them. Set aside are the two
    /// latest of 30 (a stalled virtual machine is no property of its timers).
    pub fn from_lateness(late: &mut [Nanos]) -> Guard {
        late.sort_unstable();
        let place = (late.len() * 28 / 30).saturating_sub(1);
        let high = late.get(place).copied().unwrap_or(Nanos::from_micros(50));
        Guard::fixed(high * 2)
    }

    /// A guard of this length, kept within 20 to 300 us.
    pub fn fixed(span: Nanos) -> Guard {
        let span = span.clamp(Guard::LEAST, Guard::GREATEST);
        Guard { span, measured: span }
    }

    /// The guard as it stands.
    pub const fn span(&self) -> Nanos {
        self.span
    }

    /// The guard of the next wait, when `spun` was spun in the last second. Up to half of what may
    /// be spun it is the guard as it stands; from three quarters on it is the calibrated one;
    /// between them it shrinks evenly. A machine that stalled has made the guard long, and many
    /// waits with a long guard would use up the spins: a wait without one ends as late as a sleep.
    pub fn afforded(&self, spun: Nanos) -> Nanos {
        let quarter = SpinBudget::PER_SECOND / 4;
        let left = (quarter * 3 - spun).clamp(Nanos::ZERO, quarter);
        self.measured + Nanos((self.span - self.measured).0 * left.0 / quarter.0)
    }

    /// The guard as it was calibrated.
    pub const fn measured(&self) -> Nanos {
        self.measured
    }

    /// Learns from a wake-up that was `late` after the time asked of the kernel: a
    /// guard that was too short grows by a quarter, one that was long enough goes
    /// back towards what was measured by a 1024th of the difference. So it settles
    /// where about one wake-up in a thousand is later.
    pub fn woke(&mut self, late: Nanos) {
        self.span = if late > self.span {
            (self.span * 5 / 4).min(Guard::GREATEST)
        } else {
            self.span - (self.span - self.measured) / 1024
        };
    }
}

const CALIBRATION_SLEEPS: usize = 30;

/// Keeps spinning below a fifth of the last second, so that the machine stays
/// usable and real-time throttling is never met.
#[derive(Clone, Debug)]
pub struct SpinBudget {
    slots: [Nanos; SLOTS], // spun in each tenth of a second, a ring
    slot: i64,             // number of the newest tenth since time 0
    spun: Nanos,
    refused: u64,
}

/// Ten whole tenths of a second and the one under way.
const SLOTS: usize = 11;
const SLOT: Nanos = Nanos::from_millis(100);

impl Default for SpinBudget {
    fn default() -> SpinBudget {
        SpinBudget::new()
    }
}

impl SpinBudget {
    /// What may be spun in a second.
    pub const PER_SECOND: Nanos = Nanos::from_millis(200);

    /// A budget of which nothing is spent.
    pub const fn new() -> SpinBudget {
        SpinBudget { slots: [Nanos::ZERO; SLOTS], slot: 0, spun: Nanos::ZERO, refused: 0 }
    }

    /// Whether `span` more may be spun at `now`; a refusal is counted.
    pub fn allows(&mut self, now: Nanos, span: Nanos) -> bool {
        let allowed = self.recent(now) + span <= SpinBudget::PER_SECOND;
        self.refused += u64::from(!allowed);
        allowed
    }

    /// Spun in the last second before `now`, and in up to a tenth more.
    pub fn recent(&mut self, now: Nanos) -> Nanos {
        self.turn(now);
        self.slots.iter().copied().sum()
    }

    /// Records a spin that ended at `end`.
    pub fn charge(&mut self, begin: Nanos, end: Nanos) {
        self.turn(end);
        let span = (end - begin).max(Nanos::ZERO);
        self.slots[self.slot.rem_euclid(SLOTS as i64) as usize] += span;
        self.spun += span;
    }

    /// Spun in all.
    pub const fn spun(&self) -> Nanos {
        self.spun
    }

    /// How often a spin was refused.
    pub const fn refused(&self) -> u64 {
        self.refused
    }

    /// Empties the tenths that lie more than a second back.
    fn turn(&mut self, now: Nanos) {
        let slot = now.0.div_euclid(SLOT.0);
        for passed in 1..=(slot - self.slot).clamp(0, SLOTS as i64) {
            self.slots[(self.slot + passed).rem_euclid(SLOTS as i64) as usize] = Nanos::ZERO;
        }
        self.slot = self.slot.max(slot);
    }
}

/// The smallest step of CLOCK_MONOTONIC timers: 1 ns where the kernel has
/// high-resolution timers, else the length of its tick.
pub fn timer_resolution() -> Nanos {
    nanos(rustix::time::clock_getres(ClockId::Monotonic))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_never_ends_before_its_deadline() {
        let clock = MonotonicClock::start();
        let (mut guard, mut spins) = (Guard::calibrate(), SpinBudget::new());
        for n in 1..=5 {
            let at = clock.now() + Nanos::from_micros(300 * n);
            assert!(clock.wait_until(at, &mut guard, &mut spins) >= at);
        }
        clock.sleep_until(Nanos(-5)); // past: returns at once
    }

    #[test]
    fn the_guard_passes_over_single_stalls_and_stays_within_its_bounds() {
        let mut late = [Nanos::from_micros(60); 30];
        late[3] = Nanos::from_millis(4);
        late[17] = Nanos::from_millis(9);
        assert_eq!(Guard::from_lateness(&mut late).span(), Nanos::from_micros(120));
        assert_eq!(Guard::from_lateness(&mut [Nanos(1)]).span(), Guard::LEAST);
        assert_eq!(Guard::fixed(Nanos::from_secs(1)).span(), Guard::GREATEST);
        assert!(Guard::from_lateness(&mut []).span() >= Guard::LEAST);
    }

    #[test]
    fn the_guard_grows_when_it_was_too_short_and_comes_back() {
        let mut guard = Guard::fixed(Nanos::from_micros(40));
        guard.woke(Nanos::from_micros(500));
        assert_eq!(guard.span(), Nanos::from_micros(50));
        (0..20_000).for_each(|_| guard.woke(Nanos::ZERO));
        assert!(guard.span() - guard.measured() <= Nanos(1_024));
        (0..100).for_each(|_| guard.woke(Nanos::from_secs(1)));
        assert_eq!(guard.span(), Guard::GREATEST);
    }

    #[test]
    fn a_guard_that_stalls_made_long_is_used_as_far_as_the_spins_last() {
        let (mut guard, mut spins) = (Guard::fixed(Nanos::from_micros(40)), SpinBudget::new());
        (0..100).for_each(|_| guard.woke(Nanos::from_secs(1)));
        assert_eq!(guard.afforded(Nanos::ZERO), Guard::GREATEST);
        assert_eq!(guard.afforded(SpinBudget::PER_SECOND / 2), Guard::GREATEST);
        assert_eq!(guard.afforded(SpinBudget::PER_SECOND / 4 * 3), guard.measured());
        for at in (1..10_000).map(Nanos::from_millis) {
            let span = guard.afforded(spins.recent(at - guard.span()));
            assert!(spins.allows(at - span, span), "refused at {at:?}");
            spins.charge(at - span, at);
        }
    }

    #[test]
    fn no_second_holds_more_spinning_than_a_fifth() {
        let mut spins = SpinBudget::new();
        let span = Nanos::from_micros(300);
        let mut allowed = Vec::new();
        for n in 0..10_000 {
            let at = Nanos::from_micros(500 * n);
            if spins.allows(at, span) {
                spins.charge(at, at + span);
                allowed.push(at);
            }
        }
        for from in &allowed {
            let until = *from + Nanos::from_secs(1);
            let within = allowed.iter().filter(|at| (*from..until).contains(at)).count();
            assert!(span * within as i64 <= SpinBudget::PER_SECOND);
        }
        assert_eq!(spins.spun(), span * allowed.len() as i64);
        assert_eq!(spins.refused(), 10_000 - allowed.len() as u64);
        assert!(spins.allows(Nanos::from_secs(60), span));
    }
}

//! [`ClockFacts`]: the counter behind the clocks, and how finely timers can be set.

use crate::clocks::{MonotonicClock, timer_resolution};
use crate::machine::Root;
use chronotap_machine::facts::ClockFacts;

pub(super) fn read(root: &Root) -> ClockFacts {
    const PLACE: &str = "/sys/devices/system/clocksource/clocksource0";
    ClockFacts {
        source: root.line(&format!("{PLACE}/current_clocksource")),
        available: root.words(&format!("{PLACE}/available_clocksource")),
        timer_resolution_ns: resolution(root),
        read_ns: root.is_system().then(reading_costs),
    }
}

/// /proc/timer_list tells it too, to root; so it is known below another root.
fn resolution(root: &Root) -> Option<i64> {
    if root.is_system() {
        return Some(timer_resolution().0);
    }
    let list = root.text("/proc/timer_list")?;
    let line = list.lines().find_map(|line| line.trim().strip_prefix(".resolution:"))?;
    line.split_whitespace().next()?.parse().ok()
}

fn reading_costs() -> i64 {
    const READINGS: i64 = 200;
    let mut rounds = [0; 9].map(|_: i64| {
        let begin = MonotonicClock::raw();
        for _ in 1..READINGS {
            std::hint::black_box(MonotonicClock::raw());
        }
        (MonotonicClock::raw() - begin).0 / READINGS
    });
    rounds.sort_unstable();
    rounds[rounds.len() / 2]
}

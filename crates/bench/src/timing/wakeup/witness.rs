//! [`CounterLooks`]: what happened around the latest wake-ups, found after the fact.
//!
//! Background: why a wake-up was late stands in the kernel's counters, but a thread
//! that reads them takes tens of microseconds and would disturb what it measures.
//! Solution: the ordinary thread that waits for the measuring ones looks at the
//! counters four times a second. A measuring thread only tells the greatest lateness
//! since the last look (one atomic operation, and only for a sample among its
//! greatest). The stretches between two looks with the greatest lateness are kept.
//! Why it works: where n samples are kept, the stretches that hold them are among the
//! n with the greatest lateness. What stands out is what was counted there and is
//! not usual: twice the mean of all stretches, and more.
//! Bound: n stretches for each core; the looks cost the ordinary thread's core what
//! reading /proc costs, so they can themselves be seen by a test without real-time
//! priority.

use super::counters::{CoreEvent, Counters, look};
use chronotap_core::time::Nanos;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicI64, Ordering};

/// How many of the counts around a sample that ended the test are told.
const MOST_COUNTED: usize = 8;

/// The greatest lateness of a core since the last look, in nanoseconds.
#[derive(Debug, Default)]
pub struct Peak(AtomicI64);

impl Peak {
    /// Tells a sample. Wait-free.
    pub fn tell(&self, late: Nanos) {
        self.0.fetch_max(late.0, Ordering::Relaxed);
    }

    fn take(&self) -> Nanos {
        Nanos(self.0.swap(0, Ordering::Relaxed))
    }
}

/// A stretch between two looks, on one core.
#[derive(Clone, Debug)]
struct Stretch {
    core: usize,
    from: Nanos,
    to: Nanos,
    peak: Nanos,
    counts: BTreeMap<CoreEvent, u64>,
}

/// The looks at the counters.
#[derive(Debug)]
pub struct CounterLooks {
    room: usize, // stretches kept for each core
    began: Nanos,
    first: Counters,
    last: Counters,
    last_at: Nanos,
    looks: u64,
    kept: Vec<Stretch>,
}

impl CounterLooks {
    /// Looks for the first time, at `now`; keeps `room` stretches for each core.
    pub fn begin(room: usize, now: Nanos, threads: &[(usize, String)]) -> CounterLooks {
        CounterLooks::from_first(room, now, look(threads))
    }

    fn from_first(room: usize, now: Nanos, first: Counters) -> CounterLooks {
        let last = first.clone();
        CounterLooks { room, began: now, first, last, last_at: now, looks: 0, kept: Vec::new() }
    }

    /// Looks again. `peaks` are cores and what their threads told.
    pub fn look<'a>(
        &mut self,
        threads: &[(usize, String)],
        peaks: impl Iterator<Item = (usize, &'a Peak)>,
        now: impl Fn() -> Nanos,
    ) {
        let counters = look(threads);
        let peaks: Vec<(usize, Nanos)> = peaks.map(|(core, peak)| (core, peak.take())).collect();
        self.note(counters, &peaks, now());
    }

    fn note(&mut self, counters: Counters, peaks: &[(usize, Nanos)], now: Nanos) {
        for &(core, peak) in peaks.iter().filter(|(_, peak)| *peak > Nanos::ZERO) {
            let counts = difference(core, &self.last, &counters);
            self.keep(Stretch { core, from: self.last_at, to: now, peak, counts });
        }
        (self.last, self.last_at) = (counters, now);
        self.looks += 1;
    }

    fn keep(&mut self, stretch: Stretch) {
        let core = stretch.core;
        self.kept.push(stretch);
        let same = self.kept.iter().enumerate().filter(|(_, kept)| kept.core == core);
        if same.clone().count() > self.room {
            let least = same.min_by_key(|(_, kept)| kept.peak).map(|(index, _)| index);
            least.into_iter().for_each(|index| drop(self.kept.swap_remove(index)));
        }
    }

    /// What was counted on a core around a time and is not usual there, in words, the
    /// most telling first.
    pub fn around(&self, core: usize, at: Nanos, late: Nanos) -> Vec<String> {
        // The sample was told at its wake-up, not at its deadline.
        let woke = at + late;
        let found = self.kept.iter().find(|s| s.core == core && s.from <= woke && woke <= s.to);
        found.map(|stretch| self.describe(stretch, late)).unwrap_or_default()
    }

    /// All that was counted on a core around a time, usual or not, the most frequent first.
    pub fn counted(&self, core: usize, at: Nanos, late: Nanos) -> Vec<String> {
        let woke = at + late;
        let here = |one: &&Stretch| one.core == core && one.from <= woke && woke <= one.to;
        let Some(stretch) = self.kept.iter().find(here) else { return Vec::new() };
        let mut all: Vec<(&CoreEvent, u64)> =
            stretch.counts.iter().map(|(event, n)| (event, *n)).collect();
        all.retain(|(_, n)| *n > 0);
        all.sort_by_key(|&(_, n)| std::cmp::Reverse(n));
        let span = (stretch.to - stretch.from).as_millis_f64();
        let said =
            |(event, n): (&CoreEvent, u64)| format!("{event}: {} in {span:.0} ms", event.amount(n));
        all.into_iter().take(MOST_COUNTED).map(said).collect()
    }

    fn describe(&self, stretch: &Stretch, late: Nanos) -> Vec<String> {
        let span = stretch.to - stretch.from;
        let usual = self.usual(stretch.core, span);
        let mut words: Vec<String> = waiting(stretch, &usual, late).into_iter().collect();
        let others = stretch.counts.iter().filter(|(event, _)| **event != CoreEvent::Waited);
        let mut unusual: Vec<(f64, &CoreEvent, u64)> = others
            .map(|(event, &count)| (usual.get(event).copied().unwrap_or(0.0), event, count))
            .filter(|&(usual, event, count)| stands_out(event, count, usual))
            .collect();
        let excess = |(usual, _, count): &(f64, &CoreEvent, u64)| *count as f64 / usual.max(1.0);
        unusual.sort_by(|a, b| excess(b).total_cmp(&excess(a)));
        words.extend(unusual.into_iter().take(5).map(|(usual, event, count)| {
            let usual = event.amount(usual.round() as u64);
            let span = span.as_millis_f64();
            format!("{event}: {} in {span:.0} ms (usually {usual})", event.amount(count))
        }));
        words
    }

    /// Mean of all counts in a stretch of this length.
    fn usual(&self, core: usize, span: Nanos) -> BTreeMap<CoreEvent, f64> {
        let whole = (self.last_at - self.began).0.max(1) as f64;
        let all = difference(core, &self.first, &self.last);
        all.into_iter().map(|(event, n)| (event, n as f64 * span.0 as f64 / whole)).collect()
    }
}

/// Twice the usual amount and a little, so that a count of one or two does not.
fn stands_out(event: &CoreEvent, count: u64, usual: f64) -> bool {
    let little = match event {
        CoreEvent::Stolen | CoreEvent::Waited | CoreEvent::Preempted => 0.0,
        CoreEvent::Interrupt(_) | CoreEvent::Softirq(_) => 3.0,
    };
    count as f64 > 2.0 * usual + little
}

/// Whether the scheduler kept the thread waiting, or its timer came late.
fn waiting(stretch: &Stretch, usual: &BTreeMap<CoreEvent, f64>, late: Nanos) -> Option<String> {
    let waited = *stretch.counts.get(&CoreEvent::Waited)? as f64;
    let beyond = (waited - usual.get(&CoreEvent::Waited).copied().unwrap_or(0.0)).max(0.0);
    let ms = CoreEvent::Waited.amount(beyond as u64);
    Some(if beyond * 2.0 >= late.0 as f64 {
        format!("the thread could run and waited for the core, {ms} beyond the usual")
    } else {
        "the thread did not wait for the core: its timer came late (interrupts held off, \
         firmware or the host)"
            .to_owned()
    })
}

fn difference(core: usize, before: &Counters, after: &Counters) -> BTreeMap<CoreEvent, u64> {
    let of_core = after.iter().filter(|((of, _), _)| *of == core);
    let since = |(key, now): (&(usize, CoreEvent), &u64)| {
        let more = now.saturating_sub(before.get(key).copied().unwrap_or(0));
        (more > 0 || key.1 == CoreEvent::Waited).then(|| (key.1.clone(), more))
    };
    of_core.filter_map(since).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn disk() -> CoreEvent {
        CoreEvent::Interrupt("disk".into())
    }

    /// Ten looks, 100 ns apart; in the seventh stretch, 600 to 700, something happens.
    fn witness(then: &[(CoreEvent, u64)]) -> CounterLooks {
        let mut counters = Counters::from([((0, disk()), 0), ((0, CoreEvent::Waited), 0)]);
        let mut witness = CounterLooks::from_first(2, Nanos(0), counters.clone());
        for look in 1..=10i64 {
            *counters.entry((0, disk())).or_default() += 2;
            *counters.entry((0, CoreEvent::Waited)).or_default() += 1_000;
            let bad = look == 7;
            for (event, more) in then.iter().filter(|_| bad) {
                *counters.entry((0, event.clone())).or_default() += more;
            }
            let peak = Nanos(if bad { 50_000 } else { 10 + look });
            witness.note(counters.clone(), &[(0, peak)], Nanos(100 * look));
        }
        witness
    }

    #[test]
    fn only_the_stretches_with_the_latest_wake_ups_are_kept() {
        let witness = witness(&[]);
        let peaks: Vec<i64> = witness.kept.iter().map(|stretch| stretch.peak.0).collect();
        assert_eq!((peaks.len(), peaks.iter().sum::<i64>()), (2, 50_020));
        assert!(witness.around(0, Nanos(150), Nanos(1)).is_empty());
        assert!(witness.around(1, Nanos(650), Nanos(1)).is_empty());
    }

    #[test]
    fn what_was_counted_and_is_not_usual_is_told_with_what_is_usual() {
        let around = witness(&[(disk(), 40)]).around(0, Nanos(640), Nanos(40));
        assert_eq!(around.len(), 2, "{around:?}");
        assert!(around[1].starts_with("interrupt disk: 42 times"), "{around:?}");
        assert!(around[1].contains("usually 6 times"), "{around:?}");
    }

    #[test]
    fn all_that_was_counted_is_told_of_the_sample_that_ended_the_test() {
        let counted = witness(&[(disk(), 40)]).counted(0, Nanos(640), Nanos(40));
        assert_eq!(counted[0], "the thread could run and waited for the core: 0.001 ms in 0 ms");
        assert_eq!(counted[1], "interrupt disk: 42 times in 0 ms");
        assert!(witness(&[]).counted(1, Nanos(640), Nanos(40)).is_empty());
    }

    #[test]
    fn a_thread_that_waited_is_told_from_a_timer_that_came_late() {
        let of =
            |then: &[(CoreEvent, u64)]| witness(then).around(0, Nanos(600), Nanos(50)).remove(0);
        assert!(of(&[(CoreEvent::Waited, 50_000)]).contains("waited for the core, 0.045 ms"));
        let late = Nanos(50_000);
        let mut other = witness(&[]);
        other.kept.iter_mut().for_each(|stretch| stretch.to = Nanos(100_000));
        assert!(other.around(0, Nanos(600), late)[0].contains("its timer came late"));
    }

    #[test]
    fn a_peak_is_told_once() {
        let peak = Peak::default();
        peak.tell(Nanos(5));
        peak.tell(Nanos(3));
        assert_eq!((peak.take(), peak.take()), (Nanos(5), Nanos::ZERO));
    }
}

//! Sinks: who watches a trial while it runs. [`sink`] gives both ends: the
//! [`Sink`] is handed to whoever runs the trial, the [`Watch`] is read by whoever wants
//! to see it, in a thread of its own.
//!
//! Background: a screen or a pipe may be slow or stuck, and must cost neither the trial
//! nor its data nor anybody else who watches.
//! Solution: the writer thread, never the real-time one, puts each entry into a queue of
//! bounded length, one for each sink. Where a queue is full the entry is left out and
//! counted, and the next one that finds room comes after a [`Notice::Missed`].
//! Why it works: putting in takes the time of one short lock, which the reader holds only
//! while it takes one notice out.

use crate::losses::Losses;
use crate::shared;
use chronotap_analysis::summary::Summary;
use chronotap_core::time::{Nanos, wall_clock};
use chronotap_data::record::place::Saved;
use chronotap_data::record::{Entry, Header, What};
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Entries that may wait for a sink: some minutes of a lively trial.
pub const USUAL_ROOM: usize = 8_192;

/// One notice to a sink.
#[derive(Clone, Debug)]
pub enum Notice {
    /// A trial has begun.
    Begins(Arc<Beginning>),
    /// Something happened.
    Happened(Entry),
    /// What was said of an earlier entry is corrected by this one, with the same action.
    Corrected(Entry),
    /// Something was lost: all that has been since the trial began. It leaves no entry behind.
    Lost(Losses),
    /// So many notices found no room since the last one and are left out here; the data
    /// have them.
    Missed(u64),
    /// The trial is over.
    Ends(Arc<End>),
}

/// What is known when a trial begins.
#[derive(Clone, Debug, Default)]
pub struct Beginning {
    /// The head of its data: names, ports, seed, trial file.
    pub header: Header,
    /// Where its clock counts from, raw CLOCK_MONOTONIC; 0 in virtual time.
    pub origin: Nanos,
    /// The same in UTC, in nanoseconds since 1970; 0 in virtual time.
    pub origin_utc: Nanos,
}

/// What is known when it is over.
#[derive(Clone, Debug)]
pub struct End {
    /// The trial in numbers; none where it could not be summarized.
    pub summary: Option<Summary>,
    /// Its files; none where it kept none, or the disk refused.
    pub saved: Option<Saved>,
}

/// The writing end: the recorder puts notices in. Copies feed the same [`Watch`].
#[derive(Clone, Debug)]
pub struct Sink(Arc<Telling>);

/// The reading end: whoever watches the trial takes notices out.
#[derive(Debug)]
pub struct Watch(Arc<Shared>);

/// Both ends of a sink, with room for so many entries.
pub fn sink(room: usize) -> (Sink, Watch) {
    // It grows as notices come, in the writer's thread: a sink that keeps up takes no memory
    // and no time before the first beat.
    let queue = Queue {
        waiting: VecDeque::new(),
        room,
        missed: 0,
        over: false,
        watched: true,
        left_out: 0,
    };
    let shared = Arc::new(Shared { queue: Mutex::new(queue), news: Condvar::new() });
    (Sink(Arc::new(Telling(Arc::clone(&shared)))), Watch(shared))
}

/// The sinks of one trial.
#[derive(Debug, Default)]
pub(crate) struct TrialSinks {
    sinks: Vec<Sink>,
    header: Option<Header>, // until the trial has begun
    lost: Losses,           // as the sinks know
    utc: Option<Utc>,
}

/// The time of day, since 1970, of a moment of the clock from whose times a trial counts.
pub type Utc = fn(Nanos) -> Nanos;

impl TrialSinks {
    pub(crate) fn new(sinks: Vec<Sink>, header: Header, utc: Option<Utc>) -> TrialSinks {
        TrialSinks { sinks, header: Some(header), lost: Losses::default(), utc }
    }

    /// The sinks, of a trial that could not begin.
    pub(crate) fn into_sinks(self) -> Vec<Sink> {
        self.sinks
    }

    /// Sends [`Notice::Begins`], once, when the trial's clock has started: at `origin` on the
    /// raw CLOCK_MONOTONIC.
    pub(crate) fn begin(&mut self, origin: Option<Nanos>) {
        let Some(origin) = origin else { return };
        let Some(header) = self.header.take() else { return };
        let origin_utc = self.utc.map_or_else(wall_clock, |utc| utc(origin));
        let beginning = Arc::new(Beginning { header, origin, origin_utc });
        self.sinks.iter().for_each(|sink| sink.begins(Arc::clone(&beginning)));
    }

    /// Sends what was lost, where that is more than when it was last sent.
    pub(crate) fn lost(&mut self, shared: &shared::Shared) {
        if self.sinks.is_empty() || self.header.is_some() {
            return; // nobody looks, or the trial has not begun
        }
        let lost = shared.losses();
        if lost != self.lost {
            self.sinks.iter().for_each(|sink| sink.lost(lost.clone()));
            self.lost = lost;
        }
    }

    /// Sends one entry to every sink.
    pub(crate) fn happened(&self, entry: Entry) {
        self.sinks.iter().for_each(|sink| sink.happened(entry));
    }
}

/// Closes the queue when the last copy of a [`Sink`] is dropped.
#[derive(Debug)]
struct Telling(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    queue: Mutex<Queue>,
    news: Condvar,
}

#[derive(Debug)]
struct Queue {
    waiting: VecDeque<Notice>,
    room: usize,
    missed: u64,
    over: bool,
    watched: bool,
    left_out: u64, // in all
}

/// What whoever watches did not get, also after both ends are gone.
#[derive(Clone, Debug)]
pub struct UnreadNotices(Arc<Shared>);

impl UnreadNotices {
    /// How many notices were left out, or wait for one who does not take them. One who has gone had what
    /// was wanted.
    pub fn count(&self) -> u64 {
        let queue = self.0.lock();
        let waiting = if queue.watched { queue.waiting.len() as u64 } else { 0 };
        queue.left_out + waiting
    }
}

impl Sink {
    /// What its watch will not have got in the end.
    pub fn unread(&self) -> UnreadNotices {
        UnreadNotices(Arc::clone(&self.0.0))
    }

    /// A trial has begun.
    pub fn begins(&self, beginning: Arc<Beginning>) {
        self.0.0.put(Notice::Begins(beginning), 2);
    }

    /// Something happened, or is corrected.
    pub fn happened(&self, entry: Entry) {
        let notice = match entry.what {
            What::Happened => Notice::Happened(entry),
            What::Corrected => Notice::Corrected(entry),
        };
        self.0.0.put(notice, 1);
    }

    /// Something was lost.
    pub fn lost(&self, losses: Losses) {
        self.0.0.put(Notice::Lost(losses), 2);
    }

    /// The trial is over.
    pub fn ends(&self, end: Arc<End>) {
        self.0.0.put(Notice::Ends(end), 2);
    }
}

impl Watch {
    /// The next notice; waits for it for at most `patience`.
    pub fn next(&self, patience: Duration) -> Option<Notice> {
        let queue = self.0.lock();
        let empty = |queue: &mut Queue| queue.waiting.is_empty() && !queue.over;
        let waited = self.0.news.wait_timeout_while(queue, patience, empty);
        let (mut queue, _) = waited.unwrap_or_else(PoisonError::into_inner);
        queue.waiting.pop_front().or_else(|| queue.say_missed())
    }

    /// Whether nothing more will come.
    pub fn is_over(&self) -> bool {
        let queue = self.0.lock();
        queue.over && queue.waiting.is_empty() && queue.missed == 0
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts a notice in where fewer than `share` times the room wait.
    fn put(&self, notice: Notice, share: usize) {
        let mut queue = self.lock();
        let most = queue.room * share;
        if !queue.watched {
            return;
        }
        if queue.waiting.len() + 1 >= most {
            queue.missed += 1;
            queue.left_out += 1;
            return;
        }
        let missed = queue.say_missed();
        queue.waiting.extend(missed);
        queue.waiting.push_back(notice);
        drop(queue);
        self.news.notify_one();
    }
}

impl Queue {
    fn say_missed(&mut self) -> Option<Notice> {
        let missed = std::mem::take(&mut self.missed);
        (missed > 0).then_some(Notice::Missed(missed))
    }
}

impl Drop for Telling {
    fn drop(&mut self) {
        self.0.lock().over = true;
        self.0.news.notify_all();
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let mut queue = self.0.lock();
        queue.watched = false;
        queue.waiting.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chronotap_engine::action::{Action, ActionKind, TrialEnding};
    use chronotap_engine::perturbation::Perturbation;

    fn entry(id: u64) -> Entry {
        let action = Action {
            id,
            kind: ActionKind::End(TrialEnding::Rule),
            number: 0,
            cause: 0,
            deadline: Nanos::ZERO,
            instant: Nanos::ZERO,
            port: 0,
            message: None,
            perturbation: Perturbation::NONE,
        };
        Entry { what: What::Happened, action, achieved: None, stamp: None, frame: None }
    }

    fn all(watch: &Watch) -> Vec<Notice> {
        std::iter::from_fn(|| watch.next(Duration::ZERO)).collect()
    }

    #[test]
    fn who_does_not_look_misses_entries_is_told_how_many_and_still_sees_the_end() {
        let (sink, watch) = sink(4);
        sink.begins(Arc::new(Beginning::default()));
        (1..=10).for_each(|id| sink.happened(entry(id)));
        sink.ends(Arc::new(End { summary: None, saved: None }));
        let seen = all(&watch);
        assert!(matches!(seen[0], Notice::Begins(_)));
        let happened = seen.iter().filter(|n| matches!(n, Notice::Happened(_))).count() as u64;
        let missed: u64 = seen
            .iter()
            .filter_map(|n| if let Notice::Missed(m) = n { Some(m) } else { None })
            .sum();
        assert_eq!(happened + missed, 10);
        assert!(missed > 0 && matches!(seen.last(), Some(Notice::Ends(_))), "{seen:?}");
    }

    #[test]
    fn what_is_missed_last_is_told_when_the_rest_has_been_seen() {
        let (sink, watch) = sink(3);
        (1..=5).for_each(|id| sink.happened(entry(id)));
        assert!(!watch.is_over());
        drop(sink);
        assert!(matches!(all(&watch).last(), Some(Notice::Missed(3))));
        assert!(watch.is_over());
    }

    #[test]
    fn nothing_is_kept_for_a_watch_that_is_gone() {
        let (sink, watch) = sink(3);
        drop(watch);
        sink.happened(entry(1));
        assert_eq!(sink.0.0.lock().waiting.len(), 0);
    }

    #[test]
    fn a_watch_waits_for_what_another_thread_tells() {
        let (sink, watch) = sink(3);
        std::thread::scope(|scope| {
            scope.spawn(move || sink.happened(entry(7)));
            let seen = watch.next(Duration::from_secs(60));
            assert!(matches!(seen, Some(Notice::Happened(e)) if e.action.id == 7));
        });
        assert!(watch.next(Duration::from_secs(60)).is_none() && watch.is_over());
    }
}

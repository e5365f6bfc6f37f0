//! What a real-time thread asks of the system, and what it was granted.
//!
//! Nothing is replaced in silence: every item asked for stands in the [`Grant`],
//! with the reason of a refusal and what would cure it, and the grant goes into
//! the head of the data file. All of it is for the calling thread, but for the
//! memory lock and the wake-up latency, which are the process's and the machine's.

use crate::realtime::{DeadlineTime, deadline, latency, memory, scheduling};
use chronotap_machine::grant::Grant;
use std::marker::PhantomData;

/// What to ask for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// SCHED_FIFO with this priority, 1..=98 (99 stays free for the watchdog).
    pub fifo_priority: Option<i32>,
    /// SCHED_DEADLINE instead, with so much time; refused to a thread that is bound to a processor.
    pub deadline: Option<DeadlineTime>,
    /// Ordinary scheduling with this nice value, -20..=19; lower is more of the processor.
    pub nice: Option<i32>,
    /// Keep the program's memory from being paged out, and touch the stack beforehand.
    pub lock_memory: bool,
    /// Run on this processor only, from 0.
    pub cpu: Option<usize>,
    /// Keep processors out of deep idle states, from which they wake up slowly.
    pub dma_latency: bool,
    /// How much later than asked an ordinary thread may be woken, in nanoseconds,
    /// from 1; Linux has 50,000 by default, and 0 for real-time threads.
    pub timer_slack_ns: Option<u64>,
}

impl Request {
    /// All that a trial wants: FIFO 80, locked memory, quick wake-ups, least slack.
    pub const fn trial() -> Request {
        Request {
            fifo_priority: Some(80),
            deadline: None,
            nice: None,
            lock_memory: true,
            cpu: None,
            dma_latency: true,
            timer_slack_ns: Some(1),
        }
    }

    /// Nothing at all.
    pub const fn nothing() -> Request {
        Request {
            fifo_priority: None,
            deadline: None,
            nice: None,
            lock_memory: false,
            cpu: None,
            dma_latency: false,
            timer_slack_ns: None,
        }
    }
}

/// Rights in force. Dropping them gives the thread its former scheduling, slack
/// and processors back, unlocks the memory and lets processors idle deeply again.
/// They belong to the thread that asked and cannot leave it.
#[derive(Debug)]
pub struct Rights {
    grant: Grant,
    _latency: Option<latency::CpuLatencyFile>,
    _memory: Option<memory::Locked>,
    _thread: scheduling::Former,
    _stays: PhantomData<*const ()>,
}

impl Rights {
    /// What was granted.
    pub fn grant(&self) -> &Grant {
        &self.grant
    }
}

/// Asks the system for what a request names, for the calling thread. Create all
/// other threads and large buffers before, since locked memory and reset-on-fork
/// are best asked for last.
pub fn ask(request: &Request) -> Rights {
    let former = scheduling::Former::of_this_thread();
    let mut items = Vec::new();
    items.extend(request.timer_slack_ns.map(scheduling::set_timer_slack));
    items.extend(request.cpu.map(scheduling::pin));
    let (latency, item) = if request.dma_latency { latency::hold() } else { (None, None) };
    items.extend(item);
    let (memory, locked) = if request.lock_memory { memory::lock() } else { (None, Vec::new()) };
    items.extend(locked);
    items.extend(request.nice.map(scheduling::set_nice));
    items.extend(request.fifo_priority.map(scheduling::set_fifo));
    items.extend(request.deadline.map(deadline::set));
    Rights {
        grant: Grant { items },
        _latency: latency,
        _memory: memory,
        _thread: former,
        _stays: PhantomData,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_asked_for_is_answered_with_a_sentence() {
        std::thread::spawn(|| {
            let rights = ask(&Request { lock_memory: false, ..Request::trial() });
            let grant = rights.grant().clone();
            assert_eq!(grant.items.len(), 3, "{grant:?}");
            for item in &grant.items {
                assert_eq!(item.granted, item.why_not.is_none(), "{item:?}");
                assert!(item.sentence().starts_with(&item.what));
            }
            let policy = scheduling::policy_of(0).unwrap();
            assert_eq!(policy.is_realtime(), grant.is_realtime());
            drop(rights);
            assert!(!scheduling::policy_of(0).unwrap().is_realtime());
        })
        .join()
        .unwrap();
    }

    #[test]
    fn nothing_asked_is_nothing_answered() {
        assert!(ask(&Request::nothing()).grant().items.is_empty());
    }

    #[test]
    fn an_impossible_priority_is_refused_with_its_range() {
        std::thread::spawn(|| {
            let rights = ask(&Request { fifo_priority: Some(200), ..Request::nothing() });
            let item = &rights.grant().items[0];
            assert!(!item.granted);
            assert!(item.why_not.as_ref().unwrap().contains("1 to 98"), "{item:?}");
        })
        .join()
        .unwrap();
    }
}

//! [`Relay`]: hands each period's work from the leading thread to the workers, and
//! their completion back.
//!
//! Background: a period may be 333 us, and several cores share its work; a lock or a
//! queue would cost more than the work.
//! Solution: the order is one number and a generation, both atomic; a worker parks (a
//! futex on Linux) until the generation moves, and the leader wakes each. The leader spins for
//! a little, since all tracks are about as long, and then sleeps on the number of workers that
//! are not done (a futex too), until the last of them wakes it. It may be any thread, one of a
//! sound server among them: nothing of the leader is kept, and nothing made for it.
//! Why it works: nobody follows an old order or misses work that was done ([`turn`]);
//! `park` returns at once where `unpark` came first, and a futex lets nobody sleep on a
//! number that has changed, so no wake-up is lost.
//!
//! Real-time contract of [`Relay::together`] and of a worker's turn: no allocation, no
//! lock that another could hold; system calls are the futex's and, for a leader who sleeps, the
//! clock's. The leader waits for its workers alone, which have its priority and a core each, for
//! no longer than its patience.

mod turn;

use chronotap_core::time::Nanos;
use chronotap_linux::clocks::{MonotonicClock, sleep_until};
use rustix::thread::futex;
use rustix::time::Timespec;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::thread::Thread;
use turn::Turn;

/// Turns of the leader's spin, some 50 us; then it parks.
const SPINS: usize = 2_000;
/// The patience of a leader who has nothing else to do.
const ENDLESS: Nanos = Nanos::from_secs(86_400 * 365);
/// From one look of a thread without a priority to the next.
const LOOK: Nanos = Nanos::from_micros(100);

/// What the workers are to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkerOrder {
    /// Have so many instances from now on. Not in real time: it may allocate.
    Prepare(u32),
    /// One period.
    Cycle,
    /// Leave.
    End,
}

/// Between one leader and its workers.
#[derive(Debug)]
pub struct Relay {
    turn: Turn,
    workers: Vec<OnceLock<Thread>>,
}

impl Relay {
    /// For so many workers, who are yet to come.
    pub fn new(workers: usize) -> Relay {
        Relay { turn: Turn::default(), workers: (0..workers).map(|_| OnceLock::new()).collect() }
    }

    /// Waits until all workers are there. Not in real time.
    pub fn gather(&self) {
        while self.workers.iter().any(|worker| worker.get().is_none()) {
            sleep_until(MonotonicClock::raw() + LOOK);
        }
    }

    /// The leader: everyone does this, the leader its own part; returns when all have.
    pub fn together(&self, order: WorkerOrder, own: impl FnOnce()) {
        self.together_within(ENDLESS, order, own);
    }

    /// The same, but waits no longer than so after its own part, and tells whether all were done by
    /// then. Where they were not, nothing but [`Relay::dismiss`] may follow.
    pub fn together_within(&self, patience: Nanos, order: WorkerOrder, own: impl FnOnce()) -> bool {
        self.turn.give(order.encoded(), self.workers.len() as u32);
        self.wake();
        own();
        self.wait(patience)
    }

    /// Lets every worker go, those who have not come as yet too, once the last turn is done.
    /// Not in real time; whoever made the threads waits for their end.
    pub fn dismiss(&self) {
        while self.turn.pending() != 0 {
            sleep_until(MonotonicClock::raw() + LOOK);
        }
        self.turn.give(WorkerOrder::End.encoded(), self.workers.len() as u32);
        self.wake();
    }

    fn wake(&self) {
        self.workers.iter().filter_map(OnceLock::get).for_each(Thread::unpark);
    }

    fn wait(&self, patience: Nanos) -> bool {
        for _ in 0..SPINS {
            if self.turn.pending() == 0 {
                return true;
            }
            std::hint::spin_loop();
        }
        let end = MonotonicClock::raw() + patience;
        loop {
            let left = end - MonotonicClock::raw();
            match self.turn.pending() {
                0 => return true,
                _ if left <= Nanos::ZERO => return false,
                pending => sleep_on(self.turn.word(), pending, left),
            }
        }
    }

    /// A worker, from 0: follows every order until it is to leave.
    pub fn follow(&self, worker: usize, mut obey: impl FnMut(WorkerOrder)) {
        self.workers[worker].get_or_init(std::thread::current);
        for seen in 0.. {
            let order = self.await_order(seen);
            if order != WorkerOrder::End {
                obey(order);
            }
            self.finish();
            if order == WorkerOrder::End {
                return;
            }
        }
    }

    /// The order after so many that a worker has seen.
    fn await_order(&self, seen: u64) -> WorkerOrder {
        loop {
            match self.turn.order_after(seen) {
                Some(code) => return WorkerOrder::decoded(code),
                None => std::thread::park(),
            }
        }
    }

    fn finish(&self) {
        if self.turn.finish() {
            // It wakes at most the one leader; where none sleeps, nobody.
            let _ = futex::wake(self.turn.word(), futex::Flags::PRIVATE, 1);
        }
    }
}

/// Until the number changes, somebody wakes it, or the time is over; at once where it has changed.
fn sleep_on(word: &AtomicU32, seen: u32, left: Nanos) {
    let left = Timespec { tv_sec: left.0 / 1_000_000_000, tv_nsec: left.0 % 1_000_000_000 };
    // Why it returned does not matter: the number is read again.
    let _ = futex::wait(word, futex::Flags::PRIVATE, seen, Some(&left));
}

impl WorkerOrder {
    const CYCLE: u32 = u32::MAX;
    const END: u32 = u32::MAX - 1;

    fn encoded(self) -> u32 {
        match self {
            WorkerOrder::Prepare(instances) => instances.min(WorkerOrder::END - 1),
            WorkerOrder::Cycle => WorkerOrder::CYCLE,
            WorkerOrder::End => WorkerOrder::END,
        }
    }

    fn decoded(code: u32) -> WorkerOrder {
        match code {
            WorkerOrder::CYCLE => WorkerOrder::Cycle,
            WorkerOrder::END => WorkerOrder::End,
            instances => WorkerOrder::Prepare(instances),
        }
    }
}

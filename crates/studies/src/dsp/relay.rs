//! [`Relay`]: hands each period's work from the leading thread to the workers, and
//! their completion back.
//!
//! Background: a period may be 333 us, and several cores share its work; a lock or a
//! queue would cost more than the work.
//! Solution: the order is one number and a generation, both atomic; a worker parks (a
//! futex on Linux) until the generation moves, and the leader wakes each. The last
//! worker to finish wakes the leader, who first spins for a little, since all tracks
//! are about as long.
//! Why it works: nobody follows an old order or misses work that was done ([`turn`]), and
//! `park` returns at once where `unpark` came first, so no wake-up is lost.
//!
//! Real-time contract of [`Relay::together`] and of a worker's turn: no allocation, no
//! lock; system calls are the futex's alone. The spin is bounded.

mod turn;

use chronotap_clocks::MonotonicClock;
use chronotap_time::Nanos;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::thread::Thread;
use turn::Turn;

/// Turns of the leader's spin, some 50 us; then it parks.
const SPINS: usize = 2_000;

/// What the workers are to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
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
    leader: OnceLock<Thread>,
    workers: Vec<OnceLock<Thread>>,
}

impl Relay {
    /// For so many workers, who are yet to come.
    pub fn new(workers: usize) -> Relay {
        Relay {
            turn: Turn::default(),
            leader: OnceLock::new(),
            workers: (0..workers).map(|_| OnceLock::new()).collect(),
        }
    }

    /// Makes the calling thread the leader, and waits until all workers are there.
    pub fn lead(&self) {
        self.leader.get_or_init(std::thread::current);
        while self.workers.iter().any(|worker| worker.get().is_none()) {
            chronotap_clocks::sleep_until(MonotonicClock::raw() + Nanos::from_micros(100));
        }
    }

    /// The leader: everyone does this, the leader its own part; returns when all have.
    pub fn together(&self, order: Order, own: impl FnOnce()) {
        self.turn.give(order.encoded(), self.workers.len());
        self.workers.iter().filter_map(OnceLock::get).for_each(Thread::unpark);
        own();
        self.wait();
    }

    fn wait(&self) {
        for _ in 0..SPINS {
            if self.turn.is_done() {
                return;
            }
            std::hint::spin_loop();
        }
        while !self.turn.is_done() {
            std::thread::park();
        }
    }

    /// A worker, from 0: follows every order until it is to leave.
    pub fn follow(&self, worker: usize, mut obey: impl FnMut(Order)) {
        self.workers[worker].get_or_init(std::thread::current);
        for seen in 0.. {
            let order = self.await_order(seen);
            if order != Order::End {
                obey(order);
            }
            self.finish();
            if order == Order::End {
                return;
            }
        }
    }

    /// The order after so many that a worker has seen.
    fn await_order(&self, seen: u64) -> Order {
        loop {
            match self.turn.order_after(seen) {
                Some(code) => return Order::decoded(code),
                None => std::thread::park(),
            }
        }
    }

    fn finish(&self) {
        let last = self.turn.finish();
        if let Some(leader) = self.leader.get().filter(|_| last) {
            leader.unpark();
        }
    }
}

impl Order {
    const CYCLE: u32 = u32::MAX;
    const END: u32 = u32::MAX - 1;

    fn encoded(self) -> u32 {
        match self {
            Order::Prepare(instances) => instances.min(Order::END - 1),
            Order::Cycle => Order::CYCLE,
            Order::End => Order::END,
        }
    }

    fn decoded(code: u32) -> Order {
        match code {
            Order::CYCLE => Order::Cycle,
            Order::END => Order::End,
            instances => Order::Prepare(instances),
        }
    }
}

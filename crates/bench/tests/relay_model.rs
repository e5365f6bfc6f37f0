//! The turns of the DSP study's relay under `loom`, which tries every order in which leader
//! and worker may take turns and see each other's writes, with at most three switches that
//! neither asked for.
//!
//! The source of the turn is compiled here a second time, against the atomics of `loom`; who
//! parks and wakes whom is as in `Relay`, whose leader sleeps on the number that is pending:
//! no wake-up is lost by that either, since the kernel compares it before it lets him sleep.

use loom::model::Builder;
use loom::sync::Arc;
use loom::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use loom::thread;

#[path = "../src/studies/dsp/relay/turn.rs"]
mod turn;

use turn::Turn;

const TURNS: u32 = 2;

/// A relay of one worker, and what the worker has done, written without any order of its own.
#[derive(Default)]
struct Bench {
    turn: Turn,
    work: AtomicU32,
}

impl Bench {
    /// The worker: obeys every order and counts itself off, `finish` first where that is asked.
    fn work(&self, leader: &thread::Thread, finish_first: bool) {
        for seen in 0..u64::from(TURNS) {
            let order = loop {
                match self.turn.order_after(seen) {
                    Some(order) => break order,
                    None => thread::park(),
                }
            };
            assert_eq!(u64::from(order), seen + 1, "the order of another turn");
            let last = finish_first && self.turn.finish();
            self.work.store(order, Ordering::Relaxed);
            if last || (!finish_first && self.turn.finish()) {
                leader.unpark();
            }
        }
    }

    /// The leader: gives every order, and finds the work done when nobody is pending.
    fn lead(&self, worker: &thread::Thread) {
        for order in 1..=TURNS {
            self.turn.give(order, 1);
            worker.unpark();
            while self.turn.pending() != 0 {
                thread::park();
            }
            assert_eq!(self.work.load(Ordering::Relaxed), order, "the work is not done");
        }
    }
}

fn turns(finish_first: bool) {
    let mut model = Builder::new();
    model.preemption_bound = Some(3);
    model.check(move || {
        let bench = Arc::new(Bench::default());
        let (workers, leader) = (Arc::clone(&bench), thread::current());
        let worker = thread::spawn(move || workers.work(&leader, finish_first));
        bench.lead(worker.thread());
        worker.join().expect("the worker does not panic");
    });
}

#[test]
fn every_order_is_followed_once_and_its_work_is_done_when_the_leader_goes_on() {
    turns(false);
}

#[test]
#[should_panic(expected = "the work is not done")]
fn the_model_finds_a_worker_that_counts_itself_off_before_its_work() {
    turns(true);
}

//! Events a second through the engine on one core: inputs and actions of a
//! synchronization trial with immediate feedback, and of a busy trial.

use chronotap_engine::trial::Trial;
use chronotap_engine::{Engine, Event};
use chronotap_testkit::parts::{busy, feedback, key, ms, pacing, trial};
use chronotap_time::Exact;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use std::sync::Arc;

fn taps(count: i64) -> Vec<Event> {
    let pair = |i: i64| [key(i * 250_000, 60, true), key(i * 250_000 + 100_000, 60, false)];
    (0..count).flat_map(pair).collect()
}

/// Runs the trial; gives the number of events that went in or came out.
fn run(engine: &mut Engine, events: &[Event]) -> u64 {
    let mut out = 0u64;
    for event in events {
        engine.input(*event);
        engine.advance(event.stamp, &mut |action| {
            black_box(action);
            out += 1;
        });
    }
    assert_eq!(engine.lost(), 0);
    out
}

fn bench(c: &mut Criterion, name: &str, trial: Trial, events: &[Event]) {
    let trial = Arc::new(trial);
    let fresh = || Engine::new(Arc::clone(&trial), 7);
    let count = run(&mut fresh(), events);
    let mut group = c.benchmark_group("engine");
    group.throughput(Throughput::Elements(count));
    group.bench_function(name, |b| {
        b.iter_batched_ref(fresh, |engine| run(engine, events), criterion::BatchSize::LargeInput);
    });
    group.finish();
}

fn events(c: &mut Criterion) {
    let sync = trial(vec![pacing("m", Exact::whole(ms(500)))], vec![feedback("tone")], vec![]);
    bench(c, "synchronization", sync, &taps(10_000));
    let mut endless = busy();
    endless.triggers.pop();
    bench(c, "everything at once", endless, &taps(10_000));
}

criterion_group!(benches, events);
criterion_main!(benches);

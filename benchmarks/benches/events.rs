//! Events a second through the engine on one core: inputs and actions of a
//! synchronization trial with immediate feedback, and of a busy trial.

use chronotap_core::time::{Exact, Nanos};
use chronotap_engine::trial::{Change, Occasions, Shift, Trial};
use chronotap_engine::{Engine, Event};
use chronotap_testkit_engine::parts::{busy, feedback, key, ms, pacing, trial};
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
    endless.rules.pop();
    bench(c, "everything at once", endless, &taps(10_000));
}

/// A beat each millisecond, of which each begins two steps over so many beats that cancel.
fn stepping(over: u32, exponential: bool) -> Trial {
    let mut stream = pacing("m", Exact::whole(ms(1)));
    let step = |by: i64| Change {
        at: Occasions::Every { from: 1, to: 1, after: 0 },
        apart: 0,
        mute: false,
        phase_shift: Shift::None,
        onset_shift: Shift::None,
        interval: None,
        interval_step: Shift::Fixed(Nanos(by)),
        over,
        exponential,
    };
    stream.changes = vec![step(1_000), step(-1_000)];
    trial(vec![stream], vec![], vec![])
}

/// What a beat costs while as many steps are on their way as their change allows.
fn steps(c: &mut Criterion) {
    const BEATS: i64 = 100;
    let mut group = c.benchmark_group("engine/steps");
    group.throughput(Throughput::Elements(BEATS as u64));
    for (name, exponential) in [("differences", false), ("ratios", true)] {
        for over in [1, 100, 5_000] {
            let mut engine = Engine::new(Arc::new(stepping(over, exponential)), 7);
            let mut now = ms(1_000);
            let mut beat = |engine: &mut Engine| {
                now += ms(1);
                engine.advance(now, &mut |action| {
                    black_box(action);
                });
            };
            (0..6_000).for_each(|_| beat(&mut engine));
            group.bench_function(format!("{name}, over {over}"), |b| {
                b.iter(|| (0..BEATS).for_each(|_| beat(&mut engine)));
            });
        }
    }
    group.finish();
}

criterion_group!(benches, events, steps);
criterion_main!(benches);

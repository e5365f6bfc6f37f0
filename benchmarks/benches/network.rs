//! What one instance of the network costs: time for a period of 64 frames.

use chronotap_audio::network::{Designer, Heavy, Light};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

const FRAMES: usize = 64;

fn network(c: &mut Criterion) {
    let mut group = c.benchmark_group("network");
    group.throughput(Throughput::Elements(FRAMES as u64));
    let (mut left, mut right) = ([0.0f32; FRAMES], [0.0f32; FRAMES]);
    let noise = |n: usize| ((n * 7_919) % 1_000) as f32 / 1_000.0 - 0.5;
    let mut light = Light::new(48_000.0);
    group.bench_function("light, 8 lines", |b| {
        b.iter(|| {
            left = std::array::from_fn(noise);
            light.process(&mut left, &mut right);
        });
    });
    let mut heavy = Heavy::new(48_000.0);
    group.bench_function("heavy, 16 lines", |b| {
        b.iter(|| {
            left = std::array::from_fn(noise);
            heavy.process(&mut left, &mut right);
        });
    });
    let mut light = Designer::<8>::new(48_000.0);
    group.bench_function("designer-light, 8 lines", |b| {
        b.iter(|| {
            left = std::array::from_fn(noise);
            light.process(&mut left, &mut right);
        });
    });
    let mut heavy = Designer::<16>::new(48_000.0);
    group.bench_function("designer-heavy, 16 lines", |b| {
        b.iter(|| {
            left = std::array::from_fn(noise);
            heavy.process(&mut left, &mut right);
        });
    });
    group.finish();
}

criterion_group!(benches, network);
criterion_main!(benches);

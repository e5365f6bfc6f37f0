//! A trial's two files, made of its entries and put on the disk (without a sync, as
//! in virtual time), read whole, and read as an analysis does: 350 rows.
#![allow(clippy::unwrap_used)] // a benchmark that cannot be set up has failed

use chronotap_data::record::{Entry, Outlines, read_events, write_events};
use chronotap_engine::action::ActionKind;
use chronotap_testkit_data::tiny::{entry, footer, header, off, on};
use criterion::{Criterion, criterion_group, criterion_main};

fn tone(n: u64) -> [Entry; 2] {
    let ms = 80 * n as i64;
    [
        entry(n + 1, ActionKind::Feedback(0), (n as u32 + 1, n), (ms, Some(ms)), on(60)),
        entry(n + 1, ActionKind::ToneOff, (0, 0), (ms + 50, Some(ms + 50)), off(60)),
    ]
}

fn events_files(c: &mut Criterion) {
    let dir = tempfile::tempdir().unwrap();
    let trial: Vec<Entry> = (0..350u64).flat_map(tone).collect();
    let mut n = 0;
    c.bench_function("350 rows", |b| {
        b.iter(|| {
            n += 1;
            let name = format!("bench_run-{n}");
            write_events(dir.path(), &name, &header(), &trial, &footer(), false).unwrap()
        });
    });
}

fn reading(c: &mut Criterion) {
    let dir = tempfile::tempdir().unwrap();
    let trial: Vec<Entry> = (0..350u64).flat_map(tone).collect();
    let saved = write_events(dir.path(), "bench", &header(), &trial, &footer(), false).unwrap();
    c.bench_function("350 rows, read", |b| b.iter(|| read_events(&saved.tsv).unwrap()));
    let mut outlines = Outlines::default();
    c.bench_function("350 rows, their outline", |b| {
        b.iter(|| outlines.read(&saved.tsv).unwrap());
    });
}

criterion_group!(benches, events_files, reading);
criterion_main!(benches);

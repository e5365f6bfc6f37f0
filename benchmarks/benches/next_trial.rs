//! From the end of one trial to the first possible beat of the next, on a session that stays
//! open: everything that is done for a trial that ends at its first instant, with and without
//! data files (which are synced to the disk).
#![allow(clippy::unwrap_used)] // a benchmark that cannot be set up has failed

use chronotap_config::trial_files::TrialFile;
use chronotap_linux::realtime::{Interrupt, Request};
use chronotap_rig::laboratory::{Bindings, KeepData, PortNames, Rig, TrialRun};
use chronotap_rig::runner::real_time::RealTimeSettings;
use chronotap_simulate::Tapper;
use criterion::{Criterion, criterion_group, criterion_main};

fn next_trial(c: &mut Criterion) {
    let file = TrialFile::parse("[[when]]\ntime = \"0 s\"\nend = true\n", "empty.toml").unwrap();
    let bindings =
        Bindings::resolve(&PortNames::default(), &["input"], &["output"], Some("wire")).unwrap();
    let settings = RealTimeSettings { request: Request::trial(), spin: true, serve_every: None };
    let interrupt = Interrupt::without_signals().unwrap();
    let mut rig = Rig::open(bindings, None, &settings, interrupt).unwrap();
    let dir = tempfile::tempdir_in(".").unwrap();
    let mut n = 0;
    let mut run = |keep_files: bool| {
        n += 1;
        let name = format!("empty_run-{n}");
        let keep = if keep_files { KeepData::Files(dir.path(), &name) } else { KeepData::Nothing };
        let tapper = Tapper::Nobody;
        let (file, seed, limit) = (&file, 1, None);
        let run = TrialRun { file, seed, tapper: &tapper, limit, keep, sinks: &[] };
        rig.run(&run, |_| {}).unwrap().saved.unwrap();
    };
    let mut group = c.benchmark_group("a trial that is over at once");
    group.bench_function("without files", |b| b.iter(|| run(false)));
    group.sample_size(20).bench_function("with files, synced", |b| b.iter(|| run(true)));
    group.finish();
}

criterion_group!(benches, next_trial);
criterion_main!(benches);

//! What designs cost: `check` of a study of 10,000 trials (bar: 0.2 s), and the order of
//! 200 trials under constraints (bar: 50 ms), by each of the methods.

use chronotap_design::{Experiment, Participant, overview};
use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;

const TRIAL: &str = "[pacing.metronome]\ninterval = \"500 ms\"\n[feedback.tone]\ndelay = \"0 ms\"\n\
                     [[when]]\nbeat = 41\nend = true\n";

fn study(participants: u32, levels: usize, step: &str) -> Experiment {
    let delays: Vec<String> = (0..levels).map(|n| format!("\"{n} ms\"")).collect();
    let text = format!(
        "participants = {participants}\ntrial = \"sync.toml\"\n[factor]\ntempo = [\"400 ms\", \"600 ms\"]\n\
         delay = [{}]\n[set]\npacing.metronome.interval = {{ factor = \"tempo\" }}\n\
         feedback.tone.delay = {{ factor = \"delay\" }}\n[[step]]\nname = \"main\"\n{step}\n",
        delays.join(", ")
    );
    let files = vec![("sync.toml".to_owned(), TRIAL.to_owned())];
    Experiment::parse(&text, "study.toml", &files).expect("a study")
}

fn checks(c: &mut Criterion) {
    let mut group = c.benchmark_group("check");
    group.sample_size(20);
    for (name, levels, step) in [
        ("10000 trials of 10 conditions", 5, "repetitions = 1000\nshuffle = \"each repetition\""),
        (
            "10000 trials of 10 conditions, no repeat",
            5,
            "repetitions = 1000\nshuffle = \"each repetition\"\napart = { delay = 2 }",
        ),
        ("10000 trials of 200 conditions", 100, "repetitions = 50\nshuffle = \"all\""),
    ] {
        group.bench_function(name, |b| {
            b.iter(|| black_box(overview(&study(24, levels, step))));
        });
    }
    group.finish();
}

fn orders(c: &mut Criterion) {
    let mut group = c.benchmark_group("order of 200 trials");
    group.sample_size(20);
    for (name, levels, step) in [
        ("no repeat of 5 levels", 5, "repetitions = 20\nshuffle = \"all\"\napart = { delay = 2 }"),
        (
            "no repeat, each repetition",
            5,
            "repetitions = 20\nshuffle = \"each repetition\"\napart = { delay = 2 }",
        ),
        (
            "two factors",
            5,
            "repetitions = 20\nshuffle = \"all\"\nat_most_in_a_row = { delay = 1, tempo = 2 }",
        ),
        (
            "three apart",
            5,
            "repetitions = 20\nshuffle = \"all\"\napart = { delay = 3 }\nat_most_in_a_row = { tempo = 3 }",
        ),
    ] {
        let study = study(1, levels, step);
        let participant = Participant { label: "01".to_owned(), cell: 0, k: 0 };
        let method = study.plan(&participant, 1).expect("a plan").steps[0].blocks[0].method;
        group.bench_function(format!("{name} ({})", method.said()), |b| {
            b.iter(|| black_box(study.plan(&participant, 1)));
        });
    }
    group.finish();
}

criterion_group!(benches, checks, orders);
criterion_main!(benches);

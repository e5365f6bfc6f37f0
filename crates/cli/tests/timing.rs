//! `chronotap timing` from outside: what is refused before anything starts, which files
//! a test leaves, that Ctrl-C keeps what was measured, and that results of other
//! programs stand beside ours. Nothing here asserts how good this machine is.

use chronotap_bench::timing::{Quantity, Results, term};
use chronotap_core::time::Nanos;
use chronotap_linux::clocks::{MonotonicClock, sleep_until};
use chronotap_testkit_cli::program::{self, Output, Workspace, names_in, start};
use rustix::process::Signal;
use std::fs::{File, read_to_string};
use std::path::Path;
use std::process::Stdio;

const PROGRAM: &str = env!("CARGO_BIN_EXE_chronotap");

/// A short test, in results named so.
fn wakeup(place: &Workspace, label: &str) -> Output {
    place.run(&format!("timing wakeup --quick --seconds 1 --label {label}"))
}

fn results(path: &Path) -> Results {
    Results::parse(&read_to_string(path).unwrap()).unwrap()
}

/// Fit or unfit: the test did its work.
fn did_its_work(said: &Output) {
    assert!(matches!(said.code, Some(0 | 1)), "{said:?}");
}

#[test]
fn what_cannot_be_done_is_refused_before_anything_starts() {
    let place = Workspace::of(PROGRAM);
    for (args, wanted) in [
        ("timing clock --load arithmetics", "the loads are: none, arithmetic, contending"),
        ("timing wakeup --cores 4095", "core 4095 may not be used here"),
        ("timing wakeup --interval-us 5", "write a time from 50.0 us to 1.00 s"),
        ("timing wakeup --deadline 950us", "of each interval of 1000 us a thread can have"),
        ("timing wakeup --deadline 100us --cores 0", "cannot be used with"),
        ("timing noise --busy 95", "1 to 90 % of each second, not 95 %"),
        ("timing noise --gap 0.05us", "a gap is 0.2 us to 100 ms"),
        ("timing wakeup --load effects --load-card alsa:hw:NoSuchCard,0", "no such device"),
        ("timing periodic --rates-hz 9000", "from 1 to 8192"),
        ("timing all --for audio", "use `tapping`, or `audio:64@48000`"),
        ("timing all --quick --full", "cannot be used with"),
        ("timing waits --json --csv", "cannot be used with"),
        ("timing compare missing.json", "missing.json"),
        ("timing compare --as vignati-4 missing.json", "vignati-2, vignati-3, vignati-table-1"),
        ("timing compare --as vignati-3 --json missing.json", "cannot be used with"),
        ("timing wakeup --resume missing.json", "missing.json"),
        ("timing report missing.json --output page.html", "missing.json"),
    ] {
        let said = place.run(args);
        assert_eq!(said.code, Some(2), "{args}: {said:?}");
        assert!(said.err.contains(wanted), "{args}: {}", said.err);
    }
    assert!(names_in(&place.path("")).is_empty());
}

#[test]
fn a_test_leaves_its_results_its_tables_and_a_page_and_says_what_is_what() {
    let place = Workspace::of(PROGRAM);
    let said = wakeup(&place, "here");
    did_its_work(&said);
    for (name, end) in
        [("json", ".json"), ("html", ".html"), ("csv", ".csv"), ("csv", "_histograms.csv")]
    {
        let file = format!("here_wakeup_run-01{end}");
        assert!(said.out.contains(&file), "{name}: {}", said.out);
        assert!(place.path("timing").join(&file).is_file(), "{file}");
    }
    assert!(said.out.contains("for a tapping experiment at 1 ms"), "{}", said.out);
    assert!(said.out.contains("for audio in periods of 64 frames"), "{}", said.out);
    assert!(said.out.contains("Next: "), "{}", said.out);
    assert!(said.out.lines().all(|line| line.chars().count() <= 80), "{}", said.out);
    did_its_work(&wakeup(&place, "here"));
    assert!(place.path("timing/here_wakeup_run-02.json").is_file(), "nothing is overwritten");
}

#[test]
fn every_figure_in_the_results_is_explained_under_notation() {
    let place = Workspace::of(PROGRAM);
    let tests = [
        "wakeup --seconds 1",
        "noise --seconds 1 --busy 30",
        "periodic --seconds 1 --rates-hz 1024",
        "clock --load none",
        "waits",
    ];
    for test in tests {
        did_its_work(&place.run(&format!("timing {test} --quick --label x --output out")));
    }
    for name in names_in(&place.path("out")).iter().filter(|name| name.ends_with(".json")) {
        let results = results(&place.path("out").join(name));
        let series = results.tests.iter().flat_map(|found| &found.series);
        for figure in series.flat_map(|series| series.figures.keys()) {
            assert!(term(figure).is_some(), "{name}: {figure} has no term");
        }
    }
}

#[test]
fn a_late_wake_up_ends_the_test_where_it_was_asked_to_and_the_check_has_failed() {
    let place = Workspace::of(PROGRAM);
    let said = place.run("timing wakeup --quick --seconds 20 --stop-above 1us --label x");
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.out.contains("stopped: core "), "{}", said.out);
    let kept = results(&place.path("timing/x_wakeup_run-01.json"));
    assert!(kept.tests[0].series[0].statistics.n < 15_000, "it ended before its time");
}

#[test]
fn the_forms_for_programs_are_what_they_say() {
    let place = Workspace::of(PROGRAM);
    // More than a pipe holds, so it goes to a file.
    let of = |form: &str| {
        let args = ["timing", "wakeup", "--quick", "--seconds", "1", "--label", "x", form];
        let mut command = place.chronotap(args);
        let path = place.path("printed");
        let status =
            command.stdout(File::create(&path).unwrap()).stderr(Stdio::null()).status().unwrap();
        assert!(matches!(status.code(), Some(0 | 1)), "{status:?}");
        read_to_string(&path).unwrap()
    };
    assert_eq!(Results::parse(&of("--json")).unwrap().label, "x");
    assert!(of("--csv").starts_with("label,test,quantity,conditions,name,value,unit\r\n"));
    assert!(of("--html").starts_with("<!doctype html>"));
}

#[test]
fn ctrl_c_keeps_what_was_measured_and_says_so() {
    let place = Workspace::of(PROGRAM);
    let args = ["timing", "all", "--quick", "--label", "x", "--output", "out"];
    let running = start(place.chronotap(args));
    let file = place.path("out/x_all_run-01.json");
    let kept = || Results::parse(&read_to_string(&file).ok()?).ok();
    let some = || kept().is_some_and(|kept| !kept.tests.is_empty());
    program::wait_until("the first test is over", some);
    running.signal(Signal::INT);
    let said = running.wait();
    did_its_work(&said);
    assert!(said.out.contains("interrupted"), "{}", said.out);
    let kept = kept().unwrap();
    assert!(kept.interrupted && kept.tests[0].series.len() > 5);
    assert!(place.path("out/x_all_run-01.html").is_file());
}

/// Two runs of 4 s, ended in one of them: what is added makes 4,000 wake-ups of each.
#[test]
fn a_run_of_wake_ups_that_was_ended_goes_on_where_it_stopped() {
    let place = Workspace::of(PROGRAM);
    let args = "timing wakeup --quick --seconds 4 --cores 0 --label x";
    let running = start(place.chronotap(args.split(' ')));
    let file = place.path("timing/x_wakeup_run-01.json");
    program::wait_until("it has begun", || file.is_file());
    sleep_until(MonotonicClock::raw() + Nanos::from_millis(1_500));
    running.signal(Signal::INT);
    let said = running.wait();
    assert!(said.out.contains("--resume timing/x_wakeup_run-01.json"), "{}", said.out);
    let first = results(&file);
    assert!(first.interrupted);
    let on = |results: &Results| {
        let all = results.series(Quantity::CorrectedLateness);
        all.map(|(_, series)| series.statistics.n).sum::<u64>()
    };
    assert!((1..8_000).contains(&on(&first)), "{}", on(&first));
    did_its_work(&place.run(&format!("{args} --resume timing/x_wakeup_run-01.json")));
    let whole = results(&place.path("timing/x_wakeup_run-02.json"));
    assert!(!whole.interrupted && !whole.tests[0].interrupted);
    // A stall at the end of a run may count some periods more, a late start some fewer.
    assert!((7_900..9_000).contains(&on(&whole)), "{}", on(&whole));
    let other = place.run("timing wakeup --interval-us 500 --resume timing/x_wakeup_run-02.json");
    assert!(other.code == Some(2) && other.err.contains("no wake-ups every 500 us"), "{other:?}");
}

#[test]
fn a_study_s_figure_is_printed_of_any_two_files_with_theirs_below() {
    let place = Workspace::of(PROGRAM);
    for label in ["one", "two"] {
        did_its_work(&wakeup(&place, label));
    }
    let files = "timing/one_wakeup_run-01.json timing/two_wakeup_run-01.json";
    let said = place.run(&format!("timing compare --as vignati-3 {files}"));
    let theirs = "  [Raspberry Pi 4B, Xenomai]         2.5    12.0";
    // Without the right to real-time priority there is nothing to compare.
    let (ours, none) = (said.out.contains(theirs), said.err.contains("`chronotap timing wakeup`"));
    assert!(ours != none, "{said:?}");
    assert!(said.out.lines().all(|line| line.chars().count() <= 80), "{}", said.out);
    let dsp = place.run(&format!("timing compare --as vignati-2 {files}"));
    assert!(dsp.code == Some(2) && dsp.err.contains("`chronotap timing dsp`"), "{dsp:?}");
}

#[test]
fn the_loop_test_runs_beside_a_load_and_keeps_results_where_asked() {
    let place = Workspace::of(PROGRAM);
    let args = "timing loop --in wire --out wire --quick --load arithmetic";
    let said = place.run(&format!("{args} --results out --label x"));
    did_its_work(&said);
    let kept = results(&place.path("out/x_loop_run-01.json"));
    let series = &kept.tests[0].series;
    assert!(series.iter().all(|one| one.condition("load") == Some("arithmetic")));
    assert!(series.iter().all(|one| one.figures.contains_key("faults")));
    assert!(place.path("out/x_loop_run-01.html").is_file());
}

#[test]
fn the_loop_test_runs_again_and_again_and_sets_ports_side_by_side() {
    let place = Workspace::of(PROGRAM);
    let args =
        "timing loop --in wire --out wire --inputs 100 --ordinary --repeat 3 --also wire:loop";
    let said = place.run(&format!("{args} --results out --label x"));
    did_its_work(&said);
    assert_eq!(said.out.matches("Loop test, 3 runs: wire:loop to wire:loop").count(), 2);
    assert!(said.out.contains("Maximum of each run") && said.out.contains("of 3 runs"));
    assert!(said.out.contains("Pairs of ports, over their runs"), "{}", said.out);
    assert!(said.out.lines().all(|line| line.chars().count() <= 80), "{}", said.out);
    let kept = results(&place.path("out/x_loop_run-01.json"));
    for run in ["1", "2", "3"] {
        let of = |one: &&chronotap_bench::timing::SampleSeries| one.condition("run") == Some(run);
        assert!(kept.tests[0].series.iter().filter(of).count() >= 2);
    }
    let told = place.run(&format!("{args} --json"));
    let pairs: serde_json::Value = serde_json::from_str(&told.out).unwrap();
    assert_eq!(pairs["pairs"][1]["runs"].as_array().map(Vec::len), Some(3));
    // Between 100 messages, and one more that may come with the last.
    let n = pairs["pairs"][0]["runs"][2]["n"].as_u64();
    assert!(matches!(n, Some(99 | 100)), "{n:?}");
}

/// A table as `cyclictest -h400` prints it: 10,000 wake-ups of each of two threads, of which
/// 163 and 237 lie beyond 400 us.
fn overflowing() -> String {
    let row = |us: u32| match us {
        20 => "000020 009837\t009763\n".to_owned(),
        us => format!("{us:06} 000000\t000000\n"),
    };
    let rows: String = (0..400).map(row).collect();
    format!(
        "# /dev/cpu_dma_latency set to 0us\n# Histogram\n{rows}# Total: 000009837 000009763\n# Min Latencies: 00020 00020\n\
         # Avg Latencies: 00033 00035\n# Max Latencies: 03041 02955\n\
         # Histogram Overflows: 00163 00237\n# Histogram Overflow at cycle number:\n\
         # Thread 0: 00016 # 00162 others\n# Thread 1: 00016 # 00236 others\n"
    )
}

#[test]
fn what_lies_beyond_the_table_of_cyclictest_is_told_so_in_every_form() {
    let place = Workspace::of(PROGRAM);
    place.file("one.txt", overflowing());
    let page = place.run("timing report RT=one.txt --html").out;
    assert!(page.contains("&gt; 400 us") && page.contains("33.0 us"), "{page}");
    assert!(!page.contains("399.9 us"), "{page}");
    let csv = place.run("timing report RT=one.txt --csv").out;
    assert!(csv.contains(",mean,33000,ns") && csv.contains(",p99_more_than,400000,ns"), "{csv}");
    place.file("two.txt", overflowing().replace("03041", "02999"));
    let compared = place.run("timing compare A=one.txt B=two.txt").out;
    // Of both threads 400 of 20,000 lie beyond; their averages are 33 and 35 us.
    assert!(compared.contains("A: max 3041 us, mean 34.0 us, median 20.0 us, p99 > 400 us"));
    let csv = place.run("timing compare A=one.txt B=two.txt --csv").out;
    assert!(csv.contains(",p99_us_more_than,400,400,400,us,1"), "{csv}");
    let page = place.run("timing compare A=one.txt B=two.txt --html").out;
    assert!(!page.contains("399.9 us") && page.contains("&gt; 400 us"), "{page}");
}

#[test]
fn one_run_given_twice_is_refused_and_two_runs_are_not() {
    let place = Workspace::of(PROGRAM);
    place.file("one.txt", overflowing());
    place.file("copy.txt", overflowing());
    for files in ["one.txt one.txt", "A=one.txt A=copy.txt", "A=one.txt B=copy.txt A=copy.txt"] {
        for command in ["compare", "report"] {
            let said = place.run(&format!("timing {command} {files}"));
            assert_eq!(said.code, Some(2), "{said:?}");
            assert!(
                said.err.contains("same run") && said.err.contains("leave one out"),
                "{said:?}"
            );
        }
    }
    place.file("two.txt", overflowing().replace("03041", "02955"));
    assert_eq!(place.run("timing compare A=one.txt A=two.txt").code, Some(0));
}

#[test]
fn results_of_cyclictest_stand_beside_ours() {
    let place = Workspace::of(PROGRAM);
    did_its_work(&wakeup(&place, "ours"));
    let theirs = include_str!("../../timing/tests/fixtures/cyclictest.json");
    place.file("theirs.json", theirs);
    let said = place
        .run("timing compare timing/ours_wakeup_run-01.json RT=theirs.json --output page.html");
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.out.contains("ours: 1 run\nRT: 1 run"), "{}", said.out);
    let shared = said.out.contains("- median: ") || said.out.contains("wakeup, as others");
    assert!(shared, "{}", said.out);
    assert!(read_to_string(place.path("page.html")).unwrap().contains("RT"));
    let again = place.run("timing report RT=theirs.json --output page.html");
    assert_eq!(again.code, Some(2), "a page is not overwritten: {again:?}");
    assert!(again.err.contains("--output page.html"), "{}", again.err);
}

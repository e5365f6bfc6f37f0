//! What the summary of a trial says, from the trial file and the taps to its figures and
//! the exit status. The figures are worked out by hand.

use chronotap_testkit_cli::program::{Output, Workspace, start};
use rustix::process::Signal;
use serde_json::Value;

const PROGRAM: &str = env!("CARGO_BIN_EXE_chronotap");

/// Runs a trial in virtual time with these taps: onset in seconds, and the input.
fn simulated(text: &str, taps: &[(f64, &str)]) -> (Output, Value) {
    let place = Workspace::of(PROGRAM);
    place.file("trial.toml", text);
    let mut table = "onset\tduration\tnote\tvelocity\tinput\n".to_owned();
    for (onset, input) in taps {
        table += &format!("{onset:.3}\t0.050\t60\t80\t{input}\n");
    }
    place.file("taps.tsv", table);
    let said = place.run("simulate trial.toml --performer taps.tsv --no-data --json --seed 1");
    let mut told: Value =
        serde_json::from_str(&said.out).unwrap_or_else(|error| panic!("{error}: {said:?}"));
    let summary = told["summary"].take();
    (said, summary)
}

/// Every half second from `from` seconds on, 10 ms early, by turns 4 ms more and less.
fn tapped(from: f64, count: usize) -> Vec<(f64, &'static str)> {
    let tap =
        |k: usize| from + 0.5 * k as f64 - 0.010 + if k.is_multiple_of(2) { 0.004 } else { -0.004 };
    (0..count).map(|k| (tap(k), "input")).collect()
}

const METRONOME: &str = "[pacing.metronome]\ninterval = \"500 ms\"\nbeats = 20\n\
                         [feedback.tone]\n";

fn ended_at(seconds: u32) -> String {
    format!("[[when]]\ntime = \"{seconds} s\"\nend = true\n")
}

#[test]
fn a_go_signal_leaves_the_continuation_and_its_taps_as_they_are() {
    let go = "[pacing.go]\ninterval = \"5 s\"\nbeats = 1\nstart = \"12 s\"\n";
    let (said, summary) = simulated(&format!("{METRONOME}{go}{}", ended_at(26)), &tapped(1.0, 50));
    assert_eq!(said.code, Some(0), "{said:?}");
    let [metronome, go] = [0, 1].map(|stream| &summary["synchronization"][stream]);
    assert_eq!((&metronome["matched"], &metronome["extra"]), (&20.into(), &0.into()));
    assert_eq!((&go["matched"], &go["extra"], &go["unpaced"]), (&1.into(), &0.into(), &49.into()));
    assert_eq!(summary["taps"][0]["continuation"]["n"], 29);
    assert_eq!(summary["taps"][0]["wing_kristofferson"]["n"], 29);
    let names: Vec<&Value> =
        summary["stretches"].as_array().unwrap().iter().map(|s| &s["stretch"]).collect();
    assert_eq!(names, ["metronome", "continuation"]);
}

#[test]
fn a_lone_beat_takes_no_tap_from_far_away() {
    let go =
        format!("[pacing.go]\ninterval = \"5 s\"\nbeats = 1\n[feedback.tone]\n{}", ended_at(6));
    let (_, summary) = simulated(&go, &[(2.98, "input")]);
    let go = &summary["synchronization"][0];
    assert_eq!((&go["matched"], &go["missed"], &go["unpaced"]), (&0.into(), &1.into(), &1.into()));
}

#[test]
fn a_stream_that_is_started_again_and_again_has_all_its_beats() {
    let mut text = "[pacing.go]\ninterval = \"500 ms\"\nbeats = 1\n[feedback.tone]\n".to_owned();
    for seconds in [3, 5, 7] {
        text += &format!("[[when]]\ntime = \"{seconds} s\"\nstart = \"go\"\n");
    }
    let taps = [(1.25, "input"), (3.25, "input"), (5.25, "input"), (7.25, "input")];
    let (_, summary) = simulated(&format!("{text}{}", ended_at(9)), &taps);
    let go = &summary["synchronization"][0];
    let counts = ["beats", "matched", "missed", "extra"].map(|count| go[count].as_u64());
    assert_eq!(counts, [4, 4, 0, 0].map(Some), "{go}");
    assert_eq!(go["asynchrony"]["mean_ms"], 250.0);
}

#[test]
fn continuations_at_two_tempi_are_not_mixed() {
    let text = format!(
        "[pacing.metronome]\ninterval = \"500 ms\"\n[feedback.tone]\n\
         [[when]]\nbeat = 11\nset.pacing.metronome.audible = false\n\
         [[when]]\nbeat = 31\nset.pacing.metronome.audible = true\n\
         set.pacing.metronome.interval = \"800 ms\"\n\
         [[when]]\nbeat = 41\nset.pacing.metronome.audible = false\n{}",
        ended_at(40)
    );
    // Beat 31 comes at 16 s, beat 40 at 23.2 s.
    let slow = (0..29).map(|k| (16.0 + 0.8 * f64::from(k), "input"));
    let taps: Vec<_> = tapped(1.0, 29).into_iter().chain(slow).collect();
    let (_, summary) = simulated(&text, &taps);
    let stretches = summary["taps"][0]["stretches"].as_array().unwrap();
    let told: Vec<(&str, Option<f64>)> = stretches
        .iter()
        .map(|s| (s["stretch"].as_str().unwrap(), s["intervals"]["median_ms"].as_f64()))
        .collect();
    let names: Vec<&str> = told.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["metronome", "continuation", "metronome 2", "continuation 2"]);
    assert_eq!((told[2].1, told[3].1), (Some(800.0), Some(800.0)));
    assert!((told[1].1.unwrap() - 500.0).abs() < 9.0, "{told:?}");
    assert_eq!(summary["taps"][0]["continuation"], Value::Null, "there are two");
}

#[test]
fn a_trial_in_which_nobody_tapped_fails_by_its_data_and_not_by_its_timing() {
    let (said, summary) = simulated(&format!("{METRONOME}{}", ended_at(3)), &[(99.0, "input")]);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert_eq!(summary["verdict"]["passed"], true);
    assert_eq!(summary["data"]["usable"], false);
    assert_eq!(summary["data"]["reasons"][0], "no tap came from input \"input\"");
}

#[test]
fn a_trial_of_pacing_alone_without_taps_is_only_doubted() {
    let text = format!("[pacing.metronome]\ninterval = \"500 ms\"\n{}", ended_at(3));
    let (said, summary) = simulated(&text, &[(99.0, "input")]);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert_eq!(summary["data"]["usable"], true);
    assert_eq!(summary["data"]["doubts"].as_array().map(Vec::len), Some(1));
}

#[test]
fn each_hand_is_measured_against_the_stream_that_it_answers() {
    let text = format!(
        "[input.left]\n[input.right]\n\
         [pacing.three]\ninterval = \"400 ms\"\nbeats = 30\nanswered_by = \"right\"\n\
         [pacing.two]\ninterval = \"600 ms\"\nbeats = 20\nanswered_by = \"left\"\n{}",
        ended_at(14)
    );
    let right = (0..30).map(|k| (0.990 + 0.4 * f64::from(k), "right"));
    let left = (0..20).map(|k| (0.980 + 0.6 * f64::from(k), "left"));
    let mut taps: Vec<_> = right.chain(left).collect();
    taps.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (said, summary) = simulated(&text, &taps);
    assert_eq!(said.code, Some(0), "{said:?}");
    let pairs = summary["synchronization"].as_array().unwrap();
    let told: Vec<_> = pairs
        .iter()
        .map(|p| {
            let names = ["input", "pacing"].map(|key| p[key].as_str().unwrap());
            (names, p["matched"].as_u64().unwrap(), p["asynchrony"]["mean_ms"].as_f64().unwrap())
        })
        .collect();
    assert_eq!(told, [(["left", "two"], 20, -20.0), (["right", "three"], 30, -10.0)]);
    assert_eq!(
        summary["answered_by"],
        "right answers three (answered_by); left answers two (answered_by)"
    );
    assert_eq!(summary["stretches"][0]["stretch"], "three+two");
}

#[test]
fn the_words_of_a_summary_are_explained_where_that_is_asked_for() {
    let place = Workspace::of(PROGRAM);
    place
        .file("t.toml", "[pacing.m]\ninterval = \"300 ms\"\nbeats = 6\n".to_owned() + &ended_at(4));
    let plain = place.run("simulate t.toml --seed 1");
    assert!(!plain.out.contains("Notation"), "{plain:?}");
    assert!(plain.out.contains("What these words mean: --notation"), "{plain:?}");
    let explained = place.run("summary data/t_run-01_events.tsv --notation");
    assert!(explained.out.contains("\nNotation\n  inter-tap interval: from"), "{explained:?}");
}

/// Five trials of a metronome with a simulated participant; their events files.
fn recorded(place: &Workspace) -> Vec<String> {
    place.file("t.toml", format!("{METRONOME}{}", ended_at(12)));
    let said = place.run("simulate t.toml --repeat 5 --seed 1 --data data --quiet");
    assert_eq!(said.code, Some(0), "{said:?}");
    (1..=5).map(|run| format!("data/t_run-0{run}_events.tsv")).collect()
}

#[test]
fn a_recovered_trial_without_a_summary_has_the_one_that_it_would_have_had() {
    let place = Workspace::of(PROGRAM);
    let first = &recorded(&place)[0];
    let json = place.path("data/t_run-01_events.json");
    let mut kept: Value = serde_json::from_slice(&std::fs::read(&json).unwrap()).unwrap();
    let whole = kept["Chronotap"]["footer"]["summary"].take();
    std::fs::write(&json, kept.to_string()).unwrap();
    let said = place.run(&format!("summary {first} --json"));
    let told: Value = serde_json::from_str(&said.out).unwrap();
    for part in ["taps", "synchronization", "stretches", "lateness", "ending", "length_s"] {
        assert!(!whole[part].is_null() && told["summary"][part] == whole[part], "{part}: {told}");
    }
}

#[test]
fn several_trials_give_a_table_and_the_distribution_of_their_greatest_lateness() {
    let place = Workspace::of(PROGRAM);
    let files = recorded(&place).join(" ");
    let readable = place.run(&format!("summary {files}"));
    assert!(readable.out.contains("0 to below 1 us") && readable.out.contains("5 of 5 trials"));
    let table = place.run(&format!("summary {files} --tsv")).out;
    let mut lines = table.lines();
    let names: Vec<&str> = lines.next().unwrap().split('\t').collect();
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split('\t').collect()).collect();
    assert_eq!(rows.len(), 5);
    assert!(rows.iter().all(|row| row.len() == names.len()), "{table}");
    let at = |name: &str| names.iter().position(|one| *one == name).unwrap();
    let json = place.run(&format!("summary {files} --json")).out;
    let told: Vec<Value> = json.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for (row, trial) in rows.iter().zip(&told) {
        let mean = trial["summary"]["synchronization"][0]["asynchrony"]["mean_ms"].as_f64();
        assert_eq!(row[at("mean_asynchrony_ms")].parse().ok(), mean);
        assert_eq!((row[at("input")], row[at("against")]), ("input", "metronome"));
        assert_eq!(row[at("mean_reproduction_error_ms")], "n/a");
        let estimates = trial["estimates"].as_array().unwrap();
        let mean = estimates.iter().find(|row| row["statistic"] == "mean asynchrony");
        let end = |name: &str| mean.and_then(|mean| mean[name].as_f64());
        assert_eq!(row[at("mean_asynchrony_ms_low")].parse().ok(), end("low"));
        assert_eq!(row[at("mean_asynchrony_ms_high")].parse().ok(), end("high"));
    }
    assert_eq!((&told[5]["trials"], &told[5]["files"]), (&5.into(), &5.into()));
    assert_eq!(told[5]["greatest_lateness"][0]["count"], 5);
    let tallies = serde_json::json!({
        "worst_lateness": [{ "ms": 1, "trials": 5 }],
        "p99_lateness": [{ "ms": 1, "trials": 5 }],
        "between_services": [], // virtual time has none
    });
    assert_eq!(told[5]["in_whole_ms"], tallies);
    let tally = "Worst lateness of each trial, in whole milliseconds\n  at most    1 ms                  5 of 5 trials (100.0 %)";
    assert!(readable.out.contains(tally), "{}", readable.out);
    assert!(!readable.out.contains("between services"), "{}", readable.out);
}

#[test]
fn a_folder_without_events_files_is_searched_below_as_a_dataset() {
    let place = Workspace::of(PROGRAM);
    let files = recorded(&place);
    let here = place.path("study/sub-01/beh");
    std::fs::create_dir_all(&here).unwrap();
    std::fs::create_dir_all(place.path("study/sourcedata")).unwrap();
    for file in &files {
        let name = std::path::Path::new(file).file_name().unwrap().to_str().unwrap();
        for name in [name.to_owned(), name.replace(".tsv", ".json")] {
            let from = place.path(file).with_file_name(&name);
            std::fs::copy(&from, here.join(&name)).unwrap();
            std::fs::copy(&from, place.path("study/sourcedata").join(&name)).unwrap();
        }
    }
    let told = place.run("summary study");
    assert!(told.out.contains("5 of 5 trials"), "{told:?}");
}

#[test]
fn a_summary_of_thousands_shows_how_far_it_is_and_ctrl_c_keeps_what_was_read() {
    let place = Workspace::of(PROGRAM);
    let one = recorded(&place).remove(0);
    let many = 20_000;
    let args = ["summary", "--json"].into_iter().chain(std::iter::repeat_n(&*one, many));
    let running = start(place.chronotap(args));
    running.says("999 of 20000 files");
    running.signal(Signal::INT);
    let said = running.wait();
    assert_eq!(said.code, Some(1), "{}", said.err);
    let last: Value = serde_json::from_str(said.out.lines().last().unwrap()).unwrap();
    let read = last["trials"].as_u64().unwrap();
    assert!((999..many as u64).contains(&read), "{last}");
    assert_eq!((said.out.lines().count() as u64, &last["files"]), (read + 1, &many.into()));
    assert!(
        said.err.contains(&format!("ended by Ctrl-C after {read} of 20000 files")),
        "{}",
        said.err
    );
}

#[test]
fn a_response_has_its_statistics_in_the_table_of_summaries() {
    let place = Workspace::of(PROGRAM);
    let model = "[pacing.m]\nonsets = [\"0 s\", \"600 ms\", \"1.1 s\"]\n\
                 response = { within = \"3 s\" }\n[feedback.tone]\n";
    place.file("t.toml", format!("{model}{}", ended_at(6)));
    // Heard 600 and 500 ms apart, tapped 610 and 480.
    let taps = "onset\tduration\tnote\tvelocity\n3\t0.05\t60\t80\n3.61\t0.05\t60\t80\n4.09\t0.05\t60\t80\n";
    place.file("taps.tsv", taps);
    let said = place.run("simulate t.toml --performer taps.tsv --data data --seed 1 --quiet");
    assert_eq!(said.code, Some(0), "{said:?}");
    let table = place.run("summary data/t_run-01_events.tsv --tsv").out;
    let cells: Vec<Vec<&str>> = table.lines().map(|line| line.split('\t').collect()).collect();
    let [names, row] = &cells[..] else { panic!("one row: {table}") };
    let cell = |name: &str| row[names.iter().position(|one| *one == name).unwrap()];
    assert_eq!((cell("against"), cell("complete_responses")), ("m", "1"));
    assert_eq!((cell("reproduced_intervals"), cell("mean_reproduction_error_ms")), ("2", "-5"));
    assert_eq!(cell("mean_reproduction_error_ms_low"), "n/a", "one round tells nothing of others");
    let text = place.run("summary data/t_run-01_events.tsv").out;
    assert!(text.contains("none: 1 rounds are too few: at least 2 are needed"), "{text}");
    let said = place.run("analyze data/t_run-01_events.tsv --to tables");
    assert_eq!(said.code, Some(0), "{said:?}");
    let table = std::fs::read_to_string(place.path("tables/desc-trials_beh.tsv")).unwrap();
    let cells: Vec<Vec<&str>> = table.lines().map(|line| line.split('\t').collect()).collect();
    let at = |name: &str| cells[0].iter().position(|one| *one == name).unwrap();
    let found = cells.iter().find(|row| row[at("against")] == "m").unwrap();
    assert_eq!((found[at("stretch")], found[at("taps")]), ("all", "3"));
    assert_eq!(found[at("mean_reproduction_error_ms")], "-5");
    assert_eq!(found[at("mean_absolute_reproduction_error_ms")], "15");
    assert_eq!((found[at("sd_reproduction_error_ms")], found[at("matched")]), ("n/a", "n/a"));
}

const TWO_HANDS: &str = "[input.left]\n[input.right]\n\
    [pacing.three]\ninterval = \"400 ms\"\nbeats = 60\nanswered_by = \"right\"\n\
    [pacing.two]\ninterval = \"600 ms\"\nbeats = 40\nanswered_by = \"left\"\ntone = { note = 72 }\n\
    [[when]]\ntime = \"24 s\"\nend = true\n";

/// The summary of the two-handed trial, tapped by this participant.
fn two_hands(participant: &str) -> Value {
    let place = Workspace::of(PROGRAM);
    place.file("trial.toml", TWO_HANDS);
    let command = format!("simulate trial.toml --no-data --json --seed 1{participant}");
    let said = place.run(&command);
    let mut told: Value =
        serde_json::from_str(&said.out).unwrap_or_else(|error| panic!("{error}: {said:?}"));
    told["summary"].take()
}

#[test]
fn a_simulated_participant_taps_with_each_hand_to_the_stream_that_it_answers() {
    for participant in ["", " --simulate musician"] {
        let summary = two_hands(participant);
        let streams = summary["synchronization"].as_array().unwrap();
        assert_eq!(streams.len(), 2, "{streams:?}");
        for stream in streams {
            let (mean, sd) = (&stream["asynchrony"]["mean_ms"], &stream["asynchrony"]["sd_ms"]);
            assert!((-50.0..-5.0).contains(&mean.as_f64().unwrap()), "{stream}");
            assert!(sd.as_f64().unwrap() < 60.0 && stream["extra"] == 0, "{stream}");
        }
    }
}

#[test]
fn a_simulated_participant_who_is_described_taps_where_the_description_says() {
    let taps = |participant: &str| -> Vec<bool> {
        let summary = two_hands(participant);
        let taps = summary["taps"].as_array().unwrap();
        taps.iter().map(|input| input["taps"].as_u64().unwrap_or(0) > 0).collect()
    };
    assert_eq!(taps(" --simulate alpha=0.25"), [true, false]);
    assert_eq!(taps(" --simulate tapper,input=right"), [false, true]);
}

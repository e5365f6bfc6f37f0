//! A dataset from its files to its tables: the same numbers as in the summaries of the
//! trials, what does not count left out and counted, the same bytes again.

use chronotap_analysis::cleaning::CleaningRule;
use chronotap_analysis::observed::Answers;
use chronotap_analysis::statistics::of_asynchronies::MEAN_ASYNCHRONY;
use chronotap_config::trial_files::TrialFile;
use chronotap_config::trial_files::performers::Script;
use chronotap_core::time::Nanos;
#[cfg(feature = "parquet")]
use chronotap_data::exchange::{ExchangeError, Gathering, levels_of};
use chronotap_data::record::{
    Circumstances, Footer, Header, Names, RunnerMode, TrialText, summarize, write_events,
};
use chronotap_data::tables::{
    AnalysisOptions, Around, NoTaps, Sources, TablesError, TrialRow, Why, Wrong, analyze, measures,
    render, write,
};
use chronotap_engine::Engine;
use chronotap_simulate::{FarEnd, Wire, virtual_time};
use chronotap_trial::Ports;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const TRIAL: &str = "[pacing.metronome]\ninterval = \"500 ms\"\nbeats = 20\n[feedback.tone]\n\
                     [[when]]\ntime = \"26 s\"\nend = true\n";

/// Taps to the metronome and on after it: early by so much, by turns 4 ms more and less.
fn taps(early_ms: f64, count: usize) -> String {
    let mut table = "onset\tduration\tnote\tvelocity\tchannel\tinput\n".to_owned();
    for k in 0..count {
        let late = if k % 2 == 0 { 0.004 } else { -0.004 };
        let onset = 1.0 + 0.5 * k as f64 - early_ms / 1e3 + late;
        table += &format!("{onset:.6}\t0.05\t60\t80\tn/a\tn/a\n");
    }
    table
}

/// Runs a trial in virtual time and writes its files; gives the summary.
fn record(folder: &Path, name: &str, taps: &str) -> serde_json::Value {
    record_at(folder, name, taps, "")
}

/// The same of a trial that began at this time.
fn record_at(folder: &Path, name: &str, taps: &str, started: &str) -> serde_json::Value {
    let file = TrialFile::parse(TRIAL, "sync.toml").unwrap();
    let script = Script::parse(taps, "taps", &["input".to_owned()]).unwrap();
    let header = Header {
        trial_file: TrialText { name: "sync.toml".into(), text: TRIAL.into() },
        mode: RunnerMode::VirtualTime,
        names: Names::of(&file.trial, &[]),
        started: started.into(),
        ..Header::default()
    };
    let trial = Arc::new(file.trial.clone());
    let mut rig = Ports::new(trial.inputs.len(), trial.outputs.len());
    let far_end = FarEnd::Performer(Box::new(script));
    rig.add(Box::new(Wire::new(Some(0), far_end)), &[0], &[0]).unwrap();
    let mut entries = Vec::new();
    let engine = Engine::new(trial, 1);
    virtual_time::run(engine, rig, Nanos::from_secs(60), &mut |entry| entries.push(entry));
    let limit = Nanos::from_millis(1);
    let answers = Answers { pairs: Some(vec![(0, 0)]), ..Answers::default() };
    let seen = Circumstances { limit, answers, ..Circumstances::default() };
    let summary = summarize("sync", &file.trial, &entries, &seen);
    let summary = serde_json::to_value(summary).unwrap();
    let footer = Footer { summary: summary.clone(), ..Footer::default() };
    fs::create_dir_all(folder).unwrap();
    write_events(folder, name, &header, &entries, &footer, false).unwrap();
    summary
}

/// Two participants, two conditions, an attempt that does not count, one trial without taps.
fn dataset(folder: &Path) -> Vec<serde_json::Value> {
    let mut summaries = Vec::new();
    for (who, early) in [("01", 30.0), ("02", 50.0)] {
        let beh = folder.join(format!("sub-{who}/beh"));
        let mut table =
            "trial\tstep\tblock\trepetition\tattempt\tcounts\ttempo\tseed\tevents_file\ttaps\n"
                .to_owned();
        let runs = [
            (1, 1, "false", "fast", 50),
            (1, 2, "true", "fast", 50),
            (2, 1, "true", "slow", 50),
            (3, 1, "true", "slow", 0),
        ];
        for (run, (trial, attempt, counts, tempo, count)) in (1..).zip(runs) {
            let name = format!("sub-{who}_task-sync_run-{run:02}");
            summaries.push(record(&beh, &name, &taps(early + f64::from(run), count)));
            let events = format!("sub-{who}/beh/{name}_events.tsv");
            table +=
                &format!("{trial}\tmain\t1\t1\t{attempt}\t{counts}\t{tempo}\t1\t{events}\t50\n");
        }
        fs::write(beh.join(format!("sub-{who}_task-sync_beh.tsv")), table).unwrap();
    }
    let people = "participant_id\thand\tk\tage\nsub-01\tleft\t0\t30\nsub-02\tright\t0\t31\n";
    fs::write(folder.join("participants.tsv"), people).unwrap();
    summaries
}

fn value(row: &TrialRow, name: &str) -> Option<f64> {
    row.value(measures().iter().position(|measure| measure.column() == name).unwrap())
}

#[test]
fn a_trial_has_the_numbers_of_its_summary() {
    let folder = tempfile::tempdir().unwrap();
    let summaries = dataset(folder.path());
    let sources = Sources::find(&[folder.path().to_owned()]).unwrap();
    assert_eq!(
        (sources.factors.clone(), sources.trials.len()),
        (vec!["tempo".to_owned(), "hand".to_owned()], 8)
    );
    let analysis = analyze(&sources, &AnalysisOptions::default());
    for row in &analysis.rows {
        let summary = &summaries[row.source];
        let (taps, pair) = (&summary["taps"][0], &summary["synchronization"][0]);
        let within = |list: &serde_json::Value| {
            let of = |stretch: &String| {
                let all = list["stretches"].as_array().unwrap().iter();
                all.clone().find(|part| part["stretch"] == **stretch).cloned().unwrap()
            };
            row.stretch.as_ref().map_or(list.clone(), of)
        };
        let taps = within(taps);
        assert_eq!(value(row, "taps"), taps["taps"].as_f64());
        let intervals = &taps["intervals"];
        for name in ["mean", "median", "sd", "rmssd"] {
            let expected = intervals[format!("{name}_ms")].as_f64();
            assert_eq!(value(row, &format!("{name}_interval_ms")), expected, "{name} {row:?}");
        }
        if row.against.is_some() {
            let pair = within(pair);
            for name in ["beats", "matched", "missed", "extra"] {
                assert_eq!(value(row, name), pair[name].as_f64(), "{name}");
            }
            let asynchrony = &pair["asynchrony"];
            assert_eq!(value(row, "mean_asynchrony_ms"), asynchrony["mean_ms"].as_f64());
            assert_eq!(value(row, "sd_asynchrony_ms"), asynchrony["sd_ms"].as_f64());
        } else if row.stretch.is_some() {
            let levels = &taps["wing_kristofferson"];
            assert_eq!(value(row, "clock_variance_ms2"), levels["clock_unbiased_ms2"].as_f64());
            assert_eq!(value(row, "motor_variance_ms2"), levels["motor_unbiased_ms2"].as_f64());
            let outside = levels["admissible"].as_bool().map(|holds| f64::from(u8::from(!holds)));
            assert_eq!(value(row, "levels_inadmissible"), outside);
        }
    }
}

#[test]
fn what_does_not_count_or_cannot_be_used_is_left_out_and_counted() {
    let folder = tempfile::tempdir().unwrap();
    dataset(folder.path());
    let broken = folder.path().join("sub-02/beh/sub-02_task-sync_run-03_events.tsv");
    fs::write(&broken, "nothing\n").unwrap();
    let sources = Sources::find(&[folder.path().to_owned()]).unwrap();
    let analysis = analyze(&sources, &AnalysisOptions::default());
    let counts = analysis.counts;
    assert_eq!((counts.trials, counts.used, counts.unread), (8, 3, 1));
    assert_eq!((counts.not_counting, counts.unusable), (2, 2));
    assert!(
        analysis.unread[0].why.to_string().contains("run-03_events.tsv"),
        "{:?}",
        analysis.unread
    );
    let whole = |tempo: &str| {
        let of = |c: &&chronotap_data::tables::ConditionRow| {
            c.stretch.is_none() && c.levels[0].as_deref() == Some(tempo)
        };
        analysis.conditions.iter().filter(of).map(|c| c.trials).collect::<Vec<_>>()
    };
    assert_eq!((whole("fast"), whole("slow")), (vec![1, 1], vec![1]));
    let hands: Vec<Option<&str>> =
        analysis.conditions.iter().map(|c| c.levels[1].as_deref()).collect();
    assert!(hands.contains(&Some("left")) && hands.contains(&Some("right")), "{hands:?}");
    let text = render(&sources, &analysis);
    assert!(text.contains("2 attempts not used"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
}

/// Somebody left in the middle of a trial that was begun twice: nothing stands in its place.
#[test]
fn a_trial_that_was_cut_short_for_good_is_told_apart_from_attempts_that_others_replace() {
    let folder = tempfile::tempdir().unwrap();
    dataset(folder.path());
    let table = folder.path().join("sub-02/beh/sub-02_task-sync_beh.tsv");
    let text = fs::read_to_string(&table).unwrap();
    let cut = text.replacen("1\tmain\t1\t1\t2\ttrue", "1\tmain\t1\t1\t2\tfalse", 1);
    assert_ne!(text, cut);
    fs::write(&table, cut).unwrap();
    let sources = Sources::find(&[folder.path().to_owned()]).unwrap();
    let of_each = [true, true, false, false];
    assert_eq!(sources.cut_short(), [[false; 4], of_each].concat());
    let analysis = analyze(&sources, &AnalysisOptions::default());
    assert_eq!((analysis.counts.not_counting, analysis.counts.cut_short), (3, 2));
    let text = render(&sources, &analysis);
    assert!(text.contains("  1 attempt not used, because another one counts\n"), "{text}");
    assert!(
        text.contains("  2 attempts not used, cut short with no other that counts\n"),
        "{text}"
    );
}

#[test]
fn the_same_command_gives_the_same_bytes_and_overwrites_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    dataset(folder.path());
    let sources = Sources::find(&[folder.path().to_owned()]).unwrap();
    let how = AnalysisOptions {
        rules: vec![CleaningRule::FirstTaps(4), CleaningRule::Slips],
        ..AnalysisOptions::default()
    };
    let place = folder.path().join("derivatives/chronotap");
    let made_by = ("chronotap 0.1.0", &["analyze".to_owned()][..]);
    let bytes = || {
        let sources = Sources::find(&[folder.path().to_owned()]).unwrap();
        let none = &mut |_: NoTaps| Ok(());
        let (analysis, written) = write(&place, &sources, &how, made_by, none).unwrap();
        assert_eq!(analysis, analyze(&sources, &how));
        let mut files: Vec<PathBuf> =
            fs::read_dir(&place).unwrap().map(|f| f.unwrap().path()).collect();
        files.sort();
        assert_eq!(files.len(), 11, "{files:?}");
        assert!(files[0].ends_with(".bidsignore"), "{files:?}");
        for (table, rows) in &written.tables {
            let text = fs::read_to_string(table).unwrap();
            let columns = |line: &str| line.split('\t').count();
            let first = columns(text.lines().next().unwrap());
            assert!(text.lines().all(|line| columns(line) == first), "{}", table.display());
            assert_eq!(text.lines().count(), rows + 1, "{}", table.display());
            let about = fs::read_to_string(table.with_extension("json")).unwrap();
            let about: serde_json::Value = serde_json::from_str(&about).unwrap();
            for column in text.lines().next().unwrap().split('\t') {
                assert!(about[column]["Description"].is_string(), "{column}");
                let bare = ["_low", "_high", "_sd"].iter().find_map(|end| column.strip_suffix(end));
                let unit = ["ns", "ms", "ms2", "us"].into_iter().find(|unit| {
                    bare.unwrap_or(column)
                        .strip_suffix(unit)
                        .is_some_and(|name| name.ends_with('_'))
                });
                let wanted = unit.map(|unit| unit.replace("ms2", "ms^2"));
                assert!(
                    unit.is_none() || about[column]["Units"].as_str() == wanted.as_deref(),
                    "{column}: {}",
                    about[column]
                );
            }
        }
        files.iter().map(|path| fs::read(path).unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(bytes(), bytes());
    let taken = folder.path().join("taken");
    fs::create_dir(&taken).unwrap();
    fs::write(taken.join("desc-taps_beh.tsv"), "mine").unwrap();
    let refused = write(&taken, &sources, &how, made_by, &mut |_: NoTaps| Ok(())).unwrap_err();
    assert!(matches!(refused, TablesError::Exists { .. }));
    assert_eq!(fs::read_to_string(taken.join("desc-taps_beh.tsv")).unwrap(), "mine");
}

#[test]
fn every_row_says_who_it_is_of_as_bids_has_it() {
    let folder = tempfile::tempdir().unwrap();
    dataset(folder.path());
    let sources = Sources::find(&[folder.path().to_owned()]).unwrap();
    let (to, made_by) = (folder.path().join("tables"), ("chronotap 0.1.0", &[][..]));
    let none = &mut |_: NoTaps| Ok(());
    let (_, written) = write(&to, &sources, &AnalysisOptions::default(), made_by, none).unwrap();
    for (table, _) in &written.tables {
        let text = fs::read_to_string(table).unwrap();
        let first = text.lines().map(|line| line.split('\t').next().unwrap()).collect::<Vec<_>>();
        let mut people = first[1..].to_vec();
        people.dedup();
        assert_eq!((first[0], people), ("participant_id", vec!["sub-01", "sub-02"]));
        let about = fs::read_to_string(table.with_extension("json")).unwrap();
        assert!(about.contains("\"participant_id\""), "{about}");
    }
}

#[test]
fn a_table_that_was_changed_by_hand_is_said() {
    let folder = tempfile::tempdir().unwrap();
    record(folder.path(), "sync_run-01", &taps(30.0, 50));
    let path = folder.path().join("sync_run-01_events.tsv");
    let table = fs::read_to_string(&path).unwrap();
    let without_one: Vec<&str> = table.lines().filter(|line| !line.starts_with("5.4")).collect();
    fs::write(&path, without_one.join("\n") + "\n").unwrap();
    let sources = Sources::find(&[folder.path().to_owned()]).unwrap();
    let analysis = analyze(&sources, &AnalysisOptions::default());
    assert_eq!((analysis.counts.changed, analysis.counts.unread), (1, 0));
    assert!(render(&sources, &analysis).contains("1 events file changed"));
}

#[test]
fn rules_leave_out_and_say_so_in_the_table_of_taps() {
    let folder = tempfile::tempdir().unwrap();
    record(folder.path(), "sync_run-01", &taps(30.0, 50));
    let sources = Sources::find(&[folder.path().to_owned()]).unwrap();
    let how =
        AnalysisOptions { rules: vec![CleaningRule::FirstTaps(4)], ..AnalysisOptions::default() };
    let (to, made_by) = (folder.path().join("tables"), ("chronotap 0.1.0", &[][..]));
    let none = &mut |_: NoTaps| Ok(());
    let (analysis, _) = write(&to, &sources, &how, made_by, none).unwrap();
    let table = fs::read_to_string(to.join("desc-taps_beh.tsv")).unwrap();
    let left_out = table.lines().filter(|line| line.contains("first taps 4")).count();
    assert_eq!((left_out, table.lines().count()), (4, 51));
    let whole = &analysis.rows[0];
    assert_eq!(value(whole, "left_out_taps"), Some(4.0));
    assert_eq!((value(whole, "taps"), value(whole, "intervals")), (Some(46.0), Some(45.0)));
    assert_eq!((value(whole, "asynchronies"), value(whole, "matched")), (Some(16.0), Some(20.0)));
    assert!(value(whole, "alpha").is_some() || value(whole, "corrected_intervals").is_none());
}

#[test]
fn without_a_table_every_events_file_is_a_trial_but_for_what_was_derived() {
    let folder = tempfile::tempdir().unwrap();
    let places = ["", "further/in", "derivatives/chronotap", "sourcedata", ".hidden"];
    for place in places {
        record(&folder.path().join(place), "sub-1_task-sync_run-01", &taps(30.0, 9));
    }
    let sources = Sources::find(&[folder.path().to_owned()]).unwrap();
    let shown: Vec<&str> = sources.trials.iter().map(|trial| &*trial.shown).collect();
    let wanted =
        ["further/in/sub-1_task-sync_run-01_events.tsv", "sub-1_task-sync_run-01_events.tsv"];
    assert_eq!(shown, wanted);
    assert!(sources.trials.iter().all(|trial| trial.participant_id().as_deref() == Some("sub-1")));
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let to = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), &to),
            false => drop(fs::copy(entry.path(), &to).unwrap()),
        }
    }
}

/// How many trials are found, and what is left out.
fn found(folder: &Path) -> (usize, Vec<(String, Why)>) {
    let sources = Sources::find(&[folder.to_owned()]).unwrap();
    let aside = sources.aside.iter().map(|one| (one.shown.clone(), one.why.clone()));
    (sources.trials.len(), aside.collect())
}

#[test]
fn a_copy_in_a_dataset_is_left_out_and_told_wherever_it_lies() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    dataset(root);
    assert_eq!(found(root), (8, Vec::new()));
    let table = "sub-01_task-sync_beh.tsv";
    for place in ["sub-01 (1)", "sub-01 - Copy", "Backup/sub-01", "sub-01/old"] {
        copy(&root.join("sub-01/beh"), &root.join(place).join("beh"));
        let shown = if place.starts_with("Backup") { "Backup" } else { place };
        assert_eq!(found(root), (8, vec![(shown.to_owned(), Why::Copy)]), "{place}");
        fs::remove_dir_all(root.join(shown)).unwrap();
    }
    for name in [table, "sub-01_task-sync_run-01_events.tsv"] {
        let copied = format!("sub-01/beh/Copy of {name}");
        fs::copy(root.join("sub-01/beh").join(name), root.join(&copied)).unwrap();
        assert_eq!(found(root), (8, vec![(copied.clone(), Why::Copy)]));
        fs::remove_file(root.join(&copied)).unwrap();
    }
    let whole = tempfile::tempdir().unwrap();
    copy(root, whole.path());
    copy(whole.path(), &root.join("backup"));
    fs::write(root.join("backup/dataset_description.json"), "{}").unwrap();
    assert_eq!(found(root), (8, vec![("backup".to_owned(), Why::Dataset)]));
}

#[test]
fn what_systems_leave_beside_files_stops_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    dataset(root);
    for name in ["._sub-01_task-sync_beh.tsv", "~$sub-01_task-sync_beh.tsv", "._x_events.tsv"] {
        fs::write(root.join("sub-01/beh").join(name), b"\0\x05\x16\x07\0").unwrap();
    }
    for folder in ["__MACOSX/sub-01/beh", "@eaDir/sub-01/beh", ".Trash-1000/sub-01/beh"] {
        copy(&root.join("sub-01/beh"), &root.join(folder));
    }
    assert_eq!(found(root), (8, Vec::new()));
}

#[test]
fn a_folder_that_was_renamed_is_nobody_elses() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    dataset(root);
    fs::rename(root.join("sub-02"), root.join("sub-04")).unwrap();
    let (file, due) = ("sub-02_task-sync_beh.tsv".to_owned(), "sub-02/beh".to_owned());
    assert_eq!(found(root), (4, vec![("sub-04".to_owned(), Why::Elsewhere { file, due })]));
    // The same with the names of all files: what they hold still says whose they are.
    for entry in fs::read_dir(root.join("sub-04/beh")).unwrap().map(Result::unwrap) {
        let name = entry.file_name().into_string().unwrap().replace("sub-02", "sub-04");
        fs::rename(entry.path(), entry.path().with_file_name(name)).unwrap();
    }
    let refused = Sources::find(&[root.to_owned()]).unwrap_err();
    let of_another = |wrong: &Wrong| matches!(wrong, Wrong::OfAnother(_));
    assert!(
        matches!(&refused, TablesError::Table { line: 2, wrong, .. } if of_another(wrong)),
        "{refused}"
    );
}

#[test]
fn a_trial_that_two_lines_name_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    dataset(folder.path());
    let path = folder.path().join("sub-01/beh/sub-01_task-sync_beh.tsv");
    let table = fs::read_to_string(&path).unwrap();
    fs::write(&path, format!("{table}{}\n", table.lines().nth(1).unwrap())).unwrap();
    let refused = Sources::find(&[folder.path().to_owned()]).unwrap_err();
    let twice = |wrong: &Wrong| matches!(wrong, Wrong::Twice(_));
    assert!(
        matches!(&refused, TablesError::Table { line: 6, wrong, .. } if twice(wrong)),
        "{refused}"
    );
}

#[test]
fn a_trial_under_another_name_is_counted_once() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let started = "2026-11-29T10:00:00+00:00";
    for label in ["01", "02"] {
        let name = format!("sub-{label}_task-sync_run-01");
        record_at(&root.join(format!("sub-{label}/beh")), &name, &taps(30.0, 9), started);
    }
    let events = |label: &str| format!("sub-{label}/beh/sub-{label}_task-sync_run-01_events.tsv");
    let same = Why::Same { of: events("01"), trials: 1 };
    assert_eq!(found(root), (1, vec![(events("02"), same)]));
    let files = ["01", "02"].map(|label| root.join(events(label)));
    assert_eq!(Sources::find(&files).unwrap().trials.len(), 1, "named one by one");
    let twice = [files[0].clone(), files[0].clone()];
    assert_eq!(Sources::find(&twice).unwrap().trials.len(), 1, "the same name twice");
}

#[test]
fn a_folder_above_a_dataset_or_within_one_is_refused_with_what_is_meant() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("d");
    dataset(&root);
    fs::write(root.join("dataset_description.json"), "{}").unwrap();
    let above = Sources::find(&[folder.path().to_owned()]).unwrap_err();
    assert!(
        matches!(&above, TablesError::Above { datasets, .. } if *datasets == [root.clone()]),
        "{above}"
    );
    let within = Sources::find(&[root.join("sub-01")]).unwrap_err();
    assert!(matches!(within, TablesError::Within { .. }), "{within}");
}

#[test]
fn tables_are_not_made_while_a_correction_is_not_finished() {
    let folder = tempfile::tempdir().unwrap();
    dataset(folder.path());
    fs::create_dir(folder.path().join("sourcedata")).unwrap();
    fs::write(folder.path().join("sourcedata/correction.unfinished"), "{}").unwrap();
    let refused = Sources::find(&[folder.path().to_owned()]).unwrap_err();
    assert!(matches!(refused, TablesError::Unfinished { .. }), "{refused}");
}

#[test]
fn what_is_no_dataset_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let nothing = Sources::find(&[folder.path().to_owned()]).unwrap_err();
    assert!(matches!(nothing, TablesError::Nothing { .. }), "{nothing}");
    let mixed = Sources::find(&[folder.path().to_owned(), folder.path().to_owned()]);
    assert!(matches!(mixed, Err(TablesError::Mixed { .. })));
    assert!(matches!(Sources::find(&[PathBuf::from("/nowhere")]), Err(TablesError::Read { .. })));
}

/// Taps with another interval than the beats of 500 ms, from so late on.
fn tapped(from_ms: f64, interval_ms: f64, count: usize) -> String {
    let mut table = "onset\tduration\tnote\tvelocity\tchannel\tinput\n".to_owned();
    for k in 0..count {
        let onset = 1.0 + (from_ms + interval_ms * k as f64) / 1e3;
        table += &format!("{onset:.6}\t0.02\t60\t80\tn/a\tn/a\n");
    }
    table
}

/// The trials of a folder in which each has these taps.
fn analyzed(
    folder: &Path,
    trials: &[(&str, String)],
    how: &AnalysisOptions,
) -> (Sources, chronotap_data::tables::Analysis) {
    for (name, taps) in trials {
        record(folder, name, taps);
    }
    let sources = Sources::find(&[folder.to_owned()]).unwrap();
    let analysis = analyze(&sources, how);
    (sources, analysis)
}

#[test]
fn what_casts_doubt_on_a_trial_stands_in_its_row() {
    let folder = tempfile::tempdir().unwrap();
    let bounces = |k: usize| format!("{:.6}\t0.02\t60\t80\tn/a\tn/a\n", 1.09 + k as f64);
    let doubled: String = (0..5).map(bounces).fold(tapped(-20.0, 500.0, 20), |all, one| all + &one);
    let mut lines: Vec<&str> = doubled.lines().collect();
    lines[1..].sort_by(|a, b| {
        let onset = |line: &str| line.split('\t').next().unwrap().parse::<f64>().unwrap();
        onset(a).total_cmp(&onset(b))
    });
    let trials = [
        ("a_run-01", tapped(-20.0, 500.0, 20)),
        ("b_run-01", tapped(230.0, 500.0, 19)),
        ("c_run-01", tapped(0.0, 460.0, 20)),
        ("d_run-01", lines.join("\n") + "\n"),
        ("e_run-01", tapped(1_480.0, 500.0, 17)),
        ("f_run-01", tapped(-20.0, 1_000.0, 10)),
    ];
    let (_, analysis) = analyzed(folder.path(), &trials, &AnalysisOptions::default());
    let whole: Vec<&TrialRow> = analysis.rows.iter().filter(|row| row.stretch.is_none()).collect();
    let marks: Vec<String> = whole.iter().map(|row| row.marks().unwrap_or_default()).collect();
    assert_eq!(marks[0], "");
    assert!(marks[1].contains("against the beat"), "{marks:?}");
    assert!(marks[2].contains("does not follow the beat; half-cycle drift"), "{marks:?}");
    assert_eq!(marks[3], "extra taps; doubled taps");
    assert_eq!(marks[4], "", "beats that were listened to are not missed");
    assert_eq!(marks[5], "missed beats; another metrical level");
    assert_eq!(
        (value(whole[3], "doubled"), value(whole[3], "outside_window")),
        (Some(5.0), Some(0.0))
    );
    assert_eq!((value(whole[4], "listened"), value(whole[4], "hit_rate")), (Some(3.0), Some(1.0)));
    assert_eq!(value(whole[1], "matched_share").map(|share| share < 0.5), Some(true));
    let [raw, clean] =
        ["raw_cv_interval", "clean_cv_interval"].map(|name| value(whole[3], name).unwrap());
    assert!(clean < 0.001 && raw > 0.3, "{raw} {clean}");
}

#[test]
fn a_window_of_a_half_leaves_out_no_tap_and_the_usual_one_says_what_it_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let mut table = "onset\tduration\tnote\tvelocity\tchannel\tinput\n".to_owned();
    for k in 0..20 {
        let onset = 1.0 + 0.5 * f64::from(k) + 0.08 * f64::from(k % 7 - 3);
        table += &format!("{onset:.6}\t0.02\t60\t80\tn/a\tn/a\n");
    }
    let trials = [("a_run-01", table)];
    let usual = analyzed(folder.path(), &trials, &AnalysisOptions::default()).1;
    let wide = AnalysisOptions { window: Some(0.5), ..AnalysisOptions::default() };
    let sources = Sources::find(&[folder.path().to_owned()]).unwrap();
    let wide = analyze(&sources, &wide);
    let of = |analysis: &chronotap_data::tables::Analysis, name: &str| {
        value(&analysis.rows[0], name).unwrap()
    };
    assert_eq!((of(&usual, "outside_window"), of(&usual, "asynchronies")), (4.0, 15.0));
    assert_eq!((of(&wide, "outside_window"), of(&wide, "asynchronies")), (0.0, 20.0));
    assert!(of(&usual, "sd_asynchrony_ms") + 20.0 < of(&wide, "sd_asynchrony_ms"));
}

#[test]
fn the_lag_one_of_asynchronies_passes_over_a_missed_beat() {
    let folder = tempfile::tempdir().unwrap();
    let late =
        [9.0, 7.0, -3.0, -8.0, -5.0, 1.0, 4.0, 6.0, 2.0, -2.0, -6.0, -7.0, -1.0, 5.0, 8.0, 3.0];
    let mut table = "onset\tduration\tnote\tvelocity\tchannel\tinput\n".to_owned();
    let kept = |k: usize| k != 6 && k != 11;
    for (k, late) in late.iter().enumerate().filter(|(k, _)| kept(*k)) {
        let onset = 1.0 + 0.5 * k as f64 + late / 1e3;
        table += &format!("{onset:.6}\t0.02\t60\t80\tn/a\tn/a\n");
    }
    let analysis = analyzed(folder.path(), &[("a_run-01", table)], &AnalysisOptions::default()).1;
    let there: Vec<f64> = (0..16).filter(|k| kept(*k)).map(|k| late[k]).collect();
    let n = there.len() as f64;
    let mean = there.iter().sum::<f64>() / n;
    let pairs: Vec<f64> = (0..15)
        .filter(|k| kept(*k) && kept(*k + 1))
        .map(|k| (late[k] - mean) * (late[k + 1] - mean))
        .collect();
    let squares: f64 = there.iter().map(|a| (a - mean) * (a - mean)).sum();
    let due = pairs.iter().sum::<f64>() / pairs.len() as f64 * (n - 1.0) / squares;
    let found = value(&analysis.rows[0], "asynchrony_lag_one").unwrap();
    assert!((found - due).abs() < 1e-6, "{found}, not {due}");
}

#[test]
fn two_late_taps_make_no_row_of_a_continuation_and_three_do() {
    let folder = tempfile::tempdir().unwrap();
    let trials = [("a_run-01", tapped(0.0, 500.0, 22)), ("b_run-01", tapped(0.0, 500.0, 23))];
    let (_, analysis) = analyzed(folder.path(), &trials, &AnalysisOptions::default());
    let continued = |source: usize| {
        let of = |row: &&TrialRow| {
            row.source == source && row.stretch.as_deref() == Some("continuation")
        };
        analysis.rows.iter().filter(of).count()
    };
    assert_eq!((continued(0), continued(1)), (0, 1));
}

#[test]
fn trials_of_an_earlier_version_are_matched_by_the_present_rule_and_counted() {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../data/tests/golden");
    let sources = Sources::find(&[golden.join("earlier_events.tsv")]).unwrap();
    let analysis = analyze(&sources, &AnalysisOptions::default());
    assert_eq!((analysis.counts.matched_otherwise, analysis.counts.changed), (1, 0));
    let row = analysis.rows.iter().find(|row| row.against.as_deref() == Some("metronome")).unwrap();
    assert!((value(row, "mean_asynchrony_ms").unwrap() + 50.0).abs() < 1e-9);
    assert!(
        render(&sources, &analysis).contains("1 trial recorded by an earlier rule of matching")
    );
}

/// A whole condition's mean of a measure.
fn mean_of(
    analysis: &chronotap_data::tables::Analysis,
    name: &str,
) -> chronotap_data::tables::Mean {
    let whole = analysis.conditions.iter().find(|row| row.stretch.is_none()).unwrap();
    whole.means[measures().iter().position(|measure| measure.column() == name).unwrap()]
}

#[test]
fn directions_are_joined_on_the_circle_and_neither_probabilities_nor_motor_sds_are_averaged() {
    let folder = tempfile::tempdir().unwrap();
    let name = |k: usize| format!("sub-01_task-sync_run-{k:02}");
    let names: Vec<String> = (0..12).map(name).collect();
    let trial = |k: usize| {
        (&*names[k], tapped(225.0 + 50.0 * (k % 2) as f64 + 6.0 * (k % 3) as f64 - 6.0, 500.0, 19))
    };
    let trials: Vec<(&str, String)> = (0..12).map(trial).collect();
    let (sources, analysis) = analyzed(folder.path(), &trials, &AnalysisOptions::default());
    let direction = mean_of(&analysis, "direction_rad");
    assert!((direction.mean.unwrap().abs() - std::f64::consts::PI).abs() < 1e-6, "{direction:?}");
    let interval = direction.interval.unwrap();
    assert!(interval.holds(direction.mean.unwrap()) && interval.high - interval.low < 0.5);
    assert!((direction.sd.unwrap() - 0.3227).abs() < 0.01, "{direction:?}");
    assert_eq!(mean_of(&analysis, "rayleigh_p").mean, None);
    let to = folder.path().join("tables");
    let none = &mut |_: NoTaps| Ok(());
    write(&to, &sources, &AnalysisOptions::default(), ("chronotap 0.1.0", &[]), none).unwrap();
    let table = fs::read_to_string(to.join("desc-conditions_beh.tsv")).unwrap();
    let columns: Vec<&str> = table.lines().next().unwrap().split('\t').collect();
    for name in ["rayleigh_p", "motor_sd_ms"] {
        assert!(!columns.iter().any(|column| column.starts_with(name)), "{name}");
    }
    let p = columns.iter().position(|column| *column == "second_order_p").unwrap();
    let row = table.lines().nth(1).unwrap();
    assert!(row.split('\t').nth(p).unwrap().parse::<f64>().unwrap() < 1e-6);
}

#[test]
fn intervals_over_trials_stay_in_range_and_there_are_none_below_ten() {
    for (count, there) in [(9, false), (10, true)] {
        let folder = tempfile::tempdir().unwrap();
        let names: Vec<String> =
            (0..count).map(|k| format!("sub-01_task-sync_run-{k:02}")).collect();
        let trial = |k: usize| {
            // Two trials of ten have hardly any taps on the beats: R and the hit rate scatter.
            let taps = if k.is_multiple_of(5) {
                tapped(0.0, 530.0, 19)
            } else {
                tapped(-20.0, 500.0 + k as f64 / 10.0, 20)
            };
            (&*names[k], taps)
        };
        let trials: Vec<(&str, String)> = (0..count).map(trial).collect();
        let analysis = analyzed(folder.path(), &trials, &AnalysisOptions::default()).1;
        for name in ["resultant", "hit_rate", "sd_asynchrony_ms", "asynchrony_lag_one"] {
            let found = mean_of(&analysis, name);
            assert_eq!(found.interval.is_some(), there, "{name} of {count}: {found:?}");
            let Some(interval) = found.interval else { continue };
            assert!(interval.holds(found.mean.unwrap()), "{name}: {interval:?}");
            let least = if name == "asynchrony_lag_one" { -1.0 } else { 0.0 };
            assert!(interval.low > least, "{name}: {interval:?}");
            let most = if name.ends_with("_ms") { f64::INFINITY } else { 1.0 };
            assert!(interval.high <= most, "{name}: {interval:?}");
        }
    }
}

#[test]
fn conditions_stand_in_the_order_in_which_the_study_states_their_levels() {
    let folder = tempfile::tempdir().unwrap();
    dataset(folder.path());
    let order = || {
        let sources = Sources::find(&[folder.path().to_owned()]).unwrap();
        let analysis = analyze(
            &sources,
            &AnalysisOptions { with_unusable: true, ..AnalysisOptions::default() },
        );
        let whole = analysis.conditions.iter().filter(|row| row.stretch.is_none());
        let told = |row: &chronotap_data::tables::ConditionRow| {
            [row.who[0].clone(), row.levels[0].clone()].map(Option::unwrap).join(" ")
        };
        let rows: Vec<String> = whole.map(told).collect();
        let text = render(&sources, &analysis);
        (rows, text.find("tempo slow") < text.find("tempo fast"))
    };
    let due = |levels: [&str; 2]| -> Vec<String> {
        let of = |who: &str| levels.map(|level| format!("{who} {level}"));
        [of("01"), of("02")].concat()
    };
    assert_eq!(order(), (due(["fast", "slow"]), false));
    let about = r#"{ "tempo": { "Levels": { "slow": "slow", "fast": "fast" } } }"#;
    fs::write(folder.path().join("sub-01/beh/sub-01_task-sync_beh.json"), about).unwrap();
    assert_eq!(order(), (due(["slow", "fast"]), true));
}

#[test]
fn sessions_are_never_joined_and_differences_are_within_people() {
    let folder = tempfile::tempdir().unwrap();
    for session in 1..=2 {
        for who in 1..=11 {
            let name = format!("sub-{who:02}_ses-{session}_task-sync_run-01");
            let beh = folder.path().join(format!("sub-{who:02}/ses-{session}/beh"));
            let mut rows = String::new();
            for (run, level) in ["fast", "slow"].into_iter().enumerate() {
                let name = format!("sub-{who:02}_ses-{session}_task-sync_run-{run:02}");
                // Slow is 10 ms earlier than fast, by 0.01 ms less or more from one person to the next.
                let slow = (10.0 + 0.01 * f64::from(who - 6)) * run as f64;
                let early = 5.0 * f64::from(who) + slow + f64::from(who % 2);
                record(&beh, &name, &taps(early + 30.0 * f64::from(session), 20));
                let events = format!("sub-{who:02}/ses-{session}/beh/{name}_events.tsv");
                rows += &format!("{run}\tmain\t1\t1\t1\ttrue\t{level}\t1\t{events}\n");
            }
            let head =
                "trial\tstep\tblock\trepetition\tattempt\tcounts\ttempo\tseed\tevents_file\n";
            let table = beh.join(format!("{}_beh.tsv", name.rsplit_once("_run").unwrap().0));
            fs::write(table, head.to_owned() + &rows).unwrap();
        }
    }
    let sources = Sources::find(&[folder.path().to_owned()]).unwrap();
    let analysis = analyze(&sources, &AnalysisOptions::default());
    let groups = chronotap_data::tables::compared(&sources, &analysis);
    let told: Vec<(Option<&str>, Option<&str>, usize)> = groups
        .iter()
        .map(|group| {
            (group.rows[0].who[1].as_deref(), group.rows[0].levels[0].as_deref(), group.rows.len())
        })
        .collect();
    let due = [("1", "fast"), ("1", "slow"), ("2", "fast"), ("2", "slow")];
    assert_eq!(told, due.map(|(session, level)| (Some(session), Some(level), 11)));
    let (people, (mean, interval)) =
        groups[1].less(groups[1].first_within(&groups).unwrap(), &MEAN_ASYNCHRONY).unwrap();
    assert_eq!(people, 11);
    assert!((mean + 10.0).abs() < 1e-6, "{mean}");
    let between = groups[1].mean(&MEAN_ASYNCHRONY).unwrap().1.unwrap();
    let within = interval.unwrap();
    // 11 differences 0.01 ms apart have an SD of 0.0332 ms; Student's t of 10 degrees is 2.228.
    let width = 2.0 * 2.228_139 * 0.033_166 / 11_f64.sqrt();
    assert!((within.high - within.low - width).abs() < 1e-4, "no error of people: {within:?}");
    assert!(between.high - between.low > 10.0, "{between:?}");
    assert!(groups[0].first_within(&groups).is_none());
    let text = render(&sources, &analysis);
    assert!(
        text.contains("session 1, main, tempo fast")
            && text.contains("session 2, main, tempo slow"),
        "{text}"
    );
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
}

#[test]
fn who_withdraws_while_something_is_made_of_their_trials_is_known_then() {
    let folder = tempfile::tempdir().unwrap();
    dataset(folder.path());
    let sources = Sources::find(&[folder.path().to_owned()]).unwrap();
    assert_eq!(sources.withdrew_meanwhile().unwrap(), [""; 0]);
    fs::create_dir(folder.path().join("sourcedata")).unwrap();
    let note = "participant_id\tday\tdata\nsub-02\t2026-11-29\tremoved\n";
    fs::write(folder.path().join("sourcedata/withdrawals.tsv"), note).unwrap();
    assert_eq!(sources.withdrew_meanwhile().unwrap(), ["02"]);
}

/// Somebody withdraws, as the program notes it first.
fn withdraws(dataset: &Path, id: &str) {
    let note = format!("participant_id\tday\tdata\n{id}\t2026-11-29\tremoved\n");
    fs::write(dataset.join("sourcedata/withdrawals.tsv"), note).unwrap();
}

#[test]
fn the_datasets_around_tables_are_asked_again_and_refused_where_a_correction_was_cut_short() {
    let folder = tempfile::tempdir().unwrap();
    dataset(folder.path());
    fs::create_dir(folder.path().join("sourcedata")).unwrap();
    let tables = [folder.path().join("participants.tsv"), folder.path().join("sub-01/beh")];
    withdraws(folder.path(), "sub-01");
    let around = Around::of(&tables).unwrap();
    assert_eq!(around.withdrew_meanwhile().unwrap(), [""; 0]);
    withdraws(folder.path(), "sub-01\t2026-11-29\tremoved\nsub-02");
    assert_eq!(around.withdrew_meanwhile().unwrap(), ["02"]);
    fs::write(folder.path().join("sourcedata/correction.unfinished"), "{}").unwrap();
    let refused = Around::of(&tables).unwrap_err();
    assert!(matches!(refused, TablesError::Unfinished { .. }), "{refused}");
}

#[cfg(feature = "parquet")]
#[test]
fn who_withdraws_while_a_dataset_is_gathered_is_not_gathered_nor_does_a_killed_one_leave_its_folder()
 {
    let data = tempfile::tempdir().unwrap();
    dataset(data.path());
    fs::create_dir(data.path().join("sourcedata")).unwrap();
    for was_there in [false, true] {
        let place = tempfile::tempdir().unwrap();
        let out = place.path().join("all");
        if was_there {
            fs::create_dir(&out).unwrap();
        }
        let names = |folder: &Path| -> Vec<String> {
            let inside = fs::read_dir(folder).into_iter().flatten();
            inside.map(|one| one.unwrap().file_name().to_string_lossy().into_owned()).collect()
        };
        let _ = fs::remove_file(data.path().join("sourcedata/withdrawals.tsv"));
        let (levels, stop) = (levels_of(&[data.path()]).unwrap(), || false);
        let mut gathering =
            Gathering::begin(&out, &AnalysisOptions::default(), &levels, &stop).unwrap();
        gathering.dataset(data.path(), &|_, _| {}).unwrap();
        // This is what is left where it is killed here, and by its name the next knows it.
        let left = names(if was_there { &out } else { place.path() });
        let is_known = |name: &String| chronotap_core::files::writer_of(name).is_some();
        assert!(left.len() == 1 && left.iter().all(is_known), "{left:?}");
        withdraws(data.path(), "sub-02");
        let ended = gathering.end();
        assert!(
            matches!(&ended, Err(ExchangeError::Withdrew(gone)) if *gone == ["02"]),
            "{ended:?}"
        );
        assert_eq!(names(place.path()), if was_there { vec!["all"] } else { vec![] });
        assert_eq!(names(&out), [""; 0]);
    }
}

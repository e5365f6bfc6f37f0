//! A statistic that is none of the program's, added by the steps that docs/adding.md gives: what
//! the definitions do for the program's own statistics they do for this one. It stands in a process
//! of its own, because the list takes it only before anybody has asked for the list.

#![allow(clippy::unwrap_used)] // a test that cannot be set up has failed

use chronotap_analysis::estimate::Estimate;
use chronotap_analysis::estimates::Estimates;
use chronotap_analysis::joined::Scale;
use chronotap_analysis::observed::{Observed, ObservedInput, ObservedStream};
use chronotap_analysis::series::Series;
use chronotap_analysis::statistics::list::{ListedStatistic, everywhere};
use chronotap_analysis::statistics::{
    AlreadyRead, Better, Join, Needs, Range, ShownAs, Statistic, Unit, columns,
    estimated_intervals, find, further,
};
use chronotap_analysis::summary::Summary;
use chronotap_analysis::uncertainty::SpectralSpread;
use chronotap_core::time::Nanos;
use chronotap_data::{
    shares::Shard,
    tables::{AnalysisOptions, Sources, analyze_with_courses},
};
use chronotap_design::{Doing, Experiment, TrialTest};
use chronotap_report::{RecordedTrials, trials_page};
use chronotap_session::Study;
use chronotap_session::power::{Power, PowerContrast, rehearse};
use chronotap_simulate::Wires;
use chronotap_testkit_cli::program::Workspace;
use parquet::basic::Type;
use parquet::file::reader::{FileReader, SerializedFileReader};
use serde_json::Value;
use std::fs::{File, read_to_string};
use std::path::{Path, PathBuf};
use std::sync::Once;

// Step 1: the definition, in a file of its own.
static RANGE: Statistic = Statistic {
    name: "interval range",
    unit: Unit::Milliseconds,
    range: Range::FROM_ZERO,
    better: Better::Less,
    join: Join::Line(Scale::Positive),
    needs: Needs::Intervals(value, Some(interval)),
    key: Some("range_ms"),
    shown: ShownAs::Column("range of intervals (ms)", 1),
    coverage: &[(10, 0.5)],
    about: "The longest interval less the shortest.",
    source: "this test",
    ..Statistic::USUAL
};

fn value(series: &Series<'_>) -> Option<f64> {
    let (least, most) = (series.values().iter().min()?, series.values().iter().max()?);
    Some((*most - *least).as_millis_f64())
}

fn interval(spread: &SpectralSpread<'_>, range: f64) -> Option<Estimate> {
    spread.logarithmic(range, &spread.deviations.iter().map(|d| d / range).collect::<Vec<f64>>())
}

// Step 2: its line.
static LINES: &[ListedStatistic] = &[everywhere(&RANGE)];

/// It is in the list before anything else is done.
fn added() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| further(LINES).unwrap());
}

#[test]
fn it_is_found_by_its_name_once_and_nobody_comes_later() {
    added();
    assert_eq!(find("interval range"), Some(&RANGE));
    assert_eq!(columns().last(), Some(&&RANGE));
    assert_eq!(estimated_intervals().last(), Some(&&RANGE), "Python's list");
    assert_eq!(further(LINES), Err(AlreadyRead));
}

/// 30 taps to 20 beats.
fn with_trial<T>(then: impl Fn(&Observed<'_>) -> T) -> T {
    let beats = (0..20).map(|k| Nanos::from_millis(1_000 + 500 * k));
    let taps = (0..30).map(|k| Nanos::from_millis(980 + 500 * k + 11 * (k % 3)));
    then(&Observed {
        length: Nanos::from_secs(20),
        pacing: vec![ObservedStream::steady("metronome", beats)],
        taps: vec![ObservedInput::tapped("pad", taps)],
        ..Observed::default()
    })
}

#[test]
fn the_summary_has_it_with_its_interval_and_data_files_have_it_not() {
    added();
    let summary = with_trial(Summary::of);
    let all: Vec<String> = summary.statistics().iter().map(ToString::to_string).collect();
    for name in ["interval range of pad", "interval range of pad in metronome"] {
        assert!(all.iter().any(|one| one == name), "{all:?}");
    }
    let found = summary.statistics().into_iter().find(|one| *one.known == RANGE).unwrap();
    assert_eq!((found.value, found.time()), (Some(33.0), Some(Nanos::from_millis(33))));
    let said = with_trial(|observed| Estimates::of(observed).to_string());
    assert!(said.contains("\n    interval range "), "{said}");
    assert!(said.contains("held in 50.0 %"), "{said}");
    let recorded = serde_json::to_value(&summary).unwrap();
    let keys: Vec<&String> = recorded["taps"][0]["intervals"].as_object().unwrap().keys().collect();
    assert_eq!((keys.len(), keys[0].as_str()), (8, "n"), "{keys:?}");
}

/// Three trials with the program's own statistics in their files, analyzed with one more.
fn analyzed(place: &Workspace) -> PathBuf {
    place.file(
        "sync.toml",
        "[pacing.metronome]\ninterval = \"500 ms\"\nbeats = 20\n[feedback.tone]\n\
         [[when]]\ntime = \"12 s\"\nend = true\n",
    );
    let said = place.run("simulate sync.toml --repeat 3 --seed 1 --quiet");
    assert_eq!(said.code, Some(0), "{said:?}");
    let sources = Sources::find(&[place.path("data")]).unwrap();
    let folder = place.path("tables");
    let made_by = ("chronotap 0", &[][..]);
    chronotap_data::exchange::analyze(
        &folder,
        &sources,
        &AnalysisOptions::default(),
        made_by,
        &|| false,
        &|_| {},
    )
    .unwrap();
    folder
}

fn cells(path: &Path, name: &str) -> Vec<String> {
    let text = read_to_string(path).unwrap();
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split('\t').collect()).collect();
    let place = rows[0].iter().position(|one| *one == name).unwrap_or_else(|| panic!("no {name}"));
    rows[1..].iter().map(|row| row[place].to_owned()).collect()
}

fn parquet_type(path: &Path, name: &str) -> Type {
    let file = SerializedFileReader::new(File::open(path).unwrap()).unwrap();
    let schema = file.metadata().file_metadata().schema();
    let field = schema.get_fields().iter().find(|field| field.name() == name);
    field.unwrap_or_else(|| panic!("no {name}")).get_physical_type()
}

#[test]
fn tables_have_its_columns_with_descriptions_and_types() {
    added();
    let place = Workspace::of(env!("CARGO_BIN_EXE_chronotap"));
    let folder = analyzed(&place);
    let trials = folder.join("desc-trials_beh.tsv");
    let bound = |name| cells(&trials, name).into_iter().filter_map(|cell| cell.parse::<f64>().ok());
    let bounds: Vec<_> =
        bound("interval_range_ms_low").zip(bound("interval_range_ms_high")).collect();
    assert!(bounds.len() >= 3, "each trial has some");
    assert!(bounds.iter().all(|(low, high)| low < high), "{bounds:?}");
    assert!(cells(&trials, "interval_doubts")[0].contains("interval_range_ms 0.500"));
    let conditions = folder.join("desc-conditions_beh.tsv");
    assert_eq!(cells(&conditions, "interval_range_ms_n")[0], "3");
    let about = |table: &str| -> Value {
        serde_json::from_str(&read_to_string(folder.join(table)).unwrap()).unwrap()
    };
    let column = &about("desc-trials_beh.json")["interval_range_ms"];
    assert_eq!(column["Description"], "The longest interval less the shortest.");
    assert_eq!(column["Units"], "ms");
    let low = &about("desc-conditions_beh.json")["interval_range_ms_low"]["Description"];
    assert!(low.as_str().unwrap().contains("on the logarithm"), "{low}");
    let of = |table: &str, column: &str| parquet_type(&folder.join(table), column);
    assert_eq!(of("desc-trials_beh.parquet", "interval_range_ms"), Type::DOUBLE);
    assert_eq!(of("desc-conditions_beh.parquet", "interval_range_ms"), Type::DOUBLE);
    assert_eq!(of("desc-conditions_beh.parquet", "interval_range_ms_n"), Type::INT64);
}

#[test]
fn the_report_shows_and_explains_it() {
    added();
    let place = Workspace::of(env!("CARGO_BIN_EXE_chronotap"));
    analyzed(&place);
    let (sources, how) =
        (Sources::find(&[place.path("data")]).unwrap(), AnalysisOptions::default());
    let (analysis, courses) = analyze_with_courses(&sources, &how, &|_| {});
    let (sources, analysis, courses) = (&sources, &analysis, &courses[..]);
    let (program, command, how) = ("chronotap 0", &[][..], &how);
    let page = trials_page(&RecordedTrials {
        title: "Toy",
        sources,
        how,
        analysis,
        courses,
        study: None,
        program,
        command,
    });
    for said in ["range of intervals (ms)", "<dt>interval range ms</dt><dd>The longest interval"] {
        assert!(page.contains(said), "{said}");
    }
}

const TRIAL: &str = "[pacing.metronome]\ninterval = \"500 ms\"\nbeats = 12\n[feedback.tone]\n\
                     delay = \"0 ms\"\n[[when]]\ntime = \"7 s\"\nend = true\n";
const STUDY: &str = "task = \"toy\"\nparticipants = 3\nseed = 1\ntrial = \"sync.toml\"\n\
                     [factor]\ndelay = [\"0 ms\", \"200 ms\"]\n\
                     [set]\nfeedback.tone.delay = { factor = \"delay\" }\n\
                     [[step]]\nname = \"main\"\nrepetitions = 2\nshuffle = \"all\"\n\
                     redo = { if_any = [\"interval range > 900 ms\"], at_most = 2, place = \"at once\" }\n";

#[test]
fn a_study_measures_it_has_its_column_and_contrasts_it() {
    added();
    let place = Workspace::of(env!("CARGO_BIN_EXE_chronotap"));
    place.file("sync.toml", TRIAL);
    let study = Study::read(&place.file("study.toml", STUDY)).unwrap();
    assert!(redone(&study.experiment));
    let statistics = &study.about.columns.statistics;
    let column = statistics.iter().find(|(_, column)| column.name == "interval_range_ms");
    assert_eq!(column.unwrap().1.units, "ms");
    let asked = "interval range: delay 200 ms - 0 ms".parse().unwrap();
    let contrast = PowerContrast::of(&asked).unwrap();
    let (inputs, outputs) = study.inputs_and_outputs();
    let power = Power {
        studies: 1,
        participants: 3,
        seed: 1,
        model: "tapper".to_owned(),
        differences: Vec::new(),
        contrasts: vec![contrast],
        wires: Wires::unthrottled(&inputs, &outputs),
        longest: Nanos::from_secs(60),
        shard: Shard::ALL,
    };
    let found = rehearse(&study, &power, &|_| {}, &|| false).unwrap();
    assert!(found[0].estimates[0].is_ok(), "{found:?}");
}

/// Whether a step of the study compares it.
fn redone(experiment: &Experiment) -> bool {
    experiment.steps.iter().any(|step| match &step.doing {
        Doing::Trials(trials) => trials.redo.iter().flat_map(|redo| &redo.if_any).any(
            |test| matches!(test, TrialTest::Compare { measure, .. } if *measure.known == RANGE),
        ),
        _ => false,
    })
}

//! What a page asks, and what it is told: the same as the library says, within bounds.

use chronotap_config::trial_files::TrialFile;
use chronotap_core::time::Nanos;
use chronotap_data::record::read_events;
use chronotap_design::Experiment;
use chronotap_session::Study;
use chronotap_session::power::rehearsed_study;
use chronotap_session::rehearse::Rehearsal;
use chronotap_simulate::{Wires, prove};
use proptest::prelude::*;
use serde_json::{Value, json};

/// A metronome at 500 ms from 1 s on; the ninth beat ends the trial.
const TRIAL: &str = "title = \"T\"\n[pacing.metronome]\ninterval = \"500 ms\"\n\
    tone = { note = 76, duration = \"30 ms\" }\n[[when]]\nbeat = 9\nend = true\n";

fn of(answer: &str) -> Value {
    serde_json::from_str(answer).unwrap()
}

fn asked(text: &str, more: Value) -> String {
    asked_of(text, "t.toml", more)
}

fn asked_of(text: &str, name: &str, more: Value) -> String {
    let mut asked = json!({ "name": name, "text": text });
    asked.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    asked.to_string()
}

#[test]
fn mistakes_are_those_of_the_library_with_their_lines_and_cures() {
    let text = TRIAL.replace("interval", "intervall").replace("beat = 9", "beat = 0");
    let told = of(&chronotap_web::check(&asked(&text, json!({}))));
    let problems = TrialFile::parse(&text, "t.toml").unwrap_err();
    assert_eq!(told["problems"], serde_json::to_value(problems.all()).unwrap());
    assert_eq!(told["problems"][0]["line"], 3);
    assert_eq!(told["told"], "");
}

#[test]
fn a_right_file_is_explained_as_the_command_explains_it() {
    let told = of(&chronotap_web::check(&asked(TRIAL, json!({}))));
    let file = TrialFile::parse(TRIAL, "t.toml").unwrap();
    assert_eq!(told["told"], chronotap_config::trial_files::explain(&file).render());
    assert_eq!((told["problems"].clone(), told["experiment"].clone()), (json!([]), json!(false)));
}

#[test]
fn the_second_of_two_people_is_the_one_with_the_next_seed() {
    let two = of(&chronotap_web::simulate(&asked(TRIAL, json!({ "people": 2, "seed": 7 }))));
    let one = of(&chronotap_web::simulate(&asked(TRIAL, json!({ "seed": 8 }))));
    assert_eq!(two["people"][1], one["people"][0]);
    assert_ne!(two["people"][0]["taps"], two["people"][1]["taps"]);
}

#[test]
fn who_is_steady_taps_on_the_beat_and_500_ms_apart() {
    let told = chronotap_web::simulate(&asked(TRIAL, json!({ "participant": "steady" })));
    let told = of(&told);
    let taps = told["people"][0]["taps"].as_array().unwrap().clone();
    let matched: Vec<&Value> = taps.iter().filter(|tap| tap["fate"] == "matched").collect();
    // From the fourth beat on; the ninth ends the trial.
    assert_eq!(matched.len(), 5, "{taps:?}");
    let last = matched.last().unwrap();
    assert!(last["asynchrony_ms"].as_f64().unwrap().abs() < 1.0, "{last}");
    assert!((last["interval_ms"].as_f64().unwrap() - 500.0).abs() < 1.0, "{last}");
    let mean = told["statistics"].as_array().unwrap().iter();
    let mut mean = mean.filter(|it| it["name"].as_str().unwrap().starts_with("mean interval of"));
    assert!((mean.next().unwrap()["mean"].as_f64().unwrap() - 500.0).abs() < 5.0);
    assert_eq!(told["figures"].as_array().unwrap().len(), 2);
}

#[test]
fn a_person_is_described_whole_and_taps_as_described() {
    let whole = of(&chronotap_web::person("musician, alpha = 0.25"));
    let whole = whole.as_str().unwrap();
    assert!(whole.starts_with("musician, alpha = 0.25, beta = "), "{whole}");
    let taps = |who: &str| {
        let told = chronotap_web::simulate(&asked(TRIAL, json!({ "participant": who })));
        of(&told)["people"][0]["taps"].clone()
    };
    assert_eq!(taps(whole), taps("musician, alpha = 0.25"));
    assert_ne!(taps(whole), taps("musician"));
}

/// The tone of 1 s is the first; the ninth, at 5 s, ends the trial.
#[test]
fn who_taps_along_is_judged_as_the_trial_would_and_gives_no_data() {
    let taps_ms = [-3.0, 990.0, 1485.5, 2012.25, 1e12];
    let along = asked(TRIAL, json!({ "taps_ms": taps_ms }));
    let told = of(&chronotap_web::simulate(&along));
    let taps = told["people"][0]["taps"].as_array().unwrap().clone();
    let found = |key: &str| -> Vec<Value> { taps.iter().map(|tap| tap[key].clone()).collect() };
    assert_eq!(found("onset_ms"), [json!(990.0), json!(1485.5), json!(2012.25)]);
    assert_eq!(found("asynchrony_ms"), [json!(-10.0), json!(-14.5), json!(12.25)]);
    let kept = of(&chronotap_web::record(&along));
    assert!(kept["refused"].as_str().unwrap().contains("no data"), "{kept}");
    let many = asked(TRIAL, json!({ "taps_ms": vec![1.0; 10_801] }));
    assert!(of(&chronotap_web::simulate(&many))["refused"].is_string());
}

#[test]
fn a_trial_that_is_decided_in_a_page_is_decided_again_by_replay() {
    let files = of(&chronotap_web::record(&asked(TRIAL, json!({ "seed": 3 }))));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t_run-01_events.tsv");
    std::fs::write(&path, files["events"].as_str().unwrap()).unwrap();
    let description = files["description"].as_str().unwrap();
    std::fs::write(path.with_extension("json"), description).unwrap();
    let recording = read_events(&path).unwrap();
    let proof = prove(&recording).unwrap();
    assert!(proof.holds(), "{:?}", proof.faults());
    assert_eq!(recording.header.seed, 3);
}

#[test]
fn a_beat_is_heard_at_its_frame() {
    let samples = chronotap_web::sound(&asked(TRIAL, json!({ "rate_hz": 48_000 })));
    let first = samples.iter().position(|sample| *sample != 0.0).unwrap() / 2;
    // The first beat is due at 1 s; the first sample of a tone is near zero.
    assert!((48_000..48_010).contains(&first), "{first}");
    assert!(samples.iter().all(|sample| sample.abs() <= 1.0));
}

#[test]
fn every_ready_made_study_is_planned_and_rehearsed_in_a_page() {
    for study in chronotap_design::PARADIGMS {
        let files: Vec<(String, String)> =
            serde_json::from_str(&chronotap_web::study(study.name)).unwrap();
        let beside = json!({ "name": "study.toml", "beside": files[1..] });
        let question = asked(&files[0].1, beside);
        let told = of(&chronotap_web::check(&question));
        assert_eq!(told["problems"], json!([]), "{}", study.name);
        let plan = of(&chronotap_web::plan(&question));
        let people = plan["people"].as_array().unwrap();
        assert!(people.iter().all(|it| !it["trials"].as_array().unwrap().is_empty()));
        let did = of(&chronotap_web::simulate(&question));
        assert!(did["people"].is_array() || study.name == "music", "{}: {did}", study.name);
    }
}

/// Two levels, each once, and what the study is for.
const STUDY: &str = "task = \"late\"\nseed = 3\ntrial = \"t.toml\"\nparticipants = 3\n\
    [factor]\ndelay = [\"0 ms\", \"100 ms\"]\n[set]\nfeedback.f.delay = { factor = \"delay\" }\n\
    [outcome]\nof = \"mean asynchrony\"\nover = \"delay\"\n[[step]]\nname = \"main\"\nshuffle = \"all\"\n";
const LATE: &str = "[pacing.m]\ninterval = \"500 ms\"\n[feedback.f]\nduration = \"50 ms\"\n\
    [[when]]\nbeat = 9\nend = true\n";

fn whole(more: Value) -> String {
    let mut asked = json!({ "participant": "adults", "beside": [["t.toml", LATE]] });
    asked.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    asked_of(STUDY, "study.toml", asked)
}

fn study_of(seed: u64) -> Study {
    let beside = vec![("t.toml".to_owned(), LATE.to_owned())];
    let mut experiment = Experiment::parse(STUDY, "study.toml", &beside).unwrap();
    experiment.seed = seed;
    Study::of(experiment).unwrap()
}

#[test]
fn a_study_comes_to_in_a_page_what_the_library_finds() {
    let told = of(&chronotap_web::outcome(&whole(json!({ "people": 3, "seed": 11 }))));
    let study = study_of(11);
    let (inputs, outputs) = study.inputs_and_outputs();
    let rehearsal = Rehearsal {
        labels: ["1", "2", "3"].map(|number| study.label(number).unwrap()).to_vec(),
        model: "adults".to_owned(),
        wires: Wires::unthrottled(&inputs, &outputs),
        longest: Nanos::from_secs(600),
        stops_when_cut: false,
        limit: None,
    };
    let found = &rehearsed_study(&study, &rehearsal).unwrap()[0];
    let html = told["html"].as_str().unwrap();
    let sentence = found.to_string();
    assert!(html.contains(&chronotap_drawing::escape(&sentence[1..])), "{html}\n{sentence}");
    assert!(html.contains("<svg") && html.contains("<table>"));
}

#[test]
fn a_study_with_more_people_is_drawn_as_a_curve_of_shares() {
    let told = of(&chronotap_web::power(&whole(json!({ "studies": 3, "counts": [2, 4] }))));
    let curve = told["told"]["curve"].as_array().unwrap();
    let people: Vec<&Value> = curve.iter().map(|point| &point["participants"]).collect();
    assert_eq!(people, [&json!(2), &json!(4)]);
    let points = told["contrasts"][0]["points"].as_array().unwrap();
    let share = |point: &Value| point["share"].as_f64().unwrap();
    for (point, whole) in points.iter().zip(curve) {
        assert_eq!(point["share"], whole["contrasts"][0]["found"]["share"]);
        assert!((0.0..=1.0).contains(&share(point)), "{point}");
    }
    assert!(told["contrasts"][0]["figure"].as_str().unwrap().contains("found with 2 people"));
}

#[test]
fn what_cannot_be_rehearsed_as_a_study_says_why() {
    let refused = |answer: String| of(&answer)["refused"].as_str().unwrap().to_owned();
    let no_study = asked(TRIAL, json!({}));
    assert!(refused(chronotap_web::outcome(&no_study)).contains("only an experiment"));
    for more in [json!({ "studies": 0 }), json!({ "counts": [4, 2] }), json!({ "counts": [1] })] {
        assert!(refused(chronotap_web::power(&whole(more))).contains("studies can be rehearsed"));
    }
    let endless = LATE.replace("end = true", "set.feedback.f.duration = \"60 ms\"");
    let endless = json!({ "beside": [["t.toml", endless]] });
    let endless = asked_of(STUDY, "s.toml", endless);
    assert!(refused(chronotap_web::power(&endless)).contains("nothing ends"), "{endless}");
}

#[test]
fn what_is_beyond_the_bounds_is_refused() {
    let nobody = asked(TRIAL, json!({ "people": 0 }));
    let many = asked(TRIAL, json!({ "people": 101 }));
    let slow = asked(TRIAL, json!({ "rate_hz": 1 }));
    let long = asked(&"#".repeat((1 << 20) + 1), json!({}));
    for question in [nobody.as_str(), &many, &slow, &long, "", "{\"text\": 1}", "{\"other\": 1}"] {
        let told = of(&chronotap_web::simulate(question));
        assert!(!told["refused"].as_str().unwrap().is_empty(), "{told}");
        assert!(chronotap_web::sound(question).is_empty());
    }
}

#[test]
fn a_trial_that_nothing_ends_is_rehearsed_for_a_minute() {
    let endless = "[pacing.p]\ninterval = \"500 ms\"\n";
    let told = of(&chronotap_web::simulate(&asked(endless, json!({}))));
    assert_eq!(told["people"][0]["length_s"], 60.0);
    let drawn = of(&chronotap_web::timeline(&asked(endless, json!({}))));
    assert!(drawn["svg"].as_str().unwrap().contains("its first 60 s are drawn"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn whatever_is_typed_gets_an_answer(at in 0..TRIAL.len(), typed in ".{0,12}") {
        let mut text = TRIAL.to_owned();
        text.insert_str(at, &typed);
        let told = of(&chronotap_web::check(&asked(&text, json!({}))));
        let mistakes = told["problems"].as_array().unwrap().len();
        prop_assert_eq!(mistakes == 0, TrialFile::parse(&text, "t.toml").is_ok());
    }
}

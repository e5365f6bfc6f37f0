//! `chronotap report`: a factorial design as one figure, figures as files, and the text for a methods section.

use chronotap_analysis::student;
use chronotap_data::tables::{
    AnalysisOptions, Factorial, Intervals, Outcome, Sources, analyze, factorial,
};
use chronotap_design::PARADIGMS;
use chronotap_testkit::left_to_all;
use chronotap_testkit_cli::program::Workspace;
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::Path;

const PROGRAM: &str = env!("CARGO_BIN_EXE_chronotap");

fn page(place: &Workspace, data: &str) -> String {
    fs::read_to_string(place.path(&format!("{data}/derivatives/chronotap/report.html"))).unwrap()
}

/// A section of a page.
fn section<'p>(page: &'p str, anchor: &str) -> &'p str {
    let rest = page.split(&format!("<section id=\"{anchor}\">")).nth(1).unwrap_or_default();
    rest.split("</section>").next().unwrap()
}

fn captions(html: &str) -> Vec<String> {
    let all = html.split("<figcaption>").skip(1);
    all.map(|rest| rest.split(" <a class").next().unwrap().to_owned()).collect()
}

/// Of rehearsed people; studies whose outcome is no number over levels have other figures.
#[test]
fn every_ready_made_study_has_a_report_with_figures_that_can_be_kept_and_a_methods_text() {
    if left_to_all() {
        return;
    }
    for paradigm in PARADIGMS {
        let (place, name) = (Workspace::of(PROGRAM), paradigm.name);
        assert_eq!(place.run(&format!("new {name} study")).code, Some(0));
        let simulate = "simulate study/study.toml --participants 3 --data data --quiet";
        assert!(place.run(simulate).code.unwrap() < 2, "{name}");
        let said = place.run("report data --figures figures");
        assert!(said.code.unwrap() < 2, "{name}: {said:?}");
        let page = page(&place, "data");
        let outcome = section(&page, "outcome");
        let text = paradigm.files[0].1;
        let over = text.split("\nover = \"").nth(1).map(|rest| rest.split('"').next().unwrap());
        if let Some(over) = over {
            let caption = captions(outcome).remove(0);
            assert!(caption.contains(" by ") && caption.contains(over), "{name}: {caption}");
            assert!(caption.contains("Small dots are the 3 people"), "{name}: {caption}");
            assert!(caption.contains("Morey, 2008"), "{name}: {caption}");
        }
        let figures = page.matches("<figure").count();
        assert_eq!(page.matches("<a class=\"file\" download=").count(), figures, "{name}");
        let mut files: Vec<String> = fs::read_dir(place.path("figures"))
            .unwrap()
            .map(|file| file.unwrap().file_name().into_string().unwrap())
            .collect();
        files.sort();
        assert_eq!(files.len(), 2 * figures, "{name}: {files:?}");
        assert!(said.out.contains(&format!("figures: {figures} figures")), "{name}: {said:?}");
        let methods = section(&page, "methods");
        for about in
            ["Participants", "Design", "Pacing and feedback", "Apparatus", "Exclusions", "Analysis"]
        {
            assert!(methods.contains(&format!("<strong>{about}")), "{name}: {about} in {methods}");
        }
        assert!(
            methods.contains("Nobody took part: 3 simulated participants"),
            "{name}: {methods}"
        );
        assert!(methods.contains("<p>References</p>"), "{name}");
    }
}

const STUDY: &str = "\
title = \"Short\"
task = \"short\"
participants = 6
sessions = 2
seed = 1
trial = \"trial.toml\"
[between]
group = [\"young\", \"old\"]
[participant]
age = { question = \"Age in years\", number = [18, 99] }
sex = { question = \"Sex\", choice = [\"female\", \"male\", \"other\"] }
[factor]
delay = [\"0 ms\", \"50 ms\", \"200 ms\"]
hand = [\"left\", \"right\"]
[set]
feedback.tone.delay = { factor = \"delay\" }
[outcome]
of = \"sd asynchrony\"
over = \"delay\"
by = \"group\"
[[step]]
name = \"try\"
trial = \"trial.toml\"
until = { hits = 3, of = 4, within = \"200 ms\" }
at_most = 2
otherwise = \"go on\"
[[step]]
name = \"main\"
repetitions = 2
shuffle = \"each repetition\"
apart = { delay = 2 }
gap = \"10 ms\"
";

const TRIAL: &str = "[pacing.metronome]\ninterval = \"500 ms\"\ntone = { duration = \"30 ms\" }\n[feedback.tone]\n\
                     duration = \"100 ms\"\n[[when]]\nbeat = 12\nend = true\n";

fn rehearsed() -> Workspace {
    let place = Workspace::of(PROGRAM);
    place.file("study.toml", STUDY);
    place.file("trial.toml", TRIAL);
    let said = place.run("simulate study.toml --participants 6 --data data --quiet");
    assert_eq!(said.code, Some(0), "{said:?}");
    place
}

fn found(data: &Path) -> Factorial {
    let sources = Sources::find(&[data.to_owned()]).unwrap();
    let analysis = analyze(&sources, &AnalysisOptions::default());
    let outcome = Outcome {
        of: "sd asynchrony".into(),
        over: Some("delay".into()),
        by: Some("group".into()),
        ..Outcome::default()
    };
    factorial(&outcome, &["try".to_owned()], &sources, &analysis).unwrap().unwrap()
}

/// The rows of a table by the names of their columns.
fn cells(path: &Path) -> Vec<HashMap<String, String>> {
    let text = fs::read_to_string(path).unwrap();
    let mut lines = text.lines().map(|line| line.split('\t').map(str::to_owned));
    let names: Vec<String> = lines.next().unwrap().collect();
    lines.map(|line| names.iter().cloned().zip(line).collect()).collect()
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Worked out here from the wide table, by the formulas of Morey (2008): means of trials, of sessions, each person's
/// mean taken out within the group, widened by √(6/5).
#[test]
fn three_factors_are_one_figure_with_the_means_and_intervals_of_the_wide_table() {
    let place = rehearsed();
    assert_eq!(place.run("analyze data").code, Some(0));
    let found = found(&place.path("data"));
    let names: Vec<&str> = found.factors.iter().map(|factor| &*factor.name).collect();
    assert_eq!(names, ["delay", "group", "hand"]);
    assert_eq!(found.factors[0].numbers, Some((vec![0.0, 50.0, 200.0], "ms")));
    assert_eq!(found.factors.iter().map(|f| f.between).collect::<Vec<_>>(), [false, true, false]);
    assert_eq!(
        (found.intervals, found.sessions),
        (Intervals::Within { cells: 6, groups: true }, Some(2))
    );

    let wide = cells(&place.path("data/derivatives/chronotap/desc-wide_beh.tsv"));
    let mut values: BTreeMap<[String; 4], BTreeMap<String, Vec<f64>>> = BTreeMap::new();
    for row in wide.iter().filter(|row| row["step"] == "main" && row["used"] == "true") {
        let [who, group, delay, hand] =
            ["participant_id", "group", "delay", "hand"].map(|name| row[name].clone());
        let of = values.entry([group, who, delay, hand]).or_default();
        of.entry(row["session"].clone())
            .or_default()
            .push(row["sd_asynchrony_ms"].parse().unwrap());
    }
    let own = |group: &str, delay: &str, hand: &str| -> BTreeMap<String, f64> {
        let here =
            values.iter().filter(|(key, _)| key[0] == group && key[2] == delay && key[3] == hand);
        let of = |(key, sessions): (&[String; 4], &BTreeMap<String, Vec<f64>>)| {
            assert_eq!(sessions.values().map(Vec::len).collect::<Vec<_>>(), [2, 2], "{key:?}");
            let sessions: Vec<f64> = sessions.values().map(|trials| mean(trials)).collect();
            (key[1].clone(), mean(&sessions))
        };
        here.map(of).collect()
    };
    for cell in &found.cells {
        let level = |factor: usize| &*found.factors[factor].levels[cell.at[factor]];
        let (delay, group, hand) = (level(0), level(1), level(2));
        let here = own(group, delay, hand);
        assert_eq!((here.len(), cell.people), (3, 3));
        let all: Vec<BTreeMap<String, f64>> = ["0 ms", "50 ms", "200 ms"]
            .iter()
            .flat_map(|delay| ["left", "right"].map(|hand| own(group, delay, hand)))
            .collect();
        let of_person = |who: &String| mean(&all.iter().map(|cell| cell[who]).collect::<Vec<_>>());
        let grand = mean(&here.keys().map(of_person).collect::<Vec<_>>());
        let normal: Vec<f64> =
            here.iter().map(|(who, value)| value - of_person(who) + grand).collect();
        let centre = mean(&normal);
        let sd = (normal.iter().map(|v| (v - centre).powi(2)).sum::<f64>() / 2.0).sqrt();
        let reach = student::quantile(0.975, 2.0) * sd / 3.0_f64.sqrt() * (6.0_f64 / 5.0).sqrt();
        let interval = cell.interval.unwrap();
        let raw = mean(&here.values().copied().collect::<Vec<_>>());
        assert!((cell.mean - raw).abs() < 1e-6, "{delay} {group} {hand}: {cell:?} {raw}");
        assert!(((interval.high - interval.low) / 2.0 - reach).abs() < 1e-6, "{cell:?} {reach}");
    }
    assert_eq!(found.cells.len(), 12);

    assert_eq!(place.run("report data --quiet").code, Some(0));
    let page = page(&place, "data");
    let caption = captions(section(&page, "outcome")).remove(0);
    for said in [
        "SD asynchrony by delay, group and hand.",
        "Small dots are the 6 people",
        "within people within each group (Cousineau, 2005; Morey, 2008: 6 cells, widened by 1.095)",
        "nor for comparing groups",
        "The trials of the 2 sessions of a person are taken together; each condition of theirs weighs the same.",
        "Practice (try) is left out.",
    ] {
        assert!(caption.contains(said), "{said} is not in: {caption}");
    }
    for line in ["group young", "group old", "hand left", "hand right"] {
        assert!(section(&page, "outcome").contains(&format!(">{line}</text>")), "{line}");
    }
}

#[test]
fn figures_are_the_same_bytes_again_and_replace_nothing_but_figures() {
    let place = rehearsed();
    assert_eq!(place.run("report data --figures one --quiet").code, Some(0));
    assert_eq!(place.run("report data --figures two --quiet --to page.html").code, Some(0));
    let files = |folder: &str| -> BTreeMap<String, Vec<u8>> {
        let all = fs::read_dir(place.path(folder)).unwrap().map(|file| file.unwrap());
        all.map(|file| (file.file_name().into_string().unwrap(), fs::read(file.path()).unwrap()))
            .collect()
    };
    let one = files("one");
    assert!(one == files("two"), "the same data, the same files");
    assert!(
        one.contains_key("outcome_sd-asynchrony-by-delay-group-and-hand.svg"),
        "{:?}",
        one.keys()
    );
    assert!(one.contains_key("participant-01_taps.pdf"), "{:?}", one.keys());
    for (name, bytes) in &one {
        let begins: &[u8] = if name.ends_with(".pdf") {
            b"%PDF-1.7"
        } else {
            b"<svg xmlns='http://www.w3.org/2000/svg'"
        };
        assert!(bytes.starts_with(begins), "{name}");
        let text = String::from_utf8_lossy(bytes);
        for outside in ["href", "url(", "@import", "<script", "var(", "CreationDate"] {
            assert!(!text.contains(outside), "{name} has {outside}");
        }
    }
    assert_eq!(
        place.run("report data --figures one --quiet").code,
        Some(0),
        "figures replace figures"
    );

    let earlier = page(&place, "data");
    let mine = "one/outcome_sd-asynchrony-by-delay-group-and-hand.pdf";
    fs::write(place.path(mine), "mine").unwrap();
    fs::remove_file(place.path("one/participant-01_taps.pdf")).unwrap();
    let said = place.run("report data --figures one --first-taps 1");
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.err.contains(mine) && said.err.contains("no figure"), "{said:?}");
    assert_eq!(fs::read(place.path(mine)).unwrap(), b"mine");
    assert!(!place.path("one/participant-01_taps.pdf").exists(), "nothing is written before that");
    assert_eq!(page(&place, "data"), earlier);
    let said = place.run("report data --figures data/derivatives/figures");
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(
        said.err.contains("lies in a dataset") && !place.path("data/derivatives/figures").exists()
    );
}

#[test]
fn the_methods_say_who_what_and_how_and_say_what_is_unknown() {
    let place = rehearsed();
    assert_eq!(place.run("report data --first-taps 2 --quiet").code, Some(0));
    let first = page(&place, "data");
    let methods = section(&first, "methods").to_owned();
    let people = cells(&place.path("data/participants.tsv"));
    let ages: Vec<f64> = people.iter().map(|row| row["age"].parse().unwrap()).collect();
    let age = format!("Age in years: mean {:.1} (SD ", mean(&ages));
    let women = people.iter().filter(|row| row["sex"] == "female").count();
    let sex = if women > 0 { format!("{women} female") } else { "male".into() };
    for said in [
        "Nobody took part: 6 simulated participants stood for people",
        "People by group: 3 young, 3 old.",
        &age,
        &sex,
        "in 2 sessions of each participant",
        "delay (0 ms, 50 ms, 200 ms; within participants), hand (left, right; within participants) and group (young, old; between participants)",
        "There were 12 conditions, with 4 trials of each participant in each that they had.",
        "Practice (try) was to last until 3 of the last 4 beats of a trial had a tap within 200 ms, at most 2 trials. It had ",
        "The conditions of main were planned in random order, drawn anew for each repetition, with equal levels of delay at least 2 trials apart",
        "The pacing metronome had a beat every 500 ms, each tone 30 ms long.",
        "Each tap caused a tone (feedback tone) 0 ms, 50 ms or 200 ms after it, 100 ms long.",
        "There were no devices: the trials were computed",
        "No participant was left out by a rule. No trial was excluded. Left out were the first 2 taps of each trial: ",
        "sd asynchrony (delay 200 ms less 0 ms, group old less young), compared between groups by the degrees of freedom of Satterthwaite (1946)",
        "<li>Morey, R. D. (2008).",
        "<li>Satterthwaite, F. E. (1946).",
    ] {
        assert!(methods.contains(said), "{said} is not in: {methods}");
    }
    assert!(
        !methods.contains("Welch") && !methods.contains("Schmidt"),
        "only what is cited: {methods}"
    );
    assert_eq!(place.run("report data --first-taps 2 --quiet").code, Some(0));
    assert_eq!(page(&place, "data"), first, "the same data, the same page");
    // A trial of which nothing else is known.
    let events = "data/sub-01/ses-1/beh/sub-01_ses-1_task-short_run-02_events.tsv";
    assert_eq!(place.run(&format!("report {events} --to one.html --quiet")).code, Some(0));
    let one = fs::read_to_string(place.path("one.html")).unwrap();
    let one = section(&one, "methods");
    assert!(one.contains("These data have no age and no sex or gender."), "{one}");
}

/// Practice that nobody can pass, and trials that are done again at once, so that each stands beside its equal.
const REPEATED: &str = "\
task = \"again\"
participants = 3
seed = 4
trial = \"trial.toml\"
[between]
group = { musician = \"training >= 6\", other = \"otherwise\" }
[participant]
training = { question = \"Years of training\", number = [0, 20] }
[question.effort]
text = \"How hard was that?\"
scale = [1, 7]
[factor]
delay = [\"0 ms\", \"50 ms\", \"200 ms\"]
[set]
feedback.tone.delay = { factor = \"delay\" }
[[step]]
name = \"try\"
trial = \"trial.toml\"
until = { hits = 4, of = 4, within = \"1 ms\" }
at_most = 2
otherwise = \"go on\"
[[step]]
name = \"main\"
repetitions = 4
shuffle = \"all\"
apart = { delay = 2 }
go = \"tap\"
gap = [\"1 s\", \"3 s\"]
rest = { every = 6, for = \"30 s\" }
ask = [\"effort\"]
redo = { if_any = [\"missed > 0\"], at_most = 3, place = \"at once\" }
";

/// The lines of all journals of a dataset.
fn journals(folder: &Path) -> Vec<serde_json::Value> {
    let mut all = Vec::new();
    for person in fs::read_dir(folder.join("sourcedata")).unwrap().map(|item| item.unwrap().path())
    {
        for file in fs::read_dir(&person).into_iter().flatten().map(|item| item.unwrap().path()) {
            if file.to_string_lossy().ends_with("_journal.jsonl") {
                let text = fs::read_to_string(file).unwrap();
                let line =
                    |line: &str| serde_json::from_str(line.split('\t').next().unwrap()).unwrap();
                all.extend(text.lines().map(line));
            }
        }
    }
    all
}

/// The journals know what ran: each trial that was done again stands behind its equal, whatever the plan kept apart.
#[test]
fn the_methods_say_what_ran_as_the_journals_have_it() {
    let place = Workspace::of(PROGRAM);
    place.file("study.toml", REPEATED);
    place.file("trial.toml", TRIAL);
    let person = "tapper, mean = -30 ms, miss = 0.05";
    let simulate = ["simulate", "study.toml", "--data", "data", "--quiet", "--simulate", person];
    assert!(place.chronotap(simulate).status().unwrap().code().unwrap() < 2);
    let listed = place.path("data/participants.tsv");
    let table = fs::read_to_string(&listed).unwrap();
    let mut nobody: Vec<&str> = table.lines().nth(1).unwrap().split('\t').collect();
    nobody[0] = "sub-99";
    fs::write(&listed, format!("{table}{}\n", nobody.join("\t"))).unwrap();
    assert!(place.run("report data --quiet").code.unwrap() < 2);

    let lines = journals(&place.path("data"));
    let began = |step: u64, again: bool| {
        let of = |line: &&serde_json::Value| {
            line["what"] == "trial_began"
                && line["step"] == step
                && (!again || line["attempt"].as_u64() > Some(1))
        };
        lines.iter().filter(of).count()
    };
    let (practised, again) = (began(0, false), began(1, true));
    assert_eq!(practised, 6, "nobody passes, and each has two trials");
    assert!(again > 3, "{again}");
    let page = page(&place, "data");
    let methods = section(&page, "methods");
    for said in [
        "It had 2 trials in each session, and 0 of 3 sessions ended with that criterion",
        &format!(
            "As it ran, with {again} trials done again, {again} trials of main came less than 2 trials behind one of equal delay."
        ),
        "Groups were not drawn: group: musician if training &gt;= 6, other otherwise.",
        "A trial had 11 beats to tap to.",
        "A trial of main began when the participant tapped, after a pause of 1 s to 3 s.",
        "After every 6 trials there was a rest of 30 s, and on until a key was pressed.",
        "After each trial they were asked \u{201c}How hard was that?\u{201d}.",
        "What participants read was in English.",
        "Of those that the dataset lists these have no data here: 99 (no trial was recorded).",
    ] {
        assert!(methods.contains(said), "{said} is not in: {methods}");
    }
}

//! Every ready-made study is one that `check` accepts, and every trial of it can be made.

use chronotap_design::{
    EXPECTED, ExpectedFinding, Experiment, GivenValue, NOT_YET, PARADIGMS, PlannedSetting,
    PlannedTrial, Supplied, expected, overview,
};
use std::path::{Path, PathBuf};

fn experiment(name: &str) -> Experiment {
    let paradigm = PARADIGMS.iter().find(|paradigm| paradigm.name == name).unwrap();
    let files = paradigm.files.iter();
    let files: Vec<(String, String)> =
        files.map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
    Experiment::parse(paradigm.files[0].1, "study.toml", &files)
        .unwrap_or_else(|problems| panic!("{name}: {problems}"))
}

#[test]
fn every_paradigm_is_a_study_without_mistakes_or_doubts() {
    for paradigm in PARADIGMS {
        let experiment = experiment(paradigm.name);
        assert!(experiment.reference.is_some(), "{}", paradigm.name);
        let overview = overview(&experiment);
        assert_eq!(overview.warnings, [] as [String; 0], "{}", paradigm.name);
        assert!(overview.session_ns[0].0 > 60_000_000_000, "{}", paradigm.name);
    }
}

#[test]
fn every_trial_of_a_paradigm_can_be_made() {
    for paradigm in PARADIGMS {
        let experiment = experiment(paradigm.name);
        for participant in experiment.in_order(experiment.participants) {
            let plan = experiment.plan(&participant, 1).unwrap();
            for (_, trial) in plan.trials() {
                let results = results(trial);
                experiment.trial(trial, &Supplied { results: &results, levels: &[] }).unwrap();
            }
        }
    }
}

/// Half a second for every result that a trial takes up.
fn results(trial: &PlannedTrial) -> Vec<(String, String, f64)> {
    let of = |setting: &PlannedSetting| match &setting.value {
        GivenValue::Result { step, result, .. } => Some((step.clone(), result.clone(), 500e6)),
        GivenValue::Toml(_) => None,
    };
    trial.settings.iter().filter_map(of).collect()
}

/// What the manual says of ready-made studies and the table has already is printed from it.
#[test]
fn the_pages_of_paradigms_are_as_kept() {
    for paradigm in PARADIGMS {
        let name = paradigm.name;
        let (first, rest) = paradigm.question.split_at(1);
        let head = format!(
            "*For psychologists: {}{rest}*\n\n    chronotap new {name}\n    chronotap check \
             {name}/study.toml\n    chronotap simulate {name}/study.toml --data rehearsal\n",
            first.to_lowercase()
        );
        let file = |(file, text): &(&str, &str)| format!("| `{file}` | {} |\n", held(file, text));
        let files: String = paradigm.files.iter().map(file).collect();
        let sources = experiment(name).reference.unwrap();
        let sources: String = sources.split("; ").map(|source| format!("- {source}\n")).collect();
        let of_study = |of: &&ExpectedFinding| of.study == name;
        let rehearsed =
            |of: &ExpectedFinding| format!("- {} {} ({})\n", of.effect, of.rehearsed, of.source);
        let rehearsed: String = EXPECTED.iter().filter(of_study).map(rehearsed).collect();
        let pieces = [
            ("\n\n", head.as_str(), "\n\n## The study"),
            ("## In a rehearsal\n\n", &rehearsed, "\n\n"),
            ("| file | what it holds |\n|---|---|\n", &files, "\n\n"),
            ("## References\n\n", &sources, ""),
        ];
        assert_page(name, &pieces);
    }
}

#[test]
fn what_cannot_be_written_yet_is_in_the_manual() {
    let index = std::fs::read_to_string(page("README")).unwrap().to_lowercase();
    for (name, _) in NOT_YET {
        assert!(index.contains(name.split_whitespace().next().unwrap()), "{name}");
    }
}

fn page(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../docs/paradigms/{name}.md"))
}

/// A page has each of these pieces, behind the words before it and in front of those after it.
fn assert_page(name: &str, pieces: &[(&str, &str, &str)]) {
    for (before, piece, after) in pieces {
        let piece = if after.is_empty() { piece } else { piece.trim_end() };
        chronotap_kept::assert_block(page(name), before, piece, after);
    }
}

/// What a file of a study holds: of a trial file its title says it.
fn held(file: &str, text: &str) -> String {
    match file.rsplit_once('.') {
        _ if file == "study.toml" => "the experiment file".into(),
        Some((_, "toml")) => {
            let title = text.lines().find_map(|line| line.strip_prefix("title = \"")).unwrap();
            let title = title.trim_end_matches('"');
            format!("a trial: {}{}", title[..1].to_lowercase(), &title[1..])
        }
        Some((_, "tsv")) => "a table of conditions".into(),
        _ => "what the participant reads first".into(),
    }
}

#[test]
fn the_squares_of_the_paradigms_come_out() {
    for paradigm in PARADIGMS {
        let unbalanced = overview(&experiment(paradigm.name)).unbalanced;
        assert_eq!(unbalanced, [] as [String; 0], "{}", paradigm.name);
    }
}

#[test]
fn what_is_expected_of_a_study_is_known_by_its_title_and_of_no_other_study() {
    for paradigm in PARADIGMS {
        let found: Vec<_> = expected(&experiment(paradigm.name)).collect();
        assert!(!found.is_empty(), "{}", paradigm.name);
        assert!(found.iter().all(|of| of.study == paradigm.name));
    }
    let mut changed = experiment("polyrhythm");
    changed.title = "Something else".into();
    assert_eq!(expected(&changed).count(), 0);
}

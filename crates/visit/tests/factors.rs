//! Factors in any order, within participants, of the sessions and between participants: every table
//! has the level of each under its own name, whatever made the table, and whoever reads it.

use crate::common::{TRIAL, dataset, wires};
use chronotap_config::trial_files::TrialFile;
use chronotap_core::time::Nanos;
use chronotap_data::shares::Shard;
use chronotap_design::Experiment;
use chronotap_session::rehearse::{Rehearsal, rehearse};
use chronotap_session::{Dataset, Study, TsvTable};
use chronotap_simulate::Computed;
use chronotap_visit::simulate::simulate;
use proptest::prelude::*;
use serde_json::Value;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use tempfile::tempdir;

/// A study whose levels say of which factor they are: `drug_1` is of `drug`.
#[derive(Clone, Debug)]
struct Drawn {
    /// The factors of `[factor]`, in the order of the file.
    within: Vec<&'static str>,
    /// Which of them is that of the sessions.
    session: Option<usize>,
    between: Vec<&'static str>,
    /// Whether a table has the conditions, and `[factor]` that of the sessions alone.
    from_a_table: bool,
}

fn drawn() -> impl Strategy<Value = Drawn> {
    let names = Just(["drug", "delay", "tempo", "hand", "age", "mood"].to_vec()).prop_shuffle();
    let counts = (1_usize..=4, 0_usize..=2, any::<bool>());
    (names, counts, any::<prop::sample::Index>(), any::<bool>()).prop_map(
        |(names, (within, between, has_one), at, from_a_table)| Drawn {
            within: names[..within].to_vec(),
            session: (has_one || from_a_table).then(|| at.index(within)),
            between: names[within..within + between].to_vec(),
            from_a_table: from_a_table && within > 1,
        },
    )
}

impl Drawn {
    fn study(&self) -> Study {
        let mut text = String::from("task = \"t\"\nparticipants = 2\ntrial = \"trial.toml\"\n");
        let mut files = vec![("trial.toml".to_owned(), TRIAL.to_owned())];
        let listed = |names: &[&str]| -> String {
            names.iter().map(|name| format!("{name} = [\"{name}_0\", \"{name}_1\"]\n")).collect()
        };
        let session = self.session.map(|at| self.within[at]);
        if session.is_some() {
            text.insert_str(0, "sessions = 2\n");
        }
        if self.from_a_table {
            text += "conditions = \"conditions.tsv\"\n";
            let rest: Vec<&str> =
                self.within.iter().copied().filter(|n| Some(*n) != session).collect();
            let row = |level: u8| rest.iter().map(|n| format!("{n}_{level}")).collect::<Vec<_>>();
            let lines = [rest.join("\t"), row(0).join("\t"), row(1).join("\t")];
            files.push(("conditions.tsv".to_owned(), lines.join("\n") + "\n"));
            text += &format!("[factor]\n{}", listed(session.as_slice()));
        } else {
            text += &format!("[factor]\n{}", listed(&self.within));
        }
        if !self.between.is_empty() {
            text += &format!("[between]\n{}", listed(&self.between));
        }
        if let Some(session) = session {
            let _ = write!(text, "[session]\nby = \"{session}\"\norder = \"latin\"\n");
        }
        text += "[[step]]\nname = \"main\"\nshuffle = \"all\"\n";
        Study::of(Experiment::parse(&text, "study.toml", &files).unwrap()).unwrap()
    }

    /// The factors as the manual orders them: a factor of the sessions beside a table stands first,
    /// where its `[factor]` stands.
    fn in_order(&self) -> Vec<&'static str> {
        let mut within = self.within.clone();
        if let Some(session) = self.session.filter(|_| self.from_a_table) {
            let session = within.remove(session);
            within.insert(0, session);
        }
        [within, self.between.clone()].concat()
    }
}

fn rehearsal(study: &Study) -> Rehearsal {
    Rehearsal {
        labels: vec!["01".into(), "02".into()],
        model: "tapper".into(),
        wires: wires(study),
        longest: Nanos::from_secs(60),
        stops_when_cut: false,
        limit: None,
    }
}

/// The columns between `counts` and `seed`.
fn factors(table: &TsvTable) -> Vec<String> {
    let [from, to] = ["counts", "seed"].map(|name| table.column(name).unwrap());
    table.columns[from + 1..to].to_vec()
}

/// The level of a factor in each trial of a plan, from its file.
fn planned(root: &Path, path: &Path, factor: &str) -> Vec<String> {
    let plan: Value = serde_json::from_str(&fs::read_to_string(root.join(path)).unwrap()).unwrap();
    let names = plan["factors"].as_array().unwrap();
    let place = names.iter().position(|name| name == factor).unwrap();
    let steps = plan["steps"].as_array().unwrap().iter();
    let trials = steps.flat_map(|step| step["trials"].as_array().unwrap());
    trials.map(|trial| trial["factors"][place].as_str().unwrap().to_owned()).collect()
}

fn is_right(table: &TsvTable, drawn: &Drawn) {
    assert_eq!(factors(table), drawn.in_order());
    for (factor, row) in factors(table).iter().flat_map(|f| table.rows.iter().map(move |r| (f, r)))
    {
        let level = table.cell(row, factor).unwrap();
        assert!(level.starts_with(factor.as_str()), "{factor} is {level} of {drawn:?}");
    }
}

fn is_as_planned(root: &Path, study: &Study, drawn: &Drawn) {
    for (label, session) in
        ["01", "02"].iter().flat_map(|l| (1..=study.experiment.sessions).map(move |s| (l, s)))
    {
        let place = study.place(label, session);
        let table =
            TsvTable::parse(&fs::read_to_string(root.join(place.table())).unwrap()).unwrap();
        is_right(&table, drawn);
        for factor in factors(&table) {
            let cells = table.rows.iter().map(|row| table.cell(row, &factor).unwrap().to_owned());
            let planned = planned(root, &place.plan_as_json(), &factor);
            assert_eq!(cells.collect::<Vec<_>>(), planned, "{factor} of {drawn:?}");
        }
        let plan = TsvTable::parse(&fs::read_to_string(root.join(place.plan())).unwrap()).unwrap();
        let seed = plan.column("seed").unwrap();
        assert_eq!(plan.columns[4..seed], factors(&table));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn every_table_has_the_level_of_each_factor_under_its_name_in_whatever_order_they_are(
        drawn in drawn()
    ) {
        let study = drawn.study();
        let dir = tempdir().unwrap();
        let root = dir.path().join("d");
        let made: Dataset = dataset(&root, &study);
        simulate(&study, &made, &rehearsal(&study), Shard::ALL, &Default::default(), &|_| {}).unwrap();
        is_as_planned(&root, &study, &drawn);
        let nothing = |(): &mut (), _: usize, _: &TrialFile, _: &Computed| {};
        let in_memory = rehearse(&study, &rehearsal(&study), &|| false, nothing).unwrap();
        in_memory.sessions.iter().for_each(|one| is_right(&one.trials, &drawn));
    }
}

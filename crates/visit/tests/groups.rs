//! Groups that are no draw, in memory and in files: whoever is rehearsed answers as their group does.

use crate::common::{dataset, study, wires};
use chronotap_config::trial_files::TrialFile;
use chronotap_core::time::Nanos;
use chronotap_data::shares::Shard;
use chronotap_session::rehearse::{Rehearsal, rehearse};
use chronotap_simulate::Computed;
use chronotap_visit::simulate::simulate;
use tempfile::tempdir;

const STUDY: &str = "task = \"t\"\nparticipants = 12\nseed = 3\ntrial = \"trial.toml\"\n\
    [between]\ngroup = { musician = \"training >= 6\", other = \"otherwise\" }\n\
    clinic = { levels = [\"patient\", \"control\"], chosen = true }\n\
    [participant]\ntraining = { question = \"Years?\", number = [0, 60] }\n\
    [[step]]\nname = \"main\"\nshuffle = \"none\"\n";

#[test]
fn people_in_memory_and_in_files_are_the_same_and_answer_as_their_groups_do() {
    let study = study(STUDY);
    let rehearsal = Rehearsal {
        labels: (1..=12).map(|n| study.label(&n.to_string()).unwrap()).collect(),
        model: "tapper".into(),
        wires: wires(&study),
        longest: Nanos::from_secs(60),
        stops_when_cut: false,
        limit: None,
    };
    let nothing = |(): &mut (), _: usize, _: &TrialFile, _: &Computed| {};
    let in_memory = rehearse(&study, &rehearsal, &|| false, nothing).unwrap().people;
    let dir = tempdir().unwrap();
    let dataset = dataset(dir.path(), &study);
    simulate(&study, &dataset, &rehearsal, Shard::ALL, &Default::default(), &|_| {}).unwrap();
    let in_files = dataset.people(&study.about.columns).unwrap();
    assert_eq!(in_memory.rows, in_files.table().rows);
    for row in &in_memory.rows {
        let cell = |name: &str| in_memory.cell(row, name).unwrap();
        let musician = cell("training").parse::<f64>().unwrap() >= 6.0;
        assert_eq!(cell("group") == "musician", musician, "{row:?}");
    }
}

//! Tags of HED that a trial or a study gives to its events: from the file to the descriptions of the data.

use chronotap_testkit_cli::program::Workspace;
use serde_json::{Value, json};
use std::fs::read_to_string;

const PROGRAM: &str = env!("CARGO_BIN_EXE_chronotap");

const TRIAL: &str = "[pacing.standard]\ninterval = \"500 ms\"\nbeats = 4\n[pacing.deviant]\nonsets = [\"1.25 s\"]\n\
     [feedback.tone]\n[[when]]\nname = \"over\"\ntime = \"4 s\"\nend = true\n[hed]\n\
     tap = \"Agent-action, Press\"\npacing.deviant = \"Label/Odd\"\n";

fn described(place: &Workspace, file: &str) -> Value {
    serde_json::from_str(&read_to_string(place.path(file)).unwrap()).unwrap()
}

#[test]
fn the_tags_of_a_trial_stand_in_the_description_of_its_events_beside_the_usual_ones() {
    let place = Workspace::of(PROGRAM);
    place.file("t.toml", TRIAL);
    let said = place.run("simulate t.toml --data data --seed 1");
    assert_eq!(said.code, Some(0), "{said:?}");
    let told = described(&place, "data/t_run-01_events.json");
    let kinds = &told["trial_type"]["HED"];
    assert_eq!(kinds["tap"], "(Agent-action, Press, {event_id})");
    assert_eq!(
        kinds["pacing"],
        "(Sensory-event, (Experimental-stimulus, (Auditory-presentation, Tone)), {name}, {event_id})"
    );
    assert_eq!(
        kinds["feedback"],
        "(Sensory-event, (Feedback, (Auditory-presentation, Tone)), {event_id})"
    );
    let table = read_to_string(place.path("data/t_run-01_events.tsv")).unwrap();
    let names: Vec<&str> = table.lines().skip(1).filter_map(|row| row.split('\t').nth(3)).collect();
    assert!(names.contains(&"deviant") && names.contains(&"trigger"), "{names:?}");
    for name in names {
        let tag = if name == "deviant" { "Label/Odd".to_owned() } else { format!("Label/{name}") };
        assert_eq!(told["name"]["HED"][name], tag);
    }
    let held = json!({ "pacing.deviant": "Label/Odd", "tap": "Agent-action, Press" });
    assert_eq!(told["Chronotap"]["header"]["hed"], held);
    assert_eq!(place.run("replay data/t_run-01_events.tsv").code, Some(0));
}

#[test]
fn a_study_sets_tags_by_its_conditions_and_names_their_version() {
    let place = Workspace::of(PROGRAM);
    place.file("t.toml", TRIAL);
    let study = "task = \"odd\"\ntrial = \"t.toml\"\nparticipants = 1\n[factor]\nwhich = [\"Left\", \"Right\"]\n\
         [set]\nhed.tap = { factor = \"which\" }\n[[step]]\nname = \"main\"\nshuffle = \"none\"\n";
    place.file("study.toml", study);
    let said = place.run("simulate study.toml --data data --quiet");
    assert_eq!(said.code, Some(0), "{said:?}");
    assert_eq!(described(&place, "data/dataset_description.json")["HEDVersion"], "8.3.0");
    let mut tags: Vec<String> = [1, 2]
        .map(|run| {
            let file = format!("data/sub-01/beh/sub-01_task-odd_run-0{run}_events.json");
            described(&place, &file)["trial_type"]["HED"]["tap"].as_str().unwrap().to_owned()
        })
        .into();
    tags.sort();
    assert_eq!(tags, ["(Left, {event_id})", "(Right, {event_id})"]);
}

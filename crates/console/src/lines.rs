//! The types of what session and pages send each other, as the scripts of the pages have them:
//! `pages/lines.d.ts`, which a test prints from the messages themselves. A field that is renamed here
//! is another one there, and the check of the scripts' types finds every place that reads it.
//!
//! Types are told from examples, as they pass the server: every message of every kind, and every field
//! both with and without a value where it may lack one. That no kind lacks is asked of the reader of
//! the messages, which names those that it knows.

mod examples;
mod types;

use crate::request::Command;
use crate::scene::{ExpectedAnswer, Phase, Window};
use crate::server::view::{experimenter, participant};
use crate::shown::{Shown, ShownLine};
use chronotap_design::question::{QuestionKind, QuestionKinds};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::PathBuf;
use types::Types;

const HEAD: &str = "\
// What a session and its pages send each other. A test prints this file from the messages of the
// program; `make accept` writes it anew.

";

fn page(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("pages").join(name)
}

fn printed() -> String {
    let lines = examples::lines();
    let told = |see: fn(ShownLine) -> Option<String>| -> Vec<Value> {
        let seen = lines.iter().cloned().filter_map(see);
        seen.map(|line| serde_json::from_str(&line).unwrap()).collect()
    };
    let orders: Vec<Value> = examples::commands().iter().map(|order| json!(order)).collect();
    let mut types = Types::default();
    types.union("Line", "line", &told(experimenter));
    types.union("Command", "do", &orders);
    types.object("Shows", &told(participant));
    format!("{HEAD}{}", types.into_text())
}

/// Where it differs, scripts/test-console.sh says which page reads it otherwise.
#[test]
fn the_types_of_what_pages_are_sent_and_send_are_as_kept() {
    chronotap_kept::assert_file(page("lines.d.ts"), &printed());
}

#[test]
fn no_example_leaves_a_type_open() {
    for open in ["unknown", "null[]", ": null"] {
        assert!(!printed().contains(open), "give an example with a value: {open}\n{}", printed());
    }
}

/// The kinds that a message can be of, as its reader names them.
fn known<T: DeserializeOwned>(tag: &str) -> BTreeSet<String> {
    let strange = match tag {
        "" => json!("?"),
        tag => json!({ tag: "?" }),
    };
    let error = serde_json::from_value::<T>(strange).err().unwrap().to_string();
    let (_, names) = error.split_once("expected one of ").unwrap();
    names.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

fn tags(tag: &str, values: impl IntoIterator<Item = Value>) -> BTreeSet<String> {
    values.into_iter().map(|value| value[tag].as_str().unwrap().to_owned()).collect()
}

#[test]
fn every_kind_of_message_has_an_example() {
    let lines = || examples::lines().into_iter().map(|line| line.shown);
    let scenes = || {
        lines().filter_map(|shown| match shown {
            Shown::Scene(scene) => Some(scene),
            _ => None,
        })
    };
    assert_eq!(tags("line", lines().map(|shown| json!(shown))), known::<Shown>("line"));
    assert_eq!(tags("is", scenes().map(|scene| json!(scene.phase))), known::<Phase>("is"));
    let windows = scenes().map(|scene| json!({ "window": scene.window }));
    assert_eq!(tags("window", windows), known::<Window>(""));
    let orders = examples::commands();
    assert_eq!(tags("do", orders.iter().map(|order| json!(order))), known::<Command>("do"));
}

/// What pages are told of each kind of question, as it stands in `Forms`.
fn forms() -> String {
    let form = |kind: &QuestionKind| {
        let told = (kind.examples)();
        let told: Vec<Value> =
            told.iter().map(|one| json!(ExpectedAnswer::from(one).values)).collect();
        format!(" *     {}: {},\n", kind.form, Types::default().inline(&told))
    };
    QuestionKinds::standard().rows().map(form).collect()
}

#[test]
fn what_pages_are_told_of_every_kind_of_question_is_as_kept() {
    chronotap_kept::assert_block(page("answers.js"), " * @typedef {{\n", &forms(), " * }} Forms\n");
}

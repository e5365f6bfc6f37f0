//! Every file of JSON that the program writes is as its schema in `docs/schemas` says. A
//! [`crate::program::Workspace`] holds what the program left in it to that, in whatever test that was.

use jsonschema::Validator;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// A kind of file, which the schema of the same name describes.
struct Kind {
    schema: &'static str,
    /// Whether a file of this name with this content is one.
    is: fn(&str, &Value) -> bool,
}

/// The first that fits counts.
const KINDS: &[Kind] = &[
    Kind { schema: "session-journal", is: |name, _| name.ends_with("_journal.jsonl") },
    Kind { schema: "analysis", is: |name, _| name == "analysis.json" },
    Kind { schema: "gather", is: |name, _| name == "gather.json" },
    Kind { schema: "pack", is: |name, _| name == "manifest.json" },
    Kind { schema: "plan", is: |name, _| name.ends_with("_plan.json") },
    Kind { schema: "dataset-description", is: |name, _| name == "dataset_description.json" },
    Kind { schema: "callbacks", is: |name, _| name.ends_with("_callbacks.json") },
    Kind { schema: "force", is: |name, _| name.ends_with("_physio.json") },
    Kind {
        schema: "columns",
        is: |name, _| {
            name == "participants.json"
                || name.ends_with("_beh.json")
                || (name.starts_with("task-") && name.ends_with("_events.json"))
        },
    },
    Kind { schema: "events", is: |name, _| name.ends_with("_events.json") },
    Kind { schema: "power-share", is: |_, content| content["format"] == "chronotap-power-share" },
    Kind { schema: "stream", is: |_, content| content["kind"] == "chronotap stream" },
    Kind { schema: "results", is: |_, content| content["kind"] == "chronotap timing results" },
];

/// What is wrong with the files of this folder, a line each: the file, the place in it, and what
/// its schema says, or that there is none. Foreign files are not looked at, and none that are no JSON:
/// tests damage some.
pub fn faults(folder: &Path, foreign: &[PathBuf]) -> Vec<String> {
    let ours = files(folder).into_iter().filter(|path| !foreign.contains(path));
    ours.flat_map(|path| faults_of(&path)).collect()
}

fn faults_of(path: &Path) -> Vec<String> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let Ok(text) = fs::read_to_string(path) else { return Vec::new() };
    let lines = match name.ends_with(".jsonl") {
        true => text.lines().map(|line| line.split('\t').next().unwrap_or_default()).collect(),
        false => vec![&*text],
    };
    let contents = lines.iter().filter_map(|text| serde_json::from_str(text).ok());
    contents.flat_map(|content: Value| faults_in(path, &name, &content)).collect()
}

fn faults_in(path: &Path, name: &str, content: &Value) -> Vec<String> {
    let Some(kind) = KINDS.iter().find(|kind| (kind.is)(name, content)) else {
        return vec![format!("{}: no schema is of this kind of file", path.display())];
    };
    let errors = schema(kind.schema).iter_errors(content);
    let told = |error| format!("{}: {}: {error}", path.display(), place(&error));
    errors.map(told).collect()
}

fn place(error: &jsonschema::ValidationError<'_>) -> String {
    error.instance_path().to_string()
}

fn schema(name: &str) -> &'static Validator {
    static ALL: OnceLock<Vec<(&str, Validator)>> = OnceLock::new();
    let all =
        ALL.get_or_init(|| KINDS.iter().map(|kind| (kind.schema, read(kind.schema))).collect());
    &all.iter().find(|(known, _)| *known == name).expect("it is one of the kinds").1
}

fn read(name: &str) -> Validator {
    let path = schemas().join(format!("{name}.schema.json"));
    let text =
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    jsonschema::validator_for(&serde_json::from_str(&text).unwrap()).unwrap()
}

fn schemas() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schemas")
}

/// The files of JSON in a folder and those within; links are not followed.
fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut found = Vec::new();
    for entry in entries.flatten() {
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => found.extend(files(&entry.path())),
            Ok(kind) if kind.is_file() => {
                found.extend(Some(entry.path()).filter(|path| is_json(path)))
            }
            _ => {}
        }
    }
    found
}

fn is_json(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "json" || end == "jsonl")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn faults_of_text(name: &str, text: &str) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(name), text).unwrap();
        faults(folder.path(), &[])
    }

    #[test]
    fn every_kind_has_a_schema_and_every_schema_a_kind() {
        let mut kinds: Vec<&str> = KINDS.iter().map(|kind| kind.schema).collect();
        for kind in &kinds {
            let _ = schema(kind);
        }
        let name = |entry: fs::DirEntry| entry.file_name().into_string().unwrap();
        let ends = |name: String| name.strip_suffix(".schema.json").unwrap().to_owned();
        let mut there: Vec<String> =
            fs::read_dir(schemas()).unwrap().map(|entry| ends(name(entry.unwrap()))).collect();
        kinds.sort_unstable();
        there.sort();
        assert_eq!(there, kinds);
    }

    #[test]
    fn a_key_that_is_missing_new_or_of_another_type_is_found_with_its_place() {
        let mut plan = json!({ "participant": "01", "session": 1, "k": 0, "between": [],
            "session_level": null, "conditions": null, "seed": 1, "factors": [], "steps": [] });
        assert_eq!(faults_of_text("a_plan.json", &plan.to_string()), [""; 0]);
        plan["k"] = json!(-1);
        plan["extra"] = json!(1);
        plan.as_object_mut().unwrap().remove("seed");
        let found = faults_of_text("a_plan.json", &plan.to_string());
        assert_eq!(found.len(), 3, "{found:?}");
        assert!(found.iter().any(|fault| fault.contains("a_plan.json: /k: -1 is less than")));
    }

    #[test]
    fn a_file_of_a_kind_that_has_no_schema_is_a_fault() {
        let found = faults_of_text("new.json", "{\"kind\": \"something new\"}");
        assert!(found.len() == 1 && found[0].contains("no schema"), "{found:?}");
    }

    #[test]
    fn each_line_of_a_journal_is_held_and_what_is_damaged_is_not() {
        let at = "2026-01-01T00:00:00Z";
        let good = format!("{{\"what\":\"completed\",\"at\":\"{at}\"}}\t0a1b2c3d\n");
        assert_eq!(faults_of_text("x_journal.jsonl", &format!("{good}{{\"what\":")), [""; 0]);
        let bad = good.replace("completed", "stopped");
        assert_eq!(faults_of_text("x_journal.jsonl", &format!("{good}{bad}")).len(), 1);
    }
}

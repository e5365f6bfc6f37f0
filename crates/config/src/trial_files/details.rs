//! What each rule does, in the words of the trial file, for the data file.

use crate::trial_files::TrialFile;
use toml::{Table, Value};

/// The keys of a rule that act; the others say what it waits for.
const ACTIONS: [&str; 7] = ["set", "ramp", "play", "mark", "start", "stop", "end"];

impl TrialFile {
    /// What each rule does, in file order, as in
    /// `set.feedback.tone.delay = "200 ms"; mark = "late"`.
    pub fn rule_details(&self) -> Vec<String> {
        let table: Table = self.source.parse().unwrap_or_default();
        let rules = table.get("when").and_then(Value::as_array);
        rules.into_iter().flatten().map(actions).collect()
    }
}

fn actions(rule: &Value) -> String {
    let mut said = Vec::new();
    for key in ACTIONS {
        if let Some(value) = rule.get(key) {
            leaves(key, value, !matches!(key, "ramp" | "play"), &mut said);
        }
    }
    said.join("; ")
}

/// One `path = value` for each value; a ramp's target and a tone are values whole.
fn leaves(path: &str, value: &Value, split: bool, said: &mut Vec<String>) {
    match value {
        Value::Table(parts) if split || !parts.contains_key("to") && path.starts_with("ramp") => {
            for (key, value) in parts {
                let deeper = path.matches('.').count() < 2;
                leaves(&format!("{path}.{key}"), value, split && deeper, said);
            }
        }
        _ => said.push(format!("{path} = {value}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_says_what_it_does_in_the_words_of_the_file() {
        let text = "[pacing.m]\ninterval = \"500 ms\"\n[feedback.f]\ndelay = \"0 ms\"\n\
            [[when]]\nbeat = 3\nset.pacing.m.audible = false\nmark = \"gone\"\n\
            [[when]]\ntap = 2\nramp.feedback.f.delay = { to = \"70 ms\", over = \"20 s\" }\n\
            [[when]]\ntime = \"5 s\"\nend = true\n";
        let file = TrialFile::parse(text, "t.toml").unwrap();
        let details = file.rule_details();
        assert_eq!(details[0], "set.pacing.m.audible = false; mark = \"gone\"");
        assert!(details[1].starts_with("ramp.feedback.f.delay = {"), "{}", details[1]);
        assert_eq!(details[2], "end = true");
    }
}

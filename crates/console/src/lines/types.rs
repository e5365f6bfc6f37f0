//! From values to the types of TypeScript that they are of.

use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::fmt::Write;

/// Objects that have a type of their own, by the key that they stand at.
const NAMED: [(&str, &str); 6] = [
    ("phase", "Phase"),
    ("inputs", "Input"),
    ("steps", "Step"),
    ("tally", "Tally"),
    ("words", "Words"),
    ("track", "TrackPoint"),
];

/// Keys at which a text is one of few words, so that pages can decide by it.
const WORDS: [&str; 3] = ["is", "window", "answered"];

/// Keys by whose word a value is of one kind or another.
const TAGS: [&str; 1] = ["is"];

/// What a question accepts is drawn by its kind, whose types are beside the drawings.
const ANSWERS: &str = "import(\"./answers.js\").Expected";

/// The types that were told of so far.
#[derive(Default)]
pub(super) struct Types {
    text: String,
    named: String,
}

impl Types {
    /// Every type.
    pub fn into_text(self) -> String {
        format!("{}{}", self.text, self.named)
    }

    /// A type of several kinds, told apart by a word.
    pub fn union(&mut self, name: &str, tag: &str, values: &[Value]) {
        let kinds = self.kinds(tag, values);
        let _ = writeln!(self.text, "export type {name} ={kinds};\n");
    }

    /// A type of one kind.
    pub fn object(&mut self, name: &str, values: &[Value]) {
        let fields = self.fields(None, values, "\n    ");
        let _ = writeln!(self.text, "export type {name} = {{{fields}\n}};\n");
    }

    /// The same on one line.
    pub fn inline(&mut self, values: &[Value]) -> String {
        let fields = self.fields(None, values, " ");
        format!("{{{}}}", fields.trim().trim_end_matches(';').replace(';', ","))
    }

    fn kinds(&mut self, tag: &str, values: &[Value]) -> String {
        let words: Vec<&str> = words(values.iter().map(|value| &value[tag]));
        let mut kinds = String::new();
        for word in words {
            let of: Vec<Value> = values.iter().filter(|one| one[tag] == word).cloned().collect();
            let fields = self.fields(Some((tag, word)), &of, "\n          ");
            let _ = write!(kinds, "\n    | {{{fields}\n      }}");
        }
        kinds
    }

    /// The fields of an object, the word that says its kind first.
    fn fields(&mut self, tag: Option<(&str, &str)>, values: &[Value], between: &str) -> String {
        let objects: Vec<&Map<String, Value>> =
            values.iter().filter_map(Value::as_object).collect();
        let mut fields = String::new();
        if let Some((tag, word)) = tag {
            let _ = write!(fields, "{between}{tag}: \"{word}\";");
        }
        let keys: BTreeSet<&String> = objects.iter().flat_map(|object| object.keys()).collect();
        for key in keys.into_iter().filter(|key| tag.is_none_or(|(tag, _)| tag != *key)) {
            let given: Vec<Value> =
                objects.iter().filter_map(|one| one.get(key)).cloned().collect();
            let may_lack = if given.len() < objects.len() { "?" } else { "" };
            let of = self.of(key, &given);
            let _ = write!(fields, "{between}{key}{may_lack}: {of};");
        }
        fields
    }

    /// The type of what stands at a key.
    fn of(&mut self, key: &str, values: &[Value]) -> String {
        let given: Vec<Value> = values.iter().filter(|value| !value.is_null()).cloned().collect();
        let null = if given.len() < values.len() { " | null" } else { "" };
        let of = match given.first() {
            None | Some(Value::Null) => return "null".into(),
            Some(Value::String(_)) if WORDS.contains(&key) => {
                let quoted = words(given.iter()).into_iter().map(|word| format!("\"{word}\""));
                quoted.collect::<Vec<_>>().join(" | ")
            }
            Some(Value::String(_)) => "string".into(),
            Some(Value::Number(_)) => "number".into(),
            Some(Value::Bool(_)) => "boolean".into(),
            Some(Value::Array(_)) => self.list(key, &given),
            Some(Value::Object(first)) if first.contains_key("form") => ANSWERS.into(),
            Some(Value::Object(_)) => self.inner(key, &given),
        };
        format!("{of}{null}")
    }

    /// A list; one within another is a pair.
    fn list(&mut self, key: &str, lists: &[Value]) -> String {
        let inner: Vec<Value> =
            lists.iter().filter_map(Value::as_array).flatten().cloned().collect();
        match inner.first().and_then(Value::as_array) {
            Some(pair) => {
                let parts: Vec<String> =
                    pair.iter().map(|part| self.of("", std::slice::from_ref(part))).collect();
                format!("[{}][]", parts.join(", "))
            }
            None if inner.is_empty() => "unknown[]".into(),
            None => format!("{}[]", self.of(key, &inner)),
        }
    }

    /// An object: of a type of its own, by any names, or written out.
    fn inner(&mut self, key: &str, values: &[Value]) -> String {
        if key == "texts" {
            return "{ [name: string]: string }".into();
        }
        let Some((_, name)) = NAMED.iter().find(|(at, _)| *at == key) else {
            return self.inline(values);
        };
        let head = format!("export type {name} =");
        if !self.named.contains(&head) {
            let tag = TAGS.into_iter().find(|tag| values.iter().all(|one| one.get(tag).is_some()));
            let whole = match tag {
                Some(tag) => self.kinds(tag, values),
                None => format!(" {{{}\n}}", self.fields(None, values, "\n    ")),
            };
            let _ = writeln!(self.named, "{head}{whole};\n");
        }
        (*name).to_owned()
    }
}

/// The texts among these, each once, in the order of the alphabet.
fn words<'a>(values: impl Iterator<Item = &'a Value>) -> Vec<&'a str> {
    values.filter_map(Value::as_str).collect::<BTreeSet<_>>().into_iter().collect()
}

//! A key that there is not: which one was meant, or where it belongs.

use crate::check::Check;
use crate::keys;
use crate::quantity::brief;
use chronotap_text::nearest;

/// What keys are called elsewhere, and here.
pub(crate) const ALSO_CALLED: [(&str, &str); 13] = [
    ("beat", "at"),
    ("tap", "at"),
    ("shift", "phase_shift"),
    ("input", "from"),
    ("note", "pitch"),
    ("bpm", "tempo"),
    ("ioi", "interval"),
    ("isi", "interval"),
    ("period", "interval"),
    ("latency", "delay"),
    ("lag", "delay"),
    ("loudness", "velocity"),
    ("length", "duration"),
];

/// Reports a key called `name` that a part of this section does not have.
pub(crate) fn unknown_key(check: &Check<'_>, at: usize, name: &str, path: &str, section: &str) {
    let place =
        if path.is_empty() { "at the top of the file".into() } else { format!("in {path}") };
    let message = format!("unknown key \"{}\" {place}", brief(name));
    let here: Vec<&str> = keys::within(section).map(|key| key.name).collect();
    let near = nearest(name, here.iter().copied());
    let meant = ALSO_CALLED.iter().find(|(other, key)| *other == name && here.contains(key));
    if let Some((_, key)) = meant {
        return check.near(at, message, (*key).to_owned());
    }
    match keys::all().find(|key| key.name == name && near.is_none()) {
        Some(elsewhere) => {
            check.cured(at, message, format!("{name} belongs in {}", heading(elsewhere.section)));
        }
        None => check.unknown(at, message, name, here),
    }
}

fn heading(section: &str) -> String {
    match section {
        "" => "the top of the file, before the first [".to_owned(),
        "when" => "[[when]]".to_owned(),
        section => format!("[{section}]"),
    }
}

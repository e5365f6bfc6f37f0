//! A key that there is not: which one was meant, or where it belongs.

use super::page::Page;
use super::quantity::brief;
use chronotap_core::text::nearest;

/// What keys are called elsewhere, and here.
const ALSO_CALLED: [(&str, &str); 22] = [
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
    ("repeats", "repetitions"),
    ("repeat", "repetitions"),
    ("reps", "repetitions"),
    ("repeats", "times"),
    ("max", "at_most"),
    ("maximum", "at_most"),
    ("most", "at_most"),
    ("randomize", "shuffle"),
    ("randomise", "shuffle"),
];

/// Reports a key called `name` that a part of this section does not have.
pub(super) fn unknown_key(page: &Page<'_>, at: usize, name: &str, path: &str, section: &str) {
    let place =
        if path.is_empty() { "at the top of the file".into() } else { format!("in {path}") };
    let message = format!("unknown key \"{}\" {place}", brief(name));
    let here: Vec<&str> = page.keys.within(section).map(|key| key.name).collect();
    let near = nearest(name, here.iter().copied());
    let meant = ALSO_CALLED.iter().find(|(other, key)| *other == name && here.contains(key));
    if let Some((_, key)) = meant {
        return page.near(at, message, (*key).to_owned());
    }
    match page.keys.all().find(|key| key.name == name && near.is_none()) {
        Some(elsewhere) => {
            let heading = page.keys.heading(elsewhere.section);
            page.cured(at, message, format!("{name} belongs in {heading}"));
        }
        None => page.unknown(at, message, name, here),
    }
}

/// Whether a key that a section does not have was meant as one of these names of it.
pub(super) fn means_one_of(name: &str, names: &[&str]) -> bool {
    let meant = |(other, key): &(&str, &str)| *other == name && names.contains(key);
    ALSO_CALLED.iter().any(meant) || nearest(name, names.iter().copied()).is_some()
}

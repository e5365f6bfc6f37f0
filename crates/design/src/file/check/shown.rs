//! Whether pages show what the texts of a study name as pictures and sounds: those that lie elsewhere are left out without
//! a word on the page. It is a doubt and no mistake: the text itself is shown.

use crate::file::files::Shelf;
use crate::study::experiment::Experiment;
use crate::study::pictures::not_shown_in;
use chronotap_config::trial_files::reading::{Page, brief};

/// Warns of each picture or sound that no page shows.
pub(crate) fn shown(page: &Page<'_>, shelf: &Shelf<'_>, experiment: &Experiment) {
    for (file, text) in shelf.read().iter().filter(|(file, _)| !file.ends_with(".toml")) {
        let at = experiment.source.find(file.as_str()).unwrap_or(0);
        for name in not_shown_in(text) {
            let shows = |line: &str| not_shown_in(line).contains(&name);
            let line = text.lines().position(shows).map_or(0, |line| line + 1);
            let message = format!(
                "{file}:{line}: no page shows {}; put a picture or sound beside the experiment file, and write ![words](NAME.png)",
                brief(&name)
            );
            page.warn(at, message);
        }
    }
}

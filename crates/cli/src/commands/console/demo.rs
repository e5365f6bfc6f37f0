//! The study of `chronotap console --demo`: a tour, told by its own texts.

use anyhow::{Context, Result};
use chronotap_words::commands as words;
use std::io::Write;
use std::path::PathBuf;

const FILES: [(&str, &str); 3] = [
    ("study.toml", include_str!("../../../tour/study.toml")),
    ("tour.toml", include_str!("../../../tour/tour.toml")),
    ("welcome.md", include_str!("../../../tour/welcome.md")),
];

/// The folder of the tour; its files are written where they are missing.
pub(super) fn write() -> Result<PathBuf> {
    let folder = PathBuf::from("chronotap-demo");
    chronotap_core::files::create_folder(&folder)
        .with_context(|| words::cannot_make_folder(&folder))?;
    for (name, text) in FILES {
        let path = folder.join(name);
        if !chronotap_core::files::is_there(&path) {
            let written = chronotap_core::files::create_new(&path)
                .and_then(|mut file| file.write_all(text.as_bytes()));
            written.with_context(|| format!("{} cannot be written", path.display()))?;
        }
    }
    Ok(folder)
}

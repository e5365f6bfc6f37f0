//! Where results go: `NAME.json`, `NAME.csv`, `NAME_histograms.csv`, `NAME.html`.
//! Nothing that is there is overwritten, and a file is whole or absent.

use anyhow::{Context, Result, anyhow, bail};
use chronotap_bench::timing::{Results, peers};
use chronotap_core::files::{create_new, is_there};
use chronotap_report::{Spoken, histogram_csv, page, statistics_csv};
use chronotap_words::commands as words;
use std::io::{Error, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// What the names of one run's files end in.
const ENDS: [&str; 4] = [".json", ".csv", "_histograms.csv", ".html"];

/// The files of one run of the tests.
pub struct TestFiles {
    dir: PathBuf,
    name: String,
}

impl TestFiles {
    /// Takes the first name LABEL_TEST_run-NN in a directory of which no file is there, and
    /// holds it.
    pub fn reserve(dir: &Path, label: &str, test: &str) -> Result<TestFiles> {
        chronotap_core::files::create_folder(dir).with_context(|| {
            format!(
                "--output {}: cannot make the directory; name one you may write to",
                dir.display()
            )
        })?;
        let stem = format!("{}_{test}", slug(label));
        for run in 1..10_000 {
            let files = TestFiles { dir: dir.to_owned(), name: format!("{stem}_run-{run:02}") };
            if ENDS.iter().any(|end| is_there(&files.path(end))) {
                continue;
            }
            match create_new(&files.path(".json")) {
                Ok(_) => return Ok(files),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => {
                    let path = files.path(".json");
                    return Err(error).with_context(|| format!("cannot write {}", path.display()));
                }
            }
        }
        bail!("--output {}: 9,999 runs are in it already; name another directory", dir.display())
    }

    /// Writes the results as they stand, so that nothing measured can be lost.
    pub fn keep(&self, results: &Results) -> Result<()> {
        let text = serde_json::to_string(results).context(words::NO_JSON)?;
        let path = self.path(".json");
        chronotap_core::files::replace(&path, |file| file.write_all(text.as_bytes()))
            .with_context(|| format!("cannot write {}; is the disk full?", path.display()))
    }

    pub fn finish(&self, results: &Results, verdicts: &[Spoken]) -> Result<()> {
        self.keep(results)?;
        put(&self.path(".csv"), &statistics_csv(results))?;
        put(&self.path("_histograms.csv"), &histogram_csv(results))?;
        let page = page(std::slice::from_ref(results), &[verdicts.to_vec()]);
        put(&self.path(".html"), &page)
    }

    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// What the files' names begin with.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The file with this end of its name.
    pub fn path(&self, end: &str) -> PathBuf {
        self.dir.join(format!("{}{end}", self.name))
    }
}

/// Reads results, ours or another program's: `FILE`, or `LABEL=FILE`.
pub fn read(named: &str) -> Result<Results> {
    let (label, path) = match named.split_once('=') {
        Some((label, path)) if !Path::new(named).exists() => (Some(label), path),
        _ => (None, named),
    };
    let text = chronotap_core::files::read_to_string(Path::new(path)).map_err(|error| {
        anyhow!("{path}: cannot be read: {error}; name a results file (NAME.json)")
    })?;
    let mut results = peers::read(path, &text)?;
    if let Some(label) = label {
        results.label = label.to_owned();
    } else if results.label == path {
        // Of another program, which knows no labels.
        let stem = Path::new(path).file_stem().unwrap_or_default();
        results.label = stem.to_string_lossy().into_owned();
    }
    Ok(results)
}

/// Writes a file that must not exist yet.
pub fn write_new(path: &Path, text: &str) -> Result<()> {
    let mut file = create_new(path).with_context(|| {
        format!("--output {}: cannot write it; nothing is overwritten", path.display())
    })?;
    file.write_all(text.as_bytes()).with_context(|| format!("cannot write {}", path.display()))
}

/// Writes a file whole, where its name is free.
fn put(path: &Path, text: &str) -> Result<()> {
    let placed = chronotap_core::files::place(path, false, |file| file.write_all(text.as_bytes()));
    let cure = |error: &Error| match error.kind() {
        ErrorKind::AlreadyExists => "nothing is overwritten, move that file away",
        _ => "is the disk full?",
    };
    placed.map_err(|error| {
        let said = format!("cannot write {}; {}", path.display(), cure(&error));
        anyhow::Error::new(error).context(said)
    })
}

/// A label as part of a file's name.
fn slug(label: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || "-.".contains(c) { c } else { '-' };
    let slug: String = label.chars().map(plain).take(60).collect();
    let slug = slug.trim_matches(['-', '.']);
    if slug.is_empty() { "machine".into() } else { slug.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::{ENDS, TestFiles, slug};
    use chronotap_bench::timing::{Length, Results};
    use std::fs;

    #[test]
    fn a_run_of_which_any_file_is_left_keeps_its_number() {
        for (number, end) in ENDS.iter().enumerate() {
            let dir = tempfile::tempdir().unwrap();
            let left = dir.path().join(format!("me_clock_run-01{end}"));
            fs::write(&left, "earlier").unwrap();
            let files = TestFiles::reserve(dir.path(), "me", "clock").unwrap();
            assert_eq!(files.name(), "me_clock_run-02", "{number}");
            files.finish(&Results::begin("", "me", "", Length::Quick), &[]).unwrap();
            assert_eq!(fs::read_to_string(&left).unwrap(), "earlier");
            assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 5, "four, and the one left");
        }
    }

    #[test]
    fn what_came_to_stand_in_the_way_is_neither_overwritten_nor_followed() {
        let dir = tempfile::tempdir().unwrap();
        let theirs = dir.path().join("theirs");
        fs::write(&theirs, "theirs").unwrap();
        let files = TestFiles::reserve(dir.path(), "me", "clock").unwrap();
        std::os::unix::fs::symlink(&theirs, dir.path().join("me_clock_run-01.part")).unwrap();
        std::os::unix::fs::symlink(&theirs, files.path(".html")).unwrap();
        let results = Results::begin("", "me", "", Length::Quick);
        let refused = files.finish(&results, &[]).unwrap_err();
        assert!(format!("{refused:#}").contains("move that file away"), "{refused:#}");
        assert_eq!(fs::read_to_string(&theirs).unwrap(), "theirs");
        assert!(fs::read_to_string(files.path(".json")).unwrap().contains("\"me\""));
    }

    #[test]
    fn any_label_makes_a_name_that_stays_in_its_directory() {
        assert_eq!(slug("Pi 4, PREEMPT_RT"), "Pi-4--PREEMPT-RT");
        assert_eq!(slug("../../etc/passwd"), "etc-passwd");
        assert_eq!(slug("..."), "machine");
    }
}

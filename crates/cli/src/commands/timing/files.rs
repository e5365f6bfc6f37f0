//! Where results go: `NAME.json`, `NAME.csv`, `NAME_histograms.csv`, `NAME.html`.
//! Nothing that is there is overwritten, and a file is whole or absent.

use anyhow::{Context, Result, bail};
use chronotap_report::{histogram_csv, page, statistics_csv};
use chronotap_timing::{Results, Verdict, peers};
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// The files of one run of the tests.
pub struct Files {
    dir: PathBuf,
    name: String,
}

impl Files {
    /// Takes the first free name LABEL_TEST_run-NN in a directory, and holds it.
    pub fn reserve(dir: &Path, label: &str, test: &str) -> Result<Files> {
        fs::create_dir_all(dir).with_context(|| {
            format!(
                "--output {}: cannot make the directory; name one you may write to",
                dir.display()
            )
        })?;
        let stem = format!("{}_{test}", slug(label));
        for run in 1..10_000 {
            let files = Files { dir: dir.to_owned(), name: format!("{stem}_run-{run:02}") };
            match OpenOptions::new().write(true).create_new(true).open(files.path(".json")) {
                Ok(_) => return Ok(files),
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
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
        let text = serde_json::to_string(results).context("cannot write the results as JSON")?;
        replace(&self.path(".json"), &text)
    }

    /// Writes everything.
    pub fn finish(&self, results: &Results, verdicts: &[Verdict]) -> Result<()> {
        self.keep(results)?;
        replace(&self.path(".csv"), &statistics_csv(results))?;
        replace(&self.path("_histograms.csv"), &histogram_csv(results))?;
        let page = page(std::slice::from_ref(results), &[verdicts.to_vec()]);
        replace(&self.path(".html"), &page)
    }

    /// The directory.
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
    let text = fs::read_to_string(path)
        .with_context(|| format!("cannot read {path}; name a results file"))?;
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
    let mut file = File::create_new(path).with_context(|| {
        format!("--output {}: cannot write it; nothing is overwritten", path.display())
    })?;
    file.write_all(text.as_bytes()).with_context(|| format!("cannot write {}", path.display()))
}

/// Writes a file beside its place and moves it there.
fn replace(path: &Path, text: &str) -> Result<()> {
    let beside = path.with_extension("part");
    fs::write(&beside, text)
        .and_then(|()| fs::rename(&beside, path))
        .with_context(|| format!("cannot write {}; is the disk full?", path.display()))
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
    use super::slug;

    #[test]
    fn any_label_makes_a_name_that_stays_in_its_directory() {
        assert_eq!(slug("Pi 4, PREEMPT_RT"), "Pi-4--PREEMPT-RT");
        assert_eq!(slug("../../etc/passwd"), "etc-passwd");
        assert_eq!(slug("..."), "machine");
    }
}

//! [`DeviceNames`]: the machine file, which says what this machine's devices are called,
//! so that trial files and commands stay the same on every machine.
//!
//! ```toml
//! [input]
//! pad = "evdev:Response box?keys=SPACE:60"
//! [output]
//! headphones = "alsa:hw:2,0"
//! ```

use crate::PortNames;
use chronotap_ports::{Spec, SpecError};
use chronotap_text::Lines;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use toml::Spanned;

/// Where the machine file is looked for, below the directory of settings.
const USUAL: &str = "chronotap/machine.toml";

/// Why a machine file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum MachineFileError {
    /// It cannot be read. Name one that exists.
    #[error("--machine {}: cannot read it; name a file that exists: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// Not of the form that a machine file has. Correct the line.
    #[error("{}:{line}: {problem}; the tables are [input] and [output], with lines NAME = \"PORT\"", path.display())]
    Form {
        /// The file.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// What is wrong.
        problem: String,
    },
    /// A port's name was not understood. Correct the line.
    #[error("{}:{line}: {source}", path.display())]
    Port {
        /// The file.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// Why.
        source: SpecError,
    },
}

/// A machine file, read and checked.
#[derive(Debug)]
pub struct DeviceNames {
    /// Where it was read from.
    pub path: PathBuf,
    names: Names,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Names {
    #[serde(default)]
    input: BTreeMap<String, Spanned<String>>,
    #[serde(default)]
    output: BTreeMap<String, Spanned<String>>,
}

impl DeviceNames {
    /// Reads the file that was named, or the usual one where it exists.
    ///
    /// # Errors
    /// [`MachineFileError`].
    pub fn read(named: Option<&Path>) -> Result<Option<DeviceNames>, MachineFileError> {
        let Some(path) = named.map(Path::to_path_buf).or_else(usual) else { return Ok(None) };
        let unreadable = |source| MachineFileError::Unreadable { path: path.clone(), source };
        let text = chronotap_files::read_to_string(&path).map_err(unreadable)?;
        Ok(Some(DeviceNames { names: parse(&text, &path)?, path }))
    }

    /// Binds those of these inputs and outputs that the command line leaves open; tells
    /// whether any was.
    pub fn fill(&self, names: &mut PortNames, inputs: &[&str], outputs: &[&str]) -> bool {
        let filled = fill(&mut names.inputs, inputs, &self.names.input);
        fill(&mut names.outputs, outputs, &self.names.output) || filled
    }
}

fn usual() -> Option<PathBuf> {
    let settings = std::env::var_os("XDG_CONFIG_HOME").filter(|path| !path.is_empty());
    let settings = settings.map(PathBuf::from);
    let home = || Some(PathBuf::from(std::env::var_os("HOME")?).join(".config"));
    let path = settings.or_else(home)?.join(USUAL);
    path.exists().then_some(path)
}

fn parse(text: &str, path: &Path) -> Result<Names, MachineFileError> {
    let lines = Lines::new(text);
    let form = |error: toml::de::Error| MachineFileError::Form {
        path: path.to_owned(),
        line: lines.line(error.span().map_or(0, |span| span.start)),
        problem: error.message().to_owned(),
    };
    let names: Names = toml::from_str(text).map_err(form)?;
    for port in names.input.values().chain(names.output.values()) {
        let line = lines.line(port.span().start);
        let wrong = |source| MachineFileError::Port { path: path.to_owned(), line, source };
        port.get_ref().parse::<Spec>().map_err(wrong)?;
    }
    Ok(names)
}

fn fill(
    given: &mut Vec<String>,
    wanted: &[&str],
    known: &BTreeMap<String, Spanned<String>>,
) -> bool {
    let before = given.len();
    if wanted.len() == 1 && before > 0 {
        return false; // bound on the command line, perhaps without its name
    }
    for name in wanted {
        let bound = given[..before].iter().any(|text| text.split('=').next() == Some(*name));
        if let Some(port) = known.get(*name).filter(|_| !bound) {
            given.push(format!("{name}={}", port.get_ref()));
        }
    }
    given.len() > before
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(text: &str) -> String {
        parse(text, Path::new("m.toml")).unwrap_err().to_string()
    }

    #[test]
    fn mistakes_are_named_with_file_and_line() {
        assert!(refusal("[input]\npad = \"wire\"\n[inputs]\n").starts_with("m.toml:3: unknown"));
        assert!(refusal("\n[input]\npad = 3\n").starts_with("m.toml:3: invalid type"));
        assert!(refusal("[output]\n\nears = \"wier\"\n").starts_with("m.toml:3: there is no port"));
        assert!(refusal("[input\n").starts_with("m.toml:1: "));
    }

    #[test]
    fn the_command_line_wins_and_only_what_the_trial_has_is_bound() {
        let text = "[input]\npad = \"raw:/a\"\nother = \"raw:/b\"\nspare = \"raw:/c\"\n";
        let known = parse(text, Path::new("m.toml")).unwrap().input;
        let mut given = vec!["other=raw:/mine".to_owned()];
        assert!(fill(&mut given, &["pad", "other"], &known));
        assert_eq!(given, ["other=raw:/mine", "pad=raw:/a"]);
        let mut unnamed = vec!["raw:/mine".to_owned()];
        assert!(!fill(&mut unnamed, &["pad"], &known));
    }
}

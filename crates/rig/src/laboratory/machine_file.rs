//! [`DeviceNames`]: the machine file, which says what this machine's devices are called,
//! so that trial files and commands stay the same on every machine.
//!
//! ```toml
//! [input]
//! pad = "evdev:Response box?keys=SPACE:60"
//! [output]
//! headphones = "alsa:hw:2,0"
//! ```

use crate::laboratory::PortNames;
use chronotap_config::trial_files::Problems;
use chronotap_config::trial_files::reading::{
    Default, Field, Key, Keys, Kind, Part, Section, read,
};
use chronotap_linux::ports::{Spec, SpecError};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// Where the machine file is looked for, below the directory of settings.
const USUAL: &str = "chronotap/machine.toml";

/// Why a machine file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum MachineFileError {
    /// It cannot be read.
    #[error("{}: cannot read it: {source}", path.display())]
    Unreadable {
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// Not of the form that a machine file has: all its mistakes.
    #[error(transparent)]
    Mistakes(#[from] Problems),
    /// A port's name was not understood.
    #[error("{}:{line}: {source}", path.display())]
    Port {
        path: PathBuf,
        /// From 1.
        line: usize,
        source: SpecError,
    },
}

/// The keys of a machine file.
static KEYS: LazyLock<Keys> = LazyLock::new(|| Keys::of(&[&SECTIONS], &[&ROWS]));

static SECTIONS: [Section; 1] = [Section { name: "", title: "The top of the file" }];

const NAMES: Kind = Kind::Form("a table: names, each with a port");
const NONE: Default = Default::Not("none");

static ROWS: [Key; 2] = [
    Key::new("", "input", NAMES, NONE)
        .means("The devices of inputs.", "[input] with lines NAME = \"PORT\""),
    Key::new("", "output", NAMES, NONE)
        .means("The devices of outputs.", "[output] with lines NAME = \"PORT\""),
];

/// A machine file, read and checked.
#[derive(Debug)]
pub struct DeviceNames {
    /// Where it was read from.
    pub path: PathBuf,
    names: Names,
}

/// Names, each with its port.
type Bound = BTreeMap<String, Named>;

/// A port's name, and the line that says it.
#[derive(Debug)]
struct Named {
    port: String,
    line: usize,
}

#[derive(Debug)]
struct Names {
    input: Bound,
    output: Bound,
}

impl DeviceNames {
    /// Reads the file that was named, or the usual one where it exists.
    ///
    /// # Errors
    /// [`MachineFileError`].
    pub fn read(named: Option<&Path>) -> Result<Option<DeviceNames>, MachineFileError> {
        let Some(path) = named.map(Path::to_path_buf).or_else(usual) else { return Ok(None) };
        let unreadable = |source| MachineFileError::Unreadable { path: path.clone(), source };
        let text = chronotap_core::files::read_to_string(&path).map_err(unreadable)?;
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
    let names = read(&KEYS, &path.display().to_string(), text, |top| Names {
        input: ports(top, "input"),
        output: ports(top, "output"),
    })?;
    for Named { port, line } in names.input.values().chain(names.output.values()) {
        let (path, line) = (path.to_owned(), *line);
        let wrong = |source| MachineFileError::Port { path, line, source };
        port.parse::<Spec>().map_err(wrong)?;
    }
    Ok(names)
}

/// The names under a heading.
fn ports(top: &Part<'_>, heading: &str) -> Bound {
    let port = |(name, _, field): (&str, usize, Field<'_>)| {
        let port = field.node.text().map(str::to_owned).or_else(|| field.wrong("a port's name"))?;
        Some((name.to_owned(), Named { port, line: field.page.line(field.at) }))
    };
    top.named(heading).into_iter().filter_map(port).collect()
}

fn fill(given: &mut Vec<String>, wanted: &[&str], known: &Bound) -> bool {
    let before = given.len();
    if wanted.len() == 1 && before > 0 {
        return false; // bound on the command line, perhaps without its name
    }
    for name in wanted {
        let bound = given[..before].iter().any(|text| text.split('=').next() == Some(*name));
        if let Some(Named { port, .. }) = known.get(*name).filter(|_| !bound) {
            given.push(format!("{name}={port}"));
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
        let unknown = refusal("[input]\npad = \"wire\"\n[inputs]\n");
        assert_eq!(
            unknown,
            "m.toml:3: unknown key \"inputs\" at the top of the file; did you mean \"input\"?"
        );
        let number = refusal("\n[input]\npad = 3\n");
        assert!(number.starts_with("m.toml:3: input.pad must be a port's name, not 3"), "{number}");
        assert!(refusal("[output]\n\nears = \"wier\"\n").starts_with("m.toml:3: there is no port"));
        assert!(refusal("[input\n").starts_with("m.toml:1: "));
        assert!(refusal("input = \"wire\"\n").contains("write [input] with names of your own"));
    }

    #[test]
    fn all_mistakes_are_told_together() {
        let all = refusal("[input]\npad = 3\n[output]\nears = true\n[port]\n");
        let lines: Vec<&str> = all.lines().map(|line| &line[..9]).collect();
        assert_eq!(lines, ["m.toml:2:", "m.toml:4:", "m.toml:5:"], "{all}");
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

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
    Default, Field, Key, KeyKind, Keys, Part, Section, read,
};
use chronotap_core::files::{create_folder, replace};
use chronotap_linux::ports::{Spec, SpecError};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use toml_edit::{DocumentMut, Item, Value};

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
    /// It cannot be written.
    #[error("{}: cannot write it: {source}", path.display())]
    Unwritten {
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The system says no folder of settings.
    #[error("there is no folder of settings: neither XDG_CONFIG_HOME nor HOME is set")]
    NoFolder,
}

/// The keys of a machine file.
static KEYS: LazyLock<Keys> = LazyLock::new(|| Keys::of(&[&SECTIONS], &[&ROWS]));

static SECTIONS: [Section; 1] = [Section { name: "", title: "The top of the file" }];

const NAMES: KeyKind = KeyKind::Form("a table: names, each with a port");
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

    /// Says in the file that was named, or in the usual one, which device an input is, and tells which file
    /// that is. What else stands there stays as it is, and a file that is not there yet is made.
    ///
    /// # Errors
    /// [`MachineFileError`]; then the file is as it was.
    pub fn keep_input(
        named: Option<&Path>,
        name: &str,
        port: &str,
    ) -> Result<PathBuf, MachineFileError> {
        let path = named.map(Path::to_path_buf).or_else(place).ok_or(MachineFileError::NoFolder)?;
        let text = match chronotap_core::files::read_to_string(&path) {
            Ok(text) => text,
            Err(gone) if gone.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(source) => return Err(MachineFileError::Unreadable { path, source }),
        };
        parse(&text, &path)?;
        let unwritten = |source| MachineFileError::Unwritten { path: path.clone(), source };
        let text = with_input(&text, name, port).map_err(unwritten)?;
        parse(&text, &path)?;
        write(&path, &text).map_err(unwritten)?;
        Ok(path)
    }

    /// Binds those of these inputs and outputs that the command line leaves open; tells
    /// whether any was.
    pub fn fill(&self, names: &mut PortNames, inputs: &[&str], outputs: &[&str]) -> bool {
        let filled = fill(&mut names.inputs, inputs, &self.names.input);
        fill(&mut names.outputs, outputs, &self.names.output) || filled
    }
}

fn usual() -> Option<PathBuf> {
    place().filter(|path| path.exists())
}

/// Where the usual one is, or would be.
fn place() -> Option<PathBuf> {
    let settings = std::env::var_os("XDG_CONFIG_HOME").filter(|path| !path.is_empty());
    let settings = settings.map(PathBuf::from);
    let home = || Some(PathBuf::from(std::env::var_os("HOME")?).join(".config"));
    Some(settings.or_else(home)?.join(USUAL))
}

/// The text with this line below `[input]`.
fn with_input(text: &str, name: &str, port: &str) -> io::Result<String> {
    let mut page: DocumentMut = text.parse().map_err(io::Error::other)?;
    let inputs = page.entry("input").or_insert_with(toml_edit::table);
    let inputs = inputs.as_table_like_mut().ok_or_else(|| io::Error::other("input is no table"))?;
    let mut line = Value::from(port);
    if let Some(before) = inputs.get(name).and_then(Item::as_value) {
        *line.decor_mut() = before.decor().clone(); // a comment behind it
    }
    inputs.insert(name, Item::Value(line));
    Ok(page.to_string())
}

/// A link stays one.
fn write(path: &Path, text: &str) -> io::Result<()> {
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    path.parent().filter(|folder| *folder != Path::new("")).map_or(Ok(()), create_folder)?;
    replace(&path, |file| file.write_all(text.as_bytes()))
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
    fn an_input_is_kept_and_all_else_stays_as_it_was() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("settings/m.toml");
        let keep = |name: &str, port: &str| DeviceNames::keep_input(Some(&path), name, port);
        let text = || std::fs::read_to_string(&path).unwrap();
        assert_eq!(keep("pad", "ear:jack?threshold=-41").unwrap(), path);
        assert_eq!(text(), "[input]\npad = \"ear:jack?threshold=-41\"\n");
        let before = "# booth 2\n[input]\npad = \"wire\"  # the left one\nfoot = \"raw:/b\"\n\n\
                      [output]\nears = \"jack\"\n";
        std::fs::write(&path, before).unwrap();
        keep("pad", "ear:jack").unwrap();
        assert_eq!(text(), before.replace("\"wire\"", "\"ear:jack\""));
        keep("third pad", "wire").unwrap();
        assert!(text().contains("foot = \"raw:/b\"\n\"third pad\" = \"wire\"\n"), "{}", text());
        // What has mistakes is not touched.
        std::fs::write(&path, "[input]\npad = 3\n").unwrap();
        assert!(matches!(keep("pad", "wire"), Err(MachineFileError::Mistakes(_))));
        assert_eq!(text(), "[input]\npad = 3\n");
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

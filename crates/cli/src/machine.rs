//! [`Machine`]: the machine file, which says what this machine's devices are called,
//! so that trial files and commands stay the same on every machine.
//!
//! ```toml
//! [input]
//! pad = "evdev:Response box?keys=SPACE:60"
//! [output]
//! headphones = "alsa:hw:2,0"
//! ```

use crate::args::PortNames;
use anyhow::{Context, Result, bail};
use chronotap_engine::trial::Trial;
use chronotap_ports::Spec;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use toml::Spanned;

/// Where the machine file is looked for, below the directory of settings.
const USUAL: &str = "chronotap/machine.toml";

/// A machine file, read and checked.
#[derive(Debug)]
pub struct Machine {
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

impl Machine {
    /// Reads the file that was named, or the usual one where it exists.
    pub fn read(named: Option<&Path>) -> Result<Option<Machine>> {
        let Some(path) = named.map(Path::to_path_buf).or_else(usual) else { return Ok(None) };
        let text = std::fs::read_to_string(&path).with_context(|| {
            format!("--machine {}: cannot read it; name a file that exists", path.display())
        })?;
        Ok(Some(Machine { names: parse(&text, &path)?, path }))
    }

    /// Binds the trial's inputs and outputs that the command line leaves open; tells
    /// whether any was.
    pub fn fill(&self, names: &mut PortNames, trial: &Trial) -> bool {
        let inputs: Vec<&str> = trial.inputs.iter().map(|input| input.name.as_str()).collect();
        let outputs: Vec<&str> = trial.outputs.iter().map(String::as_str).collect();
        let filled = fill(&mut names.inputs, &inputs, &self.names.input);
        fill(&mut names.outputs, &outputs, &self.names.output) || filled
    }
}

fn usual() -> Option<PathBuf> {
    let settings = std::env::var_os("XDG_CONFIG_HOME").filter(|path| !path.is_empty());
    let settings = settings.map(PathBuf::from);
    let home = || Some(PathBuf::from(std::env::var_os("HOME")?).join(".config"));
    let path = settings.or_else(home)?.join(USUAL);
    path.exists().then_some(path)
}

fn parse(text: &str, path: &Path) -> Result<Names> {
    let line = |at: usize| text[..at.min(text.len())].matches('\n').count() + 1;
    let names: Names = match toml::from_str(text) {
        Ok(names) => names,
        Err(error) => {
            let at = line(error.span().map_or(0, |span| span.start));
            bail!(
                "{}:{at}: {}; the tables are [input] and [output], with lines NAME = \"PORT\"",
                path.display(),
                error.message()
            );
        }
    };
    for port in names.input.values().chain(names.output.values()) {
        port.get_ref()
            .parse::<Spec>()
            .with_context(|| format!("{}:{}", path.display(), line(port.span().start)))?;
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
        format!("{:#}", parse(text, Path::new("m.toml")).unwrap_err())
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

//! The rows of a performer's table, checked one by one. Knows both forms: the
//! short one that is written by hand, and the events file of a trial, which it
//! recognizes by its column `trial_type`.

use super::{HOLD, Press, RELEASE_VELOCITY, ScriptError};
use crate::trial_files::performers::decimal;
use crate::trial_files::performers::spec::{hint, input};
use chronotap_core::midi::{Channel, U7};
use chronotap_core::text::nearest;
use chronotap_core::time::Nanos;
use std::collections::HashMap;

const REQUIRED: [&str; 4] = ["onset", "duration", "note", "velocity"];
const OPTIONAL: [&str; 2] = ["channel", "input"];
const MISSING: &str = "n/a";

/// The presses of a table, in the order of its rows.
pub(super) fn presses(
    text: &str,
    file: &str,
    inputs: &[String],
) -> Result<Vec<Press>, ScriptError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines = text.lines().enumerate();
    let header = lines.next().map_or("", |(_, line)| line);
    if header.starts_with('#') && text.lines().any(|line| line.starts_with(REQUIRED[0])) {
        let problem = "the line begins with #, and a table has no remarks; delete it".to_owned();
        return Err(ScriptError::Header { place: format!("{file}:1:1"), problem });
    }
    let columns = columns(header, file)?;
    let rows = lines.filter(|(_, line)| !line.trim().is_empty()).map(|(index, line)| Row {
        file,
        line: index + 1,
        fields: line.split('\t').map(str::trim).collect(),
        columns: &columns,
    });
    if columns.contains_key("trial_type") {
        return recorded(&rows.collect::<Vec<_>>(), inputs);
    }
    rows.map(|row| row.written(inputs)).collect()
}

/// Which column stands where.
fn columns<'a>(header: &'a str, file: &str) -> Result<HashMap<&'a str, usize>, ScriptError> {
    let names: Vec<&str> = header.split('\t').map(str::trim).collect();
    let at = |column: usize, problem: String| ScriptError::Header {
        place: format!("{file}:1:{column}"),
        problem,
    };
    if let Some(missing) = REQUIRED.iter().find(|name| !names.contains(name)) {
        let cure = if names.len() == 1 && header.contains([' ', ',', ';']) {
            "separate the columns by tabs".to_string()
        } else {
            "the first line names the columns: onset duration note velocity [channel] [input]"
                .to_string()
        };
        return Err(at(1, format!("there is no column '{missing}'; {cure}")));
    }
    let recorded = names.contains(&"trial_type");
    for (place, name) in names.iter().enumerate() {
        if names[..place].contains(name) {
            return Err(at(place + 1, format!("the column '{name}' stands there twice; keep one")));
        }
        let known = REQUIRED.contains(name) || OPTIONAL.contains(name);
        let slip = nearest(name, OPTIONAL).is_some();
        if !recorded && !known && slip {
            let hint = hint(name, OPTIONAL.into_iter());
            return Err(at(place + 1, format!("unknown column '{name}'; {hint}")));
        }
    }
    Ok(names.into_iter().enumerate().map(|(place, name)| (name, place)).collect())
}

/// The taps of an events file; a tap's release is the row that names it as cause,
/// else follows from its duration.
fn recorded(rows: &[Row<'_>], inputs: &[String]) -> Result<Vec<Press>, ScriptError> {
    let mut releases = HashMap::new();
    for row in rows.iter().filter(|row| row.get("trial_type") == Some("release")) {
        if let Some(cause) = row.get("cause") {
            releases.entry(cause).or_insert(row);
        }
    }
    let taps = rows.iter().filter(|row| row.get("trial_type") == Some("tap"));
    taps.map(|row| {
        let mut press = row.written(inputs)?;
        let release = row.get("event_id").and_then(|id| releases.get(id));
        if let Some(release) = release {
            press.release = release.onset()?.max(press.onset);
            press.release_velocity = release.velocity(0)?.unwrap_or(press.release_velocity);
        }
        Ok(press)
    })
    .collect()
}

/// A row of the table.
struct Row<'a> {
    file: &'a str,
    line: usize,
    fields: Vec<&'a str>,
    columns: &'a HashMap<&'a str, usize>,
}

impl<'a> Row<'a> {
    fn written(&self, inputs: &[String]) -> Result<Press, ScriptError> {
        let onset = self.onset()?;
        let hold = self.time("duration")?.unwrap_or(HOLD);
        let release_velocity = U7::clamped(i64::from(RELEASE_VELOCITY));
        let velocity = self.velocity(1)?.ok_or_else(|| self.bad("velocity", "give 1 to 127"))?;
        Ok(Press {
            input: self.input(inputs)?,
            channel: self.channel()?,
            note: self.note()?,
            velocity,
            onset,
            release: onset.saturating_add(hold),
            release_velocity,
        })
    }

    /// To the nanosecond from `achieved_ns` where an events file has it.
    fn onset(&self) -> Result<Nanos, ScriptError> {
        if let Some(ns) = self.get("achieved_ns") {
            let read = ns.parse().ok().filter(|ns| *ns >= 0).map(Nanos);
            return read.ok_or_else(|| self.bad("achieved_ns", "give whole nanoseconds, from 0"));
        }
        self.time("onset")?
            .ok_or_else(|| self.bad("onset", "a key press needs its time, in seconds"))
    }

    /// Seconds, from 0; `None` for n/a.
    fn time(&self, column: &'static str) -> Result<Option<Nanos>, ScriptError> {
        let Some(text) = self.get(column) else { return Ok(None) };
        let ns = decimal::parse(text, 9).map_err(|error| self.bad(column, &error.to_string()))?;
        if ns < 0 {
            return Err(
                self.bad(column, "nothing is played before the start of the trial; give 0 or more")
            );
        }
        Ok(Some(Nanos(ns)))
    }

    fn note(&self) -> Result<U7, ScriptError> {
        let cure = "give a MIDI note number, 0 to 127 (60 is middle C)";
        let note = self.get("note").and_then(|text| text.parse().ok()).and_then(U7::new);
        note.ok_or_else(|| self.bad("note", cure))
    }

    fn velocity(&self, least: u8) -> Result<Option<U7>, ScriptError> {
        let Some(text) = self.get("velocity") else { return Ok(None) };
        let velocity = text.parse().ok().filter(|v| *v >= least).and_then(U7::new);
        let cure = format!("give {least} to 127");
        velocity.map(Some).ok_or_else(|| self.bad("velocity", &cure))
    }

    /// `midi_channel` in an events file, `channel` in a table that was written by hand.
    fn channel(&self) -> Result<Channel, ScriptError> {
        let recorded = self.columns.contains_key("midi_channel");
        let column = if recorded { "midi_channel" } else { "channel" };
        let Some(text) = self.get(column) else { return Ok(Channel::ONE) };
        let channel = text.parse().ok().and_then(Channel::new);
        channel.ok_or_else(|| self.bad(column, "give 1 to 16"))
    }

    /// An events file has the input's name in `name`.
    fn input(&self, inputs: &[String]) -> Result<u16, ScriptError> {
        let recorded = self.columns.contains_key("trial_type");
        let column = if recorded { "name" } else { "input" };
        let Some(name) = self.get(column) else { return Ok(0) };
        input(name, inputs).map_err(|error| self.bad(column, &error.to_string()))
    }

    /// The field of a column; `None` where it is empty, n/a, or no such column.
    fn get(&self, column: &str) -> Option<&'a str> {
        let field = *self.fields.get(*self.columns.get(column)?)?;
        (!field.is_empty() && field != MISSING).then_some(field)
    }

    fn bad(&self, column: &'static str, cure: &str) -> ScriptError {
        let place = self.columns.get(column).copied().unwrap_or(0);
        let value = self.fields.get(place).copied().unwrap_or("missing");
        ScriptError::Value {
            place: format!("{}:{}:{}", self.file, self.line, place + 1),
            column,
            value: value.to_string(),
            cure: cure.to_string(),
        }
    }
}

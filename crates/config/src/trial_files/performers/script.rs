//! [`Script`]: a performer that plays what a table says, whatever it hears.
//!
//! The table is tab-separated with the columns `onset duration note velocity` and
//! optionally `channel` and `input`, or an events file that a trial wrote, whose
//! taps then are pressed again at the same nanoseconds. Decimal seconds are read
//! digit by digit and never pass through floats.

mod table;

use chronotap_core::midi::{Channel, Message, U7};
use chronotap_core::time::Nanos;
use chronotap_engine::signal::{Heard, Performer, Sent};
use std::path::Path;
use std::sync::Arc;

/// How long a key is held where the table does not say.
const HOLD: Nanos = Nanos::from_millis(100);
/// The release velocity where the table does not say; MIDI's value for "none".
const RELEASE_VELOCITY: u8 = 64;

/// A scripted performer. Cloning shares the table and costs nothing.
#[derive(Clone, Debug)]
pub struct Script {
    events: Arc<[Sent]>,
    place: usize,
}

/// Why a table was not understood; `place` is file:line:column, the column counted
/// in fields from 1.
#[derive(Debug, thiserror::Error)]
pub enum ScriptError {
    /// The file could not be read. Check its name and rights.
    #[error("{path}: {source}")]
    Unreadable {
        path: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// The first line lacks a column, or is no header. Name the columns in the
    /// first line, separated by tabs.
    #[error("{place}: {problem}")]
    Header {
        /// file:line:column
        place: String,
        /// What is missing, and the cure.
        problem: String,
    },
    /// A value is missing, no number, or out of range.
    #[error("{place}: {column} is '{value}'; {cure}")]
    Value {
        /// file:line:column
        place: String,
        /// The column's name.
        column: &'static str,
        value: String,
        /// What should stand there.
        cure: String,
    },
}

/// One key press of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Press {
    input: u16,
    channel: Channel,
    note: U7,
    velocity: U7,
    onset: Nanos,
    release: Nanos,
    release_velocity: U7,
}

impl Script {
    /// Reads a table from a file. `inputs` are the names of the trial's inputs, in
    /// file order; a row without an input belongs to the first.
    ///
    /// # Errors
    /// [`ScriptError`], with file, line and column.
    pub fn read(path: &Path, inputs: &[String]) -> Result<Script, ScriptError> {
        let name = path.display().to_string();
        let text = chronotap_core::files::read_to_string(path)
            .map_err(|source| ScriptError::Unreadable { path: name.clone(), source })?;
        Script::parse(&text, &name, inputs)
    }

    /// Reads a table from text; `name` stands for the file in messages.
    ///
    /// # Errors
    /// [`ScriptError`], with file, line and column.
    pub fn parse(text: &str, name: &str, inputs: &[String]) -> Result<Script, ScriptError> {
        Ok(Script::of(&table::presses(text, name, inputs)?))
    }

    /// How many messages it sends in all.
    pub fn len(&self) -> usize {
        self.events.len()
    }

    /// Whether it sends nothing at all.
    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// Starts again from the beginning.
    pub fn reset(&mut self) {
        self.place = 0;
    }

    /// Presses and releases in the order of time. At one instant releases come
    /// first, except that of a key pressed at that very instant.
    fn of(presses: &[Press]) -> Script {
        let mut events: Vec<(Nanos, u8, Sent)> = Vec::with_capacity(2 * presses.len());
        for press in presses {
            let &Press { input, channel, note, velocity, .. } = press;
            let on = Message::NoteOn { channel, note, velocity };
            let off = Message::NoteOff { channel, note, velocity: press.release_velocity };
            let rank = if press.release == press.onset { 2 } else { 0 };
            events.push((press.onset, 1, Sent { input, at: press.onset, message: on }));
            events.push((press.release, rank, Sent { input, at: press.release, message: off }));
        }
        events.sort_by_key(|(at, rank, _)| (*at, *rank)); // stable: rows of one instant keep their order
        Script { events: events.into_iter().map(|(.., sent)| sent).collect(), place: 0 }
    }
}

impl Performer for Script {
    fn hear(&mut self, _: Heard) {}

    fn next(&self) -> Option<Nanos> {
        self.events.get(self.place).map(|sent| sent.at)
    }

    fn send(&mut self) -> Option<Sent> {
        let sent = self.events.get(self.place).copied()?;
        self.place += 1;
        Some(sent)
    }
}

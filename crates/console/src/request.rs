//! [`ConsoleRequest`]: what the server sends over a session's socket, one JSON object on one line.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The first and only line of a connection.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ConsoleRequest {
    /// To be told all that has a greater number than `since`, and then all that happens.
    Watch {
        /// The last line that was seen; 0 for all.
        since: u64,
        /// Whose page it is for.
        role: Role,
    },
    /// To be told how it stands, in one line; that is all, however long the session is.
    Look,
    /// To be obeyed; one line comes back.
    Do {
        /// Whose page it comes from.
        role: Role,
        command: Command,
    },
}

/// Whose page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The experimenter's: everything.
    Experimenter,
    /// The participant's: to answer and to go on.
    Participant,
}

/// What a page may ask for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
pub enum Command {
    /// To answer the question of this turn.
    Answer { turn: u64, answer: String },
    /// To go on from a text, a rest, a pause.
    GoOn { turn: u64 },
    /// To decide a doubt.
    Decide {
        turn: u64,
        /// Yes or no.
        yes: bool,
    },
    /// To practise once more.
    Practise { turn: u64 },
    /// To play the test tones.
    Test,
    /// The test tones were heard where the participant sits.
    Heard,
    /// To begin with the steps of the session, once the devices are tested.
    Start,
    /// To hold the session before the next trial, or no longer.
    Hold {
        /// Whether.
        hold: bool,
    },
    /// To write a note.
    Note {
        /// The note.
        text: String,
    },
    /// To run the last trial again.
    Repeat {
        reason: String,
        /// How many trials had begun, so that no later one is meant.
        begun: u32,
    },
    /// To leave the next trial out.
    Skip {
        reason: String,
        /// How many trials had begun.
        begun: u32,
    },
    /// To end the running trial and choose how to go on.
    EndTrial {
        /// How many trials had begun.
        begun: u32,
    },
    /// To stop the session, a running trial too.
    Stop,
    /// The participant's page answers a sign of life.
    Alive,
    /// The participant's page fills the screen, or does not.
    Screen {
        /// Whether.
        full: bool,
    },
}

impl ConsoleRequest {
    /// Reads the line of a connection.
    ///
    /// # Errors
    /// [`CommandRefusal::Unknown`].
    pub(crate) fn read(line: &str) -> Result<ConsoleRequest, CommandRefusal> {
        serde_json::from_str(line).map_err(|_| {
            let asked: Value = serde_json::from_str(line).unwrap_or_default();
            Command::unknown(&asked["do"]["command"])
        })
    }
}

impl Command {
    /// Reads what a page asks for.
    ///
    /// # Errors
    /// [`CommandRefusal::Unknown`].
    pub(crate) fn read(asked: Value) -> Result<Command, CommandRefusal> {
        let unknown = Command::unknown(&asked);
        serde_json::from_value(asked).map_err(|_| unknown)
    }

    fn unknown(asked: &Value) -> CommandRefusal {
        let name = asked["do"].as_str().unwrap_or_default();
        CommandRefusal::Unknown { command: name.chars().take(LONGEST_NAME).collect() }
    }

    /// Whether the participant's page may ask for it.
    pub fn is_for_participants(&self) -> bool {
        use Command::{Alive, Answer, GoOn, Screen};
        matches!(self, Answer { .. } | GoOn { .. } | Screen { .. } | Alive)
    }
}

/// Why a command is not obeyed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommandRefusal {
    /// The participant's page may not ask for it. It is for the experimenter's.
    #[error("only the experimenter's page may do that")]
    NotYours,
    /// It was meant for an earlier moment. Look at the page again.
    #[error("the session has gone on meanwhile; look again")]
    Late,
    /// It does not fit what goes on. Wait until the page offers it.
    #[error("not now: {0}")]
    NotNow(&'static str),
    /// An answer that may not be given. Give another.
    #[error("{sentence}")]
    Answer {
        /// What may be answered, in the words of the study.
        sentence: String,
    },
    /// No command here has this name and these values: page and program are of different versions.
    /// Load the page again.
    #[error("\"{command}\" is no command here: load the page again")]
    Unknown {
        /// Its name; empty where it has none.
        command: String,
    },
    /// A note or a reason is missing, too long or of several lines. Write one line.
    #[error("write one line of at most {LONGEST_TEXT} letters")]
    Text,
}

/// Letters of a note or a reason.
pub const LONGEST_TEXT: usize = 500;

/// Letters of the name of a command that is not known, as it is told.
const LONGEST_NAME: usize = 40;

/// A note or reason as it is written down.
///
/// # Errors
/// [`CommandRefusal::Text`].
pub(crate) fn one_line(text: &str) -> Result<String, CommandRefusal> {
    let text = text.trim();
    let fits = !text.is_empty() && text.chars().count() <= LONGEST_TEXT;
    match fits && !text.chars().any(ends_a_line) {
        true => Ok(text.to_owned()),
        false => Err(CommandRefusal::Text),
    }
}

/// Unicode has ends of lines that are no control characters.
fn ends_a_line(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_read_as_they_are_written() {
        let command = Command::Answer { turn: 3, answer: "23".into() };
        let request = ConsoleRequest::Do { role: Role::Participant, command };
        let text = serde_json::to_string(&request).unwrap();
        assert_eq!(
            text,
            r#"{"do":{"role":"participant","command":{"do":"answer","turn":3,"answer":"23"}}}"#
        );
        assert_eq!(serde_json::from_str::<ConsoleRequest>(&text).unwrap(), request);
    }

    #[test]
    fn unknown_commands_and_unknown_keys_are_refused() {
        for text in [r#"{"do":"format"}"#, r#"{"do":"go_on","turn":1,"role":"experimenter"}"#] {
            assert!(serde_json::from_str::<Command>(text).is_err(), "{text}");
            let asked: Value = serde_json::from_str(text).unwrap();
            let command = asked["do"].as_str().unwrap().to_owned();
            let refused = Err(CommandRefusal::Unknown { command });
            assert_eq!(Command::read(asked), refused.clone());
            let line = format!(r#"{{"do":{{"role":"participant","command":{text}}}}}"#);
            assert_eq!(ConsoleRequest::read(&line), refused.map(|_: Command| ConsoleRequest::Look));
        }
        let nothing = CommandRefusal::Unknown { command: String::new() };
        assert_eq!(ConsoleRequest::read("{\"dance\":1}"), Err(nothing));
    }

    #[test]
    fn a_note_is_one_line_of_some_letters() {
        assert_eq!(one_line(" door open ").as_deref(), Ok("door open"));
        for text in ["", " ", "a\nb", "a\0b", "a\u{2028}b", "a\u{2029}b"] {
            assert!(one_line(text).is_err(), "{text:?}");
        }
        assert!(one_line(&"x".repeat(LONGEST_TEXT + 1)).is_err());
    }
}

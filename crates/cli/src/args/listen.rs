//! The arguments of `chronotap listen`.

use clap::Args;
use std::path::PathBuf;
use std::str::FromStr;

/// Record LSL streams of other programs beside trials, with both clocks.
///
/// For each stream a table is written, with a row for each sample: when it was by the clock of its source, what is added to that for
/// this computer's clock, when it came here, and its values. The onset_ns of a row and the times of a trial's events are on one
/// clock, so that both can be laid on one another without any alignment.
///
/// A marker can also be made a note that a trial hears: it may start or end the trial. It comes when the network has
/// brought it, which is said at the end; use it for nothing that has to be on time.
///
/// Ctrl-C ends it. The exit status is 1 if samples were lost. This is a process of its own: a trial opens no network. See
/// docs/recorders.md.
#[derive(Args, Debug)]
pub struct Listen {
    /// Streams by their names, or as type=TYPE or source_id=ID
    #[arg(value_name = "STREAM", required = true)]
    pub streams: Vec<String>,
    /// First part of the names of the files: PREFIX_lsl-STREAM.tsv
    #[arg(long, value_name = "PREFIX", default_value = "heard")]
    pub to: PathBuf,
    /// Make a marker a note, such as go=60; needs --notes
    #[arg(long, value_name = "MARKER=NOTE", requires = "notes")]
    pub note: Vec<Noted>,
    /// The FIFO for these notes, an input raw:FIFO of `chronotap run`; made if missing
    #[arg(long, value_name = "FIFO", requires = "note")]
    pub notes: Option<PathBuf>,
    /// Be the process that reads from the network, which another `chronotap listen` starts
    #[arg(long, hide = true)]
    pub receiver: bool,
    /// Be the child of a run: hear on standard input where the files go, and end with it
    #[arg(long, hide = true)]
    pub of_run: bool,
}

/// A marker and its note.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Noted {
    pub marker: String,
    pub note: u8,
}

impl FromStr for Noted {
    type Err = String;

    fn from_str(text: &str) -> Result<Noted, String> {
        let (marker, note) = text.rsplit_once('=').ok_or("write MARKER=NOTE, such as go=60")?;
        let note = note.parse().ok().filter(|note| *note < 128);
        let note = note.ok_or("the note is a number from 0 to 127, such as go=60")?;
        Ok(Noted { marker: marker.to_owned(), note })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_marker_with_a_note_is_refused() {
        for text in ["go", "go=128", "go=C4", "=", "go=-1"] {
            assert!(text.parse::<Noted>().is_err(), "{text}");
        }
    }
}

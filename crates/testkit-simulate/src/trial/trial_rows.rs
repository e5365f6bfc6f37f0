//! [`TrialRows`]: the rows of a trial that was run, in a short form that a test can state.

use crate::times::seconds;
use chronotap_analysis::summary::Summary;
use chronotap_data::record::{Row, TrialType};

/// A trial that was run.
pub struct TrialRows {
    /// Its rows, as in the events file.
    pub rows: Vec<Row>,
    pub(super) summary: Option<Summary>,
}

impl TrialRows {
    /// All rows, in the short form of [`short`].
    pub fn expect(&self, rows: &str) {
        self.expect_of("", rows);
    }

    /// The summary, as it is worked out from the events file.
    ///
    /// # Panics
    /// Where there is none.
    pub fn summary(&self) -> &Summary {
        self.summary.as_ref().expect("a summary")
    }

    /// The rows whose short form, after the onset, begins with one of `which`
    /// (separated by `|`).
    pub fn expect_of(&self, which: &str, rows: &str) {
        let expected: Vec<&str> = rows.lines().map(str::trim).filter(|l| !l.is_empty()).collect();
        let found = self.of(which);
        for (i, (a, b)) in found.iter().zip(&expected).enumerate() {
            assert_eq!(a, b, "row {}: {}", i + 1, self.listing(&found));
        }
        assert_eq!(found.len(), expected.len(), "{}", self.listing(&found));
    }

    /// The short forms of some rows.
    pub fn of(&self, which: &str) -> Vec<String> {
        let wanted = |line: &String| {
            let (_, rest) = line.split_once(' ').unwrap();
            which.split('|').any(|start| rest.starts_with(start))
        };
        self.rows.iter().map(|row| self.short(row)).filter(wanted).collect()
    }

    /// Onsets in nanoseconds of the rows of a kind and name.
    pub fn onsets(&self, kind: TrialType, name: &str) -> Vec<i64> {
        self.named(kind, name).map(|row| row.onset.0).collect()
    }

    /// The rows of a kind and name.
    pub fn named<'a>(&'a self, kind: TrialType, name: &'a str) -> impl Iterator<Item = &'a Row> {
        let fits = move |row: &&Row| row.trial_type == kind && row.name.as_deref() == Some(name);
        self.rows.iter().filter(fits)
    }

    fn listing(&self, found: &[String]) -> String {
        format!("all of them:\n{}\n", found.join("\n"))
    }

    /// `ONSET KIND NAME NUMBER NOTE/VELOCITY@CHANNEL>PORT for DURATION <CAUSE`, in
    /// seconds without trailing zeros; what is missing or usual is left out: the
    /// port `input` or `output`, the duration of what has none.
    fn short(&self, row: &Row) -> String {
        let mut text = format!("{} {}", seconds(row.onset), row.trial_type.word());
        if let Some(name) = &row.name {
            text += &format!(" {name}");
        }
        if let Some(number) = row.number {
            text += &format!(" {number}");
        }
        text += &message(row);
        let port = row.port.as_deref().filter(|p| !["input", "output"].contains(p));
        if let Some(port) = port.filter(|p| row.name.as_deref() != Some(p)) {
            text += &format!(">{port}");
        }
        if let Some(duration) = row.duration.filter(|_| has_length(row)) {
            text += &format!(" for {}", seconds(duration));
        }
        if let Some(cause) = row.cause {
            let cause = self.rows.iter().find(|r| r.event_id == cause).expect("the cause");
            let number = cause.number.map_or(String::new(), |n| n.to_string());
            text += &format!(" <{}{number}", cause.trial_type.word());
        }
        if let Some(flag) = row.flag {
            text += &format!(" {}", flag.word());
        }
        text
    }
}

fn has_length(row: &Row) -> bool {
    let sounds = row.trial_type == TrialType::Trigger && row.message.is_some();
    let kinds = [TrialType::Pacing, TrialType::Tap, TrialType::Feedback, TrialType::Masking];
    sounds || kinds.contains(&row.trial_type)
}

fn message(row: &Row) -> String {
    let channel = row.channel.map_or(String::new(), |c| format!("@{}", c.number()));
    match (row.note, row.velocity, row.message) {
        (Some(note), Some(velocity), _) => format!(" {}/{}{channel}", note.get(), velocity.get()),
        (_, _, Some(message)) => {
            let (bytes, length) = message.bytes();
            let bytes: Vec<String> = bytes[..length].iter().map(|b| format!("{b:02x}")).collect();
            format!(" {}", bytes.join(""))
        }
        _ => String::new(),
    }
}

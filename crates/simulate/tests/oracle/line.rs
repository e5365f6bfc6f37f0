//! What the oracle and the program are compared by: one line for each row of the table.

use crate::oracle::model::Model;
use crate::oracle::text::OUTPUTS;
use chronotap_data::record::{Row, TrialType};
use chronotap_engine::perturbation::PerturbedPart;
use std::collections::HashMap;

/// Whose row, and when; in words that both sides can write.
#[derive(Clone, Debug, Default)]
pub struct Line {
    pub at: i64,
    pub kind: &'static str,
    pub name: String,
    pub number: Option<u32>,
    /// Note, velocity and channel.
    pub tone: Option<(u8, u8, u8)>,
    pub port: Option<String>,
    pub lasts: Option<i64>,
    /// Kind, name and number of what caused it.
    pub cause: Option<String>,
    pub flag: Option<&'static str>,
    pub altered: Vec<String>,
    /// Delay and pitch shift of feedback.
    pub feedback: Option<(i64, i64)>,
    pub response: bool,
    /// In which order it was decided; not compared by itself.
    pub order: u64,
}

impl Line {
    pub fn new(at: i64, kind: &'static str, name: &str) -> Line {
        Line { at, kind, name: name.to_owned(), ..Line::default() }
    }

    /// Kind, name and number: what a cause is called by.
    pub fn called(&self) -> String {
        let number = self.number.map_or(String::new(), |n| n.to_string());
        format!("{} {} {number} at {}", self.kind, self.name, self.at)
    }

    pub fn text(&self) -> String {
        let mut text = format!("{} {} {}", self.at, self.kind, self.name);
        let mut add = |what: String| text += &format!(" {what}");
        self.number.iter().for_each(|n| add(n.to_string()));
        self.tone.iter().for_each(|(n, v, c)| add(format!("{n}/{v}@{c}")));
        self.port.iter().for_each(|p| add(format!(">{p}")));
        self.lasts.iter().for_each(|ns| add(format!("for {ns}")));
        self.cause.iter().for_each(|cause| add(format!("<{cause}>")));
        self.flag.iter().for_each(|flag| add((*flag).to_owned()));
        if !self.altered.is_empty() {
            add(format!("{:?}", self.altered));
        }
        self.feedback.iter().for_each(|(d, p)| add(format!("{d} ns and {p} semitones off")));
        if self.response {
            add("response".into());
        }
        text
    }
}

pub fn output(model: &Model, place: usize) -> String {
    if model.outputs == 0 { "output".into() } else { OUTPUTS[place].into() }
}

/// The program's rows as lines.
pub fn lines(rows: &[Row], responses: bool) -> Vec<Line> {
    let by_id: HashMap<u64, &Row> = rows.iter().map(|row| (row.event_id, row)).collect();
    rows.iter().map(|row| line(row, &by_id, responses)).collect()
}

fn line(row: &Row, by_id: &HashMap<u64, &Row>, responses: bool) -> Line {
    let kind = row.trial_type;
    let sounds = [TrialType::Pacing, TrialType::Feedback, TrialType::Masking, TrialType::Tap];
    let lasts = sounds.contains(&kind) || (kind == TrialType::Trigger && row.note.is_some());
    let tone = match (row.note, row.velocity, row.channel) {
        (Some(n), Some(v), Some(c)) => Some((n.get(), v.get(), c.number())),
        _ => None,
    };
    let fate = row.fate.as_ref().map(|fate| fate.word());
    let of_feedback = [TrialType::Feedback, TrialType::Muted, TrialType::Cancelled];
    let delay = row.delay.zip(row.pitch_shift).filter(|_| of_feedback.contains(&kind));
    Line {
        at: row.onset.0,
        kind: kind.word(),
        name: row.name.clone().unwrap_or_default(),
        number: row.number,
        tone,
        port: row.port.clone(),
        lasts: row.duration.filter(|_| lasts).map(|d| d.0),
        cause: row.cause.map(|id| called(by_id[&id])),
        flag: row.flag.map(|flag| flag.word()),
        altered: row.perturbation.parts().map(|part| altered(&part)).collect(),
        feedback: delay.map(|(d, p)| (d.0, i64::from(p))),
        response: responses && fate == Some("response"),
        order: row.event_id,
    }
}

fn called(row: &Row) -> String {
    let number = row.number.map_or(String::new(), |n| n.to_string());
    let name = row.name.clone().unwrap_or_default();
    format!("{} {name} {number} at {}", row.trial_type.word(), row.onset.0)
}

fn altered(part: &PerturbedPart) -> String {
    match part {
        PerturbedPart::PhaseShift(by) => format!("phase_shift {}", by.0),
        PerturbedPart::OnsetShift(by) => format!("onset_shift {}", by.0),
        PerturbedPart::Interval(by) => format!("interval {}", by.0),
        PerturbedPart::Mute => "mute".into(),
        PerturbedPart::Delay(by) => format!("delay {}", by.0),
        PerturbedPart::Pitch(by) => format!("pitch {by}"),
        PerturbedPart::Velocity(by) => format!("velocity {by}"),
        PerturbedPart::Duration(Some(by)) => format!("duration {}", by.0),
        PerturbedPart::Duration(None) => "duration".into(),
    }
}

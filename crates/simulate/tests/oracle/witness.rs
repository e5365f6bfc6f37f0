//! What only chance decides is taken from the program's rows, and held against what the trial
//! file allows. Everything that follows from it is worked out anew.

use crate::oracle::line::Line;
use crate::oracle::model::Model;
use std::collections::HashMap;

/// The program's draws.
pub struct Witness {
    beats: Vec<Vec<Line>>,
    feedback: HashMap<(String, String), Line>,
    masking: HashMap<(String, u32), Line>,
}

impl Witness {
    pub fn new(model: &Model, lines: &[Line]) -> Witness {
        let of_stream = |name: &str| {
            let mut beats: Vec<Line> = Vec::new();
            let kinds = ["pacing", "silent"];
            for line in lines.iter().filter(|l| kinds.contains(&l.kind) && l.name == name) {
                let again =
                    beats.last().is_some_and(|b| (b.at, b.number) == (line.at, line.number));
                if !again {
                    beats.push(line.clone());
                }
            }
            beats
        };
        let kinds = ["feedback", "muted", "cancelled"];
        let fed = lines.iter().filter(|l| kinds.contains(&l.kind));
        let fed = fed.map(|l| ((l.name.clone(), l.cause.clone().unwrap_or_default()), l.clone()));
        let masked = lines.iter().filter(|l| l.kind == "masking");
        Witness {
            beats: model.pacing.iter().map(|s| of_stream(s.name)).collect(),
            feedback: fed.collect(),
            masking: masked.map(|l| ((l.name.clone(), l.number.unwrap_or(0)), l.clone())).collect(),
        }
    }

    /// The `place`th beat of a stream that is in the table, restarts counted on.
    pub fn beat(&self, stream: usize, place: usize) -> Option<&Line> {
        self.beats[stream].get(place)
    }

    /// What was done to that beat, of one kind: `None` where nothing, or no such beat.
    pub fn altered(&self, stream: usize, place: usize, kind: &str) -> Option<i64> {
        let line = self.beat(stream, place)?;
        let word = line.altered.iter().find(|word| word.split(' ').next() == Some(kind))?;
        Some(word.split(' ').nth(1).map_or(0, |ns| ns.parse().unwrap()))
    }

    pub fn feedback(&self, channel: &str, tap: &str) -> Option<&Line> {
        self.feedback.get(&(channel.to_owned(), tap.to_owned()))
    }

    pub fn masking(&self, name: &str, number: u32) -> Option<&Line> {
        self.masking.get(&(name.to_owned(), number))
    }
}

//! What is said of configuration files of FTAP: mistakes and remarks, each with what to write, and
//! by which `--reading` another meaning is chosen.

use crate::{Says, Sentences, Surface, row, with};
use chronotap_config::ftap::{
    FtapFault, FtapMistakes, Inert, Mistake, Note, ReadingError, Remark, WayOut, parts,
};
use chronotap_config::trial_files::{Problem, Problems};

pub(super) const ROWS: &[Sentences] = &[
    row::<FtapFault>(),
    row::<Inert>(),
    row::<FtapMistakes>(),
    row::<ReadingError>(),
    row::<Remark>(),
];

impl Says for ReadingError {
    fn says(&self, _: Surface) -> String {
        match self {
            ReadingError::Form(text) => format!(
                "--reading \"{text}\": write NAME=VALUE, such as count=tones or FEED_NOTE=60"
            ),
            ReadingError::Unknown { name, near } => format!(
                "--reading {name}: there is no such reading{}; see `chronotap import-ftap --help`",
                near.map_or_else(String::new, |near| format!("; did you mean \"{near}\"?"))
            ),
            ReadingError::Value { name, value, expected } => {
                format!("--reading {name}={value}: write {expected}")
            }
            ReadingError::NoPart { name, near } => format!(
                "--without {name}: nothing that can be dropped has this name{}; write one of {}",
                near.map_or_else(String::new, |near| format!("; did you mean \"{near}\"?")),
                parts().collect::<Vec<_>>().join(", ")
            ),
        }
    }
}

impl Says for FtapFault {
    fn says(&self, _: Surface) -> String {
        with(self, cure(self))
    }
}

/// What to write in the place of what is wrong.
fn cure(fault: &FtapFault) -> String {
    if let Some(way) = fault.way() {
        return format!("{} with --reading {}", way.says, for_a_shell(&way.reading));
    }
    match fault {
        FtapFault::NoNumber { .. } => "write digits alone".into(),
        FtapFault::OneNumber { name, .. } => format!("write {name} and its number on a line alone"),
        FtapFault::UnknownMode { .. } => {
            "give it a known one (0 is none), and write what it did into \
                                      the trial file by hand"
                .into()
        }
        FtapFault::NoKeyword { near: Some(near), .. }
        | FtapFault::NoParameter { near: Some(near), .. } => {
            format!("did you mean {near}?")
        }
        FtapFault::NoKeyword { .. }
        | FtapFault::NoParameter { .. }
        | FtapFault::StrangeRemark { .. } => "correct the word".into(),
        FtapFault::NoTable { word } => format!("add a line {word}, how many ms follow, and the ms"),
        FtapFault::Outside { name: "MET_VEL", .. } => {
            "METRON_ON 0 or a 0 in MET_PATTERN_ARRAY is silence".into()
        }
        FtapFault::Outside { name: "FEED_VEL" | "FEED2_VEL", .. } => {
            "FEED_ON 0 or FEED2_ON 0 is silence".into()
        }
        FtapFault::Outside { .. } | FtapFault::Element { .. } => "correct the value".into(),
        FtapFault::NoValues { name } | FtapFault::Announced { name, .. } => {
            format!("write {name}, how many values follow, and the values, on one line")
        }
        FtapFault::LongArray { .. } => "no trial file holds so many".into(),
        FtapFault::Fields { .. } => {
            "write TRIGGER, an id, K, T or M, a count, a keyword, and a whole number".into()
        }
        FtapFault::Type { .. } => "K counts keystrokes, T milliseconds, M the metronome".into(),
        FtapFault::Count { .. } => "correct the count".into(),
        FtapFault::LongId => "give the trigger a number as its id".into(),
        FtapFault::SecondId { .. } => "give each its own id".into(),
        FtapFault::ArrayTrigger { .. } => "leave this trigger out".into(),
        FtapFault::Needs { name, .. } => {
            format!("add a line {name}, or give its value with --reading {name}=NUMBER")
        }
        FtapFault::BeforeFirst { reading, other } => {
            format!("correct the count, or count from {other} with --reading {reading}={other}")
        }
        FtapFault::NeverComes => "correct the count or MET_PATTERN_ARRAY".into(),
        FtapFault::Unordered { .. } => {
            "let those of each keyword count one thing, K, T or M, or write the trial file by hand"
                .into()
        }
        FtapFault::Nothing => {
            "give METRON_ON 1 and MSPB, or FEED_ON 1; is this the right file?".into()
        }
        FtapFault::TooLarge => "leave out what is not needed".into(),
        FtapFault::ManyTriggers { .. } => "leave some out".into(),
    }
}

impl Says for FtapMistakes {
    fn says(&self, _: Surface) -> String {
        problems(self).to_string()
    }
}

/// The mistakes as those of a trial file are told.
pub fn problems(mistakes: &FtapMistakes) -> Problems {
    let by_cause = mistakes.by_cause();
    Problems::new(by_cause.iter().map(|(mistake, lines)| problem(mistake, lines)).collect())
}

fn problem(mistake: &Mistake, lines: &[usize]) -> Problem {
    let Mistake { file, line, fault, way_out } = mistake;
    let left_out = way_out.map(|way| match way {
        WayOut::Reading(reading, answer) => {
            format!(", or leave such lines out with --reading {reading}={answer}")
        }
        WayOut::Without(part) => format!("; --without {part} drops it"),
    });
    Problem {
        file: file.clone(),
        line: *line,
        column: usize::from(*line > 0),
        message: mistake.with_lines(lines),
        cure: Some(cure(fault) + &left_out.unwrap_or_default()),
        nearest: None,
    }
}

impl Says for Remark {
    fn says(&self, _: Surface) -> String {
        match self {
            Remark::Assumed(_) => format!("{self}: give them with --reading NAME=VALUE"),
            Remark::Parted { reading, .. } => {
                format!("{self}: say where with --reading {reading}=NOTE")
            }
            Remark::SplitKey { reading, other, .. } => {
                format!("{self}: --reading {reading}={other} makes it the highest of the low side")
            }
            Remark::NeverOn
            | Remark::Unequal { .. }
            | Remark::Repeated { .. }
            | Remark::Dropped { .. }
            | Remark::SplitDropped { .. }
            | Remark::LeftOut(_)
            | Remark::Inert(_)
            | Remark::Endless => self.to_string(),
        }
    }
}

impl Says for Inert {
    fn says(&self, _: Surface) -> String {
        match self {
            Inert::Channels(_)
            | Inert::ModeOff(_)
            | Inert::NeverOn
            | Inert::NeverMasked
            | Inert::NoSides => self.to_string(),
        }
    }
}

/// In quotes where a shell would take a character of it for its own.
fn for_a_shell(word: &str) -> String {
    let own = word.contains([';', '!', '&', '|', '*', '<', '>', '#', ' ']);
    if own { format!("'{word}'") } else { word.to_owned() }
}

/// A remark with its line, as the terminal says it.
pub fn note(note: &Note) -> String {
    let Note { line, remark } = note;
    match line {
        0 => remark.says(Surface::Terminal),
        line => format!("line {line}: {}", remark.says(Surface::Terminal)),
    }
}

#[cfg(test)]
pub(super) fn examples() -> Vec<Box<dyn std::error::Error>> {
    use chronotap_config::ftap::ExpectedReading;
    let text = |text: &str| text.to_owned();
    let outside = |name| FtapFault::Outside { name, value: 0, least: 1, most: 127 };
    let array = "MET_PATTERN_ARRAY";
    let faults = [
        FtapFault::NoNumber { what: text("MSPB"), word: text("1.5") },
        FtapFault::OneNumber { name: "MSPB", found: 2 },
        FtapFault::UnknownMode { name: "FEED_PMODE", value: 7 },
        FtapFault::UnknownMode { name: "FEED_VMODE", value: 7 },
        FtapFault::UnknownMode { name: "FEED_DMODE", value: 2 },
        FtapFault::NoKeyword { word: text("MSBP"), near: Some("MSPB") },
        FtapFault::NoKeyword { word: text("MASK_ON"), near: None },
        FtapFault::NoParameter { word: text("FEED_DVLA"), near: Some("FEED_DVAL") },
        FtapFault::NoKeyword { word: text("RNG_TABLE"), near: None },
        FtapFault::NoKeyword { word: text("FACTORS"), near: None },
        FtapFault::NoParameter { word: text("MASK_ON"), near: None },
        FtapFault::NoParameter { word: text("PLAY_NOTE"), near: None },
        FtapFault::NoKeyword { word: text("250"), near: None },
        FtapFault::StrangeRemark { sign: ";" },
        FtapFault::NoTable { word: text("RNG_TABLE") },
        outside("MET_VEL"),
        outside("FEED_VEL"),
        outside("MET_CHAN"),
        FtapFault::NoValues { name: text(array) },
        FtapFault::Announced { name: text(array), announced: 8, found: 2 },
        FtapFault::LongArray { name: text(array), most: 100_000 },
        FtapFault::Element { name: text(array), value: 2, least: 0, most: 1 },
        FtapFault::Fields { found: 4 },
        FtapFault::Type { found: text("X") },
        FtapFault::Count { count: 0, least: 1, most: 999_999_998 },
        FtapFault::LongId,
        FtapFault::SecondId { id: text("2") },
        FtapFault::ArrayTrigger { name: text(array) },
        FtapFault::Needs { what: text("the metronome"), name: "MSPB" },
        FtapFault::BeforeFirst { reading: "first-count", other: "0" },
        FtapFault::NeverComes,
        FtapFault::Unordered { mode: "FEED_DMODE", number: "FEED_DVAL", other: 4 },
        FtapFault::Nothing,
        FtapFault::TooLarge,
        FtapFault::ManyTriggers { most: 2_500 },
    ];
    let remarks = [
        Remark::NeverOn,
        Remark::Unequal {
            channels: "MET_CHAN_ARRAY",
            of_channels: 3,
            pattern: array,
            of_pattern: 4,
        },
        Remark::Dropped {
            fault: FtapFault::NoKeyword { word: text("MASK_ON"), near: None },
            part: "masking",
        },
        Remark::SplitDropped { part: "split", reading: "split" },
        Remark::SplitKey { note: 60, reading: "split-key", other: "low" },
        Remark::Repeated { name: text("FEED_CHAN"), holds: 3 },
        Remark::LeftOut(FtapFault::LongId),
        Remark::Inert(Inert::Channels("MET_CHAN_ARRAY")),
        Remark::Inert(Inert::ModeOff("FEED_DMODE")),
        Remark::Inert(Inert::NeverOn),
        Remark::Inert(Inert::NeverMasked),
        Remark::Inert(Inert::NoSides),
        Remark::Endless,
        Remark::Assumed(vec![text("MET_CHAN 1"), text("MET_VEL 100")]),
        Remark::Parted { note: 60, reading: "split" },
    ];
    let value = |expected| ReadingError::Value { name: "count", value: text("x"), expected };
    let readings = [
        ReadingError::Form(text("count")),
        ReadingError::Unknown { name: text("cuont"), near: Some("count") },
        ReadingError::Unknown { name: text("xyz"), near: None },
        value(ExpectedReading::Words(vec!["positions", "tones"])),
        value(ExpectedReading::Number(1, 127)),
        value(ExpectedReading::Such("0..250")),
        ReadingError::NoPart { name: text("maskng"), near: Some("masking") },
        ReadingError::NoPart { name: text("xyz"), near: None },
    ];
    let mistake = |way_out| Mistake {
        file: text("t.ftap"),
        line: 3,
        fault: FtapFault::NoKeyword { word: text("MASK_ON"), near: None },
        way_out,
    };
    let dropped = FtapMistakes(vec![mistake(Some(WayOut::Without("masking")))]);
    let left_out = FtapMistakes(vec![Mistake {
        file: text("t.ftap"),
        line: 2,
        fault: FtapFault::Fields { found: 4 },
        way_out: Some(WayOut::Reading("bad-trigger", "skip")),
    }]);
    let same = FtapMistakes([3, 4, 7].map(|line| Mistake { line, ..mistake(None) }).to_vec());
    let mut all: Vec<Box<dyn std::error::Error>> =
        vec![Box::new(left_out), Box::new(dropped), Box::new(same)];
    all.extend(faults.map(|error| Box::new(error) as _));
    all.extend(remarks.map(|error| Box::new(error) as _));
    all.extend(readings.map(|error| Box::new(error) as _));
    all
}

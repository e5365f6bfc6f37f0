//! [`KINDS`]: every kind of file, by what it is known, how it is read, and what it never says.

use super::error::TapsError;
use super::{
    Events, ImportOptions, ImportSetting, Read, SourceFile, Taken, midi, repp, sound, table,
    tap_arduino, teensytap,
};
use crate::exchange::abs::{DECLARED, read_abs};
use crate::record::OriginColumn;

/// A kind of file.
pub struct FileKind {
    /// Its word on the command line.
    pub word: &'static str,
    /// The program or format, as readers of the data see it.
    pub name: &'static str,
    /// Who records such files, as far as the kind says it.
    pub by: &'static str,
    /// How taps are named in it, for help.
    pub about: &'static str,
    /// Whether a file looks like one.
    pub(super) is: fn(&SourceFile) -> bool,
    pub(super) read: fn(&SourceFile, &ImportOptions) -> Result<Read, TapsError>,
    /// What it uses of what may be said of it.
    pub(super) takes: &'static [ImportSetting],
    /// What it never says, a sentence each.
    pub unknown: &'static [&'static str],
}

/// Said of every kind.
const TIMING: &str = "how exactly in time the stimuli sounded and the taps were stamped, and when tones were asked for";
const KEYS: &str = "channel, note and velocity of keys";
const RELEASES: &str = "when keys were released, and how long stimuli lasted";
const SETTINGS: &str = "what the trial was to be: the trial file here only names what happened";
const ENDING: &str = "how the trial ended";

/// What a table uses.
const TABLE: &[ImportSetting] = &[
    ImportSetting::Taps,
    ImportSetting::Stimuli,
    ImportSetting::Asynchronies,
    ImportSetting::Interval,
    ImportSetting::BeatColumn,
    ImportSetting::ParticipantColumn,
    ImportSetting::TrialColumn,
    ImportSetting::ConditionColumns,
    ImportSetting::DecimalComma,
    ImportSetting::Unsorted,
];

/// What a sound recording uses.
const SOUND: &[ImportSetting] = &[
    ImportSetting::Taps,
    ImportSetting::Stimuli,
    ImportSetting::Sensor,
    ImportSetting::Level,
    ImportSetting::Release,
    ImportSetting::Gap,
    ImportSetting::Polarity,
    ImportSetting::Hum,
    ImportSetting::Reading,
];

/// Every kind; the first that a file looks like counts, and the last is any table.
pub static KINDS: &[FileKind] = &[
    FileKind {
        word: "midi",
        name: "Standard MIDI File",
        by: "another program",
        about: "which notes are what: `track pad`, `channel 10`, `note 60`",
        is: |file| midi::looks_like(&file.bytes),
        read: midi::read,
        takes: &[ImportSetting::Taps, ImportSetting::Stimuli],
        unknown: &[TIMING, SETTINGS, ENDING],
    },
    FileKind {
        word: "sound",
        name: "sound recording",
        by: "a sound card",
        about: "WAV or FLAC; which channel is what: `channel 2`",
        is: |file| sound::looks_like(&file.bytes),
        read: sound::read,
        takes: SOUND,
        unknown: &[
            "how much later than the contact its sensor and sound card took up a tap",
            KEYS,
            RELEASES,
            SETTINGS,
            ENDING,
        ],
    },
    FileKind {
        word: "teensytap",
        name: "TeensyTap",
        by: "TeensyTap",
        about: "the log of a trial; conditions are its settings, such as DELAY",
        is: |file| looks(file, teensytap::looks_like),
        read: teensytap::read,
        takes: &[ImportSetting::ConditionColumns],
        unknown: &[
            TIMING,
            KEYS,
            "how long stimuli lasted",
            "which tap a feedback sound answers",
            SETTINGS,
            ENDING,
        ],
    },
    FileKind {
        word: "repp",
        name: "REPP",
        by: "REPP",
        about: "its analyses as JSON; conditions are keys around them",
        is: |file| looks(file, repp::looks_like),
        read: repp::read,
        takes: &[
            ImportSetting::ParticipantColumn,
            ImportSetting::TrialColumn,
            ImportSetting::ConditionColumns,
        ],
        unknown: &[TIMING, KEYS, RELEASES, SETTINGS, ENDING],
    },
    FileKind {
        word: "ftap",
        name: "FTAP",
        by: "FTAP",
        about: "a data file (.abs) with the line `# columns`, or with --columns",
        is: |file| file.name.ends_with(".abs") || looks(file, |text| text.contains(DECLARED)),
        read: ftap,
        takes: &[ImportSetting::Columns],
        unknown: &[TIMING, SETTINGS],
    },
    FileKind {
        word: "tap-arduino",
        name: "Tap Arduino",
        by: "Tap Arduino",
        about: "readings of the sensor; needs --unit, and takes --threshold",
        is: |file| looks(file, tap_arduino::looks_like),
        read: tap_arduino::read,
        takes: &[ImportSetting::Unit, ImportSetting::Threshold],
        unknown: &[TIMING, KEYS, RELEASES, "when stimuli sounded", SETTINGS, ENDING],
    },
    FileKind {
        word: "table",
        name: "table",
        by: "another program",
        about: "tabs, commas or semicolons; the first line has the names",
        is: |_| true,
        read: table::read,
        takes: TABLE,
        unknown: &[TIMING, KEYS, RELEASES, SETTINGS, ENDING],
    },
];

/// The kind that a file looks like.
pub fn kind_of(file: &SourceFile) -> &'static FileKind {
    KINDS.iter().find(|kind| (kind.is)(file)).unwrap_or(&KINDS[KINDS.len() - 1])
}

/// Who recorded files of the kind with this name.
pub(super) fn recorder(name: &str) -> &'static str {
    KINDS.iter().find(|kind| kind.name == name).map_or("another program", |kind| kind.by)
}

/// The kind of this word.
pub fn kind_named(word: &str) -> Option<&'static FileKind> {
    KINDS.iter().find(|kind| kind.word == word)
}

/// Whether the text of a file looks so; one without text looks like nothing.
fn looks(file: &SourceFile, like: impl Fn(&str) -> bool) -> bool {
    file.text().is_ok_and(|text| like(&text))
}

fn ftap(file: &SourceFile, how: &ImportOptions) -> Result<Read, TapsError> {
    let events = read_abs(&file.text()?, &file.name, how.columns.as_ref())?;
    let line = events.events.iter().map(|event| event.line).min().unwrap_or(0);
    let taken = Taken {
        participant: how.participant.clone(),
        levels: vec![None; how.condition_columns.len()],
        line,
        events: Events::Ftap(Box::new(events)),
        ..Taken::default()
    };
    let column = |holds: &str, column: &str| OriginColumn {
        holds: holds.into(),
        column: column.into(),
        unit: "ms".into(),
    };
    let columns = vec![
        column("taps", "time where kind = keystroke"),
        column("stimuli", "time where kind = metronome"),
        column("feedback", "time where kind = feedback"),
    ];
    Ok(Read { trials: vec![taken], columns, step_ns: 1_000_000, ..Read::default() })
}

//! What is said of tables that go to other programs.

use crate::{Says, Sentences, Surface, row, with};
use chronotap_core::files::{Foreign, NotUtf8};
use chronotap_data::exchange::ExchangeError;
use chronotap_data::exchange::abs::{AbsColumn, AbsError};
use chronotap_data::exchange::taps::{ImportSetting, NumberError, PlaceError, TapsError};

/// How to get what `make demo` does not build.
pub const WHOLE: &str =
    "install the whole program with `cargo install --locked --path crates/cli` in its clone";

/// What helps a table that is no text.
pub const TABLE_AS_UTF8: &str = "restore the table as it was written, or save it as UTF-8";

pub(super) const ROWS: &[Sentences] = &[
    row::<AbsError>(),
    row::<ExchangeError>(),
    row::<TapsError>(),
    row::<PlaceError>(),
    row::<NumberError>(),
];

impl Says for AbsError {
    fn says(&self, _: Surface) -> String {
        let columns = || AbsColumn::names().collect::<Vec<_>>().join(", ");
        match self {
            AbsError::NoColumns { .. } => {
                with(self, "say it with --columns, such as --columns time,kind,press,channel,note")
            }
            AbsError::Unknown { near, .. } => {
                let meant = near.map(|near| format!("did you mean {near}? "));
                with(self, format!("{}the columns are {}", meant.unwrap_or_default(), columns()))
            }
            AbsError::Twice(_) => with(self, "write - for a column that is not to be read"),
            AbsError::Lacks(_) => with(self, "name it in --columns"),
            AbsError::Several { .. } => with(self, "name the one that holds with --columns"),
            AbsError::Trigger { .. } => {
                with(self, "name the one that holds with --trigger-columns")
            }
            AbsError::Cells { .. } => {
                with(self, "name each column of the file in --columns, - where it is not read")
            }
            AbsError::Cell { .. } => with(self, "correct the line or --columns"),
            AbsError::Nothing { .. } => with(self, "name a data file of FTAP"),
            AbsError::Refused { .. } => with(self, "give its triggers fewer or shorter ids"),
        }
    }
}

const A_PLACE: &str =
    "write it as \"onset in ms\"; units are s, ms, us, ns and samples at 44100 Hz";

impl Says for PlaceError {
    fn says(&self, _: Surface) -> String {
        match self {
            PlaceError::NoUnit { .. } | PlaceError::NoColumn { .. } => with(self, A_PLACE),
            PlaceError::Unit { near, .. } => {
                let meant = near.map(|near| format!("did you mean {near}? "));
                with(self, format!("{}{A_PLACE}", meant.unwrap_or_default()))
            }
            PlaceError::Only { .. } => with(self, "write it as \"time in ms where event = tap\""),
        }
    }
}

impl Says for NumberError {
    fn says(&self, _: Surface) -> String {
        match self {
            NumberError::Comma => with(self, "if it is the decimal sign, add --decimal-comma"),
            NumberError::Point => {
                with(self, "take out the points between thousands, or leave out --decimal-comma")
            }
            NumberError::CommaInList => {
                with(self, "part the numbers by semicolons, or write decimals with a point")
            }
            NumberError::NotANumber => with(self, "correct it, or leave the cell empty"),
            NumberError::TooLarge => with(self, "check the unit"),
        }
    }
}

/// How a file becomes text that can be read.
pub(super) fn as_text(found: &NotUtf8) -> &'static str {
    match found.what {
        Some(Foreign::Workbook | Foreign::OldWorkbook) => {
            "save the sheet as \"CSV UTF-8\" in the spreadsheet, and name that file"
        }
        Some(Foreign::Matlab) => {
            "write its times as a table in MATLAB, as with writematrix or writetable"
        }
        Some(Foreign::Xdf) => {
            "write the stream as a table, as with pyxdf; Python's read_recorder reads XDF for align"
        }
        Some(Foreign::Gzip) => "unpack it with gunzip",
        Some(Foreign::Compressed) => "unpack it first",
        Some(Foreign::Parquet | Foreign::Arrow | Foreign::Spss | Foreign::Sqlite) => {
            "write it as CSV with the program that made it"
        }
        Some(Foreign::Sound) => {
            "convert it to WAV or FLAC, which import-taps hears, or write the times of its taps as a table"
        }
        Some(Foreign::Document | Foreign::Rtf) => {
            "save the table as text in UTF-8, and name that file"
        }
        Some(Foreign::WebPage) => "load the table itself, and name that file",
        Some(Foreign::Pdf) => "name the table that it was printed from",
        Some(Foreign::Utf16) | None => "save it as UTF-8",
    }
}

/// The option of what was said.
fn option(setting: ImportSetting) -> &'static str {
    match setting {
        ImportSetting::Taps => "--taps",
        ImportSetting::Stimuli => "--stimuli",
        ImportSetting::Asynchronies => "--asynchronies",
        ImportSetting::Interval => "--interval",
        ImportSetting::BeatColumn => "--beat-column",
        ImportSetting::ParticipantColumn => "--participant-column",
        ImportSetting::TrialColumn => "--trial-column",
        ImportSetting::ConditionColumns => "--condition-columns",
        ImportSetting::DecimalComma => "--decimal-comma",
        ImportSetting::Unsorted => "--unsorted",
        ImportSetting::Columns => "--columns",
        ImportSetting::Unit => "--unit",
        ImportSetting::Threshold => "--threshold",
        ImportSetting::Sensor => "--sensor",
        ImportSetting::Level => "--level",
        ImportSetting::Release => "--release",
        ImportSetting::Gap => "--gap",
        ImportSetting::Polarity => "--polarity",
        ImportSetting::Hum => "--hum",
        ImportSetting::Reading => "--reading",
    }
}

/// The column that was probably meant.
fn meant(near: &Option<String>) -> String {
    near.as_ref().map(|near| format!("did you mean \"{near}\"? ")).unwrap_or_default()
}

impl Says for TapsError {
    fn says(&self, surface: Surface) -> String {
        match self {
            TapsError::Read { .. } => with(self, "check the path"),
            TapsError::NotText { found, .. } => with(self, as_text(found)),
            TapsError::Nothing { .. } => with(self, "check the file, --taps and --as"),
            TapsError::NoTaps { .. } => {
                with(self, "name it with its unit, such as --taps \"onset in ms\"")
            }
            TapsError::NoNames { .. } => with(
                self,
                "write a line with the names of the columns above the first row, such as \"tap\"",
            ),
            TapsError::Unused { name, kind, setting } => {
                format!("{name}: {} is of no use for {kind}; leave it out", option(*setting))
            }
            TapsError::NoColumn { near, .. } => {
                with(self, format!("{}name one of these", meant(near)))
            }
            TapsError::TwoColumns { .. } => with(self, "give one of them another name"),
            TapsError::Cells { .. } => {
                with(self, "give each line as many cells as the first has names")
            }
            TapsError::Quote { .. } => with(self, "end it, or take it out"),
            TapsError::Number { wrong, .. } => {
                let cure = wrong.says(surface);
                with(self, cure.split_once("; ").map_or("", |(_, cure)| cure))
            }
            TapsError::NoUnit { what: "the times", .. } => {
                with(self, "say it with --unit, such as --unit ms")
            }
            TapsError::NoUnit { .. } => with(self, "say it, as in \"onset in ms\""),
            TapsError::Back { .. } => with(
                self,
                "if another trial begins here, name what tells them apart with --trial-column; if not, add --unsorted",
            ),
            TapsError::NoInterval { .. } => {
                with(self, "name it with --interval \"600 ms\" or --interval \"COLUMN in ms\"")
            }
            TapsError::Interval { .. } => with(self, "correct the line, or --interval"),
            TapsError::Far { .. } => {
                with(self, "leave the cell empty, or give the onsets with --taps and --stimuli")
            }
            TapsError::Beat { .. } => with(
                self,
                "number the stimuli of each trial upwards from 1, or leave out --beat-column",
            ),
            TapsError::Again { .. } => with(
                self,
                "put its rows together, or name what tells the two apart with --trial-column or --condition-columns",
            ),
            TapsError::SameFile { .. } => with(self, "name it once"),
            TapsError::Nobody { .. } => {
                with(self, "name them with --participant or --participant-column")
            }
            TapsError::Label { .. } => with(self, "give them a label of letters and digits"),
            TapsError::SameLabel { .. } => {
                with(self, "give them labels that differ in letters or digits")
            }
            TapsError::NoStimuli { .. } => {
                with(self, "name the trials in both files alike, by the same columns")
            }
            TapsError::Line { .. } => {
                with(self, "correct the line, or name the kind of file with --as")
            }
            TapsError::Broken { .. } => {
                with(self, "restore the file, or name the kind of file with --as")
            }
            TapsError::Which { .. } => with(
                self,
                "say which are taps and which are stimuli, such as --taps \"channel 10\"",
            ),
            TapsError::Sound { .. } => self.to_string(), // its cure stands with it
            TapsError::Rate { .. } => {
                with(self, "write it again at its true rate, as in `sox IN -r 48000 OUT.wav`")
            }
            TapsError::Channels { .. } | TapsError::Channel { .. } => with(
                self,
                "say which is which, such as --taps \"channel 2\" --stimuli \"channel 1\"",
            ),
            TapsError::Quiet { .. } => {
                with(self, "choose a lower --level, or another channel or --sensor")
            }
            TapsError::NoReppStimulus { .. } => {
                with(self, "name the JSON that REPP kept of its stimulus with --stimuli-file")
            }
            TapsError::NoMarker { .. } => {
                with(self, "check that it is a recording of REPP; if not, leave out --reading")
            }
            TapsError::Refused { .. } => {
                with(self, "give another --title, or import the trial by itself")
            }
            TapsError::Ftap(error) => error.says(surface),
        }
    }
}

impl Says for ExchangeError {
    fn says(&self, surface: Surface) -> String {
        match self {
            ExchangeError::Read { .. } => {
                with(self, "name a tab-separated table, or the folder of a dataset")
            }
            ExchangeError::NotUtf8 { found, .. } => match found.what {
                Some(_) => with(self, as_text(found)),
                None => with(self, TABLE_AS_UTF8),
            },
            ExchangeError::Cells { .. } => with(self, "restore the table as it was written"),
            ExchangeError::Backslash { .. } => {
                with(self, "restore the table as it was written; in a cell a backslash is `\\\\`")
            }
            ExchangeError::TwoColumns { .. } => with(
                self,
                "make the tables again with `chronotap analyze`, rename one, or export as CSV",
            ),
            ExchangeError::TooLarge { .. } => with(self, "export it as CSV or Parquet"),
            ExchangeError::Write { .. } => with(self, "name a writable place"),
            ExchangeError::Exists(_) => with(self, "name a place where nothing is"),
            ExchangeError::NoKeys { .. } => {
                with(self, "export the trial as CSV, or import it from a file with its notes")
            }
            ExchangeError::SameName(_) => with(self, "rename the folder of one"),
            ExchangeError::Twice { .. } => with(self, "name each dataset once, and no copy of it"),
            ExchangeError::Tables(error) => error.says(surface),
            ExchangeError::Interrupted => format!("{self}: run it again for new ones"),
            ExchangeError::NotMade(_) | ExchangeError::Withdrew(_) => with(self, "run it again"),
            ExchangeError::NoParquet => {
                with(self, format!("{WHOLE}, or take CSV (`chronotap export`)"))
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Vec<Box<dyn std::error::Error>> {
    let path = || std::path::PathBuf::from("tables/taps.tsv");
    let source = || std::io::Error::from_raw_os_error(2);
    let found = chronotap_core::files::NotUtf8 { line: 3, offset: 40, byte: 0xff, what: None };
    let all = [
        ExchangeError::Read { path: path(), source: source() },
        ExchangeError::NotUtf8 { path: path(), found },
        ExchangeError::Cells { path: path(), line: 3, found: 3, needed: 4 },
        ExchangeError::Backslash {
            path: path(),
            line: 3,
            column: "note".into(),
            cell: "C:\\temp".into(),
        },
        ExchangeError::TwoColumns { path: path(), name: "delay".into() },
        ExchangeError::TooLarge {
            path: path(),
            sheet: "trials".into(),
            rows: 2_000_000,
            columns: 200,
        },
        ExchangeError::Write { path: path(), source: source() },
        ExchangeError::Exists(path()),
        ExchangeError::SameName("pilot".into()),
        ExchangeError::Twice {
            trial: "sub-01/beh/sub-01_task-two_run-01_events.tsv".into(),
            first: "delay".into(),
            second: "delay-backup".into(),
        },
        ExchangeError::NoKeys { keyless: 12, all: 24 },
        ExchangeError::Tables(chronotap_data::tables::TablesError::NoPlace),
        ExchangeError::Interrupted,
        ExchangeError::NotMade(path()),
        ExchangeError::Withdrew(vec!["03".into()]),
        ExchangeError::NoParquet,
    ];
    let name = || "t.abs".to_owned();
    let of_abs = [
        AbsError::NoColumns { name: name() },
        AbsError::Unknown { column: "tiem".into(), near: Some("time") },
        AbsError::Unknown { column: "xyz".into(), near: None },
        AbsError::Twice(AbsColumn::Time),
        AbsError::Lacks(AbsColumn::Kind),
        AbsError::Several { name: name(), ways: vec!["time,kind,-".into(), "-,kind,time".into()] },
        AbsError::Trigger {
            name: name(),
            line: 3,
            found: 4,
            ways: vec!["time,kind,id,-".into(), "time,kind,-,id".into()],
        },
        AbsError::Cells { name: name(), line: 3, found: 3, needed: 4 },
        AbsError::Cell { name: name(), line: 3, column: AbsColumn::Note, word: "128".into() },
        AbsError::Nothing { name: name() },
        AbsError::Refused { name: name(), why: "too many rules".into() },
    ];
    let of_abs = of_abs.into_iter().map(|error| Box::new(error) as _);
    let name = || "t.csv".to_owned();
    let text = |text: &str| text.to_owned();
    let columns = || vec![text("onset"), text("trial")];
    let of_taps = [
        TapsError::Read { path: path(), source: source() },
        TapsError::NotText { name: name(), found },
        TapsError::Nothing { name: name() },
        TapsError::NoTaps { name: name(), columns: columns() },
        TapsError::NoColumn {
            name: name(),
            line: 1,
            column: text("onst"),
            columns: columns(),
            near: Some(text("onset")),
        },
        TapsError::TwoColumns { name: name(), line: 1, column: text("onset") },
        TapsError::Cells { name: name(), line: 3, found: 3, needed: 4 },
        TapsError::Quote { name: name(), line: 3 },
        TapsError::Number {
            name: name(),
            line: 3,
            column: text("onset"),
            cell: text("512,5"),
            wrong: NumberError::Comma,
        },
        TapsError::NoUnit { name: name(), what: "the taps" },
        TapsError::NoUnit { name: name(), what: "the times" },
        TapsError::Back {
            name: name(),
            line: 3,
            what: "a tap",
            now_ms: text("500"),
            last_ms: text("1000"),
        },
        TapsError::NoInterval { name: name() },
        TapsError::Interval { name: name(), line: 3, ms: text("0") },
        TapsError::Far {
            name: name(),
            line: 3,
            asynchrony_ms: text("400"),
            interval_ms: text("600"),
        },
        TapsError::Beat { name: name(), line: 3, beat: text("2"), last: 2 },
        TapsError::Again { name: name(), line: 9, trial: text("1"), participant: text("07") },
        TapsError::SameFile { name: name(), other: text("u.csv") },
        TapsError::Nobody { name: name(), line: 2 },
        TapsError::Label { name: name(), line: 2, label: text("--") },
        TapsError::Sound {
            name: text("t.wav"),
            error: chronotap_audio::tone::SampleError::Channels(4),
        },
        TapsError::Rate { name: text("t.wav"), rate_hz: 100 },
        TapsError::Channels { name: text("t.wav"), channels: 2 },
        TapsError::Channel { name: text("t.wav"), asked: text("channel 3"), channels: 2 },
        TapsError::Quiet {
            name: text("t.wav"),
            channel: 2,
            threshold_db: text("-30.0"),
            noise_db: text("-70.2"),
            loud_db: text("-41.5"),
        },
        TapsError::NoReppStimulus { name: text("t.wav") },
        TapsError::NoMarker { name: text("t.wav") },
        TapsError::SameLabel {
            name: name(),
            line: 2,
            one: text("a-1"),
            other: text("a1"),
            label: text("a1"),
        },
        TapsError::NoStimuli { name: name(), line: 2, other: text("u.csv") },
        TapsError::Line { name: name(), line: 2, kind: "TeensyTap" },
        TapsError::Broken { name: name(), kind: "JSON", why: text("it ends") },
        TapsError::NoNames { name: name(), line: 1, cell: text("512.5") },
        TapsError::Unused { name: name(), kind: "REPP", setting: ImportSetting::Taps },
        TapsError::Which { name: name(), found: vec![text("track 1"), text("channel 1")] },
        TapsError::Refused { name: name(), line: 2, why: text("its title") },
        TapsError::Ftap(AbsError::Lacks(AbsColumn::Kind)),
    ];
    let written = || text("onset in mss");
    let of_places = [
        PlaceError::NoUnit { written: written() },
        PlaceError::Unit { written: written(), unit: text("mss"), near: Some("ms") },
        PlaceError::NoColumn { written: written() },
        PlaceError::Only { written: written(), only: text("event") },
    ];
    let of_numbers = [
        NumberError::Point,
        NumberError::CommaInList,
        NumberError::Comma,
        NumberError::NotANumber,
        NumberError::TooLarge,
    ];
    let of_abs = of_abs
        .chain(of_taps.into_iter().map(|error| Box::new(error) as _))
        .chain(of_places.into_iter().map(|error| Box::new(error) as _))
        .chain(of_numbers.into_iter().map(|error| Box::new(error) as _));
    all.into_iter().map(|error| Box::new(error) as _).chain(of_abs).collect()
}

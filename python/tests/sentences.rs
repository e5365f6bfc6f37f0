//! Sentences of Python as one list, and that a user's own words stay as they are.

#![allow(clippy::unwrap_used)] // a test that cannot be set up has failed
#![allow(missing_docs)]
#![cfg(target_os = "linux")]

use chronotap_analysis::alignment::AlignmentError;
use chronotap_config::trial_files::performers::DecimalError;
use chronotap_core::time::Nanos;
use chronotap_data::alignment::RecorderTableError;
use chronotap_data::record::{JournalError, Left, RecordError};
use chronotap_design::PlanError;
use chronotap_rig::laboratory::{BindingError, RigError, Side};
use chronotap_rig::runner::real_time::RealTimeError;
use chronotap_session::{Attrition, DatasetError, FrontendError};
use chronotap_visit::SessionError;
use chronotap_words::{Says, Surface};
use std::io;
use std::path::{Path, PathBuf};

#[test]
fn the_sentences_of_python_are_as_kept() {
    let said: String = examples().iter().map(|error| error.says(Surface::Python) + "\n").collect();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sentences.txt");
    chronotap_kept::assert_file(file, &said);
}

fn examples() -> Vec<Box<dyn Says>> {
    let full = || io::Error::from_raw_os_error(28);
    let text = |text: &str| text.to_owned();
    let (journal, table) = (|| PathBuf::from("a.journal"), || PathBuf::from("a_events.tsv"));
    let has = || text("left, right");
    let plans = [
        PlanError::Session { session: 5, sessions: 1 },
        PlanError::Session { session: 5, sessions: 2 },
        PlanError::Order { step: text("main"), block: 1, why: "no order satisfies them" },
    ];
    let ports = [
        BindingError::Unknown {
            side: Side::Input,
            text: text("pad=wire"),
            name: text("pad"),
            has: has(),
        },
        BindingError::Which { side: Side::Output, text: text("wire"), has: has() },
        BindingError::Twice { side: Side::Input, text: text("input=wire"), name: text("input") },
        BindingError::Unbound { side: Side::Output, name: text("left") },
    ];
    let laboratory = [
        RigError::NoWire,
        RigError::UnheardLoop,
        RigError::NeedsRealTime { port: text("alsa:hw:1,0") },
        RigError::Unknown { name: text("pad") },
        RigError::NoSysex { place: text("t.toml:3: "), name: text("pad"), port: text("keys:") },
        RigError::Gone { side: Side::Output, name: text("ears"), port: text("seq:1") },
        RigError::RealTime(RealTimeError::Died),
        RigError::Record(RecordError::Exists { path: table() }),
    ];
    let record = [
        RecordError::Create { path: journal(), source: full() },
        RecordError::Journal {
            path: journal(),
            unwritten: 3,
            source: full(),
            left: Left::Journal(journal()),
        },
        RecordError::Unsaved { path: table(), source: full(), left: Left::Nothing },
        RecordError::Taken { path: table(), left: Left::Nothing },
        RecordError::LongName { bytes: 250, longest: 200 },
        RecordError::Thread { source: full() },
        RecordError::WriterLost { path: journal() },
        RecordError::Unreadable(JournalError::Header { path: journal() }),
    ];
    let sessions = [
        SessionError::NotBegun,
        SessionError::Alike { label: text("Anna"), there: text("anna") },
        SessionError::Renamed { path: "a_journal.jsonl".into(), due: "b_journal.jsonl".into() },
        SessionError::Withdrawn { label: text("01") },
        SessionError::Left { label: text("01"), how: Attrition::Declined },
        SessionError::Changed { files: vec![text("trial.toml")] },
        SessionError::Dataset(DatasetError::OtherStudy {
            path: text("data").into(),
            there: text("Delay"),
            task: text("t"),
        }),
        SessionError::Dataset(DatasetError::Disk { path: text("data").into(), source: full() }),
        SessionError::Frontend(FrontendError::Refused {
            name: text("age"),
            given: text("x"),
            expected: text("a number from 18 to 99"),
        }),
        SessionError::Frontend(FrontendError::NotAsked {
            name: text("efort"),
            known: vec![text("age"), text("effort")],
            near: None,
        }),
        SessionError::Frontend(FrontendError::Missing {
            name: text("age"),
            question: text("How old are you?"),
            expected: text("a number from 18 to 99"),
        }),
    ];
    let mut all: Vec<Box<dyn Says>> = Vec::new();
    sessions.into_iter().for_each(|error| all.push(Box::new(error)));
    plans.into_iter().for_each(|error| all.push(Box::new(error)));
    ports.into_iter().for_each(|error| all.push(Box::new(error)));
    laboratory.into_iter().for_each(|error| all.push(Box::new(error)));
    record.into_iter().for_each(|error| all.push(Box::new(error)));
    alignments().into_iter().for_each(|error| all.push(Box::new(error)));
    recorder_tables().into_iter().for_each(|error| all.push(Box::new(error)));
    all
}

fn alignments() -> [AlignmentError; 4] {
    [
        AlignmentError::TooFew { ours: 2, theirs: 40 },
        AlignmentError::NoCommonCode { ours: vec![1, 2, 10], theirs: vec![255] },
        AlignmentError::Unlike { matched: 4, within: 40 },
        AlignmentError::Ambiguous { matched: 20, also: 19, apart: Nanos::from_millis(500) },
    ]
}

fn recorder_tables() -> [RecorderTableError; 8] {
    let (path, column) = (|| PathBuf::from("eeg.tsv"), || "sample".to_owned());
    let columns = || vec!["begin".to_owned(), "codes".to_owned()];
    let named = |nearest: Option<&str>| RecorderTableError::NoSuchColumn {
        path: path(),
        named: "code".into(),
        columns: columns(),
        nearest: nearest.map(str::to_owned),
    };
    [
        RecorderTableError::Read { path: path(), source: io::Error::from_raw_os_error(2) },
        named(Some("codes")),
        named(None),
        RecorderTableError::NoOnsets { path: path(), columns: columns() },
        RecorderTableError::NoRate { path: path(), column: column() },
        RecorderTableError::Cells { path: path(), line: 3, found: 1, needed: 2 },
        RecorderTableError::Onset {
            path: path(),
            line: 3,
            column: column(),
            cell: "soon".into(),
            wrong: DecimalError::NotANumber,
        },
        RecorderTableError::NoCodes { path: path(), column: "codes".into() },
    ]
}

#[test]
fn no_sentence_names_an_option() {
    for said in examples().iter().map(|error| error.says(Surface::Python)) {
        assert!(!said.contains("--"), "{said}");
    }
}

#[test]
fn a_user_s_own_words_stay_as_they_are() {
    for odd in ["--data x", "with --name", "--in input=", "then give the same command again"] {
        let said = RecordError::Exists { path: odd.into() }.says(Surface::Python);
        assert!(said.starts_with(&format!("{odd}: already there")), "{said}");
        let source = io::Error::from_raw_os_error(28);
        let lost = RecordError::Unsaved { path: odd.into(), source, left: Left::Nothing };
        assert!(
            lost.says(Surface::Python).starts_with(&format!("{odd}: cannot write it")),
            "{lost}"
        );
    }
}

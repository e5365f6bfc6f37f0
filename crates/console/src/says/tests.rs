//! All sentences of pages as one list; that none asks for what no page has; and that a user's own words
//! stay as they are.

use super::*;
use chronotap_core::files::{OtherFolder, Refusal as Refused};
use chronotap_data::record::{Left, RecordError};
use chronotap_design::Ends;
use chronotap_rig::laboratory::Side;
use chronotap_rig::recorder::Moved;
use chronotap_session::correct::CorrectError;
use chronotap_session::withdraw::WithdrawError;
use chronotap_session::{Attrition, DatasetError, Ending, FrontendError, OpenJournalError};
use chronotap_visit::SessionError;
use chronotap_words::ended;
use std::io;
use std::path::{Path, PathBuf};

#[test]
fn the_sentences_of_pages_are_as_kept() {
    let answered = [Ends::Participation, Ends::Session].map(Ending::Answered);
    let endings = [Ending::Completed, answered[0], answered[1], Ending::Stopped];
    let endings = endings.map(|ending| ended(ending, Surface::Page).to_owned());
    let all = examples();
    let said = all.iter().map(|error| of(&**error, Surface::Page));
    let said: String = endings.into_iter().chain(said).map(|said| said + "\n").collect();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/says/sentences.txt");
    chronotap_kept::assert_file(file, &said);
}

#[test]
fn what_the_terminal_says_of_the_console_is_as_kept() {
    let of_all = of_the_console();
    let said: String = of_all.iter().map(|error| of(&**error, Surface::Terminal) + "\n").collect();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/says/terminal.txt");
    chronotap_kept::assert_file(file, &said);
}

fn of_the_console() -> Vec<Box<dyn Error>> {
    let path = || PathBuf::from("/run/user/1000/chronotap");
    let refused = || io::Error::from_raw_os_error(98);
    let places = [
        SocketFolderError::NotYours { path: path() },
        SocketFolderError::Long { path: path() },
        SocketFolderError::System { path: path(), source: refused() },
        SocketFolderError::Nowhere {
            refused: vec![
                SocketFolderError::NotYours { path: path() },
                SocketFolderError::Long { path: path() },
            ],
        },
    ];
    let servers = [
        ServeError::Port { port: 8080, source: refused() },
        ServeError::System(io::Error::from_raw_os_error(24)),
    ];
    let mut all: Vec<Box<dyn Error>> = Vec::new();
    places.into_iter().for_each(|error| all.push(Box::new(error)));
    servers.into_iter().for_each(|error| all.push(Box::new(error)));
    all
}

/// One value for each kind that a page says otherwise than a terminal, and some of the rest.
fn examples() -> Vec<Box<dyn Error>> {
    let full = || io::Error::from_raw_os_error(28);
    let text = |text: &str| text.to_owned();
    let (folder, journal) = (|| PathBuf::from("data"), || PathBuf::from("data/a.journal"));
    let table = || PathBuf::from("data/a_events.tsv");
    let label = || text("01");
    let unsaved = |left| RecordError::Unsaved { path: table(), source: full(), left };
    let session = [
        OpenJournalError::Disk { path: journal(), source: full() }.into(),
        OpenJournalError::NotSynced { path: journal(), source: full() }.into(),
        OpenJournalError::Running { path: journal() }.into(),
        OpenJournalError::Damaged { path: journal(), line: 7 }.into(),
        DatasetError::Disk { path: folder(), source: full() }.into(),
        DatasetError::NoLocks { path: folder(), source: std::io::Error::from_raw_os_error(37) }
            .into(),
        DatasetError::OtherGroups {
            path: folder(),
            study: text("other.toml"),
            there: vec![text("hand")],
            here: vec![text("arm")],
        }
        .into(),
        DatasetError::NotADataset { path: folder() }.into(),
        DatasetError::OtherStudy { path: folder(), there: text("Delay"), task: text("t") }.into(),
        DatasetError::Simulated { path: folder(), there: "people", here: "nobody" }.into(),
        DatasetError::NotEmpty { path: folder() }.into(),
        DatasetError::Imported { path: folder(), format: text("TeensyTap") }.into(),
        DatasetError::Table { path: table() }.into(),
        DatasetError::Levels { path: table(), factors: vec![text("drug"), text("delay")], rows: 4 }
            .into(),
        DatasetError::NotMadeAgain { path: table() }.into(),
        DatasetError::from(OtherFolder { path: folder() }).into(),
        SessionError::NotSaved(unsaved(Left::Journal(journal()))),
        SessionError::NotSaved(unsaved(Left::Nothing)),
        SessionError::NotSaved(RecordError::Taken { path: table(), left: Left::Nothing }),
        SessionError::NotSaved(RecordError::WriterLost { path: journal() }),
        SessionError::Elsewhere {
            moved: Moved { because: text("data: full"), refusal: Refused::Full, left: None },
            tsv: table(),
        },
        SessionError::Running { label: label() },
        SessionError::Correction(Box::new(CorrectError::Running { label: label() })),
        SessionError::Alike { label: text("Anna"), there: text("anna") },
        SessionError::Renamed { path: "a_journal.jsonl".into(), due: "b_journal.jsonl".into() },
        SessionError::Withdrawn { label: label() },
        SessionError::Left { label: label(), how: Attrition::Declined },
        SessionError::Left { label: label(), how: Attrition::DroppedOut },
        SessionError::OtherCell {
            label: label(),
            factor: text("hand"),
            named: text("left"),
            assigned: text("right"),
        },
        SessionError::Follows {
            factor: text("group"),
            level: text("musician"),
            fields: vec![text("training")],
        },
        SessionError::NoFirstSession { label: label() },
        SessionError::Changed { files: vec![text("sync.toml")] },
        SessionError::OtherPlan { path: text("plan.tsv") },
        SessionError::OtherSteps { step: text("main"), label: label() },
        SessionError::OtherFactors { factors: vec![text("hand")], label: label() },
        SessionError::OtherTapper { label: label(), tapped: text("tapper") },
        SessionError::NoStep { step: text("x"), known: vec![text("main")], near: None },
        SessionError::FromUnderWay { step: text("main"), label: label() },
        SessionError::Gone { paths: vec![text("a_events.tsv")] },
        SessionError::NotBegun,
        FrontendError::Refused { name: text("q"), given: text("x"), expected: text("a or b") }
            .into(),
        SessionError::Laboratory(RigError::NoWire.into()),
        SessionError::Laboratory(RigError::UnheardLoop.into()),
        SessionError::Laboratory(RigError::NeedsRealTime { port: text("alsa:hw:1,0") }.into()),
        SessionError::Laboratory(
            RigError::Gone { side: Side::Input, name: text("pad"), port: text("seq:1") }.into(),
        ),
    ];
    let ports = [
        BindingError::Which { side: Side::Input, text: text("wire"), has: text("left, right") },
        BindingError::Twice { side: Side::Output, text: text("wire"), name: text("ears") },
        BindingError::Unbound { side: Side::Input, name: text("pad") },
    ];
    let withdrawn = [
        WithdrawError::Unknown { label: label() },
        WithdrawError::Gone { label: label() },
        WithdrawError::Running { label: label() },
        WithdrawError::Correction(Box::new(CorrectError::Running { label: label() })),
    ];
    let machine = MachineFileError::Unreadable { path: "m.toml".into(), source: full() };
    let mut all: Vec<Box<dyn Error>> = vec![Box::new(machine), Box::new(unsaved(Left::Nothing))];
    session.into_iter().for_each(|error: SessionError| all.push(Box::new(error)));
    ports.into_iter().for_each(|error| all.push(Box::new(error)));
    withdrawn.into_iter().for_each(|error| all.push(Box::new(error)));
    all
}

#[test]
fn no_page_asks_its_reader_for_an_option_or_the_same_command_again() {
    for error in examples() {
        let said = of(&*error, Surface::Page);
        for word in ["command", "--", "chronotap recover"] {
            assert!(!said.contains(word), "{word:?} in: {said}");
        }
    }
}

/// Folders that are named as what a terminal, a page or Python would say.
const ODD: [&str; 4] = [
    "then give the same command again",
    "--data x",
    "--in input=",
    ", then `chronotap recover `; then",
];

#[test]
fn a_user_s_own_words_stay_as_they_are() {
    for odd in ODD {
        let path = PathBuf::from(odd);
        let missing: SessionError = DatasetError::NotADataset { path: path.clone() }.into();
        let said = of(&missing, Surface::Page);
        assert!(said.starts_with(&format!("{odd}: not empty")), "{said}");
        let source = io::Error::from_raw_os_error(28);
        let lost = RecordError::Unsaved { path, source, left: Left::Journal(odd.into()) };
        let said = SessionError::NotSaved(lost).says(Surface::Page);
        assert!(said.starts_with(&format!("{odd}: cannot write it")), "{said}");
        assert!(said.ends_with("then begin the session again: it goes on where it was"), "{said}");
    }
}

#[test]
fn ports_that_are_named_wrong_are_known_as_such() {
    let unbound = BindingError::Unbound { side: Side::Input, name: "pad".into() };
    assert!(names_ports(&unbound) && names_ports(&RigError::NoWire));
    assert!(!names_ports(&SessionError::NotBegun));
}

//! A session is not begun before the one before it is complete, nor earlier or later than the study says,
//! unless somebody decides so; then the journal says it.

use crate::common::{dataset, run_open, study, who};
use chronotap_core::time::{Nanos, wall_clock};
use chronotap_session::{
    AfterPractice, Dataset, Doubt, Drawn, Frontend, FrontendError, NotReached, Prompt, Reply,
    Study, Who, WhyOutOfTurn, Wish,
};
use chronotap_visit::{Session, SessionError};
use tempfile::tempdir;

const STUDY: &str = "task = \"t\"\nparticipants = 2\nseed = 1\ntrial = \"trial.toml\"\nsessions = 2\n\
    after = { session = 1, at_least = \"6 d\", at_most = \"8 d\" }\n\
    [factor]\ndelay = [\"0 ms\", \"5 ms\"]\n[set]\nfeedback.tone.delay = { factor = \"delay\" }\n\
    [[step]]\nname = \"main\"\nshuffle = \"none\"\n";

/// Decides as it is told, and remembers what it was asked.
struct Deciding {
    yes: bool,
    asked: Vec<WhyOutOfTurn>,
    drawn: Drawn,
}

impl Frontend for Deciding {
    fn show_text(&mut self, _: &str) -> Result<(), FrontendError> {
        Ok(())
    }
    fn ask(&mut self, prompt: &Prompt<'_>) -> Result<Reply, FrontendError> {
        self.drawn.ask(prompt)
    }
    fn pause(
        &mut self,
        _: chronotap_core::time::Nanos,
        _: chronotap_session::Pause,
    ) -> Result<(), FrontendError> {
        Ok(())
    }
    fn is_attended(&self) -> bool {
        true
    }
    fn beckoned(&mut self) -> bool {
        true
    }
    fn wish(&mut self) -> Option<Wish> {
        None
    }
    fn choose(&mut self) -> Result<Wish, FrontendError> {
        self.drawn.choose()
    }
    fn confirm(&mut self, doubt: &Doubt) -> Result<bool, FrontendError> {
        match doubt {
            Doubt::OutOfTurn(why) => {
                self.asked.push(why.clone());
                Ok(self.yes)
            }
            _ => Ok(true),
        }
    }

    fn missed(&mut self, _: &NotReached) -> Result<AfterPractice, FrontendError> {
        Ok(AfterPractice::GoOn)
    }
    fn tell(&mut self, _: &chronotap_session::Announcement<'_>) {}
}

/// A person, who comes when they come.
fn comes(
    study: &Study,
    data: &Dataset,
    yes: bool,
) -> (Result<(), SessionError>, Vec<WhyOutOfTurn>) {
    let mut frontend = Deciding { yes, asked: Vec::new(), drawn: Drawn::new(1, "01", 2) };
    let second = Who { session: 2, simulated: None, ..who() };
    let opened = Session::open(study, data, &second, &mut frontend).map(drop);
    (opened, frontend.asked)
}

/// A study in which the second session is due so.
fn with(after: &str) -> Study {
    study(&STUDY.replace("at_least = \"6 d\", at_most = \"8 d\"", after))
}

/// Session 1 of participant 01, from its beginning to its end.
fn first_session(study: &Study, data: &Dataset) {
    let mut drawn = Drawn::new(1, "01", 1);
    let mut session = Session::open(study, data, &who(), &mut drawn).unwrap();
    run_open(&mut session, study, &mut drawn).unwrap();
}

#[test]
fn a_second_session_waits_for_the_end_of_the_first_and_for_its_day() {
    let study = study(STUDY);
    let dir = tempdir().unwrap();
    let data = dataset(dir.path(), &study);
    let mut drawn = Drawn::new(1, "01", 1);
    drop(Session::open(&study, &data, &who(), &mut drawn).unwrap());
    let (refused, asked) = comes(&study, &data, false);
    assert!(matches!(refused, Err(SessionError::NotBegun)));
    assert_eq!(asked, [WhyOutOfTurn::Unfinished { session: 1 }]);

    first_session(&study, &data);
    let (refused, asked) = comes(&study, &data, false);
    assert!(matches!(refused, Err(SessionError::NotBegun)));
    assert!(matches!(&asked[..], [WhyOutOfTurn::Early { session: 1, due }] if due.ends_with('Z')));

    let journal = dir.path().join(study.place("01", 2).journal());
    let begun = std::fs::read_to_string(journal).unwrap_or_default();
    assert_eq!(begun, "", "nothing was begun");
}

#[test]
fn a_second_session_may_be_too_late_or_just_in_time() {
    for (after, late) in
        [("at_most = \"1 ms\"", true), ("at_least = \"1 ms\", at_most = \"1 d\"", false)]
    {
        let study = with(after);
        let dir = tempdir().unwrap();
        let data = dataset(dir.path(), &study);
        first_session(&study, &data);
        let end = wall_clock() + Nanos::from_millis(1_100); // moments have whole seconds
        while wall_clock() < end {
            std::thread::yield_now();
        }
        let (begun, asked) = comes(&study, &data, false);
        let is_late = matches!(&asked[..], [WhyOutOfTurn::Late { session: 1, .. }]);
        assert_eq!((is_late, begun.is_ok()), (late, !late), "{asked:?}");
    }
}

#[test]
fn who_decides_to_begin_all_the_same_is_taken_at_their_word_and_the_journal_says_it() {
    let study = study(STUDY);
    let dir = tempdir().unwrap();
    let data = dataset(dir.path(), &study);
    drop(Session::open(&study, &data, &who(), &mut Drawn::new(1, "01", 1)).unwrap());
    assert!(comes(&study, &data, true).0.is_ok());
    let journal = dir.path().join(study.place("01", 2).journal());
    let text = std::fs::read_to_string(journal).unwrap();
    assert!(
        text.lines().next().unwrap().contains("\"despite\":\"session 1 is not complete\""),
        "{text}"
    );
    // Simulated participants come when they are told.
    let mut drawn = Drawn::new(1, "02", 1);
    let second = Who { label: "02".into(), ..who() };
    drop(Session::open(&study, &data, &second, &mut drawn).unwrap());
    let second = Who { session: 2, ..second };
    assert!(Session::open(&study, &data, &second, &mut drawn).is_ok());
}

//! Who declines, by an answer at which the participation ends, is no member of a group, and somebody else gets
//! their place; no further session comes. Who ends it after trials keeps the place, until somebody says
//! that they dropped out.

use crate::common::{dataset, run_open, study};
use chronotap_design::Ends;
use chronotap_session::correct::CorrectError;
use chronotap_session::dropout::{DropOut, drop_out};
use chronotap_session::status::status;
use chronotap_session::verify::verify;
use chronotap_session::{
    Announcement, Attrition, Drawn, Ending, Frontend, FrontendError, Person, Prompt, Reply, Study,
    Who, Wish,
};
use chronotap_visit::{Session, SessionError};
use std::fs;
use std::path::Path;
use tempfile::tempdir;

/// Two sessions; consent in the first, and a question behind the trials of each, which `ends` ends.
fn text(ends: &str) -> String {
    format!(
        "task = \"t\"\nparticipants = 4\nsessions = 2\nseed = 1\ntrial = \"trial.toml\"\n\
         [between]\nhand = [\"left\", \"right\"]\n\
         [question.consent]\ntext = \"Do you take part?\"\nchoice = [\"yes\", \"no\"]\n\
         [question.well]\ntext = \"Are you well?\"\nchoice = [\"yes\", \"no\"]\n\
         [[step]]\nask = [\"consent\"]\nstop_if = {{ consent = \"no\" }}\nsession = 1\n{ends}\
         [[step]]\nname = \"main\"\n\
         [[step]]\nask = [\"well\"]\nstop_if = {{ well = \"no\" }}\n\
         [[step]]\nname = \"more\"\ntrial = \"trial.toml\"\n"
    )
}

/// Answers as it is told, and `yes` to everything else.
struct Answering {
    no: &'static str,
    drawn: Drawn,
}

impl Frontend for Answering {
    fn show_text(&mut self, _: &str) -> Result<(), FrontendError> {
        Ok(())
    }
    fn ask(&mut self, prompt: &Prompt<'_>) -> Result<Reply, FrontendError> {
        let answer = if prompt.name == self.no { "no" } else { "yes" };
        Ok(Reply { answer: answer.into(), by: self.drawn.ask(prompt)?.by })
    }
    nobody_is_there!(drawn);
    fn choose(&mut self) -> Result<Wish, FrontendError> {
        self.drawn.choose()
    }
    fn tell(&mut self, _: &Announcement<'_>) {}
}

/// Somebody sits for a session, and answers one question with no.
fn sits(
    (root, study): (&Path, &Study),
    (label, session): (&str, u32),
    no: &'static str,
) -> Result<Ending, SessionError> {
    let dataset = dataset(root, study);
    let who = Who { label: label.into(), session, ..crate::common::who() };
    let mut frontend = Answering { no, drawn: Drawn::new(1, label, session) };
    let mut session = Session::open(study, &dataset, &who, &mut frontend)?;
    run_open(&mut session, study, &mut frontend)
}

fn person((root, study): (&Path, &Study), label: &str) -> Person {
    dataset(root, study).people(&study.about.columns).unwrap().find(label).unwrap()
}

const DECLINED: Ending = Ending::Answered(Ends::Participation);

#[test]
fn who_declines_is_no_member_of_a_group_and_their_place_is_given_again() {
    let (dir, study) = (tempdir().unwrap(), study(&text("")));
    let here = (dir.path(), &study);
    let mut taken = Vec::new();
    for label in ["01", "02", "03", "04", "05", "06", "07", "08"] {
        let declines = ["02", "04", "05"].contains(&label);
        let ended = sits(here, (label, 1), if declines { "consent" } else { "" }).unwrap();
        assert_eq!(ended, if declines { DECLINED } else { Ending::Completed });
        let Person { cell, k, attrition, .. } = person(here, label);
        assert_eq!(attrition, declines.then_some(Attrition::Declined));
        taken.extend((!declines).then(|| (cell["hand"].clone(), k)));
    }
    taken.sort();
    let places: Vec<(&str, u32)> = taken.iter().map(|(hand, k)| (&**hand, *k)).collect();
    let lefts = places.iter().filter(|(hand, _)| *hand == "left").count();
    assert!((2..=3).contains(&lefts), "{places:?}");
    let due = (0..lefts).map(|k| ("left", k as u32));
    let due: Vec<_> = due.chain((0..5 - lefts).map(|k| ("right", k as u32))).collect();
    assert_eq!(places, due, "every place is given");

    let found = status(&dataset(dir.path(), &study)).unwrap();
    assert_eq!(found.cells.values().sum::<usize>(), 5);
    assert_eq!(found.began.iter().filter(|one| one.complete).count(), 5);
    let declined: Vec<&str> = found.left.keys().map(String::as_str).collect();
    assert_eq!(declined, ["02", "04", "05"]);
    assert!(found.left.values().all(|left| *left == Attrition::Declined));
    assert_eq!(verify(&dataset(dir.path(), &study)).unwrap().problems.len(), 0);
    let about = fs::read_to_string(dir.path().join("participants.json")).unwrap();
    assert!(about.contains("\"attrition\"") && about.contains("\"declined\""), "{about}");
}

#[test]
fn no_further_session_comes_for_who_declined_and_the_same_command_does_nothing() {
    let (dir, study) = (tempdir().unwrap(), study(&text("")));
    let here = (dir.path(), &study);
    assert_eq!(sits(here, ("01", 1), "consent").unwrap(), DECLINED);
    assert_eq!(sits(here, ("01", 1), "consent").unwrap(), DECLINED);
    let refused = sits(here, ("01", 2), "").unwrap_err();
    assert!(matches!(refused, SessionError::Left { how: Attrition::Declined, .. }), "{refused}");
    let data = dataset(dir.path(), &study);
    let second = Who { session: 2, ..crate::common::who() };
    let tried = Session::try_out(&study, Some(&data), &second).unwrap_err();
    assert!(matches!(tried, SessionError::Left { .. }), "{tried}");
}

#[test]
fn an_answer_after_trials_ends_the_participation_and_the_place_stays() {
    let (dir, study) = (tempdir().unwrap(), study(&text("")));
    let here = (dir.path(), &study);
    assert_eq!(sits(here, ("01", 1), "well").unwrap(), DECLINED);
    assert_eq!(person(here, "01").attrition, Some(Attrition::Ended));
    let refused = sits(here, ("01", 2), "").unwrap_err();
    assert!(matches!(refused, SessionError::Left { how: Attrition::Ended, .. }), "{refused}");
    let found = status(&dataset(dir.path(), &study)).unwrap();
    assert_eq!((found.cells.values().sum::<usize>(), found.began[0].complete), (1, false));
}

#[test]
fn an_answer_that_ends_the_session_alone_leaves_the_next_one_and_the_place() {
    let (dir, study) = (tempdir().unwrap(), study(&text("ends = \"session\"\n")));
    let here = (dir.path(), &study);
    assert_eq!(sits(here, ("01", 1), "consent").unwrap(), Ending::Answered(Ends::Session));
    assert_eq!(person(here, "01").attrition, None);
    assert_eq!(sits(here, ("01", 2), "").unwrap(), Ending::Completed);
    let found = status(&dataset(dir.path(), &study)).unwrap();
    let ended: Vec<_> = found.began.iter().map(|one| (one.complete, one.ended)).collect();
    assert_eq!(ended, [(false, Some(Ends::Session)), (true, None)]);
    assert_eq!(found.cells.values().sum::<usize>(), 1);
}

/// The program ended behind the answer, before the table said it; and the table is lost.
#[test]
fn who_declined_is_known_from_the_journals() {
    for removes in [false, true] {
        let (dir, study) = (tempdir().unwrap(), study(&text("")));
        let here = (dir.path(), &study);
        sits(here, ("01", 1), "consent").unwrap();
        let before = person(here, "01");
        let table = dir.path().join("participants.tsv");
        match removes {
            true => fs::remove_file(&table).unwrap(),
            false => {
                let text = fs::read_to_string(&table).unwrap();
                fs::write(&table, text.replace("\tattrition", "").replace("\tdeclined", ""))
                    .unwrap();
            }
        }
        assert_eq!(status(&dataset(dir.path(), &study)).unwrap().left.len(), 1);
        for label in ["02", "03"] {
            sits(here, (label, 1), "").unwrap();
        }
        assert_eq!(person(here, "01").attrition, Some(Attrition::Declined));
        let theirs = ["02", "03"].map(|label| person(here, label));
        let (hand, k) = (&before.cell["hand"], before.k);
        assert!(theirs.iter().any(|one| one.cell["hand"] == *hand && one.k == k), "{theirs:?}");
    }
}

#[test]
fn who_drops_out_gives_the_place_back_and_may_return() {
    let (dir, study) = (tempdir().unwrap(), study(&text("")));
    let here = (dir.path(), &study);
    sits(here, ("01", 1), "").unwrap();
    let before = person(here, "01");
    let said = |back| {
        let (label, reason, by) = ("01".to_owned(), "moved away".to_owned(), "AB".to_owned());
        drop_out(&dataset(dir.path(), &study), &DropOut { label, reason, by, back })
    };
    assert_eq!(said(false).unwrap(), Some(Attrition::DroppedOut));
    assert!(matches!(said(false), Err(CorrectError::Nothing { .. })));
    let refused = sits(here, ("01", 2), "").unwrap_err();
    assert!(matches!(refused, SessionError::Left { how: Attrition::DroppedOut, .. }), "{refused}");
    for label in ["02", "03"] {
        sits(here, (label, 1), "").unwrap();
    }
    let same = |label: &str| {
        let now = person(here, label);
        now.cell == before.cell && now.k == before.k
    };
    assert!(same("02") || same("03"), "nobody got the place");
    let found = status(&dataset(dir.path(), &study)).unwrap();
    assert_eq!(found.cells.values().sum::<usize>(), 2);
    assert_eq!(verify(&dataset(dir.path(), &study)).unwrap().problems.len(), 0);
    assert_eq!(said(true).unwrap(), None);
    assert_eq!(sits(here, ("01", 2), "").unwrap(), Ending::Completed);
    assert_eq!(verify(&dataset(dir.path(), &study)).unwrap().problems.len(), 0);
}

//! What a session does when it is taken up again is what it would have done without a break:
//! task by task, questions included, wherever it was killed or stopped, and the answers stand
//! where they would have stood.

use crate::common::{STUDY, dataset, journal, lines, run_open, study, who};
use chronotap_core::time::Nanos;
use chronotap_design::Ends;
use chronotap_session::{
    AfterPractice, Announcement, Doubt, Drawn, Ending, Frontend, FrontendError, Line, NotReached,
    Pause, Prompt, Reply, Study, TsvTable, Wish,
};
use chronotap_visit::Session;
use std::fs;
use std::path::Path;
use tempfile::tempdir;

const HEAD: &str = "task = \"t\"\nparticipants = 2\nseed = 1\ntrial = \"trial.toml\"\n\
    [factor]\ndelay = [\"0 ms\", \"5 ms\"]\n[set]\nfeedback.tone.delay = { factor = \"delay\" }\n\
    [question.effort]\ntext = \"Effort?\"\nscale = [1, 7]\n\
    [question.liked]\ntext = \"Liked?\"\nchoice = [\"yes\", \"no\"]\n";
const PRACTICE: &str = "[[step]]\nname = \"practice\"\ntrial = \"trial.toml\"\n\
    until = { if_all = [\"taps > 200\"] }\nat_most = 2\notherwise = \"go on\"\n";
const MAIN: &str = "[[step]]\nname = \"main\"\nshuffle = \"none\"\nask = [\"effort\"]\n";
const STAIRCASE: &str = "[staircase.late]\nset = \"feedback.tone.delay\"\nstart = \"60 ms\"\n\
    rule = \"2 down 1 up\"\nstep = [\"16 ms\", \"8 ms\"]\nbetween = [\"1 ms\", \"200 ms\"]\n\
    stop = \"8 reversals\"\nat_most = 3\ncorrect = \"note C4\"\n\
    [[step]]\nname = \"threshold\"\ntrial = \"trial.toml\"\nstaircases = [\"late\"]\n";
const REDONE: &str = "[[step]]\nname = \"again\"\nshuffle = \"none\"\nask = [\"liked\", \"effort\"]\n\
    redo = { if_any = [\"taps < 500\"], at_most = 1, place = \"block end\" }\n\
    rest = { every = 1, for = \"1 s\" }\n";
const ASKED: &str = "[[step]]\nask = [\"liked\"]\n";

/// Consent, then what is asked about the person; with `may` alone `no`, the session ends there.
fn consenting(may: &str) -> String {
    let head = HEAD.replace(
        "[question.effort]",
        "[participant]\nage = { question = \"Age?\", number = [18, 99] }\n[question.effort]",
    );
    format!(
        "{head}[question.consent]\ntext = \"Do you?\"\nchoice = {may}\n[[step]]\ntext = \"Welcome.\"\n\
         [[step]]\nask = [\"consent\"]\nstop_if = {{ consent = \"no\" }}\n[[step]]\nask = \"participant\"\n{MAIN}"
    )
}

/// Studies in which questions, texts and rests stand in all neighbourhoods.
fn studies() -> Vec<Study> {
    let asked = PRACTICE.replace("otherwise", "ask = [\"liked\"]\notherwise");
    let all = [
        STUDY.to_owned(),
        format!("{HEAD}{PRACTICE}{MAIN}"),
        format!("{HEAD}{PRACTICE}{}", MAIN.replace("shuffle", "text = \"Now.\"\nshuffle")),
        format!("{HEAD}{MAIN}{asked}{}", MAIN.replace("main", "more").replace("effort", "liked")),
        format!("{HEAD}{STAIRCASE}{MAIN}{ASKED}"),
        consenting("[\"yes\", \"no\"]"),
        consenting("[\"no\"]"),
        format!("{HEAD}{PRACTICE}{REDONE}{ASKED}{}", MAIN.replace("ask = [\"effort\"]\n", "")),
    ];
    all.iter().map(|text| study(text)).collect()
}

/// A frontend that remembers what the session does, and stops it once it did so much.
struct Remembering {
    drawn: Drawn,
    did: Vec<String>,
    stop_after: usize,
}

impl Frontend for Remembering {
    fn show_text(&mut self, text: &str) -> Result<(), FrontendError> {
        self.did.push(format!("text {text}"));
        Ok(())
    }
    fn ask(&mut self, prompt: &Prompt<'_>) -> Result<Reply, FrontendError> {
        let reply = self.drawn.ask(prompt)?;
        self.did.push(format!("{} of {}: {}", prompt.name, prompt.occasion, reply.answer));
        Ok(reply)
    }
    fn pause(&mut self, span: Nanos, why: Pause) -> Result<(), FrontendError> {
        self.did.extend((why == Pause::Rest).then(|| "rest".to_owned()));
        self.drawn.pause(span, why)
    }
    fn is_attended(&self) -> bool {
        false
    }
    fn beckoned(&mut self) -> bool {
        true
    }
    fn has_wish(&mut self) -> bool {
        false
    }
    fn wish(&mut self) -> Option<Wish> {
        (self.did.len() >= self.stop_after).then_some(Wish::Stop)
    }
    fn choose(&mut self) -> Result<Wish, FrontendError> {
        self.drawn.choose()
    }
    fn confirm(&mut self, doubt: &Doubt) -> Result<bool, FrontendError> {
        self.drawn.confirm(doubt)
    }

    fn missed(&mut self, _: &NotReached) -> Result<AfterPractice, FrontendError> {
        Ok(AfterPractice::GoOn)
    }
    fn tell(&mut self, told: &Announcement<'_>) {
        if let Announcement::TrialNext(next) = told {
            self.did.push(format!("trial {} of {}", next.trial, next.step));
        }
    }
}

/// How a session ended and what was done in it.
fn sit(root: &Path, study: &Study, stop_after: usize) -> (Ending, Vec<String>) {
    let drawn = Drawn::new(study.experiment.seed, "01", 1);
    let mut frontend = Remembering { drawn, did: Vec::new(), stop_after };
    let dataset = dataset(root, study);
    let mut session = Session::open(study, &dataset, &who(), &mut frontend).unwrap();
    let ending = run_open(&mut session, study, &mut frontend).unwrap();
    (ending, frontend.did)
}

/// Of each trial that counts, what was answered to each question; a session without a trial has no table.
fn answers(root: &Path, study: &Study) -> Vec<Vec<Option<String>>> {
    let path = root.join(study.place("01", 1).table());
    let Ok(text) = fs::read_to_string(path) else { return Vec::new() };
    let table = TsvTable::parse(&text).unwrap();
    let names = study.about.columns.questions.iter().map(|column| column.name.as_str());
    let names: Vec<&str> = ["step", "trial", "counts"].into_iter().chain(names).collect();
    let cell = |row, name: &&str| table.cell(row, name).map(str::to_owned);
    let of = |row| names.iter().map(|name| cell(row, name)).collect::<Vec<_>>();
    table.rows.iter().map(of).collect()
}

#[test]
fn a_question_is_asked_of_the_trials_whose_step_asks_it_and_of_no_other() {
    let study = study(&format!("{HEAD}{PRACTICE}{MAIN}"));
    let dir = tempdir().unwrap();
    let root = dir.path().join("whole");
    let (_, did) = sit(&root, &study, usize::MAX);
    let did: Vec<&str> = did.iter().map(|one| one.split(':').next().unwrap()).collect();
    let due = [
        "trial 1 of practice",
        "trial 2 of practice",
        "trial 1 of main",
        "effort of step 1 trial 1",
        "trial 2 of main",
        "effort of step 1 trial 2",
    ];
    assert_eq!(did, due);
}

/// Lines that stand for something that a frontend remembers.
fn done(lines: &[Line]) -> usize {
    let counts = |line: &&Line| {
        matches!(
            line,
            Line::Answered(_) | Line::Said { .. } | Line::Rested { .. } | Line::TrialBegan(_)
        )
    };
    lines.iter().filter(counts).count()
}

/// How a session ends in which all this was done: by the answer of whoever declines, or whole.
fn ending_of(did: &[String]) -> Ending {
    match did.iter().any(|one| one.starts_with("consent") && one.ends_with(": no")) {
        true => Ending::Answered(Ends::Participation),
        false => Ending::Completed,
    }
}

#[test]
fn killed_after_any_line_a_session_does_and_stores_what_it_would_have_without() {
    for study in studies() {
        let dir = tempdir().unwrap();
        let (root, cut) = (dir.path().join("whole"), dir.path().join("cut"));
        let (ending, whole) = sit(&root, &study, usize::MAX);
        assert_eq!(ending, ending_of(&whole));
        let bytes = fs::read(journal(&root, &study)).unwrap();
        let all = lines(&root, &study);
        let ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        for (place, (end, _)) in ends.enumerate() {
            let before = &all[..=place];
            let in_a_trial = matches!(before.last(), Some(Line::TrialBegan(_)));
            // Of the trial in which it was killed all files are there, or none is.
            for again in 0..=usize::from(in_a_trial) {
                copy(&root, &cut);
                fs::write(journal(&cut, &study), &bytes[..=end]).unwrap();
                forget_trials(&cut, &study, before, again);
                let (ending, rest) = sit(&cut, &study, usize::MAX);
                assert_eq!(ending, ending_of(&whole));
                let due = &whole[done(before) - again..];
                assert_eq!(rest, due, "cut after {:#?}", before.last());
                assert_eq!(answers(&cut, &study), answers(&root, &study), "cut after {place}");
                fs::remove_dir_all(&cut).unwrap();
            }
        }
    }
}

#[test]
fn stopped_before_any_task_a_session_goes_on_with_that_task() {
    for study in studies() {
        let dir = tempdir().unwrap();
        let root = dir.path().join("whole");
        let (_, whole) = sit(&root, &study, usize::MAX);
        for after in 0..whole.len() {
            let stopped = dir.path().join(format!("stopped-{after}"));
            let (ending, mut did) = sit(&stopped, &study, after);
            assert_eq!((ending, did.len()), (Ending::Stopped, after));
            did.extend(sit(&stopped, &study, usize::MAX).1);
            assert_eq!(did, whole, "stopped after {after}");
            assert_eq!(answers(&stopped, &study), answers(&root, &study), "stopped after {after}");
        }
    }
}

/// Removes the files of trials that had not begun, and of so many of the last that had.
fn forget_trials(root: &Path, study: &Study, before: &[Line], of_begun: usize) {
    let begun = before.iter().filter(|line| matches!(line, Line::TrialBegan(_))).count();
    let place = study.place("01", 1);
    for run in begun + 1 - of_begun..=40 {
        let events = place.events(run as u32);
        for path in [events.with_extension("json"), events] {
            let _ = fs::remove_file(root.join(path));
        }
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        match entry.path().is_dir() {
            true => copy(&entry.path(), &to),
            false => drop(fs::copy(entry.path(), to).unwrap()),
        }
    }
}

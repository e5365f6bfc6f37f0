//! What a session does next follows from its journal alone: a course that is told each line as it
//! happens, and asked in between, stands where one stands that reads the journal again, wherever
//! the journal ends. Studies and happenings are drawn.

use crate::common::TRIAL;
use chronotap_design::Experiment;
use chronotap_session::{
    Asked, Course, GivenAnswer, Line, Person, SessionPorts, StaircaseAnswer, Study, Task,
    TrialBegan, TrialEnded,
};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

const HEAD: &str = "task = \"t\"\nparticipants = 2\nseed = 1\ntrial = \"trial.toml\"\n\
    [factor]\ntempo = [\"90 ms\", \"110 ms\"]\ndelay = [\"0 ms\", \"5 ms\"]\n\
    [set]\npacing.metronome.interval = { factor = \"tempo\" }\n\
    feedback.tone.delay = { factor = \"delay\" }\n\
    [participant]\nage = { question = \"Age\", number = [1, 99] }\n\
    [question.effort]\ntext = \"Effort?\"\nscale = [1, 7]\n\
    [question.liked]\ntext = \"Liked?\"\nchoice = [\"yes\", \"no\"]\n\
    [question.block_liked]\ntext = \"Liked the block?\"\nchoice = [\"yes\", \"no\"]\n\
    [staircase.late]\nset = \"feedback.tone.delay\"\nstart = \"60 ms\"\nrule = \"1 down 1 up\"\n\
    step = [\"16 ms\", \"8 ms\"]\nbetween = [\"1 ms\", \"200 ms\"]\nstop = \"3 reversals\"\n\
    at_most = 5\ncorrect = \"note C4\"\nnone = \"repeat\"\n";

const ASKS: [&str; 3] = ["", "ask = [\"effort\"]\n", "ask = [\"liked\", \"effort\"]\n"];
const RESTS: [&str; 4] = [
    "",
    "rest = { every = 1, for = \"1 s\" }\n",
    "rest = { every = 2, for = \"1 s\" }\n",
    "rest = { every = \"2 s\", for = \"1 s\" }\n",
];
const BLOCKS: [&str; 3] = [
    "",
    "block = { by = \"tempo\", order = \"file\", text = \"Next.\", ask = [\"block_liked\"] }\n",
    "block = { by = \"tempo\", order = \"latin\" }\n",
];
const REDOS: [&str; 3] = [
    "",
    "redo = { if_any = [\"taps < 3\"], at_most = 2, place = \"at once\" }\n",
    "redo = { if_any = [\"taps < 3\"], at_most = 2, place = \"block end\" }\n",
];
const OTHERWISE: [&str; 3] = ["ask", "go on", "stop"];

/// A step of some kind, made by what was drawn for it.
fn step(number: usize, drawn: &[usize; 6]) -> String {
    let one_of = |all: &[&str], place: usize| all[drawn[place] % all.len()].to_owned();
    let (ask, rest) = (one_of(&ASKS, 1), one_of(&RESTS, 2));
    let name = format!("name = \"s{number}\"\n");
    let text = if drawn[5] == 0 { "text = \"Before.\"\n" } else { "" };
    let said = match drawn[0] % 7 {
        0 => "text = \"Welcome.\"\n".to_owned(),
        1 => "ask = [\"liked\"]\n".to_owned(),
        2 => "rest = { for = \"1 s\" }\n".to_owned(),
        3 => format!(
            "{name}{text}trial = \"trial.toml\"\n{ask}{rest}until = {{ if_all = [\"taps > 2\"] }}\n\
             at_most = {}\notherwise = \"{}\"\n",
            1 + drawn[3] % 3,
            one_of(&OTHERWISE, 4)
        ),
        4 => format!("{name}{text}trial = \"trial.toml\"\nstaircases = [\"late\"]\n{ask}{rest}"),
        5 => format!("{name}{text}trial = \"trial.toml\"\n{ask}{}", one_of(&REDOS, 4)),
        _ => {
            let (block, redo) = (one_of(&BLOCKS, 3), one_of(&REDOS, 4));
            format!("{name}{text}shuffle = \"all\"\n{ask}{rest}{block}{redo}")
        }
    };
    format!("[[step]]\n{said}")
}

fn study(steps: &[[usize; 6]]) -> Study {
    let steps = steps.iter().enumerate().map(|(number, drawn)| step(number, drawn));
    let text = format!("{HEAD}{}", steps.collect::<String>());
    let files = vec![("trial.toml".to_owned(), TRIAL.to_owned())];
    let read = Experiment::parse(&text, "study.toml", &files);
    Study::of(read.unwrap_or_else(|wrong| panic!("{wrong}\n{text}"))).unwrap()
}

/// What happens instead of what is due, or how a trial ends.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Happens {
    AsDue,
    Fails,
    Reaches,
    IsInterrupted,
    IsKilled,
    Repeat,
    Skip,
    Stop,
    Note,
}
use Happens::{AsDue, Fails, IsInterrupted, IsKilled, Note, Reaches, Repeat, Skip, Stop};

/// What is due happens more often than all else.
fn happening() -> impl Strategy<Value = Happens> {
    prop_oneof![
        6 => Just(AsDue), 3 => Just(Fails), 2 => Just(Reaches), 1 => Just(IsInterrupted),
        1 => Just(IsKilled), 1 => Just(Repeat), 1 => Just(Skip), 1 => Just(Stop), 1 => Just(Note),
    ]
}

fn at() -> String {
    String::new()
}

/// The lines that this adds to the journal.
fn lines(course: &Course<'_>, study: &Study, happens: Happens) -> Vec<Line> {
    match happens {
        Repeat => return repeated(course).into_iter().collect(),
        Skip => {
            let (reason, by) = (at(), at());
            let of = |(step, trial)| Line::Skipped { at: at(), step, trial, reason, by };
            return course.ahead().map(of).into_iter().collect();
        }
        Stop => {
            let (program, by, changed) = (at(), at(), Vec::new());
            let language = None;
            let ports = SessionPorts::default();
            let resumed =
                Line::Resumed { at: at(), program, by, changed, version: 1, language, ports };
            return vec![Line::Stopped { at: at(), by: at() }, resumed];
        }
        Note => return vec![Line::Noted { at: at(), text: at(), by: at() }],
        _ => {}
    }
    match course.next_task() {
        Task::Field { field } => {
            vec![answered(&study.experiment.fields[field].name, Asked::Participant)]
        }
        Task::Question { name, asked } => vec![answered(&name, asked)],
        Task::Say { step, block, run, .. } => vec![Line::Said { at: at(), step, block, run }],
        Task::Rest { step, after, .. } => vec![Line::Rested { at: at(), step, after }],
        Task::Decide { step, .. } => {
            vec![Line::Decided { at: at(), step, go_on: happens != Fails, again: false, by: at() }]
        }
        Task::Stop { step } => {
            vec![Line::Decided { at: at(), step, go_on: true, again: false, by: at() }]
        }
        Task::Nothing => vec![Line::Completed { at: at() }],
        Task::Trial(next) => {
            let staircase = next.staircase.and_then(|place| course.staircase(place));
            let began = TrialBegan {
                run: next.run,
                step: next.step,
                trial: next.trial,
                attempt: next.attempt,
                staircase: staircase.map(str::to_owned),
                ..TrialBegan::default()
            };
            let end = end(&began, happens);
            vec![Line::TrialBegan(Box::new(began)), end]
        }
    }
}

fn repeated(course: &Course<'_>) -> Option<Line> {
    let run = course.last_ended()?;
    Some(Line::Repeated { at: at(), run, reason: at(), by: at() })
}

fn answered(name: &str, asked: Asked) -> Line {
    Line::Answered(GivenAnswer { name: name.to_owned(), asked, ..GivenAnswer::default() })
}

fn end(began: &TrialBegan, happens: Happens) -> Line {
    if happens == IsKilled {
        return Line::TrialCut { at: at(), run: began.run, files: BTreeMap::new() };
    }
    let answer = match happens {
        Fails => StaircaseAnswer::Wrong,
        Reaches => StaircaseAnswer::None,
        _ => StaircaseAnswer::Correct,
    };
    Line::TrialEnded(Box::new(TrialEnded {
        run: began.run,
        length_s: 1.5,
        interrupted: happens == IsInterrupted,
        failed: if happens == Fails { vec!["taps < 3".into()] } else { Vec::new() },
        reached: Some(happens == Reaches),
        answer: began.staircase.as_ref().map(|_| answer),
        ..TrialEnded::default()
    }))
}

/// All that a course says of where it stands.
fn stands(course: &Course<'_>) -> String {
    let level = course.level(0);
    let (task, ahead) = (course.next_task(), course.ahead());
    let (counted, ended) = (course.counted(), course.last_ended());
    format!("{task:?} {ahead:?} {counted:?} {ended:?} {level:?} {:?}", course.open_trial())
}

/// The questions after each trial of a step.
fn asks(study: &Study, step: usize) -> Vec<String> {
    match &study.experiment.steps[step].doing {
        chronotap_design::Doing::Trials(trials) => trials.ask.clone(),
        _ => Vec::new(),
    }
}

/// What was asked was asked of the right trials: every question after every trial that stands,
/// once, and none after any other.
fn assert_asked(study: &Study, journal: &[Line], completed: bool) {
    let (mut began, mut out, mut given) = (BTreeMap::new(), BTreeSet::new(), Vec::new());
    let mut ended = BTreeSet::new();
    for line in journal {
        match line {
            Line::TrialBegan(trial) => drop(began.insert(trial.run, trial.step)),
            Line::TrialEnded(trial) if !trial.interrupted => drop(ended.insert(trial.run)),
            Line::Repeated { run, .. } => drop(out.insert(*run)),
            Line::Answered(GivenAnswer { name, asked: Asked::Run(run), .. }) => {
                given.push((*run, name.clone()));
            }
            _ => {}
        }
    }
    for (run, name) in &given {
        assert!(ended.contains(run) && asks(study, began[run]).contains(name), "{run}: {name}");
    }
    let once: BTreeSet<_> = given.iter().cloned().collect();
    assert_eq!(once.len(), given.len(), "asked twice");
    let due = ended.iter().filter(|run| completed && !out.contains(*run));
    let due = due.flat_map(|run| asks(study, began[run]).into_iter().map(|name| (*run, name)));
    for (run, name) in due {
        assert!(once.contains(&(run, name.clone())), "{name} was not asked after trial {run}");
    }
}

/// Practice, a staircase and conditions, with questions and rests between their trials.
#[test]
fn what_is_ahead_is_the_trial_that_comes_next_in_the_step() {
    for drawn in [[3, 1, 1, 2, 0, 0], [4, 1, 1, 0, 0, 0], [6, 1, 1, 1, 0, 0]] {
        let study = study(&[drawn]);
        let person = Person { label: "01".into(), ..Person::default() };
        let plan = Arc::new(study.plan(&person, 1).unwrap());
        let mut course = Course::new(&study.experiment, plan);
        let (mut ahead, mut compared) = (None, 0);
        for _ in 0..80 {
            match course.next_task() {
                Task::Trial(next) => {
                    let due = ahead.take();
                    compared += usize::from(due.is_some());
                    assert!(due.is_none_or(|due| due == (next.step, next.trial)), "{drawn:?}");
                }
                _ => ahead = course.ahead(),
            }
            lines(&course, &study, AsDue).iter().for_each(|line| course.take(line));
        }
        assert!(compared > 1, "{drawn:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn prop_a_session_does_live_what_it_does_from_its_journal_wherever_that_ends(
        steps in prop::collection::vec(prop::array::uniform6(0usize..12), 1..5),
        happenings in prop::collection::vec(happening(), 60),
    ) {
        let study = study(&steps);
        let person = Person { label: "01".into(), ..Person::default() };
        let plan = Arc::new(study.plan(&person, 1).unwrap());
        let new = || Course::new(&study.experiment, Arc::clone(&plan));
        let (mut live, mut journal) = (new(), Vec::new());
        // After what was drawn everything happens as it is due, until the session is complete.
        let due = std::iter::repeat_n(Reaches, 300);
        for happens in happenings.into_iter().chain(due) {
            for line in lines(&live, &study, happens) {
                live.take(&line);
                journal.push(line);
                let mut read = new();
                journal.iter().for_each(|line| read.take(line));
                prop_assert_eq!(stands(&live), stands(&read), "after {:#?}", journal);
            }
            if live.is_completed() {
                break;
            }
        }
        assert_asked(&study, &journal, live.is_completed());
        let planned = study.experiment.staircases.len() > 1 || live.is_completed();
        prop_assert!(planned, "not complete: {:?}", live.next_task());
        let (done, all) = live.counted();
        prop_assert_eq!(done, all);
    }
}

//! Sessions of a study in real time for Python: [`SessionRunning`] is one that runs in a thread of its
//! own. That thread never takes the lock of the interpreter: what it shows and asks goes to Python as
//! lines of JSON, and what Python answers comes back.

use crate::rig::Busy;
use chronotap_core::time::Nanos;
use chronotap_linux::clocks::{MonotonicClock, sleep_until};
use chronotap_linux::realtime::{Interrupt, Request};
use chronotap_rig::laboratory::{Bindings, PortNames, RealClock, Rig};
use chronotap_rig::runner::real_time::RealTimeSettings;
use chronotap_session::{
    AfterPractice, Announcement, AnsweredBy, Asks, Dataset, Doubt, Drawn, Frontend, FrontendError,
    NotReached, Pause, Prompt, Reply, SessionDisk, SessionPorts, Study, Who, Wish,
};
use chronotap_simulate::Tapper;
use chronotap_trial::TrialEnd;
use chronotap_visit::{Equipment, Session};
use chronotap_words::{Says, Surface};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Who comes, where the data go, and on which devices the session runs.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct How {
    study: PathBuf,
    data: PathBuf,
    participant: String,
    session: u32,
    inputs: Vec<(String, String)>,
    outputs: Vec<(String, String)>,
    /// The port of all inputs and outputs.
    port: Option<String>,
    answers: BTreeMap<String, String>,
    between: BTreeMap<String, String>,
    simulate: Option<String>,
    by: String,
    changed: bool,
    language: Option<String>,
    priority: Option<i32>,
}

/// A session that runs, or is over.
#[pyclass(frozen, module = "chronotap._native")]
pub struct SessionRunning {
    told: Mutex<Receiver<String>>,
    replies: Mutex<Sender<Value>>,
    end: End,
}

/// Runs a session in a thread of its own.
#[pyfunction]
pub fn start_session(how: How) -> PyResult<SessionRunning> {
    let busy = Busy::take()?;
    let interrupt = Interrupt::without_signals()?;
    let (to_python, told) = channel();
    let (replies, from_python) = channel();
    let end = End { interrupt, asked: Arc::default(), trial: Arc::default() };
    let asking = Asking {
        to_python: to_python.clone(),
        from_python,
        answers: how.answers.clone(),
        drawn: None,
        end: end.clone(),
        beckoned: false,
    };
    let work = move || {
        let over = match run(&how, asking) {
            Ok(done) => json!({ "kind": "over", "done": done }),
            Err(error) => json!({ "kind": "over", "error": error }),
        };
        drop(busy); // the next may begin once this one's end is known
        let _ = to_python.send(over.to_string()); // nobody hears it where Python has gone on
    };
    std::thread::Builder::new().name("session".into()).spawn(work)?;
    Ok(SessionRunning { told: told.into(), replies: replies.into(), end })
}

#[pymethods]
impl SessionRunning {
    /// What the session shows or asks next, as JSON; waits for it for at most so many milliseconds.
    fn next_line(&self, py: Python<'_>, patience_ms: u64) -> PyResult<Option<String>> {
        let patience = Duration::from_millis(patience_ms);
        match py.detach(|| lock(&self.told).recv_timeout(patience)) {
            Ok(line) => Ok(Some(line)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(PyRuntimeError::new_err(
                "the thread that ran the session died; its journal has what was done",
            )),
        }
    }

    /// Answers the last line that asked, by JSON.
    fn reply(&self, answer: &str) -> PyResult<()> {
        let answer = serde_json::from_str(answer)
            .map_err(|error| PyValueError::new_err(error.to_string()))?;
        let _ = lock(&self.replies).send(answer); // the session may be over
        Ok(())
    }

    /// Asks the session to stop: a trial that runs is ended, and its data are kept.
    fn stop(&self) {
        self.end.ask();
    }
}

/// How the session is asked to stop.
#[derive(Clone)]
struct End {
    interrupt: Interrupt,
    asked: Arc<AtomicBool>,
    trial: Arc<Mutex<Option<TrialEnd>>>,
}

impl End {
    fn ask(&self) {
        self.asked.store(true, Ordering::Release);
        self.interrupt.request();
        if let Some(trial) = &*lock(&self.trial) {
            trial.request();
        }
    }

    fn is_asked(&self) -> bool {
        self.asked.load(Ordering::Acquire)
    }
}

/// The whole session. The error is a sentence.
fn run(how: &How, mut frontend: Asking) -> Result<Value, String> {
    let dataset = Dataset::open(&how.data).ok();
    let study = Study::read_for(&how.study, dataset.as_ref()).map_err(said)?;
    let label = study.label(&how.participant).map_err(said)?;
    let wanted = how.language.as_deref();
    let study = study.for_session(wanted, dataset.as_ref(), &label, how.session).map_err(said)?;
    study.refuse_answers(&how.answers, how.session).map_err(said)?;
    let simulated = how.simulate.as_ref().map(|model| study.model(model, &label));
    if let Some(model) = &simulated {
        study.check_model(model).map_err(said)?;
        frontend.drawn = Some(Drawn::new(study.experiment.seed, &label, how.session));
    }
    let who = Who {
        label: label.clone(),
        session: how.session,
        cell: how.between.clone(),
        simulated: simulated.clone(),
        by: how.by.clone(),
        changed_is_fine: how.changed,
        from: None,
        ports: named(how),
    };
    let mut rig = opened(how, &study, frontend.end.interrupt)?;
    let (about, is_simulated) = (&study.about, simulated.is_some());
    let dataset = Dataset::open_or_make(&how.data, about, is_simulated, SessionDisk::durable());
    let dataset = dataset.map_err(said)?;
    let clock = RealClock::new(frontend.end.interrupt);
    let mut session = Session::open(&study, &dataset, &who, &mut frontend).map_err(said)?;
    let tapper = simulated.map_or(Tapper::Nobody, Tapper::Simulated);
    let mut equipment = Equipment {
        laboratory: &mut rig,
        in_real_time: Some(&clock),
        tapper: &tapper,
        limit: None,
        sinks: &[],
    };
    let ending = session.run(&mut equipment, &mut frontend).map_err(said)?;
    let tally = session.tally();
    Ok(json!({
        "participant": label,
        "complete": ending.is_over(),
        "answered": ending.answered(),
        "sound": session.is_sound(),
        "trials": tally.trials,
    }))
}

fn said(error: impl Says) -> String {
    error.says(Surface::Python)
}

/// The devices of the session.
fn opened(how: &How, study: &Study, interrupt: Interrupt) -> Result<Rig, String> {
    let (inputs, outputs) = study.inputs_and_outputs();
    let names = |of: &[(String, String)]| of.iter().map(|(n, p)| format!("{n}={p}")).collect();
    let given = PortNames { inputs: names(&how.inputs), outputs: names(&how.outputs) };
    let bindings =
        Bindings::resolve(&given, &inputs, &outputs, how.port.as_deref()).map_err(said)?;
    study.trials().iter().try_for_each(|file| bindings.suit(file)).map_err(said)?;
    let request = match how.priority {
        None => Request::nothing(),
        fifo_priority => Request { fifo_priority, ..Request::trial() },
    };
    let settings = RealTimeSettings { request, spin: true, serve_every: None };
    Rig::open(bindings, None, &settings, interrupt).map_err(said)
}

/// The ports by name, where somebody taps.
fn named(how: &How) -> SessionPorts {
    let of = |named: &[(String, String)]| match how.simulate {
        Some(_) => BTreeMap::new(),
        None => named.iter().cloned().collect(),
    };
    SessionPorts { inputs: of(&how.inputs), outputs: of(&how.outputs) }
}

/// The frontend whose screen is whatever Python makes of the lines.
struct Asking {
    to_python: Sender<String>,
    from_python: Receiver<Value>,
    answers: BTreeMap<String, String>,
    drawn: Option<Drawn>,
    end: End,
    /// Whether what was waited for last shall begin.
    beckoned: bool,
}

/// So long it waits before it looks whether the session is to stop.
const TURN: Duration = Duration::from_millis(20);
/// The same while it waits for a time.
const LOOK_AGAIN: Nanos = Nanos::from_millis(20);

impl Asking {
    fn told(&self, line: &Value) {
        let _ = self.to_python.send(line.to_string()); // Python may have gone on
    }

    /// Tells a line, and waits for the answer.
    fn asked(&self, line: &Value) -> Result<Value, FrontendError> {
        self.told(line);
        loop {
            match self.from_python.recv_timeout(TURN) {
                Ok(answer) => return Ok(answer),
                Err(RecvTimeoutError::Timeout) if !self.end.is_asked() => {}
                Err(_) => return Err(FrontendError::Interrupted),
            }
        }
    }
}

impl Frontend for Asking {
    fn show_text(&mut self, text: &str) -> Result<(), FrontendError> {
        let line = json!({ "kind": "text", "text": text.trim_end() });
        match self.drawn {
            Some(_) => self.told(&line),
            None => drop(self.asked(&line)?),
        }
        Ok(())
    }

    fn ask(&mut self, prompt: &Prompt<'_>) -> Result<Reply, FrontendError> {
        if let Some(given) = self.answers.get(prompt.name) {
            let (name, given) = (prompt.name.to_owned(), given.clone());
            let accepted = prompt.answer.accept(&given);
            return match accepted {
                Ok(answer) => Ok(Reply { answer, by: AnsweredBy::Option }),
                Err(expected) => Err(FrontendError::Refused { name, given, expected }),
            };
        }
        if let Some(drawn) = &mut self.drawn {
            return drawn.ask(prompt);
        }
        let mut wrong: Option<String> = None;
        loop {
            let given = self.asked(&json!({
                "kind": "question",
                "name": prompt.name,
                "text": prompt.text,
                "expected": prompt.answer.expected(),
                "experimenter": prompt.asks == Asks::Experimenter,
                "refused": wrong,
            }))?;
            let given = given.as_str().unwrap_or_default().to_owned();
            match prompt.answer.accept(&given) {
                Ok(answer) => return Ok(Reply { answer, by: AnsweredBy::Person }),
                Err(_) => wrong = Some(given),
            }
        }
    }

    fn pause(&mut self, span: Nanos, why: Pause) -> Result<(), FrontendError> {
        let why = match why {
            Pause::Gap => "gap",
            Pause::Rest => "rest",
        };
        self.told(&json!({ "kind": "pause", "seconds": span.as_secs_f64(), "why": why }));
        let until = MonotonicClock::raw() + span;
        while MonotonicClock::raw() < until {
            if self.end.is_asked() {
                return Err(FrontendError::Interrupted);
            }
            sleep_until(until.min(MonotonicClock::raw() + LOOK_AGAIN));
        }
        Ok(())
    }

    fn is_attended(&self) -> bool {
        self.drawn.is_none()
    }

    fn beckoned(&mut self) -> bool {
        std::mem::take(&mut self.beckoned)
    }

    fn wish(&mut self) -> Option<Wish> {
        self.end.is_asked().then_some(Wish::Stop)
    }

    fn has_wish(&mut self) -> bool {
        self.end.is_asked()
    }

    fn choose(&mut self) -> Result<Wish, FrontendError> {
        if self.end.is_asked() || self.drawn.is_some() {
            return Ok(Wish::Stop);
        }
        let chosen = self.asked(&json!({ "kind": "choose" }))?;
        let (what, text) = (chosen["wish"].as_str(), chosen["text"].as_str().unwrap_or_default());
        Ok(match what {
            Some("go on") => Wish::GoOn,
            Some("repeat") => Wish::Repeat(text.to_owned()),
            Some("skip") => Wish::Skip(text.to_owned()),
            _ => Wish::Stop,
        })
    }

    fn confirm(&mut self, doubt: &Doubt) -> Result<bool, FrontendError> {
        if self.drawn.is_some() {
            return Ok(true);
        }
        let (about, text) = question_of(doubt);
        let told = self.asked(&json!({ "kind": "confirm", "about": about, "text": text }))?;
        Ok(told.as_bool().unwrap_or(false))
    }

    fn missed(&mut self, practice: &NotReached) -> Result<AfterPractice, FrontendError> {
        if self.drawn.is_some() {
            return Ok(AfterPractice::GoOn);
        }
        let NotReached { step, missed } = practice;
        let text = format!("{} Go on all the same?", practice.said());
        let told = json!({ "kind": "practice", "step": step, "missed": missed, "text": text });
        Ok(match self.asked(&told)?.as_str() {
            Some("go on") => AfterPractice::GoOn,
            Some("again") => AfterPractice::Again,
            _ => AfterPractice::Stop,
        })
    }

    fn tell(&mut self, told: &Announcement<'_>) {
        match told {
            Announcement::TrialBegins { end, step, trial } => {
                *lock(&self.end.trial) = Some((*end).clone());
                if self.end.is_asked() {
                    end.request();
                }
                self.told(&json!({ "kind": "trial begins", "step": step, "trial": trial }));
            }
            Announcement::TrialEnded(report) => {
                *lock(&self.end.trial) = None;
                self.told(&json!({
                    "kind": "trial ended",
                    "step": report.step,
                    "trial": report.trial,
                    "attempt": report.attempt,
                    "interrupted": report.interrupted,
                    "taps": report.taps,
                    "mean_asynchrony_ms": report.mean_asynchrony_ms,
                    "timing_passed": report.timing_passed,
                    "complaints": report.complaints,
                }));
            }
            Announcement::Waits(go) => {
                let what = format!("{go:?}").to_lowercase();
                let answer = self.asked(&json!({ "kind": "waits", "for": what }));
                self.beckoned = answer.is_ok_and(|answer| answer.as_bool() == Some(true));
            }
            Announcement::TrialNext(next) => {
                let condition: BTreeMap<_, _> = next.condition.iter().cloned().collect();
                self.told(&json!({
                    "kind": "trial next",
                    "step": next.step,
                    "trial": next.trial,
                    "condition": condition,
                    "done": next.done,
                    "planned": next.planned,
                }));
            }
            Announcement::Opened(opened) => self.told(&json!({
                "kind": "opened",
                "title": opened.title,
                "participant": opened.participant,
                "done": opened.done,
                "planned": opened.planned,
                "resumed": opened.resumed,
            })),
            Announcement::Remark(text) => self.told(&json!({ "kind": "remark", "text": text })),
            Announcement::Stands(_) | Announcement::Ended(_) => {}
        }
    }
}

/// What a doubt is about, in a word, and as a question.
fn question_of(doubt: &Doubt) -> (&'static str, String) {
    let about = match doubt {
        Doubt::Tone { .. } => "tone",
        Doubt::NewParticipant { .. } => "new participant",
        Doubt::LongPause { .. } => "long pause",
        Doubt::OutOfTurn(_) => "turn",
    };
    (about, doubt.question())
}

fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

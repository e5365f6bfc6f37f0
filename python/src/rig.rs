//! Trials in real time for Python: [`Rig`] holds open devices, [`Running`] is a trial that
//! runs on them.
//!
//! Each trial has a thread of its own here, which hands it to the real-time thread and sums it
//! up. Neither ever takes the lock of the interpreter, so that whatever Python does meanwhile
//! costs no more than its own view of the trial, which is a sink like any other. Python
//! waits in short turns with the lock let go, and its signals reach it between two of them;
//! that Ctrl-C ends the trial is decided in python/chronotap/rig.py.

use crate::ended::Ended;
use chronotap_config::trial_files::TrialFile;
use chronotap_core::time::Nanos;
use chronotap_data::record::{RecordError, free_name};
use chronotap_linux::realtime::{Interrupt, Request};
use chronotap_rig::laboratory::{
    self as laboratory, BindingError, Bindings, FollowLines, KeepData, PortNames, RigError,
    SinkError, Sinks, TrialRun,
};
use chronotap_rig::recorder::Watch;
use chronotap_rig::runner::real_time::RealTimeSettings;
use chronotap_simulate::{Tapper, TapperError};
use chronotap_trial::TrialEnd;
use chronotap_words::{Says, Surface};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyList;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

/// Why a trial could not be run.
#[derive(Debug, thiserror::Error)]
pub enum Refused {
    /// A port's name was not understood. Correct it.
    #[error("{}", .0.says(Surface::Python))]
    Binding(#[from] BindingError),
    /// The laboratory refuses; its own error says why.
    #[error("{}", .0.says(Surface::Python))]
    Laboratory(#[from] RigError),
    /// Who is to tap was not understood.
    #[error("{}", .0.says(Surface::Python))]
    Tapper(#[from] TapperError),
    /// The data cannot be begun.
    #[error("{}", .0.says(Surface::Python))]
    Record(#[from] RecordError),
    /// The folder for the data cannot be made. Name one that you may write to.
    #[error("data = {}: cannot make the folder: {source}; name one you may write to", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A sink that is told of every trial cannot be opened; its own error says why.
    #[error("{0}")]
    Sink(SinkError),
    /// The rig is closed. Open another.
    #[error("the rig is closed; open another one")]
    Closed,
    /// Another trial runs. Wait for its end, or end it.
    #[error(
        "a trial is running already in this program; wait for its end, or end it with `rig.running.close()` of the rig that began it"
    )]
    Busy,
    /// This process is a copy (by `fork`) of the one that opened the rig, and threads are not
    /// copied. Open a rig here, or start processes by `spawn`.
    #[error(
        "this rig was opened by the process {0}, and this one is a copy of it, which has none of its threads; open a rig here"
    )]
    Copied(u32),
    /// The thread that ran the trial died; a fault of this program.
    #[error(
        "the thread that ran the trial died; `chronotap recover` makes data files of its journal"
    )]
    Died,
    /// The system is out of threads or descriptors. End other programs.
    #[error("cannot begin: {0}; end other programs")]
    System(#[from] std::io::Error),
}

impl From<Refused> for PyErr {
    fn from(refused: Refused) -> PyErr {
        match refused {
            Refused::Binding(_)
            | Refused::Tapper(_)
            | Refused::Laboratory(RigError::NoWire | RigError::Tapper(_))
            | Refused::Record(RecordError::LongName { .. }) => {
                PyValueError::new_err(refused.to_string())
            }
            Refused::Folder { path, source } => {
                let kind = source.kind();
                std::io::Error::new(kind, Refused::Folder { path, source }.to_string()).into()
            }
            _ => PyRuntimeError::new_err(refused.to_string()),
        }
    }
}

/// The process in which a trial runs, or [`NONE`]. Two that run at once would spoil each other's
/// timing, so trials run one at a time; a copy of the process (by `fork`) has none of its trials.
static RUNNING: AtomicU32 = AtomicU32::new(NONE);

/// No process has this number.
const NONE: u32 = 0;

/// While it lives no other trial is begun.
pub struct Busy(());

impl Busy {
    pub fn take() -> Result<Busy, Refused> {
        let here = std::process::id();
        match RUNNING.swap(here, Ordering::AcqRel) == here {
            false => Ok(Busy(())),
            true => Err(Refused::Busy),
        }
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        RUNNING.store(NONE, Ordering::Release);
    }
}

type Laboratory = Arc<Mutex<Option<laboratory::Rig>>>;

/// Devices that are open.
#[pyclass(frozen, module = "chronotap._native")]
pub struct Rig {
    laboratory: Laboratory,
    told: String,
    trial: Mutex<Option<(JoinHandle<()>, TrialEnd)>>, // the last one
    /// That has the threads of the rig. A copy of it has none, and must not wait for them.
    process: u32,
}

impl Rig {
    fn is_copied(&self) -> bool {
        std::process::id() != self.process
    }
}

impl Drop for Rig {
    fn drop(&mut self) {
        if self.is_copied() {
            std::mem::forget(Arc::clone(&self.laboratory));
            std::mem::forget(self.trial.get_mut().map_or(None, Option::take));
        }
    }
}

#[pymethods]
impl Rig {
    /// Opens the ports, each by the name of its input or output, and asks for the rights of
    /// real time; for none of them where there is no `priority`.
    #[new]
    fn open(
        py: Python<'_>,
        inputs: Vec<(String, String)>,
        outputs: Vec<(String, String)>,
        priority: Option<i32>,
        cpu: Option<usize>,
        spin: bool,
    ) -> PyResult<Rig> {
        let request = match priority {
            None => Request { cpu, ..Request::nothing() },
            fifo_priority => Request { fifo_priority, cpu, ..Request::trial() },
        };
        Ok(py.detach(|| {
            opened(&inputs, &outputs, &RealTimeSettings { request, spin, serve_every: None })
        })?)
    }

    /// What was asked of the system and granted, and what is to be known of the ports, as JSON.
    fn told(&self) -> &str {
        &self.told
    }

    /// Begins a trial; it runs by itself.
    fn start(&self, bytes: &[u8], name: &str, how: How) -> PyResult<Running> {
        if self.is_copied() {
            return Err(Refused::Copied(self.process).into());
        }
        let file = TrialFile::beside(bytes, std::path::Path::new(name))
            .map_err(|problems| PyValueError::new_err(problems.to_string()))?;
        let tapper = how.tapper(&file)?;
        let busy = Busy::take()?;
        let mut sinks = Sinks::open(&[]).map_err(Refused::Sink)?;
        let watch = sinks.watch(how.room);
        let order = Order { file, tapper, how, sinks };
        let (laboratory, end) = (Arc::clone(&self.laboratory), TrialEnd::default());
        let (done, ended) = sync_channel(1);
        let asked = end.clone();
        let work = move || {
            let result = order.run(&laboratory, &asked);
            drop((busy, order)); // the next trial may begin once this one's end is known
            let _ = done.send(Box::new(result)); // nobody asks for it where Python has gone on
        };
        let builder = std::thread::Builder::new().name("run".into());
        let thread = builder.spawn(work).map_err(Refused::System)?;
        *lock(&self.trial) = Some((thread, end.clone()));
        let (lines, state) = (Mutex::default(), Mutex::new(State::Running(ended)));
        Ok(Running { watch, lines, state, end })
    }

    /// Closes the devices. A trial that runs on them is asked to end, and waited for.
    fn close(&self, py: Python<'_>) {
        if self.is_copied() {
            return;
        }
        py.detach(|| {
            if let Some((trial, end)) = lock(&self.trial).take() {
                end.request();
                let _ = trial.join(); // that it died is told by its result
            }
            drop(lock(&self.laboratory).take());
        });
    }
}

fn opened(
    inputs: &[(String, String)],
    outputs: &[(String, String)],
    settings: &RealTimeSettings,
) -> Result<Rig, Refused> {
    let names = |of: &[(String, String)]| of.iter().map(|(n, p)| format!("{n}={p}")).collect();
    let given = PortNames { inputs: names(inputs), outputs: names(outputs) };
    let keys = |of: &'_ [(String, String)]| of.iter().map(|(name, _)| name.clone()).collect();
    let (inputs, outputs): (Vec<String>, Vec<String>) = (keys(inputs), keys(outputs));
    let inputs: Vec<&str> = inputs.iter().map(String::as_str).collect();
    let outputs: Vec<&str> = outputs.iter().map(String::as_str).collect();
    let bindings = Bindings::resolve(&given, &inputs, &outputs, None)?;
    let interrupt = Interrupt::without_signals()?;
    let rig = laboratory::Rig::open(bindings, None, settings, interrupt)?;
    let ready = rig.ready();
    let told = json!({
        "rights": ready.map(|ready| &ready.grant),
        "guard_ns": ready.map(|ready| ready.guard.0),
        "warnings": rig.warnings(),
    });
    let laboratory = Arc::new(Mutex::new(Some(rig)));
    let (told, trial) = (told.to_string(), Mutex::default());
    Ok(Rig { laboratory, told, trial, process: std::process::id() })
}

/// How a trial is run.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct How {
    seed: u64,
    participant: Option<String>,
    script: Option<PathBuf>,
    data: Option<PathBuf>,
    stem: String,
    limit_us: Option<i64>,
    room: usize,
}

impl How {
    fn tapper(&self, file: &TrialFile) -> Result<Tapper, Refused> {
        Ok(match (&self.script, &self.participant) {
            (Some(path), _) => Tapper::scripted(path, &file.trial)?,
            (None, Some(model)) => Tapper::simulated(model, file)?,
            (None, None) => Tapper::Nobody,
        })
    }
}

/// A trial that is to be run.
struct Order {
    file: TrialFile,
    tapper: Tapper,
    how: How,
    sinks: Sinks,
}

impl Order {
    /// Runs the trial under the first free number. Where another program takes that at the
    /// same moment, the next is tried; nothing has sounded by then.
    fn run(&self, laboratory: &Laboratory, end: &TrialEnd) -> Result<Ended, Refused> {
        let mut laboratory = lock(laboratory);
        let rig = laboratory.as_mut().ok_or(Refused::Closed)?;
        loop {
            let place = self.how.data.as_deref().map(|dir| self.place(dir)).transpose()?;
            let keep =
                place.as_ref().map_or(KeepData::Nothing, |(dir, name)| KeepData::Files(dir, name));
            let run = TrialRun {
                file: &self.file,
                seed: self.how.seed,
                tapper: &self.tapper,
                limit: self.how.limit_us.map(Nanos::from_micros),
                keep,
                sinks: self.sinks.all(),
            };
            match rig.run_until(&run, end, |_| {}) {
                Err(RigError::Record(RecordError::Exists { .. })) => {}
                finished => return Ok(Ended::of(&self.file, &finished?)),
            }
        }
    }

    fn place<'a>(&self, dir: &'a Path) -> Result<(&'a Path, String), Refused> {
        let refused = |source| Refused::Folder { path: dir.to_owned(), source };
        chronotap_core::files::create_folder(dir).map_err(refused)?;
        Ok((dir, free_name(dir, &self.how.stem)?))
    }
}

/// A trial that runs, or has ended.
#[pyclass(frozen, module = "chronotap._native")]
pub struct Running {
    watch: Watch,
    lines: Mutex<FollowLines>,
    state: Mutex<State>,
    end: TrialEnd,
}

/// What a trial gives.
type Outcome = Box<Result<Ended, Refused>>;

enum State {
    Running(Receiver<Outcome>),
    Ended(Option<Outcome>),
}

#[pymethods]
impl Running {
    /// The next line of docs/following.md; waits for it for at most so many milliseconds.
    fn next_line(&self, py: Python<'_>, patience_ms: u64) -> Option<String> {
        py.detach(|| {
            let notice = self.watch.next(Duration::from_millis(patience_ms))?;
            Some(lock(&self.lines).line(&notice).to_string())
        })
    }

    /// Whether no further line will come.
    fn is_over(&self) -> bool {
        self.watch.is_over()
    }

    /// Waits for the end of the trial for at most so many milliseconds; whether it has come.
    fn wait(&self, py: Python<'_>, patience_ms: u64) -> bool {
        py.detach(|| lock(&self.state).wait(Duration::from_millis(patience_ms)))
    }

    /// What came of the trial, once: JSON, and the columns of its events, taps and statistics.
    fn result<'py>(&self, py: Python<'py>) -> PyResult<(String, [Bound<'py, PyList>; 4])> {
        let result = match &mut *lock(&self.state) {
            State::Running(_) => None,
            State::Ended(result) => result.take(),
        };
        let waits = || PyRuntimeError::new_err("the trial has not ended");
        let ended = (*result.ok_or_else(waits)?)?;
        Ok((ended.told, ended.part.into_python(py)?))
    }

    /// Asks the trial to end; its data are kept.
    fn stop(&self) {
        self.end.request();
    }
}

impl State {
    fn wait(&mut self, patience: Duration) -> bool {
        if let State::Running(ended) = self {
            *self = match ended.recv_timeout(patience) {
                Ok(result) => State::Ended(Some(result)),
                Err(RecvTimeoutError::Disconnected) => {
                    State::Ended(Some(Box::new(Err(Refused::Died))))
                }
                Err(RecvTimeoutError::Timeout) => return false,
            };
        }
        true
    }
}

fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

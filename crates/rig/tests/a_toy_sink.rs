//! A sink that is none of this crate's, made as docs/adding.md says, in two files: it is told of
//! a trial as the others are.

use chronotap_config::trial_files::TrialFile;
use chronotap_core::time::Nanos;
use chronotap_linux::realtime::{Interrupt, Request};
use chronotap_rig::laboratory::{
    Bindings, FinishedTrial, KeepData, Listener, PortNames, Rig, SINK_KINDS, SinkError, SinkKind,
    Sinks, TrialRun,
};
use chronotap_rig::recorder::Notice;
use chronotap_rig::runner::real_time::RealTimeSettings;
use chronotap_simulate::Tapper;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Mutex;

// File 1: the sink. A bell that rings for each event, and writes down which.
static KIND: SinkKind = SinkKind { prefix: Some("bell"), open };

struct Bell {
    name: String,
}

#[derive(Debug, thiserror::Error)]
#[error("bell:{0} is cracked")]
struct Cracked(String);

impl Listener for Bell {
    fn name(&self) -> &'static str {
        "bell"
    }

    fn hear(&mut self, notice: &Notice) -> ControlFlow<()> {
        let heard = match notice {
            Notice::Begins(beginning) => format!("begins {}", beginning.header.title),
            Notice::Happened(entry) => format!("{}", entry.action.id),
            Notice::Ends(_) => "ends".into(),
            _ => return ControlFlow::Continue(()),
        };
        RUNG.lock().unwrap().push((self.name.clone(), heard));
        ControlFlow::Continue(())
    }
}

fn open(names: &[PathBuf]) -> Result<Vec<Box<dyn Listener>>, SinkError> {
    let bell = |name: &PathBuf| match name.display().to_string() {
        name if name == "13" => Err(SinkError::Own(Box::new(Cracked(name)))),
        name => Ok(Box::new(Bell { name }) as Box<dyn Listener>),
    };
    names.iter().map(bell).collect()
}

// File 2: the line in the list.
fn opened(names: &[PathBuf]) -> Result<Sinks, SinkError> {
    Sinks::of_kinds(&[&SINK_KINDS[..], &[&KIND]].concat(), names)
}

static RUNG: Mutex<Vec<(String, String)>> = Mutex::new(Vec::new());

/// What a bell of this name rang for.
fn rung(name: &str) -> Vec<String> {
    let rung = RUNG.lock().unwrap();
    rung.iter().filter(|(of, _)| of == name).map(|(_, heard)| heard.clone()).collect()
}

fn trial() -> TrialFile {
    let text = "title = \"Two beats\"\n[pacing.metronome]\nstart = \"1 ms\"\ninterval = \"10 ms\"\n\
        beats = 2\ntone = { note = 76, duration = \"1 ms\" }\n[feedback.tone]\n\
        [[when]]\ntime = \"25 ms\"\nend = true\n";
    TrialFile::parse(text, "trial.toml").unwrap()
}

fn wires() -> Bindings {
    Bindings::resolve(&PortNames::default(), &["input"], &["output"], Some("wire")).unwrap()
}

fn run(rig: &mut Rig, sinks: &Sinks) -> FinishedTrial {
    let (trial, tapper) = (trial(), Tapper::Nobody);
    let (limit, sinks) = (Some(Nanos::from_secs(60)), sinks.all());
    let run =
        TrialRun { file: &trial, seed: 1, tapper: &tapper, limit, keep: KeepData::Nothing, sinks };
    rig.run(&run, |_| {}).unwrap()
}

/// Beginning, every event of the data, and end.
fn whole(finished: &FinishedTrial) -> Vec<String> {
    let events = finished.entries.iter().map(|entry| entry.action.id.to_string());
    ["begins Two beats".into()].into_iter().chain(events).chain(["ends".into()]).collect()
}

#[test]
fn it_is_told_of_a_trial_in_virtual_time() {
    let sinks = opened(&["bell:door".into()]).unwrap();
    let mut rig = Rig::in_virtual_time(wires(), Nanos::from_secs(60)).unwrap();
    let finished = run(&mut rig, &sinks);
    drop(sinks);
    assert_eq!(rung("door"), whole(&finished));
}

#[test]
fn it_is_told_of_a_trial_on_a_wire_in_real_time() {
    let sinks = opened(&["bell:gate".into()]).unwrap();
    let settings = RealTimeSettings { request: Request::nothing(), spin: false, serve_every: None };
    let interrupt = Interrupt::without_signals().unwrap();
    let mut rig = Rig::open(wires(), None, &settings, interrupt).unwrap();
    let finished = run(&mut rig, &sinks);
    drop(sinks);
    assert_eq!(rung("gate"), whole(&finished));
}

#[test]
fn each_name_is_opened_by_its_kind_and_refused_in_its_own_words() {
    let named = |names: &[&str]| opened(&names.iter().map(PathBuf::from).collect::<Vec<_>>());
    assert_eq!(named(&["bell:a", "bell:b", "-"]).unwrap().all().len(), 3);
    assert!(matches!(named(&["bell:13"]), Err(SinkError::Own(error)) if error.is::<Cracked>()));
    assert!(matches!(named(&["bel:a"]), Err(SinkError::Follow(_))), "a path of that name");
    assert!(matches!(Sinks::open(&["bell:a".into()]), Err(SinkError::Follow(_))));
}

/// Of another program, say: it waits for nobody, and is told of every trial.
static ALWAYS: SinkKind = SinkKind { prefix: Some("always"), open: always };

fn always(_: &[PathBuf]) -> Result<Vec<Box<dyn Listener>>, SinkError> {
    Ok(vec![Box::new(Bell { name: "always".into() })])
}

#[test]
fn a_kind_that_needs_no_name_is_told_where_none_is_given() {
    let sinks = Sinks::of_kinds(&[&ALWAYS], &[]).unwrap();
    let mut rig = Rig::in_virtual_time(wires(), Nanos::from_secs(60)).unwrap();
    let finished = run(&mut rig, &sinks);
    drop(sinks);
    assert_eq!(rung("always"), whole(&finished));
}

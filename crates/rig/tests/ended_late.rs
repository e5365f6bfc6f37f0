//! Somebody ends a trial when it is over already, while its data are being saved: that neither
//! ends the next trial nor changes what is said of either.

use chronotap_core::time::Nanos;
use chronotap_design::Experiment;
use chronotap_linux::realtime::{Interrupt, Request};
use chronotap_rig::laboratory::{Bindings, FinishedTrial, RealClock, Rig, TrialRun};
use chronotap_rig::runner::real_time::RealTimeSettings;
use chronotap_session::{
    AfterPractice, Announcement, Dataset, Doubt, Drawn, Ending, Frontend, FrontendError, Line,
    NotReached, Pause, Prompt, Reply, SessionDisk, Study, Who, Wish, read_lines,
};
use chronotap_simulate::{NotRun, Tapper, TrialRunner, Wires};
use chronotap_trial::TrialEnd;
use chronotap_visit::{Equipment, Session};

/// A trial of 30 ms; the next one begins at once.
const TRIAL: &str = "[pacing.m]\ninterval = \"10 ms\"\n[[when]]\ntime = \"30 ms\"\nend = true\n";
const STUDY: &str = "\
title = \"Two trials\"
task = \"two\"
participants = 1
seed = 3
trial = \"trial.toml\"
[[step]]
name = \"main\"
repetitions = 2
gap = \"0 s\"
";

/// What somebody does once the first trial is over and not yet written down.
type Late<'l> = &'l mut dyn FnMut(&TrialEnd);

struct EndedLate<'l> {
    rig: Rig,
    late: Option<Late<'l>>,
}

impl TrialRunner for EndedLate<'_> {
    fn run(
        &mut self,
        run: &TrialRun<'_>,
        end: &TrialEnd,
        progress: &mut dyn FnMut(Nanos),
    ) -> Result<FinishedTrial, NotRun> {
        let finished = self.rig.run_until(run, end, progress);
        self.late.take().into_iter().for_each(|late| late(end));
        Ok(finished?)
    }

    fn reuse(&mut self, finished: &mut FinishedTrial) {
        self.rig.reuse(finished);
    }
}

/// Counts how often it is asked how to go on; it goes on.
struct Counting(Drawn, usize);

impl Frontend for Counting {
    fn show_text(&mut self, text: &str) -> Result<(), FrontendError> {
        self.0.show_text(text)
    }
    fn ask(&mut self, prompt: &Prompt<'_>) -> Result<Reply, FrontendError> {
        self.0.ask(prompt)
    }
    fn pause(&mut self, span: Nanos, why: Pause) -> Result<(), FrontendError> {
        self.0.pause(span, why)
    }
    fn is_attended(&self) -> bool {
        false
    }
    fn beckoned(&mut self) -> bool {
        true
    }
    fn wish(&mut self) -> Option<Wish> {
        None
    }
    fn confirm(&mut self, doubt: &Doubt) -> Result<bool, FrontendError> {
        self.0.confirm(doubt)
    }
    fn missed(&mut self, practice: &NotReached) -> Result<AfterPractice, FrontendError> {
        self.0.missed(practice)
    }
    fn choose(&mut self) -> Result<Wish, FrontendError> {
        self.1 += 1;
        Ok(Wish::GoOn)
    }
    fn tell(&mut self, _told: &Announcement<'_>) {}
}

/// How often it was asked how to go on, and of each trial whether it was interrupted.
fn sit(late: Late<'_>, interrupt: Interrupt) -> (usize, Vec<bool>) {
    let files = vec![("trial.toml".to_owned(), TRIAL.to_owned())];
    let study = Study::of(Experiment::parse(STUDY, "study.toml", &files).unwrap()).unwrap();
    let dir = tempfile::tempdir().unwrap();
    let disk = SessionDisk::that_syncs_at_the_end();
    let dataset = Dataset::open_or_make(dir.path(), &study.about, true, disk).unwrap();
    let settings = RealTimeSettings { request: Request::nothing(), spin: false, serve_every: None };
    let (inputs, outputs) = study.inputs_and_outputs();
    let wires = Bindings::from(&Wires::unthrottled(&inputs, &outputs));
    let rig = Rig::open(wires, None, &settings, interrupt).unwrap();
    let mut frontend = Counting(Drawn::new(3, "01", 1), 0);
    let simulated = Some("tapper".to_owned());
    let who = Who { label: "01".into(), session: 1, simulated, ..Who::default() };
    let clock = RealClock::new(interrupt);
    let mut session = Session::open(&study, &dataset, &who, &mut frontend).unwrap();
    let mut equipment = Equipment {
        laboratory: &mut EndedLate { rig, late: Some(late) },
        in_real_time: Some(&clock),
        tapper: &Tapper::Nobody,
        limit: None,
        sinks: &[],
    };
    assert_eq!(session.run(&mut equipment, &mut frontend).unwrap(), Ending::Completed);
    let journal = dir.path().join(study.place("01", 1).journal());
    let ended = read_lines(&journal).unwrap().into_iter().filter_map(|line| match line {
        Line::TrialEnded(ended) => Some(ended.interrupted),
        _ => None,
    });
    (frontend.1, ended.collect())
}

/// One test for both: Ctrl-C is the whole process's.
#[test]
fn whoever_ends_a_trial_while_it_is_being_saved_ends_no_other() {
    let interrupt = Interrupt::apart().unwrap();
    let mut by_page = |end: &TrialEnd| assert!(!end.request(), "it was over");
    assert_eq!(sit(&mut by_page, interrupt), (0, vec![false, false]));

    // Ctrl-C names no trial: it is asked how to go on, before the next one begins.
    let mut by_signal = |_: &TrialEnd| interrupt.request();
    assert_eq!(sit(&mut by_signal, interrupt), (1, vec![false, false]));
}

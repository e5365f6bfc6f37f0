//! Which tap is the answer to a staircase: the first one in the window that the study states. Taps
//! before it are none, and neither is a second answer; both are in the data, and are told.

use crate::common::{dataset, lines, trials, who};
use chronotap_config::trial_files::performers::Script;
use chronotap_core::time::Nanos;
use chronotap_design::Experiment;
use chronotap_session::{
    AfterPractice, Announcement, Doubt, Drawn, Frontend, FrontendError, Line, NotReached, Pause,
    Prompt, Reply, StaircaseAnswer, Study, TrialEnded, Wish,
};
use chronotap_simulate::Tapper;
use chronotap_visit::{Equipment, Session};
use tempfile::tempdir;

/// The last tone of the first stream comes after 0.2 s, that of the second after 0.6 s.
const TRIAL: &str = "\
[input.keys]
[pacing.first]
interval = \"100 ms\"
beats = 3
start = \"0 s\"
tone = { note = 76, duration = \"5 ms\" }
answered_by = \"none\"
[pacing.second]
interval = \"100 ms\"
beats = 3
start = \"400 ms\"
tone = { note = 76, duration = \"5 ms\" }
answered_by = \"none\"
[[pacing.second.change]]
name = \"probe\"
at = 2
onset_shift = \"0 ms\"
[[when]]
time = \"1 s\"
end = true
";

/// Wrong in the first stream; wrong in the second; then, after all tones, correct and wrong.
const TAPS: &str = "onset\tduration\tnote\tvelocity\n0.150\t0.02\t62\t90\n\
                    0.450\t0.02\t62\t90\n0.700\t0.02\t60\t90\n0.800\t0.02\t62\t90\n";

fn study(answer: &str, trial: &str) -> Study {
    let text = format!(
        "task = \"t\"\nparticipants = 2\nseed = 1\n[staircase.late]\n\
         set = \"pacing.second.change.probe.onset_shift\"\nstart = \"40 ms\"\n\
         rule = \"2 down 1 up\"\nstep = \"8 ms\"\nbetween = [\"1 ms\", \"80 ms\"]\n\
         stop = \"8 reversals\"\nat_most = 1\ncorrect = \"note C4\"\n{answer}\n\
         [[step]]\nname = \"threshold\"\ntrial = \"t.toml\"\nstaircases = \"late\"\n"
    );
    let files = vec![("t.toml".to_owned(), trial.to_owned())];
    Study::of(Experiment::parse(&text, "study.toml", &files).unwrap()).unwrap()
}

/// Draws what is asked, and keeps what the experimenter is told.
struct Told(Drawn, Vec<String>);

impl Frontend for Told {
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
        self.0.is_attended()
    }

    fn beckoned(&mut self) -> bool {
        self.0.beckoned()
    }

    fn wish(&mut self) -> Option<Wish> {
        self.0.wish()
    }

    fn choose(&mut self) -> Result<Wish, FrontendError> {
        self.0.choose()
    }

    fn confirm(&mut self, doubt: &Doubt) -> Result<bool, FrontendError> {
        self.0.confirm(doubt)
    }

    fn missed(&mut self, _: &NotReached) -> Result<AfterPractice, FrontendError> {
        Ok(AfterPractice::GoOn)
    }

    fn tell(&mut self, announcement: &Announcement<'_>) {
        if let Announcement::Remark(said) = announcement {
            self.1.push((*said).to_owned());
        }
    }
}

/// The only trial of a session in which these taps come, and what was told.
fn answered(answer: &str, trial: &str) -> (TrialEnded, Vec<String>) {
    let (dir, study) = (tempdir().unwrap(), study(answer, trial));
    let root = dir.path().join("d");
    let dataset = dataset(&root, &study);
    let mut told = Told(Drawn::new(1, "01", 1), Vec::new());
    let mut session = Session::open(&study, &dataset, &who(), &mut told).unwrap();
    let script = Script::parse(TAPS, "taps.tsv", &["keys".to_owned()]).unwrap();
    let mut laboratory = trials(&study);
    let mut equipment = Equipment {
        laboratory: &mut laboratory,
        in_real_time: None,
        tapper: &Tapper::Scripted(script, "taps.tsv".into()),
        limit: None,
        sinks: &[],
    };
    session.run(&mut equipment, &mut told).unwrap();
    drop(session);
    let ended = lines(&root, &study).into_iter().find_map(|line| match line {
        Line::TrialEnded(ended) => Some(*ended),
        _ => None,
    });
    (ended.unwrap(), told.1)
}

#[test]
fn taps_during_the_sounds_are_no_answer_and_are_told() {
    use StaircaseAnswer::{Correct, Wrong};
    for answer in ["", "answer = { after = \"second\" }", "answer = { from = \"0.65 s\" }"] {
        let (ended, told) = answered(answer, TRIAL);
        let found = (ended.answer, ended.early_taps, ended.then_answered);
        assert_eq!(found, (Some(Correct), 2, Some(Wrong)), "{answer}");
        for said in [
            "2 taps before an answer could be given: not counted",
            "another answer after the first",
        ] {
            assert!(ended.flags.iter().any(|flag| flag.contains(said)), "{:?}", ended.flags);
            assert!(told.iter().any(|told| told.contains(said)), "{told:?}");
        }
    }
}

#[test]
fn the_window_is_where_the_study_says() {
    use StaircaseAnswer::{Correct, Wrong};
    let of = |answer: &str| {
        let ended = answered(answer, TRIAL).0;
        (ended.answer.unwrap(), ended.early_taps, ended.then_answered)
    };
    assert_eq!(of("answer = { from = \"0 s\" }"), (Wrong, 0, Some(Correct)));
    assert_eq!(of("answer = { after = \"first\" }"), (Wrong, 1, Some(Correct)));
    assert_eq!(of("answer = { after = \"second\", delay = \"150 ms\" }"), (Wrong, 3, None));
}

#[test]
fn a_trial_that_ends_before_the_window_has_no_answer() {
    let cut = TRIAL.replace("time = \"1 s\"", "tap = 2");
    let (ended, _) = answered("", &cut);
    assert_eq!((ended.answer, ended.early_taps), (Some(StaircaseAnswer::None), 2));
}

#[test]
fn without_a_stream_that_ends_every_tap_is_an_answer() {
    let endless = TRIAL.replace("beats = 3\n", "");
    let (ended, told) = answered("", &endless);
    let found = (ended.answer, ended.early_taps, ended.then_answered);
    assert_eq!(found, (Some(StaircaseAnswer::Wrong), 0, Some(StaircaseAnswer::Correct)));
    assert!(!told.iter().any(|said| said.contains("before an answer")), "{told:?}");
}

#[test]
fn a_journal_that_names_an_answer_is_read_as_it_was_written() {
    let old = r#"{"what":"trial_ended","at":"","run":1,"onset":"","length_s":1.0,"timing_passed":true,
        "data_usable":true,"interrupted":false,"statistics":{},"answer":"wrong","files":{}}"#;
    let Line::TrialEnded(ended) = serde_json::from_str(old).unwrap() else { panic!("{old}") };
    let then = (ended.early_taps, ended.then_answered, ended.reversal);
    assert_eq!((ended.answer, then), (Some(StaircaseAnswer::Wrong), (0, None, None)));
    assert!(!serde_json::to_string(&ended).unwrap().contains("early_taps"));
}

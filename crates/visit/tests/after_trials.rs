//! What follows a trial for those who sit there: participants read how it went, and an experimenter may
//! let somebody practise once more whose practice did not reach its criterion.

use crate::common::{dataset, lines, rows, run_in, run_open, study, who};
use chronotap_core::time::Nanos;
use chronotap_session::verify::verify;
use chronotap_session::{
    AfterPractice, Announcement, Dataset, Drawn, Ending, Frontend, FrontendError, Line, NotReached,
    Pause, Prompt, Reply, Study, TrialEnded, Wish,
};
use chronotap_simulate::InRealTime;
use chronotap_visit::Session;
use std::cell::Cell;
use std::collections::VecDeque;
use std::path::Path;
use tempfile::tempdir;

/// Somebody who decides this, one after another, and remembers what was asked, read and remarked.
struct Deciding {
    drawn: Drawn,
    decisions: VecDeque<AfterPractice>,
    asked: Vec<NotReached>,
    read: Vec<String>,
    remarks: Vec<String>,
}

impl Frontend for Deciding {
    fn show_text(&mut self, text: &str) -> Result<(), FrontendError> {
        self.read.push(text.to_owned());
        Ok(())
    }
    fn ask(&mut self, prompt: &Prompt<'_>) -> Result<Reply, FrontendError> {
        self.read.push(format!("({})", prompt.name));
        self.drawn.ask(prompt)
    }
    fn pause(&mut self, span: Nanos, why: Pause) -> Result<(), FrontendError> {
        self.drawn.pause(span, why)
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
    fn choose(&mut self) -> Result<Wish, FrontendError> {
        self.drawn.choose()
    }
    fn confirm(&mut self, doubt: &chronotap_session::Doubt) -> Result<bool, FrontendError> {
        self.drawn.confirm(doubt)
    }
    fn missed(&mut self, practice: &NotReached) -> Result<AfterPractice, FrontendError> {
        self.asked.push(practice.clone());
        Ok(self.decisions.pop_front().unwrap())
    }
    fn tell(&mut self, told: &Announcement<'_>) {
        if let Announcement::Remark(text) = told {
            self.remarks.push((*text).to_owned());
        }
    }
}

fn sit(root: &Path, study: &Study, decisions: &[AfterPractice]) -> (Ending, Deciding) {
    let drawn = Drawn::new(study.experiment.seed, "01", 1);
    let decisions = decisions.iter().copied().collect();
    let (asked, read, remarks) = (Vec::new(), Vec::new(), Vec::new());
    let mut frontend = Deciding { drawn, decisions, asked, read, remarks };
    let dataset = dataset(root, study);
    let mut session = Session::open(study, &dataset, &who(), &mut frontend).unwrap();
    let ending = run_open(&mut session, study, &mut frontend).unwrap();
    (ending, frontend)
}

/// How many taps a trial had, by the line of its end.
fn taps_of(ended: &TrialEnded) -> f64 {
    let taps = |(name, value): (&String, &f64)| name.starts_with("taps of").then_some(*value);
    ended.statistics.iter().find_map(taps).unwrap()
}

const HEAD: &str = "task = \"t\"\nparticipants = 2\nseed = 1\ntrial = \"trial.toml\"\n";

/// Practice that nobody can pass: a hit lies within a nanosecond.
const PRACTICE: &str = "[[step]]\nname = \"p\"\ntrial = \"trial.toml\"\n\
     until = { hits = 3, of = 3, within = \"1 ns\" }\nat_most = 2\n";

/// Practice once more, as often as it is decided, and then what was decided.
#[test]
fn practice_that_missed_its_criterion_is_asked_about_and_goes_on_once_more() {
    use AfterPractice::{Again, GoOn, Stop};
    let last = "[[step]]\ntext = \"Thank you.\"\n";
    let study = study(&format!("{HEAD}{PRACTICE}{last}"));
    for (decisions, trials, due) in [
        (&[GoOn][..], 2, Ending::Completed),
        (&[Again, GoOn], 3, Ending::Completed),
        (&[Again, Again, Stop], 4, Ending::Stopped),
    ] {
        let dir = tempdir().unwrap();
        let root = dir.path().join("d");
        let (ending, frontend) = sit(&root, &study, decisions);
        assert_eq!((ending, rows(&root, &study).len()), (due, trials), "{decisions:?}");
        let missed = Some("0 of the last 3 beats were hit, and 3 are needed".to_owned());
        let due = NotReached { step: "p".into(), missed };
        assert_eq!(frontend.asked, vec![due; decisions.len()]);
        let kept = lines(&root, &study).into_iter().filter_map(|line| match line {
            Line::Decided { go_on, again, .. } => Some((go_on, again)),
            _ => None,
        });
        let given = decisions.iter().map(|one| (*one != Stop, *one == Again));
        assert!(kept.eq(given), "{decisions:?}");
        let found = verify(&Dataset::open(&root).unwrap()).unwrap();
        assert!(found.problems.is_empty(), "{found:?}");
    }
}

#[test]
fn a_comparison_that_does_not_hold_is_told_with_the_value_that_was_found() {
    let step = "[[step]]\nname = \"p\"\ntrial = \"trial.toml\"\nat_most = 1\notherwise = \"go on\"\n\
                until = { if_all = [\"taps > 200\", \"taps > 1\"] }\n";
    let study = study(&format!("{HEAD}{step}"));
    let dir = tempdir().unwrap();
    let root = dir.path().join("d");
    let (_, frontend) = sit(&root, &study, &[]);
    let taps = lines(&root, &study).into_iter().find_map(|line| match line {
        Line::TrialEnded(ended) => Some(taps_of(&ended)),
        _ => None,
    });
    let due = format!("p: taps > 200 is needed, and it is {}", taps.unwrap());
    assert!(frontend.remarks.contains(&due), "{:?}", frontend.remarks);
}

#[test]
fn a_blind_experimenter_is_not_told_how_far_practice_was_from_its_criterion() {
    let study = study(&format!("blind = true\n{HEAD}{PRACTICE}"));
    let dir = tempdir().unwrap();
    let (_, frontend) = sit(&dir.path().join("d"), &study, &[AfterPractice::GoOn]);
    assert_eq!(frontend.asked, [NotReached { step: "p".into(), missed: None }]);
    assert!(!frontend.remarks.iter().any(|remark| remark.contains("were hit")));
}

/// The results are those of the trial that has just ended, and not of the whole step.
#[test]
fn after_each_trial_and_its_questions_a_participant_reads_how_it_went() {
    let step = "[factor]\nx = [1, 2]\n[question.effort]\ntext = \"Hard?\"\nscale = [1, 7]\n\
                [[step]]\nname = \"m\"\nshuffle = \"none\"\nask = \"effort\"\n\
                keep = { n = \"taps\", early = \"mean asynchrony\" }\n\
                tell = \"You tapped {m.n} times, {m.early} from the tones.\"\n";
    let study = study(&format!("{HEAD}{step}"));
    let dir = tempdir().unwrap();
    let root = dir.path().join("d");
    let (_, frontend) = sit(&root, &study, &[]);
    let ended: Vec<_> = lines(&root, &study)
        .into_iter()
        .filter_map(|line| match line {
            Line::TrialEnded(ended) => Some((ended.run, taps_of(&ended), ended.kept["early"])),
            _ => None,
        })
        .collect();
    assert_ne!(ended[0].2, ended[1].2, "two trials that differ");
    let of = |(_, taps, early): &(u32, f64, f64)| {
        let early = format!("{:.0}", early / 1e6).replace('-', "\u{2212}");
        ["(effort)".to_owned(), format!("You tapped {taps} times, {early} ms from the tones.")]
    };
    assert_eq!(frontend.read, ended.iter().flat_map(of).collect::<Vec<_>>());
    let said = lines(&root, &study).into_iter().filter_map(|line| match line {
        Line::Said { run, .. } => run,
        _ => None,
    });
    assert!(said.eq(ended.iter().map(|one| one.0)), "each in the journal, by its trial");
}

#[test]
fn practice_to_hits_tells_how_many_there_were() {
    let tell = "tell = \"You hit {p.hits} of the last 3 tones.\"\n";
    let study = study(&format!("{HEAD}{PRACTICE}{tell}"));
    let dir = tempdir().unwrap();
    let (_, frontend) = sit(&dir.path().join("d"), &study, &[AfterPractice::GoOn]);
    assert_eq!(frontend.read, ["You hit 0 of the last 3 tones."; 2]);
}

/// A computer whose clock of day was set by so much since it was last asked.
struct SetBack(Cell<Option<Nanos>>);

impl InRealTime for SetBack {
    fn now(&self) -> Nanos {
        Nanos::ZERO
    }
    fn sleep_until(&self, _: Nanos) {}
    fn is_interrupted(&self) -> bool {
        false
    }
    fn rearm(&self) {}
    fn day_was_set_by(&self) -> Option<Nanos> {
        self.0.take()
    }
}

/// A board without a clock of its own that learns the time in mid-session.
#[test]
fn a_clock_that_is_set_in_mid_session_is_said_and_noted_once_before_the_next_trial() {
    let study =
        study(&format!("{HEAD}[[step]]\nname = \"s\"\ntrial = \"trial.toml\"\nrepetitions = 2\n"));
    let dir = tempdir().unwrap();
    let root = dir.path().join("d");
    let drawn = Drawn::new(study.experiment.seed, "01", 1);
    let (asked, read, remarks) = (Vec::new(), Vec::new(), Vec::new());
    let mut frontend = Deciding { drawn, decisions: VecDeque::new(), asked, read, remarks };
    let dataset = dataset(&root, &study);
    let mut session = Session::open(&study, &dataset, &who(), &mut frontend).unwrap();
    let clock = SetBack(Cell::new(Some(Nanos::from_secs(-7_200))));
    let ended = run_in(&mut session, &study, &mut frontend, Some(&clock));
    assert_eq!(ended.unwrap(), Ending::Completed);
    let said = |text: &&String| text.contains("was set back by 7200 s in mid-session");
    assert_eq!(frontend.remarks.iter().filter(said).count(), 1, "{:?}", frontend.remarks);
    let lines = lines(&root, &study);
    let noted = |line: &Line| matches!(line, Line::Noted { text, .. } if said(&text));
    let trial = |line: &Line| matches!(line, Line::TrialBegan(_));
    let (noted, trial) = (lines.iter().position(noted), lines.iter().position(trial));
    assert!(noted.is_some() && noted < trial, "{lines:?}");
}

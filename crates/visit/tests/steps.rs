//! What stands between trials: practice, redoing, repeating, leaving out, stopping, and who
//! is assigned to what.

use crate::common::{STUDY, TRIAL, dataset, lines, rows, run_in, run_open, sit, study, who, wires};
use chronotap_core::time::Nanos;
use chronotap_data::shares::Shard;
use chronotap_design::Experiment;
use chronotap_session::rehearse::{Rehearsal, rehearse};
use chronotap_session::status::status;
use chronotap_session::verify::verify;
use chronotap_session::{
    AfterPractice, Announcement, AnsweredBy, Asked, Dataset, Doubt, Drawn, Ending, Frontend,
    FrontendError, Line, NotReached, OpenJournal, Pause, Prompt, Reply, SessionDisk, Study,
    TsvTable, Who, Wish, read_lines,
};
use chronotap_simulate::InRealTime;
use chronotap_visit::{Session, simulate::simulate};
use std::cell::Cell;
use std::collections::BTreeSet;
use std::path::Path;
use tempfile::tempdir;

/// When a note was said: before it was written down.
const SAID: &str = "2026-11-23T09:00:00Z";

/// A study of one step with trials.
fn one_step(step: &str) -> Study {
    let head = "task = \"t\"\nparticipants = 2\nseed = 1\ntrial = \"trial.toml\"\n";
    study(&format!("{head}{step}"))
}

/// Step, trial, attempt and counts of every row after a session.
fn run(step: &str) -> Vec<(String, String, String, String)> {
    let (dir, study) = (tempdir().unwrap(), one_step(step));
    let root = dir.path().join("d");
    assert_eq!(sit(&study, &dataset(&root, &study)).unwrap(), Ending::Completed);
    let found = verify(&Dataset::open(&root).unwrap()).unwrap();
    assert!(found.problems.is_empty(), "{found:?}");
    rows(&root, &study)
}

fn row(step: &str, trial: u32, attempt: u32, counts: bool) -> (String, String, String, String) {
    (step.into(), trial.to_string(), attempt.to_string(), counts.to_string())
}

#[test]
fn practice_ends_at_its_criterion_or_after_as_many_trials_as_it_may_have() {
    let practice = |until: &str| {
        format!(
            "[[step]]\nname = \"p\"\ntrial = \"trial.toml\"\nuntil = {until}\nat_most = 3\notherwise = \"go on\"\n"
        )
    };
    assert_eq!(run(&practice("{ if_all = [\"taps > 2\"] }")), [row("p", 1, 1, true)]);
    let three: Vec<_> = (1..=3).map(|trial| row("p", trial, 1, true)).collect();
    assert_eq!(run(&practice("{ if_all = [\"taps > 200\"] }")), three);
    assert_eq!(run(&practice("{ hits = 1, of = 3, within = \"40 ms\" }")), [row("p", 1, 1, true)]);
    assert_eq!(run(&practice("{ hits = 3, of = 3, within = \"1 ns\" }")), three);
}

#[test]
fn a_rest_by_time_counts_the_pauses_before_the_trials_too() {
    // A trial takes less than 2 s, so that four of them alone do not make 10 s.
    let step = "[factor]\nx = [1]\n[[step]]\nname = \"m\"\nrepetitions = 4\nshuffle = \"none\"\n\
                gap = \"5 s\"\nrest = { every = \"10 s\", for = \"1 s\" }\n";
    let (dir, study) = (tempdir().unwrap(), one_step(step));
    let root = dir.path().join("d");
    assert_eq!(sit(&study, &dataset(&root, &study)).unwrap(), Ending::Completed);
    let after = lines(&root, &study).into_iter().filter_map(|line| match line {
        Line::Rested { after, .. } => Some(after),
        _ => None,
    });
    assert_eq!(after.collect::<Vec<_>>(), [2]);
}

#[test]
fn a_trial_file_may_lack_what_the_experiment_sets() {
    let head = "task = \"t\"\nparticipants = 2\nseed = 1\ntrial = \"trial.toml\"\n";
    let step = "[factor]\ntempo = [\"90 ms\", \"110 ms\"]\n[set]\npacing.metronome.interval = { factor = \"tempo\" }\n\
                [[step]]\nname = \"m\"\nshuffle = \"none\"\n";
    let trial = TRIAL.replace("interval = \"100 ms\"\n", "");
    let files = vec![("trial.toml".to_owned(), trial)];
    let text = format!("{head}{step}");
    let study = Study::of(Experiment::parse(&text, "study.toml", &files).unwrap()).unwrap();
    let dir = tempdir().unwrap();
    let root = dir.path().join("d");
    assert_eq!(sit(&study, &dataset(&root, &study)).unwrap(), Ending::Completed);
    assert_eq!(rows(&root, &study), [row("m", 1, 1, true), row("m", 2, 1, true)]);
}

#[test]
fn a_trial_that_fails_is_done_again_at_once_or_after_the_block() {
    let redo = |place: &str| {
        format!(
            "[factor]\nx = [1, 2]\n[[step]]\nname = \"m\"\nrepetitions = 1\nshuffle = \"none\"\n\
             redo = {{ if_any = [\"taps < 500\"], at_most = 1, place = \"{place}\" }}\n"
        )
    };
    let at_once = [(1, 1, false), (1, 2, true), (2, 1, false), (2, 2, true)];
    let block_end = [(1, 1, false), (2, 1, false), (1, 2, true), (2, 2, true)];
    for (place, due) in [("at once", at_once), ("block end", block_end)] {
        let due: Vec<_> = due.map(|(trial, attempt, c)| row("m", trial, attempt, c)).into();
        assert_eq!(run(&redo(place)), due, "{place}");
    }
}

/// In place of a trial's number: the experimenter wants something in the first rest.
const IN_REST: u32 = u32::MAX;

/// A frontend whose experimenter wants something after the trial of this number.
struct Wanting {
    drawn: Drawn,
    trials: u32,
    after: u32,
    wish: Option<Wish>,
    remarks: Vec<String>,
    in_pause: bool, // of the next trial, and not before it
    rests: Vec<Nanos>,
}

impl Wanting {
    fn is_due(&self) -> bool {
        self.trials == self.after && !self.in_pause
    }

    /// Whether it is to be told in the first rest, and not after a trial.
    fn wants_in_rest(&self) -> bool {
        self.after == IN_REST && self.rests.len() == 1
    }
}

impl Frontend for Wanting {
    fn show_text(&mut self, text: &str) -> Result<(), FrontendError> {
        self.drawn.show_text(text)
    }
    fn ask(&mut self, prompt: &Prompt<'_>) -> Result<Reply, FrontendError> {
        self.drawn.ask(prompt)
    }
    fn pause(&mut self, span: Nanos, why: Pause) -> Result<(), FrontendError> {
        self.rests.extend((why == Pause::Rest).then_some(span));
        self.in_pause &= self.trials != self.after || why != Pause::Gap;
        self.drawn.pause(span, why)
    }
    fn is_attended(&self) -> bool {
        false
    }
    fn beckoned(&mut self) -> bool {
        true
    }
    fn has_wish(&mut self) -> bool {
        self.wish.is_some() && (self.is_due() || self.wants_in_rest())
    }
    fn wish(&mut self) -> Option<Wish> {
        let due = self.is_due() || self.wants_in_rest();
        self.wish.take_if(|_| due)
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
        self.trials += u32::from(matches!(told, Announcement::TrialEnded(_)));
        if let Announcement::Remark(text) = told {
            self.remarks.push((*text).to_owned());
        }
    }
}

/// Sits with an experimenter who wants this after a trial, or in the pause before the next:
/// how the session ended, and what was remarked.
fn sit_wanting(
    root: &Path,
    study: &Study,
    after: u32,
    wish: Wish,
    in_pause: bool,
) -> (Ending, Vec<String>) {
    let (ending, frontend) = sit_at(root, study, after, wish, in_pause);
    (ending, frontend.remarks)
}

fn sit_at(root: &Path, study: &Study, after: u32, wish: Wish, in_pause: bool) -> (Ending, Wanting) {
    let dataset = dataset(root, study);
    let drawn = Drawn::new(study.experiment.seed, "01", 1);
    let wish = Some(wish);
    let (remarks, rests) = (Vec::new(), Vec::new());
    let mut frontend = Wanting { drawn, trials: 0, after, wish, remarks, in_pause, rests };
    let mut session = Session::open(study, &dataset, &who(), &mut frontend).unwrap();
    let ending = run_in(&mut session, study, &mut frontend, Some(&Passing::default())).unwrap();
    (ending, frontend)
}

/// A clock that goes on by a second whenever somebody looks at it.
#[derive(Default)]
struct Passing(Cell<Nanos>);

impl InRealTime for Passing {
    fn now(&self) -> Nanos {
        self.0.set(self.0.get() + Nanos::from_secs(1));
        self.0.get()
    }
    fn sleep_until(&self, at: Nanos) {
        self.0.set(at.max(self.0.get()));
    }
    fn is_interrupted(&self) -> bool {
        false
    }
    fn rearm(&self) {}
    fn day_was_set_by(&self) -> Option<Nanos> {
        None
    }
}

#[test]
fn a_rest_in_which_a_trial_is_to_be_repeated_goes_on_and_does_not_begin_anew() {
    let (dir, study) = (tempdir().unwrap(), study(STUDY));
    let (_, frontend) =
        sit_at(&dir.path().join("d"), &study, IN_REST, Wish::Repeat("late".into()), false);
    let [first, again, ..] = frontend.rests[..] else { panic!("{:?}", frontend.rests) };
    assert!(first == Nanos::from_secs(10) && again < first, "{again} of {first}");
}

/// A frontend that remembers what its experimenter is told.
struct Listening(Drawn, String);

impl Frontend for Listening {
    fn show_text(&mut self, _text: &str) -> Result<(), FrontendError> {
        Ok(()) // for the participant
    }
    fn keep_levels(&mut self, as_written: &str) {
        self.1 += as_written;
    }
    fn ask(&mut self, prompt: &Prompt<'_>) -> Result<Reply, FrontendError> {
        self.0.ask(prompt)
    }
    nobody_is_there!(0);
    fn choose(&mut self) -> Result<Wish, FrontendError> {
        self.0.choose()
    }
    fn tell(&mut self, told: &Announcement<'_>) {
        self.1 += &format!("{told:?}");
    }
}

#[test]
fn a_blind_experimenter_is_told_no_condition_group_or_asynchrony() {
    for (blind, there) in [("", true), ("blind = true\n", false)] {
        let text = "[[step]]\ntext = \"With the {hand} hand.\"\n";
        let study = study(&format!("{blind}{STUDY}{text}"));
        let dir = tempdir().unwrap();
        let dataset = dataset(&dir.path().join("d"), &study);
        let mut frontend = Listening(Drawn::new(3, "01", 1), String::new());
        let mut session = Session::open(&study, &dataset, &who(), &mut frontend).unwrap();
        run_open(&mut session, &study, &mut frontend).unwrap();
        for word in ["\"delay\"", "\"hand\"", "mean_asynchrony_ms: Some", "inter-tap interval"] {
            assert_eq!(frontend.1.contains(word), there, "{blind}{word}");
        }
        assert_eq!(
            frontend.1.contains("With the {hand} hand."),
            !there,
            "the text as it was written"
        );
    }
}

#[test]
fn a_blind_experimenter_is_shown_the_text_of_a_step_and_of_its_blocks_as_each_was_written() {
    let text = STUDY
        .replace("name = \"main\"\n", "name = \"main\"\ntext = \"Now {hand}.\"\n")
        .replace("order = \"latin\",", "order = \"latin\", text = \"At {tempo}.\",");
    let study = study(&format!("blind = true\n{text}"));
    let dir = tempdir().unwrap();
    let dataset = dataset(&dir.path().join("d"), &study);
    let mut frontend = Listening(Drawn::new(3, "01", 1), String::new());
    let mut session = Session::open(&study, &dataset, &who(), &mut frontend).unwrap();
    run_open(&mut session, &study, &mut frontend).unwrap();
    let shown = |text: &str| frontend.1.matches(text).count();
    assert_eq!((shown("Now {hand}."), shown("At {tempo}.")), (1, 2));
}

#[test]
fn a_blind_experimenter_who_asks_how_far_the_study_is_reads_no_groups() {
    for (blind, there) in [("", true), ("blind = true\n", false)] {
        let study = study(&format!("{blind}{STUDY}"));
        let dir = tempdir().unwrap();
        let dataset = dataset(&dir.path().join("d"), &study);
        sit(&study, &dataset).unwrap();
        let found = status(&dataset).unwrap();
        let told = format!("{found:?}").replace("left: {}", ""); // nobody left
        assert_eq!(told.contains("left") || told.contains("right"), there, "{told}");
        assert_eq!((found.began[0].k.is_some(), found.cells.is_empty()), (there, !there));
        assert_eq!(found.began[0].tally.trials, 6, "the rest stays");
    }
}

#[test]
fn it_is_told_where_the_session_stands_before_a_text_and_a_question_too() {
    let study = study(STUDY);
    let dir = tempdir().unwrap();
    let dataset = dataset(&dir.path().join("d"), &study);
    let mut frontend = Listening(Drawn::new(3, "01", 1), String::new());
    let mut session = Session::open(&study, &dataset, &who(), &mut frontend).unwrap();
    run_open(&mut session, &study, &mut frontend).unwrap();
    let stands = |step: &str, done| {
        let told = format!("Standing {{ step: \"{step}\", done: {done}, planned: 6 }}");
        frontend.1.matches(&told).count()
    };
    let welcome = &study.experiment.steps[0].name;
    let thanks = &study.experiment.steps[2].name;
    assert_eq!((stands(welcome, 0), stands(thanks, 6)), (1, 1));
    // After the first trial there is one question, and the next trial.
    assert_eq!((stands("main", 0), stands("main", 1)), (1, 2));
    assert_eq!(session.tally().trials, 6);
}

#[test]
fn what_is_repeated_or_left_out_is_told_with_its_number_and_the_reason() {
    let study = study(STUDY);
    for (wish, due, left) in [
        (Wish::Repeat("sneezed".into()), "Trial 2 of \"main\" is run again: sneezed", (1, 0)),
        (Wish::Skip("late".into()), "Trial 3 of \"main\" is left out: late", (0, 1)),
    ] {
        let dir = tempdir().unwrap();
        let root = dir.path().join("d");
        let (_, remarks) = sit_wanting(&root, &study, 2, wish, false);
        assert!(remarks.iter().any(|remark| remark == due), "{remarks:?}");
        let tally = status(&Dataset::open(&root).unwrap()).unwrap().began[0].tally;
        assert_eq!((tally.repeated, tally.skipped), left);
    }
}

#[test]
fn a_trial_does_not_begin_where_something_else_is_wanted_in_the_pause_before_it() {
    let study = study(STUDY);
    for (wish, due) in [(Wish::Skip("late".into()), 5), (Wish::Stop, 3)] {
        let dir = tempdir().unwrap();
        let root = dir.path().join("d");
        sit_wanting(&root, &study, 3, wish.clone(), true);
        assert_eq!(rows(&root, &study).len(), due, "{wish:?}");
    }
}

#[test]
fn the_experimenter_repeats_leaves_out_notes_and_stops_with_a_reason() {
    let study = study(STUDY);
    for after in 1..=6 {
        for wish in [
            Wish::Repeat("sneezed".into()),
            Wish::Skip("late".into()),
            Wish::Note { at: SAID.into(), text: "door".into() },
            Wish::Stop,
        ] {
            let dir = tempdir().unwrap();
            let root = dir.path().join("d");
            let (ending, _) = sit_wanting(&root, &study, after, wish.clone(), false);
            let stopped = wish == Wish::Stop;
            assert_eq!(ending == Ending::Stopped, stopped, "{wish:?} after {after}");
            if stopped {
                assert_eq!(sit(&study, &dataset(&root, &study)).unwrap(), Ending::Completed);
            }
            let rows = rows(&root, &study);
            let due = match wish {
                Wish::Repeat(_) => 7,
                Wish::Skip(_) if after < 6 => 5,
                _ => 6,
            };
            let counting = rows.iter().filter(|row| row.3 == "true").count();
            assert_eq!((rows.len(), counting), (due, due.min(6)), "{wish:?} after {after}");
            let verified = verify(&Dataset::open(&root).unwrap()).unwrap();
            assert!(verified.problems.is_empty(), "{wish:?} after {after}: {verified:?}");
            let said = |line: &Line| match line {
                Line::Repeated { reason, .. } | Line::Skipped { reason, .. } => !reason.is_empty(),
                Line::Noted { at, text, .. } => text == "door" && at == SAID,
                Line::Stopped { .. } => true,
                _ => false,
            };
            let nothing_left = matches!(wish, Wish::Skip(_)) && after == 6;
            assert_eq!(lines(&root, &study).iter().any(said), !nothing_left, "{wish:?}");
        }
    }
}

#[test]
fn no_rest_comes_after_the_last_trial_of_a_step_be_it_run_again() {
    let (dir, study) = (tempdir().unwrap(), study(STUDY));
    let root = dir.path().join("d");
    sit_wanting(&root, &study, 6, Wish::Repeat("door".into()), false);
    assert_eq!(rows(&root, &study).len(), 7);
    let lines = lines(&root, &study);
    let rested = lines.iter().filter_map(|line| match line {
        Line::Rested { after, .. } => Some(*after),
        _ => None,
    });
    assert_eq!(rested.collect::<Vec<_>>(), [2, 4]);
}

#[test]
fn a_session_that_goes_on_says_with_whom_and_that_the_tones_were_heard_anew() {
    let (dir, study) = (tempdir().unwrap(), study(STUDY));
    let root = dir.path().join("d");
    sit_wanting(&root, &study, 2, Wish::Stop, false);
    let (made, second) = (dataset(&root, &study), Who { by: "second".into(), ..who() });
    let mut frontend = Drawn::new(study.experiment.seed, "01", 1);
    let mut session = Session::open(&study, &made, &second, &mut frontend).unwrap();
    session.tones_were_heard().unwrap();
    run_open(&mut session, &study, &mut frontend).unwrap();
    drop(session);
    let by_second = |line: &&Line| match line {
        Line::Resumed { by, .. } | Line::ToneConfirmed { by, .. } => by == "second",
        _ => false,
    };
    assert_eq!(lines(&root, &study).iter().filter(by_second).count(), 2);
    let found = verify(&made).unwrap();
    assert!(found.problems.is_empty(), "{found:?}");
}

#[test]
fn a_session_that_is_stopped_before_it_goes_on_keeps_its_notes_and_goes_on_later() {
    let (dir, study) = (tempdir().unwrap(), study(STUDY));
    let root = dir.path().join("d");
    let made = dataset(&root, &study);
    let drawn = Drawn::new(study.experiment.seed, "01", 1);
    let wish = Some(Wish::Note { at: SAID.into(), text: "door".into() });
    let mut frontend = Wanting {
        drawn,
        trials: 0,
        after: 0,
        wish,
        remarks: Vec::new(),
        in_pause: false,
        rests: Vec::new(),
    };
    let mut session = Session::open(&study, &made, &who(), &mut frontend).unwrap();
    assert!(!session.opened().resumed);
    assert_eq!(session.stop(&mut frontend).unwrap(), Ending::Stopped);
    drop(session);
    let lines = lines(&root, &study);
    let noted = |line: &Line| matches!(line, Line::Noted { text, .. } if text == "door");
    assert!(lines.iter().any(noted) && matches!(lines.last(), Some(Line::Stopped { .. })));
    let description = root.join(study.place("01", 1).table_description());
    assert!(!description.exists(), "there is no table of trials yet");
    let found = verify(&made).unwrap();
    assert!(found.problems.is_empty(), "{found:?}");
    let session = Session::open(&study, &made, &who(), &mut frontend).unwrap();
    assert!(session.opened().resumed);
    drop(session);
    assert_eq!(sit(&study, &made).unwrap(), Ending::Completed);
    assert!(description.exists());
}

#[test]
fn groups_are_balanced_and_places_are_the_lowest_that_are_free() {
    let (dir, study) = (tempdir().unwrap(), study(STUDY));
    let dataset = dataset(&dir.path().join("d"), &study);
    let labels = (1..=6).map(|n| study.label(&n.to_string()).unwrap()).collect();
    let rehearsal = Rehearsal {
        stops_when_cut: true,
        labels,
        model: "tapper, mean = -30 +- 10 ms".into(),
        wires: wires(&study),
        longest: Nanos::from_secs(60),
        limit: None,
    };
    let done =
        simulate(&study, &dataset, &rehearsal, Shard::ALL, &Default::default(), &|_| {}).unwrap();
    assert_eq!((done.sessions, done.trials), (6, 36));
    let people = dataset.people(&study.about.columns).unwrap().all();
    let places: BTreeSet<_> = people.iter().map(|p| (p.cell["hand"].clone(), p.k)).collect();
    let due = ["left", "right"].map(|hand| (0..3).map(move |k| (hand.to_owned(), k)));
    assert_eq!(places, due.into_iter().flatten().collect());
}

#[test]
fn a_study_in_memory_has_the_tables_of_one_on_the_disk() {
    same_in_memory(STUDY, "tapper, mean = -20 +- 5 ms");
    same_in_memory(CARRIED, "steady");
    same_in_memory(CARRIED, "steady, taps = 1"); // no result, so that one is drawn
}

fn same_in_memory(text: &str, model: &str) {
    let study = study(text);
    let dir = tempdir().unwrap();
    let dataset = dataset(&dir.path().join("d"), &study);
    let rehearsal = Rehearsal {
        stops_when_cut: true,
        labels: ["01", "02", "03"].map(str::to_owned).to_vec(),
        model: model.into(),
        wires: wires(&study),
        longest: Nanos::from_secs(60),
        limit: None,
    };
    simulate(&study, &dataset, &rehearsal, Shard::ALL, &Default::default(), &|_| {}).unwrap();
    let rehearsed =
        rehearse(&study, &rehearsal, &|| false, |seeds: &mut Vec<u64>, _, _, finished| {
            seeds.push(finished.seed);
        });
    let rehearsed = rehearsed.unwrap();
    let people = std::fs::read_to_string(dir.path().join("d/participants.tsv")).unwrap();
    assert_eq!(String::from_utf8(rehearsed.people.bytes()).unwrap(), people);
    for session in &rehearsed.sessions {
        let text = dir.path().join("d").join(session.place.table());
        let on_disk = TsvTable::parse(&std::fs::read_to_string(text).unwrap()).unwrap();
        assert_eq!(session.trials.columns, on_disk.columns);
        assert_eq!(session.kept.len(), on_disk.rows.len());
        let when = on_disk.column("onset_utc").unwrap();
        for (found, mut expected) in session.trials.rows.iter().zip(on_disk.rows) {
            expected[when].clone_from(&found[when]);
            assert_eq!(*found, expected);
        }
    }
}

const CARRIED: &str = "task = \"t\"\nsessions = 2\nseed = 1\n\
    [[step]]\nname = \"own\"\nsession = 1\ntrial = \"trial.toml\"\nkeep = { tempo = \"median interval\" }\n\
    [[step]]\nname = \"paced\"\nsession = 2\ntrial = \"trial.toml\"\n\
    set.pacing.metronome.interval = { result = \"own.tempo\", times = 1.5, within = [\"120 ms\", \"240 ms\"] }\n";

/// The interval of the metronome in session 2, and what was said in place of the result.
fn carried(model: &str) -> (String, Option<(AnsweredBy, String)>) {
    let (dir, study) = (tempdir().unwrap(), study(CARRIED));
    let root = dir.path().join("d");
    let rehearsal = Rehearsal {
        stops_when_cut: true,
        labels: vec!["01".into()],
        model: model.into(),
        wires: wires(&study),
        longest: Nanos::from_secs(60),
        limit: None,
    };
    simulate(&study, &dataset(&root, &study), &rehearsal, Shard::ALL, &Default::default(), &|_| {})
        .unwrap();
    let place = study.place("01", 2);
    let lines = read_lines(&root.join(place.journal())).unwrap();
    let said = lines.into_iter().find_map(|line| match line {
        Line::Answered(said) if said.asked == Asked::Result => Some((said.by, said.answer)),
        _ => None,
    });
    let events = std::fs::read_to_string(root.join(place.events(1)).with_extension("json"));
    let events: serde_json::Value = serde_json::from_str(&events.unwrap()).unwrap();
    let text = events.to_string();
    let interval = text.split("interval = \\\"").nth(1).unwrap();
    (interval.split("\\\"").next().unwrap().to_owned(), said)
}

#[test]
fn a_result_of_an_earlier_session_is_taken_up_and_a_missing_one_is_never_made_up() {
    let (interval, said) = carried("steady");
    assert_eq!((interval.as_str(), said), ("150 ms", None));
    // One tap makes no interval, so the experimenter is asked; for a model an answer is drawn.
    let (interval, said) = carried("steady, taps = 1");
    let (by, answer) = said.unwrap();
    assert_eq!(by, AnsweredBy::Draw);
    let ns = |text: &str| chronotap_config::trial_files::reading::time(text).unwrap().round().0;
    assert!((80_000_000..=160_000_000).contains(&ns(&answer)), "{answer}");
    assert!((ns(&interval) - ns(&answer) * 3 / 2).abs() <= 1, "{interval} of {answer}");
}

#[test]
fn a_clock_that_was_set_back_is_told_and_the_session_goes_on() {
    let (dir, study) = (tempdir().unwrap(), study(STUDY));
    let root = dir.path().join("d");
    assert_eq!(sit_wanting(&root, &study, 2, Wish::Stop, false).0, Ending::Stopped);
    let path = root.join(study.place("01", 1).journal());
    let note = |at: &str| Line::Noted { at: at.into(), text: String::new(), by: String::new() };
    let disk = SessionDisk::durable();
    OpenJournal::open(&path, &disk).unwrap().add(&disk, note("2199-01-01T00:00:00Z")).unwrap();
    let (ending, remarks) = sit_wanting(&root, &study, 99, Wish::Stop, false);
    assert_eq!(ending, Ending::Completed);
    let told = remarks.iter().find(|remark| remark.contains("was set back"));
    assert!(told.unwrap().contains("left at 2199-01-01T00:00:00Z"), "{remarks:?}");
    let finished = rows(&root, &study);
    assert_eq!(finished.iter().filter(|row| row.3 == "true").count(), 6);
}

#[test]
fn how_practice_ended_and_why_a_trial_is_run_again_stand_in_the_flags() {
    let practice = |until: &str| {
        format!(
            "[[step]]\nname = \"p\"\ntrial = \"trial.toml\"\nuntil = {{ if_all = [\"{until}\"] }}\nat_most = 2\notherwise = \"go on\"\n"
        )
    };
    let redo = "[[step]]\nname = \"m\"\ntrial = \"trial.toml\"\nredo = { if_any = [\"taps < 500\"], at_most = 1, place = \"at once\" }\n";
    for (step, flags) in [
        (practice("taps > 2"), vec!["criterion reached with trial 1"]),
        (practice("taps > 200"), vec!["", "criterion not reached in 2 trials"]),
        (redo.to_owned(), vec!["failed: taps < 500", "failed: taps < 500"]),
    ] {
        let (dir, study) = (tempdir().unwrap(), one_step(&step));
        let root = dir.path().join("d");
        assert_eq!(sit(&study, &dataset(&root, &study)).unwrap(), Ending::Completed);
        let text = std::fs::read_to_string(root.join(study.place("01", 1).table())).unwrap();
        let table = chronotap_session::TsvTable::parse(&text).unwrap();
        let found = table.rows.iter().map(|row| table.cell(row, "flags").unwrap_or_default());
        let without =
            |flags: &str| flags.replace("simulated", "").trim_matches([';', ' ']).to_owned();
        assert_eq!(found.map(without).collect::<Vec<_>>(), flags);
    }
}

#[test]
fn what_participants_are_shown_stands_in_the_data_as_their_instructions() {
    let (dir, study) = (tempdir().unwrap(), study(STUDY));
    let root = dir.path().join("d");
    sit(&study, &dataset(&root, &study)).unwrap();
    let described = root.join(study.place("01", 1).table()).with_extension("json");
    let text = std::fs::read_to_string(described).unwrap();
    let told: serde_json::Value = serde_json::from_str(&text).unwrap();
    let instructions = told["Instructions"].as_str().unwrap();
    assert!(instructions.starts_with("Welcome.\n\n"), "{instructions}");
    assert!(instructions.ends_with("\n\nThank you."), "{instructions}");
}

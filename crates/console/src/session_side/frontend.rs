//! [`PageFrontend`]: the frontend of a session whose experimenter and participant look at pages. What
//! the session asks and shows goes to the [`PageState`]; it waits there for what the pages reply.
//! No page need be open: the session waits until one is.

use super::page_state::{Inner, PageState, Reply as Replied};
use crate::request::Role;
use crate::scene::{Phase, SceneStep, Window};
use crate::shown::{Shown, ShownTrackPoint, TrialShown};
use chronotap_core::time::{Nanos, wall_clock_now};
use chronotap_design::Go;
use chronotap_linux::clocks::{MonotonicClock, utc};
use chronotap_linux::realtime::Interrupt;
use chronotap_session::{
    AfterPractice, Announcement, AnsweredBy, Asks, Doubt, Frontend, FrontendError, NextTrial,
    NotReached, Opened, Pause, Prompt, Reply, Standing, StepAhead, TrialReport, Wish,
};
use chronotap_words::{Surface, ended};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// How often Ctrl-C is looked for while the session waits for a page.
const LOOK_AGAIN: Duration = Duration::from_millis(100);

/// A frontend of pages.
pub struct PageFrontend {
    page_state: Arc<PageState>,
    answers: BTreeMap<String, String>,
    interrupt: Interrupt,
    hold: Hold,
    asked_about_groups: bool,   // on a page, and not on the form
    before_trial: bool,         // it is told which trial is next, and that has not begun
    as_written: Option<String>, // the text that comes next, where the experimenter is blind
}

/// What becomes of the experimenter's word to hold the session before the next trial.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hold {
    /// Nothing is to be held.
    No,
    /// The next trial would begin, so that the session is to be told.
    Due,
    /// The session was told, and asks how to go on.
    Told,
}

impl PageFrontend {
    /// A frontend that answers with these first.
    pub fn new(
        page_state: &Arc<PageState>,
        answers: BTreeMap<String, String>,
        interrupt: Interrupt,
    ) -> PageFrontend {
        let page_state = Arc::clone(page_state);
        PageFrontend {
            page_state,
            answers,
            interrupt,
            hold: Hold::No,
            asked_about_groups: false,
            before_trial: false,
            as_written: None,
        }
    }

    pub fn page_state(&self) -> &Arc<PageState> {
        &self.page_state
    }

    /// Shows how the session ended. Pages are told it before the socket is closed.
    pub fn end(&self, phase: Phase) {
        self.page_state.enter(phase, None);
        self.page_state.close();
    }

    /// What `find` finds, or the end by Ctrl-C.
    pub(super) fn wait<T>(
        &self,
        mut find: impl FnMut(&mut Inner) -> Option<T>,
    ) -> Result<T, FrontendError> {
        loop {
            if let Some(found) = self.page_state.wait(LOOK_AGAIN, &mut find) {
                return Ok(found);
            }
            if self.interrupt.requested() {
                return Err(FrontendError::Interrupted);
            }
        }
    }

    /// Waits before a trial where the participant's page was closed or hangs: until it is there again,
    /// the experimenter goes on all the same, or something else is wanted.
    fn wait_for_the_page(&mut self) -> Result<(), FrontendError> {
        let missed = |scene: &crate::Scene| match scene.window {
            Window::Closed => Some("the participant's page is closed"),
            Window::Frozen => Some("the participant's page does not answer"),
            _ => None,
        };
        let Some(why) = self.page_state.look(missed).filter(|_| !self.has_wish()) else {
            return Ok(());
        };
        let why = why.into();
        self.page_state.enter(Phase::Held { why }, None);
        self.wait(|inner| {
            let told = inner.reply.take().is_some();
            (told || missed(&inner.scene).is_none() || inner.scene.hold || otherwise(inner))
                .then_some(())
        })
    }
}

/// Whether something is wanted that changes what comes next; a note does not.
fn otherwise(inner: &Inner) -> bool {
    !inner.wishes.iter().all(Wish::is_note)
}

impl Frontend for PageFrontend {
    fn show_text(&mut self, text: &str) -> Result<(), FrontendError> {
        let (markdown, blinded) = (text.to_owned(), self.as_written.take());
        self.page_state.enter(Phase::Text { markdown, blinded, waits: false }, None);
        Ok(())
    }

    fn keep_levels(&mut self, as_written: &str) {
        self.as_written = Some(as_written.to_owned());
    }

    fn ask(&mut self, prompt: &Prompt<'_>) -> Result<Reply, FrontendError> {
        if let Some(given) = self.answers.get(prompt.name) {
            let answer =
                prompt.answer.accept(given).map_err(|expected| FrontendError::Refused {
                    name: prompt.name.to_owned(),
                    given: given.clone(),
                    expected,
                })?;
            return Ok(Reply { answer, by: AnsweredBy::Option });
        }
        self.asked_about_groups |= prompt.asks == Asks::Experimenter;
        let question = Phase::Question {
            experimenter: prompt.asks == Asks::Experimenter,
            name: prompt.name.to_owned(),
            text: prompt.text.to_owned(),
            answer: prompt.answer.into(),
        };
        self.page_state.enter(question, Some(prompt.answer.clone()));
        let answer = self.wait(|inner| match inner.reply.take() {
            Some(Replied::Answer(answer, role)) => Some(Some((answer, role))),
            _ if inner.wishes.contains(&Wish::Stop) => Some(None),
            _ => None,
        })?;
        match answer {
            Some((answer, Role::Participant)) => Ok(Reply { answer, by: AnsweredBy::Person }),
            Some((answer, Role::Experimenter)) => {
                Ok(Reply { answer, by: AnsweredBy::Experimenter })
            }
            None => Err(FrontendError::Interrupted),
        }
    }

    fn pause(&mut self, span: Nanos, why: Pause) -> Result<(), FrontendError> {
        self.page_state.enter(
            match why {
                Pause::Gap => Phase::Gap,
                Pause::Rest => Phase::Rest {
                    seconds: span.as_secs_f64(),
                    until_utc_ms: (utc(MonotonicClock::raw()) + span).as_millis_f64(),
                },
            },
            None,
        );
        let end = MonotonicClock::raw() + span;
        while MonotonicClock::raw() < end && !self.has_wish() {
            let left = end - MonotonicClock::raw();
            let left = Duration::from_nanos(left.0.max(0).unsigned_abs()).min(LOOK_AGAIN);
            self.page_state.wait(left, |inner| otherwise(inner).then_some(()));
            if self.interrupt.requested() {
                return Err(FrontendError::Interrupted);
            }
        }
        if why == Pause::Gap {
            self.wait_for_the_page()?;
            let hold = self.page_state.look(|scene| scene.hold);
            self.hold = if hold { Hold::Due } else { Hold::No };
        }
        Ok(())
    }

    fn is_attended(&self) -> bool {
        true
    }

    fn beckoned(&mut self) -> bool {
        let told = |inner: &mut Inner| {
            let told = inner.reply == Some(Replied::GoOn);
            (told || otherwise(inner)).then_some(())
        };
        self.page_state.wait(Duration::ZERO, told).is_some()
    }

    fn has_wish(&mut self) -> bool {
        self.hold_while_it_waits();
        let wants = |inner: &mut Inner| otherwise(inner).then_some(());
        self.hold == Hold::Due || self.page_state.wait(Duration::ZERO, wants).is_some()
    }

    fn wish(&mut self) -> Option<Wish> {
        if self.hold == Hold::Due {
            self.hold = Hold::Told;
            return Some(Wish::Pause);
        }
        self.page_state.wait(Duration::ZERO, |inner| inner.wishes.pop_front())
    }

    fn choose(&mut self) -> Result<Wish, FrontendError> {
        let held = std::mem::replace(&mut self.hold, Hold::No) == Hold::Told;
        if held {
            let why = "the experimenter holds the session".into();
            self.page_state.enter(Phase::Held { why }, None);
        } else if !self.has_wish() {
            self.page_state.enter(self.asked_how(), None);
        }
        self.wait(|inner| {
            if otherwise(inner) {
                return inner.wishes.pop_front(); // notes that came before it are written down first
            }
            let goes_on = inner.reply.take().is_some() || held && !inner.scene.hold;
            goes_on.then_some(Wish::GoOn)
        })
    }

    fn confirm(&mut self, doubt: &Doubt) -> Result<bool, FrontendError> {
        let no = match doubt {
            // Whoever filled in the form was told that the label is new, and of which group they are.
            Doubt::NewParticipant { .. } if !self.asked_about_groups => return Ok(true),
            Doubt::NewParticipant { .. } => "",
            Doubt::Tone { .. } => " \"No\" plays them again.",
            Doubt::LongPause { .. } => " \"No\" leaves it as it is.",
            Doubt::OutOfTurn(_) => " \"No\" leaves everything as it is.",
        };
        let text = doubt.question() + no;
        self.page_state.enter(Phase::Doubt { text }, None);
        self.wait(|inner| match inner.reply.take() {
            Some(Replied::Decision(yes)) => Some(yes),
            _ if inner.wishes.contains(&Wish::Stop) => Some(false),
            _ => None,
        })
    }

    fn missed(&mut self, practice: &NotReached) -> Result<AfterPractice, FrontendError> {
        self.page_state.enter(Phase::Practice { text: practice.said() }, None);
        self.wait(|inner| match inner.reply.take() {
            Some(Replied::Practise) => Some(AfterPractice::Again),
            Some(Replied::Decision(true)) => Some(AfterPractice::GoOn),
            Some(Replied::Decision(false)) => Some(AfterPractice::Stop),
            _ if inner.wishes.contains(&Wish::Stop) => Some(AfterPractice::Stop),
            _ => None,
        })
    }

    fn trial_runs(&mut self, _now: Nanos) {
        self.page_state.look_at_terminal(); // nothing is waited for meanwhile
    }

    fn tell(&mut self, told: &Announcement<'_>) {
        match told {
            Announcement::Opened(opened) => self.page_state.set(|scene| show_opened(scene, opened)),
            Announcement::Stands(standing) => self.show_standing(standing),
            Announcement::TrialNext(next) => {
                self.before_trial = true;
                self.page_state.set(|scene| show_next(scene, next));
            }
            Announcement::Waits(go) => self.show_wait(*go),
            Announcement::TrialBegins { end, .. } => {
                self.before_trial = false;
                self.page_state.begin_trial((*end).clone());
            }
            Announcement::TrialEnded(report) => self.show_ended(report),
            Announcement::Remark(text) => self.remark(text),
            Announcement::Ended(ending) => self.remark(ended(*ending, Surface::Page)),
        }
    }
}

impl PageFrontend {
    /// How it is asked how to go on: a trial was ended by hand, or Ctrl-C came while the session
    /// waited for somebody, and no trial is marked.
    fn asked_how(&self) -> Phase {
        let waited = |scene: &crate::Scene| {
            matches!(scene.phase, Phase::Text { .. } | Phase::Waiting { .. })
        };
        match self.page_state.look(waited) {
            true => Phase::Held { why: "the session was interrupted while it waited".into() },
            false => Phase::Choose,
        }
    }

    /// The word to hold the session may come when the pause before a trial is over, and something
    /// else is waited for that starts it.
    fn hold_while_it_waits(&mut self) {
        let held =
            |scene: &crate::Scene| scene.hold && matches!(scene.phase, Phase::Waiting { .. });
        if self.before_trial && self.hold == Hold::No && self.page_state.look(held) {
            self.hold = Hold::Due;
        }
    }

    /// Tells it where it is new: a scene is told whole, and this comes before everything that the
    /// session does.
    fn show_standing(&mut self, standing: &Standing) {
        self.before_trial = false;
        let Standing { step, done, planned } = standing;
        let same = |scene: &crate::Scene| {
            scene.step == *step && (scene.done, scene.planned) == (*done, *planned)
        };
        if !self.page_state.look(same) {
            self.page_state.set(|scene| {
                scene.step.clone_from(step);
                (scene.done, scene.planned) = (*done, *planned);
            });
        }
    }

    fn remark(&self, text: &str) {
        let (at, text) = (wall_clock_now(), text.to_owned());
        self.page_state.tell(Shown::Remark { at, text });
    }

    /// A text goes on showing while it waits for a word to go on.
    fn show_wait(&self, go: Go) {
        let on = match go {
            Go::AtOnce => return,
            Go::Tap => "tap",
            Go::Key => "key",
            Go::Experimenter => "experimenter",
        };
        if !self.page_state.look(|scene| matches!(scene.phase, Phase::Text { .. })) {
            self.page_state.enter(Phase::Waiting { on: on.into() }, None);
        } else if go == Go::Experimenter {
            self.page_state.set(|scene| {
                if let Phase::Text { waits, .. } = &mut scene.phase {
                    *waits = true;
                }
            });
        }
    }

    fn show_ended(&self, report: &TrialReport) {
        let mut complaints = report.complaints.clone();
        if self.page_state.end_trial() && report.interrupted {
            complaints.push("ended by hand".into());
        }
        self.page_state.tell(Shown::Trial(TrialShown {
            at: wall_clock_now(),
            step: report.step.clone(),
            trial: report.trial,
            attempt: report.attempt,
            taps: report.taps,
            mean_ms: report.mean_asynchrony_ms,
            sd_ms: report.sd_asynchrony_ms,
            timing_passed: report.timing_passed,
            complaints,
            track: report.track.as_ref().map(shown),
        }));
        if !report.summary.is_empty() {
            self.page_state.tell(Shown::Summary { text: report.summary.clone() });
        }
        self.page_state.set(|scene| {
            (scene.done, scene.planned, scene.left_s) =
                (report.done, report.planned, report.left_s);
            if !report.interrupted {
                (scene.trial, scene.attempt) = (0, 0); // which is next is told later
                scene.condition.clear();
            }
        });
        self.page_state.enter(Phase::Gap, None);
    }
}

fn shown(point: &chronotap_session::TrackPoint) -> ShownTrackPoint {
    let chronotap_session::TrackPoint { staircase, level, unit, right, reversal } = point.clone();
    ShownTrackPoint { staircase, level, unit: unit.to_owned(), right, reversal }
}

fn show_opened(scene: &mut crate::Scene, opened: &Opened) {
    scene.title.clone_from(&opened.title);
    scene.participant.clone_from(&opened.participant);
    (scene.session, scene.resumed) = (opened.session, opened.resumed);
    (scene.done, scene.planned) = (opened.done, opened.planned);
    scene.cell.clone_from(&opened.cell);
    let step = |step: &StepAhead| SceneStep { name: step.name.clone(), trials: step.trials };
    scene.steps = opened.steps.iter().map(step).collect();
}

fn show_next(scene: &mut crate::Scene, next: &NextTrial) {
    scene.step.clone_from(&next.step);
    (scene.trial, scene.attempt) = (next.trial, next.attempt);
    (scene.done, scene.planned) = (next.done, next.planned);
    scene.condition.clone_from(&next.condition);
    scene.waits = next.waits;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::Command;
    use chronotap_design::Answer;
    use chronotap_design::question::ChoiceForm;
    use chronotap_trial::TrialEnd;
    use std::thread;

    fn frontend() -> (PageFrontend, Arc<PageState>) {
        let interrupt = Interrupt::without_signals().unwrap();
        let page_state = PageState::new();
        (PageFrontend::new(&page_state, BTreeMap::new(), interrupt), page_state)
    }

    /// Obeyed as soon as the page state takes it.
    fn press(page_state: &PageState, command: impl Fn(u64) -> Command) {
        press_as(Role::Experimenter, page_state, command);
    }

    fn press_as(role: Role, page_state: &PageState, command: impl Fn(u64) -> Command) {
        while page_state.obey(role, command(page_state.look(|scene| scene.turn))).is_err() {
            thread::yield_now();
        }
    }

    /// Pressed once something is asked that was not asked yet when this was called: what stood there
    /// before might take the word, and what is asked then would wait for ever.
    fn pressing<'a>(
        role: Role,
        page_state: &'a PageState,
        command: impl Fn(u64) -> Command + Send + 'a,
    ) -> impl FnOnce() + Send + 'a {
        let before = page_state.look(|scene| scene.turn);
        move || {
            while page_state.look(|scene| scene.turn) == before {
                thread::yield_now();
            }
            press_as(role, page_state, command);
        }
    }

    #[test]
    fn a_question_is_answered_by_a_page_and_it_is_known_whose() {
        let (mut frontend, page_state) = frontend();
        let choice: Answer = ChoiceForm(vec!["left".into(), "right".into()]).into();
        let (asks, answer) = (Asks::Participant, &choice);
        let prompt = Prompt {
            name: "hand",
            text: "Which hand?",
            answer,
            asks,
            occasion: "",
            avoid: Default::default(),
        };
        for (role, by) in [
            (Role::Participant, AnsweredBy::Person),
            (Role::Experimenter, AnsweredBy::Experimenter),
        ] {
            let left = |turn| Command::Answer { turn, answer: "left".into() };
            let reply = thread::scope(|scope| {
                scope.spawn(pressing(role, &page_state, left));
                frontend.ask(&prompt).unwrap()
            });
            assert_eq!(reply, Reply { answer: "left".into(), by });
        }
    }

    #[test]
    fn a_word_to_go_on_counts_for_the_text_that_is_shown_and_no_other() {
        let (mut frontend, page_state) = frontend();
        frontend.show_text("One").unwrap();
        press(&page_state, |turn| Command::GoOn { turn });
        assert!(frontend.beckoned());
        frontend.show_text("Two").unwrap();
        assert!(!frontend.beckoned());
    }

    #[test]
    fn a_note_waits_until_it_is_written_down_and_ends_no_text() {
        let (mut frontend, page_state) = frontend();
        frontend.show_text("One").unwrap();
        page_state.obey(Role::Experimenter, Command::Note { text: "door".into() }).unwrap();
        assert!(!frontend.beckoned() && !frontend.has_wish());
        assert!(matches!(frontend.wish(), Some(Wish::Note { text, .. }) if text == "door"));
    }

    #[test]
    fn the_session_is_held_before_a_trial_until_it_is_let_go_on() {
        let (mut frontend, page_state) = frontend();
        page_state.obey(Role::Experimenter, Command::Hold { hold: true }).unwrap();
        thread::scope(|scope| {
            scope.spawn(|| {
                while !page_state.look(|scene| matches!(scene.phase, Phase::Held { .. })) {
                    thread::yield_now();
                }
                press(&page_state, |turn| Command::GoOn { turn });
            });
            frontend.pause(Nanos::ZERO, Pause::Gap).unwrap();
            assert!(frontend.has_wish(), "no trial begins");
            assert_eq!(frontend.wish(), Some(Wish::Pause)); // so that it stands in the journal
            assert_eq!(frontend.choose().unwrap(), Wish::GoOn);
        });
        assert!(!page_state.look(|scene| scene.hold) && !frontend.has_wish());
    }

    #[test]
    fn the_word_to_hold_counts_while_something_is_waited_for_that_starts_the_trial() {
        let (mut frontend, page_state) = frontend();
        frontend.tell(&Announcement::TrialNext(&NextTrial::default()));
        frontend.pause(Nanos::ZERO, Pause::Gap).unwrap();
        frontend.tell(&Announcement::Waits(Go::Key));
        assert!(!frontend.has_wish());
        page_state.obey(Role::Experimenter, Command::Hold { hold: true }).unwrap();
        assert!(frontend.has_wish() && frontend.wish() == Some(Wish::Pause));
        thread::scope(|scope| {
            scope.spawn(pressing(Role::Experimenter, &page_state, |turn| Command::GoOn { turn }));
            assert_eq!(frontend.choose().unwrap(), Wish::GoOn);
        });
        assert!(!frontend.has_wish());
    }

    #[test]
    fn the_word_to_hold_ends_no_text_and_no_rest() {
        let (mut frontend, page_state) = frontend();
        frontend.tell(&Announcement::Stands(&Standing::default()));
        frontend.tell(&Announcement::Waits(Go::Key));
        page_state.obey(Role::Experimenter, Command::Hold { hold: true }).unwrap();
        assert!(!frontend.has_wish(), "it is held before the next trial");
    }

    #[test]
    fn a_trial_that_is_over_names_no_condition_of_the_next_one() {
        let (mut frontend, page_state) = frontend();
        let condition = vec![("tempo".to_owned(), "200 ms".to_owned())];
        let next = NextTrial { trial: 1, attempt: 1, condition, ..NextTrial::default() };
        for (interrupted, still) in [(true, true), (false, false)] {
            frontend.tell(&Announcement::TrialNext(&next));
            let end = &TrialEnd::default();
            frontend.tell(&Announcement::TrialBegins { step: "main", trial: 1, end });
            let report = TrialReport { interrupted, ..TrialReport::default() };
            frontend.tell(&Announcement::TrialEnded(&report));
            assert_eq!(
                page_state.look(|scene| scene.trial == 1 && !scene.condition.is_empty()),
                still
            );
        }
    }

    #[test]
    fn a_trial_that_was_ended_by_hand_says_so_and_one_that_ended_by_itself_does_not() {
        let (mut frontend, page_state) = frontend();
        let told = || page_state.lines(Role::Experimenter, 0, Duration::ZERO).unwrap_or_default();
        let complaints = || told().iter().filter(|line| line.1.contains("ended by hand")).count();
        // The second was over before it heard of the request; the third was ended by Ctrl-C.
        let trials = [(true, true, 1), (true, false, 1), (false, true, 1)];
        for (begun, (pressed, interrupted, complained)) in (1..).zip(trials) {
            let end = &TrialEnd::default();
            frontend.tell(&Announcement::TrialBegins { step: "main", trial: 1, end });
            if pressed {
                page_state.obey(Role::Experimenter, Command::EndTrial { begun }).unwrap();
            }
            frontend.tell(&Announcement::TrialEnded(&TrialReport {
                interrupted,
                ..TrialReport::default()
            }));
            assert_eq!(complaints(), complained);
        }
    }

    #[test]
    fn a_session_that_is_interrupted_while_it_waits_speaks_of_no_trial() {
        let (mut frontend, page_state) = frontend();
        for (waits, due) in [(true, "held"), (false, "choose")] {
            let phase = if waits { Phase::Waiting { on: "key".into() } } else { Phase::Gap };
            page_state.enter(phase, None);
            thread::scope(|scope| {
                let pressed = scope.spawn(|| {
                    let asks = |scene: &crate::Scene| match scene.phase {
                        Phase::Held { .. } => Some("held"),
                        Phase::Choose => Some("choose"),
                        _ => None,
                    };
                    let asked = loop {
                        if let Some(asked) = page_state.look(asks) {
                            break asked;
                        }
                        thread::yield_now();
                    };
                    press(&page_state, |turn| Command::GoOn { turn });
                    asked
                });
                assert_eq!(frontend.choose().unwrap(), Wish::GoOn);
                assert_eq!(pressed.join().unwrap(), due);
            });
        }
    }

    #[test]
    fn a_note_that_was_written_before_the_word_to_stop_comes_before_it() {
        let (mut frontend, page_state) = frontend();
        let experimenter = |command| page_state.obey(Role::Experimenter, command).unwrap();
        page_state.enter(Phase::Choose, None);
        experimenter(Command::Note { text: "the door was open".into() });
        experimenter(Command::Stop);
        let noted = frontend.choose().unwrap();
        assert!(matches!(noted, Wish::Note { text, .. } if text == "the door was open"));
        assert_eq!(frontend.choose().unwrap(), Wish::Stop);
    }

    #[test]
    fn a_closed_page_of_the_participant_holds_the_session_until_it_is_there_again() {
        let (mut frontend, page_state) = frontend();
        page_state.comes(Role::Participant);
        page_state.goes(Role::Participant);
        thread::scope(|scope| {
            scope.spawn(|| {
                while !page_state.look(|scene| matches!(scene.phase, Phase::Held { .. })) {
                    thread::yield_now();
                }
                page_state.comes(Role::Participant);
            });
            frontend.pause(Nanos::ZERO, Pause::Gap).unwrap();
        });
    }

    #[test]
    fn a_page_that_answers_no_longer_holds_the_session_until_it_answers_again() {
        let (mut frontend, page_state) = frontend();
        let late = |seconds| MonotonicClock::raw() + Nanos::from_secs(seconds);
        let window = || page_state.look(|scene| scene.window);
        page_state.comes(Role::Participant);
        page_state.obey(Role::Participant, Command::Screen { full: true }).unwrap();
        frontend.show_text("Tap.").unwrap();
        page_state.look_for_life(late(60));
        assert_eq!(window(), Window::Full, "it never answered, so it cannot");
        page_state.obey(Role::Participant, Command::Alive).unwrap();
        page_state.look_for_life(late(7));
        assert_eq!(window(), Window::Full);
        page_state.enter(Phase::Trial, None);
        page_state.look_for_life(late(60));
        assert_eq!(window(), Window::Full, "it is not asked while a trial runs");
        frontend.show_text("Tap.").unwrap();
        page_state.look_for_life(late(9));
        assert_eq!(window(), Window::Frozen);
        thread::scope(|scope| {
            scope.spawn(|| {
                while !page_state.look(|scene| matches!(scene.phase, Phase::Held { .. })) {
                    thread::yield_now();
                }
                page_state.obey(Role::Participant, Command::Alive).unwrap();
            });
            frontend.pause(Nanos::ZERO, Pause::Gap).unwrap();
        });
        assert_eq!(window(), Window::Full);
    }
}

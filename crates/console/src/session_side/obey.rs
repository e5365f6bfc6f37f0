//! What becomes of each command: refused, done at once, or left for the session, which takes
//! it up between two trials.

use super::page_state::{Inner, Reply};
use crate::request::{Command, CommandRefusal, Role, one_line};
use crate::scene::{Phase, Window};
use crate::shown::Shown;
use chronotap_core::time::wall_clock_now;
use chronotap_design::Words;
use chronotap_linux::clocks::MonotonicClock;
use chronotap_session::Wish;
use chronotap_trial::TrialEnd;

/// Wishes that may wait for the end of a trial.
const MOST_WISHES: usize = 100;

impl Inner {
    /// Does it, or leaves it for the session.
    pub(super) fn obey(&mut self, role: Role, command: Command) -> Result<(), CommandRefusal> {
        match command {
            Command::Answer { turn, answer } => self.answer(role, turn, &answer)?,
            Command::GoOn { turn } => self.go_on(role, turn)?,
            Command::Decide { turn, yes } => self.decide(turn, Reply::Decision(yes))?,
            Command::Practise { turn } => self.decide(turn, Reply::Practise)?,
            Command::Test | Command::Heard | Command::Start => self.check(&command)?,
            Command::Hold { hold } => self.hold(hold),
            Command::Note { text } => self.note(&text)?,
            Command::Repeat { reason, begun } => self.repeat(&reason, begun)?,
            Command::Skip { reason, begun } => self.skip(&reason, begun)?,
            Command::EndTrial { begun } => self.end_trial(begun)?,
            Command::Stop => self.stop()?,
            Command::Alive => self.answered(),
            Command::Screen { full } => {
                self.scene.window = if full { Window::Full } else { Window::Open };
                self.window_was = None;
                self.tell_scene();
            }
        }
        Ok(())
    }

    fn answer(&mut self, role: Role, turn: u64, answer: &str) -> Result<(), CommandRefusal> {
        // A participant is told so in the words of the study.
        let again =
            || CommandRefusal::Answer { sentence: self.scene.words.get("again").to_owned() };
        self.of_this_turn(turn).map_err(|late| match role {
            Role::Participant => again(),
            Role::Experimenter => late,
        })?;
        let of_experimenter =
            matches!(self.scene.phase, Phase::Question { experimenter: true, .. });
        if of_experimenter && role == Role::Participant {
            return Err(CommandRefusal::NotYours);
        }
        let Some(accepts) = &self.accepts else {
            return Err(CommandRefusal::NotNow("nothing is asked"));
        };
        let refused = |_| {
            let words = if of_experimenter { &Words::default() } else { &self.scene.words };
            let expected = accepts.expected_in(words);
            CommandRefusal::Answer {
                sentence: words.filled("answer_with", &[("answer", &expected)]),
            }
        };
        let answer = accepts.accept(answer).map_err(refused)?;
        self.reply = Some(Reply::Answer(answer, role));
        Ok(())
    }

    fn go_on(&mut self, role: Role, turn: u64) -> Result<(), CommandRefusal> {
        self.of_this_turn(turn)?;
        let participant = role == Role::Participant;
        match &self.scene.phase {
            Phase::Text { waits: true, .. } if participant => {
                return Err(CommandRefusal::NotNow("the experimenter goes on"));
            }
            Phase::Text { .. } => {}
            Phase::Waiting { on } if participant && on == "experimenter" => {
                return Err(CommandRefusal::NotNow("the experimenter starts this"));
            }
            Phase::Waiting { .. } => {}
            Phase::Held { .. } | Phase::Choose if participant => {
                return Err(CommandRefusal::NotYours);
            }
            Phase::Held { .. } => self.scene.hold = false,
            Phase::Choose => {}
            _ => return Err(CommandRefusal::NotNow("nothing waits for a word to go on")),
        }
        self.reply = Some(Reply::GoOn);
        Ok(())
    }

    fn decide(&mut self, turn: u64, reply: Reply) -> Result<(), CommandRefusal> {
        self.of_this_turn(turn)?;
        let asked = match self.scene.phase {
            Phase::Doubt { .. } => reply != Reply::Practise,
            Phase::Practice { .. } => true,
            _ => false,
        };
        if !asked {
            return Err(CommandRefusal::NotNow("nothing is to be decided"));
        }
        self.reply = Some(reply);
        Ok(())
    }

    /// Commands of the check of devices.
    fn check(&mut self, command: &Command) -> Result<(), CommandRefusal> {
        let simulated = self.scene.simulated; // then nobody can tap what the model does not
        let Phase::Check { inputs, playing, played, heard } = &mut self.scene.phase else {
            return Err(CommandRefusal::NotNow("devices are tried before the first trial"));
        };
        match command {
            Command::Test if *playing => {
                return Err(CommandRefusal::NotNow("the tones sound already"));
            }
            Command::Test => self.reply = Some(Reply::Test),
            Command::Heard if !*played => {
                return Err(CommandRefusal::NotNow("play the test tones first"));
            }
            Command::Heard => *heard = true,
            _ if !simulated && inputs.iter().any(|input| input.taps == 0) => {
                return Err(CommandRefusal::NotNow("tap every input once"));
            }
            _ if !*heard => {
                return Err(CommandRefusal::NotNow("confirm first that the tones were heard"));
            }
            _ => self.reply = Some(Reply::Start),
        }
        self.tell_scene();
        Ok(())
    }

    /// The participant's page has answered, and is as it was before it was missed.
    fn answered(&mut self) {
        self.heard = Some(MonotonicClock::raw());
        if let Some(was) = self.window_was.take() {
            self.scene.window = was;
            self.tell_scene();
        }
    }

    fn hold(&mut self, hold: bool) {
        self.scene.hold = hold;
        if !hold && matches!(self.scene.phase, Phase::Held { .. }) {
            self.reply = Some(Reply::GoOn);
        }
        self.tell_scene();
    }

    fn note(&mut self, text: &str) -> Result<(), CommandRefusal> {
        let (at, text) = (wall_clock_now(), one_line(text)?);
        self.wish(Wish::Note { at: at.clone(), text: text.clone() })?;
        self.history.add(Shown::Remark { at, text: format!("Note: {text}") });
        Ok(())
    }

    fn end_trial(&mut self, begun: u32) -> Result<(), CommandRefusal> {
        if !self.in_trial() {
            return Err(CommandRefusal::NotNow("no trial runs"));
        }
        self.of_these_trials(begun)?;
        match self.ask_trial_to_end() {
            true => Ok(()),
            false => {
                Err(CommandRefusal::NotNow("this trial is over already; its data are being saved"))
            }
        }
    }

    /// Whether it will end by that, and did not end by itself before.
    fn ask_trial_to_end(&mut self) -> bool {
        let ends = self.end.as_ref().is_some_and(TrialEnd::request);
        self.by_hand |= ends;
        ends
    }

    fn repeat(&mut self, reason: &str, begun: u32) -> Result<(), CommandRefusal> {
        let reason = one_line(reason)?;
        self.of_these_trials(begun)?;
        match self.in_trial() || self.trials == 0 {
            true => Err(CommandRefusal::NotNow("a trial can be repeated when it is over")),
            false => {
                let said = format!("The last trial is to be run again: {reason}");
                self.wish_soon(Wish::Repeat(reason), said)
            }
        }
    }

    fn skip(&mut self, reason: &str, begun: u32) -> Result<(), CommandRefusal> {
        let reason = one_line(reason)?;
        self.of_these_trials(begun)?;
        match self.in_trial() {
            true => Err(CommandRefusal::NotNow("a trial runs; end it first")),
            false => {
                let said = format!("The next trial is to be left out: {reason}");
                self.wish_soon(Wish::Skip(reason), said)
            }
        }
    }

    /// A trial that is over already is saved as what it is, and the session stops after it.
    fn stop(&mut self) -> Result<(), CommandRefusal> {
        self.wish(Wish::Stop)?;
        self.ask_trial_to_end();
        Ok(())
    }

    /// A wish that must wait for an answer is told, so that nobody wonders and asks twice.
    fn wish_soon(&mut self, wish: Wish, said: String) -> Result<(), CommandRefusal> {
        self.wish(wish)?;
        let asks = |phase: &Phase| {
            matches!(phase, Phase::Question { .. } | Phase::Doubt { .. } | Phase::Practice { .. })
        };
        if asks(&self.scene.phase) {
            let text = format!("{said}. It is done when the question is answered.");
            self.history.add(Shown::Remark { at: wall_clock_now(), text });
        }
        Ok(())
    }

    fn wish(&mut self, wish: Wish) -> Result<(), CommandRefusal> {
        if matches!(self.scene.phase, Phase::Ended { .. } | Phase::Failed { .. }) {
            return Err(CommandRefusal::NotNow("the session is over"));
        }
        // However much waits, a session can be stopped.
        if wish == Wish::Stop {
            self.wishes.retain(|waits| *waits != Wish::Stop);
        } else if self.wishes.len() >= MOST_WISHES {
            return Err(CommandRefusal::NotNow("too many notes wait for the end of the trial"));
        }
        self.wishes.push_back(wish);
        Ok(())
    }

    fn in_trial(&self) -> bool {
        self.scene.phase == Phase::Trial
    }

    /// Whoever was asked about one trial has not decided about the one after it.
    fn of_these_trials(&self, begun: u32) -> Result<(), CommandRefusal> {
        if begun == self.scene.begun { Ok(()) } else { Err(CommandRefusal::Late) }
    }

    fn of_this_turn(&self, turn: u64) -> Result<(), CommandRefusal> {
        if turn == self.scene.turn && self.reply.is_none() {
            Ok(())
        } else {
            Err(CommandRefusal::Late)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::CheckedInput;
    use crate::session_side::PageState;
    use chronotap_core::time::Nanos;
    use chronotap_design::Answer;
    use chronotap_design::question::{NumberForm, TextForm, Time};

    fn both(page_state: &PageState, command: &Command) -> [bool; 2] {
        [Role::Participant, Role::Experimenter]
            .map(|role| page_state.obey(role, command.clone()).is_ok())
    }

    #[test]
    fn a_participant_can_answer_and_go_on_and_nothing_else() {
        let page_state = PageState::new();
        page_state
            .enter(Phase::Text { markdown: "Tap.".into(), blinded: None, waits: false }, None);
        let turn = page_state.look(|scene| scene.turn);
        let refused = [
            Command::Decide { turn, yes: true },
            Command::Practise { turn },
            Command::Test,
            Command::Heard,
            Command::Start,
            Command::Hold { hold: true },
            Command::Note { text: "hello".into() },
            Command::Repeat { reason: "hello".into(), begun: 0 },
            Command::Skip { reason: "hello".into(), begun: 0 },
            Command::EndTrial { begun: 0 },
            Command::Stop,
        ];
        for command in refused {
            assert_eq!(page_state.obey(Role::Participant, command), Err(CommandRefusal::NotYours));
        }
        assert_eq!(page_state.obey(Role::Participant, Command::GoOn { turn }), Ok(()));
    }

    #[test]
    fn a_reply_to_an_earlier_question_and_a_second_reply_are_refused() {
        let page_state = PageState::new();
        page_state
            .enter(Phase::Text { markdown: "Tap.".into(), blinded: None, waits: false }, None);
        let turn = page_state.look(|scene| scene.turn);
        let go_on = |turn| page_state.obey(Role::Participant, Command::GoOn { turn });
        assert_eq!(go_on(turn - 1), Err(CommandRefusal::Late));
        assert_eq!((go_on(turn), go_on(turn)), (Ok(()), Err(CommandRefusal::Late)));
    }

    #[test]
    fn a_rehearsal_starts_though_its_model_taps_on_one_of_two_inputs_alone() {
        let page_state = PageState::new();
        let input =
            |name: &str, taps| CheckedInput { name: name.into(), taps, ..CheckedInput::default() };
        let inputs = vec![input("left", 3), input("right", 0)];
        page_state.enter(Phase::Check { inputs, playing: false, played: true, heard: true }, None);
        let start = || page_state.obey(Role::Experimenter, Command::Start);
        assert!(start().is_err());
        page_state.set(|scene| scene.simulated = true);
        assert_eq!(start(), Ok(()));
    }

    #[test]
    fn an_answer_that_may_not_be_given_is_refused_with_what_may() {
        let page_state = PageState::new();
        let (name, text) = ("age".to_owned(), "Age?".to_owned());
        let accepts: Answer = NumberForm { least: 18.0, greatest: 99.0 }.into();
        let answer = (&accepts).into();
        page_state
            .enter(Phase::Question { experimenter: false, name, text, answer }, Some(accepts));
        let turn = page_state.look(|scene| scene.turn);
        let answer = |text: &str| {
            page_state.obey(Role::Participant, Command::Answer { turn, answer: text.into() })
        };
        let refused = |sentence: &str| Err(CommandRefusal::Answer { sentence: sentence.into() });
        assert_eq!(answer("7"), refused("Please answer with a number from 18 to 99."));
        assert_eq!(answer("23"), Ok(()));
        assert_eq!(answer("24"), refused("Please try once more."), "it is answered already");
    }

    #[test]
    fn a_question_to_the_experimenter_is_answered_by_nobody_else() {
        let page_state = PageState::new();
        let (name, text) = ("own.tempo".to_owned(), "Which value?".to_owned());
        let (least, greatest) = (Nanos::from_millis(300), Nanos::from_millis(1_500));
        let accepts: Answer = Time { least, greatest }.into();
        let answer = (&accepts).into();
        page_state.enter(Phase::Question { experimenter: true, name, text, answer }, Some(accepts));
        let turn = page_state.look(|scene| scene.turn);
        let answer =
            |role, text: &str| page_state.obey(role, Command::Answer { turn, answer: text.into() });
        assert_eq!(answer(Role::Participant, "500 ms"), Err(CommandRefusal::NotYours));
        let sentence = "Please answer with a time from 300 ms to 1.5 s.".to_owned();
        assert_eq!(answer(Role::Experimenter, "2 s"), Err(CommandRefusal::Answer { sentence }));
        assert_eq!(answer(Role::Experimenter, "500 ms"), Ok(()));
    }

    #[test]
    fn start_stays_locked_until_every_input_was_tapped_and_the_tone_was_heard() {
        let page_state = PageState::new();
        let inputs = vec![CheckedInput { name: "pad".into(), ..CheckedInput::default() }];
        let check = Phase::Check { inputs, playing: false, played: false, heard: false };
        page_state.enter(check, None);
        let experimenter = |command| page_state.obey(Role::Experimenter, command);
        assert!(experimenter(Command::Start).is_err());
        assert!(experimenter(Command::Heard).is_err(), "no tone was played");
        page_state.set(|scene| {
            if let Phase::Check { inputs, played, .. } = &mut scene.phase {
                (inputs[0].taps, *played) = (1, true);
            }
        });
        assert!(experimenter(Command::Start).is_err());
        assert_eq!(experimenter(Command::Heard), Ok(()));
        assert_eq!(experimenter(Command::Start), Ok(()));
    }

    #[test]
    fn however_many_notes_wait_the_session_can_be_stopped() {
        let page_state = PageState::new();
        page_state.begin_trial(TrialEnd::default());
        let note = || page_state.obey(Role::Experimenter, Command::Note { text: "noise".into() });
        (0..MOST_WISHES).for_each(|_| note().unwrap());
        assert!(note().is_err(), "their number is bounded");
        let stop = || page_state.obey(Role::Experimenter, Command::Stop);
        assert_eq!((stop(), stop()), (Ok(()), Ok(())));
        let waiting = page_state.wait(std::time::Duration::ZERO, |inner| Some(inner.wishes.len()));
        assert_eq!(waiting, Some(MOST_WISHES + 1), "and asked to twice it stops once");
    }

    #[test]
    fn a_trial_that_waits_for_the_experimenter_is_started_by_nobody_else() {
        let page_state = PageState::new();
        page_state.enter(Phase::Waiting { on: "experimenter".into() }, None);
        let turn = page_state.look(|scene| scene.turn);
        assert_eq!(both(&page_state, &Command::GoOn { turn }), [false, true]);
    }

    #[test]
    fn whoever_ends_a_trial_while_it_is_being_saved_is_refused_and_the_next_one_runs_on() {
        let page_state = PageState::new();
        let obey = |command| page_state.obey(Role::Experimenter, command);
        let (first, second) = (TrialEnd::default(), TrialEnd::default());
        page_state.begin_trial(first.clone());
        first.close(); // by itself; the page still shows it
        let saved = "this trial is over already; its data are being saved";
        assert_eq!(obey(Command::EndTrial { begun: 1 }), Err(CommandRefusal::NotNow(saved)));
        assert!(!page_state.end_trial(), "nobody ended it");
        page_state.begin_trial(second.clone());
        assert!(!second.is_requested());
        assert_eq!(obey(Command::EndTrial { begun: 2 }), Ok(()));
        assert!(second.is_requested() && page_state.end_trial());
    }

    #[test]
    fn a_session_that_is_stopped_while_a_trial_is_being_saved_stops_and_ends_no_trial() {
        let page_state = PageState::new();
        let (first, second) = (TrialEnd::default(), TrialEnd::default());
        page_state.begin_trial(first.clone());
        first.close();
        assert_eq!(page_state.obey(Role::Experimenter, Command::Stop), Ok(()));
        assert!(!page_state.end_trial());
        page_state.begin_trial(second.clone());
        assert!(!second.is_requested());
    }

    #[test]
    fn a_wish_that_waits_for_an_answer_is_told_at_once() {
        let page_state = PageState::new();
        let told = || {
            page_state.lines(Role::Experimenter, 0, std::time::Duration::ZERO).unwrap_or_default()
        };
        let waits = || told().iter().filter(|line| line.1.contains("question is answered")).count();
        let skip = || {
            page_state.obey(Role::Experimenter, Command::Skip { reason: "noise".into(), begun: 0 })
        };
        let (name, text) = ("age".to_owned(), "Age?".to_owned());
        let answer = crate::scene::ExpectedAnswer::from(&TextForm.into());
        page_state.enter(Phase::Question { experimenter: false, name, text, answer }, None);
        skip().unwrap();
        assert_eq!(waits(), 1);
        page_state.enter(Phase::Gap, None);
        skip().unwrap();
        assert_eq!(waits(), 1, "this one is done as soon as it is told");
    }

    #[test]
    fn trials_are_skipped_between_two_trials_and_repeated_when_one_is_over() {
        let page_state = PageState::new();
        let skip = Command::Skip { reason: "noise".into(), begun: 1 };
        let repeat = Command::Repeat { reason: "noise".into(), begun: 1 };
        page_state.begin_trial(TrialEnd::default());
        assert_eq!((both(&page_state, &skip)[1], both(&page_state, &repeat)[1]), (false, false));
        page_state.tell(Shown::Trial(crate::shown::TrialShown::default()));
        page_state.enter(Phase::Gap, None);
        assert_eq!((both(&page_state, &skip)[1], both(&page_state, &repeat)[1]), (true, true));
        assert_eq!(
            page_state.obey(Role::Experimenter, Command::EndTrial { begun: 1 }),
            Err(CommandRefusal::NotNow("no trial runs"))
        );
    }

    #[test]
    fn a_word_about_one_trial_does_nothing_to_the_one_after_it() {
        let page_state = PageState::new();
        let begun = 1; // when the page asked "End trial 1?", "Leave out trial 2?"
        let obey = |command| page_state.obey(Role::Experimenter, command);
        page_state.begin_trial(TrialEnd::default());
        page_state.tell(Shown::Trial(crate::shown::TrialShown::default()));
        page_state.begin_trial(TrialEnd::default());
        assert_eq!(obey(Command::EndTrial { begun }), Err(CommandRefusal::Late));
        page_state.tell(Shown::Trial(crate::shown::TrialShown::default()));
        page_state.enter(Phase::Gap, None);
        for command in [
            Command::Skip { reason: "noise".into(), begun },
            Command::Repeat { reason: "noise".into(), begun },
        ] {
            assert_eq!(obey(command), Err(CommandRefusal::Late));
        }
        let waiting = page_state.wait(std::time::Duration::ZERO, |inner| Some(inner.wishes.len()));
        assert_eq!(waiting, Some(0));
    }
}

//! [`TerminalFrontend`]: the frontend of a session on a plain terminal. Texts and questions are
//! printed, answers are typed. Where there is no terminal nothing is waited for: the command
//! line has the answers, or the session ends with the option that lacks.

mod keys;

use crate::says::{Terminal, ended};
use crate::screen::{LiveLine, prose, say, wrapped};
use chronotap_core::text::counted;
use chronotap_core::time::Nanos;
use chronotap_design::{Go, Words};
use chronotap_linux::realtime::Interrupt;
use chronotap_rig::recorder::Watch;
use chronotap_session::{
    AfterPractice, Announcement, AnsweredBy, Asks, Doubt, Drawn, Frontend, FrontendError,
    NotReached, Opened, Pause, Prompt, Reply, TrialReport, Wish,
};
use keys::Keys;
use std::collections::BTreeMap;

/// A terminal, or the lack of one.
pub struct TerminalFrontend {
    keys: Keys,
    answers: BTreeMap<String, String>,
    drawn: Option<Drawn>,
    line: Option<LiveLine>,
    rested: bool, // whether what is waited for ends a rest
    quiet: bool,
    json: bool,
    words: Words,
}

impl TerminalFrontend {
    /// A frontend that answers with these first. With `drawn` everything else is drawn, and nobody
    /// is waited for.
    pub fn new(
        answers: BTreeMap<String, String>,
        drawn: Option<Drawn>,
        interrupt: Interrupt,
        (quiet, json): (bool, bool),
    ) -> TerminalFrontend {
        let keys = Keys::new(interrupt, drawn.is_none());
        let words = Words::default();
        TerminalFrontend { keys, answers, drawn, line: None, rested: false, quiet, json, words }
    }

    /// The same in the words of a study.
    pub fn speaking(self, words: Words) -> TerminalFrontend {
        TerminalFrontend { words, ..self }
    }

    /// The same with a line for the trial that runs, of what a sink of the trials is told.
    pub fn watching(self, watch: Watch) -> TerminalFrontend {
        TerminalFrontend { line: Some(LiveLine::new(watch, true)), ..self }
    }

    fn print(&self, text: &str) {
        if !self.quiet && !self.json {
            say(text);
        }
    }

    /// Asks until an answer is accepted.
    fn ask_here(&mut self, prompt: &Prompt<'_>) -> Result<Reply, FrontendError> {
        let words = match prompt.asks {
            Asks::Participant => &self.words,
            Asks::Experimenter => &Words::default(),
        };
        let expected = prompt.answer.expected_in(words);
        say(format!("\n{}\n({expected})", prose(prompt.text)));
        loop {
            let given = self.keys.line()?;
            match prompt.answer.accept(&given) {
                Ok(answer) => return Ok(Reply { answer, by: AnsweredBy::Person }),
                Err(_) => say(words.filled("answer_with", &[("answer", &expected)])),
            }
        }
    }
}

impl Frontend for TerminalFrontend {
    fn show_text(&mut self, text: &str) -> Result<(), FrontendError> {
        self.print(&format!("\n{}\n", prose(text.trim_end())));
        Ok(())
    }

    fn ask(&mut self, prompt: &Prompt<'_>) -> Result<Reply, FrontendError> {
        if let Some(given) = self.answers.get(prompt.name) {
            let refused = |expected| FrontendError::Refused {
                name: prompt.name.to_owned(),
                given: given.clone(),
                expected,
            };
            let answer = prompt.answer.accept(given).map_err(refused)?;
            return Ok(Reply { answer, by: AnsweredBy::Option });
        }
        match &mut self.drawn {
            Some(drawn) => drawn.ask(prompt),
            None if self.keys.attended() => self.ask_here(prompt),
            None => Err(FrontendError::Missing {
                name: prompt.name.to_owned(),
                question: prompt.text.to_owned(),
                expected: prompt.answer.expected(),
            }),
        }
    }

    fn pause(&mut self, span: Nanos, why: Pause) -> Result<(), FrontendError> {
        self.rested = why == Pause::Rest;
        if self.rested {
            let seconds = format!("{:.0}", span.as_secs_f64());
            self.print(&self.words.filled("rest_for", &[("seconds", &seconds)]));
        }
        self.keys.pause(span)
    }

    fn is_attended(&self) -> bool {
        self.keys.attended()
    }

    fn beckoned(&mut self) -> bool {
        self.keys.pressed()
    }

    fn has_wish(&mut self) -> bool {
        self.keys.has_wish()
    }

    fn wish(&mut self) -> Option<Wish> {
        loop {
            let Some(typed) = self.keys.typed() else {
                return self.keys.is_gone().then_some(Wish::Stop);
            };
            match keys::command(&typed) {
                Some(wish) => return Some(wish),
                None => say(format!("\"{typed}\" is no command:\n{COMMANDS}")),
            }
        }
    }

    fn choose(&mut self) -> Result<Wish, FrontendError> {
        if !self.keys.attended() {
            return Ok(Wish::Stop);
        }
        loop {
            say(COMMANDS);
            let typed = self.keys.line()?;
            match keys::command(&typed) {
                Some(wish) => return Ok(wish),
                None => say("Please type one of these."),
            }
        }
    }

    fn confirm(&mut self, doubt: &Doubt) -> Result<bool, FrontendError> {
        let YesOrNo { name, question, otherwise } = YesOrNo::about(doubt);
        let given = name.as_ref().and_then(|name| self.answers.get(name)).map(|given| yes(given));
        if let Some(given) = given.flatten().or(self.drawn.as_ref().map(|_| true)) {
            return Ok(given);
        }
        if !self.keys.attended() {
            let missing = || FrontendError::Missing {
                name: name.clone().unwrap_or_default(),
                question: question.clone(),
                expected: "yes or no".into(),
            };
            return otherwise.ok_or_else(missing);
        }
        loop {
            say(format!("{question} (yes or no)"));
            if let Some(answer) = yes(&self.keys.line()?) {
                return Ok(answer);
            }
        }
    }

    fn missed(&mut self, practice: &NotReached) -> Result<AfterPractice, FrontendError> {
        // Nothing given beforehand makes somebody practise for ever.
        let given = self.answers.get(&practice.step).and_then(|given| yes(given));
        let given = given.map(|on| if on { AfterPractice::GoOn } else { AfterPractice::Stop });
        if let Some(given) = given.or(self.drawn.as_ref().map(|_| AfterPractice::GoOn)) {
            return Ok(given);
        }
        let question = format!("{} Go on all the same?", practice.said());
        if !self.keys.attended() {
            let (name, expected) = (practice.step.clone(), "yes or no".to_owned());
            return Err(FrontendError::Missing { name, question, expected });
        }
        loop {
            say(wrapped(&format!("{question} ({AFTER_PRACTICE})"), ""));
            if let Some(chosen) = after_practice(&self.keys.line()?) {
                return Ok(chosen);
            }
        }
    }

    fn tell(&mut self, told: &Announcement<'_>) {
        self.line.iter_mut().for_each(LiveLine::end);
        match told {
            Announcement::Opened(opened) => self.print(&wrapped(&opening(opened), "")),
            Announcement::TrialEnded(report) => {
                self.print(&line(report));
                for complaint in &report.complaints {
                    self.print(&wrapped(complaint, "    "));
                }
            }
            Announcement::Remark(text) => self.print(&wrapped(text, "")),
            Announcement::Ended(ending) => self.print(&wrapped(ended(*ending, Terminal), "")),
            Announcement::Waits(go) => {
                let how = self.words.get(waits(*go));
                let over = self.words.get("rest_over");
                self.print(&match self.rested {
                    true => format!("({over} {how})"),
                    false => format!("({how})"),
                });
            }
            Announcement::Stands(_)
            | Announcement::TrialNext(_)
            | Announcement::TrialBegins { .. } => {}
        }
    }

    fn trial_runs(&mut self, now: Nanos) {
        let attended = self.keys.attended();
        self.line.iter_mut().for_each(|line| line.show_losses(now, attended));
    }
}

/// What the experimenter may type between two trials.
const COMMANDS: &str = "\
r REASON: run the last trial again   s REASON: leave the next one out
n TEXT: write a note down            p: pause
q: stop, and go on another time      Enter: go on";

fn yes(text: &str) -> Option<bool> {
    match text.trim().to_lowercase().as_str() {
        "y" | "yes" | "go on" => Some(true),
        "n" | "no" | "stop" => Some(false),
        _ => None,
    }
}

/// What may be answered where practice did not reach its criterion.
const AFTER_PRACTICE: &str = "yes, no: stop, again: practise once more";

fn after_practice(text: &str) -> Option<AfterPractice> {
    match text.trim().to_lowercase().as_str() {
        "a" | "again" => Some(AfterPractice::Again),
        other if yes(other)? => Some(AfterPractice::GoOn),
        _ => Some(AfterPractice::Stop),
    }
}

fn opening(opened: &Opened) -> String {
    let Opened { title, participant, session, cell, done, planned, resumed, .. } = opened;
    let cell: String = cell.iter().map(|(factor, level)| format!(", {factor}: {level}")).collect();
    let verb = if *resumed { "goes on" } else { "begins" };
    format!(
        "{title}: participant {participant}{cell}, session {session} {verb}, {done} of {} done",
        counted(planned, "trial")
    )
}

/// The words for what is waited for.
fn waits(go: Go) -> &'static str {
    match go {
        Go::Tap => "tap_or_enter",
        Go::Experimenter => "experimenter_enters",
        Go::Key | Go::AtOnce => "press_enter",
    }
}

/// What is said after a trial.
fn line(report: &TrialReport) -> String {
    let number = match report.of_open_step {
        true => format!("{} trial {}", report.step, report.trial),
        false => {
            let number = report.done + usize::from(report.interrupted);
            format!("trial {number} of {}", report.planned)
        }
    };
    let ended = if report.interrupted { ", ended by hand" } else { "" };
    let attempt = match report.attempt {
        1 => String::new(),
        n => format!(" (attempt {n})"),
    };
    let ms = |value: Option<f64>| value.map_or("-".into(), |ms| format!("{ms:.1} ms"));
    let (mean, sd) = (ms(report.mean_asynchrony_ms), ms(report.sd_asynchrony_ms));
    let timing = if report.timing_passed { "timing passed" } else { "TIMING FAILED" };
    let left = report.left_s.map_or(String::new(), |s| format!(", {} left", duration(s)));
    let taps = counted(report.taps, "tap");
    format!("{number}{attempt}{ended}: {taps}, asynchrony {mean} (SD {sd}), {timing}{left}")
}

fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 90.0 => format!("{s:.0} s"),
        s => format!("{:.0} min", s / 60.0),
    }
}

/// A question that is answered by yes or no.
struct YesOrNo {
    /// By which the command line can answer it.
    name: Option<String>,
    question: String,
    /// What holds where nobody is there to answer.
    otherwise: Option<bool>,
}

impl YesOrNo {
    fn about(doubt: &Doubt) -> YesOrNo {
        let (name, otherwise) = match doubt {
            Doubt::Tone { .. } => (Some("tone"), None),
            Doubt::OutOfTurn(_) => (Some("turn"), None),
            Doubt::NewParticipant { .. } | Doubt::LongPause { .. } => (None, Some(true)),
        };
        YesOrNo { name: name.map(str::to_owned), question: doubt.question(), otherwise }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_how_the_trial_went_and_how_long_the_rest_takes() {
        let report = TrialReport {
            done: 17,
            planned: 60,
            taps: 31,
            attempt: 1,
            mean_asynchrony_ms: Some(-31.24),
            timing_passed: true,
            left_s: Some(1_290.0),
            ..TrialReport::default()
        };
        assert_eq!(
            line(&report),
            "trial 17 of 60: 31 taps, asynchrony -31.2 ms (SD -), timing passed, 22 min left"
        );
        // It is the eighteenth, though seventeen are done.
        let ended = line(&TrialReport { interrupted: true, left_s: None, ..report });
        assert!(ended.starts_with("trial 18 of 60, ended by hand: 31 taps"), "{ended}");
    }
}

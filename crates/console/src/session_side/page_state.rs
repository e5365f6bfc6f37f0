//! [`PageState`]: what stands between a session and its pages. The session writes how it stands
//! and waits for replies; connections read lines and leave commands. One lock, held for
//! moments; no thread that runs a trial ever takes it.

use super::history::{History, Kept};
use crate::request::{Command, CommandRefusal, Role};
use crate::scene::{Phase, Scene, Window};
use crate::shown::Shown;
use chronotap_core::time::{Nanos, wall_clock_now};
use chronotap_design::Answer;
use chronotap_linux::clocks::MonotonicClock;
use chronotap_linux::realtime::Terminal;
use chronotap_session::Wish;
use chronotap_trial::TrialEnd;
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

/// Pages of the participant at a time: one is meant.
const MOST_WINDOWS: usize = 8;
/// Pages of the experimenter at a time.
pub(super) const MOST_PAGES: usize = 24;
/// Connections at a time: those of all pages that there may be, and of commands.
const MOST_CONNECTIONS: usize = 64;

/// How long a participant's page that is asked every two seconds may answer nothing.
const SILENCE: Nanos = Nanos::from_secs(8);

/// What a session shows, and what was asked of it.
#[derive(Debug)]
pub struct PageState {
    inner: Mutex<Inner>,
    news: Condvar,
    terminal: OnceLock<Terminal>,
}

#[derive(Debug, Default)]
pub(super) struct Inner {
    pub(super) history: History,
    pub(super) scene: Scene,
    pub(super) accepts: Option<Answer>, // what the question of this turn accepts
    pub(super) reply: Option<Reply>,    // to this turn
    pub(super) wishes: VecDeque<Wish>,
    pub(super) trials: u32, // that came to an end in this run of the program
    pub(super) end: Option<TrialEnd>, // of the trial that runs, or is being saved
    pub(super) by_hand: bool, // whether a command asked that trial to end before it was over
    windows: usize,         // participant's pages that are connected
    pub(super) heard: Option<Nanos>, // when one of them answered last, raw CLOCK_MONOTONIC
    pub(super) window_was: Option<Window>, // before it answered no longer
    entered: Nanos,         // when what goes on began
    watching: usize,
    connections: usize,     // that are being served, whatever they ask for
    without_terminal: bool, // it was told that the terminal is gone
    over: bool,
}

/// What a page replied to the present turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Reply {
    Answer(String, Role), // and from whose page
    GoOn,
    Decision(bool),
    Practise,
    Test,
    Start,
}

impl PageState {
    /// An empty page state.
    pub fn new() -> Arc<PageState> {
        let (inner, news, terminal) = (Mutex::default(), Condvar::new(), OnceLock::new());
        let page_state = PageState { inner, news, terminal };
        page_state.set(|_| {});
        Arc::new(page_state)
    }

    /// The program goes on without this terminal. Pages are told when it is gone, and the journal.
    pub fn outlives(&self, terminal: Terminal) {
        let _ = self.terminal.set(terminal); // the first is the one that it was started at
    }

    /// Notices that the terminal is gone, once. Whoever waits for a page looks by itself.
    pub fn look_at_terminal(&self) {
        if self.terminal.get().is_some_and(Terminal::is_gone) {
            self.lock().lose_terminal();
        }
    }

    /// Changes what is always in sight.
    pub fn set(&self, change: impl FnOnce(&mut Scene)) {
        let mut inner = self.lock();
        change(&mut inner.scene);
        inner.tell_scene();
        drop(inner);
        self.news.notify_all();
    }

    /// Something else goes on from now on. Replies to what was before no longer count.
    pub(super) fn enter(&self, phase: Phase, accepts: Option<Answer>) {
        let mut inner = self.lock();
        inner.scene.turn += 1;
        inner.scene.begun += u32::from(phase == Phase::Trial);
        inner.scene.phase = phase;
        inner.entered = MonotonicClock::raw();
        (inner.reply, inner.accepts) = (None, accepts);
        inner.tell_scene();
        drop(inner);
        self.news.notify_all();
    }

    /// A trial begins, and can be ended by this.
    pub(super) fn begin_trial(&self, end: TrialEnd) {
        self.lock().end = Some(end);
        self.enter(Phase::Trial, None);
    }

    /// The trial is over and saved. Whether it was a command that asked it to end before.
    pub(super) fn end_trial(&self) -> bool {
        let mut inner = self.lock();
        inner.end = None;
        std::mem::take(&mut inner.by_hand)
    }

    /// Tells a line.
    pub fn tell(&self, shown: Shown) {
        let mut inner = self.lock();
        inner.trials += u32::from(matches!(shown, Shown::Trial(_)));
        inner.history.add(shown);
        drop(inner);
        self.news.notify_all();
    }

    /// Looks at the scene.
    pub fn look<T>(&self, at: impl FnOnce(&Scene) -> T) -> T {
        at(&self.lock().scene)
    }

    /// What `find` finds, waited for at most so long.
    pub(super) fn wait<T>(
        &self,
        patience: Duration,
        mut find: impl FnMut(&mut Inner) -> Option<T>,
    ) -> Option<T> {
        self.look_at_terminal();
        let mut inner = self.lock();
        if let Some(found) = find(&mut inner) {
            return Some(found);
        }
        let waited = self.news.wait_timeout(inner, patience);
        inner = waited.unwrap_or_else(PoisonError::into_inner).0;
        find(&mut inner)
    }

    /// Does what a page asks for, or leaves it for the session to do.
    ///
    /// # Errors
    /// [`CommandRefusal`]; nothing has changed then.
    pub fn obey(&self, role: Role, command: Command) -> Result<(), CommandRefusal> {
        if role == Role::Participant && !command.is_for_participants() {
            return Err(CommandRefusal::NotYours);
        }
        self.lock().obey(role, command)?;
        self.news.notify_all();
        Ok(())
    }

    /// The lines after this number that are for such a page; waits for one at most so long.
    /// `None` where nothing more will come. A participant's page shows how the session stands: it
    /// is told nothing else, and a lively trial does not wake it.
    pub(super) fn lines(&self, role: Role, after: u64, patience: Duration) -> Option<Vec<Kept>> {
        let nothing_new = |inner: &mut Inner| {
            let last = match role {
                Role::Participant => inner.history.scene().map_or(0, |(id, _)| *id),
                Role::Experimenter => inner.history.last(),
            };
            last <= after && !inner.over
        };
        let waited = self.news.wait_timeout_while(self.lock(), patience, nothing_new);
        let inner = waited.unwrap_or_else(PoisonError::into_inner).0;
        let scene = || inner.history.scene().filter(|(id, _)| *id > after);
        let lines = match role {
            Role::Participant => scene().cloned().into_iter().collect(),
            Role::Experimenter => inner.history.after(after),
        };
        (!lines.is_empty() || !inner.over).then_some(lines)
    }

    /// How it stands, as a page is told it. Whoever only looks is no page, and takes none's place.
    pub(super) fn scene_line(&self) -> Option<Arc<str>> {
        self.lock().history.scene().map(|(_, line)| Arc::clone(line))
    }

    /// A page has come; `false` where there are too many of its kind, so that none of them takes
    /// the place of a command.
    pub(super) fn comes(&self, role: Role) -> bool {
        let mut inner = self.lock();
        let (there, room) = match role {
            Role::Participant => (inner.windows, MOST_WINDOWS),
            Role::Experimenter => (inner.watching - inner.windows, MOST_PAGES),
        };
        if there >= room {
            return false;
        }
        inner.watching += 1;
        if role == Role::Participant {
            inner.windows += 1;
            inner.scene.window = Window::Open;
            (inner.heard, inner.window_was) = (None, None);
            inner.tell_scene();
        }
        drop(inner);
        self.news.notify_all();
        true
    }

    /// It has gone.
    pub(super) fn goes(&self, role: Role) {
        let mut inner = self.lock();
        inner.watching -= 1;
        if role == Role::Participant {
            inner.windows -= 1;
            if inner.windows == 0 {
                inner.scene.window = Window::Closed;
                (inner.heard, inner.window_was) = (None, None);
                inner.tell_scene();
            }
        }
        drop(inner);
        self.news.notify_all();
    }

    /// Looks whether the participant's page answers. While a trial runs it is not asked to, and a
    /// page that has never answered is of a version that cannot.
    pub(super) fn look_for_life(&self, now: Nanos) {
        let mut inner = self.lock();
        let Some(heard) = inner.heard else { return };
        let asked = !matches!(inner.scene.phase, Phase::Trial | Phase::Gap);
        let is_there = matches!(inner.scene.window, Window::Open | Window::Full);
        if asked && is_there && now - heard.max(inner.entered) > SILENCE {
            inner.window_was = Some(inner.scene.window);
            inner.scene.window = Window::Frozen;
            inner.tell_scene();
            drop(inner);
            self.news.notify_all();
        }
    }

    /// Somebody has connected; `false` where there are too many.
    pub(super) fn opens(&self) -> bool {
        let mut inner = self.lock();
        let has_room = inner.connections < MOST_CONNECTIONS;
        inner.connections += usize::from(has_room);
        has_room
    }

    /// Their connection is closed.
    pub(super) fn closes(&self) {
        self.lock().connections -= 1;
        self.news.notify_all();
    }

    /// Nothing more will come.
    pub(super) fn close(&self) {
        self.lock().over = true;
        self.news.notify_all();
    }

    /// Waits until everybody who is connected was told all, however busy the computer is; each
    /// connection itself gives up somebody who takes nothing.
    pub(super) fn wait_until_all_are_told(&self) {
        let told = self.news.wait_while(self.lock(), |inner| inner.connections > 0);
        drop(told.unwrap_or_else(PoisonError::into_inner));
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a page says of it.
const WITHOUT_TERMINAL: &str =
    "The terminal was closed or cut off. That ends nothing: go on here, on this page.";

impl Inner {
    fn lose_terminal(&mut self) {
        if !std::mem::replace(&mut self.without_terminal, true) {
            let at = wall_clock_now();
            let text = "The terminal was closed or cut off; the session went on.".to_owned();
            self.wishes.push_back(Wish::Noticed { at: at.clone(), text });
            self.history.add(Shown::Remark { at, text: WITHOUT_TERMINAL.into() });
        }
    }

    pub(super) fn tell_scene(&mut self) {
        let scene = Box::new(self.scene.clone());
        self.history.add(Shown::Scene(scene));
    }
}

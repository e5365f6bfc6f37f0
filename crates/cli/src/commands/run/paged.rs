//! A single trial on the console's page: `run TRIAL --console`. It is the page of a session that has
//! one trial, no participant and no study: the trial begins at the experimenter's word, is watched,
//! and leaves its summary and verdict there.

use crate::commands::console::sockets;
use crate::commands::study::{open_pages, outlive_terminal};
use crate::{Verdict, in_full};
use anyhow::{Context, Result, bail};
use chronotap_console::{Board, Door, Phase, SocketDesk, follow_trials, session_socket};
use chronotap_design::Go;
use chronotap_laboratory::Finished;
use chronotap_realtime::{Interrupt, TrialEnd};
use chronotap_recorder::Observer;
use chronotap_session::{Desk, Opened, Told, TrialReport, Wish, is_interrupted};
use chronotap_time::Nanos;
use std::collections::BTreeMap;
use std::path::Path;
use std::thread::park_timeout;
use std::time::Duration;

/// How a trial is shown on pages.
#[derive(Clone, Copy, Debug)]
pub struct Pages {
    /// Whether a server is to be started for it; else there is one.
    pub opened: bool,
    /// Whether the participant's page fills a screen of its own.
    pub kiosk: bool,
    /// The processor that the trial has for itself, where it has one.
    pub cpu: Option<usize>,
    /// Whether nobody taps but a simulated participant.
    pub simulated: bool,
}

/// How often the experimenter's word is looked for.
const LOOK_AGAIN: Duration = Duration::from_millis(50);

/// The page of a trial.
pub(super) struct Paged {
    desk: SocketDesk,
    title: String,
    _door: Door, // the socket is there as long as this is
}

impl Paged {
    /// Opens the page of a trial whose data go into a folder.
    pub(super) fn open(
        pages: Pages,
        title: &str,
        data: &Path,
        interrupt: Interrupt,
    ) -> Result<Paged> {
        let board = Board::new();
        let folder = std::path::absolute(data).context("the folder of the data")?;
        board.set(|scene| {
            (scene.single, scene.simulated, scene.folder) = (true, pages.simulated, folder);
        });
        let door = Door::open(&session_socket(&sockets()?), &board)?;
        if pages.opened {
            outlive_terminal(&board)?;
            open_pages(door.path(), pages.kiosk, pages.cpu)?;
        }
        let mut desk = SocketDesk::new(&board, BTreeMap::new(), interrupt);
        let title = title.to_owned();
        let opened = Opened { title: title.clone(), session: 1, planned: 1, ..Opened::default() };
        desk.tell(&Told::Opened(&opened));
        Ok(Paged { desk, title, _door: door })
    }

    /// Whoever tells the page what happens.
    pub(super) fn observer(&self) -> Result<Observer> {
        follow_trials(self.desk.board()).context("the console cannot follow the trial")
    }

    /// Waits until the experimenter starts the trial, which they can end by this.
    pub(super) fn wait_for_start(&mut self, interrupt: Interrupt, end: &TrialEnd) -> Result<()> {
        self.desk.tell(&Told::Waits(Go::Experimenter));
        while !self.desk.beckoned() && !interrupt.requested() {
            park_timeout(LOOK_AGAIN);
        }
        let mut wishes = std::iter::from_fn(|| self.desk.wish());
        if interrupt.requested() || wishes.any(|wish| wish == Wish::Stop) {
            bail!("stopped before the trial began; nothing was run");
        }
        self.desk.tell(&Told::TrialBegins { step: &self.title, trial: 1, end });
        Ok(())
    }

    /// The trial is under way for so long.
    pub(super) fn runs(&mut self, now: Nanos) {
        self.desk.trial_runs(now);
    }

    /// Shows what the terminal is told, which may be gone.
    pub(super) fn remark(&mut self, text: &str) {
        self.desk.tell(&Told::Remark(text));
    }

    /// Shows how the trial went.
    pub(super) fn show(&mut self, finished: &Finished) {
        let summary = &finished.summary;
        let pair = summary.synchronization.first().and_then(|pair| pair.asynchrony);
        let complaints = summary.verdict.reasons.iter().chain(&summary.data.reasons);
        self.desk.tell(&Told::TrialEnded(&TrialReport {
            step: self.title.clone(),
            done: 1,
            planned: 1,
            trial: 1,
            attempt: 1,
            interrupted: is_interrupted(summary),
            taps: summary.taps.iter().map(|taps| taps.taps as u64).sum(),
            mean_asynchrony_ms: pair.map(|asynchrony| asynchrony.mean_ms),
            sd_asynchrony_ms: pair.and_then(|asynchrony| asynchrony.sd_ms),
            timing_passed: summary.verdict.passed,
            complaints: complaints.cloned().collect(),
            summary: summary.to_string(),
            ..TrialReport::default()
        }));
    }

    /// Shows that it is over. The page is told it before its socket is closed.
    pub(super) fn end(&self, ran: &Result<Verdict>) {
        self.desk.end(match ran {
            Ok(verdict) => {
                let sound = *verdict == Verdict::Passed;
                Phase::Ended { complete: true, sound, tally: None }
            }
            Err(error) => Phase::Failed { error: in_full(error) },
        });
    }
}

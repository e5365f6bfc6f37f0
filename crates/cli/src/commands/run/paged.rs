//! A single trial on the console's page: `run TRIAL --console`. It is the page of a session that has
//! one trial, no participant and no study: the trial begins at the experimenter's word, is watched,
//! and leaves its summary and verdict there.

use crate::CommandVerdict;
use crate::commands::pages::{OpenPages, Pages};
use crate::says::for_a_page;
use anyhow::{Context, Result, bail};
use chronotap_analysis::statistics::of_asynchronies::{MEAN_ASYNCHRONY, SD_ASYNCHRONY};
use chronotap_console::Phase;
use chronotap_core::time::Nanos;
use chronotap_design::Go;
use chronotap_linux::realtime::Interrupt;
use chronotap_rig::laboratory::{FinishedTrial, Sinks};
use chronotap_session::{Announcement, Frontend, Opened, TrialReport, Wish, is_interrupted};
use chronotap_simulate::TrialEnd;
use std::collections::BTreeMap;
use std::path::Path;
use std::thread::park_timeout;
use std::time::Duration;

/// How often the experimenter's word is looked for.
const LOOK_AGAIN: Duration = Duration::from_millis(50);

/// The page of a trial.
pub(super) struct Paged {
    pages: OpenPages,
    title: String,
}

impl Paged {
    /// Opens the page of a trial whose data go into a folder; `simulated` where nobody taps but a
    /// simulated participant.
    pub(super) fn open(
        (pages, simulated): (Pages, bool),
        title: &str,
        data: &Path,
        interrupt: Interrupt,
    ) -> Result<Paged> {
        let folder = std::path::absolute(data).context("the folder of the data")?;
        let pages = OpenPages::open(pages, BTreeMap::new(), interrupt, |scene| {
            (scene.single, scene.simulated, scene.folder) = (true, simulated, folder);
        })?;
        let title = title.to_owned();
        let mut paged = Paged { pages, title: title.clone() };
        let opened = Opened { title, session: 1, planned: 1, ..Opened::default() };
        paged.pages.frontend.tell(&Announcement::Opened(&opened));
        Ok(paged)
    }

    /// From now on the page is among those who are told what happens.
    pub(super) fn follow(&self, sinks: &mut Sinks) -> Result<()> {
        self.pages.follow(sinks)
    }

    /// Says which keyboards nobody else has while the trial runs.
    pub(super) fn keeps<'a>(&self, keyboards: impl Iterator<Item = &'a str>) {
        let keyboards = keyboards.collect::<Vec<_>>().join(", ");
        self.pages.frontend.page_state().set(|scene| scene.keyboard = keyboards);
    }

    /// Waits until the experimenter starts the trial, which they can end by this.
    pub(super) fn wait_for_start(&mut self, interrupt: Interrupt, end: &TrialEnd) -> Result<()> {
        self.pages.frontend.tell(&Announcement::Waits(Go::Experimenter));
        while !self.pages.frontend.beckoned() && !interrupt.requested() {
            park_timeout(LOOK_AGAIN);
        }
        let mut wishes = std::iter::from_fn(|| self.pages.frontend.wish());
        if interrupt.requested() || wishes.any(|wish| wish == Wish::Stop) {
            bail!("stopped before the trial began; nothing was run");
        }
        self.pages.frontend.tell(&Announcement::TrialBegins { step: &self.title, trial: 1, end });
        Ok(())
    }

    /// The trial is under way for so long.
    pub(super) fn runs(&mut self, now: Nanos) {
        self.pages.frontend.trial_runs(now);
    }

    /// Shows what the terminal is told, which may be gone.
    pub(super) fn remark(&mut self, text: &str) {
        self.pages.frontend.tell(&Announcement::Remark(text));
    }

    /// Shows how the trial went.
    pub(super) fn show(&mut self, finished: &FinishedTrial) {
        let summary = &finished.summary;
        let pair = summary.synchronization.first().and_then(|pair| pair.asynchrony.as_ref());
        let complaints = summary.verdict.reasons.iter().chain(&summary.data.reasons);
        self.pages.frontend.tell(&Announcement::TrialEnded(&TrialReport {
            step: self.title.clone(),
            done: 1,
            planned: 1,
            trial: 1,
            attempt: 1,
            interrupted: is_interrupted(summary),
            taps: summary.taps.iter().map(|taps| taps.taps as u64).sum(),
            mean_asynchrony_ms: pair.and_then(|asynchrony| asynchrony.of(&MEAN_ASYNCHRONY)),
            sd_asynchrony_ms: pair.and_then(|asynchrony| asynchrony.of(&SD_ASYNCHRONY)),
            timing_passed: !summary.verdict.failed(),
            complaints: complaints.cloned().collect(),
            summary: summary.to_string(),
            ..TrialReport::default()
        }));
    }

    /// Shows that it is over. The page is told it before its socket is closed.
    pub(super) fn end(&self, ran: &Result<CommandVerdict>) {
        self.pages.frontend.end(match ran {
            Ok(verdict) => {
                let sound = *verdict == CommandVerdict::Passed;
                Phase::Ended { complete: true, answered: None, sound, tally: None }
            }
            Err(error) => Phase::Failed { error: for_a_page(error) },
        });
    }
}

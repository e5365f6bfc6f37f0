//! One trial of a session: the pause before it, the trial itself, what is written of it, and
//! what the experimenter is shown.

use super::equipment::Equipment;
use super::waits::Waited;
use super::{Session, SessionError};
use chronotap_analysis::statistics::of_asynchronies::{MEAN_ASYNCHRONY, SD_ASYNCHRONY};
use chronotap_analysis::summary::Summary;
use chronotap_config::trial_files::TrialFile;
use chronotap_core::files::{Disk as AnyDisk, slashes};
use chronotap_core::time::{Nanos, wall_clock_now};
use chronotap_data::record::Saved;
use chronotap_design::{Go, PlannedTrial, Supplied};
use chronotap_session::{
    checksum::sha256,
    course::Next,
    described::levels,
    ending::Ending,
    frontend::{Announcement, Frontend, FrontendError, NextTrial, Pause, TrackPoint, TrialReport},
    line::{Line, StaircaseAnswer, TrialBegan, TrialEnded},
    observing::{self, Coming},
    outcome::{self, Judged, StaircaseSetting},
    tables::planned,
};
use chronotap_simulate::{FinishedTrial, KeepData, Tapper, TrialRun};
use chronotap_trial::TrialEnd;
use std::collections::BTreeMap;
use std::sync::Arc;

impl<D: AnyDisk> Session<'_, D> {
    /// Runs the trial that is next; an ending where somebody stopped the session in it.
    pub(super) fn trial(
        &mut self,
        next: Next,
        equipment: &mut Equipment<'_>,
        frontend: &mut dyn Frontend,
    ) -> Result<Option<Ending>, SessionError> {
        let planned = self.planned(next);
        let (file, seed, level) = self.prepare(next, &planned, frontend)?;
        frontend.tell(&Announcement::TrialNext(&self.next_trial(next, &planned)));
        frontend.pause(self.gap(next, &planned), Pause::Gap)?;
        if self.wait(equipment, frontend, next.go)? == Waited::Otherwise {
            return Ok(None);
        }
        if equipment.is_interrupted() {
            return Err(FrontendError::Interrupted.into()); // meant for what was before this trial
        }
        let (step, end) = (self.step_name(next.step), TrialEnd::default());
        frontend.tell(&Announcement::TrialBegins { step: &step, trial: next.trial, end: &end });
        let staircase = next.staircase.and_then(|place| self.course.staircase(place));
        let judged = staircase.zip(level.as_ref());
        let levels = levels(&self.plan, &planned);
        let label = &self.place.label;
        let coming =
            Coming { file: &file, planned: &planned, staircase: judged, seed, levels, label };
        let tapper = observing::tapper(self.study, equipment.tapper, &coming);
        let track = level.as_ref().and_then(|level| self.track(staircase?, level));
        let began = outcome::begins(next, seed, staircase, level);
        if next.run == 1 {
            self.describe_trials()?;
        }
        self.heed_the_day(equipment, frontend)?;
        self.record(Line::TrialBegan(Box::new(TrialBegan { at: wall_clock_now(), ..began })))?;
        let mut finished = self.run_one(next, (&file, seed, &end, &tapper), equipment, frontend)?;
        let saved = saved_in_its_place(&mut finished)?;
        let ended = self.ended(next, &file, &finished, saved.as_ref())?;
        equipment.laboratory.reuse(&mut finished);
        self.record(Line::TrialEnded(Box::new(ended.clone())))?;
        let report = self.report(next, &ended, &finished.summary);
        let track = track.map(|track| answered(track, &ended));
        frontend.tell(&Announcement::TrialEnded(&TrialReport { track, ..report }));
        for said in outcome::about_answer(&ended) {
            frontend.tell(&Announcement::Remark(&format!("{step}: {said}")));
        }
        let missed = ended.missed.as_ref().filter(|_| !self.study.experiment.blind);
        for said in ended.criterion.iter().chain(missed) {
            frontend.tell(&Announcement::Remark(&format!("{step}: {said}")));
        }
        if !ended.interrupted {
            return Ok(None);
        }
        equipment.rearm();
        self.chosen(Some(ended.run), equipment, frontend)
    }

    fn planned(&self, next: Next) -> PlannedTrial {
        let planned = planned(&self.plan, next.step, next.trial);
        planned.map(|(_, trial)| trial.clone()).expect("the course names only planned trials")
    }

    fn next_trial(&self, next: Next, planned: &PlannedTrial) -> NextTrial {
        let levels = self.plan.levels(planned);
        let levels = levels.filter_map(|(name, level)| Some((name.to_owned(), level?.to_owned())));
        let (done, all) = self.course.counted();
        NextTrial {
            step: self.step_name(next.step),
            trial: next.trial,
            attempt: next.attempt,
            condition: self.told(levels.collect()),
            done,
            planned: all,
            waits: next.go != Go::AtOnce,
        }
    }

    /// The pause before a trial. In a step of unknown length one trial of the plan stands for
    /// all, and each draws its own pause.
    fn gap(&self, next: Next, planned: &PlannedTrial) -> Nanos {
        let open = self.plan.steps.iter().any(|step| step.index == next.step && step.open);
        match open && next.trial > 1 {
            true => self.study.experiment.gap_of_open(&self.plan, next.step, next.trial),
            false => Nanos(planned.gap_ns),
        }
    }

    fn prepare(
        &mut self,
        next: Next,
        planned: &PlannedTrial,
        frontend: &mut dyn Frontend,
    ) -> Result<(Arc<TrialFile>, u64, Option<StaircaseSetting>), SessionError> {
        let level = next.staircase.and_then(|place| self.course.level(place));
        let results = self.results_for(planned, frontend)?;
        let known = Supplied { results: &results, levels: level.as_slice() };
        let file = self.study.trial(planned, &known)?;
        let seed = self.study.seed(&self.plan, planned, next);
        Ok((file, seed, level))
    }

    fn run_one(
        &self,
        next: Next,
        (file, seed, end, tapper): (&TrialFile, u64, &TrialEnd, &Tapper),
        equipment: &mut Equipment<'_>,
        frontend: &mut dyn Frontend,
    ) -> Result<FinishedTrial, SessionError> {
        let folder = self.dataset.root().join(self.place.beh());
        let name = self.place.trial(next.run);
        let run = TrialRun {
            file,
            seed,
            tapper,
            limit: equipment.limit,
            keep: KeepData::Files(&folder, &name),
            sinks: equipment.sinks,
        };
        let ran = equipment.laboratory.run(&run, end, &mut |now| frontend.trial_runs(now));
        ran.map_err(SessionError::Laboratory)
    }

    /// What is written of a finished trial.
    fn ended(
        &self,
        next: Next,
        file: &TrialFile,
        finished: &FinishedTrial,
        saved: Option<&Saved>,
    ) -> Result<TrialEnded, SessionError> {
        let files = self.files(saved)?;
        let step = &self.study.experiment.steps[next.step];
        let staircase = next.staircase.and_then(|place| self.course.staircase(place));
        let staircase = staircase.and_then(|name| self.study.staircase(name));
        let (summary, entries) = (&finished.summary, finished.entries.as_slice());
        let mut ended =
            outcome::of(step, next.trial, staircase, &Judged { file, summary, entries });
        if let (Some(place), Some(answer), false) =
            (next.staircase, ended.answer, ended.interrupted)
        {
            ended.reversal = self.course.reverses(place, answer);
            ended.flags.extend(self.course.end_of_staircase(place, answer));
        }
        ended.run = next.run;
        ended.at = wall_clock_now();
        ended.onset = onset(finished).unwrap_or_else(|| ended.at.clone());
        ended.files = files;
        if self.dataset.is_simulated() {
            ended.flags.push("simulated".into());
        }
        Ok(ended)
    }

    /// SHA-256 of the files of a trial, by their paths from the dataset's folder.
    pub(super) fn files(
        &self,
        saved: Option<&Saved>,
    ) -> Result<BTreeMap<String, String>, SessionError> {
        let mut files = BTreeMap::new();
        let Some(saved) = saved else { return Ok(files) };
        for path in saved.files() {
            let inside = path.strip_prefix(self.dataset.root()).unwrap_or(&path);
            let bytes = self.dataset.told(inside, self.dataset.disk.read(&path))?;
            files.insert(slashes(inside), sha256(&bytes));
        }
        Ok(files)
    }

    fn report(&self, next: Next, ended: &TrialEnded, summary: &Summary) -> TrialReport {
        let (done, planned) = self.course.counted();
        let pair = summary.synchronization.first().and_then(|pair| pair.asynchrony.as_ref());
        let pair = pair.filter(|_| !self.study.experiment.blind);
        let complaints = summary.verdict.reasons.iter().chain(&summary.data.reasons).cloned();
        let blind = self.study.experiment.blind;
        let again = ended.failed.iter().map(|test| match blind {
            true => "a criterion of the study failed: to be run again".to_owned(), // it may tell of asynchrony
            false => format!("{test}: to be run again"),
        });
        let each = ended.length_s + self.planned(next).gap_ns as f64 / 1e9;
        TrialReport {
            step: self.step_name(next.step),
            done,
            planned,
            of_open_step: self.plan.steps.iter().any(|step| step.index == next.step && step.open),
            trial: next.trial,
            attempt: next.attempt,
            interrupted: ended.interrupted,
            taps: summary.taps.iter().map(|taps| taps.taps as u64).sum(),
            mean_asynchrony_ms: pair.and_then(|asynchrony| asynchrony.of(&MEAN_ASYNCHRONY)),
            sd_asynchrony_ms: pair.and_then(|asynchrony| asynchrony.of(&SD_ASYNCHRONY)),
            timing_passed: ended.timing_passed,
            complaints: complaints.chain(again).collect(),
            summary: if blind { String::new() } else { summary.to_string() },
            left_s: Some(each * planned.saturating_sub(done) as f64).filter(|_| !ended.interrupted),
            track: None,
        }
    }

    /// The level of a staircase, for those who may see it.
    fn track(&self, staircase: &str, (_, value): &StaircaseSetting) -> Option<TrackPoint> {
        let known = self.study.staircase(staircase).filter(|_| !self.study.experiment.blind)?;
        let (level, unit) = match known.timed {
            true => (observing::value(value)? / 1e6, "ms"),
            false => (observing::value(value)?, ""),
        };
        Some(TrackPoint { staircase: staircase.to_owned(), level, unit, ..TrackPoint::default() })
    }
}

/// What was answered at this level.
fn answered(track: TrackPoint, ended: &TrialEnded) -> TrackPoint {
    let right = match ended.answer {
        Some(StaircaseAnswer::Correct) => Some(true),
        Some(StaircaseAnswer::Wrong) => Some(false),
        _ => None,
    };
    TrackPoint { right, reversal: ended.reversal == Some(true), ..track }
}

/// Takes the files of a trial, which must be in the dataset.
fn saved_in_its_place(finished: &mut FinishedTrial) -> Result<Option<Saved>, SessionError> {
    let saved = std::mem::replace(&mut finished.saved, Ok(None));
    let saved = saved.map_err(SessionError::NotSaved)?;
    match (&finished.moved, &saved) {
        (Some(moved), Some(Saved { tsv, .. })) => {
            Err(SessionError::Elsewhere { moved: moved.clone(), tsv: tsv.clone() })
        }
        _ => Ok(saved),
    }
}

/// When the trial began, in UTC: by its own clock where it ran in real time.
fn onset(finished: &FinishedTrial) -> Option<String> {
    finished.began_utc.map(chronotap_session::moment::to_the_microsecond)
}

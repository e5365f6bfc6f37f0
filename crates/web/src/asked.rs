//! [`Asked`]: what a page asks about, with its bounds.

use crate::refused::Refused;
use crate::who::Who;
use chronotap_config::trial_files::TrialFile;
use chronotap_design::Experiment;
use serde::Deserialize;

/// More bytes of text are no trial file.
const BYTES_MAX: usize = 1 << 20;
/// So many people may tap at once.
pub(crate) const PEOPLE_MAX: u32 = 100;
/// So many studies of a power analysis, each with so many people at most, and so many numbers of people.
const STUDIES_MAX: u32 = 1_000;
const COUNTS_MAX: usize = 12;
/// So many taps somebody may make in a trial: an hour of them, three a second.
const TAPS_MAX: usize = 10_800;
/// Samples a second that browsers play.
const RATES_HZ: std::ops::RangeInclusive<u32> = 8_000..=192_000;

/// A file, and what is to be done with it. Only its text must be there.
#[derive(Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Asked {
    /// How the file is called in messages.
    pub name: String,
    pub text: String,
    /// The files beside an experiment file, each with its text.
    pub beside: Vec<(String, String)>,
    /// The step of an experiment whose trial is meant; the first with trials where there is none.
    pub step: Option<String>,
    /// Who taps, as `chronotap simulate --simulate` takes it.
    pub participant: String,
    /// Instead of a simulated person: when somebody tapped along, in ms from the start of the trial.
    pub taps_ms: Option<Vec<f64>>,
    /// How many people; the one that comes n-th has a seed that is greater by n.
    pub people: u32,
    /// That of the file where there is none, else 1.
    pub seed: Option<u64>,
    /// Of a power analysis: how many studies.
    pub studies: u32,
    /// With each of these numbers of people, rising; those of the study where there are none.
    pub counts: Vec<u32>,
    /// Of a timeline: how much room it has on the page; it is never wider than the program's.
    pub width_px: u32,
    /// Of sound: samples a second.
    pub rate_hz: u32,
    /// Of a recorded trial: date and time, RFC 3339.
    pub started: String,
}

impl Default for Asked {
    fn default() -> Asked {
        Asked {
            name: "trial.toml".into(),
            text: String::new(),
            beside: Vec::new(),
            step: None,
            participant: "tapper".into(),
            taps_ms: None,
            people: 1,
            seed: None,
            studies: 20,
            counts: Vec::new(),
            width_px: chronotap_drawing::WIDE as u32,
            rate_hz: 48_000,
            started: "1970-01-01T00:00:00Z".into(),
        }
    }
}

impl Asked {
    /// The question that a page has written.
    pub fn read(json: &str) -> Result<Asked, Refused> {
        let asked: Asked = serde_json::from_str(json).map_err(|e| Refused::Asked(e.to_string()))?;
        if asked.text.len() > BYTES_MAX {
            return Err(Refused::TooLong { most: BYTES_MAX });
        }
        if !(1..=PEOPLE_MAX).contains(&asked.people) {
            return Err(Refused::People { most: PEOPLE_MAX });
        }
        let rises = asked.counts.is_sorted_by(|one, next| one < next);
        let is_right = |count: &u32| (2..=PEOPLE_MAX).contains(count);
        if !(1..=STUDIES_MAX).contains(&asked.studies)
            || asked.counts.len() > COUNTS_MAX
            || !rises
            || !asked.counts.iter().all(is_right)
        {
            return Err(Refused::Studies {
                studies: STUDIES_MAX,
                counts: COUNTS_MAX,
                people: PEOPLE_MAX,
            });
        }
        if asked.taps_ms.as_ref().is_some_and(|taps| taps.len() > TAPS_MAX) {
            return Err(Refused::Taps { most: TAPS_MAX });
        }
        if !RATES_HZ.contains(&asked.rate_hz) {
            return Err(Refused::Rate { least: *RATES_HZ.start(), most: *RATES_HZ.end() });
        }
        Ok(asked)
    }

    pub fn is_experiment(&self) -> bool {
        Experiment::is_one(&self.text)
    }

    pub fn experiment(&self) -> Result<Experiment, Refused> {
        Ok(Experiment::parse(&self.text, &self.name, &self.beside)?)
    }

    /// The trial that is meant: the file's, or one of the named step.
    pub fn trial(&self) -> Result<TrialFile, Refused> {
        if !self.is_experiment() {
            return Ok(TrialFile::parse(&self.text, &self.name)?);
        }
        let mut trials = self.experiment()?.one_of_each_step_by_name()?;
        let wanted =
            |(name, _): &(String, TrialFile)| self.step.as_ref().is_none_or(|step| step == name);
        match trials.iter().position(wanted) {
            Some(place) => Ok(trials.swap_remove(place).1),
            None => Err(Refused::NoStep(self.step.clone().unwrap_or_default())),
        }
    }

    /// Who taps.
    pub fn who(&self) -> Who<'_> {
        match &self.taps_ms {
            Some(taps_ms) => Who::AtPage(taps_ms),
            None => Who::Simulated(&self.participant),
        }
    }

    /// The seed of the n-th person, from 0.
    pub fn seed_of(&self, file: &TrialFile, person: u32) -> u64 {
        self.seed.or(file.seed).unwrap_or(1).wrapping_add(person.into())
    }
}

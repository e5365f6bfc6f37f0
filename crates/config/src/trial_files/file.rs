//! [`TrialFile`]: a trial file read, checked and resolved, or all its problems.

use crate::trial_files::answers::InputAnswers;
use crate::trial_files::attached::with_files;
use crate::trial_files::build;
use crate::trial_files::keys::KEYS;
use crate::trial_files::reading::{
    Mistakes, Page, Parameter, Part, Problems, document, no_text, tree,
};
use crate::trial_files::recording::SoundRecording;
use crate::trial_files::say;
use chronotap_core::files::Foreign;
use chronotap_core::time::Nanos;
use chronotap_engine::Engine;
use chronotap_engine::signal::StagedSound;
use chronotap_engine::trial::Trial;
use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

/// A trial file is some kilobytes; beyond this it is something else.
const BYTES_MAX: u64 = 1 << 20;

/// A checked trial file.
#[derive(Clone, Debug)]
pub struct TrialFile {
    /// The file's name as it was given.
    pub name: String,
    /// `title`, or the name of the file without its ending.
    pub title: String,
    /// `description`.
    pub description: Option<String>,
    /// `reference`: the publication it follows.
    pub reference: Option<String>,
    /// `seed`; `None` has one drawn when the trial runs.
    pub seed: Option<u64>,
    /// `limit`: lateness above which the timing verdict fails.
    pub limit: Nanos,
    /// What the engine runs.
    pub trial: Trial,
    /// Which input is measured against which pacing stream.
    pub answers: InputAnswers,
    /// The recordings that pacing streams play.
    pub recordings: Vec<SoundRecording>,
    /// What kinds of events mean, as HED tags: by the kind in the data, such as `tap`, which replace the
    /// usual ones, or by kind and name, such as `pacing.metronome`, which add to them.
    pub hed: BTreeMap<String, String>,
    /// The text of the file.
    pub source: String,
    /// Every parameter as it holds at the start of the trial, in file order.
    pub parameters: Vec<Parameter>,
    /// Doubts that do not keep the trial from running.
    pub warnings: Vec<String>,
    /// What each rule does, in words.
    pub(crate) said: Vec<Vec<String>>,
}

impl TrialFile {
    /// What only a trial file has, at its top.
    pub const PARTS: [&str; 4] = ["pacing", "feedback", "masking", "when"];

    /// Whether a text is meant as a trial, with mistakes or without.
    pub fn is_one(text: &str) -> bool {
        let is_part = |name: &str| TrialFile::PARTS.contains(&name);
        // A text that is no TOML still has its heads, such as `[pacing.metronome]`.
        let heads = |line: &str| {
            let name = line.strip_prefix('[').map(|rest| rest.trim_start_matches('['));
            name.and_then(|rest| rest.split([']', '.']).next())
                .is_some_and(|name| is_part(name.trim()))
        };
        text.lines().any(|line| heads(line.trim_start()))
            || tree(text).is_ok_and(|table| TrialFile::PARTS.iter().any(|name| table.has(name)))
    }

    /// A trial that was made by a program and stands in no file.
    pub fn made(title: &str, trial: Trial, limit: Nanos) -> TrialFile {
        let said = vec![Vec::new(); trial.rules.len()];
        TrialFile {
            name: title.to_owned(),
            title: title.to_owned(),
            description: None,
            reference: None,
            seed: None,
            limit,
            trial,
            answers: InputAnswers::default(),
            recordings: Vec::new(),
            hed: BTreeMap::new(),
            source: String::new(),
            parameters: Vec::new(),
            warnings: Vec::new(),
            said,
        }
    }

    /// The engine that runs it. Everything random comes from the seed.
    pub fn engine(&self, seed: u64) -> Engine {
        self.engine_on(seed, &[])
    }

    /// The same where outputs have these constant latencies from a deadline to the converter, in the
    /// trial's order; none where fewer are given.
    pub fn engine_on(&self, seed: u64, latencies: &[Nanos]) -> Engine {
        Engine::new(Arc::new(self.trial.clone().on(latencies)), seed)
    }

    /// What a rule waits for and what it does, in words; rules count from 0.
    pub fn rule_told(&self, rule: usize) -> (String, &[String]) {
        let waits = self.trial.rules.get(rule).map(|rule| say::condition(&rule.when, &self.trial));
        (waits.unwrap_or_default(), self.said.get(rule).map_or(&[], Vec::as_slice))
    }

    /// The recordings that pacing streams play, with their beats.
    pub fn recorded(&self) -> Vec<StagedSound<'_>> {
        let onsets = |stream: u16| {
            let onsets = self.trial.pacing[usize::from(stream)].onsets;
            onsets.unwrap_or_default().of(&self.trial.times)
        };
        let all = self.recordings.iter();
        all.map(|it| StagedSound {
            stream: it.stream,
            path: &it.path,
            sha256: &it.sha256,
            beats: it.beats.as_deref().unwrap_or_else(|| onsets(it.stream)),
        })
        .collect()
    }

    /// Reads and checks a file. At most 1 MB of it is read, whatever it is. The files that it
    /// names are read too.
    ///
    /// # Errors
    /// All the problems of the file, or why it could not be read.
    pub fn read(path: &Path) -> Result<TrialFile, Problems> {
        TrialFile::beside(&TrialFile::bytes(path)?, path)
    }

    /// Checks the bytes of a file that lies at `path`, and reads the files that it names.
    ///
    /// # Errors
    /// All the problems of the file.
    pub fn beside(bytes: &[u8], path: &Path) -> Result<TrialFile, Problems> {
        let name = path.display().to_string();
        let dir = path.parent().unwrap_or(Path::new(""));
        match std::str::from_utf8(bytes) {
            Ok(text) if bytes.len() as u64 <= BYTES_MAX => {
                TrialFile::parse(&with_files(text, dir), &name)
            }
            _ => TrialFile::from_bytes(bytes, &name),
        }
    }

    /// The bytes of a file: one more than 1 MB of it where it is larger.
    ///
    /// # Errors
    /// Why it could not be read.
    pub fn bytes(path: &Path) -> Result<Vec<u8>, Problems> {
        let name = path.display().to_string();
        let unreadable = |error: std::io::Error| Problems::unreadable(&name, &error);
        let mut bytes = Vec::new();
        let file = chronotap_core::files::open(path).map_err(unreadable)?;
        file.take(BYTES_MAX + 1).read_to_end(&mut bytes).map_err(unreadable)?;
        Ok(bytes)
    }

    /// Checks the bytes of a file called `name`.
    ///
    /// # Errors
    /// All the problems of the file.
    pub fn from_bytes(bytes: &[u8], name: &str) -> Result<TrialFile, Problems> {
        TrialFile::parse(TrialFile::text(bytes, name)?, name)
    }

    /// The text that the bytes of a file called `name` are.
    ///
    /// # Errors
    /// That they are more than 1 MB, or none in UTF-8.
    pub fn text<'a>(bytes: &'a [u8], name: &str) -> Result<&'a str, Problems> {
        let unread = |text: &str, at: usize, message: &str, cure: &str| {
            let mistakes = Mistakes::default();
            Page::new(&mistakes, &KEYS, name, text).cured(at, message, cure);
            Err(mistakes.into_problems())
        };
        if bytes.len() as u64 > BYTES_MAX {
            let message = "the file is larger than 1 MB, so it is not a trial file";
            return unread("", 0, message, "a trial file is some lines of text; check the path");
        }
        std::str::from_utf8(bytes).or_else(|error| {
            let good = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
            let (message, cure) = no_text(Foreign::of(bytes));
            unread(&good, error.valid_up_to(), &message, cure)
        })
    }

    /// Checks the text of a file called `name`.
    ///
    /// # Errors
    /// All the problems of the file.
    pub fn parse(text: &str, name: &str) -> Result<TrialFile, Problems> {
        if text.len() as u64 > BYTES_MAX {
            return TrialFile::from_bytes(text.as_bytes(), name);
        }
        let mistakes = Mistakes::default();
        let page = Page::new(&mistakes, &KEYS, name, text).recording();
        let Some(table) = document(&page, text) else { return Err(mistakes.into_problems()) };
        let build::Built { trial, answers, recordings, hed, said } = build::trial(&page, &table);
        let top = Part::reopened(&page, &table);
        let file = TrialFile {
            name: name.to_owned(),
            title: top.given("title", |f| f.text()).unwrap_or_else(|| stem(name)),
            description: top.given("description", |f| f.lines()),
            reference: top.given("reference", |f| f.text()),
            seed: top.given("seed", |f| f.whole(0, u64::MAX)),
            limit: page.quietly(|| top.read("limit", |f| f.time())).unwrap_or_default(),
            trial,
            answers,
            recordings,
            hed,
            source: text.to_owned(),
            parameters: Vec::new(),
            warnings: Vec::new(),
            said,
        };
        let parameters = page.into_parameters();
        Ok(TrialFile { parameters, warnings: mistakes.into_warnings()?, ..file })
    }
}

fn stem(name: &str) -> String {
    let path = Path::new(name);
    path.file_stem().map_or_else(|| name.to_owned(), |stem| stem.to_string_lossy().into_owned())
}

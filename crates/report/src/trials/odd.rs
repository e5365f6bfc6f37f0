//! [`all`]: what is odd about recorded trials, the gravest first. What a participant did that
//! is unlike the others is in `outlying`.

use super::RecordedTrials;
use super::words::{counted, some_of};
use chronotap_data::record::RunnerMode;
use chronotap_data::tables::TimeCourse;
use std::collections::BTreeMap;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Odd {
    /// What, in a sentence.
    pub said: String,
    /// The section that has more of it.
    pub section: Option<&'static str>,
    /// Whether data are lost or in doubt by it.
    pub grave: bool,
}

/// So many trials are named of each kind.
const NAMED: usize = 3;

/// Everything that is odd about the trials themselves.
pub(super) fn all(of: &RecordedTrials<'_>) -> Vec<Odd> {
    let mut found = Vec::new();
    let mut add = |odd: Option<Odd>| found.extend(odd);
    add(simulated(of));
    add(unread(of));
    add(unusable(of));
    add(failed(of));
    add(changed(of));
    add(refused(of));
    add(doubted(of));
    add(unlisted(of));
    add(aside(of));
    add(several(of, "versions of the program", |course| &course.evidence.program));
    add(several(of, "machines or kernels", |course| &course.evidence.machine));
    found
}

fn grave(said: String, section: &'static str) -> Odd {
    Odd { said, section: Some(section), grave: true }
}

fn light(said: String, section: &'static str) -> Odd {
    Odd { said, section: Some(section), grave: false }
}

/// The courses of trials that go into the conditions, with their places.
pub(super) fn used<'a>(
    of: &'a RecordedTrials<'_>,
) -> impl Iterator<Item = (usize, &'a TimeCourse)> {
    let all = of.courses.iter().enumerate();
    all.filter(|(place, _)| of.analysis.used[*place])
        .filter_map(|(place, c)| Some((place, c.as_ref()?)))
}

/// The courses of all trials that could be read, with their places.
pub(super) fn courses<'a>(
    of: &'a RecordedTrials<'_>,
) -> impl Iterator<Item = (usize, &'a TimeCourse)> {
    let all = of.courses.iter().enumerate();
    all.filter_map(|(place, course)| Some((place, course.as_ref()?)))
}

fn simulated(of: &RecordedTrials<'_>) -> Option<Odd> {
    let count = courses(of).filter(|(_, course)| course.evidence.simulated.is_some()).count();
    let all = of.analysis.counts.trials;
    let said = match count {
        0 => return None,
        n if n == all => "Nobody tapped: every trial was simulated.".to_owned(),
        n => format!("Nobody tapped in {} of {}: they were simulated.", n, counted(all, "trial")),
    };
    Some(grave(said, "methods"))
}

fn unread(of: &RecordedTrials<'_>) -> Option<Odd> {
    let why = of
        .analysis
        .unread
        .iter()
        .map(|unread| chronotap_core::text::shared(&unread.why.to_string()));
    let why: Vec<String> = why.collect();
    let count = counted(why.len(), "trial");
    (!why.is_empty()).then(|| {
        grave(format!("{count} could not be read: {}.", some_of(&why, NAMED)), "exclusions")
    })
}

fn unusable(of: &RecordedTrials<'_>) -> Option<Odd> {
    let named = |(place, course): (usize, &TimeCourse)| {
        let shown = &of.sources.trials[place].shown;
        format!("{shown} ({})", course.evidence.reasons.join(", "))
    };
    let counts = |place: usize| of.sources.trials[place].counts;
    let found = courses(of).filter(|(place, c)| counts(*place) && !c.evidence.reasons.is_empty());
    let all: Vec<String> = found.map(named).collect();
    let used = if of.how.with_unusable { "; they are used all the same" } else { "" };
    let (count, some) = (counted(all.len(), "trial"), some_of(&all, NAMED));
    (!all.is_empty())
        .then(|| grave(format!("The data of {count} cannot be used: {some}{used}."), "exclusions"))
}

fn failed(of: &RecordedTrials<'_>) -> Option<Odd> {
    let named = |(place, course): (usize, &TimeCourse)| {
        let shown = &of.sources.trials[place].shown;
        format!("{shown} ({})", course.evidence.failures.join(", "))
    };
    let found = used(of).filter(|(_, course)| !course.evidence.failures.is_empty());
    let all: Vec<String> = found.map(named).collect();
    let (count, some) = (counted(all.len(), "trial"), some_of(&all, NAMED));
    let is = if all.len() == 1 { "is" } else { "are" };
    (!all.is_empty())
        .then(|| grave(format!("The timing of {count} failed, which {is} used: {some}."), "timing"))
}

fn changed(of: &RecordedTrials<'_>) -> Option<Odd> {
    let differs = |place: &usize| of.analysis.verdicts[*place].is_some_and(|v| v.changed);
    let all: Vec<String> = (0..of.analysis.verdicts.len())
        .filter(differs)
        .map(|place| of.sources.trials[place].shown.clone())
        .collect();
    let (count, some) = (counted(all.len(), "events file"), some_of(&all, NAMED));
    (!all.is_empty()).then(|| {
        grave(format!("{count} changed since the trial was recorded: {some}."), "exclusions")
    })
}

/// Trials in real time without real-time priority or locked memory.
fn refused(of: &RecordedTrials<'_>) -> Option<Odd> {
    let mut sentences: BTreeMap<&str, usize> = BTreeMap::new();
    let real = used(of).filter(|(_, course)| course.evidence.mode == RunnerMode::RealTime);
    for (_, course) in real {
        for sentence in &course.evidence.refused {
            *sentences.entry(sentence).or_default() += 1;
        }
    }
    let said = |(sentence, count): (&&str, &usize)| {
        format!("{sentence} (in {})", counted(*count, "trial"))
    };
    let all: Vec<String> = sentences.iter().map(said).collect();
    (!all.is_empty())
        .then(|| light(format!("The system refused rights: {}.", some_of(&all, NAMED)), "timing"))
}

fn doubted(of: &RecordedTrials<'_>) -> Option<Odd> {
    let mut doubts: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, course) in used(of) {
        for doubt in &course.evidence.doubts {
            *doubts.entry(doubt).or_default() += 1;
        }
    }
    let said = |(doubt, count): (&&str, &usize)| match count {
        1 => (*doubt).to_owned(),
        n => format!("{doubt} (in {n} trials)"),
    };
    let all: Vec<String> = doubts.iter().map(said).collect();
    (!all.is_empty())
        .then(|| light(format!("Trials in doubt: {}.", some_of(&all, NAMED)), "timing"))
}

fn unlisted(of: &RecordedTrials<'_>) -> Option<Odd> {
    let count = of.sources.unlisted;
    let files = counted(count, "events file");
    (count > 0).then(|| {
        light(
            format!(
                "{files} in the dataset, but in no table of trials: a session that did not end?"
            ),
            "exclusions",
        )
    })
}

fn aside(of: &RecordedTrials<'_>) -> Option<Odd> {
    let all: Vec<String> = of.sources.aside.iter().map(ToString::to_string).collect();
    let sentence = || format!("{}.", some_of(&all, NAMED));
    (!all.is_empty()).then(|| light(sentence(), "exclusions"))
}

/// Trials that do not share what they should.
fn several(
    of: &RecordedTrials<'_>,
    plural: &str,
    value: fn(&TimeCourse) -> &String,
) -> Option<Odd> {
    let mut values: Vec<String> = used(of).map(|(_, course)| value(course).clone()).collect();
    values.sort_unstable();
    values.dedup();
    let said = some_of(&values, NAMED);
    (values.len() > 1).then(|| {
        light(format!("The trials come from {} {plural}: {said}.", values.len()), "exclusions")
    })
}

//! What ran, beside what was planned: practice as it was done, orders that repeats changed, what stood between
//! trials, how far sessions lay apart, and in which languages. From the attempts of the tables of trials, those
//! among them that do not count.

use super::languages::in_words;
use super::{Told, either};
use crate::trials::words::{counted, grouped, number, some_of};
use chronotap_analysis::statistics::of_beats::BEATS;
use chronotap_config::trial_files::reading::say;
use chronotap_core::time::Nanos;
use chronotap_data::tables::Ran;
use chronotap_design::{Constraint, DueVisit, Every, Experiment, Go, Practice, Rest, Trials};
use std::collections::{BTreeMap, BTreeSet};

/// So many people are named.
const NAMED: usize = 8;
const DAY_US: f64 = 86_400e6;

/// The attempts; none where a table cannot be read any more.
fn attempts<'a>(told: &Told<'a>) -> Vec<Ran<'a>> {
    told.of.sources.ran().unwrap_or_default()
}

/// The attempts of a step, one after the other, of each person, session and block.
fn sequences<'a>(told: &Told<'a>, step: &str) -> Vec<Vec<Ran<'a>>> {
    let mut all: BTreeMap<[Option<String>; 4], Vec<Ran<'a>>> = BTreeMap::new();
    for ran in attempts(told).into_iter().filter(|ran| ran.step() == Some(step)) {
        let key = ran.sequence().map(|part| part.map(str::to_owned));
        all.entry(key).or_default().push(ran);
    }
    all.into_values().collect()
}

/// How much practice there was: as it was planned, and as it was done.
pub(super) fn practice(told: &Told<'_>, step: &str, planned: &Practice, until: &str) -> String {
    let mut sessions: BTreeMap<[Option<String>; 2], Vec<Ran<'_>>> = BTreeMap::new();
    for ran in attempts(told).into_iter().filter(|ran| ran.step() == Some(step)) {
        let [who, session, ..] = ran.sequence();
        sessions.entry([who, session].map(|part| part.map(str::to_owned))).or_default().push(ran);
    }
    let counts: Vec<usize> = sessions.values().map(Vec::len).collect();
    let reached = |all: &&Vec<Ran<'_>>| {
        let says = |ran: &Ran<'_>| {
            ran.flags.as_ref().is_some_and(|flags| flags.contains("criterion reached"))
        };
        all.iter().any(says)
    };
    let reached = sessions.values().filter(reached).count();
    let longer = counts.iter().filter(|count| **count > planned.at_most as usize).count();
    let longer = match longer {
        0 => String::new(),
        n => format!(
            " (in {} more than that, since the experimenter decided so or a trial was cut short)",
            counted(n, "session")
        ),
    };
    format!(
        "Practice ({step}) was to last until {until}, at most {}. It had {}{longer}, and {reached} of {} ended with \
         that criterion; it is in no comparison of conditions.",
        counted(planned.at_most as usize, "trial"),
        from_to(&counts, "trial"),
        counted(counts.len(), "session"),
    )
}

/// `3 trials in each session`, `2 to 4 trials in a session`.
fn from_to(counts: &[usize], what: &str) -> String {
    let (least, most) =
        (counts.iter().min().copied().unwrap_or(0), counts.iter().max().copied().unwrap_or(0));
    match least == most {
        true => format!("{} in each session", counted(most, what)),
        false => format!("{least} to {} in a session", counted(most, what)),
    }
}

/// What repeats made of the constraints of an order.
pub(super) fn broken(told: &Told<'_>, step: &str, trials: &Trials) -> Vec<String> {
    let sequences = sequences(told, step);
    let again: usize =
        sequences.iter().flatten().filter(|ran| ran.trial.place[4].as_deref() != Some("1")).count();
    let of = |constraint: &Constraint| {
        let (count, what) = match constraint {
            Constraint::Apart { factor, n } => {
                let what = format!("less than {n} trials behind one of equal {factor}");
                (near(told, &sequences, factor, *n), what)
            }
            Constraint::AtMostInARow { factor, n } => {
                let what = format!("behind {n} others of equal {factor}");
                (in_a_row(told, &sequences, factor, *n), what)
            }
            Constraint::NotFirst { .. } => return None, // a repeat is never the first
        };
        (count > 0).then(|| {
            format!(
                "As it ran, with {} done again, {} of {step} came {what}.",
                counted(again, "trial"),
                counted(count, "trial")
            )
        })
    };
    trials.constraints.iter().filter_map(of).collect()
}

/// The levels of a factor in each sequence.
fn levels<'s>(told: &Told<'_>, sequence: &'s [Ran<'_>], factor: &str) -> Vec<Option<&'s str>> {
    let place = told.of.sources.factors.iter().position(|name| name == factor);
    sequence.iter().map(|ran| ran.trial.levels.get(place?)?.as_deref()).collect()
}

/// How many trials came less than so many places behind one of the same level.
fn near(told: &Told<'_>, all: &[Vec<Ran<'_>>], factor: &str, n: u32) -> usize {
    let within = |sequence: &Vec<Ran<'_>>| {
        let levels = levels(told, sequence, factor);
        let is_near = |place: &usize| {
            let mut before = place.saturating_sub(n as usize - 1)..*place;
            levels[*place].is_some() && before.any(|one| levels[one] == levels[*place])
        };
        (0..levels.len()).filter(is_near).count()
    };
    all.iter().map(within).sum()
}

/// How many trials came behind so many of the same level and had it again.
fn in_a_row(told: &Told<'_>, all: &[Vec<Ran<'_>>], factor: &str, n: u32) -> usize {
    let within = |sequence: &Vec<Ran<'_>>| {
        let levels = levels(told, sequence, factor);
        levels
            .windows(n as usize + 1)
            .filter(|row| row[0].is_some() && row.iter().all(|one| *one == row[0]))
            .count()
    };
    all.iter().map(within).sum()
}

/// What started a trial, what came between two, and what was asked and told behind each.
pub(super) fn between(told: &Told<'_>, step: &str, trials: &Trials) -> Vec<String> {
    let go = match trials.go {
        Go::AtOnce => "by itself",
        Go::Tap => "when the participant tapped",
        Go::Key => "when a key of the computer was pressed",
        Go::Experimenter => "at the experimenter's word",
    };
    let (least, most) = trials.gap;
    let gap = match least == most {
        true => spelled(least),
        false => format!("{} to {}", spelled(least), spelled(most)),
    };
    let mut said = vec![format!("A trial of {step} began {go}, after a pause of {gap}.")];
    said.extend(trials.rest.as_ref().map(rest));
    said.extend(asked(told, trials));
    said.extend(
        trials.tell.as_ref().map(|_| "After each trial participants read how it went.".to_owned()),
    );
    said
}

fn rest(of: &Rest) -> String {
    let every = match of.every {
        Some(Every::Trials(n)) => format!("After every {}", counted(n as usize, "trial")),
        Some(Every::Time(time)) => format!("After the trial in which {} had passed", spelled(time)),
        None => "Between the trials".to_owned(),
    };
    let end = match of.go {
        Go::AtOnce => "",
        Go::Tap => ", and on until the participant tapped",
        Go::Key => ", and on until a key was pressed",
        Go::Experimenter => ", and on until the experimenter said so",
    };
    format!("{every} there was a rest of {}{end}.", spelled(of.length))
}

/// The questions behind each trial, word by word.
fn asked(told: &Told<'_>, trials: &Trials) -> Option<String> {
    let all = told.of.study.iter().flat_map(|study| &study.questions);
    let own: Vec<String> = all
        .filter(|question| trials.ask.contains(&question.name))
        .map(|question| format!("\u{201c}{}\u{201d}", question.text.trim()))
        .collect();
    (!own.is_empty()).then(|| format!("After each trial they were asked {}.", either(&own, "and")))
}

/// How many beats a trial had.
pub(super) fn beats(told: &Told<'_>) -> Option<String> {
    let main: BTreeSet<usize> = told.main().map(|(at, _)| *at).collect();
    let rows = told
        .of
        .analysis
        .rows
        .iter()
        .filter(|row| main.contains(&row.source) && row.stretch.is_none());
    let counts: Vec<usize> =
        rows.filter_map(|row| row.of(&BEATS)).map(|beats| beats as usize).collect();
    let (least, most) = (counts.iter().min()?, counts.iter().max()?);
    Some(match least == most {
        true => format!("A trial had {} to tap to.", counted(*most, "beat")),
        false => format!("A trial had {least} to {} to tap to.", counted(*most, "beat")),
    })
}

/// By what somebody came into a group.
pub(super) fn groups(told: &Told<'_>) -> Vec<String> {
    let all = told.of.study.iter().flat_map(|study| &study.between);
    let said = |factor: &chronotap_design::Factor| match factor.origin_said() {
        Some(said) => format!("Groups were not drawn: {said}."),
        None => format!(
            "To which {} somebody belonged was drawn, so that the groups fill evenly.",
            factor.name
        ),
    };
    all.map(said).collect()
}

/// How far sessions lay apart, as planned and as they were.
pub(super) fn sessions(told: &Told<'_>) -> Vec<String> {
    let mut first: BTreeMap<(String, u32), i64> = BTreeMap::new();
    for ran in attempts(told) {
        let number = ran.trial.session.as_ref().and_then(|label| label.parse().ok());
        let (Some(who), Some(session), Some(began)) =
            (ran.trial.participant.clone(), number, ran.began)
        else {
            continue;
        };
        let at = first.entry((who, session)).or_insert(began);
        *at = began.min(*at);
    }
    let numbers: BTreeSet<u32> = first.keys().map(|(_, session)| *session).collect();
    let of = |session: &u32| {
        let days = |((who, number), began): (&(String, u32), &i64)| {
            let next = first.get(&(who.clone(), session + 1)).filter(|_| number == session)?;
            Some((next - began) as f64 / DAY_US)
        };
        apart(told, *session, &first.iter().filter_map(days).collect::<Vec<f64>>())
    };
    if told.simulated() {
        // Their clock is no calendar.
        return numbers.iter().filter_map(|session| planned(told, *session)).collect();
    }
    numbers.iter().filter_map(of).collect()
}

/// What was planned between a session and the next, where nobody came.
fn planned(told: &Told<'_>, session: u32) -> Option<String> {
    let study: &Experiment = told.of.study.as_ref()?;
    let visit = study.visits.iter().find(|visit| visit.after == session)?;
    Some(format!(
        "Between session {session} and session {} were to lie {}; in a rehearsal nobody waits.",
        session + 1,
        due(visit)
    ))
}

fn apart(told: &Told<'_>, session: u32, days: &[f64]) -> Option<String> {
    let (least, most) = crate::plot::extent(days.iter().copied());
    let mean = days.iter().sum::<f64>() / days.len() as f64;
    let study: Option<&Experiment> = told.of.study.as_ref();
    let planned = study.and_then(|study| study.visits.iter().find(|visit| visit.after == session));
    let planned = planned.map_or(String::new(), |visit| format!("; planned was {}", due(visit)));
    (!days.is_empty()).then(|| {
        format!(
            "Between the beginnings of session {session} and session {} lay {} to {} days (mean {}){planned}.",
            session + 1,
            number(least, 1),
            number(most, 1),
            number(mean, 1)
        )
    })
}

fn due(of: &DueVisit) -> String {
    let nights = of.nights.map(|nights| format!("at least {}", counted(nights as usize, "night")));
    let least = of.at_least.map(|time| format!("at least {}", spelled(time)));
    let most = of.at_most.map(|time| format!("at most {}", spelled(time)));
    let all: Vec<String> = nights.into_iter().chain(least).chain(most).collect();
    format!("{} from the end of the one to the beginning of the other", either(&all, "and"))
}

/// A time in the largest of minutes, hours and days in which it is whole.
fn spelled(time: Nanos) -> String {
    let whole = |(unit, seconds): (&'static str, i64)| {
        let of = Nanos::from_secs(seconds).0;
        (time.0 >= of && time.0 % of == 0).then(|| counted((time.0 / of) as usize, unit))
    };
    let units = [("day", 86_400), ("hour", 3_600), ("minute", 60)];
    units.into_iter().find_map(whole).unwrap_or_else(|| say(time))
}

/// In which language people took part.
pub(super) fn languages(told: &Told<'_>) -> Option<String> {
    let mut people: BTreeMap<String, BTreeSet<Option<String>>> = BTreeMap::new();
    for ran in attempts(told) {
        if let Some(language) = ran.language {
            people.entry(language).or_default().insert(ran.trial.participant.clone());
        }
    }
    let own = told.of.study.as_ref().map(|study| study.words.language.clone());
    let each: Vec<String> = people
        .iter()
        .map(|(language, who)| format!("{} in {}", grouped(who.len()), in_words(language)))
        .collect();
    match (&each[..], own) {
        ([], own) => {
            own.map(|language| format!("What participants read was in {}.", in_words(&language)))
        }
        (some, _) => {
            Some(format!("Participants took part in these languages: {}.", either(some, "and")))
        }
    }
}

/// Who has trials, and none among those that are compared.
pub(super) fn without_compared(told: &Told<'_>) -> Option<String> {
    let trials = &told.of.sources.trials;
    let compared: BTreeSet<Option<&str>> =
        told.main().map(|(at, _)| trials[*at].participant.as_deref()).collect();
    let mut others: BTreeMap<&str, usize> = BTreeMap::new();
    for trial in trials.iter().filter(|trial| !compared.contains(&trial.participant.as_deref())) {
        trial.participant.iter().for_each(|who| *others.entry(who).or_default() += 1);
    }
    let one = |(who, count): (&&str, &usize)| format!("{who} ({})", counted(*count, "trial"));
    let all: Vec<String> = others.iter().map(one).collect();
    let is_some = !all.is_empty() && !compared.is_empty();
    is_some.then(|| {
        format!(
            "Of these participants no trial is used in a comparison of conditions: {}.",
            some_of(&all, NAMED)
        )
    })
}

/// Why people whom the dataset lists have no trial.
pub(super) fn without_trials(told: &Told<'_>, listed: &[String]) -> Option<String> {
    let sources = told.of.sources;
    let has = |label: &String| {
        sources.trials.iter().any(|trial| trial.participant.as_ref() == Some(label))
    };
    let why = |label: &String| {
        let why = match sources.excluded.people.get(label) {
            _ if sources.withdrawn.contains(label) => "withdrew".to_owned(),
            Some(reason) => format!("left out by a rule of the study: {reason}"),
            None => sources
                .left
                .get(label)
                .cloned()
                .unwrap_or_else(|| "no trial was recorded".to_owned()),
        };
        format!("{label} ({why})")
    };
    let all: Vec<String> = listed.iter().filter(|label| !has(label)).map(why).collect();
    (!all.is_empty()).then(|| {
        format!(
            "Of those that the dataset lists these have no data here: {}.",
            some_of(&all, NAMED)
        )
    })
}

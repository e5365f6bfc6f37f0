//! `[outcome]` and `[[contrast]]`: what the study is for, and what is compared besides. Names are checked here, so that nobody finds out after the last
//! participant that nothing has this name.

use super::measures::no_statistic;
use crate::file::keys::{CONTRAST, OUTCOME};
use crate::study::experiment::Experiment;
use crate::study::measure::TrialTest;
use crate::study::step::Doing;
use chronotap_config::trial_files::reading::{Field, Part, brief};
use chronotap_data::tables::{
    Outcome, OutcomeQuestion, PSYCHOMETRIC, Plain, Stands, THRESHOLD, is_numeric, measures,
};

/// The outcome first, then the contrasts.
pub(crate) fn outcomes(top: &Part<'_>, experiment: &Experiment) -> Vec<Outcome> {
    let outcome = top.read("outcome", |field| Part::of(field, OUTCOME));
    let outcome = outcome.and_then(|part| stated(&part, Stands::Outcome, experiment));
    let mut all: Vec<Outcome> = outcome.into_iter().collect();
    let mut names: Vec<String> = Vec::new();
    for part in top.parts("contrast", CONTRAST) {
        let name = part.must("name", |field| name(field, &names));
        let contrast = stated(&part, Stands::Planned, experiment);
        let Some((name, contrast)) = name.zip(contrast) else { continue };
        let compares_none = contrast.over.is_none() || contrast.level.is_some();
        if compares_none && contrast.value.is_none() {
            let cure = "name with `over` the factor whose levels are compared, or a `value`";
            part.page.cured(part.at, format!("{} compares nothing", part.path), cure);
        }
        let contrasts = experiment.expanded(&Outcome { name: name.clone(), ..contrast });
        names.extend(contrasts.iter().map(|one| one.name.clone()).chain([name]));
        all.extend(contrasts);
    }
    all
}

fn name(field: &Field<'_>, before: &[String]) -> Option<String> {
    let name = field.text()?;
    if name.trim().is_empty() {
        return field.problem("is empty", "give the contrast a name of its own");
    }
    if before.contains(&name) {
        return field.problem("is that of another contrast", "give each a name of its own");
    }
    Some(name)
}

/// What both have in common.
fn stated(part: &Part<'_>, stands: Stands, experiment: &Experiment) -> Option<Outcome> {
    let of = part.given("of", |field| one_of(field, "statistic or question", &known(experiment)));
    let over = part.read("over", |field| one_of(field, "factor", &levels(experiment)));
    part.read("over", |field| varies(field, over.as_deref()?, experiment));
    let step = part.read("step", |field| one_of(field, "step with trials", &steps(experiment)));
    let text = |name: &str| part.read(name, Field::text);
    let is = part.read("is", |field| answer(field, of.as_deref(), experiment));
    let stretch = part.read("stretch", |field| stretch(field, of.as_deref()));
    let signal =
        part.read("signal", |field| signal(field, over.as_deref(), is.is_some(), experiment));
    let fitted = signal.is_some() || of.as_deref() == Some(PSYCHOMETRIC);
    let asks = asks(part, over.as_deref(), stands, experiment);
    let value = part.read("value", |field| value(field, signal.is_some(), asks));
    let level = part.read("level", |field| level(field, over.as_deref(), asks, experiment));
    let is_mean = value.is_some() || level.is_some();
    let compares =
        !fitted && matches!(asks, OutcomeQuestion::Difference | OutcomeQuestion::Each) && !is_mean;
    let pair = over.as_deref().filter(|_| compares);
    // Where `over` is a mistake, that is told, and nothing that follows from it.
    let is_told = over.is_none() && part.has("over");
    let by = part.read("by", |field| (!is_told).then(|| by(field, pair, experiment)).flatten());
    let pair = pair.filter(|_| asks == OutcomeQuestion::Difference);
    let levels = part.read("levels", |field| two_levels(field, pair, "over", experiment));
    let by_levels =
        part.read("by_levels", |field| two_levels(field, by.as_deref(), "by", experiment));
    let (input, against) = (text("input"), text("against"));
    let also = part.read("also", |field| also(field, experiment)).unwrap_or_default();
    let said = |key: &str| part.read(key, plain);
    let plain = Plain { above: said("if_above"), below: said("if_below"), open: said("if_open") };
    let name = String::new();
    let outcome = Outcome {
        stands,
        name,
        of: of?,
        is,
        signal,
        over,
        levels,
        asks,
        level,
        value,
        by,
        by_levels,
        step,
        stretch,
        input,
        against,
        also,
        plain,
    };
    warn_of_selection(part, &outcome, experiment);
    Some(outcome)
}

/// Nothing is compared over what is always the same.
fn varies(field: &Field<'_>, over: &str, experiment: &Experiment) -> Option<()> {
    match &all_levels(over, experiment)[..] {
        [only] => {
            let message = format!("{over} does not vary: it is always {only}");
            field.problem(
                &format!("compares nothing, because {message}"),
                "give it two levels, or leave `over` out",
            )
        }
        _ => Some(()),
    }
}

/// The answer whose share is taken: one that can be given.
fn answer(field: &Field<'_>, of: Option<&str>, experiment: &Experiment) -> Option<String> {
    let given = field.text()?;
    let question = experiment.questions.iter().find(|question| Some(&*question.name) == of);
    let Some(question) = question else { return Some(given) };
    let accepted = question.answer.accept(&given);
    if let Err(expected) = &accepted {
        let message = format!("nobody can answer {} with \"{}\"", question.name, brief(&given));
        let message = format!("{}: {message}", field.path);
        field.page.cured(field.at, message, format!("give {expected}"));
    }
    accepted.ok()
}

/// A stretch of the trials: of a statistic that has a value there. Whether trials have it is checked with them.
fn stretch(field: &Field<'_>, of: Option<&str>) -> Option<String> {
    let known = |of: &str| measures().iter().find(|statistic| statistic.name == of);
    let has = |of: &str| known(of).is_some_and(|statistic| statistic.in_stretch);
    match of.filter(|of| !has(of)) {
        Some(of) => {
            let message = format!("stands beside {of}, which has no value for a stretch");
            field.problem(&message, "leave `stretch` out, or name another statistic with `of`")
        }
        None => field.text(),
    }
}

/// The levels of a factor, and whether each person has all of them. `None` of steps, and of sessions that are none.
fn of_factor(name: &str, experiment: &Experiment) -> Option<(Vec<String>, bool)> {
    let factor = experiment.factor(name)?;
    let within = !experiment.between.iter().any(|between| between.name == name);
    Some((factor.levels.iter().map(ToString::to_string).collect(), within))
}

/// What is asked in place of a difference: one of these at most.
fn asks(
    part: &Part<'_>,
    over: Option<&str>,
    stands: Stands,
    experiment: &Experiment,
) -> OutcomeQuestion {
    let is_known =
        |asks: OutcomeQuestion| asks != OutcomeQuestion::Each || stands == Stands::Planned;
    let mut asked = OutcomeQuestion::Difference;
    for (key, asks) in OutcomeQuestion::KEYS.into_iter().filter(|(_, asks)| is_known(*asks)) {
        if !part.read(key, Field::flag).unwrap_or(false) {
            continue;
        }
        part.read(key, |field| match (asked, asks) {
            (OutcomeQuestion::Difference, OutcomeQuestion::Each) => {
                has_levels(field, over, experiment)
            }
            (OutcomeQuestion::Difference, _) => is_a_line(field, over, experiment),
            (other, _) => {
                let message = format!("stands beside `{}`", other.word());
                field.problem(&message, "ask one thing, and the other in a [[contrast]] of its own")
            }
        });
        asked = asks;
    }
    asked
}

/// Whether there are levels to be compared with the first.
fn has_levels(field: &Field<'_>, over: Option<&str>, experiment: &Experiment) -> Option<()> {
    match over.and_then(|over| of_factor(over, experiment)) {
        Some((levels, _)) if levels.len() > 1 => Some(()),
        _ => field.problem("needs `over` a factor of two or more levels", "name such a factor"),
    }
}

/// What people's numbers, or their slopes, are tested against.
fn value(field: &Field<'_>, is_signal: bool, asks: OutcomeQuestion) -> Option<f64> {
    if is_signal || !matches!(asks, OutcomeQuestion::Difference | OutcomeQuestion::Slope) {
        let message = "stands beside `signal`, `each`, `curve`, `least` or `greatest`";
        return field
            .problem(message, "leave it out: d', differences and curves are tested against 0");
    }
    field.number()
}

/// The level at which people's numbers are taken.
fn level(
    field: &Field<'_>,
    over: Option<&str>,
    asks: OutcomeQuestion,
    experiment: &Experiment,
) -> Option<String> {
    let Some(over) = over.filter(|_| asks == OutcomeQuestion::Difference) else {
        return field.problem(
            "needs `over` a factor of which one level is taken",
            "name the factor; slopes, curves and `each` take all levels",
        );
    };
    one_of(field, "level", &all_levels(over, experiment))
}

/// The levels of a factor; steps and sessions are such, too.
fn all_levels(name: &str, experiment: &Experiment) -> Vec<String> {
    let of_factor = of_factor(name, experiment).map(|(levels, _)| levels);
    of_factor.unwrap_or_else(|| match name {
        "step" => steps(experiment),
        _ => (1..=experiment.sessions).map(|session| session.to_string()).collect(),
    })
}

/// Whether people have numbers over a factor.
fn is_a_line(field: &Field<'_>, over: Option<&str>, experiment: &Experiment) -> Option<()> {
    let found = over.and_then(|over| of_factor(over, experiment));
    let message = match (over, found) {
        (_, Some((levels, true))) if is_numeric(levels.iter().map(String::as_str)) => {
            return Some(());
        }
        (Some(over), Some((levels, true))) => match odd_one(&levels) {
            Some(odd) => {
                let message =
                    format!("needs numbers with one unit as levels, and {odd:?} of {over} is none");
                return field.problem(&message, "correct that level, or compare two with `levels`");
            }
            None => format!(
                "needs three or more numbers with one unit as levels, and {over} has {}",
                levels.join(", ")
            ),
        },
        _ => "needs `over` a factor within people of three or more numbers with one unit".into(),
    };
    let cure =
        "give the factor such levels, compare two with `levels`, or delete the whole section";
    field.problem(&message, cure)
}

/// The only level that keeps the others from being numbers with one unit: a slip of the hand.
fn odd_one(levels: &[String]) -> Option<&String> {
    let others = |odd: usize| levels[..odd].iter().chain(&levels[odd + 1..]).map(String::as_str);
    (0..levels.len()).find(|odd| is_numeric(others(*odd))).map(|odd| &levels[odd])
}

/// Two different levels of a factor, the one that is taken off last.
fn two_levels(
    field: &Field<'_>,
    factor: Option<&str>,
    key: &str,
    experiment: &Experiment,
) -> Option<[String; 2]> {
    let Some(known) = factor.map(|factor| all_levels(factor, experiment)) else {
        return field.problem(
            &format!("needs `{key}` a factor of which two levels are compared"),
            "name the factor; slopes, curves, values, d' and psychometric thresholds take other levels",
        );
    };
    let each = field.list("two levels")?;
    let [level, less] = &each[..] else { return field.wrong("two levels") };
    let both = [one_of(level, "level", &known), one_of(less, "level", &known)];
    match both {
        [Some(level), Some(less)] if level == less => {
            field.problem("names one level twice", "name two that differ")
        }
        [level, less] => Some([level?, less?]),
    }
}

/// A sentence of the answer.
fn plain(field: &Field<'_>) -> Option<String> {
    let sentence = field.text()?;
    if let Some(unknown) = Plain::unknown(&sentence) {
        let message = match unknown.ends_with('}') {
            true => format!("has {unknown}, which stands for nothing"),
            false => format!("has {unknown} without a }} behind it"),
        };
        let places: Vec<&str> = Plain::places().collect();
        let cure = format!("what can be filled in: {}", places.join(", "));
        return field.problem(&message, &cure);
    }
    Some(sentence)
}

/// Further statistics and questions.
fn also(field: &Field<'_>, experiment: &Experiment) -> Option<Vec<String>> {
    let names = known(experiment);
    let each = field.list("statistics and questions")?;
    each.iter().map(|one| one_of(one, "statistic or question", &names)).collect()
}

/// The second factor, between whose levels the difference over the first is compared.
fn by(field: &Field<'_>, over: Option<&str>, experiment: &Experiment) -> Option<String> {
    let Some(over) = over else {
        return field.problem(
            "needs `over` a factor, and a number of each trial",
            "name the factor whose difference is compared; d' and psychometric thresholds have no interaction",
        );
    };
    let by = one_of(field, "factor", &levels(experiment))?;
    if by == over {
        return field.problem("is the same as `over`", "name another factor, or leave `by` out");
    }
    Some(by)
}

/// The level that is to be told from all others, by answers that are right or wrong.
fn signal(
    field: &Field<'_>,
    over: Option<&str>,
    has_is: bool,
    experiment: &Experiment,
) -> Option<String> {
    let factor = experiment.factors.iter().find(|factor| Some(&*factor.name) == over);
    let Some(factor) = factor.filter(|_| has_is) else {
        return field.problem(
            "needs `is` and `over` a factor",
            "say which answer is a yes, and over which factor the signal is one level",
        );
    };
    let names: Vec<String> = factor.levels.iter().map(ToString::to_string).collect();
    one_of(field, "level", &names)
}

/// Trials that are run again for their own outcome are selected by it: its mean comes out nearer to
/// what passes than people are.
fn warn_of_selection(part: &Part<'_>, outcome: &Outcome, experiment: &Experiment) {
    for step in &experiment.steps {
        let Doing::Trials(trials) = &step.doing else { continue };
        for test in trials.redo.iter().flat_map(|redo| &redo.if_any) {
            let TrialTest::Compare { measure, written, .. } = test else { continue };
            if measure.known.name == outcome.of {
                let message = format!(
                    "{}.of: the step {} runs trials again if {written}, which biases this \
                     outcome; redo by something else, or analyze all attempts",
                    part.path, step.name
                );
                part.page.warn(part.at("of"), message);
            }
        }
    }
}

fn one_of(field: &Field<'_>, what: &str, names: &[String]) -> Option<String> {
    if let Some(text) = field.node.text().filter(|text| !names.iter().any(|name| name == text)) {
        let words = |name: &str| {
            let mut words: Vec<String> = name.split_whitespace().map(str::to_lowercase).collect();
            words.sort_unstable();
            words
        };
        let mean = format!("mean {text}");
        let turned = names.iter().find(|name| words(name) == words(text)).cloned();
        if let Some(meant) = turned.or_else(|| names.contains(&mean).then_some(mean)) {
            let message = format!("{}: there is no {what} \"{}\"", field.path, brief(text));
            field.page.near(field.at, message, meant);
            return None;
        }
        if what.starts_with("statistic") {
            let message = format!("{}: there is no {what} \"{}\"", field.path, brief(text));
            no_statistic(field, message, text, names.iter().map(String::as_str).collect());
            return None;
        }
    }
    let place = field.named(what, names)?;
    names.get(usize::from(place)).cloned()
}

/// What has a number in each trial.
fn known(experiment: &Experiment) -> Vec<String> {
    let of_staircases = [THRESHOLD, PSYCHOMETRIC].map(str::to_owned);
    let staircases = of_staircases.into_iter().filter(|_| !experiment.staircases.is_empty());
    let questions = experiment.questions.iter().map(|question| question.name.clone());
    let statistics = measures().iter().map(|statistic| statistic.name.to_owned());
    staircases.chain(questions).chain(statistics).collect()
}

/// Over what it may be compared.
fn levels(experiment: &Experiment) -> Vec<String> {
    let always = ["step", "session"].map(str::to_owned);
    experiment.factor_names().into_iter().chain(always).collect()
}

fn steps(experiment: &Experiment) -> Vec<String> {
    let with_trials = experiment.steps.iter().filter(|step| matches!(step.doing, Doing::Trials(_)));
    with_trials.map(|step| step.name.clone()).collect()
}

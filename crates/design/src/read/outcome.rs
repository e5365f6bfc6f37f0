//! `[outcome]` and `[[contrast]]`: what the study is for, and what is compared besides. Names are checked here, so that nobody finds out after the last
//! participant that nothing has this name.

use crate::experiment::Experiment;
use crate::keys::{CONTRAST, OUTCOME};
use crate::measure::Test;
use crate::step::Doing;
use chronotap_config::trial_files::reading::{Field, Part};
use chronotap_data::tables::{Outcome, PSYCHOMETRIC, Stands, THRESHOLD, is_numeric, measures};

/// The outcome first, then the contrasts.
pub(crate) fn outcomes(top: &Part<'_>, experiment: &Experiment) -> Vec<Outcome> {
    let outcome = top.read("outcome", |field| Part::of(field, OUTCOME));
    let outcome = outcome.and_then(|part| stated(&part, Stands::Outcome, experiment));
    let mut all: Vec<Outcome> = outcome.into_iter().collect();
    for part in top.parts("contrast", CONTRAST) {
        let name = part.must("name", |field| name(field, &all));
        let contrast = stated(&part, Stands::Planned, experiment);
        let Some((name, contrast)) = name.zip(contrast) else { continue };
        if contrast.over.is_none() {
            let cure = "name with `over` the factor whose levels are compared";
            part.page.cured(part.at, format!("{} compares nothing", part.path), cure);
        }
        all.push(Outcome { name, ..contrast });
    }
    all
}

fn name(field: &Field<'_>, before: &[Outcome]) -> Option<String> {
    let name = field.text()?;
    if name.trim().is_empty() {
        return field.problem("is empty", "give the contrast a name of its own");
    }
    if before.iter().any(|other| other.name == name) {
        return field.problem("is that of another contrast", "give each a name of its own");
    }
    Some(name)
}

/// What both have in common.
fn stated(part: &Part<'_>, stands: Stands, experiment: &Experiment) -> Option<Outcome> {
    let of = part.given("of", |field| one_of(field, "statistic or question", &known(experiment)));
    let over = part.read("over", |field| one_of(field, "factor", &levels(experiment)));
    let step = part.read("step", |field| one_of(field, "step with trials", &steps(experiment)));
    let text = |name: &str| part.read(name, Field::text);
    let (is, stretch) = (text("is"), text("stretch"));
    let signal =
        part.read("signal", |field| signal(field, over.as_deref(), is.is_some(), experiment));
    let fitted = signal.is_some() || of.as_deref() == Some(PSYCHOMETRIC);
    let slope = part.read("slope", Field::flag).unwrap_or(false);
    if slope {
        part.read("slope", |field| is_a_line(field, over.as_deref(), experiment));
    }
    let pair = over.as_deref().filter(|_| !fitted && !slope);
    let by = part.read("by", |field| by(field, pair, experiment));
    let levels = part.read("levels", |field| two_levels(field, pair, "over", experiment));
    let by_levels =
        part.read("by_levels", |field| two_levels(field, by.as_deref(), "by", experiment));
    let (input, against) = (text("input"), text("against"));
    let also = part.read("also", |field| also(field, experiment)).unwrap_or_default();
    let name = String::new();
    let outcome = Outcome {
        stands,
        name,
        of: of?,
        is,
        signal,
        over,
        levels,
        slope,
        by,
        by_levels,
        step,
        stretch,
        input,
        against,
        also,
    };
    warn_of_selection(part, &outcome, experiment);
    Some(outcome)
}

/// The levels of a factor, and whether each person has all of them. `None` of steps, and of sessions that are none.
fn of_factor(name: &str, experiment: &Experiment) -> Option<(Vec<String>, bool)> {
    let factor = experiment.factor(name)?;
    let within = !experiment.between.iter().any(|between| between.name == name);
    Some((factor.levels.iter().map(ToString::to_string).collect(), within))
}

/// Whether people have a slope over a factor.
fn is_a_line(field: &Field<'_>, over: Option<&str>, experiment: &Experiment) -> Option<()> {
    match over.and_then(|over| of_factor(over, experiment)) {
        Some((levels, true)) if is_numeric(levels.iter().map(String::as_str)) => Some(()),
        _ => field.problem(
            "needs `over` a factor within people of three or more numbers with one unit",
            "name such a factor, or compare two levels with `levels`",
        ),
    }
}

/// Two different levels of a factor, the one that is taken off last.
fn two_levels(
    field: &Field<'_>,
    factor: Option<&str>,
    key: &str,
    experiment: &Experiment,
) -> Option<[String; 2]> {
    let of_factor = || of_factor(factor?, experiment).map(|(levels, _)| levels);
    let known = of_factor().or_else(|| match factor? {
        "step" => Some(steps(experiment)),
        _ => Some((1..=experiment.sessions).map(|session| session.to_string()).collect()),
    });
    let Some(known) = known else {
        return field.problem(
            &format!("needs `{key}` a factor of which two levels are compared"),
            "name the factor; slopes, d' and psychometric thresholds take all levels",
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
            let Test::Compare { measure, written, .. } = test else { continue };
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

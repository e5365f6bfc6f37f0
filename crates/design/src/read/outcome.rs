//! `[outcome]`: what the study is for. Names are checked here, so that nobody finds out after the last
//! participant that nothing has this name.

use crate::experiment::Experiment;
use crate::keys::OUTCOME;
use crate::measure::Test;
use crate::step::Doing;
use chronotap_config::trial_files::reading::{Field, Part};
use chronotap_data::tables::{Outcome, PSYCHOMETRIC, THRESHOLD, measures};

pub(crate) fn outcome(top: &Part<'_>, experiment: &Experiment) -> Option<Outcome> {
    let part = top.read("outcome", |field| Part::of(field, OUTCOME))?;
    let of = part.given("of", |field| one_of(field, "statistic or question", &known(experiment)));
    let over = part.read("over", |field| one_of(field, "factor", &levels(experiment)));
    let step = part.read("step", |field| one_of(field, "step with trials", &steps(experiment)));
    let text = |name: &str| part.read(name, Field::text);
    let (is, stretch) = (text("is"), text("stretch"));
    let signal =
        part.read("signal", |field| signal(field, over.as_deref(), is.is_some(), experiment));
    let fitted = signal.is_some() || of.as_deref() == Some(PSYCHOMETRIC);
    let by = part.read("by", |field| by(field, over.as_deref().filter(|_| !fitted), experiment));
    let (input, against) = (text("input"), text("against"));
    let also = part.read("also", |field| also(field, experiment)).unwrap_or_default();
    let outcome = Outcome { of: of?, is, signal, over, by, step, stretch, input, against, also };
    warn_of_selection(&part, &outcome, experiment);
    Some(outcome)
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
                    "outcome.of: the step {} runs trials again if {written}, which biases this \
                     outcome; redo by something else, or analyze all attempts",
                    step.name
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

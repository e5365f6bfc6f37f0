//! `outcome` and `power`: a whole study, rehearsed as the program rehearses it, and how often it would find what it
//! looks for. Both take a while: they tell how far they are.

use crate::asked::Asked;
use crate::refused::Refused;
use crate::rehearsal::LONGEST;
use chronotap_data::record::PROGRAM;
use chronotap_data::shares::Shard;
use chronotap_data::tables::AnalysisOptions;
use chronotap_design::{Experiment, overview};
use chronotap_drawing::plot::{Axis, LineForm, Plot, PlotLine};
use chronotap_report::{RecordedTrials, came_out};
use chronotap_session::Study;
use chronotap_session::power::{
    Looked, Power, Sought, as_json, by_way, came, look, rehearsed_tables,
};
use chronotap_session::rehearse::Rehearsal;
use chronotap_simulate::Wires;
use serde::Serialize;
use serde_json::Value;

/// Is told how much of how much is done.
pub(crate) type Done<'a> = &'a (dyn Fn(u32, u32) + Sync);

/// What so many people came to.
#[derive(Serialize)]
pub(crate) struct CameOut {
    people: u32,
    /// As in the report of a dataset: sentences, a figure, and tables.
    html: String,
}

/// Lets people do the whole study, and gives what it came to, as `chronotap report` tells it.
pub(crate) fn outcome(asked: &Asked, done: Done<'_>) -> Result<CameOut, Refused> {
    let study = study(asked)?;
    let people = asked.people;
    let labels = (1..=people).map(|person| study.label(&person.to_string()));
    let rehearsal = Rehearsal {
        labels: labels.collect::<Result<_, _>>()?,
        model: asked.participant.clone(),
        wires: wires(&study),
        longest: LONGEST,
        stops_when_cut: false,
        limit: None,
    };
    let (sources, analysis) =
        rehearsed_tables(&study, &rehearsal, &|person| done(person, people), &|| false)?;
    // A dataset has the study beside it, in which this is stated; here it is said.
    let how =
        AnalysisOptions { asked: study.experiment.outcomes.clone(), ..AnalysisOptions::default() };
    let html = came_out(&RecordedTrials {
        title: &study.experiment.title,
        sources: &sources,
        how: &how,
        analysis: &analysis,
        courses: &[],
        study: Some(study.experiment.clone()),
        program: PROGRAM,
        command: &[],
    });
    Ok(CameOut { people, html })
}

/// How often the study finds what it looks for.
#[derive(Serialize)]
pub(crate) struct Powered {
    /// What `chronotap power --json` prints.
    told: Value,
    contrasts: Vec<Curve>,
}

/// One thing that is looked for, with each number of people.
#[derive(Serialize)]
struct Curve {
    called: String,
    /// Whether it is held against a value, so that it can be found.
    is_effect: bool,
    points: Vec<Point>,
    /// Drawn where there are several numbers of people.
    figure: Option<String>,
}

#[derive(Serialize)]
struct Point {
    people: u32,
    studies: usize,
    /// The share that found it, and the 95 % interval of that.
    share: f64,
    low: f64,
    high: f64,
    /// The mean of the estimates, and half of their 95 % intervals on average.
    mean: Option<f64>,
    reach: Option<f64>,
}

/// Rehearses the study again and again with each number of people.
pub(crate) fn power(asked: &Asked, done: Done<'_>) -> Result<Powered, Refused> {
    let study = study(asked)?;
    let outcomes = study.experiment.outcomes.clone();
    if outcomes.is_empty() {
        return Err(Refused::NothingSought);
    }
    let (outcomes, contrasts) = by_way(outcomes, &study.experiment);
    let power = Power {
        studies: asked.studies,
        participants: study.experiment.participants,
        seed: study.experiment.seed,
        model: asked.participant.clone(),
        differences: Vec::new(),
        contrasts,
        wires: wires(&study),
        longest: LONGEST,
        shard: Shard::ALL,
    };
    let all = counts(asked, &study.experiment);
    let weight = |people: &[u32]| people.iter().sum::<u32>() * asked.studies;
    let mut points: Vec<(Power, Looked)> = Vec::new();
    for (place, participants) in all.iter().enumerate() {
        let before = weight(&all[..place]);
        let told = |studies: u32| done(before + studies * participants, weight(&all));
        let power = Power { participants: *participants, ..power.clone() };
        let looked = look(&study, &outcomes, &power, &told, &|| false)?;
        points.push((power, looked));
    }
    Ok(Powered { told: as_json(&points, &study.experiment), contrasts: curves(&points) })
}

fn counts(asked: &Asked, experiment: &Experiment) -> Vec<u32> {
    match &asked.counts[..] {
        [] => vec![experiment.participants],
        counts => counts.to_vec(),
    }
}

/// A study in which everybody who is described can tap, and every trial ends.
fn study(asked: &Asked) -> Result<Study, Refused> {
    if !asked.is_experiment() {
        return Err(Refused::NoExperiment);
    }
    let mut experiment = asked.experiment()?;
    experiment.seed = asked.seed.unwrap_or(experiment.seed);
    if let Some(file) = overview(&experiment).endless.first() {
        return Err(Refused::Endless { file: file.clone() });
    }
    let study = Study::of(experiment)?;
    study.check_model(&asked.participant)?;
    Ok(study)
}

fn wires(study: &Study) -> Wires {
    let (inputs, outputs) = study.inputs_and_outputs();
    Wires::unthrottled(&inputs, &outputs)
}

fn curves(points: &[(Power, Looked)]) -> Vec<Curve> {
    let sought = points.last().map_or(&[][..], |(_, looked)| &looked.sought);
    sought.iter().enumerate().map(|(place, sought)| curve(sought, place, points)).collect()
}

fn curve(sought: &Sought, place: usize, all: &[(Power, Looked)]) -> Curve {
    let Sought { called, is_effect, against } = sought;
    let finite = |value: f64| value.is_finite().then_some(value);
    let point = |(power, looked): &(Power, Looked)| {
        let of = came(*against, place, &looked.found);
        Point {
            people: power.participants,
            studies: looked.found.len(),
            share: of.found.share,
            low: of.found.low,
            high: of.found.high,
            mean: finite(of.mean),
            reach: finite(of.reach),
        }
    };
    let points: Vec<Point> = all.iter().map(point).collect();
    let figure = (*is_effect && points.len() > 1).then(|| drawn(called, &points));
    Curve { called: called.clone(), is_effect: *is_effect, points, figure }
}

/// The share of studies that found it by the number of people, with its interval as a band.
fn drawn(called: &str, points: &[Point]) -> String {
    let percent = |share: f64| 100.0 * share;
    let through = points.iter().map(|point| (f64::from(point.people), percent(point.share)));
    let band = points.iter().map(|point| (percent(point.low), percent(point.high))).collect();
    let (first, last) = (points.first(), points.last());
    let ends = [first, last].into_iter().flatten().map(|point| f64::from(point.people));
    let (least, most) = (ends.clone().fold(f64::MAX, f64::min), ends.fold(0.0, f64::max));
    let said =
        points.iter().map(|point| format!("{} people {:.0} %", point.people, percent(point.share)));
    let studies = points.first().map_or(0, |point| point.studies);
    Plot {
        title: format!("How often {studies} rehearsed studies find it"),
        description: format!(
            "{called}: found with {}. The band is the 95 % interval of the share.",
            said.collect::<Vec<_>>().join(", with ")
        ),
        x: Axis::counted("people in the study", least, most),
        y: Axis::linear("studies that find it (%)", 0.0, 100.0),
        lines: vec![PlotLine {
            name: called.to_owned(),
            points: through.collect(),
            form: LineForm::Band(band),
        }],
    }
    .html()
}

//! From what a cell found to the series, figures and notes of the results.

use super::bench::{Bench, Run};
use super::{Cycles, TrackLayout, cores};
use crate::timing::{
    ErrorWords, Quantity, SampleSeries, Scheduling, TestFound, TestRun, beside, doubts, spoken,
};

/// Searches of one border that differ by more than this share of the greatest tell more of
/// what disturbed them than of the machine; a step of one is always allowed.
const SPREAD: f64 = 0.1;

/// Adds one cell: the cycles at the border, or of no instance where there is none.
pub(super) fn add(bench: &Bench, run: Run, course: &TestRun<'_>, found: &mut TestFound) {
    let what = beside(&bench.what(), course.load);
    for timed in &run.timed {
        doubts::of_thread(timed, &what, found);
    }
    let series = series(bench, &run);
    doubts::note(found, row(&what, &run, &series, course.words));
    if is_unprivileged(bench, &run) {
        found.notes.push(format!("{what}: {}", course.words_for(&CardWithoutPriority)));
    }
    if run.unequal {
        found.notes.push(format!("{what}: {}", course.words_for(&UnequalTracks)));
    }
    if let Some(cores) = cores::shared(&bench.cores) {
        found.notes.push(format!(
            "{what}: the tracks share {cores} of this machine's processors, so that some are \
             computed one after the other; a machine with one for each has more instances"
        ));
    }
    found.notes.extend(disagreement(&what, &run));
    found.series.push(series);
}

fn series(bench: &Bench, run: &Run) -> SampleSeries {
    let (frames, tracks) = (bench.pace.frames.to_string(), bench.cores.len().to_string());
    let (plugin, scheduling) = (bench.plugin.to_string(), scheduling(bench, run));
    let mut conditions = vec![
        ("period_frames", frames.as_str()),
        ("tracks", tracks.as_str()),
        ("plugin", plugin.as_str()),
        ("scheduling", scheduling.as_str()),
    ];
    if bench.arrangement == TrackLayout::Series {
        conditions.push(("arrangement", "series"));
    }
    let shared = cores::shared(&bench.cores).map(|cores| cores.to_string());
    if let Some(cores) = &shared {
        conditions.push(("shared_cores", cores));
    }
    let card = bench.card.as_ref().map(|card| card.name.to_string());
    if let Some(card) = &card {
        conditions.push(("card", card));
    }
    let mut series = SampleSeries::of(Quantity::DspCycle, &conditions, shown(run).busy.clone());
    let known = figures(bench, run).into_iter().chain(figures_of_the_border(run));
    series.figures.extend(known.filter_map(|(name, value)| Some((name.to_owned(), value?))));
    series
}

/// The cycles at the border, or of no instance where there is none.
fn shown(run: &Run) -> &Cycles {
    if run.busy.busy.n() > 0 { &run.busy } else { &run.idle }
}

/// A figure of the results; one that is not known is left out.
type Figure = (&'static str, Option<f64>);

fn figures(bench: &Bench, run: &Run) -> [Figure; 11] {
    let instances = run.border.map_or(0, |border| border.instances);
    let (idle, load) = (run.idle.load(bench.pace), run.busy.load(bench.pace));
    let each = idle.zip(load).map(|(idle, load)| (load - idle) / f64::from(instances.max(1)));
    let periods = bench.card.as_ref().map(|card| f64::from(card.shape.periods));
    [
        ("instances_per_track", Some(f64::from(instances))),
        ("nominal_period_ns", Some(bench.pace.period().0 as f64)),
        ("frames_per_s", Some(f64::from(bench.pace.rate_hz))),
        ("buffer_periods", periods),
        ("dsp_load", load),
        ("load_per_instance", each.filter(|each| instances > 0 && *each >= 0.0)),
        ("fan_out_ns", run.idle.busy.mean_ns()),
        ("latest_start_ns", shown(run).late.max().map(|time| time.0 as f64)),
        ("late_xruns", Some(run.failed.late_xruns as f64)),
        ("stalled_xruns", Some(run.failed.stalled_xruns as f64)),
        ("failed_runs", Some(run.failed.xruns as f64)),
    ]
}

fn figures_of_the_border(run: &Run) -> Vec<Figure> {
    let Some(border) = run.border else { return Vec::new() };
    vec![
        ("tried_runs", Some(f64::from(border.runs))),
        ("stray_runs", Some(f64::from(border.stray))),
        ("confirmed", Some(f64::from(u8::from(border.confirmed)))),
        ("searches", Some(run.found.len() as f64)),
        ("least_instances", run.found.iter().min().copied().map(f64::from)),
        ("most_instances", run.found.iter().max().copied().map(f64::from)),
    ]
}

/// What was in force, in a card as its thread found it.
fn scheduling(bench: &Bench, run: &Run) -> String {
    match (&bench.card, run.policy) {
        (None, _) => bench.scheduling.to_string(),
        (Some(_), Some(policy)) if policy.is_realtime() => {
            Scheduling::Fifo(policy.priority()).class()
        }
        (Some(_), Some(_)) => Scheduling::Ordinary.class(),
        (Some(_), None) => "not known".into(),
    }
}

/// The card's thread has not the rights that were asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the card's thread had no real-time priority")]
pub struct CardWithoutPriority;

/// The threads of the tracks in a card are not alike, so that its thread may wait for one that
/// others keep waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not every track's thread had the priority of the card's thread and a core of its own")]
pub struct UnequalTracks;

fn is_unprivileged(bench: &Bench, run: &Run) -> bool {
    let asked = matches!(bench.scheduling, Scheduling::Fifo(_));
    let ordinary = run.policy.is_some_and(|policy| !policy.is_realtime());
    bench.card.is_some() && asked && ordinary
}

/// A row of the table, as a sentence.
fn row(what: &str, run: &Run, series: &SampleSeries, words: ErrorWords) -> String {
    let Some(border) = run.border else {
        return match run.idle.xruns {
            0 => format!("{what}: interrupted before anything was known"),
            _ => format!(
                "{what}: periods are missed with nothing to compute, so that no number of \
                 instances is without an xrun"
            ),
        };
    };
    let figure = |name: &str| series.figures.get(name).copied();
    let each = match figure("load_per_instance") {
        Some(each) => format!("{:.3} % each", each * 100.0),
        None => "no load of one can be told".to_owned(),
    };
    let mut text = format!(
        "{what}: {} instances a track, DSP load {:.0} %, {each}, {} without any",
        border.instances,
        figure("dsp_load").unwrap_or_default() * 100.0,
        spoken(figure("fan_out_ns").unwrap_or_default())
    );
    match &run.refused {
        Some(error) => text += &format!("; not confirmed, since {}", words(error.kind())),
        None if !border.confirmed => text += "; not confirmed, since it was interrupted",
        None => {}
    }
    if border.at_limit {
        text += "; more were not tried";
    }
    if border.stray > 0 {
        text += "; one run besides the three clean ones had an xrun";
    }
    if run.failed.xruns > 0 {
        text += &format!("; {}", limited_by(&run.failed));
    }
    text
}

/// What ended the runs that had an xrun.
fn limited_by(failed: &Cycles) -> String {
    let Cycles { xruns, late_xruns: late, stalled_xruns: stalled, .. } = failed;
    let computing = xruns - late - stalled;
    format!(
        "limited by computing in {computing} of {xruns} runs, by a late start in {late}, by a \
         stall in {stalled}"
    )
}

/// Why the border is doubtful: searches that differ, cycles that cost less than nothing.
fn disagreement(what: &str, run: &Run) -> Vec<String> {
    let mut doubts = Vec::new();
    let (least, most) = (run.found.iter().min(), run.found.iter().max());
    if let (Some(least), Some(most)) = (least, most)
        && f64::from(most - least) > (SPREAD * f64::from(*most)).max(1.0)
    {
        let each: Vec<String> = run.found.iter().map(u32::to_string).collect();
        doubts.push(format!(
            "{what}: the searches gave {} instances, which is no figure of this machine but of \
             what disturbed it; end other programs, isolate cores, or measure for longer \
             (--duration)",
            each.join(", ")
        ));
    }
    let (idle, busy) = (run.idle.busy.mean_ns(), run.busy.busy.mean_ns());
    if idle.zip(busy).is_some_and(|(idle, busy)| busy < idle) {
        doubts.push(format!(
            "{what}: a cycle with instances took less than one without any, so the machine was \
             slower while it computed nothing (its frequency, its host); no load of one instance \
             is given"
        ));
    }
    doubts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timing::Histogram;
    use chronotap_core::time::Nanos;

    fn run(found: &[u32], idle_ns: i64, busy_ns: i64) -> Run {
        let cycles = |ns: i64| Cycles { busy: Histogram::of([Nanos(ns)]), ..Cycles::default() };
        Run {
            border: None,
            found: found.to_vec(),
            idle: cycles(idle_ns),
            busy: cycles(busy_ns),
            failed: Cycles::default(),
            refused: None,
            policy: None,
            unequal: false,
            timed: Vec::new(),
        }
    }

    #[test]
    fn searches_that_differ_are_a_doubt_and_one_step_is_none() {
        assert_eq!(disagreement("64 frames", &run(&[97, 98, 97], 5, 90)), Vec::<String>::new());
        assert_eq!(disagreement("64 frames", &run(&[1, 2], 5, 90)), Vec::<String>::new());
        let doubts = disagreement("64 frames", &run(&[97, 115, 2], 5, 90));
        assert!(doubts[0].contains("the searches gave 97, 115, 2 instances"), "{doubts:?}");
    }

    #[test]
    fn instances_that_cost_less_than_nothing_are_a_doubt() {
        let doubts = disagreement("64 frames", &run(&[2, 2, 2], 90, 5));
        assert!(doubts[0].contains("took less than one without any"), "{doubts:?}");
    }

    #[test]
    fn what_limited_a_border_is_counted_run_by_run() {
        let failed = Cycles { xruns: 6, late_xruns: 2, stalled_xruns: 1, ..Cycles::default() };
        let told = "limited by computing in 3 of 6 runs, by a late start in 2, by a stall in 1";
        assert_eq!(limited_by(&failed), told);
    }
}

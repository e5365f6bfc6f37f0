//! From what a cell found to the series, figures and notes of the results.

use super::bench::{Bench, Run};
use chronotap_timing::{Found, Quantity, Series, doubts, spoken};

/// Adds one cell: the cycles at the border, or of no instance where there is none.
pub(super) fn add(bench: &Bench, run: Run, found: &mut Found) {
    let what = bench.what();
    for timed in &run.timed {
        doubts::of_thread(timed, &what, found);
    }
    let instances = run.border.map_or(0, |border| border.instances);
    let shown = if run.busy.busy.n() > 0 { &run.busy } else { &run.idle };
    let (frames, tracks) = (bench.pace.frames.to_string(), bench.cores.len().to_string());
    let (plugin, scheduling) = (bench.plugin.to_string(), bench.scheduling.to_string());
    let conditions = [
        ("period_frames", frames.as_str()),
        ("tracks", tracks.as_str()),
        ("plugin", plugin.as_str()),
        ("scheduling", scheduling.as_str()),
    ];
    let mut series = Series::of(Quantity::DspCycle, &conditions, shown.busy.clone())
        .with("instances_per_track", f64::from(instances))
        .with("nominal_period_ns", bench.pace.period().0 as f64)
        .with("frames_per_s", f64::from(bench.pace.rate_hz));
    let figures = &mut series.figures;
    let mut put = |name: &str, value: Option<f64>| {
        figures.extend(value.map(|value| (name.to_owned(), value)));
    };
    let (idle, load) = (run.idle.load(bench.pace), run.busy.load(bench.pace));
    let each = idle.zip(load).map(|(idle, load)| (load - idle) / f64::from(instances.max(1)));
    put("dsp_load", load);
    put("load_per_instance", each.filter(|_| instances > 0));
    put("fan_out_ns", run.idle.busy.mean_ns());
    put("latest_start_ns", shown.late.max().map(|time| time.0 as f64));
    if let Some(border) = run.border {
        put("tried_runs", Some(f64::from(border.runs)));
        put("stray_runs", Some(f64::from(border.stray)));
        put("confirmed", Some(f64::from(u8::from(border.confirmed))));
    }
    doubts::note(found, row(&what, &run, &series));
    found.series.push(series);
}

/// A row of the table, as a sentence.
fn row(what: &str, run: &Run, series: &Series) -> String {
    let Some(border) = run.border else {
        return match run.idle.xruns {
            0 => format!("{what}: interrupted before anything was known"),
            _ => format!(
                "{what}: periods are missed with nothing to compute, so that no number of \
                 instances is without an xrun"
            ),
        };
    };
    let figure = |name: &str| series.figures.get(name).copied().unwrap_or_default();
    let mut text = format!(
        "{what}: {} instances a track, DSP load {:.0} %, {:.3} % each, {} without any",
        border.instances,
        figure("dsp_load") * 100.0,
        figure("load_per_instance") * 100.0,
        spoken(figure("fan_out_ns"))
    );
    match &run.refused {
        Some(error) => text += &format!("; not confirmed, since {error}"),
        None if !border.confirmed => text += "; not confirmed, since it was interrupted",
        None => {}
    }
    if border.at_limit {
        text += "; more were not tried";
    }
    if border.stray > 0 {
        text += "; one run besides the three clean ones had an xrun";
    }
    text
}

//! What was computed: the measures by the names that papers have for them, and what was compared.

use super::Told;
use crate::trials::words::counted;
use chronotap_analysis::statistics::Statistic;
use chronotap_analysis::statistics::of_beats::{BEATS, OUTSIDE_WINDOW};
use chronotap_analysis::statistics::of_correction::ALPHA;
use chronotap_analysis::statistics::of_intervals::SD_INTERVAL;
use chronotap_analysis::statistics::of_levels::CLOCK_VARIANCE;
use chronotap_analysis::statistics::of_responses::MEAN_REPRODUCTION_ERROR;
use chronotap_data::tables::{OutcomeFound, OutcomeQuestion, Stands, outcomes};

pub(super) fn sentences(told: &Told<'_>) -> Vec<String> {
    let mut said = measures(told);
    let all = outcomes(told.of.sources, told.of.analysis, &told.of.how.asked).unwrap_or_default();
    said.extend(all.iter().map(stated));
    if all.iter().any(|found| found.p_holm.is_some()) {
        said.push(
            "The probabilities of the planned contrasts were corrected for their number (Holm, 1979)."
                .into(),
        );
    }
    said.extend(intervals(told, all.first()));
    said
}

fn measures(told: &Told<'_>) -> Vec<String> {
    let rows = &told.of.analysis.rows;
    let any = |of: &Statistic| rows.iter().any(|row| row.of(of).is_some());
    let taps = told.of.analysis.counts.taps;
    let were = if taps == 1 { "was" } else { "were" };
    let mut said = vec![format!("{} {were} recorded.", counted(taps, "tap"))];
    if any(&BEATS) {
        said.push(format!(
            "Each beat was matched with the first tap within {} of the local interval{}; an asynchrony is the \
             time of the tap less that of the beat, so that negative values are early. Circular statistics take all \
             taps, matched or not (Fisher, 1993).",
            told.of.how.window.unwrap_or(chronotap_analysis::matching::WINDOW),
            outside(told)
        ));
    }
    if told.of.analysis.conditions.iter().any(|row| row.alpha.is_ok()) {
        said.push(
            "Phase correction was estimated over all trials of a condition by the restricted likelihood (Patterson & \
             Thompson, 1971) of the linear model (Jacoby et al., 2015), with a mean and a drift of each trial."
                .into(),
        );
    }
    if any(&MEAN_REPRODUCTION_ERROR) {
        said.push(
            "Rhythms that were reproduced were compared with those heard interval by interval, the first tap standing \
             for the first beat: constant, variable and absolute error (Schmidt & Lee, 2005)."
                .into(),
        );
    }
    if any(&CLOCK_VARIANCE) {
        said.push(
            "Clock and motor variance of self-paced taps follow Wing and Kristofferson (1973), without the bias of \
             short runs; their means are over all runs, those outside the model (a variance below 0 by chance) among \
             them, because the mean of the others is biased."
                .into(),
        );
    }
    said
}

/// What the windows left out of the asynchronies.
fn outside(told: &Told<'_>) -> String {
    match told.of.analysis.in_all(&OUTSIDE_WINDOW) {
        0 => String::new(),
        n => format!(", which left out {}", counted(n, "tap")),
    }
}

/// What the study said beforehand that it is for, and how that was compared.
fn stated(found: &OutcomeFound) -> String {
    let what = found.what();
    let what = match what.split_once(": ") {
        Some((what, levels)) => format!("{what} ({levels})"),
        None => what,
    };
    let how = match &found.contrast {
        Some(contrast) if contrast.paired => {
            "compared within participants by a paired t interval, with d_z as effect size (Lakens, 2013)"
        }
        Some(contrast) if contrast.by.is_some() => {
            "compared between groups by the degrees of freedom of Satterthwaite (1946)"
        }
        Some(_) => {
            "compared between groups by the interval of Welch (1947), with d_s as effect size (Lakens, 2013)"
        }
        None => alone(found),
    };
    let slope = match found.slope {
        Some(_) if found.outcome.compares_levels() => {
            "; the trend is the mean of each participant's slope by least squares"
        }
        _ => "",
    };
    let retest = match found.retest {
        Some(_) => {
            "; its repetition is a correlation over participants with the interval of Fisher (1921)"
        }
        None => "",
    };
    let also = match found.also.len() {
        0 => "",
        _ => {
            " Further outcomes were treated in the same way, without a correction for their number."
        }
    };
    let stands = match found.outcome.stands {
        Stands::Outcome => "The outcome that the study states beforehand is",
        Stands::Planned => "A contrast that was planned in the study's file is",
        Stands::Asked => "A contrast that was not planned is",
    };
    format!("{stands} {what}, {how}{slope}{retest}.{also}")
}

/// How what is no difference was computed.
fn alone(found: &OutcomeFound) -> &'static str {
    match (found.outcome.asks, found.outcome.value) {
        (OutcomeQuestion::Slope, None) => {
            "the mean of each participant's slope by least squares, with Student's t interval and d_z as effect size \
             (Lakens, 2013)"
        }
        (OutcomeQuestion::Slope, Some(_)) => {
            "the mean of each participant's slope by least squares, tested against this value by Student's t, with d_z as \
             effect size (Lakens, 2013)"
        }
        (OutcomeQuestion::Curve, _) => {
            "the mean of each participant's quadratic trend by least squares, orthogonal to the linear one, with Student's \
             t interval and d_z as effect size (Lakens, 2013)"
        }
        (OutcomeQuestion::Least | OutcomeQuestion::Greatest, _) => {
            "the turning point of the mean of the participants' parabolas with the interval of Fieller (1954); its test is \
             that of the quadratic trend"
        }
        (_, Some(_)) => {
            "a mean over participants, tested against this value by Student's t, with Cohen's d as effect size; of each \
             participant every condition weighs the same"
        }
        (_, None) => "a mean over participants with Student's t interval",
    }
}

/// How sure the estimates are: over trials and people, and within one trial those of what was measured.
fn intervals(told: &Told<'_>, found: Option<&OutcomeFound>) -> Vec<String> {
    let rows = &told.of.analysis.rows;
    let any = |of: &Statistic| rows.iter().any(|row| row.of(of).is_some());
    let single = [
        (&BEATS, OF_ASYNCHRONIES),
        (&SD_INTERVAL, OF_INTERVALS),
        (&CLOCK_VARIANCE, OF_CLOCK),
        (&ALPHA, OF_CORRECTION),
    ];
    let single = single.into_iter().filter(|(of, _)| any(of)).map(|(_, said)| said);
    let single = single.collect::<Vec<&str>>().join("; ");
    let mut all =
        vec!["Intervals for 95 % are by Student's t over trials and participants.".to_owned()];
    all.extend((!single.is_empty()).then(|| format!("Within a single trial {single}.")));
    let figure = found.and_then(|found| crate::trials::factorial::found(told.of, &found.outcome));
    let within = figure.is_some_and(|figure| {
        matches!(figure.intervals, chronotap_data::tables::Intervals::Within { .. })
    });
    let within = within.then(|| {
        "In the figure of the design the intervals are within participants (Cousineau, 2005; Morey, 2008).".to_owned()
    });
    all.into_iter().chain(within).collect()
}

const OF_ASYNCHRONIES: &str = "those of asynchronies and directions reach as far as the equal-weighted cosine estimator of the long-run variance \
     (Lazarus et al., 2018) and a Gaussian autoregression under every autocorrelation, weighed by its likelihood \
     (Zellner, 1971)";
const OF_INTERVALS: &str = "those of mean, median and drift of inter-tap intervals are by the equal-weighted cosine estimator of the long-run \
     variance (Lazarus et al., 2018), and those of their SD, CV, RMSSD, nPVI and autocorrelation are those of a Gaussian \
     autoregression under every autocorrelation (Zellner, 1971)";
const OF_CLOCK: &str = "those of clock and motor variance are by their likelihood under a tempo that may wander (Zellner, 1971)";
const OF_CORRECTION: &str = "those of phase correction are by the restricted likelihood (Patterson & Thompson, 1971) with a drift and a \
     timekeeper that may have a long memory";

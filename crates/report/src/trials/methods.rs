//! A paragraph for the methods section of a paper, with the figures of these very trials: who
//! tapped, what was run, with which timing, what was left out, and how the numbers are defined.
//! What only the experimenter knows stands in brackets, to be filled in.

use super::words::{counted, number, people};
use super::{Recorded, evidence, exclusions, odd};
use crate::html::escape;
use chronotap_analysis::statistics::Statistic;
use chronotap_analysis::statistics::of_beats::{BEATS, OUTSIDE_WINDOW};
use chronotap_analysis::statistics::of_levels::CLOCK_VARIANCE;
use chronotap_analysis::statistics::of_responses::MEAN_REPRODUCTION_ERROR;
use chronotap_data::record::Mode;
use chronotap_data::tables::TimeCourse;
use std::collections::BTreeMap;

pub(super) fn section(of: &Recorded<'_>) -> String {
    let all: Vec<(usize, &TimeCourse)> = odd::used(of).collect();
    if all.is_empty() {
        return String::new();
    }
    let sentences = [who(of, &all), timing(&all), left_out(of), definitions(of)];
    let text = sentences.join(" ");
    format!(
        "<p class=\"soft\">To be quoted; fill in what stands in brackets.</p>\n\
         <blockquote tabindex=\"0\"><p>{}</p></blockquote>\n",
        escape(&text)
    )
}

fn who(of: &Recorded<'_>, all: &[(usize, &TimeCourse)]) -> String {
    let simulated = all.iter().any(|(_, course)| course.evidence.simulated.is_some());
    let who = match (simulated, people(of.sources).len()) {
        (true, n) => counted(n, "simulated participant"),
        (false, n) => counted(n, "participant"),
    };
    let what = if simulated { "" } else { " [age, sex, musical training]" };
    let seconds: f64 = all.iter().map(|(_, course)| course.length_s).sum();
    let programs = distinct(all.iter().map(|(_, course)| course.evidence.program.clone()));
    let program = programs.join(" and ").replacen("chronotap", "Chronotap", 1);
    let recorders = distinct(all.iter().filter_map(|(_, c)| c.evidence.recorded_by.clone()));
    let how = match &recorders[..] {
        [] => format!("run with {program}"),
        some => format!("{} and imported with {program}", some.join(" and ")),
    };
    let average = if all.len() > 1 { " on average" } else { "" };
    format!(
        "{who}{what} contributed {} of {} s{average}, {how}.",
        counted(all.len(), "trial"),
        number(seconds / all.len() as f64, 1)
    )
}

fn distinct(all: impl Iterator<Item = String>) -> Vec<String> {
    let mut all: Vec<String> = all.collect();
    all.sort_unstable();
    all.dedup();
    all
}

fn timing(all: &[(usize, &TimeCourse)]) -> String {
    let real = all.iter().filter(|(_, course)| course.evidence.mode == Mode::RealTime).count();
    if all.iter().any(|(_, course)| course.evidence.mode == Mode::Imported) {
        return evidence::NOT_KNOWN.into();
    }
    if real == 0 {
        return "The trials ran in virtual time, in which outputs are exact.".into();
    }
    let mut had: BTreeMap<String, usize> = BTreeMap::new();
    for (_, course) in all.iter().filter(|(_, c)| c.evidence.mode == Mode::RealTime) {
        *had.entry(evidence::rights(course)).or_default() += 1;
    }
    let rights = had.iter().max_by_key(|(_, count)| **count).map_or("none", |(rights, _)| rights);
    let machines = distinct(all.iter().map(|(_, course)| course.evidence.machine.clone()));
    format!(
        "They ran on {} (rights: {rights}). {}",
        machines.join("; and on "),
        evidence::sentence(all)
    )
}

fn left_out(of: &Recorded<'_>) -> String {
    let counts = of.analysis.counts;
    let trials = match counts.trials - counts.used {
        0 => "No trial was excluded.".to_owned(),
        n => format!(
            "Excluded were {} ({} whose data could not be used, {} that could not be read, {} replaced by another attempt).",
            counted(n, "trial"),
            counts.unusable,
            counts.unread,
            counts.not_counting
        ),
    };
    format!("{trials} {}", exclusions::rules(of))
}

/// What the windows left out of the asynchronies.
fn outside(of: &Recorded<'_>) -> String {
    match of.analysis.in_all(&OUTSIDE_WINDOW) {
        0 => String::new(),
        n => format!(", which left out {}", counted(n, "tap")),
    }
}

fn definitions(of: &Recorded<'_>) -> String {
    let rows = &of.analysis.rows;
    let any = |of: &Statistic| rows.iter().any(|row| row.of(of).is_some());
    let paced = any(&BEATS);
    let taps = of.analysis.counts.taps;
    let were = if taps == 1 { "was" } else { "were" };
    let mut said = format!("{} {were} recorded.", counted(taps, "tap"));
    if paced {
        said += &format!(
            " Each beat was matched with the first tap within {} of the local interval{}; \
             an asynchrony is tap less beat, so that negative values are early. Circular statistics \
             take all taps, matched or not (Fisher, 1993).",
            of.how.window.unwrap_or(chronotap_analysis::matching::WINDOW),
            outside(of)
        );
    }
    if of.analysis.conditions.iter().any(|row| row.alpha.is_ok()) {
        said += " Phase correction was estimated over all trials of a condition by the restricted \
                 likelihood (Patterson & Thompson, 1971) of the linear model (Jacoby et al., 2015), \
                 with a mean and a drift of each trial.";
    }
    if any(&MEAN_REPRODUCTION_ERROR) {
        said += " Rhythms that were reproduced were compared with those heard interval by interval, the \
                 first tap standing for the first beat: constant, variable and absolute error \
                 (Schmidt & Lee, 2005).";
    }
    said += " Intervals for 95 % are by Student's t over trials and participants, and within a single \
             trial by the equal-weighted cosine estimator of the long-run variance (Lazarus et al., 2018)";
    said += if paced {
        "; those of asynchronies also reach as far as a Gaussian autoregression may under every \
         autocorrelation, weighed by its likelihood (Zellner, 1971)."
    } else {
        "."
    };
    if any(&CLOCK_VARIANCE) {
        said += " Clock and motor variance of self-paced taps follow Wing and Kristofferson (1973), \
                 without the bias of short runs; their means are over all runs, those outside the model \
                 (a variance below 0 by chance) among them, because the mean of the others is biased.";
    }
    said
}

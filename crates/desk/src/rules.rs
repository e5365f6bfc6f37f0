//! The rules of an analysis, from the command line: several commands have them.

use crate::args::Rules;
use anyhow::{Result, bail};
use chronotap_analysis::cleaning::CleaningRule;
use chronotap_data::tables::AnalysisOptions;

/// What an analysis leaves out.
pub fn how(args: &Rules) -> Result<AnalysisOptions> {
    let (rules, window) = (rules(args)?, window(args)?);
    Ok(AnalysisOptions {
        rules,
        with_unusable: args.with_unusable,
        window,
        ..AnalysisOptions::default()
    })
}

fn window(args: &Rules) -> Result<Option<f64>> {
    match args.window {
        Some(share) if !(0.05..=0.5).contains(&share) => bail!(
            "--window {share}: give a share of the interval from 0.05 to 0.5; 0.5 leaves out no tap"
        ),
        given => Ok(given),
    }
}

/// The rules in the order in which they act.
fn rules(args: &Rules) -> Result<Vec<CleaningRule>> {
    let positive = |value: Option<f64>, flag: &str| match value {
        Some(value) if !(value.is_finite() && value > 0.0) => {
            bail!("--{flag} {value}: it must be above 0; leave the option out to leave nothing out")
        }
        value => Ok(value),
    };
    let intervals = positive(args.interval_outliers, "interval-outliers")?;
    let asynchronies = positive(args.asynchrony_outliers, "asynchrony-outliers")?;
    let all = [
        args.debounce.map(CleaningRule::Debounce),
        args.first_taps.map(CleaningRule::FirstTaps),
        args.slips.then_some(CleaningRule::Slips),
        intervals.map(CleaningRule::IntervalOutliers),
        asynchronies.map(CleaningRule::AsynchronyOutliers),
    ];
    Ok(all.into_iter().flatten().collect())
}

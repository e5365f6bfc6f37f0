//! [`Runs`]: the same test again and again on a pair of ports, as the hundred runs of Finney
//! (2001), of which the paper tells the mean and the maximum of each. [`Runs::table`] sets
//! several pairs side by side.

use super::{CirculationReport, LOOP_VERSION, TimeSpread};
use chronotap_analysis::lateness::tally_ms;
use serde::Serialize;
use std::fmt;

/// What the runs on a pair of ports found. Times in microseconds.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Runs {
    /// [`LOOP_VERSION`].
    pub version: u32,
    /// `loop` or `single`.
    pub test: &'static str,
    /// The input's port, as named.
    pub input: String,
    /// The output's port, as named.
    pub output: String,
    /// In the order in which they ran.
    pub runs: Vec<CirculationRun>,
}

/// One run: intervals between messages, or round trips of single ones.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CirculationRun {
    pub n: usize,
    pub mean_us: Option<f64>,
    /// Standard deviation, with n - 1.
    pub sd_us: Option<f64>,
    pub max_us: Option<f64>,
    /// Messages that did not come back, came twice, late, changed or were refused.
    pub astray: u64,
    /// Whether the ports were fit in it.
    pub fit: bool,
    /// Why not, one sentence each.
    pub reasons: Vec<String>,
}

impl CirculationRun {
    /// The run that a report is of.
    pub fn of(report: &CirculationReport) -> CirculationRun {
        let spread = report.intervals.as_ref().or(report.round_trips.as_ref());
        let m = &report.messages;
        CirculationRun {
            n: spread.map_or(0, |spread| spread.n),
            mean_us: spread.map(|spread| spread.mean_us),
            sd_us: spread.and_then(|spread| spread.sd_us),
            max_us: spread.map(|spread: &TimeSpread| spread.max_us),
            astray: m.lost + m.doubled + m.changed + m.out_of_order + m.unknown + m.refused,
            fit: report.fit,
            reasons: report.reasons.clone(),
        }
    }
}

impl Runs {
    /// No run yet.
    pub fn new(test: &'static str, input: &str, output: &str) -> Runs {
        let (input, output) = (input.to_owned(), output.to_owned());
        Runs { version: LOOP_VERSION, test, input, output, runs: Vec::new() }
    }

    /// Whether the ports were fit in every run.
    pub fn are_fit(&self) -> bool {
        !self.runs.is_empty() && self.runs.iter().all(|run| run.fit)
    }

    /// How many runs had a maximum of at most so many whole milliseconds, and no fewer.
    pub fn tally(&self) -> Vec<(u64, usize)> {
        tally_ms(self.of(|run| run.max_us))
    }

    fn of<'a>(
        &'a self,
        figure: impl Fn(&CirculationRun) -> Option<f64> + 'a,
    ) -> impl Iterator<Item = f64> + 'a {
        self.runs.iter().filter_map(figure)
    }

    /// Each pair of ports in a line, over all its runs.
    pub fn table(all: &[Runs]) -> String {
        let mut text = String::from(
            "Pairs of ports, over their runs (us)\n  runs  fit      mean   mean SD  greatest  astray  ports",
        );
        for runs in all {
            let fit = runs.runs.iter().filter(|run| run.fit).count();
            let astray: u64 = runs.runs.iter().map(|run| run.astray).sum();
            let figures = [
                mean(runs.of(|run| run.mean_us)),
                mean(runs.of(|run| run.sd_us)),
                runs.of(|run| run.max_us).reduce(f64::max),
            ];
            let [mean, sd, max] = figures.map(shown);
            text += &format!(
                "\n  {:>4} {fit:>4} {mean:>9} {sd:>9} {max:>9} {astray:>7}  {} to {}",
                runs.runs.len(),
                runs.output,
                runs.input
            );
        }
        text
    }
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, n) = values.fold((0.0, 0_u32), |(sum, n), value| (sum + value, n + 1));
    (n > 0).then(|| sum / f64::from(n))
}

fn shown(us: Option<f64>) -> String {
    us.map_or_else(|| "-".to_owned(), |us| format!("{us:.1}"))
}

impl fmt::Display for Runs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = if self.test == "loop" { "Loop test" } else { "Single messages" };
        writeln!(f, "{what}, {} runs: {} to {}", self.runs.len(), self.output, self.input)?;
        let times = if self.test == "loop" { "intervals" } else { "round trips" };
        writeln!(f, "   run        n   mean us     SD us    max us  astray  ({times})")?;
        for (number, run) in (1..).zip(&self.runs) {
            let [mean, sd, max] = [run.mean_us, run.sd_us, run.max_us].map(shown);
            let CirculationRun { n, astray, .. } = run;
            let fit = if run.fit { "fit" } else { "unfit" };
            writeln!(f, "  {number:>4} {n:>8} {mean:>9} {sd:>9} {max:>9} {astray:>7}  {fit}")?;
        }
        writeln!(f, "\nMaximum of each run, in whole milliseconds")?;
        for (ms, runs) in self.tally() {
            writeln!(f, "  at most {ms:>3} ms: {runs} of {} runs", self.runs.len())?;
        }
        let unfit = self.runs.iter().filter(|run| !run.fit).count();
        match unfit {
            0 => write!(f, "\nVerdict: fit in each run"),
            _ => write!(f, "\nVerdict: unfit in {unfit} of {} runs", self.runs.len()),
        }?;
        let mut reasons: Vec<&String> = self.runs.iter().flat_map(|run| &run.reasons).collect();
        reasons.sort_unstable();
        reasons.dedup();
        reasons.iter().try_for_each(|reason| write!(f, "\n  {reason}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(mean_us: f64, sd_us: f64, max_us: f64, fit: bool) -> CirculationRun {
        let reasons = if fit { Vec::new() } else { vec!["1 messages were lost".to_owned()] };
        let (mean_us, sd_us, max_us) = (Some(mean_us), Some(sd_us), Some(max_us));
        CirculationRun { n: 9_999, mean_us, sd_us, max_us, astray: u64::from(!fit), fit, reasons }
    }

    fn runs(port: &str, of: Vec<CirculationRun>) -> Runs {
        Runs { runs: of, ..Runs::new("loop", port, port) }
    }

    #[test]
    fn the_maximum_of_each_run_is_tallied_in_whole_milliseconds() {
        let of = [960.0, 1_000.0, 1_000.1, 1_980.0, 2_500.0].map(|max| run(960.0, 2.0, max, true));
        assert_eq!(runs("wire", of.to_vec()).tally(), [(1, 2), (2, 2), (3, 1)]);
    }

    #[test]
    fn pairs_stand_side_by_side_with_means_over_their_runs_and_the_greatest_of_all() {
        let good = runs("wire", vec![run(960.0, 2.0, 990.0, true), run(962.0, 4.0, 1_980.0, true)]);
        let bad = runs("alsa:Old", vec![run(10_000.0, 50.0, 12_000.0, false)]);
        assert!(good.are_fit() && !bad.are_fit() && !runs("wire", vec![]).are_fit());
        let table = Runs::table(&[good, bad.clone()]);
        let lines: Vec<&str> = table.lines().collect();
        assert_eq!(lines[2], "     2    2     961.0       3.0    1980.0       0  wire to wire");
        assert_eq!(
            lines[3],
            "     1    0   10000.0      50.0   12000.0       1  alsa:Old to alsa:Old"
        );
        let told = bad.to_string();
        assert!(told.contains("at most  12 ms: 1 of 1 runs"), "{told}");
        assert!(told.ends_with("Verdict: unfit in 1 of 1 runs\n  1 messages were lost"), "{told}");
    }
}

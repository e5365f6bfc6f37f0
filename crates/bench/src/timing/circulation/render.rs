//! A [`CirculationReport`] as text of at most 80 columns.

use super::{CirculationReport, TimeSpread};
use std::fmt;

impl fmt::Display for CirculationReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let title = if self.test == "loop" { "Loop test" } else { "Single messages" };
        writeln!(f, "{title}: {} to {}", self.output, self.input)?;
        if self.interrupted {
            writeln!(f, "  interrupted: what follows is of the part that was measured")?;
        }
        self.write_messages(f)?;
        if let Some(intervals) = &self.intervals {
            let rate = self.messages_per_s.unwrap_or(0.0);
            writeln!(f, "\nIntervals between messages (us); {rate:.1} messages a second")?;
            write_numbers(f, intervals)?;
        }
        if let Some(trips) = &self.round_trips {
            writeln!(f, "\nRound trips (us)")?;
            write_numbers(f, trips)?;
            writeln!(
                f,
                "  peak jitter {:.1}  average jitter {:.1}",
                trips.peak_jitter_us, trips.average_jitter_us
            )?;
        }
        if let Some(answers) = &self.answers {
            writeln!(f, "\nAnswers of the program (us)")?;
            write_numbers(f, answers)?;
        }
        if let Some(bars) = self.intervals.as_ref().or(self.round_trips.as_ref()) {
            write_histogram(f, bars)?;
        }
        self.write_judgement(f)?;
        write!(f, "{NOTATION}")
    }
}

const NOTATION: &str = "
Notation: interval: stamp to next stamp. Round trip: end of the write (audio:
the frame it is played at) to the stamp. Answer: stamp to end of the write that
answers (audio: less the constant). SD with n - 1; p99: the value that 99 % do
not exceed. Peak jitter: greatest - least. Average jitter: mean of |x - mean|.
Lost: not back within 0.9 s, or passed by a later message.";

impl CirculationReport {
    fn write_messages(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let m = &self.messages;
        writeln!(
            f,
            "  messages: {} asked for, {} sent, {} came in, {} as sent",
            self.asked, m.sent, m.received, m.matched
        )?;
        writeln!(
            f,
            "  lost {}  doubled {}  changed {}  out of order {}  unknown {}  refused {}",
            m.lost, m.doubled, m.changed, m.out_of_order, m.unknown, m.refused
        )?;
        writeln!(
            f,
            "  overruns {}  xruns {}  invalid bytes {}  under way at the end {}",
            self.overruns, self.xruns, self.invalid_bytes, m.under_way
        )?;
        if let Some(period) = &self.period {
            writeln!(
                f,
                "  audio period {} frames at {} Hz; output {:.1} us later, always",
                period.frames, period.rate_hz, period.latency_us
            )?;
        }
        if self.starts > 1 {
            writeln!(
                f,
                "  the loop fell silent and was set going again {} times",
                self.starts - 1
            )?;
        }
        for sentence in &self.rights {
            writeln!(f, "  {sentence}")?;
        }
        Ok(())
    }

    fn write_judgement(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f)?;
        if let (Some(bound), Some(because)) = (self.bound, &self.bound_because) {
            writeln!(f, "Bound by {}:", bound.describe())?;
            writeln!(f, "  {because}")?;
        }
        let partly = if self.complete { "" } else { ", as far as it was measured" };
        if self.fit {
            return writeln!(f, "Verdict: fit{partly}");
        }
        writeln!(f, "Verdict: unfit")?;
        self.reasons.iter().try_for_each(|reason| writeln!(f, "  {reason}"))
    }
}

fn write_numbers(f: &mut fmt::Formatter<'_>, spread: &TimeSpread) -> fmt::Result {
    let sd = spread.sd_us.map_or("-".into(), |sd| format!("{sd:.1}"));
    writeln!(
        f,
        "  n {}  mean {:.1}  SD {sd}  min {:.1}  median {:.1}  p99 {:.1}  max {:.1}",
        spread.n, spread.mean_us, spread.min_us, spread.median_us, spread.p99_us, spread.max_us
    )
}

fn write_histogram(f: &mut fmt::Formatter<'_>, spread: &TimeSpread) -> fmt::Result {
    const WIDTH: u64 = 40;
    let most = spread.histogram.iter().map(|bar| bar.count).max().unwrap_or(1);
    writeln!(f)?;
    for bar in &spread.histogram {
        let edge = |edge: Option<i64>| edge.map_or("-".into(), |us| us.to_string());
        let length = (bar.count * WIDTH).div_ceil(most.max(1)) as usize;
        let (from, below) = (edge(bar.from_us), edge(bar.below_us));
        writeln!(f, "  {from:>7} to {below:>7} us {:>8} {}", bar.count, "#".repeat(length))?;
    }
    Ok(())
}

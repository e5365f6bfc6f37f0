//! [`rate_limit`]: what keeps messages from going round faster, told from the intervals.
//!
//! The rules, in this order; each stands in the report with what it found:
//! 1. The port states an audio period, and the median time from handing a message over
//!    to its stamp (the round trip and the constant latency of the output) is a whole
//!    number of periods, within 5 %: the audio period.
//! 2. Half or more of an interval passes inside the program: the program itself.
//! 3. The mean interval is 0.96 ms, within 2 %: three bytes at 31,250 baud.
//! 4. The median of the gaps (intervals above 50 us; closer messages came as one) is
//!    10 or 4 ms, within 5 %: a driver that looks for input only so often.
//! 5. The same is 1 ms or 125 us, within 5 %: a USB frame or microframe.
//! 6. Else nothing that is known here.

use chronotap_analysis::lateness::quantile;
use chronotap_core::time::Nanos;
use serde::Serialize;

/// What limits the rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RateLimit {
    /// The program's own work.
    Program,
    /// The period of an audio server.
    AudioPeriod,
    /// A MIDI cable.
    Wire,
    /// A driver that polls every 10 ms.
    PollingEach10Ms,
    /// A driver that polls every 4 ms.
    PollingEach4Ms,
    /// USB frames of 1 ms.
    UsbFrame,
    /// USB microframes of 125 us.
    UsbMicroframe,
    /// None of these.
    Unknown,
}

/// What the rules look at.
#[derive(Clone, Debug, Default)]
pub struct RateEvidence<'a> {
    /// Times between messages.
    pub intervals: &'a [Nanos],
    /// Times from sent to received.
    pub round_trips: &'a [Nanos],
    /// Times from received to answered.
    pub answers: &'a [Nanos],
    /// The period that the port states, if it has one.
    pub period: Option<Nanos>,
    /// The constant latency of the output.
    pub latency: Nanos,
}

/// Closer messages were handed over together.
const TOGETHER: Nanos = Nanos::from_micros(50);

/// What limits the rate, and the rule that says so.
pub fn rate_limit(evidence: &RateEvidence<'_>) -> (RateLimit, String) {
    let Some(interval) = mean(evidence.intervals) else {
        return (RateLimit::Unknown, "too few messages came back".into());
    };
    let answer = mean(evidence.answers).unwrap_or(Nanos::ZERO);
    let trip = median(evidence.round_trips).unwrap_or(Nanos::ZERO);
    let gaps: Vec<Nanos> =
        evidence.intervals.iter().copied().filter(|gap| *gap > TOGETHER).collect();
    let gap = median(&gaps).unwrap_or(Nanos::ZERO);
    let us = |time: Nanos| format!("{:.1} us", time.as_micros_f64());
    let whole_way = trip + evidence.latency;
    if let Some(period) = evidence.period.filter(|period| is_multiple(whole_way, *period)) {
        let (way, n) = (us(whole_way), whole(whole_way, period));
        let found = format!(
            "from handing over to stamp, {way} in the median: {n} period(s) of {} within 5 %",
            us(period)
        );
        return (RateLimit::AudioPeriod, found);
    }
    if answer.0 > 0 && answer.0 * 2 >= interval.0 {
        return (
            RateLimit::Program,
            format!(
                "of {} between messages, {} pass inside the program, half or more",
                us(interval),
                us(answer)
            ),
        );
    }
    if near(interval, Nanos::from_micros(960), 2) {
        let found = format!("the mean interval, {}, is 960 us within 2 %", us(interval));
        return (RateLimit::Wire, found);
    }
    for (limit, step) in STEPS {
        if near(gap, step, 5) {
            let found = format!("the median gap, {}, is {} within 5 %", us(gap), us(step));
            return (limit, found);
        }
    }
    (RateLimit::Unknown, format!("mean interval {}, median gap {}", us(interval), us(gap)))
}

const STEPS: [(RateLimit, Nanos); 4] = [
    (RateLimit::PollingEach10Ms, Nanos::from_millis(10)),
    (RateLimit::PollingEach4Ms, Nanos::from_millis(4)),
    (RateLimit::UsbFrame, Nanos::from_millis(1)),
    (RateLimit::UsbMicroframe, Nanos::from_micros(125)),
];

impl RateLimit {
    pub fn describe(self) -> &'static str {
        match self {
            RateLimit::Program => "the program itself",
            RateLimit::AudioPeriod => "the period of the audio server",
            RateLimit::Wire => "a MIDI cable of 31,250 baud (0.96 ms a message)",
            RateLimit::PollingEach10Ms => "a driver that looks for input every 10 ms",
            RateLimit::PollingEach4Ms => "a driver that looks for input every 4 ms",
            RateLimit::UsbFrame => "USB frames of 1 ms (or another 1 kHz clock)",
            RateLimit::UsbMicroframe => "USB microframes of 125 us",
            RateLimit::Unknown => "nothing that this test can name",
        }
    }

    /// Whether a driver polls too seldom for an experiment.
    pub fn is_polling(self) -> bool {
        matches!(self, RateLimit::PollingEach10Ms | RateLimit::PollingEach4Ms)
    }
}

fn mean(times: &[Nanos]) -> Option<Nanos> {
    let sum: i64 = times.iter().map(|time| time.0).sum();
    (!times.is_empty()).then(|| Nanos(sum / times.len() as i64))
}

fn median(times: &[Nanos]) -> Option<Nanos> {
    let mut sorted = times.to_vec();
    sorted.sort_unstable();
    quantile(&sorted, 1, 2)
}

/// Whether `found` is `expected`, give or take so many per cent.
fn near(found: Nanos, expected: Nanos, percent: i64) -> bool {
    (found - expected).abs().0 * 100 <= expected.0 * percent
}

fn whole(time: Nanos, period: Nanos) -> i64 {
    ((time.0 as f64 / period.0.max(1) as f64).round() as i64).max(1)
}

fn is_multiple(time: Nanos, period: Nanos) -> bool {
    near(time, period * whole(time, period), 5)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(intervals: &[i64]) -> RateLimit {
        let intervals: Vec<Nanos> = intervals.iter().map(|us| Nanos::from_micros(*us)).collect();
        rate_limit(&RateEvidence { intervals: &intervals, ..RateEvidence::default() }).0
    }

    #[test]
    fn each_limit_is_known_by_its_intervals() {
        assert_eq!(of(&[960; 9]), RateLimit::Wire);
        // Two messages at once, 10 ms apart, as an old driver hands them over.
        assert_eq!(of(&[2, 9_998, 3, 10_004, 2, 9_990]), RateLimit::PollingEach10Ms);
        assert_eq!(of(&[5, 1_000, 4, 996, 1_001]), RateLimit::UsbFrame);
        assert_eq!(of(&[125, 124, 126, 250, 125]), RateLimit::UsbMicroframe);
        assert_eq!(of(&[480; 9]), RateLimit::Unknown);
        assert_eq!(of(&[]), RateLimit::Unknown);
    }

    #[test]
    fn the_program_and_the_audio_period_come_before_the_rest() {
        let intervals = [Nanos::from_micros(20); 5];
        let answers = [Nanos::from_micros(11); 5];
        let found =
            RateEvidence { intervals: &intervals, answers: &answers, ..RateEvidence::default() };
        assert_eq!(rate_limit(&found).0, RateLimit::Program);
        let (intervals, trips) = ([Nanos::from_micros(667); 5], [Nanos::from_micros(2_667); 5]);
        let period = Some(Nanos(1_333_333));
        let found = RateEvidence {
            intervals: &intervals,
            round_trips: &trips,
            period,
            ..RateEvidence::default()
        };
        assert_eq!(rate_limit(&found).0, RateLimit::AudioPeriod);
        // Two clients in one cycle: the message is back at the frame it was placed at.
        let latency = Nanos(1_333_333);
        let found = RateEvidence { round_trips: &[Nanos::ZERO; 5], latency, ..found };
        assert_eq!(rate_limit(&found).0, RateLimit::AudioPeriod);
    }
}

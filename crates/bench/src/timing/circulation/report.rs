//! [`CirculationReport`]: what a test found, with its verdict, as text and as JSON.

use super::{
    CirculationTest, MeasuredLoop, MessageCounts, RateEvidence, RateLimit, TimeSpread, rate_limit,
};
use chronotap_core::time::Nanos;
use chronotap_engine::action::TrialEnding;
use chronotap_engine::signal::AudioPeriod;
use serde::Serialize;

/// Version of the JSON; raised when a key changes its meaning.
pub const LOOP_VERSION: u32 = 1;
/// A single message that takes longer is felt: the limit of alsa-midi-latency-test.
const LONGEST_ROUND_TRIP: Nanos = Nanos::from_millis(6);

/// What a test found. Times in microseconds.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CirculationReport {
    /// [`LOOP_VERSION`].
    pub version: u32,
    /// `loop` or `single`.
    pub test: &'static str,
    /// The input's port, as named.
    pub input: String,
    /// The output's port, as named.
    pub output: String,
    /// How many messages were asked for.
    pub asked: u32,
    /// Whether all of them came in; not where the test was cut short.
    pub complete: bool,
    /// Whether Ctrl-C cut it short.
    pub interrupted: bool,
    /// Messages by what became of them.
    pub messages: MessageCounts,
    /// What full buffers lost, as the ports counted: bytes, cycles or queue overruns.
    pub overruns: u64,
    /// Periods that an audio server, or one of its clients, missed.
    pub xruns: u64,
    /// Bytes that belong to no message.
    pub invalid_bytes: u64,
    /// How often the loop was set going; more than once where messages were lost.
    pub starts: u32,
    /// The audio server behind the ports, where there is one.
    pub period: Option<ServerPeriod>,
    /// Messages a second, first to last.
    pub messages_per_s: Option<f64>,
    /// Between successive messages that came in.
    pub intervals: Option<TimeSpread>,
    /// From the end of the write, or from the frame where a server plays it, to the stamp.
    pub round_trips: Option<TimeSpread>,
    /// From the stamp of a message to the end of the write that answers it, without
    /// the constant latency of an audio server's output.
    pub answers: Option<TimeSpread>,
    /// What limits the rate; in the loop only.
    pub bound: Option<RateLimit>,
    /// The rule that says so.
    pub bound_because: Option<String>,
    /// Whether the ports are fit for an experiment.
    pub fit: bool,
    /// Why not, one sentence each.
    pub reasons: Vec<String>,
    /// The real-time rights, a sentence each; empty in virtual time.
    pub rights: Vec<String>,
}

/// The period of an audio server.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ServerPeriod {
    /// Frames in it.
    pub frames: u32,
    /// Frames a second.
    pub rate_hz: u32,
    /// From a message's deadline to its frame, always; 0 where only the input is audio.
    pub latency_us: f64,
}

impl ServerPeriod {
    fn of(period: AudioPeriod, latency: Nanos) -> ServerPeriod {
        let AudioPeriod { frames, rate_hz } = period;
        ServerPeriod { frames, rate_hz, latency_us: latency.as_micros_f64() }
    }
}

impl CirculationReport {
    /// Judges a test between the ports of these names.
    pub fn of(measured: &MeasuredLoop, input: &str, output: &str) -> CirculationReport {
        let (traffic, around) = (&measured.traffic, &measured.run);
        let intervals = traffic.intervals();
        let looped = matches!(measured.test, CirculationTest::Loop { .. });
        let evidence = RateEvidence {
            intervals: &intervals,
            round_trips: &traffic.round_trips,
            answers: &traffic.answers,
            period: around.period.map(AudioPeriod::length),
            latency: around.latency,
        };
        let limit = looped.then(|| rate_limit(&evidence));
        let asked = measured.test.messages();
        let report = CirculationReport {
            version: LOOP_VERSION,
            test: measured.test.name(),
            input: input.into(),
            output: output.into(),
            asked,
            complete: complete(measured),
            interrupted: around.ending == Some(TrialEnding::Interrupted),
            messages: traffic.counts,
            overruns: around.ports.iter().map(|port| port.overruns).sum(),
            xruns: around.ports.iter().map(|port| port.xruns).sum(),
            invalid_bytes: around.ports.iter().map(|port| port.invalid_bytes).sum(),
            starts: traffic.starts,
            period: around.period.map(|period| ServerPeriod::of(period, around.latency)),
            messages_per_s: rate(&intervals).filter(|_| looped),
            intervals: TimeSpread::of(&intervals).filter(|_| looped),
            round_trips: TimeSpread::of(&traffic.round_trips),
            answers: TimeSpread::of(&traffic.answers),
            bound: limit.as_ref().map(|(limit, _)| *limit),
            bound_because: limit.map(|(_, because)| because),
            fit: true,
            reasons: Vec::new(),
            rights: around
                .grant
                .iter()
                .flat_map(chronotap_linux::realtime::Grant::sentences)
                .collect(),
        };
        report.judged(around.dropped, around.ending)
    }

    fn judged(mut self, dropped: u64, ending: Option<TrialEnding>) -> CirculationReport {
        let say = |count: u64, what: &str| (count > 0).then(|| format!("{count} {what}"));
        let m = &self.messages;
        let slow = self.round_trips.as_ref().filter(|trips| {
            self.test == "single" && trips.max_us > LONGEST_ROUND_TRIP.as_micros_f64()
        });
        let reasons = [
            (m.received == 0).then(|| {
                "no message came back: connect the output to the input, or their devices by a cable"
                    .into()
            }),
            say(m.lost, "messages were lost").filter(|_| m.received > 0),
            say(m.doubled, "messages came twice"),
            say(m.changed, "messages came back as others"),
            say(m.out_of_order, "messages came out of order or more than 0.9 s late"),
            say(m.unknown, "messages came that were never sent"),
            say(m.refused, "messages were refused by the output"),
            say(self.overruns, "overruns were counted by the ports"),
            say(self.invalid_bytes, "bytes belonged to no message"),
            say(dropped, "events found no room in the program, so the counts are too low"),
            self.bound.filter(|bound| bound.is_polling()).map(|bound| {
                format!(
                    "the rate is bound by {}: a tap may be stamped as late as that",
                    bound.describe()
                )
            }),
            slow.map(|trips| {
                format!("a round trip took {:.2} ms; above 6 ms is too long", trips.max_us / 1e3)
            }),
            (ending == Some(TrialEnding::InputClosed))
                .then(|| "the input was closed under way".into()),
        ];
        self.reasons = reasons.into_iter().flatten().collect();
        self.fit = self.reasons.is_empty();
        self
    }
}

/// Whether the test reached its count: the loop counts note-ons, since a lost
/// note-off does not stop it.
fn complete(measured: &MeasuredLoop) -> bool {
    match measured.test {
        CirculationTest::Loop { inputs } => {
            measured.traffic.presses >= u64::from(inputs.div_ceil(2))
        }
        CirculationTest::Single { samples } => measured.traffic.counts.sent >= u64::from(samples),
    }
}

fn rate(intervals: &[Nanos]) -> Option<f64> {
    let span: Nanos = intervals.iter().copied().sum();
    (span > Nanos::ZERO).then(|| intervals.len() as f64 / span.as_secs_f64())
}

//! A stream of another program, as the library of LSL gives it. With `lsl/streams.rs` the only file that knows that library.

use labstream::Query;
use labstream_net::{Inlet, Node, StreamInfo, resolve};
use labstream_wire::{Sample, Value};
use serde_json::{Value as Json, json};
use std::io;
use std::time::Duration;

/// Samples that wait to be taken, of a stream without a rate and at most.
const ROOM: i32 = 36_000;
/// The same for a stream with a rate, in seconds.
const ROOM_S: f64 = 120.0;
/// How long a stream may take to answer.
const ANSWER: Duration = Duration::from_secs(5);

/// What is asked for: a name, or `type=` or `source_id=` and its value.
pub struct AskedStream(Query);

impl AskedStream {
    pub fn of(text: &str) -> AskedStream {
        let property =
            |key: &str| text.strip_prefix(&format!("{key}=")).map(|value| (key.to_owned(), value));
        let (key, value) =
            property("type").or_else(|| property("source_id")).unwrap_or(("name".to_owned(), text));
        AskedStream(Query::property(&key, value))
    }

    /// The streams that are so, after `patience` at most or once there are two.
    pub fn look(&self, patience: Duration) -> io::Result<Vec<StreamInfo>> {
        let mut found = resolve(self.0.as_str(), 2, patience)?;
        found.sort_by(|a, b| a.uid.cmp(&b.uid));
        found.dedup_by(|a, b| a.uid == b.uid);
        Ok(found)
    }
}

/// The names of all streams on the network.
pub fn names(patience: Duration) -> io::Result<Vec<String>> {
    let found = resolve(Query::all().as_str(), usize::MAX, patience)?;
    let mut names: Vec<String> = found.into_iter().map(|info| info.name).collect();
    names.sort();
    names.dedup();
    Ok(names)
}

/// A stream that is read. Where its source is started anew, it is found again.
pub struct StreamInlet {
    inlet: Inlet,
    about: StreamInfo,
}

/// A sample, by both clocks in seconds.
pub struct TakenSample {
    /// When the source says that it was.
    pub source_s: f64,
    /// What is added to that for this computer's clock, and how long the way there and back took when it was measured.
    pub correction_s: Option<(f64, f64)>,
    pub values: Vec<Value>,
}

impl StreamInlet {
    pub fn open(info: &StreamInfo) -> io::Result<StreamInlet> {
        let rate = info.nominal_srate;
        let room =
            if rate > 0.0 { (rate * ROOM_S).clamp(f64::from(ROOM), 1e7) as i32 } else { ROOM };
        let inlet = Inlet::open_recovering(info, ANSWER, room)?;
        let _ = inlet.wait_for_time_correction(ANSWER); // a sample without it says so
        let about = inlet.fullinfo(ANSWER).unwrap_or_else(|_| info.clone());
        Ok(StreamInlet { inlet, about })
    }

    /// Waits a little for samples, and gives each.
    pub fn take(
        &mut self,
        patience: Duration,
        each: &mut dyn FnMut(TakenSample),
    ) -> io::Result<()> {
        let mut samples: Vec<Sample> = Vec::new();
        self.inlet.pull_chunk(&mut samples, 1_000, patience)?;
        let correction_s = self.inlet.time_correction().zip(self.inlet.time_uncertainty());
        for Sample { timestamp, values } in samples {
            each(TakenSample { source_s: timestamp, correction_s, values });
        }
        Ok(())
    }

    pub fn is_there(&self) -> bool {
        self.inlet.is_connected()
    }

    /// Samples that were not taken in time.
    pub fn dropped(&self) -> u64 {
        self.inlet.samples_dropped()
    }

    /// A label for each channel: its own, or its place.
    pub fn labels(&self) -> Vec<String> {
        let channels = self.about.desc.child("channels");
        let labelled = channels.into_iter().flat_map(|channels| &channels.children);
        let mut labels = labelled.map(|channel: &Node| channel.child_value_of("label").to_owned());
        let count = self.about.channel_count;
        (1..=count)
            .map(|place| {
                labels
                    .next()
                    .filter(|label| !label.is_empty())
                    .unwrap_or(format!("channel_{place}"))
            })
            .collect()
    }

    /// What the source says of itself.
    pub fn about(&self) -> Json {
        let about = &self.about;
        json!({
            "name": about.name,
            "type": about.stream_type,
            "source_id": about.source_id,
            "host": about.hostname,
            "nominal_rate_hz": about.nominal_srate,
            "format": labstream_net::info::format_name(about.format),
            "channels": self.labels(),
            "description": about.to_fullinfo_xml(),
        })
    }
}

/// The text of a value.
pub fn text(value: &Value) -> String {
    match value {
        Value::F32(value) => value.to_string(),
        Value::F64(value) => value.to_string(),
        Value::Str(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        Value::I32(value) => value.to_string(),
        Value::I16(value) => value.to_string(),
        Value::I8(value) => value.to_string(),
        Value::I64(value) => value.to_string(),
    }
}

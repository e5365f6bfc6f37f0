//! The .json beside the table: what each column holds, for people and for BIDS
//! tools, and under the key `Chronotap` everything else the program knows of the
//! trial.

use crate::record::columns::{FELT, HEARD};
use crate::record::{EVENTS_VERSION, Footer, Header, hed};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::borrow::Cow;
use std::io;
use std::sync::OnceLock;

/// The key that holds header and footer.
pub(crate) const KEY: &str = "Chronotap";
/// The name of the format.
pub(crate) const FORMAT: &str = "chronotap-events";

/// What stands under [`KEY`], to read it.
#[derive(Deserialize)]
pub(crate) struct Sidecar {
    /// The SHA-256 of the table; files written before there was one have none.
    #[serde(default)]
    pub(crate) table_sha256: Option<String>,
    pub(crate) header: Header,
    pub(crate) footer: Footer,
}

/// The same, to write it.
#[derive(Serialize)]
struct Holding<'a> {
    format: &'static str,
    version: u32,
    table_sha256: &'a str,
    header: &'a Header,
    footer: &'a Footer,
}

/// The bytes of the .json of a trial whose table has this SHA-256. What is known of the task
/// stands in it too, but in a dataset, which has that once for all trials.
///
/// # Errors
/// Where a caller's value cannot be JSON (a map with keys that are not strings).
pub(crate) fn sidecar(
    header: &Header,
    footer: &Footer,
    table_sha256: &str,
    of_dataset: bool,
) -> io::Result<Vec<u8>> {
    static USUAL: [OnceLock<String>; 8] = [const { OnceLock::new() }; 8];
    let own = hed::Own::of(std::iter::once(header));
    let coded = !header.names.codes.is_empty();
    let kept = (header.keeps_sound(), header.keeps_force());
    let place = usize::from(coded) + 2 * usize::from(kept.0) + 4 * usize::from(kept.1);
    let usual = || USUAL[place].get_or_init(|| described(coded.then_some(&own), kept)).as_str();
    let columns: Cow<'_, str> =
        if own.is_empty() { usual().into() } else { described(Some(&own), kept).into() };
    let version = EVENTS_VERSION;
    let holding = Holding { format: FORMAT, version, table_sha256, header, footer };
    let mut out = Vec::with_capacity(columns.len() + header.trial_file.text.len() + 8192);
    let open = columns.trim_end().trim_end_matches('}').trim_end();
    out.extend_from_slice(open.as_bytes());
    for (key, value) in task(header).iter().filter(|_| !of_dataset) {
        out.extend_from_slice(format!(",\n  \"{key}\": ").as_bytes());
        put_indented(&mut out, &serde_json::to_vec_pretty(value)?);
    }
    out.extend_from_slice(b",\n  \"Chronotap\": ");
    put_indented(&mut out, &serde_json::to_vec_pretty(&holding)?);
    out.extend_from_slice(b"\n}\n");
    Ok(out)
}

/// What BIDS recommends to say of the task, as far as it is known.
fn task(header: &Header) -> Map<String, Value> {
    let mut all = Map::new();
    let mut known = |key: &str, text: &str| {
        if !text.is_empty() {
            all.insert(key.to_owned(), json!(text));
        }
    };
    known("TaskName", &header.title);
    known("TaskDescription", &header.description);
    let (name, version) = header.program.split_once(' ').unwrap_or((&header.program, ""));
    let mut program = json!({ "SoftwareName": name, "SoftwareVersion": version });
    if let Some(release) = header.machine["kernel_release"].as_str() {
        program["OperatingSystem"] = json!(format!("Linux {release}"));
    }
    all.insert("StimulusPresentation".to_owned(), program);
    all
}

/// Appends JSON one level deeper. Its only line breaks are between values.
fn put_indented(out: &mut Vec<u8>, json: &[u8]) {
    for byte in json {
        out.push(*byte);
        if *byte == b'\n' {
            out.extend_from_slice(b"  ");
        }
    }
}

/// The description of every column, in order. Where codes tell events to another recorder, or the trial has tags
/// of its own, the tags say what the events mean. Those of sound and force that were kept stand only
/// where they were.
fn described(tags: Option<&hed::Own<'_>>, (heard, felt): (bool, bool)) -> String {
    let of_sound = if heard { &DESCRIPTIONS[HEARD..FELT] } else { &[] };
    let of_force = if felt { &DESCRIPTIONS[FELT..] } else { &[] };
    let columns = DESCRIPTIONS[..HEARD].iter().chain(of_sound).chain(of_force);
    let names = columns.map(|(name, ..)| *name);
    let mut all: Map<String, Value> =
        names.map(|name| (name.to_owned(), description_of(name))).collect();
    if let Some(tags) = tags {
        hed::add(&mut all, tags);
    }
    format!("{:#}", Value::Object(all))
}

/// The description of a column.
pub(crate) fn description_of(column: &str) -> Value {
    let found = DESCRIPTIONS.iter().find(|(name, ..)| *name == column);
    let Some((name, long, units, description)) = found else { return json!({}) };
    let mut one = json!({ "LongName": long, "Description": description });
    if !units.is_empty() {
        one["Units"] = json!(units);
    }
    if let Some(levels) = levels(name) {
        one["Levels"] = levels;
    }
    one
}

fn levels(column: &str) -> Option<Value> {
    let table: &[(&str, &str)] = match column {
        "trial_type" => &KINDS,
        "stamp" => &STAMPS,
        "flag" => &FLAGS,
        "fate" => &FATES,
        "onset_source" => &SOURCES,
        _ => return None,
    };
    Some(table.iter().map(|(word, meaning)| ((*word).to_owned(), json!(meaning))).collect())
}

/// Name, long name, units and description of every column.
pub(crate) const DESCRIPTIONS: [(&str, &str, &str, &str); crate::record::COLUMNS.len()] = [
    (
        "onset",
        "Onset",
        "s",
        "When the event happened, from the start of the trial: achieved_ns in seconds, to the nanosecond. Where a tone never sounded, its deadline.",
    ),
    (
        "duration",
        "Duration",
        "s",
        "What was really played or held: release_achieved_ns - achieved_ns. 0 for events without length; n/a where the end is not known.",
    ),
    ("trial_type", "Kind of event", "", "What kind of event the row describes."),
    (
        "name",
        "Name",
        "",
        "The pacing stream, feedback channel, masking stream, input or trigger by its name in the trial file; for a marker its text; for a code its event, as in the codes of the trial file; for the end its reason.",
    ),
    (
        "number",
        "Number",
        "",
        "From 1: the beat of a pacing stream; the tap of an input (n/a where debounced); the tone of a masking stream; the trigger's place in the trial file; for feedback, the tap behind it; the system exclusive message of an input; the code that was sent.",
    ),
    ("midi_channel", "MIDI channel", "", "1 to 16."),
    ("note", "MIDI note", "", "0 to 127; 60 is middle C."),
    ("velocity", "MIDI velocity", "", "0 to 127; in a release row, the release velocity."),
    (
        "port",
        "Port",
        "",
        "The output or input of the trial file that the message went to or came from.",
    ),
    (
        "event_id",
        "Event number",
        "",
        "Number of the event, in the order in which the engine decided; unique within the trial.",
    ),
    (
        "cause",
        "Cause",
        "",
        "event_id of the event that brought this one about: for feedback and releases the tap, for a marker or the end the trigger, for a code its event, for a further part of a system exclusive message its first part.",
    ),
    (
        "deadline_ns",
        "Deadline",
        "ns",
        "The time asked for, from the start of the trial; n/a for what arrived.",
    ),
    (
        "achieved_ns",
        "Time achieved",
        "ns",
        "For output, the clock after the write returned, or the port's own placement; of a sound, the estimated time of its first frame at the converter; for what arrived, its time stamp; for a decision, when it was carried out. n/a where it never was.",
    ),
    ("lateness_ns", "Lateness", "ns", "achieved_ns - deadline_ns; negative is early."),
    (
        "release_deadline_ns",
        "Deadline of the release",
        "ns",
        "When the tone or code was to end; n/a for what arrived.",
    ),
    (
        "release_achieved_ns",
        "Time of the release",
        "ns",
        "When the tone or code was ended, or the key came up.",
    ),
    (
        "engine_ns",
        "Instant of the decision",
        "ns",
        "The trial time at which the engine decided the event; replay uses it.",
    ),
    ("stamp", "Source of the time stamp", "", "Where the time stamp of an arrival was taken."),
    ("message", "MIDI message", "", "The bytes sent or received, in hexadecimal."),
    ("flag", "Flag", "", "What is unusual about the event; n/a where nothing is."),
    ("detail", "Detail", "", "What a trigger did, in the words of the trial file."),
    (
        "perturbation",
        "Perturbation",
        "",
        "What a change of the stream did to this beat, or a perturbation of the channel to this tone, with its size against what would have been without: phase_shift, onset_shift, interval, delay and duration in ms, pitch in semitones, velocity, mute. n/a where nothing was perturbed.",
    ),
    (
        "perturbation_ns",
        "Time of the perturbation",
        "ns",
        "By how much the perturbation moved this event: its phase_shift and onset_shift, or its delay; negative is earlier.",
    ),
    (
        "delay_ns",
        "Feedback delay",
        "ns",
        "Of feedback: deadline_ns - achieved_ns of the tap behind it.",
    ),
    (
        "pitch_shift",
        "Pitch shift of the feedback",
        "",
        "Of feedback: semitones by which it is higher than the key.",
    ),
    (
        "fate",
        "What became of the tap",
        "",
        "Of a tap: whether it answers a beat, or why not, as the summary has it. n/a of every tap where there are more than 250000 taps and beats.",
    ),
    ("against", "Stream of the beat", "", "The pacing stream whose beat the tap answers."),
    ("beat", "Beat", "", "The number of that beat."),
    (
        "asynchrony_ns",
        "Asynchrony",
        "ns",
        "Tap - beat, as it sounded (achieved_ns of both); negative is early.",
    ),
    (
        "frame",
        "Frame",
        "",
        "Of what sounded on a sound card, its first frame, as the card numbers them from its own start. The column stands only where something did.",
    ),
    (
        "onset_source",
        "Source of the onset",
        "",
        "Of a tap that an input heard whose sound was kept: whence the onset is that statistics take. The column stands only where sound was kept.",
    ),
    (
        "refined_ns",
        "Onset by the kept sound",
        "ns",
        "When the tap began by the kept sound, read once more after the trial; fate to asynchrony_ns and all statistics take it in the place of achieved_ns, which decided feedback and rules. n/a where onset_source is live or unconfirmed.",
    ),
    (
        "sound_peak_ppm",
        "Peak in the kept sound",
        "",
        "The peak of the tap in the kept sound, in the band of its sensor, in millionths of full scale. Of one input it says which taps were harder. n/a where the tap is not found in the sound.",
    ),
    (
        "peak_force",
        "Peak of the force",
        "arbitrary",
        "Of a tap on a sensor whose force was kept: the greatest value within it, as in the recording of the force. n/a where a value or the release was lost. The column stands only where force was kept.",
    ),
    (
        "rise_ns",
        "Rise of the force",
        "ns",
        "From the onset to the middle of the first row of the recording that has this value. The column stands only where force was kept.",
    ),
    (
        "dwell_ns",
        "Dwell",
        "ns",
        "From the onset, where the force rose above the sensor's threshold, to the release, where it fell below that of release. The column stands only where force was kept.",
    ),
];

const KINDS: [(&str, &str); 15] = [
    ("pacing", "a tone of a pacing stream"),
    ("silent", "a beat of a pacing stream that did not sound; the flag says why"),
    ("tap", "a key press of the participant"),
    ("release", "a key release of the participant"),
    ("feedback", "a tone caused by a tap"),
    ("masking", "a tone of a masking stream"),
    (
        "copy",
        "a tone of a stream or channel with several outputs, at a further one: name is that output, cause the tone at the first",
    ),
    ("trigger", "a trigger acted; with a note, it also sounded a tone"),
    ("marker", "a text written by a trigger, or the closing of an input"),
    ("control", "a controller, bend, pressure or program change, received or sent on"),
    (
        "sysex",
        "a system exclusive message received, or the next 16 bytes of one: f0 begins it, f7 ends it",
    ),
    (
        "code",
        "a code sent to another recorder: number is the code, name the event that it stands for",
    ),
    ("muted", "a feedback tone that a perturbation took away"),
    ("cancelled", "a feedback tone that the end of the trial prevented"),
    ("end", "the end of the trial"),
];

const STAMPS: [(&str, &str); 5] = [
    ("user space", "by the program, when it woke up and read the bytes"),
    ("kernel", "by the driver, when the bytes came in"),
    ("audio frame", "from the frame of an audio cycle"),
    ("device", "by the device, whose clock was mapped to the trial's"),
    ("virtual", "computed: a virtual wire or a scripted performer"),
];

const FLAGS: [(&str, &str); 9] = [
    ("debounced", "a tap too soon after the last one: recorded, not counted, not answered"),
    ("overwritten", "a code that the next one cut short before its width was over"),
    ("lost", "a message or code that could not be sent; onset is its deadline"),
    ("release lost", "a tone or code whose end could not be sent"),
    ("unfinished", "a tone or code whose end is not recorded, because the trial was cut short"),
    ("rest", "the pattern of the stream has a rest at this beat"),
    ("inaudible", "the stream is not audible at this beat"),
    ("muted", "a change or perturbation takes this tone away"),
    ("behind gap", "recovered from behind a damaged place; events before it are missing"),
];

const FATES: [(&str, &str); 7] = [
    ("matched", "it answers a beat"),
    ("debounced", "it came too soon after the tap before it to count"),
    (
        "doubled",
        "it is near a beat that an earlier tap answers; in a trial that names no rule of matching, one that is closer to it",
    ),
    ("response", "it is part of the reproduction of a stream that was listened to"),
    ("extra", "a stream is pacing, and no beat of it is near"),
    ("unpaced", "no stream that the input answers is pacing"),
    ("unmeasured", "the input answers no stream"),
];

const SOURCES: [(&str, &str); 4] = [
    ("live", "achieved_ns: the kept sound is not whole around the tap"),
    ("refined", "refined_ns: the tap was found again in the kept sound"),
    (
        "unconfirmed",
        "achieved_ns: the kept sound is whole around the tap, which is not found in it",
    ),
    (
        "afterwards",
        "refined_ns: a tap that was found in the kept sound alone; nothing answered it, and no statistic has it",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::row::{Flag, TapFate, TrialType};
    use chronotap_analysis::observed::OnsetSource;

    #[test]
    fn every_column_and_every_word_is_described() {
        assert_eq!(DESCRIPTIONS.map(|d| d.0), crate::record::COLUMNS);
        assert_eq!(KINDS.map(|k| k.0), TrialType::WORDS.map(|w| w.1));
        assert_eq!(FLAGS.map(|f| f.0), Flag::WORDS.map(|w| w.1));
        assert_eq!(SOURCES.map(|s| s.0), OnsetSource::WORDS.map(|w| w.1));
        for (word, _) in &FATES[1..] {
            assert!(TapFate::without(word).is_some(), "{word}");
        }
        for (word, _) in STAMPS {
            assert!(crate::record::words::parse_stamp(word).is_some());
        }
    }

    #[test]
    fn what_bids_recommends_of_the_task_is_filled_where_it_is_known_and_said_once() {
        let header = Header {
            title: "Go".into(),
            description: "tap along".into(),
            program: "chronotap 1.2".into(),
            machine: json!({ "kernel_release": "6.1" }),
            ..Header::default()
        };
        let told = |header: &Header, of_dataset| -> Value {
            let bytes = sidecar(header, &Footer::default(), "", of_dataset).unwrap();
            serde_json::from_slice(&bytes).unwrap()
        };
        let alone = told(&header, false);
        assert_eq!(
            (&alone["TaskName"], &alone["TaskDescription"]),
            (&json!("Go"), &json!("tap along"))
        );
        let by = json!({
            "SoftwareName": "chronotap", "SoftwareVersion": "1.2", "OperatingSystem": "Linux 6.1",
        });
        assert_eq!(alone["StimulusPresentation"], by);
        assert!(told(&Header::default(), false).get("TaskDescription").is_none());
        let within = told(&header, true);
        for key in ["TaskName", "TaskDescription", "StimulusPresentation"] {
            assert!(within.get(key).is_none(), "the dataset says {key} for all its trials");
        }
    }

    #[test]
    fn the_tags_of_events_are_told_where_the_trial_has_codes_and_nowhere_else() {
        let told = |header: &Header| -> Value {
            let bytes = sidecar(header, &Footer::default(), "", false).unwrap();
            serde_json::from_slice(&bytes).unwrap()
        };
        let without = told(&Header::default());
        assert!(["trial_type", "event_id"].iter().all(|name| without[name].get("HED").is_none()));
        let mut header = Header::default();
        header.names.codes.push("start".into());
        let with = told(&header);
        let rule = "(Experiment-control, Label/Rule, {event_id})";
        assert_eq!(with["trial_type"]["HED"]["trigger"], rule);
        assert_eq!(with["event_id"]["HED"], "ID/#");
    }

    #[test]
    fn the_sidecar_is_one_json_object_that_holds_header_and_footer() {
        let header = Header { seed: u64::MAX, ..Header::default() };
        let bytes = sidecar(&header, &Footer::default(), "", false).unwrap();
        let value: Value = serde_json::from_slice(&bytes).unwrap();
        let held: Sidecar = serde_json::from_value(value[KEY].clone()).unwrap();
        assert_eq!(held.header, header);
        assert_eq!(value["onset"]["Units"], "s");
    }
}

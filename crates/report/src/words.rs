//! Conditions and quantities in words, and sentences in lines: what the summary, the
//! comparison and the page have in common.

use chronotap_timing::{Conditions, Quantity, SampleSeries};
use std::collections::BTreeSet;

/// What was measured, in a word or two.
pub(crate) fn in_a_word(quantity: Quantity) -> String {
    let described = quantity.describe();
    described.split(':').next().unwrap_or(described).to_owned()
}

/// The conditions but core and run; an idle machine is not mentioned.
pub(crate) fn conditions(series: &SampleSeries) -> String {
    let idle = |name: &str| name == "load" && series.condition(name) == Some("none");
    let said = |name: &str| !matches!(name, "core" | "run") && !idle(name);
    let words = words(&series.conditions, said);
    if words.is_empty() { "all".into() } else { words }
}

/// The wanted conditions, in words.
pub(crate) fn words(conditions: &Conditions, wanted: impl Fn(&str) -> bool) -> String {
    let said = conditions.iter().filter(|(name, _)| wanted(name));
    said.map(|(name, value)| condition(name, value)).collect::<Vec<_>>().join(", ")
}

/// A condition in as few words as can be: the unit of a number, the name of a switch.
pub(crate) fn condition(name: &str, value: &str) -> String {
    let value = value.strip_suffix(", memory locked").unwrap_or(value);
    match name {
        "serve_every_us" => format!("served every {value} us"),
        "distance_us" => format!("threads {value} us apart"),
        "stop_above_us" => format!("to end above {value} us"),
        "gap_us" => format!("gaps above {value} us"),
        "busy_percent" => format!("busy for {value} %"),
        _ if name.ends_with("_us") => format!("{value} us"),
        _ if name.ends_with("_hz") => format!("{value} Hz"),
        "scheduling" | "mechanism" | "clock" | "source" | "ports" | "reader" => value.to_owned(),
        "plugin" => plugin(value).to_owned(),
        "card" | "step" => value.to_owned(),
        "force" if value == "all" => "all forces".into(),
        "force" => value.to_owned(),
        "period_frames" => format!("{value} frames"),
        "fragment_bytes" => format!("{value} bytes"),
        "cpu_percent" => format!("{value} % computed"),
        "fragments" | "tracks" if value == "1" => format!("1 {}", name.trim_end_matches('s')),
        "fragments" | "tracks" => format!("{value} {name}"),
        "load" if value == "none" => "idle".into(),
        "load" => format!("beside {value}"),
        "load_size_mb" => format!("files of {value} MB"),
        "calibration" => format!("less {value}"),
        "join" => format!("joined to {value}"),
        "spin" => "without spinning".into(),
        "threshold_db" => format!("threshold {value} dB"),
        "wav" => format!("playing {value}"),
        "load_sync" => format!("{value} waits for the disk"),
        "load_card" => format!("effects through {value}"),
        "shared_cores" => format!("{value} cores shared"),
        "timer_slack_ns" => format!("timer slack {value} ns"),
        "wakeup_latency" => {
            format!("idle states {}", if value == "as it is" { "allowed" } else { "held off" })
        }
        _ => format!("{name} {value}"),
    }
}

/// A plugin's name: of the URI of an LV2 plugin its end, which tells it from others.
pub(crate) fn plugin(name: &str) -> &str {
    let uri = name.strip_prefix("lv2:").unwrap_or(name);
    uri.rsplit(['/', ':']).next().unwrap_or(uri)
}

/// The names of the conditions that are not the same in all.
pub(crate) fn told_apart<'a>(all: impl Iterator<Item = &'a Conditions> + Clone) -> Vec<String> {
    let names: BTreeSet<&String> = all.clone().flat_map(|one| one.keys()).collect();
    let differs = |name: &&String| {
        let mut values = all.clone().map(|one| one.get(*name));
        let first = values.next();
        values.any(|value| Some(value) != first)
    };
    names.into_iter().filter(differs).cloned().collect()
}

/// Whether a row stands for many: where too many pauses or rates were measured to show
/// all, those of about 1 ms are shown.
pub(crate) fn is_typical(conditions: &Conditions) -> bool {
    let is = |name: &str, value: &str| conditions.get(name).is_none_or(|given| given == value);
    is("requested_us", "1000") && is("rate_hz", "1024")
}

/// A sentence in lines, the second and later ones indented by two columns more.
pub(crate) fn broken(sentence: &str, indent: &str) -> Vec<String> {
    chronotap_core::text::broken(sentence, indent, &format!("{indent}  "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_track_is_no_tracks() {
        assert_eq!(condition("tracks", "1"), "1 track");
        assert_eq!(condition("tracks", "12"), "12 tracks");
        assert_eq!(condition("fragments", "3"), "3 fragments");
    }

    #[test]
    fn a_plugin_is_called_by_the_end_of_its_uri() {
        assert_eq!(condition("plugin", "light"), "light");
        assert_eq!(condition("plugin", "lv2:http://lv2plug.in/plugins/eg-amp"), "eg-amp");
        assert_eq!(condition("plugin", "lv2:urn:studio:hall#Mono"), "hall#Mono");
    }
}

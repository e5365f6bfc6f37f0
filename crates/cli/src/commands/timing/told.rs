//! Which condition of a result tells of each option of a timing test: an option that changes what is
//! measured, and stands in no result, would let two different things be compared as the same. The test
//! reads the list of options, so that a new one has to say where it stands.

#[cfg(test)]
mod tests {
    use crate::args::Arguments;
    use clap::CommandFactory;
    use std::collections::BTreeSet;

    /// Options by the condition that tells of them. Files whose size is the usual one, and threads at
    /// the usual distance, are not told.
    const CONDITIONS: [(&str, &str); 24] = [
        ("arrangement", "arrangement"),
        ("bytes", "fragment_bytes"),
        ("card", "card"),
        ("core", "core"),
        ("cores", "core"),
        ("cpu", "cpu_percent"),
        ("distance", "distance_us"),
        ("fragments", "fragments"),
        ("in", "ports"),
        ("inputs", "ports"),
        ("interval", "interval_us"),
        ("load", "load"),
        ("load-size", "load_size_mb"),
        ("ordinary", "scheduling"),
        ("out", "ports"),
        ("pauses", "requested_us"),
        ("period", "period_frames"),
        ("periods", "period_frames"),
        ("plugins", "plugin"),
        ("priority", "scheduling"),
        ("rate", "rate_hz"),
        ("rates-hz", "rate_hz"),
        ("tracks", "tracks"),
        ("looped", "ports"),
    ];
    /// How much is measured, which the number of samples and of runs tells.
    const MUCH: [&str; 11] = [
        "quick", "normal", "full", "duration", "searches", "samples", "repeat", "resume", "taps",
        "strikes", "single",
    ];
    /// What is done with it afterwards.
    const AFTERWARDS: [&str; 11] = [
        "label", "for", "output", "json", "csv", "html", "methods", "as", "results", "help",
        "limit",
    ];
    /// What no condition tells yet: how a sound is found and joined, and how the loop is served.
    const NOT_TOLD: [&str; 11] = [
        "also",
        "calibration",
        "channel",
        "join",
        "no-spin",
        "serve-every",
        "sound-channel",
        "tap-channel",
        "threshold",
        "tones",
        "wav",
    ];

    fn options() -> BTreeSet<String> {
        let commands = Arguments::command();
        let timing = commands.find_subcommand("timing").unwrap().clone();
        let tests = timing.get_subcommands().flat_map(|test| test.get_arguments());
        tests.filter_map(|option| option.get_long()).map(str::to_owned).collect()
    }

    #[test]
    fn each_option_of_a_timing_test_says_which_condition_tells_of_it() {
        let known = || MUCH.iter().chain(&AFTERWARDS).chain(&NOT_TOLD);
        let all: BTreeSet<String> = known()
            .chain(CONDITIONS.iter().map(|(option, _)| option))
            .map(|name| (*name).to_owned())
            .collect();
        let options = options();
        let unsaid: Vec<&String> = options.difference(&all).collect();
        assert!(unsaid.is_empty(), "no condition is named for --{unsaid:?}");
        let gone: Vec<&String> = all.difference(&options).filter(|one| *one != "help").collect();
        assert!(gone.is_empty(), "no test has --{gone:?}");
        let manual = include_str!("../../../../../docs/results-files.md");
        for (option, condition) in CONDITIONS {
            assert!(manual.contains(&format!("`{condition}`")), "--{option}: {condition}");
        }
    }
}

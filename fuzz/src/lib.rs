//! The bodies of the fuzz targets. Each takes any bytes whatever; it must neither
//! panic nor hang, and where the input is understood it must hold what the
//! target's comment says. cargo-fuzz and the stable `mutate` run the same bodies.

pub mod ledger;
pub mod mutator;

use chronotap_analysis::cleaning::CleaningRule;
use chronotap_audio::SoundFile;
use chronotap_audio::tone::{Selection, SoundFont};
use chronotap_audio::wav;
use chronotap_bench::timing::peers;
use chronotap_config::ftap::{Readings, import, is_ftap, parts};
use chronotap_config::trial_files::performers::{Model, Script};
use chronotap_config::trial_files::{TrialFile, explain, table_of_beats};
use chronotap_core::midi::{Channel, Message, Parser, U7};
use chronotap_core::sensor::{SensorLine, Sketch, SketchLine};
use chronotap_core::time::Nanos;
use chronotap_data::exchange::taps::{
    ImportOptions, KINDS, SourceFile, TapsError, arrange, kind_of, made, read_taps,
};
use chronotap_data::record::journal::{Journal, Room, Scratch, StoredJournal, read_open_journal};
use chronotap_data::record::{
    EventRows, Flag, RecordedOrigin, Row, parse_rows, rows_of, write_rows,
};
use chronotap_data::tables::Outcome;
use chronotap_design::{Experiment, Plan, overview};
use chronotap_engine::action::{Action, ActionKind, TrialEnding};
use chronotap_engine::signal::Performer;
use chronotap_engine::{Engine, Event};
use chronotap_session::{Course, example_of_model, lines_of};
use std::collections::HashSet;
use std::io::Cursor;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, LazyLock};

/// A target: its body, where its seeds lie, and words worth putting in.
pub struct Target {
    /// Its name, also that of the cargo-fuzz target.
    pub name: &'static str,
    /// Takes one input.
    pub body: fn(&[u8]),
    /// Directories of seeds, from `fuzz/`, and how the names of the files end.
    pub seeds: &'static [(&'static str, &'static str)],
    /// Words of the format.
    pub words: &'static [&'static str],
    /// How much of a long run's time it has, in parts: what takes a millionth of a second needs
    /// less than what takes a hundred times that.
    pub share: u32,
}

/// Every target.
pub static TARGETS: [Target; 24] = [
    Target {
        name: "midi_parser",
        body: midi_parser,
        share: 1,
        seeds: &[("seeds/midi_parser", "")],
        words: &["\u{1}", "\u{40}", "\u{7f}"],
    },
    Target {
        name: "sensor",
        body: sensor,
        share: 1,
        seeds: &[("seeds/sensor", "")],
        words: &["\0", "\u{1}", "H", "O", "R", "F"],
    },
    Target {
        name: "sketch",
        body: sketch,
        share: 1,
        seeds: &[("seeds/sketch", "")],
        words: &["# config ", "signal received at t=", " tap ", "B", "E", "NA", "\n"],
    },
    Target {
        name: "trial_file",
        body: trial_file,
        share: 3,
        seeds: &[("../examples", ".toml"), ("seeds/trial_file", ".toml")],
        words: &[
            "\"1 ms\"",
            "\"0 ms\"",
            "\"-1 ms\"",
            "\"1e300 s\"",
            "\"1600 ms / 3\"",
            "\"0 / 0\"",
            "\"140 bpm\"",
            "\"C4..B3\"",
            "= {",
            "[[when]]\n",
            "beat = ",
            "tap = ",
            "end = true\n",
            "set.",
            "ramp.",
            "9223372036854775807",
            "[1, 2]",
            "\n",
            "\"\"",
            "true",
            "-1",
            "4294967295",
            "16",
            "127",
        ],
    },
    Target {
        name: "experiment_file",
        body: experiment_file,
        share: 4,
        seeds: &[("../examples/delay-study", "study.toml"), ("seeds/experiment_file", ".toml")],
        words: &[
            "[[step]]\n",
            "name = \"main\"\n",
            "shuffle = \"all\"\n",
            "shuffle = \"each repetition\"\n",
            "order = \"williams\"\n",
            "block = { by = \"tempo\", order = \"latin\" }\n",
            "apart = { delay = 2 }\n",
            "at_most_in_a_row = { delay = 1 }\n",
            "not_first = { tempo = \"400 ms\" }\n",
            "only = { tempo = \"400 ms\" }\n",
            "repetitions = ",
            "set.",
            "{ factor = \"tempo\" }",
            "{ result = \"practice.tempo\", times = 2 }",
            "keep = { tempo = \"median interval\" }\n",
            "sessions = 3\n",
            "sync.toml",
            "conditions.tsv",
            "9223372036854775807",
            "-1",
            "\"\"",
            "[]",
        ],
    },
    Target {
        name: "ftap_file",
        body: ftap_file,
        share: 3,
        seeds: &[("../examples", ".ftap"), ("seeds/ftap_file", ".ftap")],
        words: &[
            "FEED_ON 1\n",
            "FEED2_DMODE ",
            "METRON_ON 1\n",
            "MSPB ",
            "MET_CHAN_ARRAY ",
            "TRIGGER ",
            " K ",
            " T ",
            "END_EXP",
            "\r\n",
            "#",
            "-1",
            "9223372036854775807",
            "999999999",
        ],
    },
    Target {
        name: "events_file",
        body: events_file,
        share: 3,
        seeds: &[("seeds/events_file", ".tsv"), ("../examples/expected", ".tsv")],
        words: &["\t", "\n", "n/a", "-", "9223372036854775807", "1e9", "0.0000000001", "tap", "\""],
    },
    Target {
        name: "journal",
        body: journal,
        share: 3,
        seeds: &[("seeds/journal", ".journal")],
        words: &["\t", "\n", "{", "}", "[", "-1", "9223372036854775807", "\""],
    },
    Target {
        name: "chained_journal",
        body: chained_journal,
        share: 3,
        seeds: &[("seeds/journal", ".journal")],
        words: &[
            "\t",
            "\n",
            "-",
            "0",
            "off",
            "tap",
            "dropped\t",
            "footer\t{}",
            "9223372036854775807",
        ],
    },
    Target {
        name: "wav",
        body: wav,
        share: 1,
        seeds: &[("seeds/wav", ".wav")],
        words: &["RIFF", "WAVE", "fmt ", "data", "\u{1}\0", "\u{3}\0", "\u{10}\0\0\0", "\0\0\0\0"],
    },
    Target {
        name: "soundfont",
        body: soundfont,
        share: 2,
        seeds: &[("seeds/soundfont", ".sf2")],
        words: &[
            "LIST", "sdta", "smpl", "pdta", "phdr", "pbag", "inst", "shdr", "\0\0\0\0", "\u{1}\0",
        ],
    },
    Target {
        name: "peer_results",
        body: peer_results,
        share: 3,
        seeds: &[
            ("seeds/peer_results", ""),
            ("../crates/timing/tests/fixtures", ".txt"),
            ("../crates/timing/tests/fixtures", ".json"),
        ],
        words: &[
            "# Histogram\n",
            "# Min Latencies: ",
            "# RTLA timerlat histogram\n",
            "Index   IRQ-000",
            "over: ",
            "\n000001 ",
            "\t",
            "-",
            "18446744073709551615",
            "3600000000",
            "{",
            "}",
            "\"histogram\": ",
        ],
    },
    Target {
        name: "flac",
        body: flac,
        share: 2,
        seeds: &[("seeds/flac", ".flac")],
        words: &["fLaC", "\0\0\0\u{22}", "\u{7f}", "\u{1}\0", "\0\0\0\0"],
    },
    Target {
        name: "beats",
        body: beats,
        share: 2,
        seeds: &[("seeds/beats", ""), ("../examples", "beat_alignment.tsv")],
        words: &[
            "\t",
            ",",
            "\n",
            "#",
            "\u{feff}",
            "1e9",
            "0.0000000001",
            "-0",
            "9223372036.854775807",
        ],
    },
    Target {
        name: "performer",
        body: performer,
        share: 2,
        seeds: &[("../examples/performers", ".tsv")],
        words: &[
            "\t",
            "\n",
            "n/a",
            "onset",
            "input",
            "-",
            "127",
            "9223372036.854775807",
            "0.000000001",
        ],
    },
    Target {
        name: "people",
        body: people,
        share: 1,
        seeds: &[("seeds/people", ".txt")],
        words: &[
            " +- ", " x/ ", "adults", ", ", "; ", " | ", "= ", " ms", "1e308", "-1", "nan",
            "\u{b1}",
        ],
    },
    Target {
        name: "contrast",
        body: contrast,
        share: 1,
        seeds: &[("seeds/contrast", ".txt")],
        words: &[
            ": ",
            " - ",
            " by ",
            " of ",
            " against ",
            " in ",
            " = ",
            "slope over ",
            "delay ",
            " ms",
            "\u{a0}",
        ],
    },
    Target {
        name: "plan",
        body: plan,
        share: 2,
        seeds: &[("seeds/plan", ".json")],
        words: &["{", "}", "[", "]", "null", "-1", "1e308", "18446744073709551615", "\"\\t\""],
    },
    Target {
        name: "session_journal",
        body: session_journal,
        share: 3,
        seeds: &[("seeds/session_journal", ".jsonl")],
        words: &[
            "\t",
            "\n",
            "\"step\":",
            "\"run\":",
            "\"trial\":",
            "18446744073709551615",
            "4294967295",
            "0",
            "-1",
            "{",
            "}",
            "null",
        ],
    },
    Target {
        name: "dataset_table",
        body: dataset_table,
        share: 2,
        seeds: &[("seeds/dataset_table", ".tsv")],
        words: &["\t", "\n", "\r", "n/a", "\\t", "\\", "\"", "participant_id", "sub-"],
    },
    Target {
        name: "pack",
        body: pack,
        share: 4,
        seeds: &[("seeds/pack", ".zip")],
        words: &["PK\u{3}\u{4}", "PK\u{1}\u{2}", "../", "/", "manifest.json", "study/", "\u{1b}"],
    },
    Target {
        name: "power_share",
        body: power_share,
        share: 1,
        seeds: &[("seeds/power_share", ".json")],
        words: &[
            "{",
            "}",
            "null",
            "\"NaN\"",
            "-0",
            "4294967295",
            "18446744073709551615",
            "\"share\":[",
            "\"found\":[",
        ],
    },
    Target {
        name: "analysis_share",
        body: analysis_share,
        share: 1,
        seeds: &[("seeds/analysis_share", ".line")],
        words: &["[", "]", "null", "0", "1", "18446744073709551615", "\"names\":[", "\"taps\":["],
    },
    Target {
        name: "taps",
        body: taps,
        share: 3,
        seeds: &[
            ("../docs/other-data", ""),
            ("seeds/taps", ""),
            ("seeds/wav", ".wav"),
            ("seeds/flac", ".flac"),
        ],
        words: &[
            "\n",
            "\r",
            ",",
            ";",
            "\t",
            "\"",
            "n/a",
            "NaN",
            "-",
            "1e9",
            "0.0000000001",
            "[1, 2]",
            "tap",
            "# config ",
            "resp_onsets_detected",
            "MThd",
            "MTrk",
            "65535 9 E\n",
        ],
    },
];

/// Every byte is accounted for, and a message that came out, sent and read again,
/// is the same message.
pub fn midi_parser(data: &[u8]) {
    let mut parser = Parser::new();
    for &byte in data {
        let Some(message) = parser.push(byte) else { continue };
        let (bytes, length) = message.encode();
        let mut again = Parser::new();
        let read = bytes[..length].iter().filter_map(|&b| again.push(b)).last();
        assert_eq!(read, Some(message), "sent and read again");
    }
    let counts = parser.counts();
    let counted = counts.message_bytes
        + counts.realtime_bytes
        + counts.sysex_bytes
        + counts.invalid_bytes
        + parser.pending();
    assert_eq!(counted, data.len() as u64, "every byte is counted once");
}

/// What the sketches of other laboratories say: a tap ends after it begins, and of a line of text it does not
/// matter how many bytes are read at once.
pub fn sketch(data: &[u8]) {
    for sketch in Sketch::ALL {
        let heard = |pieces: usize| {
            let (mut line, mut felt) = (SketchLine::of(sketch), 0);
            for (n, bytes) in data.chunks(pieces).enumerate() {
                let read = Nanos::from_secs(7) + Nanos::from_millis((n / 9) as i64);
                line.hear(bytes, read, &mut |tap| {
                    assert!(tap.onset <= tap.release);
                    felt += 1;
                });
            }
            (felt, line.counts().damaged)
        };
        let by_one = heard(1);
        assert!(by_one.1 <= data.len() as u64);
        assert_eq!(heard(40), by_one, "the same bytes, the same taps");
    }
}

/// What is felt does not depend on how many bytes are read at once.
pub fn sensor(data: &[u8]) {
    let heard = |pieces: usize| {
        let (mut line, mut felt, mut told) = (SensorLine::default(), 0, Ok(()));
        for bytes in data.chunks(pieces) {
            told = told.and(line.hear(bytes, Nanos::from_secs(7), &mut |_| felt += 1));
            if told.is_err() {
                break;
            }
        }
        (told, felt, line.counts(), line.greeting())
    };
    let by_one = heard(1);
    for pieces in [3, 100] {
        assert_eq!(heard(pieces), by_one, "the same bytes, the same frames");
    }
}

/// Noise is refused with reasons that name a line. What is let through can be
/// explained, and the engine runs it: the first 500 instants, with a tap at each
/// tenth, neither panic nor go back in time. Stopped, it is over at once, and ends when the
/// codes that wait have had their time on the line.
pub fn trial_file(data: &[u8]) {
    let file = match TrialFile::from_bytes(data, "fuzzed.toml") {
        Ok(file) => file,
        Err(problems) => {
            assert!(!problems.all().is_empty(), "a refusal says why");
            return drop(problems.to_string());
        }
    };
    let explanation = explain(&file);
    assert_eq!(explanation.inputs.len(), file.trial.inputs.len());
    let mut engine = Engine::new(Arc::new(file.trial), 1);
    let mut last = Nanos::ZERO;
    for step in 0..500 {
        let Some(now) = engine.next_deadline() else { break };
        assert!(now >= last, "the next deadline never goes back");
        if step % 10 == 0 {
            engine.input(Event { input: 0, stamp: now, message: Some(tap()) });
        }
        engine.advance(now, &mut |action| assert_in_time(action, now));
        last = now;
    }
    engine.stop(last, TrialEnding::Interrupted, &mut |_| {});
    assert!(engine.is_over());
    while let Some(now) = engine.next_deadline() {
        assert!(now >= last, "the next deadline never goes back");
        engine.advance(now, &mut |action| assert_in_time(action, now));
        last = now;
    }
    assert!(engine.has_ended());
}

/// Noise is refused with reasons. What is let through can be told beforehand and planned:
/// every planned trial has a number, a seed that every program reads, and a cell for each
/// factor, and a plan that is written and read again is the same.
pub fn experiment_file(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let practice = include_str!("../../examples/delay-study/practice.toml");
    let sync = include_str!("../../examples/delay-study/sync.toml");
    let table = "tempo\tdelay\tweight\n400 ms\t0 ms\t2\n600 ms\t70 ms\t1\n";
    let files: Vec<(String, String)> = [
        ("sync.toml", sync),
        ("practice.toml", practice),
        ("welcome.md", "Welcome.\n"),
        ("block.md", "{tempo}\n"),
        ("conditions.tsv", table),
    ]
    .map(|(name, text)| (name.to_owned(), text.to_owned()))
    .to_vec();
    Experiment::is_one(text);
    let experiment = match Experiment::parse(text, "fuzzed.toml", &files) {
        Ok(experiment) => experiment,
        Err(problems) => {
            assert!(!problems.all().is_empty(), "a refusal says why");
            return drop(problems.to_string());
        }
    };
    assert!(!overview(&experiment).render().is_empty());
    let participant = experiment.participant("1", &[]).expect("a label");
    // An order may not be found where check found one: then it is said.
    let Ok(plan) = experiment.plan(&participant, 1) else { return };
    for (_, trial) in plan.trials() {
        assert!(trial.trial > 0 && plan.cells(trial).count() == plan.factors.len());
    }
    assert_eq!(plan.tsv().lines().count(), plan.trials().count() + 1);
    let read: Plan = serde_json::from_str(&plan.json()).expect("what we write, we read");
    assert_eq!(read.hash(), plan.hash(), "written and read again");
}

/// A configuration file of FTAP is refused with a reason, or becomes a trial file that is
/// accepted, however its open questions are read.
pub fn ftap_file(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    is_ftap(&text);
    let other = ["count=tones", "metronome-trigger=after-tone", "bad-trigger=skip", "MSPB=400"];
    for given in [&[][..], &other[..]] {
        let readings = Readings::parse(given).expect("these are readings");
        // With the other readings all is dropped that can be, so that the rest is reached.
        let dropped = parts().take(if given.is_empty() { 0 } else { usize::MAX });
        let dropped: Vec<&str> = dropped.collect();
        let readings = readings.without(&dropped).expect("these are parts");
        match import(&text, "fuzzed.ftap", &readings) {
            Err(mistakes) => assert!(!mistakes.0.is_empty(), "a refusal says why"),
            Ok(imported) => {
                if let Err(problems) = TrialFile::parse(&imported.toml, "fuzzed.ftap") {
                    panic!("{problems}\n{}", imported.toml);
                }
            }
        }
    }
}

fn assert_in_time(action: &Action, now: Nanos) {
    // Due later, or after the end, and never sounded: they say when it was to be.
    let unheard = matches!(action.kind, ActionKind::Cancelled(_) | ActionKind::Muted(_));
    assert!(unheard || action.deadline <= now, "nothing is early: {action:?} at {now:?}");
}

fn tap() -> Message {
    let (note, velocity) = (U7::from_byte(60), U7::from_byte(64));
    Message::NoteOn { channel: Channel::ONE, note, velocity }
}

/// Rows that were read, written and read again are the same rows; and what reads
/// as a performer's score is one, or a reasoned refusal.
pub fn events_file(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let inputs = ["input".to_owned(), "pad".to_owned()];
    if let Err(refusal) = Script::parse(text, "fuzzed.tsv", &inputs) {
        assert!(!refusal.to_string().is_empty());
    }
    let Ok(rows) = parse_rows(Path::new("fuzzed.tsv"), text) else { return };
    let mut written = Vec::new();
    write_rows(&mut written, &rows);
    let written = String::from_utf8(written).expect("a table is text");
    let again = parse_rows(Path::new("written.tsv"), &written).expect("what we write, we read");
    assert_eq!(again, rows, "written and read again");
}

/// A journal cut or damaged anywhere is read up to the damage, or refused whole; what is read of
/// it makes a table that is read again, the same whether its events are in memory or in the file.
pub fn journal(data: &[u8]) {
    let Ok(journal) = read_open_journal(data, Path::new("fuzzed.journal")) else { return };
    assert!(journal.behind.unusable_bytes <= journal.unusable_bytes);
    let rows = rows_of_journal(&journal);
    let scratch = Scratch::in_memory(Room { pages: 1, keys: 3, ..Room::USUAL });
    let mut stored = StoredJournal::read(Cursor::new(data), Path::new("fuzzed.journal"), scratch)
        .expect("what is read once is read again");
    let mut places = 0;
    let mut same = |row: &Row| {
        assert_eq!(rows.get(places), Some(row), "in the file and in memory");
        places += 1;
        Ok(())
    };
    let mut in_file = stored.rows().expect("it is in memory");
    in_file.each(&mut same).expect("it is in memory");
    assert_eq!(places, rows.len());
    let mut written = Vec::new();
    write_rows(&mut written, &rows);
    let written = String::from_utf8(written).expect("a table is text");
    let again = parse_rows(Path::new("written.tsv"), &written).expect("what we write, we read");
    assert_eq!(again, rows, "written and read again");
}

/// Those behind damage are flagged.
fn rows_of_journal(journal: &Journal) -> Vec<Row> {
    let sure: HashSet<u64> = journal.entries.iter().map(|entry| entry.action.id).collect();
    let entries = [&journal.entries[..], &journal.behind.entries].concat();
    let mut rows = rows_of(&journal.header, &entries);
    let unsure = rows.iter_mut().filter(|row| !sure.contains(&row.event_id));
    unsure.for_each(|row| row.flag = Some(Flag::BehindGap));
    rows
}

/// The same where every line has the checksum that belongs to it, so that the search gets
/// behind the chain: what stands in a line may be anything.
pub fn chained_journal(data: &[u8]) {
    journal(&chained(data));
}

/// The lines, each with its checksum in the chain.
fn chained(data: &[u8]) -> Vec<u8> {
    let (mut chained, mut last) = (Vec::with_capacity(data.len()), 0_u32);
    for line in data.split(|byte| *byte == b'\n') {
        let body = line.iter().rposition(|byte| *byte == b'\t').map_or(line, |at| &line[..at]);
        let mut crc = crc32fast::Hasher::new();
        crc.update(&last.to_le_bytes());
        crc.update(body);
        last = crc.finalize();
        chained.extend_from_slice(body);
        chained.extend_from_slice(format!("\t{last:08x}\n").as_bytes());
    }
    chained
}

/// A WAV file is refused with a reason, or all its samples can be played.
pub fn wav(data: &[u8]) {
    match wav::WavFile::open(Cursor::new(data)).and_then(wav::WavFile::samples) {
        Ok(samples) => assert!(samples.iter().all(|sample| wav::is_fit(*sample))),
        Err(refusal) => assert!(!refusal.to_string().is_empty(), "a refusal says why"),
    }
}

/// A SoundFont is refused with a reason; what is let through plays a note of samples that can be
/// played, or says why not.
pub fn soundfont(data: &[u8]) {
    let font = match SoundFont::read(data) {
        Ok(font) => font,
        Err(refusal) => return assert!(!refusal.to_string().is_empty(), "a refusal says why"),
    };
    for preset in font.presets().into_iter().take(3) {
        assert!(font.layers(&preset).len() <= 127);
        let played = Selection { preset, keys: 60..=60, longest_ms: 5 };
        if let Err(refusal) = font.play(&played, 48_000, &mut 10_000_000, 10) {
            assert!(!refusal.to_string().is_empty(), "a refusal says why");
        }
    }
}

/// Another program's results are refused with a reason, or become ours: written and
/// read again they are the same, and no figure is outside least and greatest, where a table
/// says them.
pub fn peer_results(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let results = match peers::read("fuzzed", text) {
        Ok(results) => results,
        Err(refusal) => return assert!(!refusal.to_string().is_empty(), "a refusal says why"),
    };
    for series in results.tests.iter().flat_map(|found| &found.series) {
        let of = &series.statistics;
        let said = [of.min_ns, of.median_ns, of.max_ns];
        assert!(said.iter().flatten().is_sorted(), "{of:?}");
    }
    let written = serde_json::to_string(&results).expect("results are JSON");
    let again = peers::read("fuzzed", &written).expect("what we write, we read");
    assert_eq!(again, results, "written and read again");
}

/// A FLAC file is refused with a reason, or all its samples can be played, as many as it says.
pub fn flac(data: &[u8]) {
    let mut frames = 0;
    let mut take = |block: &[[f32; 2]]| {
        frames += block.len() as u64;
        assert!(block.iter().flatten().all(|sample| wav::is_fit(*sample)));
        Ok(())
    };
    let read = SoundFile::open(Cursor::new(data)).and_then(|file| {
        let said = file.form().frames;
        file.each(&mut take).map(|()| said)
    });
    match read {
        Ok(said) => assert_eq!(frames, said),
        Err(refusal) => assert!(!refusal.to_string().is_empty(), "a refusal says why"),
    }
}

/// A table of beats is refused with a reason, or a trial that names it is accepted.
pub fn beats(data: &[u8]) {
    let lines = match table_of_beats(data) {
        Ok(lines) => lines,
        Err(refusal) => return assert!(!refusal.is_empty(), "a refusal says why"),
    };
    let trial = format!("[pacing.song]\nbeats_from = \"b\"\n[file.b]\n{lines}");
    if let Err(problems) = TrialFile::parse(&trial, "fuzzed.toml") {
        panic!("{problems}\n{trial}");
    }
}

/// What is read as a contrast is said in words that are read as the same.
pub fn contrast(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Ok(asked) = text.parse::<Outcome>() else { return };
    let words = asked.words();
    assert_eq!(words.parse::<Outcome>(), Ok(asked), "{words}");
}

/// Descriptions of people, with distributions and populations, are refused with a reason, or understood; the same
/// description gives the same people.
pub fn people(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let one = example_of_model(text);
    assert_eq!(one, example_of_model(text), "the same people again");
    let inputs = ["a", "b", "left", "right"].map(str::to_owned);
    if let Err(refusal) = Model::several_from_spec(&one, &inputs) {
        assert!(!refusal.to_string().is_empty(), "a refusal says why");
    }
}

/// A table of key presses is refused with a reason, or played in the order of time, as many
/// messages as it says, and the same again.
pub fn performer(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let inputs = ["a", "b", "left", "right"].map(str::to_owned);
    let mut script = match Script::parse(text, "fuzzed.tsv", &inputs) {
        Ok(script) => script,
        Err(refusal) => return assert!(!refusal.to_string().is_empty(), "a refusal says why"),
    };
    let played = |script: &mut Script| {
        let sent: Vec<_> = std::iter::from_fn(|| script.send()).collect();
        assert!(sent.is_sorted_by_key(|sent| sent.at), "in the order of time");
        assert_eq!(sent.len(), script.len());
        sent
    };
    let first = played(&mut script);
    script.reset();
    assert_eq!(played(&mut script), first);
}

/// What reads as a plan can be told as a table and written again, and is the same then.
pub fn plan(data: &[u8]) {
    let Ok(plan) = serde_json::from_slice::<Plan>(data) else { return };
    assert!(plan.tsv().lines().count() > plan.trials().count());
    let again: Plan = serde_json::from_str(&plan.json()).expect("what we write, we read");
    assert_eq!(again.hash(), plan.hash(), "written and read again");
}

/// A session's journal is read up to its end or refused with its place; whatever its lines say,
/// what comes next follows from them, and so do the tables. The same where every line has the
/// checksum that belongs to it, so that the search gets behind the chain.
pub fn session_journal(data: &[u8]) {
    follow_session(data);
    follow_session(&chained(data));
}

fn follow_session(data: &[u8]) {
    let (experiment, plan) = &*SESSION;
    let lines = match lines_of(Path::new("fuzzed.jsonl"), Ok(data.to_vec())) {
        Ok(lines) => lines,
        Err(refusal) => return assert!(!refusal.to_string().is_empty(), "a refusal says why"),
    };
    let mut course = Course::new(experiment, Arc::clone(plan));
    for line in &lines {
        course.take(line);
        let (done, all) = course.counted();
        assert!(done <= all, "{done} of {all} trials");
        course.next_task();
    }
}

/// The study of the seeds, and the plan of its first participant.
static SESSION: LazyLock<(Experiment, Arc<Plan>)> = LazyLock::new(|| {
    let study = include_str!("../seeds/session_journal/study.toml");
    let trial = include_str!("../seeds/session_journal/trial.toml");
    let files = vec![("trial.toml".to_owned(), trial.to_owned())];
    let experiment = Experiment::parse(study, "study.toml", &files).expect("it is checked");
    let participant = experiment.participant("1", &[]).expect("a label");
    let plan = experiment.plan(&participant, 1).expect("it has a plan");
    (experiment, Arc::new(plan))
});

/// A table of a dataset that was read, written and read again is the same table.
pub fn dataset_table(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Some(table) = chronotap_session::TsvTable::parse(text) else { return };
    let written = String::from_utf8(table.bytes()).expect("a table is text");
    let again = chronotap_session::TsvTable::parse(&written);
    assert_eq!(again.as_ref(), Some(&table), "written and read again");
}

/// A pack that is opened has the files of its manifest and no other; one that is refused leaves
/// nothing. Nothing is written beside its own folder.
pub fn pack(data: &[u8]) {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let number = NUMBER.fetch_add(1, Relaxed); // a count on its own needs no order
    let name = format!("chronotap-fuzz-{}-{number}", std::process::id());
    let folder = std::env::temp_dir().join(name);
    let (file, to) = (folder.join("pack"), folder.join("to"));
    std::fs::create_dir(&folder).and_then(|()| std::fs::write(&file, data)).expect("a folder");
    let count = |folder: &Path| std::fs::read_dir(folder).expect("it is there").count();
    match chronotap_session::pack::unpack(&file, &to, &|| false) {
        Ok(unpacked) => {
            let files = unpacked.manifest.files.clone();
            unpacked.finish().expect("nothing has the name");
            assert!(files.keys().all(|name| to.join(name).is_file()), "every file of the manifest");
            assert_eq!(count(&folder), 2, "the pack and the folder");
        }
        Err(_) => assert_eq!(count(&folder), 1, "the pack alone"),
    }
    std::fs::remove_dir_all(&folder).expect("it is there");
}

/// A share of a power analysis that was read, written and read again is the same share.
pub fn power_share(data: &[u8]) {
    use chronotap_session::power::Share;
    let path = Path::new("share.json");
    let Ok(share) = Share::parse(data, path) else { return };
    let bytes = share.bytes().expect("it is JSON");
    let again = Share::parse(&bytes, path).expect("a share");
    assert_eq!(again.bytes().expect("it is JSON"), bytes, "written and read again");
}

/// The line of a trial in a share of an analysis that was read, written and read again is the same line.
pub fn analysis_share(data: &[u8]) {
    use chronotap_data::tables::reread_share_line;
    let rules = [CleaningRule::Slips, CleaningRule::FirstTaps(2)];
    let Some(line) = reread_share_line(data, &rules) else { return };
    assert_eq!(reread_share_line(&line, &rules).as_ref(), Some(&line), "written and read again");
}

/// A file of another program is refused with a reason, or becomes trials whose rows are read again as they
/// were written; as the kind that it looks like, and as every other.
pub fn taps(data: &[u8]) {
    let file = SourceFile { name: "sub-1.csv".to_owned(), bytes: data.to_vec() };
    for kind in KINDS.iter().chain([kind_of(&file)]) {
        for how in ways() {
            if let Err(refusal) = follow_taps(&file, kind, &how) {
                assert!(!refusal.to_string().is_empty(), "a refusal says why");
            }
        }
    }
}

/// Onsets, and asynchronies, by the columns of the seeds; and the first channel of a sound.
fn ways() -> [ImportOptions; 3] {
    let place = |words: &str| Some(words.parse().expect("it is a place"));
    let column = |name: &str| Some(name.to_owned());
    let onsets = ImportOptions {
        taps: place("tap in ms"),
        stimuli: place("stimulus in ms"),
        participant_column: column("participant"),
        trial_column: column("trial"),
        unit: chronotap_data::exchange::taps::TimeUnit::of("ms"),
        ..ImportOptions::default()
    };
    let asynchronies = ImportOptions {
        asynchronies: place("asynch in ms"),
        interval: Some("isi in ms".parse().expect("it is an interval")),
        beat_column: column("beat"),
        trial_column: column("trial"),
        ..ImportOptions::default()
    };
    let sound = ImportOptions { taps: place("channel 1"), ..ImportOptions::default() };
    [onsets, asynchronies, sound]
}

fn follow_taps(
    file: &SourceFile,
    kind: &chronotap_data::exchange::taps::FileKind,
    how: &ImportOptions,
) -> Result<(), TapsError> {
    let read = read_taps(file, None, kind, how)?;
    let arranged = arrange(std::slice::from_ref(file), vec![read], &how.condition_columns)?;
    for trial in arranged.trials.iter().take(3) {
        let made = made(&trial.taken, "fuzzed", &RecordedOrigin::default(), 1)?;
        let rows = rows_of(&made.header, &made.entries);
        let mut written = Vec::new();
        write_rows(&mut written, &rows);
        let written = String::from_utf8(written).expect("a table is text");
        let again = parse_rows(Path::new("written.tsv"), &written).expect("what we write, we read");
        assert_eq!(again, rows, "written and read again");
    }
    Ok(())
}

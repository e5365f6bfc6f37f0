//! `chronotap passport` from outside: a pad whose every strike was chosen is read back, what
//! was left out is said, and two passports are set side by side.

use chronotap_bench::timing::{Quantity, Results, SampleSeries, TestFound, term};
use chronotap_testkit_cli::program::Workspace;
use std::fs::{read_to_string, write};

const PROGRAM: &str = env!("CARGO_BIN_EXE_chronotap");
/// A hard strike after 3 ms, every fourth of them again 25 ms later; a middle one (7 dB below)
/// after 4 ms; a soft one (25 dB below) after 7 ms, every second of them missed. A sensor beside the pad feels
/// each after 2 ms.
const STRIKES: u32 = 36;

fn table() -> String {
    let line = |n: u32| {
        let (peak, delays) = match (n % 3, n / 3) {
            (0, k) if k % 4 == 0 => (0.9, "3,28"),
            (0, _) => (0.9, "3"),
            (1, _) => (0.4, "4"),
            (_, k) if k % 2 == 0 => (0.05, "-"),
            _ => (0.05, "7"),
        };
        format!("{:.3}\t{peak}\t{delays}\t2\n", 1.0 + 0.25 * f64::from(n))
    };
    format!("onset\tpeak\tdelays\tbeside\n{}", (0..STRIKES).map(line).collect::<String>())
}

fn band<'a>(found: &'a TestFound, force: &str) -> &'a SampleSeries {
    let is = |series: &&SampleSeries| {
        let is_pad = series.quantity == Quantity::PadDelay && series.condition("beside").is_none();
        is_pad && series.condition("force") == Some(force)
    };
    found.series.iter().find(is).unwrap_or_else(|| panic!("no {force}: {:?}", found.notes))
}

fn figure(series: &SampleSeries, name: &str) -> f64 {
    series.figures[name]
}

#[test]
fn a_scripted_pad_is_read_back_and_compared() {
    let place = Workspace::of(PROGRAM);
    write(place.path("strikes.tsv"), table()).unwrap();
    let said = place.run(
        "passport --quick --strikes strikes.tsv --beside sensor:virtual --beside ear:virtual?threshold=-50 \
         --parts pad,loop --pad chosen --about module=none \
         --label here --output out",
    );
    assert!(matches!(said.code, Some(0 | 1)), "a stalled wire may lose messages: {said:?}");
    assert!(said.out.lines().all(|line| line.chars().count() <= 80), "{}", said.out);
    let file = place.path("out/here_passport_run-01.json");
    let results = Results::parse(&read_to_string(&file).unwrap()).unwrap();
    assert_eq!(results.about["pad"], "chosen");
    let tests: Vec<&str> = results.tests.iter().map(|found| found.test.as_str()).collect();
    assert_eq!(tests, ["tap-to-sound", "loop", "roundtrip", "wakeup"]);
    let left_out = results.tests[2].unavailable.as_deref();
    assert_eq!(left_out, Some("left out: not among --parts"));
    let pad = &results.tests[0];
    let all = band(pad, "all");
    // A strike beside a missed period is left out, and said to be.
    let left_out = figure(all, "left_out_strikes");
    assert_eq!(figure(all, "strikes") + left_out, f64::from(STRIKES), "{:?}", pad.notes);
    let chosen = [
        ("0 to 6 dB below the hardest", 3.0, 0.0, 3.0),
        ("6 to 12 dB below", 4.0, 0.0, 0.0),
        ("24 dB or more below", 7.0, 6.0, 0.0),
    ];
    for (force, delay_ms, missed, doubled) in chosen {
        let band = band(pad, force);
        for ns in [band.statistics.min_ns.unwrap(), band.statistics.max_ns.unwrap()] {
            // Half a frame, and a bin of the histogram.
            assert!((ns as f64 / 1e6 - delay_ms).abs() < 0.03, "{force}: {ns} ns");
        }
        let counted = (figure(band, "missed"), figure(band, "doubled"));
        match left_out == 0.0 {
            true => assert_eq!(counted, (missed, doubled), "{force}"),
            false => assert!(counted.0 <= missed && counted.1 <= doubled, "{force}"),
        }
    }
    for sense in ["sensor", "ear"] {
        compared_with_the_pad(pad, sense, left_out == 0.0);
    }
    for name in pad.series.iter().flat_map(|series| series.figures.keys()) {
        assert!(term(name).is_some(), "{name} is not explained");
    }
    let page = read_to_string(place.path("out/here_passport_run-01.html")).unwrap();
    assert!(page.contains("The pad by force") && page.contains("module: none"));
    assert!(page.contains("which is earlier, which is steadier, which misses less"));
    assert!(page.contains("sensor:virtual: missed 0 of "), "{page}");
    let methods = place.run("timing report out/here_passport_run-01.json --methods");
    assert!(methods.out.contains("| pad delay | n | mean (ms) |"), "{}", methods.out);
    let compared = place.run(
        "passport --compare out/here_passport_run-01.json other=out/here_passport_run-01.json",
    );
    assert_eq!(compared.code, Some(0), "{compared:?}");
    assert!(
        compared.out.contains("pad delay") && compared.out.contains("missed"),
        "{}",
        compared.out
    );
}

/// Of 12 strikes each the pad takes 3 and 4 ms, of six 7 ms, and six it misses; what is beside it always takes 2 ms:
/// it is earlier by (12 · 1 + 12 · 2 + 6 · 5) / 30 = 2.2 ms.
fn compared_with_the_pad(pad: &TestFound, sense: &str, all_were_heard: bool) {
    let is = |series: &&SampleSeries| {
        series.condition("beside") == Some(sense) && series.condition("force") == Some("all")
    };
    let beside = pad.series.iter().find(is).unwrap_or_else(|| panic!("{sense}: {:?}", pad.notes));
    let [least, most] =
        [beside.statistics.min_ns, beside.statistics.max_ns].map(|ns| ns.unwrap() as f64 / 1e6);
    assert!(least > 1.8 && most < 2.2, "{sense}: {least} to {most} ms");
    if !all_were_heard {
        return;
    }
    let [strikes, missed, alone, earlier] =
        ["strikes", "missed", "pad_missed_alone", "earlier_ns"].map(|name| figure(beside, name));
    assert_eq!((strikes, missed, alone), (f64::from(STRIKES), 0.0, 6.0), "{sense}");
    assert!((earlier / 1e6 - 2.2).abs() < 0.1, "{sense}: {earlier}");
    let is_of_it =
        |note: &&String| note.starts_with(sense) && note.contains("beside the pad: earlier by ");
    let note = pad.notes.iter().find(is_of_it).unwrap_or_else(|| panic!("{:?}", pad.notes));
    assert!(note.contains(", steadier (SD 0.0") && note.contains("misses less (0 of 36"), "{note}");
}

#[test]
fn what_cannot_be_done_is_refused_before_anything_starts() {
    let place = Workspace::of(PROGRAM);
    write(place.path("bad.tsv"), "onset\tpeak\tdelays\n0.5\t0.5\t3\n").unwrap();
    for (args, wanted) in [
        ("--strikes missing.tsv", "--strikes missing.tsv"),
        ("--strikes bad.tsv", "line 2: onset is \"0.5\"; seconds from 1 on"),
        ("--strikes bad.tsv --in wire", "cannot be used with"),
        ("--in wier --card virtual", "did you mean `wire`"),
        ("--parts pads", "--parts"),
        ("--about module", "write NAME=TEXT"),
        ("--in wire --card virtual --beside wire", "name an `ear:` or a `sensor:`"),
        ("--in wire --card virtual --beside ear:virtual", "only a simulated pad (--strikes)"),
        ("--in wire --card virtual --tap-channel 1", "the sound comes back there"),
        ("--parts pad", "cannot run here: left out: no sound card"),
        ("--compare one.json", "--compare"),
    ] {
        let said = place.run(&format!("passport --quick {args}"));
        assert_eq!(said.code, Some(2), "{args}: {said:?}");
        assert!(said.err.replace('\n', " ").contains(wanted), "{args}: {}", said.err);
    }
}

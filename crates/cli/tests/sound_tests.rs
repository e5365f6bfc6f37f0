//! `chronotap timing dsp`, `fragments` and `roundtrip` from outside: that every figure is
//! explained, that a loop's delay is found, and that there is none where there is no
//! loop. Nothing here asserts how good this machine is.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use chronotap_bench::timing::{Results, term};
use chronotap_testkit::{left_to_all, pass_over};
use chronotap_testkit_cli::program::{Output, Workspace};
use chronotap_testkit_linux::jack::JackServer;
use std::fs::read_to_string;

const PROGRAM: &str = env!("CARGO_BIN_EXE_chronotap");

fn results(place: &Workspace, test: &str) -> Results {
    let path = place.path(&format!("timing/here_{test}_run-01.json"));
    Results::parse(&read_to_string(path).unwrap()).unwrap()
}

fn run(place: &Workspace, test: &str, args: &str) -> Output {
    place.run(&format!("timing {test} --quick --seconds 1 --label here {args}"))
}

#[test]
fn what_cannot_be_done_is_refused_before_anything_starts() {
    let place = Workspace::of(PROGRAM);
    for (args, wanted) in [
        (
            "timing dsp --plugins ligt",
            "there are light, heavy, designer-light, designer-heavy, cpu",
        ),
        ("timing dsp --plugins lv2:urn:none", "urn:none"),
        ("timing dsp --periods 4", "a period is 8 to 8192 frames, not 4"),
        ("timing dsp --tracks 4000", "there can be 1 to 64 tracks, not 4000"),
        ("timing dsp --searches 0", "a border is sought 1 to 100 times, not 0"),
        ("timing dsp --arrangement chain", "parallel, series"),
        ("timing dsp --card virtual --tracks 4000", "there can be 1 to 64 tracks, not 4000"),
        ("timing dsp --card virtual --cores 0", "leave out --cores, or give --tracks"),
        ("timing dsp --card virtual --rate 384000", "192000 Hz"),
        ("timing dsp --card alsa:hw:NoSuchCard,0", "no such device"),
        ("timing dsp --card jak", "jak"),
        ("timing waits --pauses 2000ms", "a pause is 1 us to 1 s"),
        ("timing fragments --wav missing.wav", "--wav missing.wav"),
        ("timing fragments --bytes 255", "4 for each frame, not 255"),
        ("timing fragments --cpu 95", "0 to 90 % can be computed, not 95 %"),
        ("timing fragments --card jack", "alsa:hw:CARD,DEVICE"),
        ("timing fragments --card alsa:hw:NoSuchCard,0", "no such device"),
        ("timing roundtrip --card jak", "jak"),
        ("timing roundtrip --card virtual --join self", "only a JACK server joins"),
        ("timing roundtrip --join loop", "card, self"),
        ("timing roundtrip --wav missing.wav", "--wav missing.wav"),
        ("timing tap-to-sound", "--in <PORT>"),
        ("timing tap-to-sound --in wire:loop", "nobody taps on a looped wire"),
        ("timing tap-to-sound --in tone:", "name it with --card"),
        ("timing tap-to-sound --in wier", "did you mean `wire`"),
        ("timing tap-to-sound --in wire --tap-channel 1", "the sound comes back there"),
        ("timing tap-to-sound --in wire --threshold 6", "0 is the loudest"),
        ("timing tap-to-sound --in wire --card virtual --period 4", "8 to 8192"),
        ("timing tap-to-sound --wav missing.wav", "--wav missing.wav"),
        ("timing roundtrip --calibration missing.json", "--calibration missing.json"),
    ] {
        let said = place.run(args);
        assert_eq!(said.code, Some(2), "{args}: {said:?}");
        assert!(said.err.contains(wanted), "{args}: {}", said.err);
    }
}

#[test]
fn every_figure_in_the_results_is_explained_under_notation() {
    let place = Workspace::of(PROGRAM);
    let tests = [
        ("dsp", "--periods 512 --tracks 1 --plugins cpu --searches 1"),
        ("fragments", "--cpu 10"),
        ("roundtrip", "--card virtual:loop:4096:0.5 --periods 1024"),
    ];
    for (test, args) in tests {
        let said = run(&place, test, args);
        assert!(matches!(said.code, Some(0 | 1)), "{said:?}");
        assert!(said.out.lines().all(|line| line.chars().count() <= 80), "{}", said.out);
        let found = results(&place, test);
        let figures = found.tests[0].series.iter().flat_map(|series| series.figures.keys());
        for name in figures {
            assert!(term(name).is_some(), "{test}: {name} is not explained");
        }
    }
}

#[test]
fn instances_are_computed_in_the_callback_of_a_card_in_parallel_and_in_series() {
    if left_to_all() {
        return;
    }
    let place = Workspace::of(PROGRAM);
    let args = "--card virtual --periods 512 --plugins cpu --searches 1 --arrangement";
    for (run_number, arrangement) in ["parallel", "series"].into_iter().enumerate() {
        let said = run(&place, "dsp", &format!("{args} {arrangement}"));
        assert!(matches!(said.code, Some(0 | 1)), "{said:?}");
        assert!(said.out.lines().all(|line| line.chars().count() <= 80), "{}", said.out);
        let path = place.path(&format!("timing/here_dsp_run-{:02}.json", run_number + 1));
        let found = Results::parse(&read_to_string(path).unwrap()).unwrap();
        let series = &found.tests[0].series[0];
        assert_eq!(series.condition("card"), Some("virtual"));
        let joined = series.condition("arrangement").unwrap_or("parallel");
        assert_eq!(joined, arrangement);
        assert!(series.figures.keys().all(|name| term(name).is_some()), "{:?}", series.figures);
    }
    let page = read_to_string(place.path("timing/here_dsp_run-02.html")).unwrap();
    assert!(page.contains("in virtual"), "the page says in which card");
}

/// Passed over where jackd is not installed or a server runs already.
#[test]
fn instances_are_computed_in_the_callback_of_a_jack_server_by_its_own_period() {
    let _server = match JackServer::start(256, || chronotap_linux::cards::jack_shape().is_some()) {
        Ok(server) => server,
        Err(reason) => return pass_over(reason),
    };
    let place = Workspace::of(PROGRAM);
    let refused = place.run("timing dsp --card jack --periods 64");
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(refused.err.contains("256"), "{}", refused.err);
    let said = run(&place, "dsp", "--card jack --plugins cpu --searches 1");
    assert!(matches!(said.code, Some(0 | 1)), "{said:?}");
    for series in &results(&place, "dsp").tests[0].series {
        assert_eq!(series.condition("card"), Some("jack"));
        assert_eq!(series.condition("period_frames"), Some("256"));
    }
}

#[test]
fn tones_that_were_recorded_tell_their_delay() {
    let place = Workspace::of(PROGRAM);
    let said = place.run("timing roundtrip --tones tones.wav");
    assert_eq!(said.code, Some(0), "{said:?}");
    let again = place.run("timing roundtrip --tones tones.wav");
    assert_eq!(again.code, Some(2), "an existing file is not replaced: {again:?}");
    recorded(&place, 777);
    let said = place.run("timing roundtrip --wav back.wav");
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.out.contains("channel 2: 777.000 frames, 16.1875 ms"), "{}", said.out);
    assert!(said.out.contains("channel 2 after channel 1: 777.000 frames"), "{}", said.out);
}

/// Two channels of 16 bits: the tones, and the tones so many frames later.
fn recorded(place: &Workspace, delay: usize) {
    let tones = hound::WavReader::open(place.path("tones.wav")).unwrap();
    let tones: Vec<f32> = tones.into_samples().map(Result::unwrap).collect();
    let spec = hound::WavSpec {
        channels: 2,
        sample_rate: 48_000,
        bits_per_sample: 16,
        sample_format: hound::SampleFormat::Int,
    };
    let mut back = hound::WavWriter::create(place.path("back.wav"), spec).unwrap();
    for n in 0..tones.len() {
        let late = n.checked_sub(delay).map_or(0.0, |sent| tones[sent]);
        for sample in [tones[n], late] {
            back.write_sample((sample * 20_000.0) as i16).unwrap();
        }
    }
    back.finalize().unwrap();
}

#[test]
fn a_loop_that_is_not_there_is_no_figure_and_a_failed_check() {
    let place = Workspace::of(PROGRAM);
    let said = run(&place, "roundtrip", "--card virtual --periods 512");
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.out.contains("no round trip: the level is too low"), "{}", said.out);
    assert!(results(&place, "roundtrip").tests[0].series.is_empty());
}

#[test]
fn a_tap_on_the_wire_is_followed_to_the_end_of_the_cable() {
    let place = Workspace::of(PROGRAM);
    let said = place.run(
        "timing tap-to-sound --quick --label here --in wire --card virtual:loop:4096:0.5 \
         --period 1024 --taps 5",
    );
    assert!(matches!(said.code, Some(0 | 1)), "{said:?}");
    assert!(said.out.lines().all(|line| line.chars().count() <= 80), "{}", said.out);
    let found = results(&place, "tap-to-sound");
    for series in &found.tests[0].series {
        assert!(series.figures.keys().all(|name| term(name).is_some()), "{:?}", series.figures);
        assert!(series.statistics.n <= 5);
    }
    // Where the machine missed periods there is a reason in the place of the figures.
    let steps = found.tests[0].series.iter().filter_map(|series| series.condition("step"));
    let steps: Vec<&str> = steps.collect();
    let whole = ["kernel to program", "program", "card", "converter and cable", "total"];
    let refused = found.tests[0].notes.iter().any(|note| note.starts_with("no figure: "));
    assert!(if refused { steps.is_empty() } else { steps == whole }, "{steps:?}");
    let page = read_to_string(place.path("timing/here_tap-to-sound_run-01.html")).unwrap();
    assert!(refused || page.contains("From tap to sound: "));
}

/// Two channels of 16 bits: taps, and a sound so many frames after each.
fn tapped(place: &Workspace, name: &str, taps: usize, after: usize) {
    let spec = hound::WavSpec {
        channels: 2,
        sample_rate: 48_000,
        bits_per_sample: 16,
        sample_format: hound::SampleFormat::Int,
    };
    let mut wav = hound::WavWriter::create(place.path(name), spec).unwrap();
    for n in 0..24_000 * (taps + 2) {
        let sounds = |late: usize| {
            let since = n.checked_sub(24_000 + late);
            since.is_some_and(|since| since / 24_000 < taps && since % 24_000 < 48)
        };
        for late in [0, after] {
            wav.write_sample(if sounds(late) { 9_000i16 } else { 0 }).unwrap();
        }
    }
    wav.finalize().unwrap();
}

#[test]
fn a_recording_of_taps_and_sounds_tells_their_distance() {
    let place = Workspace::of(PROGRAM);
    tapped(&place, "taps.wav", 12, 720);
    let said = place.run("timing tap-to-sound --wav taps.wav");
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.out.contains("12 taps, 12 sounds, 12 pairs"), "{}", said.out);
    assert!(said.out.contains("720.00 frames at 48000 Hz, 15.0 ms (SD 0.00 ns)"), "{}", said.out);
    let said = place.run("timing tap-to-sound --wav taps.wav --threshold -6");
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.out.contains("no figure: channel 1 has no onset"), "{}", said.out);
    tapped(&place, "few.wav", 3, 720);
    let said = place.run("timing tap-to-sound --wav few.wav");
    assert!(said.out.contains("only 3 taps have a sound"), "{}", said.out);
}

/// Clicks 250 ms apart for five seconds, of which the seventh is missing.
fn clicks(place: &Workspace) {
    let (bits_per_sample, sample_format) = (16, hound::SampleFormat::Int);
    let spec = hound::WavSpec { channels: 1, sample_rate: 48_000, bits_per_sample, sample_format };
    let mut wav = hound::WavWriter::create(place.path("clicks.wav"), spec).unwrap();
    for frame in 0..240_000u32 {
        let (click, since) = (frame / 12_000, frame % 12_000);
        let loud = since < 40 && click >= 2 && click != 8;
        wav.write_sample(if loud { 12_000i16 } else { 0 }).unwrap();
    }
    wav.finalize().unwrap();
}

#[test]
fn a_click_that_another_program_dropped_is_counted() {
    let place = Workspace::of(PROGRAM);
    clicks(&place);
    let said = place.run("timing player --wav clicks.wav --interval 250ms");
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(
        said.out.contains("17 clicks, 250.000 ms apart: 1 did not come, 0 came besides"),
        "{}",
        said.out
    );
    let silent = place.run("timing player --card virtual --quick --seconds 1");
    assert_eq!(silent.code, Some(1), "{silent:?}");
    assert!(silent.out.contains("only 0 clicks were heard"), "{}", silent.out);
}

#[test]
fn every_number_and_size_of_fragments_is_run_and_tabled() {
    let place = Workspace::of(PROGRAM);
    let said = run(&place, "fragments", "--cpu 10 --fragments 2,3 --bytes 256,1024");
    assert!(matches!(said.code, Some(0 | 1)), "{said:?}");
    assert!(said.err.contains("about 4 s"), "four of a second each: {}", said.err);
    let found = results(&place, "fragments");
    assert_eq!((found.tests.len(), found.tests[0].series.len()), (1, 8));
    let page = read_to_string(place.path("timing/here_fragments_run-01.html")).unwrap();
    assert!(page.contains("drop-outs, by buffer") && page.contains("1024 bytes"));
}

#[test]
fn a_test_gives_a_paragraph_and_a_table_for_a_paper() {
    let place = Workspace::of(PROGRAM);
    let said = run(&place, "servo", "--rates-hz 100 --methods");
    assert!(matches!(said.code, Some(0 | 1)), "{said:?}");
    for wanted in
        ["with the test `servo`", "Linux ", "Table: servo, here", "| lateness | n | max (us) |"]
    {
        assert!(said.out.replace('\n', " ").contains(wanted), "{wanted}: {}", said.out);
    }
    let found = results(&place, "servo");
    let loops = found.tests[0].series.iter().map(|series| series.condition("loop"));
    assert_eq!(loops.collect::<Vec<_>>(), [Some("open"), Some("closed")]);
}

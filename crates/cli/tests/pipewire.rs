//! Trials and tests on PipeWire, which is what most desktops have in JACK's place: a server of
//! its own for each test, without anybody's session. Nothing here asserts how punctual it was.
//! Passed over, with the reason, where PipeWire is not installed.

use chronotap_data::record::{Recording, Row, TrialType, read_events};
use chronotap_testkit::pass_over;
use chronotap_testkit_cli::pipewire::PipeWire;
use chronotap_testkit_cli::program::{ANY_LATENESS, Output, Workspace, rows, start, wait_until};

const PROGRAM: &str = env!("CARGO_BIN_EXE_chronotap");
/// Of the server's period.
const FRAMES: u32 = 256;

/// A place with a server in it, or the test is passed over.
fn with_server() -> Option<(Workspace, PipeWire)> {
    let place = Workspace::of(PROGRAM);
    match PipeWire::start(&place.path(""), FRAMES) {
        Ok(server) => Some((place, server)),
        Err(reason) => {
            pass_over(reason);
            None
        }
    }
}

fn run((place, server): &(Workspace, PipeWire), args: &str) -> Output {
    start(server.client(&place.chronotap(args.split(' ')))).wait()
}

#[test]
fn a_trial_sounds_on_pipewire_and_its_data_say_so() {
    let Some(here) = with_server() else { return };
    let trial = "[pacing.m]\ninterval = \"100 ms\"\nbeats = 8\nstart = \"200 ms\"\n\
         tone = { channel = 10, duration = \"20 ms\" }\n[[when]]\ntime = \"1.2 s\"\nend = true\n";
    here.0.file("t.toml", trial);
    let said = run(&here, &format!("run t.toml --in wire --out tone:jack {ANY_LATENESS}"));
    assert!(matches!(said.code, Some(0 | 1)), "{said:?}");
    let recording = here.0.recording("t");
    let audio = recording.header.ports.iter().find_map(|bound| bound.audio.clone()).unwrap();
    assert_eq!((audio.period_frames, audio.rate_hz), (FRAMES, 48_000));
    assert_eq!(audio.card.unwrap(), "the card of the PipeWire server");
    let beats = rows(&recording, TrialType::Pacing);
    assert_eq!(beats.len(), 8);
    let missed = recording.rows.iter().any(|row| row.name.as_deref() == Some("xrun"));
    if !missed {
        // When a period began the server knows to some frames. A machine that stalls makes a beat
        // late, and the data say by how much: its frame follows the time that was achieved.
        let heard: Vec<(i64, i64)> = beats
            .iter()
            .map(|beat| (beat.achieved.unwrap().0, beat.frame.unwrap() as i64))
            .collect();
        let follows = |two: &[(i64, i64)]| {
            let elapsed_ns = i128::from(two[1].0 - two[0].0);
            let frames = (elapsed_ns * 48_000 / 1_000_000_000) as i64;
            (two[1].1 - two[0].1).abs_diff(frames) <= u64::from(FRAMES)
        };
        assert!(heard.windows(2).all(follows), "{heard:?}");
        // And the beats as a whole are 100 ms apart, whatever one stall does to two distances.
        let mut apart: Vec<i64> = heard.windows(2).map(|two| two[1].1 - two[0].1).collect();
        apart.sort_unstable();
        assert!(apart[3].abs_diff(4_800) <= u64::from(FRAMES), "{heard:?}");
    }
    here.0.replays("t");
}

#[test]
fn a_period_that_changes_between_two_trials_is_measured_anew_recorded_and_doubted() {
    let Some((place, server)) = with_server() else { return };
    let trial = "[pacing.m]\ninterval = \"250 ms\"\ntone = { channel = 10, note = 76 }\n\
         [[when]]\ntime = \"1.5 s\"\nend = true\n";
    place.file("t.toml", trial);
    let study = "title = \"L\"\ntask = \"l\"\nparticipants = 2\n[[step]]\nname = \"a\"\n\
         trial = \"t.toml\"\nrepetitions = 2\nshuffle = \"none\"\ngap = \"3 s\"\n";
    place.file("s.toml", study);
    let args = "run s.toml --participant 1 --simulate tapper --in wire --out tone:jack --data d";
    let args = format!("{args} {ANY_LATENESS}");
    let session = start(server.client(&place.chronotap(args.split(' '))));
    let run = |n: u32| place.path(&format!("d/sub-01/beh/sub-01_task-l_run-0{n}_events.tsv"));
    wait_until("the first trial is over", || run(1).with_extension("json").exists());
    if let Err(reason) = server.force_period(4 * FRAMES) {
        return pass_over(reason);
    }
    let said = session.wait();
    assert!(matches!(said.code, Some(0 | 1)), "{said:?}");
    let [first, second] = [1, 2].map(|n| read_events(&run(n)).unwrap());
    let audio = |of: &Recording| of.header.ports.iter().find_map(|bound| bound.audio.clone());
    let periods = [&first, &second].map(|of| audio(of).unwrap().period_frames);
    assert_eq!(periods, [FRAMES, 4 * FRAMES]);
    let doubted = |of: &Recording| {
        let doubts = of.summary().unwrap().verdict.doubts;
        doubts.iter().any(|doubt| doubt.contains("the audio server's period changed"))
    };
    let is_told = |row: &&Row| row.name.as_deref() == Some("period changed");
    let told = [&first, &second].map(|of| of.rows.iter().filter(is_told).count());
    assert_eq!(told.iter().sum::<usize>(), 1, "{told:?}");
    assert_eq!([doubted(&first), doubted(&second)], told.map(|count| count > 0));
}

#[test]
fn every_message_comes_back_through_pipewire_s_midi_ports() {
    let Some(here) = with_server() else { return };
    let args = "timing loop --in jack:loop --out jack:loop --inputs 200 --ordinary";
    let said = run(&here, args);
    assert!(matches!(said.code, Some(0 | 1)), "{said:?}");
    if !said.out.contains("  xruns 0  ") {
        return pass_over("the server missed a period, and what it held then is lost");
    }
    assert!(said.out.contains("201 as sent\n  lost 0 "), "{}", said.out);
}

#[test]
fn a_client_joined_to_itself_is_refused_and_the_monitor_ports_take_its_place() {
    let Some(here) = with_server() else { return };
    let said = run(&here, "timing roundtrip --card jack --join self");
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.err.contains("PipeWire") && said.err.contains("--join monitor"), "{}", said.err);
    let args = "timing roundtrip --card jack --join monitor --duration 2s";
    let said = run(&here, args);
    assert!(matches!(said.code, Some(0 | 1)), "{said:?}");
    // Where the server missed periods there may be no figure; one that is there is right.
    assert!(said.out.contains("256.000 frames") || said.out.contains("no round trip"), "{said:?}");
}

//! A trial played into a WAV file: every onset must be heard at its time, as a detector
//! finds it that knows nothing of the generator but the samples it left.

use chronotap_testkit_cli::program::Workspace;
use std::path::Path;

const PROGRAM: &str = env!("CARGO_BIN_EXE_chronotap");

const RATE_HZ: f64 = 48_000.0;

/// A WAV file's two ears.
fn ears(path: &Path) -> [Vec<f32>; 2] {
    let mut wav = hound::WavReader::open(path).unwrap();
    assert_eq!(f64::from(wav.spec().sample_rate), RATE_HZ);
    let all: Vec<f32> = wav.samples().map(Result::unwrap).collect();
    [0, 1].map(|ear| all.iter().skip(ear).step_by(2).copied().collect())
}

/// The frames at which sound begins: the envelope (the greatest of the last `hold`
/// frames) passes the threshold from below.
fn onsets(sound: &[f32], threshold: f32, hold: usize) -> Vec<usize> {
    let mut silent_for = hold;
    let mut found = Vec::new();
    for (frame, sample) in sound.iter().enumerate() {
        if sample.abs() <= threshold {
            silent_for += 1;
            continue;
        }
        if silent_for >= hold {
            found.push(frame);
        }
        silent_for = 0;
    }
    found
}

/// Plays a trial and gives the two ears.
fn rendered(trial: &str, sounds: &str, taps: &str) -> [Vec<f32>; 2] {
    let place = Workspace::of(PROGRAM);
    place.file("t.toml", trial);
    place.file("s.toml", sounds);
    place.file("taps.tsv", taps);
    place.file("tiny.sf2", crate::tiny::tiny_soundfont());
    let said = place.run("render t.toml -o t.wav --sounds s.toml --performer taps.tsv");
    assert_eq!(said.code, Some(0), "{}", said.err);
    ears(&place.path("t.wav"))
}

fn agree(found: &[usize], intended_s: &[f64]) {
    assert_eq!(found.len(), intended_s.len(), "{found:?}");
    for (frame, intended) in found.iter().zip(intended_s) {
        let off = *frame as f64 - intended * RATE_HZ;
        assert!(off.abs() <= 1.0, "an onset is {off} frames from {intended} s");
    }
}

const NOBODY: &str = "onset\tduration\tnote\tvelocity\n";

#[test]
fn every_beat_of_a_metronome_is_heard_within_a_frame_of_its_time() {
    // 1600/3 ms is no whole number of frames or nanoseconds.
    let trial = "[pacing.m]\ninterval = \"1600 ms / 3\"\nbeats = 40\ntone = { channel = 10 }\n[[when]]\ntime = \"23 s\"\nend = true\n";
    let intended: Vec<f64> = (0..40).map(|k| 1.0 + f64::from(k) * 1.6 / 3.0).collect();
    for sound in ["click", "woodblock", "percussion", "sine", "complex", "white noise"] {
        let sounds = format!("[channel.10]\nsound = \"{sound}\"\n");
        let [left, right] = rendered(trial, &sounds, NOBODY);
        assert_eq!(left, right);
        agree(&onsets(&left, 1e-8, 9_600), &intended);
    }
}

#[test]
fn the_notes_of_a_soundfont_are_heard_within_a_frame_of_their_times() {
    let trial = "[pacing.m]\ninterval = \"1600 ms / 3\"\nbeats = 40\n\
                 tone = { channel = 10, note = 60, duration = \"100 ms\" }\n\
                 [[when]]\ntime = \"23 s\"\nend = true\n";
    let intended: Vec<f64> = (0..40).map(|k| 1.0 + f64::from(k) * 1.6 / 3.0).collect();
    let preset = format!("preset = \"{}\"\n", crate::tiny::LAYERED);
    for more in [preset.as_str(), "bank = 128\nprogram = 0\n", "keys = \"60\"\n"] {
        let sounds = format!("[channel.10]\nsound = \"tiny.sf2\"\nlongest = \"200 ms\"\n{more}");
        let [left, right] = rendered(trial, &sounds, NOBODY);
        // In the middle, of which MIDI's 64 of 127 is a little to the right.
        assert!(left.iter().zip(&right).all(|(left, right)| (left - right).abs() < 1e-3));
        agree(&onsets(&left, 1e-8, 9_600), &intended);
    }
}

#[test]
fn feedback_is_heard_at_its_tap_plus_its_delay_and_in_its_own_ear() {
    let trial = "[pacing.m]\ninterval = \"500 ms\"\nbeats = 8\ntone = { channel = 10 }\n\
                 [feedback.f]\ndelay = \"75 ms\"\nduration = \"40 ms\"\nchannel = 3\n\
                 [[when]]\ntime = \"6 s\"\nend = true\n";
    let sounds = "[channel.10]\near = \"left\"\n[channel.3]\nsound = \"sine\"\near = \"right\"\n";
    let taps: [f64; 4] = [1.234_567_891, 2.5, 3.003_3, 4.1];
    let row = |at: &f64| format!("{at}\t0.1\t60\t90\n");
    let table = NOBODY.to_owned() + &taps.iter().map(row).collect::<String>();
    let [left, right] = rendered(trial, sounds, &table);
    let beats: Vec<f64> = (0..8).map(|k| 1.0 + f64::from(k) * 0.5).collect();
    agree(&onsets(&left, 1e-8, 9_600), &beats);
    agree(&onsets(&right, 1e-8, 4_800), &taps.map(|tap| tap + 0.075));
    // 40 ms of tone and 5 ms of ramp, then nothing.
    let first = onsets(&right, 1e-8, 4_800)[0];
    let end = right[first..first + 9_600].iter().rposition(|s| s.abs() > 1e-8).unwrap();
    assert!((2_155..=2_160).contains(&end), "{end}");
}

#[test]
fn a_mistake_in_the_sounds_is_named_with_its_line() {
    let place = Workspace::of(PROGRAM);
    place.file("t.toml", "[pacing.m]\ninterval = \"1 s\"\n");
    place.file("s.toml", "[channel.1]\nsound = \"clikc\"\n");
    let said = place.run("render t.toml -o t.wav --sounds s.toml");
    assert_eq!(said.code, Some(2));
    let meant = "s.toml:2: there is no sound \"clikc\"; did you mean \"click\"?";
    assert!(said.err.contains(meant), "{}", said.err);
    assert!(!place.path("t.wav").exists());
}

#[test]
fn a_recorded_trial_sounds_as_it_did_and_not_as_it_would_with_other_draws() {
    let place = Workspace::of(PROGRAM);
    place.file(
        "t.toml",
        "[pacing.m]\ninterval = \"300 ms\"\nbeats = 6\njitter = { uniform = [\"-20 ms\", \"20 ms\"] }\n\
         [feedback.f]\ndelay = { uniform = [\"0 ms\", \"90 ms\"] }\n[[when]]\ntime = \"4 s\"\nend = true\n",
    );
    place.file("taps.tsv", "onset\tduration\tnote\tvelocity\n1\t0.1\t60\t90\n1.3\t0.1\t62\t90\n");
    let done = |line: &str| {
        let said = place.run(line);
        assert_eq!(said.code, Some(0), "{line}: {said:?}");
        said
    };
    done("simulate t.toml --performer taps.tsv --seed 5 -q");
    done("render t.toml -o first.wav --performer taps.tsv --seed 5 -q");
    let said = done("render data/t_run-01_events.tsv -o again.wav");
    assert!(said.out.contains("8 sounds"), "{said:?}");
    let wav = |name: &str| std::fs::read(place.path(name)).unwrap();
    assert!(wav("first.wav") == wav("again.wav"), "the two files differ");
    let refused = place.run("render data/t_run-01_events.tsv -o other.wav --seed 6");
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(refused.err.contains("is rendered as it was"), "{refused:?}");
    let export = "export data/t_run-01_events.tsv --as midi --to midi";
    done(export);
    assert!(wav("midi/t_run-01_events.mid").starts_with(b"MThd"));
    assert_eq!(place.run(export).code, Some(2), "never over it");
}

#[test]
fn render_replaces_a_file_only_when_forced_and_never_what_the_sound_is_made_from() {
    let place = Workspace::of(PROGRAM);
    place.file(
        "t.toml",
        "[pacing.m]\ninterval = \"300 ms\"\nbeats = 2\n[[when]]\ntime = \"2 s\"\nend = true\n",
    );
    place.file("notes.txt", "three years of notes");
    let code = |line: &str| place.run(line).code;
    assert_eq!(code("simulate t.toml --seed 1 -q"), Some(0));
    let said = place.run("render t.toml -o notes.txt");
    assert_eq!(said.code, Some(2));
    assert!(said.err.contains("--force"), "{}", said.err);
    let text = |name: &str| std::fs::read(place.path(name)).unwrap();
    assert_eq!(text("notes.txt"), b"three years of notes");
    assert_eq!(code("render t.toml -o notes.txt --force"), Some(0));
    assert!(text("notes.txt").starts_with(b"RIFF"));

    let table = text("data/t_run-01_events.tsv");
    for own in ["data/t_run-01_events.tsv", "data/t_run-01_events.json"] {
        let said = place.run(&format!("render data/t_run-01_events.tsv -o {own} --force"));
        assert_eq!(said.code, Some(2), "{said:?}");
        assert!(said.err.contains("this is what the sound is made from"), "{}", said.err);
    }
    assert_eq!(text("data/t_run-01_events.tsv"), table);
    assert_eq!(code("render t.toml -o t.toml --force"), Some(2));
}

/// A recording of 16-bit noise, 2 s at 48 kHz in one channel; its samples, full scale being 1.
fn recording(path: &Path) -> Vec<f32> {
    let (bits_per_sample, sample_format) = (16, hound::SampleFormat::Int);
    let spec = hound::WavSpec { channels: 1, sample_rate: 48_000, bits_per_sample, sample_format };
    let mut wav = hound::WavWriter::create(path, spec).unwrap();
    let mut state = 1_u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        ((state >> 16) as i32 - 32_768) as i16 / 4
    };
    let all: Vec<i16> = (0..96_000).map(|_| next()).collect();
    all.iter().for_each(|sample| wav.write_sample(*sample).unwrap());
    wav.finalize().unwrap();
    all.into_iter().map(|sample| f32::from(sample) / 32_768.0).collect()
}

const SONG: &str = "[pacing.song]\naudio = \"song.wav\"\nbeats_from = \"song.tsv\"\n\
                    [[when]]\ntime = \"4 s\"\nend = true\n";

#[test]
fn a_recording_is_rendered_frame_by_frame_as_it_is_in_its_file() {
    let place = Workspace::of(PROGRAM);
    let song = recording(&place.path("song.wav"));
    place.file("song.tsv", "onset\n0.2500\n0.7500104\n1.3\n");
    place.file("t.toml", SONG);
    let said = place.run("render t.toml -o t.wav");
    assert_eq!(said.code, Some(0), "{}", said.err);
    let [left, right] = ears(&place.path("t.wav"));
    assert_eq!(left, right);
    let (before, rest) = left.split_at(48_000);
    assert!(before.iter().all(|sample| *sample == 0.0), "it begins at its start");
    for (frame, (found, in_file)) in rest.iter().zip(&song).enumerate() {
        assert!((found - in_file).abs() < 1e-5, "frame {frame}: {found} for {in_file}");
    }
}

/// A trial with music that was simulated, and its events file.
fn recorded_song() -> (Workspace, &'static str) {
    let place = Workspace::of(PROGRAM);
    recording(&place.path("song.wav"));
    place.file("song.tsv", "0.25\n0.75\n");
    place.file("t.toml", SONG);
    let said = place.run("simulate t.toml --data d --quiet --seed 1");
    assert_eq!(said.code, Some(0), "{}", said.err);
    (place, "d/t_run-01_events.tsv")
}

#[test]
fn a_recorded_trial_knows_its_recording_and_refuses_another() {
    let (place, events) = recorded_song();
    assert_eq!(place.run(&format!("render {events} -o again.wav")).code, Some(0));
    let kept = std::fs::read_to_string(place.path("d/t_run-01_events.json")).unwrap();
    assert!(kept.contains("sha256") && kept.contains("0.75 s"), "checksum and beats are kept");
    std::fs::remove_file(place.path("song.tsv")).unwrap();
    assert_eq!(place.run(&format!("replay {events}")).code, Some(0), "the beats are in the data");
    let mut wav = std::fs::read(place.path("song.wav")).unwrap();
    *wav.last_mut().unwrap() ^= 1;
    std::fs::write(place.path("song.wav"), wav).unwrap();
    let said = place.run(&format!("render {events} -o other.wav"));
    assert_eq!(said.code, Some(2));
    assert!(said.err.contains("not the file that the trial was read with"), "{}", said.err);
}

#[test]
fn music_is_rendered_from_a_recorded_trial_as_it_was_with_its_silences_and_a_second_beginning() {
    let place = Workspace::of(PROGRAM);
    let song = recording(&place.path("song.wav"));
    place.file("song.tsv", "onset\n0.25\n0.75\n1.3\n");
    let more = "[[when]]\nbeat.song = 2\nset.pacing.song.audible = false\n\
                [[when]]\nbeat.song = 3\nset.pacing.song.audible = true\n\
                [[when]]\ntime = \"3.5 s\"\nstart = \"song\"\n";
    place.file("t.toml", SONG.replace("4 s", "6 s") + more);
    let said = place.run("simulate t.toml --data d --quiet --seed 1");
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert_eq!(place.run("render t.toml -o new.wav --seed 1").code, Some(0));
    let said = place.run("render d/t_run-01_events.tsv -o again.wav");
    assert_eq!(said.code, Some(0), "{}", said.err);
    let bytes = |name: &str| std::fs::read(place.path(name)).unwrap();
    assert!(bytes("new.wav") == bytes("again.wav"));
    let [left, _] = ears(&place.path("again.wav"));
    let frame = |seconds: f64| (seconds * RATE_HZ) as usize;
    let same = |at: f64, place: f64, seconds: f64| {
        let (found, in_file) = (&left[frame(at)..], &song[frame(place)..]);
        let pairs = found.iter().zip(in_file).take(frame(seconds));
        pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max) < 1e-5
    };
    assert!(same(1.0, 0.0, 0.75), "to beat 2, which is silent");
    assert!(left[frame(1.76)..frame(2.29)].iter().all(|sample| *sample == 0.0));
    assert!(same(2.31, 1.31, 0.68), "from beat 3 on");
    assert!(same(3.51, 0.01, 0.7), "and from its beginning again");
}

#[test]
fn a_trial_whose_music_is_gone_is_refused_with_the_cure_and_sounds_as_tones_only_where_that_is_asked()
 {
    let (place, events) = recorded_song();
    let play = format!("play {events} --out tone:virtual --limit 1s");
    let said = place.run(&play);
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert!(said.out.contains("music as it was recorded"), "{}", said.out);
    assert!(said.out.contains("song.wav"), "{}", said.out);
    let said = place.run(&format!("{play} --rate 2"));
    assert_eq!(said.code, Some(2));
    assert!(said.err.contains("music has its own speed"), "{}", said.err);
    let said = place.run(&format!("play {events} --out wire"));
    assert_eq!(said.code, Some(2));
    assert!(said.err.contains("music sounds on a sound card"), "{}", said.err);

    std::fs::remove_file(place.path("song.wav")).unwrap();
    for line in [&play, &format!("render {events} -o gone.wav")] {
        let said = place.run(line);
        assert_eq!(said.code, Some(2), "{line}: {}", said.out);
        assert!(said.err.contains("song.wav: it is gone; put back the file"), "{}", said.err);
        assert!(said.err.contains("--tones-for-music"), "{}", said.err);
    }
    let said = place.run(&format!("render {events} -o tones.wav --tones-for-music"));
    assert_eq!(said.code, Some(0), "{}", said.err);
    let said = place.run(&format!("{play} --tones-for-music --from 1.5s --rate 2"));
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert!(said.out.contains("1 tone as it was recorded"), "{}", said.out);
}

#[test]
fn flac_and_wav_of_the_same_music_are_rendered_alike_at_the_rate_of_the_card() {
    use chronotap_testkit_audio::music::{SoundFileForm, flac, samples, wav};
    let place = Workspace::of(PROGRAM);
    place.file("song.tsv", "0.25\n0.75\n");
    for (channels, bits) in [(1, 16), (2, 24)] {
        let form = SoundFileForm { rate_hz: 44_100, channels, bits };
        let all = samples(form, 44_100);
        place.file("song.wav", wav(form, &all));
        place.file("song.flac", flac(form, &all));
        place.file("w.toml", SONG);
        place.file("f.toml", SONG.replace("song.wav", "song.flac"));
        for name in ["w", "f"] {
            let said = place.run(&format!("render {name}.toml -o {name}{channels}.wav"));
            assert_eq!(said.code, Some(0), "{}", said.err);
        }
        let bytes =
            |name: &str| std::fs::read(place.path(&format!("{name}{channels}.wav"))).unwrap();
        assert!(bytes("w") == bytes("f"), "{form:?}");
    }
}

#[test]
fn a_trial_in_real_time_plays_its_music_on_a_card_and_says_where_it_cannot() {
    let place = Workspace::of(PROGRAM);
    recording(&place.path("song.wav"));
    place.file("song.tsv", "0.1\n0.3\n");
    place.file("t.toml", SONG.replace("4 s", "1500 ms"));
    let said = place
        .run("run t.toml --in wire --out tone:virtual --simulate tapper --data card --limit 1s");
    assert!(!said.out.contains("no sound card"), "{said:?}");
    let kept = std::fs::read_to_string(place.path("card/t_run-01_events.json")).unwrap();
    assert!(kept.contains("\"missing\": 0") || kept.contains("\"missing\":0"), "{kept}");
    assert!(!said.out.contains("frames of the music"), "{said:?}");
    let said = place.run("run t.toml --simulate tapper --data wire --limit 1s");
    assert!(said.out.contains("of the music \"song\" each beat is a tone"), "{said:?}");
}

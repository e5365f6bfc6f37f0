//! Files of sound that are damaged, or made to do harm: they are refused in one sentence, and
//! nothing of them reaches a file or a card.

use chronotap_testkit_cli::program::Workspace;

const PROGRAM: &str = env!("CARGO_BIN_EXE_chronotap");
const TRIAL: &str =
    "[pacing.m]\ninterval = \"1 s\"\nbeats = 2\n[[when]]\ntime = \"3 s\"\nend = true\n";

/// Refused with exit status 2 and these words, without a panic and without a file.
fn refused(place: &Workspace, args: &str, why: &str) {
    let said = place.run(args);
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.err.contains(why), "{}", said.err);
    assert!(!said.err.contains("panicked") && !said.err.contains("rustysynth"), "{}", said.err);
    assert!(!place.path("t.wav").exists());
}

fn floats(place: &Workspace, name: &str, samples: &[f32]) {
    let spec = hound::WavSpec {
        channels: 1,
        sample_rate: 48_000,
        bits_per_sample: 32,
        sample_format: hound::SampleFormat::Float,
    };
    let mut wav = hound::WavWriter::create(place.path(name), spec).unwrap();
    samples.iter().for_each(|sample| wav.write_sample(*sample).unwrap());
    wav.finalize().unwrap();
}

#[test]
fn a_wav_file_that_holds_no_sound_is_refused_with_the_place() {
    let place = Workspace::of(PROGRAM);
    place.file("t.toml", TRIAL);
    place.file("s.toml", "[channel.1]\nsound = \"bad.wav\"\n");
    for unfit in [f32::NAN, f32::INFINITY, 32_767.0] {
        floats(&place, "bad.wav", &[0.5, 0.5, unfit]);
        let why = format!("bad.wav: sample 1 of frame 2 is {unfit}, and full scale is 1");
        refused(&place, "render t.toml -o t.wav --sounds s.toml", &why);
        refused(&place, "run t.toml --in wire --out tone:virtual?sounds=s.toml", &why);
        refused(&place, "timing roundtrip --wav bad.wav", "sample 1 of frame 2 is");
    }
}

const MUSIC: &str = "[pacing.m]\naudio = \"bad.wav\"\nbeats_from = \"b.tsv\"\n\
                     [[when]]\ntime = \"3 s\"\nend = true\n";

#[test]
fn check_refuses_a_recording_that_holds_no_sound_with_the_words_of_a_run() {
    let place = Workspace::of(PROGRAM);
    place.file("t.toml", MUSIC);
    place.file("study.toml", "[[step]]\nname = \"main\"\ntrial = \"t.toml\"\n");
    place.file("b.tsv", "0.0001\n");
    for unfit in [f32::NAN, f32::INFINITY, -40.0] {
        let mut samples = vec![0.5; 48_000];
        samples.push(unfit);
        floats(&place, "bad.wav", &samples);
        let why = format!("bad.wav: sample 1 of frame 48000 is {unfit}, and full scale is 1");
        refused(&place, "render t.toml -o t.wav", &why);
        refused(&place, "run t.toml --in wire --out tone:virtual", &why);
        for file in ["t.toml", "study.toml"] {
            let said = place.run(&format!("check {file}"));
            assert_eq!((said.code, said.out.as_str()), (Some(1), ""), "{said:?}");
            assert!(said.err.contains(&why), "{}", said.err);
            assert!(said.err.contains("; write the file again"), "{}", said.err);
        }
    }
    let told = place.run("check t.toml --json");
    assert!(told.out.contains("\"cure\":\"write the file again"), "{told:?}");
    floats(&place, "bad.wav", &[0.5; 48_000]);
    let said = place.run("check t.toml study.toml");
    assert_eq!(said.code, Some(0), "{said:?}");
}

#[test]
fn check_reads_the_recordings_of_every_condition_of_a_study() {
    let place = Workspace::of(PROGRAM);
    place.file("t.toml", MUSIC.replace("bad.wav", "good.wav"));
    place.file(
        "study.toml",
        "trial = \"t.toml\"\n[factor]\nsong = [\"good.wav\", \"bad.wav\"]\n[set]\n\
         pacing.m.audio = { factor = \"song\" }\n\
         [[step]]\nname = \"main\"\nshuffle = \"none\"\n",
    );
    place.file("b.tsv", "0.0001\n");
    floats(&place, "good.wav", &[0.5; 48_000]);
    for (sample, code) in [(f32::NAN, Some(1)), (0.5, Some(0))] {
        floats(&place, "bad.wav", &[0.5, sample, 0.5, 0.5, 0.5, 0.5, 0.5]);
        let said = place.run("check study.toml");
        assert_eq!(said.code, code, "{said:?}");
        let words = said.err.matches("bad.wav: sample 1 of frame 1 is NaN").count();
        assert_eq!(words, usize::from(sample.is_nan()), "each file is told of once: {}", said.err);
    }
    let said = place.run("simulate study.toml --data data --quiet");
    assert_eq!(said.code, Some(0), "{said:?}");
    for (run, played, other) in [("01", "good", "bad"), ("02", "bad", "good")] {
        let about = format!("data/sub-01/beh/sub-01_task-study_run-{run}_events.json");
        let about = std::fs::read_to_string(place.path(&about)).unwrap();
        assert!(about.contains(&format!("{played}.wav\\\"]")), "{about}");
        assert!(!about.contains(&format!("{other}.wav\\\"]")), "{about}");
    }
}

#[test]
fn a_soundfont_that_lies_about_its_parts_is_refused_in_one_sentence() {
    let place = Workspace::of(PROGRAM);
    place.file("t.toml", TRIAL);
    place.file("s.toml", "[channel.1]\nsound = \"bad.sf2\"\nkeys = \"60\"\n");
    let whole = crate::tiny::tiny_soundfont();
    let find = |part: &[u8]| whole.windows(4).position(|name| name == part).unwrap();
    for (part, at, bytes, why) in [
        // It would ask for 4 GB.
        (b"smpl", 4, 0xFFFF_FFFE_u32, "its part `smpl` says it has 4294967294 bytes"),
        // It would copy a list beyond its end.
        (b"pbag", 8, 0xFFFF_FFFF, "an index of its part `pbag` into `pgen` is wrong"),
        (b"inst", 28, 0xFFFF_FFFF, "an index of its part `inst` into `ibag` is wrong"),
    ] {
        let mut bad = whole.clone();
        let place_of = find(part) + at;
        bad[place_of..place_of + 4].copy_from_slice(&bytes.to_le_bytes());
        place.file("bad.sf2", bad);
        refused(&place, "render t.toml -o t.wav --sounds s.toml", why);
    }
}

//! A session with somebody at the terminal: what is shown, asked and typed, and what becomes
//! of it in the journal. And sessions that are killed, however often.

use chronotap_session::{Asked, Line, read_lines};
use chronotap_testkit::pass_over;
use chronotap_testkit_cli::program::{ANY_LATENESS, Numbers, Workspace, pause, start, wait_until};
use chronotap_testkit_cli::seat::Seat;
use chronotap_testkit_linux::terminal::Pty;
use rustix::process::Signal;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

const PROGRAM: &str = env!("CARGO_BIN_EXE_chronotap");

/// A trial of 0.2 s; nobody need tap.
const TRIAL: &str = "\
[input.pad]
[pacing.metronome]
interval = \"20 ms\"
start = \"10 ms\"
tone = { note = 76, duration = \"2 ms\" }
[[when]]
time = \"200 ms\"
end = true
";

/// A trial that only Ctrl-C ends.
const ENDLESS: &str = "[input.pad]\n[pacing.metronome]\ninterval = \"20 ms\"\n";

fn head(more: &str) -> String {
    format!(
        "title = \"Short\"\ntask = \"short\"\nparticipants = 3\nseed = 1\ntrial = \"trial.toml\"\n{more}"
    )
}

fn place(study: &str) -> Workspace {
    let place = Workspace::of(PROGRAM);
    place.file("study.toml", study);
    place.file("trial.toml", TRIAL);
    place
}

const RUN: &str = "run study.toml --participant 1 --data d --by NN --ordinary";

/// A session with somebody at the terminal, on a pad that is the far end of another one.
fn seat(place: &Workspace, pad: &Pty, more: &str) -> Seat {
    let command = format!("{RUN} {ANY_LATENESS} --in {} --out wire {more}", pad.port());
    Seat::at(place.chronotap(command.split_whitespace()))
}

fn journal(place: &Workspace) -> Vec<Line> {
    read_lines(&place.path("d/sourcedata/sub-01/sub-01_task-short_journal.jsonl")).unwrap()
}

fn begin(seat: &mut Seat) {
    seat.says("Participant 01 is new. Begin? (yes or no)");
    seat.types("yes");
    seat.says("Are the tones on output as they should be? (yes or no)");
    seat.types("no");
    seat.says("Are the tones on output as they should be? (yes or no)");
    seat.types("yes");
}

#[test]
fn a_pad_is_waited_for_where_every_output_has_a_name_of_its_own() {
    let place = place(&head("[[step]]\nname = \"main\"\ngo = \"tap\"\ngap = \"10 ms\"\n"));
    place.file("trial.toml", format!("[output.booth]\n{TRIAL}"));
    let pad = Pty::open();
    let command = format!("{RUN} {ANY_LATENESS} --in {} --out booth=wire", pad.port());
    let mut at = Seat::at(place.chronotap(command.split_whitespace()));
    at.says("Participant 01 is new. Begin? (yes or no)");
    at.types("yes");
    at.says("Are the tones on booth as they should be? (yes or no)");
    at.types("yes");
    at.says("Tap, or press Enter, to go on.");
    at.types("");
    at.says("trial 1 of 1");
    at.says("complete");
    assert_eq!(at.wait().code, Some(1)); // nobody tapped
}

#[test]
fn a_dataset_that_sounded_on_a_card_is_as_it_was_written() {
    let place = place(&head("[[step]]\nname = \"main\"\ngap = \"10 ms\"\n"));
    let run = place.run(&format!("{RUN} {ANY_LATENESS} --in wire --out tone:virtual"));
    assert_eq!(run.code, Some(1), "{run:?}"); // nobody tapped
    let beh = place.path("d/sub-01/beh/sub-01_task-short_run-01_callbacks.json");
    assert!(beh.exists(), "the card left its calls");
    let verified = place.run("verify d");
    assert_eq!(verified.code, Some(0), "{verified:?}");
    std::fs::write(beh, "{}").unwrap();
    place.is_foreign("d/sub-01/beh/sub-01_task-short_run-01_callbacks.json");
    assert_eq!(place.run("verify d").code, Some(1), "their description is one of its files");
}

#[test]
fn the_experimenter_pauses_repeats_skips_notes_and_stops_with_keys() {
    let place = place(&head(
        "[factor]\nx = [1, 2, 3, 4, 5]\n[[step]]\nname = \"main\"\nshuffle = \"none\"\ngo = \"key\"\ngap = \"10 ms\"\n",
    ));
    let pad = Pty::open();
    let mut at = seat(&place, &pad, "");
    begin(&mut at);
    at.says("(Press Enter to go on.)");
    at.types("");
    at.says("trial 1 of 5");
    at.says("(Press Enter to go on.)");
    at.types("nonsense");
    at.says("\"nonsense\" is no command");
    at.says("(Press Enter to go on.)");
    at.types("n door open");
    at.types("r she sneezed");
    at.says("(Press Enter to go on.)");
    at.types("");
    at.says("trial 1 of 5 (attempt 2)");
    at.says("(Press Enter to go on.)");
    at.types("p");
    at.says("The session is paused.");
    at.says("Enter: go on");
    at.types("n coffee");
    at.types("");
    at.says("(Press Enter to go on.)");
    at.types("");
    at.says("trial 2 of 5");
    at.says("(Press Enter to go on.)");
    at.types("s too loud outside");
    at.says("(Press Enter to go on.)");
    at.types("");
    at.says("trial 4 of 5");
    at.says("(Press Enter to go on.)");
    at.types("q");
    at.says("the same command goes on");
    let said = at.wait();
    assert_eq!(said.code, Some(1), "{said:?}");
    let lines = journal(&place);
    let typed = lines.iter().filter_map(|line| match line {
        Line::ToneConfirmed { by, .. } => Some(format!("tone {by}")),
        Line::Noted { text, by, .. } => Some(format!("noted {text} {by}")),
        Line::Repeated { run, reason, by, .. } => Some(format!("repeated {run} {reason} {by}")),
        Line::Paused { by, .. } => Some(format!("paused {by}")),
        Line::WentOn { by, .. } => Some(format!("went on {by}")),
        Line::Skipped { trial, reason, by, .. } => Some(format!("skipped {trial} {reason} {by}")),
        Line::Stopped { by, .. } => Some(format!("stopped {by}")),
        _ => None,
    });
    let expected = [
        "tone NN",
        "noted door open NN",
        "repeated 1 she sneezed NN",
        "paused NN",
        "noted coffee NN",
        "went on NN",
        "skipped 3 too loud outside NN",
        "stopped NN",
    ];
    assert_eq!(typed.collect::<Vec<_>>(), expected);
    // The tones are confirmed once, and it goes on where it was.
    let mut again = seat(&place, &pad, "");
    again.says("goes on, 4 of 5 trials done");
    again.says("(Press Enter to go on.)");
    again.types("");
    again.says("trial 5 of 5");
    again.says("complete");
    assert_eq!(again.wait().code, Some(1)); // nobody tapped
}

#[test]
fn ctrl_c_ends_the_trial_and_then_offers_repeat_skip_and_stop() {
    let place = place(&head(
        "[factor]\nx = [1, 2]\n[[step]]\nname = \"main\"\nshuffle = \"none\"\ngap = \"10 ms\"\n",
    ));
    place.file("trial.toml", ENDLESS);
    let pad = Pty::open();
    let mut at = seat(&place, &pad, "");
    begin(&mut at);
    at.says("\r "); // the trial is under way
    at.signal(Signal::INT);
    at.says("r REASON: run the last trial again");
    at.types("n what was that");
    at.says("r REASON");
    at.types("r startled");
    at.says("\r ");
    at.signal(Signal::INT);
    at.says("s REASON: leave the next one out");
    at.types("s broken");
    at.says("\r ");
    at.signal(Signal::INT);
    at.says("q: stop");
    at.types("q");
    let said = at.wait();
    assert_eq!(said.code, Some(1), "{said:?}");
    let lines = journal(&place);
    let of = |what: fn(&Line) -> bool| lines.iter().filter(|line| what(line)).count();
    assert_eq!(of(|l| matches!(l, Line::TrialEnded(e) if e.interrupted)), 3);
    assert_eq!(of(|l| matches!(l, Line::Repeated { run: 1, .. })), 1);
    assert_eq!(of(|l| matches!(l, Line::Skipped { trial: 1, .. })), 1);
    assert_eq!(place.run("verify d").code, Some(0));
}

#[test]
fn ctrl_c_at_the_menu_and_a_terminal_that_is_gone_stop_the_session() {
    let study =
        head("[[step]]\ntext = \"Welcome.\"\n[[step]]\nname = \"main\"\ntrial = \"trial.toml\"\n");
    let place = place(&study);
    let pad = Pty::open();
    let mut at = seat(&place, &pad, "");
    begin(&mut at);
    at.says("Welcome.");
    at.signal(Signal::INT);
    at.says("q: stop");
    at.signal(Signal::INT);
    assert_eq!(at.wait().code, Some(1));
    assert!(matches!(journal(&place).last(), Some(Line::Stopped { .. })));
    // It waits for a tap, and nobody will ever press a key.
    let mut again = seat(&place, &pad, "");
    again.says("Tap, or press Enter");
    again.closes();
    assert_eq!(again.wait().code, Some(1));
    let lines = journal(&place);
    let stops = lines.iter().filter(|line| matches!(line, Line::Stopped { .. })).count();
    assert_eq!(stops, 2);
    assert!(!lines.iter().any(|line| matches!(line, Line::Said { .. })));
}

#[test]
fn a_text_goes_on_at_a_tap_and_a_note_meanwhile_does_not_end_it() {
    let study = head(
        "[[step]]\ntext = \"Welcome.\"\n[[step]]\nname = \"main\"\ntrial = \"trial.toml\"\ngo = \"tap\"\n",
    );
    let place = place(&study);
    let pad = Pty::open();
    let mut at = seat(&place, &pad, "");
    begin(&mut at);
    at.says("Tap, or press Enter");
    at.types("n late");
    for what in ["said", "trial_began"] {
        wait_until(what, || {
            pad.send(&[0x90, 60, 100, 60, 0]);
            pause(700); // a tap answers only after half a second of silence
            journal(&place).iter().any(|line| word(line) == what)
        });
    }
    at.says("complete");
    at.wait();
    let lines = journal(&place);
    let place_of = |what| lines.iter().position(|line| word(line) == what).unwrap();
    assert!(place_of("said") < place_of("noted"), "the note ended the text: {lines:?}");
}

/// The word in the journal for what happened.
fn word(line: &Line) -> &'static str {
    match line {
        Line::Said { .. } => "said",
        Line::Noted { .. } => "noted",
        Line::TrialBegan(_) => "trial_began",
        _ => "another",
    }
}

#[test]
fn pairs_are_asked_each_for_themselves() {
    let study = head(
        "members = [\"left\", \"right\"]\n[participant]\nage = { question = \"Age in years\", number = [18, 99] }\n[question.effort]\ntext = \"How hard was that?\"\nscale = [1, 7]\nlabels = [\"easy\", \"hard\"]\n[[step]]\nname = \"main\"\ntrial = \"trial.toml\"\nask = \"effort\"\n",
    );
    let place = place(&study);
    place.file(
        "trial.toml",
        "[input.left]\n[input.right]\n[[when]]\ntime = \"50 ms\"\nend = true\n",
    );
    let pads = [Pty::open(), Pty::open()];
    let ports = format!("--in left={} --in right={} --out wire", pads[0].port(), pads[1].port());
    let command = format!("{RUN} {ANY_LATENESS} {ports} --answer age.left=20");
    let mut at = Seat::at(place.chronotap(command.split_whitespace()));
    at.says("Begin?");
    at.types("y");
    at.says("right: Age in years");
    at.types("17");
    at.says("Please answer with a number from 18 to 99");
    at.types("30");
    at.says("left: How hard was that?");
    at.says("(a whole number from 1 (easy) to 7 (hard))");
    at.types("2");
    at.says("right: How hard was that?");
    at.types("7");
    at.says("complete");
    at.wait();
    let people = std::fs::read_to_string(place.path("d/participants.tsv")).unwrap();
    assert_eq!(people, "participant_id\tk\tage.left\tage.right\nsub-01\t0\t20\t30\n");
    let table =
        std::fs::read_to_string(place.path("d/sub-01/beh/sub-01_task-short_beh.tsv")).unwrap();
    let table = chronotap_session::TsvTable::parse(&table).unwrap();
    assert_eq!(table.cell(&table.rows[0], "effort.left"), Some("2"));
    assert_eq!(table.cell(&table.rows[0], "effort.right"), Some("7"));
}

#[test]
fn a_participant_is_spoken_to_in_the_words_of_the_study_and_the_experimenter_in_english() {
    let study = format!(
        "language = \"de\"\n{}[participant]\nalter = {{ question = \"Wie alt bist du?\", number = [18, 99] }}\n[[step]]\ntext = \"Willkommen.\"\n[[step]]\nname = \"haupt\"\ntrial = \"trial.toml\"\ngo = \"key\"\n[words]\nnumber = \"eine Zahl von {{least}} bis {{greatest}}\"\nanswer_with = \"Bitte antworte mit: {{answer}}.\"\ntap_or_enter = \"Tippe, oder drück die Eingabetaste.\"\npress_enter = \"Drück die Eingabetaste.\"\n",
        head("")
    );
    let (place, pad) = (place(&study), Pty::open());
    let mut at = seat(&place, &pad, "");
    begin(&mut at);
    at.says("Wie alt bist du?");
    at.says("(eine Zahl von 18 bis 99)");
    at.types("7");
    at.says("Bitte antworte mit: eine Zahl von 18 bis 99.");
    at.types("30");
    at.says("Willkommen.");
    at.says("(Tippe, oder drück die Eingabetaste.)");
    at.types("");
    at.says("(Drück die Eingabetaste.)");
    at.types("");
    at.says("complete");
    at.wait();
}

#[test]
fn a_missing_result_is_asked_for_and_never_made_up() {
    let study = head(
        "[[step]]\nname = \"own\"\ntrial = \"trial.toml\"\nkeep = { tempo = \"median interval\" }\n[[step]]\nname = \"paced\"\ntrial = \"trial.toml\"\nset.pacing.metronome.interval = { result = \"own.tempo\", times = 2, within = [\"10 ms\", \"100 ms\"] }\n",
    );
    let place = place(&study);
    let pad = Pty::open();
    let ports = format!("--in {} --out wire", pad.port());
    let alone = place.run(&format!("{RUN} {ANY_LATENESS} {ports}"));
    assert_eq!(alone.code, Some(2), "{alone:?}");
    assert!(
        alone.err.contains("--answer own.tempo=") && alone.err.contains("5 ms to 50 ms"),
        "{alone:?}"
    );
    let mut at = seat(&place, &pad, "");
    at.says("goes on, 1 of 2");
    at.says("kept no result \"tempo\"");
    at.says("(a time from 5 ms to 50 ms)");
    at.types("70 ms");
    at.says("Please answer with a time");
    at.types("25 ms");
    at.says("complete");
    at.wait();
    let said = journal(&place).into_iter().find_map(|line| match line {
        Line::Answered(answered) if answered.asked == Asked::Result => Some(answered),
        _ => None,
    });
    assert_eq!(
        said.map(|said| (said.name, said.answer)),
        Some(("own.tempo".into(), "25 ms".into()))
    );
    let events =
        std::fs::read_to_string(place.path("d/sub-01/beh/sub-01_task-short_run-02_events.json"));
    assert!(events.unwrap().contains("50 ms"), "the trial has twice the answer");
}

#[test]
fn a_pad_check_shows_taps_finds_doubles_and_plays_the_tones() {
    let place = place(&head("[[step]]\nname = \"main\"\ntrial = \"trial.toml\"\n"));
    let pad = Pty::open();
    let mut at = seat(&place, &pad, "--dry");
    at.says("Tap on each pad");
    pad.send(&[0x90, 60, 100, 60, 0, 60, 12, 60, 0]); // at once, as a blow that bounces
    at.says("pad: note 60, velocity 100");
    at.says("velocity 12");
    at.types("");
    at.says("pad: 2 taps, velocity 100 to 100");
    at.says("1 came within 100 ms of a tap");
    at.says("debounce = \"");
    at.says("Are the tones on output as they should be?");
    at.types("yes");
    at.says("nothing was run");
    assert_eq!(at.wait().code, Some(0));
    assert!(!place.path("d").exists());
}

#[test]
fn a_pilot_begins_with_a_step_and_takes_nobodys_place() {
    let place = place(&head(
        "[[step]]\nname = \"one\"\ntrial = \"trial.toml\"\n[[step]]\nname = \"two\"\ntrial = \"trial.toml\"\n",
    ));
    let run = format!("{RUN} {ANY_LATENESS} --in wire --out wire");
    let refused = place.run(&format!("{run} --from two"));
    assert_eq!(refused.code, Some(2), "{refused:?}");
    let wrong = place.run(&format!("{run} --pilot --from tow"));
    assert!(wrong.code == Some(2) && wrong.err.contains("did you mean \"two\"?"), "{wrong:?}");
    let said = place.run(&format!("{run} --pilot --from two"));
    assert!(said.out.contains("complete"), "{said:?}");
    assert!(!place.path("d").exists());
    let table = place.path("d-pilot/sub-01/beh/sub-01_task-short_beh.tsv");
    let table = std::fs::read_to_string(table).unwrap();
    assert!(table.lines().count() == 2 && table.contains("\ttwo\t"), "{table}");
    assert_eq!(place.run("verify d-pilot").code, Some(0));
}

#[test]
fn an_answer_to_nothing_is_refused_with_the_nearest_name() {
    let place = place(&head(
        "[participant]\nage = { question = \"Age\", number = [18, 99] }\n[[step]]\nname = \"main\"\ntrial = \"trial.toml\"\n",
    ));
    let said = place.run(&format!("{RUN} --in wire --out wire --answer aeg=20"));
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.err.contains("did you mean \"age\"?"), "{said:?}");
}

#[test]
fn a_wrong_answer_is_refused_before_anything_is_run() {
    let place = place(&head(
        "[question.effort]\ntext = \"How hard?\"\nnumber = [0, 10]\n[[step]]\nname = \"main\"\ntrial = \"trial.toml\"\nask = [\"effort\"]\n",
    ));
    let said = place.run(&format!("{RUN} --in wire --out wire --answer effort=11"));
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.err.contains("--answer effort=11: expected"), "{said:?}");
    assert!(!place.path("d").exists(), "nothing was begun");
}

#[test]
fn a_mistyped_participant_is_asked_about_and_leaves_nothing() {
    let place = place(&head("[[step]]\nname = \"main\"\ntrial = \"trial.toml\"\n"));
    let pad = Pty::open();
    let mut at = seat(&place, &pad, "");
    at.says("Participant 01 is new. Begin? (yes or no)");
    at.types("no");
    at.says("not begun, as you said");
    assert_eq!(at.wait().code, Some(2));
    let people = std::fs::read_to_string(place.path("d/participants.tsv")).unwrap_or_default();
    assert!(!people.contains("sub-01"), "{people}");
    assert_eq!(place.run("verify d").code, Some(0));
}

#[test]
fn one_participant_has_one_session_at_once_and_two_booths_share_a_dataset() {
    let place = place(&head("[[step]]\nname = \"main\"\ntrial = \"trial.toml\"\n"));
    place.file("trial.toml", ENDLESS);
    let wires = format!("--data d --ordinary {ANY_LATENESS} --in wire --out wire");
    let command = format!("run study.toml --participant 1 {wires}");
    let first = start(place.chronotap(command.split(' ')));
    let journal = "sourcedata/sub-01/sub-01_task-short_journal.jsonl";
    let path = place.path("d").join(journal);
    let under_way =
        || std::fs::read_to_string(&path).is_ok_and(|text| text.contains("trial_began"));
    wait_until("the first is under way", under_way);
    let second = place.run(&command);
    assert_eq!(second.code, Some(2), "{second:?}");
    assert!(second.err.contains("under way in another program; end that one first"), "{second:?}");
    let other = command.replace("--participant 1", "--participant 2");
    let beside = start(place.chronotap(other.split(' ')));
    let path = place.path("d/sourcedata/sub-02/sub-02_task-short_journal.jsonl");
    let under_way =
        || std::fs::read_to_string(&path).is_ok_and(|text| text.contains("trial_began"));
    wait_until("the other booth is under way", under_way);
    for running in [first, beside] {
        running.signal(Signal::INT);
        assert_eq!(running.wait().code, Some(1)); // stopped, to go on another time
    }
    assert_eq!(place.run("verify d").code, Some(0));
}

#[test]
fn a_full_disk_and_a_read_only_folder_are_told_and_the_same_command_goes_on() {
    let study = head(
        "[factor]\nx = [1, 2, 3]\n[[step]]\nname = \"main\"\nshuffle = \"none\"\ngap = \"10 ms\"\n",
    );
    let place = place(&study);
    let disk = tempfile::tempdir().unwrap();
    let flags = ["-m", "-rm"].into_iter().find(|flags| {
        let mut command = Command::new("unshare");
        command.args([flags, "mount", "-t", "tmpfs", "tmpfs"]).arg(disk.path());
        command.output().is_ok_and(|output| output.status.success())
    });
    let Some(flags) = flags else {
        return pass_over("neither root nor a user name space may mount a small disk here");
    };
    let script = r#"
        mount -t tmpfs -o size=1m tmpfs "$1"
        run="$2 run study.toml --data $1/d --ordinary --limit-us=60000000 --simulate tapper"
        head -c 980000 /dev/zero >"$1/ballast"
        $run --participant 1; echo "full: $?"
        rm "$1/ballast"
        $run --participant 1; echo "free: $?"
        "$2" verify "$1/d"; echo "verified: $?"
        mount -o remount,ro tmpfs "$1"
        $run --participant 2; echo "read-only: $?"
    "#;
    let mut command = Command::new("unshare");
    command.current_dir(place.path("")).args([flags, "sh", "-c", script, "sh"]);
    command.env("XDG_STATE_HOME", place.path("state")); // for data that the disk refuses
    command.arg(disk.path()).arg(PROGRAM);
    let said = start(command).wait();
    assert!(said.out.contains("full: 2"), "{said:?}");
    assert!(said.err.contains("No space left on device"), "{said:?}");
    assert!(
        said.out.contains("The session is complete") && !said.out.contains("free: 2"),
        "{said:?}"
    );
    assert!(said.out.contains("verified: 0"), "{said:?}");
    assert!(said.out.contains("read-only: 2"), "{said:?}");
    assert!(said.err.contains("Read-only file system"), "{said:?}");
    for cure in ["free space; then give the same", "mount the disk for writing"] {
        assert!(said.err.contains(cure), "{cure}: {said:?}");
    }
}

#[test]
fn a_dataset_that_is_removed_in_mid_trial_is_told_at_once_and_is_to_be_put_back() {
    let place = place(&head("[[step]]\nname = \"main\"\ngap = \"10 ms\"\n"));
    place.file("trial.toml", ENDLESS);
    let pad = Pty::open();
    let mut seat = seat(&place, &pad, "--spare-data spare");
    begin(&mut seat);
    seat.says("\r "); // the trial is under way
    std::fs::rename(place.path("d"), place.path("elsewhere")).unwrap();
    seat.says("DATA FOLDER GONE");
    seat.signal(Signal::INT);
    let said = seat.wait();
    assert_eq!(said.code, Some(2), "{said:?}");
    let text = said.out.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in ["the folder of the data is gone: ", "; put the folder back; then give the same"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains("free space"), "{text}");
}

/// How often sessions are killed: more on demand.
fn kills() -> usize {
    std::env::var("CHRONOTAP_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(20)
}

#[test]
fn a_session_killed_at_random_moments_goes_on_with_the_same_command() {
    let study = head(
        "[factor]\nx = [1, 2, 3]\n[participant]\nage = { question = \"Age\", number = [18, 99] }\n[question.effort]\ntext = \"?\"\nscale = [1, 7]\n[[step]]\nname = \"main\"\nshuffle = \"all\"\ngap = \"5 ms\"\nask = \"effort\"\n",
    );
    let place = place(&study);
    let mut numbers = Numbers(7);
    let mut people = BTreeMap::new();
    let mut killed = 0;
    for label in 1.. {
        let command = format!(
            "run study.toml --participant {label} --data d --ordinary {ANY_LATENESS} --simulate tapper"
        );
        loop {
            let mut running = start(place.chronotap(command.split(' ')));
            if killed < kills() {
                pause(numbers.next().unwrap() % 700);
                if !running.has_ended() {
                    running.signal(Signal::KILL);
                    running.wait();
                    killed += 1;
                    continue;
                }
            }
            let said = running.wait();
            assert!(said.out.contains("The session is complete"), "{said:?}");
            break;
        }
        people.insert(label, ());
        if killed >= kills() {
            break;
        }
    }
    for label in people.keys() {
        assert_complete(&place.path("d"), *label);
    }
    let verified = place.run("verify d");
    assert_eq!(verified.code, Some(0), "{verified:?}");
}

/// Each planned trial counts once and was finished once, and each answer is there once.
fn assert_complete(dataset: &Path, label: u32) {
    let lines = read_lines(
        &dataset.join(format!("sourcedata/sub-{label:02}/sub-{label:02}_task-short_journal.jsonl")),
    );
    let lines = lines.unwrap();
    let ended = lines.iter().filter(|line| matches!(line, Line::TrialEnded(_))).count();
    let answers = lines.iter().filter(|line| matches!(line, Line::Answered(_))).count();
    assert_eq!((ended, answers), (3, 1 + 3), "participant {label}: {lines:?}");
    let table = dataset.join(format!("sub-{label:02}/beh/sub-{label:02}_task-short_beh.tsv"));
    let table =
        chronotap_session::TsvTable::parse(&std::fs::read_to_string(table).unwrap()).unwrap();
    let counts = table.rows.iter().filter(|row| table.cell(row, "counts") == Some("true"));
    assert_eq!(counts.count(), 3);
}

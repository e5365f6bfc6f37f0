//! A session that is cut short at any moment goes on at the right trial: nothing that was
//! finished is run again, nothing is lost, and the dataset is whole.

use crate::common::{STUDY, dataset, journal, lines, rows, sit, study, who};
use chronotap_session::status::status;
use chronotap_session::verify::verify;
use chronotap_session::{
    Dataset, Drawn, Ending, KeptError, KeptSession, Line, SessionDisk, SessionPorts, Study, Visit,
    Who,
};
use chronotap_visit::{Session, SessionError};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use tempfile::tempdir;

/// Planned trials that came to their end, and how often each did.
fn finished(lines: &[Line]) -> Vec<(usize, u32)> {
    let mut open = None;
    let mut done = Vec::new();
    for line in lines {
        match line {
            Line::TrialBegan(began) => open = Some((began.step, began.trial)),
            Line::TrialEnded(ended) if !ended.interrupted => done.extend(open),
            _ => {}
        }
    }
    done
}

/// Every planned trial is finished once, every answer is there once, and the dataset proves
/// itself.
fn assert_whole(root: &Path) {
    let study = study(STUDY);
    let lines = lines(root, &study);
    let done = finished(&lines);
    let once: BTreeSet<_> = done.iter().copied().collect();
    assert_eq!((done.len(), once.len()), (6, 6), "{done:?}");
    let answers: Vec<_> = lines
        .iter()
        .filter_map(|line| match line {
            Line::Answered(answered) => Some((answered.name.clone(), answered.asked)),
            _ => None,
        })
        .collect();
    let unique: std::collections::HashSet<_> = answers.iter().cloned().collect();
    assert_eq!((answers.len(), unique.len()), (1 + 6 + 2, 9), "{answers:?}");
    assert!(lines.iter().any(|line| matches!(line, Line::Completed { .. })));
    let counting = rows(root, &study).into_iter().filter(|row| row.3 == "true");
    let counting: BTreeSet<String> = counting.map(|row| row.1).collect();
    assert_eq!(counting.len(), 6);
    let verified = verify(&Dataset::open(root).unwrap()).unwrap();
    assert!(verified.problems.is_empty(), "{verified:?}");
}

#[test]
fn a_session_that_nobody_disturbs_is_whole() {
    let (dir, study) = (tempdir().unwrap(), study(STUDY));
    let root = dir.path().join("data");
    let dataset = dataset(&root, &study);
    assert_eq!(sit(&study, &dataset).unwrap(), Ending::Completed);
    assert_whole(&root);
    // The same command again finds nothing to do and changes nothing.
    let before = lines(&root, &study);
    assert_eq!(sit(&study, &dataset).unwrap(), Ending::Completed);
    assert_eq!(lines(&root, &study), before);
    assert_whole(&root);
}

#[test]
fn what_a_killed_program_was_writing_is_removed_by_the_same_command() {
    let (dir, study) = (tempdir().unwrap(), study(STUDY));
    let root = dir.path().join("data");
    let dataset = dataset(&root, &study);
    assert_eq!(sit(&study, &dataset).unwrap(), Ending::Completed);
    for folder in ["sub-01/beh", "sub-01", "sourcedata/sub-01"] {
        // No program has this number.
        fs::write(root.join(folder).join("chronotap-4294967295-1.part"), "half a table").unwrap();
    }
    assert!(!verify(&dataset).unwrap().problems.is_empty());
    assert_eq!(sit(&study, &dataset).unwrap(), Ending::Completed);
    assert_whole(&root);
}

#[test]
fn a_session_killed_at_any_write_goes_on_where_it_was() {
    goes_on_after(SessionDisk::that_is_full_after);
}

#[test]
fn a_session_killed_in_the_middle_of_any_line_goes_on_where_it_was() {
    goes_on_after(SessionDisk::that_is_torn_after);
}

fn goes_on_after(kill: impl Fn(u32) -> SessionDisk) {
    let study = study(STUDY);
    let mut operations = 0;
    loop {
        let dir = tempdir().unwrap();
        let root = dir.path().join("data");
        let killed = Dataset::open_or_make(&root, &study.about, true, kill(operations))
            .map(|dataset| sit(&study, &dataset));
        let survived = matches!(killed, Ok(Ok(Ending::Completed)));
        if !survived {
            assert_eq!(sit(&study, &dataset(&root, &study)).unwrap(), Ending::Completed);
        }
        assert_whole(&root);
        if survived {
            break;
        }
        operations += 1;
    }
    assert!(operations > 40, "only {operations} writes");
}

#[test]
fn a_session_killed_again_and_again_still_comes_to_its_end() {
    let study = study(STUDY);
    for every in 1..40 {
        let dir = tempdir().unwrap();
        let root = dir.path().join("data");
        let mut ending = None;
        for more in 0..200 {
            let disk = SessionDisk::that_is_full_after(8 + every + more);
            let dataset = Dataset::open_or_make(&root, &study.about, true, disk);
            if let Ok(Ok(end)) = dataset.map(|dataset| sit(&study, &dataset)) {
                ending = Some(end);
                break;
            }
        }
        assert_eq!(ending, Some(Ending::Completed), "killed every {every} writes and more");
        assert_whole(&root);
    }
}

/// Removes the files of trials that had not begun when the journal was this long.
fn forget_later_trials(root: &Path, place: &Visit, begun: u32) {
    for run in begun + 1..=6 {
        for path in [place.events(run), place.events(run).with_extension("json")] {
            let _ = fs::remove_file(root.join(path));
        }
    }
}

#[test]
fn a_journal_cut_at_any_byte_goes_on_at_the_right_trial() {
    let (dir, study) = (tempdir().unwrap(), study(STUDY));
    let root = dir.path().join("data");
    sit(&study, &dataset(&root, &study)).unwrap();
    let path = journal(&root, &study);
    let whole = fs::read(&path).unwrap();
    let place = study.place("01", 1);
    let kept = dir.path().join("kept");
    copy(&root, &kept);
    for cut in 0..=whole.len() {
        // Within a line every byte is the same to the reader (a test of the journal); here the
        // first, the middle and the last of each line stand for them.
        let line = &whole[whole[..cut].iter().rposition(|b| *b == b'\n').map_or(0, |n| n + 1)..cut];
        let rest = whole[cut..].iter().position(|byte| *byte == b'\n');
        if !line.is_empty() && line.len() != 40 && rest != Some(0) {
            continue;
        }
        fs::remove_dir_all(&root).unwrap();
        copy(&kept, &root);
        fs::write(&path, &whole[..cut]).unwrap();
        let begun =
            lines(&root, &study).iter().filter(|l| matches!(l, Line::TrialBegan(_))).count();
        forget_later_trials(&root, &place, begun as u32);
        assert_eq!(sit(&study, &dataset(&root, &study)).unwrap(), Ending::Completed, "cut {cut}");
        assert_whole(&root);
    }
}

#[test]
fn a_session_is_refused_where_the_study_has_other_steps_even_with_changed() {
    let (dir, planned) = (tempdir().unwrap(), study(STUDY));
    let root = dir.path().join("data");
    let mut frontend = Drawn::new(planned.experiment.seed, "01", 1);
    drop(Session::open(&planned, &dataset(&root, &planned), &who(), &mut frontend).unwrap());
    let who = Who { changed_is_fine: true, ..who() };
    let welcome = "[[step]]\ntext = \"Welcome.\"\n";
    let thanks = "[[step]]\ntext = \"Thank you.\"\n";
    let no_trials = "[[step]]\nname = \"main\"\ntext = \"No trials.\"\n";
    let (before, main) = STUDY.split_once("[[step]]\nname = \"main\"\n").unwrap();
    let cases = [
        (STUDY.replace(welcome, &format!("{thanks}{welcome}")), Some("main")),
        (STUDY.replace(welcome, ""), Some("step-1")),
        (STUDY.replace(thanks, ""), Some("step-3")),
        (STUDY.replace("\"main\"", "\"other\""), Some("main")),
        (format!("{before}{no_trials}[[step]]\nname = \"second\"\n{main}"), Some("main")),
        (STUDY.replace("Welcome.", "Good morning."), None),
        (format!("{STUDY}{thanks}"), None),
    ];
    for (text, refused) in cases {
        let changed = study(&text);
        let dataset = dataset(&root, &changed);
        let tried = Session::try_out(&changed, Some(&dataset), &who).err();
        let opened = Session::open(&changed, &dataset, &who, &mut frontend).err();
        for error in [tried, opened] {
            match (error, refused) {
                (Some(SessionError::OtherSteps { step, .. }), Some(due)) => assert_eq!(step, due),
                (error, due) => assert!(error.is_none() && due.is_none(), "{error:?}, {due:?}"),
            }
        }
    }
}

#[test]
fn a_session_is_refused_where_the_study_has_other_factors_even_with_changed() {
    let (dir, planned) = (tempdir().unwrap(), study(STUDY));
    let root = dir.path().join("data");
    let mut frontend = Drawn::new(planned.experiment.seed, "01", 1);
    drop(Session::open(&planned, &dataset(&root, &planned), &who(), &mut frontend).unwrap());
    let who = Who { changed_is_fine: true, ..who() };
    let changed = study(&STUDY.replace("[factor]\n", "[factor]\nroom = [\"a\", \"b\"]\n"));
    let refused = Session::open(&changed, &dataset(&root, &changed), &who, &mut frontend).err();
    let Some(SessionError::OtherFactors { factors, .. }) = refused else { panic!("{refused:?}") };
    assert_eq!(factors, planned.experiment.factor_names());
}

#[test]
fn whoever_goes_on_finds_the_ports_that_the_session_had_last() {
    let (dir, study) = (tempdir().unwrap(), study(STUDY));
    let root = dir.path().join("data");
    let on = |pad: &str| {
        let of = |name: &str, port: &str| [(name.to_owned(), port.to_owned())].into();
        let ports = SessionPorts { inputs: of("pad", pad), outputs: of("sound", "tone:") };
        let who = Who { simulated: None, ports: ports.clone(), ..who() };
        drop(Session::open(&study, &dataset(&root, &study), &who, &mut drawn(&study)).unwrap());
        ports
    };
    let found = || status(&Dataset::open(&root).unwrap()).unwrap().began[0].ports.clone();
    for pad in ["alsa:Drum Pad", "evdev:Booth Keyboard"] {
        let ports = on(pad);
        assert_eq!(found(), ports, "{pad}");
    }
    // Where nobody named any, the last ones are what is known.
    let who = Who { simulated: None, ..who() };
    drop(Session::open(&study, &dataset(&root, &study), &who, &mut drawn(&study)).unwrap());
    assert_eq!(found().inputs["pad"], "evdev:Booth Keyboard");
}

fn drawn(study: &Study) -> Drawn {
    Drawn::new(study.experiment.seed, "01", 1)
}

#[test]
fn a_plan_that_was_damaged_is_told_and_nothing_panics() {
    let (dir, study) = (tempdir().unwrap(), study(STUDY));
    let root = dir.path().join("data");
    sit(&study, &dataset(&root, &study)).unwrap();
    let plan = root.join(study.place("01", 1).plan_as_json());
    let text = fs::read_to_string(&plan).unwrap();
    fs::write(&plan, text.replacen("\"index\":1", "\"index\":9", 1)).unwrap();
    assert!(fs::read_to_string(&plan).unwrap() != text, "{text}");
    let journal = study.place("01", 1).journal();
    let read = KeptSession::read(&dataset(&root, &study), &journal);
    assert!(matches!(read, Err(KeptError::NoPlan { .. })), "{read:?}");
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        match entry.path().is_dir() {
            true => copy(&entry.path(), &to),
            false => drop(fs::copy(entry.path(), to).unwrap()),
        }
    }
}

//! What vanishes in the middle of a session is said at once and written again; what cannot be is
//! named, and the session is not called complete. Through a link that takes the place of a folder
//! nothing is written.

use crate::common::{STUDY, dataset, run_open, study, who};
use chronotap_session::verify::verify;
use chronotap_session::{
    Announcement, Dataset, Drawn, Ending, Frontend, FrontendError, Prompt, Reply, Study, Wish,
};
use chronotap_visit::{Session, SessionError};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use tempfile::tempdir;

/// A frontend beside which somebody does harm once, when so much was told.
struct Beside<'a> {
    drawn: Drawn,
    told: usize,
    after: usize,
    harm: &'a mut dyn FnMut(),
    remarks: Vec<(usize, String)>, // with how much was told until then
}

impl Frontend for Beside<'_> {
    fn show_text(&mut self, text: &str) -> Result<(), FrontendError> {
        self.drawn.show_text(text)
    }
    fn ask(&mut self, prompt: &Prompt<'_>) -> Result<Reply, FrontendError> {
        self.drawn.ask(prompt)
    }
    nobody_is_there!(drawn);
    fn choose(&mut self) -> Result<Wish, FrontendError> {
        self.drawn.choose()
    }
    fn tell(&mut self, told: &Announcement<'_>) {
        match told {
            Announcement::Remark(said) => self.remarks.push((self.told, (*said).to_owned())),
            Announcement::Ended(_) => {}
            _ => {
                self.told += 1;
                if self.told == self.after {
                    (self.harm)();
                }
            }
        }
    }
}

type Sat = (Result<Ending, SessionError>, Vec<(usize, String)>, usize);

/// A session beside which this is done when so much was told.
fn sit_beside(root: &Path, study: &Study, after: usize, harm: &mut dyn FnMut()) -> Sat {
    let dataset = dataset(root, study);
    let drawn = Drawn::new(study.experiment.seed, "01", 1);
    let mut frontend = Beside { drawn, told: 0, after, harm, remarks: Vec::new() };
    let mut session = Session::open(study, &dataset, &who(), &mut frontend).unwrap();
    let ended = run_open(&mut session, study, &mut frontend);
    (ended, frontend.remarks, frontend.told)
}

/// How much is told in a session that nobody disturbs.
fn all_told(study: &Study) -> usize {
    let dir = tempdir().unwrap();
    let (ended, _, told) = sit_beside(&dir.path().join("d"), study, 0, &mut || {});
    assert_eq!(ended.unwrap(), Ending::Completed);
    told
}

fn remove(path: &Path) {
    let removed = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    removed.unwrap_or_else(|e| panic!("{}: {e}", path.display()));
}

#[test]
fn what_vanishes_in_the_middle_of_a_session_is_said_at_once_and_written_again() {
    let study = study(STUDY);
    let (all, place) = (all_told(&study), study.place("01", 1));
    let files = [
        (PathBuf::from("participants.tsv"), 2),
        ("participants.json".into(), 2),
        ("README.md".into(), 2),
        ("dataset_description.json".into(), 2),
        ("task-small_events.json".into(), 2),
        (place.journal(), 2),
        (place.plan_as_json(), 2),
        (place.plan(), 2),
        (place.checksums(), 14),
        (place.source(), 14),
        (place.table(), 14),
        (place.table_description(), 14),
        (place.scans(), 14),
    ];
    for (file, from) in files {
        for after in [from, from + 1, from + 2, all / 2 + 3, all - 1, all] {
            let dir = tempdir().unwrap();
            let root = dir.path().join("d");
            let harmed = root.join(&file);
            let (ended, remarks, told) = sit_beside(&root, &study, after, &mut || remove(&harmed));
            let case = format!("{} after {after} of {all}", file.display());
            assert_eq!(
                ended.unwrap_or_else(|e| panic!("{case}: {e}")),
                Ending::Completed,
                "{case}"
            );
            let name = file.file_name().unwrap().to_str().unwrap();
            let said =
                remarks.iter().find(|(_, said)| said.contains(name) && said.contains("again"));
            let (when, _) = said.unwrap_or_else(|| panic!("{case}: {remarks:?}"));
            // A trial tells three things until its step is over.
            assert!(*when <= after + 3 && told == all, "{case}: said only after {when}");
            assert!(harmed.exists(), "{case}");
            let problems = verify(&Dataset::open(&root).unwrap()).unwrap().problems;
            assert!(problems.is_empty(), "{case}: {problems:?}");
        }
    }
}

#[test]
fn a_session_whose_trials_vanish_says_so_and_is_not_complete() {
    let study = study(STUDY);
    let dir = tempdir().unwrap();
    let root = dir.path().join("d");
    let events = study.place("01", 1).events(1);
    let (kept, path) = (dir.path().join("kept"), root.join(&events));
    let (ended, remarks, _) =
        sit_beside(&root, &study, 14, &mut || fs::rename(&path, &kept).unwrap());
    let refused = ended.unwrap_err();
    assert!(matches!(&refused, SessionError::Gone { paths } if paths.len() == 1), "{refused}");
    assert!(remarks.iter().any(|(_, said)| said.contains("run-01_events.tsv: is gone")));
    fs::rename(&kept, &path).unwrap();
    let (ended, ..) = sit_beside(&root, &study, 0, &mut || {});
    assert_eq!(ended.unwrap(), Ending::Completed);
    let found = verify(&Dataset::open(&root).unwrap()).unwrap();
    assert!(found.problems.is_empty(), "{found:?}");
}

/// Every file in a folder and below, with what it holds.
fn all_in(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => all.extend(all_in(&path)),
            false => all.push((path.clone(), fs::read(&path).unwrap())),
        }
    }
    all.sort();
    all
}

#[test]
fn nothing_is_written_through_a_link_that_takes_the_place_of_a_folder() {
    let study = study(STUDY);
    let all = all_told(&study);
    for folder in ["sub-01", "sub-01/beh", "sourcedata", "sourcedata/sub-01"] {
        for after in [2, 5, 9, 14, all / 2, all / 2 + 1, all] {
            for leads_back in [false, true] {
                let dir = tempdir().unwrap();
                let (root, theirs) = (dir.path().join("d"), dir.path().join("theirs"));
                let there = root.join(folder);
                let mut before = Vec::new();
                let mut harm = || {
                    let moved = if leads_back { theirs.clone() } else { dir.path().join("moved") };
                    fs::rename(&there, &moved).unwrap();
                    if !leads_back {
                        fs::create_dir(&theirs).unwrap();
                    }
                    symlink(&theirs, &there).unwrap();
                    before = all_in(&theirs);
                };
                let (ended, ..) = sit_beside(&root, &study, after, &mut harm);
                let case = format!("{folder} after {after}, back: {leads_back}");
                let refused = ended.map_or_else(|e| e.to_string(), |e| panic!("{case}: {e:?}"));
                assert!(refused.contains("such as a link"), "{case}: {refused}");
                assert_eq!(all_in(&theirs), before, "{case}");
            }
        }
    }
}

#[test]
fn a_link_that_was_there_from_the_beginning_may_stay() {
    let study = study(STUDY);
    let dir = tempdir().unwrap();
    let (root, elsewhere) = (dir.path().join("d"), dir.path().join("elsewhere"));
    fs::create_dir_all(elsewhere.join("beh")).unwrap();
    dataset(&root, &study);
    symlink(&elsewhere, root.join("sub-01")).unwrap();
    let (ended, ..) = sit_beside(&root, &study, 0, &mut || {});
    assert_eq!(ended.unwrap(), Ending::Completed);
}

//! [`JobFolder`]: the folder of a job, among the sockets of this user alone. It holds what the
//! command is, what it has printed, and how it ended; so a server that was killed and started
//! again finds every job.

use crate::paths::exact;
use chronotap_core::files::{create_new, read_to_string};
use rustix::fs::{FlockOperation, flock};
use rustix::process::{Pid, Signal, kill_process_group};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::ffi::OsString;
use std::fs::{DirBuilder, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Jobs that are kept to be looked at; older ones are forgotten. Their results stay where
/// they were put.
const KEPT: usize = 20;
/// The file of a job's folder that says how far it is, while there is something to say.
pub(super) const PROGRESS: &str = "progress";
/// Bytes of what a command printed that are shown, the last.
const SHOWN: u64 = 256 * 1024;

/// What a job is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(in crate::server) struct About {
    /// What it tells, in words.
    pub(in crate::server) title: String,
    /// The arguments of the program.
    pub(super) arguments: Vec<OsString>,
    /// About how long it takes, in words, where that is known.
    #[serde(default)]
    pub(super) lasts: Option<String>,
    page: Leaves,
}

/// What is left to be looked at.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Leaves {
    /// Nothing but words.
    Nothing,
    /// A page in this folder, with this in its name.
    Page(#[serde(with = "exact")] PathBuf, String),
    /// An events file in this folder, of which a page can be made.
    Events(#[serde(with = "exact")] PathBuf),
}

impl About {
    pub(super) fn new(title: &str, arguments: impl IntoIterator<Item = &'static str>) -> About {
        let arguments = arguments.into_iter().map(Into::into).collect();
        About { title: title.to_owned(), arguments, lasts: None, page: Leaves::Nothing }
    }

    pub(super) fn add<A: Into<OsString>>(
        &mut self,
        more: impl IntoIterator<Item = A>,
    ) -> &mut About {
        self.arguments.extend(more.into_iter().map(Into::into));
        self
    }

    pub(super) fn option(
        &mut self,
        option: &str,
        value: impl AsRef<std::ffi::OsStr>,
    ) -> &mut About {
        self.arguments.push(super::joined(option, value.as_ref()));
        self
    }

    pub(super) fn page(&mut self, folder: &Path, named: &str) {
        self.page = Leaves::Page(folder.to_owned(), named.to_owned());
    }

    pub(super) fn events(&mut self, folder: &Path) {
        self.page = Leaves::Events(folder.to_owned());
    }

    /// The command as one would type it.
    pub(in crate::server) fn typed(&self) -> String {
        let words = self.arguments.iter().map(|word| quoted(&word.to_string_lossy()));
        format!("chronotap {}", words.collect::<Vec<_>>().join(" "))
    }
}

fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./:=,@%+".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

/// The folder of a new job, and its lock, which is held as long as the job runs.
#[derive(Debug)]
pub(super) struct JobFolder {
    pub(super) number: u32,
    pub(super) folder: PathBuf,
    pub(super) lock: File,
}

impl JobFolder {
    /// Makes the folder, for this user alone.
    pub(super) fn make(sockets: &Path, about: &About) -> io::Result<JobFolder> {
        forget_old(sockets);
        let number = numbers(sockets).last().map_or(1, |last| last + 1);
        let folder = folder(sockets, number);
        DirBuilder::new().mode(0o700).create(&folder)?;
        let lock = create_new(&folder.join("lock"))?;
        flock(&lock, FlockOperation::LockExclusive)?;
        serde_json::to_writer(create_new(&folder.join("about.json"))?, about)?;
        create_new(&folder.join("said"))?;
        Ok(JobFolder { number, folder, lock })
    }
}

fn folder(sockets: &Path, number: u32) -> PathBuf {
    sockets.join(format!("job-{number}"))
}

/// The numbers of the jobs that are kept, ascending.
pub(in crate::server) fn numbers(sockets: &Path) -> Vec<u32> {
    let Ok(entries) = std::fs::read_dir(sockets) else { return Vec::new() };
    let names = entries.filter_map(Result::ok).map(|entry| entry.file_name());
    let number = |name: OsString| name.to_str()?.strip_prefix("job-")?.parse().ok();
    let mut numbers: Vec<u32> = names.filter_map(number).collect();
    numbers.sort_unstable();
    numbers
}

fn forget_old(sockets: &Path) {
    let all = numbers(sockets);
    let old = all.len().saturating_sub(KEPT - 1);
    for number in &all[..old] {
        let folder = folder(sockets, *number);
        if !runs(&folder) {
            let _ = std::fs::remove_dir_all(folder); // of what was asked, nothing depends on it
        }
    }
}

/// The job that is under way.
pub(in crate::server) fn running(sockets: &Path) -> Option<u32> {
    numbers(sockets).into_iter().rev().find(|number| runs(&folder(sockets, *number)))
}

/// Whether somebody holds the lock: the program that has it as its standard input. Whoever looks
/// shares it for a moment, and is in nobody's way.
fn runs(folder: &Path) -> bool {
    let Ok(lock) = File::open(folder.join("lock")) else { return false };
    flock(&lock, FlockOperation::NonBlockingLockShared).is_err()
}

/// How a job stands.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(in crate::server) struct State {
    pub(in crate::server) number: u32,
    pub(in crate::server) title: String,
    /// The command, as one would type it.
    command: String,
    /// About how long it takes, in words.
    lasts: Option<String>,
    /// How far it is, in words, where the command tells.
    progress: Option<String>,
    /// What it has printed.
    said: String,
    pub(in crate::server) over: bool,
    /// Its exit status, once it is over and did not vanish.
    status: Option<i32>,
    /// Whether there is a page.
    page: bool,
}

impl State {
    /// For the list of jobs.
    pub(in crate::server) fn in_brief(&self) -> Value {
        let State { number, title, lasts, over, status, .. } = self;
        json!({ "number": number, "title": title, "lasts": lasts, "over": over, "status": status })
    }
}

/// How the job of this number stands.
pub(in crate::server) fn state(sockets: &Path, number: u32) -> Option<State> {
    let folder = folder(sockets, number);
    let about = about(&folder)?;
    let over = !runs(&folder);
    let status = read_to_string(&folder.join("status")).unwrap_or_default();
    let page = over && left(&folder, &about).is_some();
    Some(State {
        number,
        command: about.typed(),
        title: about.title,
        lasts: about.lasts,
        progress: read_to_string(&folder.join(PROGRESS)).ok().filter(|_| !over),
        said: said(&folder.join("said")).unwrap_or_default(),
        over,
        status: status.trim().parse().ok(),
        page,
    })
}

fn about(folder: &Path) -> Option<About> {
    serde_json::from_str(&read_to_string(&folder.join("about.json")).ok()?).ok()
}

/// The end of what was printed.
fn said(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(SHOWN)))?;
    let mut bytes = Vec::new();
    file.take(SHOWN).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Asks the command to end, as Ctrl-C does; `false` where it has ended.
pub(in crate::server) fn stop(sockets: &Path, number: u32) -> bool {
    let folder = folder(sockets, number);
    let pid = read_to_string(&folder.join("pid")).ok();
    let pid = pid.and_then(|pid| Pid::from_raw(pid.trim().parse().ok()?));
    // While the lock is held the number is that of this job and of no other program.
    pid.is_some_and(|pid| runs(&folder) && kill_process_group(pid, Signal::INT).is_ok())
}

/// What a job has left: a page, or an events file and where a page of it would be.
pub(in crate::server) enum Left {
    Page(PathBuf),
    Events { events: PathBuf, page: PathBuf },
}

/// What the job of this number has left, once it is over.
pub(in crate::server) fn left_by(sockets: &Path, number: u32) -> Option<Left> {
    let folder = folder(sockets, number);
    let about = about(&folder)?;
    if runs(&folder) { None } else { left(&folder, &about) }
}

fn left(folder: &Path, about: &About) -> Option<Left> {
    let since = folder.join("about.json").metadata().and_then(|file| file.modified()).ok()?;
    match &about.page {
        Leaves::Nothing => None,
        Leaves::Page(place, named) => {
            let wanted = |name: &str| name.contains(named.as_str()) && name.ends_with(".html");
            newest(place, since, wanted).map(Left::Page)
        }
        Leaves::Events(place) => {
            let events = newest(place, since, |name| name.ends_with("_events.tsv"))?;
            Some(Left::Events { events, page: folder.join("page.html") })
        }
    }
}

/// The newest file of such a name that was written since.
fn newest(place: &Path, since: SystemTime, wanted: impl Fn(&str) -> bool) -> Option<PathBuf> {
    let entries = std::fs::read_dir(place).ok()?.filter_map(Result::ok);
    let named = entries.filter(|entry| entry.file_name().to_str().is_some_and(&wanted));
    let dated = named.filter_map(|entry| {
        let modified = entry.metadata().ok()?.modified().ok()?;
        (modified >= since).then(|| (modified, entry.path()))
    });
    dated.max().map(|(_, path)| path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_job_runs_as_long_as_its_lock_is_held() {
        let dir = tempfile::tempdir().unwrap();
        let about = About::new("Doctor", ["doctor"]);
        let place = JobFolder::make(dir.path(), &about).unwrap();
        assert_eq!(running(dir.path()), Some(1));
        std::fs::write(place.folder.join(PROGRESS), "3 of 20 participants").unwrap();
        let state = || state(dir.path(), 1).unwrap();
        assert_eq!((state().over, &*state().progress.unwrap()), (false, "3 of 20 participants"));
        drop(place.lock);
        assert_eq!(running(dir.path()), None);
        assert_eq!(state().progress, None, "one that was killed leaves its file");
        std::fs::write(place.folder.join("said"), "all is well\n").unwrap();
        std::fs::write(place.folder.join("status"), "0\n").unwrap();
        let state = state();
        assert_eq!((state.over, state.status, state.page), (true, Some(0), false));
        assert_eq!(state.said, "all is well\n");
        assert!(!stop(dir.path(), 1), "a number that may be another program's by now");
    }

    #[test]
    fn only_a_page_that_the_job_itself_left_is_shown() {
        let dir = tempfile::tempdir().unwrap();
        let timing = dir.path().join("timing");
        std::fs::create_dir(&timing).unwrap();
        let old = File::create(timing.join("host_loop_run-01.html")).unwrap();
        old.set_modified(SystemTime::UNIX_EPOCH).unwrap();
        let mut about = About::new("Loop", ["timing"]);
        about.page(&timing, "_loop_");
        drop(JobFolder::make(dir.path(), &about).unwrap());
        assert!(left_by(dir.path(), 1).is_none());
        std::fs::write(timing.join("host_wakeup_run-01.html"), "").unwrap();
        assert!(left_by(dir.path(), 1).is_none());
        std::fs::write(timing.join("host_loop_run-02.html"), "").unwrap();
        let Some(Left::Page(page)) = left_by(dir.path(), 1) else { panic!("there is one") };
        assert_eq!(page, timing.join("host_loop_run-02.html"));
    }

    #[test]
    fn old_jobs_are_forgotten() {
        let dir = tempfile::tempdir().unwrap();
        let about = About::new("Doctor", ["doctor"]);
        (0..KEPT + 5).for_each(|_| drop(JobFolder::make(dir.path(), &about).unwrap()));
        assert_eq!((numbers(dir.path()).len(), numbers(dir.path())[0]), (KEPT, 6));
    }
}

//! [`begin`]: a session is started as a program of its own, which outlives the server: it is
//! given a session of the system and no terminal, and what it says goes to a file.

use super::{ServerState, Settings, folder, job, session};
use crate::place::number_of;
use crate::request::{LONGEST_TEXT, one_line};
use crate::scene::Phase;
use rustix::fs::{FlockOperation, flock};
use serde::Deserialize;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;
use tokio::process::Command;
use tokio::time::sleep;

/// What the form says.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Form {
    /// The study, by its path in the list.
    study: PathBuf,
    /// The participant's label.
    participant: String,
    /// The session, from 1.
    session: u32,
    /// The experimenter's name.
    by: String,
    /// The name of the dataset's folder, beside the study.
    data: String,
    /// Whether a simulated participant taps.
    simulated: bool,
    /// Whether it goes on although files of the study have changed.
    #[serde(default)]
    changed: bool,
}

/// How often it is looked whether a program that was started can be reached.
const STEP: Duration = Duration::from_millis(100);

/// Starts a session; its number, or a sentence that says why there is none.
pub(super) async fn begin(server: &ServerState, form: Form) -> Result<u32, String> {
    let settings = &server.settings;
    let study = {
        let (folder, path) = (settings.folder.clone(), form.study.clone());
        let memory = Arc::clone(&server.memory);
        let found = tokio::task::spawn_blocking(move || folder::study(&folder, &path, &memory));
        found.await.ok().flatten()
    };
    let study = study.ok_or("there is no such study in this folder; load the page again")?;
    let data = dataset(&study, &form)?;
    refuse_complete(&study, &data, &form).await?;
    let _alone = session::alone(&settings.sockets)?;
    if job::job_folder::running(&settings.sockets).is_some() {
        return Err("a test or trial is under way, which would disturb it; wait for its end".into());
    }
    // Both would have their trials on one processor.
    if let Some(why) = session::disturbed(&settings.sockets).await {
        return Err(why);
    }
    let before = session::numbers(&settings.sockets);
    let log = settings.sockets.join(LOG);
    let said = log_file(&log).map_err(|error| format!("{}: {error}", log.display()))?;
    let simulated = simulated(settings, &study, &form).await?;
    let mut program = program(settings, &study, &data, &form, simulated.as_deref());
    program.stdin(Stdio::null()).stdout(Stdio::null()).stderr(said);
    let started =
        program.status().await.map_err(|error| format!("setsid: {error}; install util-linux"))?;
    drop(program); // and with it what is held here of the lock
    if !started.success() {
        return Err("setsid could not start the session".into());
    }
    found(settings, &before, &log).await
}

/// Who taps in a rehearsal: an observer, say, where the study asks for judgements.
async fn simulated(
    settings: &Settings,
    study: &Path,
    form: &Form,
) -> Result<Option<String>, String> {
    if !form.simulated || settings.model.is_some() {
        return Ok(settings.model.clone().filter(|_| form.simulated));
    }
    let study = study.to_owned();
    let usual = tokio::task::spawn_blocking(move || folder::usual_model(&study));
    let usual = usual
        .await
        .ok()
        .flatten()
        .ok_or("the study cannot be read any more; load the page again")?;
    Ok(Some(usual))
}

/// The program of a session. `setsid --fork` makes it a child of nobody here.
fn program(
    settings: &Settings,
    study: &Path,
    data: &Path,
    form: &Form,
    simulated: Option<&str>,
) -> Command {
    let mut program = Command::new("setsid");
    program.arg("--fork").arg(&settings.program).arg("run").arg(study);
    program.arg("--participant").arg(&form.participant);
    program.arg("--session").arg(form.session.to_string());
    program.arg("--data").arg(data).arg("--paged");
    if !form.by.trim().is_empty() {
        program.arg("--by").arg(form.by.trim());
    }
    if let Some(model) = simulated {
        program.arg("--simulate").arg(model);
    }
    program.args(form.changed.then_some("--changed"));
    program.args(settings.options_of(form.simulated));
    program
}

/// The dataset's folder: beside the study, under a plain name.
fn dataset(study: &Path, form: &Form) -> Result<PathBuf, String> {
    let plain = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    let name = &form.data;
    if name.is_empty() || name.len() > 60 || !name.chars().all(plain) || name.starts_with('-') {
        return Err("the folder for the data: use letters, digits, - and _".into());
    }
    let label = &form.participant;
    if label.is_empty() || label.len() > 40 || !label.chars().all(|c| c.is_ascii_alphanumeric()) {
        return Err("the participant: use letters and digits, as in 07".into());
    }
    if form.by.trim().starts_with('-') {
        return Err("the experimenter: a name does not begin with -".into());
    }
    if !form.by.trim().is_empty() && one_line(&form.by).is_err() {
        return Err(format!(
            "the experimenter: a name is one line of at most {LONGEST_TEXT} letters"
        ));
    }
    Ok(study.parent().unwrap_or(Path::new("")).join(name))
}

/// A session that is complete would be over before its page could be opened.
async fn refuse_complete(study: &Path, data: &Path, form: &Form) -> Result<(), String> {
    let (study, data) = (study.to_owned(), data.to_owned());
    let (label, session) = (form.participant.clone(), form.session);
    let complete = move || folder::complete(&study, &data, &label, session);
    match tokio::task::spawn_blocking(complete).await.ok().flatten() {
        Some(label) => Err(format!(
            "participant {label} has completed session {session}: nothing is left to run; enter \
             another participant or session"
        )),
        None => Ok(()),
    }
}

/// What the program says before it can be reached; nothing of an earlier one. It is locked, and the
/// program holds the lock as long as it runs: this is its standard error.
fn log_file(path: &Path) -> io::Result<File> {
    let _ = std::fs::remove_file(path);
    let log = chronotap_core::files::create_new(path)?;
    flock(&log, FlockOperation::LockExclusive)?;
    Ok(log)
}

/// The session that is there and was not before, once its devices are open: its page is there to
/// be looked at then. One that ends before that says why. However long the computer takes for
/// either is waited for.
async fn found(settings: &Settings, before: &[u32], log: &Path) -> Result<u32, String> {
    loop {
        sleep(STEP).await;
        let has_ended = !is_held(log); // looked at first: what ends now was not there to be found
        for number in session::numbers(&settings.sockets) {
            if !before.contains(&number)
                && is_open(&session::socket(&settings.sockets, number)).await
            {
                return Ok(number);
            }
        }
        if has_ended {
            let said = chronotap_core::files::read_to_string(log).unwrap_or_default();
            return Err(match said.trim() {
                "" => "the session ended at once; look at the terminal of chronotap console".into(),
                said => in_lines(said),
            });
        }
    }
}

/// Removes what the last session said, once it is over: it may name a participant.
pub fn forget_last_session(sockets: &Path) {
    let log = sockets.join(LOG);
    if chronotap_core::files::is_there(&log) && !is_held(&log) {
        let _ = std::fs::remove_file(log); // the next session removes it too
    }
}

/// What the last session that was begun from a page said before its page was there.
const LOG: &str = "last-session.log";

/// Whether the program runs that has this file as its standard error.
fn is_held(log: &Path) -> bool {
    let Ok(log) = File::open(log) else { return false };
    flock(&log, FlockOperation::NonBlockingLockShared).is_err()
}

/// Whether a session has opened its devices.
async fn is_open(socket: &Path) -> bool {
    let scene = session::scene(socket).await;
    scene.is_some_and(|scene| !matches!(scene.phase, Phase::Opening | Phase::Failed { .. }))
}

/// What the program said, each line without its name in front. It knew that it speaks to a page.
fn in_lines(said: &str) -> String {
    let without_its_name = |line| str::strip_prefix(line, "chronotap: ").unwrap_or(line);
    let lines: Vec<&str> = said.trim().lines().map(without_its_name).collect();
    lines.join("\n")
}

/// The number of the session that a socket belongs to.
pub(super) fn number_of_socket(socket: &Path) -> Option<u32> {
    number_of(&socket.file_name()?.to_string_lossy())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(participant: &str, data: &str) -> Form {
        let (participant, data) = (participant.to_owned(), data.to_owned());
        let (study, by) = (PathBuf::from("study.toml"), String::new());
        Form { study, participant, session: 1, by, data, simulated: false, changed: false }
    }

    #[test]
    fn every_line_of_what_the_program_said_is_shown_without_its_name() {
        assert_eq!(
            in_lines("chronotap: a.toml:1: x\nchronotap: a.toml:2: y\n"),
            "a.toml:1: x\na.toml:2: y"
        );
    }

    #[test]
    fn the_data_stand_beside_the_study_under_a_plain_name() {
        let of = |form| dataset(Path::new("/lab/one/study.toml"), &form);
        assert_eq!(of(form("07", "data")), Ok(PathBuf::from("/lab/one/data")));
        for name in ["", "../data", "a/b", "/etc", "--simulate", "."] {
            assert!(of(form("07", name)).is_err(), "{name}");
        }
        for label in ["", "--by", "a b", "7;rm"] {
            assert!(of(form(label, "data")).is_err(), "{label}");
        }
        for (by, fits) in
            [("NB", true), ("", true), ("--by", false), ("a\nb", false), ("a\0", false)]
        {
            let form = Form { by: by.to_owned(), ..form("07", "data") };
            assert_eq!(of(form).is_ok(), fits, "{by:?}");
        }
    }
}

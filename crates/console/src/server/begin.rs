//! [`begin`]: a session is started as a program of its own, which outlives the server: it is
//! given a session of the system and no terminal, and what it says goes to a file.

use super::apart::{apart, lacks_setsid};
use super::{ServerState, Settings, folder, job, session};
use crate::place::number_of;
use crate::request::{LONGEST_TEXT, one_line};
use crate::scene::Phase;
use rustix::fs::{FlockOperation, flock};
use serde::Deserialize;
use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;
use tokio::io::AsyncWriteExt;
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
    /// Whether its events are published by LSL.
    #[serde(default)]
    lsl: bool,
    /// Streams of other programs that are recorded beside it, with commas between them.
    #[serde(default)]
    listen: String,
    /// Whether it goes on although files of the study have changed.
    #[serde(default)]
    changed: bool,
    /// The language of what the participant reads; empty where nothing was chosen.
    #[serde(default)]
    language: String,
    /// What was entered that decides the groups of somebody new, each with its name.
    #[serde(default)]
    answers: Vec<(String, String)>,
    /// The ports that were chosen, each with the name of its input.
    #[serde(default)]
    inputs: Vec<(String, String)>,
    /// The same of outputs.
    #[serde(default)]
    outputs: Vec<(String, String)>,
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
        found.await.unwrap_or_else(|_| Err(folder::no_such("study")))?
    };
    let data = dataset(&study, &form)?;
    refuse_ports(&form)?;
    for stream in streams(&form) {
        one_line(stream).map_err(|_| "the name of a stream is one line")?;
    }
    for (name, answer) in &form.answers {
        one_line(answer).map_err(|_| format!("{name}: an answer is one line"))?;
    }
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
    program.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(said);
    let started = told(program, &form.answers).await;
    let started = started.map_err(lacks_setsid)?;
    if !started.success() {
        return Err("setsid could not start the session".into());
    }
    found(settings, &before, &log).await
}

/// Starts the program and tells it the answers. They stand on its standard input: everybody on the computer can
/// read a command line. With the command goes what is held here of the lock.
async fn told(mut program: Command, answers: &[(String, String)]) -> io::Result<ExitStatus> {
    let mut child = program.spawn()?;
    let all: String = answers.iter().map(|(name, answer)| format!("{name}={answer}\n")).collect();
    if let Some(mut input) = child.stdin.take() {
        // One that has ended already says why.
        let _ = input.write_all(all.as_bytes()).await;
    }
    child.wait().await
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

/// The program of a session.
fn program(
    settings: &Settings,
    study: &Path,
    data: &Path,
    form: &Form,
    simulated: Option<&str>,
) -> Command {
    let mut program = apart();
    program.arg(&settings.program).arg("run").arg(study);
    program.arg("--participant").arg(&form.participant);
    program.arg("--session").arg(form.session.to_string());
    program.arg("--data").arg(data).arg("--paged");
    if !form.by.trim().is_empty() {
        program.arg("--by").arg(form.by.trim());
    }
    if let Some(model) = simulated {
        program.arg("--simulate").arg(model);
    }
    program.args((!form.answers.is_empty()).then_some("--answers-on-stdin"));
    if !form.language.is_empty() {
        program.arg(job::joined("--language", &form.language));
    }
    program.args(form.changed.then_some("--changed"));
    program.args(form.lsl.then_some("--lsl"));
    program.args(streams(form).map(|stream| job::joined("--listen", stream)));
    program.args(ports(settings, form));
    program.args(&settings.options);
    program
}

/// The streams of other programs that are to be recorded.
fn streams(form: &Form) -> impl Iterator<Item = &str> {
    form.listen.split(',').map(str::trim).filter(|stream| !stream.is_empty())
}

/// The ports that were chosen on the page, and of those that the console was started with the ones
/// of other inputs and outputs. Nobody is at them where the participant is simulated.
fn ports(settings: &Settings, form: &Form) -> Vec<OsString> {
    if form.simulated {
        return settings.ports_of(true).cloned().collect();
    }
    let given: Vec<OsString> = settings.ports_of(false).cloned().collect();
    let kept = given.chunks_exact(2).filter(|pair| !is_replaced(pair, form));
    let chosen = |option: &'static str, all: &[(String, String)]| -> Vec<OsString> {
        let all = all.iter();
        all.map(|(name, port)| job::joined(option, format!("{name}={}", port.trim()))).collect()
    };
    let chosen = [chosen("--in", &form.inputs), chosen("--out", &form.outputs)].concat();
    chosen.into_iter().chain(kept.flatten().cloned()).collect()
}

/// Whether the page chose another port for that input or output; one without a name is the only one.
fn is_replaced(given: &[OsString], form: &Form) -> bool {
    let chosen = if given[0] == "--in" { &form.inputs } else { &form.outputs };
    let given = given[1].to_string_lossy();
    let named = given.split_once('=').filter(|(of, _)| !of.contains(':')); // else it is in a port
    let is_of = |name: &String| named.is_none_or(|(of, _)| of == name);
    chosen.iter().any(|(name, _)| is_of(name))
}

/// The names of ports are for the command to judge, as long as they are one line.
fn refuse_ports(form: &Form) -> Result<(), String> {
    for (name, port) in form.inputs.iter().chain(&form.outputs) {
        job::port(port).map_err(|why| format!("{name}: {why}"))?;
        one_line(name).map_err(|_| "the name of an input or output is one line".to_owned())?;
    }
    Ok(())
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
            "session {session} of participant {label} is over: nothing is left to run; enter \
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
        let (answers, inputs, outputs) = (Vec::new(), Vec::new(), Vec::new());
        let (simulated, lsl, changed) = (false, false, false);
        Form {
            study,
            participant,
            session: 1,
            by,
            data,
            simulated,
            lsl,
            listen: String::new(),
            changed,
            language: String::new(),
            answers,
            inputs,
            outputs,
        }
    }

    #[test]
    fn a_port_that_is_chosen_replaces_that_of_its_input_alone() {
        let given =
            [("--in", "left=alsa:A"), ("--in", "right=evdev:B?keys=SPACE:60"), ("--out", "tone:")];
        let ports: Vec<OsString> = given.iter().flat_map(|(a, b)| [a.into(), b.into()]).collect();
        let settings = Settings { ports, ..job::tests::settings(Path::new("/"), &[]) };
        let inputs = vec![("left".to_owned(), " alsa:My Pad ".to_owned())];
        let form = Form { inputs, ..form("07", "data") };
        let said = |form: &Form| super::ports(&settings, form).join(std::ffi::OsStr::new(" | "));
        let expected = "--in=left=alsa:My Pad | --in | right=evdev:B?keys=SPACE:60 | --out | tone:";
        assert_eq!(said(&form), expected);
        assert_eq!(said(&Form { simulated: true, ..form }), "", "nobody is at them");
    }

    #[test]
    fn no_answer_about_a_person_stands_in_a_command_line() {
        let settings = job::tests::settings(Path::new("/"), &[]);
        let answers = vec![("illness".to_owned(), "canary".to_owned())];
        let form = Form { answers, ..form("07", "data") };
        let program = program(&settings, Path::new("a.toml"), Path::new("data"), &form, None);
        let arguments: Vec<_> = program.as_std().get_args().collect();
        assert!(arguments.iter().any(|argument| *argument == "--answers-on-stdin"));
        let line = format!("{arguments:?}");
        assert!(!line.contains("canary") && !line.contains("illness"), "{line}");
    }

    #[test]
    fn events_are_published_where_the_form_says_so() {
        let settings = job::tests::settings(Path::new("/"), &[]);
        let publishes = |lsl| {
            let form = Form { lsl, ..form("07", "data") };
            let program = program(&settings, Path::new("a.toml"), Path::new("data"), &form, None);
            program.as_std().get_args().any(|argument| argument == "--lsl")
        };
        assert_eq!([true, false].map(publishes), [true, false]);
    }

    #[test]
    fn streams_of_other_programs_are_recorded_that_the_form_names() {
        let settings = job::tests::settings(Path::new("/"), &[]);
        let form = Form { listen: " Pupil , type=EEG,, ".into(), ..form("07", "data") };
        let program = program(&settings, Path::new("a.toml"), Path::new("data"), &form, None);
        let arguments = program.as_std().get_args().map(|of| of.to_string_lossy().into_owned());
        let listening: Vec<_> = arguments.filter(|of| of.starts_with("--listen")).collect();
        assert_eq!(listening, ["--listen=Pupil", "--listen=type=EEG"]);
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

//! A session as the server reaches it: by its socket, one connection for each question.

use crate::place::number_of;
use crate::request::{Command, ConsoleRequest, Role};
use crate::scene::Scene;
use crate::shown::{Shown, ShownLine};
use rustix::fs::{FlockOperation, flock};
use serde_json::Value;
use std::fs::File;
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::UnixStream;
use tokio::time::timeout;

/// How long a session may take to answer: it only looks something up.
const PATIENCE: Duration = Duration::from_secs(3);

/// Lines of a session.
pub(super) type Lines = tokio::io::Lines<BufReader<UnixStream>>;

/// The numbers of the sessions that have a socket in this folder.
pub(super) fn numbers(sockets: &Path) -> Vec<u32> {
    let Ok(entries) = std::fs::read_dir(sockets) else { return Vec::new() };
    let names = entries.filter_map(Result::ok).map(|entry| entry.file_name());
    let mut numbers: Vec<u32> =
        names.filter_map(|name| number_of(&name.to_string_lossy())).collect();
    numbers.sort_unstable();
    numbers
}

/// Where the socket of a session is.
pub(super) fn socket(sockets: &Path, number: u32) -> PathBuf {
    sockets.join(format!("session-{number}.socket"))
}

/// Lines from the one after `since` on.
pub(super) async fn watch(socket: &Path, since: u64, role: Role) -> io::Result<Lines> {
    ask(socket, &ConsoleRequest::Watch { since, role }).await
}

/// What is found at the socket of a session.
enum Found {
    /// How it stands.
    Scene(Box<Scene>),
    /// A session that does not answer: it hangs, or was halted.
    Silent,
    Nobody,
}

/// How a session stands.
pub(super) async fn scene(socket: &Path) -> Option<Scene> {
    match find(socket).await {
        Found::Scene(scene) => Some(*scene),
        Found::Silent | Found::Nobody => None,
    }
}

/// Looks at a session; removes the socket of one that was killed.
async fn find(socket: &Path) -> Found {
    timeout(PATIENCE, look(socket)).await.unwrap_or(Found::Silent)
}

/// Looks until there is an answer, or nobody who could give one. Who closes a connection unanswered
/// has ended at this moment, or is there and has no room for one more: only another look tells.
async fn look(socket: &Path) -> Found {
    loop {
        match stands(socket).await {
            Ok(Some(scene)) => return Found::Scene(scene),
            Err(error) if error.kind() == io::ErrorKind::ConnectionRefused => {
                let _ = std::fs::remove_file(socket); // nobody listens any more
                return Found::Nobody;
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Found::Nobody,
            Ok(None) | Err(_) => tokio::time::sleep(LOOK_AGAIN).await,
        }
    }
}

/// One question and its answer, where there is one.
async fn stands(socket: &Path) -> io::Result<Option<Box<Scene>>> {
    let Some(line) = ask(socket, &ConsoleRequest::Look).await?.next_line().await? else {
        return Ok(None);
    };
    match serde_json::from_str(&line) {
        Ok(ShownLine { shown: Shown::Scene(scene), .. }) => Ok(Some(scene)),
        _ => Ok(None),
    }
}

/// Why nothing may begin now, for whoever pressed: a session is under way, or a single trial.
pub(super) async fn disturbed(sockets: &Path) -> Option<String> {
    for number in numbers(sockets) {
        let whose = match find(&socket(sockets, number)).await {
            Found::Nobody => continue,
            Found::Silent => {
                return Some(format!(
                    "a session is under way and does not answer (process {number}); wait for it, or end it: kill -9 {number}"
                ));
            }
            Found::Scene(scene) if scene.participant.is_empty() => "a trial is under way".into(),
            Found::Scene(scene) => {
                format!("a session of participant {} is under way", scene.participant)
            }
        };
        return Some(format!(
            "{whose}, whose timing this would disturb; wait for its end, or stop it"
        ));
    }
    None
}

/// Held by whoever begins something: two that look at the same moment would both see nothing
/// under way. The system lets go of it where a console is killed.
///
/// # Errors
/// A sentence for whoever pressed.
pub(super) fn alone(sockets: &Path) -> Result<BeginLock, String> {
    let path = sockets.join("begin.lock");
    let opened = File::options().create(true).append(true).mode(0o600).open(&path);
    let lock = opened.map_err(|error| {
        format!("{}: {error}; start chronotap console again: sessions go on", path.display())
    })?;
    match flock(&lock, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(BeginLock(lock)),
        Err(_) => Err("something else is being started at this moment; look again".into()),
    }
}

/// Let go of when it is dropped. Closing the file would not do: a program that another thread begins at that moment
/// still has a copy of it, until it has become that program (flock(2)).
pub(super) struct BeginLock(File);

impl Drop for BeginLock {
    fn drop(&mut self) {
        let _ = flock(&self.0, FlockOperation::Unlock);
    }
}

/// Hands a command on. The error is a sentence for whoever pressed.
pub(super) async fn command(socket: &Path, role: Role, command: Command) -> Result<(), String> {
    let asked = timeout(PATIENCE, async {
        let mut lines = ask(socket, &ConsoleRequest::Do { role, command }).await?;
        lines.next_line().await
    });
    let reply = match asked.await {
        Ok(Ok(Some(line))) => serde_json::from_str::<Value>(&line).unwrap_or_default(),
        _ => return Err("the session does not answer; it may have ended".into()),
    };
    match reply["error"].as_str() {
        Some(error) => Err(error.to_owned()),
        None => Ok(()),
    }
}

async fn ask(socket: &Path, request: &ConsoleRequest) -> io::Result<Lines> {
    let mut stream = UnixStream::connect(socket).await?;
    let text = serde_json::to_string(request)?;
    stream.write_all(format!("{text}\n").as_bytes()).await?;
    Ok(BufReader::new(stream).lines())
}

/// Until the session of this socket is over; for ever where there is none.
pub(super) async fn wait_for_end(socket: Option<PathBuf>) {
    let Some(socket) = socket else { return std::future::pending().await };
    while let Ok(mut lines) = watch(&socket, u64::MAX, Role::Experimenter).await {
        while let Ok(Some(_)) = lines.next_line().await {}
        tokio::time::sleep(LOOK_AGAIN).await; // it has ended, or has no room for one more
    }
    tokio::time::sleep(AFTER_THE_END).await;
}

const LOOK_AGAIN: Duration = Duration::from_millis(100);

/// So long a page may still be loaded. Those that are there are told the end, however long it takes.
const AFTER_THE_END: Duration = Duration::from_secs(2);

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test that cannot be set up has failed
mod tests {
    use super::*;

    #[test]
    fn the_lock_is_free_again_though_a_program_being_begun_has_a_copy_of_it() {
        let sockets = tempfile::tempdir().unwrap();
        let first = alone(sockets.path()).unwrap();
        assert!(alone(sockets.path()).is_err());
        let copy = first.0.try_clone().unwrap(); // as fork makes one
        drop(first);
        assert!(alone(sockets.path()).is_ok());
        drop(copy);
    }
}

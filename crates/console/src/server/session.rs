//! A session as the server reaches it: by its socket, one connection for each question.

use crate::place::number_of;
use crate::request::{Command, Request, Role};
use crate::scene::Scene;
use crate::shown::{Line, Shown};
use serde_json::Value;
use std::io;
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
    ask(socket, &Request::Watch { since, role }).await
}

/// How a session stands; removes the socket of one that was killed.
pub(super) async fn scene(socket: &Path) -> Option<Scene> {
    let looked = timeout(PATIENCE, async {
        let mut lines = watch(socket, 0, Role::Experimenter).await?;
        while let Some(line) = lines.next_line().await? {
            if let Ok(Line { shown: Shown::Scene(scene), .. }) = serde_json::from_str(&line) {
                return Ok(Some(*scene));
            }
        }
        Ok::<_, io::Error>(None)
    });
    match looked.await {
        Ok(Ok(scene)) => scene,
        Ok(Err(error)) if error.kind() == io::ErrorKind::ConnectionRefused => {
            let _ = std::fs::remove_file(socket); // nobody listens any more
            None
        }
        _ => None,
    }
}

/// The participant of a session that is under way; empty where it is a single trial.
pub(super) async fn under_way(sockets: &Path) -> Option<String> {
    for number in numbers(sockets) {
        if let Some(scene) = scene(&socket(sockets, number)).await {
            return Some(scene.participant);
        }
    }
    None
}

/// Why nothing else may begin beside it, for whoever pressed.
pub(super) fn disturbed(participant: &str) -> String {
    let whose = match participant {
        "" => "a trial is under way".to_owned(),
        label => format!("a session of participant {label} is under way"),
    };
    format!("{whose}, whose timing this would disturb; wait for its end, or stop it")
}

/// Hands a command on. The error is a sentence for whoever pressed.
pub(super) async fn command(socket: &Path, role: Role, command: Command) -> Result<(), String> {
    let asked = timeout(PATIENCE, async {
        let mut lines = ask(socket, &Request::Do { role, command }).await?;
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

async fn ask(socket: &Path, request: &Request) -> io::Result<Lines> {
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
    }
    tokio::time::sleep(AFTER_THE_END).await;
}

/// Pages may still be told the end, and be loaded once more.
const AFTER_THE_END: Duration = Duration::from_secs(2);

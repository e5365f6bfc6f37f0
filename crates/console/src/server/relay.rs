//! One stream of server-sent events for one page: the lines of a session, as the page may see
//! them. The page's browser names the last one it saw when it comes back.

use super::answers::{Answer, answer};
use super::session;
use super::view::{experimenter, participant};
use crate::request::Role;
use crate::shown::ShownLine;
use hyper::StatusCode;
use hyper::body::{Body, Bytes, Frame};
use serde_json::{Value, json};
use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::sync::mpsc::{Receiver, Sender, channel};

/// Events that may wait for a page; the rest waits in the session's history.
const WAITING: usize = 64;

pub(super) fn events(socket: PathBuf, since: u64, role: Role) -> Answer {
    stream(move |sender| async move {
        let _ = relay(&sender, &socket, since, role).await;
    })
}

/// A stream of what is sent, until whoever sends has nothing more to tell.
pub(super) fn stream<F>(tell: impl FnOnce(Sender<Bytes>) -> F) -> Answer
where
    F: Future<Output = ()> + Send + 'static,
{
    let (sender, receiver) = channel(WAITING);
    tokio::spawn(tell(sender));
    answer(StatusCode::OK, "text/event-stream", Events(receiver))
}

/// Until the session or the page is gone.
async fn relay(to: &Sender<Bytes>, socket: &Path, since: u64, role: Role) -> Option<()> {
    to.send(Bytes::from_static(b"retry: 500\n\n")).await.ok()?;
    let Ok(mut lines) = session::watch(socket, since, role).await else {
        return gone(to).await;
    };
    loop {
        let event = match lines.next_line().await {
            Ok(Some(line)) if line.is_empty() => Some(SIGN_OF_LIFE.to_owned()),
            Ok(Some(line)) => event(&line, role),
            Ok(None) | Err(_) => return gone(to).await,
        };
        if let Some(event) = event {
            to.send(Bytes::from(event)).await.ok()?;
        }
    }
}

/// Tells the page that it is cut off from the session, and not merely from the server.
async fn gone(to: &Sender<Bytes>) -> Option<()> {
    to.send(Bytes::from_static(GONE.as_bytes())).await.ok()
}

pub(super) const SIGN_OF_LIFE: &str = "event: alive\ndata: {}\n\n";
pub(super) const GONE: &str = "event: gone\ndata: {}\n\n";

fn event(line: &str, role: Role) -> Option<String> {
    let (id, data) = match serde_json::from_str::<ShownLine>(line) {
        Ok(line) => (line.id, seen(line, role)?),
        Err(_) => unknown(line, role)?,
    };
    Some(format!("id: {id}\ndata: {data}\n\n"))
}

fn seen(line: ShownLine, role: Role) -> Option<String> {
    match role {
        Role::Experimenter => experimenter(line),
        Role::Participant => participant(line),
    }
}

/// A line of a session whose program is of another version: its number, and its kind without
/// anything that might not be for this page. The page says that it does not know it. Participants are
/// told scenes alone.
fn unknown(line: &str, role: Role) -> Option<(u64, String)> {
    let line: Value = serde_json::from_str(line).ok()?;
    let (id, kind) = (line["id"].as_u64()?, line["line"].as_str()?);
    let told = match role {
        Role::Experimenter => json!({ "line": format!("{kind} of another version") }),
        Role::Participant if kind == "scene" => json!({ "is": "a scene of another version" }),
        Role::Participant => return None,
    };
    Some((id, told.to_string()))
}

struct Events(Receiver<Bytes>);

impl Body for Events {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        self.0.poll_recv(context).map(|event| event.map(|bytes| Ok(Frame::data(bytes))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_this_console_does_not_know_is_told_by_its_kind_and_nothing_else_of_it() {
        let told = |line: &str, role| event(line, role).unwrap_or_default();
        let scene = r#"{"id":3,"line":"scene","phase":{"is":"dance","secret":"70 ms"}}"#;
        for role in [Role::Experimenter, Role::Participant] {
            assert!(told(scene, role).starts_with("id: 3\ndata: {"), "{role:?}");
            assert!(told(scene, role).contains("scene of another version"), "{role:?}");
            assert!(!told(scene, role).contains("70 ms"), "{role:?}");
        }
        let sway = r#"{"id":4,"line":"sway","ms":70}"#;
        let kind = "id: 4\ndata: {\"line\":\"sway of another version\"}\n\n";
        assert_eq!(told(sway, Role::Experimenter), kind);
        assert_eq!(told(sway, Role::Participant), "");
    }
}

//! [`answer`]: what is answered to each request. First the guard; then a table of addresses,
//! one for each side.

use super::answers::{
    Answer, as_a_page, bytes, let_in, redirect, refusal, report, sentence, trying, value,
};
use super::begin::{Form, begin, number_of_socket};
use super::entered::{New, Right, correct, groups};
use super::guard::{LAUNCH, Refused, Side};
use super::job::job_folder::{Left, left_by, numbers, state, stop};
use super::job::{self, Job};
use super::pages::{PAGE, TRY, session_page};
use super::tried::{self, Wish};
use super::view::listed;
use super::withdraw::{Leaving, Withdrawal, dropout, withdraw};
use super::{ServerState, folder, pages, picture, presses, relay, session};
use crate::request::{Command, Role};
use chronotap_words::{Surface, done_to};
use http_body_util::{BodyExt, Limited};
use hyper::body::Incoming;
use hyper::{Method, Request, StatusCode};
use serde::de::DeserializeOwned;
use serde_json::json;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

/// Bytes of what a page sends.
const LARGEST_BODY: usize = 16 * 1024;

type Refusal = Box<Answer>;

/// Answers.
pub(super) async fn answer(server: &ServerState, side: Side, request: Request<Incoming>) -> Answer {
    let opened = request.method() == Method::GET && accepts_pages(&request);
    let answer = answer_to(server, side, request).await;
    if opened { as_a_page(answer) } else { answer }
}

/// Whether somebody opened the address, and no script or picture of a page asks.
fn accepts_pages(request: &Request<Incoming>) -> bool {
    let accepted = request.headers().get("accept").and_then(|kinds| kinds.to_str().ok());
    accepted.is_some_and(|kinds| kinds.contains("text/html"))
}

async fn answer_to(server: &ServerState, side: Side, request: Request<Incoming>) -> Answer {
    if let Err(refused) = server.guard.look(side, &request) {
        return refuse(refused);
    }
    let path = request.uri().path().to_owned();
    if request.method() == Method::GET && path == LAUNCH {
        return launch(server, side, &request);
    }
    let answered = match side {
        Side::Experimenter if server.guard.is_experimenter(request.headers()) => {
            experimenter(server, &path, request).await
        }
        Side::Participant => match server.guard.participant_of(request.headers()) {
            Some(number) => {
                participant(server, session_of_window(server, number), &path, request).await
            }
            None => return refuse(Refused::Cookie),
        },
        Side::Experimenter => return refuse(Refused::Cookie),
    };
    answered.unwrap_or_else(|refusal| *refusal)
}

fn refuse(refused: Refused) -> Answer {
    let (status, text) = match refused {
        Refused::Host => (
            StatusCode::MISDIRECTED_REQUEST,
            "This is not the console's address. Open the one that chronotap console printed.",
        ),
        Refused::Origin => (
            StatusCode::FORBIDDEN,
            "Only the console's own pages may do that. To open them, type their address.",
        ),
        Refused::Cookie => (
            StatusCode::UNAUTHORIZED,
            "This browser is not let in. Open the address that chronotap console printed; it works once. For a new one, start chronotap console again: sessions go on meanwhile.",
        ),
        Refused::Form => (StatusCode::UNSUPPORTED_MEDIA_TYPE, "Commands are JSON."),
    };
    sentence(status, text)
}

fn launch(server: &ServerState, side: Side, request: &Request<Incoming>) -> Answer {
    let query = request.uri().query().unwrap_or_default();
    let token = query.strip_prefix("token=").unwrap_or_default();
    match server.guard.launch(side, token) {
        Some(cookie) => let_in(&cookie),
        None => refuse(Refused::Cookie),
    }
}

async fn experimenter(
    server: &ServerState,
    path: &str,
    request: Request<Incoming>,
) -> Result<Answer, Refusal> {
    let parts: Vec<&str> = path.trim_matches('/').splitn(4, '/').collect();
    if !is_shown(server, &parts) {
        return Err(missing());
    }
    let number = || parts.get(1).and_then(|number| number.parse::<u32>().ok());
    match (request.method().as_str(), &parts[..]) {
        ("GET", [""]) => home(server),
        ("GET", ["pages", name]) => file(name),
        ("GET", ["folder"]) => Ok(list(server).await),
        ("POST", ["begin"]) => {
            let form: Form = read(request).await?;
            begun(begin(server, form).await, "session")
        }
        ("POST", ["groups"]) => groups_of(server, read(request).await?).await,
        ("POST", ["correct"]) => corrected(server, read(request).await?).await,
        ("POST", ["withdraw"]) => taken_out(server, read(request).await?).await,
        ("POST", ["dropout"]) => left(server, read(request).await?).await,
        ("GET", ["ports"]) => ports(server).await,
        ("GET", ["presses"]) => Ok(presses::events(Arc::new(server.settings.clone()))),
        ("GET", ["try"]) => try_page(server),
        ("GET", ["try", "hindered"]) => {
            Ok(value(&json!({ "why": tried::hindered(&server.settings).await })))
        }
        ("GET", ["try", name]) => part_of_pane(server, name).await,
        ("POST", ["try"]) => to_try(server, read(request).await?).await,
        ("POST", ["job"]) => {
            let asked: Job = read(request).await?;
            begun(job::begin(server, asked).await, "job")
        }
        ("GET", ["job", _]) => file("job.html"),
        (_, ["job", _, ..]) => match number() {
            Some(number) => of_job(server, number, &parts[2..], request).await,
            None => Err(missing()),
        },
        ("GET", ["session", _]) => Ok(bytes(PAGE, session_page(&server.settings))),
        (_, ["session", _, ..]) => match number() {
            Some(number) => of_session(server, number, &parts[2..], request).await,
            None => Err(missing()),
        },
        _ => Err(missing()),
    }
}

/// Whether there is such a page here: a console of one session has that alone.
fn is_shown(server: &ServerState, parts: &[&str]) -> bool {
    let Some(only) = server.settings.only.as_deref().and_then(number_of_socket) else {
        return true;
    };
    match parts {
        ["" | "pages", ..] => true,
        ["session", number, ..] => number.parse() == Ok(only),
        _ => false,
    }
}

/// The first page, or that of the only session.
fn home(server: &ServerState) -> Result<Answer, Refusal> {
    match server.settings.only.as_deref().and_then(number_of_socket) {
        Some(number) => Ok(redirect(&format!("/session/{number}"))),
        None => file("home.html"),
    }
}

async fn of_session(
    server: &ServerState,
    number: u32,
    rest: &[&str],
    request: Request<Incoming>,
) -> Result<Answer, Refusal> {
    let socket = socket(server, number);
    match (request.method().as_str(), rest) {
        ("GET", ["events"]) => Ok(relay::events(socket, last_event(&request), Role::Experimenter)),
        ("GET", ["picture", name]) => show(socket, name).await,
        ("POST", ["command"]) => obey(socket, Role::Experimenter, request).await,
        ("POST", ["window"]) => {
            let _: serde_json::Value = read(request).await?;
            open_window(server, number).await
        }
        _ => Err(missing()),
    }
}

async fn of_job(
    server: &ServerState,
    number: u32,
    rest: &[&str],
    request: Request<Incoming>,
) -> Result<Answer, Refusal> {
    let sockets = server.settings.sockets.clone();
    match (request.method().as_str(), rest) {
        ("GET", ["events"]) => Ok(job::stream::events(sockets, number)),
        ("GET", ["page"]) => page_of_job(server, number).await,
        ("POST", ["stop"]) => {
            let _: serde_json::Value = read(request).await?;
            match stop(&sockets, number) {
                true => Ok(value(&json!({ "ok": true }))),
                false => Err(Box::new(refusal(StatusCode::CONFLICT, "it is over already"))),
            }
        }
        _ => Err(missing()),
    }
}

/// The page that a test has left; of a trial it is made when it is asked for.
async fn page_of_job(server: &ServerState, number: u32) -> Result<Answer, Refusal> {
    let page = match left_by(&server.settings.sockets, number).ok_or_else(missing)? {
        Left::Page(page) => page,
        Left::Events { events, page } => {
            let mut program = tokio::process::Command::new(&server.settings.program);
            program.arg("report").arg(events).arg("--to").arg(&page).arg("--quiet");
            program.stdin(Stdio::null()).stdout(Stdio::null());
            let _ = program.status().await; // where there is no page afterwards, it failed
            page
        }
    };
    let text =
        tokio::task::spawn_blocking(move || chronotap_core::files::read_to_string(&page)).await;
    text.ok().and_then(Result::ok).map(report).ok_or_else(missing)
}

/// The page on which a study or trial is tried, where the pane for it was made.
fn try_page(server: &ServerState) -> Result<Answer, Refusal> {
    match server.settings.pane {
        Some(_) => Ok(trying(TRY)),
        None => Err(Box::new(sentence(StatusCode::NOT_FOUND, tried::NO_PANE))),
    }
}

async fn part_of_pane(server: &ServerState, name: &str) -> Result<Answer, Refusal> {
    let (pane, name) = (server.settings.pane.clone().ok_or_else(missing)?, name.to_owned());
    let read = tokio::task::spawn_blocking(move || tried::part(&pane, &name)).await;
    let (kind, text) = read.ok().flatten().ok_or_else(missing)?;
    Ok(bytes(kind, text))
}

/// The files of a study or trial, which are shown and never written.
async fn to_try(server: &ServerState, wish: Wish) -> Result<Answer, Refusal> {
    let refused = |why: &str| -> Refusal { Box::new(refusal(StatusCode::CONFLICT, why)) };
    if let Some(why) = tried::hindered(&server.settings).await {
        return Err(refused(&why));
    }
    let (settings, memory) = (server.settings.clone(), Arc::clone(&server.memory));
    let read = tokio::task::spawn_blocking(move || tried::read(&settings, &wish, &memory)).await;
    match read.unwrap_or_else(|_| Err(folder::no_such("file"))) {
        Ok(tried) => Ok(value(&tried)),
        Err(why) => Err(refused(&why)),
    }
}

/// The ports of this computer, as `chronotap ports` lists them. A program of its own looks for
/// them, because an audio server or a driver may keep whoever asks waiting.
async fn ports(server: &ServerState) -> Result<Answer, Refusal> {
    Ok(value(&presses::ports(&server.settings).await))
}

/// Lets a participant's page in: in the kiosk, or in a window that the page opens.
async fn open_window(server: &ServerState, number: u32) -> Result<Answer, Refusal> {
    let failed =
        |error: &str| -> Refusal { Box::new(refusal(StatusCode::INTERNAL_SERVER_ERROR, error)) };
    let address = server.guard.open_window(number).map_err(|error| failed(&error.to_string()))?;
    let Some(kiosk) = &server.settings.kiosk else {
        return Ok(value(&json!({ "address": address })));
    };
    kiosk.open(&server.settings.sockets, &address).await.map_err(|error| failed(&error))?;
    Ok(value(&json!({ "opened": true })))
}

/// The session that a participant's page shows which was opened for this one: the same, or where that is over
/// the one that was begun since. With several it stays where it is, because nobody knows at which it sits.
fn session_of_window(server: &ServerState, opened_for: u32) -> u32 {
    let running = session::numbers(&server.settings.sockets);
    let mut later = running.iter().copied().filter(|number| *number > opened_for);
    match (running.contains(&opened_for), later.next(), later.next()) {
        (false, Some(next), None) => next,
        _ => opened_for,
    }
}

async fn participant(
    server: &ServerState,
    number: u32,
    path: &str,
    request: Request<Incoming>,
) -> Result<Answer, Refusal> {
    let parts: Vec<&str> = path.trim_matches('/').splitn(2, '/').collect();
    let socket = socket(server, number);
    match (request.method().as_str(), &parts[..]) {
        ("GET", [""]) => file("participant.html"),
        ("GET", ["pages", name]) if pages::is_for_participants(name) => file(name),
        ("GET", ["events"]) => Ok(relay::events(socket, last_event(&request), Role::Participant)),
        ("GET", ["picture", name]) => show(socket, name).await,
        ("POST", ["command"]) => obey(socket, Role::Participant, request).await,
        _ => Err(missing()),
    }
}

fn socket(server: &ServerState, number: u32) -> PathBuf {
    session::socket(&server.settings.sockets, number)
}

async fn list(server: &ServerState) -> Answer {
    let (folder, memory) = (server.settings.folder.clone(), Arc::clone(&server.memory));
    let found = tokio::task::spawn_blocking(move || folder::list(&folder, &memory)).await.ok();
    let mut running = Vec::new();
    for number in session::numbers(&server.settings.sockets) {
        let socket = session::socket(&server.settings.sockets, number);
        if let Some(scene) = session::scene(&socket).await {
            running.push(listed(number, &scene));
        }
    }
    let sockets = &server.settings.sockets;
    let jobs = numbers(sockets).into_iter().rev().filter_map(|number| state(sockets, number));
    let jobs: Vec<_> = jobs.map(|state| state.in_brief()).collect();
    value(&json!({
        "found": found,
        "running": running,
        "jobs": jobs,
        "lasting": server.settings.lasting,
        "rehearsal": server.settings.rehearsal,
        "lacks": server.settings.lacking(),
    }))
}

fn begun(begun: Result<u32, String>, what: &str) -> Result<Answer, Refusal> {
    match begun {
        Ok(number) => Ok(value(&json!({ what: number }))),
        Err(error) => Err(Box::new(refusal(StatusCode::CONFLICT, &error))),
    }
}

async fn taken_out(server: &ServerState, asked: Withdrawal) -> Result<Answer, Refusal> {
    let (folder, memory) = (server.settings.folder.clone(), Arc::clone(&server.memory));
    let done = tokio::task::spawn_blocking(move || withdraw(&folder, &asked, &memory)).await;
    match done.unwrap_or_else(|_| Err("the participant could not be withdrawn".into())) {
        Ok(done) => {
            super::forget_last_session(&server.settings.sockets);
            let told: Vec<String> =
                done.told.iter().map(|step| done_to(step, Surface::Page)).collect();
            let (files, left, look) = (done.files, done.left, done.look);
            Ok(value(&json!({ "files": files, "told": told, "left": left, "look": look })))
        }
        Err(error) => Err(Box::new(refusal(StatusCode::CONFLICT, &error))),
    }
}

async fn left(server: &ServerState, asked: Leaving) -> Result<Answer, Refusal> {
    let (folder, memory) = (server.settings.folder.clone(), Arc::clone(&server.memory));
    let now = tokio::task::spawn_blocking(move || dropout(&folder, &asked, &memory)).await;
    match now.unwrap_or_else(|_| Err("it could not be noted".into())) {
        Ok(now) => Ok(value(&json!({ "left": now }))),
        Err(error) => Err(Box::new(refusal(StatusCode::CONFLICT, &error))),
    }
}

async fn groups_of(server: &ServerState, new: New) -> Result<Answer, Refusal> {
    let (folder, memory) = (server.settings.folder.clone(), Arc::clone(&server.memory));
    let found = tokio::task::spawn_blocking(move || groups(&folder, &new, &memory)).await;
    match found.unwrap_or_else(|_| Err("the groups could not be found out".into())) {
        Ok(groups) => Ok(value(&json!({ "groups": groups }))),
        Err(error) => Err(Box::new(refusal(StatusCode::CONFLICT, &error))),
    }
}

async fn corrected(server: &ServerState, right: Right) -> Result<Answer, Refusal> {
    let (folder, memory) = (server.settings.folder.clone(), Arc::clone(&server.memory));
    let done = tokio::task::spawn_blocking(move || correct(&folder, right, &memory)).await;
    match done.unwrap_or_else(|_| Err("it could not be corrected".into())) {
        Ok(()) => Ok(value(&json!({ "ok": true }))),
        Err(error) => Err(Box::new(refusal(StatusCode::CONFLICT, &error))),
    }
}

async fn obey(socket: PathBuf, role: Role, request: Request<Incoming>) -> Result<Answer, Refusal> {
    let asked: serde_json::Value = read(request).await?;
    let command = Command::read(asked)
        .map_err(|unknown| refusal(StatusCode::BAD_REQUEST, &unknown.to_string()))?;
    // A sign of life asks for nothing: that the session has ended the page is told by its stream.
    let is_sign = matches!(command, Command::Alive);
    match session::command(&socket, role, command).await {
        Ok(()) => Ok(value(&json!({ "ok": true }))),
        Err(_) if is_sign => Ok(value(&json!({ "ok": true }))),
        Err(error) => Err(Box::new(refusal(StatusCode::CONFLICT, &error))),
    }
}

async fn show(socket: PathBuf, name: &str) -> Result<Answer, Refusal> {
    let scene = session::scene(&socket).await.ok_or_else(missing)?;
    let name = name.to_owned();
    let read = tokio::task::spawn_blocking(move || picture::read(&scene.study, &name)).await;
    let (kind, picture) = read.ok().flatten().ok_or_else(missing)?;
    Ok(bytes(kind, picture))
}

fn file(name: &str) -> Result<Answer, Refusal> {
    let (kind, text) = pages::file(name).ok_or_else(missing)?;
    Ok(bytes(kind, text))
}

fn missing() -> Refusal {
    Box::new(sentence(StatusCode::NOT_FOUND, "There is nothing at this address."))
}

/// What a page that comes back saw last.
fn last_event(request: &Request<Incoming>) -> u64 {
    let header = request.headers().get("last-event-id");
    header.and_then(|id| id.to_str().ok()?.parse().ok()).unwrap_or(0)
}

/// How long a body may take to come.
const BODY_PATIENCE: Duration = Duration::from_secs(5);

async fn read<T: DeserializeOwned>(request: Request<Incoming>) -> Result<T, Refusal> {
    let refused = |status, text: &str| Box::new(refusal(status, text));
    let body = timeout(BODY_PATIENCE, Limited::new(request.into_body(), LARGEST_BODY).collect());
    let body = match body.await {
        Ok(Ok(body)) => body.to_bytes(),
        Ok(Err(_)) => return Err(refused(StatusCode::PAYLOAD_TOO_LARGE, "that is too long")),
        Err(_) => return Err(refused(StatusCode::REQUEST_TIMEOUT, "that took too long")),
    };
    serde_json::from_slice(&body)
        .map_err(|error| refused(StatusCode::BAD_REQUEST, &error.to_string()))
}

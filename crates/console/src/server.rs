//! The server: a process of ordinary priority that makes pages of what sessions tell over
//! their sockets, and hands on what the pages ask for. It keeps nothing of a session: killed
//! and started again, it finds every session where it is.
//!
//! It listens on two loopback addresses, one for the experimenter and one for the
//! participant, because cookies ignore ports. What it lets in is decided in [`guard`].

mod answers;
mod apart;
mod begin;
mod entered;
mod fields;
mod folder;
mod guard;
mod job;
mod kiosk;
mod markdown;
mod pages;
mod picture;
mod presses;
mod relay;
mod routes;
mod session;
mod strangers;
mod tried;
pub(crate) mod view;
mod withdraw;

pub use begin::forget_last_session;
pub use guard::Addresses;
pub use job::PROGRESS;
pub use kiosk::{Kiosk, leading_page};

use crate::place::SocketFolderError;
use folder::Remembered;
use guard::{Guard, Side};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use serde::Serialize;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use strangers::{Strangers, was_let_in};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::sync::watch;
use tokio::time::timeout;

/// What a server is to do.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The folder whose studies and datasets are shown.
    pub folder: PathBuf,
    /// The folder of the sessions' sockets.
    pub sockets: PathBuf,
    /// The port; 0 for any that is free.
    pub port: u16,
    /// The program that runs a session.
    pub program: PathBuf,
    /// Options that every session begun here gets: rights, limits.
    pub options: Vec<OsString>,
    /// Options that name ports.
    pub ports: Vec<OsString>,
    /// The processors that tests of this computer may use, where the server keeps off one of them;
    /// else empty.
    pub processors: Vec<usize>,
    /// How long the tests of this computer take, by their names.
    pub lasting: BTreeMap<&'static str, Lasting>,
    /// Who taps where the form says that nobody does; `None` for whom the study is usually rehearsed with.
    pub model: Option<String>,
    /// Whether the form offers a rehearsal first, as the tour does.
    pub rehearsal: bool,
    /// What of it the program was built without, `parquet` or `lsl`: the page says so in its place.
    pub lacks: Vec<&'static str>,
    /// The folder of the pane *Try*, which `scripts/web.sh` makes; `None` where it is not there, which the page says
    /// too.
    pub pane: Option<PathBuf>,
    /// Where the participant's page is opened; `None` for a window of the experimenter's browser.
    pub kiosk: Option<Kiosk>,
    /// The one session to show, by its socket; the server ends with it.
    pub only: Option<PathBuf>,
    /// How long a request may take to come.
    pub patience: Duration,
}

/// About how long a test takes that is quick, normal or full, in words.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Lasting {
    /// With `--quick`.
    pub quick: String,
    /// With `--normal`.
    pub normal: String,
    /// With `--full`.
    pub full: String,
}

impl Settings {
    /// What the page has to do without, by the names that it has there.
    fn lacking(&self) -> Vec<&'static str> {
        let pane = self.pane.is_none().then_some("try");
        self.lacks.iter().copied().chain(pane).collect()
    }

    /// Options of a trial.
    fn options_of(&self, simulated: bool) -> impl Iterator<Item = &OsString> {
        self.ports_of(simulated).chain(&self.options)
    }

    /// Options that name ports. A simulated participant taps at the far end of a wire, so that ports
    /// which have none are those of people.
    fn ports_of(&self, simulated: bool) -> impl Iterator<Item = &OsString> {
        let is_wire = |port: &OsString| {
            let port = port.to_string_lossy();
            port.split_once('=').map_or(&*port, |(_, port)| port).starts_with("wire")
        };
        let fit = !simulated || self.ports.iter().any(is_wire);
        self.ports.iter().filter(move |_| fit)
    }
}

/// Connections of one side at a time. Others take the place of one that says nothing, or wait.
const MOST_CONNECTIONS: u32 = 64;

/// Why there is no server.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The port is taken, or the system refuses. Name another port.
    #[error("port {port}: {source}")]
    Port {
        port: u16,
        /// What the system said.
        source: io::Error,
    },
    /// The system gave no random bytes, threads or descriptors.
    #[error("{0}; the console cannot start")]
    System(#[from] io::Error),
    /// There is no folder for the sockets.
    #[error(transparent)]
    Place(#[from] SocketFolderError),
}

/// What all requests share.
#[derive(Debug)]
struct ServerState {
    settings: Settings,
    guard: Guard,
    memory: Arc<Remembered>,
}

/// Serves until the program is ended, or the one session is over and every page was told so.
/// `opened` is told the addresses once they can be opened.
///
/// # Errors
/// [`ServeError`].
pub fn serve(settings: Settings, opened: impl FnOnce(&Addresses)) -> Result<(), ServeError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let (experimenter, participant, port) = listen(settings.port).await?;
        let guard = Guard::new(port)?;
        opened(&guard.addresses());
        let only = settings.only.clone();
        let server = Arc::new(ServerState { settings, guard, memory: Arc::default() });
        let (close, closing) = watch::channel(false);
        tokio::join!(
            accept(experimenter, Side::Experimenter, &server, closing.clone()),
            accept(participant, Side::Participant, &server, closing),
            async {
                session::wait_for_end(only).await;
                let _ = close.send(true); // both listen until then
            }
        );
        Ok(())
    })
}

/// Until no more is to be served than what was asked for.
async fn closes(closing: &mut watch::Receiver<bool>) {
    let _ = closing.wait_for(|closing| *closing).await; // or nobody can say so any more
}

/// Both listeners on one port.
async fn listen(port: u16) -> Result<(TcpListener, TcpListener, u16), ServeError> {
    let refused = |source| ServeError::Port { port, source };
    let mut last = None;
    for _ in 0..TRIES {
        let first = bind(Side::Experimenter, port).await.map_err(refused)?;
        let given = first.local_addr().map_err(refused)?.port();
        match bind(Side::Participant, given).await {
            Ok(second) => return Ok((first, second, given)),
            Err(error) => last = Some(error),
        }
    }
    Err(refused(last.unwrap_or_else(|| io::ErrorKind::AddrInUse.into())))
}

/// A port that is free on one address may be taken on the other.
const TRIES: usize = 8;

async fn bind(side: Side, port: u16) -> io::Result<TcpListener> {
    TcpListener::bind(SocketAddr::new(side.address().into(), port)).await
}

/// Each side has room of its own, so that nobody on the participant's shuts the experimenter out.
/// At the end what was asked for is still answered whole: the end of a session is told as long as
/// it takes a page to be told.
async fn accept(
    listener: TcpListener,
    side: Side,
    server: &Arc<ServerState>,
    mut closing: watch::Receiver<bool>,
) {
    let room = Arc::new(Semaphore::new(MOST_CONNECTIONS as usize));
    let strangers = Arc::new(Strangers::default());
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = closes(&mut closing) => break,
        };
        let Ok((stream, _)) = accepted else {
            tokio::time::sleep(Duration::from_millis(50)).await; // out of descriptors
            continue;
        };
        if room.available_permits() == 0 {
            strangers.dismiss();
        }
        let Ok(place) = Arc::clone(&room).acquire_owned().await else { return };
        let (number, has_to_go) = strangers.come();
        let (server, strangers) = (Arc::clone(server), Arc::clone(&strangers));
        let closing = closing.clone();
        tokio::spawn(async move {
            tokio::select! {
                () = serve_one(stream, side, server, (number, &strangers), closing) => {}
                Ok(()) = has_to_go => {}
            }
            strangers.forget(number);
            drop(place);
        });
    }
    let _ = room.acquire_many(MOST_CONNECTIONS).await; // it is never closed
}

/// One connection, until it ends. When the server closes, it is until what was asked for is
/// answered, and one on which nothing was asked for is closed at once.
async fn serve_one(
    stream: TcpStream,
    side: Side,
    server: Arc<ServerState>,
    (number, strangers): (u64, &Arc<Strangers>),
    mut closing: watch::Receiver<bool>,
) {
    let patience = server.settings.patience;
    let answer = service_fn(|request| {
        let (server, strangers) = (Arc::clone(&server), Arc::clone(strangers));
        async move {
            let answer = routes::answer(&server, side, request).await;
            if was_let_in(answer.status()) {
                strangers.forget(number);
            }
            Ok::<_, std::convert::Infallible>(answer)
        }
    });
    let mut connection = http1::Builder::new();
    connection.timer(TokioTimer::new()).header_read_timeout(patience).max_buf_size(32 * 1024);
    // Of a connection that says nothing there is no head whose time could run out.
    let said = tokio::select! {
        said = timeout(patience, stream.readable()) => said.is_ok(),
        () = closes(&mut closing) => false,
    };
    if !said {
        return;
    }
    let mut served = pin!(connection.serve_connection(TokioIo::new(stream), answer));
    tokio::select! {
        _ = served.as_mut() => return,
        () = closes(&mut closing) => served.as_mut().graceful_shutdown(),
    }
    let _ = served.await;
}

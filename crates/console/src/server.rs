//! The server: a process of ordinary priority that makes pages of what sessions tell over
//! their sockets, and hands on what the pages ask for. It keeps nothing of a session: killed
//! and started again, it finds every session where it is.
//!
//! It listens on two loopback addresses, one for the experimenter and one for the
//! participant, because cookies ignore ports. What it lets in is decided in [`guard`].

mod answers;
mod begin;
mod errand;
mod folder;
mod guard;
mod kiosk;
mod markdown;
mod pages;
mod picture;
mod relay;
mod routes;
mod session;
mod strangers;
mod view;
mod withdraw;

pub use guard::Addresses;
pub use kiosk::Kiosk;

use crate::place::PlaceError;
use guard::{Guard, Side};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::ffi::OsString;
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use strangers::{Strangers, was_let_in};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::sync::oneshot::Receiver;
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
    /// Options that every session begun here gets: ports, rights.
    pub options: Vec<OsString>,
    /// The processors that tests of this computer may use, where the server keeps off one of them;
    /// else empty.
    pub processors: Vec<usize>,
    /// Who taps where the form says that nobody does.
    pub model: String,
    /// Whether the form offers a rehearsal first, as the tour does.
    pub rehearsal: bool,
    /// Where the participant's page is opened; `None` for a window of the experimenter's browser.
    pub kiosk: Option<Kiosk>,
    /// The one session to show, by its socket; the server ends with it.
    pub only: Option<PathBuf>,
    /// How long a request may take to come.
    pub patience: Duration,
}

/// Connections of one side at a time. Others take the place of one that says nothing, or wait.
const MOST_CONNECTIONS: usize = 64;

/// Why there is no server.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The port is taken, or the system refuses. Name another port.
    #[error("port {port}: {source}; name another with --port")]
    Port {
        /// The port.
        port: u16,
        /// What the system said.
        source: io::Error,
    },
    /// The system gave no random bytes, threads or descriptors.
    #[error("{0}; the console cannot start")]
    System(#[from] io::Error),
    /// There is no folder for the sockets.
    #[error(transparent)]
    Place(#[from] PlaceError),
}

/// What all requests share.
#[derive(Debug)]
struct House {
    settings: Settings,
    guard: Guard,
}

/// Serves until the program is ended, or the one session is over. `opened` is told the
/// addresses once they can be opened.
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
        let house = Arc::new(House { settings, guard });
        tokio::select! {
            () = accept(experimenter, Side::Experimenter, &house) => {}
            () = accept(participant, Side::Participant, &house) => {}
            () = session::wait_for_end(only) => {}
        }
        Ok(())
    })
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
async fn accept(listener: TcpListener, side: Side, house: &Arc<House>) {
    let room = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    let strangers = Arc::new(Strangers::default());
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(Duration::from_millis(50)).await; // out of descriptors
            continue;
        };
        if room.available_permits() == 0 {
            strangers.dismiss();
        }
        let Ok(place) = Arc::clone(&room).acquire_owned().await else { return };
        let (number, has_to_go) = strangers.come();
        let (house, strangers) = (Arc::clone(house), Arc::clone(&strangers));
        tokio::spawn(async move {
            serve_one(stream, side, house, (number, &strangers, has_to_go)).await;
            strangers.forget(number);
            drop(place);
        });
    }
}

/// One connection, until it ends or has to go.
async fn serve_one(
    stream: TcpStream,
    side: Side,
    house: Arc<House>,
    (number, strangers, has_to_go): (u64, &Arc<Strangers>, Receiver<()>),
) {
    let patience = house.settings.patience;
    let answer = service_fn(|request| {
        let (house, strangers) = (Arc::clone(&house), Arc::clone(strangers));
        async move {
            let answer = routes::answer(&house, side, request).await;
            if was_let_in(answer.status()) {
                strangers.forget(number);
            }
            Ok::<_, std::convert::Infallible>(answer)
        }
    });
    let mut connection = http1::Builder::new();
    connection.timer(TokioTimer::new()).header_read_timeout(patience).max_buf_size(32 * 1024);
    let served = async {
        // Of a connection that says nothing there is no head whose time could run out.
        if timeout(patience, stream.readable()).await.is_ok() {
            let _ = connection.serve_connection(TokioIo::new(stream), answer).await;
        }
    };
    tokio::select! {
        () = served => {}
        Ok(()) = has_to_go => {}
    }
}

//! [`Guard`]: who is let in. Three things must be right before anything is answered: the
//! `Host` (else another site's name could lead here, DNS rebinding), the `Origin` (else
//! another site could ask in the browser's name), and a cookie that only a one-time token
//! gives. Each side has its own loopback address, so a participant's browser holds no cookie
//! of the experimenter.

use hyper::header::{CONTENT_TYPE, COOKIE, HOST, HeaderMap, HeaderName, ORIGIN};
use hyper::{Method, Request};
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read};
use std::net::Ipv4Addr;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Whose address a connection came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Experimenter,
    Participant,
}

impl Side {
    pub(super) fn address(self) -> Ipv4Addr {
        match self {
            Side::Experimenter => Ipv4Addr::new(127, 0, 0, 1),
            Side::Participant => Ipv4Addr::new(127, 0, 0, 2),
        }
    }
}

/// Where the console is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Addresses {
    /// The address that lets the experimenter in, once.
    pub launch: String,
    /// The port of both sides.
    pub port: u16,
}

/// Who is let in.
#[derive(Debug)]
pub(super) struct Guard {
    port: u16,
    first_launch: String,
    experimenter: String,
    tokens: Mutex<Tokens>,
}

#[derive(Debug, Default)]
struct Tokens {
    launch: Option<String>,                // the experimenter's, until it is used
    windows: VecDeque<(String, u32)>,      // participants' launch tokens: their sessions
    participants: VecDeque<(String, u32)>, // participants' cookies: their sessions
}

/// Where a one-time address leads.
pub(super) const LAUNCH: &str = "/launch";

/// Windows that may wait to be opened; the oldest need not be kept.
const MOST_WINDOWS: usize = 64;

/// Why a request is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refused {
    /// Not an address of this console.
    Host,
    /// Another site asks.
    Origin,
    /// No cookie, or not one of this console.
    Cookie,
    /// Not JSON.
    Form,
}

impl Guard {
    pub(super) fn new(port: u16) -> io::Result<Guard> {
        let first_launch = token()?;
        let tokens = Tokens { launch: Some(first_launch.clone()), ..Tokens::default() };
        let tokens = Mutex::new(tokens);
        Ok(Guard { port, first_launch, experimenter: token()?, tokens })
    }

    pub(super) fn addresses(&self) -> Addresses {
        let launch = self.launch_address(Side::Experimenter, &self.first_launch);
        Addresses { launch, port: self.port }
    }

    fn launch_address(&self, side: Side, token: &str) -> String {
        format!("http://{}{LAUNCH}?token={token}", self.host(side))
    }

    fn host(&self, side: Side) -> String {
        format!("{}:{}", side.address(), self.port)
    }

    /// Whether a request comes from a page of this side. Says nothing of cookies.
    pub(super) fn look<B>(&self, side: Side, request: &Request<B>) -> Result<(), Refused> {
        let (headers, host) = (request.headers(), self.host(side));
        // A whole address in the first line counts for more than the header.
        let named = request.uri().authority().is_none_or(|authority| authority.as_str() == host);
        if only(headers, HOST) != Some(&host) || !named {
            return Err(Refused::Host);
        }
        let ours = format!("http://{host}");
        let posts = request.method() == Method::POST;
        match (headers.contains_key(ORIGIN), only(headers, ORIGIN)) {
            (false, _) if !posts => {}
            (_, Some(origin)) if origin == ours => {}
            _ => return Err(Refused::Origin),
        }
        if asks_from_elsewhere(request) {
            return Err(Refused::Origin);
        }
        match !posts || only(headers, CONTENT_TYPE) == Some("application/json") {
            true => Ok(()),
            false => Err(Refused::Form),
        }
    }

    /// Whether the experimenter's cookie is there.
    pub(super) fn is_experimenter(&self, headers: &HeaderMap) -> bool {
        cookies(headers, &self.cookie_name()).any(|given| same(given, &self.experimenter))
    }

    /// The session whose participant's cookie is there.
    pub(super) fn participant_of(&self, headers: &HeaderMap) -> Option<u32> {
        let tokens = self.tokens();
        let name = self.cookie_name();
        let mut given = cookies(headers, &name);
        given.find_map(|given| {
            let mut all = tokens.participants.iter();
            all.find(|(cookie, _)| same(given, cookie)).map(|(_, session)| *session)
        })
    }

    /// The cookie that a launch token gives. The token is used up by that.
    pub(super) fn launch(&self, side: Side, given: &str) -> Option<String> {
        let mut tokens = self.tokens();
        match side {
            Side::Experimenter => {
                tokens.launch.take_if(|launch| same(given, launch))?;
                Some(self.set_cookie(&self.experimenter))
            }
            Side::Participant => {
                let found = tokens.windows.iter().position(|(token, _)| same(given, token))?;
                let (_, session) = tokens.windows.remove(found)?;
                let cookie = token().ok()?;
                put(&mut tokens.participants, cookie.clone(), session);
                Some(self.set_cookie(&cookie))
            }
        }
    }

    /// The address that opens the participant's page of a session, once.
    pub(super) fn open_window(&self, session: u32) -> io::Result<String> {
        let token = token()?;
        put(&mut self.tokens().windows, token.clone(), session);
        Ok(self.launch_address(Side::Participant, &token))
    }

    /// With the port, because browsers do not tell two consoles of one machine apart by it.
    fn cookie_name(&self) -> String {
        format!("chronotap-{}", self.port)
    }

    fn set_cookie(&self, value: &str) -> String {
        format!("{}={value}; Path=/; HttpOnly; SameSite=Strict", self.cookie_name())
    }

    fn tokens(&self) -> MutexGuard<'_, Tokens> {
        self.tokens.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Keeps it, and as many of the others as there may be.
fn put(all: &mut VecDeque<(String, u32)>, secret: String, session: u32) {
    all.push_back((secret, session));
    if all.len() > MOST_WINDOWS {
        all.pop_front();
    }
}

/// Whether the browser says that another site asks. Cookies ignore ports, so a page of another
/// program on this computer has ours too. Only a one-time address may be opened from elsewhere.
fn asks_from_elsewhere<B>(request: &Request<B>) -> bool {
    let posts = request.method() == Method::POST;
    let is_ours = |site: &[u8]| site == b"same-origin" || !posts && site == b"none";
    let mut sites = request.headers().get_all("sec-fetch-site").iter();
    let elsewhere = !sites.all(|site| is_ours(site.as_bytes()));
    elsewhere && (posts || request.uri().path() != LAUNCH)
}

/// A header that stands there exactly once.
fn only(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    let mut all = headers.get_all(name).iter();
    let one = all.next()?.to_str().ok()?;
    all.next().is_none().then_some(one)
}

fn cookies<'a>(headers: &'a HeaderMap, name: &'a str) -> impl Iterator<Item = &'a str> {
    let all = headers.get_all(COOKIE).iter().filter_map(|header| header.to_str().ok());
    let pairs =
        all.flat_map(|header| header.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.filter(move |(given, _)| *given == name).map(|(_, value)| value)
}

/// Compares without telling by the time it takes where the two differ.
fn same(given: &str, right: &str) -> bool {
    let different = given.bytes().zip(right.bytes()).fold(0, |all, (a, b)| all | (a ^ b));
    given.len() == right.len() && different == 0
}

/// 256 random bits.
fn token() -> io::Result<String> {
    let mut bytes = [0; 32];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guard() -> Guard {
        Guard::new(8123).unwrap()
    }

    fn request(method: &str, headers: &[(&str, &str)]) -> Request<()> {
        let request = Request::builder().method(method).uri("/");
        let all =
            headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
        all.body(()).unwrap()
    }

    const OURS: (&str, &str) = ("host", "127.0.0.1:8123");
    const FROM_US: (&str, &str) = ("origin", "http://127.0.0.1:8123");
    const JSON: (&str, &str) = ("content-type", "application/json");

    #[test]
    fn only_the_exact_host_is_answered() {
        let guard = guard();
        for host in [
            "localhost:8123",
            "127.0.0.1",
            "evil.example:8123",
            "127.0.0.2:8123",
            "127.0.0.1:8123.evil.example",
        ] {
            let seen = guard.look(Side::Experimenter, &request("GET", &[("host", host)]));
            assert_eq!(seen, Err(Refused::Host), "{host}");
        }
        assert_eq!(guard.look(Side::Experimenter, &request("GET", &[OURS])), Ok(()));
        assert_eq!(
            guard.look(Side::Experimenter, &request("GET", &[OURS, OURS])),
            Err(Refused::Host)
        );
    }

    #[test]
    fn state_changes_only_for_pages_of_this_origin_and_in_json() {
        let guard = guard();
        let look =
            |headers: &[(&str, &str)]| guard.look(Side::Experimenter, &request("POST", headers));
        assert_eq!(look(&[OURS, FROM_US, JSON]), Ok(()));
        assert_eq!(look(&[OURS, JSON]), Err(Refused::Origin));
        for origin in
            ["null", "http://evil.example", "https://127.0.0.1:8123", "http://127.0.0.2:8123"]
        {
            assert_eq!(look(&[OURS, ("origin", origin), JSON]), Err(Refused::Origin), "{origin}");
        }
        assert_eq!(look(&[OURS, FROM_US]), Err(Refused::Form));
        assert_eq!(look(&[OURS, FROM_US, ("content-type", "text/plain")]), Err(Refused::Form));
        assert_eq!(
            look(&[OURS, FROM_US, JSON, ("sec-fetch-site", "cross-site")]),
            Err(Refused::Origin)
        );
    }

    #[test]
    fn a_launch_token_works_once_and_a_guessed_one_never() {
        let guard = guard();
        let right = guard.first_launch.clone();
        assert_eq!(guard.launch(Side::Experimenter, &"0".repeat(64)), None);
        assert_eq!(guard.launch(Side::Experimenter, ""), None);
        assert_eq!(guard.launch(Side::Participant, &right), None);
        let cookie = guard.launch(Side::Experimenter, &right).unwrap();
        assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"));
        assert_eq!(guard.launch(Side::Experimenter, &right), None);
    }

    #[test]
    fn a_participants_cookie_is_good_for_one_session_and_not_for_the_experimenter() {
        let guard = guard();
        let address = guard.open_window(7).unwrap();
        let token = address.split_once("token=").unwrap().1;
        assert_eq!(guard.launch(Side::Experimenter, token), None);
        let cookie = guard.launch(Side::Participant, token).unwrap();
        let cookie = cookie.split_once(';').unwrap().0;
        let given = request("GET", &[("cookie", cookie)]);
        assert_eq!(guard.participant_of(given.headers()), Some(7));
        assert!(!guard.is_experimenter(given.headers()));
        assert_eq!(guard.launch(Side::Participant, token), None);
    }

    #[test]
    fn a_whole_address_in_the_first_line_is_ours_too() {
        let guard = guard();
        let look = |uri: &str| {
            let request = Request::builder().uri(uri).header(OURS.0, OURS.1).body(()).unwrap();
            guard.look(Side::Experimenter, &request)
        };
        assert_eq!(look("http://127.0.0.1:8123/folder"), Ok(()));
        for elsewhere in ["evil.example", "127.0.0.1", "127.0.0.2:8123", "you@127.0.0.1:8123"] {
            assert_eq!(look(&format!("http://{elsewhere}/")), Err(Refused::Host), "{elsewhere}");
        }
    }

    #[test]
    fn another_site_of_this_computer_may_open_a_one_time_address_and_ask_for_nothing_else() {
        let guard = guard();
        let look = |uri: &str, sites: &[&str]| {
            let request = Request::builder().uri(uri).header(OURS.0, OURS.1);
            let add = |request: hyper::http::request::Builder, site: &&str| {
                request.header("sec-fetch-site", *site)
            };
            let request = sites.iter().fold(request, add).body(()).unwrap();
            guard.look(Side::Experimenter, &request)
        };
        for from_us in [&["same-origin"][..], &["none"], &[]] {
            assert_eq!(look("/folder", from_us), Ok(()), "{from_us:?}");
        }
        for other in [&["same-site"][..], &["cross-site"], &["none", "cross-site"]] {
            assert_eq!(look("/folder", other), Err(Refused::Origin), "{other:?}");
            assert_eq!(look("/launch?token=1", other), Ok(()), "{other:?}");
        }
    }

    #[test]
    fn windows_of_many_sessions_shut_out_the_oldest_alone() {
        let guard = guard();
        let open = |session| {
            let address = guard.open_window(session).unwrap();
            let token = address.split_once("token=").unwrap().1;
            guard.launch(Side::Participant, token).unwrap()
        };
        let cookies: Vec<String> = (0..=MOST_WINDOWS as u32).map(open).collect();
        let session = |cookie: &str| {
            let given = request("GET", &[("cookie", cookie.split_once(';').unwrap().0)]);
            guard.participant_of(given.headers())
        };
        assert_eq!((session(&cookies[0]), session(&cookies[1])), (None, Some(1)));
    }
}

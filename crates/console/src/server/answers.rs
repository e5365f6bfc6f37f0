//! What every answer has: the headers that keep other sites, scripts and frames out.

use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Full};
use hyper::body::{Body, Bytes};
use hyper::header::{HeaderName, HeaderValue};
use hyper::{Response, StatusCode};
use serde::Serialize;
use serde_json::json;
use std::convert::Infallible;

pub(super) type Answer = Response<UnsyncBoxBody<Bytes, Infallible>>;

/// Scripts, styles, pictures and sounds of this address alone; nothing inline, nothing framed.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
    media-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const HEADERS: [(&str, &str); 6] = [
    ("content-security-policy", POLICY),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cache-control", "no-store"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
];

/// An answer of this kind.
pub(super) fn answer<B>(status: StatusCode, kind: &'static str, body: B) -> Answer
where
    B: Body<Data = Bytes, Error = Infallible> + Send + 'static,
{
    let mut answer = Response::new(body.boxed_unsync());
    *answer.status_mut() = status;
    let headers = answer.headers_mut();
    headers.insert("content-type", HeaderValue::from_static(kind));
    for (name, value) in HEADERS {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    answer
}

/// Bytes of this kind.
pub(super) fn bytes(kind: &'static str, bytes: impl Into<Bytes>) -> Answer {
    answer(StatusCode::OK, kind, Full::new(bytes.into()))
}

/// A page that the program made as a file: its styles and pictures stand in it, and it may do
/// nothing, not even be of this address.
pub(super) fn report(text: String) -> Answer {
    let mut answer = bytes("text/html; charset=utf-8", text);
    let policy = HeaderValue::from_static(POLICY_OF_REPORTS);
    answer.headers_mut().insert("content-security-policy", policy);
    answer
}

const POLICY_OF_REPORTS: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox";

/// The page on which a study is tried. It alone may run WebAssembly, in a worker that one of its scripts
/// made, and its editor and its figures bring their styles with them.
pub(super) fn trying(page: &'static str) -> Answer {
    let mut answer = bytes("text/html; charset=utf-8", page);
    let policy = HeaderValue::from_static(POLICY_OF_TRYING);
    answer.headers_mut().insert("content-security-policy", policy);
    answer
}

const POLICY_OF_TRYING: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src blob:; \
    style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'none'";

/// A value as JSON.
pub(super) fn value(value: &impl Serialize) -> Answer {
    let text = serde_json::to_string(value).unwrap_or_else(|_| "null".into());
    bytes("application/json", text)
}

/// Why not, for a page to show.
pub(super) fn refusal(status: StatusCode, error: &str) -> Answer {
    let text = json!({ "error": error }).to_string();
    answer(status, "application/json", Full::new(text.into()))
}

/// A sentence for somebody who sees nothing else.
pub(super) fn sentence(status: StatusCode, text: &str) -> Answer {
    let mut answer =
        answer(status, "text/plain; charset=utf-8", Full::new(Bytes::from(format!("{text}\n"))));
    answer.extensions_mut().insert(Sentence(text.to_owned()));
    answer
}

/// What an answer says to somebody who sees nothing else.
#[derive(Clone)]
struct Sentence(String);

/// The same answer for whoever opened an address: a sentence is a page then.
pub(super) fn as_a_page(mut answer: Answer) -> Answer {
    let Some(Sentence(text)) = answer.extensions_mut().remove() else { return answer };
    let page = format!("{HEAD}<main><h1>{text}</h1></main></html>");
    let kind = HeaderValue::from_static("text/html; charset=utf-8");
    answer.headers_mut().insert("content-type", kind);
    let policy = HeaderValue::from_static(POLICY_OF_SENTENCES);
    answer.headers_mut().insert("content-security-policy", policy);
    answer.map(|_| Full::new(Bytes::from(page)).boxed_unsync())
}

/// An icon that is none, so that the browser does not ask for one that it would not get.
const POLICY_OF_SENTENCES: &str = "default-src 'none'; img-src data:; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'none'";

const HEAD: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\">\
    <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
    <title>Chronotap</title><link rel=\"icon\" href=\"data:,\">";

/// Lets somebody in. A page and not a redirect: a browser that came from elsewhere would not
/// send the new cookie along with a redirect, because the cookie is for this site alone.
pub(super) fn let_in(cookie: &str) -> Answer {
    let mut answer = bytes("text/html; charset=utf-8", WELCOME);
    if let Ok(cookie) = HeaderValue::from_str(cookie) {
        answer.headers_mut().insert("set-cookie", cookie);
    }
    answer
}

const WELCOME: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\">\
    <meta http-equiv=\"refresh\" content=\"0; url=/\"><title>Chronotap</title>\
    <link rel=\"icon\" type=\"image/svg+xml\" href=\"/pages/icon.svg\">\
    <main><h1>You are let in.</h1><p><a href=\"/\">Go on</a></p></main></html>";

/// To another page of this address.
pub(super) fn redirect(to: &str) -> Answer {
    let mut answer = sentence(StatusCode::SEE_OTHER, "It is at another address.");
    if let Ok(to) = HeaderValue::from_str(to) {
        answer.headers_mut().insert("location", to);
    }
    answer
}

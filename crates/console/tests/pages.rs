//! The server from outside, byte by byte, as a browser or an intruder would speak to it; at its
//! far end stands the page state of a session.

use chronotap_console::server::{Kiosk, Settings, serve};
use chronotap_console::{PageSocket, PageState, Phase, Shown};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::thread::JoinHandle;
use std::time::Duration;
use tempfile::TempDir;

const EXPERIMENTER: &str = "127.0.0.1";
const PARTICIPANT: &str = "127.0.0.2";

/// A server, and the page state of session 1.
struct Server {
    folder: TempDir,
    launch: String,
    port: u16,
    page_state: Arc<PageState>,
    page_socket: PageSocket,
    served: JoinHandle<()>,
}

/// A server that waits long for a request, because the machine may be busy.
fn server() -> Server {
    server_with(Duration::from_secs(60), None)
}

fn server_with(patience: Duration, kiosk: Option<Kiosk>) -> Server {
    server_of(tempfile::tempdir().unwrap(), "/bin/false".into(), patience, kiosk)
}

/// A server that runs this script as its program.
fn server_that_runs(script: &str) -> Server {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("program");
    write_script(&program, script);
    let server = server_of(folder, program, Duration::from_secs(60), None);
    std::fs::remove_file(server.page_socket.path()).unwrap(); // no session is under way
    server
}

fn write_script(path: &Path, script: &str) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::write(path, format!("#!/bin/sh\n{script}\n")).unwrap();
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o700)).unwrap();
}

fn server_of(
    folder: TempDir,
    program: PathBuf,
    patience: Duration,
    kiosk: Option<Kiosk>,
) -> Server {
    server_for(folder, program, patience, kiosk, None)
}

fn server_for(
    folder: TempDir,
    program: PathBuf,
    patience: Duration,
    kiosk: Option<Kiosk>,
    only: Option<PathBuf>,
) -> Server {
    let page_state = PageState::new();
    let study = folder.path().join("study/study.toml");
    page_state.set(|scene| {
        scene.title = "The study".into();
        scene.study = study;
    });
    let page_socket =
        PageSocket::open(&folder.path().join("session-1.socket"), &page_state).unwrap();
    let settings = Settings {
        folder: folder.path().to_owned(),
        sockets: folder.path().to_owned(),
        port: 0,
        program,
        options: Vec::new(),
        ports: Vec::new(),
        processors: Vec::new(),
        lasting: BTreeMap::new(),
        model: None,
        rehearsal: false,
        lacks: vec!["parquet"],
        pane: Some(folder.path().join("pane")).filter(|pane| pane.is_dir()),
        kiosk,
        only,
        patience,
    };
    let (sender, receiver) = channel();
    let served = std::thread::spawn(move || {
        serve(settings, |addresses| sender.send(addresses.clone()).unwrap()).unwrap();
    });
    let addresses = receiver.recv().unwrap();
    Server {
        folder,
        launch: addresses.launch,
        port: addresses.port,
        page_state,
        page_socket,
        served,
    }
}

/// A whole answer: its status, and all of it.
struct Answer(u16, String);

impl Server {
    /// Sends a request to one side; lines of the head end with CR LF here.
    fn ask(&self, host: &str, request: &str) -> Answer {
        let mut stream = TcpStream::connect((host, self.port)).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer); // it may be closed rudely
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let status = answer.split(' ').nth(1).and_then(|word| word.parse().ok());
        Answer(status.unwrap_or(0), answer)
    }

    fn get(&self, host: &str, path: &str, cookie: &str) -> Answer {
        let port = self.port;
        let head = format!("GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nCookie: {cookie}\r\n");
        self.ask(host, &format!("{head}Connection: close\r\n\r\n"))
    }

    fn post(&self, host: &str, path: &str, cookie: &str, body: &str) -> Answer {
        self.post_from(&format!("http://{host}:{}", self.port), host, path, cookie, body)
    }

    fn post_from(&self, origin: &str, host: &str, path: &str, cookie: &str, body: &str) -> Answer {
        let (port, length) = (self.port, body.len());
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: {host}:{port}\r\nOrigin: {origin}\r\nCookie: {cookie}\r\n\
             Content-Type: application/json\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
        );
        self.ask(host, &format!("{head}{body}"))
    }

    /// The cookie of whoever opens this address.
    fn let_in(&self, address: &str) -> String {
        let (host, path) = address.strip_prefix("http://").unwrap().split_once('/').unwrap();
        let host = host.split(':').next().unwrap();
        let Answer(status, answer) = self.get(host, &format!("/{path}"), "");
        assert_eq!(status, 200, "{answer}");
        let cookie = answer.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
        cookie.split(';').next().unwrap().to_owned()
    }

    fn experimenter(&self) -> String {
        self.let_in(&self.launch)
    }

    fn participant(&self, experimenter: &str) -> String {
        let Answer(_, answer) = self.post(EXPERIMENTER, "/session/1/window", experimenter, "{}");
        let value = answer.split("\r\n\r\n").nth(1).unwrap();
        let value: serde_json::Value = serde_json::from_str(value).unwrap();
        self.let_in(value["address"].as_str().unwrap())
    }

    /// The stream of events from the one after `last` on.
    fn events(&self, host: &str, path: &str, cookie: &str, last: u64) -> BufReader<TcpStream> {
        let mut stream = TcpStream::connect((host, self.port)).unwrap();
        let port = self.port;
        let head = format!(
            "GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nCookie: {cookie}\r\nLast-Event-ID: {last}\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).unwrap();
        BufReader::new(stream)
    }
}

/// Reads until a line has this in it.
fn until(stream: &mut BufReader<TcpStream>, wanted: &str) -> String {
    let mut all = String::new();
    while !all.contains(wanted) {
        assert_ne!(stream.read_line(&mut all).unwrap(), 0, "{wanted} did not come: {all}");
    }
    all
}

#[test]
fn the_printed_address_lets_one_browser_in_once() {
    let server = server();
    assert_eq!(server.get(EXPERIMENTER, "/", "").0, 401);
    let cookie = server.experimenter();
    let Answer(status, page) = server.get(EXPERIMENTER, "/", &cookie);
    assert_eq!(status, 200);
    assert!(page.contains("default-src 'none'") && page.contains("nosniff"), "{page}");
    let path = server.launch.split_once(&server.port.to_string()).unwrap().1;
    assert_eq!(server.get(EXPERIMENTER, path, "").0, 401, "the second time");
}

#[test]
fn whoever_opens_a_page_and_is_not_let_in_reads_so_on_a_page() {
    let server = server();
    let port = server.port;
    let head = format!("GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n");
    let Answer(status, page) =
        server.ask(EXPERIMENTER, &format!("{head}Accept: text/html,*/*;q=0.8\r\n\r\n"));
    assert!(status == 401 && page.contains("<h1>This browser is not let in."), "{page}");
    let Answer(status, said) = server.ask(EXPERIMENTER, &format!("{head}Accept: */*\r\n\r\n"));
    assert!(status == 401 && !said.contains('<'), "{said}");
}

#[test]
fn a_guessed_token_or_cookie_lets_nobody_in() {
    let server = server();
    let guess = "0".repeat(64);
    assert_eq!(server.get(EXPERIMENTER, &format!("/launch?token={guess}"), "").0, 401);
    assert_eq!(server.get(EXPERIMENTER, "/launch?token=", "").0, 401);
    assert_eq!(server.get(PARTICIPANT, &format!("/launch?token={guess}"), "").0, 401);
    let name = format!("chronotap-{}", server.port);
    for cookie in [format!("{name}={guess}"), format!("{name}="), "x=y".into()] {
        assert_eq!(server.get(EXPERIMENTER, "/folder", &cookie).0, 401, "{cookie}");
        assert_eq!(server.get(PARTICIPANT, "/events", &cookie).0, 401, "{cookie}");
    }
}

#[test]
fn a_name_that_was_rebound_to_this_computer_is_not_answered() {
    let server = server();
    let (cookie, port) = (server.experimenter(), server.port);
    for host in [format!("evil.example:{port}"), format!("localhost:{port}"), "127.0.0.1".into()] {
        let request = format!(
            "GET /folder HTTP/1.1\r\nHost: {host}\r\nCookie: {cookie}\r\nConnection: close\r\n\r\n"
        );
        assert_eq!(server.ask(EXPERIMENTER, &request).0, 421, "{host}");
    }
}

#[test]
fn another_site_cannot_command_even_with_the_cookie() {
    let server = server();
    let cookie = server.experimenter();
    let stop = r#"{"do":"stop"}"#;
    let path = "/session/1/command";
    for origin in ["http://evil.example", "null", "http://127.0.0.2"] {
        let Answer(status, _) = server.post_from(origin, EXPERIMENTER, path, &cookie, stop);
        assert_eq!(status, 403, "{origin}");
    }
    let port = server.port;
    let form = format!(
        "POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\nCookie: {cookie}\r\n\
         Content-Type: text/plain\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{stop}",
        stop.len()
    );
    assert_eq!(server.ask(EXPERIMENTER, &form).0, 415);
    let get = server.get(EXPERIMENTER, path, &cookie);
    assert_eq!(get.0, 404, "nothing changes by looking");
    assert_eq!(server.post(EXPERIMENTER, path, &cookie, stop).0, 200);
}

#[test]
fn a_participant_can_answer_and_can_do_nothing_of_the_experimenter() {
    let server = server();
    let experimenter = server.experimenter();
    let participant = server.participant(&experimenter);
    for path in ["/", "/folder", "/session/1/events"] {
        assert_eq!(server.get(EXPERIMENTER, path, &participant).0, 401, "{path}");
    }
    for command in
        [r#"{"do":"stop"}"#, r#"{"do":"skip","reason":"tired","begun":0}"#, r#"{"do":"start"}"#]
    {
        assert_eq!(server.post(PARTICIPANT, "/command", &participant, command).0, 409, "{command}");
        let there = server.post(EXPERIMENTER, "/session/1/command", &participant, command);
        assert_eq!(there.0, 401, "{command}");
    }
    for path in ["/folder", "/begin", "/session/1/command", "/session/1/window"] {
        assert_eq!(server.post(PARTICIPANT, path, &participant, "{}").0, 404, "{path}");
    }
    let full = r#"{"do":"screen","full":true}"#;
    assert_eq!(server.post(PARTICIPANT, "/command", &participant, full).0, 200);
}

#[test]
fn no_path_leads_out_of_the_pages_and_the_study() {
    let server = server();
    let cookie = server.experimenter();
    let study = server.folder.path().join("study");
    std::fs::create_dir(&study).unwrap();
    std::fs::write(study.join("pad.png"), "picture").unwrap();
    std::fs::write(server.folder.path().join("secret.png"), "secret").unwrap();
    for path in [
        "/pages/../Cargo.toml",
        "/pages/..%2f..%2fCargo.toml",
        "/session/1/picture/../secret.png",
        "/session/1/picture/..%2fsecret.png",
        "/session/1/picture/%2e%2e/secret.png",
        "/session/../1/events",
        "/session/1%2f../picture/pad.png",
    ] {
        assert_eq!(server.get(EXPERIMENTER, path, &cookie).0, 404, "{path}");
    }
    let Answer(status, picture) = server.get(EXPERIMENTER, "/session/1/picture/pad.png", &cookie);
    assert!(status == 200 && picture.ends_with("picture"), "{picture}");
}

#[test]
fn bodies_and_heads_beyond_all_measure_are_refused() {
    let server = server();
    let cookie = server.experimenter();
    let note = format!(r#"{{"do":"note","text":"{}"}}"#, "x".repeat(20_000));
    assert_eq!(server.post(EXPERIMENTER, "/session/1/command", &cookie, &note).0, 413);
    let long = format!("/{}", "x".repeat(100_000));
    assert_ne!(server.get(EXPERIMENTER, &long, &cookie).0, 200);
    assert_eq!(server.post(EXPERIMENTER, "/session/1/command", &cookie, "{").0, 400);
    assert_eq!(server.get(EXPERIMENTER, "/", &cookie).0, 200, "it goes on");
}

#[test]
fn a_thousand_connections_that_say_nothing_do_not_shut_the_experimenter_out() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit }).unwrap();
    let server = server_with(Duration::from_secs(600), None); // none of them goes by itself
    let cookie = server.experimenter();
    let address = std::net::SocketAddr::from(([127, 0, 0, 1], server.port));
    let connect = |_| TcpStream::connect_timeout(&address, Duration::from_millis(5)).ok();
    let silent: Vec<_> = (0..1_000).filter_map(connect).collect();
    assert_eq!(server.get(EXPERIMENTER, "/", &cookie).0, 200, "after {} connections", silent.len());
}

#[test]
fn pages_that_stay_connected_on_the_participants_side_do_not_shut_the_experimenter_out() {
    let server = server();
    let experimenter = server.experimenter();
    let participant = server.participant(&experimenter);
    let streams = || server.events(PARTICIPANT, "/events", &participant, 0);
    let mut open: Vec<_> = (0..64).map(|_| streams()).collect();
    until(&mut open[63], "event: "); // one that has not asked yet would give way to the next
    open.extend((0..6).map(|_| streams())); // that there are too many
    assert_eq!(server.get(EXPERIMENTER, "/", &experimenter).0, 200);
    let hold = r#"{"do":"hold","hold":true}"#;
    for _ in 0..100 {
        assert_eq!(server.post(EXPERIMENTER, "/session/1/command", &experimenter, hold).0, 200);
    }
}

#[test]
fn the_first_page_is_told_what_the_program_was_built_without() {
    let server = server_that_runs("exit 1");
    let Answer(status, told) = server.get(EXPERIMENTER, "/folder", &server.experimenter());
    assert!(status == 200 && told.contains(r#""lacks":["parquet","try"]"#), "{told}");
}

/// A server with a pane beside it; session 1 is under way.
fn server_with_pane() -> Server {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("pane")).unwrap();
    std::fs::write(folder.path().join("pane/pane.js"), "// the pane").unwrap();
    std::fs::write(folder.path().join("pane/own.js"), "// not of it").unwrap();
    server_of(folder, "/bin/false".into(), Duration::from_secs(60), None)
}

/// What the page is given that tries this file.
fn tried((server, cookie): &(Server, String), file: &str) -> (u16, serde_json::Value) {
    let wish = serde_json::json!({ "file": file }).to_string();
    let Answer(status, said) = server.post(EXPERIMENTER, "/try", cookie, &wish);
    let body = said.split("\r\n\r\n").nth(1).unwrap_or_default();
    (status, serde_json::from_str(body).unwrap_or_default())
}

/// A server with a pane, these files and no session, and the experimenter's cookie.
fn server_to_try(files: &[(&str, &str)]) -> (Server, String) {
    let server = server_with_pane();
    std::fs::remove_file(server.page_socket.path()).unwrap();
    write_study(&server);
    for (name, text) in files {
        std::fs::write(server.folder.path().join(name), text).unwrap();
    }
    let cookie = server.experimenter();
    (server, cookie)
}

#[test]
fn the_files_of_a_study_are_given_to_be_tried_and_nothing_else() {
    let text = "[[step]]\nsay = \"welcome.md\"\n";
    let files = [("study/study.toml", text), ("study/welcome.md", "Hello"), ("blind.toml", BLIND)];
    let server = server_to_try(&files);
    let (status, said) = tried(&server, "study/study.toml");
    assert_eq!(status, 200, "{said}");
    assert_eq!(said["files"], serde_json::json!([["study.toml", text], ["welcome.md", "Hello"]]));
    assert_eq!(said["participant"], "adults", "who usually taps in a rehearsal");
    let (status, said) = tried(&server, "blind.toml");
    assert!(status == 409 && said["error"].as_str().unwrap().contains("this study is blind"));
    for outside in ["../study.toml", "/etc/passwd", "study/welcome.md"] {
        let (status, said) = tried(&server, outside);
        assert!(status == 409, "{outside}");
        assert_eq!(said["error"], "there is no such file in this folder; load the page again");
    }
}

#[test]
fn a_trial_for_itself_is_given_to_be_tried_with_its_mistakes_too() {
    let trial = "title = \"A beat\"\n[[when]]\ntap = 1\nend = true\n";
    let server = server_to_try(&[("own.toml", trial), ("wrong.toml", "tittle = \"A beat\"\n")]);
    let given = |name: &str, title: &str, text: &str| serde_json::json!({"title": title, "files": [[name, text]], "participant": "tapper", "problem": ""});
    assert_eq!(tried(&server, "own.toml"), (200, given("own.toml", "A beat", trial)));
    let wrong = given("wrong.toml", "wrong.toml", "tittle = \"A beat\"\n");
    assert_eq!(tried(&server, "wrong.toml"), (200, wrong));
}

#[test]
fn the_texts_of_a_study_with_mistakes_are_given_unless_it_says_that_it_is_blind() {
    let step = "[[step]]\nsay = \"hello.md\"\n";
    let (wrong, blind) =
        (format!("tittle = 1\n{step}"), format!("blind = true\nseeed = 1\n{step}"));
    let unclosed = "blind=\"yes\n[[step]]\n";
    let server = server_to_try(&[
        ("wrong.toml", &wrong),
        ("hello.md", "Hello"),
        ("blind.toml", &blind),
        ("unclosed.toml", unclosed),
    ]);
    let files = serde_json::json!([["wrong.toml", wrong], ["hello.md", "Hello"]]);
    let given = serde_json::json!({"title": "wrong.toml", "files": files, "participant": "adults", "problem": ""});
    assert_eq!(tried(&server, "wrong.toml"), (200, given));
    for blind in ["blind.toml", "unclosed.toml"] {
        let (status, said) = tried(&server, blind);
        assert!(status == 409 && said["error"].as_str().unwrap().contains("blind"), "{blind}");
    }
}

#[test]
fn a_mistake_that_no_text_shows_is_told_beside_the_pane() {
    let text = "[[step]]\nsay = \"hello.md\"\n";
    let hello = "![A hand](hand.png)";
    let server = server_to_try(&[("pictures.toml", text), ("hello.md", hello)]);
    let (status, said) = tried(&server, "pictures.toml");
    assert_eq!(status, 200, "{said}");
    assert_eq!(said["files"], serde_json::json!([["pictures.toml", text], ["hello.md", hello]]));
    assert!(said["problem"].as_str().unwrap().contains("hand.png"), "{said}");
}

const BLIND: &str = "blind = true\n[[step]]\ntext = \"Hello\"\n";

#[test]
fn the_pane_may_do_what_no_other_page_may_and_only_its_own_files_are_served() {
    let server = server_with_pane();
    let cookie = server.experimenter();
    let Answer(status, page) = server.get(EXPERIMENTER, "/try", &cookie);
    assert!(status == 200 && page.contains("script-src 'self' 'wasm-unsafe-eval';"), "{page}");
    let Answer(_, page) = server.get(EXPERIMENTER, "/", &cookie);
    assert!(!page.contains("wasm"), "{page}");
    let Answer(status, part) = server.get(EXPERIMENTER, "/try/pane.js", &cookie);
    assert!(status == 200 && part.contains("text/javascript") && part.ends_with("// the pane"));
    for path in ["/try/own.js", "/try/engine.js", "/try/../pane/own.js", "/try/%2e%2e/x"] {
        assert_eq!(server.get(EXPERIMENTER, path, &cookie).0, 404, "{path}");
    }
    let participant = server.participant(&cookie);
    for path in ["/try", "/try/pane.js", "/try/hindered"] {
        assert_eq!(server.get(PARTICIPANT, path, &participant).0, 404, "{path}");
    }
}

#[test]
fn nothing_is_tried_beside_a_session_and_without_the_pane_it_is_said_how_to_get_it() {
    let server = server_with_pane();
    let (cookie, wish) = (server.experimenter(), r#"{"file":"study/study.toml"}"#);
    let Answer(status, said) = server.post(EXPERIMENTER, "/try", &cookie, wish);
    assert!(status == 409 && said.contains("whose timing this would disturb"), "{said}");
    let Answer(_, said) = server.get(EXPERIMENTER, "/try/hindered", &cookie);
    assert!(said.contains(r#"{"why":"a trial is under way"#), "{said}");
    let without = server_that_runs("exit 1");
    let cookie = without.experimenter();
    let Answer(status, said) = without.get(EXPERIMENTER, "/try", &cookie);
    assert!(status == 404 && said.contains("type scripts/web.sh in its clone"), "{said}");
    let Answer(_, said) = without.get(EXPERIMENTER, "/try/hindered", &cookie);
    assert!(said.ends_with(r#"{"why":null}"#), "{said}");
}

#[test]
fn a_test_of_this_computer_is_run_and_what_it_says_and_leaves_is_shown() {
    let server = server_that_runs(
        "echo \"$@\"; mkdir -p timing; echo '<p>Plots</p>' >timing/host_wakeup_run-01.html; exit 1",
    );
    let cookie = server.experimenter();
    let asked = r#"{"what":"wakeup","length":"quick"}"#;
    let Answer(status, begun) = server.post(EXPERIMENTER, "/job", &cookie, asked);
    assert!(status == 200 && begun.ends_with(r#"{"job":1}"#), "{begun}");
    let mut page = server.events(EXPERIMENTER, "/job/1/events", &cookie, 0);
    let told = until(&mut page, r#""over":true"#);
    assert!(told.contains("timing wakeup --quick") && told.contains(r#""status":1"#), "{told}");
    let Answer(status, page) = server.get(EXPERIMENTER, "/job/1/page", &cookie);
    assert!(status == 200 && page.contains("Plots"), "{page}");
    assert!(page.contains("frame-ancestors 'none'; sandbox"), "it may do nothing: {page}");
    assert!(server.get(EXPERIMENTER, "/folder", &cookie).1.contains(r#""jobs":[{"#));
    for path in ["/job/2/page", "/job/x/page", "/job/1/../../about.json"] {
        assert_eq!(server.get(EXPERIMENTER, path, &cookie).0, 404, "{path}");
    }
}

#[test]
fn only_what_is_known_is_done_and_only_with_a_dataset_of_the_folder() {
    let server = server_that_runs("exit 0");
    let cookie = server.experimenter();
    for (asked, why) in [
        (r#"{"what":"dataset","dataset":"/etc","work":"verify"}"#, "no such dataset"),
        (r#"{"what":"dataset","dataset":"../data","work":"backup","to":"x"}"#, "no such dataset"),
        (r#"{"what":"dataset","dataset":"data","work":"withdraw"}"#, "known are verify, analyze"),
    ] {
        let Answer(status, said) = server.post(EXPERIMENTER, "/job", &cookie, asked);
        assert!(status == 409 && said.contains(why), "{asked}: {said}");
    }
}

#[test]
fn what_is_pressed_is_told_with_its_port_and_why_another_cannot_be_heard() {
    let server = server_that_runs(
        r#"case "$*" in
        ports*) echo '[{"name":"alsa:Pad","in":true,"refused":null},{"name":"evdev:Held","in":true,"refused":null},{"name":"wire","in":true,"refused":null}]' ;;
        *alsa:Pad) echo "  1.0  kernel  press    channel 10 note 36  velocity 80"; exec sleep 1000 ;;
        *) echo "it is held by a session" >&2; exit 2 ;;
        esac"#,
    );
    let cookie = server.experimenter();
    let mut page = server.events(EXPERIMENTER, "/presses", &cookie, 0);
    let told = until(&mut page, r#""deaf""#);
    let told =
        if told.contains(r#""heard""#) { told } else { told + &until(&mut page, r#""heard""#) };
    for said in [
        r#""port":"alsa:Pad","heard":"channel 10 note 36  velocity 80""#,
        r#""port":"evdev:Held","deaf":"it is held by a session""#,
    ] {
        assert!(told.contains(said), "{said}: {told}");
    }
    assert!(!told.contains("wire"), "{told}");
    let participant = server.participant(&cookie);
    assert_eq!(server.get(PARTICIPANT, "/presses", &participant).0, 404);
}

#[test]
fn the_server_is_not_the_parent_of_what_it_begins_and_can_stop_it() {
    // Its parent, which is the shell that waits for it. As the program does, it ends at Ctrl-C also
    // where whoever began the tests has that ignored.
    let server = server_that_runs(
        "cut -d ' ' -f 4 /proc/$PPID/stat; exec env --default-signal=INT sleep 1000 <&-",
    );
    let cookie = server.experimenter();
    let doctor = r#"{"what":"doctor"}"#;
    assert_eq!(server.post(EXPERIMENTER, "/job", &cookie, doctor).0, 200);
    let mut page = server.events(EXPERIMENTER, "/job/1/events", &cookie, 0);
    let told = until(&mut page, r#"\n","over":false"#);
    let said = told.rsplit_once(r#""said":""#).unwrap().1.split('\\').next().unwrap().to_owned();
    assert_ne!(said.parse::<u32>().unwrap(), std::process::id(), "{told}");
    let Answer(status, twice) = server.post(EXPERIMENTER, "/job", &cookie, doctor);
    assert!(status == 409 && twice.contains("is under way"), "{twice}");
    assert_eq!(server.post(EXPERIMENTER, "/job/1/stop", &cookie, "{}").0, 200);
    until(&mut page, r#""over":true"#);
    assert_eq!(server.post(EXPERIMENTER, "/job/1/stop", &cookie, "{}").0, 409);
}

#[test]
fn nothing_is_tested_beside_a_session_and_nothing_by_participants() {
    let server = server();
    let experimenter = server.experimenter();
    let participant = server.participant(&experimenter);
    let doctor = r#"{"what":"doctor"}"#;
    let Answer(status, said) = server.post(EXPERIMENTER, "/job", &experimenter, doctor);
    assert!(status == 409 && said.contains("is under way"), "{said}");
    for path in ["/job", "/job/1/stop"] {
        assert_eq!(server.post(PARTICIPANT, path, &participant, doctor).0, 404, "{path}");
        assert_eq!(server.post(EXPERIMENTER, path, &participant, doctor).0, 401, "{path}");
    }
    for path in ["/ports", "/job/1/events", "/job/1/page"] {
        assert_eq!(server.get(PARTICIPANT, path, &participant).0, 404, "{path}");
    }
    let other = r#"{"what":"run","path":"/bin/sh"}"#;
    assert_eq!(server.post(EXPERIMENTER, "/job", &experimenter, other).0, 400);
}

#[test]
fn no_second_session_begins_beside_one_that_is_under_way() {
    let server = server();
    server.page_state.set(|scene| scene.participant = "07".into());
    let study = server.folder.path().join("study");
    std::fs::create_dir(&study).unwrap();
    std::fs::write(study.join("study.toml"), "[[step]]\ntext = \"Hello\"\n").unwrap();
    let form = r#"{"study":"study/study.toml","participant":"08","session":1,"by":"",
                   "data":"data","simulated":true}"#;
    let Answer(status, said) = server.post(EXPERIMENTER, "/begin", &server.experimenter(), form);
    assert!(status == 409 && said.contains("session of participant 07 is under way"), "{said}");
}

const FORM: &str = r#"{"study":"study/study.toml","participant":"08","session":1,"by":"",
                       "data":"data","simulated":true}"#;

fn write_study(server: &Server) {
    let study = server.folder.path().join("study");
    std::fs::create_dir(&study).unwrap();
    std::fs::write(study.join("study.toml"), "[[step]]\ntext = \"Hello\"\n").unwrap();
}

#[test]
fn of_two_that_begin_at_once_one_is_told_to_wait() {
    let dir = tempfile::tempdir().unwrap();
    let at = dir.path().display();
    let server = server_that_runs(&format!(
        "touch {at}/runs; while [ -d {at} ] && [ ! -e {at}/end ]; do sleep 0.05; done"
    ));
    let cookie = server.experimenter();
    write_study(&server);
    let begin = || server.post(EXPERIMENTER, "/begin", &cookie, FORM);
    std::thread::scope(|scope| {
        let first = scope.spawn(begin);
        while !dir.path().join("runs").exists() {
            std::thread::yield_now();
        }
        let doctor = server.post(EXPERIMENTER, "/job", &cookie, r#"{"what":"doctor"}"#);
        for Answer(status, said) in [begin(), doctor] {
            assert!(status == 409 && said.contains("is being started"), "{said}");
        }
        let session = PageState::new(); // the program's
        let _door =
            PageSocket::open(&server.folder.path().join("session-7.socket"), &session).unwrap();
        session.set(|scene| scene.phase = Phase::Gap);
        let Answer(status, begun) = first.join().unwrap();
        assert!(status == 200 && begun.ends_with(r#"{"session":7}"#), "{begun}");
        std::fs::write(dir.path().join("end"), "").unwrap();
    });
}

#[test]
fn a_session_that_cannot_open_its_devices_says_so_however_long_it_takes() {
    let dir = tempfile::tempdir().unwrap();
    let at = dir.path().display();
    let server = server_that_runs(&format!(
        "touch {at}/runs; while [ -d {at} ] && [ ! -e {at}/end ]; do sleep 0.05; done; echo 'no such pad' >&2"
    ));
    let cookie = server.experimenter();
    write_study(&server);
    std::thread::scope(|scope| {
        let begun = scope.spawn(|| server.post(EXPERIMENTER, "/begin", &cookie, FORM));
        while !dir.path().join("runs").exists() {
            std::thread::yield_now();
        }
        let session = PageState::new(); // it can be reached, and its devices are being opened
        let page_socket =
            PageSocket::open(&server.folder.path().join("session-7.socket"), &session).unwrap();
        session.set(|scene| scene.phase = Phase::Failed { error: "no such pad".into() });
        drop(page_socket);
        std::fs::write(dir.path().join("end"), "").unwrap();
        let Answer(status, said) = begun.join().unwrap();
        assert!(status == 409 && said.contains("no such pad"), "{said}");
    });
}

/// As many pages as a session shows itself on, and more; then as many connections as it takes.
#[test]
fn nothing_begins_beside_a_session_however_many_pages_look_at_it() {
    let server =
        server_of(tempfile::tempdir().unwrap(), "/bin/true".into(), Duration::from_secs(60), None);
    server.page_state.set(|scene| scene.participant = "07".into());
    write_study(&server);
    let cookie = server.experimenter();
    let mut pages = Vec::new();
    for count in [24, 200] {
        pages.resize_with(count, || {
            let mut page = UnixStream::connect(server.page_socket.path()).unwrap();
            let watch = r#"{"watch":{"since":0,"role":"experimenter"}}"#;
            let _ = writeln!(page, "{watch}"); // one for which there is no room is closed
            page
        });
        for (path, asked) in [("/job", r#"{"what":"doctor"}"#), ("/begin", FORM)] {
            let Answer(status, said) = server.post(EXPERIMENTER, path, &cookie, asked);
            assert!(status == 409 && said.contains("under way"), "{count} pages, {path}: {said}");
        }
    }
}

#[test]
fn nothing_begins_beside_a_session_that_does_not_answer() {
    let server = server_that_runs("exit 1");
    let socket = server.folder.path().join("session-7.socket");
    let _halted = std::os::unix::net::UnixListener::bind(socket).unwrap(); // nobody accepts
    write_study(&server);
    let Answer(status, said) = server.post(EXPERIMENTER, "/begin", &server.experimenter(), FORM);
    assert!(status == 409 && said.contains("does not answer (process 7)"), "{said}");
}

#[test]
fn the_console_of_one_session_has_that_alone() {
    let folder = tempfile::tempdir().unwrap();
    let only = Some(folder.path().join("session-1.socket"));
    let server = server_for(folder, "/bin/false".into(), Duration::from_secs(60), None, only);
    let cookie = server.experimenter();
    for path in ["/folder", "/ports", "/try", "/session/2", "/session/2/events", "/job/1"] {
        assert_eq!(server.get(EXPERIMENTER, path, &cookie).0, 404, "{path}");
    }
    for path in ["/begin", "/job", "/try", "/withdraw", "/session/2/command", "/session/2/window"] {
        assert_eq!(server.post(EXPERIMENTER, path, &cookie, "{}").0, 404, "{path}");
    }
    assert_eq!(server.get(EXPERIMENTER, "/", &cookie).0, 303);
    assert_eq!(server.get(EXPERIMENTER, "/session/1", &cookie).0, 200);
    assert_eq!(server.get(EXPERIMENTER, "/pages/session.js", &cookie).0, 200);
}

/// However slowly a page takes it: more is told here than the sockets on its way hold.
#[test]
fn the_console_of_one_session_ends_once_its_pages_were_told_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let only = Some(folder.path().join("session-1.socket"));
    let server = server_for(folder, "/bin/false".into(), Duration::from_secs(60), None, only);
    let cookie = server.experimenter();
    let mut idle = TcpStream::connect((EXPERIMENTER, server.port)).unwrap(); // asks for nothing
    let mut page = server.events(EXPERIMENTER, "/session/1/events", &cookie, 0);
    until(&mut page, "\"line\":\"scene\"");
    for _ in 0..16 {
        let text = "x".repeat(1 << 20);
        server.page_state.tell(Shown::Remark { at: String::new(), text });
    }
    server.page_state.tell(Shown::Remark { at: String::new(), text: "the end".into() });
    let Server { page_socket, served, .. } = server;
    let closed = std::thread::spawn(move || drop(page_socket));
    until(&mut page, "\"text\":\"the end\"");
    until(&mut page, "event: gone");
    closed.join().unwrap();
    served.join().unwrap();
    assert_eq!(idle.read(&mut [0]).unwrap(), 0, "it was closed");
}

#[test]
fn a_page_that_comes_back_is_told_what_it_missed_and_no_more() {
    let server = server();
    let cookie = server.experimenter();
    let remark = |text: &str| Shown::Remark { at: String::new(), text: text.into() };
    server.page_state.tell(remark("first"));
    let mut page = server.events(EXPERIMENTER, "/session/1/events", &cookie, 0);
    let told = until(&mut page, "first");
    let id = told.lines().rfind(|line| line.starts_with("id: ")).unwrap()[4..].parse().unwrap();
    drop(page);
    server.page_state.tell(remark("second"));
    let mut page = server.events(EXPERIMENTER, "/session/1/events", &cookie, id);
    let told = until(&mut page, "second");
    assert!(!told.contains("first"), "{told}");
}

#[test]
fn the_participants_page_sees_the_text_and_the_session_sees_the_page() {
    let server = server();
    let experimenter = server.experimenter();
    let participant = server.participant(&experimenter);
    server.page_state.set(|scene| {
        scene.phase = Phase::Text { markdown: "*Tap* now.".into(), blinded: None, waits: false }
    });
    let mut page = server.events(PARTICIPANT, "/events", &participant, 0);
    let told = until(&mut page, "<em>Tap</em>");
    assert!(!told.contains("The study"), "{told}");
    let mut seen = server.events(EXPERIMENTER, "/session/1/events", &experimenter, 0);
    until(&mut seen, r#""window":"open""#);
    drop(page);
    until(&mut seen, r#""window":"closed""#);
}

#[test]
fn a_participants_page_that_is_left_open_joins_the_next_session() {
    let server = server();
    let experimenter = server.experimenter();
    let participant = server.participant(&experimenter);
    let text =
        |markdown: &str| Phase::Text { markdown: markdown.into(), blinded: None, waits: false };
    server.page_state.set(|scene| scene.phase = text("The first"));
    until(&mut server.events(PARTICIPANT, "/events", &participant, 0), "The first");
    std::fs::remove_file(server.folder.path().join("session-1.socket")).unwrap(); // it is over
    let next = PageState::new();
    let _door = PageSocket::open(&server.folder.path().join("session-2.socket"), &next).unwrap();
    next.set(|scene| scene.phase = text("The second"));
    until(&mut server.events(PARTICIPANT, "/events", &participant, 0), "The second");
    // Of two nobody knows at which it sits.
    let other = PageState::new();
    let _other = PageSocket::open(&server.folder.path().join("session-3.socket"), &other).unwrap();
    until(&mut server.events(PARTICIPANT, "/events", &participant, 0), "event: gone");
}

#[test]
fn the_kiosk_gets_the_participants_page_and_the_experimenters_browser_does_not() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().unwrap();
    let (program, said) = (dir.path().join("browser"), dir.path().join("said"));
    let script = "echo \"$@\" >{0}.new && mv {0}.new {0}; while [ -e {0} ] && [ ! -e {0}.end ]; do sleep 0.1; done";
    write_script(&program, &script.replace("{0}", &said.display().to_string()));
    let server = server_with(Duration::from_secs(60), Some(Kiosk { program }));
    let cookie = server.experimenter();
    let Answer(_, page) = server.get(EXPERIMENTER, "/session/1", &cookie);
    assert!(page.contains("<body data-kiosk>"), "{page}");
    let Answer(status, answer) = server.post(EXPERIMENTER, "/session/1/window", &cookie, "{}");
    assert!(status == 200 && !answer.contains("token"), "{answer}");
    while !said.exists() {
        std::thread::yield_now();
    }
    let end = said.with_extension("end");
    let said = std::fs::read_to_string(said).unwrap();
    assert!(said.contains("--kiosk --user-data-dir=") && !said.contains("token"), "{said}");
    let path = Path::new(said.trim().rsplit_once("file://").unwrap().1);
    let mode = std::fs::metadata(path).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600, "nobody else reads the address");
    let page = std::fs::read_to_string(path).unwrap();
    let address = page.split("url=").nth(1).and_then(|rest| rest.split('"').next());
    server.let_in(address.unwrap());
    std::fs::write(end, "").unwrap();
    while path.parent().unwrap().exists() {
        std::thread::yield_now(); // its profile goes with the browser
    }
}

#[test]
fn a_kiosk_that_finds_no_screen_is_told_to_the_experimenter() {
    let kiosk = Kiosk { program: "/bin/false".into() };
    let server = server_with(Duration::from_secs(60), Some(kiosk));
    let cookie = server.experimenter();
    let Answer(status, said) = server.post(EXPERIMENTER, "/session/1/window", &cookie, "{}");
    assert!(status == 500 && said.contains("/bin/false ended at once"), "{said}");
}

#[test]
fn a_participant_is_withdrawn_by_the_experimenter_alone() {
    let server = server();
    let experimenter = server.experimenter();
    let participant = server.participant(&experimenter);
    let asked = r#"{"dataset":"data","participant":"01","keep":false}"#;
    assert_eq!(server.post(PARTICIPANT, "/withdraw", &participant, asked).0, 404);
    let Answer(status, said) = server.post(EXPERIMENTER, "/withdraw", &experimenter, asked);
    assert!(status == 409 && said.contains("no such dataset"), "{said}");
}

#[test]
fn a_page_of_a_session_that_is_not_there_is_told_so() {
    let server = server();
    let cookie = server.experimenter();
    let mut page = server.events(EXPERIMENTER, "/session/99/events", &cookie, 0);
    until(&mut page, "event: gone");
}

#[test]
fn the_sockets_are_for_this_user_alone() {
    use std::os::unix::fs::PermissionsExt;
    let server = server();
    let mode = std::fs::metadata(server.page_socket.path()).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

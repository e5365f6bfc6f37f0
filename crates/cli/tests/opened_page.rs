//! `console --open`: the page comes in the usual browser, and who looks at the list of processes
//! learns no address that would let them in.

use chronotap_testkit_cli::program::{Running, Workspace, start, wait_until};
use rustix::process::Signal;
use std::fs;
use std::os::unix::fs::PermissionsExt;

const PROGRAM: &str = env!("CARGO_BIN_EXE_chronotap");

/// Keeps what it was called with, and the file that it was to open.
const OPENER: &str = "#!/bin/sh\nprintf '%s' \"$*\" >\"$0.called\"\ncp \"$1\" \"$0.page\"\n\
                      stat -c %a \"$1\" >\"$0.mode\"\n";

/// A console in a place whose PATH has the programs of its folder `bin` first.
fn console(place: &Workspace) -> Running {
    let mut command = place.chronotap(["console", ".", "--open", "--ordinary"]);
    let path = format!("{}:{}", place.path("bin").display(), std::env::var("PATH").unwrap());
    command.env("PATH", path).env("XDG_RUNTIME_DIR", place.path("run"));
    start(command)
}

fn place() -> Workspace {
    let place = Workspace::of(PROGRAM);
    fs::create_dir(place.path("bin")).unwrap();
    fs::create_dir(place.path("run")).unwrap();
    fs::set_permissions(place.path("run"), fs::Permissions::from_mode(0o700)).unwrap();
    place
}

#[test]
fn the_browser_is_given_a_file_that_leads_to_the_page_and_is_this_users_alone() {
    let place = place();
    let opener = place.file("bin/xdg-open", OPENER);
    fs::set_permissions(&opener, fs::Permissions::from_mode(0o755)).unwrap();
    let console = console(&place);
    wait_until("the browser was started", || place.path("bin/xdg-open.mode").exists());
    let called = fs::read_to_string(place.path("bin/xdg-open.called")).unwrap();
    let page = fs::read_to_string(place.path("bin/xdg-open.page")).unwrap();
    let address = page.split("url=").nth(1).unwrap().split('"').next().unwrap().to_owned();
    assert!(address.starts_with("http://127.0.0.1:"), "{page}");
    assert!(!called.contains("http") && called.ends_with(".html"), "{called}");
    wait_until("its mode was read", || {
        fs::read_to_string(place.path("bin/xdg-open.mode")).unwrap() == "600\n"
    });
    console.says(&address);
    console.signal(Signal::INT);
    console.wait();
    let again = self::console(&place);
    wait_until("the next console writes its own", || {
        fs::read_to_string(&called).is_ok_and(|page| !page.contains(&address))
    });
    drop(again);
}

#[test]
fn a_browser_that_cannot_be_started_is_said_and_the_address_still_stands_there() {
    let place = place();
    let mut command = place.chronotap(["console", ".", "--open", "--ordinary"]);
    command.env("PATH", place.path("run")).env("XDG_RUNTIME_DIR", place.path("run"));
    let console = start(command);
    console.says("--open: xdg-open: ");
    console.signal(Signal::INT);
    let said = console.wait();
    assert!(said.err.contains("--open: xdg-open: "), "{}", said.err);
    assert!(said.out.contains("http://127.0.0.1:"), "{}", said.out);
}

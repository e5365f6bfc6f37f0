//! The half of the house that knows no Linux: whatever reads, checks, rehearses, replays,
//! analyses and writes data. Held here by the graph of dependencies, as cargo resolves it,
//! so that a new dependency cannot cross the line unseen; and that of their tests, so that to
//! test a room nothing is built that stands above it. That it builds elsewhere is tried by
//! `scripts/other-targets.sh`.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

/// The rooms below the line.
const PORTABLE: [&str; 17] = [
    "chronotap-core",
    "chronotap-machine",
    "chronotap-timing",
    "chronotap-engine",
    "chronotap-audio",
    "chronotap-analysis",
    "chronotap-config",
    "chronotap-data",
    "chronotap-trial",
    "chronotap-design",
    "chronotap-recorder",
    "chronotap-simulate",
    "chronotap-session",
    "chronotap-visit",
    "chronotap-drawing",
    "chronotap-report",
    "chronotap-web",
];

/// What reaches the system: its calls, its audio servers, and the rooms that use them.
const LINUX: [&str; 9] = [
    "rustix",
    "libc",
    "nix",
    "linux-raw-sys",
    "jack",
    "jack-sys",
    "livi",
    "chronotap-linux",
    "chronotap-rig",
];

/// Only there with the feature `parquet`, which the program asks for and no room below the line
/// needs. On Linux they draw random numbers from the system, and read the clock of files.
const BY_CHOICE: [&str; 3] = ["parquet", "rust_xlsxwriter", "zip"];

/// What a room names on Unix alone: calls that std does not have, each with another way elsewhere.
const ON_UNIX: [(&str, &str); 1] = [("chronotap-session", "rustix")];

/// This machine's target: only what it needs has been fetched.
fn host() -> String {
    let out = Command::new("rustc").arg("-vV").output().unwrap();
    let said = String::from_utf8(out.stdout).unwrap();
    said.lines().find_map(|line| line.strip_prefix("host: ")).unwrap().to_owned()
}

/// For each package the packages that it names.
type Packages = BTreeMap<String, BTreeSet<String>>;

/// The packages that each package is built with; with the kind `dev`, those that its tests are built
/// with besides.
fn graph(of_kind: Option<&str>) -> Packages {
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.toml");
    let out = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked", "--offline"])
        .args(["--manifest-path", manifest, "--filter-platform", &host()])
        .output()
        .unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let all: Value = serde_json::from_slice(&out.stdout).unwrap();
    let packages = all["packages"].as_array().unwrap();
    let name = |id: &Value| {
        let package = packages.iter().find(|package| package["id"] == *id).unwrap();
        package["name"].as_str().unwrap().to_owned()
    };
    let is_of_kind = |dependency: &&Value| {
        let kinds = dependency["dep_kinds"].as_array().unwrap();
        kinds.iter().any(|kind| kind["kind"].as_str() == of_kind)
    };
    let nodes = all["resolve"]["nodes"].as_array().unwrap();
    let of = |node: &Value| {
        let dependencies = node["deps"].as_array().unwrap().iter().filter(is_of_kind);
        let package = name(&node["id"]);
        let is_meant =
            |name: &String| !BY_CHOICE.contains(&&**name) && !ON_UNIX.contains(&(&*package, name));
        let names = dependencies.map(|d| name(&d["pkg"])).filter(is_meant).collect();
        (package, names)
    };
    nodes.iter().map(of).collect()
}

/// Everything that a package needs, and by which way.
fn needs(graph: &Packages, package: &str) -> BTreeMap<String, String> {
    let mut found = BTreeMap::from([(package.to_owned(), package.to_owned())]);
    let mut open = vec![package.to_owned()];
    while let Some(next) = open.pop() {
        let way = found[&next].clone();
        for dependency in &graph[&next] {
            if !found.contains_key(dependency) {
                found.insert(dependency.clone(), format!("{way} -> {dependency}"));
                open.push(dependency.clone());
            }
        }
    }
    found
}

#[test]
fn nothing_below_the_line_is_built_with_linux() {
    let graph = graph(None);
    for package in PORTABLE {
        let needs = needs(&graph, package);
        let crossed = LINUX.iter().find_map(|linux| needs.get(*linux));
        assert_eq!(crossed, None, "{package} may not need this");
    }
}

/// In the graph a package has the features that anybody asks for. What is said of errors is asked for
/// alone here, and what shows it: with its features it says what goes wrong with devices, too. What
/// sessions name on Unix alone, and the library of packs, which draws random numbers from the system,
/// are left out as in the graph.
#[test]
fn what_is_said_and_done_without_devices_is_built_without_linux() {
    for package in ["chronotap-words", "chronotap-desk"] {
        let needed = built_alone(package);
        assert!(needed.contains("chronotap-data"), "{needed:?}");
        let crossed = LINUX.iter().find(|linux| needed.contains(**linux));
        assert_eq!(crossed, None, "{package} may not need this");
    }
}

/// The packages that one is built with where nobody else asks for features.
fn built_alone(package: &str) -> BTreeSet<String> {
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.toml");
    let left_out = ON_UNIX.iter().map(|(_, name)| *name).chain(["zip"]);
    let out = Command::new(env!("CARGO"))
        .args(["tree", "--package", package, "--no-default-features"])
        .args(["--edges", "normal", "--prefix", "none", "--locked", "--offline"])
        .args(left_out.flat_map(|name| ["--prune", name]))
        .args(["--manifest-path", manifest])
        .output()
        .unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let said = String::from_utf8(out.stdout).unwrap();
    said.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect()
}

/// A crate of helpers, which only tests are built with.
fn is_helper(package: &str) -> bool {
    package.starts_with("chronotap-testkit") || package == "chronotap-kept"
}

/// The crates of the house that a package is built with, and by which way; helpers are none.
fn rooms(graph: &Packages, package: &str) -> BTreeMap<String, String> {
    let mut found = needs(graph, package);
    found.retain(|name, _| name.starts_with("chronotap-") && !is_helper(name));
    found
}

/// What the tests of a package name, and what the helpers name that they are built with.
fn named_by_tests(built: &Packages, tests: &Packages, package: &str) -> BTreeSet<String> {
    let named = &tests[package];
    let helpers = named.iter().flat_map(|name| needs(built, name).into_keys());
    let of_helpers = helpers.filter(|name| is_helper(name)).flat_map(|name| built[&name].clone());
    of_helpers.chain(named.clone()).collect()
}

/// Rooms whose tests are built with some that they are not built with: tables of data, drawings and
/// reports are tried on trials that virtual time ran.
const TRIED_ON_TRIALS: [&str; 3] = ["chronotap-data", "chronotap-drawing", "chronotap-report"];
/// What runs trials in virtual time, and hands each event to whoever watches.
const VIRTUAL_TIME: [&str; 3] = ["chronotap-trial", "chronotap-recorder", "chronotap-simulate"];

/// Libraries of others may reach the system in a test: `tempfile` does.
#[test]
fn no_test_below_the_line_is_built_with_what_stands_above_its_room() {
    let (built, tests) = (graph(None), graph(Some("dev")));
    for package in PORTABLE {
        let own = rooms(&built, package);
        let tried = TRIED_ON_TRIALS.contains(&package);
        let also = |room: &str| tried && VIRTUAL_TIME.contains(&room);
        for name in named_by_tests(&built, &tests, package) {
            let needed = rooms(&built, &name);
            let above = needed.iter().find(|(room, _)| !own.contains_key(*room) && !also(room));
            assert_eq!(above, None, "the tests of {package} may not need this");
            assert!(!LINUX.contains(&&*name), "the tests of {package} name {name}");
        }
    }
}

#[test]
fn helpers_of_tests_are_built_with_no_room_that_their_floor_is_not_built_with() {
    let graph = graph(None);
    let helpers: Vec<&String> = graph.keys().filter(|name| is_helper(name)).collect();
    assert!(helpers.len() > 1, "{helpers:?}");
    for helper in helpers {
        let floor = helper.strip_prefix("chronotap-testkit-").unwrap_or("core");
        let own = rooms(&graph, &format!("chronotap-{floor}"));
        let needed = rooms(&graph, helper);
        let above = needed.iter().find(|(room, _)| !own.contains_key(*room));
        assert_eq!(above, None, "{helper} may not need this");
    }
}

#[test]
fn nothing_but_tests_is_built_with_their_helpers() {
    for (package, named) in graph(None).iter().filter(|(package, _)| !is_helper(package)) {
        assert_eq!(named.iter().find(|name| is_helper(name)), None, "{package}");
    }
}

/// It is built with 40 others, which no test needs.
#[test]
fn only_benchmarks_are_built_with_criterion() {
    let mut measuring = graph(Some("dev"));
    measuring.retain(|_, named| named.contains("criterion"));
    assert_eq!(measuring.into_keys().collect::<Vec<_>>(), ["chronotap-benchmarks"]);
}

#[test]
fn only_audio_names_the_libraries_of_soundfonts_and_sound_files() {
    let graph = graph(None);
    for package in PORTABLE.into_iter().filter(|package| *package != "chronotap-audio") {
        let of_sound = |library: &&&str| graph[package].contains(**library);
        assert_eq!(["rustysynth", "hound", "claxon"].iter().find(of_sound), None, "{package}");
    }
}

/// What is called by a path and opened nowhere below the line: a way to wait, in a published table.
const CALLED: &str = "(\"mechanism\", Is(\"/dev/rtc\"))";

#[test]
fn no_room_below_the_line_names_a_path_of_linux() {
    for package in PORTABLE {
        let room = package.trim_start_matches("chronotap-");
        for (path, text) in sources(&format!("{CRATES}/{room}/src")) {
            let forbidden = ["\"/proc", "\"/sys", "\"/dev", "std::os::linux", "ioctl("];
            let text = text.replace(CALLED, "");
            let found = forbidden.iter().find(|word| text.contains(**word));
            assert_eq!(found, None, "{path}");
        }
    }
}

/// What std asks the system's library for, and each system answers with another last digit; `libm` has the same for all.
const OF_THE_SYSTEM: [&str; 25] = [
    ".sin()",
    ".cos()",
    ".tan()",
    ".sin_cos()",
    ".asin()",
    ".acos()",
    ".atan()",
    ".atan2(",
    ".sinh()",
    ".cosh()",
    ".tanh()",
    ".exp()",
    ".exp2()",
    ".exp_m1()",
    ".ln()",
    ".ln_1p()",
    ".log(",
    ".log2()",
    ".log10()",
    ".powf(",
    "10f64.powi(",
    ".cbrt()",
    ".hypot(",
    "f64::ln",
    "f64::exp",
];

/// What is analysed, drawn or heard is to be the same on every system.
#[test]
fn no_room_below_the_line_asks_the_system_for_mathematics() {
    for room in
        PORTABLE.map(|package| package.trim_start_matches("chronotap-")).iter().chain(&["desk"])
    {
        for (path, text) in sources(&format!("{CRATES}/{room}/src")) {
            let (code, _tests) =
                text.split_once("#[cfg(test)]\nmod tests {").unwrap_or((&text, ""));
            let found = OF_THE_SYSTEM.iter().find(|word| code.contains(**word));
            assert!(found.is_none() || is_for_tests(&path), "{path}: {found:?}");
        }
    }
}

/// Whether a file is built with tests alone.
fn is_for_tests(path: &str) -> bool {
    path.ends_with("/tests.rs") || path.contains("/tests/") || path.ends_with("/tone/tiny.rs")
}

/// The modules that touch the system, or memory that others share.
const UNSAFE: [&str; 7] = [
    "bench/src/mechanisms",
    "bench/src/plugins",
    "core/src/files/lock",
    "linux/src/cards",
    "linux/src/clocks",
    "linux/src/ports",
    "linux/src/realtime",
];

#[test]
fn unsafe_stands_only_in_the_rooms_that_touch_the_system() {
    let all = sources(CRATES);
    let is_unsafe = |text: &str| {
        let code = text.lines().map(|line| line.split("//").next().unwrap());
        let words = ["unsafe {", "unsafe fn", "unsafe impl", "unsafe extern", "unsafe trait"];
        code.into_iter().any(|line| words.iter().any(|word| line.contains(word)))
    };
    let found: BTreeSet<&str> = all
        .iter()
        .filter(|(path, text)| path[CRATES.len()..].contains("/src/") && is_unsafe(text))
        .map(|(path, _)| UNSAFE.into_iter().find(|room| path.contains(room)).unwrap_or(path))
        .collect();
    assert_eq!(found, BTreeSet::from(UNSAFE));
}

const CRATES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// Every file of Rust below a folder, with its text.
fn sources(folder: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for item in std::fs::read_dir(folder).unwrap().map(|item| item.unwrap().path()) {
        let path = item.to_str().unwrap().to_owned();
        if item.is_dir() {
            found.extend(sources(&path));
        } else if path.ends_with(".rs") {
            found.push((path, std::fs::read_to_string(&item).unwrap()));
        }
    }
    found
}

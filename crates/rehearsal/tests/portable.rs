//! The half of the house that knows no Linux: whatever reads, checks, rehearses, replays,
//! analyses and writes data. Held here by the graph of dependencies, as cargo resolves it,
//! so that a new dependency cannot cross the line unseen. That it builds elsewhere is
//! tried by `scripts/other-targets.sh`.
#![allow(clippy::unwrap_used)] // a graph that cannot be read has failed

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

/// The rooms below the line.
const PORTABLE: [&str; 16] = [
    "chronotap-time",
    "chronotap-text",
    "chronotap-files",
    "chronotap-midi",
    "chronotap-engine",
    "chronotap-signal",
    "chronotap-analysis",
    "chronotap-experiment",
    "chronotap-design",
    "chronotap-ftap",
    "chronotap-record",
    "chronotap-tables",
    "chronotap-playback",
    "chronotap-rehearsal",
    "chronotap-audio",
    "chronotap-sounds",
];

/// What reaches the system: its calls, its audio servers, and the rooms that use them.
const LINUX: [&str; 14] = [
    "rustix",
    "libc",
    "nix",
    "linux-raw-sys",
    "jack",
    "jack-sys",
    "livi",
    "chronotap-clocks",
    "chronotap-realtime",
    "chronotap-machine",
    "chronotap-cards",
    "chronotap-ports",
    "chronotap-recorder",
    "chronotap-runner",
];

/// This machine's target: only what it needs has been fetched.
fn host() -> String {
    let out = Command::new("rustc").arg("-vV").output().unwrap();
    let said = String::from_utf8(out.stdout).unwrap();
    said.lines().find_map(|line| line.strip_prefix("host: ")).unwrap().to_owned()
}

/// The packages that each package is built with; for tests more may be there.
fn graph() -> BTreeMap<String, BTreeSet<String>> {
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
    let built_with = |dependency: &&Value| {
        let kinds = dependency["dep_kinds"].as_array().unwrap();
        kinds.iter().any(|kind| kind["kind"].is_null())
    };
    let nodes = all["resolve"]["nodes"].as_array().unwrap();
    let of = |node: &Value| {
        let dependencies = node["deps"].as_array().unwrap().iter();
        (name(&node["id"]), dependencies.filter(built_with).map(|d| name(&d["pkg"])).collect())
    };
    nodes.iter().map(of).collect()
}

/// Everything that a package needs, and by which way.
fn needs(graph: &BTreeMap<String, BTreeSet<String>>, package: &str) -> BTreeMap<String, String> {
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
    let graph = graph();
    for package in PORTABLE {
        let needs = needs(&graph, package);
        let crossed = LINUX.iter().find_map(|linux| needs.get(*linux));
        assert_eq!(crossed, None, "{package} may not need this");
    }
}

#[test]
fn soundfonts_and_sound_files_stay_with_audio_and_sounds() {
    let graph = graph();
    let theirs = ["chronotap-audio", "chronotap-sounds"];
    for package in PORTABLE.into_iter().filter(|package| !theirs.contains(package)) {
        let needs = needs(&graph, package);
        assert_eq!(needs.get("rustysynth").or(needs.get("hound")), None, "{package}");
    }
}

#[test]
fn no_room_below_the_line_names_a_path_of_linux() {
    let crates = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    for package in PORTABLE {
        let room = package.trim_start_matches("chronotap-");
        let mut folders = vec![std::path::PathBuf::from(format!("{crates}/{room}/src"))];
        while let Some(folder) = folders.pop() {
            for item in std::fs::read_dir(&folder).unwrap().map(|item| item.unwrap().path()) {
                if item.is_dir() {
                    folders.push(item);
                    continue;
                }
                let text = std::fs::read_to_string(&item).unwrap();
                let forbidden = ["\"/proc", "\"/sys", "\"/dev", "std::os::linux", "ioctl("];
                let found = forbidden.iter().find(|word| text.contains(**word));
                assert_eq!(found, None, "{}", item.display());
            }
        }
    }
}

//! The files of the pages, inside the program: there is nothing to install and no network.

use super::Settings;
use hyper::body::Bytes;

pub(super) const SCRIPT: &str = "text/javascript; charset=utf-8";
pub(super) const STYLE: &str = "text/css; charset=utf-8";
pub(super) const TEXT: &str = "text/plain; charset=utf-8";
const ICON: &str = "image/svg+xml";
pub(super) const PAGE: &str = "text/html; charset=utf-8";

/// A file by its name below `/pages/`: its kind and bytes.
pub(super) fn file(name: &str) -> Option<(&'static str, Bytes)> {
    let (_, kind, text) = FILES.iter().find(|(known, ..)| *known == name)?;
    Some((kind, Bytes::from_static(text.as_bytes())))
}

/// Whether the participant's page is made of it.
pub(super) fn is_for_participants(name: &str) -> bool {
    ["participant.js", "answers.js", "reach.js", "style.css", "icon.svg"].contains(&name)
}

/// The experimenter's page of a session. It is told in its first line what it cannot find out:
/// whether there is a page of all studies, and who opens the participant's.
pub(super) fn session_page(settings: &Settings) -> String {
    let only = if settings.only.is_some() { " data-only" } else { "" };
    let kiosk = if settings.kiosk.is_some() { " data-kiosk" } else { "" };
    SESSION.replacen("<body>", &format!("<body{only}{kiosk}>"), 1)
}

/// The page on which a study or trial is tried.
pub(super) const TRY: &str = include_str!("../../pages/try.html");

const SESSION: &str = include_str!("../../pages/session.html");

macro_rules! files {
    ($($kind:ident $name:literal),+ $(,)?) => {
        &[$(($name, $kind, include_str!(concat!("../../pages/", $name)))),+]
    };
}

const FILES: &[(&str, &str, &str)] = files![
    PAGE "job.html",
    PAGE "home.html",
    PAGE "participant.html",
    ICON "icon.svg",
    STYLE "style.css",
    STYLE "uPlot.min.css",
    TEXT "uPlot.LICENSE.txt",
    SCRIPT "job.js",
    SCRIPT "findings.js",
    SCRIPT "home.js",
    SCRIPT "home_data.js",
    SCRIPT "home_jobs.js",
    SCRIPT "home_packs.js",
    SCRIPT "home_groups.js",
    SCRIPT "home_ports.js",
    SCRIPT "home_session.js",
    SCRIPT "session.js",
    SCRIPT "session_advice.js",
    SCRIPT "session_controls.js",
    SCRIPT "session_top.js",
    SCRIPT "session_trials.js",
    SCRIPT "sheet.js",
    SCRIPT "participant.js",
    SCRIPT "answers.js",
    SCRIPT "plots.js",
    SCRIPT "reach.js",
    SCRIPT "tracks.js",
    SCRIPT "try.js",
    SCRIPT "words.js",
    SCRIPT "uPlot.iife.min.js",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_page_names_another_address_or_holds_scripts_or_styles_of_its_own() {
        let pages = FILES.iter().filter(|(name, ..)| name.ends_with(".html"));
        let apart = [("session.html", PAGE, SESSION), ("try.html", PAGE, TRY)];
        for (name, _, text) in pages.chain(&apart) {
            assert!(!text.contains("://"), "{name}");
            assert!(!text.contains("<style") && !text.contains("style="), "{name}");
            assert!(!text.contains("onclick"), "{name}");
        }
    }

    #[test]
    fn the_types_of_every_script_of_ours_are_checked() {
        let ours = |name: &str| name.ends_with(".js") && name != "uPlot.iife.min.js";
        for (name, _, text) in FILES.iter().filter(|(name, ..)| ours(name)) {
            assert!(text.starts_with("// @ts-check\n"), "{name}");
            assert!(!text.contains("@ts-ignore") && !text.contains("@ts-nocheck"), "{name}");
        }
    }

    #[test]
    fn participants_have_all_that_their_page_is_made_of_and_nothing_else() {
        let text_of = |name: &str| FILES.iter().find(|(known, ..)| *known == name).unwrap().2;
        let mut texts = vec![text_of("participant.html")];
        texts
            .extend(FILES.iter().filter(|(name, ..)| is_for_participants(name)).map(|file| file.2));
        let named = |(name, ..): &&(&str, &str, &str)| {
            let (page, module) = (format!("\"/pages/{name}\""), format!("from \"./{name}\""));
            texts.iter().any(|text| text.contains(&page) || text.contains(&module))
        };
        for (name, ..) in FILES {
            let is_named = FILES.iter().filter(named).any(|(known, ..)| known == name);
            assert_eq!(is_named, is_for_participants(name), "{name}");
        }
    }

    #[test]
    fn every_script_that_a_module_imports_is_there() {
        for (name, _, text) in FILES.iter().filter(|(name, ..)| name.ends_with(".js")) {
            for line in text.lines().filter(|line| line.starts_with("import ")) {
                let path = line.split('"').nth(1).unwrap();
                assert!(file(path.trim_start_matches("./")).is_some(), "{name}: {line}");
            }
        }
    }
}

//! The pages in a real browser, headless Chromium: at desktop and phone width, light and
//! dark, nothing is wider than the window, no text lies over another, a table that is wider
//! than its box shows that it scrolls and can be scrolled by keys, and the console stays empty.
//! Passed over, with the reason, where there is no Chromium.

use chronotap_report::{Spoken, comparison_page, page};
use chronotap_testkit::{left_to_all, pass_over};
use chronotap_timing::PUBLISHED;
use chronotap_timing::{Fitness, Purpose, compare};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

const PROGRAMS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/// The first browser that can be started.
fn browser() -> Option<&'static str> {
    let starts = |name: &&str| Command::new(name).arg("--version").output().is_ok();
    PROGRAMS.into_iter().find(starts)
}

/// The page stands in a frame of the wanted width, since a window has a least one.
const AROUND: &str = r#"<!doctype html><meta name="color-scheme" content="light dark">
<iframe src="page.html" style="border:0" width="WIDTH" height="900"></iframe>
<script>addEventListener("message", (told) => {
  const found = document.createElement("pre");
  found.id = "layout";
  found.textContent = told.data;
  document.body.replaceChildren(found);
});</script>"#;

/// What the script found in a page of this width.
fn looked_at(browser: &str, dir: &Path, html: &str, width: u32, dark: bool) -> Value {
    let script = include_str!("layout.js");
    let page = html.replace("</body>", &format!("<script>{script}</script></body>"));
    std::fs::write(dir.join("page.html"), page).unwrap();
    let around = dir.join("around.html");
    std::fs::write(&around, AROUND.replace("WIDTH", &width.to_string())).unwrap();
    // 0 is dark, 1 is light (blink's PreferredColorScheme).
    let scheme = format!("--blink-settings=preferredColorScheme={}", u8::from(!dark));
    let profile = format!("--user-data-dir={}", dir.join("profile").display());
    let seen = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"])
        .args(["--window-size=1400,1000", "--virtual-time-budget=20000", &scheme, &profile])
        .arg("--enable-logging=stderr")
        .arg(format!("file://{}", around.display()))
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&seen.stderr).into_owned();
    assert!(!told.contains(":CONSOLE"), "the page writes to the console: {told}");
    let seen = String::from_utf8_lossy(&seen.stdout).into_owned();
    let (_, found) = seen.split_once("<pre id=\"layout\">").unwrap_or_else(|| panic!("{seen}"));
    let found = found.split("</pre>").next().unwrap().replace("&lt;", "<").replace("&gt;", ">");
    serde_json::from_str(&found.replace("&amp;", "&")).unwrap()
}

#[test]
fn nothing_is_cut_off_and_no_text_lies_over_another_at_any_width_light_and_dark() {
    if left_to_all() {
        return;
    }
    let Some(browser) = browser() else {
        return pass_over("no Chromium; scripts/install.sh --for-tests installs it");
    };
    let dir = tempfile::tempdir().unwrap();
    let all = crate::results::all();
    let purposes = [Purpose::Tapping, Purpose::Audio { frames: 64, rate: 48_000 }];
    let spoken = |purpose: Purpose| Spoken {
        purpose: purpose.to_string(),
        fitness: Fitness::Reservations,
        because: format!("none of 20,000 wake-ups was {:?} late", purpose.limit()),
        reservations: vec!["wake-ups were measured on an idle machine".to_owned(); 2],
    };
    let one = page(&all[..1], &[purposes.map(spoken).to_vec()]);
    let pages = [one, comparison_page(&all, &compare(&all, PUBLISHED))];
    for html in &pages {
        assert_readable(browser, dir.path(), html);
    }
}

#[test]
fn the_page_of_recorded_trials_is_read_at_any_width_light_and_dark() {
    if left_to_all() {
        return;
    }
    let Some(browser) = browser() else {
        return pass_over("no Chromium; scripts/install.sh --for-tests installs it");
    };
    let dir = tempfile::tempdir().unwrap();
    crate::recorded::dataset(&dir.path().join("shifts"));
    assert_readable(browser, dir.path(), &crate::recorded::page(&dir.path().join("shifts")));
}

fn assert_readable(browser: &str, dir: &Path, html: &str) {
    for (width, dark) in [(1_280, false), (1_280, true), (360, false), (360, true)] {
        let found = looked_at(browser, dir, html, width, dark);
        assert_eq!((&found["width"], &found["dark"]), (&width.into(), &dark.into()), "{found}");
        assert!(found["texts"].as_u64().unwrap() > 50, "{found}");
        assert_eq!(found["wrong"].as_array().map(Vec::len), Some(0), "{width} {dark}: {found:#}");
    }
    // As it is printed, on A4 within its margins: there nothing scrolls, so that nothing may be wider.
    let paper = html.replace("@media print", "@media all");
    let found = looked_at(browser, dir, &paper, 718, false);
    assert_eq!(found["wrong"].as_array().map(Vec::len), Some(0), "on paper: {found:#}");
}

#[test]
fn the_page_of_recorded_trials_says_first_what_is_odd_and_loads_nothing() {
    let dir = tempfile::tempdir().unwrap();
    crate::recorded::dataset(dir.path());
    let html = crate::recorded::page(dir.path());
    let places = |said: &[&str]| -> Vec<usize> {
        said.iter().map(|said| html.find(said).unwrap_or_else(|| panic!("no {said}"))).collect()
    };
    let order = places(&[
        "Usable with reservations",
        "could not be read",
        "The system refused rights: memory lock: asked all memory, got none",
        "id=\"design\"",
        "Trials of each condition",
        "Each condition",
        "Participant 01: 3 trials",
        "Responses to phase shifts",
        "the worst came",
        "Trials that are not used",
        "another attempt counts",
        "To be quoted",
        "SCHED_FIFO 80",
    ]);
    assert!(order[..3].is_sorted() && order[3] > order[2], "{order:?}");
    assert!(
        html.contains("R = ")
            && html.contains("class=\"petal\"")
            && html.contains("class=\"band\"")
    );
    for loaded in ["<script", "src=", "http://", "https://", "url(", "@import", "<link"] {
        assert!(!html.contains(loaded), "{loaded}");
    }
    assert!(!html.contains("NaN") && !html.contains("inf "), "a number is none");
}

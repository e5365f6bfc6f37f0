//! Contrasts as planned: the same words in study, `check`, `analyze`, report, `power` and pack, and for those that
//! are asked afterwards.

use std::path::Path;
use std::process::{Command, Output};

const PLANNED: &str = "
[[contrast]]
name = \"late\"
of = \"mean asynchrony\"
over = \"delay\"
levels = [\"70 ms\", \"10 ms\"]
step = \"main\"

[[contrast]]
name = \"correction\"
of = \"alpha\"
over = \"delay\"
step = \"main\"

[[contrast]]
name = \"direction\"
of = \"resultant\"
over = \"delay\"
levels = [\"40 ms\", \"0 ms\"]
step = \"main\"

[[contrast]]
name = \"trend\"
of = \"mean asynchrony\"
over = \"delay\"
slope = true
step = \"main\"
";

fn ran(args: &[&str], dir: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_chronotap")).args(args).current_dir(dir).output().unwrap()
}

fn chronotap(args: &[&str], dir: &Path) -> String {
    let ran = ran(args, dir);
    // Rehearsed data of some studies are unusable, which is status 1.
    assert!(ran.status.code().is_some_and(|code| code < 2), "{args:?}: {ran:?}");
    String::from_utf8(ran.stdout).unwrap()
}

/// A study with contrasts, whose delays are 0, 10, 40 and 70 ms, and the data of four people.
fn studied(dir: &Path) {
    planned(dir, PLANNED);
    let simulate = ["simulate", "study/study.toml", "--participants", "4", "--data", "data"];
    chronotap(&[&simulate[..], &["--quiet", "--simulate", PEOPLE]].concat(), dir);
}

const PEOPLE: &str = "tapper, mean = -30 +- 10 ms";

fn planned(dir: &Path, contrasts: &str) {
    chronotap(&["new", "delayed-feedback", "study"], dir);
    let path = dir.join("study/study.toml");
    let text = std::fs::read_to_string(&path).unwrap();
    let levels =
        "[\"0 ms\", \"10 ms\", \"20 ms\", \"30 ms\", \"40 ms\", \"50 ms\", \"60 ms\", \"70 ms\"]";
    assert!(text.contains(levels));
    let text = text.replace(levels, "[\"0 ms\", \"10 ms\", \"40 ms\", \"70 ms\"]");
    // What the study plans itself makes place.
    let (own, step) = (text.find("[[contrast]]").unwrap(), text.find("[[step]]").unwrap());
    let text = format!("{}{}", &text[..own], &text[step..]);
    std::fs::write(path, text.replacen("[[step]]", &format!("{contrasts}\n[[step]]"), 1)).unwrap();
}

/// A table by its headings.
fn table(path: &Path) -> Vec<Vec<(String, String)>> {
    let text = std::fs::read_to_string(path).unwrap();
    let mut lines = text.lines().map(|line| line.split('\t').map(str::to_owned));
    let head: Vec<String> = lines.next().unwrap().collect();
    lines.map(|row| head.iter().cloned().zip(row).collect()).collect()
}

fn cell<'a>(row: &'a [(String, String)], name: &str) -> &'a str {
    &row.iter().find(|(head, _)| head == name).unwrap_or_else(|| panic!("{name}: {row:?}")).1
}

fn number(row: &[(String, String)], name: &str) -> f64 {
    cell(row, name).parse().unwrap_or_else(|_| panic!("{name}: {row:?}"))
}

fn near(found: f64, known: f64) {
    assert!((found - known).abs() <= 1e-9 * known.abs().max(1.0), "{found}, not {known}");
}

fn contrasts(dir: &Path) -> Vec<Vec<(String, String)>> {
    table(&dir.join("data/derivatives/chronotap/desc-contrasts_beh.tsv"))
}

/// The means of four people over the trials of the step `main` at this delay.
fn means(dir: &Path, column: &str, delay: &str) -> [f64; 4] {
    let rows = table(&dir.join("data/derivatives/chronotap/desc-wide_beh.tsv"));
    ["sub-01", "sub-02", "sub-03", "sub-04"].map(|who| {
        let of = rows.iter().filter(|row| {
            cell(row, "participant_id") == who
                && cell(row, "step") == "main"
                && cell(row, "delay") == delay
                && cell(row, "used") == "true"
                && cell(row, column) != "n/a"
        });
        let values: Vec<f64> = of.map(|row| number(row, column)).collect();
        values.iter().sum::<f64>() / values.len() as f64
    })
}

/// Student's t of four differences, and its two-sided probability: with 3 degrees of freedom the distribution is
/// 1/2 + (u / (1 + u²) + arctan u) / π, u = t / √3.
fn of_four(values: [f64; 4]) -> [f64; 4] {
    let mean = values.iter().sum::<f64>() / 4.0;
    let sd = (values.iter().map(|one| (one - mean).powi(2)).sum::<f64>() / 3.0).sqrt();
    let t = mean / (sd / 2.0);
    let u = t.abs() / 3.0_f64.sqrt();
    let p = 1.0 - 2.0 * (u / (1.0 + u * u) + u.atan()) / std::f64::consts::PI;
    [mean, t, p, mean / sd]
}

/// Every number of the table is worked out again from the wide table; Holm's by its definition.
#[test]
fn planned_contrasts_are_a_table_of_tests_corrected_for_their_number() {
    let dir = tempfile::tempdir().unwrap();
    studied(dir.path());
    let said = chronotap(&["analyze", "data"], dir.path());
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    let pair = |column: &str, level: &str, less: &str| {
        let [level, less] = [level, less].map(|delay| means(dir.path(), column, delay));
        std::array::from_fn(|who| level[who] - less[who])
    };
    // By least squares over 0, 10, 40 and 70 ms, whose mean is 30: weights -30, -20, 10, 40, squares 3000.
    let [a, b, c, d] = ["0 ms", "10 ms", "40 ms", "70 ms"]
        .map(|delay| means(dir.path(), "mean_asynchrony_ms", delay));
    let slopes = std::array::from_fn(|who| {
        (-30.0 * a[who] - 20.0 * b[who] + 10.0 * c[who] + 40.0 * d[who]) / 3000.0
    });
    let known = [
        (
            "outcome",
            "outcome",
            "mean asynchrony",
            "delay 70 ms less 0 ms",
            "ms",
            pair("mean_asynchrony_ms", "70 ms", "0 ms"),
        ),
        (
            "late",
            "planned",
            "mean asynchrony",
            "delay 70 ms less 10 ms",
            "ms",
            pair("mean_asynchrony_ms", "70 ms", "10 ms"),
        ),
        (
            "correction",
            "planned",
            "alpha",
            "delay 70 ms less 0 ms",
            "n/a",
            pair("alpha", "70 ms", "0 ms"),
        ),
        (
            "direction",
            "planned",
            "resultant",
            "delay 40 ms less 0 ms",
            "n/a",
            pair("resultant", "40 ms", "0 ms"),
        ),
        ("trend", "planned", "mean asynchrony", "slope over delay", "ms per ms", slopes),
    ];
    let rows = contrasts(dir.path());
    assert_eq!(rows.len(), known.len());
    let mut p: Vec<f64> = known[1..].iter().map(|known| of_four(known.5)[2]).collect();
    p.sort_by(f64::total_cmp);
    for (row, (name, stated, of, levels, unit, values)) in rows.iter().zip(known) {
        let texts = [
            ("name", name),
            ("stated", stated),
            ("of", of),
            ("levels", levels),
            ("unit", unit),
            ("n", "4"),
            ("df", "3"),
            ("effect", "d_z"),
        ];
        texts.iter().for_each(|(column, text)| assert_eq!(cell(row, column), *text, "{row:?}"));
        let [mean, t, one_p, d_z] = of_four(values);
        near(number(row, "estimate"), mean);
        near(number(row, "t"), t);
        assert!((number(row, "p") - one_p).abs() < 1e-9, "{row:?}, {one_p}");
        near(number(row, "effect_size"), d_z);
        // Student's 97.5th percentile with 3 degrees of freedom.
        let reach = 3.182_446_305_284_263 * (mean / t).abs();
        near(number(row, "low"), mean - reach);
        near(number(row, "high"), mean + reach);
        if stated == "outcome" {
            assert_eq!(cell(row, "p_holm"), "n/a");
            continue;
        }
        let rank = p.iter().position(|p| *p == one_p).unwrap();
        let holm = (0..=rank).map(|k| (p[k] * (4 - k) as f64).min(1.0)).fold(0.0, f64::max);
        assert!((number(row, "p_holm") - holm).abs() < 1e-9, "{row:?}, {holm}");
        let holm = if holm < 0.001 {
            "after Holm < 0.001".into()
        } else {
            format!("after Holm = {holm:.3}")
        };
        let sentence = format!("{name}: {of}: {levels}: ");
        let rest = said.split(&sentence).nth(1).unwrap_or_else(|| panic!("{sentence}: {said}"));
        assert!(rest.split('.').count() > 1 && rest.contains(&holm), "{sentence}{rest}");
    }
    chronotap(&["report", "data"], dir.path());
    let page = std::fs::read_to_string(dir.path().join("data/derivatives/chronotap/report.html"));
    let page = page.unwrap();
    assert!(page.contains("correction: alpha") && page.contains("p after Holm"));
    assert!(dir.path().join("data/derivatives/chronotap/desc-contrasts_beh.json").is_file());
}

const FURTHER: &str = "
[[contrast]]
name = \"early\"
of = \"mean asynchrony\"
over = \"delay\"
level = \"0 ms\"
value = -20
step = \"main\"

[[contrast]]
name = \"later\"
of = \"mean asynchrony\"
over = \"delay\"
each = true
step = \"main\"

[[contrast]]
name = \"bend\"
of = \"mean asynchrony\"
over = \"delay\"
curve = true
step = \"main\"

[[contrast]]
name = \"steadiest\"
of = \"sd asynchrony\"
over = \"delay\"
least = true
step = \"main\"
";

/// Worked out again from the wide table: the value, each level less the first, and the quadratic trend, whose weights at 0,
/// 10, 40 and 70 ms are what a line leaves of their squares.
#[test]
fn values_each_level_and_curves_are_rows_of_one_table_corrected_together() {
    let dir = tempfile::tempdir().unwrap();
    planned(dir.path(), FURTHER);
    let simulate = ["simulate", "study/study.toml", "--participants", "4", "--data", "data"];
    chronotap(&[&simulate[..], &["--quiet", "--simulate", PEOPLE]].concat(), dir.path());
    let said = chronotap(&["analyze", "data"], dir.path());
    let rows = contrasts(dir.path());
    let names: Vec<&str> = rows.iter().map(|row| cell(row, "name")).collect();
    let all =
        ["outcome", "early", "later: 10 ms", "later: 40 ms", "later: 70 ms", "bend", "steadiest"];
    assert_eq!(names, all);
    let at = ["0 ms", "10 ms", "40 ms", "70 ms"]
        .map(|delay| means(dir.path(), "mean_asynchrony_ms", delay));
    let of = |weights: [f64; 4], less: f64| {
        std::array::from_fn(|who| {
            weights.iter().zip(&at).map(|(weight, at)| weight * at[who]).sum::<f64>() - less
        })
    };
    let x = [0.0, 10.0, 40.0, 70.0_f64];
    // The line through x² has the slope Σ (x - 30) x² / 3000 = 70 and the mean 1650.
    let rest = x.map(|x| x * x - 1650.0 - 70.0 * (x - 30.0));
    let squares: f64 = rest.iter().map(|rest| rest * rest).sum();
    let known = [
        ("early", of([1.0, 0.0, 0.0, 0.0], -20.0), -20.0, "delay 0 ms against -20 ms", "d"),
        ("later: 10 ms", of([-1.0, 1.0, 0.0, 0.0], 0.0), 0.0, "delay 10 ms less 0 ms", "d_z"),
        ("later: 40 ms", of([-1.0, 0.0, 1.0, 0.0], 0.0), 0.0, "delay 40 ms less 0 ms", "d_z"),
        ("later: 70 ms", of([-1.0, 0.0, 0.0, 1.0], 0.0), 0.0, "delay 70 ms less 0 ms", "d_z"),
        ("bend", of(rest.map(|rest| rest / squares), 0.0), 0.0, "curve over delay", "d_z"),
    ];
    let mut p: Vec<f64> = known.iter().map(|known| of_four(known.1)[2]).collect();
    let steadiest = &rows[6];
    p.push(cell(steadiest, "p").parse().unwrap_or(1.0));
    p.sort_by(f64::total_cmp);
    for (row, (name, values, value, levels, effect)) in rows[1..].iter().zip(known) {
        let [mean, t, one_p, size] = of_four(values);
        assert_eq!(
            (cell(row, "name"), cell(row, "levels"), cell(row, "effect")),
            (name, levels, effect)
        );
        near(number(row, "estimate"), mean + value);
        near(number(row, "t"), t);
        near(number(row, "effect_size"), size);
        assert!((number(row, "p") - one_p).abs() < 1e-9, "{row:?}, {one_p}");
        let rank = p.iter().position(|p| (*p - one_p).abs() < 1e-12).unwrap();
        let holm = (0..=rank).map(|k| (p[k] * (6 - k) as f64).min(1.0)).fold(0.0, f64::max);
        assert!((number(row, "p_holm") - holm).abs() < 1e-9, "{row:?}, {holm}");
    }
    assert_eq!(
        (cell(steadiest, "of"), cell(steadiest, "levels")),
        ("sd asynchrony", "least over delay")
    );
    assert!(said.contains("steadiest: sd asynchrony: least over delay:"), "{said}");
    let asked =
        ["--contrast", "mean asynchrony: against 0", "--contrast", "alpha: each over delay"];
    chronotap(&[&["analyze", "data"], &asked[..]].concat(), dir.path());
    let asked = contrasts(dir.path());
    let names: Vec<&str> = asked[7..].iter().map(|row| cell(row, "name")).collect();
    let each = |delay: &str| format!("alpha: delay {delay} - 0 ms");
    assert_eq!(
        names,
        ["mean asynchrony: against 0", &each("10 ms"), &each("40 ms"), &each("70 ms")]
    );
    chronotap(&["pack", "data", "--output", "study.zip"], dir.path());
    let opened = chronotap(&["open", "study.zip", "--to", "again"], dir.path());
    assert!(opened.contains("the same"), "{opened}");
    chronotap(&["report", "data"], dir.path());
    let page = std::fs::read_to_string(dir.path().join("data/derivatives/chronotap/report.html"));
    let page = page.unwrap();
    assert!(
        page.contains("Fieller (1954)") && page.contains("Cohen's d")
            || page.contains("Cohen&#39;s d")
    );
    let power = ["power", "study/study.toml", "--studies", "1", "--participants", "4", "--json"];
    let told = chronotap(&[&power[..], &["--simulate", PEOPLE]].concat(), dir.path());
    let told: serde_json::Value = serde_json::from_str(&told).unwrap();
    for (of, row) in told["contrasts"].as_array().unwrap().iter().zip(&rows).take(6) {
        near(of["mean"].as_f64().unwrap(), number(row, "estimate"));
        assert_eq!(of["opposite"], 0);
    }
}

/// What is asked afterwards changes no planned number, is marked, and is worked out again from a pack.
#[test]
fn a_contrast_that_is_asked_afterwards_is_marked_as_not_planned() {
    let dir = tempfile::tempdir().unwrap();
    studied(dir.path());
    chronotap(&["analyze", "data"], dir.path());
    let before = contrasts(dir.path());
    let asked = "sd asynchrony: delay 70 ms - 0 ms";
    let args = ["analyze", "data", "--contrast", asked, "--contrast", "alpha: slope over delay"];
    let said = chronotap(&args, dir.path());
    assert_eq!(said.matches("not planned").count(), 2, "{said}");
    let after = contrasts(dir.path());
    assert_eq!((&after[..5], after.len()), (&before[..], 7));
    for (row, name) in after[5..].iter().zip([asked, "alpha: slope over delay"]) {
        assert_eq!((cell(row, "name"), cell(row, "stated")), (name, "not planned"));
        assert_eq!(cell(row, "p_holm"), "n/a");
    }
    let [level, less] = ["70 ms", "0 ms"].map(|d| means(dir.path(), "sd_asynchrony_ms", d));
    let [mean, _, p, _] = of_four(std::array::from_fn(|who| level[who] - less[who]));
    near(number(&after[5], "estimate"), mean);
    assert!((number(&after[5], "p") - p).abs() < 1e-9);
    chronotap(&["pack", "data", "--output", "study.zip"], dir.path());
    let opened = chronotap(&["open", "study.zip", "--to", "again"], dir.path());
    assert!(opened.contains("the same"), "{opened}");
    for (wrong, cure) in [
        ("sd asynchronie: delay 70 ms - 0 ms", "sd asynchrony"),
        ("sd asynchrony: dealy 70 ms - 0 ms", "delay"),
        ("sd asynchrony: delay 7 ms - 0 ms", "70 ms"),
        ("sd asynchrony", "STATISTIC: FACTOR LEVEL - LEVEL"),
        ("sd asynchrony: slope over step", "two levels"),
        ("sd asynchrony: curve over step", "curve over step"),
        ("sd asynchrony: delay 7 ms against 0", "70 ms"),
    ] {
        let ran = ran(&["analyze", "data", "--to", "none", "--contrast", wrong], dir.path());
        let said = String::from_utf8(ran.stderr).unwrap();
        assert!(ran.status.code() == Some(2) && said.contains(cure), "{wrong}: {said}");
        assert!(!dir.path().join("none").exists(), "nothing was made");
    }
}

/// One rehearsed study of the study's own seed is what `simulate` makes: each estimate is that of the table, and
/// each contrast is found where its probability after Holm says so.
#[test]
fn power_makes_the_test_that_analyze_makes() {
    let dir = tempfile::tempdir().unwrap();
    studied(dir.path());
    chronotap(&["analyze", "data"], dir.path());
    let power = ["power", "study/study.toml", "--studies", "1", "--participants", "4", "--json"];
    let told = chronotap(&[&power[..], &["--simulate", PEOPLE]].concat(), dir.path());
    let told: serde_json::Value = serde_json::from_str(&told).unwrap();
    let rows = contrasts(dir.path());
    let all = told["contrasts"].as_array().unwrap();
    assert_eq!(all.len(), rows.len());
    for (of, row) in all.iter().zip(&rows) {
        near(of["mean"].as_f64().unwrap(), number(row, "estimate"));
        let p = if cell(row, "stated") == "outcome" { "p" } else { "p_holm" };
        assert_eq!(of["found"]["count"] == 1, number(row, p) <= 0.05, "{of} {row:?}");
    }
    // The words of `analyze --contrast` are those of `power --contrast`, and what is asked is the same test.
    let asked =
        ["--contrast", "alpha: delay 70 ms - 0 ms", "--contrast", "alpha: slope over delay"];
    chronotap(&[&["analyze", "data"], &asked[..]].concat(), dir.path());
    let told = chronotap(&[&power[..], &["--simulate", PEOPLE], &asked].concat(), dir.path());
    let told: serde_json::Value = serde_json::from_str(&told).unwrap();
    for (of, row) in told["contrasts"].as_array().unwrap().iter().zip(&contrasts(dir.path())[5..]) {
        near(of["mean"].as_f64().unwrap(), number(row, "estimate"));
        assert_eq!(of["found"]["count"] == 1, number(row, "p") <= 0.05, "{of} {row:?}");
    }
}

#[test]
fn contrasts_that_nothing_is_called_are_refused_before_anything_starts() {
    let dir = tempfile::tempdir().unwrap();
    let contrast = |keys: &str| format!("[[contrast]]\nname = \"late\"\nof = \"alpha\"\n{keys}\n");
    let over = "over = \"delay\"\n";
    for (keys, cure) in [
        (String::new(), "compares nothing"),
        ("over = \"dealy\"".into(), "did you mean"),
        (format!("{over}levels = [\"70 ms\", \"7 ms\"]"), "no level \"7 ms\""),
        (format!("{over}levels = [\"70 ms\", \"70 ms\"]"), "one level twice"),
        (format!("{over}levels = [\"70 ms\"]"), "two levels"),
        (format!("{over}slope = true\nlevels = [\"70 ms\", \"0 ms\"]"), "take other levels"),
        ("over = \"step\"\nslope = true".into(), "three or more numbers"),
        (format!("{over}by_levels = [\"a\", \"b\"]"), "needs `by` a factor"),
        (format!("{over}value = \"1\""), "number"),
        (format!("{over}level = \"0 ms\""), "compares nothing"),
        (format!("{over}value = 1\nlevel = \"7 ms\""), "no level \"7 ms\""),
        ("value = 1\nlevel = \"0 ms\"".into(), "needs `over` a factor of which one level"),
        (format!("{over}value = 1\nlevels = [\"70 ms\", \"0 ms\"]"), "take other levels"),
        (format!("{over}value = 1\ncurve = true"), "stands beside"),
        (format!("{over}slope = true\nleast = true"), "stands beside `slope`"),
        ("over = \"step\"\neach = true".into(), "two or more levels"),
        ("over = \"step\"\ngreatest = true".into(), "three or more numbers"),
        (format!("{over}each = true\nlevels = [\"70 ms\", \"0 ms\"]"), "take other levels"),
        (format!("{over}also = [\"taps\"]"), "also"),
        (format!("{over}{}", contrast(over)), "another contrast"),
    ] {
        let _ = std::fs::remove_dir_all(dir.path().join("study"));
        planned(dir.path(), &contrast(&keys));
        let ran = ran(&["check", "study/study.toml"], dir.path());
        let said = String::from_utf8(ran.stderr).unwrap() + &String::from_utf8(ran.stdout).unwrap();
        assert_eq!(ran.status.code(), Some(1), "{keys}: {said}");
        assert!(said.contains("study.toml:") && said.contains(cure), "{keys}: {said}");
    }
}

#[test]
fn of_levels_that_are_no_numbers_by_a_slip_of_the_hand_only_that_one_is_named() {
    let dir = tempfile::tempdir().unwrap();
    planned(dir.path(), PLANNED);
    let path = dir.path().join("study/study.toml");
    let text = std::fs::read_to_string(&path).unwrap().replacen("\"40 ms\"", "\"4o ms\"", 1);
    std::fs::write(&path, text).unwrap();
    let said = String::from_utf8(ran(&["check", "study/study.toml"], dir.path()).stderr).unwrap();
    let slope = said.lines().find(|line| line.contains(".slope")).unwrap();
    assert!(slope.contains("and \"4o ms\" of delay is none; correct that level"), "{said}");
    assert!(said.contains("there is the letter o among the digits"), "{said}");
}

/// What simulated people cannot differ in is found by chance alone, and the number looked like a power.
#[test]
fn power_says_where_no_effect_was_assumed_and_how_to_assume_one() {
    let dir = tempfile::tempdir().unwrap();
    planned(dir.path(), "");
    let path = dir.path().join("study/study.toml");
    let text = std::fs::read_to_string(&path).unwrap();
    let groups = "[between]\ngroup = [\"old\", \"young\"]\n\n[[step]]";
    std::fs::write(&path, text.replacen("[[step]]", groups, 1)).unwrap();
    let power =
        ["power", "study/study.toml", "--studies", "1", "--participants", "4", "--contrast"];
    let told = |more: &[&str]| {
        let told = chronotap(&[&power[..], more].concat(), dir.path());
        told.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let groups = "mean asynchrony: group young - old";
    let of_groups = told(&[groups]);
    let said = "no trial depends on group, and no --difference is of it. So this is the rate of false alarms";
    assert!(of_groups.contains(said), "{of_groups}");
    assert!(of_groups.contains("--difference \"group young: mean + 10 ms\""), "{of_groups}");
    let assumed = told(&[groups, "--difference", "group young: mean + 10 ms"]);
    assert!(!assumed.contains("false alarms"), "{assumed}");
    // People answer the delays themselves.
    let of_delays = told(&["mean asynchrony: delay 70 ms - 0 ms"]);
    assert!(!of_delays.contains("false alarms"), "{of_delays}");
    // `latency` sets nothing by itself: in the table of conditions it names what other columns set.
    chronotap(&["new", "small-latency"], dir.path());
    let power = ["power", "small-latency/study.toml", "--studies", "1", "--participants", "2"];
    let named = ["--contrast", "mean asynchrony: latency none - 10 ms"];
    let of_names = chronotap(&[&power[..], &named].concat(), dir.path());
    assert!(
        of_names.contains("latency none - 10 ms") && !of_names.contains("alarms"),
        "{of_names}"
    );
}

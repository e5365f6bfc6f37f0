//! Every ready-made study answers the question that it is for: one sentence with an interval and how many
//! people, and a table of their values, from `new` over `simulate` to `analyze` and `report`.

use chronotap_design::{EXPECTED, InRehearsal, PARADIGMS};
use chronotap_testkit::left_to_all;
use std::path::Path;
use std::process::Command;

fn chronotap(args: &[&str], dir: &Path) -> String {
    let program = env!("CARGO_BIN_EXE_chronotap");
    let ran = Command::new(program).args(args).current_dir(dir).output().unwrap();
    // Rehearsed data of some studies are unusable, which is status 1.
    assert!(ran.status.code().is_some_and(|code| code < 2), "{args:?}: {ran:?}");
    String::from_utf8(ran.stdout).unwrap()
}

/// A rehearsed study of so many people: what `analyze` says, on one line.
fn analyzed(name: &str, people: &str, dir: &Path) -> String {
    analyzed_of("adults", name, people, dir)
}

/// The same of people of this description.
fn analyzed_of(model: &str, name: &str, people: &str, dir: &Path) -> String {
    chronotap(&["new", name, "study"], dir);
    let simulate = ["simulate", "study/study.toml", "--participants", people, "--data", "data"];
    chronotap(&[&simulate[..], &["--quiet", "--simulate", model]].concat(), dir);
    chronotap(&["analyze", "data"], dir).split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn power_says_of_every_ready_made_study_what_its_rehearsals_cannot_find() {
    for paradigm in PARADIGMS {
        let dir = tempfile::tempdir().unwrap();
        chronotap(&["new", paradigm.name, "study"], dir.path());
        let power = ["power", "study/study.toml", "--studies", "1", "--participants", "2"];
        let said = chronotap(&power, dir.path());
        let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
        let of_study = EXPECTED.iter().filter(|of| of.study == paradigm.name);
        let cannot = of_study.filter_map(|of| match of.rehearsed {
            InRehearsal::Cannot(why) => Some(format!("{} The reason: {why}", of.effect)),
            _ => None,
        });
        let cannot: Vec<String> = cannot.collect();
        assert_eq!(said.matches("what rehearsals cannot find:").count(), cannot.len(), "{said}");
        assert!(cannot.iter().all(|of| said.contains(of)), "{}: {said}", paradigm.name);
    }
}

/// The rows of a table, by the names of these columns.
fn cells(path: &Path, columns: &[&str]) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(path).unwrap();
    let mut lines = text.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let head = lines.next().unwrap();
    let places: Vec<usize> =
        columns.iter().map(|name| head.iter().position(|one| one == name).unwrap()).collect();
    lines.map(|row| places.iter().map(|place| row[*place].to_owned()).collect()).collect()
}

#[test]
fn every_ready_made_study_ends_with_its_outcome() {
    if left_to_all() {
        return;
    }
    for paradigm in PARADIGMS {
        let dir = tempfile::tempdir().unwrap();
        let said = analyzed(paradigm.name, "3", dir.path());
        let text = paradigm.files[0].1;
        let of = text.split("[outcome]\nof = \"").nth(1).unwrap().split('"').next().unwrap();
        let sentence =
            said.split(&format!(" {of}")).skip(1).find(|rest| rest.contains("(3 people"));
        let sentence =
            sentence.unwrap_or_else(|| panic!("{}: no sentence on {of}: {said}", paradigm.name));
        assert!(sentence.contains("95 % interval"), "{}: {of}{sentence}", paradigm.name);
        chronotap(&["report", "data"], dir.path());
        let page =
            std::fs::read_to_string(dir.path().join("data/derivatives/chronotap/report.html"));
        let page = page.unwrap();
        let at = |anchor: &str| page.find(&format!("<section id=\"{anchor}\">")).unwrap();
        assert!(at("outcome") < at("usable"), "{}: the report opens with it", paradigm.name);
    }
}

/// jamovi and JASP want one row a person for repeated measures.
#[test]
fn a_workbook_has_the_outcome_by_level_and_by_person() {
    let dir = tempfile::tempdir().unwrap();
    analyzed("small-latency", "2", dir.path());
    chronotap(&["export", "data", "--as", "xlsx", "--to", "book"], dir.path());
    let book = std::fs::read(dir.path().join("book/data.xlsx")).unwrap();
    let parts = chronotap_data::exchange::unpacked_xlsx(&book).unwrap();
    let parts = String::from_utf8_lossy(&parts);
    for sheet in ["trials", "conditions", "outcome", "participants", "outcome by person"] {
        assert!(parts.contains(&format!("<sheet name=\"{sheet}\"")), "{sheet}");
    }
    assert!(parts.contains("<t>outcome, "), "a column for each level");
}

/// Against a computation of its own: differences of means within people from the wide table, and Student's t
/// with 3 degrees of freedom.
#[test]
fn the_sentence_is_what_the_numbers_of_the_people_come_to() {
    let dir = tempfile::tempdir().unwrap();
    let said = analyzed_of("tapper", "delayed-feedback", "4", dir.path());
    let tables = dir.path().join("data/derivatives/chronotap");
    let columns = ["participant_id", "step", "delay", "used", "mean_asynchrony_ms"];
    let rows = cells(&tables.join("desc-wide_beh.tsv"), &columns);
    let mean = |who: &str, delay: &str| {
        let is = |row: &&Vec<String>| {
            row[0] == who && row[1] == "main" && row[2] == delay && row[3] == "true"
        };
        let values: Vec<f64> = rows.iter().filter(is).map(|row| row[4].parse().unwrap()).collect();
        assert_eq!(values.len(), 4, "four repetitions");
        values.iter().sum::<f64>() / 4.0
    };
    let people = ["sub-01", "sub-02", "sub-03", "sub-04"];
    let within = people.map(|who| mean(who, "70 ms") - mean(who, "0 ms"));
    let centre = within.iter().sum::<f64>() / 4.0;
    let sd = (within.iter().map(|one| (one - centre).powi(2)).sum::<f64>() / 3.0).sqrt();
    let reach = 3.182_446_305 * sd / 2.0;
    let [value, low, high] = [centre, centre - reach, centre + reach].map(|x| format!("{x:.2}"));
    let d_z = format!("{:.2}", centre / sd);
    let sentence = format!(
        "mean asynchrony: delay 70 ms less 0 ms: {value} ms, 95 % interval {low} to {high} (4 people, paired, d_z {d_z})"
    );
    assert!(said.contains(&sentence), "{sentence}\n{said}");
    let table =
        cells(&tables.join("desc-outcome_beh.tsv"), &["participant_id", "delay", "outcome"]);
    assert_eq!(table.len(), 4 * 8);
    let first = table.iter().find(|row| row[0] == "sub-01" && row[1] == "70 ms").unwrap();
    assert!((first[2].parse::<f64>().unwrap() - mean("sub-01", "70 ms")).abs() < 1e-9);
}

/// An interaction: the difference within people, compared between groups, by `analyze`, by `power`, and here from the
/// wide table.
#[test]
fn a_difference_within_people_is_compared_between_groups_by_the_word_by() {
    let dir = tempfile::tempdir().unwrap();
    chronotap(&["new", "delayed-feedback", "study"], dir.path());
    let path = dir.path().join("study/study.toml");
    let text = std::fs::read_to_string(&path).unwrap();
    let text = text
        .replace("[participant]\n", "[between]\ngroup = [\"young\", \"old\"]\n\n[participant]\n");
    let by = text.replacen("over = \"delay\"\n", "over = \"delay\"\nby = \"group\"\n", 1);
    std::fs::write(&path, by).unwrap();
    let people = ["--participants", "6", "--simulate", "tapper, mean = -30 +- 5 ms"];
    let simulate = ["simulate", "study/study.toml", "--data", "data", "--quiet"];
    chronotap(&[&simulate[..], &people].concat(), dir.path());
    let said = chronotap(&["analyze", "data"], dir.path());
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    let tables = dir.path().join("data/derivatives/chronotap");
    let columns = ["participant_id", "step", "delay", "used", "group", "mean_asynchrony_ms"];
    let rows = cells(&tables.join("desc-wide_beh.tsv"), &columns);
    let mean = |who: &str, delay: &str| {
        let is = |row: &&Vec<String>| {
            row[0] == who && row[1] == "main" && row[2] == delay && row[3] == "true"
        };
        let values: Vec<f64> = rows.iter().filter(is).map(|row| row[5].parse().unwrap()).collect();
        values.iter().sum::<f64>() / values.len() as f64
    };
    let of_group = |group: &str| {
        let mut people: Vec<&str> =
            rows.iter().filter(|row| row[4] == group).map(|row| &*row[0]).collect();
        people.dedup();
        assert_eq!(people.len(), 3, "{group}");
        people.iter().map(|who| mean(who, "70 ms") - mean(who, "0 ms")).sum::<f64>() / 3.0
    };
    let value = of_group("old") - of_group("young");
    let begins = "mean asynchrony: delay 70 ms less 0 ms, group old less young: ";
    let rest = said.split(begins).nth(1).unwrap_or_else(|| panic!("{said}"));
    let number: f64 = rest.split(' ').next().unwrap().parse().unwrap();
    assert!((number - value).abs() < 0.051, "{number} {value}");
    assert!(rest.contains("(6 people, groups, d_s "), "{rest}");
    let power = ["power", "study/study.toml", "--studies", "1", "--json"];
    let told: serde_json::Value =
        serde_json::from_str(&chronotap(&[&power[..], &people].concat(), dir.path())).unwrap();
    assert_eq!(told["contrasts"][0]["contrast"], begins.trim_end_matches(": "));
    assert!(
        (told["contrasts"][0]["mean"].as_f64().unwrap() - value).abs() < 1e-6,
        "{told} {value}"
    );
    let table = cells(
        &tables.join("desc-outcome_beh.tsv"),
        &["participant_id", "delay", "group", "outcome"],
    );
    assert_eq!(table.len(), 6 * 8);
    chronotap(&["report", "data"], dir.path());
    let page = std::fs::read_to_string(tables.join("report.html")).unwrap();
    assert!(page.contains("delay 70 ms, group young"), "each pair of levels is drawn");
}

/// The people of a smaller study are the first of a larger one: each point of a curve is what it is alone.
#[test]
fn a_curve_of_power_has_for_each_number_of_people_what_that_number_has_alone() {
    let dir = tempfile::tempdir().unwrap();
    chronotap(&["new", "delayed-feedback", "study"], dir.path());
    let power = |people: &str, more: &[&str]| {
        let args = ["power", "study/study.toml", "--studies", "3", "--participants", people];
        chronotap(&[&args, more].concat(), dir.path())
    };
    let read = |text: String| serde_json::from_str::<serde_json::Value>(&text).unwrap();
    let curve = read(power("3..5", &["--json"]));
    let points = curve["curve"].as_array().unwrap();
    for (point, people) in points.iter().zip(["3", "4", "5"]) {
        assert_eq!(*point, read(power(people, &["--json"])), "{people} people");
    }
    assert_eq!(points.len(), 3);
    let shown = power("3..5", &[]);
    let share = 100.0 * points[2]["contrasts"][0]["found"]["share"].as_f64().unwrap();
    assert!(shown.contains(&format!("5 participants: found in {share:5.1} %")), "{shown}");
    assert!(
        shown.contains("at least 80 %, with the whole interval: none"),
        "3 of 3 is not certain: {shown}"
    );
}

/// Every staircase of every person is drawn, with the threshold that the table of trials has.
#[test]
fn the_report_draws_the_tracks_of_staircases() {
    let dir = tempfile::tempdir().unwrap();
    analyzed("duration-discrimination", "2", dir.path());
    chronotap(&["report", "data"], dir.path());
    let page = dir.path().join("data/derivatives/chronotap/report.html");
    let page = std::fs::read_to_string(page).unwrap();
    let section = page.split("<section id=\"staircases\">").nth(1).unwrap();
    let section = section.split("</section>").next().unwrap();
    for person in ["01", "02"] {
        assert!(
            section.contains(&format!("Participant {person}, threshold: staircases")),
            "{section}"
        );
        let table = format!("data/sub-{person}/beh/sub-{person}_task-duration_beh.tsv");
        let rows = cells(&dir.path().join(table), &["staircase", "threshold", "counts"]);
        let found: Vec<&Vec<String>> = rows.iter().filter(|row| row[1] != "n/a").collect();
        assert_eq!(found.len(), 2, "two staircases: {found:?}");
        for row in found {
            let threshold: f64 = row[1].trim_end_matches(" ms").parse().unwrap();
            let answers = rows.iter().filter(|one| one[0] == row[0] && one[2] == "true").count();
            let told = format!("{}: threshold {threshold:.1} ms; {answers} answers", row[0]);
            assert!(section.contains(&told), "{told}\n{section}");
        }
    }
}

/// Hits and false alarms are counted again from the wide table.
#[test]
fn a_signal_is_told_by_the_answers_of_the_wide_table() {
    let dir = tempfile::tempdir().unwrap();
    let said = analyzed("beat-alignment", "3", dir.path());
    let begins = "d' of fits = yes, metronome with the music against the others: ";
    assert!(said.contains(begins) && said.contains("; hits 0."), "{said}");
    let tables = dir.path().join("data/derivatives/chronotap");
    let answers =
        cells(&tables.join("desc-wide_beh.tsv"), &["participant_id", "metronome", "fits"]);
    let share = |who: &str, with: bool| {
        let of = |row: &&Vec<String>| row[0] == who && (row[1] == "with the music") == with;
        let given: Vec<&Vec<String>> = answers.iter().filter(of).collect();
        assert!(given.len() == 16, "four of eight conditions, four times");
        given.iter().filter(|row| row[2] == "yes").count() as f64 / 16.0
    };
    let columns = ["participant_id", "hit_rate", "false_alarm_rate", "outcome", "criterion"];
    let rows = cells(&tables.join("desc-outcome_beh.tsv"), &columns);
    assert_eq!(rows.len(), 3);
    for row in rows {
        let numbers: Vec<f64> = row[1..].iter().map(|cell| cell.parse().unwrap()).collect();
        assert_eq!(numbers[..2], [share(&row[0], true), share(&row[0], false)]);
        // The more hits than false alarms, the greater; as often yes to both is no criterion's doing.
        assert_eq!(numbers[2] > 0.0, numbers[0] > numbers[1], "{row:?}");
        assert_eq!(numbers[3] < 0.0, numbers[0] + numbers[1] > 1.0, "{row:?}");
    }
}

/// What the simulated people were made to do stands in docs/participants.md: taps come 0.3 of a delay earlier
/// with a metronome, the next tap comes 0.1 of a delay later without one, and two who hear each other stay
/// together. Each outcome's interval holds that.
#[test]
fn the_outcome_is_what_the_simulated_people_were_made_to_do() {
    for (study, slope) in [("delayed-feedback", -0.3), ("isolated-perturbation", 0.1)] {
        let dir = tempfile::tempdir().unwrap();
        let said = analyzed_of("tapper", study, "12", dir.path());
        let [low, high] = interval(said.split("; slope ").nth(1).unwrap());
        assert!(low < slope && slope < high, "{study}: {low} to {high}");
        assert_eq!(low > 0.0, slope > 0.0, "{study}: {low} to {high}");
    }
    let dir = tempfile::tempdir().unwrap();
    let both = "tapper, input = left, stream = 1; tapper, input = right, stream = 2";
    let said = analyzed_of(both, "joint-tapping", "8", dir.path());
    let begins =
        "sd asynchrony of right against taps of left in continuation: hears none less both: ";
    let [low, _] = interval(said.split(begins).nth(1).unwrap());
    assert!(low > 0.0, "who does not hear the other does not stay with them: {said}");
    let begins = "following correlation of right against taps of left in continuation: hears none less both: ";
    let [_, high] = interval(said.split(begins).nth(1).unwrap());
    assert!(high < 0.0, "and follows them less: {said}");
}

/// The ends of the first interval in a text: `95 % interval -0.3 to 0.2`.
fn interval(text: &str) -> [f64; 2] {
    let ends = text.split("95 % interval ").nth(1).unwrap();
    let (low, rest) = ends.split_once(" to ").unwrap();
    let high = rest.split([' ', ';']).next().unwrap().trim_end_matches('.');
    [low, high].map(|end| end.parse().unwrap())
}

/// What `power` finds in one study is what `analyze` finds in the data of that study, to the digit.
#[test]
fn power_looks_for_the_outcome_exactly_as_analyze_finds_it() {
    for (study, people) in [("joint-tapping", "5"), ("beat-alignment", "5"), ("phase-shift", "4")] {
        let dir = tempfile::tempdir().unwrap();
        let said = analyzed(study, people, dir.path());
        let power =
            ["power", "study/study.toml", "--studies", "1", "--participants", people, "--json"];
        let told: serde_json::Value = serde_json::from_str(&chronotap(&power, dir.path())).unwrap();
        let contrast = &told["contrasts"][0];
        let (called, mean) =
            (contrast["contrast"].as_str().unwrap(), contrast["mean"].as_f64().unwrap());
        let rest =
            said.split(&format!("{called}: ")).nth(1).unwrap_or_else(|| panic!("{called}: {said}"));
        let number: f64 = rest.split([' ', ',']).next().unwrap().parse().unwrap();
        let decimals = rest.split([' ', ',']).next().unwrap().split('.').nth(1).map_or(0, str::len);
        assert!(
            (number - mean).abs() <= 0.51 * 10_f64.powi(-(decimals as i32)),
            "{called}: {mean}, {rest}"
        );
    }
}

/// A difference that is put in comes out: 20 ms at one delay, beside what the people do anyway.
#[test]
fn a_difference_that_is_put_into_the_people_is_in_the_data() {
    let dir = tempfile::tempdir().unwrap();
    chronotap(&["new", "delayed-feedback", "study"], dir.path());
    let simulate = ["simulate", "study/study.toml", "--participants", "4", "--quiet"];
    let with = ["--simulate", "tapper, mean = -30 ms", "--data"];
    chronotap(&[&simulate[..], &with, &["plain"]].concat(), dir.path());
    let difference = ["--difference", "delay 70 ms: mean - 20 ms"];
    chronotap(&[&simulate[..], &with, &["data"], &difference].concat(), dir.path());
    let effect = |data: &str| -> f64 {
        chronotap(&["analyze", data], dir.path());
        let table = dir.path().join(data).join("derivatives/chronotap/desc-outcome_beh.tsv");
        let rows = cells(&table, &["delay", "outcome"]);
        let mean = |delay: &str| {
            let of = rows.iter().filter(|row| row[0] == delay);
            of.map(|row| row[1].parse::<f64>().unwrap()).sum::<f64>() / 4.0
        };
        mean("70 ms") - mean("0 ms")
    };
    let (plain, put_in) = (effect("plain"), effect("data"));
    assert!((put_in - plain + 20.0).abs() < 0.5, "{put_in} and {plain}");
    let wrong = ["--difference", "dealy 70 ms: mean - 20 ms", "--data", "none"];
    let program = env!("CARGO_BIN_EXE_chronotap");
    let wrong = [&simulate[..], &wrong].concat();
    let ran = Command::new(program).args(wrong).current_dir(dir.path()).output().unwrap();
    let said = String::from_utf8(ran.stderr).unwrap();
    assert!(ran.status.code() == Some(2) && said.contains("delay"), "{said}");
    assert!(!dir.path().join("none").exists(), "nothing was made");
}

/// Everything that an outcome has also is a sentence, a figure and a column.
#[test]
fn further_numbers_of_an_outcome_have_sentences_figures_and_columns() {
    let dir = tempfile::tempdir().unwrap();
    let said = analyzed("synchronization", "3", dir.path());
    assert!(said.contains(" sd asynchrony: "), "{said}");
    let tables = dir.path().join("data/derivatives/chronotap");
    let columns = ["participant_id", "tempo", "outcome", "sd_asynchrony_ms"];
    let rows = cells(&tables.join("desc-outcome_beh.tsv"), &columns);
    assert_eq!(rows.len(), 9, "three people at three tempi");
    let of_trials = cells(
        &tables.join("desc-trials_beh.tsv"),
        &["participant_id", "tempo", "step", "stretch", "used", "sd_asynchrony_ms"],
    );
    for row in rows {
        let is = |one: &&Vec<String>| {
            one[0] == row[0]
                && one[1] == row[1]
                && one[2..5] == ["main", "all", "true"].map(str::to_owned)
        };
        let values: Vec<f64> =
            of_trials.iter().filter(is).map(|one| one[5].parse().unwrap()).collect();
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        assert!((row[3].parse::<f64>().unwrap() - mean).abs() < 1e-6, "{row:?}, {mean}");
    }
    chronotap(&["report", "data"], dir.path());
    let page = std::fs::read_to_string(tables.join("report.html")).unwrap();
    assert!(page.contains("d asynchrony by tempo</title>"));
}

#[test]
fn an_outcome_that_nothing_is_called_is_refused_before_anything_starts() {
    let dir = tempfile::tempdir().unwrap();
    chronotap(&["new", "delayed-feedback", "study"], dir.path());
    let path = dir.path().join("study/study.toml");
    let text = std::fs::read_to_string(&path).unwrap();
    for (right, wrong, cure) in [
        ("of = \"mean asynchrony\"", "of = \"mean asynchronie\"", "mean asynchrony"),
        ("over = \"delay\"", "over = \"dealy\"", "delay"),
        ("step = \"main\"", "step = \"mian\"", "main"),
    ] {
        assert!(text.contains(right));
        std::fs::write(&path, text.replacen(right, wrong, 1)).unwrap();
        let program = env!("CARGO_BIN_EXE_chronotap");
        let check = ["check", "study/study.toml"];
        let ran = Command::new(program).args(check).current_dir(dir.path()).output().unwrap();
        let said = String::from_utf8(ran.stderr).unwrap() + &String::from_utf8(ran.stdout).unwrap();
        assert_eq!(ran.status.code(), Some(1), "{said}");
        assert!(said.contains("study.toml:") && said.contains(cure), "{said}");
    }
}

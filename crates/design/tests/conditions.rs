//! Which conditions a step runs: all combinations, tables, what is left out, `only`.

use crate::kit::{column, files, mistakes, plan, study, with_step};
use chronotap_design::{Experiment, Files, Folder, GivenValue};

const TWO: &str = "[factor]\ntempo = [\"400 ms\", \"600 ms\"]\ndelay = [\"0 ms\", \"70 ms\", \"200 ms\"]\n\
                   [set]\npacing.metronome.interval = { factor = \"tempo\" }\n\
                   feedback.tone.delay = { factor = \"delay\" }";

#[test]
fn conditions_come_in_file_order_with_the_last_factor_changing_fastest() {
    let plan = plan(&study(&with_step(TWO, "shuffle = \"none\"")), "1");
    let delays = ["0 ms", "70 ms", "200 ms"];
    assert_eq!(column(&plan, "delay"), [delays, delays].concat());
    assert_eq!(column(&plan, "tempo")[..4], ["400 ms", "400 ms", "400 ms", "600 ms"]);
    assert_eq!(
        plan.tsv().lines().next(),
        Some("trial\tstep\tblock\trepetition\ttempo\tdelay\tseed")
    );
}

#[test]
fn combinations_that_are_left_out_are_no_conditions() {
    let top = format!("{TWO}\n[[leave_out]]\ntempo = \"400 ms\"\ndelay = [\"70 ms\", \"200 ms\"]");
    let plan = plan(&study(&with_step(&top, "shuffle = \"none\"")), "1");
    assert_eq!(column(&plan, "delay"), ["0 ms", "0 ms", "70 ms", "200 ms"]);
}

#[test]
fn a_step_with_a_trial_of_its_own_runs_it_once_without_settings() {
    let plan = plan(&study(&with_step(TWO, "trial = \"practice.toml\"")), "1");
    assert_eq!(column(&plan, "tempo"), ["n/a"]);
    assert!(plan.steps[0].trials[0].settings.is_empty());
    assert_eq!(plan.steps[0].trials[0].file, "practice.toml");
}

#[test]
fn a_trial_of_its_own_runs_the_conditions_where_a_key_speaks_of_them() {
    for key in ["shuffle = \"none\"", "repetitions = 1\nshuffle = \"none\"", "order = \"latin\""] {
        let plan = plan(&study(&with_step(TWO, &format!("trial = \"practice.toml\"\n{key}"))), "1");
        assert_eq!(plan.trials().count(), 6, "{key}");
        assert_eq!(plan.steps[0].trials[0].settings.len(), 2, "{key}");
    }
    let only = "trial = \"practice.toml\"\nonly = { tempo = \"600 ms\", delay = \"0 ms\" }";
    assert_eq!(column(&plan(&study(&with_step(TWO, only)), "1"), "tempo"), ["600 ms"]);
}

#[test]
fn without_factors_there_is_one_condition() {
    let plan = plan(&study(&with_step("", "repetitions = 4")), "1");
    let repetitions: Vec<u32> = plan.trials().map(|(_, trial)| trial.repetition).collect();
    assert_eq!(repetitions, [1, 2, 3, 4]);
}

#[test]
fn a_table_gives_conditions_and_how_often_each_comes() {
    let top = "conditions = \"conditions.tsv\"\n[set]\npacing.metronome.interval = { factor = \"tempo\" }";
    let plan = plan(&study(&with_step(top, "repetitions = 2\nshuffle = \"none\"")), "1");
    let one = ["400 ms", "600 ms", "600 ms", "600 ms"];
    assert_eq!(column(&plan, "tempo"), [one, one].concat());
    assert_eq!(plan.factors, ["tempo", "load"]);
}

/// The levels of the factors of a table that a folder has as these bytes, or what is wrong with it.
fn in_a_folder(bytes: &[u8]) -> Result<Vec<(String, String)>, String> {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files() {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    std::fs::write(folder.path().join("conditions.tsv"), bytes).unwrap();
    let text = with_step("conditions = \"conditions.tsv\"", "shuffle = \"none\"");
    let study = Experiment::parse(&text, "study.toml", &Folder(folder.path().to_owned()))
        .map_err(|problems| problems.to_string())?;
    let plan = plan(&study, "1");
    assert_eq!(plan.factors, ["tempo", "load"]);
    Ok(column(&plan, "tempo").into_iter().zip(column(&plan, "load")).collect())
}

#[test]
fn a_table_is_read_as_a_spreadsheet_saves_it() {
    let due = Ok(vec![
        ("400 ms".to_owned(), "low, \"easy\"".to_owned()),
        ("600 ms".to_owned(), "h\u{f6}her".to_owned()),
    ]);
    let table = "tempo\tload\r\n400 ms\t\"low, \"\"easy\"\"\"\r\n600 ms\th\u{f6}her\r\n";
    let wide = table.replace("\r\n", "\t\t\r\n") + "\t\t\t\r\n";
    let marked = format!("\u{feff}{table}");
    for text in [table, &wide, &marked] {
        assert_eq!(in_a_folder(text.as_bytes()), due, "{text:?}");
    }
    let little: Vec<u8> = marked.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = marked.encode_utf16().flat_map(u16::to_be_bytes).collect();
    assert_eq!((in_a_folder(&little), in_a_folder(&big)), (due.clone(), due));
}

#[test]
fn a_table_that_cannot_be_read_is_told_with_its_cause() {
    let told = |bytes: &[u8]| in_a_folder(bytes).unwrap_err();
    let windows = told(b"tempo\tload\n400 ms\th\xf6her\n");
    assert!(windows.contains("byte 0xf6") && windows.contains("save it as UTF-8"), "{windows}");
    let workbook = told(b"PK\x03\x04\x14\0\x06\0");
    assert!(workbook.contains("this is a workbook"), "{workbook}");
    assert!(workbook.contains("save its sheet as tab-separated text"), "{workbook}");
    let nameless = told(b"tempo\tload\t\n400 ms\tlow\tx\n");
    assert!(nameless.contains("the row has 3 cells, but the table 2 columns"), "{nameless}");
}

#[test]
fn fixed_lists_are_assigned_in_turn() {
    let top = "participants = 4\nconditions = { one_of = [\"list-a.tsv\", \"list-b.tsv\"], assign = \"latin\" }";
    let study = study(&with_step(top, "shuffle = \"none\""));
    let firsts: Vec<String> =
        ["1", "2", "3", "4"].map(|label| column(&plan(&study, label), "tempo")[0].clone()).to_vec();
    assert_eq!(firsts, ["400 ms", "600 ms", "400 ms", "600 ms"]);
    assert_eq!(plan(&study, "2").conditions.as_deref(), Some("list-b.tsv"));
}

#[test]
fn what_is_set_is_in_the_plan_and_in_the_trial() {
    let study = study(&with_step(TWO, "shuffle = \"none\""));
    let plan = plan(&study, "1");
    let last = &plan.steps[0].trials[5];
    assert_eq!(last.settings[1].value, GivenValue::Toml("\"200 ms\"".to_owned()));
    let file = study.trial(last, &Default::default()).unwrap();
    assert!(
        file.source.contains("interval = \"600 ms\"") && file.source.contains("delay = \"200 ms\"")
    );
}

#[test]
fn a_steps_setting_is_stronger_than_that_of_the_whole_file() {
    let step = "shuffle = \"none\"\nset.feedback.tone.delay = \"5 ms\"";
    let study = study(&with_step(TWO, step));
    let text =
        study.trial_text(&plan(&study, "1").steps[0].trials[5], &Default::default()).unwrap();
    assert!(text.contains("delay = \"5 ms\""), "{text}");
}

#[test]
fn only_limits_a_step_to_a_level_and_others_skip_it() {
    let text = "participants = 8\ntrial = \"sync.toml\"\n[between]\nhand = [\"left\", \"right\"]\n\
                [[step]]\nonly = { hand = \"left\" }\nsay = \"left.md\"\n[[step]]\nname = \"main\"\n";
    let study = study(text);
    for label in ["1", "2", "3", "4"] {
        let plan = plan(&study, label);
        let left = plan.between[0].1 == "left";
        assert_eq!(plan.steps.len(), if left { 2 } else { 1 });
        assert_eq!(column(&plan, "hand"), [plan.between[0].1.clone()]);
    }
}

#[test]
fn conditions_that_cannot_be_are_told_with_place_and_cure() {
    for (top, step, said) in [
        (
            "[factor]\ntempo = [\"1 s\", \"1 s\"]",
            "shuffle = \"none\"",
            "study.toml:3: factor.tempo names the level \"1 s\" twice",
        ),
        (
            "[factor]\nload = [\"a\", \"b \"]",
            "shuffle = \"none\"",
            "study.toml:3: factor.load has a space at an end of \"b \"; write \"b\"",
        ),
        (
            &format!("{TWO}\n[[leave_out]]\ntempo = \"500 ms\""),
            "shuffle = \"none\"",
            "tempo has no level \"500 ms\"",
        ),
        (
            &format!("{TWO}\n[[leave_out]]\ntemo = \"400 ms\""),
            "shuffle = \"none\"",
            "did you mean \"tempo\"?",
        ),
        (
            "conditions = \"condition.tsv\"",
            "shuffle = \"none\"",
            "there is no such file; did you mean \"conditions.tsv\"?",
        ),
        (TWO, "", "does not say in which order its 6 conditions come"),
        (
            "[factor]\ntrial = [1, 2]",
            "shuffle = \"none\"",
            "trial is a factor and also a fixed column",
        ),
        ("[factor]\ntaps = [1, 2]", "shuffle = \"none\"", "taps is a factor and also"),
        (
            "[factor]\nbeat = [1, 2]",
            "shuffle = \"none\"",
            "give it another name, such as beat_level",
        ),
    ] {
        let found = mistakes(&with_step(top, step));
        assert!(found.contains(said), "{found}");
    }
}

/// Every name that would be a second column of some table, as a factor, a question and a field.
#[test]
fn a_name_that_a_table_has_a_column_of_is_refused_wherever_it_is_given() {
    let of_tables = [
        "seed",
        "k",
        "withdrawn",
        "attrition",
        "excluded",
        "answer",
        "flags", // plan, participants, trials
        "session",
        "task",
        "input",
        "tap",
        "event_id",
        "onset_ns",
        "stretch",
        "interval_ns",
        "fate",
        "against",
        "beat",
        "asynchrony_ns",
        "tap_left_out", // taps
        "used",
        "alpha",
        "resultant",
        "resultant_low",
        "interval_doubts", // trials of an analysis
        "trials",
        "taps_n",
        "taps_sd",
        "pooled_alpha_high",
        "no_alpha", // conditions
        "mean_asynchrony_ms",
        "taps_of_left",
        "hit_rate_of_a_against_b", // statistics
    ];
    let step = "[[step]]\nname = \"main\"\ntrial = \"sync.toml\"\n";
    for name in of_tables {
        let given = [
            format!("[factor]\n{name} = [1]\n{step}shuffle = \"none\"\n"),
            format!("[question.{name}]\ntext = \"Well?\"\n{step}ask = \"{name}\"\n"),
            format!("[participant]\n{name} = {{ question = \"Well?\" }}\n{step}"),
        ];
        for text in given {
            let found = mistakes(&text);
            assert!(found.contains("both would be one column; give it another name"), "{found}");
            assert!(found.starts_with("study.toml:"), "{found}");
        }
    }
    for name in ["tempo", "condition", "metre", "beats_heard"] {
        crate::kit::study(&format!("[factor]\n{name} = [1]\n{step}shuffle = \"none\"\n"));
    }
}

/// Files with which a study was recorded.
struct Recorded;

impl Files for Recorded {
    fn read(&self, name: &str) -> std::io::Result<String> {
        files().read(name)
    }

    fn were_recorded(&self) -> bool {
        true
    }
}

/// A study that was recorded before the tables of an analysis had these columns can still be read.
#[test]
fn a_recorded_study_keeps_a_name_that_newer_tables_have_a_column_of() {
    let text = |name: &str| with_step(&format!("[factor]\n{name} = [1]"), "shuffle = \"none\"");
    let read = |name: &str| Experiment::parse(&text(name), "study.toml", &Recorded);
    assert_eq!(read("beat").unwrap().factors[0].name, "beat");
    assert!(Experiment::parse(&text("beat"), "study.toml", &files()).is_err());
    assert!(read("seed").is_err(), "it never was a name");
}

/// The files of a study that was recorded, with a level that is refused today.
struct HadNone(Vec<(String, String)>);

impl Files for HadNone {
    fn read(&self, name: &str) -> Result<String, std::io::Error> {
        self.0.read(name)
    }

    fn were_recorded(&self) -> bool {
        true
    }
}

#[test]
fn a_level_that_tables_cannot_tell_from_none_is_refused_wherever_it_stands() {
    let table = ("none.tsv".to_owned(), "load\tsound\nlow\tclick\nhigh\tn/a\n".to_owned());
    let files = [files(), vec![table]].concat();
    let within = with_step("[factor]\nsound = [\"click\", \"n/a\"]", "shuffle = \"none\"");
    let between = with_step("[between]\nsound = [\"click\", \"n/a\"]", "");
    let chosen =
        with_step("[between]\nsound = { levels = [\"click\", \"n/a\"], chosen = true }", "");
    let follows = |level: &str| {
        let top = format!(
            "[between]\nsound = {{ {level} = \"years >= 6\", low = \"otherwise\" }}\n\
             [participant]\nyears = {{ question = \"Years?\", number = [0, 60] }}"
        );
        with_step(&top, "")
    };
    let conditions = with_step("conditions = \"none.tsv\"", "shuffle = \"none\"");
    for text in [&within, &between, &chosen, &follows("\"n/a\""), &conditions] {
        let found = Experiment::parse(text, "study.toml", &files).unwrap_err().to_string();
        assert!(
            found.contains("\"n/a\", which in tables is that of trials without one"),
            "{found}"
        );
        let recorded = HadNone(files.clone());
        Experiment::parse(text, "study.toml", &recorded).unwrap();
    }
    for level in ["\"\"", "\"a\\tb\"", "\"a\\nb\""] {
        let found = mistakes(&follows(level));
        assert!(found.contains("without tabs and line ends"), "{level}: {found}");
    }
    study(&follows("\"N/A\""));
}

/// What is told of a study of two settings with these bytes as its table.
fn told_of(table: &[u8]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files() {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    std::fs::write(folder.path().join("conditions.tsv"), table).unwrap();
    let top = "conditions = \"conditions.tsv\"\n[set]\n\
               pacing.metronome.interval = { factor = \"tempo\" }\nfeedback.tone.delay = { factor = \"delay\" }";
    let step = "shuffle = \"none\"\nonly = { delay = \"70 ms\" }";
    let beside = Folder(folder.path().to_owned());
    let told = match Experiment::parse(&with_step(top, step), "study.toml", &beside) {
        Ok(study) => study.warnings,
        Err(problems) => problems.all().iter().map(ToString::to_string).collect(),
    };
    let place = format!("{}/", folder.path().display());
    told.iter().map(|one| one.replace(&place, "")).collect()
}

#[test]
fn a_condition_that_stands_in_two_rows_is_doubted_with_both_lines() {
    let twice = told_of(b"tempo\tdelay\n400 ms\t0 ms\n400 ms\t70 ms\n400 ms\t0 ms\n");
    let [told] = twice.as_slice() else { panic!("{twice:?}") };
    let due = "conditions.tsv:4: the condition 400 ms, 0 ms stands already in line 2, so it comes as \
               often as both rows say together; delete one row";
    assert!(told.starts_with(due), "{told}");
    let weighted = told_of(b"tempo\tdelay\tweight\n400 ms\t0 ms\t2\n400 ms\t70 ms\t1\n");
    assert!(weighted.is_empty(), "{weighted:?}");
    let all = told_of(["tempo\tdelay\n", &"400 ms\t70 ms\n".repeat(9)].concat().as_bytes());
    assert_eq!(
        (all.len(), all[5].as_str()),
        (6, "conditions.tsv:8: so do 3 more rows, from this line on")
    );
}

#[test]
fn one_mistake_in_a_table_is_told_once_at_its_place() {
    for (table, due) in [
        (
            "tempo\tdelay\tWeight\n400 ms\t70 ms\t1\n",
            "1: there is no column \"Weight\"; did you mean \"weight\"?",
        ),
        (
            "tempo\tdelay\tweigth\n400 ms\t70 ms\t1\n",
            "1: there is no column \"weigth\"; did you mean \"weight\"?",
        ),
        (
            "Tempo\tdelay\n400 ms\t70 ms\n",
            "1: nothing in the study names the column \"Tempo\"; did you mean \"tempo\"?",
        ),
        (
            "my tempo\tdelay\n400 ms\t70 ms\n",
            "1: \"my tempo\" cannot be a name; use up to 40 letters, digits, _ and -",
        ),
        (
            "tempo;delay\n400 ms;70 ms\n",
            "1: the columns are not separated by tabs; save the table as tab-separated values",
        ),
        (
            "\n",
            "1: the table is empty; name the columns in the first line, and write a row for each \
             condition",
        ),
        (
            "# by hand\n\ntempo\tdelay\n400 ms\t70 ms\n",
            "1: the line begins with #, and a table has no remarks; delete the line",
        ),
        (
            "tempo\tdelay\n# 400 ms\t0 ms\n400 ms\t70 ms\n",
            "2: the line begins with #, and a table has no remarks; delete the line",
        ),
        (
            "tempo\tdelay\n400 ms\n",
            "2: the row has 1 cells, but the table 2 columns; write one cell for each column, \
             separated by tabs",
        ),
        (
            "tempo\tdelay\n400 ms\tn/a\n600 ms\t70 ms\n",
            "2: delay has the level \"n/a\", which in tables is that of trials without one; name it \
             otherwise, such as \"without\"",
        ),
        (
            "tempo\tdelay\n400 ms\t0 ms\n600\t70 ms\n600\t70 ms\n",
            "3: column tempo: set.pacing.metronome.interval: pacing.metronome.interval = 600 has no \
             unit (sync.toml, with tempo = 600, delay = 70 ms); a time is a string with its unit: \
             write \"600 ms\" or \"600 s\"",
        ),
    ] {
        assert_eq!(told_of(table.as_bytes()), [format!("conditions.tsv:{due}")], "{table:?}");
    }
    let height = told_of(b"tempo\tdelay\theight\n400 ms\t70 ms\t1\n");
    assert!(height.is_empty(), "a factor may be called so: {height:?}");
}

#[test]
fn a_mistake_of_a_cell_has_its_column() {
    let text = with_step(
        "conditions = \"slip.tsv\"\n[set]\nfeedback.tone.delay = { factor = \"delay\" }",
        "shuffle = \"none\"",
    );
    let table = ("slip.tsv".to_owned(), "load\tdelay\nlow\t0 ms\nhigh\t70 msx\n".to_owned());
    let files = [files(), vec![table]].concat();
    let problems = Experiment::parse(&text, "study.toml", &files).unwrap_err();
    let places: Vec<(&str, usize, usize)> =
        problems.all().iter().map(|one| (one.file.as_str(), one.line, one.column)).collect();
    assert_eq!(places, [("slip.tsv", 3, 6)], "{problems}");
}

#[test]
fn a_text_that_is_none_is_told_with_what_it_is() {
    let told = |bytes: &[u8]| {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files() {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        std::fs::write(folder.path().join("welcome.md"), bytes).unwrap();
        let text = "[[step]]\nsay = \"welcome.md\"\n";
        let beside = Folder(folder.path().to_owned());
        Experiment::parse(text, "study.toml", &beside).map(drop).map_err(|all| all.to_string())
    };
    for (bytes, due) in [
        (&b"{\\rtf1\\ansi Welcome}"[..], "a text with fonts (RTF), not text in UTF-8"),
        (b"\xff\xfeW\0e\0", "text in UTF-16, not text in UTF-8"),
        (b"W\0e\0l\0", "text in UTF-16, not text in UTF-8"),
        (b"PK\x03\x04\x14\0 word/document.xml", "a document of a word processor (DOCX, ODT), not"),
        (
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
            "a workbook or document of old Office (XLS, DOC), not",
        ),
        (b"<!DOCTYPE html><p>Welcome", "a page of the web (HTML), not text in UTF-8"),
    ] {
        let said = told(bytes).unwrap_err();
        assert!(said.contains(&format!("this is {due}")), "{said}");
        assert!(said.ends_with("; save it as text in UTF-8"), "{said}");
    }
    let empty = told(b" \n").unwrap_err();
    assert!(empty.contains("is empty; write what participants are to read into it"), "{empty}");
    told(b"Welcome").unwrap();
}

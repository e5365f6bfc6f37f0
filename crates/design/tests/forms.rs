//! Every other form of experiment files, each for itself, as the manual shows them.

use crate::kit::{column, mistakes, plan, plan_in, study, with_step};
use chronotap_config::trial_files::Further;
use chronotap_core::time::Nanos;
use chronotap_design::Files;
use chronotap_design::question::{ChoiceForm, TextForm};
use chronotap_design::{
    AnswersFrom, Quest, StaircaseRule, StaircaseStop, Supplied, TrialError, UpDown,
};
use chronotap_design::{Criterion, Doing, Ends, Every, Experiment, Go, Trials};

fn trials<'e>(experiment: &'e Experiment, step: &str) -> &'e Trials {
    let step = experiment.steps.iter().find(|of| of.name == step).expect("a step");
    match &step.doing {
        Doing::Trials(trials) => trials,
        other => panic!("{other:?}"),
    }
}

const TEMPO: &str = "[[step]]\nname = \"own_tempo\"\ntrial = \"spontaneous.toml\"\n\
                     keep = { tempo = \"median interval\" }\n\n";

/// Tables of beats beside a trial, whatever their names.
struct Songs;

impl Files for Songs {
    fn read(&self, _name: &str) -> std::io::Result<String> {
        let own = "[file.\"a.tsv\"]\nbeats = [\"500 ms\"]\n";
        let end = "[[when]]\ntime = \"9 s\"\nend = true\n";
        Ok(format!("[pacing.song]\nbeats_from = \"a.tsv\"\n{end}{own}"))
    }

    fn with_further(&self, _name: &str, text: &str, further: &Further) -> String {
        let beats = |name: &String| format!("[file.\"{name}\"]\nbeats = [\"700 ms\"]\n");
        let new = further.beats.iter().filter(|name| *name != "a.tsv");
        text.to_owned() + &new.map(beats).collect::<String>()
    }
}

#[test]
fn a_factor_names_the_music_and_each_trial_holds_its_own_alone() {
    let text = "trial = \"t.toml\"\n[factor]\nsong = [\"a.tsv\", \"b.tsv\", \"c.tsv\"]\n\
                [set]\npacing.song.beats_from = { factor = \"song\" }\n\
                [[step]]\nname = \"main\"\nshuffle = \"none\"\n";
    let study = Experiment::parse(text, "study.toml", &Songs).unwrap();
    let plan = plan(&study, "1");
    let held = plan.steps[0].trials.iter().map(|trial| {
        let text = study.trial_text(trial, &Supplied::default()).unwrap();
        study.trial(trial, &Supplied::default()).unwrap();
        ["a.tsv", "b.tsv", "c.tsv"].map(|name| text.contains(&format!("[file.\"{name}\"]")))
    });
    let each = [[true, false, false], [false, true, false], [false, false, true]];
    assert_eq!(held.collect::<Vec<_>>(), each);
}

#[test]
fn a_result_of_one_step_sets_the_tempo_of_another() {
    let slower = "[[step]]\nname = \"slower\"\ntrial = \"sync.toml\"\n\
                  set.pacing.metronome.interval = { result = \"own_tempo.tempo\", times = 1.2, \
                  within = [\"300 ms\", \"1.5 s\"] }\n";
    let study = study(&format!("{TEMPO}{slower}"));
    let plan = plan(&study, "1");
    let trial = &plan.steps[1].trials[0];
    let with = |ns: f64| {
        let results = [("own_tempo".to_owned(), "tempo".to_owned(), ns)];
        study.trial_text(trial, &Supplied { results: &results, levels: &[] })
    };
    assert!(with(512_345_678.0).unwrap().contains("interval = \"614.814814 ms\""));
    assert!(matches!(with(2e9), Err(TrialError::Outside { .. })));
    let missing = study.trial_text(trial, &Supplied::default());
    assert!(matches!(missing, Err(TrialError::Missing { .. })));
}

#[test]
fn a_result_may_be_multiplied_by_a_factor() {
    let ratio = "[factor]\nratio = [0.8, 1.2]\n";
    let step = "[[step]]\nname = \"main\"\ntrial = \"sync.toml\"\nshuffle = \"none\"\n\
                set.pacing.metronome.interval = { result = \"own_tempo.tempo\", times = { factor = \"ratio\" } }\n";
    let study = study(&format!("{ratio}{TEMPO}{step}"));
    let plan = plan(&study, "1");
    assert_eq!(column(&plan, "ratio"), ["n/a", "0.8", "1.2"]);
    let results = [("own_tempo".to_owned(), "tempo".to_owned(), 5e8)];
    let known = Supplied { results: &results, levels: &[] };
    assert!(study.trial_text(&plan.steps[1].trials[1], &known).unwrap().contains("600 ms"));
}

/// What is called otherwise elsewhere, and a factor that could not be read, which is told once.
#[test]
fn a_slip_of_a_study_is_told_once_with_what_was_meant() {
    let study = |factor: &str, step: &str| {
        format!(
            "trial = \"sync.toml\"\n[factor]\n{factor}\n[set]\nfeedback.tone.delay = {{ factor = \"delay\" }}\n\
             [outcome]\nof = \"mean asynchrony\"\nover = \"delay\"\n[[step]]\nname = \"main\"\n{step}\n"
        )
    };
    let (factor, step) = ("delay = [\"0 ms\", \"50 ms\"]", "shuffle = \"all\"");
    let right = study(factor, step);
    let cases = [
        (study("delay = \"0 ms, 50 ms\"", step), "is one level, not a list of levels"),
        (study("delay = { from = \"0 ms\" }", step), "must be a list of levels"),
        (right.replace("[factor]", "[factors]"), "did you mean \"factor\"?"),
        (
            study(factor, "order = \"random\"\napart = { delay = 2 }"),
            "write shuffle = \"each repetition\"",
        ),
        (right.replace("mean asynchrony", "asynchrony"), "did you mean \"mean asynchrony\"?"),
        (
            study(factor, "shuffle = \"all\"\n[[step]]\nshow = \"welcome.md\""),
            "did you mean \"say\"?",
        ),
        (
            study(factor, "shuffle = \"all\"\nbreak = { every = 8, for = \"1 min\" }"),
            "did you mean \"rest\"?",
        ),
        (format!("N = 16\n{right}"), "did you mean \"participants\"?"),
        (format!("participant = 16\n{right}"), "did you mean \"participants\"?"),
    ];
    for (text, told) in cases {
        let found = mistakes(&text);
        assert!(found.contains(told) && found.lines().count() == 1, "{told:?}:\n{found}");
    }
}

#[test]
fn a_result_that_no_earlier_step_keeps_is_a_mistake() {
    let step = "[[step]]\nname = \"main\"\ntrial = \"sync.toml\"\n\
                set.pacing.metronome.interval = { result = \"own_tempo.temp\" }\n";
    let found = mistakes(&format!("{TEMPO}{step}"));
    assert!(found.contains("did you mean \"own_tempo.tempo\"?"), "{found}");
    assert!(found.starts_with("study.toml:9:"), "{found}");
}

const STAIRCASE: &str = "[staircase.late]\nset = \"pacing.metronome.change.probe.onset_shift\"\n\
    start = \"60 ms\"\nrule = \"2 down 1 up\"\nstep = [\"16 ms\", \"8 ms\", \"4 ms\"]\n\
    between = [\"1 ms\", \"200 ms\"]\nstop = \"8 reversals\"\nat_most = 80\ncorrect = \"note C4\"\nnone = \"repeat\"\n";

#[test]
fn staircases_take_turns_in_a_step_of_open_length() {
    let early = STAIRCASE.replace("late", "early");
    let step = "[[step]]\nname = \"threshold\"\ntrial = \"detect.toml\"\n\
                staircases = [\"late\", \"early\"]\ninterleave = \"random\"\n";
    let study = study(&format!("{STAIRCASE}{early}{step}"));
    let late = &study.staircases[0];
    let sizes = vec![16e6, 8e6, 4e6];
    let by = UpDown { down: 2, up: 1, sizes, factors: false, weight: 1.0 };
    assert_eq!((&late.rule, late.start, late.timed), (&StaircaseRule::UpDown(by), 60e6, true));
    assert_eq!(late.stop, StaircaseStop::Reversals(8));
    let plan = plan(&study, "1");
    assert!(plan.steps[0].open);
    let level = [(late.path.clone(), late.toml(48e6))];
    let known = Supplied { results: &[], levels: &level };
    let text = study.trial_text(&plan.steps[0].trials[0], &known).unwrap();
    assert!(text.contains("onset_shift = \"48 ms\""), "{text}");
}

/// The same staircase with another rule.
fn bayesian(keys: &str) -> String {
    let rule = "rule = \"2 down 1 up\"\nstep = [\"16 ms\", \"8 ms\", \"4 ms\"]\n";
    let step = "[[step]]\nname = \"t\"\ntrial = \"detect.toml\"\nstaircases = \"late\"\n";
    let quest = STAIRCASE.replace(rule, &format!("rule = \"quest\"\n{keys}"));
    format!("{quest}{step}").replace("8 reversals", "sd < 5 ms")
}

#[test]
fn a_staircase_may_be_bayesian() {
    let study = study(&bayesian("width = \"40 ms\"\nguess = 0.5\nprior_sd = \"30 ms\"\n"));
    let quest = Quest { width: 40e6, guess: 0.5, lapse: 0.02, prior_sd: Some(30e6) };
    assert_eq!(study.staircases[0].rule, StaircaseRule::Quest(quest));
    assert_eq!(study.staircases[0].stop, StaircaseStop::Sd(5e6));
}

#[test]
fn what_does_not_belong_to_a_bayesian_staircase_is_a_mistake() {
    let wrong = "width = 40\nstep = \"4 ms\"\nguess = 2\n";
    let found = mistakes(&bayesian(wrong));
    for said in [
        "has step, which belongs to rule = \"2 down 1 up\"",
        "guess must be a number from 0 to 0.95",
    ] {
        assert!(found.contains(said), "{said}: {found}");
    }
    let found = mistakes(&bayesian("width = 40\nguess = 0.5\n"));
    assert!(found.contains("mixes times and plain numbers"), "{found}");
    let found = mistakes(&bayesian("guess = 0.5\n"));
    assert!(found.contains("lacks width"), "{found}");
    let reversals =
        bayesian("width = \"40 ms\"\nguess = 0.5\n").replace("sd < 5 ms", "9 reversals");
    let found = mistakes(&reversals);
    assert!(found.contains("has no reversals"), "{found}");
}

#[test]
fn steps_may_be_factors() {
    let step = "[[step]]\nname = \"t\"\ntrial = \"detect.toml\"\nstaircases = \"late\"\n";
    let sizes = r#"step = ["16 ms", "8 ms", "4 ms"]"#;
    let with = |to: &str| format!("{}{step}", STAIRCASE.replace(sizes, to));
    let by = UpDown { down: 2, up: 1, sizes: vec![2.0, 1.5], factors: true, weight: 1.0 };
    let study = study(&with(r#"step = ["x 2", "x 1.5"]"#));
    assert_eq!(study.staircases[0].rule, StaircaseRule::UpDown(by));
    for (wrong, said) in [
        (r#"step = ["x 2", "4 ms"]"#, "mixes sizes and factors"),
        (r#"step = "x 1""#, "a factor from 1.001 to 100"),
        (r#"step = "x two""#, "a factor from 1.001 to 100"),
    ] {
        let found = mistakes(&with(wrong));
        assert!(found.contains(said), "{found}");
    }
    let found = mistakes(&with(r#"step = "x 2""#).replace("1 ms\", \"200", "0 ms\", \"200"));
    assert!(found.contains("has factors, which never reach 0"), "{found}");
}

#[test]
fn an_answer_begins_after_a_stream_or_at_a_time() {
    let trial = "[input.keys]\n[pacing.first]\ninterval = \"600 ms\"\nbeats = 2\n\
                 [pacing.second]\ninterval = \"600 ms\"\nbeats = 2\nstart = \"3 s\"\n\
                 [pacing.click]\ninterval = \"600 ms\"\n\
                 [[pacing.second.change]]\nname = \"probe\"\nat = 2\nonset_shift = \"0 ms\"\n\
                 [[when]]\ntime = \"9 s\"\nend = true\n";
    let files = vec![("two.toml".to_owned(), trial.to_owned())];
    let step = "[[step]]\nname = \"t\"\ntrial = \"two.toml\"\nstaircases = \"late\"\n";
    let staircase = STAIRCASE.replace("metronome", "second");
    let read = |answer: &str| {
        Experiment::parse(&format!("{staircase}{answer}\n{step}"), "study.toml", &files)
            .map(|study| study.staircases[0].answer.clone())
            .map_err(|problems| problems.to_string())
    };
    assert_eq!(read(""), Ok(AnswersFrom::LastTone));
    assert_eq!(read("answer = { from = \"4.2 s\" }"), Ok(AnswersFrom::Time(Nanos(4_200_000_000))));
    let (stream, delay) = ("second".to_owned(), Nanos(200_000_000));
    let after = AnswersFrom::After { stream, delay, line: 11 };
    assert_eq!(read("answer = { after = \"second\", delay = \"200 ms\" }"), Ok(after));
    for (wrong, said) in [
        ("{ after = \"secnd\" }", "did you mean \"second\"?"),
        ("{ after = \"secnd\" }", "study.toml:11"),
        ("{ after = \"click\" }", "waits for the last tone of click, which is endless"),
        ("{ after = \"second\", from = \"4 s\" }", "gives both after and from"),
        ("{ from = \"4 s\", delay = \"1 s\" }", "has delay, which belongs to after"),
        ("{ delay = \"1 s\" }", "lacks one of after, from"),
    ] {
        let found = read(&format!("answer = {wrong}")).unwrap_err();
        assert!(found.contains(said), "{said}: {found}");
        assert_eq!(
            found.matches("secnd").count().min(1),
            found.matches("secnd").count(),
            "{found}"
        );
    }
}

#[test]
fn a_staircase_of_a_key_that_is_not_there_is_a_mistake() {
    let step = "[[step]]\nname = \"t\"\ntrial = \"detect.toml\"\nstaircases = \"late\"\n";
    let found = mistakes(&format!("{}{step}", STAIRCASE.replace("probe", "prob")));
    assert!(found.contains("did you mean \"probe\"?"), "{found}");
    let found = mistakes(&format!("{}{step}", STAIRCASE.replace("200 ms", "900 ms")));
    assert!(found.contains("onset_shift of 900 ms is as long as the interval"), "{found}");
}

#[test]
fn sessions_have_steps_of_their_own() {
    let text = "sessions = 3\ntrial = \"sync.toml\"\n[[step]]\nsession = 1\nsay = \"welcome.md\"\n\
                [[step]]\nname = \"a\"\nsession = [1, 3]\n[[step]]\nname = \"b\"\n";
    let study = study(text);
    let names = |session| -> Vec<String> {
        plan_in(&study, "1", session).steps.iter().map(|step| step.name.clone()).collect()
    };
    assert_eq!([names(1).len(), names(2).len(), names(3).len()], [3, 1, 2]);
    assert_eq!(names(3), ["a", "b"]);
}

#[test]
fn members_have_fields_of_their_own() {
    let text = "members = [\"left\", \"right\"]\ntrial = \"pair.toml\"\n\
                [participant]\nage = { question = \"Age in years\", number = [18, 99] }\n\
                [[step]]\nname = \"main\"\nkeep = { tempo = \"median interval of left\" }\n";
    let study = study(text);
    let names: Vec<&str> = study.fields.iter().map(|field| field.name.as_str()).collect();
    assert_eq!(names, ["age.left", "age.right"]);
    let found = mistakes(&text.replace(" of left", ""));
    assert!(found.contains("write \"median interval of left\""), "{found}");
    let found = mistakes(&text.replace("pair.toml", "sync.toml").replace(" of left", ""));
    assert!(found.contains("no trial file has an input \"left\""), "{found}");
}

#[test]
fn practice_has_a_criterion_of_hits_or_of_statistics() {
    let hits =
        "trial = \"practice.toml\"\nuntil = { hits = 8, of = 10, within = \"80 ms\" }\nat_most = 5";
    let study = study(&with_step("", hits));
    let practice = trials(&study, "main").practice.clone().unwrap();
    assert!(matches!(practice.until, Criterion::Hits { hits: 8, of: 10, .. }));
    assert!(plan(&study, "1").steps[0].open);
    let all =
        "trial = \"practice.toml\"\nuntil = { if_all = [\"sd asynchrony < 40 ms\"] }\nat_most = 5";
    assert!(crate::kit::study(&with_step("", all)).steps.len() == 1);
    let found = mistakes(&with_step("", &hits.replace("at_most = 5", "shuffle = \"all\"")));
    assert!(found.contains("lacks at_most") && found.contains("does not go with until"), "{found}");
}

/// Three messages of which none said how to practise with each hand.
#[test]
fn whoever_practises_each_level_is_told_how() {
    let top = "[factor]\nhand = [\"left\", \"right\"]\ntempo = [\"400 ms\", \"600 ms\"]\n";
    let until = "until = { hits = 8, of = 10, within = \"80 ms\" }\nat_most = 5\n";
    let told = |step: &str| mistakes(&with_step(top, &format!("{until}{step}")));
    let found = told("block = { by = \"hand\", order = \"file\" }");
    assert!(found.contains("make a step for each level of hand with only in its place"), "{found}");
    let found = told("only = { hand = \"left\" }");
    let cure = "let only leave one condition, as in only = { hand = \"left\", tempo = \"400 ms\" }";
    assert!(found.contains("practised again and again, and not 2 conditions"), "{found}");
    assert!(found.contains(cure), "{found}");
    study(&with_step(top, &format!("{until}only = {{ hand = \"left\", tempo = \"400 ms\" }}")));
    let found = told("text = \"Now {hand}.\"");
    assert!(found.contains("the level of hand varies where {hand} is shown"), "{found}");
    assert!(found.contains("as in block = { by = \"hand\", "), "{found}");
    assert!(found.contains("as in only = { hand = \"left\" }"), "{found}");
    let before = "[[step]]\ntext = \"With the {hand} hand.\"\n";
    let found = mistakes(&with_step(&format!("{top}{before}"), "shuffle = \"all\""));
    assert!(
        found.contains("of the step with trials, as in block") && !found.contains("only ="),
        "{found}"
    );
}

#[test]
fn questions_are_scales_choices_numbers_or_text() {
    let text = "[question.effort]\ntext = \"How hard?\"\nscale = [1, 7]\nlabels = [\"easy\", \"hard\"]\n\
                [question.why]\ntext = \"Why?\"\n[[step]]\nask = [\"effort\", \"why\"]\n";
    let study = study(text);
    let scale = &study.questions[0].answer;
    assert_eq!(scale.accept(" 7 "), Ok("7".to_owned()));
    assert_eq!(scale.accept("8"), Err("a whole number from 1 (easy) to 7 (hard)".to_owned()));
    assert_eq!(study.questions[1].answer, TextForm.into());
    assert_eq!(study.steps[0].doing, Doing::Ask(vec!["effort".to_owned(), "why".to_owned()]));
    let found = mistakes(&text.replace("ask = [\"effort\"", "ask = [\"efort\""));
    assert!(found.contains("did you mean \"effort\"?"), "{found}");
}

#[test]
fn a_choice_is_answered_as_it_is_typed_whatever_spaces_the_file_has_around_it() {
    let text = "[question.hand]\ntext = \"Which?\"\nchoice = [\"left \", \" both hands\", \"right\"]\n\
                [[step]]\nask = \"hand\"\n";
    let answer = &study(text).questions[0].answer;
    for (typed, recorded) in [("left", "left"), (" left ", "left"), ("both hands", "both hands")] {
        assert_eq!(answer.accept(typed), Ok(recorded.to_owned()));
    }
    let ChoiceForm(choices) = answer.form().unwrap();
    assert!(choices.iter().all(|choice| answer.accept(choice).as_ref() == Ok(choice)));
    let found = mistakes(&text.replace("\"right\"", "\"left\""));
    assert!(found.contains("names a choice twice"), "{found}");
    let found = mistakes(&text.replace("[\"left \", \" both hands\", \"right\"]", "[]"));
    assert!(found.contains("is an empty list"), "{found}");
}

#[test]
fn the_unit_that_is_asked_for_makes_a_time_that_the_field_allows() {
    let practice = "practice.toml\"\nuntil = { hits = 8, of = 10, within =";
    let cure = |step: &str| {
        let found = mistakes(&with_step("", step));
        found.split("write ").last().unwrap_or_default().to_owned()
    };
    let within = |time: &str| cure(&format!("trial = \"{practice} {time} }}\nat_most = 5"));
    assert_eq!(within("80"), "\"80 ms\"");
    assert_eq!(within("\"80\""), "\"80 ms\"");
    assert_eq!(within("2.5"), "\"2.5 ms\" or \"2.5 s\"");
    assert_eq!(within("-80"), "a time, above 0, up to 10 s");
    let rest = |time: &str| cure(&format!("repetitions = 2\nrest = {{ every = 1, for = {time} }}"));
    assert_eq!(rest("30"), "\"30 ms\" or \"30 s\"");
    assert_eq!(rest("-30"), "a time, 0 s to 24 h");
    let redo = "redo = { if_any = [\"mean asynchrony > 100000\"], at_most = 2 }";
    assert_eq!(cure(&format!("repetitions = 2\n{redo}")), "\"100000 ms\"");
}

#[test]
fn rests_and_starts_of_trials_are_as_written() {
    let step = "repetitions = 20\ngo = \"tap\"\ngap = \"2 s\"\nrest = { every = 9, for = \"30 s\" }\n\
                redo = { if_any = [\"timing failed\", \"taps < 30\", \"mean asynchrony > -5 ms\"], at_most = 2, place = \"block end\" }";
    let whole = study(&with_step("", step));
    let of = trials(&whole, "main");
    let rest = of.rest.unwrap();
    assert_eq!(
        (rest.every, rest.go, rest.length.0),
        (Some(Every::Trials(9)), Go::Key, 30_000_000_000),
        "the reference: \"key\" unless the rest itself says otherwise"
    );
    let ended_by = |rest: &str| {
        let step = step.replace("for = \"30 s\"", &format!("for = \"30 s\", {rest}"));
        trials(&study(&with_step("", &step)), "main").rest.unwrap().go
    };
    assert_eq!(ended_by("go = \"at once\""), Go::AtOnce);
    assert_eq!(ended_by("go = \"experimenter\""), Go::Experimenter);
    assert_eq!(of.redo.as_ref().unwrap().if_any.len(), 3);
    let found = mistakes(&with_step("", &step.replace("taps < 30", "taps")));
    assert!(found.contains("\"taps\" is no comparison"), "{found}");
    let found = mistakes(&with_step("", &step.replace("-5 ms", "-5")));
    assert!(found.contains("has no unit"), "{found}");
    let found = mistakes(&with_step("", &step.replace("mean asynchrony", "mean asynchony")));
    assert!(found.contains("did you mean \"mean asynchrony\"?"), "{found}");
}

#[test]
fn a_text_names_factors_and_unknown_ones_are_mistakes() {
    let top = "[between]\nhand = [\"left\", \"right\"]";
    let text = |name: &str| {
        format!("{}[[step]]\ntext = \"Use the {{{name}}} hand.\"\n", with_step(top, ""))
    };
    let study = study(&text("hand"));
    let plan = plan(&study, "1");
    assert_eq!(plan.steps[1].say, Some(format!("Use the {} hand.", plan.between[0].1)));
    assert!(mistakes(&text("hnad")).contains("did you mean \"hand\"?"));
}

#[test]
fn all_mistakes_are_told_at_once_each_with_its_line() {
    let text = "titel = \"x\"\ntask = \"my task\"\nparticipants = 0\ntrial = \"synk.toml\"\n\
                [factor]\ntempo = [\"400 ms\"]\n[set]\npacing.metronom.interval = { factor = \"temp\" }\n\
                [[step]]\nname = \"main\"\nrepetition = 2\nrest = { for = \"30 s\" }\nsession = 2\n";
    let found = mistakes(text);
    for said in [
        "study.toml:1: unknown key \"titel\" at the top of the file; did you mean \"title\"?",
        "study.toml:2: task must be letters and digits alone",
        "study.toml:3: participants must be a whole number, 1 to 100000, not 0",
        "study.toml:4: trial names synk.toml, and there is no such file; did you mean \"sync.toml\"?",
        "study.toml:8: set.pacing.metronom.interval.factor: there is no factor \"temp\"",
        "study.toml:11: unknown key \"repetition\" in step main; did you mean \"repetitions\"?",
        "study.toml:12: step main.rest lacks every",
        "study.toml:13: step main.session must be a whole number, 1 to 1",
    ] {
        assert!(found.contains(said), "{said}\nin\n{found}");
    }
}

#[test]
fn a_value_that_the_trial_file_refuses_names_condition_key_file_and_line() {
    let top = "[factor]\ntempo = [\"400 ms\", \"0 ms\"]\n[set]\npacing.metronome.interval = { factor = \"tempo\" }";
    let found = mistakes(&with_step(top, "shuffle = \"all\""));
    assert!(found.starts_with("study.toml:3: set.pacing.metronome.interval:"), "{found}");
    assert!(found.contains("(sync.toml, with tempo = 0 ms)"), "{found}");
    let top = "[set]\npacing.metronom.interval = \"1 s\"\nfeedback.tone.dealy = \"1 s\"";
    let found = mistakes(&with_step(top, ""));
    assert!(
        found.contains("study.toml:3: set.pacing.metronom.interval: the trial file has no"),
        "{found}"
    );
    let top = "[set]\nfeedback.tone.dealy = \"1 s\"";
    let found = mistakes(&with_step(top, ""));
    assert!(found.contains("study.toml:3: set.feedback.tone.dealy: unknown key"), "{found}");
    assert!(found.contains("did you mean \"delay\"?"), "{found}");
}

#[test]
fn what_is_said_when_a_study_is_run_is_told_with_its_option() {
    for (line, option) in [("input = \"Drum Pad\"", "--in PORT"), ("data = \"d\"", "--data FOLDER")]
    {
        let found = mistakes(&with_step(line, ""));
        let said = format!("; say it when the study is run, with {option}");
        assert!(found.contains(&said), "{found}");
    }
}

#[test]
fn a_heading_of_the_trial_file_that_lacks_kind_or_name_is_told_where_a_study_sets_it() {
    let study = with_step("[set]\npacing.metronome.beats = 9", "");
    for written in ["pacing", "metronome"] {
        let trial = format!("[{written}]\ninterval = \"500 ms\"\n");
        let files = vec![("sync.toml".to_owned(), trial)];
        let found = Experiment::parse(&study, "study.toml", &files).unwrap_err().to_string();
        let cure = format!("write [pacing.metronome] there in place of [{written}]");
        assert!(found.contains(&cure), "{cure}\nin\n{found}");
    }
}

#[test]
fn a_value_in_a_simpler_form_is_told_with_the_form_that_it_has() {
    let question = "[[question]]\ntext = \"?\"\nscale = [1, 7]";
    let until = "until = \"sd asynchrony < 40 ms\"\nat_most = 3";
    let group = "[between]\ngroup = { old = \"age > 60 and years > 5\", other = \"otherwise\" }";
    let outcome = "[factor]\ntempo = [\"400 ms\", \"500 ms\"]\ndelay = [\"0 ms\", \"9 ms\"]\n\
                   [outcome]\nof = \"mean asynchrony\"\nover = \"volume\"\nby = \"delay\"";
    for (text, said) in [
        (with_step("session = 2", ""), "session is a table; did you mean \"sessions\"?"),
        (with_step(question, ""), "write [question.NAME] for each"),
        (with_step("", until), "write until = { if_all = [\"sd asynchrony < 40 ms\"] }"),
        (with_step(group, ""), "write them as a list: [\"age > 60\", \"years > 5\"]"),
        (with_step(outcome, "shuffle = \"all\""), "there is no factor \"volume\""),
    ] {
        let found = mistakes(&text);
        assert!(found.contains(said) && !found.contains("needs `over`"), "{said}\nin\n{found}");
    }
}

#[test]
fn what_has_a_mistake_is_not_also_told_to_be_missing() {
    let text = "trial = \"sync.toml\"\n[factor]\ntempo = [\"400 ms\", \"400 ms\"]\n\
                [set]\npacing.metronome.interval = { factor = \"tempo\" }\n\
                [question.effort]\ntext = \"?\"\nscale = [7, 1]\n\
                [[step]]\nname = \"main\"\nshuffle = \"all\"\nask = \"effort\"\n";
    let found = mistakes(text);
    assert_eq!(found.lines().count(), 2, "{found}");
    assert!(found.contains("names the level \"400 ms\" twice"), "{found}");
    assert!(found.contains("puts the greater number first; write [1, 7]"), "{found}");
}

#[test]
fn a_trial_is_repeated_by_a_number_that_its_statistic_can_have() {
    let told = |test: &str| {
        mistakes(&with_step("", &format!("redo = {{ if_any = [\"{test}\"], at_most = 1 }}")))
    };
    for (test, said) in [
        ("hit rate < 70", "hit rate is never 70; it is a share from 0 to 1; write 70 % or 0.7"),
        ("hit rate < 150 %", "hit rate is never 1.5; it lies from 0 to 1"),
        ("taps < 70 %", "a number without % after taps"),
        ("taps < -1", "taps is never -1; it is 0 or more"),
        ("hit rate ≥ 70", "hit rate is never 70"),
        ("45 > taps", "has the number before the statistic; write \"taps < 45\""),
    ] {
        assert!(told(test).contains(said), "{test}: {}", told(test));
    }
    let exclude = "[exclude]\n\"too few taps\" = \"hit rate < 0.7\"";
    assert!(mistakes(&with_step(exclude, "")).contains("`redo` in a step repeats a trial"));
    let both = "[question.age]\ntext = \"?\"\nnumber = [18, 99]\n[exclude]\n\"too old\" = \"age > 70 and age == 18\"";
    let found = mistakes(&with_step(both, "ask = \"age\""));
    assert!(found.contains("write [\"age > 70\", \"age = 18\"]"), "{found}");
}

#[test]
fn an_outcome_that_can_have_no_value_is_told() {
    let asked = "[question.fits]\ntext = \"Does it fit?\"\nchoice = [\"no\", \"yes\"]\n";
    let told = |top: &str| mistakes(&with_step(top, "repetitions = 2\nask = \"fits\""));
    let found = told(&format!("{asked}[outcome]\nof = \"fits\"\nis = \"Yes\""));
    assert!(found.contains("nobody can answer fits with \"Yes\""), "{found}");
    let elsewhere = "[question.hand]\ntext = \"?\"\nchoice = [\"padd\", \"pad\"]\n";
    let of = &format!("{elsewhere}[outcome]\nof = \"mean asynchrony\"\n");
    for (line, said) in [
        ("input = \"padd\"", "study.toml:10: no trial file has an input \"padd\""),
        ("against = \"metronom\"", "did you mean \"metronome\"?"),
        ("over = \"step\"", "compares nothing, because step does not vary: it is always main"),
    ] {
        let found = told(&format!("{asked}{of}{line}"));
        assert!(found.contains(said), "{line}: {found}");
    }
}

#[test]
fn a_step_that_asks_participants_is_told_the_name_that_is_near() {
    let found = mistakes(
        "trial = \"sync.toml\"\n[participant.age]\nnumber = [18, 99]\n[[step]]\nask = \"participants\"\n",
    );
    assert!(
        found.contains("study.toml:5: ") && found.contains("did you mean \"participant\"?"),
        "{found}"
    );
}

#[test]
fn a_range_with_equal_ends_is_not_said_to_have_the_greater_one_first() {
    for (form, cure) in [("scale", "[1, 7]"), ("number", "[18, 99]")] {
        let question = format!("[question.effort]\ntext = \"?\"\n{form} = [5, 5]");
        let found = mistakes(&with_step(&question, "ask = \"effort\""));
        let wanted = format!("{form} begins and ends with 5; write two numbers, the lesser first");
        assert!(found.contains(&wanted) && found.contains(cure), "{found}");
        assert_eq!(found.lines().count(), 1, "{found}");
    }
}

const ASKING: &str = "trial = \"sync.toml\"\n[factor]\nload = [\"a\", \"b\"]\n\
                      [question.effort]\ntext = \"How hard?\"\nscale = [1, 7]\n";

fn asking(block: &str, rest: &str) -> String {
    format!(
        "{ASKING}[[step]]\nname = \"main\"\nshuffle = \"all\"\nask = \"effort\"\n\
         block = {{ by = \"load\", order = \"file\"{block} }}\n{rest}"
    )
}

/// An answer about a block stands in the row of its last trial, where that of the trial would be lost.
#[test]
fn a_question_is_not_asked_after_each_trial_and_after_each_block() {
    let found = mistakes(&asking(", ask = \"effort\"", ""));
    assert_eq!(found.lines().count(), 1, "{found}");
    for place in ["study.toml:11", "(ask in line 10)", "effort_of_block"] {
        assert!(found.contains(place), "{place}: {found}");
    }
    let recorded = Recorded(crate::kit::files());
    let text = asking(", ask = \"effort\"", "");
    assert!(Experiment::parse(&text, "study.toml", &recorded).is_ok(), "what was begun goes on");
}

#[derive(Debug)]
struct Recorded(Vec<(String, String)>);

impl Files for Recorded {
    fn read(&self, name: &str) -> std::io::Result<String> {
        self.0.read(name)
    }

    fn were_recorded(&self) -> bool {
        true
    }
}

#[test]
fn trials_that_are_run_again_for_their_own_outcome_are_warned_of() {
    let with = |of: &str, test: &str| {
        let head = format!("{ASKING}[outcome]\nof = \"{of}\"\nover = \"load\"\n");
        let redo =
            format!("redo = {{ if_any = [\"{test}\"], at_most = 1, place = \"block end\" }}\n");
        let text = format!("{head}[[step]]\nname = \"main\"\nshuffle = \"all\"\n{redo}");
        study(&text).warnings.iter().filter(|one| one.contains("biases this outcome")).count()
    };
    assert_eq!(with("sd asynchrony", "sd asynchrony > 40 ms"), 1);
    assert_eq!(with("sd asynchrony", "taps < 30"), 0);
    assert_eq!(with("effort", "sd asynchrony > 40 ms"), 0);
}

#[test]
fn a_signal_is_a_level_of_the_factor_and_needs_an_answer_that_is_a_yes() {
    let with = |keys: &str| {
        mistakes(&format!(
            "{ASKING}[outcome]\nof = \"effort\"\n{keys}[[step]]\nname = \"main\"\nshuffle = \"all\"\n"
        ))
    };
    let found = with("is = \"7\"\nover = \"load\"\nsignal = \"c\"\n");
    assert!(found.contains("study.toml:11") && found.contains("known here: a, b"), "{found}");
    for keys in [
        "signal = \"a\"\n",
        "over = \"load\"\nsignal = \"a\"\n",
        "is = \"7\"\nover = \"step\"\nsignal = \"a\"\n",
    ] {
        assert!(with(keys).contains("needs `is` and `over` a factor"), "{keys}");
    }
    let text = format!(
        "{ASKING}[outcome]\nof = \"effort\"\nis = \"7\"\nover = \"load\"\nsignal = \"a\"\n"
    );
    let outcome = study(&format!("{text}[[step]]\nname = \"main\"\nshuffle = \"all\"\n"));
    assert_eq!(outcome.outcome().unwrap().signal.as_deref(), Some("a"));
}

#[test]
fn the_page_of_a_study_says_at_which_answers_a_session_ends() {
    let step = "[[step]]\nask = \"effort\"\nstop_if = { effort = [\"6\", \"7\"] }\n";
    let page = study(&format!("{ASKING}{step}[[step]]\nname = \"main\"\nshuffle = \"all\"\n"));
    let page = chronotap_design::overview(&page).render();
    let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(page.contains("asks effort; the participation ends at effort = 6 or 7"), "{page}");
    let step = format!("{step}ends = \"session\"\n");
    let page = study(&format!("{ASKING}{step}[[step]]\nname = \"main\"\nshuffle = \"all\"\n"));
    assert_eq!(page.steps[0].stop_if.as_ref().unwrap().ends, Ends::Session);
    let page = chronotap_design::overview(&page).render();
    let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(page.contains("asks effort; the session ends at effort = 6 or 7"), "{page}");
}

#[test]
fn the_page_of_a_study_says_when_its_visits_and_rests_are() {
    let steps = "[[step]]\nask = \"effort\"\nsession = 2\n[[step]]\nrest = { for = \"90 s\" }\n\
        [[step]]\nname = \"main\"\nshuffle = \"all\"\nrest = { every = 2, for = \"1 min\" }\n";
    let visits = "sessions = 2\nafter = { session = 1, at_least = \"6 d\", at_most = \"200 h\" }\n";
    let page = study(&format!("{visits}{ASKING}{steps}"));
    let page = chronotap_design::overview(&page).render();
    let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
    for said in [
        "asks effort; in session 2 only",
        "session 2 begins 6 d to 200 h after the end of session 1",
        "rests at least 90 s",
        "all shuffled together, rests at least 1 min after every 2 trials",
    ] {
        assert!(page.contains(said), "{said}: {page}");
    }
    for (after, said) in [
        ("nights = 1", "session 2 begins at least 1 night after the end of session 1"),
        ("nights = 2, at_most = \"3 d\"", "begins at least 2 nights and at most 3 d after the end"),
    ] {
        let visits = format!("sessions = 2\nafter = {{ session = 1, {after} }}\n");
        let page = chronotap_design::overview(&study(&format!("{visits}{ASKING}{steps}"))).render();
        let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(page.contains(said), "{said}: {page}");
    }
}

#[test]
fn what_ends_a_session_is_an_answer_that_its_step_asks_for() {
    let with = |step: &str| {
        mistakes(&format!(
            "{ASKING}[participant]\nage = {{ question = \"Age?\", number = [18, 99] }}\n[[step]]\n{step}\n[[step]]\nname = \"main\"\nshuffle = \"all\"\n"
        ))
    };
    for (step, said) in [
        ("ask = \"effort\"\nstop_if = { efort = \"7\" }", "the step does not ask \"efort\""),
        ("ask = \"effort\"\nstop_if = { effort = \"9\" }", "nobody can answer effort with \"9\""),
        ("ask = \"effort\"\nstop_text = \"Bye.\"", "stop_text belongs to stop_if"),
        ("ask = \"effort\"\nends = \"session\"", "ends belongs to stop_if"),
        ("ask = \"participant\"\nstop_if = { effort = \"7\" }", "the step does not ask \"effort\""),
        ("ask = \"participant\"\nrest = \"1 min\"", "rests"),
        ("text = \"x\"\nstop_if = { effort = \"7\" }", "the step does not ask \"effort\""),
    ] {
        assert!(with(step).contains(said), "{step}: {}", with(step));
    }
    assert!(mistakes(&format!("{ASKING}[[step]]\nask = \"participant\"\n[[step]]\nname = \"main\"\nshuffle = \"all\"\n")).contains("which is nothing"));
}

#[test]
fn an_answer_that_takes_the_place_of_another_is_warned_of() {
    let ask = "[[step]]\nask = \"effort\"\n";
    let warned =
        |text: &str| study(text).warnings.iter().filter(|w| w.contains("asks effort")).count();
    assert_eq!(warned(&asking("", "")), 0);
    assert_eq!(warned(&asking("", ask)), 1, "in the row of the last trial");
    let before = asking("", "").replacen("[[step]]", &format!("{ask}[[step]]"), 1);
    assert_eq!(warned(&before), 1, "in the row of the first trial");
    let around = |trials: &str| format!("{ASKING}{ask}[[step]]\nname = \"main\"\n{trials}{ask}");
    assert_eq!(warned(&around("shuffle = \"all\"\n")), 0, "before the first and after the last");
    assert_eq!(warned(&around("trial = \"sync.toml\"\n")), 1, "which are the same");
    let twice = format!("{}{ask}{ask}", around("shuffle = \"all\"\n"));
    assert_eq!(warned(&twice), 2);
    let sessions = |second: u32| {
        let text = around("shuffle = \"all\"\n").replacen("trial =", "sessions = 2\ntrial =", 1);
        format!("{text}session = 1\n{ask}session = {second}\n")
    };
    assert_eq!((warned(&sessions(1)), warned(&sessions(2))), (1, 0), "who has both");
}

#[test]
fn each_member_of_a_pair_has_questions_of_its_own() {
    let text = "members = [\"left\", \"right\"]\ntrial = \"pair.toml\"\n\
                [factor]\nload = [\"a\", \"b\"]\n\
                [question.effort]\ntext = \"How hard?\"\nscale = [1, 7]\n\
                [question.fun]\ntext = \"How nice?\"\nscale = [1, 7]\n\
                [[step]]\nname = \"main\"\nblock = { by = \"load\", order = \"file\", ask = \"fun\" }\n\
                ask = \"effort\"\n[[step]]\nask = \"effort\"\n";
    let study = study(text);
    let names: Vec<&str> = study.questions.iter().map(|of| of.name.as_str()).collect();
    assert_eq!(names, ["effort.left", "effort.right", "fun.left", "fun.right"]);
    assert_eq!(study.questions[1].member.as_deref(), Some("right"));
    let main = trials(&study, "main");
    assert_eq!(main.ask, names[..2]);
    assert_eq!(main.blocks.as_ref().unwrap().ask, names[2..]);
    assert_eq!(study.steps[1].doing, Doing::Ask(main.ask.clone()));
}

#[test]
fn in_a_step_of_unknown_length_every_trial_draws_its_own_pause() {
    let text = "trial = \"sync.toml\"\n[[step]]\nname = \"practice\"\ntrial = \"sync.toml\"\n\
                until = { hits = 8, of = 10, within = \"80 ms\" }\nat_most = 50\ngap = [\"1 s\", \"3 s\"]\n";
    let study = study(text);
    let plan = plan(&study, "1");
    let gaps: Vec<i64> = (1..=50).map(|trial| study.gap_of_open(&plan, 0, trial).0).collect();
    assert!(gaps.iter().all(|gap| (1_000_000_000..=3_000_000_000).contains(gap)));
    let mut different = gaps.clone();
    different.sort_unstable();
    different.dedup();
    assert!(different.len() > 45, "{gaps:?}");
    let again: Vec<i64> = (1..=50).map(|trial| study.gap_of_open(&plan, 0, trial).0).collect();
    assert_eq!(gaps, again);
}

#[test]
fn what_people_write_out_of_habit_is_answered_with_what_is_written_here() {
    let cures = [
        (with_step("", "repeats = 3"), "study.toml:5: unknown key \"repeats\"", "\"repetitions\""),
        (with_step("", "max = 3"), "study.toml:5: unknown key \"max\"", "\"at_most\""),
        (
            with_step("", "say = \"Tap along.\""),
            "study.toml:5: step main.say names a file",
            "write text = \"Tap along.\"",
        ),
        (
            with_step("", "block = \"tempo\""),
            "study.toml:5: step main.block must be a table",
            "by =",
        ),
        (
            "trial = \"sync.toml\"\n[step]\nname = \"a\"\n[step]\nname = \"b\"\n".to_owned(),
            "study.toml:4: the heading [step] stands twice",
            "write [[step]] with double brackets",
        ),
        (
            with_step("", "repetitions: 3"),
            "study.toml:5: this is not key = value",
            "write repetitions = 3",
        ),
        (
            with_step("", "shuffle: all"),
            "study.toml:5: this is not key = value",
            "shuffle = \"all\"",
        ),
    ];
    for (text, said, cure) in cures {
        let found = mistakes(&text);
        assert!(found.contains(said) && found.contains(cure), "{said}\n{cure}\nin\n{found}");
        assert!(!found.contains("no steps"), "{found}");
    }
}

#[test]
fn what_stands_beside_what_is_meant_is_told_with_the_line_to_write() {
    let cures = [
        (
            with_step("", "rest = { every = \"8 trials\", for = \"1 min\" }"),
            "study.toml:5:",
            "write 8 for 8 trials",
        ),
        (
            with_step(
                "",
                "redo = { if_any = [\"fewer than 45 taps\"], at_most = 1, place = \"at once\" }",
            ),
            "study.toml:5:",
            "\"taps < 45\"",
        ),
        (with_step("", "factor = \"tempo\""), "study.toml:5:", "below the heading [factor]"),
        (
            with_step("[outcome]\nof = \"asynchrony mean\"\nover = \"step\"\n", ""),
            "study.toml:",
            "did you mean \"mean asynchrony\"?",
        ),
        (
            with_step("[factor]\ndelay = [\"10 ms\", \"0.01 s\"]\n", "shuffle = \"all\""),
            "study.toml:",
            "names one level twice, as \"10 ms\" and \"0.01 s\"",
        ),
    ];
    for (text, said, cure) in cures {
        let found = mistakes(&text);
        assert!(found.contains(said) && found.contains(cure), "{said}\n{cure}\nin\n{found}");
    }
}

#[test]
fn levels_that_are_no_list_are_told_once() {
    let set = "[set]\nfeedback.tone.delay = { factor = \"delay\" }\n";
    let text = with_step(&format!("[factor]\ndelay = \"0-70 ms\"\n{set}"), "shuffle = \"all\"");
    let found = mistakes(&text);
    assert!(found.contains("is one level, not a list of levels"), "{found}");
    assert_eq!(found.lines().count(), 1, "{found}");
}

#[test]
fn one_mistake_of_a_study_is_told_once_with_a_cure_that_works() {
    let top = "trial = \"sync.toml\"\n";
    let step = "[[step]]\nname = \"main\"\nshuffle = \"all\"\n";
    for (text, said, cure) in [
        (
            format!("trial = \"synk.toml\"\n{step}"),
            "study.toml:1: trial names synk.toml, and there is no such file",
            "did you mean \"sync.toml\"?",
        ),
        (
            format!("{top}[between]\nhand = \"left\"\n{step}text = \"{{hand}}\"\n"),
            "study.toml:3: between.hand is one level, not a list of levels",
            "write all its levels in [brackets]",
        ),
        (
            format!("{top}{step}rest = {{ every = \"9\" }}\n"),
            "study.toml:5: step main.rest.every = \"9\" is neither a number nor a time",
            "write 9 for trials",
        ),
        (
            format!("{top}{step}rest = {{ every = \"block\" }}\n"),
            "study.toml:5: step main.rest.every = \"block\" is neither a number nor a time",
            "as in every = \"10 min\"",
        ),
        (
            format!("{top}{step}rest = \"60 s\"\n"),
            "study.toml:5: step main.rest must be a table, not \"60 s\"",
            "write rest = { every = 9, for = \"60 s\" } for a rest after every 9 trials",
        ),
        (
            format!("{top}{step}rest = 60\n"),
            "study.toml:5: step main.rest must be a table, not 60",
            "write rest = { every = 9, for = \"60 s\" } for a rest after every 9 trials",
        ),
        (
            format!("{top}{step}[[step]]\nrest = \"2 min\"\n"),
            "study.toml:6: step 2.rest must be a table, not \"2 min\"",
            "write rest = { for = \"2 min\" }",
        ),
    ] {
        let found = mistakes(&text);
        assert!(found.starts_with(said) && found.contains(cure), "{said}\n{cure}\nin\n{found}");
        assert_eq!(found.lines().count(), 1, "{found}");
    }
}

#[test]
fn a_study_says_by_which_reading_a_line_of_ftap_gets_a_meaning() {
    let mut files = crate::kit::files();
    let masked = "METRON_ON 1\nMSPB 500\nMASK_ON 1\n";
    files.push(("masked.ftap".to_owned(), masked.to_owned()));
    let text = "trial = \"masked.ftap\"\n[[step]]\nname = \"main\"\n";
    let found = chronotap_design::Experiment::parse(text, "study.toml", &files);
    let found = found.expect_err("a mistake").to_string();
    for said in [
        "write reading = [\"masking=TONES_A_SECOND@LOWEST..HIGHEST\"] under [ftap] of the study",
        "or write without = [\"masking\"] under [ftap] of the study to drop it",
    ] {
        assert!(found.contains(said), "{said}\nin\n{found}");
    }
}

#[test]
fn a_file_whose_steps_are_headed_a_little_wrong_is_still_an_experiment() {
    use chronotap_design::Experiment;
    assert!(Experiment::is_one("[step]\nname = \"a\"\n[step]\nname = \"b\"\n"));
    assert!(Experiment::is_one("[[steps]]\nname = \"a\"\n"));
    assert!(!Experiment::is_one("[stepwise]\n"));
    assert!(!Experiment::is_one("[[when]]\nbeat = 3\n"));
}

#[test]
fn mistakes_of_trial_files_are_told_together_with_those_of_the_study() {
    let with_trial = |study: &str, trial: &str| {
        let mut files = crate::kit::files();
        files.push(("own.toml".to_owned(), trial.to_owned()));
        let found = chronotap_design::Experiment::parse(study, "study.toml", &files);
        found.expect_err("a mistake").to_string()
    };
    let top = "trial = \"own.toml\"\n[factor]\ntempo = [\"400 ms\", \"0 ms\"]\n";
    let set = "[set]\npacing.m.interval = { factor = \"tempo\" }\n";
    let step = "[[step]]\nname = \"main\"\nshuffle = \"all\"\nrepetition = 2\n";
    let trial = "[pacing.m]\n[feedback.f]\ndealy = \"5 ms\"\n[[when]]\nbeat = 9\nend = true\n";
    let all = with_trial(&format!("{top}{set}{step}"), trial);
    for said in [
        "study.toml:9: unknown key \"repetition\"",
        "own.toml:3: unknown key \"dealy\" in feedback.f; did you mean \"delay\"?",
        "study.toml:3: set.pacing.m.interval: pacing.m.interval must be a time",
    ] {
        assert!(all.contains(said), "{said}\nin\n{all}");
    }
    assert_eq!(all.lines().count(), 3, "{all}");
    // What would be set is not told to be missing where it only could not be read.
    let misread = set.replace("\"tempo\"", "\"temp\"");
    let all = with_trial(&format!("{top}{misread}{step}"), trial);
    assert!(all.contains("there is no factor \"temp\"") && all.contains("\"dealy\""), "{all}");
    assert!(!all.contains("lacks one of"), "{all}");
}

#[test]
fn a_member_without_an_input_is_told_beside_other_mistakes() {
    let text = "titel = \"x\"\nmembers = [\"left\", \"rihgt\"]\ntrial = \"pair.toml\"\n\
                [[step]]\nname = \"main\"\n";
    let found = mistakes(text);
    assert!(found.contains("did you mean \"title\"?"), "{found}");
    assert!(
        found.contains("no trial file has an input \"rihgt\"; did you mean \"right\"?"),
        "{found}"
    );
}

#[test]
fn a_question_depends_on_answers_that_somebody_can_give_to_another() {
    let with = |only_if: &str| {
        mistakes(&format!(
            "{ASKING}[question.why]\ntext = \"Why?\"\nonly_if = {{ {only_if} }}\n\
             [[step]]\nname = \"main\"\nshuffle = \"all\"\nask = [\"effort\", \"why\"]\n"
        ))
    };
    let found = with("efort = \"7\"");
    assert!(found.contains("no other question \"efort\"") && found.contains("effort"), "{found}");
    assert!(with("effort = \"often\"").contains("nobody can answer effort with \"often\""));
    assert!(with("why = \"so\"").contains("no other question \"why\""), "not on itself");
}

#[test]
fn days_and_several_choices_are_read_with_their_mistakes() {
    let with = |keys: &str| {
        mistakes(&format!(
            "{ASKING}[question.more]\ntext = \"More?\"\n{keys}\n\
             [[step]]\nname = \"main\"\nshuffle = \"all\"\nask = \"more\"\n"
        ))
    };
    assert!(with("date = [\"2026-02-30\", \"2026-12-31\"]").contains("a day such as"));
    assert!(
        with("date = [\"2026-12-31\", \"2026-01-01\"]").contains("does not begin before it ends")
    );
    assert!(with("choices = [\"a; b\", \"c\"]").contains("has a choice with a semicolon"));
    assert!(with("choices = [\"a\", \"a\"]").contains("names a choice twice"));
    assert!(with("lines = true\nchoice = [\"a\"]").contains("lines"));
}

#[test]
fn a_text_names_only_results_that_a_step_keeps() {
    let with = |name: &str| {
        mistakes(&format!(
            "{ASKING}[[step]]\nname = \"main\"\nshuffle = \"all\"\nkeep = {{ early = \"mean asynchrony\" }}\n\
             [[step]]\ntext = \"You were {{{name}}} from the tone. {{Not a name}} {{1.5}}\"\n"
        ))
    };
    assert!(
        with("main.erly").contains("{main.erly}, which no step keeps"),
        "{}",
        with("main.erly")
    );
    assert!(with("main.erly").contains("main.early"));
    let text = format!(
        "{ASKING}[[step]]\nname = \"main\"\nshuffle = \"all\"\nkeep = {{ early = \"mean asynchrony\" }}\n\
         [[step]]\ntext = \"You were {{main.early}} from the tone.\"\n"
    );
    let is_idle = |one: &String| one.contains("nothing uses") || one.contains("nothing asks");
    assert!(study(&text).warnings.iter().all(is_idle), "{:?}", study(&text).warnings);
}

#[test]
fn a_study_named_as_its_own_trial_is_one_mistake() {
    let text = "trial = \"own.toml\"\n[[step]]\nname = \"main\"\n";
    let files = vec![("own.toml".to_owned(), text.to_owned())];
    let found = Experiment::parse(text, "own.toml", &files).unwrap_err().to_string();
    let told =
        "own.toml:1: trial names own.toml, which is an experiment file; name the file of a trial";
    assert!(found.starts_with(told) && found.lines().count() == 1, "{found}");
}

#[test]
fn a_result_of_a_later_step_is_told_with_the_step_that_keeps_it() {
    let uses = "[[step]]\nname = \"slower\"\ntrial = \"sync.toml\"\n\
                set.pacing.metronome.interval = { result = \"own_tempo.tempo\", \
                within = [\"300 ms\", \"1.5 s\"] }\n";
    let found = mistakes(&format!("{uses}{TEMPO}"));
    let told = "\"own_tempo.tempo\" is kept by a later step; put the step own_tempo before the step slower";
    assert!(found.contains(told), "{found}");
}

#[test]
fn a_name_that_is_none_is_told_the_nearest_and_where_all_stand() {
    let redo = |test: &str| {
        mistakes(&format!(
            "[[step]]\nname = \"main\"\ntrial = \"sync.toml\"\n\
             redo = {{ if_any = [\"{test}\"], place = \"at once\" }}\n"
        ))
    };
    let all = "docs/events-files.md lists all, under Statistics by name";
    let said = redo("accuracy < 3");
    assert!(
        said.ends_with(&format!("near are mean absolute asynchrony, hit rate; {all}")),
        "{said}"
    );
    let said = redo("tapping < 3");
    assert!(said.contains("near are taps, ") && said.ends_with(all), "{said}");
    assert_eq!(said.matches(',').count(), 3, "three names: {said}");
    assert!(redo("mean async < 3 ms").ends_with("did you mean \"mean asynchrony\"?"));
    let outcome =
        "[outcome]\nof = \"variability\"\n[[step]]\nname = \"main\"\ntrial = \"sync.toml\"\n";
    assert!(mistakes(outcome).contains("near are sd asynchrony"), "{}", mistakes(outcome));
}

#[test]
fn slips_of_a_study_have_cures_that_can_be_followed() {
    let step = "[[step]]\nname = \"main\"\ntrial = \"sync.toml\"\n";
    let people = format!(
        "participant = 16  # so many\n[participant]\nage = {{ question = \"Age?\" }}\n{step}"
    );
    assert_eq!(
        mistakes(&people),
        "study.toml:1: \"participant\" is a heading (line 2), and a key here; write participants = 16"
    );
    let hits = format!("{step}until = {{ hits = 2, of = 4, within = \"80 ms\" }}\nat_most = 2\n");
    let told = format!("{hits}tell = \"{{hits}} of 4\"\n");
    assert!(
        mistakes(&told)
            .ends_with("write {NAME.hits}, with the name of a step that practises until hits")
    );
    assert_eq!(study(&told.replace("{hits}", "{main.hits}")).warnings, [""; 0]);
    let sizes = r#"step = ["16 ms", "8 ms", "4 ms"]"#;
    for factor in ["* 2", "2x", "\u{d7} 2", "X2"] {
        let said = mistakes(&STAIRCASE.replace(sizes, &format!("step = [\"{factor}\"]")));
        assert!(said.contains("is no size; a factor is written \"x 2\""), "{said}");
    }
}

#[test]
fn one_slip_in_a_heading_or_a_path_is_told_once_at_its_line() {
    let step = "[[step]]\nname = \"main\"\ntrial = \"sync.toml\"\n";
    let named = format!("{step}[[step.late]]\ntrial = \"sync.toml\"\n");
    assert!(
        mistakes(&named).ends_with("write [[step]] and below it name = \"late\""),
        "{}",
        mistakes(&named)
    );
    let space = format!("[question.how hard]\ntext = \"x\"\n{step}{step}");
    assert_eq!(
        mistakes(&space),
        "study.toml:1: there is a space in a name; write [question.how_hard]"
    );
    let path = "[factor]\na = [\"400 ms\", \"500 ms\"]\n[set]\nmetronome.interval = { factor = \"a\" }\n\
                feedback.tone.delay = { factor = \"a\" }\n[[step]]\nname = \"main\"\n\
                trial = \"sync.toml\"\nshuffle = \"all\"\n";
    assert!(
        mistakes(path).starts_with("study.toml:4: set.metronome.interval: "),
        "{}",
        mistakes(path)
    );
    let twice = format!("[factor]\na = [1, 2]\n[between]\na = [1, 2]\n{step}shuffle = \"all\"\n");
    assert_eq!(mistakes(&twice).lines().count(), 1, "{}", mistakes(&twice));
    let told = format!("{step}tell = \"You: {{mean asynchrony}}\"\n");
    assert!(study(&told).warnings[0].contains("is shown as it stands: write {STEP.early}"));
}

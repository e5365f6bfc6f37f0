//! One study in several languages: what participants read is in each, what is recorded is the same.

use crate::kit::mistakes;
use chronotap_design::{Doing, Experiment, Step};

fn text(translation: &str) -> String {
    format!(
        "[factor]\ntempo = [\"400 ms\", \"600 ms\"]\n\
         [set]\npacing.metronome.interval = {{ factor = \"tempo\" }}\n\
         [participant]\n\
         hand = {{ question = \"Which hand?\", choice = [\"left\", \"right\"] }}\n\
         plays = {{ question = \"What?\", choices = [\"piano\", \"drums\"], optional = true }}\n\
         [question.effort]\ntext = \"How hard?\"\nscale = [1, 7]\nlabels = [\"easy\", \"hard\"]\n\
         [[step]]\nname = \"consent\"\nsay = \"welcome.md\"\nask = \"participant\"\n\
         stop_if = {{ hand = \"left\" }}\nstop_text = \"Thanks.\"\n\
         [[step]]\nname = \"main\"\ntrial = \"sync.toml\"\nshuffle = \"none\"\nask = \"effort\"\n\
         keep = {{ early = \"mean asynchrony\" }}\ntell = \"You: {{main.early}}.\"\n\
         block = {{ by = \"tempo\", order = \"file\", text = \"Next: {{tempo}}.\" }}\n\
         {translation}"
    )
}

const WHOLE: &str = "[translation.de.words]\ngo_on = \"Weiter\"\n\
    [translation.de.participant]\n\
    hand = { question = \"Welche Hand?\", choice = [\"links\", \"rechts\"] }\n\
    plays = { question = \"Was?\", choices = [\"Klavier\", \"Trommel\"] }\n\
    [translation.de.question.effort]\ntext = \"Wie schwer?\"\nlabels = [\"leicht\", \"schwer\"]\n\
    [translation.de.step.consent]\nsay = \"left.md\"\nstop_text = \"Danke.\"\n\
    [translation.de.step.main]\ntell = \"Du: {main.early}.\"\nblock = { text = \"Jetzt: {tempo}.\" }\n";

fn study(translation: &str) -> Experiment {
    crate::kit::study(&text(translation))
}

/// Every text of the steps, in order.
fn shown(steps: &[Step]) -> Vec<&str> {
    let of = |step: &'_ Step| -> Vec<String> {
        let blocks = match &step.doing {
            Doing::Trials(trials) => trials.blocks.as_ref().and_then(|blocks| blocks.say.clone()),
            _ => None,
        };
        let all = step.say.iter().chain(&blocks).chain(step.told()).map(|text| text.text.clone());
        all.chain(step.stop_if.iter().map(|stop| stop.text.clone())).collect()
    };
    steps.iter().flat_map(of).map(|text| &*text.leak()).collect()
}

#[test]
fn everything_that_a_participant_reads_is_in_the_language_that_was_asked_for() {
    let own = study(WHOLE);
    assert_eq!(own.languages(), ["en", "de"]);
    assert_eq!(
        shown(&own.steps),
        ["Welcome.\n", "Thanks.", "Next: {tempo}.", "You: {main.early}."]
    );
    let german = own.in_language("de").unwrap();
    let texts = ["Use your left hand.\n", "Danke.", "Jetzt: {tempo}.", "Du: {main.early}."];
    assert_eq!(shown(&german.steps), texts);
    assert_eq!(german.words.get("go_on"), "Weiter");
    assert_eq!(german.words.language, "de");
    assert_eq!(german.questions[0].text, "Wie schwer?");
    let expected = german.questions[0].answer.expected();
    assert_eq!(expected, "a whole number from 1 (leicht) to 7 (schwer)");
    assert_eq!(german.fields[0].question, "Welche Hand?");
    assert!(own.in_language("fr").is_none());
}

#[test]
fn what_is_recorded_and_what_is_planned_is_the_same_in_every_language() {
    let own = study(WHOLE);
    let german = own.in_language("de").unwrap();
    let hand = &german.fields[0].answer;
    assert_eq!(hand.accept("rechts"), Ok("right".to_owned()));
    assert_eq!(hand.accept("right"), Ok("right".to_owned()));
    assert_eq!(german.fields[1].answer.accept("Trommel; Klavier"), Ok("piano; drums".to_owned()));
    assert_eq!(german.fields[1].answer.accept(""), Ok(String::new()));
    assert_eq!(german.steps[0].stop_if.as_ref().unwrap().answers_of("hand"), ["left"]);
    let plan = |study: &Experiment| crate::kit::plan(study, "07");
    let read_as = |one: &Experiment, other| plan(one).reading(plan(other)).json();
    assert_eq!(read_as(&german, &own), plan(&own).json());
    assert_eq!(read_as(&own, &german), plan(&german).json());
    let read = |name: &str| own.files.iter().any(|(of, _)| of == name);
    assert!(read("welcome.md") && read("left.md"));
}

#[test]
fn whoever_translates_a_part_is_told_what_is_left() {
    let part = study("[translation.de.step.main]\nblock = { text = \"Jetzt: {tempo}.\" }\n");
    let said = part.warnings.join("\n");
    assert!(
        said.contains(
            "translation.de lacks step.consent, step.main.tell, question.effort, participant.hand, participant.plays"
        ),
        "{said}"
    );
    assert!(said.contains("[translation.de.words] lacks go_on"), "{said}");
    let english = part.in_language("de").unwrap();
    assert_eq!(english.questions[0].text, "How hard?");
}

#[test]
fn what_one_question_or_step_lacks_in_a_language_is_told_by_its_key() {
    let lacks = |cut: &str| {
        assert!(WHOLE.contains(cut), "{cut}");
        let said = study(&WHOLE.replace(cut, "")).warnings.join("\n");
        said.split_once("translation.de lacks ")
            .map(|(_, rest)| rest.split(':').next().unwrap_or_default().to_owned())
    };
    for (cut, key) in [
        ("labels = [\"leicht\", \"schwer\"]\n", "question.effort.labels"),
        ("text = \"Wie schwer?\"\n", "question.effort.text"),
        (", choice = [\"links\", \"rechts\"]", "participant.hand.choice"),
        (", choices = [\"Klavier\", \"Trommel\"]", "participant.plays.choices"),
        ("say = \"left.md\"\n", "step.consent.say"),
        ("stop_text = \"Danke.\"\n", "step.consent.stop_text"),
        ("block = { text = \"Jetzt: {tempo}.\" }\n", "step.main.block"),
    ] {
        assert_eq!(lacks(cut).as_deref(), Some(key), "{cut}");
    }
    assert_eq!(lacks("go_on = \"Weiter\"\n"), None, "words are told on their own");
}

#[test]
fn members_are_asked_in_the_language_each_by_their_own_name() {
    let study = crate::kit::study(
        "members = [\"left\", \"right\"]\n[participant]\n\
         hand = { question = \"Which?\", choice = [\"left\", \"right\"] }\n\
         [[step]]\nname = \"a\"\ntrial = \"pair.toml\"\n\
         [translation.de.participant]\nhand = { question = \"Welche?\", choice = [\"links\", \"rechts\"] }\n",
    );
    let german = study.in_language("de").unwrap();
    let asked: Vec<&str> = german.fields.iter().map(|field| field.question.as_str()).collect();
    assert_eq!(asked, ["Welche?", "Welche?"]);
    assert_eq!(german.fields[1].answer.accept("links"), Ok("left".to_owned()));
}

#[test]
fn mistakes_in_a_translation_are_told_with_their_line_and_the_nearest_name() {
    let of = |translation: &str| mistakes(&text(translation));
    for (translation, said) in [
        (
            "[translation.german]\nwords = { go_on = \"Weiter\" }\n",
            "translation.german must be a language as in web pages",
        ),
        ("[translation.en.words]\ngo_on = \"On\"\n", "is the language of the study itself"),
        ("[translation.de.step.mian]\ntell = \"x\"\n", "did you mean \"main\""),
        ("[translation.de.question.efort]\ntext = \"x\"\n", "did you mean \"effort\""),
        ("[translation.de.participant]\nhnad = { question = \"x\" }\n", "did you mean \"hand\""),
        (
            "[translation.de.step.main]\ntext = \"x\"\n",
            "translates a text that the step does not have",
        ),
        ("[translation.de.step.main]\nblock = { text = \"{temp}\" }\n", "did you mean \"tempo\""),
        ("[translation.de.step.main]\ntell = \"{main.erly}\"\n", "which no step keeps"),
        (
            "[translation.de.participant]\nhand = { question = \"x\", choice = [\"links\"] }\n",
            "has 1 texts, and the study 2",
        ),
        (
            "[translation.de.participant]\nhand = { question = \"x\", choice = [\"right\", \"left\"] }\n",
            "shows a word for another choice",
        ),
        (
            "[translation.de.participant]\nhand = { question = \"x\", labels = [\"a\", \"b\"] }\n",
            "is of another kind of question",
        ),
        ("[translation.de.words]\ngo_no = \"x\"\n", "did you mean \"go_on\""),
    ] {
        assert!(of(translation).contains(said), "{translation}: {}", of(translation));
    }
    let named =
        "[question.language]\ntext = \"Which?\"\n[translation.de.words]\ngo_on = \"Weiter\"\n";
    assert!(of(named).contains("language is a question and also"), "{}", of(named));
}

/// "left" stood in a German sentence.
#[test]
fn levels_in_texts_are_shown_in_the_words_that_are_given_for_them() {
    let study = |words: &str| {
        let own =
            "[factor]\nhand = [\"left\", \"right\"]\n[between]\ngroup = [\"old\", \"young\"]\n";
        let steps = "[[step]]\nname = \"hello\"\ntext = \"You are {group}.\"\n\
                     [[step]]\nname = \"main\"\ntrial = \"sync.toml\"\nshuffle = \"none\"\n\
                     block = { by = \"hand\", order = \"file\", text = \"Next: {hand}.\" }\n";
        let german = "[translation.de.step.hello]\ntext = \"Sie sind {group}.\"\n\
                      [translation.de.step.main]\nblock = { text = \"Jetzt: {hand}.\" }\n";
        crate::kit::study(&format!("{words}{own}{steps}{german}"))
    };
    let read = |study: &Experiment| {
        let plan = crate::kit::plan(study, "1");
        let blocks = plan.steps[1].blocks.iter().filter_map(|block| block.say.clone());
        plan.steps[0].say.clone().into_iter().chain(blocks).collect::<Vec<_>>()
    };
    let none = study("");
    assert_eq!(read(&none)[1..], ["Next: left.", "Next: right."]);
    let told = none.warnings.iter().find(|one| one.contains("level_words")).unwrap();
    assert!(told.contains("translation.de lacks level_words.hand, level_words.group: "), "{told}");
    let some = study(
        "level_words.hand = { left = \"the left one\" }\n\
         translation.de.level_words.hand = { left = \"links\", right = \"rechts\" }\n\
         translation.de.level_words.group = { old = \"alt\", young = \"jung\" }\n",
    );
    assert_eq!(read(&some)[1..], ["Next: the left one.", "Next: right."]);
    let german = read(&some.in_language("de").unwrap());
    assert_eq!(german[1..], ["Jetzt: links.", "Jetzt: rechts."]);
    assert!(["Sie sind alt.", "Sie sind jung."].contains(&&*german[0]), "{german:?}");
    assert!(!some.warnings.iter().any(|one| one.contains("level_words")), "{:?}", some.warnings);
}

#[test]
fn words_of_levels_that_there_are_not_are_refused_with_the_nearest() {
    let told = mistakes(&text("[level_words.tempi]\n\"400 ms\" = \"fast\"\n"));
    assert!(told.contains("there is no factor \"tempi\"; did you mean \"tempo\"?"), "{told}");
    let told = mistakes(&text("[level_words.tempo]\n\"40 ms\" = \"fast\"\n"));
    assert!(told.contains("tempo has no level \"40 ms\"; did you mean \"400 ms\"?"), "{told}");
}

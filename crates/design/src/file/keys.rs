//! Every key of an experiment file: the rows of one table, from which reading, the nearest name
//! and the reference in `docs/experiment-reference.md` come.

use crate::file::choices;
use crate::study::question::QuestionKinds;
pub(crate) use crate::study::sections::{
    AFTER, CONTRAST, FROM, OUTCOME, PARTICIPANT, QUESTION, SHOWN_BLOCK, SHOWN_FIELD,
    SHOWN_QUESTION, SHOWN_STEP, TRANSLATION, WORDS,
};
use crate::study::sections::{ANSWER, BETWEEN, FTAP, STAIR, STEP, TOP, key};
use crate::study::words::{Words, english};
use chronotap_config::trial_files::reading::Default::{Is, Not};
use chronotap_config::trial_files::reading::{self, DAY, Key, KeyKind, Keys, Section, words_of};
use std::iter;
use std::sync::LazyLock;

/// The keys of an experiment file.
pub(crate) static KEYS: LazyLock<Keys> = LazyLock::new(|| asking(&QuestionKinds::standard()));

/// The keys of an experiment file that may have questions of these kinds.
pub(crate) fn asking(kinds: &QuestionKinds) -> Keys {
    let of_kinds = kinds.rows().map(|kind| kind.keys);
    let compared: [&[Key]; 2] = [&OF_OUTCOME, &OF_CONTRAST];
    let rows: Vec<&[Key]> =
        iter::once(FIRST).chain(of_kinds).chain(compared).chain([ROWS]).collect();
    Keys::of(&[SECTIONS], &rows)
}

const HEAD: &str = "\
Every key of an experiment file
===============================

Each key is followed by what it may hold and its default.
";

/// The complete reference of experiment files: for every key what it may hold with unit and
/// range, its default, its meaning, and an example.
pub fn reference() -> String {
    reading::reference(HEAD, &KEYS)
}

/// The same where there are these kinds of question.
pub fn reference_asking(kinds: &QuestionKinds) -> String {
    reading::reference(HEAD, &asking(kinds))
}

/// In the order of the reference.
#[rustfmt::skip] // one section, one entry
static SECTIONS: &[Section] = &[
    Section { name: "", title: "The top of the file" },
    Section { name: FTAP, title: "[ftap]: how trial files of FTAP are read" },
    Section { name: "conditions", title: "conditions = { ... }: one of several tables for each participant" },
    Section { name: BETWEEN, title: "[between] NAME = { ... }: groups that the experimenter chooses" },
    Section { name: "session", title: "[session]: session as a factor" },
    Section { name: "question.NAME", title: "[question.NAME]: what a participant is asked at a step" },
    Section { name: "participant.NAME", title: "[participant] NAME = { ... }: what is asked once" },
    Section { name: "step", title: "[[step]]: what is done, in the order of the file" },
    Section { name: "step.block", title: "block = { ... }: one block for each level of a factor" },
    Section { name: "step.until", title: "until = { ... }: practice to a criterion" },
    Section { name: "step.rest", title: "rest = { ... }: pauses" },
    Section { name: "step.redo", title: "redo = { ... }: trials that are done again" },
    Section { name: "staircase.NAME", title: "[staircase.NAME]: a parameter that follows the answers" },
    Section { name: ANSWER, title: "answer = { ... }: from when on a tap is an answer" },
    Section { name: "outcome", title: "[outcome]: what the study is for" },
    Section { name: "contrast", title: "[[contrast]]: what is compared besides" },
    Section { name: "after", title: "after: when the next session may begin" },
    Section { name: "words", title: "[words]: what participants read besides the texts of the study" },
    Section { name: TRANSLATION, title: "[translation.LANGUAGE]: the study in another language" },
    Section { name: SHOWN_QUESTION, title: "[translation.LANGUAGE.question.NAME]: a question in it" },
    Section { name: SHOWN_FIELD, title: "[translation.LANGUAGE.participant] NAME = { ... }: what is asked once" },
    Section { name: SHOWN_STEP, title: "[translation.LANGUAGE.step.NAME]: the texts of a step" },
    Section { name: SHOWN_BLOCK, title: "block = { ... } of a translation: the text before each block" },
    Section { name: "from", title: "PATH = { ... } in set: where a value is from" },
];

/// More of anything that is counted is a mistake.
const MANY: KeyKind = KeyKind::Count(1, 1_000_000);
/// As datasets keep it.
const SEED: KeyKind = KeyKind::Count(0, i64::MAX as u64);

/// The keys of the top of the file down to those of questions, to which the kinds of question add theirs.
#[rustfmt::skip] // one key, one entry
static FIRST: &[Key] = &[
    key(TOP, "title", KeyKind::Text, Not("the name of the file"), "What the study is called.", r#"title = "Delayed feedback at two tempi""#),
    key(TOP, "description", KeyKind::Text, Not("none"), "What it is for, in the experimenter's words.", r#"description = "pilot""#),
    key(TOP, "reference", KeyKind::Text, Not("none"), "The publication it follows.", r#"reference = "Finney (1997)""#),
    key(TOP, "authors", KeyKind::Form("a name, or a list of them"), Not("none"), "Whose dataset it is. This and the next four stand in its dataset_description.json (BIDS).", r#"authors = ["Ada Lovelace", "Charles Babbage"]"#),
    key(TOP, "license", KeyKind::Text, Not("none"), "Under which licence the dataset may be used, by its usual short name.", r#"license = "CC-BY-4.0""#),
    key(TOP, "acknowledgements", KeyKind::Text, Not("none"), "Who is thanked.", r#"acknowledgements = "We thank all who tapped.""#),
    key(TOP, "funding", KeyKind::Form("a text, or a list of them"), Not("none"), "Who paid for it: grants with their numbers.", r#"funding = ["National Fund, grant 123"]"#),
    key(TOP, "ethics", KeyKind::Form("a text, or a list of them"), Not("none"), "Which ethics committee approved it, with the protocol's number.", r#"ethics = ["Ethics Committee, protocol 2026-7"]"#),
    key(TOP, "task", KeyKind::Form("letters and digits"), Not("those of the file's name"), "The BIDS task label of the dataset.", r#"task = "delay""#),
    key(TOP, "participants", KeyKind::Count(1, 100_000), Is("1"), "How many are planned. Labels are padded to its digits, to at least two.", "participants = 24"),
    key(TOP, "seed", SEED, Is("1"), "Everything that is drawn is made of this number, the participant's label and the session.", "seed = 1"),
    key(TOP, "trial", KeyKind::Form("a trial file beside this one"), Not("none; then each step names its own"), "The trial file of every step that names no other.", r#"trial = "sync.toml""#),
    key(TOP, "ftap", KeyKind::Form("a table"), Not("the usual readings"), "How trial files are read that are configuration files of FTAP.", "[ftap]"),
    key(TOP, "factor", KeyKind::Form("a table: names, each with a list of levels"), Not("none"), "The factors within participants. Conditions are all combinations of their levels, the last factor changing fastest.", "[factor]"),
    key(TOP, "between", KeyKind::Form("a table: names, each with a list of levels, with { levels, chosen }, or with levels and what must have been answered"), Not("none"), "The factors between participants. Each participant gets one combination of their levels: drawn, chosen by the experimenter, or as it follows from answers about the person.", r#"between.group = { musician = "training >= 6", nonmusician = "otherwise" }"#),
    key(TOP, "exclude", KeyKind::Form("a table: reasons, each with a condition on an answer, or a list of which all must hold"), Not("nobody"), "Whose data every analysis leaves out, with the reason. Conditions compare an answer with <, <=, >, >=, = or !=; of a question that is asked several times one such answer is enough.", r#"exclude.inattentive = "catch != blue""#),
    key(TOP, "leave_out", KeyKind::Form("a list of tables: factors, each with a level or a list of them"), Not("none"), "Combinations that are no conditions.", "[[leave_out]]"),
    key(TOP, "conditions", KeyKind::Form("a table of tab-separated values, or { one_of, assign }"), Not("none"), "Conditions from a table instead of [factor]: columns are factors, rows are conditions, the column weight says how often.", r#"conditions = "conditions.tsv""#),
    key(TOP, "set", KeyKind::Form("a table in the shape of the trial file"), Not("none"), "What of the trial file is set in steps that run conditions. A value is given, or { factor = NAME }, or { result = STEP.NAME, times, within }.", "[set]"),
    key(TOP, "sessions", KeyKind::Count(1, 100), Is("1"), "How many sessions each participant has.", "sessions = 2"),
    key(TOP, "after", KeyKind::Form("a table, or a list of them"), Not("whenever"), "How long after a session the next one may begin. If somebody comes earlier, later, or before the session is complete, the experimenter is asked.", r#"after = { session = 1, at_least = "6 d", at_most = "8 d" }"#),
    key(TOP, "session", KeyKind::Form("a table"), Not("none"), "Session as a factor.", "[session]"),
    key(TOP, "members", KeyKind::Form("a list of at least two names"), Not("none"), "Each label stands for several people, who tap together. Each person taps on the input with their name, and has their own fields and questions.", r#"members = ["left", "right"]"#),
    key(TOP, "ask_after", KeyKind::Time(0, 365 * DAY), Is(r#""30 min""#), "After a longer pause a session asks before it goes on.", r#"ask_after = "10 min""#),
    key(TOP, "blind", KeyKind::Flag, Is("false"), "Whether conditions and asynchronies are kept from the experimenter while a session runs.", "blind = true"),
    key(TOP, "language", KeyKind::Form("a language as in web pages (BCP 47)"), Is(r#""en""#), "The language of the study's texts, so that browsers read them aloud and break their lines as they should.", r#"language = "de""#),
    key(TOP, "words", KeyKind::Form("a table of texts"), Not("English words"), "What participants read besides the texts and questions of the study.", "[words]"),
    key(TOP, "level_words", KeyKind::Form("factors, each with levels and a text for each"), Not("the levels themselves"), "What participants read for a level where a text has the name of its factor in braces.", r#"level_words.hand = { left = "linke Hand", right = "rechte Hand" }"#),
    key(TOP, "translation", KeyKind::Form("tables, each under its language"), Not("none"), "The study in other languages. Each session is in one of them; what is recorded is the same in all.", "[translation.de]"),
    key(TOP, "participant", KeyKind::Form("a table of fields"), Not("none"), "What is asked of each participant before the first step of session 1.", "[participant]"),
    key(TOP, "question", KeyKind::Form("tables, each under its name"), Not("none"), "What steps may ask.", "[question.effort]"),
    key(TOP, "staircase", KeyKind::Form("tables, each under its name"), Not("none"), "Parameters that follow the answers.", "[staircase.late]"),
    key(TOP, "outcome", KeyKind::Form("a table"), Not("none"), "What the study is for: `analyze` makes a table of it, and the report opens with it.", "[outcome]"),
    key(TOP, "contrast", KeyKind::Form("a list of tables"), Not("none"), "Contrasts planned besides the outcome: `analyze` makes a table of them, corrected for their number.", "[[contrast]]"),
    key(TOP, "step", KeyKind::Form("a list of tables"), Not("must be given"), "What is done, in this order.", "[[step]]"),
    key(FTAP, "reading", KeyKind::Form("a text NAME=VALUE, or a list of them"), Not("the usual readings"), "How to read what FTAP's documents leave open, as `--reading` of `import-ftap`.", r#"reading = ["count=tones", "FEED_NOTE=60"]"#),
    key(FTAP, "without", KeyKind::Form("the name of a part, or a list of them"), Not("none"), "What is dropped of the files that no trial file can say, as `--without` of `import-ftap`.", r#"without = ["unknown"]"#),
    key("conditions", "one_of", KeyKind::Form("a list of tables of tab-separated values with the same columns"), Not("must be given"), "Fixed lists of conditions, of which each participant has one.", r#"conditions = { one_of = ["list-a.tsv", "list-b.tsv"], assign = "latin" }"#),
    key("conditions", "assign", KeyKind::Choice(&words_of(&choices::ASSIGN)), Not("must be given"), "By the participant's place in turn, or by a draw from seed and label.", r#"conditions = { one_of = ["list-a.tsv", "list-b.tsv"], assign = "latin" }"#),
    key(BETWEEN, "levels", KeyKind::Form("a list of levels"), Not("must be given"), "The levels of the factor.", r#"group = { levels = ["patient", "control"], chosen = true }"#),
    key(BETWEEN, "chosen", KeyKind::Flag, Is("false"), "Whether the experimenter says which level a participant has, before the first session begins. Otherwise it is drawn.", r#"group = { levels = ["patient", "control"], chosen = true }"#),
    key("session", "by", KeyKind::Form("a factor"), Not("must be given"), "The factor that has one level for each session.", r#"by = "drug""#),
    key("session", "order", KeyKind::Choice(choices::ORDERS), Not("must be given"), "Which level comes in which session.", r#"order = "latin""#),
    key(QUESTION, "text", KeyKind::Text, Not("must be given"), "What is asked.", r#"text = "How hard was that?""#),
    key(QUESTION, "optional", KeyKind::Flag, Is("false"), "Whether it may be left without an answer.", "optional = true"),
    key(QUESTION, "only_if", KeyKind::Form("a table: other questions, each with an answer or a list of them"), Not("always asked"), "Asked only if each of these was answered so before. Somebody who was not asked one of them is not asked this either.", r#"only_if = { plays = ["piano", "strings"] }"#),
    key(PARTICIPANT, "optional", KeyKind::Flag, Is("false"), "Whether it may be left without an answer.", r#"email = { question = "May we write to you? Where to?", optional = true }"#),
    key(PARTICIPANT, "only_if", KeyKind::Form("a table: other fields, each with an answer or a list of them"), Not("always asked"), "Asked only if each of these was answered so before.", r#"years = { question = "For how many years?", number = [0, 80], only_if = { plays = "yes" } }"#),
    key(SHOWN_QUESTION, "text", KeyKind::Text, Not("as in the study"), "What is asked, in this language.", r#"text = "Wie schwer war das?""#),
    key(SHOWN_FIELD, "question", KeyKind::Text, Not("as in the study"), "What is asked, in this language.", r#"age = { question = "Alter in Jahren" }"#),
    key(PARTICIPANT, "question", KeyKind::Text, Not("must be given"), "What is asked.", r#"age = { question = "Age in years", number = [18, 99] }"#),
];

/// The keys that `[outcome]` and `[[contrast]]` have in common.
#[rustfmt::skip] // one key, one entry
const fn compared(section: &'static str) -> [Key; 20] {
    [
        key(section, "of", KeyKind::Form("a statistic, a question, or \"threshold\""), Not("must be given"), "One number of each trial, answer or staircase; its mean is taken for each person.", r#"of = "mean asynchrony""#),
        key(section, "is", KeyKind::Text, Not("the answer as a number"), "Of a question with words: the answer whose share is taken.", r#"is = "yes""#),
        key(section, "signal", KeyKind::Text, Not("none"), "With `is`: the level of `over` that is the signal. Each person's number is then d', how well it is told from the other levels; hits, false alarms and the criterion stand beside it.", r#"signal = "with the music""#),
        key(section, "over", KeyKind::Form("a factor, \"step\" or \"session\""), Not("one value for each person"), "Over whose levels it is compared: the last less the first, and the slope where all levels are numbers. A contrast must have it, or `signal`, or `value`. A person's number at a level is the mean over the conditions there, each of which weighs the same.", r#"over = "delay""#),
        key(section, "levels", KeyKind::Form("two levels of `over`"), Not("the last and the first"), "The levels that are compared: the first of these less the second.", r#"levels = ["200 ms", "0 ms"]"#),
        key(section, "slope", KeyKind::Flag, Is("false"), "The mean of the people's slopes over all levels in place of a difference: least squares over the numbers in the levels, as far apart as they are, per unit of the factor. Levels are three or more, of one unit, and within people.", "slope = true"),
        key(section, "curve", KeyKind::Flag, Is("false"), "In place of a difference the mean of the people's quadratic trends: the factor of the square in the parabola of least squares over the numbers in the levels, which is orthogonal to the linear trend however far apart they are. Above 0 it is a U. Levels as for `slope`.", "curve = true"),
        key(section, "least", KeyKind::Flag, Is("false"), "In place of a difference the place on the factor where the people's mean parabola has its bottom, with the interval of Fieller (1954); its t and p are those of `curve`, because a line has no bottom. Levels as for `slope`.", "least = true"),
        key(section, "greatest", KeyKind::Flag, Is("false"), "The same of its top.", "greatest = true"),
        key(section, "value", KeyKind::Number(f64::MIN, f64::MAX), Not("0 of differences and slopes"), "A number, in the unit of the statistic, against which each person's number is tested, in place of a comparison of levels: with `level` that at one level, else the mean over all conditions, each of which weighs the same. With `slope`: the slope is tested against it.", "value = 1"),
        key(section, "level", KeyKind::Form("a level of `over`"), Not("all"), "The level at which people's numbers are taken, in place of a comparison: their mean, or with `value` their test against it. A contrast must have the value.", r#"level = "phase shift""#),
        key(section, "by", KeyKind::Form("a factor, \"step\" or \"session\""), Not("none"), "With `over`, an interaction: how much its last level less its first differs between the last level of this factor and its first.", r#"by = "group""#),
        key(section, "by_levels", KeyKind::Form("two levels of `by`"), Not("the last and the first"), "The levels of `by`, as `levels`.", r#"by_levels = ["old", "young"]"#),
        key(section, "step", KeyKind::Form("a step"), Not("all but practice"), "The step whose trials count.", r#"step = "main""#),
        key(section, "stretch", KeyKind::Text, Not("whole trials"), "The part of a trial from one change of its pacing to the next. It has the name of the stream that paces it, from the second one on with a number, as in \"metronome 2\" behind a step of tempo; where nothing paces it is \"continuation\", before any pacing \"self-paced\". `check` refuses a name that no trial has and tells those that there are.", r#"stretch = "continuation""#),
        key(section, "input", KeyKind::Text, Not("all"), "The input, by its name in the trial file.", r#"input = "left""#),
        key(section, "against", KeyKind::Text, Not("all"), "The stream that it is measured against, or the taps of another input.", r#"against = "taps of left""#),
        key(section, "if_above", KeyKind::Text, Not("none"), "The answer in plain words where its 95 % interval lies above `value`, or above 0 where there is no `value`. It stands before the sentence with the statistics. {value} is the number, {size} the same without its sign, {percent} the size in hundredths, {points} the same of a difference of two shares (in percentage points), {level} and {less} the levels that are compared; the interval and the number of people are added.", r#"if_above = "Taps come {size} after the tones.""#),
        key(section, "if_below", KeyKind::Text, Not("none"), "The same where the interval lies below.", r#"if_below = "Taps come {size} before the tones.""#),
        key(section, "if_open", KeyKind::Text, Not("none"), "The same where the interval holds the value, and of a contrast where it is not found after Holm.", r#"if_open = "These data leave open whether taps come early.""#),
    ]
}
static OF_OUTCOME: [Key; 20] = compared(OUTCOME);
static OF_CONTRAST: [Key; 20] = compared(CONTRAST);

/// Every further key, in the order of the reference.
#[rustfmt::skip] // one key, one entry
static ROWS: &[Key] = &[
    key(AFTER, "session", KeyKind::Count(1, 99), Not("must be given"), "The session after which the next one is to wait.", "after = { session = 1, at_least = \"6 d\" }"),
    key(AFTER, "at_least", KeyKind::Time(0, 3_650 * DAY), Not("at once"), "From the end of that session to the beginning of the next, at least.", "after = { session = 1, at_least = \"6 d\" }"),
    key(AFTER, "nights", KeyKind::Count(1, 99), Not("none need be"), "How many nights must lie between, at least. A night is over at 4 o'clock by the clock of the computer: who ends in the evening or after midnight may come in the morning. With `at_least` both must have passed.", "after = { session = 1, nights = 1 }"),
    key(AFTER, "at_most", KeyKind::Time(0, 3_650 * DAY), Not("whenever"), "The same at most.", "after = { session = 1, at_least = \"6 d\", at_most = \"8 d\" }"),
    key(OUTCOME, "also", KeyKind::Form("list of statistics and questions"), Not("none"), "Further numbers of the same trials, over the same levels: each has its sentence, its figure and its column. Answers, and statistics without a value for a stretch, are of the whole trial also beside `stretch`.", r#"also = ["motor variance"]"#),
    key(CONTRAST, "each", KeyKind::Flag, Is("false"), "Every level of the factor `over` less the first, in the order of the study: each is a contrast of its own, called by the name and the level; with `by` each is the interaction with its levels. All are corrected for their number together with the other contrasts.", "each = true"),
    key(CONTRAST, "name", KeyKind::Text, Not("must be given"), "What the contrast is called in tables, figures and sentences.", r#"name = "late feedback""#),
    key(STEP, "name", KeyKind::Form("letters, digits, _ and -"), Not("must be given in a step with trials"), "The step's name in plan and dataset.", r#"name = "main""#),
    key(STEP, "trial", KeyKind::Form("a trial file beside this one"), Not("that of the top of the file"), "The trial file of this step.", r#"trial = "practice.toml""#),
    key(STEP, "say", KeyKind::Form("a text file beside this one"), Not("none"), "Shown first; it goes on at a tap, a key, or the experimenter's word. Names of factors in braces are filled in: {tempo}.", r#"say = "welcome.md""#),
    key(STEP, "text", KeyKind::Text, Not("none"), "The same, given here.", r#"text = "Tap at {tempo}.""#),
    key(STEP, "session", KeyKind::Form("a session's number, or a list of them"), Not("all sessions"), "The sessions that the step belongs to.", "session = 1"),
    key(STEP, "only", KeyKind::Form("factors, each with a level or a list of them"), Not("none"), "The step is only for participants or sessions with this level; for a factor within participants, it runs only the conditions with it.", r#"only = { hand = "left" }"#),
    key(STEP, "block", KeyKind::Form("a table"), Not("one block"), "One block for each level of a factor.", r#"block = { by = "tempo", order = "williams", say = "block.md" }"#),
    key(STEP, "repetitions", KeyKind::Count(1, 100_000), Is("1"), "How many times each condition comes in each block, multiplied by its weight.", "repetitions = 3"),
    key(STEP, "shuffle", KeyKind::Choice(choices::SHUFFLES), Not("must be given, or order, with several conditions"), "Each repetition in an order of its own, all trials of a block in one, or the order of the file.", r#"shuffle = "each repetition""#),
    key(STEP, "order", KeyKind::Choice(choices::SQUARES), Not("none"), "In place of shuffle: a row of a square for each repetition.", r#"order = "williams""#),
    key(STEP, "at_most_in_a_row", KeyKind::Form("factors, each with a whole number from 1"), Not("none"), "At most this many trials with the same level follow each other.", "at_most_in_a_row = { delay = 2 }"),
    key(STEP, "not_first", KeyKind::Form("factors, each with a level or a list of them"), Not("none"), "The first trial of a block does not have this level.", r#"not_first = { delay = "200 ms" }"#),
    key(STEP, "apart", KeyKind::Form("factors, each with a whole number from 2"), Not("none"), "The places of equal levels differ by at least this number; 2 means no immediate repeat.", "apart = { delay = 2 }"),
    key(STEP, "until", KeyKind::Form("a table"), Not("none"), "Practice: the trial is done again until this criterion is reached.", r#"until = { hits = 8, of = 10, within = "80 ms" }"#),
    key(STEP, "at_most", MANY, Not("must be given with until"), "Practice ends after this many trials.", "at_most = 5"),
    key(STEP, "otherwise", KeyKind::Choice(&words_of(&choices::OTHERWISE)), Is(r#""ask""#), "What happens if practice does not reach its criterion: the experimenter is asked, the session goes on, or it stops.", r#"otherwise = "ask""#),
    key(STEP, "go", KeyKind::Choice(&words_of(&choices::GO)), Is(r#""at once""#), "What starts each trial. In a step that is only a text: what ends it, which is a tap, a key, or the experimenter's word if it is not given.", r#"go = "tap""#),
    key(STEP, "gap", KeyKind::Form("time, 0 s to 24 h, or two of them, least and greatest"), Is(r#""1 s""#), "The pause before each trial; between two times it is drawn.", r#"gap = ["1 s", "3 s"]"#),
    key(STEP, "rest", KeyKind::Form("a table"), Not("none"), "Pauses between trials; in a step without trials, one pause.", r#"rest = { every = 9, for = "30 s" }"#),
    key(STEP, "ask", KeyKind::Form("a question, or a list of them"), Not("none"), "Asked after each trial; in a step without trials, once. \"participant\" asks here what [participant] asks, instead of before the first step.", r#"ask = ["effort"]"#),
    key(STEP, "tell", KeyKind::Text, Not("none"), "Shown to the participant after each trial and its questions. It may have results that the step keeps, of this trial, as in {practice.early}; practice to hits has {practice.hits}.", r#"tell = "Your taps came {practice.early} from the tones.""#),
    key(STEP, "stop_if", KeyKind::Form("questions of this step, each with an answer or a list of them"), Not("none"), "In a step that asks: after these answers nothing more is run, and the person takes no further part; see ends.", r#"stop_if = { consent = "no" }"#),
    key(STEP, "ends", KeyKind::Choice(&words_of(&choices::ENDS)), Is("\"participation\""), "What an answer of stop_if ends: all of the person's participation, or this session alone, so that the next one comes as planned.", r#"ends = "session""#),
    key(STEP, "stop_text", KeyKind::Text, Is("\"Thank you. The session ends here.\""), "What is shown then.", r#"stop_text = "Thank you for coming.""#),
    key(STEP, "redo", KeyKind::Form("a table"), Not("none"), "Which trials are done again.", r#"redo = { if_any = ["timing failed", "taps < 30"], at_most = 2, place = "block end" }"#),
    key(STEP, "keep", KeyKind::Form("names, each with a statistic"), Not("none"), "Results for later steps; over several trials the median.", r#"keep = { tempo = "median interval" }"#),
    key(STEP, "set", KeyKind::Form("as at the top of the file"), Not("none"), "What this step sets in its trial file, stronger than [set].", r#"set.pacing.metronome.interval = "500 ms""#),
    key(STEP, "staircases", KeyKind::Form("a staircase, or a list of them"), Not("none"), "The staircases that run in this step.", r#"staircases = ["late", "early"]"#),
    key(STEP, "interleave", KeyKind::Choice(&words_of(&choices::INTERLEAVE)), Not("must be given with several staircases"), "How staircases take turns.", r#"interleave = "random""#),
    key(STEP, "same_seed", KeyKind::Flag, Is("false"), "Every trial has the seed that its trial file names.", "same_seed = true"),
    key("step.block", "by", KeyKind::Form("a factor within participants"), Not("must be given"), "One block for each of its levels.", r#"block = { by = "tempo", order = "latin" }"#),
    key("step.block", "order", KeyKind::Form(r#""latin", "williams", "shuffle", "file", or { by = FACTOR, LEVEL = [...] }"#), Not("must be given with several blocks"), "The order of the blocks. It is drawn once.", r#"block = { by = "tempo", order = { by = "hand", left = ["400 ms", "600 ms"], right = ["600 ms", "400 ms"] } }"#),
    key("step.block", "say", KeyKind::Form("a text file beside this one"), Not("none"), "Shown before each block.", r#"block = { by = "tempo", order = "file", say = "block.md" }"#),
    key("step.block", "text", KeyKind::Text, Not("none"), "The same, given here.", r#"block = { by = "tempo", order = "file", text = "Next: {tempo}." }"#),
    key("step.block", "ask", KeyKind::Form("a question, or a list of them"), Not("none"), "Asked after each block.", r#"block = { by = "tempo", order = "file", ask = "effort" }"#),
    key("step.until", "hits", MANY, Not("none; give hits or if_all"), "How many of the last beats must be hit.", r#"until = { hits = 8, of = 10, within = "80 ms" }"#),
    key("step.until", "of", KeyKind::Form("whole number, from hits"), Not("must be given with hits"), "How many of the last audible beats of a trial are looked at.", r#"until = { hits = 8, of = 10, within = "80 ms" }"#),
    key("step.until", "within", KeyKind::Time(1, 10_000_000_000), Not("must be given with hits"), "A beat is hit if its tap is within this time before or after it.", r#"until = { hits = 8, of = 10, within = "80 ms" }"#),
    key("step.until", "if_all", KeyKind::Form("a list of comparisons"), Not("none; give hits or if_all"), "All of these must hold of one trial.", r#"until = { if_all = ["sd asynchrony < 40 ms"] }"#),
    key("step.rest", "every", KeyKind::Form("whole number of trials, from 1, or a time, 1 s to 24 h"), Not("must be given in a step with trials"), "A rest comes after this many planned trials, or this much time; never after the last trial.", r#"rest = { every = 9, for = "30 s" }"#),
    key("step.rest", "for", KeyKind::Time(0, DAY), Is(r#""0 s""#), r#"How long it lasts at least; exactly so long with go = "at once"."#, r#"rest = { every = "10 min", for = "1 min" }"#),
    key("step.rest", "go", KeyKind::Choice(&words_of(&choices::GO)), Is(r#""key""#), "What ends it, once its time is over.", r#"rest = { every = 9, for = "30 s", go = "at once" }"#),
    key("step.redo", "if_any", KeyKind::Form(r#"a list of "timing failed", "data unusable", "input lost", or comparisons"#), Not("must be given"), "A trial is run again if one of these is true.", r#"redo = { if_any = ["taps < 30"], at_most = 2, place = "at once" }"#),
    key("step.redo", "at_most", MANY, Is("1"), "How many times each trial is run again at most.", r#"redo = { if_any = ["taps < 30"], at_most = 2, place = "at once" }"#),
    key("step.redo", "place", KeyKind::Choice(&words_of(&choices::REDO)), Not("must be given"), "When: before the next trial, or after the block in the order of failure.", r#"redo = { if_any = ["taps < 30"], at_most = 2, place = "block end" }"#),
    key(STAIR, "set", KeyKind::Form("the path of a key of the trial file"), Not("must be given"), "What follows the answers.", r#"set = "pacing.metronome.change.probe.onset_shift""#),
    key(STAIR, "start", KeyKind::Form("a time or a number"), Not("must be given"), "The level of the first trial.", r#"start = "60 ms""#),
    key(STAIR, "rule", KeyKind::Form(r#""N down M up" or "quest""#), Not("must be given"), "N correct answers in a row lower the level, M wrong ones raise it; with quest, each trial is where its answer tells most (Watson and Pelli, 1983).", r#"rule = "2 down 1 up""#),
    key(STAIR, "step", KeyKind::Form(r#"a size or a list of them, above 0, or factors such as "x 1.5""#), Not(r#"must be given, but for "quest""#), "By how much the level changes; one on at each reversal. A factor multiplies the level on the way up and divides it on the way down.", r#"step = ["16 ms", "8 ms", "4 ms"]"#),
    key(STAIR, "weight", KeyKind::Number(0.01, 100.0), Is("1"), r#"A step up is this many times a step down; of a factor, its power. With "1 down 1 up", p / (1 - p) finds the level of a share p of correct answers."#, "weight = 3"),
    key(STAIR, "width", KeyKind::Form("a size, above 0"), Not(r#"must be given for "quest""#), "The distance of levels over which answers go from 5 % to 95 % of the way from guessing to lapses.", r#"width = "60 ms""#),
    key(STAIR, "guess", KeyKind::Number(0.0, 0.95), Not(r#"must be given for "quest""#), "The share of correct answers far below the threshold: 0.5 if one of two is chosen.", "guess = 0.5"),
    key(STAIR, "lapse", KeyKind::Number(0.0, 0.5), Is("0.02"), r#"For "quest": the share of wrong answers far above the threshold."#, "lapse = 0.02"),
    key(STAIR, "prior_sd", KeyKind::Form("a size, above 0"), Not("all levels of between are equally likely"), r#"For "quest": thresholds are expected to spread around start by this standard deviation."#, r#"prior_sd = "40 ms""#),
    key(STAIR, "between", KeyKind::Form("two levels, least and greatest"), Not("must be given"), "Levels stay within these.", r#"between = ["1 ms", "200 ms"]"#),
    key(STAIR, "stop", KeyKind::Form(r#""N reversals", "N trials", or for "quest" "sd < SIZE""#), Not("must be given"), "When it has its threshold; trials are those that were answered.", r#"stop = "8 reversals""#),
    key(STAIR, "at_most", MANY, Not("must be given"), "It stops after this many trials in any case.", "at_most = 80"),
    key(STAIR, "correct", KeyKind::Form(r#""note NAME""#), Not("must be given"), "Which answer is correct; any other tap is wrong.", r#"correct = "note C4""#),
    key(STAIR, "answer", KeyKind::Form("{ after, delay } or { from }"), Not("from the last tone of the stream that ends last; from the start of the trial where no stream ends"), "From when on a tap is an answer. A tap before that is none; of those after it the first counts.", r#"answer = { after = "metronome" }"#),
    key(STAIR, "none", KeyKind::Choice(&words_of(&choices::NONE_IS_WRONG)), Is(r#""repeat""#), "What no answer does: the level is tried again, or it counts as wrong.", r#"none = "wrong""#),
    key(ANSWER, "after", KeyKind::Form("a pacing stream with a number of beats"), Not("must be given, or from"), "From the last tone of this stream on.", r#"answer = { after = "metronome" }"#),
    key(ANSWER, "delay", KeyKind::Time(0, DAY), Is(r#""0 s""#), "So long after that tone.", r#"answer = { after = "metronome", delay = "200 ms" }"#),
    key(ANSWER, "from", KeyKind::Time(0, DAY), Not("must be given, or after"), "From this time of the trial on.", r#"answer = { from = "4.2 s" }"#),
    key(WORDS, "go_on", KeyKind::Text, Is(r#""Go on""#), "On the button under a text or a question.", r#"go_on = "Weiter""#),
    key(WORDS, "or_press_a_pad", KeyKind::Text, Is(r#""Or press a pad to go on.""#), "Under a text, beside the button.", r#"or_press_a_pad = "Oder schlag ein Pad an.""#),
    key(WORDS, "press_a_pad", KeyKind::Text, Is(r#""Press a pad to go on.""#), "Where a tap goes on.", r#"press_a_pad = "Schlag ein Pad an, um weiterzugehen.""#),
    key(WORDS, "way_out", KeyKind::Text, Is(r#""While you tap, the keyboard types nothing. To end the trial, hold Escape for two seconds.""#), "Before a trial that is tapped on the only keyboard of the computer.", r#"way_out = "Während du tippst, schreibt die Tastatur nichts. Escape zwei Sekunden halten beendet den Durchgang.""#),
    key(WORDS, "press_the_button", KeyKind::Text, Is(r#""Press the button to go on.""#), "Where the button goes on.", r#"press_the_button = "Drück den Knopf, um weiterzugehen.""#),
    key(WORDS, "wait", KeyKind::Text, Is(r#""Please wait a moment.""#), "Where there is nothing to do.", r#"wait = "Einen Moment, bitte.""#),
    key(WORDS, "wait_for_experimenter", KeyKind::Text, Is(r#""Please wait for the experimenter.""#), "Where the experimenter goes on.", r#"wait_for_experimenter = "Bitte warte auf die Versuchsleitung.""#),
    key(WORDS, "rest", KeyKind::Text, Is(r#""A rest""#), "In a rest.", r#"rest = "Pause""#),
    key(WORDS, "rest_how", KeyKind::Text, Is(r#""Lean back. It goes on by itself or when you are asked to.""#), "In a rest, below.", r#"rest_how = "Lehn dich zurück. Es geht von selbst weiter, oder du wirst gebeten.""#),
    key(WORDS, "thank_you", KeyKind::Text, Is(r#""Thank you.""#), "At the end of a session.", r#"thank_you = "Danke.""#),
    key(WORDS, "over", KeyKind::Text, Is(r#""This part is over. Please wait for the experimenter.""#), "At the end of a session, below.", r#"over = "Dieser Teil ist vorbei. Bitte warte auf die Versuchsleitung.""#),
    key(WORDS, "tap_now", KeyKind::Text, Is(r#""Tap now""#), "What the cross of a trial is called when pages are read aloud.", r#"tap_now = "Jetzt tippen""#),
    key(WORDS, "title", KeyKind::Text, Is(r#""Experiment""#), "The title of the participant's page.", r#"title = "Experiment""#),
    key(WORDS, "fill_the_screen", KeyKind::Text, Is(r#""Fill the screen""#), "On the button that lets the page fill the screen.", r#"fill_the_screen = "Ganzer Bildschirm""#),
    key(WORDS, "again", KeyKind::Text, Is(r#""Please try once more.""#), "Where an answer did not arrive.", r#"again = "Bitte versuch es noch einmal.""#),
    key(WORDS, "choose_one", KeyKind::Text, Is(r#""Please choose one.""#), "Where nothing was chosen.", r#"choose_one = "Bitte wähle eines aus.""#),
    key(WORDS, "answer_with", KeyKind::Text, Is(r#""Please answer with {answer}.""#), "Where an answer cannot be taken; {answer} is one of the following.", r#"answer_with = "Bitte antworte mit: {answer}.""#),
    key(WORDS, "whole_number", KeyKind::Text, Is(r#""a whole number from {least} to {greatest}""#), "Which answers are allowed: a number of a scale.", r#"whole_number = "eine ganze Zahl von {least} bis {greatest}""#),
    key(WORDS, "number", KeyKind::Text, Is(r#""a number from {least} to {greatest}""#), "Which answers are allowed: a number.", r#"number = "eine Zahl von {least} bis {greatest}""#),
    key(WORDS, "time", KeyKind::Text, Is(r#""a time from {least} to {greatest}""#), "Which answers are allowed: a time.", r#"time = "eine Zeit von {least} bis {greatest}""#),
    key(WORDS, "one_of", KeyKind::Text, Is(r#""one of {choices}""#), "Which answers are allowed: a choice.", r#"one_of = "eines von: {choices}""#),
    key(WORDS, "some_of", KeyKind::Text, Is(r#""one or several of {choices}, with ; between them""#), "Which answers are allowed: several choices.", r#"some_of = "eines oder mehrere von {choices}, mit ; dazwischen""#),
    key(WORDS, "date", KeyKind::Text, Is(r#""a day from {least} to {greatest}, as year-month-day""#), "Which answers are allowed: a day.", r#"date = "ein Tag von {least} bis {greatest}, als Jahr-Monat-Tag""#),
    key(WORDS, "lines", KeyKind::Text, Is(r#""a text""#), "Which answers are allowed: a text of several lines.", r#"lines = "ein Text""#),
    key(WORDS, "optional", KeyKind::Text, Is(r#""{answer}, or nothing""#), "Which answers are allowed: nothing as well.", r#"optional = "{answer}, oder nichts""#),
    key(WORDS, "line", KeyKind::Text, Is(r#""a text of one line""#), "Which answers are allowed: a text.", r#"line = "ein Text von einer Zeile""#),
    key(WORDS, "range", KeyKind::Text, Is(r#""{least} to {greatest}""#), "In the empty field for a number or a time.", r#"range = "{least} bis {greatest}""#),
    key(WORDS, "rest_for", KeyKind::Text, Is(r#""Rest: {seconds} s.""#), "In a rest, on a terminal.", r#"rest_for = "Pause: {seconds} s.""#),
    key(WORDS, "rest_over", KeyKind::Text, Is(r#""The rest is over.""#), "After a rest, on a terminal.", r#"rest_over = "Die Pause ist vorbei.""#),
    key(WORDS, "tap_or_enter", KeyKind::Text, Is(r#""Tap, or press Enter, to go on.""#), "Where a tap goes on, on a terminal.", r#"tap_or_enter = "Tippe, oder drück die Eingabetaste, um weiterzugehen.""#),
    key(WORDS, "press_enter", KeyKind::Text, Is(r#""Press Enter to go on.""#), "Where a key goes on, on a terminal.", r#"press_enter = "Drück die Eingabetaste, um weiterzugehen.""#),
    key(WORDS, "experimenter_enters", KeyKind::Text, Is(r#""The experimenter goes on with Enter.""#), "Where the experimenter goes on, on a terminal.", r#"experimenter_enters = "Die Versuchsleitung geht mit der Eingabetaste weiter.""#),
    key(TRANSLATION, "words", KeyKind::Form("a table of texts"), Not("English words"), "As [words], in this language.", "[translation.de.words]"),
    key(TRANSLATION, "level_words", KeyKind::Form("factors, each with levels and a text for each"), Not("as in the study"), "As level_words at the top of the file, in this language.", r#"level_words.hand = { left = "linke Hand", right = "rechte Hand" }"#),
    key(TRANSLATION, "question", KeyKind::Form("tables, each under its name"), Not("as in the study"), "Questions of the study in this language.", "[translation.de.question.effort]"),
    key(TRANSLATION, "participant", KeyKind::Form("a table of fields"), Not("as in the study"), "What is asked of each participant, in this language.", "[translation.de.participant]"),
    key(TRANSLATION, "step", KeyKind::Form("tables, each under the name of a step"), Not("as in the study"), "The texts of the steps in this language.", "[translation.de.step.main]"),
    key(SHOWN_STEP, "say", KeyKind::Form("a text file beside this one"), Not("as in the study"), "Shown in place of the step's text. It may have the names in braces that that has.", r#"say = "welcome.de.md""#),
    key(SHOWN_STEP, "text", KeyKind::Text, Not("as in the study"), "The same, given here.", r#"text = "Tippen Sie bei {tempo}.""#),
    key(SHOWN_STEP, "block", KeyKind::Form("{ say } or { text }"), Not("as in the study"), "Shown in place of the text before each block.", r#"block = { text = "Jetzt: {tempo}." }"#),
    key(SHOWN_STEP, "tell", KeyKind::Text, Not("as in the study"), "Shown in place of what the step tells after each trial.", r#"tell = "{main.hits} von 10 Tönen getroffen.""#),
    key(SHOWN_STEP, "stop_text", KeyKind::Text, Not("as in the study"), "Shown in place of the step's stop_text.", r#"stop_text = "Danke, dass Sie hier waren.""#),
    key(SHOWN_BLOCK, "say", KeyKind::Form("a text file beside this one"), Not("as in the study"), "Shown in place of the text before each block.", r#"block = { say = "block.de.md" }"#),
    key(SHOWN_BLOCK, "text", KeyKind::Text, Not("as in the study"), "The same, given here.", r#"block = { text = "Jetzt: {tempo}." }"#),
    key(FROM, "factor", KeyKind::Form("a factor"), Not("none"), "The value is the level of this factor.", r#"{ factor = "tempo" }"#),
    key(FROM, "result", KeyKind::Form("STEP.NAME"), Not("none"), "The value is what an earlier step keeps.", r#"{ result = "own_tempo.tempo" }"#),
    key(FROM, "times", KeyKind::Form("a number, or { factor = NAME }"), Is("1"), "By what a result is multiplied.", r#"{ result = "own_tempo.tempo", times = 1.2 }"#),
    key(FROM, "within", KeyKind::Form("two values, least and greatest"), Not("no bounds"), "Outside of these the session asks the experimenter.", r#"{ result = "own_tempo.tempo", within = ["300 ms", "1.5 s"] }"#),
];

/// The English words stand in the table, as defaults.
impl Default for Words {
    fn default() -> Words {
        let english = |key: &Key| (key.name.to_owned(), english(key).to_owned());
        Words::in_english(KEYS.within(WORDS).map(english).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::words::names_in;
    use chronotap_config::trial_files::reading::Node;

    #[test]
    fn every_key_has_a_section_a_meaning_and_an_example() {
        for key in KEYS.all() {
            assert!(KEYS.sections().any(|of| of.name == key.section), "{}", key.name);
            assert!(key.meaning.ends_with('.') && !key.example.is_empty(), "{}", key.name);
            let same = KEYS.within(key.section).filter(|other| other.name == key.name);
            assert_eq!(same.count(), 1, "{}.{}", key.section, key.name);
        }
        assert!(reference().lines().count() > KEYS.all().count() * 4);
    }

    #[test]
    fn every_default_is_toml() {
        for key in KEYS.all() {
            if let Is(text) = key.default {
                assert!(Node::parse(text).is_some(), "{}.{}: {text}", key.section, key.name);
            }
        }
    }

    #[test]
    fn every_word_has_an_english_text_and_an_example_with_the_same_names_in_braces() {
        let words = Words::default();
        for key in KEYS.within(WORDS) {
            assert!(!words.get(key.name).is_empty(), "{}", key.name);
            let mut named = [english(key), key.example].map(|text| {
                let mut names: Vec<&str> = names_in(text).collect();
                names.sort_unstable();
                names
            });
            assert_eq!(std::mem::take(&mut named[0]), named[1], "{}", key.name);
        }
    }
}

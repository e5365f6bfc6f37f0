//! Every key of an experiment file, in one table: where it stands, what it may hold, its
//! default, what it means. The search for the nearest name and the reference in
//! `docs/experiment-files.md` come from here, so that neither says what the other does not.

/// One key.
pub(crate) struct Key {
    /// Where it stands; empty at the top of the file.
    pub section: &'static str,
    /// The key.
    pub name: &'static str,
    /// What it may hold, with unit and range.
    pub holds: &'static str,
    /// What holds where it is not given.
    pub default: &'static str,
    /// What it means.
    pub meaning: &'static str,
    /// A line as it could stand in a file.
    pub example: &'static str,
}

/// The sections in the order of the reference, each with its title.
pub(crate) const SECTIONS: [(&str, &str); 13] = [
    ("", "The top of the file"),
    ("conditions", "conditions = { ... }: one of several tables for each participant"),
    ("session", "[session]: session as a factor"),
    ("question.NAME", "[question.NAME]: what a participant is asked at a step"),
    ("participant.NAME", "[participant] NAME = { ... }: what is asked once"),
    ("step", "[[step]]: what is done, in the order of the file"),
    ("step.block", "block = { ... }: one block for each level of a factor"),
    ("step.until", "until = { ... }: practice to a criterion"),
    ("step.rest", "rest = { ... }: pauses"),
    ("step.redo", "redo = { ... }: trials that are done again"),
    ("staircase.NAME", "[staircase.NAME]: a parameter that follows the answers"),
    ("words", "[words]: what participants read besides the texts of the study"),
    ("from", "PATH = { ... } in set: where a value is from"),
];

/// Where the value of a setting is from; told apart from paths by these keys.
pub(crate) const FROM: &str = "from";

const fn key(
    section: &'static str,
    name: &'static str,
    holds: &'static str,
    default: &'static str,
    meaning: &'static str,
    example: &'static str,
) -> Key {
    Key { section, name, holds, default, meaning, example }
}

const TOP: &str = "";
const STEP: &str = "step";
const STAIR: &str = "staircase.NAME";
/// What a session says to its participant.
pub(crate) const WORDS: &str = "words";

/// Every key, in the order of the reference.
#[rustfmt::skip] // one key, one entry
pub(crate) const ALL: &[Key] = &[
    key(TOP, "title", "text", "the name of the file", "What the study is called.", "title = \"Delayed feedback at two tempi\""),
    key(TOP, "description", "text", "none", "What it is for, in the experimenter's words.", "description = \"pilot\""),
    key(TOP, "reference", "text", "none", "The publication it follows.", "reference = \"Finney (1997)\""),
    key(TOP, "task", "letters and digits", "those of the file's name", "The BIDS task label of the dataset.", "task = \"delay\""),
    key(TOP, "participants", "whole number, 1 to 100000", "1", "How many are planned. Labels are padded to its digits, to at least two.", "participants = 24"),
    key(TOP, "seed", "whole number, from 0", "1", "Everything that is drawn is made of this number, the participant's label and the session.", "seed = 1"),
    key(TOP, "trial", "a trial file beside this one", "none; then each step names its own", "The trial file of every step that names no other.", "trial = \"sync.toml\""),
    key(TOP, "factor", "a table: names, each with a list of levels", "none", "The factors within participants. Conditions are all combinations of their levels, the last factor changing fastest.", "[factor]"),
    key(TOP, "between", "a table: names, each with a list of levels", "none", "The factors between participants. Each participant gets one combination of their levels.", "[between]"),
    key(TOP, "leave_out", "a list of tables: factors, each with a level or a list of them", "none", "Combinations that are no conditions.", "[[leave_out]]"),
    key(TOP, "conditions", "a table of tab-separated values, or { one_of, assign }", "none", "Conditions from a table instead of [factor]: columns are factors, rows are conditions, the column weight says how often.", "conditions = \"conditions.tsv\""),
    key(TOP, "set", "a table in the shape of the trial file", "none", "What of the trial file is set in steps that run conditions. A value is given, or { factor = NAME }, or { result = STEP.NAME, times, within }.", "[set]"),
    key(TOP, "sessions", "whole number, 1 to 100", "1", "How many sessions each participant has.", "sessions = 2"),
    key(TOP, "session", "a table", "none", "Session as a factor.", "[session]"),
    key(TOP, "members", "a list of at least two names", "none", "The label is that of several people, who tap together. Each taps on the input of its name, and has fields and questions of its own.", "members = [\"left\", \"right\"]"),
    key(TOP, "ask_after", "time, 0 s to 8760 h", "\"30 min\"", "After a longer pause a session asks before it goes on.", "ask_after = \"10 min\""),
    key(TOP, "blind", "true or false", "false", "Whether conditions and asynchronies are kept from the experimenter while a session runs.", "blind = true"),
    key(TOP, "language", "a language as in web pages (BCP 47)", "\"en\"", "The language of the study's texts, so that browsers read them aloud and break their lines as they should.", "language = \"de\""),
    key(TOP, "words", "a table of texts", "English words", "What participants read besides the texts and questions of the study.", "[words]"),
    key(TOP, "participant", "a table of fields", "none", "What is asked of each participant before the first step of session 1.", "[participant]"),
    key(TOP, "question", "tables, each under its name", "none", "What steps may ask.", "[question.effort]"),
    key(TOP, "staircase", "tables, each under its name", "none", "Parameters that follow the answers.", "[staircase.late]"),
    key(TOP, "step", "a list of tables", "must be given", "What is done, in this order.", "[[step]]"),
    key("conditions", "one_of", "a list of tables of tab-separated values with the same columns", "must be given", "Fixed lists of conditions, of which each participant has one.", "conditions = { one_of = [\"list-a.tsv\", \"list-b.tsv\"], assign = \"latin\" }"),
    key("conditions", "assign", "\"latin\" or \"shuffle\"", "must be given", "By the participant's place in turn, or by a draw from seed and label.", "conditions = { one_of = [\"list-a.tsv\", \"list-b.tsv\"], assign = \"latin\" }"),
    key("session", "by", "a factor", "must be given", "The factor that has one level for each session.", "by = \"drug\""),
    key("session", "order", "\"latin\", \"williams\", \"shuffle\" or \"file\"", "must be given", "Which level comes in which session.", "order = \"latin\""),
    key("question.NAME", "text", "text", "must be given", "What is asked.", "text = \"How hard was that?\""),
    key("question.NAME", "scale", "two whole numbers from -1000 to 1000, least and greatest", "none", "The answer is a number of this scale.", "scale = [1, 7]"),
    key("question.NAME", "labels", "a list of two texts, or of one for each number", "none", "What the ends of the scale mean, or each number.", "labels = [\"very easy\", \"very hard\"]"),
    key("question.NAME", "choice", "a list of texts", "none", "The answer is one of these.", "choice = [\"yes\", \"no\"]"),
    key("question.NAME", "number", "two numbers, least and greatest", "none; without scale, choice and number the answer is text", "The answer is a number between these.", "number = [0, 100]"),
    key("participant.NAME", "question", "text", "must be given", "What is asked.", "age = { question = \"Age in years\", number = [18, 99] }"),
    key("participant.NAME", "scale", "two whole numbers from -1000 to 1000, least and greatest", "none", "The answer is a number of this scale.", "training = { question = \"How well do you play?\", scale = [1, 5] }"),
    key("participant.NAME", "labels", "a list of two texts, or of one for each number", "none", "What the ends of the scale mean, or each number.", "training = { question = \"How well do you play?\", scale = [1, 2], labels = [\"badly\", \"well\"] }"),
    key("participant.NAME", "choice", "a list of texts", "none", "The answer is one of these.", "handedness = { question = \"Which hand do you write with?\", choice = [\"left\", \"right\", \"both\"] }"),
    key("participant.NAME", "number", "two numbers, least and greatest", "none; without scale, choice and number the answer is text", "The answer is a number between these.", "age = { question = \"Age in years\", number = [18, 99] }"),
    key(STEP, "name", "letters, digits, _ and -", "must be given in a step with trials", "The step's name in plan and dataset.", "name = \"main\""),
    key(STEP, "trial", "a trial file beside this one", "that of the top of the file", "The trial file of this step.", "trial = \"practice.toml\""),
    key(STEP, "say", "a text file beside this one", "none", "Shown first; it goes on at a tap, a key, or the experimenter's word. Names of factors in braces are filled in: {tempo}.", "say = \"welcome.md\""),
    key(STEP, "text", "text", "none", "The same, given here.", "text = \"Tap at {tempo}.\""),
    key(STEP, "session", "a session's number, or a list of them", "all sessions", "The sessions that the step belongs to.", "session = 1"),
    key(STEP, "only", "factors, each with a level or a list of them", "none", "The step is only for participants or sessions with this level; for a factor within participants, it runs only the conditions with it.", "only = { hand = \"left\" }"),
    key(STEP, "block", "a table", "one block", "One block for each level of a factor.", "block = { by = \"tempo\", order = \"williams\", say = \"block.md\" }"),
    key(STEP, "repetitions", "whole number, 1 to 100000", "1", "How many times each condition comes in each block, multiplied by its weight.", "repetitions = 3"),
    key(STEP, "shuffle", "\"each repetition\", \"all\" or \"none\"", "must be given, or order, with several conditions", "Each repetition in an order of its own, all trials of a block in one, or the order of the file.", "shuffle = \"each repetition\""),
    key(STEP, "order", "\"latin\" or \"williams\"", "none", "In place of shuffle: a row of a square for each repetition.", "order = \"williams\""),
    key(STEP, "at_most_in_a_row", "factors, each with a whole number from 1", "none", "At most this many trials with the same level follow each other.", "at_most_in_a_row = { delay = 2 }"),
    key(STEP, "not_first", "factors, each with a level or a list of them", "none", "The first trial of a block does not have this level.", "not_first = { delay = \"200 ms\" }"),
    key(STEP, "apart", "factors, each with a whole number from 2", "none", "The places of equal levels differ by at least this number; 2 means no immediate repeat.", "apart = { delay = 2 }"),
    key(STEP, "until", "a table", "none", "Practice: the trial is done again until this criterion is reached.", "until = { hits = 8, of = 10, within = \"80 ms\" }"),
    key(STEP, "at_most", "whole number, from 1", "must be given with until", "Practice ends after this many trials.", "at_most = 5"),
    key(STEP, "otherwise", "\"ask\", \"go on\" or \"stop\"", "\"ask\"", "What happens if practice does not reach its criterion: the experimenter is asked, the session goes on, or it stops.", "otherwise = \"ask\""),
    key(STEP, "go", "\"at once\", \"tap\", \"key\" or \"experimenter\"", "\"at once\"", "What starts each trial.", "go = \"tap\""),
    key(STEP, "gap", "time, 0 s to 24 h, or two of them, least and greatest", "\"1 s\"", "The pause before each trial; between two times it is drawn.", "gap = [\"1 s\", \"3 s\"]"),
    key(STEP, "rest", "a table", "none", "Pauses between trials; in a step without trials, one pause.", "rest = { every = 9, for = \"30 s\" }"),
    key(STEP, "ask", "a question, or a list of them", "none", "Asked after each trial; in a step without trials, once.", "ask = [\"effort\"]"),
    key(STEP, "redo", "a table", "none", "Which trials are done again.", "redo = { if_any = [\"timing failed\", \"taps < 30\"], at_most = 2, place = \"block end\" }"),
    key(STEP, "keep", "names, each with a statistic", "none", "Results for later steps; over several trials the median.", "keep = { tempo = \"median interval\" }"),
    key(STEP, "set", "as at the top of the file", "none", "What this step sets in its trial file, stronger than [set].", "set.pacing.metronome.interval = \"500 ms\""),
    key(STEP, "staircases", "a staircase, or a list of them", "none", "The staircases that run in this step.", "staircases = [\"late\", \"early\"]"),
    key(STEP, "interleave", "\"random\" or \"in turn\"", "must be given with several staircases", "How staircases take turns.", "interleave = \"random\""),
    key(STEP, "same_seed", "true or false", "false", "Every trial has the seed that its trial file names.", "same_seed = true"),
    key("step.block", "by", "a factor within participants", "must be given", "One block for each of its levels.", "block = { by = \"tempo\", order = \"latin\" }"),
    key("step.block", "order", "\"latin\", \"williams\", \"shuffle\", \"file\", or { by = FACTOR, LEVEL = [...] }", "must be given with several blocks", "The order of the blocks. It is drawn once.", "block = { by = \"tempo\", order = { by = \"hand\", left = [\"400 ms\", \"600 ms\"], right = [\"600 ms\", \"400 ms\"] } }"),
    key("step.block", "say", "a text file beside this one", "none", "Shown before each block.", "block = { by = \"tempo\", order = \"file\", say = \"block.md\" }"),
    key("step.block", "text", "text", "none", "The same, given here.", "block = { by = \"tempo\", order = \"file\", text = \"Next: {tempo}.\" }"),
    key("step.block", "ask", "a question, or a list of them", "none", "Asked after each block.", "block = { by = \"tempo\", order = \"file\", ask = \"effort\" }"),
    key("step.until", "hits", "whole number, from 1", "none; give hits or if_all", "How many of the last beats must be hit.", "until = { hits = 8, of = 10, within = \"80 ms\" }"),
    key("step.until", "of", "whole number, from hits", "must be given with hits", "How many of the last audible beats of a trial are looked at.", "until = { hits = 8, of = 10, within = \"80 ms\" }"),
    key("step.until", "within", "time, above 0, up to 10 s", "must be given with hits", "A beat is hit if its tap is within this time before or after it.", "until = { hits = 8, of = 10, within = \"80 ms\" }"),
    key("step.until", "if_all", "a list of comparisons", "none; give hits or if_all", "All of these must hold of one trial.", "until = { if_all = [\"sd asynchrony < 40 ms\"] }"),
    key("step.rest", "every", "whole number of trials, from 1, or a time, 1 s to 24 h", "must be given in a step with trials", "A rest comes after this many planned trials, or this much time; never after the last trial.", "rest = { every = 9, for = \"30 s\" }"),
    key("step.rest", "for", "time, 0 s to 24 h", "\"0 s\"", "How long it lasts at least; exactly so long with go = \"at once\".", "rest = { every = \"10 min\", for = \"1 min\" }"),
    key("step.rest", "go", "\"at once\", \"tap\", \"key\" or \"experimenter\"", "\"key\"", "What ends it, once its time is over.", "rest = { every = 9, for = \"30 s\", go = \"at once\" }"),
    key("step.redo", "if_any", "a list of \"timing failed\", \"data unusable\", \"input lost\", or comparisons", "must be given", "A trial is run again if one of these is true.", "redo = { if_any = [\"taps < 30\"], at_most = 2, place = \"at once\" }"),
    key("step.redo", "at_most", "whole number, from 1", "1", "How many times each trial is run again at most.", "redo = { if_any = [\"taps < 30\"], at_most = 2, place = \"at once\" }"),
    key("step.redo", "place", "\"at once\" or \"block end\"", "must be given", "When: before the next trial, or after the block in the order of failure.", "redo = { if_any = [\"taps < 30\"], at_most = 2, place = \"block end\" }"),
    key(STAIR, "set", "the path of a key of the trial file", "must be given", "What follows the answers.", "set = \"pacing.metronome.change.probe.onset_shift\""),
    key(STAIR, "start", "a time or a number", "must be given", "The level of the first trial.", "start = \"60 ms\""),
    key(STAIR, "rule", "\"N down M up\" or \"quest\"", "must be given", "N correct answers in a row lower the level, M wrong ones raise it; with quest, each trial is where its answer tells most (Watson and Pelli, 1983).", "rule = \"2 down 1 up\""),
    key(STAIR, "step", "a size or a list of them, above 0", "must be given, but for \"quest\"", "By how much the level changes; one on at each reversal.", "step = [\"16 ms\", \"8 ms\", \"4 ms\"]"),
    key(STAIR, "weight", "number, 0.01 to 100", "1", "A step up is this many times a step down. With \"1 down 1 up\", p / (1 - p) finds the level of a share p of correct answers.", "weight = 3"),
    key(STAIR, "width", "a size, above 0", "must be given for \"quest\"", "The distance of levels over which answers go from 5 % to 95 % of the way from guessing to lapses.", "width = \"60 ms\""),
    key(STAIR, "guess", "a share, 0 to 0.95", "must be given for \"quest\"", "The share of correct answers far below the threshold: 0.5 if one of two is chosen.", "guess = 0.5"),
    key(STAIR, "lapse", "a share, 0 to 0.5", "0.02", "For \"quest\": the share of wrong answers far above the threshold.", "lapse = 0.02"),
    key(STAIR, "prior_sd", "a size, above 0", "all levels of between are equally likely", "For \"quest\": thresholds are expected to spread around start by this standard deviation.", "prior_sd = \"40 ms\""),
    key(STAIR, "between", "two levels, least and greatest", "must be given", "Levels stay within these.", "between = [\"1 ms\", \"200 ms\"]"),
    key(STAIR, "stop", "\"N reversals\", \"N trials\", or for \"quest\" \"sd < SIZE\"", "must be given", "When it has its threshold; trials are those that were answered.", "stop = \"8 reversals\""),
    key(STAIR, "at_most", "whole number, from 1", "must be given", "It stops after this many trials in any case.", "at_most = 80"),
    key(STAIR, "correct", "\"note NAME\"", "must be given", "Which answer is correct; any other tap is wrong.", "correct = \"note C4\""),
    key(STAIR, "none", "\"repeat\" or \"wrong\"", "\"repeat\"", "What no answer does: the level is tried again, or it counts as wrong.", "none = \"wrong\""),
    key(WORDS, "go_on", "text", "\"Go on\"", "On the button under a text or a question.", "go_on = \"Weiter\""),
    key(WORDS, "or_press_a_pad", "text", "\"Or press a pad to go on.\"", "Under a text, beside the button.", "or_press_a_pad = \"Oder schlag ein Pad an.\""),
    key(WORDS, "press_a_pad", "text", "\"Press a pad to go on.\"", "Where a tap goes on.", "press_a_pad = \"Schlag ein Pad an, um weiterzugehen.\""),
    key(WORDS, "press_the_button", "text", "\"Press the button to go on.\"", "Where the button goes on.", "press_the_button = \"Drück den Knopf, um weiterzugehen.\""),
    key(WORDS, "wait", "text", "\"Please wait a moment.\"", "Where there is nothing to do.", "wait = \"Einen Moment, bitte.\""),
    key(WORDS, "wait_for_experimenter", "text", "\"Please wait for the experimenter.\"", "Where the experimenter goes on.", "wait_for_experimenter = \"Bitte warte auf die Versuchsleitung.\""),
    key(WORDS, "rest", "text", "\"A rest\"", "In a rest.", "rest = \"Pause\""),
    key(WORDS, "rest_how", "text", "\"Lean back. It goes on by itself or when you are asked to.\"", "In a rest, below.", "rest_how = \"Lehn dich zurück. Es geht von selbst weiter, oder du wirst gebeten.\""),
    key(WORDS, "thank_you", "text", "\"Thank you.\"", "At the end of a session.", "thank_you = \"Danke.\""),
    key(WORDS, "over", "text", "\"This part is over. Please wait for the experimenter.\"", "At the end of a session, below.", "over = \"Dieser Teil ist vorbei. Bitte warte auf die Versuchsleitung.\""),
    key(WORDS, "tap_now", "text", "\"Tap now\"", "What the cross of a trial is called when pages are read aloud.", "tap_now = \"Jetzt tippen\""),
    key(WORDS, "title", "text", "\"Experiment\"", "The title of the participant's page.", "title = \"Experiment\""),
    key(WORDS, "fill_the_screen", "text", "\"Fill the screen\"", "On the button that lets the page fill the screen.", "fill_the_screen = \"Ganzer Bildschirm\""),
    key(WORDS, "again", "text", "\"Please try once more.\"", "Where an answer did not arrive.", "again = \"Bitte versuch es noch einmal.\""),
    key(WORDS, "choose_one", "text", "\"Please choose one.\"", "Where nothing was chosen.", "choose_one = \"Bitte wähle eines aus.\""),
    key(WORDS, "answer_with", "text", "\"Please answer with {answer}.\"", "Where an answer cannot be taken; {answer} is one of the following.", "answer_with = \"Bitte antworte mit: {answer}.\""),
    key(WORDS, "whole_number", "text", "\"a whole number from {least} to {greatest}\"", "Which answers are allowed: a number of a scale.", "whole_number = \"eine ganze Zahl von {least} bis {greatest}\""),
    key(WORDS, "number", "text", "\"a number from {least} to {greatest}\"", "Which answers are allowed: a number.", "number = \"eine Zahl von {least} bis {greatest}\""),
    key(WORDS, "time", "text", "\"a time from {least} to {greatest}\"", "Which answers are allowed: a time.", "time = \"eine Zeit von {least} bis {greatest}\""),
    key(WORDS, "one_of", "text", "\"one of {choices}\"", "Which answers are allowed: a choice.", "one_of = \"eines von: {choices}\""),
    key(WORDS, "line", "text", "\"a text of one line\"", "Which answers are allowed: a text.", "line = \"ein Text von einer Zeile\""),
    key(WORDS, "range", "text", "\"{least} to {greatest}\"", "In the empty field for a number or a time.", "range = \"{least} bis {greatest}\""),
    key(WORDS, "rest_for", "text", "\"Rest: {seconds} s.\"", "In a rest, on a terminal.", "rest_for = \"Pause: {seconds} s.\""),
    key(WORDS, "rest_over", "text", "\"The rest is over.\"", "After a rest, on a terminal.", "rest_over = \"Die Pause ist vorbei.\""),
    key(WORDS, "tap_or_enter", "text", "\"Tap, or press Enter, to go on.\"", "Where a tap goes on, on a terminal.", "tap_or_enter = \"Tippe, oder drück die Eingabetaste, um weiterzugehen.\""),
    key(WORDS, "press_enter", "text", "\"Press Enter to go on.\"", "Where a key goes on, on a terminal.", "press_enter = \"Drück die Eingabetaste, um weiterzugehen.\""),
    key(WORDS, "experimenter_enters", "text", "\"The experimenter goes on with Enter.\"", "Where the experimenter goes on, on a terminal.", "experimenter_enters = \"Die Versuchsleitung geht mit der Eingabetaste weiter.\""),
    key(FROM, "factor", "a factor", "none", "The value is the level of this factor.", "{ factor = \"tempo\" }"),
    key(FROM, "result", "STEP.NAME", "none", "The value is what an earlier step keeps.", "{ result = \"own_tempo.tempo\" }"),
    key(FROM, "times", "a number, or { factor = NAME }", "1", "By what a result is multiplied.", "{ result = \"own_tempo.tempo\", times = 1.2 }"),
    key(FROM, "within", "two values, least and greatest", "no bounds", "Outside of these the session asks the experimenter.", "{ result = \"own_tempo.tempo\", within = [\"300 ms\", \"1.5 s\"] }"),
];

/// The keys that may stand in a section.
pub(crate) fn within(section: &str) -> impl Iterator<Item = &'static Key> {
    ALL.iter().filter(move |key| key.section == section)
}

/// One key, if there is such.
pub(crate) fn find(section: &str, name: &str) -> Option<&'static Key> {
    within(section).find(|key| key.name == name)
}

/// What a table of this section could look like.
pub(crate) fn example(section: &str) -> String {
    within(section).next().map_or(String::new(), |key| key.example.to_owned())
}

//! Keys of pacing streams.

use super::Default::{Is, Not};
use super::*;
use chronotap_engine::trial::{Choice, Number};

pub(super) const SECTIONS: &[Section] = &[
    Section { name: "pacing.NAME", title: "[pacing.NAME]: a signal to tap to" },
    Section {
        name: "pacing.NAME.interval",
        title: "interval = { ... }: the participant's own tempo",
    },
    Section {
        name: "pacing.NAME.repeat",
        title: "repeat = { ... }: a list of onsets again and again",
    },
    Section { name: "pacing.NAME.response", title: "response = { ... }: listen, then reproduce" },
    Section { name: "pacing.NAME.start", title: "start = { ... }: when a stream begins" },
    Section { name: "pacing.NAME.tone", title: "tone = { ... }: the tone of a beat" },
    Section { name: "pacing.NAME.accent", title: "accent = { ... }: how an accented beat differs" },
    Section { name: "pacing.NAME.jitter", title: "jitter = { ... }: beats displaced at random" },
    Section { name: "pacing.NAME.sinusoid", title: "sinusoid = { ... }: intervals that swing" },
    Section { name: "pacing.NAME.adapt", title: "adapt = { ... }: correction toward the taps" },
    Section {
        name: "pacing.NAME.change",
        title: "[[pacing.NAME.change]]: changes at certain beats",
    },
    Section {
        name: "pacing.NAME.change.shift",
        title: "phase_shift, onset_shift, interval_step = { ... }: one of these",
    },
    Section { name: "every", title: "every = { from, to }: in changes and perturbations" },
];

const P: &str = "pacing.NAME";
const OWN: &str = "pacing.NAME.interval";
const REPEAT: &str = "pacing.NAME.repeat";
const RESPONSE: &str = "pacing.NAME.response";
const START: &str = "pacing.NAME.start";
const TONE: &str = "pacing.NAME.tone";
const ACCENT: &str = "pacing.NAME.accent";
const JITTER: &str = "pacing.NAME.jitter";
const SINUSOID: &str = "pacing.NAME.sinusoid";
const ADAPT: &str = "pacing.NAME.adapt";
const CHANGE: &str = "pacing.NAME.change";
const BY: &str = "pacing.NAME.change.shift";
const SIZE: KeyKind = KeyKind::Form("a time, -1 h to 1 h, or one of the forms below");

/// How one of several shifts is chosen.
pub(in crate::trial_files) const SHIFT_FORMS: [(&str, Choice); 3] =
    [("random", Choice::Random), ("shuffled", Choice::Shuffled), ("once", Choice::Once)];

/// Of jitter, whether what it moves moves all that comes after.
pub(in crate::trial_files) const ACCUMULATES: [(&str, bool); 2] =
    [("onset", false), ("interval", true)];

pub(super) const KEYS: &[Key] = &[
    key(P, "interval", KeyKind::Interval, Not("none; give one of interval, tempo, onsets, beats_from")).set(Settable::PacingInterval).ramp(Number::PacingInterval)
        .means("Time from one beat to the next. A division such as 1600 ms / 3 is kept exact.", r#"interval = "500 ms""#),
    key(P, "tempo", KeyKind::Tempo, Not("none; give one of interval, tempo, onsets, beats_from")).set(Settable::PacingInterval).ramp(Number::PacingTempo)
        .means("The same in beats per minute.", r#"tempo = "140 bpm""#),
    key(P, "onsets", KeyKind::Form("list of times, ascending"), Not("none; give one of interval, tempo, onsets, beats_from"))
        .means("The beats one by one, each a time after the start of the stream.", r#"onsets = ["0 s", "600 ms", "1.1 s"]"#),
    key(P, "beats_from", KeyKind::Form("name of a file beside the trial file"), Not("none; give one of interval, tempo, onsets, beats_from"))
        .means("The same from a table: each line begins with a time in seconds; headings, # and further columns are skipped.", r#"beats_from = "song.tsv""#),
    key(P, "audio", KeyKind::Form("name of a WAV or FLAC file beside the trial file"), Not("none: each beat sounds its tone"))
        .means("A recording that sounds from the start of the stream on, on a sound card (tone:) and in render; beats_from says where its beats are. Elsewhere each beat is its tone. Velocity 100 is as loud as the file.", r#"audio = "song.wav""#),
    key(P, "repeat", KeyKind::Part, Not("none: each onset once"))
        .means("The list of onsets begins again every so often.", r#"repeat = { every = "5 s", times = 8 }"#),
    key(P, "start", KeyKind::Form(r#"a time, "first tap", "when started", or one of the forms below"#), Is(r#""1 s""#))
        .means("When beat 1 comes: a time of the trial, the first tap, when a rule starts it, after a tap, or after another stream.", r#"start = { after = "countdown" }"#),
    key(P, "audible", KeyKind::Flag, Is("true")).set(Settable::PacingAudible)
        .means("Whether the beats sound; they are counted either way.", "audible = false"),
    key(P, "beats", KeyKind::Form(r#"whole number from 1, or "endless""#), Is(r#""endless""#)).set(Settable::PacingBeats)
        .means("How many beats the stream has, rests included. With onsets: as many as there are, or all that are repeated.", "beats = 16"),
    key(P, "pattern", KeyKind::Form("text of x, X and . (spaces and | are skipped)"), Is(r#""x""#))
        .means("What each step does, repeated: x a tone, X an accented tone, . a rest. Every step is a beat.", r#"pattern = "Xxxx|x.x.""#),
    key(P, "tone", KeyKind::Part, Not("the defaults of its keys"))
        .means("The tone of a beat.", r#"tone = { channel = 10, note = 76, duration = "30 ms" }"#),
    key(P, "accent", KeyKind::Part, Not("the defaults of its keys"))
        .means("How the tone of an accented beat (X) differs.", "accent = { velocity = 127, note = 84 }"),
    key(P, "notes", KeyKind::Form("list of notes; a list within it is a chord"), Not("every step sounds tone.note"))
        .means("The notes of step 1, 2, ... in place of tone.note, repeated.", r#"notes = ["C4", "E4", ["C4", "G4"]]"#),
    key(P, "channels", KeyKind::Form("list of MIDI channels, 1 to 16"), Not("every step uses tone.channel"))
        .means("The channels of step 1, 2, ... in place of tone.channel, repeated.", "channels = [1, 2]"),
    key(P, "output", KeyKind::Name("an output, or a list of names"), Not("the first output"))
        .means("Where the tones go. At each further output of a list they sound at the same moments, with rows of their own (`copy`).", r#"output = "headphones""#),
    key(P, "jitter", KeyKind::Form(r#""none" or one of the forms below"#), Is(r#""none""#)).set(Settable::PacingJitter)
        .means("Displaces the beats at random.", r#"jitter = { normal = "20 ms", at_most = "60 ms" }"#),
    key(P, "sinusoid", KeyKind::Form(r#""none" or the form below"#), Is(r#""none""#)).set(Settable::PacingSinusoid)
        .means("Interval k (from 0) becomes interval + amplitude * sin(2 pi k / beats).", r#"sinusoid = { amplitude = "30 ms", beats = 12 }"#),
    key(P, "adapt", KeyKind::Part, Not("none: the stream takes no notice of taps"))
        .means("Corrects phase and period toward the taps of an input.", r#"adapt = { phase = 0.25 }"#),
    key(P, "change", KeyKind::Part, Not("none"))
        .means("Perturbations at listed or random beats.", "[[pacing.metronome.change]]"),
    key(P, "answered_by", KeyKind::Form(r#"the name of an input, a list of them, or "none""#), Not("the input it adapts to, or of its name, or heard by the feedback of its name; otherwise every input"))
        .means("Whose taps are measured against this stream, in summary and tables. It changes nothing that sounds.", r#"answered_by = "pad""#),
    key(P, "window", KeyKind::Number(0.05, 0.5), Is("0.4"))
        .means("How far from a beat a tap may be to answer it, as a share of the interval: an early tap of the interval before the beat, a late tap of the interval after it. With 0.5 no tap is left out, which slow tempi may need. It changes nothing that sounds.", "window = 0.5"),
    key(P, "response", KeyKind::Part, Not("none: the stream is tapped along with"))
        .means("The participant listens to the stream, to each repetition of its list, and then reproduces its intervals. The summary compares interval by interval, and no asynchronies to this stream exist.", r#"response = { within = "4 s" }"#),
    key(REPEAT, "every", INTERVAL, Not("must be given"))
        .means("From one beginning of the list to the next, exactly as written; longer than the list.", r#"repeat = { every = "5 s" }"#),
    key(REPEAT, "times", KeyKind::Form(r#"whole number from 1, or "endless""#), Is(r#""endless""#))
        .means("How often the list is played.", r#"repeat = { every = "5 s", times = 8 }"#),
    key(RESPONSE, "after", SPAN, Is(r#""0 s""#))
        .means("From the last beat to the first tap that counts; what comes sooner is no response.", r#"response = { after = "500 ms", within = "4 s" }"#),
    key(RESPONSE, "within", KeyKind::Time(1, DAY), Not("until the stream sounds again or the trial ends"))
        .means("From the last beat to the last tap that counts.", r#"response = { within = "4 s" }"#),
    key(OWN, "from_taps", KeyKind::Form("two tap numbers, first and last"), Not("must be given"))
        .means("The mean interval from the one tap to the other. The stream starts at the last of them or later.", r#"interval = { from_taps = [11, 31] }"#),
    key(OWN, "input", KeyKind::Name("an input"), Not("the only input"))
        .means("Whose taps.", r#"interval = { from_taps = [11, 31], input = "pad" }"#),
    key(START, "tap", KeyKind::Form("tap number from 1; tap.NAME with several inputs"), Not("none; give tap or after"))
        .means("Beat 1 comes at this tap.", r#"start = { tap = 1, delay = "500 ms" }"#),
    key(START, "after", KeyKind::Name("another stream, which must be finite"), Not("none; give tap or after"))
        .means("Beat 1 comes where that stream would have its next beat; after a list of onsets that does not repeat, at its last.", r#"start = { after = "countdown" }"#),
    key(START, "delay", KeyKind::Form(r#"time, 0 s to 24 h; after a tap also "one interval""#), Is(r#""0 s""#))
        .means("So much later.", r#"start = { tap = 1, delay = "500 ms" }"#),
    key(TONE, "channel", KeyKind::Channel, Is("1")).set(Settable::PacingChannel).means("MIDI channel.", "tone = { channel = 10 }"),
    key(TONE, "note", KeyKind::Note, Is("76")).set(Settable::PacingNote).means("Note.", r#"tone = { note = "E5" }"#),
    key(TONE, "velocity", KeyKind::Velocity, Is("100")).set(Settable::PacingVelocity).ramp(Number::PacingVelocity)
        .means("Velocity.", "tone = { velocity = 100 }"),
    key(TONE, "duration", LENGTH, Is(r#""30 ms""#)).set(Settable::PacingDuration)
        .means("Time from the tone's onset to its release.", r#"tone = { duration = "30 ms" }"#),
    key(ACCENT, "velocity", KeyKind::Velocity, Is("127")).set(Settable::AccentVelocity).ramp(Number::AccentVelocity)
        .means("Velocity of an accented beat.", "accent = { velocity = 120 }"),
    key(ACCENT, "note", KeyKind::Note, Not("the note of the step")).set(Settable::AccentNote)
        .means("Note of an accented beat.", r#"accent = { note = "C6" }"#),
    key(JITTER, "normal", KeyKind::Time(0, 60 * SECOND), Not("none; give normal or uniform"))
        .means("Standard deviation of a normal distribution about 0.", r#"jitter = { normal = "20 ms" }"#),
    key(JITTER, "at_most", KeyKind::Time(0, 60 * SECOND), Not("three standard deviations"))
        .means("Bound on either side; a draw beyond it is drawn again.", r#"jitter = { normal = "20 ms", at_most = "50 ms" }"#),
    key(JITTER, "uniform", KeyKind::Form("two times, least and greatest"), Not("none; give normal or uniform"))
        .means("Every displacement between the two is equally likely.", r#"jitter = { uniform = ["-20 ms", "20 ms"] }"#),
    key(JITTER, "moves", KeyKind::Choice(&words_of(&ACCUMULATES)), Is(r#""onset""#))
        .means("Whether only the one onset moves, or the interval before it and so all later beats.", r#"jitter = { normal = "20 ms", moves = "interval" }"#),
    key(SINUSOID, "amplitude", KeyKind::Time(0, 3_600 * SECOND), Not("must be given"))
        .means("Greatest deviation of an interval; less than the interval.", r#"sinusoid = { amplitude = "30 ms", beats = 12 }"#),
    key(SINUSOID, "beats", KeyKind::Number(2.0, 1e6), Not("must be given"))
        .means("Beats in one cycle.", r#"sinusoid = { amplitude = "30 ms", beats = 12 }"#),
    key(ADAPT, "to", KeyKind::Form("the name of an input, or a list of at most 8"), Not("the only input"))
        .means("Whose taps it follows; of several the mean of their asynchronies, of those who tapped.", r#"adapt = { to = "pad", phase = 0.25 }"#),
    key(ADAPT, "weights", KeyKind::Form("list of numbers above 0, one for each input of `to`"), Not("all the same"))
        .means("How much each counts in that mean.", r#"adapt = { to = ["pad"], weights = [2], phase = 0.25 }"#),
    key(ADAPT, "anticipate", KeyKind::Number(0.0, 1.0), Is("0.0"))
        .means("The share by which the corrected beat moves to where the next tap is expected, from its last three taps by linear extrapolation.", "adapt = { phase = 0.25, anticipate = 0.5 }"),
    key(ADAPT, "extrapolate", KeyKind::Number(0.0, 1.0), Is("1.0"))
        .means("The share of the last change of the tapper's interval that is expected again: 1.0 extrapolates it, 0.0 expects the last interval.", "adapt = { anticipate = 0.5, extrapolate = 0.7 }"),
    key(ADAPT, "phase", KeyKind::Number(-2.0, 2.0), Is("0.0")).set(Settable::AdaptPhase).ramp(Number::AdaptPhase)
        .means("Phase correction: the share of an asynchrony by which the next beat moves toward the tap.", "adapt = { phase = 0.25 }"),
    key(ADAPT, "period", KeyKind::Number(-2.0, 2.0), Is("0.0")).set(Settable::AdaptPeriod).ramp(Number::AdaptPeriod)
        .means("Period correction: the share of an asynchrony that is added to the interval for good.", "adapt = { period = 0.1 }"),
    key(ADAPT, "at_most", SPAN, Not("no bound")).set(Settable::AdaptAtMost)
        .means("Bound of the phase correction of one beat, on either side.", r#"adapt = { phase = 0.25, at_most = "150 ms" }"#),
    key(ADAPT, "within", KeyKind::Form("two times, least and greatest interval"), Is(r#"["1 ms", "60 min"]"#))
        .means("Bounds that period correction keeps the interval in.", r#"adapt = { period = 0.1, within = ["300 ms", "800 ms"] }"#),
    key(CHANGE, "name", KeyKind::Text, Not("none"))
        .means("A name of its own, by which an experiment file reaches this change.", r#"name = "probe""#),
    key(CHANGE, "at", KeyKind::Form("beat number, or a list of them"), Not("none; give one of at, every, chance"))
        .means("At these beats.", "at = [15, 30]"),
    key(CHANGE, "every", KeyKind::Form("whole number, or { from, to }"), Not("none; give one of at, every, chance"))
        .means("Every Nth beat; with from and to, N is drawn again each time.", "every = { from = 8, to = 12 }"),
    key("every", "from", KeyKind::Count(1, 1_000_000_000), Not("must be given"))
        .means("Fewest.", "every = { from = 8, to = 12 }"),
    key("every", "to", KeyKind::Count(1, 1_000_000_000), Not("must be given"))
        .means("Most.", "every = { from = 8, to = 12 }"),
    key(CHANGE, "chance", KeyKind::Number(0.0, 1.0), Not("none; give one of at, every, chance"))
        .means("At each beat with this probability.", "chance = 0.1"),
    key(CHANGE, "after", KeyKind::Count(0, 1_000_000_000), Is("0"))
        .means("With every or chance: the count begins after this beat.", "after = 20"),
    key(CHANGE, "apart", KeyKind::Count(0, 1_000_000_000), Is("0"))
        .means("With every or chance: at least this many beats from any other change of the stream. One that would come sooner is put off (every) or left out (chance).", "apart = 5"),
    key(CHANGE, "mute", KeyKind::Flag, Is("false"))
        .means("The beat is counted and does not sound.", "mute = true"),
    key(CHANGE, "phase_shift", SIZE, Is(r#""0 s""#))
        .means("Moves the beat and all later ones; negative is earlier.", r#"phase_shift = "50 ms""#),
    key(CHANGE, "onset_shift", SIZE, Is(r#""0 s""#))
        .means("Moves the beat alone; smaller than the interval.", r#"onset_shift = "-30 ms""#),
    key(CHANGE, "interval", INTERVAL, Not("unchanged"))
        .means("The interval from this beat on.", r#"interval = "550 ms""#),
    key(CHANGE, "tempo", KeyKind::Tempo, Not("unchanged"))
        .means("The same in beats per minute.", r#"tempo = "110 bpm""#),
    key(CHANGE, "interval_step", SIZE, Is(r#""0 s""#))
        .means("Added to the interval from this beat on.", r#"interval_step = "20 ms""#),
    key(BY, "random", KeyKind::Form("list of times, negative ones too"), Not("none; give one of these forms"))
        .means("Drawn afresh from the list at each of the beats, all equally likely.", r#"onset_shift = { random = ["-50 ms", "50 ms"] }"#),
    key(BY, "shuffled", KeyKind::Form("list of at most 1000 times, negative ones too"), Not("none; give one of these forms"))
        .means("Drawn without replacement: each time of the list once in random order, then all again in another.", r#"phase_shift = { shuffled = ["-30 ms", "-15 ms", "15 ms", "30 ms"] }"#),
    key(BY, "once", KeyKind::Form("list of times, negative ones too"), Not("none; give one of these forms"))
        .means("Drawn once a trial, all equally likely.", r#"onset_shift = { once = ["-50 ms", "50 ms"] }"#),
    key(CHANGE, "over", KeyKind::Count(1, 1_000_000), Is("1"))
        .means("Over how many beats the interval gets there; 1 is at once.", "over = 16"),
    key(CHANGE, "shape", SHAPE, Is(r#""linear""#))
        .means("Equal differences from interval to interval, or equal ratios.", r#"shape = "exponential""#),
];

const _: () = assert!(have_rows(KEYS, BY, &words_of(&SHIFT_FORMS)), "a form of a shift has no row");

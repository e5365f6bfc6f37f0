// The study of the tests, with everything that can stand between two trials. Its first trial never
// ends by itself: however slow the machine is, there is time to look at it. The two others are short.

export const STUDY = `title = "Tapping at two tempi"
task = "tempi"
participants = 12
seed = 1
trial = "trial.toml"

[factor]
tempo = ["200 ms", "240 ms"]

[set]
pacing.metronome.interval = { factor = "tempo" }

[participant]
age = { question = "Age in years", number = [18, 99] }
handedness = { question = "Which hand do you write with?", choice = ["left", "right", "both"] }

[question.effort]
text = "How hard was that?"
scale = [1, 7]
labels = ["very easy", "very hard"]

[[step]]
say = "welcome.md"

[[step]]
name = "warm-up"
trial = "long.toml"
go = "key"
gap = "500 ms"

[[step]]
name = "main"
shuffle = "all"
go = "key"
gap = "500 ms"
ask = ["effort"]
`;

/** The same for participants who read German; what is not given here stays English. */
export const GERMAN = `language = "de"
${STUDY}
[words]
title = "Versuch"
go_on = "Weiter"
or_press_a_pad = "Oder schlag ein Pad an."
press_the_button = "Drück den Knopf."
wait = "Einen Moment, bitte."
answer_with = "Bitte antworte mit: {answer}."
number = "eine Zahl von {least} bis {greatest}"
range = "{least} bis {greatest}"
choose_one = "Bitte wähle eines aus."
fill_the_screen = "Ganzer Bildschirm"
tap_now = "Jetzt tippen"
`;

export const WELCOME = `# Welcome

Tap with the tones, so that **taps and tones** fall together. A <script>alert(1)</script> is only words.

- Tap with one finger.
- Go on when the metronome falls silent.
`;

/** @param {number} beats */
export const trial = (beats) => `[input.pad]
[pacing.metronome]
interval = "200 ms"
tone = { note = 76, duration = "20 ms" }
[feedback.tone]
pitch = { fixed = "E4" }
duration = "30 ms"
[[when]]
beat = ${beats}
end = true
`;

/** Texts one after another, and conditions that the experimenter must not know, in Hebrew. */
export const TEXTS = `title = "קצב"
language = "he"
blind = true
trial = "trial.toml"

[factor]
tempo = ["200 ms", "240 ms"]

[between]
hand = ["leftmost", "rightmost"]

[set]
pacing.metronome.interval = { factor = "tempo" }

[question.agree]
text = "Wie sehr stimmt das?"
scale = [1, 5]
labels = ["gar nicht", "wenig", "mittel", "überwiegend", "ganz außerordentlich"]

[[step]]
text = "First text"

[[step]]
text = "Second text"

[[step]]
ask = ["agree"]

[[step]]
name = "main"
block = { by = "tempo", order = "file", text = "הקישו: {tempo}." }
shuffle = "all"
go = "key"
`;

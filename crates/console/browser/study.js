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

/** A study that a rehearsal goes through to its end. */
export const TEMPI = `title = "Two tempi"
participants = 2
trial = "trial.toml"

[factor]
tempo = ["300 ms", "400 ms"]

[set]
pacing.metronome.interval = { factor = "tempo" }

[[step]]
name = "main"
shuffle = "all"
`;

/** The study of the tests for participants who read German; what is not given here stays English. */
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

/** A trial that waits for a tap. */
export const TAP = `[[step]]
name = "main"
trial = "booth.toml"
go = "tap"
`;

/** Four judgements, whether the second of three tones came late. */
export const JUDGED = `title = "Which tone was late?"
seed = 1

[staircase.late]
set = "pacing.metronome.change.late.onset_shift"
start = "100 ms"
rule = "2 down 1 up"
step = ["x 2", "x 1.5"]
between = ["2 ms", "150 ms"]
stop = "9 reversals"
at_most = 4
correct = "note C4"

[[step]]
name = "threshold"
trial = "judged.toml"
staircases = ["late"]
gap = "200 ms"
`;

export const JUDGED_TRIAL = `[input.keys]
[pacing.metronome]
interval = "300 ms"
beats = 3
answered_by = "none"
[[pacing.metronome.change]]
name = "late"
at = 2
onset_shift = "0 ms"
[[when]]
taps_after.metronome = 1
end = true
[[when]]
time = "10 s"
end = true
`;

/** A text that waits for the experimenter, and practice that nobody can pass. */
export const PRACTISED = `title = "Practice"
seed = 1

[[step]]
text = "The experimenter shows you the pad."
go = "experimenter"

[[step]]
name = "practice"
trial = "trial.toml"
until = { hits = 3, of = 3, within = "1 ns" }
at_most = 1
tell = "You hit {practice.hits} of 3 tones."
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

/** A name of a file that would be markup, an option and two addresses. */
export const HOSTILE_NAME = `-a"b'<img src=x onerror=alert(1)>&c#d?e%2e.toml`;

/** A study whose every text would do something, and whose steps lead to the screens that others have not. */
export const HOSTILE = `title = '<img src=x onerror="alert(1)"> & "quoted" \u202e${"x".repeat(100)}'
task = "hostile"
participants = 12
seed = 1
trial = "trial.toml"

[participant]
hand = { question = 'Which <i>hand</i>? <img src=x onerror="alert(1)">', choice = ['<b>left</b>', 'right "&amp;"'] }
thing = { question = "Say something [here](javascript:alert(1))" }

[[step]]
say = "hostile.md"

[[step]]
name = "practice"
until = { hits = 100, of = 100, within = "1 ms" }
at_most = 1
go = "tap"

[[step]]
name = "own"
go = "experimenter"
keep = { tempo = "median interval" }

[[step]]
name = "slower"
trial = "long.toml"
gap = "100 ms"
set.pacing.metronome.interval = { result = "own.tempo" }

[[step]]
rest = { for = "10 min" }
`;

export const HOSTILE_TEXT = `# Read <script>alert(1)</script> is only words

<svg onload="alert(1)"></svg> <iframe src="https://example.com"></iframe> [a link](javascript:alert(1)) <https://example.com>
![the pad](pad.png) ![from elsewhere](https://example.com/x.png) ![data](data:image/svg+xml,%3Csvg%20onload=alert(1)%3E)
![Listen](tune.wav) ![elsewhere](https://example.com/x.wav)
![out](../secret.png) ![out](%2e%2e/%2e%2e/launch) ![the pad](./pad.png "a title \\"quoted\\"")

| left | middle | right, which is a heading of several words |
|:-----|:------:|------:|
| <b>1</b> | \`2\` | ${"z".repeat(60)} |

\`\`\`html
<style>* { display: none }</style> ${"code ".repeat(30)}
\`\`\`

    ${"indented".repeat(20)}

${"w".repeat(120)}
`;

// What a page makes of what it is told, without a browser: the line in the plot of intervals, titles of
// studies, and what is said where a trial or none comes next.

import assert from "node:assert/strict";
import { test } from "node:test";
import { isolated } from "../pages/answers.js";
import { Live } from "../pages/session_trials.js";
import { advice } from "../pages/words.js";

/** A running trial without its plots. */
function running() {
    const live = Object.create(Live.prototype);
    live.tones = [];
    return live;
}

test("the interval that was to be tapped is that of the last two tones of the first stream", () => {
    const live = running();
    assert.equal(live.required(false), null, "there was none yet");
    live.tone({ stream: 0, at_ms: 1000 });
    live.tone({ stream: 1, at_ms: 1200 });
    assert.equal(live.required(false), null, "one tone makes no interval");
    for (const at_ms of [1500, 2000, 2600]) live.tone({ stream: 0, at_ms });
    assert.equal(live.required(false), 600);
    assert.equal(live.required(true), null, "who is blind does not see the tempo");
});

test("a title cannot turn the words around it", () => {
    assert.equal(isolated("a \u202eb\u2069 c"), "\u2068a b c\u2069");
});

test("a rest or a text at the end is not followed by a trial", () => {
    const scene = { steps: [{ name: "main", trials: 2 }], step: "main", planned: 2, single: false, window: "open", phase: { is: "waiting", on: "experimenter" } };
    const said = (now) => advice({ ...scene, ...now }, undefined);
    const ahead = said({ trial: 2, done: 1 });
    assert.match(ahead.text, /^Start the next trial/);
    assert.equal(ahead.buttons[0].label, "Start the trial");
    const over = said({ trial: 2, done: 2 });
    assert.deepEqual([over.text, over.buttons[0].label], ["Go on when the participant is ready.", "Go on"]);
    assert.match(said({ trial: 1, done: 2, steps: [{ name: "main", trials: null }] }).text, /^Start the next trial/, "practice is not planned");
});

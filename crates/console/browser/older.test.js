// What a page says of what it does not know, without a browser: the little of one that it needs is
// played here. A page is older than its console where the console was replaced while it stood open.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ENGLISH, form } from "../pages/answers.js";
import { advice } from "../pages/words.js";

/** An element as far as pages make them. */
class Played {
    children = [];
    listeners = {};
    classList = { toggle() {} };
    constructor(tag) {
        this.tag = tag;
    }
    append(...more) {
        this.children.push(...more);
    }
    setAttribute() {}
    addEventListener(name, then) {
        this.listeners[name] = then;
    }
    /** All that is said in it. */
    get said() {
        return [this.textContent ?? "", ...this.children.map((child) => child.said ?? String(child))].join(" ");
    }
    /** Every element in it of this kind. */
    all(tag) {
        return this.children.flatMap((child) => (child.all ? [...(child.tag === tag ? [child] : []), ...child.all(tag)] : []));
    }
}
globalThis.document = { createElement: (tag) => new Played(tag), documentElement: { lang: "en" } };

const asked = (expected) => form(expected, "asked", ENGLISH, async () => undefined);

test("a question of a kind that the page does not know is no empty field but a sentence and a button", () => {
    for (const kind of ["stars", "toString", "constructor"]) {
        const drawn = asked({ form: kind, most: 5 });
        assert.match(drawn.said, new RegExp(`This page is older than its console: it does not know questions of the kind “${kind}”`));
        assert.equal(drawn.all("input").length, 0);
    }
    let reloaded = 0;
    globalThis.location = { reload: () => reloaded++ };
    asked({ form: "stars" }).all("button")[0].listeners.click();
    assert.equal(reloaded, 1);
});

test("every kind that it knows is asked in a field", () => {
    const known = [
        [{ form: "scale", least: 1, greatest: 7, labels: ["easy", "hard"] }, 7],
        [{ form: "choice", words: ["left", "right"] }, 2],
        [{ form: "choices", words: ["piano", "drums", "voice"] }, 3],
        [{ form: "date", least: "2020-01-01", greatest: "2026-12-31" }, 1],
        [{ form: "lines" }, 0], // an area of its own
        [{ form: "number", least: 18, greatest: 99 }, 1],
        [{ form: "time", least: "1 ms", greatest: "1 s" }, 1],
        [{ form: "text" }, 1],
    ];
    for (const [expected, fields] of known) {
        assert.equal(asked(expected).all("input").length, fields, expected.form);
    }
});

test("whatever else goes on than the page knows, it says so", () => {
    const told = advice({ phase: { is: "dance" }, single: false, turn: 1 }, undefined);
    assert.match(told.text, /This page is older than its console: it does not know “dance”/);
    assert.equal(told.tone, "bad");
});

// What a page says of its session when the stream of events breaks off, without a browser: the
// browser's own part, an EventSource, is played here.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { listen } from "../pages/reach.js";

/** A stream whose events the test gives. */
class Played {
    static OPEN = 1;
    static CLOSED = 2;
    static all = [];
    readyState = Played.OPEN;
    named = {};
    constructor() {
        Played.all.push(this);
    }
    addEventListener(name, then) {
        this.named[name] = then;
    }
    close() {
        this.readyState = Played.CLOSED;
    }
}
globalThis.EventSource = Played;
Object.defineProperty(globalThis, "navigator", { value: {}, configurable: true }); // without locks

/** Listens, and what the page was told of its reach. */
async function listening() {
    Played.all = [];
    const reached = [];
    listen("/events", () => {}, (reach) => reached.push(reach), () => true);
    await new Promise((then) => setTimeout(then, 20));
    return reached;
}

/** The stream that the page has now breaks off as often as a page asks again. */
function breaks() {
    for (let again = 0; again < 3; again++) Played.all.at(-1).onerror();
}

test("a console that ends behind a killed session is no session that goes on", async () => {
    const reached = await listening();
    Played.all[0].onmessage({ data: "{}" });
    Played.all[0].named.gone();
    breaks();
    assert.deepEqual([...new Set(reached)], ["here", "gone"]);
});

test("a console that is lost says nothing of the session, and one that is there again is here", async () => {
    const reached = await listening();
    Played.all[0].onmessage({ data: "{}" });
    breaks();
    Played.all.at(-1).named.alive();
    breaks();
    assert.deepEqual(reached.filter((reach, place) => reach !== reached[place - 1]), ["here", "lost", "here", "lost"]);
});

// What listens here looks every half second, for ever.
after(() => setTimeout(process.exit, 0));

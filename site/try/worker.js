// The engine's own thread: one question at a time, one answer for each. Nothing is kept between two, so the
// page may end this worker at any time and begin another.

import * as engine from "engine";

const { initSync } = engine;
let begun = false;
let now; // the question that is answered

/** Whatever takes long says how far it is; nobody is told more often than this, in milliseconds. */
const TOLD_EVERY = 50;
let told = 0;
self.chronotapDone = (done, of) => {
    if (done < of && performance.now() - told < TOLD_EVERY) return;
    told = performance.now();
    postMessage({ id: now, done, of });
};

/** The engine from gzip in base64, as engine.js holds it. */
async function compiled(packed) {
    const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return WebAssembly.compile(await new Response(stream).arrayBuffer());
}

addEventListener("message", ({ data: { id, what, asked, module, packed } }) => {
    if (packed) {
        compiled(packed).then((module) => postMessage({ module }), (error) => postMessage({ failed: String(error) }));
        return;
    }
    if (module) {
        initSync({ module });
        begun = true;
        return;
    }
    if (!begun) return;
    const from = performance.now();
    now = id;
    try {
        const said = what === "populations" ? engine.populations() : engine[what](asked);
        const answer = typeof said === "string" ? JSON.parse(said) : said;
        const moved = typeof said === "string" ? [] : [answer.buffer];
        postMessage({ id, answer, took: performance.now() - from }, moved);
    } catch (error) {
        // A panic is a defect of the engine; its module can not be used any more.
        postMessage({ id, failed: String(error), took: performance.now() - from });
    }
});

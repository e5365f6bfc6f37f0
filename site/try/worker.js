// The engine's own thread: one question at a time, one answer for each. Nothing is kept between two, so the
// page may end this worker at any time and begin another.

import * as engine from "engine";

const { initSync } = engine;
let begun = false;

addEventListener("message", ({ data: { id, what, asked, module } }) => {
    if (module) {
        initSync({ module });
        begun = true;
        return;
    }
    if (!begun) return;
    const from = performance.now();
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

// The engine as the page sees it: a function for each question. It runs in a worker, so that nothing that it
// does holds up the page.

import source from "worker-text";

/** So long a question may take, in milliseconds; then the worker is ended and another begun. */
const PATIENCE = 15_000;

let module; // compiled once for all workers
let worker;
let next = 0;
const waiting = new Map();

/** The bytes of the module: gzip in base64, as engine.js holds them. */
async function compiled() {
    const packed = Uint8Array.from(atob(window.chronotapEngine), (letter) => letter.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    const bytes = await new Response(stream).arrayBuffer();
    return WebAssembly.compile(bytes);
}

async function begin() {
    module ??= compiled();
    const ready = await module;
    const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
    const begun = new (window.chronotapWorker ?? Worker)(url);
    URL.revokeObjectURL(url);
    begun.postMessage({ module: ready });
    begun.addEventListener("message", ({ data }) => {
        const { done, failed, timer } = waiting.get(data.id) ?? {};
        waiting.delete(data.id);
        clearTimeout(timer);
        if (data.failed === undefined) return done?.(data);
        end(`the engine failed: ${data.failed}`);
        failed?.(new Error(`the engine failed: ${data.failed}`));
    });
    return begun;
}

/** Ends the worker; whoever waits is told why. */
function end(why) {
    worker?.then((ended) => ended.terminate());
    worker = undefined;
    for (const { failed, timer } of waiting.values()) {
        clearTimeout(timer);
        failed(new Error(why));
    }
    waiting.clear();
}

/** Asks the engine; gives its answer and how long that took there, in milliseconds. */
export async function ask(what, asked) {
    worker ??= begin();
    const begun = await worker;
    return new Promise((done, failed) => {
        const id = (next += 1);
        const late = () => end(`this took more than ${PATIENCE / 1000} s; shorten the trial, or let fewer people tap`);
        waiting.set(id, { done, failed, timer: setTimeout(late, PATIENCE) });
        begun.postMessage({ id, what, asked: typeof asked === "string" ? asked : JSON.stringify(asked) });
    });
}

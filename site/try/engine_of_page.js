// The engine as the page sees it: a function for each question. It runs in a worker, so that nothing that it
// does holds up the page.

import source from "worker-text";

/** So long a question may take, in milliseconds; then the worker is ended and another begun. */
const PATIENCE = 15_000;

let module; // compiled once for all workers
let worker;
let next = 0;
const waiting = new Map();
const long = new Set(); // what ends the questions that take long

/** A worker without the engine. */
function idle() {
    const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
    const made = new (window.chronotapWorker ?? Worker)(url);
    URL.revokeObjectURL(url);
    return made;
}

/** The engine, unpacked and compiled in a worker: to do that here would hold up the page. */
function compiled() {
    const worker = idle();
    worker.postMessage({ packed: window.chronotapEngine });
    return new Promise((done, failed) => {
        worker.addEventListener("message", ({ data }) => {
            worker.terminate();
            if (data.module) done(data.module);
            else failed(new Error(`the engine cannot be compiled: ${data.failed}`));
        });
    });
}

/** A worker with the engine. */
async function hired() {
    module ??= compiled();
    const ready = await module;
    const made = idle();
    made.postMessage({ module: ready });
    return made;
}

async function begin() {
    const begun = await hired();
    begun.addEventListener("message", ({ data }) => {
        if (data.done !== undefined) return; // how far it is, for which nobody waits here
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

/** Asks what takes long, of a worker of its own, so that other questions are answered meanwhile. `told` hears how much
 *  of how much is done. Gives the answer, which is null where it was ended, and a function that ends it. */
export function ask_long(what, asked, told) {
    let end;
    const ended = new Promise((done) => (end = () => done(null)));
    long.add(end);
    const answered = hired().then((worker) => new Promise((done, failed) => {
        ended.then(() => worker.terminate());
        worker.addEventListener("message", ({ data }) => {
            if (data.done !== undefined) return told(data.done, data.of);
            worker.terminate();
            if (data.failed === undefined) done(data);
            else failed(new Error(`the engine failed: ${data.failed}`));
        });
        worker.postMessage({ id: 0, what, asked: JSON.stringify(asked) });
    }));
    const answer = Promise.race([answered, ended]).finally(() => long.delete(end));
    return { answer, end };
}

/** Ends everything that is under way. */
export function close() {
    end("the pane was closed");
    long.forEach((end) => end());
}

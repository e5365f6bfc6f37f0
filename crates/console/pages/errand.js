// @ts-check
// The page of a test of this computer, or of a single trial: what the command says, as it says it,
// and the page that it leaves.

import { CROWDED, listen, send } from "./reach.js";

/** @typedef {{number: number, title: string, command: string, said: string, over: boolean, status: number | null, page: boolean}} State */

const base = location.pathname.replace(/\/$/, "");
const at = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
const INTERRUPTED = 128; // what a shell adds to the number of a signal

/**
 * @param {State} state
 * @returns {[string, string]} a sentence, and its tone
 */
function sentence({ over, status }) {
    if (!over) return ["It runs. This may take a while; the page can be closed meanwhile.", ""];
    if (status === 0) return ["It is over, and there is nothing to complain of.", ""];
    if (status === 1) return ["It is over. Something is not as it should be: see below.", "warn"];
    if (status === null || status > INTERRUPTED) return ["It was stopped.", "warn"];
    return ["It could not be done: see below what to do.", "bad"];
}

/** @param {State} state */
function told(state) {
    at("title").textContent = state.title;
    document.title = `Chronotap: ${state.title}`;
    at("command").textContent = `At a terminal: ${state.command}`;
    const [text, tone] = sentence(state);
    at("advice-text").textContent = text;
    at("advice").className = `sheet advice ${tone}`;
    at("stop").hidden = state.over;
    at("page").hidden = !state.page;
    at("said").textContent = state.said || "Nothing yet.";
}

at("page").setAttribute("href", `${base}/page`);
at("stop").addEventListener("click", async () => {
    const { error } = await send(`${base}/stop`, {});
    at("problem").textContent = error ?? "";
    at("problem").hidden = !error;
});
/** @param {import("./reach.js").Reach} reach */
function reached(reach) {
    at("lost").hidden = ["here", "waiting", "gone"].includes(reach);
    if (reach === "gone") {
        at("advice-text").textContent = "This test or trial is not known here any more. Its results stay where they were put.";
        at("stop").hidden = true;
        return;
    }
    at("lost").textContent =
        reach === "crowded" ? CROWDED : "Display lost; what was begun goes on. If it does not come back, start chronotap console again.";
}

listen(`${base}/events`, told, reached, () => true);

// @ts-check
// The page of a test of this computer, of a single trial, or of what is done with a dataset: what the command says, as it says it,
// and the page that it leaves.

import { element, isolated } from "./answers.js";
import { findings, isCommand } from "./findings.js";
import { CROWDED, listen, send } from "./reach.js";

/** @typedef {{number: number, title: string, command: string, lasts: string | null, progress: string | null, said: string, over: boolean, status: number | null, page: boolean}} State */

const base = location.pathname.replace(/\/$/, "");
const at = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
const INTERRUPTED = 128; // what a shell adds to the number of a signal

/**
 * @param {State} state
 * @returns {[string, string]} a sentence, and its tone
 */
function sentence({ over, status, lasts }) {
    const time = lasts ? `takes about ${lasts}` : "may take a while";
    if (!over) return [`It runs, and ${time}; the page can be closed meanwhile.`, ""];
    if (status === 0) return ["It is over, and there is nothing to complain of.", ""];
    if (status === 1) return ["It is over. Something is not as it should be: see below.", "warn"];
    if (status === null || status > INTERRUPTED) return ["It was stopped.", "warn"];
    return ["It could not be done: see below what to do.", "bad"];
}

/** @param {State} state */
function told(state) {
    at("title").textContent = state.title;
    document.title = `Chronotap: ${isolated(state.title)}`;
    at("command").textContent = `At a terminal: ${state.command}`;
    const [text, tone] = sentence(state);
    at("advice-text").textContent = text;
    at("advice").className = `sheet advice ${tone}`;
    drawProgress(state.progress);
    at("stop").hidden = state.over;
    at("page").hidden = !state.page;
    drawSaid(state);
}

/**
 * How far it is. The bar of a level, which a terminal has in letters, is drawn: yellow from where taps begin.
 * @param {string | null} progress
 */
function drawProgress(progress) {
    const [drawn, bar, level] = progress?.match(BAR) ?? ["", "", ""];
    at("progress").textContent = progress?.replace(drawn, drawn && `${level} dB`) ?? "";
    at("progress").hidden = progress === null;
    const meter = /** @type {HTMLMeterElement} */ (at("level"));
    meter.hidden = drawn === "";
    if (!drawn) return;
    meter.high = meter.min * (1 - bar.indexOf("|") / (bar.length - 1));
    meter.value = Number(level);
}

/** Between brackets the bar, with a mark; behind it the level in dB. */
const BAR = /\[([#.|]+)\] +(-?\d+) dB/;

/**
 * What the command says, as it says it; the findings of doctor in rows that fit a narrow page too.
 * @param {State} state
 */
function drawSaid({ said, over }) {
    const sections = over ? findings(said) : [];
    at("findings").hidden = sections.length === 0;
    at("said").hidden = sections.length > 0;
    at("said").textContent = said || "Nothing yet.";
    at("findings").replaceChildren(...sections.flatMap(drawSection));
}

/** @param {import("./findings.js").Section} section */
function drawSection({ title, rows, text }) {
    if (rows.length === 0) return [element("p", "", text)];
    const list = element("ul", "findings");
    list.append(...rows.map(drawFinding));
    return [element("h3", "", title), list];
}

/** @param {import("./findings.js").Finding} finding */
function drawFinding({ verdict, name, text, more }) {
    const row = element("li");
    const words = element("div");
    words.append(element("p", "", text));
    words.append(...more.map(drawDetail));
    row.append(element("span", VERDICTS[verdict], verdict), element("span", "name", name), words);
    return row;
}

/** @param {import("./findings.js").Detail} detail */
function drawDetail(detail) {
    const line = element("p", "note", detail.label && `${detail.label}: `);
    line.append(element(isCommand(detail) ? "code" : "span", "", detail.text));
    return line;
}

/** @type {Record<string, string>} */
const VERDICTS = { OK: "pass", NOTE: "caution", BAD: "fail", UNKNOWN: "" };

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
        at("advice-text").textContent = "This is not known here any more. Its results stay where they were put.";
        at("stop").hidden = true;
        return;
    }
    at("lost").textContent =
        reach === "crowded" ? CROWDED : "Display lost; what was begun goes on unless it was stopped too. If this does not come back, start chronotap console again.";
}

listen(`${base}/events`, told, reached, () => true);

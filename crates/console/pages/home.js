// @ts-check
// The first page: studies and data of a folder, sessions under way, and the form for a session.

import { element } from "./answers.js";
import { send } from "./reach.js";

/**
 * @typedef {{path: string, title: string, task: string, participants: number, sessions: number, problem: string}} Study
 * @typedef {{label: string, session: number, cell: string, complete: boolean, done: number, planned: number,
 *     trials: number, repeated: number, timing_failed: number, unusable: number, cut_short: number, skipped: number, next: string}} Session
 * @typedef {{path: string, title: string, task: string, simulated: boolean, planned: number, sessions: Session[], withdrawn: string[],
 *     changed: {study: string, files: string[]}[], problems: string[]}} Dataset
 * @typedef {{path: string, title: string}} Trial
 * @typedef {{number: number, title: string, lasts: string | null, over: boolean, status: number | null}} Errand
 * @typedef {{number: number, title: string, participant: string, session: number, done: number, planned: number}} Running
 */

const at = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
const input = (/** @type {string} */ id) => /** @type {HTMLInputElement} */ (at(id));
const study = /** @type {HTMLSelectElement} */ (at("study"));
const INTERRUPTED = 128; // what a shell adds to the number of a signal

/** @type {Study[]} */
let studies = [];
let gone = false;
/** @type {Dataset[]} */
let datasets = [];
/** @type {Record<string, Record<string, string>>} about how long tests take, by test and length */
let lasting = {};

let drawn = "";
let looking = false;

/** Looks what is in the folder and under way, and draws what is new; what was entered stays as it is. */
async function load() {
    if (looking) return;
    looking = true;
    try {
        const text = await (await fetch("/folder")).text();
        if (text !== drawn) draw(JSON.parse(text));
        drawn = text;
        lost(gone ? `${at("folder").textContent} is not there any more. Put the folder back, or start chronotap console in another.` : "");
    } catch {
        lost("The console cannot be reached; what was begun goes on unless it was stopped too. Start chronotap console again.");
    } finally {
        looking = false;
    }
}

/** @param {string} sentence what the page cannot see; empty where nothing is missing */
function lost(sentence) {
    at("lost").textContent = sentence;
    at("lost").hidden = sentence === "";
}

/** @param {any} folder */
function draw({ found, running, errands, lasting: known, rehearsal }) {
    lasting = known;
    drawErrandForm();
    studies = found.studies;
    gone = found.gone;
    drawUnseen(found.unseen);
    datasets = found.datasets;
    at("folder").textContent = found.folder;
    drawRunning(running);
    drawErrands(found.trials, errands);
    drawStudies();
    drawDatasets();
    if (drawn === "") {
        if (rehearsal) input("simulated").checked = true;
        nameData();
    }
    drawKnown();
}

/** @param {string[]} folders of which not all was looked at */
function drawUnseen(folders) {
    const named = folders.slice(0, 3).map((folder) => folder || "this folder").join(", ");
    const more = folders.length > 3 ? ` and ${folders.length - 3} more` : "";
    at("unseen").textContent = `There is too much here to look at all of it. Not seen whole: ${named}${more}. If a study is missing, start chronotap console in its own folder.`;
    at("unseen").hidden = folders.length === 0;
}

/** @param {Running[]} running */
function drawRunning(running) {
    at("running-sheet").hidden = running.length === 0;
    at("running").replaceChildren(
        ...running.map((one) => {
            const card = element("div", "card");
            const link = document.createElement("a");
            link.href = `/session/${one.number}`;
            link.textContent = `${one.title}, participant ${one.participant}`;
            card.append(link, element("span", "note", one.planned > 0 ? `session ${one.session}, ${one.done} of ${one.planned} planned trials done` : `session ${one.session}`));
            return card;
        }),
    );
}

/**
 * @param {Trial[]} trials
 * @param {Errand[]} errands
 */
function drawErrands(trials, errands) {
    const trial = /** @type {HTMLSelectElement} */ (at("trial"));
    offer(trial, trials.map((one) => new Option(`${one.title || "A trial"} (${one.path})`, one.path)));
    const single = /** @type {HTMLOptionElement} */ (at("what").querySelector("[value=trial]"));
    single.hidden = single.disabled = trials.length === 0;
    at("errands").hidden = errands.length === 0;
    at("errands").replaceChildren(
        ...errands.map((one) => {
            const card = element("div", "card");
            const link = document.createElement("a");
            link.href = `/errand/${one.number}`;
            link.textContent = one.title;
            card.append(link, element("span", "note", one.over ? ended(one.status) : underWay(one)));
            return card;
        }),
    );
}

/** @param {Errand} one */
const underWay = ({ lasts }) => (lasts ? `under way; it takes about ${lasts}` : "under way");

/** @param {number | null} status */
function ended(status) {
    if (status === 0) return "over";
    if (status === 1) return "over, with something to mend";
    return status === null || status > INTERRUPTED ? "stopped" : "could not be done";
}

/**
 * Offers these in a list, and keeps what was chosen.
 * @param {HTMLSelectElement} list
 * @param {HTMLOptionElement[]} options
 */
function offer(list, options) {
    const chosen = list.value;
    list.replaceChildren(...options);
    if (options.some((option) => option.value === chosen)) list.value = chosen;
}

/** What each of them is, and which fields it has. */
const ERRANDS = /** @type {Record<string, {note: string, fields: string[]}>} */ ({
    doctor: { note: "Rights, kernel, clock, processors, sound and USB, with the cure of what is wrong. Changes nothing, and takes about a second.", fields: [] },
    wakeup: { note: "A thread on every core, as in a trial. Leave the computer alone meanwhile.", fields: ["length"] },
    loop: { note: "Messages go round from an output to an input. Connect the two by a cable first; wire is a virtual one.", fields: ["loop-in", "loop-out", "length"] },
    trial: { note: "Without participant or session. Its data go into the folder trials, beside its file.", fields: ["trial", "trial-simulated"] },
});

/** What is asked for, as the command takes it. */
function errand() {
    const [what, length] = [input("what").value, input("length").value];
    switch (what) {
        case "wakeup":
            return { what, length };
        case "loop":
            return { what, length, input: input("loop-in").value, output: input("loop-out").value };
        case "trial":
            return { what, path: input("trial").value, simulated: input("trial-simulated").checked };
        default:
            return { what };
    }
}

const LENGTHS = { quick: ["Quick", ""], normal: ["Normal", ""], full: ["Long", " (until rare events show)"] };

function drawErrandForm() {
    const { note, fields } = ERRANDS[input("what").value];
    at("what-note").textContent = note;
    for (const { fields: all } of Object.values(ERRANDS)) {
        for (const field of all) at(`${field}-label`).hidden = !fields.includes(field);
    }
    for (const [length, [words, why]] of Object.entries(LENGTHS)) {
        const known = lasting[input("what").value]?.[length];
        const option = /** @type {HTMLOptionElement} */ (at("length").querySelector(`[value=${length}]`));
        option.textContent = `${words}${known ? `, about ${known}` : ""}${why}`;
    }
    if (fields.includes("loop-in")) namePorts();
}

let named = false;

/** Offers the ports of this computer; others can be written. */
async function namePorts() {
    if (named) return;
    named = true;
    const ports = await fetch("/ports").then((found) => found.json()).catch(() => []);
    for (const way of ["in", "out"]) {
        const usable = ports.filter((/** @type {any} */ port) => port[way] && !port.refused);
        at(`ports-${way}`).replaceChildren(...usable.map((/** @type {any} */ port) => new Option(port.description, port.name)));
    }
}

function drawStudies() {
    const options = studies.map((one) => new Option(`${one.title} (${one.path})`, one.path));
    offer(study, options);
    at("no-study").hidden = gone || studies.length > 0;
}

function chosen() {
    return studies.find((one) => one.path === study.value);
}

/** The session that the form names: what stands in a field that is not in sight was meant for another study. */
function session() {
    return at("session-label").hidden ? 1 : Number(input("session").value);
}

/** The dataset that the form names, where it is there. */
function dataset() {
    const folder = study.value.includes("/") ? study.value.replace(/[^/]*$/, "") : "";
    return datasets.find((one) => one.path === folder + input("data").value);
}

/** Says whether participant and session are new, so that nobody is taken for another. */
function drawKnown() {
    const is = chosen();
    at("session-label").hidden = input("session").disabled = !is || is.sessions < 2;
    at("study-problem").textContent = is?.problem ?? "";
    at("study-problem").hidden = !is?.problem;
    const given = input("participant").value.trim();
    const label = /^\d+$/.test(given) ? given.padStart(Math.max(2, String(is?.participants ?? 1).length), "0") : given;
    const { text, locked } = known(label, session(), is);
    const changed = locked ? "" : changes();
    at("changed-label").hidden = changed === "";
    const stays = locked || (changed !== "" && !input("changed").checked);
    at("known").textContent = [text, changed].filter(Boolean).join(" ");
    at("known").classList.toggle("error", stays);
    /** @type {HTMLButtonElement} */ (at("begin")).disabled = !is || Boolean(is.problem) || stays;
}

/** What has changed of the study since the sessions that are in the data; empty where nothing has. */
function changes() {
    const files = dataset()?.changed.find((one) => one.study === study.value)?.files ?? [];
    if (files.length === 0) return "";
    return `Since earlier sessions ${files.join(", ")} changed: restore what was there (${input("data").value}/sourcedata/study-…).`;
}

/**
 * Who that is in the data, and whether nothing can be begun with them.
 * @param {string} label
 * @param {number} session
 * @param {Study | undefined} study its task makes it that study: the title may have been changed since
 * @returns {{text: string, locked: boolean}}
 */
function known(label, session, study) {
    const data = dataset();
    const free = (/** @type {string} */ text) => ({ text, locked: false });
    const locked = (/** @type {string} */ text) => ({ text, locked: true });
    if (data?.task && study?.task && data.task !== study.task && data.sessions.length > 0) {
        return locked(`The folder ${data.path} holds the data of another study, “${data.title}”: name another folder.`);
    }
    const { sessions } = study ?? { sessions: 1 };
    if (!(session >= 1 && session <= Math.max(sessions, 1))) return locked(`The study has sessions 1 to ${sessions}.`);
    if (label === "") return free("");
    if (data?.withdrawn.includes(label)) return locked(`Participant ${label} withdrew: enter another label.`);
    const theirs = (data?.sessions ?? []).filter((one) => one.label === label);
    const begun = theirs.find((one) => one.session === session);
    if (begun?.complete) return locked(`Participant ${label} has completed this session.`);
    if (begun) return free(`Participant ${label} goes on: ${begun.done} of ${begun.planned} planned trials are done; next is ${begun.next}.`);
    if (theirs.length > 0) return free(`Participant ${label} is known, and begins session ${session}.`);
    if (session > 1) return locked(`Participant ${label} has not begun session 1: run it first.`);
    return free(`Participant ${label} is new.`);
}

function drawDatasets() {
    at("data-sheet").hidden = datasets.length === 0;
    at("datasets").replaceChildren(...datasets.map(drawDataset));
}

/** @param {Dataset} one */
function drawDataset(one) {
    const card = element("div", "card");
    const complete = one.sessions.filter((session) => session.complete).length;
    const kind = one.simulated ? ", simulated participants" : "";
    card.append(element("h3", "", one.title || one.path), element("p", "note", `${one.path}: ${complete} of ${one.planned} planned sessions are complete${kind}`));
    for (const problem of one.problems) card.append(element("p", "error", problem));
    if (one.withdrawn.length > 0) card.append(element("p", "note", `Withdrawn: ${one.withdrawn.join(", ")}`));
    if (one.sessions.length === 0) return card;
    const table = element("table");
    const head = element("tr");
    ["Participant", "Session", "Group", "Trials", "Complaints", "Next", ""].forEach((name) => head.append(element(name ? "th" : "td", "", name)));
    const body = element("tbody");
    body.append(...one.sessions.map((session) => row(one, session)));
    const top = element("thead");
    top.append(head);
    table.append(top, body);
    const place = element("div", "table");
    place.tabIndex = 0;
    place.setAttribute("role", "group");
    place.setAttribute("aria-label", `Sessions of ${one.path}`);
    place.append(table);
    card.append(place);
    return card;
}

/**
 * @param {Dataset} dataset
 * @param {Session} one
 */
function row(dataset, one) {
    const complaints = [
        [one.timing_failed, "timing failed"], [one.unusable, "unusable"], [one.repeated, "repeated by hand"], [one.cut_short, "cut short"], [one.skipped, "skipped"],
    ].filter(([count]) => Number(count) > 0).map(([count, what]) => `${count} ${what}`);
    const row = element("tr");
    const cells = [one.label, String(one.session), one.cell, `${one.done} of ${one.planned}`, complaints.join(", ") || "none"];
    row.append(...cells.map((cell) => element("td", "", cell)));
    const withdrawn = dataset.withdrawn.includes(one.label);
    row.append(element("td", one.complete ? "pass" : "", withdrawn ? "withdrawn" : one.complete ? "complete" : one.next));
    const last = element("td");
    if (!withdrawn) {
        const button = element("button", "grave", "Withdraw");
        button.setAttribute("aria-label", `Withdraw participant ${one.label}`);
        button.addEventListener("click", () => askToWithdraw(dataset, one.label));
        last.append(button);
    }
    row.append(last);
    return row;
}

/**
 * @param {Dataset} dataset
 * @param {string} label
 */
function askToWithdraw(dataset, label) {
    const dialog = /** @type {HTMLDialogElement} */ (at("withdraw"));
    const form = /** @type {HTMLFormElement} */ (at("withdraw-form"));
    form.reset();
    at("withdraw-text").textContent = `Withdraw participant ${label} from ${dataset.path}?`;
    at("withdraw-problem").hidden = true;
    form.onsubmit = async (event) => {
        event.preventDefault();
        const keep = new FormData(form).get("data") === "keep";
        const { error, left } = await send("/withdraw", { dataset: dataset.path, participant: label, keep });
        const still = (left ?? []).length > 0 ? `Still there, for you to remove: ${left.join("; ")}` : "";
        const said = error ?? still;
        at("withdraw-problem").textContent = said;
        at("withdraw-problem").hidden = !said;
        if (error) return;
        load();
        if (!still) dialog.close();
    };
    dialog.showModal();
}

/** @param {string} text */
function problem(text) {
    at("problem").textContent = text;
    at("problem").hidden = text === "";
}

at("form").addEventListener("submit", async (event) => {
    event.preventDefault();
    problem("");
    const button = /** @type {HTMLButtonElement} */ (at("begin"));
    button.disabled = true;
    at("wait").textContent = "The session is being started.";
    const begun = await send("/begin", {
        study: study.value,
        participant: input("participant").value.trim(),
        session: session(),
        by: input("by").value.trim(),
        data: input("data").value,
        simulated: input("simulated").checked,
        changed: !at("changed-label").hidden && input("changed").checked,
    });
    drawKnown(); // unlocks it
    at("wait").textContent = "";
    if (begun.error) problem(begun.error);
    else location.href = `/session/${begun.session}`;
});

at("errand-form").addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = /** @type {HTMLButtonElement} */ (at("run"));
    button.disabled = true;
    const begun = await send("/errand", errand());
    button.disabled = false;
    at("errand-problem").textContent = begun.error ?? "";
    at("errand-problem").hidden = !begun.error;
    if (!begun.error) location.href = `/errand/${begun.errand}`;
});

/** Whether somebody typed a folder for the data; then it stays. */
let dataTyped = false;

/** Proposes a folder for the data, where nobody typed one. */
function nameData() {
    const data = input("data");
    const proposed = ["", "data", "data-simulated"].includes(data.value); // or the browser kept what was typed
    if (!dataTyped && proposed) data.value = input("simulated").checked ? "data-simulated" : "data";
    drawKnown();
}

input("data").addEventListener("input", () => {
    dataTyped = input("data").value !== "";
});

at("withdraw-cancel").addEventListener("click", () => /** @type {HTMLDialogElement} */ (at("withdraw")).close());
input("simulated").addEventListener("change", nameData);
at("what").addEventListener("change", drawErrandForm);
drawErrandForm();
for (const id of ["study", "participant", "session", "data", "changed"]) {
    at(id).addEventListener("input", () => {
        if (id !== "changed") input("changed").checked = false; // it was said of that session
        problem(""); // it was said of what stood there before
        drawKnown();
    });
}
// Files and sessions change while the page is out of sight.
for (const back of ["focus", "pageshow"]) addEventListener(back, load);
document.addEventListener("visibilitychange", () => document.hidden || load());
load();

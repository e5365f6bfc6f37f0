// @ts-check
// The experimenter's page of one session. It draws what the session says and never paces it.

import { ENGLISH, element, form, settle } from "./answers.js";
import { Plot } from "./plots.js";
import { CROWDED, listen, send } from "./reach.js";
import { WINDOWS, advice, clock, doneOf, duration, inLocalTime, isPractice, milliseconds, sees, trialName, trialNumber, whole } from "./words.js";

/** @typedef {import("./words.js").Scene} Scene */

const base = location.pathname.replace(/\/$/, "");
const at = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** Whether the console itself opens the participant's page. */
const inKiosk = document.body.hasAttribute("data-kiosk");
at("all-studies").hidden = document.body.hasAttribute("data-only"); // there is no such page then

/** @type {Scene | undefined} */
let scene;
/** @type {import("./words.js").Progress | undefined} */
let progress;
let sound = 0;
let all = 0;
/** @type {import("./reach.js").Reach} */
let reach = "waiting";
const asynchronies = new Plot(at("asynchronies"), "Asynchrony in ms, above zero is late", true);
const intervals = new Plot(at("intervals"), "Inter-tap interval in ms", false);

/** @param {object} command */
async function order(command) {
    const { error } = await send(`${base}/command`, command);
    at("problem").textContent = error ?? "";
    at("problem").hidden = !error;
    return error;
}

/** @param {any} line */
function told(line) {
    switch (line.line) {
        case "scene":
            return show(line);
        case "progress":
            progress = line;
            return schedule(drawTrial);
        case "begins":
            asynchronies.begin(line.inputs);
            intervals.begin(line.inputs);
            progress = undefined;
            return undefined;
        case "tap":
            light(line.input);
            if (line.interval_ms !== undefined) intervals.add(line.input, line.at_ms / 1000, line.interval_ms);
            at("live-title").dataset.taps = `${line.input}/${line.number}`;
            return undefined;
        case "asynchrony":
            return asynchronies.add(line.input, line.at_ms / 1000, line.ms);
        case "trial":
            return over(line);
        case "summary":
            at("summary").textContent = line.text;
            at("summary-sheet").hidden = false;
            return undefined;
        case "remark":
            return remark(line);
        default:
            return undefined;
    }
}

/** @type {Set<() => void>} */
const due = new Set();

/** @param {() => void} draw at most once a frame */
function schedule(draw) {
    if (due.size === 0) {
        requestAnimationFrame(() => {
            const now = [...due];
            due.clear();
            now.forEach((one) => one());
        });
    }
    due.add(draw);
}

/** @param {Scene} next */
function show(next) {
    const changed = scene?.turn !== next.turn;
    scene = next;
    if (changed) at("problem").hidden = true;
    schedule(draw);
}

function draw() {
    drawFacts();
    drawQuality();
    drawPlan();
    drawTrial();
    drawPads();
    drawQuestion();
    drawSees();
    drawControls();
}

/**
 * @param {string} id
 * @param {[string, string][]} pairs
 */
function list(id, pairs) {
    const rows = pairs.filter(([, value]) => value !== "").map(([name, value]) => {
        const row = element("div");
        row.append(element("dt", "", name), element("dd", "", value));
        return row;
    });
    at(id).replaceChildren(...rows);
}

const isOver = () => scene !== undefined && ["ended", "failed"].includes(scene.phase.is);

/** @param {[string, string][]} levels */
const levels = (levels) => levels.map(([name, level]) => `${name} ${level}`).join(", ");

function drawFacts() {
    if (!scene) return;
    at("title").textContent = scene.title || "Session";
    document.title = scene.participant ? `${scene.participant}: ${scene.title}` : `Chronotap: ${scene.single ? scene.title : "session"}`;
    at("controls-title").textContent = scene.single ? "The trial" : "The session";
    if (scene.single) {
        list("facts", [
            ["Participant", scene.simulated ? "simulated" : ""],
            ["Data", scene.folder],
        ]);
        at("place").hidden = true;
        at("progress").hidden = true;
        at("summary-title").textContent = "The summary";
        at("summary-sheet").setAttribute("open", "");
        return;
    }
    // Before the plan is there nobody has looked into the data.
    const known = scene.steps.length > 0 && (scene.resumed ? "resumed" : scene.session > 1 ? "known" : "new");
    list("facts", [
        ["Participant", scene.participant && [scene.participant, known, scene.simulated && "simulated"].filter(Boolean).join(", ")],
        ["Session", String(scene.session)],
        ["Group", scene.blind ? "hidden" : levels(scene.cell)],
        ["Devices and sound", scene.devices_tested ? "tested" : "not tested"],
        ["Data", scene.folder],
    ]);
    list("place", [
        ["Step", scene.step],
        ["Trial", isOver() ? "" : `${trialNumber(scene)}${isPractice(scene) && scene.trial > 0 ? ", until it is done" : ""}`],
        ["Trials done", scene.planned > 0 && (isOver() || scene.trial === 0 || isPractice(scene)) ? `${scene.done} of ${scene.planned}` : ""],
        ["Attempt", scene.attempt > 1 && !isOver() ? String(scene.attempt) : ""],
        ["Condition", isOver() ? "" : scene.blind ? "hidden" : levels(scene.condition)],
        ["Left", scene.left_s === null || isOver() ? "" : `about ${duration(scene.left_s)}`],
    ]);
    const bar = /** @type {HTMLProgressElement} */ (at("progress"));
    bar.max = Math.max(scene.planned, 1);
    bar.value = scene.done;
}

let planned = "";

/** The steps of the session, and which of them is under way. */
function drawPlan() {
    if (!scene) return;
    const key = JSON.stringify([scene.steps, scene.step, scene.phase.complete, isOver()]);
    if (key === planned) return;
    planned = key;
    const reached = scene.steps.findIndex((step) => step.name === scene?.step);
    const now = scene.phase.complete ? scene.steps.length : reached;
    at("plan-sheet").hidden = scene.steps.length === 0;
    at("plan").replaceChildren(
        ...scene.steps.map(({ name, trials }, place) => {
            const unnamed = trials === 0 && /^step-\d+$/.test(name);
            const item = element("li", place < now ? "done" : "", unnamed ? "text, questions or a rest" : name);
            if (place === now && !isOver()) item.setAttribute("aria-current", "step");
            const count = trials === null ? "until it is done" : `${trials} ${trials === 1 ? "trial" : "trials"}`;
            if (trials !== 0) item.append(element("span", "note", count));
            return item;
        }),
    );
}

let advised = "";

function drawTrial() {
    if (!scene) return;
    const runs = scene.phase.is === "trial";
    const told = advice(scene, runs ? progress : undefined);
    const key = JSON.stringify([told, scene.turn]);
    if (key !== advised) {
        advised = key;
        at("advice-text").textContent = told.text;
        at("advice").className = `sheet advice times ${told.tone}`;
        at("advice-buttons").replaceChildren(...told.buttons.map(button));
        at("advice-buttons").hidden = told.buttons.length === 0;
    }
    at("live-title").textContent = runs ? "The running trial" : progress ? "The last trial" : "No trial yet";
    const taps = (progress?.taps ?? []).map(([name, count]) => /** @type {[string, string]} */ ([`taps, ${name}`, String(count)]));
    at("asynchronies").hidden = scene.blind;
    list("numbers", [
        ["time", progress ? `${progress.at_s.toFixed(1)} s` : "–"],
        ...taps,
        ["since the last tap", progress && runs ? `${progress.silent_s.toFixed(1)} s` : "–"],
        ["greatest lateness", progress ? `${(progress.latest_us / 1000).toFixed(2)} ms` : "–"],
        ["tones lost", progress ? String(progress.lost) : "–"],
        ["overruns of inputs", progress ? String(progress.overruns.reduce((sum, [, count]) => sum + count, 0)) : "–"],
        ["inputs gone", progress ? String(progress.closed.length) : "–"],
    ]);
}

/**
 * @param {import("./words.js").Button} told
 * @param {number} place
 */
function button(told, place) {
    const made = document.createElement("button");
    made.textContent = told.label;
    made.className = place === 0 ? "first" : told.grave ? "grave" : "";
    const { command, press } = told;
    made.addEventListener("click", () => (command ? order(command) : at(press ?? "").click()));
    settle(made);
    return made;
}

function drawPads() {
    const inputs = scene?.phase.inputs;
    at("pads").hidden = !inputs;
    if (!inputs) return;
    const pads = inputs.map((input) => {
        const pad = element("li", input.taps > 0 ? "tapped" : "");
        const words = input.gone ? "gone" : input.taps === 0 ? "not tapped yet" : `${input.taps} ${input.taps === 1 ? "tap" : "taps"}, timed by: ${input.stamp}`;
        pad.append(element("b", "", input.name), element("span", "note", words));
        return pad;
    });
    const before = [...at("pads").children].map((pad) => pad.textContent);
    at("pads").replaceChildren(...pads);
    pads.forEach((pad, place) => {
        if (before[place] !== undefined && before[place] !== pad.textContent) flash(pad);
    });
}

/** @param {Element} pad */
function flash(pad) {
    pad.classList.add("lit");
    setTimeout(() => pad.classList.remove("lit"), 150);
}

/** @param {number} input */
function light(input) {
    const pad = at("pads").children[input];
    if (pad) flash(pad);
}

let asked = -1;

function drawQuestion() {
    const place = at("question");
    const phase = scene?.phase;
    const is = phase?.is === "question" && phase.answer;
    place.hidden = !is;
    if (!scene || !is || asked === scene.turn) return;
    asked = scene.turn;
    const { turn } = scene;
    const text = element("div", "text");
    text.id = "asked";
    text.innerHTML = pictures(phase.html ?? ""); // made by the console, which lets no HTML of the text through
    const answered = async (/** @type {string} */ answer) =>
        (await send(`${base}/command`, { do: "answer", turn, answer })).error;
    place.replaceChildren(text, form(is, "asked", { ...ENGLISH, go_on: "Answer" }, answered));
}

let seen = "";

function drawSees() {
    if (!scene) return;
    const html = scene.phase.is === "text" || scene.phase.is === "question" ? scene.phase.html : undefined;
    const key = html ?? sees(scene);
    if (key !== seen) {
        seen = key;
        if (html === undefined) at("sees").replaceChildren(element("p", "note", key));
        else at("sees").innerHTML = pictures(html);
    }
    at("window").textContent = isOver() ? "" : WINDOWS[scene.window];
}

/**
 * Pictures of a text lie below this page's own address.
 * @param {string} html
 */
const pictures = (html) => html.replaceAll('src="picture/', `src="${base}/picture/`);

function drawControls() {
    if (!scene) return;
    const is = scene.phase.is;
    at("controls-sheet").hidden = isOver();
    at("open-window").hidden = isOver();
    at("hold").hidden = is === "held" || scene.single;
    at("note").hidden = scene.single;
    at("stop").hidden = scene.single && is === "trial";
    at("stop").textContent = scene.single ? "Do not run it" : "Stop the session";
    at("hold").textContent = scene.hold ? "Do not hold" : "Hold before the next trial";
    at("end-trial").hidden = is !== "trial";
    const between = !scene.single && !["trial", "opening", "check"].includes(is);
    at("skip").hidden = !between;
    at("repeat").hidden = !between || all === 0;
}

/** The trials since this page was told of the session, and at its end all of them. */
function drawQuality() {
    const { resumed, phase } = scene ?? {};
    const since = resumed ? "Since the session was resumed: " : "";
    at("quality").textContent = all === 0 ? "None yet." : `${since}${sound} of ${all} without complaint.`;
    const tally = phase?.is === "ended" ? phase.tally : undefined;
    at("whole").textContent = tally ? whole(tally) : "";
    at("whole").hidden = !tally;
}

/** What is said of the last trial when it is to be run again. */
let last = "the last trial";

/** @param {any} trial */
function over(trial) {
    last = `trial ${trial.trial} of “${trial.step}”`;
    all += 1;
    sound += trial.timing_passed && trial.complaints.length === 0 ? 1 : 0;
    drawQuality();
    at("trials-table").hidden = false;
    const row = element("div", "trial");
    row.setAttribute("role", "row");
    const number = trial.attempt > 1 ? `${trial.trial} (attempt ${trial.attempt})` : String(trial.trial);
    const cells = [trial.step, number, trial.taps, milliseconds(trial.mean_ms), milliseconds(trial.sd_ms)];
    const timing = trial.timing_passed ? "pass" : "fail";
    row.append(...cells.map((text, place) => cell(place === 0 ? "" : "number", String(text))));
    row.append(cell(timing, `${timing}ed`), cell("", trial.complaints.join("; ")));
    put(row);
    schedule(drawControls);
}

/**
 * @param {string} kind
 * @param {string} text
 */
function cell(kind, text) {
    const cell = element("span", kind, text);
    cell.setAttribute("role", "cell");
    return cell;
}

const GROUP = 50;
const GROUPS = 100;

/**
 * Puts a row first. The browser lays out and draws only groups of rows that are in sight, and the
 * first, which still grows; so the table of a long session costs no more than that of a short one.
 * How many are kept is bounded.
 * @param {HTMLElement} row
 */
function put(row) {
    const groups = at("trials");
    let group = groups.firstElementChild;
    if (!group || group.childElementCount === GROUP) {
        group = element("div", "some");
        group.setAttribute("role", "rowgroup");
        groups.prepend(group);
        if (groups.childElementCount > GROUPS) groups.lastElementChild?.remove();
        at("left-out").hidden = all <= GROUP * GROUPS;
    }
    group.prepend(row);
}

const REMARKS = 1000; // that are kept in sight

/** @param {{at: string, text: string}} remark */
function remark(remark) {
    const item = element("li");
    item.append(element("time", "", clock(remark.at)), inLocalTime(remark.text));
    at("log").prepend(item);
    if (at("log").childElementCount > REMARKS) at("log").lastElementChild?.remove();
}

/** @param {import("./reach.js").Reach} now */
function reached(now) {
    if (reach === now) return;
    reach = now;
    at("lost").hidden = now === "here" || now === "waiting" || isOver();
    at("lost").textContent =
        now === "crowded"
            ? CROWDED
            : now === "gone"
            ? scene?.single
                ? "The trial's program cannot be reached. What was recorded is kept, in the data or their journal."
                : "The session's program cannot be reached. What was recorded is kept; begin the session again to go on."
            : "Display lost: whether the session goes on cannot be seen from here. It does unless its own program was stopped. If this does not come back, start chronotap console again.";
}

/** Everything is told once more. */
function anew() {
    [sound, all] = [0, 0];
    drawQuality();
    at("trials-table").hidden = true;
    at("left-out").hidden = true;
    at("trials").replaceChildren();
    at("log").replaceChildren();
}

const REASONS = ["noise or a disturbance", "the participant asked", "a wrong instruction", "a device failed", "the participant stopped tapping"];

/** @param {Scene} scene */
const sofar = (scene) => (trialName(scene) || scene.planned === 0 ? "" : `${doneOf(scene)}. `);

/** @type {Record<string, {text: (scene: Scene) => string, reasons?: boolean, note?: boolean, grave?: boolean, button: string, command: (text: string, begun: number) => object}>} */
const DIALOGS = {
    note: { text: () => "A note for the journal", note: true, button: "Write it down", command: (text) => ({ do: "note", text }) },
    repeat: {
        text: (scene) => `Run ${last} of participant ${scene.participant} again? What there is of it will not count.`,
        reasons: true, button: "Run it again", command: (reason, begun) => ({ do: "repeat", reason, begun }),
    },
    skip: {
        text: (scene) => `Leave out ${trialName(scene) || "the next trial"} of participant ${scene.participant}? ${sofar(scene)}`,
        reasons: true, button: "Leave it out", command: (reason, begun) => ({ do: "skip", reason, begun }),
    },
    "end-trial": {
        text: (scene) => `End ${scene.single ? "the trial" : `${trialName(scene)} of participant ${scene.participant}`} now? What there is of it is kept.`,
        grave: true, button: "End this trial", command: (_, begun) => ({ do: "end_trial", begun }),
    },
    stop: {
        text: (scene) => scene.single
            ? "Leave without running the trial?"
            : `Stop the session of participant ${scene.participant}${trialName(scene) ? ` at ${trialName(scene)}` : ""}? ${sofar(scene)}It can go on another time.`,
        grave: true, button: "Stop the session", command: () => ({ do: "stop" }),
    },
};

/** @param {string} name */
function ask(name) {
    const dialog = /** @type {HTMLDialogElement} */ (at("ask"));
    const what = DIALOGS[name];
    if (!scene || !what) return;
    const { begun } = scene; // the trial that is named here is meant, and not the one after it
    const text = element("h2", "", what.text(scene));
    text.id = "ask-text";
    const parts = [text];
    if (what.reasons) parts.push(reasons());
    if (what.note) parts.push(note());
    const problem = element("p", "error");
    problem.setAttribute("role", "alert");
    const row = element("div", "row");
    const yes = element("button", what.grave ? "first grave" : "first", scene.single && name === "stop" ? "Do not run it" : what.button);
    const no = /** @type {HTMLButtonElement} */ (element("button", "", "Cancel"));
    no.type = "button";
    no.autofocus = Boolean(what.grave); // a key that is held down on the button opens it, and does no more
    no.addEventListener("click", () => dialog.close());
    row.append(yes, no);
    const form = /** @type {HTMLFormElement} */ (at("ask-form"));
    form.replaceChildren(...parts, problem, row);
    form.onsubmit = async (event) => {
        event.preventDefault();
        const given = new FormData(form);
        const reason = String(given.get("other") || given.get("text") || "");
        const error = await order(what.command(reason, begun));
        problem.textContent = error ?? "";
        if (!error) dialog.close();
    };
    dialog.showModal();
}

function reasons() {
    const whole = element("div");
    const label = element("label", "", "Why?");
    const select = document.createElement("select");
    select.name = "text";
    for (const reason of [...REASONS, "another reason"]) select.append(new Option(reason, reason));
    const other = element("label", "", "Which?");
    const input = document.createElement("input");
    input.name = "other";
    input.maxLength = 500;
    other.append(input);
    other.hidden = true;
    select.addEventListener("change", () => {
        other.hidden = select.value !== "another reason";
        input.required = !other.hidden;
        if (other.hidden) input.value = "";
    });
    label.append(select);
    whole.append(label, other);
    whole.className = "column";
    return whole;
}

function note() {
    const label = element("label", "", "Note");
    const input = document.createElement("input");
    input.name = "text";
    input.required = true;
    input.maxLength = 500;
    label.append(input);
    return label;
}

for (const name of Object.keys(DIALOGS)) at(name).addEventListener("click", () => ask(name));
at("hold").addEventListener("click", () => order({ do: "hold", hold: !scene?.hold }));
at("open-window").addEventListener("click", async () => {
    // Opened at once, else the browser holds it for a window that nobody wanted.
    const opened = inKiosk ? null : window.open("", "_blank");
    const { address, error } = await send(`${base}/window`, {});
    if (inKiosk && !error) return;
    if (address && opened) {
        opened.opener = null;
        opened.location.href = address;
        return;
    }
    opened?.close();
    at("problem").textContent = error ?? `Open this address on the participant's screen: ${address}`;
    at("problem").hidden = false;
});
listen(`${base}/events`, told, reached, () => !isOver(), anew); // the end of a session stays in sight

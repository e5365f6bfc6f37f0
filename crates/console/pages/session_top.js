// @ts-check
// The head of the page of a session: who sits there, how far the session is, and its plan.

import { element, isolated } from "./answers.js";
import { Drawn, at, list } from "./sheet.js";
import { duration, isOver, isPractice, trialNumber } from "./words.js";

/** @typedef {import("./words.js").Scene} Scene */

/** @param {[string, string][]} levels */
const levels = (levels) => levels.map(([name, level]) => `${name} ${level}`).join(", ");

/** @param {Scene} scene */
export function drawFacts(scene) {
    at("title").textContent = scene.title || "Session";
    document.title = scene.participant ? `${scene.participant}: ${isolated(scene.title)}` : `Chronotap: ${scene.single ? isolated(scene.title) : "session"}`;
    at("controls-title").textContent = scene.single ? "The trial" : "The session";
    if (scene.single) return drawSingle(scene);
    // Before the plan is there nobody has looked into the data.
    const known = scene.steps.length > 0 && (scene.resumed ? "resumed" : scene.session > 1 ? "known" : "new");
    list("facts", [
        ["Participant", scene.participant && [scene.participant, known, scene.simulated && "simulated"].filter(Boolean).join(", ")],
        ["Session", String(scene.session)],
        ["Group", scene.blind ? "hidden" : levels(scene.cell)],
        ["Devices and sound", scene.devices_tested ? "tested" : "not tested"],
        ["Data", scene.folder],
    ]);
    drawPlace(scene);
}

/** @param {Scene} scene of a trial that belongs to no session */
function drawSingle(scene) {
    list("facts", [
        ["Participant", scene.simulated ? "simulated" : ""],
        ["Data", scene.folder],
    ]);
    at("place").hidden = true;
    at("progress").hidden = true;
    at("summary-title").textContent = "The summary";
    at("summary-sheet").setAttribute("open", "");
}

/** @param {Scene} scene */
function drawPlace(scene) {
    const over = isOver(scene);
    list("place", [
        ["Step", scene.step],
        ["Trial", over ? "" : `${trialNumber(scene)}${isPractice(scene) && scene.trial > 0 ? ", until it is done" : ""}`],
        ["Trials done", scene.planned > 0 && (over || scene.trial === 0 || isPractice(scene)) ? `${scene.done} of ${scene.planned}` : ""],
        ["Attempt", scene.attempt > 1 && !over ? String(scene.attempt) : ""],
        ["Condition", over ? "" : scene.blind ? "hidden" : levels(scene.condition)],
        ["Left", scene.left_s === null || over ? "" : `about ${duration(scene.left_s)}`],
    ]);
    const bar = /** @type {HTMLProgressElement} */ (at("progress"));
    bar.max = Math.max(scene.planned, 1);
    bar.value = scene.done;
}

/** The steps of the session, and which of them is under way. */
export class Plan {
    constructor() {
        this.drawn = new Drawn();
    }

    /** @param {Scene} scene */
    draw(scene) {
        const complete = scene.phase.is === "ended" && scene.phase.complete && !scene.phase.answered;
        if (!this.drawn.isNew([scene.steps, scene.step, complete, isOver(scene)])) return;
        const reached = scene.steps.findIndex((step) => step.name === scene.step);
        const now = complete ? scene.steps.length : reached;
        at("plan-sheet").hidden = scene.steps.length === 0;
        at("plan").replaceChildren(
            ...scene.steps.map((step, place) => {
                const item = this.step(step, place < now);
                if (place === now && !isOver(scene)) item.setAttribute("aria-current", "step");
                return item;
            }),
        );
    }

    /**
     * @param {Scene["steps"][number]} step
     * @param {boolean} done
     */
    step({ name, trials }, done) {
        const unnamed = trials === 0 && /^step-\d+$/.test(name);
        const item = element("li", done ? "done" : "", unnamed ? "text, questions or a rest" : name);
        const count = trials === null ? "until it is done" : `${trials} ${trials === 1 ? "trial" : "trials"}`;
        if (trials !== 0) item.append(element("span", "note", count));
        return item;
    }
}

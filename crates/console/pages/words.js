// @ts-check
// What the experimenter is told: one sentence and at most a few buttons, the first of which is
// recommended. Pure functions of what the session says.

import { OLDER } from "./reach.js";

/**
 * @typedef {import("./lines.js").Line} Line
 * @typedef {Extract<Line, {line: "scene"}>} Scene
 * @typedef {Extract<Line, {line: "progress"}>} Progress
 * @typedef {import("./lines.js").Phase} Phase
 * @typedef {import("./lines.js").Tally} Tally
 * @typedef {{label: string, command?: import("./lines.js").Command, press?: string, grave?: boolean}} Button
 *     `press` names the button of the page that does the same
 * @typedef {{text: string, tone: "" | "warn" | "bad", buttons: Button[]}} Advice
 */

const SILENT_S = 5;

/** @param {Scene | undefined} scene */
export const isOver = (scene) => scene !== undefined && ["ended", "failed"].includes(scene.phase.is);

/** @type {Button} */
const OPEN = { label: "Open the participant’s page", press: "open-window" };

/**
 * @param {string} text
 * @param {Button[]} [buttons]
 * @param {"" | "warn" | "bad"} [tone]
 * @returns {Advice}
 */
function say(text, buttons = [], tone = "") {
    return { text, buttons, tone };
}

/**
 * @param {Scene} scene
 * @param {Progress | undefined} progress
 * @returns {Advice}
 */
export function advice(scene, progress) {
    const told = usual(scene, progress);
    const needed = ["check", "text", "question", "waiting", "rest"].includes(scene.phase.is);
    if (scene.window !== "frozen" || !needed) return told;
    return say(FROZEN, [OPEN, ...told.buttons.filter(({ press }) => press !== OPEN.press)], "warn");
}

const FROZEN = "The participant’s page has not answered for more than 8 s: load it again (F5) or open it once more.";

/**
 * The same where the participant's page answers.
 * @param {Scene} scene
 * @param {Progress | undefined} progress
 * @returns {Advice}
 */
function usual(scene, progress) {
    const { phase, turn } = scene;
    /** @type {(label: string) => Button} */
    const goOn = (label) => ({ label, command: { do: "go_on", turn } });
    switch (phase.is) {
        case "opening":
            return say("The devices are being opened.");
        case "check":
            return check(phase, scene);
        case "text":
            if (phase.waits && isOpen(scene)) return say("The participant reads, and waits for you.", [goOn("Go on")]);
            return isOpen(scene)
                ? say(`The participant reads, and goes on with ${scene.simulated ? "the button" : "a tap or the button"}.`, [goOn("Go on for them")])
                : say("The participant is to read a text: open their page on their screen.", [OPEN, goOn("Go on for them")]);
        case "question":
            if (phase.experimenter) {
                return say("A value is missing that the session needs before it goes on. Answer below; the participant waits.", [], "warn");
            }
            return isOpen(scene)
                ? say("The participant is asked. You can answer for them here.")
                : say("The participant is asked: open their page on their screen, or answer for them here.", [OPEN]);
        case "waiting":
            return waiting(scene, phase.on, goOn);
        case "gap":
            return scene.hold ? say("The session will be held before the next trial.") : say("The next trial begins in a moment.");
        case "rest":
            return say(`The participant rests for ${Math.round(phase.seconds)} s.`);
        case "trial":
            return trial(progress, scene.keyboard);
        case "held":
            return isMissed(scene) && !scene.hold
                ? say(`Held before the next trial: ${phase.why}.`, [OPEN, goOn("Go on without it")], "warn")
                : say(`Held before the next trial: ${phase.why}.`, [goOn("Go on")], "warn");
        case "doubt":
            return say(inLocalTime(phase.text), [
                { label: "Yes", command: { do: "decide", turn, yes: true } },
                { label: "No", command: { do: "decide", turn, yes: false }, grave: true },
            ], "warn");
        case "practice":
            return say(`${phase.text} Go on all the same?`, [
                { label: "Practise once more", command: { do: "practise", turn } },
                { label: "Go on", command: { do: "decide", turn, yes: true } },
                { label: "Stop the session", command: { do: "decide", turn, yes: false }, grave: true },
            ], "warn");
        case "choose":
            return say("The trial was ended by hand. It is kept, and marked.", [
                goOn("Run it again"),
                { label: "Skip it", press: "skip" },
                { label: "Stop the session", press: "stop", grave: true },
            ], "warn");
        case "ended":
            return scene.single ? overAlone(phase) : ended(phase);
        case "failed":
            return say(`${scene.single ? "The trial could not be run" : "The session could not go on"}: ${inLocalTime(phase.error)}`, [], "bad");
        default:
            return unknown(phase);
    }
}

/** @param {never} phase that is none of those above */
function unknown(phase) {
    const { is } = /** @type {{is: string}} */ (phase);
    return say(`${OLDER}: it does not know “${is}”. Load it again.`, [], "bad");
}

/**
 * @param {Extract<Phase, {is: "check"}>} phase
 * @param {Scene} scene
 */
function check(phase, scene) {
    const { simulated } = scene;
    const gone = phase.inputs.filter((input) => input.gone).map((input) => input.name);
    const missing = phase.inputs.filter((input) => input.taps === 0 && !simulated).map((input) => input.name);
    /** @type {Button} */
    const test = { label: phase.played ? "Play them again" : "Play test tones", command: { do: "test" } };
    /** @type {Button} */
    const heard = { label: "Yes, they were heard", command: { do: "heard" } };
    if (gone.length > 0) return say(`The input ${gone.join(", ")} is gone: check its cable, then press the pad once.`, [], "bad");
    if (phase.playing) return say(`Test tones sound. ${simulated ? "The simulated participant taps." : "Press each pad, and listen where the participant sits."}`);
    if (!phase.played) return say(`Try the devices: play test tones${simulated ? "; the simulated participant taps to them" : ", and press each pad"}.${ownKeyboard(scene)}`, [test]);
    if (!phase.heard) return say("Were the tones heard where the participant sits?", [heard, test]);
    if (missing.length > 0) return say(`Press once: ${missing.join(", ")}.`, [test], "warn");
    /** @type {Button} */
    const start = { label: "Start", command: { do: "start" } };
    if (isMissed(scene)) return say("Every device works, but the participant’s page is closed: open it before you start.", [OPEN, start, test], "warn");
    if (scene.window === "never") return say(`Every device works. Start when the participant is ready; their page was not opened yet.${ownKeyboard(scene)}`, [start, OPEN, test]);
    return say(`Every device works. Start when the participant is ready.${ownKeyboard(scene)}`, [start, test]);
}

/** @param {Scene} scene */
const ownKeyboard = ({ keyboard }) =>
    keyboard && ` The computer’s own keyboard “${keyboard}” is tapped on. Nobody else has it while a trial runs: use the mouse then, and hold Escape for 2 s to end the trial.`;

/** Whether the participant's page was open, and cannot be used now. @param {Scene} scene */
const isMissed = ({ window }) => window === "closed" || window === "frozen";

/** @param {Scene} scene */
const isOpen = (scene) => scene.window === "open" || scene.window === "full";

/**
 * @param {Scene} scene
 * @param {string} on what goes on
 * @param {(label: string) => Button} goOn
 */
function waiting(scene, on, goOn) {
    if (on === "experimenter" && scene.single) return say(`Everything is ready. Start when whoever taps is.${ownKeyboard(scene)}`, [goOn("Start the trial")]);
    if (on === "experimenter" && !isTrialAhead(scene)) return say("Go on when the participant is ready.", [goOn("Go on")]);
    if (on === "experimenter" && isMissed(scene)) return say("The participant’s page is closed: open it before you start the next trial.", [OPEN, goOn("Start the trial")], "warn");
    if (on === "experimenter") return say("Start the next trial when the participant is ready.", [goOn("Start the trial")]);
    if (on === "tap") return say("The participant goes on with a tap.", [goOn("Go on for them")]);
    return isOpen(scene)
        ? say("The participant goes on with the button on their page.", [goOn("Go on for them")])
        : say("The participant is to press a button: open their page on their screen.", [OPEN, goOn("Go on for them")]);
}

/**
 * Whether what is waited for is followed by a trial: a rest or a text at the end is not.
 * @param {Scene} scene
 */
const isTrialAhead = (scene) => scene.trial > 0 && (scene.done < scene.planned || isPractice(scene));

/**
 * @param {Progress | undefined} progress
 * @param {string} keyboard that nobody else has meanwhile
 */
function trial(progress, keyboard) {
    const runs = `The trial runs.${keyboard && " Whoever taps ends it by holding Escape for 2 s."}`;
    if (!progress) return say(runs);
    const { closed, silent_s, lost, taps, overruns, silent_frames, dropped, disk } = progress;
    if (disk) return say(`${disk.charAt(0).toUpperCase()}${disk.slice(1)}.`, [], "bad");
    if (closed.length > 0) return say(`The input ${closed.join(", ")} is gone: check its cable.`, [], "bad");
    if (overruns.length > 0)
        return say(`Taps may be lost: a buffer of the input ${overruns.map(([name]) => name).join(", ")} was full.`, [], "bad");
    if (dropped > 0) return say(`${dropped} events are lost: the recorder had no room for them.`, [], "bad");
    if (silent_frames > 0) return say("The music was interrupted: the disk did not give it in time.", [], "bad");
    if (lost > 0) return say(`${lost} ${lost === 1 ? "tone was" : "tones were"} not played: check the output.`, [], "bad");
    if (taps.length > 0 && silent_s > SILENT_S) return say(`No taps for ${Math.floor(silent_s)} s: check the pad.`, [], "warn");
    return say(runs);
}

/** @param {Extract<Phase, {is: "ended"}>} phase */
function overAlone(phase) {
    return phase.sound
        ? say("The trial is over, and there is nothing to complain of.")
        : say("The trial is over. Something is not as it should be: see below.", [], "warn");
}

/** @param {Extract<Phase, {is: "ended"}>} phase */
function ended(phase) {
    if (!phase.complete) return say("The session is stopped. Begin it again to go on where it was.", [], "warn");
    if (phase.answered === "participation") return say("An answer ended the participation. This person takes no further part: no session of theirs comes any more.");
    if (phase.answered) return say("An answer ended the session. The next one comes as planned.");
    return phase.sound
        ? say("The session is complete, and every trial that counts is sound.")
        : say("The session is complete. Some trials failed their timing or brought unusable data: see below.", [], "warn");
}

/**
 * What the participant's screen shows, where that is no text of the study: in the study's words.
 * @param {Scene} scene
 */
export function sees(scene) {
    return scene.says ? `“${scene.says}”` : "A calm screen with a cross.";
}

/** @param {Scene} scene */
export function isPractice({ steps, step }) {
    return steps.some(({ name, trials }) => name === step && trials === null);
}

/**
 * The trial that runs or is next: its place in the plan, whether it is run for the first time or again.
 * Practice has a number of its own. Empty where it is not settled yet which is next.
 * @param {Scene} scene
 */
export function trialNumber(scene) {
    const { trial, planned, step, steps } = scene;
    if (trial === 0) return "";
    if (isPractice(scene)) return `${trial} of “${step}”`;
    const before = steps.slice(0, steps.findIndex(({ name }) => name === step));
    return `${before.reduce((sum, { trials }) => sum + (trials ?? 0), trial)} of ${planned}`;
}

/** @param {Scene} scene */
export const trialName = (scene) => trialNumber(scene) && `trial ${trialNumber(scene)}`;

/** @param {Scene} scene */
export const doneOf = ({ done, planned }) => `${done} of ${planned} planned ${planned === 1 ? "trial" : "trials"} done`;

/**
 * A session that is over, at a glance.
 * @param {Tally} tally
 */
export function whole(tally) {
    const { trials, timing_failed, unusable, repeated, cut_short, skipped } = tally;
    const found = /** @type {[number, string][]} */ ([
        [timing_failed, "with failed timing"], [unusable, "with unusable data"], [repeated, "repeated by hand"],
        [cut_short, "cut short"], [skipped, "left out"],
    ]).filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
    const run = `The whole session: ${trials} ${trials === 1 ? "trial" : "trials"} run to the end`;
    if (found.length > 0) return `${run}; ${found.join(", ")}.`;
    return trials === 0 ? `${run}.` : `${run}; every timing passed, and all data are usable.`;
}

/**
 * Times of the journal are UTC; whoever reads the page has a clock on the wall.
 * @param {string} text
 */
export function inLocalTime(text) {
    return text.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, (stamp) =>
        new Date(stamp).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" }));
}

/**
 * @param {string} stamp
 */
export const clock = (stamp) => new Date(stamp).toTimeString().slice(0, 8);

/** @type {Record<Scene["window"], string>} */
export const WINDOWS = {
    never: "Their page was not opened yet.",
    full: "Their page is open and fills the screen.",
    open: "Their page is open and does not fill the screen: press “Fill the screen” on it.",
    closed: "Their page is closed: the session is held before the next trial.",
    frozen: "Their page does not answer: the session is held before the next trial.",
};

/** @param {number | null | undefined} ms */
export function milliseconds(ms) {
    return ms === null || ms === undefined ? "–" : `${ms.toFixed(1)} ms`;
}

/** @param {number} seconds */
export function duration(seconds) {
    return seconds < 90 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;
}

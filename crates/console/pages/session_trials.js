// @ts-check
// The trials of a session: the one that runs, with its plots and numbers, and those that are over.

import { element } from "./answers.js";
import { Plot } from "./plots.js";
import { at, list } from "./sheet.js";
import { milliseconds, whole } from "./words.js";

/**
 * @typedef {import("./lines.js").Line} Line
 * @typedef {import("./words.js").Scene} Scene
 * @typedef {import("./words.js").Progress} Progress
 */

/** The trial that runs, or the last one. */
export class Live {
    constructor() {
        this.asynchronies = new Plot(at("asynchronies"), "Asynchrony in ms, above zero is late", true);
        this.intervals = new Plot(at("intervals"), "Inter-tap interval in ms", false, "interval of the pacing tones");
        /** The last two tones of the first pacing stream, in ms: @type {number[]} */
        this.tones = [];
    }

    /** @param {string[]} inputs */
    begin(inputs) {
        this.tones = [];
        this.asynchronies.begin(inputs);
        this.intervals.begin(inputs);
    }

    /** @param {Extract<Line, {line: "beat"}>} tone */
    tone({ stream, at_ms }) {
        if (stream === 0) this.tones = [...this.tones.slice(-1), at_ms];
    }

    /**
     * The interval that was to be tapped, in ms: that of the last two tones, which also stands while the taps go on without
     * them. Who is blind does not see it, because the tempo may be the condition.
     * @param {boolean} blind
     */
    required(blind) {
        const [before, last] = this.tones;
        return blind || last === undefined ? null : last - before;
    }

    /**
     * @param {Extract<Line, {line: "tap"}>} tap
     * @param {boolean} blind
     */
    tap(tap, blind) {
        const { input, at_ms, interval_ms } = tap;
        if (interval_ms !== undefined) this.intervals.add(input, at_ms / 1000, interval_ms, this.required(blind));
        at("live-title").dataset.taps = `${tap.input}/${tap.number}`;
    }

    /** @param {Extract<Line, {line: "asynchrony"}>} asynchrony */
    asynchrony({ input, at_ms, ms }) {
        this.asynchronies.add(input, at_ms / 1000, ms);
    }

    /**
     * @param {Scene} scene
     * @param {Progress | undefined} progress
     */
    draw(scene, progress) {
        const runs = scene.phase.is === "trial";
        at("live-title").textContent = runs ? "The running trial" : progress ? "The last trial" : "No trial yet";
        const taps = (progress?.taps ?? []).map(([name, count]) => /** @type {[string, string]} */ ([`taps, ${name}`, String(count)]));
        at("asynchronies").hidden = scene.blind;
        list("numbers", [
            ["time", progress ? `${progress.at_s.toFixed(1)} s` : "–"],
            ...taps,
            ["since the last tap", progress && runs ? `${progress.silent_s.toFixed(1)} s` : "–"],
            ["greatest lateness", progress ? `${progress.latest_us.toFixed(progress.latest_us < 1000 ? 1 : 0)} us` : "–"],
            ["tones lost", progress ? String(progress.lost) : "–"],
            ["overruns of inputs", progress ? String(progress.overruns.reduce((sum, [, count]) => sum + count, 0)) : "–"],
            ["inputs gone", progress ? String(progress.closed.length) : "–"],
        ]);
    }
}

const GROUP = 50;
const GROUPS = 100;

/** The trials since this page was told of the session. */
export class Trials {
    constructor() {
        this.sound = 0;
        this.all = 0;
        /** What is said of the last one when it is to be run again. */
        this.last = "the last trial";
    }

    /** Everything is told once more. */
    clear() {
        [this.sound, this.all] = [0, 0];
        at("trials-table").hidden = true;
        at("left-out").hidden = true;
        at("trials").replaceChildren();
    }

    /** @param {Extract<Line, {line: "trial"}>} trial that is over */
    add(trial) {
        this.last = `trial ${trial.trial} of “${trial.step}”`;
        this.all += 1;
        this.sound += trial.timing_passed && trial.complaints.length === 0 ? 1 : 0;
        at("trials-table").hidden = false;
        const row = element("div", "trial");
        row.setAttribute("role", "row");
        const number = trial.attempt > 1 ? `${trial.trial} (attempt ${trial.attempt})` : String(trial.trial);
        const cells = [trial.step, number, trial.taps, milliseconds(trial.mean_ms), milliseconds(trial.sd_ms)];
        const timing = trial.timing_passed ? "pass" : "fail";
        row.append(...cells.map((text, place) => cell(place === 0 ? "" : "number", String(text))));
        row.append(cell(timing, `${timing}ed`), cell("", trial.complaints.join("; ")));
        this.put(row);
    }

    /**
     * Puts a row first. The browser lays out and draws only groups of rows that are in sight, and the
     * first, which still grows; so the table of a long session costs no more than that of a short one.
     * How many are kept is bounded.
     * @param {HTMLElement} row
     */
    put(row) {
        const groups = at("trials");
        let group = groups.firstElementChild;
        if (!group || group.childElementCount === GROUP) {
            group = element("div", "some");
            group.setAttribute("role", "rowgroup");
            groups.prepend(group);
            if (groups.childElementCount > GROUPS) groups.lastElementChild?.remove();
            at("left-out").hidden = this.all <= GROUP * GROUPS;
        }
        group.prepend(row);
    }

    /** @param {Scene | undefined} scene at whose end all trials are counted */
    draw(scene) {
        const since = scene?.resumed ? "Since the session was resumed: " : "";
        at("quality").textContent = this.all === 0 ? "None yet." : `${since}${this.sound} of ${this.all} without complaint.`;
        const tally = scene?.phase.is === "ended" ? scene.phase.tally : undefined;
        at("whole").textContent = tally ? whole(tally) : "";
        at("whole").hidden = !tally;
    }
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

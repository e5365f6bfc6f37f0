// @ts-check
// Tests of this computer and single trials on the first page: the form that begins one, and the list of
// those that were begun.

import { element, isolated } from "./answers.js";
import { send } from "./reach.js";
import { at, complain, input } from "./sheet.js";

/**
 * @typedef {{path: string, title: string, wrong: boolean}} Trial
 * @typedef {{number: number, title: string, lasts: string | null, over: boolean, status: number | null}} Job
 */

const INTERRUPTED = 128; // what a shell adds to the number of a signal

/** What each of them is, and which fields it has. */
const JOBS = /** @type {Readonly<Record<string, {note: string, fields: string[]}>>} */ ({
    doctor: { note: "Rights, kernel, clock, processors, sound and USB, with the cure of what is wrong. Changes nothing, and takes about a second.", fields: [] },
    wakeup: { note: "A thread on every core, as in a trial. Leave the computer alone meanwhile.", fields: ["length"] },
    loop: { note: "Messages go round from an output to an input. Connect the two by a cable first; wire is a virtual one.", fields: ["loop-in", "loop-out", "length"] },
    threshold: { note: "You are asked to leave the sensor alone, to tap softly, and to tap hard. With a port of the tones it is also heard whether the metronome counts as taps. With the name of an input, such as pad, the result is written into your machine file.", fields: ["sensor-in", "sensor-out", "sensor-name"] },
    trial: { note: "Without participant or session. Its data go into the folder trials, beside its file. Name no port, and it has those that the console was started with, or those of your machine file; keys: is this computer’s own keyboard.", fields: ["trial", "trial-simulated", "trial-in", "trial-out"] },
});

const LENGTHS = { quick: ["Quick", ""], normal: ["Normal", ""], full: ["Long", " (until rare events show)"] };

export class Jobs {
    constructor() {
        /** @type {Record<string, Record<string, string>>} about how long tests take, by test and length */
        this.lasting = {};
        this.portsAreNamed = false;
        this.canTry = false;
        /** @type {Set<string>} the paths of trials with mistakes */
        this.wrong = new Set();
        for (const id of ["what", "trial", "trial-simulated"]) at(id).addEventListener("change", () => this.drawForm());
        at("job-form").addEventListener("submit", (event) => this.begin(event));
        this.drawForm();
    }

    /**
     * @param {Trial[]} trials
     * @param {Job[]} jobs
     * @param {Record<string, Record<string, string>>} lasting
     */
    draw(trials, jobs, lasting) {
        this.lasting = lasting;
        this.wrong = new Set(trials.filter(({ wrong }) => wrong).map(({ path }) => path));
        offer(/** @type {HTMLSelectElement} */ (at("trial")), trials.map((one) => new Option(named(one), one.path)));
        const single = /** @type {HTMLOptionElement} */ (at("what").querySelector("[value=trial]"));
        single.hidden = single.disabled = trials.length === 0;
        this.drawForm();
        at("jobs").hidden = jobs.length === 0;
        at("jobs").replaceChildren(...jobs.map((one) => linked(`/job/${one.number}`, one.title, one.over ? ended(one.status) : underWay(one))));
    }

    drawForm() {
        const what = input("what").value;
        const { note, fields } = JOBS[what];
        at("what-note").textContent = note;
        for (const { fields: all } of Object.values(JOBS)) {
            for (const field of all) at(`${field}-label`).hidden = !fields.includes(field);
        }
        for (const [length, [words, why]] of Object.entries(LENGTHS)) {
            const known = this.lasting[what]?.[length];
            const option = /** @type {HTMLOptionElement} */ (at("length").querySelector(`[value=${length}]`));
            option.textContent = `${words}${known ? `, about ${known}` : ""}${why}`;
        }
        this.drawTrial(what === "trial");
        const tappedAlone = what === "trial" && input("trial-simulated").checked; // nobody is at the ports
        if (tappedAlone) for (const way of ["in", "out"]) at(`trial-${way}-label`).hidden = true;
        if (["loop", "threshold", "trial"].includes(what)) this.namePorts();
    }

    /**
     * What can be done with the trial that is chosen: one with mistakes can only be looked at.
     * @param {boolean} meant whether one is to be run at all
     */
    drawTrial(meant) {
        const wrong = meant && this.wrong.has(input("trial").value);
        at("trial-wrong").hidden = !wrong;
        at("trial-wrong").textContent = `This trial has mistakes, so it cannot be run.${this.canTry ? "" : " chronotap check and its name show them."}`;
        at("try-trial-of").hidden = !meant || !this.canTry;
        const link = /** @type {HTMLAnchorElement} */ (at("try-trial"));
        link.href = `/try#${encodeURIComponent(input("trial").value)}`;
        link.textContent = wrong ? "See the mistakes" : "Try this trial";
        at("try-trial-note").textContent = wrong
            ? "at their lines, in a new tab: the text is only read there"
            : "in a new tab, reading only: its text, its timeline, and simulated people who tap";
        /** @type {HTMLButtonElement} */ (at("run")).disabled = wrong;
    }

    /** Offers the ports of this computer; others can be written. */
    async namePorts() {
        if (this.portsAreNamed) return;
        this.portsAreNamed = true;
        const ports = await fetch("/ports").then((found) => found.json()).catch(() => []);
        for (const way of ["in", "out"]) {
            const usable = ports.filter((/** @type {any} */ port) => port[way] && !port.refused);
            at(`ports-${way}`).replaceChildren(...usable.map((/** @type {any} */ port) => new Option(described(port), port.name)));
        }
    }

    /** @param {Event} event */
    async begin(event) {
        event.preventDefault();
        const button = /** @type {HTMLButtonElement} */ (at("run"));
        button.disabled = true;
        const begun = await send("/job", asked());
        this.drawForm();
        complain("job-problem", begun.error);
        if (!begun.error) location.href = `/job/${begun.job}`;
    }
}

/** @param {Trial} one */
const named = ({ path, title, wrong }) => (wrong ? `${path} (has mistakes)` : `${isolated(title || "A trial")} (${path})`);

/** What is asked for, as the command takes it. */
function asked() {
    const [what, length] = [input("what").value, input("length").value];
    switch (what) {
        case "wakeup":
            return { what, length };
        case "loop":
            return { what, length, input: input("loop-in").value, output: input("loop-out").value };
        case "threshold":
            return { what, input: input("sensor-in").value, output: input("sensor-out").value, name: input("sensor-name").value };
        case "trial":
            return { what, path: input("trial").value, simulated: input("trial-simulated").checked, input: input("trial-in").value, output: input("trial-out").value };
        default:
            return { what };
    }
}

/**
 * The terminal of a list is that of who asks for it at one; a page has none.
 * @param {{name: string, description: string}} port
 */
const described = ({ name, description }) => (name === "keys:" ? "this computer’s own keyboard, kept for the trial" : description);

/** @param {Job} one */
const underWay = ({ lasts }) => (lasts ? `under way; it takes about ${lasts}` : "under way");

/** @param {number | null} status */
function ended(status) {
    if (status === 0) return "over";
    if (status === 1) return "over, with something to mend";
    return status === null || status > INTERRUPTED ? "stopped" : "could not be done";
}

/**
 * A card that leads to a page.
 * @param {string} address
 * @param {string} title
 * @param {string} note
 */
export function linked(address, title, note) {
    const card = element("div", "card");
    const link = document.createElement("a");
    link.href = address;
    link.textContent = title;
    card.append(link, element("span", "note", note));
    return card;
}

/**
 * Offers these in a list, and keeps what was chosen.
 * @param {HTMLSelectElement} list
 * @param {HTMLOptionElement[]} options
 */
export function offer(list, options) {
    const chosen = list.value;
    list.replaceChildren(...options);
    if (options.some((option) => option.value === chosen)) list.value = chosen;
}

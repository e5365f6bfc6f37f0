// @ts-check
// What decides the groups of a new participant, on the first page: a field for each, and the groups that
// follow from them, so that they are seen before the session begins. And the same put right afterwards.

import { element } from "./answers.js";
import { send } from "./reach.js";
import { at, complain, input } from "./sheet.js";

/**
 * What is entered about a participant: an answer, or a group that the experimenter chooses.
 * @typedef {{name: string, text: string, decides: boolean, answer: import("./answers.js").Expected}} Entered
 * @typedef {{path: string, entered: Entered[]}} Study
 */

export class Groups {
    constructor() {
        this.place = at("group-fields");
        this.drawn = "";
        /** @type {Study | undefined} */
        this.study = undefined;
        this.place.addEventListener("input", () => this.follow());
    }

    /**
     * Draws the fields of another study; nothing where the participant is known, whose groups are settled.
     * @param {Study | undefined} study
     * @param {boolean} isNew
     */
    draw(study, isNew) {
        this.study = study;
        const entered = (study?.entered ?? []).filter((one) => one.decides);
        this.place.hidden = entered.length === 0 || !isNew;
        for (const one of this.place.querySelectorAll("input, select")) /** @type {HTMLInputElement} */ (one).disabled = this.place.hidden;
        const all = JSON.stringify([study?.path, entered]);
        if (all === this.drawn) return;
        this.drawn = all;
        this.place.replaceChildren(...entered.map((one) => labelled(one, field(one.answer, `group-${one.name}`))));
        at("group").textContent = "";
        if (!this.place.hidden) this.follow();
    }

    /** @returns {[string, string][]} names and what was entered */
    answers() {
        if (this.place.hidden) return [];
        return (this.study?.entered ?? []).filter((one) => one.decides).map((one) => [one.name, value(`group-${one.name}`)]);
    }

    /** Says which groups follow, as soon as all is entered. */
    async follow() {
        const answers = this.answers();
        const whole = answers.length > 0 && answers.every(([, given]) => given !== "");
        const { groups, error } = whole ? await send("/groups", { study: this.study?.path, answers }) : { groups: [] };
        const said = (groups ?? []).map((/** @type {[string, string]} */ [name, level]) => `${name} is ${level}`).join(" and ");
        at("group").textContent = error ?? (said && `It follows that ${said}.`);
        at("group").classList.toggle("error", Boolean(error));
    }
}

/** The dialog in which what was entered is put right. */
export class Correction {
    /** @param {() => void} look looks into the folder once more */
    constructor(look) {
        this.look = look;
        this.dialog = /** @type {HTMLDialogElement} */ (at("correct"));
        this.what = /** @type {HTMLSelectElement} */ (at("correct-what"));
        at("correct-cancel").addEventListener("click", () => this.dialog.close());
    }

    /**
     * @param {string} dataset
     * @param {string} label
     * @param {Study} study
     */
    ask(dataset, label, study) {
        const form = /** @type {HTMLFormElement} */ (at("correct-form"));
        form.reset();
        at("correct-text").textContent = `Correct what was entered about participant ${label}`;
        complain("correct-problem", undefined);
        this.what.replaceChildren(...study.entered.map((one) => new Option(one.text, one.name)));
        const draw = () => {
            const one = study.entered.find((entered) => entered.name === this.what.value);
            if (one) at("correct-value").replaceChildren(labelled({ text: "What is right" }, field(one.answer, "correct-is")));
        };
        this.what.onchange = draw;
        draw();
        form.onsubmit = async (event) => {
            event.preventDefault();
            const values = [[this.what.value, value("correct-is")]];
            const { error } = await send("/correct", { dataset, participant: label, values, reason: input("correct-reason").value, by: input("by").value.trim() });
            complain("correct-problem", error);
            if (error) return;
            this.look();
            this.dialog.close();
        };
        this.dialog.showModal();
    }
}

/**
 * @param {{text: string}} of
 * @param {HTMLElement} field
 */
function labelled({ text }, field) {
    const label = document.createElement("label");
    label.append(text, field);
    return label;
}

/**
 * A list of words, or a line.
 * @param {import("./answers.js").Expected} answer
 * @param {string} id
 */
function field(answer, id) {
    if (answer.form === "choice") {
        const list = document.createElement("select");
        Object.assign(list, { id, required: true });
        list.append(new Option("", ""), ...answer.words.map((word) => new Option(word, word)));
        return list;
    }
    const line = element("input");
    Object.assign(line, { id, required: !answer.optional, maxLength: 200, autocomplete: "off" });
    if (answer.form === "number" || answer.form === "scale") line.setAttribute("inputmode", "decimal");
    return line;
}

/** @param {string} id */
const value = (id) => (/** @type {HTMLInputElement | null} */ (document.getElementById(id))?.value ?? "").trim();

// @ts-check
// Packs on the first page: a study becomes one file for somebody else, and such a file is opened and checked.

import { isolated } from "./answers.js";
import { proposed } from "./home_data.js";
import { offer } from "./home_jobs.js";
import { send } from "./reach.js";
import { at, complain, input } from "./sheet.js";

/** What each of the two is, what it makes, and what its button says. */
const WAYS = /** @type {Readonly<Record<string, {note: string, makes: string, button: string}>>} */ ({
    open: {
        note: "Everything in it is worked out again and compared: the next page says “the same”, or names the number that differs, and has the effect as it was published, rehearsed and found. Nothing of the file is trusted.",
        makes: "Folder to make",
        button: "Open it",
    },
    pack: {
        note: "One file with the study, all files that it names, the plan of every session, and the tables of a rehearsal. Finished data are packed above, beside what else can be done with them.",
        makes: "File to make",
        button: "Pack it",
    },
});

export class Packs {
    constructor() {
        this.typed = false; // the name of what is made
        this.study = /** @type {HTMLSelectElement} */ (at("packs-study"));
        for (const id of ["packs-what", "packs-study", "packs-file"]) at(id).addEventListener("input", () => this.drawForm());
        at("packs-to").addEventListener("input", () => (this.typed = true));
        at("packs-form").addEventListener("submit", (event) => this.begin(event));
    }

    /** @param {{studies: import("./home_session.js").Study[], packs: string[]}} found */
    draw({ studies, packs }) {
        const whole = studies.filter((one) => !one.problem);
        offer(this.study, whole.map((one) => new Option(`${isolated(one.title)} (${one.path})`, one.path)));
        at("packs-list").replaceChildren(...packs.map((path) => new Option(path, path)));
        const pack = /** @type {HTMLOptionElement} */ (at("packs-what").querySelector("[value=pack]"));
        pack.hidden = pack.disabled = whole.length === 0;
        this.drawForm();
    }

    drawForm() {
        const what = input("packs-what").value;
        const { note, makes, button } = WAYS[what];
        at("packs-note").textContent = note;
        at("packs-made").textContent = makes;
        at("packs-go").textContent = button;
        at("packs-study-label").hidden = what !== "pack";
        at("packs-file-label").hidden = input("packs-file").disabled = what !== "open";
        input("packs-file").required = what === "open";
        if (!this.typed) input("packs-to").value = this.proposal();
    }

    /** A name for what is made, where nobody typed one. */
    proposal() {
        if (input("packs-what").value === "pack") return proposed("pack-of", this.study.value.replace(/\.toml$/, ""), ".zip");
        const name = input("packs-file").value.trim().replace(/^.*\//, "").replace(/\.zip$/, "");
        return name && `${name}-opened`;
    }

    /** @param {Event} event */
    async begin(event) {
        event.preventDefault();
        const button = /** @type {HTMLButtonElement} */ (at("packs-go"));
        button.disabled = true;
        const begun = await send("/job", this.asked());
        button.disabled = false;
        complain("packs-problem", begun.error);
        if (!begun.error) location.href = `/job/${begun.job}`;
    }

    /** What is asked for, as the command takes it. */
    asked() {
        const [what, to] = [input("packs-what").value, input("packs-to").value];
        return what === "pack" ? { what, study: this.study.value, to } : { what, file: input("packs-file").value.trim(), to };
    }
}

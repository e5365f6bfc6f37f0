// @ts-check
// The first page: it looks what is in the folder and under way, and hands it to the sheets that draw it.

import { isolated } from "./answers.js";
import { Data } from "./home_data.js";
import { Jobs, linked } from "./home_jobs.js";
import { Packs } from "./home_packs.js";
import { SessionForm } from "./home_session.js";
import { at, complain, input } from "./sheet.js";

/**
 * @typedef {{number: number, title: string, participant: string, session: number, done: number, planned: number}} Running
 */

class Page {
    constructor() {
        this.drawn = "";
        this.looking = false;
        this.gone = false; // the folder
        this.form = new SessionForm();
        this.jobs = new Jobs();
        this.packs = new Packs();
        this.data = new Data(() => this.load(), (dataset, session) => this.form.resume(dataset, session));
    }

    /** Looks what is in the folder and under way, and draws what is new; what was entered stays as it is. */
    async load() {
        if (this.looking) return;
        this.looking = true;
        try {
            const text = await (await fetch("/folder")).text();
            if (text !== this.drawn) this.draw(JSON.parse(text));
            this.drawn = text;
            complain("lost", this.gone ? `${at("folder").textContent} is not there any more. Put the folder back, or start chronotap console in another.` : "");
        } catch {
            complain("lost", "The console cannot be reached; what was begun goes on unless it was stopped too. Start chronotap console again.");
        } finally {
            this.looking = false;
        }
    }

    /** @param {any} folder */
    draw({ found, running, jobs, lasting, rehearsal, lacks }) {
        this.gone = found.gone;
        drawUnseen(found.unseen);
        at("folder").textContent = found.folder;
        drawRunning(running);
        this.form.canTry = this.jobs.canTry = !lacks.includes("try");
        this.jobs.draw(found.trials, jobs, lasting);
        this.data.draw(found.datasets, found.studies);
        if (this.drawn === "" && rehearsal) input("simulated").checked = true;
        drawLacking(lacks);
        this.packs.draw(found);
        this.form.draw(found);
        if (this.drawn === "") this.form.nameData();
    }
}

/**
 * Locks what the program was built without, and says so beside it.
 * @param {("lsl" | "parquet" | "try")[]} lacks
 */
function drawLacking(lacks) {
    const needs = { lsl: ["#lsl", "#listen"], parquet: ["#work-format [value=xlsx]", "#work-format [value=parquet]"], try: [] };
    for (const part of lacks) {
        at(`lacks-${part}`).hidden = false;
        for (const one of needs[part].map((lacking) => document.querySelector(lacking))) /** @type {HTMLInputElement | HTMLOptionElement} */ (one).disabled = true;
    }
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
    const card = (/** @type {Running} */ one) => {
        const far = one.planned > 0 ? `, ${one.done} of ${one.planned} planned trials done` : "";
        return linked(`/session/${one.number}`, `${isolated(one.title)}, participant ${one.participant}`, `session ${one.session}${far}`);
    };
    at("running").replaceChildren(...running.map(card));
}

const page = new Page();
// Files and sessions change while the page is out of sight.
for (const back of ["focus", "pageshow"]) addEventListener(back, () => page.load());
document.addEventListener("visibilitychange", () => document.hidden || page.load());
page.load();

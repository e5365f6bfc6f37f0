// @ts-check
// The data of a folder on the first page: the sessions of each dataset, what can be done with it, and
// who withdraws.

import { element } from "./answers.js";
import { Correction } from "./home_groups.js";
import { send } from "./reach.js";
import { at, complain, input } from "./sheet.js";
import { inLocalTime } from "./words.js";

/**
 * @typedef {{label: string, session: number, cell: string, complete: boolean, ended?: "participation" | "session", done: number, planned: number,
 *     trials: number, repeated: number, timing_failed: number, unusable: number, cut_short: number, skipped: number, next: string,
 *     began: string, last: string, by: string, despite?: string, next_due?: string,
 *     ports?: {inputs: Record<string, string>, outputs: Record<string, string>}}} Session
 * @typedef {{path: string, title: string, task: string, study: string, simulated: boolean, planned: number, sessions: Session[], withdrawn: string[], left: Record<string, string>,
 *     changed: {study: string, files: string[]}[], problems: string[]}} Dataset
 */

/**
 * What can be done with a dataset, each as the command of that name does it: what its button says,
 * the beginning of the name of what it makes, where it makes a folder or a file, and how a file ends.
 * @type {Readonly<Record<string, {button: string, makes?: string, ends?: string}>>}
 */
const WORKS = {
    verify: { button: "Verify" },
    analyze: { button: "Make tables" },
    report: { button: "Report" },
    backup: { button: "Back up", makes: "copy-of" },
    export: { button: "Export", makes: "tables-of" },
    pack: { button: "Pack", makes: "pack-of", ends: ".zip" },
};

export class Data {
    /**
     * @param {() => void} look looks into the folder once more
     * @param {(dataset: Dataset, session: Session) => void} resume puts a session into the form that begins one
     */
    constructor(look, resume) {
        this.look = look;
        this.resume = resume;
        /** @type {import("./home_session.js").Study[]} */
        this.studies = [];
        this.correction = new Correction(look);
        this.dialog = /** @type {HTMLDialogElement} */ (at("withdraw"));
        at("withdraw-cancel").addEventListener("click", () => this.dialog.close());
        this.leaving = /** @type {HTMLDialogElement} */ (at("dropout"));
        at("dropout-cancel").addEventListener("click", () => this.leaving.close());
        at("work-cancel").addEventListener("click", () => /** @type {HTMLDialogElement} */ (at("work")).close());
    }

    /**
     * @param {Dataset[]} datasets
     * @param {import("./home_session.js").Study[]} studies
     */
    draw(datasets, studies) {
        this.studies = studies;
        at("data-sheet").hidden = datasets.length === 0;
        at("datasets").replaceChildren(...datasets.map((one) => this.card(one)));
    }

    /** @param {Dataset} one */
    card(one) {
        const card = element("div", "card");
        const complete = one.sessions.filter((session) => session.complete).length;
        const kind = one.simulated ? ", simulated participants" : "";
        card.append(element("h3", "", one.title || one.path), element("p", "note", `${one.path}: ${complete} of ${one.planned} planned sessions are complete${kind}`));
        for (const problem of one.problems) card.append(element("p", "error", problem));
        for (const [how, said] of LEFT) {
            const labels = Object.keys(one.left).filter((label) => one.left[label] === how);
            if (labels.length > 0) card.append(element("p", "note", `${said}: ${labels.join(", ")}`));
        }
        if (one.withdrawn.length > 0) card.append(element("p", "note", `Withdrawn: ${one.withdrawn.join(", ")}`));
        if (one.sessions.length > 0) card.append(this.table(one), works(one));
        return card;
    }

    /** @param {Dataset} one */
    table(one) {
        const table = element("table");
        const head = element("tr");
        ["Participant", "Session", "Group", "Trials", "Complaints", "Next", ""].forEach((name) => head.append(element(name ? "th" : "td", "", name)));
        const body = element("tbody");
        body.append(...one.sessions.map((session) => this.row(one, session)));
        const top = element("thead");
        top.append(head);
        table.append(top, body);
        const place = element("div", "table");
        place.tabIndex = 0;
        place.setAttribute("role", "group");
        place.setAttribute("aria-label", `Sessions of ${one.path}`);
        place.append(table);
        return place;
    }

    /**
     * @param {Dataset} dataset
     * @param {Session} one
     */
    row(dataset, one) {
        const complaints = [
            [one.timing_failed, "timing failed"], [one.unusable, "unusable"], [one.repeated, "repeated by hand"], [one.cut_short, "cut short"], [one.skipped, "skipped"],
        ].filter(([count]) => Number(count) > 0).map(([count, what]) => `${count} ${what}`).concat(one.despite ? [`begun out of turn: ${one.despite}`] : []);
        const row = element("tr");
        const cells = [one.label, String(one.session), one.cell, `${one.done} of ${one.planned}`, complaints.join(", ") || "none"];
        row.append(...cells.map((cell) => element("td", "", cell)));
        const withdrawn = dataset.withdrawn.includes(one.label);
        row.append(element("td", one.complete ? "pass" : "", withdrawn ? "withdrawn" : next(one)));
        const last = element("td");
        const buttons = element("div", "row");
        if (!withdrawn && !one.complete && !one.ended && dataset.left[one.label] !== "dropped_out") {
            const resume = element("button", "", "Resume");
            resume.setAttribute("aria-label", `Resume session ${one.session} of participant ${one.label}`);
            resume.addEventListener("click", () => this.resume(dataset, one));
            buttons.append(resume);
        }
        const study = studyOf(dataset, this.studies);
        if (!withdrawn && study && study.entered.length > 0 && one.session === 1) {
            const correct = element("button", "", "Correct");
            correct.setAttribute("aria-label", `Correct what was entered about participant ${one.label}`);
            correct.addEventListener("click", () => this.correction.ask(dataset.path, one.label, study));
            buttons.append(correct);
        }
        const left = dataset.left[one.label];
        if (!withdrawn && one.session === 1 && (left === undefined || left === "dropped_out")) {
            const leave = element("button", "", left ? "Is back" : "Dropped out");
            leave.setAttribute("aria-label", `${leave.textContent}: participant ${one.label}`);
            leave.addEventListener("click", () => this.askWhy(dataset.path, one.label, left !== undefined));
            buttons.append(leave);
        }
        if (!withdrawn) {
            const button = element("button", "grave", "Withdraw");
            button.setAttribute("aria-label", `Withdraw participant ${one.label}`);
            button.addEventListener("click", () => this.ask(dataset, one.label));
            buttons.append(button);
        }
        last.append(buttons);
        row.append(last);
        return row;
    }

    /**
     * Why somebody will not come back, or is back.
     * @param {string} path of the dataset
     * @param {string} label
     * @param {boolean} back
     */
    askWhy(path, label, back) {
        const form = /** @type {HTMLFormElement} */ (at("dropout-form"));
        form.reset();
        at("dropout-text").textContent = back ? `Is participant ${label} back?` : `Will participant ${label} not come back?`;
        at("dropout-note").textContent = back ? "They take part again, and the reason is recorded." :
            "The data stay and are analysed. The place in the group is given again, and the reason is recorded.";
        at("dropout-problem").hidden = true;
        form.onsubmit = async (event) => {
            event.preventDefault();
            const reason = /** @type {HTMLInputElement} */ (at("dropout-reason")).value;
            const by = input("by").value.trim();
            const { error } = await send("/dropout", { dataset: path, participant: label, reason, by, back });
            complain("dropout-problem", error ?? "");
            if (error) return;
            this.look();
            this.leaving.close();
        };
        this.leaving.showModal();
    }

    /**
     * @param {Dataset} dataset
     * @param {string} label of whoever is to be withdrawn
     */
    ask(dataset, label) {
        const form = /** @type {HTMLFormElement} */ (at("withdraw-form"));
        form.reset();
        at("withdraw-text").textContent = `Withdraw participant ${label} from ${dataset.path}?`;
        at("withdraw-problem").hidden = true;
        form.onsubmit = async (event) => {
            event.preventDefault();
            const keep = new FormData(form).get("data") === "keep";
            const { error, left } = await send("/withdraw", { dataset: dataset.path, participant: label, keep });
            const still = (left ?? []).length > 0 ? `Still there, for you to remove: ${left.join("; ")}` : "";
            complain("withdraw-problem", error ?? still);
            if (error) return;
            this.look();
            if (!still) this.dialog.close();
        };
        this.dialog.showModal();
    }
}

/**
 * The study that a dataset was begun with, where it still stands beside it.
 * @param {Dataset} dataset
 * @param {import("./home_session.js").Study[]} studies
 */
export function studyOf(dataset, studies) {
    const folder = dataset.path.replace(/[^/]*$/, "");
    return studies.find((study) => study.path === folder + dataset.study);
}

/**
 * The buttons for what can be done with the whole dataset.
 * @param {Dataset} dataset
 */
function works(dataset) {
    const buttons = element("div", "row");
    const problem = element("p", "error");
    problem.setAttribute("role", "alert");
    problem.hidden = true;
    for (const [work, { button, makes }] of Object.entries(WORKS)) {
        const made = element("button", "", button);
        made.setAttribute("aria-label", `${button}: ${dataset.path}`);
        made.addEventListener("click", async () => {
            if (makes) return askWhere(dataset, work);
            const error = await beginWork({ dataset: dataset.path, work });
            problem.textContent = error ?? "";
            problem.hidden = !error;
        });
        buttons.append(made);
    }
    const all = element("div", "column");
    all.append(buttons, problem);
    return all;
}

/**
 * Asks for the folder or file that is to be made, and what is to be in it where that can be chosen.
 * @param {Dataset} dataset
 * @param {string} work
 */
function askWhere(dataset, work) {
    const { button, makes, ends } = WORKS[work];
    const form = /** @type {HTMLFormElement} */ (at("work-form"));
    form.reset();
    at("work-text").textContent = `${button} ${dataset.path}`;
    at("work-go").textContent = button;
    at("work-format-label").hidden = work !== "export";
    at("work-persons-label").hidden = work !== "pack";
    at("work-made").textContent = ends ? "File to make" : "Folder to make";
    input("work-to").value = proposed(makes ?? "", dataset.path, ends);
    complain("work-problem", undefined);
    form.onsubmit = async (event) => {
        event.preventDefault();
        const format = work === "export" ? { format: input("work-format").value } : {};
        const persons = work === "pack" ? { persons: input("work-persons").checked } : {};
        complain("work-problem", await beginWork({ dataset: dataset.path, work, to: input("work-to").value, ...format, ...persons }));
    };
    /** @type {HTMLDialogElement} */ (at("work")).showModal();
}

/**
 * A name for what is made, which nothing has most likely.
 * @param {string} makes
 * @param {string} path
 * @param {string} ends
 */
export function proposed(makes, path, ends = "") {
    const today = new Date().toLocaleDateString("sv"); // 2026-11-27
    return `${makes}-${path.replaceAll("/", "-")}-${today}${ends}`;
}

/**
 * Begins it, and goes to its page; else says why not.
 * @param {{dataset: string, work: string, to?: string, format?: string, persons?: boolean}} asked
 * @returns {Promise<string | undefined>}
 */
async function beginWork(asked) {
    const begun = await send("/job", { what: "dataset", ...asked });
    if (!begun.error) location.href = `/job/${begun.job}`;
    return begun.error;
}

/** How people leave a study, and what is said of them. */
const LEFT = [
    ["declined", "Declined"],
    ["ended", "Ended by an answer"],
    ["dropped_out", "Dropped out"],
];

/**
 * What comes next in a session, or how it ended.
 * @param {Session} one
 */
function next(one) {
    return one.ended ? `ended: ${one.next}` : one.complete ? complete(one) : one.next;
}

/**
 * With the days, where the study says when the next session is due.
 * @param {Session} one
 */
function complete(one) {
    const day = (/** @type {string} */ moment) => moment.split("T")[0];
    return one.next_due ? `complete on ${day(one.last)}; session ${one.session + 1} from ${inLocalTime(one.next_due)} on` : "complete";
}

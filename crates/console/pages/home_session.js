// @ts-check
// The form on the first page that begins a session: which study, who, where the data go; and what is
// known of them before it begins, so that nobody is taken for another.

import { isolated } from "./answers.js";
import { studyOf } from "./home_data.js";
import { Groups } from "./home_groups.js";
import { offer } from "./home_jobs.js";
import { Ports } from "./home_ports.js";
import { send } from "./reach.js";
import { at, complain, input } from "./sheet.js";
import { inLocalTime } from "./words.js";

/**
 * @typedef {{path: string, title: string, task: string, participants: number, sessions: number, languages: string[], blind: boolean, inputs: string[], outputs: string[], problem: string, entered: import("./home_groups.js").Entered[]}} Study
 * @typedef {import("./home_data.js").Dataset} Dataset
 */

export class SessionForm {
    constructor() {
        this.study = /** @type {HTMLSelectElement} */ (at("study"));
        /** @type {Study[]} */
        this.studies = [];
        /** @type {Dataset[]} */
        this.datasets = [];
        this.ports = new Ports();
        this.groups = new Groups();
        /** Whether somebody typed a folder for the data; then it stays. */
        this.dataTyped = false;
        /** Whether the program has the pane in which a study is tried. */
        this.canTry = false;
        at("form").addEventListener("submit", (event) => this.begin(event));
        input("data").addEventListener("input", () => (this.dataTyped = input("data").value !== ""));
        input("simulated").addEventListener("change", () => this.nameData());
        for (const id of ["study", "participant", "session", "data", "changed"]) {
            at(id).addEventListener("input", () => {
                if (id !== "changed") input("changed").checked = false; // it was said of that session
                complain("problem", ""); // it was said of what stood there before
                this.drawKnown();
            });
        }
    }

    /**
     * @param {{studies: Study[], datasets: Dataset[], gone: boolean}} found
     */
    draw({ studies, datasets, gone }) {
        this.studies = studies;
        this.datasets = datasets;
        offer(this.study, studies.map((one) => new Option(`${isolated(one.title)} (${one.path})`, one.path)));
        at("no-study").hidden = gone || studies.length > 0;
        this.drawKnown();
    }

    /** Proposes a folder for the data, where nobody typed one. */
    nameData() {
        const data = input("data");
        const proposed = ["", "data", "data-simulated"].includes(data.value); // or the browser kept what was typed
        if (!this.dataTyped && proposed) data.value = input("simulated").checked ? "data-simulated" : "data";
        this.drawKnown();
    }

    /**
     * Puts a session that is to go on into the form, with all that it was begun with.
     * @param {Dataset} dataset
     * @param {import("./home_data.js").Session} one
     */
    resume(dataset, one) {
        const data = dataset.path.replace(/^.*\//, "");
        const is = studyOf(dataset, this.studies);
        if (is) this.study.value = is.path;
        this.dataTyped = true;
        input("simulated").checked = dataset.simulated;
        for (const [id, value] of [["participant", one.label], ["session", String(one.session)], ["by", one.by], ["data", data]]) input(id).value = value;
        complain("problem", "");
        this.drawKnown(); // with the fields of its ports
        this.ports.choose(one.ports);
        at("form").scrollIntoView({ block: "center" });
        at("begin").focus();
    }

    chosen() {
        return this.studies.find((one) => one.path === this.study.value);
    }

    /** The session that the form names: what stands in a field that is not in sight was meant for another study. */
    session() {
        return at("session-label").hidden ? 1 : Number(input("session").value);
    }

    /** The dataset that the form names, where it is there. */
    dataset() {
        const folder = this.study.value.includes("/") ? this.study.value.replace(/[^/]*$/, "") : "";
        return this.datasets.find((one) => one.path === folder + input("data").value);
    }

    /** Says whether participant and session are new, so that nobody is taken for another. */
    drawKnown() {
        const is = this.chosen();
        at("session-label").hidden = input("session").disabled = !is || is.sessions < 2;
        complain("study-problem", is?.problem);
        this.drawTry(is);
        this.drawLanguages(is);
        this.ports.draw(is);
        if (input("simulated").checked) at("ports-of").hidden = true; // nobody is at them
        const given = input("participant").value.trim();
        const label = /^\d+$/.test(given) ? given.padStart(Math.max(2, String(is?.participants ?? 1).length), "0") : given;
        this.groups.draw(is, this.session() === 1 && !this.dataset()?.sessions.some((one) => one.label === label));
        const { text, locked } = known(this.dataset(), label, this.session(), is);
        const changed = locked ? "" : this.changes();
        at("changed-label").hidden = changed === "";
        const stays = locked || (changed !== "" && !input("changed").checked);
        at("known").textContent = [text, changed].filter(Boolean).join(" ");
        at("known").classList.toggle("error", stays);
        /** @type {HTMLButtonElement} */ (at("begin")).disabled = !is || Boolean(is.problem) || stays;
    }

    /**
     * Leads to the page on which this study is tried, or shows its mistakes. Whoever must not know who gets what is told
     * why it does not.
     * @param {Study | undefined} is
     */
    drawTry(is) {
        const possible = this.canTry && Boolean(is);
        at("try-of").hidden = !possible || is?.blind === true;
        at("blind").hidden = !possible || is?.blind !== true;
        const [name, note] = is?.problem
            ? ["See the mistakes", "at their lines, in a new tab: the text is only read there"]
            : ["Try this study", "in a new tab, reading only: its timeline, simulated people, and what comes out"];
        at("try").textContent = name;
        at("try-note").textContent = note;
        /** @type {HTMLAnchorElement} */ (at("try")).href = `/try#${encodeURIComponent(is?.path ?? "")}`;
    }

    /**
     * Offers the languages of a study that has several. Who goes on, or comes again, keeps theirs, so that
     * nothing need be chosen.
     * @param {Study | undefined} is
     */
    drawLanguages(is) {
        const languages = is?.languages ?? [];
        const select = /** @type {HTMLSelectElement} */ (at("language"));
        at("language-label").hidden = select.disabled = languages.length < 2;
        const options = ["", ...languages];
        if (options.join() === [...select.options].map((one) => one.value).join()) return;
        const kept = `As before; at first ${languageName(languages[0] ?? "en")}`;
        select.replaceChildren(...options.map((one) => new Option(one === "" ? kept : languageName(one), one)));
    }

    /** What has changed of the study since the sessions that are in the data; empty where nothing has. */
    changes() {
        const files = this.dataset()?.changed.find((one) => one.study === this.study.value)?.files ?? [];
        if (files.length === 0) return "";
        return `Since earlier sessions ${files.join(", ")} changed: restore what was there (${input("data").value}/sourcedata/study-…).`;
    }

    /** @param {Event} event */
    async begin(event) {
        event.preventDefault();
        complain("problem", "");
        const button = /** @type {HTMLButtonElement} */ (at("begin"));
        button.disabled = true;
        at("wait").textContent = "The session is being started.";
        const begun = await send("/begin", {
            study: this.study.value,
            participant: input("participant").value.trim(),
            session: this.session(),
            by: input("by").value.trim(),
            data: input("data").value,
            simulated: input("simulated").checked,
            lsl: input("lsl").checked,
            listen: input("listen").value,
            changed: !at("changed-label").hidden && input("changed").checked,
            language: at("language-label").hidden ? "" : input("language").value,
            answers: this.groups.answers(),
            inputs: this.ports.chosen("in"),
            outputs: this.ports.chosen("out"),
        });
        this.drawKnown(); // unlocks it
        at("wait").textContent = "";
        if (begun.error) complain("problem", begun.error);
        else location.href = `/session/${begun.session}`;
    }
}

/**
 * A language by its English name; the page is in English.
 * @param {string} language
 */
function languageName(language) {
    try {
        return new Intl.DisplayNames(["en"], { type: "language" }).of(language) ?? language;
    } catch {
        return language; // no browser knows it
    }
}

/**
 * Who that is in the data, and whether nothing can be begun with them.
 * @param {Dataset | undefined} data
 * @param {string} label
 * @param {number} session
 * @param {Study | undefined} study its task makes it that study: the title may have been changed since
 * @returns {{text: string, locked: boolean}}
 */
function known(data, label, session, study) {
    const free = (/** @type {string} */ text) => ({ text, locked: false });
    const locked = (/** @type {string} */ text) => ({ text, locked: true });
    if (data?.task && study?.task && data.task !== study.task && data.sessions.length > 0) {
        return locked(`The folder ${data.path} holds the data of another study, “${isolated(data.title)}”: name another folder.`);
    }
    const { sessions } = study ?? { sessions: 1 };
    if (!(session >= 1 && session <= Math.max(sessions, 1))) return locked(`The study has sessions 1 to ${sessions}.`);
    if (label === "") return free("");
    if (data?.withdrawn.includes(label)) return locked(`Participant ${label} withdrew: enter another label.`);
    const left = data?.left[label];
    if (left === "dropped_out") return locked(`Participant ${label} dropped out: enter another label.`);
    const theirs = (data?.sessions ?? []).filter((one) => one.label === label);
    const begun = theirs.find((one) => one.session === session);
    if (begun?.complete) return locked(`Participant ${label} has completed this session.`);
    if (begun?.ended) return locked(`This session of participant ${label} was ended by an answer.`);
    if (left) return locked(`Participant ${label} takes no further part: an answer ended the participation. Enter another label.`);
    const before = theirs.find((one) => one.session === session - 1);
    const waits = before && !before.complete && !before.ended
        ? ` Session ${before.session} is not complete: ${before.done} of ${before.planned} planned trials are done. You will be asked whether to begin all the same.`
        : before?.next_due && Date.parse(before.next_due) > Date.now()
          ? ` Session ${session} is due from ${inLocalTime(before.next_due)} on. You will be asked whether to begin all the same.`
          : "";
    if (begun) return free(`Participant ${label} goes on: ${begun.done} of ${begun.planned} planned trials are done; next is ${begun.next}.`);
    if (theirs.length > 0) return free(`Participant ${label} is known, and begins session ${session}.${waits}`);
    if (session > 1) return locked(`Participant ${label} has not begun session 1: run it first.`);
    return free(`Participant ${label} is new.`);
}

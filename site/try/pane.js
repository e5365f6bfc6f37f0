// The pane: the text of a trial or experiment file, its mistakes as one types, its timeline, people who tap in
// it, and what came of that. Everything is worked out by the engine in a worker; this only shows it.

import { along } from "./along.js";
import { editor } from "./editor.js";
import { ask, ask_long, close } from "./engine_of_page.js";
import { hearing } from "./hearing.js";
import { packed, unpacked } from "./link.js";
import { described, estimated, movable } from "./person.js";
import { sliders } from "./sliders.js";
import { whole_study } from "./whole_study.js";
import { drawing, events, made, opened, plan, statistics, table, taps } from "./tables.js";
import { fitting } from "./timeline.js";

/** So long nobody types before the engine is asked, in milliseconds. */
const REST = 150;

let panes = 0;
const open_ones = new Set();

/** Opens a pane in `section` for a text, a ready-made study, what a link holds, or files that are only to be read. */
async function open(section, what) {
    const state = await begun(what);
    const parts = build(section, state, (panes += 1));
    open_ones.add(parts);
    await new Promise((next) => setTimeout(next)); // whatever else waits for the page comes first
    await refresh(state, parts);
}

/** The files, of which the first is checked, and the settings. */
async function begun({ name, text, beside, study, link, files, participant, reading }) {
    const settings = { participant: "tapper", people: 1, seed: "", step: "" };
    if (files) return { files, settings: { ...settings, participant }, shown: 0, reading };
    const held = link ? await unpacked(link) : null;
    if (held) return { files: held.files, settings: { ...settings, ...held.settings }, shown: 0 };
    const damaged = Boolean(link?.startsWith("#try="));
    if (study) return { files: (await ask("study", study)).answer, settings: { ...settings, participant: "adults" }, shown: 0 };
    return { files: [[name, text], ...beside], settings, shown: 0, damaged };
}

function asked({ files, settings }, more = {}) {
    const [[name, text], ...beside] = files;
    const { participant, people, seed, step } = settings;
    return {
        name, text, beside, participant,
        people: Number(people),
        seed: seed === "" ? null : Number(seed),
        step: step || null,
        ...more,
    };
}

/** Everything that the pane shows, empty. */
function build(section, state, number) {
    const parts = { number };
    const later = () => {
        clearTimeout(parts.timer);
        parts.timer = setTimeout(() => refresh(state, parts), REST);
    };
    parts.mistakes = made("div", { class: "ct-mistakes", role: "status" });
    parts.told = made("p", { class: "ct-told", role: "status" });
    parts.results = made("div", { class: "ct-results" });
    state.room = () => parts.results.clientWidth;
    const held = made("div", { class: "ct-editor" });
    const changed = (text) => {
        state.files[state.shown][1] = text;
        later();
    };
    parts.editor = editor(held, state.files[0][1], "The text of the file", changed, state.reading);
    parts.sliders = made("div");
    parts.person = made("div");
    parts.later = later;
    parts.study = whole_study((more) => asked(state, more));
    // Each writes into the text.
    const numbers = state.reading ? "" : opened("Numbers of the file, to move", parts.sliders);
    const person = opened("The person who taps, to move", parts.person);
    section.append(files(state, parts), held, parts.mistakes, numbers, settings(state, parts, later), person, buttons(state, parts), parts.told, parts.study.part, parts.results);
    if (state.damaged) parts.told.textContent = "The link is damaged; this is an example instead.";
    return parts;
}

/** Which of several files is shown. */
function files(state, parts) {
    if (state.files.length < 2) return "";
    const options = state.files.map(([name], at) => made("option", { value: String(at) }, name));
    const choose = made("select", {}, ...options);
    choose.addEventListener("change", () => {
        state.shown = Number(choose.value);
        parts.editor.replace(state.files[state.shown][1]);
    });
    return made("label", { class: "ct-file" }, "File ", choose);
}

function settings(state, parts, later) {
    const of = (key, element) => {
        element.value = state.settings[key];
        element.addEventListener("input", () => {
            state.settings[key] = element.value;
            if (element.checkValidity()) later();
        });
        return element;
    };
    const who = (parts.who = made("select", {}, made("option", {}, state.settings.participant)));
    ask("populations", "").then(({ answer }) => {
        who.replaceChildren(...answer.map(({ name, meaning }) => made("option", { value: name, title: meaning }, name)));
        choose(who, state.settings.participant);
    });
    parts.step = made("select", {});
    parts.steps = made("label", { hidden: "" }, "Step ", of("step", parts.step));
    return made(
        "fieldset", {}, made("legend", {}, "Who taps"),
        made("label", {}, "Kind of person ", of("participant", who)),
        made("label", {}, "How many ", of("people", made("input", { type: "number", min: "1", max: "100", step: "1", required: "" }))),
        made("label", {}, "Seed ", of("seed", made("input", { type: "number", min: "0", max: "4294967295", step: "1", placeholder: "of the file" }))),
        parts.steps,
    );
}

/** A person of one's own stands in the list too. */
function choose(who, participant) {
    const own = [...who.options].find((option) => option.dataset.own) ?? made("option", { "data-own": "yes" });
    if ([...who.options].some(({ value, dataset }) => value === participant && !dataset.own)) own.remove();
    else {
        [own.value, own.textContent, own.title] = [participant, "one of your own", participant];
        who.append(own);
    }
    who.value = participant;
}

function buttons(state, parts) {
    const tell = (text) => (parts.told.textContent = text);
    const hear = made("button", { type: "button" }, "Hear it");
    parts.silent = hearing(hear, async (rate_hz) => (await ask("sound", asked(state, { rate_hz }))).answer, tell);
    const sound = async (rate_hz) => (await ask("sound", asked(state, { rate_hz, taps_ms: [] }))).answer;
    parts.along = along(sound, (taps_ms, worth) => tapped(state, parts, taps_ms, worth), tell);
    const link = made("button", { type: "button", onclick: () => copied(state, tell) }, "Link to this");
    const keep = made("button", { type: "button", onclick: () => kept(state, tell) }, "Keep the data");
    // A link leads to where the text can be edited, and data are files.
    const row = made("div", { class: "ct-buttons" }, hear, parts.along.begin, ...(state.reading ? [] : [link, keep]));
    return made("div", {}, row, parts.along.pad);
}

/** What came of the taps of somebody at this page, with what they are worth; it stands until the text changes. */
async function tapped(state, parts, taps_ms, worth) {
    const round = (parts.round = (parts.round ?? 0) + 1);
    const shown = await rehearsed(state, { taps_ms, people: 1 });
    if (round !== parts.round) return;
    const told = made("p", {}, "This is what you did. Change anything, and simulated people tap again.");
    parts.results.replaceChildren(told, made("p", { class: "ct-worth" }, worth), ...shown);
    parts.results.classList.remove("ct-old");
}

/** The address of the page that opens with these files. */
async function copied({ files, settings }, tell) {
    const page = new URL(window.chronotapTryPage, document.baseURI);
    const address = page.href.replace(/#.*$/, "") + (await packed({ files, settings }));
    try {
        await navigator.clipboard.writeText(address);
        tell("The link is copied. It holds the text; nothing was sent.");
    } catch {
        tell("");
        prompt("The link, which holds the text:", address);
    }
}

/** The files of the first person's trial, as the program writes them. */
async function kept(state, tell) {
    const started = new Date().toISOString().replace(/\.\d+Z$/, "Z");
    const { answer } = await ask("record", asked(state, { started }));
    if (answer.refused) return tell(answer.refused);
    for (const [ending, text] of [["tsv", answer.events], ["json", answer.description]]) {
        const url = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
        made("a", { href: url, download: `rehearsed_run-01_events.${ending}` }).click();
        setTimeout(() => URL.revokeObjectURL(url), 10_000);
    }
    tell("Kept: rehearsed_run-01_events.tsv and .json, as chronotap simulate writes them.");
}

/** Asks again for everything; what comes after a newer question is not shown. */
async function refresh(state, parts) {
    const round = (parts.round = (parts.round ?? 0) + 1);
    const isLate = () => round !== parts.round;
    parts.silent();
    parts.along.end();
    parts.study.forget();
    showSliders(state, parts);
    try {
        await showPerson(state, parts, isLate);
        const { answer: checked } = await ask("check", asked(state));
        if (isLate()) return;
        showMistakes(state, parts, checked);
        if (checked.problems.length > 0) return parts.results.classList.add("ct-old");
        showSteps(state, parts, checked);
        parts.study.part.hidden = !checked.experiment;
        const shown = [opened("What chronotap check says", made("pre", { tabindex: "0" }, checked.told))];
        if (checked.experiment) shown.unshift(...(await planned(state)));
        if (!checked.experiment || checked.steps.length > 0) shown.unshift(...(await rehearsed(state)));
        if (isLate()) return;
        parts.results.classList.remove("ct-old");
        parts.results.replaceChildren(...shown);
    } catch (error) {
        if (!isLate()) parts.told.textContent = error.message;
    }
}

/** Not while one of them is moved, which would take it from under the hand. */
function showSliders(state, parts) {
    if (state.reading || parts.sliders.contains(document.activeElement)) return;
    parts.sliders.replaceChildren(sliders(state.files[state.shown][1], parts.editor.write));
}

async function showPerson(state, parts, isLate) {
    if (parts.person.contains(document.activeElement)) return;
    const person = await described(state.settings.participant);
    if (isLate()) return;
    parts.person.replaceChildren(movable(person, (participant) => {
        state.settings.participant = participant;
        choose(parts.who, participant);
        parts.later();
    }));
}

function showMistakes(state, parts, { problems, warnings }) {
    const [[first]] = state.files;
    const name = state.files[state.shown][0];
    const here = ({ file }) => file === name || (state.shown === 0 && file === first);
    parts.editor.mistakes(problems.filter(here));
    const item = (problem) => {
        const { file, line, message, cure, nearest } = problem;
        const said = `${message}${cure ? `; ${cure}` : ""}${nearest ? `; did you mean "${nearest}"?` : ""}`;
        const place = here(problem) && line > 0
            ? made("button", { type: "button", class: "ct-line", onclick: () => parts.editor.go(line) }, `line ${line}`)
            : `${file}${line > 0 ? `:${line}` : ""}`;
        return made("li", {}, place, ` ${said}`);
    };
    const count = problems.length === 1 ? "One mistake" : `${problems.length} mistakes`;
    const below = parts.results.hasChildNodes() ? " What is below is of the text before." : "";
    const list = (items) => made("ul", {}, ...items);
    parts.mistakes.replaceChildren(
        ...(problems.length > 0 ? [made("p", {}, `${count}.${below}`), list(problems.map(item))] : [made("p", {}, "No mistakes.")]),
        ...(warnings.length > 0 ? [list(warnings.map((text) => made("li", {}, text)))] : []),
    );
}

function showSteps(state, parts, { steps }) {
    parts.steps.hidden = steps.length < 2;
    if (!steps.includes(state.settings.step)) state.settings.step = steps[0] ?? "";
    parts.step.replaceChildren(...steps.map((name) => made("option", { value: name }, name)));
    parts.step.value = state.settings.step;
}

/** The timeline, and what people did. */
async function rehearsed(state, more = {}) {
    // One question for all of it: the settings may be moved while it is answered.
    const question = asked(state, more);
    const wide = { ...question, width_px: Math.floor(state.room()) };
    const drawn = await ask("timeline", wide);
    if (drawn.answer.refused) return [made("p", {}, drawn.answer.refused)];
    const did = await ask("simulate", question);
    if (did.answer.refused) return [made("p", {}, did.answer.refused)];
    const { people, statistics: all, figures } = did.answer;
    const person = more.taps_ms ? null : await described(question.participant);
    const endings = table(
        "Each person's trial", ["seed", "taps", "length (s)", "how it ended", "data"],
        people.map(({ seed, taps: list, length_s, ending, usable }) => [String(seed), String(list.length), length_s.toFixed(3), ending, usable ? "usable" : "with doubts"]),
    );
    const written = more.taps_ms ? null : await ask("record", question);
    const as_table = written?.answer.events ? [events(written.answer.events)] : [];
    const ms = Math.round(drawn.took + did.took);
    return [
        fitting(drawn.answer.svg, wide),
        ...as_table,
        made("div", { class: "ct-figures" }, ...figures.map(drawing)),
        estimated(person, all),
        ...statistics(all),
        opened("Each person", endings),
        taps(people),
        made("p", { class: "ct-soft" }, `Worked out in virtual time in ${ms} ms, in this page; nothing was sent.${more.taps_ms ? "" : " Simulated people are models, no data."}`),
    ];
}

async function planned(state) {
    const { answer } = await ask("plan", asked(state));
    return answer.refused ? [made("p", {}, answer.refused)] : plan(answer);
}

/** Ends all that is computed or played; whoever calls this takes the panes away. */
function shut() {
    for (const { timer, silent, along, study } of open_ones) {
        clearTimeout(timer);
        silent();
        along.end();
        study.forget();
    }
    open_ones.clear();
    close();
}

window.chronotapTry = { open, ask, ask_long, close: shut };

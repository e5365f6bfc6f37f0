// A whole study: what twenty rehearsed people come to, and how many people it needs. Both take a while, so each
// begins by a button, says how far it is, and can be ended; what is shown of an older text goes.

import { ask_long } from "./engine_of_page.js";
import { drawing, made, number, table } from "./tables.js";

/** So many people do the study, and so many studies are rehearsed with each number of people, if nobody says else. */
const PEOPLE = 20;
const STUDIES = 20;
const COUNTS = "5, 10, 20";

/** The part of the pane for a study; `asked` gives the question. It is hidden while the file is none. */
export function whole_study(asked) {
    const people = made("input", { type: "number", min: "1", max: "100", step: "1", required: "", value: String(PEOPLE) });
    const outcome = long("Let them do it", "outcome", () => asked({ people: Number(people.value) }), came_out);
    const studies = made("input", { type: "number", min: "1", max: "1000", step: "1", required: "", value: String(STUDIES) });
    const counts = made("input", { type: "text", required: "", pattern: "\\s*\\d+(\\s*,\\s*\\d+)*\\s*", value: COUNTS });
    const all = () => [...new Set(counts.value.split(",").map(Number))].sort((one, other) => one - other);
    const power = long("Rehearse the studies", "power", () => asked({ studies: Number(studies.value), counts: all() }), curves);
    const part = made(
        "div", { class: "ct-study", hidden: "" },
        box("What comes out", [made("label", {}, "People who do the study ", people)], outcome),
        box("How many people it needs", [made("label", {}, "Numbers of people ", counts), made("label", {}, "Studies with each ", studies)], power),
    );
    // What was rehearsed of another text goes.
    const forget = () => [outcome, power].forEach(({ end, shown }) => (end(), shown.replaceChildren()));
    return { part, forget };
}

function box(name, inputs, { button, bar, told, shown }) {
    return made("fieldset", {}, made("legend", {}, name), ...inputs, button, bar, told, shown);
}

/** A button that asks something long and becomes the one that ends it, how far it is, and what came of it. */
function long(name, what, asked, show) {
    const button = made("button", { type: "button" }, name);
    const bar = made("progress", { hidden: "", max: "1", value: "0", "aria-label": `${name}: how much is done` });
    const told = made("p", { class: "ct-told", role: "status" });
    const shown = made("div", { class: "ct-shown" });
    let job = null;
    const over = (text) => {
        [job, bar.hidden, button.textContent, told.textContent] = [null, true, name, text];
    };
    const end = () => job?.end();
    const begin = async () => {
        const wrong = [...button.parentElement.querySelectorAll("input")].find((input) => !input.reportValidity());
        if (wrong) return;
        const far = (done, of) => ([bar.value, bar.max] = [done, of]);
        const own = (job = ask_long(what, asked(), far));
        [bar.value, bar.hidden, button.textContent, told.textContent] = [0, false, "Stop", ""];
        try {
            const came = await own.answer;
            if (job !== own) return;
            if (!came) return over("Stopped.");
            if (came.answer.refused) return over(came.answer.refused);
            shown.replaceChildren(...show(came.answer));
            over(`Rehearsed in ${(came.took / 1000).toFixed(1)} s, in this page. Simulated people are models, no data.`);
        } catch (error) {
            if (job === own) over(error.message);
        }
    };
    button.addEventListener("click", () => (job ? end() : begin()));
    return { button, bar, told, shown, end };
}

/** As the report of a dataset has it. */
function came_out({ html }) {
    const held = document.createElement("div");
    held.className = "ct-figures ct-report";
    held.innerHTML = html;
    held.querySelectorAll("script, style, foreignObject").forEach((one) => one.remove());
    // With a class, they are none of the tables that the site's theme lets scroll by themselves.
    held.querySelectorAll("table").forEach((one) => one.classList.add("ct-table"));
    // In a report each of these stands in a section of its own.
    held.querySelectorAll("th:empty").forEach((one) => one.replaceWith(document.createElement("td")));
    held.querySelectorAll("[role=region]").forEach((one, at) => one.setAttribute("aria-label", `${at + 1}. ${one.getAttribute("aria-label")}`));
    return html ? [held] : [made("p", {}, "The study states no outcome.")];
}

function curves({ contrasts }) {
    return contrasts.flatMap(({ called, is_effect, points, figure }) => {
        const share = ({ share, low, high }) => `${number(100 * share)} [${number(100 * low)}, ${number(100 * high)}]`;
        const heads = ["people", "studies", ...(is_effect ? ["found in (%) [95 % interval]"] : []), "estimate", "95 % interval, to each side"];
        const row = (point) => [
            String(point.people), String(point.studies), ...(is_effect ? [share(point)] : []), number(point.mean, 3), number(point.reach, 3),
        ];
        const drawn = figure ? [made("div", { class: "ct-figures" }, drawing(figure))] : [];
        return [...drawn, table(called, heads, points.map(row))];
    });
}

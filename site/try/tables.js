// Tables and figures of what people did.

/** An element with attributes and children; texts are texts, never markup. */
export function made(name, attributes = {}, ...children) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
        if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
        else if (value !== undefined) element.setAttribute(key, value);
    }
    element.append(...children);
    return element;
}

/** A table with a caption in a box that scrolls, by the keyboard too. */
export function table(caption, heads, rows) {
    const head = made("tr", {}, ...heads.map((text) => made("th", { scope: "col" }, text)));
    const row = ([first, ...cells]) =>
        made("tr", {}, made("th", { scope: "row" }, first), ...cells.map((cell) => made("td", {}, cell)));
    // With a class, it is none of the tables that the site's theme lets scroll by themselves.
    const whole = made("table", { class: "ct-table" }, made("caption", {}, caption), made("thead", {}, head), made("tbody", {}, ...rows.map(row)));
    return made("div", { class: "ct-scroll", tabindex: "0", role: "region", "aria-label": caption }, whole);
}

/** A number as people read it; nothing where there is none. */
export function number(value, decimals = 1) {
    return value === null || value === undefined ? "" : value.toFixed(decimals).replace("-", "\u2212");
}

/** A drawing of the engine, which has passed its own escaping, as elements. */
export function drawing(svg) {
    const held = document.createElement("div");
    held.innerHTML = svg;
    held.querySelectorAll("script, foreignObject").forEach((one) => one.remove());
    return held.firstElementChild;
}

/** A drawing that has a style sheet of its own, which must not reach the rest of the page. */
export function alone(svg) {
    const held = made("div");
    held.attachShadow({ mode: "open" });
    redraw(held, svg);
    return held;
}

/** Another such drawing in its place. */
export function redraw(held, svg) {
    const drawn = drawing(svg);
    drawn.style.cssText = "display: block; width: 100%; height: auto";
    held.shadowRoot.replaceChildren(drawn);
}

/** What of all statistics stands first; the others follow in a part to open. */
const FIRST = /^(taps|matched|missed|(mean|sd) (asynchrony|interval)|alpha) of/;

export function statistics(all) {
    const row = ({ name, unit, people, mean, sd }) => [name, number(mean, 2), number(sd, 2), unit || "", String(people)];
    const heads = ["statistic", "mean", "SD between people", "unit", "people"];
    const [first, others] = [all.filter(({ name }) => FIRST.test(name)), all.filter(({ name }) => !FIRST.test(name))];
    const parts = [table("What they did, on average", heads, first.map(row))];
    if (others.length > 0) {
        parts.push(opened(`${others.length} more statistics`, table("More statistics", heads, others.map(row))));
    }
    return parts;
}

/** So many taps stand in the table. */
const TAPS = 500;

export function taps(people) {
    const rows = people.flatMap(({ seed, taps }) =>
        taps.map((tap) => [
            String(seed), number(tap.onset_ms / 1000, 3), tap.input, number(tap.interval_ms), number(tap.asynchrony_ms), tap.fate, tap.stretch,
        ]),
    );
    const heads = ["seed", "time (s)", "input", "interval (ms)", "asynchrony (ms)", "what became of it", "stretch"];
    const caption = rows.length > TAPS ? `The first ${TAPS} of ${rows.length} taps` : `All ${rows.length} taps`;
    return opened("Every tap as a table", table(caption, heads, rows.slice(0, TAPS)));
}

/** What a timeline shows, in words and numbers, from the table of events that the program writes of a trial. */
export function events(tsv) {
    const [head, ...rows] = tsv.trimEnd().split("\n").map((line) => line.split("\t"));
    const at = Object.fromEntries(head.map((name, place) => [name, place]));
    const cell = (row, name) => (row[at[name]] === "n/a" ? "" : row[at[name]]);
    const shown = rows.slice(0, TAPS).map((row) => [
        number(Number(row[at.onset]), 3), cell(row, "trial_type"), cell(row, "name"), cell(row, "duration"), cell(row, "note"), cell(row, "detail"),
    ]);
    const caption = rows.length > TAPS ? `The first ${TAPS} of ${rows.length} events of the first person's trial` : `All ${rows.length} events of the first person's trial`;
    return opened("The timeline as a table", table(caption, ["time (s)", "what", "of", "lasts (s)", "note", "more"], shown));
}

export function plan({ participants, sessions, minutes, people }) {
    const long = minutes.map(([length, about]) => `${about ? "about " : ""}${number(length)} min`).join(", ");
    const said = `${participants} participants, ${sessions === 1 ? "one session" : `${sessions} sessions`}: ${long}.`;
    const rows = people.map(({ participant, trials, more }) => [
        String(participant),
        String(trials.length + more),
        trials.map(({ step, levels }) => (levels.length > 0 ? levels.join(" / ") : step)).join(", ") + (more > 0 ? `, and ${more} more` : ""),
    ]);
    return [made("p", {}, said), opened("The plan as participants × trials", table("Trials of the first session, in their order", ["participant", "trials", "in this order"], rows))];
}

export function opened(name, ...inside) {
    return made("details", {}, made("summary", {}, name), ...inside);
}

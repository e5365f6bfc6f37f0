// The person who taps, to move: a slider for each parameter of the model that an estimator looks for, and what the
// estimators make of it.

import { ask } from "./engine_of_page.js";
import { made, number, table } from "./tables.js";

/** Parameter, what it is, from, to, step, unit, and the statistic that estimates it (docs/statistics.md). */
const MOVED = [
    ["alpha", "phase correction", 0, 1.5, 0.05, "", "alpha"],
    ["clock", "SD of the timekeeper", 0, 60, 1, "ms", "timekeeper sd"],
    ["motor", "SD of the motor delay", 0, 40, 1, "ms", "motor sd"],
    ["mean", "mean asynchrony", -150, 50, 5, "ms", "mean asynchrony"],
    ["drift", "SD of a slow drift", 0, 50, 1, "ms", null],
];

/** The name of a person and all parameters, from a description as `--simulate` takes it; null of several people who differ. */
export async function described(spec) {
    const { answer } = await ask("person", spec);
    const [name, ...parts] = answer.split(", ");
    if (answer.includes(";") || parts.length === 0 || /\+-|x\//.test(answer)) return null;
    return { name, set: new Map(parts.map((part) => part.split(" = "))) };
}

/** The sliders; `write` takes the new description. */
export function movable(person, write) {
    if (!person) return made("p", {}, "A population is many people, each with parameters of their own. Choose a single person, such as tapper, to move them.");
    const moved = new Map();
    const rows = MOVED.map(([key, meaning, from, to, step, unit]) => {
        const value = String(parseFloat(person.set.get(key)));
        const range = made("input", { type: "range", min: String(from), max: String(to), step: String(step), value });
        const shown = made("output", {}, `${value} ${unit}`);
        range.setAttribute("aria-valuetext", shown.textContent);
        range.addEventListener("input", () => {
            shown.textContent = `${range.value} ${unit}`;
            range.setAttribute("aria-valuetext", shown.textContent);
            moved.set(key, shown.textContent.trim());
            const all = [...person.set].map(([name, before]) => [name, moved.get(name) ?? before]);
            write(`${person.name}, ${all.map((each) => each.join(" = ")).join(", ")}`);
        });
        return made("label", {}, `${meaning} (${key})`, range, shown);
    });
    return made("div", { class: "ct-sliders" }, ...rows);
}

/** What was set, and what the estimators find in the taps; nothing where they find none of it. */
export function estimated(person, statistics) {
    if (!person) return "";
    const rows = MOVED.flatMap(([key, meaning, , , , , name]) =>
        statistics.filter((one) => name && one.name.startsWith(`${name} of `)).map(({ name: of, mean, sd, people }) =>
            [`${meaning} (${key})`, person.set.get(key), of, number(mean, 2), number(sd, 2), String(people)]));
    if (rows.length === 0) return "";
    return table("What was set, and what the estimators make of it", ["parameter", "set to", "estimated by", "mean", "SD between people", "people"], rows);
}

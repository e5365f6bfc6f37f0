// A slider for each number that stands alone on a line of the file: moving it writes the number there.

import { made } from "./tables.js";

/** So many sliders at most: the first of the file. */
const MOST = 12;
const NUMBER = /^(\s*)([\w.]+)(\s*=\s*"?)(\d+(?:\.\d+)?)(\s*(?:ms|s|%|dB|bpm)?"?\s*(?:#.*)?)$/;

/** The numbers of a text: the line from 1, what is before and behind it, its section and key. */
export function numbers(text) {
    let section = "";
    const found = [];
    text.split("\n").forEach((whole, at) => {
        section = /^\s*\[+([^\]]+)\]/.exec(whole)?.[1] ?? section;
        const [, indent, key, is, value, behind] = NUMBER.exec(whole) ?? [];
        if (value && key !== "seed") found.push({ line: at + 1, name: `${section} ${key}`, before: indent + key + is, value, behind });
    });
    return found.slice(0, MOST);
}

/** The sliders of a text, in a part to open; `write` puts a line's text in its place. */
export function sliders(text, write) {
    const rows = numbers(text).map((number) => slider(number, write));
    return rows.length > 0 ? made("div", { class: "ct-sliders" }, ...rows) : "";
}

function slider({ line, name, before, value, behind }, write) {
    const decimals = value.split(".")[1]?.length ?? 0;
    const step = 10 ** -decimals;
    // From nothing (or one) to twice as much: what a file has is in the middle.
    const most = Math.max(2 * Number(value), 10 * step);
    const range = made("input", { type: "range", min: String(decimals === 0 && !/[a-z%]/.test(behind) ? 1 : 0), max: String(most), step: String(step), value });
    const unit = /ms|s|%|dB|bpm/.exec(behind.split("#")[0])?.[0] ?? "";
    const shown = made("output", {}, `${value} ${unit}`);
    range.setAttribute("aria-valuetext", shown.textContent);
    range.addEventListener("input", () => {
        const now = Number(range.value).toFixed(decimals);
        shown.textContent = `${now} ${unit}`;
        range.setAttribute("aria-valuetext", shown.textContent);
        write(line, before + now + behind);
    });
    return made("label", {}, `${name} (line ${line})`, range, shown);
}

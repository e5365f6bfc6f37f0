// @ts-check
// What the sheets of a page share: its elements, lists of facts, and drawing at most once a frame.

import { element } from "./answers.js";

/** @param {string} id */
export const at = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** @param {string} id */
export const input = (id) => /** @type {HTMLInputElement} */ (at(id));

/**
 * Draws a list of facts; those without a value are left out.
 * @param {string} id
 * @param {[string, string][]} pairs
 */
export function list(id, pairs) {
    const rows = pairs.filter(([, value]) => value !== "").map(([name, value]) => {
        const row = element("div");
        row.append(element("dt", "", name), element("dd", "", value));
        return row;
    });
    at(id).replaceChildren(...rows);
}

/**
 * Shows what went wrong; nothing hides it.
 * @param {string} id
 * @param {string | undefined} text
 */
export function complain(id, text) {
    at(id).textContent = text ?? "";
    at(id).hidden = !text;
}

/** Calls what draws at most once a frame, however often it is asked for. */
export class Frames {
    constructor() {
        /** @type {Set<() => void>} */
        this.due = new Set();
    }

    /** @param {() => void} draw */
    schedule(draw) {
        if (this.due.size === 0) requestAnimationFrame(() => this.run());
        this.due.add(draw);
    }

    run() {
        const now = [...this.due];
        this.due.clear();
        now.forEach((draw) => draw());
    }
}

/** Knows what was drawn last, so that only what is new is drawn. */
export class Drawn {
    constructor() {
        this.last = "";
    }

    /** @param {unknown} value */
    isNew(value) {
        const key = JSON.stringify(value);
        const isNew = key !== this.last;
        this.last = key;
        return isNew;
    }
}

// @ts-check
// The pads and outputs of a session on the first page: a field for each, and a list of the ports of this
// computer that shows what was just pressed, so that somebody finds their pad by pressing it.

import { element } from "./answers.js";
import { at } from "./sheet.js";

/**
 * @typedef {{name: string, description: string, in: boolean, out: boolean, refused: string | null}} Port
 */

export class Ports {
    constructor() {
        /** @type {Record<"in" | "out", string[]>} the inputs and outputs of the study */
        this.names = { in: [], out: [] };
        this.dialog = /** @type {HTMLDialogElement} */ (at("pads"));
        /** @type {EventSource | undefined} */
        this.presses = undefined;
        this.dialog.addEventListener("close", () => this.presses?.close());
    }

    /**
     * Draws the fields of another study; what was chosen for the same names stays.
     * @param {{inputs: string[], outputs: string[]} | undefined} study
     */
    draw(study) {
        const names = { in: study?.inputs ?? [], out: study?.outputs ?? [] };
        at("ports-of").hidden = names.in.length + names.out.length === 0;
        if (JSON.stringify(names) === JSON.stringify(this.names)) return;
        const chosen = { in: new Map(this.chosen("in")), out: new Map(this.chosen("out")) };
        this.names = names;
        const fields = (/** @type {"in" | "out"} */ way) => names[way].map((name) => this.field(way, name, chosen[way].get(name) ?? ""));
        at("port-fields").replaceChildren(...fields("in"), ...fields("out"));
    }

    /**
     * What was chosen: names and ports.
     * @param {"in" | "out"} way
     * @returns {[string, string][]}
     */
    chosen(way) {
        const field = (/** @type {number} */ place) => /** @type {HTMLInputElement | null} */ (document.getElementById(`port-${way}-${place}`));
        return this.names[way]
            .map((name, place) => /** @type {[string, string]} */ ([name, field(place)?.value.trim() ?? ""]))
            .filter(([, port]) => port !== "");
    }

    /**
     * Puts the ports that a session had into the fields; those that it did not have stay empty.
     * @param {{inputs: Record<string, string>, outputs: Record<string, string>} | undefined} ports
     */
    choose(ports) {
        for (const [way, had] of /** @type {const} */ ([["in", ports?.inputs], ["out", ports?.outputs]])) {
            this.names[way].forEach((name, place) => {
                const field = /** @type {HTMLInputElement | null} */ (document.getElementById(`port-${way}-${place}`));
                if (field) field.value = had && Object.hasOwn(had, name) ? had[name] : "";
            });
        }
        const some = this.chosen("in").length + this.chosen("out").length > 0;
        if (some) /** @type {HTMLDetailsElement} */ (at("ports-of")).open = true; // to be looked at
    }

    /**
     * @param {"in" | "out"} way
     * @param {string} name
     * @param {string} port
     */
    field(way, name, port) {
        const label = document.createElement("label");
        const value = document.createElement("input");
        Object.assign(value, { id: `port-${way}-${this.names[way].indexOf(name)}`, value: port, maxLength: 200, autocomplete: "off", spellcheck: false });
        value.setAttribute("list", `ports-${way}`);
        label.append(`${way === "in" ? "Input" : "Output"} “${name}”`, value);
        const place = element("div", "column");
        const choose = element("button", "", way === "in" ? "Find the pad" : "Choose from a list");
        choose.setAttribute("type", "button");
        choose.setAttribute("aria-label", way === "in" ? `Find the pad of ${name}` : `Choose from a list the output ${name}`);
        choose.addEventListener("click", () => this.ask(way, name, value));
        place.append(label, choose);
        return place;
    }

    /**
     * Shows the ports of this computer, to choose one; of inputs, also what is pressed.
     * @param {"in" | "out"} way
     * @param {string} name
     * @param {HTMLInputElement} value
     */
    async ask(way, name, value) {
        const isInput = way === "in";
        at("pads-text").textContent = isInput ? `Which pad is the input “${name}”?` : `Which output is “${name}”?`;
        at("pads-how").textContent = "The ports are being looked for.";
        at("pads-list").replaceChildren();
        this.dialog.showModal();
        const answer = await fetch("/ports").catch(() => undefined);
        /** @type {Port[]} */
        const ports = answer?.ok ? await answer.json() : [];
        // Nobody sits at the far end of a virtual cable, nor at the terminal.
        const usable = ports.filter((port) => port[way] && !/^(wire|keys:)/.test(port.name));
        const devices = usable.some((port) => !port.refused && /^(alsa|evdev|raw|seq|jack):/.test(port.name));
        at("pads-how").textContent = isInput
            ? devices ? "Press it now: it is marked in the list. Then choose it." : "No pad or keyboard is connected. Plug one in, and open this list again."
            : "Choose it.";
        /** @type {Map<string, HTMLElement>} */
        const rows = new Map();
        for (const port of usable) rows.set(port.name, this.row(port, value));
        at("pads-list").replaceChildren(...rows.values());
        if (isInput) this.listen(rows);
    }

    /**
     * @param {Port} port
     * @param {HTMLInputElement} value
     */
    row(port, value) {
        const row = element("li");
        const choose = /** @type {HTMLButtonElement} */ (element("button", "", "Choose"));
        choose.setAttribute("aria-label", `Choose ${port.name}`);
        choose.type = "button";
        choose.disabled = port.refused !== null;
        choose.addEventListener("click", () => {
            value.value = port.name;
            this.dialog.close();
        });
        const words = element("div");
        words.append(element("p", "", port.description), element("p", "note", port.refused ?? ""));
        row.append(choose, element("span", "name", port.name), words);
        return row;
    }

    /**
     * Marks what is pressed, until the list is closed.
     * @param {Map<string, HTMLElement>} rows by the name of the port
     */
    listen(rows) {
        this.presses?.close();
        if (!this.dialog.open) return;
        this.presses = new EventSource("/presses");
        this.presses.onmessage = ({ data }) => {
            const { port, heard, deaf } = JSON.parse(data);
            const row = rows.get(port);
            const said = row?.querySelector(".note");
            if (!row || !said) return;
            said.textContent = heard ? `Just pressed: ${heard}` : deaf || "It cannot be listened to just now.";
            if (!heard) return;
            for (const other of rows.values()) other.classList.toggle("pressed", other === row);
            row.scrollIntoView({ block: "nearest" });
        };
    }
}

// @ts-check
// What the experimenter is to do now: a sentence and its buttons, the pads that are to be tapped, and
// the question that can be answered for the participant.

import { ENGLISH, element, form, settle } from "./answers.js";
import { order } from "./reach.js";
import { Drawn, at } from "./sheet.js";
import { advice } from "./words.js";

/**
 * @typedef {import("./words.js").Scene} Scene
 * @typedef {import("./lines.js").Command} Command
 */

export class Advice {
    /**
     * @param {string} base the address of the session
     * @param {(command: Command) => unknown} command gives one, and shows what went wrong
     * @param {(html: string) => string} pictures of a text, at their address
     */
    constructor(base, command, pictures) {
        this.base = base;
        this.command = command;
        this.pictures = pictures;
        this.drawn = new Drawn();
        this.asked = -1; // the turn of the question that is drawn
    }

    /**
     * @param {Scene} scene
     * @param {import("./words.js").Progress | undefined} progress of the running trial
     */
    say(scene, progress) {
        const told = advice(scene, progress);
        if (!this.drawn.isNew([told, scene.turn])) return;
        at("advice-text").textContent = told.text;
        at("advice").className = `sheet advice times ${told.tone}`;
        at("advice-buttons").replaceChildren(...told.buttons.map((button, place) => this.button(button, place)));
        at("advice-buttons").hidden = told.buttons.length === 0;
    }

    /**
     * @param {import("./words.js").Button} told
     * @param {number} place
     */
    button(told, place) {
        const made = document.createElement("button");
        made.textContent = told.label;
        made.className = place === 0 ? "first" : told.grave ? "grave" : "";
        const { command, press } = told;
        made.addEventListener("click", () => (command ? this.command(command) : at(press ?? "").click()));
        settle(made);
        return made;
    }

    /** @param {Scene} scene */
    drawPads(scene) {
        const inputs = scene.phase.is === "check" ? scene.phase.inputs : undefined;
        at("pads").hidden = !inputs;
        if (!inputs) return;
        const pads = inputs.map((input) => {
            const pad = element("li", input.taps > 0 ? "tapped" : "");
            const words = input.gone ? "gone" : input.taps === 0 ? "not tapped yet" : `${input.taps} ${input.taps === 1 ? "tap" : "taps"}, timed by: ${input.stamp}`;
            pad.append(element("b", "", input.name), element("span", "note", words));
            return pad;
        });
        const before = [...at("pads").children].map((pad) => pad.textContent);
        at("pads").replaceChildren(...pads);
        pads.forEach((pad, place) => {
            if (before[place] !== undefined && before[place] !== pad.textContent) flash(pad);
        });
    }

    /** @param {Scene} scene */
    drawQuestion(scene) {
        const { phase, turn } = scene;
        const place = at("question");
        place.hidden = phase.is !== "question";
        if (phase.is !== "question" || this.asked === turn) return;
        this.asked = turn;
        const text = element("div", "text");
        text.id = "asked";
        text.innerHTML = this.pictures(phase.html); // made by the console, which lets no HTML of the text through
        const answered = async (/** @type {string} */ answer) =>
            (await order(this.base, { do: "answer", turn, answer })).error;
        place.replaceChildren(text, form(phase.answer, "asked", { ...ENGLISH, go_on: "Answer" }, answered));
    }

    /** @param {number} input that was tapped */
    light(input) {
        const pad = at("pads").children[input];
        if (pad) flash(pad);
    }
}

/** @param {Element} pad */
function flash(pad) {
    pad.classList.add("lit");
    setTimeout(() => pad.classList.remove("lit"), 150);
}

// @ts-check
// What the experimenter can do at any time: the buttons, what is asked before something grave, and the
// participant's page.

import { element } from "./answers.js";
import { send } from "./reach.js";
import { at, complain } from "./sheet.js";
import { doneOf, isOver, trialName } from "./words.js";

/**
 * @typedef {import("./words.js").Scene} Scene
 * @typedef {import("./lines.js").Command} Command
 * @typedef {{text: (scene: Scene, last: string) => string, reasons?: boolean, note?: boolean, grave?: boolean, button: string,
 *     command: (text: string, begun: number) => Command}} Dialog
 */

const REASONS = ["noise or a disturbance", "the participant asked", "a wrong instruction", "a device failed", "the participant stopped tapping"];

/** @param {Scene} scene */
const sofar = (scene) => (trialName(scene) || scene.planned === 0 ? "" : `${doneOf(scene)}. `);

/** @type {Readonly<Record<string, Dialog>>} */
const DIALOGS = {
    note: { text: () => "A note for the journal", note: true, button: "Write it down", command: (text) => ({ do: "note", text }) },
    repeat: {
        text: (scene, last) => `Run ${last} of participant ${scene.participant} again? What there is of it will not count.`,
        reasons: true, button: "Run it again", command: (reason, begun) => ({ do: "repeat", reason, begun }),
    },
    skip: {
        text: (scene) => `Leave out ${trialName(scene) || "the next trial"} of participant ${scene.participant}? ${sofar(scene)}`,
        reasons: true, button: "Leave it out", command: (reason, begun) => ({ do: "skip", reason, begun }),
    },
    "end-trial": {
        text: (scene) => `End ${scene.single ? "the trial" : `${trialName(scene)} of participant ${scene.participant}`} now? What there is of it is kept.`,
        grave: true, button: "End this trial", command: (_, begun) => ({ do: "end_trial", begun }),
    },
    stop: {
        text: (scene) => scene.single
            ? "Leave without running the trial?"
            : `Stop the session of participant ${scene.participant}${trialName(scene) ? ` at ${trialName(scene)}` : ""}? ${sofar(scene)}It can go on another time.`,
        grave: true, button: "Stop the session", command: () => ({ do: "stop" }),
    },
};

export class Controls {
    /**
     * @param {string} base the address of the session
     * @param {(command: Command) => Promise<string | undefined>} command gives one, and says what went wrong
     * @param {() => Scene | undefined} now how the session stands
     * @param {import("./session_trials.js").Trials} trials
     */
    constructor(base, command, now, trials) {
        this.base = base;
        this.command = command;
        this.now = now;
        this.trials = trials;
        /** Whether the console itself opens the participant's page. */
        this.inKiosk = document.body.hasAttribute("data-kiosk");
        for (const name of Object.keys(DIALOGS)) at(name).addEventListener("click", () => this.ask(name));
        at("hold").addEventListener("click", () => command({ do: "hold", hold: !now()?.hold }));
        at("open-window").addEventListener("click", () => this.openWindow());
    }

    /** @param {Scene} scene */
    draw(scene) {
        const is = scene.phase.is;
        at("controls-sheet").hidden = isOver(scene);
        at("open-window").hidden = isOver(scene);
        at("hold").hidden = is === "held" || scene.single;
        at("note").hidden = scene.single;
        at("stop").hidden = scene.single && is === "trial";
        at("stop").textContent = scene.single ? "Do not run it" : "Stop the session";
        at("hold").textContent = scene.hold ? "Do not hold" : "Hold before the next trial";
        at("end-trial").hidden = is !== "trial";
        const between = !scene.single && !["trial", "opening", "check"].includes(is);
        at("skip").hidden = !between;
        at("repeat").hidden = !between || this.trials.all === 0;
    }

    /** @param {string} name */
    ask(name) {
        const dialog = /** @type {HTMLDialogElement} */ (at("ask"));
        const [what, scene] = [DIALOGS[name], this.now()];
        if (!scene || !what) return;
        const { begun } = scene; // the trial that is named here is meant, and not the one after it
        const text = element("h2", "", what.text(scene, this.trials.last));
        text.id = "ask-text";
        const parts = [text];
        if (what.reasons) parts.push(reasons());
        if (what.note) parts.push(note());
        const problem = element("p", "error");
        problem.setAttribute("role", "alert");
        const yes = element("button", what.grave ? "first grave" : "first", scene.single && name === "stop" ? "Do not run it" : what.button);
        const row = element("div", "row");
        row.append(yes, cancel(dialog, Boolean(what.grave)));
        const form = /** @type {HTMLFormElement} */ (at("ask-form"));
        form.replaceChildren(...parts, problem, row);
        form.onsubmit = async (event) => {
            event.preventDefault();
            const given = new FormData(form);
            const reason = String(given.get("other") || given.get("text") || "");
            const error = await this.command(what.command(reason, begun));
            problem.textContent = error ?? "";
            if (!error) dialog.close();
        };
        dialog.showModal();
    }

    async openWindow() {
        // Opened at once, else the browser holds it for a window that nobody wanted.
        const opened = this.inKiosk ? null : window.open("", "_blank");
        const { address, error } = await send(`${this.base}/window`, {});
        if (this.inKiosk && !error) return;
        if (address && opened) {
            opened.opener = null;
            opened.location.href = address;
            return;
        }
        opened?.close();
        complain("problem", error ?? `Open this address on the participant's screen: ${address}`);
    }
}

/**
 * @param {HTMLDialogElement} dialog
 * @param {boolean} first whether it has the focus, so that a key that is held down on the button opens the
 *     dialog and does no more
 */
function cancel(dialog, first) {
    const no = /** @type {HTMLButtonElement} */ (element("button", "", "Cancel"));
    no.type = "button";
    no.autofocus = first;
    no.addEventListener("click", () => dialog.close());
    return no;
}

function reasons() {
    const whole = element("div");
    const label = element("label", "", "Why?");
    const select = document.createElement("select");
    select.name = "text";
    for (const reason of [...REASONS, "another reason"]) select.append(new Option(reason, reason));
    const other = element("label", "", "Which?");
    const input = document.createElement("input");
    input.name = "other";
    input.maxLength = 500;
    other.append(input);
    other.hidden = true;
    select.addEventListener("change", () => {
        other.hidden = select.value !== "another reason";
        input.required = !other.hidden;
        if (other.hidden) input.value = "";
    });
    label.append(select);
    whole.append(label, other);
    whole.className = "column";
    return whole;
}

function note() {
    const label = element("label", "", "Note");
    const input = document.createElement("input");
    input.name = "text";
    input.required = true;
    input.maxLength = 500;
    label.append(input);
    return label;
}

// @ts-check
// The experimenter's page of one session. It draws what the session says and never paces it: this file
// has the stream of lines, and hands each to the sheets that draw it.

import { element } from "./answers.js";
import { CROWDED, listen, older, order } from "./reach.js";
import { Advice } from "./session_advice.js";
import { Controls } from "./session_controls.js";
import { Plan, drawFacts } from "./session_top.js";
import { Live, Trials } from "./session_trials.js";
import { Tracks } from "./tracks.js";
import { Drawn, Frames, at, complain } from "./sheet.js";
import { WINDOWS, clock, inLocalTime, isOver, sees } from "./words.js";

/**
 * @typedef {import("./lines.js").Line} Line
 * @typedef {import("./lines.js").Command} Command
 * @typedef {import("./words.js").Scene} Scene
 * @typedef {import("./reach.js").Reach} Reach
 */

const REMARKS = 1000; // that are kept in sight

class Page {
    /** @param {string} base the address of the session */
    constructor(base) {
        this.base = base;
        /** @type {Scene | undefined} */
        this.scene = undefined;
        /** @type {import("./words.js").Progress | undefined} */
        this.progress = undefined;
        /** @type {Reach} */
        this.reach = "waiting";
        this.frames = new Frames();
        this.seen = new Drawn();
        const command = (/** @type {Command} */ command) => this.order(command);
        this.advice = new Advice(base, command, (html) => this.pictures(html));
        this.live = new Live();
        this.trials = new Trials();
        this.tracks = new Tracks();
        this.plan = new Plan();
        this.controls = new Controls(base, command, () => this.scene, this.trials);
        this.drawAll = () => this.draw(); // what is due is known by these
        this.drawTrial = () => this.drawTheTrial();
        this.drawTracks = () => this.tracks.draw();
        this.drawControls = () => this.scene && this.controls.draw(this.scene);
    }

    /** @param {Command} command */
    async order(command) {
        const { error } = await order(this.base, command);
        complain("problem", error);
        return error;
    }

    /** @param {Line} line */
    told(line) {
        switch (line.line) {
            case "scene":
                return this.show(line);
            case "progress":
                this.progress = line;
                return this.frames.schedule(this.drawTrial);
            case "begins":
                this.progress = undefined;
                return this.live.begin(line.inputs);
            case "tap":
                this.advice.light(line.input);
                return this.live.tap(line, this.scene?.blind ?? false);
            case "beat":
                return this.live.tone(line);
            case "asynchrony":
                return this.live.asynchrony(line);
            case "trial":
                this.trials.add(line);
                this.trials.draw(this.scene);
                if (line.track) this.tracks.add(line.track);
                this.frames.schedule(this.drawTracks);
                return this.frames.schedule(this.drawControls);
            case "summary":
                at("summary").textContent = line.text;
                at("summary-sheet").hidden = false;
                return undefined;
            case "remark":
                return remark(line);
            default:
                return unknown(line);
        }
    }

    /** @param {Scene} next */
    show(next) {
        const changed = this.scene?.turn !== next.turn;
        this.scene = next;
        if (changed) at("problem").hidden = true;
        this.frames.schedule(this.drawAll);
    }

    draw() {
        const { scene } = this;
        if (!scene) return;
        drawFacts(scene);
        this.trials.draw(scene);
        this.plan.draw(scene);
        this.drawTheTrial();
        this.advice.drawPads(scene);
        this.advice.drawQuestion(scene);
        this.drawSees(scene);
        this.controls.draw(scene);
    }

    drawTheTrial() {
        const { scene, progress } = this;
        if (!scene) return;
        this.advice.say(scene, scene.phase.is === "trial" ? progress : undefined);
        this.live.draw(scene, progress);
    }

    /**
     * Draws what the participant sees.
     * @param {Scene} scene
     */
    drawSees(scene) {
        const html = scene.phase.is === "text" || scene.phase.is === "question" ? scene.phase.html : undefined;
        const key = html ?? sees(scene);
        if (this.seen.isNew(key)) {
            if (html === undefined) at("sees").replaceChildren(element("p", "note", key));
            else at("sees").innerHTML = this.pictures(html);
        }
        at("window").textContent = isOver(scene) ? "" : WINDOWS[scene.window];
    }

    /**
     * Pictures of a text lie below this page's own address.
     * @param {string} html
     */
    pictures(html) {
        return html.replaceAll('src="picture/', `src="${this.base}/picture/`);
    }

    /** @param {Reach} now */
    reached(now) {
        if (this.reach === now) return;
        this.reach = now;
        at("lost").hidden = now === "here" || now === "waiting" || isOver(this.scene);
        at("lost").textContent = now === "crowded" ? CROWDED : now === "gone" ? gone(this.scene) : LOST;
    }

    /** Everything is told once more. */
    anew() {
        this.trials.clear();
        this.tracks.clear();
        this.trials.draw(this.scene);
        at("log").replaceChildren();
    }
}

const LOST = "Display lost: whether the session goes on cannot be seen from here. It does unless its own program was stopped. If this does not come back, start chronotap console again.";

/** @param {Scene | undefined} scene */
const gone = (scene) =>
    scene?.single
        ? "The trial's program cannot be reached. What was recorded is kept, in the data or their journal."
        : "The session's program cannot be reached. What was recorded is kept; begin the session again to go on.";

/** @param {{at: string, text: string}} remark */
function remark(remark) {
    const item = element("li");
    item.append(element("time", "", clock(remark.at)), inLocalTime(remark.text));
    at("log").prepend(item);
    if (at("log").childElementCount > REMARKS) at("log").lastElementChild?.remove();
}

/** @param {never} line that is none of those that are known */
function unknown(line) {
    const { line: kind } = /** @type {{line: string}} */ (line);
    at("older").replaceChildren(older(`“${kind}”`));
    at("older").hidden = false;
}

const base = location.pathname.replace(/\/$/, "");
const page = new Page(base);
at("all-studies").hidden = document.body.hasAttribute("data-only"); // there is no such page then
listen(
    `${base}/events`,
    (line) => page.told(line),
    (reach) => page.reached(reach),
    () => !isOver(page.scene), // the end of a session stays in sight
    () => page.anew(),
);

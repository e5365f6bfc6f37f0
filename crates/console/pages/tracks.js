// @ts-check
// The tracks of staircases: which levels they went through, a line for each, since this page was told of
// the session.

import { at } from "./sheet.js";

const WIDTH = 480;
const HEIGHT = 180;
const LEFT = 56;
const EDGE = 12;
const BOTTOM = 24;
const COLOURS = 2;
const KEY = "Filled: right. Open: wrong. Dotted: no answer.";

/**
 * @typedef {import("./lines.js").TrackPoint} Point
 * @typedef {{name: string, points: Point[]}} Track
 */

export class Tracks {
    constructor() {
        /** @type {Track[]} */
        this.all = [];
    }

    /** Everything is told once more. */
    clear() {
        this.all = [];
        at("tracks-sheet").hidden = true;
    }

    /** @param {Point} point */
    add(point) {
        let track = this.all.find((one) => one.name === point.staircase);
        if (!track) {
            track = { name: point.staircase, points: [] };
            this.all.push(track);
        }
        track.points.push(point);
    }

    draw() {
        if (this.all.length === 0) return;
        at("tracks-sheet").hidden = false;
        at("tracks").replaceChildren(picture(this.all));
        at("tracks-said").textContent = `${this.all.map(said).join(" ")} ${KEY}`;
    }
}

/** @param {Track} track */
function said({ name, points }) {
    const right = points.filter((point) => point.right === true).length;
    const none = points.filter((point) => point.right === null).length;
    const turns = points.filter((point) => point.reversal).length;
    const last = points[points.length - 1];
    const missing = none > 0 ? `, ${none} trials without an answer` : "";
    return `${name}: ${points.length - none} answers, ${right} right${missing}, ${turns} reversals; last level ${last.level}${unit(last)}.`;
}

/** @param {Point} point */
const unit = (point) => (point.unit ? ` ${point.unit}` : "");

/**
 * @param {string} name
 * @param {{[name: string]: string | number}} values
 * @param {string} [text]
 */
function shape(name, values, text) {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    Object.entries(values).forEach(([key, value]) => made.setAttribute(key, String(value)));
    if (text !== undefined) made.textContent = text;
    return made;
}

/** @param {Point} point */
const outcome = (point) => (point.right === null ? "unanswered" : point.right ? "right" : "wrong");

/** @param {Track[]} all */
function picture(all) {
    const most = Math.max(...all.flatMap((track) => track.points.map((point) => point.level)), 0) || 1;
    const longest = Math.max(...all.map((track) => track.points.length), 2);
    const across = (/** @type {number} */ place) => LEFT + (place / (longest - 1)) * (WIDTH - LEFT - EDGE);
    const up = (/** @type {number} */ level) => HEIGHT - BOTTOM - (level / most) * (HEIGHT - BOTTOM - EDGE);
    const whole = shape("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": "Levels of the staircases, answer by answer" });
    const first = all[0].points[0];
    whole.append(
        shape("line", { class: "axis", x1: LEFT, x2: WIDTH - EDGE, y1: up(0), y2: up(0) }),
        shape("text", { class: "tick", x: LEFT - 6, y: up(0) + 4, "text-anchor": "end" }, "0"),
        shape("text", { class: "tick", x: LEFT - 6, y: up(most) + 4, "text-anchor": "end" }, `${most}${unit(first)}`),
        shape("text", { class: "tick", x: WIDTH - EDGE, y: HEIGHT - 6, "text-anchor": "end" }, `trial ${longest}`),
    );
    all.forEach((track, place) => {
        const kind = `track-${(place % COLOURS) + 1}`;
        const points = track.points.map((point, n) => `${across(n)},${up(point.level)}`);
        whole.append(shape("polyline", { class: kind, points: points.join(" ") }));
        track.points.forEach((point, n) => {
            const dot = { class: `${kind} ${outcome(point)}`, cx: across(n), cy: up(point.level), r: 3.5 };
            whole.append(shape("circle", dot));
        });
    });
    return whole;
}

// @ts-check
// The two plots of a running trial: asynchronies, and inter-tap intervals. Drawn at most once a
// frame, with the last points only, so that a long trial costs no more than a short one.

const UPlot = /** @type {any} */ (globalThis).uPlot; // as it is published: a script before this one, without types
const POINTS = 400;
const HEIGHT = 200;

/** One plot of points over the time of the trial, a colour for each input. */
export class Plot {
    /**
     * @param {HTMLElement} place
     * @param {string} title
     * @param {boolean} zero whether zero is marked
     * @param {string} line what is drawn as a line through the points, if anything is
     */
    constructor(place, title, zero, line = "") {
        this.place = place;
        this.title = title;
        this.zero = zero;
        this.line = line;
        /** @type {string[]} */
        this.names = [];
        /** @type {(number | null)[][]} */
        this.points = [[]];
        /** @type {any} */
        this.plot = undefined;
        this.due = false;
        this.begin(["taps"]);
        new ResizeObserver(() => this.plot?.setSize(this.size())).observe(place);
        matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.make());
    }

    /** @param {string[]} names of the inputs */
    begin(names) {
        this.names = names;
        this.points = [[], ...names.map(() => []), ...(this.line ? [[]] : [])];
        this.make();
    }

    /**
     * @param {number} input
     * @param {number} seconds
     * @param {number} ms
     * @param {number | null} line where the line is at that time
     */
    add(input, seconds, ms, line = null) {
        if (input >= this.names.length) return;
        this.points.forEach((values, place) => {
            if (place > this.names.length) values.push(line);
            else values.push(place === 0 ? seconds : place === input + 1 ? ms : null);
            if (values.length > POINTS) values.shift();
        });
        if (this.due) return;
        this.due = true;
        requestAnimationFrame(() => {
            this.due = false;
            this.plot?.setData(this.points);
        });
    }

    size() {
        return { width: Math.max(this.place.clientWidth, 120), height: HEIGHT };
    }

    make() {
        const colours = getComputedStyle(document.documentElement);
        const colour = (/** @type {string} */ name) => colours.getPropertyValue(name).trim();
        const axis = { stroke: colour("--soft"), grid: { stroke: colour("--line"), width: 1 }, ticks: { show: false }, font: "12px system-ui" };
        const stroke = (/** @type {number} */ place) => colour(place % 2 === 0 ? "--plot-1" : "--plot-2");
        /** @type {any[]} */
        const series = this.names.map((name, place) => ({
            label: name, stroke: stroke(place), width: 0, paths: () => null,
            points: { show: true, size: 7, fill: stroke(place), stroke: stroke(place) },
        }));
        if (this.line) series.push({ label: this.line, stroke: colour("--soft"), width: 1.5, dash: [6, 4], points: { show: false } });
        this.plot?.destroy();
        this.place.replaceChildren();
        const caption = document.createElement("h3");
        caption.className = "note";
        caption.textContent = this.title;
        this.place.append(caption);
        this.plot = new UPlot(
            {
                ...this.size(), series: [{}, ...series], legend: { show: series.length > 1, live: false }, cursor: { show: false },
                scales: { x: { time: false }, y: { range: this.zero ? around : from } },
                axes: [{ ...axis, values: (/** @type {any} */ _, /** @type {number[]} */ all) => all.map((s) => `${s} s`) }, { ...axis, size: 56 }],
            },
            this.points,
            this.place,
        );
    }
}

/**
 * A range that always holds zero in its middle.
 * @param {any} _
 * @param {number | null} least
 * @param {number | null} greatest
 */
function around(_, least, greatest) {
    const far = Math.max(60, Math.abs(least ?? 0), Math.abs(greatest ?? 0)) * 1.1;
    return [-far, far];
}

/**
 * A range a little wider than what is in it.
 * @param {any} _
 * @param {number | null} least
 * @param {number | null} greatest
 */
function from(_, least, greatest) {
    if (least === null || greatest === null) return [0, 1000];
    const more = Math.max(20, (greatest - least) * 0.15);
    return [Math.max(0, least - more), greatest + more];
}

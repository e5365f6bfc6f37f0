// The timeline of a trial, as wide as the room that it has: its letters keep their size, and it is drawn anew where
// the room becomes another, as when a telephone is turned.

import { ask } from "./engine_of_page.js";
import { alone, made, redraw } from "./tables.js";

/** So long the room stays as it is before it is drawn again, in milliseconds. */
const REST = 150;

/** The drawing, which came of this question. */
export function fitting(svg, question) {
    const held = alone(svg);
    const room = made("div", { class: "ct-scroll ct-timeline", tabindex: "0", role: "region", "aria-label": "Timeline" }, held);
    let drawn = question.width_px;
    let timer;
    const again = async () => {
        if (!room.isConnected) return; // whoever took it away wants nothing more to be computed
        const { answer } = await ask("timeline", { ...question, width_px: drawn });
        if (answer.svg) redraw(held, answer.svg);
    };
    new ResizeObserver(([{ contentRect }]) => {
        const width = Math.floor(contentRect.width);
        if (width === 0 || width === drawn) return;
        drawn = width;
        clearTimeout(timer);
        timer = setTimeout(() => again().catch(() => {}), REST); // the older drawing stays
    }).observe(room);
    return room;
}

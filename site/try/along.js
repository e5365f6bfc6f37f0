// Somebody taps along to a trial, for fun: with the space bar, or by touch. What a browser's times are worth stands
// beside what comes of it.

import { buffer } from "./hearing.js";
import { made } from "./tables.js";

/** So long the first sample waits, in seconds, so that the hand is at the key. */
const LEAD = 1;
/** So often the two clocks are read beside each other, in milliseconds. */
const EVERY = 100;

/** A button that begins, and what one taps on. `ask` gives the sound, `judged` takes the taps and what they are worth. */
export function along(ask, judged, told) {
    const begin = made("button", { type: "button" }, "Tap along");
    const pad = made("button", { type: "button", class: "ct-pad", hidden: "" }, "Tap here, or press the space bar. Escape ends it.");
    let trial = null;
    const end = async (hear) => {
        const ended = trial;
        if (!ended) return;
        trial = null;
        clearInterval(ended.reading);
        await ended.context.close();
        [pad.hidden, begin.textContent] = [true, "Tap along"];
        if (hear && ended.taps.length > 0) await judged(on_trial(ended), worth(ended));
        else told("Nobody tapped.");
    };
    const tap = (event) => {
        if (!trial || event.repeat) return;
        event.preventDefault();
        trial.taps.push(event.timeStamp);
        pad.textContent = `${trial.taps.length} ${trial.taps.length === 1 ? "tap" : "taps"}. Escape ends it.`;
    };
    pad.addEventListener("pointerdown", tap);
    pad.addEventListener("keydown", (event) => {
        if (event.key === " ") tap(event);
        if (event.key === "Escape") end(true);
    });
    // Who leaves the pad by the keyboard ends the trial, so that nobody is held there.
    pad.addEventListener("blur", () => end(true));
    begin.addEventListener("mousedown", (event) => event.preventDefault()); // the pad keeps the keyboard until the click
    begin.addEventListener("click", async () => {
        if (trial) return end(true);
        try {
            trial = { context: new AudioContext({ latencyHint: "interactive" }), taps: [], pairs: [] };
            begin.textContent = "Stop";
            [pad.hidden, pad.textContent] = [false, "Tap here, or press the space bar. Escape ends it."];
            pad.focus();
            await started(trial, await ask(trial.context.sampleRate), () => end(true));
        } catch (error) {
            await end(false);
            told(error.message);
        }
    });
    return { begin, pad, end: () => end(false) };
}

/** Plays the trial, and reads the clock of sound beside that of events while it lasts. */
async function started(trial, samples, over) {
    const { context } = trial;
    if (context.state === "closed") return;
    if (samples.length === 0) throw new Error("there is nothing to tap to: mend the mistakes, or take a trial that plays no recording");
    const source = new AudioBufferSourceNode(context, { buffer: buffer(context, samples) });
    source.connect(context.destination);
    source.onended = over;
    await context.resume();
    trial.begun = context.currentTime + LEAD;
    source.start(trial.begun);
    trial.reading = setInterval(() => trial.pairs.push(pair(context)), EVERY);
    trial.pairs.push(pair(context));
}

/** How far the clock of events is ahead of that of sound, in milliseconds, and whether it is that of the sound which leaves the browser. */
function pair(context) {
    const { contextTime, performanceTime } = context.getOutputTimestamp?.() ?? {};
    return performanceTime > 0
        ? { ahead: performanceTime - 1000 * contextTime, leaves: true }
        : { ahead: performance.now() - 1000 * context.currentTime, leaves: false };
}

/** The readings of one kind: of the sound that leaves the browser, where it says when; a first one may come before it does. */
export function readings(pairs) {
    const leaving = pairs.filter(({ leaves }) => leaves);
    return (leaving.length > 0 ? leaving : pairs).map(({ ahead }) => ahead);
}

/** The taps in milliseconds from the start of the trial. */
export function on_trial({ taps, pairs, begun }) {
    const ahead = middle(readings(pairs));
    return taps.map((at) => at - ahead - 1000 * begun).filter((at) => at >= 0);
}

/** What the times of this browser are worth, in words. */
function worth({ pairs, context }) {
    const all = readings(pairs);
    const spread = Math.max(...all) - Math.min(...all);
    const sound = pairs.some(({ leaves }) => leaves) ? "its clock of sound" : "its clock of sound (when sound leaves it, it does not say)";
    const late = 1000 * ((context.outputLatency || 0) + (context.baseLatency || 0));
    return `For fun, never data. This browser's clock moves in steps of ${step().toFixed(3)} ms, and ${sound} wandered by ${spread.toFixed(1)} ms beside it. ` +
        `How late a tone leaves the loudspeaker (the browser guesses ${late.toFixed(0)} ms) and how late a tap comes in, no page can know.`;
}

/** The least step of the clock that stamps events, in milliseconds. */
function step() {
    let least = Infinity;
    let last = performance.now();
    for (const until = last + 20; last < until; ) {
        const now = performance.now();
        if (now > last) least = Math.min(least, now - last);
        last = now;
    }
    return least;
}

function middle(values) {
    return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)];
}

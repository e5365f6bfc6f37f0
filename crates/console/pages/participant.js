// @ts-check
// The participant's page: one thing at a time. It shows what the session says, and can answer
// and go on; it knows no numbers and no verdicts. Its words are those of the study.

import { element, form, settle } from "./answers.js";
import { listen, older, order } from "./reach.js";

const shown = /** @type {HTMLElement} */ (document.getElementById("shown"));
const full = /** @type {HTMLButtonElement} */ (document.getElementById("full"));

/**
 * @typedef {import("./lines.js").Words} Words
 * @typedef {import("./lines.js").Shows} Shows
 * @typedef {{turn: 0, is: "wait", words?: undefined}} CutOff
 */

let drawn = "";
/** @type {{key: string, nodes: Node[]} | undefined} what was drawn before the page was cut off */
let kept;
/** @type {{[name: string]: string}} those of the session; none before it is reached */
let words = {};

/** Languages that are written from right to left, and scripts that are. */
const LEFTWARD = /^(ar|ckb|dv|fa|he|iw|ks|ps|sd|ug|ur|yi)(-|$)(?!Latn)|-(Arab|Hebr|Thaa|Syrc|Nkoo)(-|$)/i;

/** @param {Words} given */
function speak(given) {
    words = given.texts;
    document.documentElement.lang = given.language;
    document.documentElement.dir = LEFTWARD.test(given.language) ? "rtl" : "ltr";
    document.title = words.title;
    const title = document.querySelector("h1");
    if (title) title.textContent = words.title;
    full.textContent = words.fill_the_screen;
}

/** @param {Shows | CutOff} shows */
function draw(shows) {
    // A scene comes whenever anything changes; the page only where this part of it does.
    const { turn, ...rest } = shows;
    const key = JSON.stringify(shows.is === "tap" || shows.is === "wait" ? rest : shows);
    if (key === drawn) return;
    drawn = key;
    if (shows.words) speak(shows.words);
    document.body.classList.toggle("tapping", shows.is === "tap"); // then nothing but the cross
    shown.replaceChildren(...(kept?.key === key ? kept.nodes : parts(shows)));
    kept = undefined;
    // Where one of several is to be chosen the text has the focus, so that none is chosen by mistake
    // and the next key leads to the first.
    const first = shown.querySelector("input[type=radio]") ? "#text" : "input, button";
    /** @type {HTMLElement | null} */ (shown.querySelector(first))?.focus();
}

/**
 * @param {Shows | CutOff} shows
 * @returns {Node[]}
 */
function parts(shows) {
    switch (shows.is) {
        case "text":
            if (shows.on === "experimenter") return [text(shows), hint(words.wait_for_experimenter), ...wayOut(shows)];
            return [text(shows), goOn(shows), ...(shows.pads ? [hint(words.or_press_a_pad)] : []), ...wayOut(shows)];
        case "question":
            return question(shows);
        case "press":
            return press(shows);
        case "rest":
            return [element("p", "said", words.rest), element("p", "", words.rest_how), countdown(shows.seconds ?? 0)];
        case "tap":
            return [cross()];
        case "over":
            return [element("p", "said", words.thank_you), element("p", "", words.over)];
        case "wait":
            return [element("p", "said", words.wait ?? "Please wait a moment.")];
        default:
            return [unknown(shows)];
    }
}

/** @param {never} shows that is none of those above */
function unknown(shows) {
    const { is } = /** @type {{is: string}} */ (shows);
    return older(`“${is}”`);
}

/** @param {Shows} shows */
function text(shows) {
    const text = element("div", "text");
    text.id = "text";
    text.tabIndex = -1;
    if (document.documentElement.dir !== "rtl") text.dir = "auto"; // it may be of any language
    text.innerHTML = shows.html ?? ""; // made by the console, which lets no HTML of the text through
    return text;
}

/** @param {Shows} shows */
function question(shows) {
    if (!shows.answer) return [];
    const answered = async (/** @type {string} */ answer) => {
        const { error, unreached } = await order("", { do: "answer", turn: shows.turn, answer });
        return unreached ? words.again : error;
    };
    const { go_on, choose_one, range } = words;
    return [text(shows), form(shows.answer, "text", { go_on, choose_one, range }, answered)];
}

/** @param {Shows} shows */
function press(shows) {
    if (shows.on === "experimenter") return [element("p", "said", words.wait_for_experimenter), ...wayOut(shows)];
    const how = shows.on === "tap" ? words.press_a_pad : words.press_the_button;
    return [element("p", "said", how), goOn(shows), ...wayOut(shows)];
}

/** @param {string} words */
const hint = (words) => element("p", "hint", words);

/**
 * How a trial is ended in which the only keyboard is tapped on: told before it begins.
 * @param {Shows} shows
 */
const wayOut = (shows) => (shows.keyboard ? [hint(words.way_out)] : []);

/** @param {Shows} shows */
function goOn(shows) {
    const button = /** @type {HTMLButtonElement} */ (element("button", "first", words.go_on));
    const focus = () => document.activeElement === document.body && button.focus();
    settle(button, focus);
    button.addEventListener("click", async () => {
        button.disabled = true;
        await order("", { do: "go_on", turn: shows.turn });
        button.disabled = false; // where it was refused, the button is still there
        focus();
    });
    return button;
}

const SECOND_MS = 1000;

/**
 * How long a rest still lasts, in minutes and seconds.
 * @param {number} seconds
 */
function countdown(seconds) {
    const left = element("p", "countdown");
    left.setAttribute("role", "timer");
    const end = performance.now() + seconds * SECOND_MS;
    const say = () => {
        const whole = Math.max(0, Math.ceil((end - performance.now()) / SECOND_MS));
        left.textContent = `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
    };
    say();
    const ticks = setInterval(() => (left.isConnected ? say() : clearInterval(ticks)), SECOND_MS / 4);
    return left;
}

function cross() {
    const cross = element("p", "cross", "+");
    cross.setAttribute("aria-label", words.tap_now);
    cross.setAttribute("role", "img");
    return cross;
}

const FULL = "(display-mode: fullscreen)";

function isFull() {
    return document.fullscreenElement !== null || matchMedia(FULL).matches;
}

function tellScreen() {
    full.hidden = isFull() || !document.fullscreenEnabled;
    order("", { do: "screen", full: isFull() });
}

full.addEventListener("click", () => document.documentElement.requestFullscreen());
document.addEventListener("fullscreenchange", tellScreen);
matchMedia(FULL).addEventListener("change", tellScreen); // of a window that the page did not make fill it

/** @type {Shows | undefined} what the session said last */
let last;
let here = false;
const over = () => last?.is === "over";

const SIGNS = 4; // of life, two a second, for each that is answered
let signs = 0;
let answering = false;

/**
 * Answers the session's signs of life, so that a browser that hangs is told from one that waits: a
 * page behind others, whose clocks stand, hears them all the same. Not while somebody taps.
 */
async function answerSigns() {
    if (!last || last.is === "tap" || over() || answering || signs++ % SIGNS > 0) return;
    answering = true;
    await order("", { do: "alive" });
    answering = false;
}

/** @param {Shows} shows */
function told(shows) {
    last = shows;
    draw(shows);
}

/** Asks to wait; what stood there is kept, with what was entered and not sent yet. */
function cutOff() {
    if (kept) return;
    const stood = { key: drawn, nodes: [...shown.childNodes] };
    draw({ turn: 0, is: "wait" });
    kept = stood;
}

/**
 * A page that is cut off asks to wait, because nothing can be answered. Taps are recorded all the
 * same, so the cross stays. A page that is back after a short break is told only what is new, so
 * it draws again what it was told before.
 * @param {import("./reach.js").Reach} reach
 */
function reached(reach) {
    const back = reach === "here" && !here;
    here = reach === "here";
    if (back) tellScreen();
    if (back && last) draw(last);
    if (here) answerSigns();
    if (here || over()) return;
    if (reach === "gone" || last?.is !== "tap") cutOff();
}

// Also when a session is over: the page joins the next one by itself.
listen("/events", told, reached, () => true);

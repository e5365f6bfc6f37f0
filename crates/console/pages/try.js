// @ts-check
// A study or a trial in the pane of the manual's site, reading only, also one with mistakes. The pane and the engine are
// scripts of their own (scripts/web.sh); this page gives them the files, and ends them where a session begins.

import { isolated } from "./answers.js";
import { send } from "./reach.js";
import { at, complain } from "./sheet.js";

/**
 * @typedef {{title: string, files: [string, string][], participant: string, problem: string}} Tried
 * @typedef {{open: (section: HTMLElement, what: object) => Promise<void>, close: () => void}} Pane
 */

/** How often it is asked whether a session is under way, in milliseconds. */
const LOOK_MS = 2000;

/**
 * Fetches a script of the pane.
 * @param {string} name
 * @returns {Promise<void>}
 */
function fetched(name) {
    return new Promise((done, failed) => {
        const script = document.createElement("script");
        script.src = `/try/${name}`;
        script.onload = () => setTimeout(done); // as button.js of the site
        script.onerror = () => failed(new Error(`${name} cannot be read; make it again: scripts/web.sh`));
        document.head.append(script);
    });
}

/** The file that the address names, behind the #. */
function named() {
    try {
        return decodeURIComponent(location.hash.slice(1));
    } catch {
        return "";
    }
}

/** The pane's colours are those of the page, light or dark. */
function colour() {
    const dark = matchMedia("(prefers-color-scheme: dark)");
    const set = () => (document.body.dataset.mdColorScheme = dark.matches ? "slate" : "default");
    dark.addEventListener("change", set);
    set();
}

/** @param {string} why nothing is shown */
function refuse(why) {
    at("wait").hidden = true;
    complain("problem", why);
}

async function begin() {
    colour();
    const tried = /** @type {Tried & {error?: string}} */ (await send("/try", { file: named() }));
    if (tried.error) return refuse(tried.error);
    at("title").textContent = `Try “${isolated(tried.title)}”`;
    complain("problem", tried.problem);
    try {
        await Promise.all([fetched("pane.js"), fetched("engine.js")]);
        const pane = /** @type {Pane} */ (/** @type {any} */ (window).chronotapTry);
        at("wait").hidden = true;
        at("pane").hidden = false;
        setTimeout(() => watch(pane), LOOK_MS);
        await pane.open(at("pane"), { files: tried.files, participant: tried.participant, reading: true });
    } catch (error) {
        refuse(/** @type {Error} */ (error).message);
    }
}

/**
 * Nothing is computed here beside a session, whose timing that would disturb; the page may be loaded again after it.
 * @param {Pane} pane
 */
async function watch(pane) {
    const { why } = await fetch("/try/hindered").then((answer) => answer.json()).catch(() => ({ why: null }));
    if (!why) {
        setTimeout(() => watch(pane), LOOK_MS);
        return;
    }
    pane.close();
    at("pane").replaceChildren();
    at("pane").hidden = true;
    refuse(`${why[0].toUpperCase()}${why.slice(1)}. Then load this page again.`);
}

addEventListener("hashchange", () => location.reload());
begin();

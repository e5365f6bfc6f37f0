// @ts-check
// How a page reaches its session: a stream of events that comes back by itself, and commands.

/**
 * @typedef {"waiting" | "here" | "lost" | "gone" | "crowded"} Reach
 * "lost": the console is not there, and nothing is known of the session; "gone": the console said
 * that the session's program has ended, and may have ended with it; "crowded": too many other pages
 * of this browser listen.
 */

export const CROWDED = "Too many pages of the console are open in this browser to keep this one up to date too: close one of them.";

export const OLDER = "This page is older than its console";

/**
 * What stands in place of what a page is told and does not know: the console was replaced while the
 * page stood open, and whoever loads it again has the new one.
 * @param {string} what
 * @returns {HTMLElement}
 */
export function older(what) {
    const said = document.createElement("div");
    said.className = "older";
    said.setAttribute("role", "alert");
    const sentence = document.createElement("p");
    sentence.className = "error";
    sentence.textContent = `${OLDER}: it does not know ${what}.`;
    const again = document.createElement("button");
    again.type = "button";
    again.textContent = "Load it again";
    again.addEventListener("click", () => location.reload());
    said.append(sentence, again);
    return said;
}

const LOOK_MS = 500;
const SILENT_LOOKS = 8; // in vain, for a stream that has a sign of life every half second
const AGAIN_MS = 1000;

const STREAMS = 4;

/**
 * Whether this page may have a stream. A browser has six connections for one address, and what
 * would be a seventh waits without a word - a command to stop a session too. So only some of its
 * pages listen at a time; one that is closed makes room for another.
 */
async function hasRoom() {
    if (!navigator.locks) return true;
    for (let place = 0; place < STREAMS; place++) {
        if (await held(`stream-${place}`)) return true;
    }
    return false;
}

/**
 * Holds a lock until the page is closed; false where another page holds it.
 * @param {string} name
 * @returns {Promise<boolean>}
 */
function held(name) {
    return new Promise((found) => {
        navigator.locks.request(name, { ifAvailable: true }, (lock) => {
            found(lock !== null);
            return lock && new Promise(() => {});
        });
    });
}

/**
 * Listens to a session until the page is closed. The browser itself comes back after a short
 * break and names the last event it saw; after a longer one the whole is told again. A stream that
 * breaks off is asked for once more before it is said to be lost. Silence is counted in looks and
 * not by a clock: a page that stood still itself finds one look due, and what was told meanwhile.
 * @param {string} address
 * @param {(line: any) => void} told
 * @param {(reach: Reach) => void} reached
 * @param {() => boolean} wanted whether anything more is to be told
 * @param {() => void} anew called before everything is told once more; until then what was told stays in sight
 */
export function listen(address, told, reached, wanted, anew = () => {}) {
    let silent = 0; // looks since something was heard
    let failed = 0; // times in a row that the stream broke off or could not be had
    let ended = false; // the console said that the session's program has
    /** @type {EventSource | undefined} */
    let source;
    const open = () => {
        source?.close();
        if (!wanted()) return;
        source = new EventSource(address);
        let first = true;
        const alive = () => {
            [silent, failed, ended] = [0, 0, false];
            reached("here");
        };
        source.onmessage = (event) => {
            alive();
            if (first) anew();
            first = false;
            told(JSON.parse(event.data));
        };
        source.addEventListener("alive", alive);
        source.addEventListener("gone", () => {
            source?.close();
            [silent, failed, ended] = [0, 0, true]; // the console has answered
            reached("gone");
            setTimeout(open, AGAIN_MS);
        });
        source.onerror = () => {
            failed += 1;
            if (failed > 1) reached(ended ? "gone" : "lost");
            if (source?.readyState === EventSource.CLOSED) setTimeout(open, AGAIN_MS);
        };
    };
    const begin = async () => {
        if (await hasRoom()) return open();
        reached("crowded");
        setTimeout(begin, AGAIN_MS);
    };
    begin();
    setInterval(() => {
        silent += 1;
        const waits = source?.readyState === EventSource.OPEN || failed > 0;
        if (waits && silent > SILENT_LOOKS) reached(ended ? "gone" : "lost");
    }, LOOK_MS);
}

/**
 * Sends what a session is asked for.
 * @param {string} base the address of the session's page
 * @param {import("./lines.js").Command} command
 */
export const order = (base, command) => send(`${base}/command`, command);

/**
 * Sends a command; the sentence of a refusal, or nothing.
 * @param {string} address
 * @param {object} body
 * @returns {Promise<{error?: string, [key: string]: any}>}
 */
export async function send(address, body) {
    try {
        const answer = await fetch(address, {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify(body),
        });
        const text = await answer.text();
        try {
            return JSON.parse(text);
        } catch {
            return { error: text.trim() };
        }
    } catch {
        return { error: "The console does not answer; what was begun goes on unless it was stopped too. Start chronotap console again.", unreached: true };
    }
}

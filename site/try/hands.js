// What the tests of "Try it" share: a browser, a page that is read from the disk, the program beside it.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

export const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
export const MADE = process.env.MADE;

/** A trial with a metronome and a tone for each tap. */
export const TRIAL = `title = "A metronome"

[pacing.metronome]
interval = "500 ms"

[feedback.tone]
pitch = { fixed = "E4" }
duration = "100 ms"

[[when]]
beat = 21
end = true
`;

/** A browser without a window. */
export function browser() {
    return chromium.launch({ executablePath: process.env.BROWSER });
}

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** A page on the disk with one block, as the manual has them, and the same policy. */
export function page_on_disk(text) {
    const folder = mkdtempSync(join(tmpdir(), "try-"));
    const path = join(folder, "page.html");
    const made = pathToFileURL(MADE).href;
    const policy = "default-src 'none'; script-src file: 'wasm-unsafe-eval'; worker-src blob:; style-src file: 'unsafe-inline'; img-src data:";
    writeFileSync(path, `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Try it</title>
        <meta http-equiv="Content-Security-Policy" content="${policy}"><meta name="viewport" content="width=device-width, initial-scale=1">
        <link rel="stylesheet" href="${made}/try.css"></head><body><main class="md-typeset"><h1>Try it</h1>
        <div class="ct-whole"><pre><code>${escaped(text)}</code></pre></div></main>
        <script src="${made}/button.js" data-page="page.html"></script></body></html>`);
    return pathToFileURL(path).href;
}

/** What goes wrong in a page, and what it fetches from elsewhere: both must stay empty. */
export function watched(page) {
    const wrong = [];
    page.on("console", (message) => ["error", "warning"].includes(message.type()) && wrong.push(message.text()));
    page.on("pageerror", (error) => wrong.push(String(error)));
    page.on("request", (request) => /^(file|blob|data):/.test(request.url()) || wrong.push(`asks ${request.url()}`));
    return wrong;
}

/** What the program prints; its exit status does not matter. */
export function chronotap(...words) {
    try {
        return execFileSync(process.env.CHRONOTAP, words, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], maxBuffer: 1 << 28 });
    } catch (error) {
        return error.stdout;
    }
}

/** The exit status of the program. */
export function status(...words) {
    try {
        execFileSync(process.env.CHRONOTAP, words, { stdio: "ignore" });
        return 0;
    } catch (error) {
        return error.status;
    }
}

// What every page must hold: no finding of axe-core in light and dark, narrow and wide; no text
// that runs out of the page and no word that is broken; nothing said on the browser's console.

import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const PICTURES = process.env.PICTURES ?? "";
if (PICTURES) mkdirSync(PICTURES, { recursive: true });

const SIZES = [
    { width: 360, height: 780 },
    { width: 1280, height: 900 },
];

/** Looks at a page as it is at this moment. */
export async function look(page, name) {
    await page.bringToFront();
    const size = page.viewportSize();
    for (const colorScheme of ["light", "dark"]) {
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        for (const each of SIZES) {
            await page.setViewportSize(each);
            await drawn(page);
            const label = `${name}-${colorScheme}-${each.width}`;
            if (PICTURES) await page.screenshot({ path: join(PICTURES, `${label}.png`), fullPage: true });
            const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
            assert.ok(wide <= 0, `${label}: ${wide} px wider than the screen`);
            assert.deepEqual(await page.evaluate(brokenWords), [], `${label}: words that stand in two lines`);
            await page.evaluate(axe); // by the debugger, which the policy of the page does not concern
            const found = await page.evaluate(() => window.axe.run());
            const said = found.violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html).join(" | ")}`);
            assert.deepEqual(said, [], label);
        }
    }
    await page.emulateMedia({ colorScheme: "light" });
    if (size) await page.setViewportSize(size);
}

/**
 * Words in sight that stand in two lines. What is longer than any word of a sentence (a path, an
 * address, a title of a hundred letters) may be broken, and what stands in a table beside such.
 */
function brokenWords() {
    const LONGEST = 20;
    const broken = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        if (/\S{21,}/.test(node.parentElement?.closest("table")?.textContent ?? "")) continue;
        for (const { 0: word, index } of node.data.matchAll(/[\p{L}\p{N}]+/gu)) {
            const range = document.createRange();
            range.setStart(node, index);
            range.setEnd(node, index + word.length);
            const lines = new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom)));
            const isPartOfLonger = /[^\s]{21,}/.test(node.data.slice(Math.max(0, index - LONGEST), index + word.length + LONGEST));
            if (lines.size > 1 && word.length <= LONGEST && !isPartOfLonger) broken.push(word);
        }
    }
    return broken;
}

/** Until the page has drawn itself at its size: the first frame lays it out, the second has its plots. */
function drawn(page) {
    return page.evaluate(async () => {
        for (let frame = 0; frame < 2; frame++) await new Promise((next) => requestAnimationFrame(next));
        await document.fonts.ready;
    });
}

/** Collects what a page says on the browser's console; `calm` while it may complain. */
export function hear(page, said) {
    page.on("console", (message) => {
        if (["error", "warning"].includes(message.type()) && !said.calm) said.push(`${message.text()} ${message.location().url}`);
    });
    page.on("pageerror", (error) => said.push(String(error)));
}

/** Where a test has failed: what each page showed then, in words and as a picture. */
export async function testify(context, name) {
    for (const [place, page] of context.pages().entries()) {
        const text = await page.evaluate(() => document.body.innerText).catch(String);
        console.log(`--- ${page.url()}\n${text}`);
        const path = join(PICTURES, `failed-${name.replaceAll(" ", "-")}-${place}.png`);
        if (PICTURES) await page.screenshot({ path, fullPage: true }).catch(() => {});
    }
}

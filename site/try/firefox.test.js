// The pane in Firefox, by its keyboard alone, narrow and wide. Its functions are asked there by functions.test.js.

import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { firefox } from "./fox.js";
import { axe, page_on_disk, TRIAL } from "./hands.js";

const PICTURES = process.env.PICTURES ?? "";
if (PICTURES) mkdirSync(PICTURES, { recursive: true });
let opened;
let page;

before(async () => {
    opened = await firefox();
    page = await opened.newPage();
    await page.resize(1280, 900);
    await page.goto(page_on_disk(TRIAL));
});

after(async () => {
    await opened.close();
    assert.deepEqual(page.wrong, []);
});

const seen = (selector) => page.waitForFunction((selector) => document.querySelector(selector) !== null, selector);

test("the button opens the pane by the keyboard, and everything is there", async (t) => {
    t.diagnostic(`Firefox ${opened.version}`);
    await page.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.textContent), "Try it");
    await page.press("Enter");
    await seen(".ct-results svg");
    assert.match(await page.evaluate(() => document.querySelector(".ct-results").innerText), /mean asynchrony of/);
    assert.equal(await page.evaluate(() => document.querySelectorAll(".ct-results figure").length), 2);
});

test("a mistake stands at its line as one types, and goes when it is undone", async () => {
    await page.evaluate(() => document.querySelector(".cm-content").focus());
    await page.pressWith("Control", "End");
    await page.type("[feedback.other]\nintervall = 3");
    await seen(".ct-mistakes li");
    assert.match(await page.evaluate(() => document.querySelector(".ct-mistakes li").innerText), /line 1[34]/);
    for (let undone = 0; undone < 60 && (await page.evaluate(() => document.querySelectorAll(".ct-mistakes li").length)) > 0; undone += 1) {
        await page.pressWith("Control", "z");
        await new Promise((done) => setTimeout(done, 200));
    }
    assert.match(await page.evaluate(() => document.querySelector(".ct-mistakes").innerText), /No mistakes/);
});

test("a slider writes its number into the text, by the keyboard", async () => {
    await page.evaluate(() => [...document.querySelectorAll("summary")].find((one) => one.textContent.startsWith("Numbers")).focus());
    await page.press("Enter");
    await page.press("Tab");
    await page.press("ArrowRight");
    await page.waitForFunction(() => document.querySelector(".cm-content").textContent.includes('"501 ms"'));
});

test("what is seen can be read by everybody, narrow and wide", async () => {
    await page.evaluate(`() => { ${axe} }`);
    for (const width of [390, 1280]) {
        await page.resize(width, 900);
        await new Promise((done) => setTimeout(done, 300));
        if (PICTURES) await page.screenshot(join(PICTURES, `firefox-${width}.png`));
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(wide <= 0, `${width}: ${wide} px wider than the screen`);
        const found = await page.evaluate(() => window.axe.run(".ct-try", { preload: false }).then(({ violations }) => violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" | ")}`)));
        assert.deepEqual(found, [], `${width}`);
    }
});

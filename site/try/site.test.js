// Every block and study of the manual's site, opened from the disk without a network.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { axe, browser, watched } from "./hands.js";

const SITE = process.env.SITE;

function pages(folder) {
    return readdirSync(folder, { withFileTypes: true, recursive: true })
        .filter((item) => item.isFile() && item.name.endsWith(".html"))
        .map((item) => join(item.parentPath, item.name))
        .filter((path) => /ct-whole|data-ct-(study|empty)/.test(readFileSync(path, "utf8")));
}

test("whatever has a button opens, without a mistake, and asks nobody", async (t) => {
    const opened = await browser();
    const context = await opened.newContext({ offline: true, viewport: { width: 1280, height: 900 } });
    let count = 0;
    for (const path of pages(SITE)) {
        const page = await context.newPage();
        const wrong = watched(page);
        await page.goto(pathToFileURL(path).href);
        for (const button of await page.locator(".ct-button").all()) {
            if ((await button.getAttribute("aria-expanded")) === "false") await button.click();
            const pane = button.locator("xpath=following-sibling::section[1]");
            await pane.locator(".ct-results > *").first().waitFor({ timeout: 60_000 });
            assert.match(await pane.locator(".ct-mistakes").innerText(), /No mistakes/, path);
            await button.click();
            count += 1;
        }
        assert.deepEqual(wrong, [], path);
        await page.close();
    }
    t.diagnostic(`${count} blocks and studies`);
    assert.ok(count > 40, `${count}`);
    await opened.close();
});

test("without script a page reads as before", async () => {
    const opened = await browser();
    const context = await opened.newContext({ javaScriptEnabled: false, offline: true });
    const page = await context.newPage();
    await page.goto(pathToFileURL(join(SITE, "trial-files.html")).href);
    assert.equal(await page.locator(".ct-button").count(), 0);
    assert.match(await page.locator("main").innerText(), /pacing/);
    await opened.close();
});

test("the page that links lead to opens what a link holds", async () => {
    const opened = await browser();
    const page = await opened.newPage({ viewport: { width: 390, height: 800 } });
    await page.goto(pathToFileURL(join(SITE, "try.html")).href);
    await page.locator(".ct-results svg").first().waitFor({ timeout: 60_000 });
    await page.evaluate(axe);
    const found = await page.evaluate(() => window.axe.run(".ct-try", { preload: false }));
    assert.deepEqual(found.violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html).join(" | ")}`), []);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(wide <= 0, `${wide} px wider than the screen`);
    await opened.close();
});

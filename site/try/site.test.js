// Every block and study of the manual's site, pressed on its page from the disk without a network. One engine is asked
// about all of them, because to begin it for each page takes most of a second; one of each kind is opened as people do.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { axe, browser, watched } from "./hands.js";

const SITE = process.env.SITE;
const PICTURES = process.env.PICTURES ?? "";
const OFFERS = /ct-whole|data-ct-study/;
/** Of each kind of place what stands in its page, and where the button follows. */
const KINDS = [[/"ct-whole highlight/, ".ct-whole"], [/"ct-whole beside-/, "[class*=beside-]"], [/data-ct-study/, "[data-ct-study]"]];
const TRY = join(SITE, "try.html");
let opened;

before(async () => (opened = await browser()));
after(() => opened.close());

const pages = (kind) =>
    readdirSync(SITE, { withFileTypes: true, recursive: true })
        .filter((item) => item.isFile() && item.name.endsWith(".html"))
        .map((item) => join(item.parentPath, item.name))
        .filter((path) => path !== TRY && kind.test(readFileSync(path, "utf8")))
        .sort();

/** A context with a page of the site, and what goes wrong there. */
async function at(path, more = {}) {
    const context = await opened.newContext({ offline: true, viewport: { width: 1280, height: 900 }, ...more });
    const page = await context.newPage();
    const wrong = watched(page);
    await page.goto(pathToFileURL(path).href);
    return { context, page, wrong };
}

/** What the buttons of a page hand to the pane, which is not there. */
async function handed(page, path) {
    await page.goto(pathToFileURL(path).href);
    for (const button of await page.locator(".ct-button").all()) await button.click();
    await page.waitForFunction(() => (window.handed ?? []).length === document.querySelectorAll(".ct-button").length);
    return (await page.evaluate(() => window.handed)).map((what) => ({ path, what }));
}

/** In the page with the engine: what stands wrong in what was handed, or keeps people from tapping in it. */
async function doubts({ study, name, text, beside }) {
    const answer = async (what, asked) => (await window.chronotapTry.ask(what, asked)).answer;
    const [[first, held], ...others] = study ? await answer("study", study) : [[name, text], ...beside];
    const asked = { name: first, text: held, beside: others };
    const checked = await answer("check", asked);
    const further = checked.experiment ? ["plan"] : [];
    if (!checked.experiment || checked.steps.length > 0) further.push("timeline", "simulate");
    const all = [...checked.problems];
    for (const what of further) all.push((await answer(what, asked)).refused);
    return all.filter(Boolean);
}

test("whatever has a button is without a mistake, and people tap in it", async (t) => {
    const stub = "window.handed = []; window.chronotapTry = { open: (_, what) => window.handed.push(what) };";
    const { context, page, wrong } = await at(TRY);
    const engine = await context.newPage();
    await engine.goto(pathToFileURL(TRY).href);
    await engine.waitForFunction(() => window.chronotapTry && window.chronotapEngine);
    await page.route("**/pane.js", (route) => route.fulfill({ body: stub, contentType: "text/javascript" }));
    await page.route("**/engine.js", (route) => route.fulfill({ body: "", contentType: "text/javascript" }));
    const all = [];
    for (const path of pages(OFFERS)) all.push(...(await handed(page, path)));
    for (const { path, what } of all) assert.deepEqual(await engine.evaluate(doubts, what), [], `${path}: ${what.study ?? what.text}`);
    assert.deepEqual(wrong, []);
    t.diagnostic(`${all.length} blocks and studies`);
    assert.ok(all.length > 40, `${all.length}`);
    await context.close();
});

test("a block, a block with files beside it and a study open as people open them", async () => {
    for (const [kind, place] of KINDS) {
        const [path] = pages(kind);
        const { context, page, wrong } = await at(path);
        const button = page.locator(`${place} + .ct-button`).first();
        await button.click();
        const pane = button.locator("xpath=following-sibling::section[1]");
        await pane.locator(".ct-results > *").first().waitFor({ timeout: 60_000 });
        assert.match(await pane.locator(".ct-mistakes").innerText(), /No mistakes/, path);
        await button.click();
        await pane.waitFor({ state: "detached" });
        assert.deepEqual(wrong, [], path);
        await context.close();
    }
});

test("pages are searched from the disk, and no script runs that the policy does not name", async () => {
    const { context, page, wrong } = await at(join(SITE, "index.html"));
    await page.locator(".md-search__input").click();
    await page.locator(".md-search__input").pressSequentially("asynchrony");
    await page.locator(".md-search-result__item").first().waitFor({ timeout: 60_000 });
    assert.deepEqual(wrong, []);
    const policy = await page.locator("meta[http-equiv=Content-Security-Policy]").getAttribute("content");
    const scripts = /script-src ([^;]*)/.exec(policy)[1].split(" ").filter((one) => !one.startsWith("'sha256-"));
    assert.deepEqual(scripts, ["'self'", "file:", "'wasm-unsafe-eval'"]);
    const ran = await page.evaluate(() => {
        document.head.append(Object.assign(document.createElement("script"), { textContent: "window.ran = true" }));
        return window.ran;
    });
    assert.equal(ran, undefined);
    await context.close();
});

test("without script a page reads as before", async () => {
    const { context, page } = await at(join(SITE, "trial-files.html"), { javaScriptEnabled: false });
    assert.equal(await page.locator(".ct-button").count(), 0);
    assert.match(await page.locator("main").innerText(), /pacing/);
    await context.close();
});

test("the page that links lead to opens what a link holds, on a telephone too", async () => {
    const { context, page, wrong } = await at(TRY, { viewport: { width: 390, height: 800 } });
    await page.locator(".ct-results svg").first().waitFor({ timeout: 60_000 });
    await page.evaluate(() => (navigator.clipboard.writeText = (address) => (window.address = address)));
    await page.getByLabel("How many").fill("2");
    await page.getByRole("button", { name: "Link to this" }).click();
    await page.waitForFunction(() => window.address);
    const led = await context.newPage();
    wrong.push(...watched(led));
    await led.goto(await page.evaluate(() => window.address));
    await led.locator("figcaption").getByText("2 people").first().waitFor({ timeout: 60_000 });
    if (PICTURES) {
        await led.setViewportSize({ width: 1000, height: 1_240 });
        await led.locator(".ct-try").evaluate((pane) => scrollTo(0, pane.offsetTop - 120));
        await led.screenshot({ path: join(PICTURES, "site-try.png") });
    }
    await page.evaluate(axe);
    const found = await page.evaluate(() => window.axe.run(".ct-try", { preload: false }));
    assert.deepEqual(found.violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html).join(" | ")}`), []);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(wide <= 0, `${wide} px wider than the screen`);
    assert.deepEqual(wrong, []);
    await context.close();
});

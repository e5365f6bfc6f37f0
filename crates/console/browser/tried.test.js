// Studies and trials in the pane of the manual's site: read, rehearsed and drawn in the page, written nowhere, and never
// beside a session.

import assert from "node:assert/strict";
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before } from "node:test";
import { launch, reach, session as session_in } from "./hands.js";
import { hear, look } from "./looks.js";
import { console_of, session_with } from "./program.js";
import { TEMPI, TEXTS } from "./study.js";

let browser;
before(async () => {
    browser = await launch();
});
after(() => browser.close());
const session = (name, steps) => session_in(() => browser, name, steps);

const made = !process.env.TRY && "the engine for a page could not be made here";

/** Everything in the folder of the studies, with what it holds. */
const held = ({ lab }) => readdirSync(lab).map((name) => [name, readFileSync(join(lab, name), "utf8")]);

/** The first page, with this study chosen. */
async function choose(page, address, study) {
    await page.goto(address);
    await page.waitForURL(/:\d+\/$/);
    await page.selectOption("#study", study);
}

session("a study is tried by the keyboard, and nothing of it is written", async (t, where, page) => {
    if (made) return t.skip(made);
    const [said, asked] = [[], []];
    hear(page, said);
    page.context().on("request", (request) => asked.push(request.url()));
    writeFileSync(join(where.lab, "tempi.toml"), `${TEMPI}[outcome]\nof = "mean interval"\nover = "tempo"\n`);
    const before = held(where);
    const served = await console_of(where);
    await choose(page, served.address, "tempi.toml");
    await reach(page, "#try");
    const [tried] = await Promise.all([page.waitForEvent("popup"), page.keyboard.press("Enter")]);
    hear(tried, said);
    const results = tried.locator(".ct-results");
    await results.locator("figure svg").first().waitFor();
    assert.equal(await tried.locator("h1").innerText(), "Try “\u2068Two tempi\u2069”");
    assert.match(await results.innerText(), /2 participants, one session/);
    assert.match(await results.innerText(), /mean interval of/);
    assert.match(await tried.locator(".ct-mistakes").innerText(), /^No mistakes/);

    await tried.locator(".ct-file select").selectOption({ label: "trial.toml" });
    await reach(tried, ".cm-content");
    const text = await tried.locator(".cm-content").innerText();
    assert.match(text, /pacing\.metronome/);
    await tried.keyboard.type("x = 1");
    assert.equal(await tried.locator(".cm-content").innerText(), text, "it is only read");
    for (const name of ["Link to this", "Keep the data"]) assert.equal(await tried.getByRole("button", { name }).count(), 0, name);
    assert.equal(await tried.getByText("Numbers of the file, to move").count(), 0);

    await tried.getByLabel("People who do the study").fill("2");
    await tried.keyboard.press("Tab");
    await tried.keyboard.press("Enter");
    await tried.locator(".ct-report table").first().waitFor({ state: "attached" });
    await tried.setViewportSize({ width: 390, height: 844 });
    assert.ok((await tried.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0, "390 px");
    await look(tried, "try");
    assert.deepEqual(asked.filter((url) => !url.startsWith(new URL(served.address).origin) && !url.startsWith("blob:")), []);
    assert.deepEqual(held(where), before);
    assert.deepEqual(said, []);
});

session("nothing is tried beside a session, nor where the experimenter must not know who gets what", async (t, where, page) => {
    if (made) return t.skip(made);
    writeFileSync(join(where.lab, "texts.toml"), TEXTS);
    writeFileSync(join(where.lab, "tempi.toml"), TEMPI);
    const served = await console_of(where);
    await choose(page, served.address, "texts.toml");
    await page.getByText("This study is blind. To try it would show who gets what.").waitFor();
    assert.ok(await page.locator("#try").isHidden());
    await page.goto(`${new URL(served.address).origin}/try#texts.toml`);
    await page.getByText("this study is blind: to try it would show who gets what").waitFor();

    await page.goto(`${new URL(served.address).origin}/try#tempi.toml`); // another #, for which it is loaded again
    await page.locator(".ct-results svg").first().waitFor();
    await session_with(where, "tempi.toml");
    await page.getByText("session of participant 01 is under way, whose timing this would disturb").waitFor();
    assert.equal(await page.locator(".ct-editor").count(), 0);
    await page.reload();
    await page.getByText("session of participant 01 is under way").waitFor();
});

session("the mistakes of a study stand at their lines, and nothing is made of it", async (_, where, page) => {
    if (made) return;
    writeFileSync(join(where.lab, "wrong.toml"), TEMPI.replace("participants", "partcipants"));
    const served = await console_of(where);
    await choose(page, served.address, "wrong.toml");
    assert.equal(await page.locator("#try").innerText(), "See the mistakes");
    await look(page, "wrong");
    await reach(page, "#try");
    const [tried] = await Promise.all([page.waitForEvent("popup"), page.keyboard.press("Enter")]);
    const mistakes = tried.locator(".ct-mistakes");
    await mistakes.getByText("One mistake.", { exact: true }).waitFor();
    assert.match(await mistakes.locator("li").innerText(), /^line 2\s+.*did you mean "participants"\?/s);
    assert.equal(await tried.locator(".cm-lint-marker-error").count(), 1);
    await reach(tried, ".ct-line");
    await tried.keyboard.press("Enter");
    assert.ok(await tried.evaluate(() => document.activeElement?.closest(".cm-content")));
    assert.equal(await tried.locator(".ct-results *").count(), 0);
    await look(tried, "try-wrong");
});

session("a single trial is tried, and after an edit its mistakes are seen", async (_, where, page) => {
    if (made) return;
    // The study names `trial.toml`, and a part of a study with mistakes is not listed on its own.
    copyFileSync(join(where.lab, "trial.toml"), join(where.lab, "alone.toml"));
    const served = await console_of(where);
    await page.goto(served.address);
    await page.selectOption("#what", "trial");
    await page.selectOption("#trial", "alone.toml");
    await reach(page, "#try-trial");
    const [tried] = await Promise.all([page.waitForEvent("popup"), page.keyboard.press("Enter")]);
    await tried.locator(".ct-results .ct-timeline svg").waitFor();
    assert.match(await tried.locator(".ct-results").innerText(), /mean asynchrony/);
    writeFileSync(join(where.lab, "alone.toml"), `intervall = 3\n${readFileSync(join(where.lab, "alone.toml"), "utf8")}`);
    await tried.reload();
    await tried.locator(".ct-mistakes li").getByText("intervall").waitFor();
    assert.match(await tried.locator(".ct-mistakes li").innerText(), /^line 1/);

    await page.reload();
    await page.selectOption("#what", "trial");
    await page.selectOption("#trial", { label: "alone.toml (has mistakes)" });
    await page.getByText("This trial has mistakes, so it cannot be run.").waitFor();
    assert.ok(await page.locator("#run").isDisabled());
    await look(page, "wrong-trial");
    await reach(page, "#try-trial");
    assert.equal(await page.locator("#try-trial").innerText(), "See the mistakes");
    const [seen] = await Promise.all([page.waitForEvent("popup"), page.keyboard.press("Enter")]);
    await seen.locator(".ct-mistakes li").getByText("intervall").waitFor();
    await page.selectOption("#what", "doctor");
    assert.ok(await page.locator("#run").isEnabled());
});

session("without the engine the first page says how to get it", async (_, where, page) => {
    await page.route("**/folder", async (route) => {
        const answer = await route.fetch();
        await route.fulfill({ response: answer, json: { ...(await answer.json()), lacks: ["try"] } });
    });
    const served = await console_of(where);
    await choose(page, served.address, "study.toml");
    await page.getByText("Studies and trials cannot be tried with this build of the program. To add that, type scripts/web.sh in its clone").waitFor();
    assert.ok(await page.locator("#try").isHidden());
    await look(page, "lacks-try");
});

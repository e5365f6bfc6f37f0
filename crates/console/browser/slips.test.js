// What a slip of the hand must not do, what a blind experimenter must not see, and what a page looks
// like in a language that is written from right to left.

import assert from "node:assert/strict";
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before } from "node:test";
import { advised, confirmed, launch, noted, participantOf, session as session_in, tryDevices, waitFor } from "./hands.js";
import { hear, look } from "./looks.js";
import { console_of, over, session_of, sessions, tap, tap_session_of, texts_of } from "./program.js";

let browser;
before(async () => {
    browser = await launch();
});
after(() => browser.close());
const session = (name, steps) => session_in(() => browser, name, steps);

async function stopped(page) {
    await page.bringToFront();
    await page.click("#stop");
    await confirmed(page, "Stop the session");
    await waitFor(page, "The session is stopped");
}
const sees = (page) => page.locator("#sees").innerText();

session("a double click and a key that is held down go on once", async (_, where, page) => {
    const said = [];
    const served = await texts_of(where);
    hear(page, said);
    await page.goto(served.address);
    await waitFor(page, "Try the devices");
    await tryDevices(page);
    const window = await participantOf(page, said);
    await window.getByText("First text").waitFor();
    const button = window.getByRole("button", { name: "Go on" });
    // The second click comes as soon as there is something to be clicked.
    await window.evaluate(() => {
        const shown = document.getElementById("shown");
        new MutationObserver(() => shown.querySelector("button")?.click()).observe(shown, { childList: true });
    });
    await button.click();
    await window.getByText("Second text").waitFor();
    await noted(page, "clicked");
    assert.equal(await sees(page), "Second text");
    await window.reload(); // without the second click

    await window.locator("#shown button:enabled:focus").waitFor();
    await window.bringToFront();
    await window.keyboard.down("Enter");
    await window.getByText("Wie sehr stimmt das?").waitFor();
    await look(window, "worded");
    const narrow = { width: 360, height: 780 };
    await window.setViewportSize(narrow);
    const wide = await window.evaluate(() => [...document.querySelectorAll(".points label")].filter((one) => one.scrollWidth > one.clientWidth).length);
    assert.equal(wide, 0, "labels stay within their boxes");
    await window.keyboard.up("Enter");
    await window.getByRole("radio", { name: "4" }).check({ force: true });
    await button.click();

    await window.getByText("הקישו: 200 ms.").waitFor();
    await window.locator("#shown button:enabled:focus").waitFor();
    await window.keyboard.down("Enter");
    await window.getByText("Press the button to go on.").waitFor();
    await window.locator("#shown button:enabled:focus").waitFor();
    await window.keyboard.down("Enter"); // the key is still down
    await noted(page, "held");
    await waitFor(page, "The participant goes on with the button");
    await window.keyboard.up("Enter");
    assert.deepEqual([...said], []);
    await stopped(page);
    await over(where);
});

session("who is blind reads no levels, and a page in Hebrew is written from right to left", async (_, where, page) => {
    const said = [];
    const served = await texts_of(where);
    hear(page, said);
    await page.goto(served.address);
    await waitFor(page, "Try the devices");
    await tryDevices(page);
    const window = await participantOf(page, said);
    for (const text of ["First text", "Second text"]) {
        await window.getByText(text).waitFor();
        assert.equal(await window.evaluate(() => document.documentElement.dir), "rtl");
        await window.getByRole("button", { name: "Go on" }).click();
    }
    await window.getByRole("radio", { name: "4" }).check({ force: true });
    await window.getByRole("button", { name: "Go on" }).click();
    await window.getByText("הקישו: 200 ms.").waitFor();
    await look(window, "leftward");
    await page.locator("#sees").getByText("הקישו: {tempo}.").waitFor();
    assert.ok(!(await page.content()).includes("200 ms"));
    assert.ok(!(await page.locator("#asynchronies").isVisible()), "nor are there asynchronies");
    assert.deepEqual([...said], []);
    await stopped(page);
    await over(where);
    const home = await page.context().newPage();
    hear(home, said);
    await home.goto((await console_of(where)).address);
    await home.getByRole("cell", { name: "hidden" }).waitFor();
    assert.ok(!/leftmost|rightmost/.test(await home.content()));
});

session("a key that is held down stops no session", async (_, where, page) => {
    const served = await session_of(where);
    await page.goto(served.address);
    await waitFor(page, "Try the devices");
    await page.focus("#stop");
    await page.keyboard.down("Enter");
    await page.getByText("Stop the session of participant 01").waitFor();
    for (let again = 0; again < 4; again++) await page.keyboard.down("Enter");
    await page.keyboard.up("Enter");
    await page.keyboard.press("Escape");
    await noted(page, "it goes on");
    await waitFor(page, "Try the devices");
    await stopped(page);
    await over(where);
});

session("however many pages are open, commands go through", async (_, where, page) => {
    const said = [];
    const served = await session_of(where);
    hear(page, said);
    await page.goto(served.address);
    await waitFor(page, "Try the devices");
    const more = [];
    for (let count = 0; count < 7; count++) {
        const one = await page.context().newPage();
        hear(one, said);
        await one.goto(page.url());
        more.push(one);
    }
    const last = more[6];
    await last.getByText("Too many pages of the console are open").waitFor();
    await look(last, "crowded");
    await noted(page, "to all");
    await more[0].close();
    await more[1].close();
    for (const one of more.slice(3)) if (one !== last) await one.close();
    await last.bringToFront();
    await last.getByText("Note: to all").waitFor();
    await advised(last, "Play test tones");
    assert.deepEqual([...said], []);
    await stopped(page);
    await over(where);
});

session("a pad is asked for where somebody sits at it, and a tap answers", async (_, where, page) => {
    const said = [];
    const served = await tap_session_of(where);
    hear(page, said);
    await page.goto(served.address);
    await waitFor(page, "Try the devices");
    tap(where);
    await tryDevices(page);
    const window = await participantOf(page, said);
    await window.getByText("Press a pad to go on").waitFor();
    await look(window, "press-a-pad");
    await look(page, "waits-for-a-tap");
    tap(where);
    await waitFor(page, "The trial runs");
    assert.deepEqual([...said], []);
    await stopped(page);
    await over(where);
});

session("what was told of a session that was killed stays in sight", async (_, where, page) => {
    const served = await session_of(where);
    await page.goto(served.address);
    await waitFor(page, "Try the devices");
    await noted(page, "before the end");
    for (const number of sessions(where)) process.kill(number, "SIGKILL");
    await page.getByText("The session's program cannot be reached").waitFor();
    for (let again = 0; again < 2; again++) await page.waitForRequest(/\/events$/); // it looks whether the session is back
    assert.match(await page.locator("#log").innerText(), /Note: before the end/);
    assert.match(await page.locator("#advice").getAttribute("class"), /times/, "and is pale, for it is no longer so");
});

session("the number of a session is that of the study in sight, and a study that was edited asks first", async (_, where, page) => {
    const study = (file, sessions) => writeFileSync(join(where.lab, file), `task = "a"\nsessions = ${sessions}\n[[step]]\nname = "main"\ntrial = "trial.toml"\n`);
    study("one.toml", 1);
    study("two.toml", 2);
    const served = await console_of(where);
    await page.goto(served.address);
    await page.selectOption("#study", "two.toml");
    await page.fill("#participant", "1");
    const known = (text) => page.locator("#known").filter({ hasText: text }).waitFor();
    await page.fill("#session", "3");
    await known("The study has sessions 1 to 2.");
    await page.fill("#session", "2");
    await known("has not begun session 1");
    await page.selectOption("#study", "one.toml");
    await known("Participant 01 is new.");
    await page.selectOption("#study", "two.toml");
    await page.fill("#session", "1");
    await page.check("#simulated");
    await page.click("#begin");
    await page.waitForURL(/session/);
    await waitFor(page, "Try the devices");
    await stopped(page);
    await over(where);
    appendFileSync(join(where.lab, "two.toml"), "[[step]]\ntext = \"Good bye\"\n");
    await page.goto(new URL("/", served.address).href);
    await page.selectOption("#study", "two.toml");
    await page.fill("#participant", "1");
    await page.check("#simulated");
    await known("Since earlier sessions two.toml changed");
    assert.ok(await page.locator("#begin").isDisabled());
    await look(page, "changed");
    await page.check("#changed");
    await page.click("#begin");
    await page.waitForURL(/session/);
    await waitFor(page, "Try the devices");
    await stopped(page);
    await over(where);
});

session("what was entered is still there when a page that was cut off is back", async (_, where, page) => {
    const said = [];
    const served = await console_of(where);
    hear(page, said);
    await page.goto(served.address);
    await page.locator("#study option").first().waitFor({ state: "attached" });
    await page.fill("#participant", "1");
    await page.check("#simulated");
    await page.click("#begin");
    await waitFor(page, "Try the devices");
    await tryDevices(page);
    const window = await participantOf(page, said);
    await window.getByText("Age in years").waitFor();
    await window.locator("input[name=answer]").fill("23");
    served.child.kill("SIGSTOP");
    await window.getByText("Please wait a moment.").waitFor();
    await page.bringToFront();
    await page.getByText("Display lost").waitFor();
    served.child.kill("SIGCONT");
    await window.bringToFront();
    await window.getByText("Age in years").waitFor();
    assert.equal(await window.locator("input[name=answer]").inputValue(), "23");
    assert.deepEqual([...said], []);
    await page.bringToFront();
    await page.locator("#lost").waitFor({ state: "hidden" });
    await stopped(page);
    await over(where);
});

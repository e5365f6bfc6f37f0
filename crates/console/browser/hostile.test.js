// Every screen that the tests of whole sessions do not look at, in a study whose author and names
// are as hostile as can be: nothing of it is obeyed, and nothing is asked for from elsewhere.

import assert from "node:assert/strict";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before } from "node:test";
import { advised, confirmed, launch, noted, participantOf, session as session_in, waitFor } from "./hands.js";
import { hear, look } from "./looks.js";
import { console_of, killed, over } from "./program.js";
import { HOSTILE, HOSTILE_NAME, HOSTILE_TEXT } from "./study.js";

let browser;
before(async () => {
    browser = await launch();
});
after(() => browser.close());
const session = (name, steps) => session_in(() => browser, name, steps);

const PICTURE = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");

/** The study, and pictures beside it: one of the study, and a way to one that is not. */
function hostile(where) {
    writeFileSync(join(where.lab, HOSTILE_NAME), HOSTILE);
    writeFileSync(join(where.lab, "hostile.md"), HOSTILE_TEXT);
    writeFileSync(join(where.lab, "pad.png"), PICTURE);
    writeFileSync(join(where.lab, "tune.wav"), tune());
    writeFileSync(join(where.folder, "secret.png"), PICTURE);
    symlinkSync(join(where.folder, "secret.png"), join(where.lab, "way-out.png"));
}

/** A quarter of a second of silence, as a WAV file (RIFF, PCM, 8 bits, 8,000 Hz). */
function tune() {
    const [rate, frames] = [8_000, 2_000];
    const head = Buffer.from("RIFF....WAVEfmt ....................data....", "latin1");
    head.writeUInt32LE(36 + frames, 4);
    head.writeUInt32LE(16, 16);
    head.writeUInt16LE(1, 20); // PCM
    head.writeUInt16LE(1, 22); // one channel
    head.writeUInt32LE(rate, 24);
    head.writeUInt32LE(rate, 28);
    head.writeUInt16LE(1, 32);
    head.writeUInt16LE(8, 34);
    head.writeUInt32LE(frames, 40);
    return Buffer.concat([head, Buffer.alloc(frames, 128)]);
}

/** Where the pages of a browser ask for something, and what scripts of a study have done. */
async function watch(context) {
    const asked = new Set();
    context.on("request", (request) => asked.add(new URL(request.url()).origin));
    await context.addInitScript(() => {
        window.pwned = 0;
        window.alert = () => window.pwned++;
        addEventListener("securitypolicyviolation", (event) => console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`));
    });
    return asked;
}

/** Opens the dialog of a button, looks at it and leaves it. */
async function dialog(page, button, name) {
    await page.bringToFront();
    await page.click(button);
    await page.locator("#ask").getByRole("button", { name: "Cancel" }).waitFor();
    await look(page, name);
    await page.locator("#ask").getByRole("button", { name: "Cancel" }).click();
}

/** Skips what comes next, with a reason. */
async function skip(page) {
    await page.bringToFront();
    await page.click("#skip");
    await confirmed(page, "Leave it out");
}

async function goOn(window) {
    await window.bringToFront();
    await window.getByRole("button", { name: "Go on" }).click();
}

session("no screen has a finding, and nothing that a study says is obeyed", async (_, where, page) => {
    const said = [];
    const asked = await watch(page.context());
    const calm = { console: () => { said.calm = true; }, again: () => { said.calm = false; } };
    hostile(where);
    let served = await console_of(where);
    hear(page, said);
    await page.goto(new URL("/", served.address).href);
    await page.getByText("This browser is not let in").waitFor();
    await look(page, "not-let-in");
    assert.deepEqual(said.map((one) => /status of 401/.test(one)), [true], "it was refused, and that is all");
    said.length = 0;
    await page.goto(served.address);
    await page.locator("#study option").nth(1).waitFor({ state: "attached" });
    await page.selectOption("#study", HOSTILE_NAME);
    await page.fill("#participant", "1");
    await page.fill("#by", '<b onclick="alert(1)">N\u202eB</b>');
    await page.check("#simulated");
    await look(page, "form-hostile");
    await page.click("#begin");

    // Whatever the program opens is open before the page is: the first screen is the check.
    await waitFor(page, "Try the devices");
    await page.getByText("01, new, simulated").waitFor();
    const window = await participantOf(page, said);
    await window.getByText("Please wait a moment.").waitFor();
    await look(window, "wait");
    await advised(page, "Play test tones");
    await page.locator("#advice").getByRole("button", { name: "Yes, they were heard" }).waitFor();
    await look(page, "devices-heard");
    await advised(page, "Yes, they were heard");
    await look(page, "devices-ready");
    await advised(page, "Start");

    await window.getByText("Which <i>hand</i>").waitFor();
    await look(window, "choice");
    await look(page, "asked");
    await window.getByText("<b>left</b>", { exact: true }).click();
    await goOn(window);
    await window.getByText("Say something").waitFor();
    await look(window, "text-answer");
    await window.locator("input[name=answer]").fill("<script>alert(1)</script>\u202e");
    await goOn(window);

    await window.getByText("is only words").first().waitFor();
    await look(window, "hostile-text");
    await look(page, "reads");
    assert.equal(await window.locator("#text img").count(), 2, "pictures of the study, and of nowhere else");
    const sound = window.locator("#text audio");
    assert.equal(await sound.count(), 1, "and a sound of the study");
    await window.waitForFunction(() => document.querySelector("#text audio").duration === 0.25);
    assert.equal(await window.locator("#text a, #text script, #text svg, #text iframe, #text [style], #text [onerror]").count(), 0);
    assert.equal(await window.locator("#text td.center").count(), 1);
    await noted(page, "a \u202eleftward\u202c <b>note</b> ".concat("y".repeat(120)));
    await dialog(page, "#note", "dialog-note");
    await dialog(page, "#stop", "dialog-stop");
    await page.click("#hold");
    await goOn(window);

    await waitFor(page, "Held before the next trial");
    await look(page, "held");
    await advised(page, "Go on");
    await window.getByText("Press the button to go on").waitFor(); // nobody sits at the pad
    await look(window, "press-the-button");
    await look(page, "waits-for-a-key");
    await dialog(page, "#skip", "dialog-skip");
    await goOn(window);
    await waitFor(page, "did not reach its criterion");
    await look(page, "doubt");
    await dialog(page, "#repeat", "dialog-repeat");
    await advised(page, "Go on");

    await window.getByText("Please wait for the experimenter").waitFor();
    await look(window, "wait-for-experimenter");
    await look(page, "waits-for-experimenter");
    await skip(page);
    await page.locator("#question input").waitFor();
    await waitFor(page, "A value is missing");
    await look(page, "asked-experimenter");
    await page.fill("#question input", "250 ms");
    await page.locator("#question").getByRole("button", { name: "Answer" }).click();
    await waitFor(page, "The trial runs");
    await page.click("#end-trial");
    await confirmed(page, "End this trial");
    await waitFor(page, "ended by hand");
    await look(page, "choose");
    await advised(page, "Skip it");
    await confirmed(page, "Leave it out");

    await window.bringToFront();
    await window.getByText("A rest").waitFor();
    await look(window, "rest");
    await look(page, "rests");
    const another = await page.context().newPage();
    hear(another, said);
    await another.goto(new URL("/", served.address).href);
    await another.getByRole("link", { name: /participant 01/ }).waitFor();
    await look(another, "under-way");
    await another.close();

    calm.console(); // connections break now, and the browser says so
    await killed(served);
    await window.bringToFront();
    await window.getByText("Please wait a moment.").waitFor();
    await look(window, "cut-off");
    assert.equal(await window.evaluate(() => window.pwned), 0);
    await window.close(); // it would look for the console that is gone
    served = await console_of(where);
    await page.goto(served.address);
    calm.again();
    await page.getByRole("link", { name: /participant 01/ }).click();
    await page.getByText("Note: a").waitFor();
    await page.click("#stop");
    await confirmed(page, "Stop the session");
    await waitFor(page, "The session is stopped");
    await look(page, "stopped");
    await over(where);
    await page.reload();
    await page.getByText("The session's program cannot be reached").waitFor();
    await look(page, "gone");
    assert.deepEqual([...said], []);
    for (const origin of asked) assert.match(origin, /^http:\/\/127\.0\.0\.[12]:\d+$/);
    for (const one of page.context().pages()) assert.equal(await one.evaluate(() => window.pwned), 0);
});

session("the screens of a test of the computer, and of a folder without studies", async (_, where, page) => {
    const said = [];
    await watch(page.context());
    const served = await console_of(where);
    hear(page, said);
    await page.goto(served.address);
    await page.waitForURL(/:\d+\/$/);
    await page.selectOption("#what", "trial");
    await page.selectOption("#trial", "long.toml");
    await page.check("#trial-simulated");
    await page.getByRole("button", { name: "Run it" }).click();
    await page.locator("#advice-text").filter({ hasText: "It runs" }).waitFor();
    await look(page, "test-runs");
    await page.getByText("Ctrl-C ends the trial").waitFor();
    await page.getByRole("button", { name: "Stop it" }).click();
    await page.getByRole("link", { name: "Open its page" }).waitFor();
    // The page of a report may run no script, and so no axe-core; what it holds may be looked at elsewhere.
    const href = await page.getByRole("link", { name: "Open its page" }).getAttribute("href");
    const report = await page.context().newPage();
    await report.setContent(await (await page.request.get(new URL(href, page.url()).href)).text());
    await look(report, "report");
    await report.close();
    for (const name of ["study.toml", "trial.toml", "long.toml"]) writeFileSync(join(where.lab, name), "");
    await page.goto(new URL("/", served.address).href);
    await page.getByText("There is no experiment file in this folder").waitFor();
    await look(page, "no-studies");
    assert.deepEqual([...said], []);
});

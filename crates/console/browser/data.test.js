// What can be done with the data of a folder, in a real browser, held against what the command itself
// says of the same data.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before } from "node:test";
import { confirmed, launch, session as session_in, waitFor } from "./hands.js";
import { hear, look } from "./looks.js";
import { console_of, over, run } from "./program.js";
import { TEMPI } from "./study.js";

let browser;
before(async () => {
    browser = await launch();
});
after(() => browser.close());
const session = (name, steps) => session_in(() => browser, name, steps);

const MANY = 300; // participants: enough for a page to see the work under way
const SOUND = "It is over, and there is nothing to complain of.";
const TO_MEND = "It is over. Something is not as it should be";
const NOT_DONE = "It could not be done";

/** Presses the button of the dataset on the first page, and waits for the end; what the command said. */
async function done(page, home, button, ends, fill) {
    await page.goto(home);
    await page.getByRole("button", { name: `${button}: data` }).click();
    if (fill) {
        await fill();
        await page.locator("#work-go").click();
    }
    await page.waitForURL(/job\/\d+$/);
    await page.locator("#advice-text").filter({ hasText: ends }).waitFor();
    return page.locator("#said").textContent();
}

session("data are verified, analysed, reported, copied and exported from the first page", async (_, where, page) => {
    const said = [];
    hear(page, said);
    writeFileSync(join(where.lab, "tempi.toml"), TEMPI);
    assert.equal(run(where, "simulate", "tempi.toml", "--participants", "2", "--data", "data").status, 0);
    const served = await console_of(where);
    await page.goto(served.address);
    await page.waitForURL(/:\d+\/$/);
    const home = page.url();
    await page.getByRole("button", { name: "Verify: data" }).waitFor();
    await look(page, "data");

    const data = join(where.lab, "data");
    const verified = run(where, "verify", "data");
    assert.equal(verified.status, 0);
    assert.equal(await done(page, home, "Verify", SOUND), verified.said);
    await page.getByText(`At a terminal: chronotap verify ${data}`).waitFor();

    assert.match(await done(page, home, "Make tables", SOUND), /desc-trials_beh\.tsv \(\d+ rows\)/);
    assert.ok(existsSync(join(data, "derivatives/chronotap/desc-trials_beh.tsv")));

    await done(page, home, "Report", SOUND);
    const [report] = await Promise.all([page.waitForEvent("popup"), page.getByRole("link", { name: "Open its page" }).click()]);
    hear(report, said);
    await report.waitForLoadState();
    assert.ok((await report.locator("svg").count()) > 0, "it has plots");
    await report.close();

    const folder = (name, picture) => async () => {
        await page.locator("#work").waitFor();
        if (picture) await look(page, picture);
        await page.fill("#work-to", name);
    };
    await done(page, home, "Back up", SOUND, folder("copy"));
    assert.deepEqual(readdirSync(join(where.lab, "copy")).sort(), readdirSync(data).sort());
    assert.equal(run(where, "verify", "copy").status, 0);
    assert.match(await done(page, home, "Back up", NOT_DONE, folder("copy", "work")), /is there already/);

    await done(page, home, "Export", SOUND, folder("tables"));
    const people = readFileSync(join(where.lab, "tables/participants.csv"), "utf8");
    assert.equal(people, "participant_id,k\r\nsub-01,0\r\nsub-02,1\r\n");

    const events = readdirSync(join(data, "sub-01/beh")).find((name) => name.endsWith("_events.tsv"));
    appendFileSync(join(data, "sub-01/beh", events), "\n");
    assert.match(await done(page, home, "Verify", TO_MEND), new RegExp(events));
    await look(page, "to-mend");
    assert.deepEqual([...said], []);
});

session("a dataset that is verified says how far it is", async (_, where, page) => {
    const said = [];
    hear(page, said);
    writeFileSync(join(where.lab, "tempi.toml"), TEMPI.replace(/participants = \d+/, `participants = ${MANY}`));
    assert.equal(run(where, "simulate", "tempi.toml", "--participants", String(MANY), "--data", "data").status, 0);
    const served = await console_of(where);
    await page.goto(served.address);
    await page.waitForURL(/:\d+\/$/);
    await page.getByRole("button", { name: "Verify: data" }).click();
    const progress = page.locator("#progress");
    await progress.filter({ hasText: new RegExp(`^\\d+ of ${MANY} participants$`) }).waitFor();
    await look(page, "under-way");
    await page.locator("#advice-text").filter({ hasText: SOUND }).waitFor();
    await progress.waitFor({ state: "hidden" });
    assert.doesNotMatch(await page.locator("#said").textContent(), / of \d+ participants/);
    assert.deepEqual([...said], []);
});

session("a single trial is tapped on the ports that its form names, this computer's own keyboard too", async (t, where, page) => {
    const said = [];
    hear(page, said);
    const served = await console_of(where);
    await page.goto(served.address);
    await page.waitForURL(/:\d+\/$/);
    const home = page.url();
    const tap = async (input) => {
        await page.goto(home);
        await page.selectOption("#what", "trial");
        await page.selectOption("#trial", "trial.toml");
        await page.fill("#trial-in", input);
        await page.fill("#trial-out", "wire");
        await page.click("#run");
        await page.waitForURL(/job\/\d+$/);
    };
    await tap("wire");
    await page.locator("#advice-text").filter({ hasText: "It is over" }).waitFor();
    await page.goto(home);
    await page.selectOption("#what", "trial");
    await page.check("#trial-simulated");
    await page.locator("#trial-in").waitFor({ state: "hidden" });
    if (hasKeyboard()) return t.diagnostic("what is said without a keyboard: passed over, this computer has one");
    await page.uncheck("#trial-simulated");
    await tap("keys:");
    await page.locator("#advice-text").filter({ hasText: NOT_DONE }).waitFor();
    await page.locator("#said").filter({ hasText: "no keyboard of this computer is to be seen" }).waitFor();
    assert.deepEqual([...said], []);
});

/** Whether this computer has a keyboard, which a test must not take from whoever sits at it. */
function hasKeyboard() {
    const list = "/proc/bus/input/devices";
    return existsSync(list) && readFileSync(list, "utf8").includes("kbd");
}

session("ports are chosen on the first page, and the session has them", async (_, where, page) => {
    const said = [];
    hear(page, said);
    writeFileSync(join(where.lab, "tempi.toml"), TEMPI);
    spawnSync("mkfifo", [join(where.lab, "pad")]);
    const served = await console_of(where);
    await page.goto(served.address);
    await page.selectOption("#study", "tempi.toml");
    await page.getByText("Pads and outputs").click();
    await page.getByRole("button", { name: "Find the pad of pad" }).click();
    await page.getByText("No pad or keyboard is connected").or(page.getByText("Press it now")).waitFor();
    // What is told of a device that is pressed is held by tests/pages.rs: here is none.
    await look(page, "pads");
    await page.locator("#pads").getByRole("button", { name: "Close" }).click();
    await page.getByRole("button", { name: /^Choose from a list/ }).click();
    await page.getByRole("button", { name: "Choose tone:virtual", exact: true }).click();
    await page.getByLabel("Input “pad”").fill(`raw:${join(where.lab, "pad")}`);
    await look(page, "ports");
    await page.fill("#participant", "1");
    await page.click("#begin");
    await page.waitForURL(/session\/\d+$/);
    await waitFor(page, "Try the devices");
    writeFileSync(join(where.lab, "pad"), Buffer.from([0x90, 60, 80, 0x80, 60, 0]));
    await page.locator("#pads li.tapped").first().waitFor();
    await page.click("#stop");
    await confirmed(page, "Stop the session");
    await waitFor(page, "The session is stopped");
    await over(where);
    assert.deepEqual([...said], []);
});

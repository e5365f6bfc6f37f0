// What is shown where something fails: a session and a trial that cannot go on, and a pad that is
// pulled out while the devices are tried and while a trial runs.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before } from "node:test";
import { advised, confirmed, launch, participantOf, session as session_in, tryDevices, waitFor } from "./hands.js";
import { hear, look } from "./looks.js";
import { console_of, over, session_at, session_of, trial_at, trial_of } from "./program.js";

let browser;
before(async () => {
    browser = await launch();
});
after(() => browser.close());
const session = (name, steps) => session_in(() => browser, name, steps);

/** A pad that is a pseudo-terminal: what is written to `script` comes out of it. */
async function pad(where) {
    const terminal = ["--quiet", "--flush", "--command", "tty; exec sleep infinity", "/dev/null"];
    const child = spawn("script", terminal, { stdio: ["pipe", "pipe", "inherit"] });
    where.children.push(child);
    const path = await new Promise((found) => child.stdout.once("data", (bytes) => found(String(bytes).trim())));
    return {
        port: `pad=raw:${path}`,
        tap: () => child.stdin.write(Buffer.from([0x90, 60, 64, 0x80, 60, 0])),
        pull: () => child.kill("SIGKILL"),
    };
}

session("a session that cannot go on says why, and so does the participant's page", async (_, where, page) => {
    const said = [];
    const served = await session_of(where);
    hear(page, said);
    await page.goto(served.address);
    await waitFor(page, "Try the devices");
    const window = await participantOf(page, said);
    await window.getByText("Please wait a moment.").waitFor();
    rmSync(join(where.lab, "data"), { recursive: true, force: true });
    writeFileSync(join(where.lab, "data"), "no folder any more");
    await tryDevices(page);
    await waitFor(page, "The session could not go on");
    await page.locator("#advice.bad").getByText("data").waitFor();
    await look(page, "failed");
    await window.bringToFront();
    await window.getByText("Thank you").or(window.getByText("Please wait")).first().waitFor();
    // The console of one session ends with it, at a moment that nobody here decides; the browser says so, by one word
    // where a page asks afterwards, by another where it was just being answered.
    assert.deepEqual([...said].filter((one) => !/ERR_CONNECTION_(REFUSED|RESET)/.test(one)), []);
    await look(window, "failed-participant");
    await over(where);
});

session("a trial that cannot be run says why", async (_, where, page) => {
    const said = [];
    where.env.XDG_STATE_HOME = join(where.lab, "trial.toml"); // no folder: nor is there a spare place
    const served = await trial_of(where, "trial.toml");
    hear(page, said);
    await page.goto(served.address);
    await waitFor(page, "Everything is ready");
    rmSync(join(where.lab, "trials"), { recursive: true });
    writeFileSync(join(where.lab, "trials"), "no folder any more");
    await advised(page, "Start the trial");
    await waitFor(page, "The trial could not be run");
    await look(page, "failed-trial");
    assert.deepEqual([...said], []);
    await over(where);
});

session("a pad that is pulled out is missed while devices are tried", async (_, where, page) => {
    const said = [];
    const { port, tap, pull } = await pad(where);
    const served = await session_at(where, port);
    hear(page, said);
    await page.goto(served.address);
    await waitFor(page, "Try the devices");
    tap();
    await page.locator("#pads li.tapped").waitFor();
    pull();
    await waitFor(page, "The input pad is gone: check its cable, then press the pad once.");
    await page.locator("#pads").getByText("gone").waitFor();
    await look(page, "devices-gone");
    await page.click("#stop");
    await confirmed(page, "Stop the session");
    await waitFor(page, "The session is stopped");
    assert.deepEqual([...said], []);
    await over(where);
});

session("a pad that is pulled out is missed while a trial runs", async (_, where, page) => {
    const said = [];
    const { port, tap, pull } = await pad(where);
    const served = await trial_at(where, "long.toml", port);
    hear(page, said);
    await page.goto(served.address);
    await advised(page, "Start the trial");
    await waitFor(page, "The trial runs");
    // The page says so a moment before the trial listens: a tap in between is none of it.
    const tapping = setInterval(tap, 500);
    const heard = page.locator("#live-title[data-taps]").waitFor({ state: "attached" });
    await heard.finally(() => clearInterval(tapping));
    pull();
    await waitFor(page, "The input pad is gone: check its cable.");
    await look(page, "input-gone");
    await page.click("#end-trial");
    await confirmed(page, "End this trial");
    await waitFor(page, "The trial is over");
    await page.getByText("0 of 1 without complaint").first().waitFor();
    await look(page, "input-gone-over");
    assert.deepEqual([...said], []);
    await over(where);
});

session("a session whose devices cannot be opened is told of on the form", async (_, where, page) => {
    const served = await console_of(where, "--in", "pad=raw:nothing-is-here", "--out", "raw:/dev/null");
    await page.goto(served.address);
    await page.locator("#study option").first().waitFor({ state: "attached" });
    await page.fill("#participant", "1");
    await page.click("#begin");
    await page.locator("#problem").getByText("nothing-is-here").waitFor();
    await look(page, "form-no-device");
});

session("a participant's page whose browser hangs is missed, holds the session and is taken back", async (_, where, page) => {
    const said = [];
    const served = await session_of(where);
    hear(page, said);
    await page.goto(served.address);
    const window = await participantOf(page, said);
    await window.getByText("Please wait a moment.").waitFor();
    const hung = await window.context().newCDPSession(window);
    await hung.send("Debugger.enable");
    const halted = new Promise((found) => hung.once("Debugger.paused", found));
    await hung.send("Debugger.pause");
    const evaluated = window.evaluate(() => 0); // something to halt at; done when it goes on
    await halted;
    await waitFor(page, "The participant’s page has not answered for more than 8 s");
    await page.getByText("Their page does not answer").waitFor();
    await look(page, "participant-frozen");
    await hung.send("Debugger.resume");
    await hung.send("Debugger.disable");
    await evaluated;
    await waitFor(page, "Try the devices");
    await page.click("#stop");
    await confirmed(page, "Stop the session");
    await waitFor(page, "The session is stopped");
    assert.deepEqual([...said], []);
    await over(where);
});

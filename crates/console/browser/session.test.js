// A whole session from the participant's form to the dataset, in a real browser, with a simulated
// participant: two windows, a page loaded again in mid-trial, the console killed and started again.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before } from "node:test";
import { advised, confirmed, launch, participantOf, reach, session as session_in, tryDevices, waitFor } from "./hands.js";
import { hear, look } from "./looks.js";
import { console_of, german_session_of, killed, over, run, session_of, session_with, tap, trial_of } from "./program.js";
import { JUDGED, JUDGED_TRIAL, PRACTISED } from "./study.js";

let browser;
before(async () => {
    browser = await launch();
});
after(() => browser.close());
const session = (name, steps) => session_in(() => browser, name, steps);

/** Answers the fields and reads the first text. */
async function begin(window) {
    await window.bringToFront();
    await window.getByText("Age in years").waitFor();
    await window.locator("input[name=answer]").fill("23");
    await window.getByRole("button", { name: "Go on" }).click();
    await window.getByText("left", { exact: true }).click();
    await window.getByRole("button", { name: "Go on" }).click();
    await window.getByText("is only words").waitFor();
    await window.getByRole("button", { name: "Go on" }).click();
}

/** The number of the last tap that the page was told. */
async function lastTap(page) {
    const said = await page.locator("#live-title").getAttribute("data-taps");
    return Number(said?.split("/")[1]);
}

const goOn = async (window) => {
    await window.bringToFront();
    await window.getByText("Press the button to go on.").waitFor();
    await window.getByRole("button", { name: "Go on" }).click();
};
const answer = async (window, picture) => {
    await window.bringToFront();
    await window.getByText("How hard was that?").waitFor();
    if (picture) await look(window, picture);
    await window.getByRole("radio", { name: "4" }).check({ force: true });
    await window.getByRole("button", { name: "Go on" }).click();
};

/** Milliseconds from each of some taps to its arrival in the page, by the clock of the system. */
function latencies(page, count) {
    return page.evaluate(
        (count) =>
            new Promise((done) => {
                const source = new EventSource(`${location.pathname}/events`);
                const all = [];
                let origin;
                let fresh = false;
                source.onmessage = (event) => {
                    const line = JSON.parse(event.data);
                    if (line.line === "begins") origin = line.origin_utc_ms;
                    if (line.line === "progress") fresh = true; // what came before was told again
                    if (line.line !== "tap" || !fresh || !origin) return;
                    requestAnimationFrame(() => {
                        all.push(Date.now() - origin - line.at_ms);
                        if (all.length < count) return;
                        source.close();
                        done(all);
                    });
                };
            }),
        count,
    );
}

session("a session from the form to the dataset, with a reload and a console that is killed", async (t, where, page) => {
    const said = [];
    let served = await console_of(where);
    hear(page, said);
    await page.goto(served.address);
    await page.getByText("Tapping at two tempi").first().waitFor({ state: "attached" });
    await page.fill("#participant", "1");
    await page.fill("#by", "NB");
    await page.check("#simulated");
    await page.getByText("Participant 01 is new.").waitFor();
    await look(page, "form");
    await page.click("#begin");
    await waitFor(page, "Try the devices");
    await look(page, "devices");
    assert.equal(await page.locator("#advice").getByRole("button", { name: "Start" }).count(), 0, "start is locked");
    await tryDevices(page);

    const window = await participantOf(page, said);
    await window.getByText("Age in years").waitFor();
    await look(window, "question");
    await begin(window);
    await look(page, "waiting");
    await goOn(window);
    await waitFor(page, "The trial runs");
    const all = (await latencies(page, 15)).sort((a, b) => a - b);
    t.diagnostic(`from a tap to the page: median ${all[7].toFixed(1)} ms of 15`);
    await page.reload();
    await page.locator("#live-title[data-taps]").waitFor({ state: "attached" });
    await look(page, "trial");
    await look(window, "calm");

    const before = await lastTap(page);
    said.calm = true; // connections break now, and the browser says so
    await killed(served);
    await page.getByText("Display lost").waitFor();
    await look(page, "lost");
    served = await console_of(where);
    await page.goto(served.address);
    await page.getByRole("link", { name: /participant 01/ }).click();
    await waitFor(page, "The trial runs");
    while (!((await lastTap(page)) > before)) await page.waitForTimeout(50); // recording went on, and the page shows it
    await window.close();
    said.calm = false;

    await page.click("#end-trial");
    await confirmed(page, "End this trial");
    await advised(page, "Skip it");
    await confirmed(page, "Leave it out");
    await waitFor(page, "Held before the next trial: the participant's page is closed");
    await look(page, "held-for-the-page");
    const again = await participantOf(page, said);
    await goOn(again);
    await answer(again, "scale");
    await goOn(again);
    await answer(again);
    await waitFor(page, "The session is complete");
    await page.getByText("2 of 3 without complaint").waitFor();
    await page.getByText("The last trial’s summary").click();
    await page.locator("#summary").getByText("inter-tap interval").first().waitFor();
    await again.getByText("Thank you.").waitFor();
    await look(page, "complete");
    await look(again, "thanks");
    await over(where);
    await page.goto(new URL("/", served.address).href);
    await page.getByText("1 of 12 planned sessions are complete").waitFor();
    await page.getByRole("button", { name: "Dropped out: participant 01" }).click();
    await page.getByText("Will participant 01 not come back?").waitFor();
    await page.locator("#dropout-reason").fill("moved away");
    await look(page, "dropping-out");
    await page.getByRole("button", { name: "Note it" }).click();
    await page.getByText("Dropped out: 01").waitFor();
    await page.getByRole("button", { name: "Is back: participant 01" }).click();
    await page.getByText("Is participant 01 back?").waitFor();
    await page.locator("#dropout-reason").fill("came after all");
    await page.getByRole("button", { name: "Note it" }).click();
    await page.getByRole("button", { name: "Dropped out: participant 01" }).waitFor();
    await page.getByRole("button", { name: "Withdraw participant 01" }).click();
    await page.getByText("Withdraw participant 01 from data-simulated?").waitFor();
    await page.getByText("Keep the data, and mark them as withdrawn").click();
    await look(page, "withdrawing");
    await page.getByRole("button", { name: "Withdraw", exact: true }).click();
    await page.getByText("Withdrawn: 01").waitFor();
    assert.deepEqual([...said], []);
    served.child.kill();
    const verified = run(where, "verify", "data-simulated");
    assert.equal(verified.status, 0, verified.said);
    const status = JSON.parse(run(where, "status", "data-simulated", "--json").said);
    const { trials, skipped, cut_short } = status.began[0];
    assert.deepEqual({ trials, skipped, cut_short }, { trials: 2, skipped: 1, cut_short: 1 });
});

session("a trial ended by hand is run again, and the session is held, noted and stopped", async (_, where, page) => {
    const said = [];
    const served = await session_of(where);
    hear(page, said);
    await page.goto(served.address);
    await waitFor(page, "Try the devices");
    await tryDevices(page);
    const window = await participantOf(page, said);
    await begin(window);
    await goOn(window);
    await waitFor(page, "The trial runs");
    await page.click("#note");
    await page.getByRole("textbox", { name: "Note" }).fill("the door was open");
    await page.getByRole("button", { name: "Write it down" }).click();
    await page.getByText("Note: the door was open").waitFor();
    await page.click("#end-trial");
    await page.getByText("End trial 1 of 3 of participant 01 now?").waitFor();
    await look(page, "ending");
    await confirmed(page, "End this trial");
    await waitFor(page, "ended by hand");
    await page.click("#hold");
    await advised(page, "Run it again");
    await waitFor(page, "Held before the next trial");
    await advised(page, "Go on");
    await goOn(window);
    await waitFor(page, "The trial runs");
    await page.click("#stop");
    await confirmed(page, "Stop the session");
    await waitFor(page, "The session is stopped");
    assert.deepEqual([...said], []);
    await over(where);
    const status = JSON.parse(run(where, "status", "data", "--json").said);
    assert.equal(status.began[0].cut_short, 2);
});

session("a participant reads the words of the study and nothing else", async (_, where, page) => {
    const said = [];
    const served = await german_session_of(where);
    hear(page, said);
    await page.goto(served.address);
    await waitFor(page, "Try the devices");
    const window = await participantOf(page, said);
    await window.getByText("Einen Moment, bitte.").waitFor();
    tap(where);
    await tryDevices(page);
    await window.bringToFront();
    await window.getByText("Age in years").waitFor(); // the study's own, and its author's
    assert.equal(await window.evaluate(() => document.documentElement.lang), "de");
    assert.equal(await window.title(), "Versuch");
    const field = window.locator("input[name=answer]");
    assert.equal(await field.getAttribute("placeholder"), "18 bis 99");
    await field.fill("7");
    const next = () => window.getByRole("button", { name: "Weiter" }).click();
    await next();
    await window.getByText("Bitte antworte mit: eine Zahl von 18 bis 99.").waitFor();
    said.length = 0; // the browser says that it was refused
    await field.fill("23,5");
    await next();
    await window.getByText("left", { exact: true }).waitFor();
    await next();
    await window.getByText("Bitte wähle eines aus.").waitFor();
    await window.getByText("left", { exact: true }).click();
    await next();
    await window.getByText("Oder schlag ein Pad an.").waitFor();
    await look(window, "german");
    await next();
    await window.getByText("Drück den Knopf.").waitFor();
    await next();
    await window.getByRole("img", { name: "Jetzt tippen" }).waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.lang), "en", "the experimenter's stays as it is");
    assert.deepEqual([...said], []);
    await page.bringToFront();
    await page.click("#stop");
    await confirmed(page, "Stop the session");
    await waitFor(page, "The session is stopped");
    await over(where);
});

session("a single trial is started, watched and summed up on the page of one session", async (_, where, page) => {
    const said = [];
    const served = await trial_of(where, "trial.toml");
    hear(page, said);
    await page.goto(served.address);
    await waitFor(page, "Everything is ready");
    for (const name of ["Hold before the next trial", "Write a note", "Skip the next trial"]) {
        assert.equal(await page.getByRole("button", { name }).count(), 0, name);
    }
    await look(page, "single");
    await advised(page, "Start the trial");
    await page.locator("#advice-text").filter({ hasText: /The trial is over/ }).waitFor();
    assert.ok((await lastTap(page)) > 0, "its taps were shown");
    await page.locator("#summary").getByText("inter-tap interval").first().waitFor();
    await page.getByText("1 without complaint").or(page.getByText("0 of 1 without complaint")).first().waitFor();
    await look(page, "summed-up");
    assert.deepEqual([...said], []);
    await over(where);

    const again = await trial_of(where, "long.toml");
    await page.goto(again.address);
    await advised(page, "Start the trial");
    await waitFor(page, "The trial runs");
    await page.click("#end-trial");
    await page.getByText("End the trial now?").waitFor();
    await confirmed(page, "End this trial");
    await page.locator("#advice-text").filter({ hasText: /The trial is over/ }).waitFor();
    await over(where);
});

/** Begins a test or trial, and waits for its end. */
async function job(page, home, fill, ended) {
    await page.goto(home);
    await fill();
    await page.getByRole("button", { name: "Run it" }).click();
    await page.waitForURL(/job\/\d+$/);
    await page.locator("#advice-text").filter({ hasText: ended }).waitFor();
}

/** The page with the plots, which opens beside. */
async function report(page, said) {
    const [opened] = await Promise.all([page.waitForEvent("popup"), page.getByRole("link", { name: "Open its page" }).click()]);
    hear(opened, said);
    await opened.waitForLoadState();
    assert.ok((await opened.locator("svg").count()) > 0, "it has plots");
    await opened.close();
}

session("tests of the computer and a single trial are run, shown and stopped", async (_, where, page) => {
    const said = [];
    const served = await console_of(where);
    hear(page, said);
    await page.goto(served.address);
    await page.waitForURL(/:\d+\/$/);
    const home = page.url();
    const choose = (what) => page.selectOption("#what", what);
    await job(page, home, () => choose("doctor"), "It is over");
    await page.getByText("At a terminal: chronotap doctor").waitFor();
    await page.locator(".findings li").first().waitFor();
    await look(page, "doctor");

    const wakeup = async () => {
        await choose("wakeup");
        await page.locator("#length").getByText("Quick, about 10 s").waitFor({ state: "attached" });
        await page.selectOption("#length", "full"); // however slow the machine is, it does not end by itself
    };
    await job(page, home, wakeup, "It runs, and takes about 5 h 33 min");
    const measuring = page.url();
    await page.goto(home);
    await page.getByText("under way; it takes about 5 h 33 min").waitFor();
    await wakeup();
    await look(page, "how-long");
    await page.goto(measuring);
    await page.getByRole("button", { name: "Stop it" }).click();
    await page.locator("#advice-text").filter({ hasText: /It is over|It was stopped/ }).waitFor();

    const loop = async () => {
        await choose("loop");
        await page.locator("#ports-in option[value=wire]").waitFor({ state: "attached" });
        await look(page, "jobs");
    };
    await job(page, home, loop, "It is over");
    await page.getByText("chronotap timing loop --in=wire --out=wire --quick").waitFor();
    await look(page, "test");
    await report(page, said);

    const sensor = async () => {
        await choose("threshold");
        await page.fill("#sensor-in", "ear:virtual?sensor=force");
        await page.fill("#sensor-out", "tone:virtual");
        await look(page, "sensor");
    };
    await job(page, home, sensor, "It is over");
    await page.getByText("chronotap threshold --out=tone:virtual -- 'ear:virtual?sensor=force'").waitFor();
    await page.locator("#said").getByText(/threshold -\d+ dB: ear:virtual\?sensor=force&threshold=-\d+/).waitFor();

    const trial = async (path) => {
        await choose("trial");
        await page.selectOption("#trial", path);
        await page.check("#trial-simulated");
    };
    await job(page, home, () => trial("trial.toml"), "It is over");
    await report(page, said);
    await job(page, home, () => trial("long.toml"), "It runs");
    const running = page.url();
    await page.getByText("Ctrl-C ends the trial").waitFor();
    await page.goto(home);
    await page.fill("#participant", "1");
    await page.click("#begin");
    await page.getByText("a test or trial is under way").waitFor();
    said.length = 0; // the browser says that it was refused
    await page.goto(running);
    await page.getByRole("button", { name: "Stop it" }).click();
    await page.locator("#advice-text").filter({ hasText: /It is over|It was stopped/ }).waitFor();
    await page.getByRole("link", { name: "Open its page" }).waitFor();
    await page.goto(`${home}job/999`);
    await page.getByText("This is not known here any more").waitFor();
    assert.deepEqual([...said], []);
});

session("a session is begun, steered and stopped with the keyboard alone", async (_, where, page) => {
    const said = [];
    const served = await console_of(where);
    hear(page, said);
    await page.goto(served.address);
    await page.getByText("Tapping at two tempi").first().waitFor({ state: "attached" });
    const press = async (...keys) => {
        for (const key of keys) await page.keyboard.press(key);
    };
    await reach(page, "#participant");
    await page.keyboard.type("1");
    await reach(page, "#simulated");
    await press("Space");
    await reach(page, "#begin");
    await press("Enter");
    await waitFor(page, "Try the devices");
    await reach(page, "#advice-buttons button");
    await press("Enter");
    await page.locator("#pads li.tapped").first().waitFor();
    await page.locator("#advice").getByRole("button", { name: "Yes, they were heard" }).waitFor();
    await press("Escape", "Delete", "s", "S", "q"); // no key alone stops or skips
    await waitFor(page, "Were the tones heard");
    await reach(page, "#stop");
    await press("Enter");
    await page.getByText("Stop the session of participant 01").waitFor();
    await press("Escape");
    await page.getByText("Stop the session of participant 01").waitFor({ state: "hidden" });
    await press("Enter"); // the button has the focus again
    await page.getByText("Stop the session of participant 01").waitFor();
    await reach(page, "#ask button.first");
    await press("Enter");
    await waitFor(page, "The session is stopped");
    assert.deepEqual([...said], []);
    await over(where);
});

session("a rehearsal begun from the page answers what a staircase asks", async (t, where, page) => {
    writeFileSync(join(where.lab, "judged.toml"), JUDGED_TRIAL);
    writeFileSync(join(where.lab, "late.toml"), JUDGED);
    const { address } = await console_of(where);
    hear(page, []);
    await page.goto(address);
    await page.selectOption("#study", "late.toml");
    await page.fill("#participant", "1");
    await page.check("#simulated");
    await page.click("#begin");
    await waitFor(page, "Try the devices");
    await tryDevices(page);
    const said = page.locator("#tracks-said").filter({ hasText: "late: 4 answers, " });
    await said.waitFor();
    assert.doesNotMatch(await said.textContent(), /without an answer/);
    assert.equal(await page.locator("#tracks circle").count(), 4);
    await look(page, "staircase");
    await over(where);
});

session("a text waits for the experimenter, who lets somebody practise once more", async (t, where, page) => {
    writeFileSync(join(where.lab, "practice.toml"), PRACTISED);
    const { address } = await session_with(where, "practice.toml");
    hear(page, []);
    await page.goto(address);
    await tryDevices(page);
    const window = await participantOf(page, []);
    await window.getByText("The experimenter shows you the pad.").waitFor();
    assert.equal(await window.getByRole("button", { name: "Go on" }).count(), 0, "nobody there goes on");
    await look(window, "text-waits");
    await waitFor(page, "waits for you");
    await advised(page, "Go on");
    const read = async () => {
        await window.bringToFront();
        await window.getByText("You hit 0 of 3 tones.").waitFor();
        await window.getByRole("button", { name: "Go on" }).click();
        await waitFor(page, "\"practice\" did not reach its criterion: 0 of the last 3 beats were hit, and 3 are needed.");
    };
    await read();
    await look(page, "practice");
    await advised(page, "Practise once more");
    await read();
    await advised(page, "Go on");
    await waitFor(page, "The session is complete");
    await over(where);
});

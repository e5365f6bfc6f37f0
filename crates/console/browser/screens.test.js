// What the experimenter reads: who a label is, where the session stands in practice, at a question and
// after a trial was repeated, and what became of it all. Studies of these tests alone.

import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before } from "node:test";
import { advised, confirmed, launch, session as session_in, tryDevices, waitFor } from "./hands.js";
import { hear, look } from "./looks.js";
import { console_of, killed, over, run, session_with } from "./program.js";
import { STUDY, trial } from "./study.js";

let browser;
before(async () => {
    browser = await launch();
});
after(() => browser.close());
const session = (name, steps) => session_in(() => browser, name, steps);

const PRACTICE = `title = "Practice"
task = "practice"
trial = "short.toml"

[question.mood]
text = "How are you?"
choice = ["well", "not so well"]

[[step]]
text = "Hello."

[[step]]
name = "warm-up"
trial = "short.toml"
until = { hits = 5, of = 5, within = "1 ns" }
at_most = 1

[[step]]
name = "main"
shuffle = "all"
repetitions = 2
go = "experimenter"
gap = "0 s"
ask = ["mood"]
`;

const facts = (page, id) => page.locator(`#${id} div`).allInnerTexts().then((all) => all.map((one) => one.replace("\n", ": ")));

session("where the session stands is told in practice, at a question, and after a trial was repeated", async (_, where, ours) => {
    const said = [];
    await ours.close();
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, timezoneId: "Asia/Tokyo" });
    const page = await context.newPage();
    hear(page, said);
    writeFileSync(join(where.lab, "practice.toml"), PRACTICE);
    writeFileSync(join(where.lab, "short.toml"), trial(6));
    try {
        await page.goto((await session_with(where, "practice.toml")).address);
        await waitFor(page, "Try the devices");
        assert.ok((await facts(page, "facts")).includes("Participant: 01, new, simulated"));
        assert.equal(await page.locator("#plan li").count(), 3, "the plan is there while devices are tried");
        await tryDevices(page);
        await waitFor(page, "The participant is to read a text");
        await page.locator("#plan li:nth-child(1)[aria-current=step]").waitFor();
        await advised(page, "Go on for them");
        await page.getByText("1 of “warm-up”, until it is done").waitFor();
        await waitFor(page, "0 of the last 5 beats were hit, and 5 are needed. Go on all the same?");
        await look(page, "criterion");
        await advised(page, "Go on");

        await waitFor(page, "Start the next trial");
        assert.ok((await facts(page, "place")).includes("Trial: 1 of 2"));
        await page.click("#hold");
        await waitFor(page, "Held before the next trial: the experimenter holds the session");
        await advised(page, "Go on");
        await waitFor(page, "Start the next trial");
        await advised(page, "Start the trial");
        await waitFor(page, "The participant is asked");
        assert.deepEqual(await facts(page, "place").then((all) => all.slice(0, 2)), ["Step: main", "Trials done: 1 of 2"]);
        await page.click("#skip");
        await page.getByText("Leave out the next trial of participant 01? 1 of 2 planned trials done.").waitFor();
        await page.keyboard.press("Escape");
        await page.click("#repeat");
        await page.getByText("Run trial 1 of “main” of participant 01 again?").waitFor();
        await confirmed(page, "Run it again");
        await page.getByText("It is done when the question is answered.").waitFor();
        await page.locator("#question label").first().click();
        await page.locator("#question").getByRole("button", { name: "Answer" }).click();
        await page.getByText('Trial 1 of "main" is run again: noise or a disturbance').waitFor();
        await waitFor(page, "Start the next trial");
        assert.deepEqual((await facts(page, "place")).slice(0, 3), ["Step: main", "Trial: 1 of 2", "Attempt: 2"]);
        await page.click("#stop");
        await page.getByText("Stop the session of participant 01 at trial 1 of 2?").waitFor();
        await confirmed(page, "Stop the session");
        await waitFor(page, "The session is stopped");
        await page.getByText("The whole session: 2 trials run to the end").waitFor();
        assert.match(await page.locator("#whole").innerText(), /1 repeated by hand/);
        const [shown] = await page.locator("#log time").allInnerTexts();
        const tokyo = new Date(Date.now() + 9 * 3_600_000).toISOString();
        const apart = Math.abs(Date.parse(`2000-01-01T${shown}Z`) - Date.parse(`2000-01-01T${tokyo.slice(11, 19)}Z`)) / 3_600_000;
        assert.ok(Math.min(apart, 24 - apart) < 1, `${shown} is told where it is ${tokyo}`);
        await look(page, "stopped");
        assert.deepEqual(said, []);
        await over(where);
    } finally {
        await context.close();
    }
});

session("the first page says who a label is, and locks what cannot be begun", async (_, where, page) => {
    const said = [];
    writeFileSync(join(where.lab, "long.toml"), trial(10)); // a rehearsal ends
    writeFileSync(join(where.lab, "wrong.toml"), STUDY.replace("title", "titel").replace("seed", "sead"));
    mkdirSync(join(where.lab, "other"));
    assert.equal(run(where, "simulate", "study.toml", "--participants", "3", "--data", "data-simulated").status, 0);
    const journal = join(where.lab, "data-simulated/sourcedata/sub-03/sub-03_task-tempi_journal.jsonl");
    const lines = readFileSync(journal, "utf8").split("\n");
    writeFileSync(journal, `${lines.slice(0, 5).join("\n")}\n`); // it was left there
    const begun = run(where, "run", "study.toml", "--participant", "4", "--data", "people", "--ordinary", "--in", "wire", "--out", "wire");
    assert.equal(begun.status, 2, "nobody was there to answer");
    const served = await console_of(where);
    hear(page, said);
    await page.goto(served.address);
    await page.locator("#study option").first().waitFor({ state: "attached" });
    await page.getByRole("button", { name: "Resume session 1 of participant 04" }).click();
    assert.deepEqual([await page.inputValue("#port-in-0"), await page.inputValue("#port-out-0")], ["wire", "wire"], "as the last time");
    assert.ok(await page.locator("#port-in-0").isVisible());
    await page.getByRole("button", { name: "Resume session 1 of participant 03" }).click();
    await page.locator("#known").getByText("Participant 03 goes on").waitFor();
    const filled = await Promise.all(["participant", "by", "data"].map((id) => page.inputValue(`#${id}`)));
    assert.deepEqual(filled, ["03", "simulation", "data-simulated"]);
    assert.ok(await page.isChecked("#simulated"));
    await page.selectOption("#study", "study.toml");
    const begin = page.locator("#begin");
    const known = async (label, text, locked) => {
        await page.fill("#participant", label);
        await page.locator("#known").getByText(text).waitFor();
        assert.equal(await begin.isDisabled(), locked, text);
    };
    await known("7", "Participant 07 is new.", false);
    await known("1", "Participant 01 has completed this session.", true);
    const refused = await page.evaluate(async () => {
        const form = { study: "study.toml", participant: "1", session: 1, by: "", data: "data-simulated", simulated: true };
        const headers = { "content-type": "application/json" };
        return (await fetch("/begin", { method: "POST", headers, body: JSON.stringify(form) })).text();
    });
    assert.match(refused, /session 1 of participant 01 is over: nothing is left to run/);
    said.length = 0; // the browser says that it was refused

    await page.getByRole("button", { name: "Withdraw participant 02" }).click();
    await page.locator("#withdraw input[value=keep]").check();
    await page.locator("#withdraw").getByRole("button", { name: "Withdraw", exact: true }).click();
    await page.getByText("Withdrawn: 02").waitFor();
    await known("2", "Participant 02 withdrew: enter another label.", true);

    await page.selectOption("#study", "wrong.toml");
    await page.locator("#study-problem").getByText("unknown key").first().waitFor();
    assert.ok(await begin.isDisabled());
    await look(page, "locked");
    writeFileSync(join(where.lab, "wrong.toml"), STUDY.replace("Tapping at two tempi", "Another study").replace('task = "tempi"', 'task = "another"'));
    await page.evaluate(() => dispatchEvent(new Event("focus"))); // as when somebody is back from the editor
    await page.locator("#study-problem").waitFor({ state: "hidden" });
    await known("7", "holds the data of another study, “\u2068Tapping at two tempi\u2069”: name another folder.", true);
    await page.fill("#data", "elsewhere");
    await known("7", "Participant 07 is new.", false);

    said.calm = true; // connections break now, and the browser says so
    await killed(served);
    await page.evaluate(() => dispatchEvent(new Event("focus")));
    await page.getByText("The console cannot be reached").waitFor();
    assert.deepEqual([...said], []);
});

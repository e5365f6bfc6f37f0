// Groups that are no draw: entered on the first page, seen before the session begins, and corrected.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
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

const GROUPS = `[between]
group = { musician = "training >= 6", nonmusician = "training < 6" }
clinic = { levels = ["patient", "control"], chosen = true }

[participant]
training = { question = "Years of training?", number = [0, 60] }

[factor]`;

// A text before these answers names the group, so that they are asked for on the first page.
const FIRST = `[[step]]
text = "You are a {group}."

[[step]]
ask = "participant"

[[step]]`;

/** The row of somebody in participants.tsv, by the names of its columns. */
function person(where, label) {
    const [names, ...rows] = readFileSync(join(where.lab, "data/participants.tsv"), "utf8").trim().split("\n").map((line) => line.split("\t"));
    const row = rows.find(([id]) => id === `sub-${label}`) ?? [];
    return Object.fromEntries(names.map((name, place) => [name, row[place]]));
}

session("a group is seen before the session begins, and corrected when it was entered wrongly", async (_, where, page) => {
    const said = [];
    hear(page, said);
    writeFileSync(join(where.lab, "tempi.toml"), TEMPI.replace("[factor]", GROUPS).replace("[[step]]", FIRST));
    const served = await console_of(where);
    await page.goto(served.address);
    await page.waitForURL(/:\d+\/$/);
    const home = page.url();
    await page.selectOption("#study", "tempi.toml");
    await page.fill("#participant", "1");
    await page.check("#simulated");
    await page.fill("#data", "data");
    await page.getByLabel("Years of training?").fill("600");
    await page.getByLabel("clinic").selectOption("patient");
    await page.getByText("Years of training?: it takes a number from 0 to 60").waitFor();
    await page.getByLabel("Years of training?").fill("6");
    await page.getByText("It follows that group is musician.").waitFor();
    await page.getByLabel("Years of training?").fill("5");
    await page.getByText("It follows that group is nonmusician.").waitFor();
    await look(page, "groups");
    await page.click("#begin");
    await page.waitForURL(/session\/\d+$/);
    await page.getByText("nonmusician").first().waitFor();
    await waitFor(page, "Try the devices");
    await page.click("#stop");
    await confirmed(page, "Stop the session");
    await waitFor(page, "The session is stopped");
    await over(where);
    assert.deepEqual([person(where, "01").group, person(where, "01").clinic, person(where, "01").training], ["nonmusician", "patient", "5"]);

    // Known again, nothing is asked; and what was wrong is put right.
    await page.goto(home);
    await page.selectOption("#study", "tempi.toml");
    await page.fill("#participant", "1");
    await page.fill("#data", "data");
    await page.getByText("Participant 01 goes on").waitFor();
    assert.ok(await page.locator("#group-fields").isHidden());
    await page.getByRole("button", { name: "Correct what was entered about participant 01" }).click();
    await page.locator("#correct-what").selectOption({ label: "Years of training?" });
    await page.getByLabel("What is right").fill("61");
    await page.locator("#correct-reason").fill("misheard");
    await page.locator("#correct").getByRole("button", { name: "Correct" }).click();
    await page.getByText("training=61: expected a number from 0 to 60").waitFor();
    await page.getByLabel("What is right").fill("16");
    await look(page, "correct");
    await page.locator("#correct").getByRole("button", { name: "Correct" }).click();
    await page.locator("#datasets").getByText("clinic=patient group=musician").waitFor();
    assert.deepEqual([person(where, "01").group, person(where, "01").training], ["musician", "16"]);
    assert.equal(run(where, "verify", "data").status, 0);
    assert.deepEqual([...said].filter((one) => !one.includes("409")), []);
});

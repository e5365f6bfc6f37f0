// One study in two languages: chosen on the first page, read by the participant, recorded in that of the study.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before } from "node:test";
import { confirmed, launch, participantOf, session as session_in, tryDevices, waitFor } from "./hands.js";
import { hear, look } from "./looks.js";
import { console_of, over, run } from "./program.js";
import { STUDY } from "./study.js";

let browser;
before(async () => {
    browser = await launch();
});
after(() => browser.close());
const session = (name, steps) => session_in(() => browser, name, steps);

const GERMAN = `${STUDY.replace('[[step]]\nsay', '[[step]]\nname = "welcome"\nsay')}
[translation.de.words]
go_on = "Weiter"

[translation.de.participant]
age = { question = "Alter in Jahren" }
handedness = { question = "Mit welcher Hand schreiben Sie?", choice = ["links", "rechts", "beide"] }

[translation.de.question.effort]
text = "Wie schwer war das?"
labels = ["sehr leicht", "sehr schwer"]

[translation.de.step.welcome]
text = "Willkommen zum Versuch."
`;

/** The cells of participant 01, by their columns. */
function person(where) {
    const [names, row] = readFileSync(join(where.lab, "data-simulated/participants.tsv"), "utf8").trim().split("\n").map((line) => line.split("\t"));
    return Object.fromEntries(names.map((name, place) => [name, row[place]]));
}

session("a participant reads the language that was chosen, and the words of the study are recorded", async (_, where, page) => {
    const said = [];
    hear(page, said);
    writeFileSync(join(where.lab, "tempi.toml"), GERMAN);
    const served = await console_of(where);
    await page.goto(served.address);
    await page.waitForURL(/:\d+\/$/);
    await page.selectOption("#study", "tempi.toml");
    await page.fill("#participant", "1");
    await page.check("#simulated");
    await page.getByLabel("Language").selectOption({ label: "German" });
    await look(page, "language");
    await page.click("#begin");
    await waitFor(page, "Try the devices");
    await tryDevices(page);

    const window = await participantOf(page, said);
    await window.bringToFront();
    await window.getByText("Alter in Jahren").waitFor();
    assert.equal(await window.locator("html").getAttribute("lang"), "de");
    await window.locator("input[name=answer]").fill("23");
    await window.getByRole("button", { name: "Weiter" }).click();
    await window.getByText("Mit welcher Hand schreiben Sie?").waitFor();
    await look(window, "german-choice");
    await window.getByText("links", { exact: true }).click();
    await window.getByRole("button", { name: "Weiter" }).click();
    await window.getByText("Willkommen zum Versuch.").waitFor();
    assert.equal(person(where).handedness, "left");
    await page.bringToFront();
    await page.click("#stop");
    await confirmed(page, "Stop the session");
    await waitFor(page, "The session is stopped");
    await over(where);

    // Whoever goes on reads the same language, though nothing was chosen.
    await page.goto(new URL("/", served.address).href);
    await page.locator("#datasets").getByRole("button", { name: /Resume/ }).first().click();
    assert.equal(await page.getByLabel("Language").inputValue(), "");
    await page.click("#begin");
    await waitFor(page, "Try the devices");
    await tryDevices(page);
    const again = await participantOf(page, said);
    await again.bringToFront();
    await again.getByText("Willkommen zum Versuch.").waitFor();
    await page.bringToFront();
    await page.click("#stop");
    await confirmed(page, "Stop the session");
    await waitFor(page, "The session is stopped");
    await over(where);
    assert.equal(run(where, "verify", "data-simulated").status, 0);
});

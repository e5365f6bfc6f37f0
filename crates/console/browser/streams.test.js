// Streams of other programs (LSL) that a session is to record: named on the first page.

import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before } from "node:test";
import { launch, session as session_in } from "./hands.js";
import { hear, look } from "./looks.js";
import { console_of } from "./program.js";
import { TEMPI } from "./study.js";

let browser;
before(async () => {
    browser = await launch();
});
after(() => browser.close());
const session = (name, steps) => session_in(() => browser, name, steps);

session("a stream that is not there keeps a session from beginning, and the page says which", async (_, where, page) => {
    const said = [];
    hear(page, said);
    writeFileSync(join(where.lab, "tempi.toml"), TEMPI);
    writeFileSync(join(where.lab, "lsl_api.cfg"), "[multicast]\nResolveScope = machine\n[lab]\nKnownPeers = {127.0.0.1}\n");
    where.env.LSLAPICFG = join(where.lab, "lsl_api.cfg");
    const served = await console_of(where);
    await page.goto(served.address);
    await page.waitForURL(/:\d+\/$/);
    await page.selectOption("#study", "tempi.toml");
    await page.fill("#participant", "1");
    await page.fill("#data", "data");
    await page.check("#simulated");
    await page.getByLabel("Record LSL streams of other programs").fill("Pupil, type=EEG");
    await page.click("#begin");
    await page.getByText("there is no stream").waitFor({ timeout: 30_000 });
    assert.match(await page.locator("#problem").innerText(), /there is no stream (Pupil|type=EEG)/);
    await look(page, "streams");
    assert.ok(!existsSync(join(where.lab, "data")), "nothing was begun");
    assert.deepEqual(said.filter((one) => !one.includes("409")), []);
});

session("what the demo build lacks is locked on the first page, which says how to get it", async (_, where, page) => {
    const said = [];
    hear(page, said);
    await page.route("**/folder", async (route) => {
        const answer = await route.fetch();
        await route.fulfill({ response: answer, json: { ...(await answer.json()), lacks: ["parquet", "lsl"] } });
    });
    const served = await console_of(where);
    await page.goto(served.address);
    await page.waitForURL(/:\d+\/$/);
    await page.getByText("LSL is not in the demo build; install the whole program with cargo install").waitFor();
    for (const id of ["#lsl", "#listen", "#work-format [value=xlsx]", "#work-format [value=parquet]"]) {
        assert.ok(await page.locator(id).isDisabled(), id);
    }
    assert.ok(await page.locator("#work-format [value=csv]").isEnabled());
    assert.match((await page.locator("#lacks-parquet").textContent()) ?? "", /^Parquet and workbooks are not in the demo build; install/);
    await look(page, "lacking");
    assert.deepEqual(said, []);
});

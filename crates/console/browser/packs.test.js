// A study and finished data are packed and opened on the first page, in a real browser: what the command says is
// shown, a pack that was tampered with is named or refused, and nothing that exists is replaced.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before } from "node:test";
import { launch, session as session_in } from "./hands.js";
import { hear, look } from "./looks.js";
import { console_of, run } from "./program.js";
import { TEMPI } from "./study.js";

let browser;
before(async () => {
    browser = await launch();
});
after(() => browser.close());
const session = (name, steps) => session_in(() => browser, name, steps);

const SOUND = "It is over, and there is nothing to complain of.";
const TO_MEND = "It is over. Something is not as it should be";
const NOT_DONE = "It could not be done";

/** Fills in the form on the first page and presses its button. */
async function asked(page, home, what, fill) {
    await page.goto(home);
    await page.selectOption("#packs-what", what);
    for (const [id, value] of Object.entries(fill)) await page.fill(id, value);
    await page.click("#packs-go");
}

/** Waits for the end; what the command said, on one line. */
async function said_of(page, ends) {
    await page.waitForURL(/job\/\d+$/);
    await page.locator("#advice-text").filter({ hasText: ends }).waitFor();
    return (await page.locator("#said").textContent()).replace(/\s+/g, " ");
}

async function home_of(where, page) {
    const served = await console_of(where);
    await page.goto(served.address);
    await page.waitForURL(/:\d+\/$/);
    return page.url();
}

session("a study is packed and opened, and its effect is shown", async (_, where, page) => {
    const said = [];
    hear(page, said);
    writeFileSync(join(where.lab, "tempi.toml"), TEMPI.replace("[[step]]", '[outcome]\nof = "mean interval"\nover = "tempo"\n[[step]]'));
    const home = await home_of(where, page);
    await page.selectOption("#packs-what", "pack");
    await page.selectOption("#packs-study", "tempi.toml");
    assert.match(await page.locator("#packs-to").inputValue(), /^pack-of-tempi-\d{4}-\d\d-\d\d\.zip$/);
    await page.fill("#packs-to", "tempi.zip");
    await page.click("#packs-go");
    assert.match(await said_of(page, SOUND), /with a rehearsal with 2 participants/);
    assert.ok(existsSync(join(where.lab, "tempi.zip")));

    await page.goto(home);
    await page.locator("#packs-list option[value='tempi.zip']").waitFor({ state: "attached" });
    await page.fill("#packs-file", "tempi.zip");
    assert.equal(await page.locator("#packs-to").inputValue(), "tempi-opened");
    await look(page, "packs");
    await page.click("#packs-go");
    const opened = await said_of(page, SOUND);
    assert.match(opened, /2 participants rehearsed; \d+ cells of \d+ tables compared the same/);
    assert.match(opened, /input pad: no device of this machine has this name/);
    await look(page, "opened");
    assert.equal(run(where, "open", "tempi.zip", "--to", "by-hand", "--quiet").status, 0);
    const names = (folder) => readdirSync(join(where.lab, folder), { recursive: true }).sort();
    assert.deepEqual(names("tempi-opened"), names("by-hand"));
    assert.deepEqual([...said], []);
});

session("data are packed without what was asked about persons, and checked by whoever opens them", async (_, where, page) => {
    const said = [];
    hear(page, said);
    const asks = '[participant]\nremark = { question = "Anything?" }\n[outcome]\nof = "mean interval"\n';
    writeFileSync(join(where.lab, "tempi.toml"), TEMPI.replace("[[step]]", `${asks}[[step]]`));
    assert.equal(run(where, "simulate", "tempi.toml", "--participants", "2", "--data", "data").status, 0);
    const home = await home_of(where, page);
    const pack = async (name, persons) => {
        await page.goto(home);
        await page.getByRole("button", { name: "Pack: data" }).click();
        await page.locator("#work").waitFor();
        assert.equal(await page.locator("#work-persons").isChecked(), false, "without, unless somebody wants them");
        if (persons) await page.check("#work-persons");
        else await look(page, "pack-data");
        await page.fill("#work-to", name);
        await page.click("#work-go");
    };
    await pack("data.zip", false);
    assert.match(await said_of(page, SOUND), /left out: what is known about persons \(remark\)/);
    await pack("all.zip", true);
    assert.doesNotMatch(await said_of(page, SOUND), /left out: what is known/);
    const packed = readFileSync(join(where.lab, "data.zip"));

    await pack("data.zip", false);
    await page.locator("#work-problem").filter({ hasText: "data.zip: is there already" }).waitFor();
    assert.deepEqual(readFileSync(join(where.lab, "data.zip")), packed);

    await asked(page, home, "open", { "#packs-file": join(where.lab, "data.zip"), "#packs-to": "checked" });
    assert.match(await said_of(page, SOUND), /trials replayed; \d+ cells of \d+ tables compared the same/);
    const [effect] = await Promise.all([page.waitForEvent("popup"), page.getByRole("link", { name: "Open its page" }).click()]);
    hear(effect, said);
    await effect.waitForLoadState();
    const drawn = await effect.locator("svg text").allTextContents();
    assert.ok(drawn.some((text) => text.startsWith("rehearsal, ")) && drawn.some((text) => text.startsWith("these data, 2 ")), drawn.join());
    await effect.close();

    await asked(page, home, "open", { "#packs-file": "data.zip", "#packs-to": "checked" });
    await page.locator("#packs-problem").filter({ hasText: "checked: is there already" }).waitFor();
    assert.deepEqual(said.filter((one) => !one.includes("409")), []);
});

session("a pack with another digit is named, and one that is hostile is refused as in the terminal", async (_, where, page) => {
    const said = [];
    hear(page, said);
    writeFileSync(join(where.lab, "tempi.toml"), TEMPI);
    assert.equal(run(where, "pack", "tempi.toml", "--output", "good.zip", "--quiet").status, 0);
    copyFileSync(join(where.lab, "good.zip"), join(where.lab, "other.zip"));
    copyFileSync(join(where.lab, "good.zip"), join(where.lab, "hostile.zip"));
    const change = (script, file) => execFileSync("python3", ["-c", script, join(where.lab, file)]);
    change(OTHER_DIGIT, "other.zip");
    change(LEADS_OUT, "hostile.zip");
    const home = await home_of(where, page);
    await asked(page, home, "open", { "#packs-file": "other.zip", "#packs-to": "other" });
    assert.match(await said_of(page, TO_MEND), /plans\/sub-\S+_plan\.tsv: row 1, step: packed \S+, computed \S+/);
    await look(page, "pack-differs");

    const before = readdirSync(where.lab).sort();
    await asked(page, home, "open", { "#packs-file": "hostile.zip", "#packs-to": "hostile" });
    const refused = await said_of(page, NOT_DONE);
    const terminal = run(where, "open", join(where.lab, "hostile.zip"), "--to", "hostile");
    assert.equal(terminal.status, 2);
    assert.equal(refused.trim(), terminal.said.replace(/\s+/g, " ").trim());
    assert.match(refused, /may lead out/);
    assert.deepEqual(readdirSync(where.lab).sort(), before);
    assert.ok(!existsSync(join(where.lab, "../owned")));
    assert.deepEqual([...said], []);
});

session("opening a pack is long, says how far it is, and is stopped", async (_, where, page) => {
    const said = [];
    hear(page, said);
    writeFileSync(join(where.lab, "tempi.toml"), TEMPI);
    assert.equal(run(where, "pack", "tempi.toml", "--output", "long.zip", "--quiet").status, 0);
    execFileSync("python3", ["-c", MANY_PEOPLE, join(where.lab, "long.zip")]);
    const before = readdirSync(where.lab).sort();
    const home = await home_of(where, page);
    await asked(page, home, "open", { "#packs-file": "long.zip", "#packs-to": "long" });
    await page.waitForURL(/job\/\d+$/);
    await page.locator("#progress").filter({ hasText: "rehearsing 100000 participants" }).waitFor();
    await look(page, "pack-under-way");
    await page.click("#stop");
    assert.match(await said_of(page, NOT_DONE), /interrupted; nothing is left behind/);
    assert.deepEqual(readdirSync(where.lab).sort(), before);
    assert.deepEqual([...said], []);
});

/** Packs the same files again, after a change. */
const AGAIN = `
import json, sys, zipfile
def again(path, change):
    with zipfile.ZipFile(path) as pack:
        files = [(name, pack.read(name)) for name in pack.namelist()]
    with zipfile.ZipFile(path, "w") as pack:
        for name, data in change(files):
            info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            info.external_attr = 0o100644 << 16
            pack.writestr(info, data)
`;
const OTHER_DIGIT = `${AGAIN}
def change(files):
    plan = next(name for name, _ in files if name.endswith("_plan.tsv"))
    def one(name, data):
        if name != plan: return data
        lines = data.decode().split("\\n")
        step = lines[0].split("\\t").index("step")
        cells = lines[1].split("\\t")
        cells[step] = cells[step] + "x"
        lines[1] = "\\t".join(cells)
        return "\\n".join(lines).encode()
    return [(name, one(name, data)) for name, data in files]
again(sys.argv[1], change)
`;
const LEADS_OUT = `${AGAIN}
again(sys.argv[1], lambda files: [*files, ("study/../../owned", b"x")])
`;
const MANY_PEOPLE = `${AGAIN}
def change(files):
    manifest = json.loads(files[0][1])
    manifest["study"]["participants"] = 100000
    return [("manifest.json", json.dumps(manifest).encode()), *files[1:]]
again(sys.argv[1], change)
`;

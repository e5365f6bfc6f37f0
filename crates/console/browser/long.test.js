// A session of thousands of trials, and how soon pages are drawn. At the far end stands no session
// but a socket that tells what one would tell, because nobody waits for 2,000 trials. What takes
// time is printed and not judged: the machine may be busy. What does not depend on it is.

import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";
import { hear } from "./looks.js";
import { console_of, place, tidy } from "./program.js";

const TRIALS = 2_000;
const NUMBER = 4_000_000_000; // beyond every process number, so that it is nobody's

let browser;
before(async () => {
    browser = await chromium.launch({ executablePath: process.env.BROWSER, args: ["--no-sandbox"] });
});
after(() => browser.close());

const SCENE = {
    id: 1, line: "scene", title: "A long session", study: "study.toml", folder: "/data", participant: "01", session: 1, resumed: false,
    simulated: true, blind: false, cell: [], step: "main", trial: 1, attempt: 1, condition: [], done: 0, planned: TRIALS, steps: [{ name: "main", trials: TRIALS }], left_s: null,
    devices_tested: true, turn: 1, phase: { is: "trial" }, hold: false, window: "never",
};

/** The line of the trial of this number, now and then with something to be complained of. */
const trial = (id) => ({
    id, line: "trial", at: "2026-01-01T12:00:00Z", step: "main", trial: id - 1, attempt: 1, taps: 40, mean_ms: -31.4, sd_ms: 18.2,
    timing_passed: id % 97 !== 0, complaints: id % 97 === 0 ? ["2 of 80 outputs were later than 1 ms; the greatest lateness was 3.1 ms"] : [],
});

/** A socket that tells `lines`, and what is added to them. */
function session(where, lines) {
    const open = new Set();
    const server = createServer((socket) => {
        socket.on("error", () => {});
        socket.once("data", (bytes) => {
            const { watch } = JSON.parse(String(bytes));
            if (!watch) return socket.end('{"ok":true}\n');
            socket.write(lines.filter((line) => line.id > watch.since).map((line) => `${JSON.stringify(line)}\n`).join(""));
            const alive = setInterval(() => socket.write("\n"), 500);
            open.add(socket);
            socket.on("close", () => (clearInterval(alive), open.delete(socket)));
        });
    });
    const path = join(where.run, "chronotap", `session-${NUMBER}.socket`);
    server.listen(path);
    const tell = (line) => {
        lines.push(line);
        for (const socket of open) socket.write(`${JSON.stringify(line)}\n`);
    };
    const close = () => {
        open.forEach((socket) => socket.destroy());
        server.close();
        rmSync(path, { force: true }); // else its number would be taken for a process
    };
    return { tell, close };
}

/** Runs a test with a console and that session. */
function long(name, steps) {
    test(name, async (t) => {
        const where = place();
        t.after(() => tidy(where));
        const served = await console_of(where);
        const lines = [SCENE, ...Array.from({ length: TRIALS }, (_, place) => trial(place + 2))];
        const told = session(where, lines);
        t.after(told.close);
        const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
        context.setDefaultTimeout(120_000);
        const page = await context.newPage();
        const said = [];
        hear(page, said);
        await page.goto(served.address);
        await page.waitForURL(/:\d+\/$/);
        await steps(t, page, new URL(`/session/${NUMBER}`, served.address).href, told);
        assert.deepEqual([...said], []);
        await context.close();
    });
}

const median = (all) => all.sort((a, b) => a - b)[Math.floor(all.length / 2)];

/** Milliseconds from the click on an address to the first paint, the median of some. */
async function firstPaint(page, address) {
    const all = [];
    for (let turn = 0; turn < 7; turn++) {
        await page.goto(address);
        const paint = await page.evaluate(
            () =>
                new Promise((done) => {
                    const found = (list) => list.getEntriesByName("first-paint").forEach((entry) => done(entry.startTime));
                    new PerformanceObserver(found).observe({ type: "paint", buffered: true });
                }),
        );
        all.push(paint);
    }
    return median(all);
}

/** Scrolls through the whole table, so much a frame: how long each frame took. */
const scroll = (page) =>
    page.evaluate(async () => {
        const table = document.getElementById("trials-table");
        const frame = () => new Promise(requestAnimationFrame);
        const tasks = [];
        new PerformanceObserver((list) => tasks.push(...list.getEntries().map((entry) => entry.duration))).observe({ type: "longtask" });
        const frames = [];
        let last = await frame();
        for (table.scrollTop = 0; table.scrollTop + table.clientHeight < table.scrollHeight - 1; table.scrollTop += 300) {
            const now = await frame();
            frames.push(now - last);
            last = now;
        }
        return { frames, tasks };
    });

const shown = (page) =>
    page.evaluate(() => {
        const rows = [...document.querySelectorAll("#trials .trial")];
        const drawn = rows.filter((row) => row.checkVisibility({ contentVisibilityAuto: true })).length;
        return { rows: rows.length, drawn, remarks: document.querySelectorAll("#log li").length };
    });

long("pages are soon there, with 2,000 trials in them too", async (t, page, address) => {
    t.diagnostic(`first paint, median of 7: studies ${(await firstPaint(page, new URL("/", address).href)).toFixed(0)} ms`);
    t.diagnostic(`first paint, median of 7: a session of 2,000 trials ${(await firstPaint(page, address)).toFixed(0)} ms`);
});

long("a session of 2,000 trials scrolls, and only what is in sight is drawn", async (t, page, address, told) => {
    await page.goto(address);
    await page.getByText(`1980 of ${TRIALS} without complaint`).waitFor();
    const { rows, drawn } = await shown(page);
    assert.equal(rows, TRIALS);
    assert.ok(drawn < TRIALS / 5, `${drawn} rows are drawn`);
    const { frames, tasks } = await scroll(page);
    const usual = median([...frames]);
    const late = frames.filter((frame) => frame > 2.5 * usual).length;
    t.diagnostic(`scrolling: ${frames.length} frames of ${usual.toFixed(1)} ms, ${late} of them more than twice as long; tasks beyond 50 ms: ${tasks.length}`);
    await page.evaluate(() => (document.getElementById("trials-table").scrollTop = 40_000));
    const top = () => page.evaluate(() => document.getElementById("trials-table").scrollTop);
    const before = await top();
    told.tell(trial(TRIALS + 2));
    await page.getByText(`1981 of ${TRIALS + 1} without complaint`).waitFor();
    assert.ok((await top()) >= before, "what one looks at stays where it is");
});

long("a page keeps the last of very many trials and remarks, and no more", async (_, page, address, told) => {
    await page.goto(address);
    await page.getByText(`of ${TRIALS} without complaint`).waitFor();
    const many = 4_000;
    for (let id = TRIALS + 2; id < TRIALS + 2 + many; id++) told.tell(trial(id));
    for (let id = 0; id < 1_500; id++) told.tell({ id: 10_000 + id, line: "remark", at: "2026-01-01T12:00:00Z", text: `Note ${id}` });
    await page.getByText(`of ${TRIALS + many} without complaint`).waitFor();
    await page.getByText("Note 1499").waitFor();
    const { rows, remarks } = await shown(page);
    assert.ok(rows > 4_900 && rows <= 5_000, `${rows} rows`);
    assert.equal(remarks, 1_000);
    assert.ok(await page.getByText("Only the last trials are shown here").isVisible());
});

// Every function of the engine in a browser, beside the program: the same answers, byte for byte, and the same sound.
// With IN=firefox in Firefox, else in Chromium.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { after, before, test } from "node:test";
import { firefox } from "./fox.js";
import { browser, chronotap, page_on_disk, status, watched } from "./hands.js";

const EXAMPLES = process.env.EXAMPLES;
const folder = mkdtempSync(join(tmpdir(), "try-"));
const trials = readdirSync(EXAMPLES).filter((name) => name.endsWith(".toml")).map((name) => join(EXAMPLES, name));
let opened;
let page;
let wrong;

before(async () => {
    const other = process.env.IN === "firefox";
    opened = await (other ? firefox() : browser());
    page = await opened.newPage();
    wrong = other ? page.wrong : watched(page);
    await page.goto(page_on_disk("[[when]]\ntime = \"1 s\"\nend = true\n"));
    await page.evaluate(() => document.querySelector(".ct-button").click());
    await page.waitForFunction(() => window.chronotapTry && window.chronotapEngine);
});

after(async () => {
    await opened.close();
    assert.deepEqual(wrong, []);
});

const asked_for = new Set();

const ask = (what, asked) => asked_for.add(what) && page.evaluate(async ([what, asked]) => {
    const { answer, took } = await window.chronotapTry.ask(what, asked);
    return { answer: answer instanceof Float32Array ? Array.from(answer) : answer, took };
}, [what, asked]);

/** The same of what takes long, for which the pane has no patience that ends: how long depends on what else the computer
 *  does. */
const ask_long = (what, asked) => asked_for.add(what) && page.evaluate(async ([what, asked]) => {
    const { answer } = await window.chronotapTry.ask_long(what, asked, () => {}).answer;
    return { answer };
}, [what, asked]);

const question = (path, more = {}) => ({ name: basename(path), text: readFileSync(path, "utf8"), ...more });

/** A trial of a page can be had where it plays no recording: the files of one are beside it on a disk. */
const plays = (path) => /^\s*(audio|file) = /m.test(readFileSync(path, "utf8"));

test("a file is explained as by the command, and its mistakes are the same", async () => {
    for (const path of trials.filter((path) => !plays(path))) {
        const { answer } = await ask("check", question(path, { name: path }));
        assert.equal(answer.told, chronotap("check", path), path);
        const broken = join(folder, "broken.toml");
        writeFileSync(broken, readFileSync(path, "utf8").replace("= ", "= \"7 parsecs\" "));
        const { problems } = JSON.parse(chronotap("check", "--json", broken));
        const told = await ask("check", question(broken, { name: broken }));
        assert.deepEqual(told.answer.problems, problems, path);
        assert.notEqual(problems.length, 0, path);
    }
});

test("a timeline is the picture of the command, byte for byte", async () => {
    for (const path of trials.filter((path) => !plays(path))) {
        const picture = join(folder, `${basename(path)}.svg`);
        chronotap("check", path, "--picture", picture, "--seed", "5");
        const { answer } = await ask("timeline", question(path, { seed: 5 }));
        assert.equal(answer.svg, readFileSync(picture, "utf8"), path);
    }
});

test("every trial that is decided in a page is decided again by the program", async () => {
    for (const path of trials.filter((path) => !plays(path))) {
        const { answer } = await ask("record", question(path, { seed: 9 }));
        const name = basename(path, ".toml");
        const tsv = join(folder, `${name}_run-01_events.tsv`);
        writeFileSync(tsv, answer.events);
        writeFileSync(tsv.replace(/tsv$/, "json"), answer.description);
        assert.equal(status("replay", tsv), 0, chronotap("replay", tsv));
        const data = join(folder, name);
        if (status("simulate", path, "--seed", "9", "--data", data, "--quiet") !== 0) continue;
        const [own] = readdirSync(data).filter((file) => file.endsWith("_events.tsv"));
        assert.equal(answer.events, readFileSync(join(data, own), "utf8"), path);
    }
});

// Of one part in a million of full scale: sine and exponential are those of another library in a browser.
test("a trial sounds as the program renders it", async () => {
    const path = join(folder, "heard.toml");
    writeFileSync(path, `[pacing.metronome]\ninterval = "500 ms"\n[feedback.tone]\npitch = { fixed = "E4" }\nduration = "100 ms"\n
        [[when]]\nbeat = 5\nend = true\n`);
    const wav = join(folder, "sound.wav");
    chronotap("render", path, "--output", wav, "--seed", "2", "--quiet");
    const bytes = readFileSync(wav);
    const begin = bytes.indexOf("data") + 8;
    const { answer } = await ask("sound", question(path, { seed: 2, rate_hz: 48000 }));
    assert.equal(answer.length, (bytes.length - begin) / 4);
    const apart = answer.map((sample, at) => Math.abs(sample - bytes.readFloatLE(begin + 4 * at)));
    const most = apart.reduce((one, other) => Math.max(one, other), 0);
    console.log(`the farthest sample is ${most} of full scale from the program's`);
    assert.ok(most < 1e-6, `${most}`);
    assert.ok(answer.some((sample) => Math.abs(sample) > 0.01));
});

test("people tap, a study is planned, and everybody has a name", async () => {
    const { answer: names } = await ask("populations", "");
    assert.ok(names.some(({ name }) => name === "adults") && names.some(({ name }) => name === "musician"));
    const { answer: files } = await ask("study", "synchronization");
    const [[name, text], ...beside] = files;
    const { answer: plan } = await ask("plan", { name, text, beside });
    assert.ok(plan.people.length > 0 && plan.people.every(({ trials }) => trials.length === plan.people[0].trials.length));
    const { answer } = await ask("simulate", { name, text, beside, participant: "adults", people: 3 });
    assert.equal(answer.people.length, 3);
    assert.ok(answer.people.every(({ taps }) => taps.length > 20));
});

/** A short study with its own outcome, in a folder for the program. */
const STUDY = [["study.toml", `title = "A late tone"\ntask = "late"\nseed = 3\ntrial = "t.toml"\nparticipants = 4
[factor]\ndelay = ["0 ms", "100 ms"]\n[set]\nfeedback.f.delay = { factor = "delay" }
[outcome]\nof = "mean asynchrony"\nover = "delay"\n[[step]]\nname = "main"\nrepetitions = 2\nshuffle = "all"\n`],
["t.toml", `[pacing.m]\ninterval = "500 ms"\n[feedback.f]\nduration = "50 ms"\n[[when]]\nbeat = 13\nend = true\n`]];

function study_on_disk() {
    const place = mkdtempSync(join(tmpdir(), "study-"));
    for (const [name, text] of STUDY) writeFileSync(join(place, name), text);
    return place;
}

const whole = (more) => ({ name: "study.toml", text: STUDY[0][1], beside: STUDY.slice(1), ...more });

test("a study finds in a page what power finds, and its curve is drawn", async () => {
    const place = study_on_disk();
    const { answer } = await ask_long("power", whole({ participant: "adults", studies: 3, counts: [2, 4], seed: 7 }));
    const words = ["--studies", "3", "--participants", "2,4", "--seed", "7", "--simulate", "adults", "--json"];
    assert.deepEqual(answer.told, JSON.parse(chronotap("power", join(place, "study.toml"), ...words)));
    const [{ points, figure }] = answer.contrasts;
    assert.deepEqual(points.map(({ people, share }) => [people, share]), answer.told.curve.map(({ participants, contrasts }) => [participants, contrasts[0].found.share]));
    assert.match(figure, /<svg/);
});

test("what a study comes to in a page is what the report of the program says, byte for byte", async () => {
    const place = study_on_disk();
    const data = join(place, "data");
    assert.equal(status("simulate", join(place, "study.toml"), "--participants", "4", "--simulate", "adults", "--data", data, "--quiet"), 0);
    chronotap("report", data, "--quiet");
    const page = readFileSync(join(data, readdirSync(data, { recursive: true }).find((name) => name.endsWith(".html"))), "utf8");
    const { answer } = await ask_long("outcome", whole({ participant: "adults", people: 4 }));
    const section = /<section id="outcome">\n<h2>What came out<\/h2>\n(.*?)<\/section>/s.exec(page)?.[1];
    assert.equal(answer.html, section);
});

test("a trial of 28 s is rehearsed", async () => {
    const path = trials.find((path) => path.endsWith("synchronization_continuation.toml"));
    const all = [];
    for (let round = 0; round < 10; round += 1) all.push((await ask("record", question(path, { seed: round }))).took);
    const took = all.sort((one, other) => one - other)[5];
    // How long it takes depends on what else the computer does, so this is told and not held.
    console.log(`a trial of 26 s: rehearsed and written in ${took.toFixed(1)} ms (median of 10)`);
});

test("a person is described as the program describes them", async () => {
    const spec = "musician, mean = -20 ms";
    const { answer } = await ask("person", spec);
    const place = study_on_disk();
    const said = chronotap("simulate", join(place, "study.toml"), "--simulate", spec, "--participants", "2", "--data", join(place, "data"));
    assert.match(answer, /^musician, alpha = .*mean = -20 ms/);
    assert.equal(/They assume: (.*?) Data: /s.exec(said.replace(/\s+/g, " "))?.[1], answer);
});

test("every function of the engine was asked here", () => {
    const glue = readFileSync(join(process.env.MADE, "../engine/engine.js"), "utf8");
    const all = [...glue.matchAll(/^export function (\w+)/gm)].map(([, name]) => name);
    assert.ok(all.length > 9, `${all}`);
    assert.deepEqual(all.filter((name) => !asked_for.has(name)), []);
});

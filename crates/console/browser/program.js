// The program under test, and the browser.

import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GERMAN, STUDY, TAP, TEXTS, WELCOME, trial } from "./study.js";

export const PROGRAM = process.env.CHRONOTAP ?? "";
const OPTIONS = ["--ordinary", "--limit-us", "10000000"]; // what lateness is does not matter here

const LONG = 100_000; // beats: hours
const SHORT = 30;

/** A folder with the study, and a place for sockets. */
export function place() {
    const folder = mkdtempSync(join(tmpdir(), "chronotap-console-"));
    const run = join(folder, "run");
    const lab = join(folder, "lab");
    mkdirSync(run, { mode: 0o700 });
    mkdirSync(lab);
    writeFileSync(join(lab, "study.toml"), STUDY);
    writeFileSync(join(lab, "welcome.md"), WELCOME);
    writeFileSync(join(lab, "long.toml"), trial(LONG));
    writeFileSync(join(lab, "trial.toml"), trial(SHORT));
    return { folder, lab, run, children: [], env: { ...process.env, XDG_RUNTIME_DIR: run } };
}

/** The numbers of the sessions' processes, by the names of their sockets. */
export function sessions(where) {
    const sockets = join(where.run, "chronotap");
    const names = existsSync(sockets) ? readdirSync(sockets) : [];
    return names.map((name) => Number(name.match(/^session-(\d+)\.socket$/)?.[1])).filter(Boolean);
}

/** Until no session is under way any more: its files are written then. */
export async function over(where) {
    while (sessions(where).length > 0) await new Promise((again) => setTimeout(again, 50));
}

/** Kills a console, and waits until it is not there any more. */
export function killed({ child }) {
    const gone = new Promise((ended) => child.once("exit", ended));
    child.kill("SIGKILL");
    return gone;
}

/** Ends what a test that failed has left, by the numbers of its own processes. */
export function tidy(where) {
    for (const number of [...where.children.map((child) => child.pid), ...sessions(where)]) {
        try {
            process.kill(number, "SIGKILL");
        } catch {
            // it has ended
        }
    }
    rmSync(where.folder, { recursive: true, force: true });
}

/** Starts a program of the console; its process and the address that it prints. */
export async function start(where, args) {
    const child = spawn(PROGRAM, args, { env: where.env, cwd: where.lab, stdio: ["ignore", "pipe", "inherit"] });
    where.children.push(child);
    let said = "";
    const address = await new Promise((found, failed) => {
        child.stdout.on("data", (bytes) => {
            said += bytes;
            const address = said.match(/http:\/\/\S+/);
            if (address) found(address[0]);
        });
        child.on("exit", () => failed(new Error(`the program ended: ${said}`)));
    });
    return { child, address };
}

/** @param {string[]} more */
export const console_of = (where, ...more) => start(where, ["console", where.lab, ...OPTIONS, ...more]);

/** `run --console` of one session. */
export const session_of = (where, ...more) => session_with(where, "study.toml", ...more);

/** The same of another file, with what it says of the participant. */
export const session_with = (where, study, ...more) =>
    start(where, ["run", study, "--participant", "1", "--simulate", "tapper", "--data", "data", "--console", ...OPTIONS, ...more]);

/** The study for participants who read German. */
export function german_session_of(where) {
    writeFileSync(join(where.lab, "german.toml"), GERMAN);
    return person_with(where, "german.toml", "wire");
}

/** The study of a tap, whose only output has a name of its own. */
export function tap_session_of(where) {
    writeFileSync(join(where.lab, "booth.toml"), `[output.booth]\n${trial(SHORT)}`);
    writeFileSync(join(where.lab, "tap.toml"), TAP);
    return person_with(where, "tap.toml", "booth=wire");
}

/** `run --console` of one session in which somebody sits at the pad, which {@link tap} presses. */
function person_with(where, study, output) {
    spawnSync("mkfifo", [pad(where)]);
    const ports = ["--in", `raw:${pad(where)}`, "--out", output];
    return start(where, ["run", study, "--participant", "1", "--data", "data", "--console", ...ports, ...OPTIONS]);
}

const pad = (where) => join(where.folder, "pad");

/** Presses the pad and lets it go: MIDI's key down and key up. */
export function tap(where) {
    writeFileSync(pad(where), Buffer.from([0x90, 60, 80, 0x80, 60, 0]));
}

/** The study of texts. */
export function texts_of(where) {
    writeFileSync(join(where.lab, "texts.toml"), TEXTS);
    return session_with(where, "texts.toml");
}

/** `run --console` of a single trial. */
export const trial_of = (where, file) =>
    start(where, ["run", file, "--simulate", "tapper", "--data", "trials", "--console", ...OPTIONS]);

/** The arguments of a session or trial whose participant is a hand at this port. */
const at_port = (port) => ["--in", port, "--out", "raw:/dev/null", "--console", ...OPTIONS];

/** A session of the study with a pad at this port. */
export const session_at = (where, port) =>
    start(where, ["run", "study.toml", "--participant", "1", "--data", "data", ...at_port(port)]);

/** A single trial with a pad at this port. */
export const trial_at = (where, file, port) => start(where, ["run", file, "--data", "trials", ...at_port(port)]);

/** Runs a command to its end: its status and what it printed. */
export function run(where, ...args) {
    const done = spawnSync(PROGRAM, args, { env: where.env, cwd: where.lab, encoding: "utf8" });
    return { status: done.status, said: done.stdout + done.stderr };
}

// Firefox, driven over WebDriver BiDi (https://w3c.github.io/webdriver-bidi/): so much of a page as the tests need.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import WebSocket from "ws";

/** A letter as the keyboard gives it; the others are code points of WebDriver. */
const KEYS = { Tab: "\uE004", Enter: "\uE007", Escape: "\uE00C", Home: "\uE011", End: "\uE010", ArrowRight: "\uE014", Control: "\uE009" };
/** So long something is waited for, in milliseconds. */
const PATIENCE = 60_000;

/** Firefox without a window and without a network, with a profile of its own. */
export async function firefox() {
    const profile = mkdtempSync(join(tmpdir(), "fox-"));
    const prefs = { "network.proxy.type": 1, "network.proxy.socks": "127.0.0.1", "network.proxy.socks_port": 9, "app.update.enabled": false };
    writeFileSync(join(profile, "user.js"), Object.entries(prefs).map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});\n`).join(""));
    const child = spawn(process.env.FIREFOX, ["--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0"], { stdio: ["ignore", "ignore", "pipe"] });
    const address = await new Promise((found, failed) => {
        let said = "";
        child.stderr.on("data", (text) => {
            said += text;
            const at = /WebDriver BiDi listening on (ws:\S+)/.exec(said)?.[1];
            if (at) found(at);
        });
        child.on("exit", () => failed(new Error(`Firefox ended: ${said}`)));
    });
    const wire = await connected(`${address}/session`);
    const { capabilities } = await wire.send("session.new", { capabilities: {} });
    await wire.send("session.subscribe", { events: ["log.entryAdded", "network.beforeRequestSent"] });
    const close = async () => {
        await wire.send("browser.close", {}).catch(() => {});
        wire.close();
        await Promise.race([new Promise((done) => child.on("exit", done)), new Promise((done) => setTimeout(done, 5_000))]);
        child.kill();
        rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    };
    return { version: capabilities.browserVersion, newPage: () => page(wire), close };
}

/** A socket on which each command gets its answer, and each event is told. */
async function connected(address) {
    const socket = new WebSocket(address, { maxPayload: 1 << 28 });
    await new Promise((done, failed) => (socket.on("open", done), socket.on("error", failed)));
    const [waiting, hearers] = [new Map(), []];
    let next = 0;
    socket.on("message", (text) => {
        const { id, method, params, result, error, message } = JSON.parse(text);
        if (method) return hearers.forEach((hear) => hear(method, params));
        const { done, failed } = waiting.get(id);
        waiting.delete(id);
        if (error) failed(new Error(`${error}: ${message}`));
        else done(result);
    });
    const send = (method, params) => new Promise((done, failed) => {
        waiting.set((next += 1), { done, failed });
        socket.send(JSON.stringify({ id: next, method, params }));
    });
    return { send, hear: (hearer) => hearers.push(hearer), close: () => socket.close() };
}

async function page(wire) {
    const { context } = await wire.send("browsingContext.create", { type: "tab" });
    const wrong = [];
    wire.hear((method, { level, text, request }) => {
        if (method === "log.entryAdded" && ["error", "warn"].includes(level)) wrong.push(text);
        if (method === "network.beforeRequestSent" && !/^(file|blob|data):/.test(request.url)) wrong.push(`asks ${request.url}`);
    });
    // What goes in and comes out is JSON, so that a page and its test have the same.
    const evaluate = async (what, given) => {
        const functionDeclaration = `async (given) => JSON.stringify(await (${what})(JSON.parse(given))) ?? "null"`;
        const told = await wire.send("script.callFunction", {
            functionDeclaration, awaitPromise: true, target: { context }, arguments: [{ type: "string", value: JSON.stringify(given ?? null) }],
        });
        if (told.type === "exception") throw new Error(told.exceptionDetails.text);
        return JSON.parse(told.result.value);
    };
    const keys = (actions) => wire.send("input.performActions", { context, actions: [{ type: "key", id: "keys", actions }] });
    const pressed = (key) => [{ type: "keyDown", value: KEYS[key] ?? key }, { type: "keyUp", value: KEYS[key] ?? key }];
    return {
        wrong,
        evaluate,
        goto: (url) => wire.send("browsingContext.navigate", { context, url, wait: "complete" }),
        waitForFunction: async (what, given) => {
            for (const until = Date.now() + PATIENCE; !(await evaluate(what, given)); ) {
                if (Date.now() > until) throw new Error(`waited for ${what}`);
                await new Promise((done) => setTimeout(done, 50));
            }
        },
        resize: (width, height) => wire.send("browsingContext.setViewport", { context, viewport: { width, height } }),
        press: (key) => keys(pressed(key)),
        pressWith: (held, key) => keys([{ type: "keyDown", value: KEYS[held] }, ...pressed(key), { type: "keyUp", value: KEYS[held] }]),
        type: (text) => keys([...text].flatMap((letter) => pressed(letter === "\n" ? "Enter" : letter))),
        screenshot: async (path) => {
            const { data } = await wire.send("browsingContext.captureScreenshot", { context, origin: "document" });
            writeFileSync(path, Buffer.from(data, "base64"));
        },
    };
}

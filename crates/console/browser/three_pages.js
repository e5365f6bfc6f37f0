// Runs one session with a console and three pages open, two of the experimenter's and one of the
// participant's: what benchmarks/console.sh measures. Its arguments are those of `run`. With
// READERS=1 the browser is closed before the trial starts, and what the pages were told is read to
// the end without anything drawn: the console's own cost, apart from the browser's.

import { spawn } from "node:child_process";
import { request } from "node:http";
import { chromium } from "playwright-core";

const child = spawn(process.env.CHRONOTAP, ["run", ...process.argv.slice(2), "--console"], { stdio: ["ignore", "pipe", "inherit"] });
const ended = new Promise((end) => child.on("exit", end));
const address = await new Promise((found) => {
    let said = "";
    child.stdout.on("data", (bytes) => {
        said += bytes;
        const address = said.match(/http:\/\/\S+/);
        if (address) found(address[0]);
    });
});

const browser = await chromium.launch({ executablePath: process.env.BROWSER, args: ["--no-sandbox"] });
const context = await browser.newContext();
const streams = [];
context.on("request", async (asked) => {
    if (asked.resourceType() === "eventsource") streams.push({ url: asked.url(), headers: await asked.allHeaders() });
});
const page = await context.newPage();
await page.goto(address);
await page.waitForURL(/session/);
const second = await context.newPage();
await second.goto(page.url());
await page.bringToFront();
const [window] = await Promise.all([page.waitForEvent("popup"), page.click("#open-window")]);
await window.waitForURL(/127\.0\.0\.2:\d+\/$/);
await page.bringToFront();
const press = (name) => page.locator("#advice").getByRole("button", { name }).click({ timeout: 120_000 });
await press("Play test tones");
await press("Yes, they were heard");
if (process.env.READERS) await startWithoutBrowser();
else await press("Start");
process.exitCode = await ended;
await browser.close();
process.exit();

/** Takes the order to start from the page, closes the browser, reads its streams and then gives the order. */
async function startWithoutBrowser() {
    const taken = new Promise((take) =>
        page.route("**/*", async (route) => {
            const asked = route.request();
            if (asked.method() !== "POST") return route.continue();
            take({ url: asked.url(), headers: await asked.allHeaders(), body: asked.postData() });
            await route.abort();
        }),
    );
    await press("Start");
    const order = await taken;
    for (const { url, headers } of streams) await read(url, headers);
    await browser.close();
    await read(order.url, order.headers, order.body);
}

/** Asks as the page did; whatever comes is read and forgotten. */
function read(url, headers, body) {
    const plain = Object.entries(headers).filter(([name]) => !name.startsWith(":") && name !== "content-length");
    return new Promise((answered, failed) => {
        const asked = request(url, { method: body ? "POST" : "GET", headers: Object.fromEntries(plain) }, (answer) => {
            if (answer.statusCode !== 200 && answer.statusCode !== 204) failed(new Error(`${url}: ${answer.statusCode}`));
            answer.on("error", () => {}); // it ends with the session
            answer.resume();
            answered();
        });
        asked.on("error", failed);
        asked.end(body ?? undefined);
    });
}

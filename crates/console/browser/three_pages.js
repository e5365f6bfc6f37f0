// Runs one session with a console and three pages open, two of the experimenter's and one of the
// participant's: what benchmarks/console.sh measures. Its arguments are those of `run`.

import { spawn } from "node:child_process";
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
const page = await context.newPage();
await page.goto(address);
await page.waitForURL(/session/);
const second = await context.newPage();
await second.goto(page.url());
await page.bringToFront();
const [window] = await Promise.all([page.waitForEvent("popup"), page.click("#open-window")]);
await window.waitForURL(/127\.0\.0\.2:\d+\/$/);
await page.bringToFront();
for (const name of ["Play test tones", "Yes, they were heard", "Start"]) {
    await page.locator("#advice").getByRole("button", { name }).click({ timeout: 120_000 });
}
process.exitCode = await ended;
await browser.close();

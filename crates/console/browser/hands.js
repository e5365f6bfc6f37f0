// What a hand at the pages does, for all tests of sessions; and the frame of such a test.

import assert from "node:assert/strict";
import { test } from "node:test";
import { chromium } from "playwright-core";
import { hear, testify } from "./looks.js";
import { place, tidy } from "./program.js";

/** A browser of its own for the tests of a file. */
export const launch = () => chromium.launch({ executablePath: process.env.BROWSER, args: ["--no-sandbox"] });

// Generous, because the machine may be busy: nothing here is about time.
const PATIENCE_MS = 180_000;

/** A test with a place of its own; where it fails, its pages are shown. */
export function session(launched, name, steps) {
    test(name, async (t) => {
        const where = place();
        t.after(() => tidy(where));
        const context = await launched().newContext({ viewport: { width: 1280, height: 900 } });
        context.setDefaultTimeout(PATIENCE_MS);
        try {
            await steps(t, where, await context.newPage());
        } catch (error) {
            await testify(context, name);
            throw error;
        } finally {
            await context.close();
        }
    });
}

// A browser draws only what is in front, so each page is brought there before it is looked at.

/** Clicks the button of this name in the sentence of advice. */
export async function advised(page, name) {
    await page.bringToFront();
    await page.locator("#advice").getByRole("button", { name }).click();
}
export async function waitFor(page, text) {
    await page.bringToFront();
    await page.locator("#advice-text").filter({ hasText: text }).waitFor();
}

/** Tries the devices, as the page asks for. */
export async function tryDevices(page) {
    await advised(page, "Play test tones");
    await page.locator("#pads li.tapped").first().waitFor();
    await advised(page, "Yes, they were heard");
    await advised(page, "Start");
}

/** The participant's page, opened from the experimenter's. */
export async function participantOf(page, said) {
    await page.bringToFront();
    const [window] = await Promise.all([page.waitForEvent("popup"), page.click("#open-window")]);
    hear(window, said);
    await window.waitForURL(/127\.0\.0\.2:\d+\/$/);
    return window;
}

/** Says yes in the dialog that asks once more. */
export const confirmed = (page, name) => page.locator("#ask").getByRole("button", { name }).click();

/** Goes on with Tab until what is meant has the focus. */
export async function reach(page, selector) {
    await page.locator(selector).and(page.locator(":not(:disabled)")).first().waitFor();
    for (let turn = 0; turn < 100; turn++) {
        if (await page.evaluate((selector) => document.activeElement?.matches(selector), selector)) return;
        await page.keyboard.press("Tab");
    }
    assert.fail(`no Tab leads to ${selector}`);
}

/** Writes a note. What was asked for before is done and shown when it is: they come in order. */
export async function noted(page, text) {
    await page.bringToFront();
    await page.click("#note");
    await page.getByRole("textbox", { name: "Note" }).fill(text);
    await page.getByRole("button", { name: "Write it down" }).click();
    await page.getByText(`Note: ${text}`).waitFor();
}

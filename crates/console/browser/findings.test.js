// The findings of doctor, as a page reads them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { findings } from "../pages/findings.js";
import { place, run, tidy } from "./program.js";

const REPORT = `Kernel and clock
  OK       mitigations            19 known weaknesses: 3 mitigated, 14 not
                                  affected
  BAD      preemption             none
           why   a system call may keep others waiting until it
                 is done
           do    add preempt=full to the kernel's command line
                 needs a restart
  NOTE     tracers                on
           why   they cost time
           cure, needs a restart:
    echo nop | sudo tee \\
      /sys/kernel/tracing/current_tracer
           undo  sudo true

1 OK, 1 note, 1 bad
\`chronotap doctor --fix NAME\` does it for tracers,
  timer-migration
`;

test("words are joined, commands stay as they stand, and what stands for itself is kept apart", () => {
    const [clock, tally, fix, ...none] = findings(REPORT);
    assert.equal(none.length, 0);
    assert.equal(clock.title, "Kernel and clock");
    const [mitigations, preemption, tracers] = clock.rows;
    assert.equal(mitigations.text, "19 known weaknesses: 3 mitigated, 14 not affected");
    assert.deepEqual(preemption.more, [
        { label: "why", text: "a system call may keep others waiting until it is done" },
        { label: "do", text: "add preempt=full to the kernel's command line" },
        { label: "", text: "needs a restart" },
    ]);
    assert.deepEqual(tracers.more.slice(1), [
        { label: "cure, needs a restart", text: "echo nop | sudo tee \\\n/sys/kernel/tracing/current_tracer" },
        { label: "undo", text: "sudo true" },
    ]);
    assert.equal(tally.text, "1 OK, 1 note, 1 bad");
    assert.equal(fix.text, "`chronotap doctor --fix NAME` does it for tracers, timer-migration");
});

test("every word that doctor prints is on the page, and what another test prints is left as it is", (t) => {
    const where = place();
    t.after(() => tidy(where));
    const { said } = run(where, "doctor");
    const words = findings(said).flatMap(({ title, rows, text }) =>
        rows.length === 0 ? [text] : [title, ...rows.flatMap(({ verdict, name, text, more }) => [verdict, name, text, ...more.flatMap(Object.values)])]);
    const plain = (text) => text.replaceAll(/[\s:]+/g, " ").trim();
    assert.equal(plain(words.join(" ")), plain(said));
    assert.deepEqual(findings("lateness of output\n  median 2 us\n"), []);
});

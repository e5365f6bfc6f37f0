// @ts-check
// The findings of `chronotap doctor`, read from what it prints: it sets them for a terminal of 80
// columns, and a page may be narrower. What is not of that form is left to be shown as it is.

/**
 * @typedef {{label: string, text: string}} Detail
 *     "why", "do", "cure" or "undo", and what is said of it; none where it stands for itself
 * @typedef {{verdict: string, name: string, text: string, more: Detail[]}} Finding
 * @typedef {{title: string, rows: Finding[], text: string}} Section
 *     a section has rows, or else is a text
 */

const FINDING = /^  (OK|NOTE|BAD|UNKNOWN) +(\S+) +(\S.*)$/;
const DETAIL = /^ {11}(why|do|cure|undo) +(\S.*)$/;
const LONG_COMMAND = /^ {11}(cure|cure, needs a restart|undo):()$/; // in the lines below it
const RESTART = /^ {11,}(needs a restart)$/;

/**
 * The sections of the report; none where this is no such report.
 * @param {string} said
 * @returns {Section[]}
 */
export function findings(said) {
    /** @type {Section[]} */
    const sections = [];
    for (const line of said.split("\n")) {
        const section = sections.at(-1);
        const finding = FINDING.exec(line);
        if (/^\S/.test(line)) sections.push({ title: line, rows: [], text: line });
        else if (finding && section) section.rows.push(found(finding));
        else if (section && line.trim()) goOn(section, line);
    }
    return sections.some(({ rows }) => rows.length > 0) ? sections : [];
}

/**
 * @param {RegExpExecArray} finding
 * @returns {Finding}
 */
const found = ([, verdict, name, text]) => ({ verdict, name, text, more: [] });

/**
 * A line that belongs to what was said last: a new detail of it, or more words.
 * @param {Section} section
 * @param {string} line
 */
function goOn(section, line) {
    const row = section.rows.at(-1);
    const last = row?.more.at(-1);
    const detail = DETAIL.exec(line) ?? LONG_COMMAND.exec(line);
    if (!row) section.text += ` ${line.trim()}`;
    else if (detail) row.more.push({ label: detail[1], text: detail[2] });
    else if (RESTART.test(line)) row.more.push({ label: "", text: line.trim() });
    else if (last && isCommand(last)) last.text += `${last.text && "\n"}${line.trim()}`;
    else (last ?? row).text += ` ${line.trim()}`;
}

/**
 * Whether it is to be copied as it stands.
 * @param {Detail} detail
 */
export const isCommand = ({ label }) => /^(cure|undo)/.test(label);

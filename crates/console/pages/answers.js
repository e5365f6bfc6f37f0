// @ts-check
// The form for one question, of whatever kind: how each kind is drawn stands in FIELDS. Used on both pages.

import { older } from "./reach.js";

/**
 * What each kind of question tells its page. A test of the console holds these lines against the
 * kinds that there are.
 * @typedef {{
 *     scale: {greatest: number, labels: string[], least: number},
 *     choice: {words: string[]},
 *     choices: {words: string[]},
 *     number: {greatest: number, least: number},
 *     date: {greatest: string, least: string},
 *     time: {greatest: string, least: string},
 *     lines: {},
 *     text: {},
 * }} Forms
 * @typedef {{[K in keyof Forms]: {form: K, optional?: boolean} & Forms[K]}[keyof Forms]} Expected
 */

/**
 * How each kind is drawn, from what it tells, the id of the question's text, and from what to what
 * in words.
 * @type {{[K in keyof Forms]: (told: Forms[K], labelledBy: string, range: string) => HTMLElement}}
 */
const FIELDS = {
    scale: ({ least, greatest, labels }, labelledBy) => scale(least, greatest, labels, labelledBy),
    choice: ({ words }, labelledBy) => choices(words, labelledBy, radio),
    choices: ({ words }, labelledBy) => choices(words, labelledBy, box),
    number: ({ least, greatest }, labelledBy, range) => number(`${least}`, `${greatest}`, labelledBy, range),
    date: ({ least, greatest }, labelledBy) => day(least, greatest, labelledBy),
    time: ({ least, greatest }, labelledBy, range) => between(least, greatest, labelledBy, range),
    lines: (_, labelledBy) => lines(labelledBy),
    text: (_, labelledBy) => text(labelledBy),
};

/**
 * What is sent of an answer, where that is not what was entered.
 * @type {{[form: string]: (given: string) => string}}
 */
const SENT = { number: decimal };

/**
 * An element with a class and a text.
 * @param {string} name
 * @param {string} [kind]
 * @param {string} [text]
 * @returns {HTMLElement}
 */
export function element(name, kind, text) {
    const made = document.createElement(name);
    if (kind) made.className = kind;
    if (text !== undefined) made.textContent = text;
    return made;
}

/**
 * A title or a name that stands in a sentence of ours: its marks of direction end with it, and so
 * turn no word that follows (Unicode's annex 9, isolates).
 * @param {string} words
 */
export const isolated = (words) => `\u2068${words.replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, "")}\u2069`;

const SETTLED_MS = 400;

/**
 * Lets a button answer once it has been in sight for a moment, and never a key that is held down:
 * the second click of a double click, and a key that is still down, were meant for what stood
 * there before.
 * @param {HTMLButtonElement} button
 * @param {() => void} [then] called when it answers
 */
export function settle(button, then) {
    button.disabled = true;
    button.addEventListener("keydown", (event) => event.repeat && event.preventDefault());
    setTimeout(() => {
        button.disabled = false;
        then?.();
    }, SETTLED_MS);
}

/**
 * What the form says: on its button, where nothing was chosen, and in an empty field.
 * @typedef {{go_on: string, choose_one: string, range: string}} Words
 */

/** @type {Words} */
export const ENGLISH = { go_on: "Go on", choose_one: "Please choose one.", range: "{least} to {greatest}" };

/**
 * @param {Expected} expected
 * @param {string} labelledBy the id of the question's text
 * @param {Words} words
 * @param {(answer: string) => Promise<string | undefined>} answered gives a refusal's sentence
 * @returns {HTMLElement}
 */
export function form(expected, labelledBy, words, answered) {
    if (!Object.hasOwn(FIELDS, expected.form)) return older(`questions of the kind “${expected.form}”`);
    const form = document.createElement("form");
    form.className = "answer";
    form.noValidate = true; // what is wrong is said in the words of the study, and not of the browser
    form.append(field(expected, labelledBy, words.range));
    const problem = element("p", "error");
    problem.setAttribute("role", "alert");
    problem.hidden = true;
    const button = document.createElement("button");
    button.className = "first";
    button.textContent = words.go_on;
    settle(button);
    form.append(problem, button);
    form.addEventListener("submit", async (event) => {
        event.preventDefault();
        const given = new FormData(form).getAll("answer");
        button.disabled = true;
        const chosen = given.length > 0 || expected.optional === true;
        const refused = chosen ? await answered(sent(expected, given.join("; "))) : words.choose_one;
        button.disabled = false;
        problem.textContent = refused ?? "";
        problem.hidden = !refused;
    });
    return form;
}

/**
 * @param {Expected} expected
 * @param {string} labelledBy
 * @param {string} range
 */
function field(expected, labelledBy, range) {
    const draw = /** @type {(told: Expected, labelledBy: string, range: string) => HTMLElement} */ (FIELDS[expected.form]);
    return draw(expected, labelledBy, range);
}

/**
 * @param {Expected} expected
 * @param {string} given
 */
const sent = ({ form }, given) => SENT[form]?.(given) ?? given;

/**
 * Most languages write 2,5 where English has 2.5; on a page in English a comma may part thousands.
 * @param {string} given
 */
function decimal(given) {
    return /^en\b/i.test(document.documentElement.lang) ? given : given.replace(",", ".");
}

/**
 * Words of the study, which may be of any language.
 * @param {string} words
 * @param {string} [kind]
 */
function said(words, kind) {
    const said = element("span", kind, words);
    said.dir = "auto";
    return said;
}

/** @param {string} value */
function radio(value) {
    const input = document.createElement("input");
    input.type = "radio";
    input.name = "answer";
    input.value = value;
    input.required = true;
    return input;
}

/** @param {string} value */
function box(value) {
    const input = document.createElement("input");
    input.type = "checkbox";
    input.name = "answer";
    input.value = value;
    return input;
}

/**
 * @param {string} labelledBy
 * @param {string} [role]
 */
function group(labelledBy, role = "radiogroup") {
    const group = element("div");
    group.setAttribute("role", role);
    group.setAttribute("aria-labelledby", labelledBy);
    return group;
}

/**
 * @param {number} least
 * @param {number} greatest
 * @param {string[]} labels none, two, or one for each number
 * @param {string} labelledBy
 */
function scale(least, greatest, labels, labelledBy) {
    const whole = group(labelledBy);
    whole.className = "scale";
    const points = element("div", "points");
    const each = labels.length === greatest - least + 1 && labels.length > 2;
    points.classList.toggle("many", each || greatest - least > 8);
    points.classList.toggle("worded", each);
    for (let n = least; n <= greatest; n++) {
        const label = element("label");
        label.append(radio(String(n)), element("span", "", String(n)));
        if (each) label.append(said(labels[n - least], "note"));
        points.append(label);
    }
    whole.append(points);
    if (!each && labels.length === 2) {
        const ends = element("div", "ends");
        ends.append(said(labels[0]), said(labels[1]));
        whole.append(ends);
    }
    return whole;
}

/**
 * @param {string[]} words
 * @param {string} labelledBy
 * @param {(word: string) => HTMLElement} choice one of them, or several
 */
function choices(words, labelledBy, choice) {
    const whole = group(labelledBy, choice === box ? "group" : "radiogroup");
    whole.className = "choices";
    for (const word of words) {
        const label = element("label");
        label.append(choice(word), said(word));
        whole.append(label);
    }
    return whole;
}

/**
 * @param {string} least
 * @param {string} greatest
 * @param {string} labelledBy
 * @param {string} range
 */
function number(least, greatest, labelledBy, range) {
    const input = between(least, greatest, labelledBy, range);
    input.inputMode = "decimal";
    return input;
}

/**
 * @param {string} least
 * @param {string} greatest
 * @param {string} labelledBy
 * @param {string} range
 */
function between(least, greatest, labelledBy, range) {
    const input = text(labelledBy);
    input.placeholder = range.replace("{least}", () => least).replace("{greatest}", () => greatest);
    return input;
}

/**
 * @param {string} least
 * @param {string} greatest
 * @param {string} labelledBy
 */
function day(least, greatest, labelledBy) {
    const input = text(labelledBy);
    input.type = "date";
    input.min = least;
    input.max = greatest;
    return input;
}

/** @param {string} labelledBy */
function lines(labelledBy) {
    const area = document.createElement("textarea");
    area.name = "answer";
    area.rows = 5;
    area.dir = "auto";
    area.setAttribute("aria-labelledby", labelledBy);
    return area;
}

/** @param {string} labelledBy */
function text(labelledBy) {
    const input = document.createElement("input");
    input.name = "answer";
    input.required = true;
    input.autocomplete = "off";
    input.dir = "auto";
    input.setAttribute("aria-labelledby", labelledBy);
    return input;
}

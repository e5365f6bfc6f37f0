// On every page of the manual: a button at each block that is a whole trial or experiment file, and at each
// ready-made study. The pane and the engine are fetched when the first of them is pressed, so that a page
// that is only read loads nothing of them. They come as scripts beside this one: a page that was opened
// from a disk may fetch nothing else.

const own = document.currentScript;
const here = own.src.replace(/[^/]*$/, "");
window.chronotapTryPage = own.dataset.page;
let pane;

/** Fetches a script beside this one, once. */
function fetched(name) {
    return new Promise((done, failed) => {
        const script = document.createElement("script");
        script.src = here + name;
        script.onload = () => setTimeout(done); // what runs in the script and what comes of it hold up the page one after the other
        script.onerror = () => failed(new Error(`${name} cannot be read; build the site again`));
        document.head.append(script);
    });
}

/** The pane, with the engine behind it. */
function ready() {
    pane ??= Promise.all([fetched("pane.js"), fetched("engine.js")]).then(() => window.chronotapTry);
    return pane;
}

/** The names and texts of the files that lie beside that of a block. */
function beside(block) {
    const folder = [...block.classList].find((one) => one.startsWith("beside-"));
    const held = folder && document.getElementById(folder);
    return held ? JSON.parse(held.textContent) : [];
}

/** Opens a pane at a place, or shuts the one that is open there. */
async function press(button, place, what) {
    const open = button.getAttribute("aria-expanded") === "true";
    button.setAttribute("aria-expanded", String(!open));
    if (open) return place.nextElementSibling?.remove();
    const section = document.createElement("section");
    section.className = "ct-try";
    section.setAttribute("aria-label", "Try it");
    section.textContent = "Fetching the engine …";
    place.after(section);
    try {
        const { open: begin } = await ready();
        section.textContent = "";
        await begin(section, what);
    } catch (error) {
        section.textContent = `This cannot be tried here: ${error.message}`;
    }
}

function button(place, what, name) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "ct-button";
    button.textContent = "Try it";
    button.setAttribute("aria-expanded", "false");
    if (name) button.setAttribute("aria-label", `Try it: ${name}`);
    place.after(button);
    button.addEventListener("click", () => press(button, button, what()));
    return button;
}

let count = 0;
const empty = document.querySelector("[data-ct-empty]");
for (const block of empty ? [] : document.querySelectorAll("div.ct-whole")) {
    const text = () => block.querySelector("code").textContent;
    count += 1;
    button(block, () => ({ name: "trial.toml", text: text(), beside: beside(block) }), `block ${count} of this page`);
}
for (const place of document.querySelectorAll("[data-ct-study]")) {
    const study = place.dataset.ctStudy;
    button(place, () => ({ study }), `the study ${study}`);
}
if (empty) {
    // The page that a link leads to: what is tried stands behind the #. An editor that is opened before the
    // letters are there measures its lines wrong.
    const first = document.querySelector("div.ct-whole code")?.textContent ?? "";
    const begun = button(empty, () => ({ name: "trial.toml", text: first, beside: [], link: location.hash }));
    addEventListener("load", () => begun.click());
    addEventListener("hashchange", () => location.reload());
}

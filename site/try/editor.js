// The text of a file, to be edited, with the mistakes of the engine at their lines.

import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { toml } from "@codemirror/legacy-modes/mode/toml";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { EditorView, drawSelection, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const STYLE = HighlightStyle.define([
    { tag: tags.comment, class: "ct-comment" },
    { tag: tags.string, class: "ct-string" },
    { tag: [tags.number, tags.atom], class: "ct-number" },
    { tag: [tags.propertyName, tags.keyword], class: "ct-key" },
]);

/** An editor in `parent`; `changed` hears of every edit. The tab key leaves it, as it leaves any field. Where it is only
 *  for `reading`, nothing that is typed changes the text. */
export function editor(parent, text, label, changed, reading = false) {
    const state = EditorState.create({
        doc: text,
        extensions: [
            lineNumbers(),
            history(),
            drawSelection(),
            lintGutter(),
            StreamLanguage.define(toml),
            syntaxHighlighting(STYLE),
            keymap.of([...defaultKeymap, ...historyKeymap]),
            EditorState.readOnly.of(reading),
            EditorView.lineWrapping,
            EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false" }),
            EditorView.updateListener.of((update) => update.docChanged && changed(update.state.doc.toString())),
        ],
    });
    const view = new EditorView({ state, parent });
    view.scrollDOM.tabIndex = 0; // a long text is scrolled by the keyboard too
    return {
        text: () => view.state.doc.toString(),
        replace: (whole) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: whole } }),
        mistakes: (problems) => view.dispatch(setDiagnostics(view.state, problems.flatMap((one) => at(view.state, one)))),
        go: (line) => goTo(view, line),
        write: (line, whole) => {
            const { from, to } = view.state.doc.line(line);
            view.dispatch({ changes: { from, to, insert: whole } });
        },
    };
}

/** Where a mistake stands; nowhere where the whole file is meant. */
function at(state, { line, column, message, cure }) {
    if (line < 1 || line > state.doc.lines) return [];
    const { from, to, text } = state.doc.line(line);
    const begin = Math.min(from + [...text].slice(0, Math.max(column - 1, 0)).join("").length, to);
    return [{ from: begin, to, severity: "error", message: cure ? `${message}; ${cure}` : message }];
}

function goTo(view, line) {
    const { from } = view.state.doc.line(Math.min(Math.max(line, 1), view.state.doc.lines));
    view.dispatch({ selection: { anchor: from }, scrollIntoView: true });
    view.focus();
}

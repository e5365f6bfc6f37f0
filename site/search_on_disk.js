// A page that was opened from a disk may start no worker from a file, and the theme searches in one. Here such a worker is
// a frame that nobody sees. It holds no script of its own, so that the policy of the page can name every script.

/** What the engine of "Try it" is run in: a worker from memory, which a page on a disk may start. */
window.chronotapWorker = window.Worker;

class WorkerOnDisk extends EventTarget {
    constructor(url) {
        super();
        this.frame = Object.assign(document.createElement("iframe"), { hidden: true, title: "search" });
        document.body.append(this.frame);
        const inside = this.frame.contentWindow;
        // Else Firefox puts another document in its place when it comes to load the empty one.
        inside.document.open();
        inside.document.write("<!doctype html><title>search</title><body></body>");
        inside.document.close();
        inside.postMessage = (data) => {
            const event = new MessageEvent("message", { data });
            this.dispatchEvent(event);
            this.onmessage?.(event);
        };
        inside.importScripts = (...all) => all.reduce((before, src) => before.then(() => loaded(inside, src)), Promise.resolve());
        this.ready = loaded(inside, url);
    }

    postMessage(data) {
        const inside = this.frame.contentWindow;
        this.ready.then(() => inside.dispatchEvent(new MessageEvent("message", { data: structuredClone(data) })));
    }

    terminate() {
        this.frame.remove();
    }
}

/** Runs a script in a window. */
function loaded(inside, src) {
    return new Promise((done, failed) => {
        const script = Object.assign(inside.document.createElement("script"), { src, onload: done });
        script.onerror = () => failed(new Error(`${src} cannot be read`));
        inside.document.body.append(script);
    });
}

if (location.protocol === "file:") window.Worker = WorkerOnDisk;

// A link that holds the text: packed, in letters that an address may have, behind the #, which no browser
// sends to anybody.

/** No longer text is taken from a link. */
const BYTES_MAX = 1 << 20;

async function through(bytes, stream) {
    const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
    const parts = [];
    let size = 0;
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
        size += part.value.length;
        if (size > BYTES_MAX) throw new Error("the link holds more than 1 MB");
        parts.push(part.value);
    }
    return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** The part of an address that holds these files and settings. */
export async function packed(held) {
    const bytes = await through(new TextEncoder().encode(JSON.stringify(held)), new CompressionStream("deflate-raw"));
    const letters = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
    return `#try=${letters.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
}

/** What such a part holds; `null` where it is none, or damaged. */
export async function unpacked(hash) {
    const letters = /^#try=([\w-]+)$/.exec(hash)?.[1];
    if (!letters) return null;
    try {
        const text = atob(letters.replaceAll("-", "+").replaceAll("_", "/"));
        const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
        const held = JSON.parse(new TextDecoder().decode(await through(bytes, new DecompressionStream("deflate-raw"))));
        const isFile = (file) => Array.isArray(file) && file.length === 2 && file.every((part) => typeof part === "string");
        return Array.isArray(held.files) && held.files.length > 0 && held.files.every(isFile) ? held : null;
    } catch {
        return null;
    }
}

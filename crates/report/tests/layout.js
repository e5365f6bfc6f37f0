// Run by tests/browser.rs inside a page in a frame: finds what a reader could not read,
// and tells the page around it.
addEventListener("load", () => {
  document.querySelectorAll("details").forEach((one) => { one.open = true; });
  const wrong = [];
  const width = document.documentElement.clientWidth;
  const name = (one) => (one.textContent || one.tagName).trim().slice(0, 40);
  const box = (one) => one.getBoundingClientRect();
  if (document.documentElement.scrollWidth > width) wrong.push("the page is wider than the window");
  for (const one of document.querySelectorAll("body *")) {
    const inside = one.closest(".scroll"); // which scrolls by itself
    if (inside && inside !== one) continue;
    const { right, left, width: w } = box(one);
    if (w > 0 && (right > width + 1 || left < -1)) wrong.push("out of the window: " + name(one));
  }
  for (const box of document.querySelectorAll(".scroll")) {
    if (box.scrollWidth <= box.clientWidth + 1) continue;
    const style = getComputedStyle(box);
    if (style.backgroundImage.split("gradient(").length < 5) wrong.push("no sign that it scrolls: " + name(box));
    if (box.tabIndex !== 0 || !box.getAttribute("aria-label")) wrong.push("not for the keyboard: " + name(box));
    box.scrollLeft = box.scrollWidth;
    const last = box.querySelector("tr").lastElementChild;
    if (last.getBoundingClientRect().right > box.getBoundingClientRect().right + 1) wrong.push("the last column is cut: " + name(box));
    box.scrollLeft = 0;
  }
  // A word of a head that goes on in the next line.
  for (const head of document.querySelectorAll("thead th:not(.label)")) {
    for (const word of (head.firstChild?.data ?? "").matchAll(/[^\s\/-]+/g)) {
      const range = document.createRange();
      range.setStart(head.firstChild, word.index);
      range.setEnd(head.firstChild, word.index + word[0].length);
      if (new Set([...range.getClientRects()].map((part) => part.top)).size > 1) wrong.push("broken in a head: " + word[0]);
    }
  }
  const overlap = (a, b) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
  let texts = 0;
  for (const picture of document.querySelectorAll("svg")) {
    const frame = box(picture);
    const all = [...picture.querySelectorAll("text")];
    texts += all.length;
    all.forEach((one, at) => {
      const b = box(one);
      if (b.left < frame.left - 1 || b.right > frame.right + 1 || b.bottom > frame.bottom + 1 || b.top < frame.top - 1)
        wrong.push("out of its picture: " + name(one));
      for (const other of all.slice(at + 1))
        if (overlap(b, box(other))) wrong.push("one over the other: " + name(one) + " / " + name(other));
    });
  }
  const blocks = [...document.querySelectorAll("h1, h2, h3, p, li, figure, .scroll, dt, dd, summary")];
  blocks.forEach((one, at) => {
    for (const other of blocks.slice(at + 1, at + 12))
      if (!one.contains(other) && !other.contains(one) && overlap(box(one), box(other)))
        wrong.push("one over the other: " + name(one) + " / " + name(other));
  });
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  parent.postMessage(JSON.stringify({ width: innerWidth, dark, texts, wrong }), "*");
});

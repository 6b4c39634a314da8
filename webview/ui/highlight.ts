const NAME = "found";

/** Marks a text wherever it is seen within an element, and brings its first place into sight. */
export function highlight(element: Element | null, text: string): void {
  // Older browsers find, but do not mark.
  if (!("highlights" in CSS)) return;
  const ranges = element === null || text === "" ? [] : rangesOf(element, text.toLowerCase());
  CSS.highlights.set(NAME, new Highlight(...ranges));
  const [first] = ranges;
  const block = first?.startContainer.parentElement?.closest("pre");
  if (first === undefined || !block) return;
  block.scrollTop += first.getBoundingClientRect().top - block.getBoundingClientRect().top - block.clientHeight / 3;
}

function rangesOf(element: Element, text: string): Range[] {
  const ranges: Range[] = [];
  const nodes = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = nodes.nextNode(); node !== null; node = nodes.nextNode()) {
    const content = (node.nodeValue ?? "").toLowerCase();
    for (let at = content.indexOf(text); at >= 0; at = content.indexOf(text, at + text.length)) {
      const range = document.createRange();
      // Capitals of some languages are longer than their small letters.
      range.setStart(node, Math.min(at, (node.nodeValue ?? "").length));
      range.setEnd(node, Math.min(at + text.length, (node.nodeValue ?? "").length));
      ranges.push(range);
    }
  }
  return ranges;
}

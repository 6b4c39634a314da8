/** Defects that must not appear in any picture, found in the page itself. */

/** Run in the page: a list of lines, each with what is wrong and where. */
export const FIND = `(() => {
  const found = [];
  const nameOf = element => element.tagName.toLowerCase() +
    (element.id ? "#" + element.id : "") + [...element.classList].map(name => "." + name).join("");
  const isShown = element => {
    const style = getComputedStyle(element);
    const box = element.getBoundingClientRect();
    return style.visibility !== "hidden" && box.width > 0 && box.height > 0 && !element.closest(".unseen, .timeline-help, [hidden]");
  };
  const clips = value => value === "hidden" || value === "clip";
  const scrolls = value => value === "auto" || value === "scroll";
  /** What cuts off an element so that nobody can scroll to the rest. */
  const cutBy = element => {
    const cut = { left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity };
    const tighten = (box, x, y) => {
      if (x) [cut.left, cut.right] = [Math.max(cut.left, box.left), Math.min(cut.right, box.right)];
      if (y) [cut.top, cut.bottom] = [Math.max(cut.top, box.top), Math.min(cut.bottom, box.bottom)];
    };
    let [alongX, alongY] = [true, true];
    for (let around = element; around; around = around.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(around);
      tighten(around.getBoundingClientRect(), alongX && clips(overflowX), alongY && clips(overflowY));
      alongX &&= !scrolls(overflowX);
      alongY &&= !scrolls(overflowY);
    }
    tighten({ left: 0, top: 0, right: innerWidth, bottom: innerHeight }, alongX, alongY);
    return cut;
  };
  /** Whether it is out of view, but can be scrolled to. */
  const isScrolledAway = (element, x, y) => {
    for (let around = element.parentElement; around; around = around.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(around);
      if (!scrolls(overflowX) && !scrolls(overflowY)) continue;
      const box = around.getBoundingClientRect();
      if (x < box.left || x > box.right || y < box.top || y > box.bottom) return true;
    }
    return false;
  };
  /** The user's own words have any length: if cut, a tooltip shows all of it. A file's name must not be cut. */
  const OWN_WORDS = ".event-row:not(.event-mark) .target-name:not(.is-file), .target-folder, .session-heading";
  const isShortened = element => {
    const own = element.closest(OWN_WORDS);
    const whole = own?.closest("[title]")?.title ?? "";
    const said = own?.textContent.trim() ?? "";
    return own !== null && getComputedStyle(own).textOverflow === "ellipsis" && whole.includes(said);
  };
  const SLACK = 1.5;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.data.trim() || ["SCRIPT", "STYLE"].includes(element.tagName) || !isShown(element)) continue;
    // A line that is cut between words is one line.
    const line = element.classList.contains("word") ? element.parentElement.parentElement : element;
    const range = document.createRange();
    range.selectNodeContents(node);
    const cut = cutBy(element);
    for (const box of range.getClientRects()) {
      const over = Math.max(cut.left - box.left, box.right - cut.right, cut.top - box.top, box.bottom - cut.bottom);
      if (over <= SLACK || isShortened(element)) continue;
      found.push("clipped: " + nameOf(line) + ' "' + node.data.trim().slice(0, 60) + '" by ' + Math.round(over) + " px");
      break;
    }
  }
  for (const value of document.querySelectorAll(".figure-value")) {
    if (isShown(value) && /^(0|–)(\\s|$)/.test(value.textContent.trim())) {
      found.push("zero: " + nameOf(value.parentElement) + " " + value.parentElement.textContent);
    }
  }
  const CONTROLS = "button, input, select, a[href], [role=tab], [role=option], [role=radio], [role=application], vscode-button, vscode-dropdown, vscode-text-field";
  for (const control of document.querySelectorAll(CONTROLS)) {
    if (!isShown(control) || control.disabled) continue;
    const box = control.getBoundingClientRect();
    const cut = cutBy(control);
    const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
    if (x < cut.left || x > cut.right || y < cut.top || y > cut.bottom) {
      found.push("out of reach: " + nameOf(control) + " " + (control.ariaLabel || control.textContent).trim().slice(0, 40));
      continue;
    }
    if (x < 0 || x > innerWidth || y < 0 || y > innerHeight || isScrolledAway(control, x, y)) continue;
    const top = document.elementFromPoint(x, y);
    // Where all is stacked, the page scrolls below the selected result.
    if (top?.closest(".stacked .details") && !control.closest(".details")) continue;
    if (top && !control.contains(top) && !top.contains(control) && !top.closest("label")?.contains(control)) {
      found.push("covered: " + nameOf(control) + " " + (control.ariaLabel || control.textContent).trim().slice(0, 40) + " by " + nameOf(top));
    }
  }
  if (document.documentElement.scrollWidth > innerWidth) found.push("wider than the page");
  return found;
})()`;

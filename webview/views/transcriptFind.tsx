import type { VNode } from "preact";
import { useLayoutEffect, useMemo, useState } from "preact/hooks";
import { useApp } from "../state/app.js";
import { type SearchState, TranscriptSearch } from "../state/transcriptSearch.js";
import { IconButton } from "../ui/iconButton.js";
import { TextField } from "../ui/kit.js";
import { callText, fill, strings, visible } from "../words/pageText.js";

interface TranscriptFindProps {
  readonly rows: number;
  readonly selected: number;
  /** Changes whenever the visible texts may have changed. */
  readonly version: number;
}

/** A browser only finds what is rendered, which is a small part of a long transcript. */
export function TranscriptFind({ rows, selected, version }: TranscriptFindProps): VNode {
  const { actions, store } = useApp();
  const { context } = store;
  const [text, setText] = useState("");
  // A search in one conversation must not report its result in the next.
  const search = useMemo(() => new TranscriptSearch(ask => actions.channel.ask(ask)), [context, actions]);
  useLayoutEffect(() => () => search.forget(), [search]);
  const state = search.state.value;
  const words = strings.transcript;
  const go = async (step: 1 | -1) => {
    const row = await search.find(text, selected, step, rows);
    if (row !== undefined) actions.select(row);
    actions.announce(told(search.state.peek()));
  };
  useLayoutEffect(() => {
    // After the call has been rendered.
    const frame = requestAnimationFrame(() => {
      highlight(document.querySelector(".transcript .call.selected"), state.kind === "found" ? text : "");
    });
    return () => cancelAnimationFrame(frame);
  }, [state, text, selected, version]);
  useLayoutEffect(() => () => highlight(null, ""), []);
  return (
    <search class="transcript-find">
      <TextField
        label={words.find}
        placeholder={words.find}
        value={text}
        onInput={value => {
          search.forget();
          setText(value);
        }}
        onEnter={event => void go(event.shiftKey ? -1 : 1)}
      />
      <span class="muted find-state">{told(state)}</span>
      <IconButton icon="up" label={words.findPrevious} disabled={text === ""} onClick={() => void go(-1)} />
      <IconButton icon="down" label={words.findNext} disabled={text === ""} onClick={() => void go(1)} />
    </search>
  );
}

export function focusFind(): void {
  document.querySelector<HTMLElement>(".transcript-find > *")?.focus();
}

function told(state: SearchState): string {
  const words = strings.transcript;
  switch (state.kind) {
    case "idle":
      return "";
    case "none":
      return words.notFound;
    case "looking":
      return fill(words.finding, { call: callText(state.row) });
    case "found":
      return fill(words.found, { call: callText(state.row) });
    case "failed":
      return fill(strings.app.failed, { what: words.cannotFind, why: visible(state.why, 200) });
  }
}

/** Highlights every occurrence of a text within an element and scrolls to the first. */
function highlight(element: Element | null, text: string): void {
  // Older browsers find the text but cannot highlight it.
  if (!("highlights" in CSS)) return;
  const ranges = element === null || text === "" ? [] : rangesOf(element, text.toLowerCase());
  CSS.highlights.set("found", new Highlight(...ranges));
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
      // In some languages a letter's lower case has a different length.
      range.setStart(node, Math.min(at, (node.nodeValue ?? "").length));
      range.setEnd(node, Math.min(at + text.length, (node.nodeValue ?? "").length));
      ranges.push(range);
    }
  }
  return ranges;
}

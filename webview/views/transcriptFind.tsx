import type { VNode } from "preact";
import { useLayoutEffect, useMemo, useState } from "preact/hooks";
import { useApp } from "../state/app.js";
import { type SearchState, TranscriptSearch } from "../state/transcriptSearch.js";
import { highlight } from "../ui/highlight.js";
import { IconButton } from "../ui/iconButton.js";
import { TextField } from "../ui/kit.js";
import { callText, fill, strings, visible } from "../words/text.js";

interface TranscriptFindProps {
  readonly rows: number;
  readonly selected: number;
  /** Changes whenever other texts may be in sight. */
  readonly version: number;
}

/** A browser finds only what is drawn, and of a long transcript that is little. */
export function TranscriptFind({ rows, selected, version }: TranscriptFindProps): VNode {
  const { actions, store } = useApp();
  const { context } = store;
  const [text, setText] = useState("");
  // What is being looked for in one conversation must not be found in the next.
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
    // After the call has been drawn.
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

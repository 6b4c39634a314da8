import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { RunStrategy } from "../../src/inspect/strategies.js";
import type { EmittedHint, EmittedText } from "../../src/protocol/requests.js";
import { useApp } from "../state/app.js";
import { Button } from "../ui/kit.js";
import { callText, counted, fill, grouped, strings, visibleBlock } from "../words/pageText.js";
import { CallLink } from "./callLink.js";
import { useAnswer } from "./overlay.js";

interface EmittedProps {
  readonly row: number;
  readonly strategy: RunStrategy;
}

/** What the model would get with hints instead of runs of lines; each hint expands to what it replaces. */
export function Emitted({ row, strategy }: EmittedProps): VNode | null {
  const { actions } = useApp();
  const text = strings.details;
  const answer = useAnswer({ method: "emitted", row, strategy }, text.noDetails);
  if (answer === undefined || answer instanceof Error || answer.hints.length === 0) return null;
  return (
    <div class="block emitted">
      <h3>{text.withHints}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a text that scrolls must be reachable by keyboard. */}
      <div class="emitted-text" tabIndex={0}>
        {partsOf(answer).map((part, index) =>
          typeof part === "string" ? (
            <pre key={index}>{visibleBlock(part)}</pre>
          ) : (
            <Hint key={index} hint={part.hint} line={part.line} />
          ),
        )}
      </div>
      {answer.cut && <p class="muted">{text.cut}</p>}
      <Button label={text.compareHints} onClick={() => actions.compare(row, strategy)} />
    </div>
  );
}

type Part = string | { readonly hint: EmittedHint; readonly line: string };

/** The text between hints and the hints, in order. */
function partsOf({ text, hints }: EmittedText): Part[] {
  const lines = text.split("\n");
  const parts: Part[] = [];
  let from = 0;
  for (const hint of hints) {
    const line = lines[hint.line];
    if (line === undefined) break;
    if (hint.line > from) parts.push(lines.slice(from, hint.line).join("\n"));
    parts.push({ hint, line });
    from = hint.line + 1;
  }
  return from < lines.length ? [...parts, lines.slice(from).join("\n")] : parts;
}

function Hint({ hint, line }: { readonly hint: EmittedHint; readonly line: string }): VNode {
  const [open, setOpen] = useState(false);
  const text = strings.details;
  const { row, from, to } = hint;
  if (row === null) return <pre>{visibleBlock(line)}</pre>;
  return (
    <div class="emitted-hint">
      <button
        type="button"
        class="link"
        aria-expanded={open}
        title={fill(text.showLines, { call: callText(row), from: grouped(from), to: grouped(to) })}
        onClick={() => setOpen(!open)}
      >
        {visibleBlock(line)}
      </button>
      {open && <Referenced hint={hint} row={row} />}
    </div>
  );
}

function Referenced({ hint, row }: { readonly hint: EmittedHint; readonly row: number }): VNode {
  const text = strings.details;
  const { input, from, to } = hint;
  const answer = useAnswer({ method: "lines", row, input, from, to }, text.noDetails);
  const known = answer instanceof Error ? undefined : answer;
  return (
    <div class="referenced">
      <p class="muted">
        <CallLink row={row} /> {fill(text.linesFromTo, { from: grouped(from), to: grouped(to) })}
        {input !== null && ` ${fill(text.ofInput, { input })}`} · {counted(strings.counts.lines, to - from + 1)}
      </p>
      <pre>{known ? visibleBlock(known.text) : answer instanceof Error ? answer.message : text.loading}</pre>
      {known?.cut && <p class="muted">{text.cut}</p>}
    </div>
  );
}

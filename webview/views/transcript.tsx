import type { VNode } from "preact";
import { useMemo, useRef } from "preact/hooks";
import { kindAt } from "../../src/inspect/outcomes.js";
import type { LiveContext } from "../../src/protocol/apply.js";
import { outcomePieces, outcomeWords } from "../../src/words/outcomeTexts.js";
import { useApp } from "../state/app.js";
import { TranscriptPages } from "../state/transcriptPages.js";
import { GlyphIcon } from "../ui/icons.js";
import { MeasuredRows } from "../ui/measuredRows.js";
import { toolOf } from "../words/callFacts.js";
import { callText, fill, strings, tokensText, visible } from "../words/pageText.js";
import { CallLink, Sentence } from "./callLink.js";
import { Block } from "./detailsPane.js";
import { Failed } from "./failed.js";
import { focusFind, TranscriptFind } from "./transcriptFind.js";

const ESTIMATED_HEIGHT = 180;

/** The browser's own search would only find what is currently rendered. */
function onKeyDown(event: KeyboardEvent): void {
  if (event.key !== "f" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
  event.preventDefault();
  focusFind();
}

/** Every call of the conversation with its input and its result: the browser's form of VS Code's transcript. */
export function Transcript(): VNode {
  const { store, ui, actions } = useApp();
  const { context } = store;
  const known = useRef<{ readonly basis: string; readonly pages: TranscriptPages }>();
  // The pages belong to one snapshot of one conversation.
  const pages = useMemo(() => {
    const { basis } = store;
    const before = known.current?.basis === basis ? known.current.pages : undefined;
    known.current = { basis, pages: new TranscriptPages(ask => actions.channel.ask(ask), before) };
    return known.current.pages;
  }, [context, store, actions]);
  const selection = ui.selection.value;
  const selected = selection && "row" in selection ? selection.row : -1;
  const text = strings.transcript;
  if (context === null || context.rows.length === 0) return <p class="nothing">{text.none}</p>;
  const rows = context.rows.length;
  return (
    <div class="transcript-frame">
      <TranscriptFind rows={rows} selected={selected} version={pages.version.value} />
      <MeasuredRows
        count={rows}
        estimate={ESTIMATED_HEIGHT}
        target={selected}
        chosen={ui.choices.value}
        attributes={{ class: "transcript", role: "feed", tabIndex: 0, "aria-label": text.label, onKeyDown }}
        renderItem={row => <Call row={row} context={context} pages={pages} selected={row === selected} />}
      />
    </div>
  );
}

interface CallProps {
  readonly row: number;
  readonly context: LiveContext;
  readonly pages: TranscriptPages;
  readonly selected: boolean;
}

function Call({ row, context, pages, selected }: CallProps): VNode {
  const { store, actions } = useApp();
  const partition = context.rows.get(row, "partition");
  const begins = row > 0 && partition !== context.rows.get(row - 1, "partition");
  const tokens = context.rows.get(row, "chars") / context.calibration.charsPerToken;
  const capacity = store.peek()?.settings.capacity ?? 0;
  return (
    <>
      {begins && <h3 class="partition-start">{fill(strings.transcript.partition, { number: partition })}</h3>}
      <article
        class={selected ? "call selected" : "call"}
        aria-posinset={row + 1}
        aria-setsize={context.rows.length}
        aria-labelledby={`call-${row}`}
      >
        <header class="call-head">
          <span title={outcomeWords(context.rows, row).title}>
            <GlyphIcon glyph={kindAt(context.rows, row)} />
          </span>
          <button type="button" class="call-name" id={`call-${row}`} onClick={() => actions.select(row)}>
            <span class="muted">{callText(row)}</span> <b>{toolOf(context, row)}</b>{" "}
            <bdi>{visible(context.targets[row] ?? "", 300)}</bdi>
          </button>
          <span class="call-outcome muted">
            {tokensText(tokens)} ·{" "}
            <Sentence of={outcomePieces(context.rows, row, { capacity, sources: context.sources })} />
          </span>
        </header>
        <CallTexts row={row} context={context} pages={pages} selected={selected} />
      </article>
    </>
  );
}

function CallTexts({ row, context, pages }: CallProps): VNode {
  const text = strings.transcript;
  const known = pages.get(row, context.ids[row] ?? "", context.rows.length);
  const ref = context.rows.get(row, "ref") - 1;
  if (known === "loading") return <p class="muted call-loading">{strings.details.loading}</p>;
  if ("failed" in known) {
    const retry = () => pages.retry(row);
    return <Failed what={strings.details.noDetails} why={known.failed} onRetry={retry} />;
  }
  return (
    <>
      {known.hint !== null && (
        <p class="call-hint">
          {text.hint}: <code>{visible(known.hint, 400)}</code> {ref >= 0 && <CallLink row={ref} />}
        </p>
      )}
      <Block title={strings.details.input} body={known.input} />
      <Block title={strings.details.result} body={known.result} />
      {known.cut && <p class="muted">{text.cut}</p>}
    </>
  );
}

import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { isRunStrategy } from "../../src/inspect/strategies.js";
import { useApp } from "../state/app.js";
import { useFocusKept, useMedia } from "../ui/hooks.js";
import { IconButton } from "../ui/iconButton.js";
import { GlyphIcon } from "../ui/icons.js";
import { Button } from "../ui/kit.js";
import { factsOfMark, factsOfRow, menuOf, repeatedLines } from "../words/callFacts.js";
import { callText, fill, strings, visibleBlock } from "../words/pageText.js";
import { Sentence } from "./callLink.js";
import { Emitted } from "./emitted.js";
import { useAnswer } from "./overlay.js";

/** A panel this low has one line per result: see details.css. */
const LOW = "(max-height: 360px)";

/** The selected result: what happened to it and why, with links to more. */
export function Details({ hasRoom }: { readonly hasRoom: boolean }): VNode | null {
  const { store, ui, actions } = useApp();
  const low = useMedia(LOW);
  const section = useFocusKept<HTMLElement>();
  const { context, members } = store;
  const selection = ui.selection.value;
  if (selection === null && hasRoom) return <p class="nothing">{strings.details.nothing}</p>;
  if (selection === null || context === null || members === null) return null;
  const row = "row" in selection ? selection.row : null;
  const facts =
    "row" in selection ? factsOfRow(context, selection.row, members.settings) : factsOfMark(context, selection.mark);
  if (facts === null) return null;
  const text = strings.details;
  return (
    <section
      class="details"
      ref={section}
      aria-label={text.label}
      data-vscode-context={row === null ? undefined : menuOf(context.rows, row)}
    >
      <div class="details-head">
        <GlyphIcon glyph={facts.glyph} />
        <h2 class="details-title">
          <span>{facts.title} </span>
          {facts.tool !== "" && <bdi class="details-tool">{facts.tool} </bdi>}
          <bdi class="details-target" title={facts.target}>
            {facts.target}
          </bdi>
        </h2>
        {actions.canGoBack && <IconButton icon="back" label={text.back} onClick={() => actions.back()} />}
        <IconButton icon="close" label={text.close} onClick={() => actions.select(null)} />
      </div>
      <div class="details-facts">
        {facts.sentences.map((sentence, index) => (
          <p key={index} class={index === 0 ? "fact-main" : "fact"}>
            {index === 0 && row !== null && <WhereItIs row={row} brief={low} />}
            {!(low && index === 0 && row !== null && context.sources.has(row)) && <Sentence of={sentence} />}
          </p>
        ))}
        <p class="fact-place">{facts.place}</p>
      </div>
      <div class="details-actions">
        {facts.other !== null && (
          <Button
            primary
            label={fill(text.goTo, { call: callText(facts.other) })}
            onClick={() => actions.goTo(facts.other as number)}
          />
        )}
        {row !== null && (
          <>
            {facts.glyph === "partial" ? (
              <Button label={low ? text.compare : text.compareHints} onClick={() => actions.compare(row, "live")} />
            ) : (
              facts.comparable && <Button label={text.compare} onClick={() => actions.compare(row)} />
            )}
            <Button label={text.transcript} onClick={() => actions.openCall(row)} />
            <Button label={text.logLine} onClick={() => actions.openLogLine(row)} />
          </>
        )}
      </div>
      {row !== null && <Preview row={row} />}
    </section>
  );
}

/** Which lines of a result repeat, and where they are; nothing if none do. */
function WhereItIs(of: RepeatedLinesProps): VNode | null {
  const { context } = useApp().store;
  return context?.sources.has(of.row) ? <RepeatedLines {...of} /> : null;
}

interface RepeatedLinesProps {
  readonly row: number;
  /** On one line, replacing any other sentence. */
  readonly brief: boolean;
}

function RepeatedLines({ row, brief }: RepeatedLinesProps): VNode | null {
  const answer = useAnswer({ method: "emitted", row, strategy: "live" }, strings.details.noDetails);
  if (answer === undefined || answer instanceof Error) return null;
  return (
    <>
      <Sentence of={repeatedLines(answer, brief)} />{" "}
    </>
  );
}

/** Scrolling through the list with a key held down must not request every text on the way. */
const ASK_AFTER_MS = 150;

function Preview({ row }: { readonly row: number }): VNode {
  const { ui } = useApp();
  const open = ui.preview.value;
  const rested = useRested(row, ASK_AFTER_MS);
  const text = strings.details;
  return (
    <details
      class="preview"
      open={open}
      onToggle={event => {
        ui.preview.value = event.currentTarget.open;
      }}
    >
      <summary>{text.preview}</summary>
      {open && (rested ? <PreviewTexts row={row} /> : <p class="muted">{text.loading}</p>)}
    </details>
  );
}

function PreviewTexts({ row }: { readonly row: number }): VNode {
  const shown = useApp().ui.strategy.value;
  const strategy = isRunStrategy(shown) ? shown : "live";
  const text = strings.details;
  const answer = useAnswer({ method: "details", row }, text.noDetails);
  if (answer instanceof Error) return <p class="muted">{answer.message}</p>;
  if (!answer) return <p class="muted">{text.loading}</p>;
  return (
    <>
      {answer.hint !== null && <Block title={text.given} body={answer.hint} />}
      {answer.hint === null && <Emitted row={row} strategy={strategy} />}
      <Block title={text.input} body={answer.input} />
      <Block title={text.result} body={answer.result} />
      {answer.cut && <p class="muted">{text.cut}</p>}
    </>
  );
}

/** Whether a value has been unchanged for that long. */
function useRested(value: unknown, ms: number): boolean {
  const [rested, setRested] = useState<{ readonly value: unknown }>();
  useEffect(() => {
    const timer = setTimeout(() => setRested({ value }), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return rested?.value === value;
}

/** A text with its heading; `body` is null if it is not text. */
export function Block({ title, body }: { readonly title: string; readonly body: string | null }): VNode {
  const text = strings.details;
  return (
    <div class="block">
      <h3>{title}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a text that scrolls must be reachable by keyboard. */}
      <pre tabIndex={0}>{body === null ? text.notText : body === "" ? text.empty : visibleBlock(body)}</pre>
    </div>
  );
}

import type { VNode } from "preact";
import { useId, useState } from "preact/hooks";
import { contextUse } from "../../src/inspect/contextUse.js";
import { NO_FILTER } from "../lib/filter.js";
import { useApp } from "../state/app.js";
import { Tooltip } from "../ui/popup.js";
import { useRoving } from "../ui/roving.js";
import { contextText, type FigureText, figureTexts } from "../words/pageFigureTexts.js";
import { strings } from "../words/pageText.js";

/** The totals. The figures are independent: none is a part of another, and they are never added up. */
export function Figures(): VNode | null {
  const { store, figures, ui, actions, now } = useApp();
  const { context } = store;
  const [shown, setShown] = useState<{ readonly key: string; readonly anchor: HTMLElement } | null>(null);
  const tooltip = useId();
  const use = context && contextUse(context);
  const texts =
    context && figures.value
      ? [
          ...figureTexts({
            ...context,
            figures: figures.value,
            liveHints: store.members?.liveHints,
          }),
          ...(use ? [contextText(use, now.value)] : []),
        ]
      : [];
  const { group, tabIndexOf, onKeyDown, onFocusIn } = useRoving(texts.length);
  if (texts.length === 0) return null;
  const about = texts.find(({ key }) => key === shown?.key)?.about;

  const follow = ({ leads }: FigureText) => {
    if (leads === "turnOn") return actions.turnLiveHints(true);
    if (leads === "breakdown") {
      ui.tab.value = "why";
      return;
    }
    ui.filter.value = { ...NO_FILTER, kind: leads };
    ui.tab.value = "events";
  };
  return (
    <>
      <div
        class="figures"
        role="toolbar"
        aria-label={strings.figures.label}
        ref={group}
        onKeyDown={event => (event.key === "Escape" ? setShown(null) : onKeyDown(event))}
        onFocusIn={onFocusIn}
      >
        {texts.map((text, index) => (
          <button
            key={text.key}
            type="button"
            class={`figure figure-${text.key}`}
            data-roving
            tabIndex={tabIndexOf(index)}
            aria-describedby={shown?.key === text.key ? tooltip : undefined}
            onClick={() => follow(text)}
            onPointerEnter={event => setShown({ key: text.key, anchor: event.currentTarget })}
            onPointerLeave={() => setShown(null)}
            onFocus={event => {
              if (event.currentTarget.matches(":focus-visible"))
                setShown({ key: text.key, anchor: event.currentTarget });
            }}
            onBlur={() => setShown(null)}
          >
            <span class="figure-label">{text.label}</span>
            <span class="figure-value">{text.value}</span>
            <span class={text.leads === "turnOn" ? "figure-basis link" : "figure-basis"}>
              {unbrokenDots(text.basis)}
            </span>
          </button>
        ))}
      </div>
      {shown !== null && about !== undefined && <Tooltip id={tooltip} anchor={shown.anchor} text={about} />}
    </>
  );
}

/** If a text wraps, the dot stays at the end of the first line. */
function unbrokenDots(text: string): string {
  return text.replaceAll(" · ", "\u00a0· ");
}

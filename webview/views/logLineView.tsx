import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import { useApp } from "../state/app.js";
import { VirtualRows } from "../ui/virtualRows.js";
import { fill, strings, visible } from "../words/pageText.js";
import { OverlayFrame, useAnswer } from "./overlay.js";

const ROW_HEIGHT = 18;
const LONGEST_LINE = 5000;

/** The line of the log that a result came from, pretty-printed by the host. */
export function LogLine({ row }: { readonly row: number }): VNode {
  const { store } = useApp();
  const text = strings.logLine;
  const answer = useAnswer({ method: "logLine", row }, strings.details.cannotOpenLine);
  const lines = useMemo(() => (!answer || answer instanceof Error ? null : answer.text.split("\n")), [answer]);
  const number = store.context?.rows.get(row, "line") ?? 0;
  return (
    <OverlayFrame label={text.label} summary={fill(strings.facts.line, { line: number })}>
      {lines === null ? (
        <p class="nothing">{answer instanceof Error ? answer.message : text.loading}</p>
      ) : (
        <VirtualRows
          count={lines.length}
          rowHeight={ROW_HEIGHT}
          active={-1}
          attributes={{ class: "log-lines", role: "group", tabIndex: 0, "aria-label": text.label }}
          renderRow={index => (
            <div key={index} class="log-line">
              {visible(lines[index] ?? "", LONGEST_LINE)}
            </div>
          )}
        />
      )}
    </OverlayFrame>
  );
}

import type { VNode } from "preact";
import { useApp } from "../state/app.js";
import { menuOf } from "../words/callFacts.js";
import { callText, fill, type Piece, strings } from "../words/pageText.js";

interface CallLinkProps {
  readonly row: number;
  /** Links inside a list with its own cursor are not tab stops: the arrow keys follow them there. */
  readonly inList?: boolean;
}

/** A link to a call, by its number. */
export function CallLink({ row, inList = false }: CallLinkProps): VNode {
  const { actions, store } = useApp();
  const rows = store.peek()?.context?.rows;
  return (
    <button
      type="button"
      class="link"
      tabIndex={inList ? -1 : 0}
      // In a list, the menu is about the row, wherever the pointer is on it.
      data-vscode-context={inList || !rows ? undefined : menuOf(rows, row)}
      title={fill(strings.details.goTo, { call: callText(row) })}
      onClick={event => {
        event.stopPropagation();
        actions.goTo(row);
      }}
    >
      {callText(row)}
    </button>
  );
}

/** A sentence whose calls are links. */
export function Sentence({ of, inList = false }: { readonly of: readonly Piece[]; readonly inList?: boolean }): VNode {
  return (
    <>
      {of.map((piece, index) =>
        typeof piece === "string" ? piece : <CallLink key={index} row={piece.call} inList={inList} />,
      )}
    </>
  );
}

import type { VNode } from "preact";
import { useCallback } from "preact/hooks";
import type { ContextItem } from "../../src/protocol/messages.js";
import { useApp } from "../state/app.js";
import { Picker } from "../ui/picker.js";
import { Words } from "../ui/words.js";
import { counted, fill, strings, visible } from "../words/pageText.js";

/** The main conversation or one of its subagents. */
export function ContextPicker(): VNode {
  const { store, actions } = useApp();
  const { bar } = strings;
  const members = store.members;
  const contexts = members?.contexts ?? [];
  const selected = contexts.find(({ key }) => key === members?.selected?.context);
  const items = useCallback(() => store.peek()?.contexts ?? [], [store]);
  const subagents = counted(strings.counts.subagents, contexts.filter(({ id }) => id !== "main").length);
  const value =
    selected === undefined
      ? bar.chooseContext
      : selected.id === "main"
        ? fill(bar.mainWith, { subagents })
        : nameOf(selected);
  return (
    <Picker
      className="context-picker"
      label={bar.context}
      value={value}
      items={items}
      keyOf={keyOf}
      selected={selected?.key ?? null}
      textOf={searchText}
      filterLabel={bar.filterContexts}
      noMatch={bar.noMatch}
      rowHeight={24}
      width={400}
      onPick={({ key }) => {
        const session = store.peek()?.selected?.session;
        if (session !== undefined) actions.chooseContext(session, key);
      }}
      renderItem={item => (
        <span class="session-line">
          <span class="session-title">
            <Words of={nameOf(item)} />
          </span>
          <span class="muted">{counted(strings.counts.results, item.results)}</span>
        </span>
      )}
    />
  );
}

const keyOf = ({ key }: ContextItem) => key;
const nameOf = ({ id, task }: ContextItem) =>
  id === "main" ? strings.bar.main : visible(task, 120) || fill(strings.bar.subagent, { id: visible(id, 60) });
const searchText = (item: ContextItem) => `${nameOf(item)} ${item.id}`;

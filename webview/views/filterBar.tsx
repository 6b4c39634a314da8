import type { VNode } from "preact";
import { useCallback, useMemo } from "preact/hooks";
import { useApp } from "../app.js";
import { type EventFilter, isFiltering, KINDS, type KindFilter, NO_FILTER } from "../store/filter.js";
import { counted, fill, grouped, strings, visible } from "../text.js";
import { focusList } from "../ui/focus.js";
import { IconButton } from "../ui/iconButton.js";
import { Dropdown, TextField } from "../ui/kit.js";
import { Picker } from "../ui/picker.js";

const KIND_CHOICES = KINDS.map(kind => ({ value: kind, label: strings.filter.kinds[kind] }));
/** A log can name any number of tools; a dropdown cannot show any number. */
const MOST_TOOLS = 100;

/** What the list shows, and what the timeline does not dim. */
export function FilterBar(): VNode {
  const { ui, store, events, actions } = useApp();
  const text = strings.filter;
  const filter = ui.filter.value;
  const tools = store.context?.tools ?? [];
  const toolList = tools.join("\n");
  const toolChoices = useMemo(
    () => [
      { value: "", label: text.allTools },
      ...[...new Set([...tools, filter.tool])]
        .filter(Boolean)
        .sort()
        .slice(0, MOST_TOOLS)
        .map(tool => ({ value: tool, label: visible(tool, 60) })),
    ],
    [toolList, filter.tool, text],
  );
  const shown = () =>
    fill(text.count, { shown: grouped(events.value?.length ?? 0), all: grouped(events.value?.all ?? 0) });
  const set = (change: Partial<EventFilter>) => {
    ui.filter.value = { ...filter, ...change };
    actions.announce(shown());
  };
  return (
    <div class="filter-bar">
      <div class="filter-text">
        <TextField
          label={text.text}
          placeholder={text.placeholder}
          value={filter.text}
          onInput={value => set({ text: value })}
        />
        {isFiltering(filter) && (
          <>
            <span class="filter-count">{shown()}</span>
            <IconButton
              icon="close"
              label={text.clear}
              onClick={() => {
                set(NO_FILTER);
                focusList();
              }}
            />
          </>
        )}
      </div>
      <Dropdown
        label={text.kind}
        value={filter.kind}
        choices={KIND_CHOICES}
        onChange={kind => set({ kind: kind as KindFilter })}
      />
      <Dropdown label={text.tool} value={filter.tool} choices={toolChoices} onChange={tool => set({ tool })} />
      <PathPicker path={filter.path} onPick={path => set({ path })} />
    </div>
  );
}

interface PathUse {
  readonly path: string;
  readonly uses: number;
}

function PathPicker({ path, onPick }: { readonly path: string; readonly onPick: (path: string) => void }): VNode {
  const { store } = useApp();
  const text = strings.filter;
  /** Most used first. Counted when the list opens: not with every new row. */
  const items = useCallback((): readonly PathUse[] => {
    const uses = new Map<string, number>();
    for (const target of store.peek()?.context?.targets ?? []) {
      if (target !== "") uses.set(target, (uses.get(target) ?? 0) + 1);
    }
    const paths = [...uses].map(([name, count]) => ({ path: name, uses: count })).sort((a, b) => b.uses - a.uses);
    return [{ path: "", uses: 0 }, ...paths];
  }, [store]);
  const name = path === "" ? text.allPaths : visible(path, 200);
  return (
    <Picker
      className="path-picker"
      label={text.path}
      value={name}
      items={items}
      keyOf={pathOf}
      selected={path}
      textOf={pathOf}
      filterLabel={text.filterPaths}
      noMatch={strings.bar.noMatch}
      rowHeight={24}
      width={400}
      onPick={item => onPick(item.path)}
      renderItem={item => (
        <span class="session-line">
          <span class="session-title">
            <bdi>{item.path === "" ? text.allPaths : visible(item.path, 200)}</bdi>
          </span>
          {item.uses > 0 && <span class="muted">{counted(text.pathUses, item.uses)}</span>}
        </span>
      )}
    >
      <bdi>{path === "" ? name : (name.split(/[\\/]/).at(-1) ?? name)}</bdi>
    </Picker>
  );
}

const pathOf = ({ path }: PathUse) => path;

import type { VNode } from "preact";
import { useCallback, useMemo } from "preact/hooks";
import { gateName } from "../../src/words/outcomeTexts.js";
import type { EventList } from "../lib/eventIndex.js";
import { type EventFilter, fileOf, gateOfKind, isFiltering, KINDS, type KindFilter, NO_FILTER } from "../lib/filter.js";
import { useApp } from "../state/app.js";
import { focusList } from "../ui/dom.js";
import { IconButton } from "../ui/iconButton.js";
import { Dropdown, TextField } from "../ui/kit.js";
import { Picker } from "../ui/picker.js";
import { capitalized, counted, fill, grouped, pathInside, strings, visible } from "../words/pageText.js";

const KIND_CHOICES = KINDS.map(kind => ({ value: kind, label: strings.filter.kinds[kind] }));
/** A log can name any number of tools, more than a dropdown can show. */
const MAX_TOOLS = 100;

/** What the list shows and the timeline does not dim. */
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
        .slice(0, MAX_TOOLS)
        .map(tool => ({ value: tool, label: visible(tool, 60) })),
    ],
    [toolList, filter.tool, text],
  );
  const gate = gateOfKind(filter.kind);
  // Gates are selected next to their figures; only the selected one is listed here.
  const kindChoices = useMemo(
    () =>
      gate === undefined ? KIND_CHOICES : [...KIND_CHOICES, { value: filter.kind, label: capitalized(gateName(gate)) }],
    [gate, filter.kind, text],
  );
  const shown = () => countText(events.value);
  const set = (change: Partial<EventFilter>) => {
    ui.filter.value = { ...filter, ...change };
    actions.announce(shown());
  };
  return (
    <div class="filter-bar">
      <div class="filter-text">
        <TextField
          label={text.text}
          // The count takes its place.
          placeholder={isFiltering(filter) ? "" : text.placeholder}
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
        choices={kindChoices}
        onChange={kind => set({ kind: kind as KindFilter })}
      />
      <Dropdown label={text.tool} value={filter.tool} choices={toolChoices} onChange={tool => set({ tool })} />
      <PathPicker path={filter.path} onPick={path => set({ path })} />
    </div>
  );
}

/** Replaces the filters where there is no room for them. */
export function FilterButton(): VNode {
  const { ui, events } = useApp();
  const text = strings.filter;
  const open = ui.filterOpen.value;
  const filtering = isFiltering(ui.filter.value);
  return (
    <span class="filter-button">
      {filtering && !open && <span class="muted">{countText(events.value)}</span>}
      <IconButton
        icon="filter"
        label={open ? text.hide : text.show}
        pressed={open || filtering}
        onClick={() => {
          ui.filterOpen.value = !open;
          if (!open) focusFilter();
        }}
      />
    </span>
  );
}

/** The field may not exist until the next render. */
export function focusFilter(): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>(".filter-text vscode-text-field")?.focus());
}

function countText(list: EventList | null): string {
  return fill(strings.filter.count, { shown: grouped(list?.length ?? 0), all: grouped(list?.all ?? 0) });
}

interface PathUse {
  readonly path: string;
  readonly uses: number;
}

function PathPicker({ path, onPick }: { readonly path: string; readonly onPick: (path: string) => void }): VNode {
  const { store } = useApp();
  const text = strings.filter;
  /** Most used first. Counted when the list opens, not for every new row. */
  const items = useCallback((): readonly PathUse[] => {
    const context = store.peek()?.context;
    const uses = new Map<string, number>();
    for (let row = 0; context && row < context.rows.length; row++) {
      const file = fileOf(context, row);
      if (file !== undefined) uses.set(file, (uses.get(file) ?? 0) + 1);
    }
    const paths = [...uses].map(([name, count]) => ({ path: name, uses: count })).sort((a, b) => b.uses - a.uses);
    return [{ path: "", uses: 0 }, ...paths];
  }, [store]);
  const { sessions = [], selected } = store.members ?? {};
  const project = sessions.find(({ key }) => key === selected?.session)?.project ?? "";
  const nameOf = (file: string) => (file === "" ? text.allPaths : visible(pathInside(project, file), 200));
  const name = nameOf(path);
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
            <bdi>{nameOf(item.path)}</bdi>
          </span>
          {item.uses > 0 && <span class="muted">{counted(strings.counts.results, item.uses)}</span>}
        </span>
      )}
    >
      <bdi>{path === "" ? name : (name.split(/[\\/]/).at(-1) ?? name)}</bdi>
    </Picker>
  );
}

const pathOf = ({ path }: PathUse) => path;

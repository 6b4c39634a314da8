import type { ComponentChildren, VNode } from "preact";
import { useCallback, useId, useMemo, useRef, useState } from "preact/hooks";
import { movedIndex } from "../lib/movedIndex.js";
import { Icon } from "./icons.js";
import { Popup } from "./popup.js";
import { Option, VirtualRows } from "./virtualRows.js";

export interface PickerProps<T> {
  readonly label: string;
  /** The current choice in words, and as the button shows it. */
  readonly value: string;
  readonly children?: ComponentChildren;
  /** Called when the list opens: it may be long. */
  readonly items: () => readonly T[];
  readonly keyOf: (item: T) => string;
  readonly selected: string | null;
  /** What the filter field searches. */
  readonly textOf: (item: T) => string;
  /** Items of a group are consecutive; only the first one is rendered with the group's name. */
  readonly groupOf?: ((item: T) => string) | undefined;
  readonly renderItem: (item: T, group: string) => ComponentChildren;
  readonly onPick: (item: T) => void;
  readonly filterLabel: string;
  readonly noMatch: string;
  readonly rowHeight: number;
  readonly width: number;
  readonly className?: string;
}

/** A button with a searchable list, for choices that are too many or too complex for a dropdown. */
export function Picker<T>(props: PickerProps<T>): VNode {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = useCallback(() => setOpen(false), []);
  return (
    <span class={`picker ${props.className ?? ""}`}>
      <button
        type="button"
        class="picker-button"
        ref={button}
        aria-haspopup="listbox"
        aria-expanded={open}
        title={`${props.label}: ${props.value}`}
        onClick={() => setOpen(!open)}
        onKeyDown={event => {
          if (event.key !== "ArrowDown" || open) return;
          event.preventDefault();
          setOpen(true);
        }}
      >
        <span class="unseen">{props.label}: </span>
        <span class="picker-value">{props.children ?? <bdi>{props.value}</bdi>}</span>
        <Icon name="chevronDown" />
      </button>
      {open && (
        <Popup anchor={button} onClose={close} width={props.width} label={props.label}>
          <PickerList
            {...props}
            onPick={item => {
              setOpen(false);
              button.current?.focus();
              props.onPick(item);
            }}
          />
        </Popup>
      )}
    </span>
  );
}

function PickerList<T>(props: PickerProps<T>): VNode {
  const { items, keyOf, selected, textOf, groupOf, renderItem, onPick, filterLabel, noMatch, rowHeight } = props;
  const id = useId();
  const [text, setText] = useState("");
  const all = useMemo(items, [items]);
  const shown = useMemo(() => {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length === 0) return all;
    return all.filter(item => {
      const line = textOf(item).toLowerCase();
      return words.every(word => line.includes(word));
    });
  }, [all, text, textOf]);
  const [active, setActive] = useState(() =>
    Math.max(
      0,
      all.findIndex(item => keyOf(item) === selected),
    ),
  );
  const current = Math.min(active, shown.length - 1);
  const optionId = (index: number) => `${id}-${index}`;

  const onKeyDown = (event: KeyboardEvent) => {
    // Home and End belong to the text field.
    const to = /^(Arrow(Down|Up)|Page)/.test(event.key) ? movedIndex(event.key, current, shown.length, 8) : undefined;
    const item = shown[current];
    if (to !== undefined) setActive(to);
    else if (event.key === "Enter" && item !== undefined) onPick(item);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <input
        class="picker-filter"
        type="text"
        role="combobox"
        aria-label={filterLabel}
        placeholder={filterLabel}
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={current >= 0 ? optionId(current) : undefined}
        autocomplete="off"
        spellcheck={false}
        value={text}
        ref={input => input?.focus()}
        onInput={event => {
          setText(event.currentTarget.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
      />
      {shown.length === 0 && <p class="picker-none">{noMatch}</p>}
      <VirtualRows
        count={shown.length}
        rowHeight={rowHeight}
        active={current}
        attributes={{
          class: "picker-list",
          id: `${id}-list`,
          role: "listbox",
          "aria-label": props.label,
          style: { height: `${Math.min(shown.length, 12) * rowHeight}px` },
        }}
        renderRow={index => {
          const item = shown[index] as T;
          const before = shown[index - 1];
          const group = groupOf?.(item) ?? "";
          const begins = before === undefined || groupOf?.(before) !== group;
          return (
            <Option
              key={keyOf(item)}
              id={optionId(index)}
              class={`picker-item${index === current ? " active" : ""}${begins && index > 0 && group ? " begins" : ""}`}
              aria-selected={keyOf(item) === selected}
              aria-setsize={shown.length}
              aria-posinset={index + 1}
              style={{ height: `${rowHeight}px` }}
              onPointerMove={() => setActive(index)}
              onClick={() => onPick(item)}
            >
              {renderItem(item, begins ? group : "")}
            </Option>
          );
        }}
      />
    </>
  );
}

import type { VNode } from "preact";
import { useCallback, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Icon, type IconName } from "./icons.js";
import { Popup } from "./popup.js";

export interface MenuItem {
  readonly label: string;
  readonly onPick: () => void;
}

interface MenuProps {
  readonly icon: IconName;
  readonly label: string;
  readonly items: readonly MenuItem[];
}

/** A toolbar button with a menu. */
export function Menu({ icon, label, items }: MenuProps): VNode {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = useCallback(() => setOpen(false), []);
  return (
    <span class="menu">
      <button
        type="button"
        class="icon-button"
        ref={button}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        title={label}
        onClick={() => setOpen(!open)}
      >
        <Icon name={icon} />
      </button>
      {open && (
        <Popup anchor={button} onClose={close} width={220} label={label}>
          <MenuList
            label={label}
            items={items}
            onPicked={() => {
              setOpen(false);
              button.current?.focus();
            }}
          />
        </Popup>
      )}
    </span>
  );
}

function MenuList({ label, items, onPicked }: Pick<MenuProps, "label" | "items"> & { onPicked: () => void }): VNode {
  const list = useRef<HTMLDivElement>(null);
  const buttons = () => [...(list.current?.querySelectorAll("button") ?? [])];
  // Before it is drawn: a key that is pressed at once applies to it. It has no place yet to scroll to.
  useLayoutEffect(() => list.current?.querySelector("button")?.focus({ preventScroll: true }), []);
  const onKeyDown = (event: KeyboardEvent) => {
    const all = buttons();
    const at = all.indexOf(document.activeElement as HTMLButtonElement);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const to = event.key === "Home" ? 0 : event.key === "End" ? -1 : step === undefined ? undefined : at + step;
    if (to === undefined) return;
    event.preventDefault();
    all.at(to % all.length)?.focus();
  };
  return (
    <div class="menu-list" role="menu" tabIndex={-1} aria-label={label} ref={list} onKeyDown={onKeyDown}>
      {items.map(item => (
        <button
          key={item.label}
          type="button"
          class="menu-item"
          role="menuitem"
          tabIndex={-1}
          onClick={() => {
            onPicked();
            item.onPick();
          }}
        >
          {item.label}
        </button>
      ))}
    </div>
  );
}

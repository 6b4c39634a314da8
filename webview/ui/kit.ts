/**
 * The page's form controls. The only file that knows the toolkit: that is archived upstream, and replacing it must only
 * affect this file. Every control needs a label, for users who cannot see it.
 */
import {
  provideVSCodeDesignSystem,
  vsCodeButton,
  vsCodeDropdown,
  vsCodeOption,
  vsCodePanels,
  vsCodePanelTab,
  vsCodePanelView,
  vsCodeProgressRing,
  vsCodeTextField,
} from "@vscode/webview-ui-toolkit";
import { type ComponentChildren, h, type JSX, type RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

provideVSCodeDesignSystem().register(
  vsCodeButton(),
  vsCodeDropdown(),
  vsCodeOption(),
  vsCodePanels(),
  vsCodePanelTab(),
  vsCodePanelView(),
  vsCodeProgressRing(),
  vsCodeTextField(),
);

export interface ButtonProps {
  readonly label: string;
  /** At most one per view: what users want most often. */
  readonly primary?: boolean;
  readonly disabled?: boolean;
  readonly title?: string;
  readonly onClick: () => void;
}

export function Button({ label, primary = false, disabled = false, title, onClick }: ButtonProps): JSX.Element {
  return h(
    "vscode-button",
    {
      appearance: primary ? "primary" : "secondary",
      // A button that is disabled by its own click would lose the focus with the attribute `disabled`.
      "aria-disabled": disabled ? "true" : undefined,
      title,
      onClick: disabled ? undefined : onClick,
    },
    label,
  );
}

export interface Choice {
  readonly value: string;
  readonly label: string;
}

export interface DropdownProps {
  readonly label: string;
  readonly value: string;
  readonly choices: readonly Choice[];
  readonly onChange: (value: string) => void;
}

export function Dropdown({ label, value, choices, onChange }: DropdownProps): JSX.Element {
  const element = useRef<HTMLSelectElement>(null);
  // The element accepts a value only once it has noticed its options, a moment after they are added.
  useLayoutEffect(() => {
    const dropdown = element.current;
    if (dropdown === null) return;
    const apply = () => {
      if (dropdown.value !== value) dropdown.value = value;
    };
    apply();
    const frame = requestAnimationFrame(apply);
    return () => cancelAnimationFrame(frame);
  }, [value, choices]);
  return h(
    "vscode-dropdown",
    {
      ref: element,
      "aria-label": label,
      title: label,
      onChange: (event: Event) => onChange((event.target as HTMLSelectElement).value),
    },
    choices.map(choice => h("vscode-option", { key: choice.value, value: choice.value }, choice.label)),
  );
}

export interface TextFieldProps {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly onEnter?: (event: KeyboardEvent) => void;
}

export function TextField({ label, placeholder, value, onInput, onEnter }: TextFieldProps): JSX.Element {
  return h("vscode-text-field", {
    ref: useAttributes({ "aria-label": label }),
    placeholder,
    value,
    onInput: (event: Event) => onInput((event.target as HTMLInputElement).value),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === "Enter") onEnter?.(event);
      if (event.key !== "Escape" || value === "") return;
      event.stopPropagation();
      onInput("");
    },
  });
}

export interface TabsProps<Id extends string> {
  readonly label: string;
  readonly tabs: readonly { readonly id: Id; readonly label: string }[];
  readonly active: Id;
  readonly onChange: (id: Id) => void;
  /** The active tab's contents. */
  readonly children: ComponentChildren;
}

export function Tabs<Id extends string>({ label, tabs, active, onChange, children }: TabsProps<Id>): JSX.Element {
  const idOf = (tab: string) => `tab-${tab}`;
  return h(
    "vscode-panels",
    {
      class: "tabs",
      "aria-label": label,
      activeid: idOf(active),
      onChange: (event: Event) => {
        // Controls inside a tab have change events too.
        if ((event.target as Element).localName !== "vscode-panels") return;
        const chosen = (event as CustomEvent<{ id?: string } | undefined>).detail?.id;
        const tab = tabs.find(({ id }) => idOf(id) === chosen);
        if (tab !== undefined && tab.id !== active) onChange(tab.id);
      },
    },
    tabs.map(tab => h("vscode-panel-tab", { key: tab.id, id: idOf(tab.id) }, tab.label)),
    tabs.map(tab =>
      h("vscode-panel-view", { key: `${tab.id}-view`, id: `view-${tab.id}` }, tab.id === active && children),
    ),
  );
}

export function Progress({ label }: { readonly label: string }): JSX.Element {
  // By default it would be an alert and interrupt what is being read out.
  return h("vscode-progress-ring", {
    ref: useAttributes({ "aria-label": label, role: "progressbar", "aria-live": "off" }),
  });
}

/** Some elements overwrite our attributes when they are connected, so ours are set after that. */
function useAttributes(attributes: Readonly<Record<string, string>>): RefObject<HTMLElement> {
  const element = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    for (const [name, value] of Object.entries(attributes)) element.current?.setAttribute(name, value);
  });
  return element;
}

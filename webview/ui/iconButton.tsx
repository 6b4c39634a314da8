import type { RefObject, VNode } from "preact";
import { Icon, type IconName } from "./icons.js";

interface IconButtonProps {
  readonly icon: IconName;
  readonly label: string;
  readonly onClick: () => void;
  readonly disabled?: boolean;
  /** For a toggle: whether it is on. */
  readonly pressed?: boolean;
  /** For a button that opens a box: whether it is open. */
  readonly expanded?: boolean;
  /** Text next to the icon, if there is room for it. */
  readonly text?: string | undefined;
  readonly button?: RefObject<HTMLButtonElement>;
}

/** A toolbar button. */
export function IconButton(props: IconButtonProps): VNode {
  const { icon, label, onClick, disabled, pressed, expanded, text, button } = props;
  return (
    <button
      type="button"
      ref={button ?? null}
      class={text === undefined ? "icon-button" : "icon-button with-text"}
      aria-label={text === undefined ? label : `${text}: ${label}`}
      aria-pressed={pressed}
      aria-expanded={expanded}
      title={label}
      disabled={disabled}
      onClick={onClick}
    >
      <Icon name={icon} />
      {text !== undefined && <span class="button-text">{text}</span>}
    </button>
  );
}

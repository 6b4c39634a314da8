import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { useApp } from "../state/app.js";
import { focusList } from "../ui/dom.js";
import { useFocusKept, useFocusLeaving } from "../ui/hooks.js";
import { IconButton } from "../ui/iconButton.js";
import { Icon } from "../ui/icons.js";
import { counted, strings, visible } from "../words/pageText.js";

const SHOWN = 2;

/** What went wrong, one line each; the page's own problems can be dismissed. */
export function Problems(): VNode | null {
  const { store, ui } = useApp();
  const [all, setAll] = useState(false);
  // The line that the last button is in depends on how many there are.
  const section = useFocusKept<HTMLElement>(() => {
    const button = section.current?.querySelector<HTMLElement>(".link");
    if (button) button.focus();
    else focusList();
  });
  const text = strings.problems;
  const { badLines = 0, leftOutLines = 0 } = store.context ?? {};
  const lasting = [
    ...(ui.connected.value ? [] : [strings.app.connectionLost]),
    ...(store.members?.problems ?? []),
    ...(badLines > 0 ? [counted(text.badLines, badLines)] : []),
    ...(leftOutLines > 0 ? [counted(text.leftOutLines, leftOutLines)] : []),
  ].map(line => ({ line, dismiss: undefined }));
  const passing = ui.notices.value.map((line, index) => ({
    line,
    dismiss: () => {
      ui.notices.value = ui.notices.value.filter((_, at) => at !== index);
    },
  }));
  const lines = [...passing, ...lasting];
  if (lines.length === 0) return null;
  const shown = lines.slice(0, all ? lines.length : SHOWN);
  return (
    <section class="problems" ref={section} aria-label={text.label}>
      {shown.map(({ line, dismiss }, index) => (
        <p key={index} class="problem">
          <Icon name="warning" />
          <span class="problem-text">{visible(line, 500)}</span>
          {dismiss && <Dismiss onClick={dismiss} />}
          {index === shown.length - 1 && lines.length > SHOWN && (
            <button type="button" class="link" onClick={() => setAll(!all)}>
              {all ? text.fewer : counted(strings.counts.more, lines.length - SHOWN)}
            </button>
          )}
        </p>
      ))}
    </section>
  );
}

function Dismiss({ onClick }: { readonly onClick: () => void }): VNode {
  const button = useFocusLeaving<HTMLButtonElement>();
  return <IconButton icon="close" label={strings.app.dismiss} button={button} onClick={onClick} />;
}

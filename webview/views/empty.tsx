import type { VNode } from "preact";
import { useApp } from "../state/app.js";
import { Button } from "../ui/kit.js";
import { strings, visible } from "../words/pageText.js";

/** No sessions at all: where we looked, what will happen next, and a sample in the meantime. */
export function Empty(): VNode {
  const { store, actions } = useApp();
  const text = strings.empty;
  const roots = store.members?.roots ?? [];
  return (
    <div class="state empty">
      <h1>{text.title}</h1>
      {roots.length === 0 ? (
        <p>{text.nowhere}</p>
      ) : (
        <>
          <p>{text.searchedIn}</p>
          <ul class="roots">
            {roots.map(root => (
              <li key={root}>
                <code>
                  <bdi>{visible(root, 300)}</bdi>
                </code>
              </li>
            ))}
          </ul>
        </>
      )}
      <p>{text.what}</p>
      <div class="state-actions">
        <Button primary label={text.sample} onClick={() => actions.openSample()} />
        {!actions.inBrowser && <Button label={text.settings} onClick={() => actions.openSettings()} />}
      </div>
    </div>
  );
}

/** There are sessions, but none is selected. */
export function NothingChosen(): VNode {
  return (
    <div class="state">
      <h1>{strings.empty.pick}</h1>
    </div>
  );
}

/** A log without a conversation, such as one that has only just been created. */
export function NothingSaid(): VNode {
  return (
    <div class="state">
      <h1>{strings.empty.noMessages}</h1>
    </div>
  );
}

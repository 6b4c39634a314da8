import type { VNode } from "preact";
import { useApp } from "../state/app.js";
import { SCOPES } from "../state/ui.js";
import { strings } from "../words/pageText.js";

/** Whether figures are about the conversation shown or about all sessions. */
export function ScopeSwitch(): VNode {
  const { ui } = useApp();
  const text = strings.whatIf;
  return (
    <fieldset class="segments scope">
      <legend class="unseen">{text.scope}</legend>
      {SCOPES.map(scope => (
        <label key={scope} class="segment">
          <input
            type="radio"
            name="scope"
            checked={scope === ui.scope.value}
            onChange={() => {
              ui.scope.value = scope;
            }}
          />
          <span>{scope === "all" ? text.everywhere : text.here}</span>
        </label>
      ))}
    </fieldset>
  );
}

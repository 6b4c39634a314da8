import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { LiveHintsOffer, OfferedPlace } from "../../src/protocol/requests.js";
import { aboutLiveHints } from "../../src/words/liveHintsTexts.js";
import { useApp } from "../state/app.js";
import type { Ui } from "../state/ui.js";
import { useFocusLeaving } from "../ui/hooks.js";
import { Button } from "../ui/kit.js";
import { fill, strings, visible } from "../words/pageText.js";
import { OverlayFrame, useAnswer } from "./overlay.js";

const MAX_PATH = 400;
const MAX_LINE = 2000;

/** In a browser: what live hints do, where to turn them on or off, and what exactly that would change. */
export function LiveHintsView({ on }: { readonly on: boolean }): VNode {
  const text = strings.liveHints;
  const offer = useAnswer({ method: "offerLiveHints", on }, text.cannotPlan);
  return (
    <OverlayFrame label={on ? text.on : text.off}>
      {offer === undefined || offer instanceof Error ? (
        <p class="nothing">{offer?.message ?? text.planning}</p>
      ) : (
        <Offer of={offer} on={on} />
      )}
    </OverlayFrame>
  );
}

function Offer({ of, on }: { readonly of: LiveHintsOffer; readonly on: boolean }): VNode {
  const { actions, ui } = useApp();
  const text = strings.liveHints;
  // The offer may be repeated while the user reads it.
  const [wanted, setWanted] = useState<string>();
  const possible = of.places.filter(({ problem }) => problem === null);
  const picked = possible.find(({ file }) => file === wanted) ?? possible[0];
  const close = () => {
    ui.overlay.value = null;
  };
  return (
    <div class="live-hints">
      {on && aboutLiveHints(of.saved).map(sentence => <p key={sentence}>{sentence}</p>)}
      {of.plugins.map(({ id, removal }) => (
        <p key={id}>{fill(text.throughPlugin, { id: visible(id, MAX_PATH), command: visible(removal, MAX_PATH) })}</p>
      ))}
      {of.places.length > 0 && (
        <fieldset class="live-hints-places">
          <legend>{text.where}</legend>
          {of.places.map(place => (
            <Place key={place.file} of={place} picked={place === picked} onPick={() => setWanted(place.file)} />
          ))}
        </fieldset>
      )}
      {of.places.length === 0 && of.plugins.length === 0 && (
        <p>{fill(text.nowhere, { why: on ? text.alreadyOn : text.alreadyOff })}</p>
      )}
      {picked && (
        <>
          {picked.scope === "project" && <p>{text.shared}</p>}
          <p class="muted">{fill(text.changes, { file: visible(picked.file, MAX_PATH) })}</p>
          <details>
            <summary>{text.showChange}</summary>
            <Change of={picked} />
          </details>
        </>
      )}
      <div class="live-hints-actions">
        {picked && (
          <Button
            primary
            label={on ? text.turnOn : text.turnOff}
            onClick={() => actions.acceptLiveHints(of, picked, on)}
          />
        )}
        <Button label={text.cancel} onClick={close} />
      </div>
    </div>
  );
}

interface PlaceProps {
  readonly of: OfferedPlace;
  readonly picked: boolean;
  readonly onPick: () => void;
}

function Place({ of: { scope, file, problem }, picked, onPick }: PlaceProps): VNode {
  return (
    <label class="live-hints-place">
      <input type="radio" name="scope" checked={picked} disabled={problem !== null} onChange={onPick} />
      <span>
        {strings.liveHints.scopes[scope]}
        <span class="muted"> {visible(problem ?? file, MAX_PATH)}</span>
      </span>
    </label>
  );
}

const KINDS = { "+": "added", "-": "removed", " ": "kept" } as const;

function Change({ of }: { readonly of: OfferedPlace }): VNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: text that scrolls must be reachable by keyboard.
    <section class="change" tabIndex={0} aria-label={strings.liveHints.showChange}>
      {of.change.map(({ sign, text }, index) => (
        <div key={index} class={`compare-line ${KINDS[sign]}`}>
          {sign} {visible(text, MAX_LINE)}
        </div>
      ))}
    </section>
  );
}

/** What was done, with Undo. */
export function LiveHintsLine(): VNode | null {
  const done = useApp().ui.liveHintsDone.value;
  return done && <Done {...done} />;
}

function Done({ file, on }: NonNullable<Ui["liveHintsDone"]["value"]>): VNode {
  const { ui, actions } = useApp();
  const text = strings.liveHints;
  const line = useFocusLeaving<HTMLDivElement>();
  return (
    <div class="reading-line live-hints-line" ref={line}>
      <span>{fill(on ? text.isOn : text.isOff, { file: visible(file, MAX_PATH) })}</span>
      <button type="button" class="link" onClick={() => actions.undoLiveHints(file, on)}>
        {text.undo}
      </button>
      <button
        type="button"
        class="link"
        onClick={() => {
          ui.liveHintsDone.value = null;
        }}
      >
        {strings.app.dismiss}
      </button>
    </div>
  );
}

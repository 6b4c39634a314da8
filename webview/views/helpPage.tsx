import type { VNode } from "preact";
import { useCallback, useRef } from "preact/hooks";
import { useApp } from "../state/app.js";
import { IconButton } from "../ui/iconButton.js";
import { GlyphIcon } from "../ui/icons.js";
import { Popup } from "../ui/popup.js";
import type { Glyph } from "../words/callFacts.js";
import { strings } from "../words/pageText.js";

/** Every mark with its meaning, and the keys. */
export function Help(): VNode {
  const { ui } = useApp();
  const anchor = useRef<HTMLButtonElement>(null);
  const close = useCallback(() => {
    ui.help.value = false;
  }, [ui]);
  const text = strings.help;
  return (
    <span class="menu">
      <IconButton
        icon="help"
        button={anchor}
        label={text.label}
        expanded={ui.help.value}
        onClick={() => {
          ui.help.value = !ui.help.value;
        }}
      />
      {ui.help.value && (
        <Popup anchor={anchor} onClose={close} width={520} label={text.label}>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a text that scrolls must be reachable by keyboard. */}
          <div class="help" tabIndex={0} ref={element => element?.focus()}>
            <section>
              <h2>{text.marks}</h2>
              <dl>
                {MARKS.map(([glyph, meaning]) => (
                  <div key={glyph}>
                    <dt>
                      <GlyphIcon glyph={glyph} />
                    </dt>
                    <dd>{meaning()}</dd>
                  </div>
                ))}
              </dl>
              <p class="muted">{text.size}</p>
            </section>
            <section>
              {KEYS.map(([title, keys]) => (
                <div key={title}>
                  <h2>{text[title]}</h2>
                  <dl>
                    {keys.map(([names, does]) => (
                      <div key={does}>
                        <dt>
                          {names.map(name => (
                            <kbd key={name}>{name}</kbd>
                          ))}
                        </dt>
                        <dd>{text[does]}</dd>
                      </div>
                    ))}
                  </dl>
                </div>
              ))}
            </section>
          </div>
        </Popup>
      )}
    </span>
  );
}

const { outcomes, help } = strings;

/** Read when it is shown: by then the texts are translated. */
const MARKS: readonly (readonly [Glyph, () => string])[] = [
  ["hit", () => outcomes.hit.summary],
  ["nearHit", () => outcomes.nearHit.summary],
  ["miss", () => outcomes["miss:new"].summary],
  ["forgone", () => help.forgone],
  ["native", () => outcomes["bypass:native"].summary],
  ["realised", () => outcomes["bypass:realised"].summary],
  ["bypass", () => help.bypass],
  ["invalidate", () => help.invalidate],
  ["boundary", () => help.boundary],
  ["rewind", () => help.rewind],
  ["clear", () => help.clear],
];

type Help = keyof typeof help;

const KEYS: readonly (readonly [Help, readonly (readonly [readonly string[], Help])[]])[] = [
  [
    "everywhere",
    [
      [["H", "Shift+H"], "hits"],
      [["R"], "reference"],
      [["+", "−", "0"], "zoom"],
      [["/"], "filter"],
      [["?"], "help"],
    ],
  ],
  [
    "inList",
    [
      [["↑", "↓"], "rows"],
      [["Enter"], "open"],
      [["→"], "reference"],
      [["←"], "back"],
      [["Esc"], "deselect"],
    ],
  ],
  [
    "inTimeline",
    [
      [["←", "→"], "results"],
      [["↑", "↓"], "lanes"],
      [["Page Up", "Page Down"], "partitions"],
      [["Home", "End"], "ends"],
    ],
  ],
];

/** What the status bar says of the live session. */
import type { LiveFigures } from "../inspect/contextUse.js";
import { clockTime, percent, short } from "./numbers.js";
import { strings } from "./strings.js";
import { fill, tokensText } from "./text.js";

export interface StatusTexts {
  /** In a few words; "" where there is nothing to say. */
  readonly text: string;
  /** The same in sentences. */
  readonly lines: readonly string[];
}

/** `now` in milliseconds. What is zero or unknown is left out. */
export function statusTexts({ tokens, savedTokens, realisedTokens, use }: LiveFigures, now: number): StatusTexts {
  const text = strings.status;
  const parts: string[] = [];
  const lines: string[] = [];
  if (use !== undefined) {
    const { tokens: used, window, cachedUntil = 0 } = use;
    parts.push(window === undefined ? short(used) : percent(used, window));
    lines.push(
      window === undefined
        ? fill(text.context, { used: short(used) })
        : fill(text.contextOf, { used: short(used), window: short(window).replace(".0", "") }),
    );
    if (cachedUntil * 1000 > now) lines.push(fill(text.cachedUntil, { time: clockTime(cachedUntil) }));
  }
  if (savedTokens > 0) {
    const share = percent(savedTokens, tokens);
    parts.push(fill(text.repeats, { share }));
    lines.push(fill(text.couldSave, { saved: tokensText(savedTokens), share }));
  }
  if (realisedTokens > 0) {
    parts.push(fill(text.saved, { saved: short(realisedTokens) }));
    lines.push(fill(text.liveSaved, { saved: tokensText(realisedTokens) }));
  }
  return { text: parts.join(" · "), lines };
}

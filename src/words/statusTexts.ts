/** What the status bar and Claude Code's status line show for the live session. */
import type { LiveFigures } from "../inspect/contextUse.js";
import { clockTime, percent, short } from "./numbers.js";
import { statusStrings as text } from "./statusStrings.js";
import { fill, tokensText } from "./text.js";

export interface StatusTexts {
  readonly text: string;
  /** The same in sentences. */
  readonly lines: readonly string[];
}

/** In a few words; "" if there is nothing to show. Omits anything zero or unknown. */
export function statusText({ tokens, savedTokens, realisedTokens, use }: LiveFigures): string {
  const parts: string[] = [];
  if (use !== undefined) parts.push(use.window === undefined ? short(use.tokens) : percent(use.tokens, use.window));
  if (savedTokens > 0) parts.push(fill(text.repeats, { share: percent(savedTokens, tokens) }));
  if (realisedTokens > 0) parts.push(fill(text.saved, { saved: short(realisedTokens) }));
  return parts.join(" · ");
}

/** `now` in milliseconds. */
export function statusTexts(figures: LiveFigures, now: number): StatusTexts {
  const { tokens, savedTokens, realisedTokens, use } = figures;
  const lines: string[] = [];
  if (use !== undefined) {
    const { tokens: used, window, cachedUntil = 0 } = use;
    lines.push(
      window === undefined
        ? fill(text.context, { used: short(used) })
        : fill(text.contextOf, { used: short(used), window: short(window).replace(".0", "") }),
    );
    if (cachedUntil * 1000 > now) lines.push(fill(text.cachedUntil, { time: clockTime(cachedUntil) }));
  }
  if (savedTokens > 0) {
    const share = percent(savedTokens, tokens);
    lines.push(fill(text.couldSave, { saved: tokensText(savedTokens), share }));
  }
  if (realisedTokens > 0) {
    lines.push(fill(text.liveSaved, { saved: tokensText(realisedTokens) }));
  }
  return { text: statusText(figures), lines };
}

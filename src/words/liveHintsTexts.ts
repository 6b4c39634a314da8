import type { SavedInSessions } from "../inspect/figures.js";
import { percent } from "./numbers.js";
import { strings } from "./strings.js";
import { counted, fill, tokensText } from "./text.js";

/** What live hints do, in two sentences, and what they would have saved in the user's own sessions. */
export function aboutLiveHints(of: SavedInSessions | null): string[] {
  const text = strings.liveHints;
  if (of === null || of.savedTokens === 0) return [text.whatTheyDo];
  const figures = {
    sessions: counted(strings.counts.sessions, of.sessions),
    saved: tokensText(of.savedTokens),
    share: percent(of.savedTokens, of.tokens),
    whole: tokensText(of.wholeTokens),
    lines: tokensText(of.savedTokens - of.wholeTokens),
  };
  return [text.whatTheyDo, fill(text.wouldHaveSaved, figures)];
}

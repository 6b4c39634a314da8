/** Lets the user pick a session from a quick pick. */
import { type QuickPickItem, QuickPickItemKind, window } from "vscode";
import { groupsOf } from "../inspect/sessionList.js";
import type { SessionItem } from "../protocol/messages.js";
import { strings } from "../words/strings.js";
import { counted, fill, tokensText, visible } from "../words/text.js";
import { texts } from "./vscodeStrings.js";

interface SessionPick extends QuickPickItem {
  readonly key?: string;
}

/** The key of the picked session; undefined if the list was closed. */
export async function pickSession(
  items: Promise<readonly SessionItem[]>,
  now: string | undefined,
): Promise<string | undefined> {
  const picks = items.then(all => picksOf(all, now));
  const { placeholder } = texts.sessions;
  const options = { placeHolder: placeholder, matchOnDescription: true, matchOnDetail: true };
  return (await window.showQuickPick(picks, options))?.key;
}

function picksOf(all: readonly SessionItem[], now: string | undefined): SessionPick[] {
  const [here, others] = groupsOf(all);
  const { thisFolder, otherFolders } = strings.bar;
  const picks = (items: readonly SessionItem[]) => items.map(item => pickOf(item, item.key === now));
  if (here.length === 0 || others.length === 0) return picks(all);
  return [heading(thisFolder), ...picks(here), heading(otherFolders), ...picks(others)];
}

function heading(label: string): SessionPick {
  return { label, kind: QuickPickItemKind.Separator };
}

function pickOf(item: SessionItem, isShown: boolean): SessionPick {
  const { shown, sample, live, detail } = texts.sessions;
  const { counts, bar } = strings;
  const last = new Date(item.lastAt);
  const when = Number.isNaN(last.getTime()) ? "" : last.toLocaleString();
  return {
    key: item.key,
    label: `${item.live ? "$(circle-filled) " : ""}${plain(item.title) || bar.noTitle}`,
    // `picked` would only mark a choice among several.
    description: [isShown ? shown : "", item.sample ? sample : "", plain(item.project), item.live ? live : when]
      .filter(part => part !== "")
      .join(" · "),
    detail: fill(detail, {
      results: counted(counts.results, item.results),
      repeats: counted(counts.repeats, item.repeats),
      saved: tokensText(item.savedTokens),
    }),
  };
}

/** Text from a log on one line, escaped: VS Code would render `$(name)` as an icon. */
function plain(text: string): string {
  return visible(text, 200).replaceAll("$(", "$\u200b(").trim();
}

/** Live hints in the browser page: the change is shown first, and nothing else is written. */
import { type Change, install, isChange, planInstall, planUninstall, uninstall } from "../hook/install/installer.js";
import { lineDiff } from "../hook/install/lineDiff.js";
import {
  activePlugins,
  isOnAt,
  type LiveHintsPlace,
  liveHintsPlaces,
  liveHintsState,
  removalOf,
} from "../hook/install/places.js";
import type { SavedInSessions } from "../inspect/figures.js";
import { savedIn } from "../inspect/sessionList.js";
import { messageOf } from "../protocol/channel.js";
import type { SessionItem } from "../protocol/messages.js";
import type { LiveHintsOffer, OfferedPlace } from "../protocol/requests.js";
import type { LiveHintsState } from "../settings/liveSettings.js";

export interface LiveHintsParts {
  /** The folder that the server was started in. */
  readonly project: string;
  /** The hook program to copy. */
  readonly shipped: string;
  sessions(): Promise<readonly SessionItem[]>;
}

export class LiveHints {
  readonly #parts: LiveHintsParts;
  #lastNumber = 0;
  /** What was last shown: a page refers to it by number, so that nothing else is ever written. */
  #offered:
    | { readonly number: number; readonly on: boolean; readonly changes: readonly (Change | undefined)[] }
    | undefined;

  constructor(parts: LiveHintsParts) {
    this.#parts = parts;
  }

  get state(): LiveHintsState {
    return liveHintsState(this.#places);
  }

  /** Only where it applies. */
  async offer(on: boolean): Promise<LiveHintsOffer> {
    const saved: SavedInSessions | null = on ? await this.#saved() : null;
    // By place: there are several of the same scope if Claude Code has several folders.
    const changes: (Change | undefined)[] = [];
    const places = this.#places
      .filter(place => place.problem !== undefined || isOnAt(place) !== on)
      .map((place): OfferedPlace => {
        const { scope, file } = place;
        try {
          const change = plannedAt(place, on);
          changes.push(change);
          return { scope, file, change: lineDiff(change), problem: null };
        } catch (error) {
          changes.push(undefined);
          return { scope, file, change: [], problem: messageOf(error) };
        }
      });
    const number = ++this.#lastNumber;
    this.#offered = { number, on, changes };
    const plugins = activePlugins(this.#places).map(plugin => ({ id: plugin.id, removal: removalOf(plugin) }));
    return { number, places, saved, plugins };
  }

  /** Writes what was shown, or nothing. */
  async accept(number: number, place: number): Promise<void> {
    const change = this.#offered?.number === number ? this.#offered.changes[place] : undefined;
    if (this.#offered === undefined || change === undefined)
      throw new Error("this change was shown too long ago; try again");
    const { on } = this.#offered;
    this.#offered = undefined;
    if (on) await install(change, this.#parts.shipped, chosen => chosen);
    else await uninstall(change);
  }

  get #places(): LiveHintsPlace[] {
    return liveHintsPlaces(this.#parts.project);
  }

  async #saved(): Promise<SavedInSessions | null> {
    return this.#parts.sessions().then(savedIn, () => null);
  }
}

function plannedAt({ file, problem }: LiveHintsPlace, on: boolean): Change {
  if (problem !== undefined) throw new Error(problem);
  const change = on ? planInstall(file) : planUninstall(file);
  if (!isChange(change)) throw new Error(`${file}: nothing to change`);
  return change;
}

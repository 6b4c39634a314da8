/** The result that commands are about: the one last pointed at, in a page or in a transcript. */
import { commands } from "vscode";
import { CONTEXT_KEYS } from "./ids.js";
import type { CallPlace } from "./place.js";

export class SelectedCall {
  #place: CallPlace | undefined;

  get place(): CallPlace | undefined {
    return this.#place;
  }

  set(place: CallPlace | undefined): void {
    const had = this.#place !== undefined;
    this.#place = place;
    if (had !== (place !== undefined)) {
      void commands.executeCommand("setContext", CONTEXT_KEYS.hasSelection, place !== undefined);
    }
  }
}

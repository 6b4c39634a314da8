/** References to calls, and the selected call: the one last selected in a page or in a transcript. */
import { commands } from "vscode";
import type { ContextRef } from "../protocol/requests.js";
import { CONTEXT_KEYS } from "./ids.js";

export interface CallRef extends ContextRef {
  readonly row: number;
}

export function sameContext(left: ContextRef | undefined, right: ContextRef): boolean {
  return left?.session === right.session && left.context === right.context;
}

/** What commands apply to, unless they are passed another call. */
export class SelectedCall {
  #call: CallRef | undefined;

  get call(): CallRef | undefined {
    return this.#call;
  }

  /** For a page that shows `before` in new data. Returns false if another call has been selected elsewhere since. */
  restore(call: CallRef, before: CallRef | undefined): boolean {
    if (this.#call !== undefined && this.#call !== before) return false;
    this.set(call);
    return true;
  }

  /** The page in which this call was selected shows something else now. */
  forget(call: CallRef | undefined): void {
    if (this.#call === call) this.set(undefined);
  }

  /** The user has cleared the selection there. */
  clear(of: ContextRef): void {
    if (sameContext(this.#call, of)) this.set(undefined);
  }

  set(call: CallRef | undefined): void {
    const had = this.#call !== undefined;
    this.#call = call;
    if (had !== (call !== undefined)) {
      void commands.executeCommand("setContext", CONTEXT_KEYS.hasSelection, call !== undefined);
    }
  }
}

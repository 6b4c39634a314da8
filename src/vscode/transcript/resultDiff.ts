/** A result next to the one it refers to, in VS Code's diff editor. */
import { commands, type Uri } from "vscode";
import type { RunStrategy } from "../../inspect/strategies.js";
import type { ComparedTexts } from "../../protocol/requests.js";
import type { EngineHost } from "../engineHost.js";
import type { CallRef } from "../selectedCall.js";
import { type ResultName, uriOf } from "./uri.js";

/** With a strategy, the result is compared with what the model would get. */
type Compared = CallRef & { readonly strategy?: RunStrategy };

export class ResultDiff {
  readonly #engine: EngineHost;
  /** VS Code requests both sides at nearly the same time: one answer serves both. */
  #last: { readonly of: string; readonly texts: Promise<ComparedTexts> } | undefined;

  constructor(engine: EngineHost) {
    this.#engine = engine;
  }

  /** The settings or the logs have changed: the last answer is stale. */
  forget(): void {
    this.#last = undefined;
  }

  async show(place: CallRef, strategy?: RunStrategy): Promise<void> {
    const compared = { ...place, ...(strategy && { strategy }) };
    const { left, right } = await this.#texts(compared);
    const uri = (side: ResultName["side"], label: string): Uri => uriOf({ kind: "result", ...compared, side }, label);
    const title = `${left.title} ↔ ${right.title}`;
    const options = { preview: true };
    await commands.executeCommand("vscode.diff", uri("left", left.title), uri("right", right.title), title, options);
  }

  async text({ session, context, row, side, strategy }: ResultName): Promise<string> {
    const both = await this.#texts({ session, context, row, ...(strategy && { strategy }) });
    return both[side].text;
  }

  #texts(place: Compared): Promise<ComparedTexts> {
    const of = JSON.stringify(place);
    if (this.#last?.of === of) return this.#last.texts;
    const { row, strategy } = place;
    const asked = this.#engine.askAbout(place, { method: "compare", row, ...(strategy && { strategy }) });
    this.#last = { of, texts: asked };
    asked.catch(() => {
      // Let the next attempt retry.
      if (this.#last?.texts === asked) this.#last = undefined;
    });
    return asked;
  }
}

/** A result beside the one it refers to, in VS Code's own diff. */
import { commands, type Uri } from "vscode";
import type { SpanStrategy } from "../../inspect/strategies.js";
import type { ComparedTexts } from "../../protocol/messages.js";
import type { EngineHost } from "../engineHost.js";
import type { CallPlace } from "../place.js";
import { type ResultName, uriOf } from "./uri.js";

/** With a strategy: beside what the model would be given. */
type Compared = CallPlace & { readonly strategy?: SpanStrategy };

export class Comparison {
  readonly #engine: EngineHost;
  /** Both sides are asked for at nearly the same time: one answer serves both. */
  #last: { readonly of: string; readonly texts: Promise<ComparedTexts> } | undefined;

  constructor(engine: EngineHost) {
    this.#engine = engine;
  }

  /** Settings or logs are other ones: what was answered before is void. */
  forget(): void {
    this.#last = undefined;
  }

  async show(place: CallPlace, strategy?: SpanStrategy): Promise<void> {
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
    const asked = this.#engine.ask({ name: "compare", ...place }) as Promise<ComparedTexts>;
    this.#last = { of, texts: asked };
    asked.catch(() => {
      // The next try asks again.
      if (this.#last?.texts === asked) this.#last = undefined;
    });
    return asked;
  }
}

/** The texts of one context exactly as the model has them, for comparison with hints. */

/** No model's context is larger. */
const MAX_CHARS = 8 << 20;

interface CallTexts {
  result?: string | undefined;
  readonly inputs: ReadonlyMap<string, string>;
}

export class Texts {
  /** By the call's id, oldest first. */
  readonly #calls = new Map<string, CallTexts>();
  #chars = 0;

  get chars(): number {
    return this.#chars;
  }

  addCall(id: string, inputs: readonly (readonly [key: string, text: string])[]): void {
    this.drop(id);
    this.#calls.set(id, { inputs: new Map(inputs) });
    this.#grow(inputs.reduce((sum, [, text]) => sum + text.length, 0));
  }

  addResult(id: string, text: string): void {
    const call = this.#calls.get(id);
    if (call === undefined) return;
    this.#chars -= call.result?.length ?? 0;
    call.result = text;
    this.#grow(text.length);
  }

  textOf(id: string, input: string | undefined): string | undefined {
    const call = this.#calls.get(id);
    return input === undefined ? call?.result : call?.inputs.get(input);
  }

  get ids(): string[] {
    return [...this.#calls.keys()];
  }

  drop(id: string): void {
    const call = this.#calls.get(id);
    if (call === undefined) return;
    this.#chars -= call.result?.length ?? 0;
    for (const text of call.inputs.values()) this.#chars -= text.length;
    this.#calls.delete(id);
  }

  #grow(chars: number): void {
    this.#chars += chars;
    for (const [id] of this.#calls) {
      if (this.#chars <= MAX_CHARS) return;
      this.drop(id);
    }
  }
}

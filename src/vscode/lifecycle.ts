import type { Disposable } from "vscode";

/** Disposed together, newest first. What is added afterwards is disposed immediately, so nothing can leak. */
export class Disposables implements Disposable {
  readonly #items: Disposable[] = [];
  #disposed = false;

  add<T extends Disposable>(item: T): T {
    if (this.#disposed) item.dispose();
    else this.#items.push(item);
    return item;
  }

  dispose(): void {
    this.#disposed = true;
    for (const item of this.#items.splice(0).reverse()) item.dispose();
  }
}

/** Runs after `delayMs` without a call; each call restarts the wait. */
export class Debounced implements Disposable {
  readonly #delayMs: number;
  readonly #run: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(delayMs: number, run: () => void) {
    this.#delayMs = delayMs;
    this.#run = run;
  }

  call(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#run, this.#delayMs);
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }
}

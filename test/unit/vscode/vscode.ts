/**
 * A fake VS Code for tests that need what the real one cannot provide: a dialog that stays open, an engine that fails
 * at a certain moment. Everything else is tested in the real one (test/vscode).
 */
export class EventEmitter<T> {
  readonly #listeners = new Set<(value: T) => void>();
  readonly event = (listener: (value: T) => void) => {
    this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  };

  fire(value: T): void {
    for (const listener of this.#listeners) listener(value);
  }

  dispose(): void {
    this.#listeners.clear();
  }
}

export class Uri {
  readonly scheme: string;
  readonly authority: string;
  readonly path: string;
  readonly query: string;

  constructor({ scheme, authority = "", path = "", query = "" }: Partial<Uri>) {
    this.scheme = scheme ?? "";
    this.authority = authority;
    this.path = path;
    this.query = query;
  }

  static from(parts: Partial<Uri>): Uri {
    return new Uri(parts);
  }

  static file(path: string): Uri {
    return new Uri({ scheme: "file", path });
  }

  static joinPath(base: Uri, ...names: string[]): Uri {
    return new Uri({ ...base, path: [base.path, ...names].join("/") });
  }

  get fsPath(): string {
    return this.path;
  }

  toString(): string {
    return `${this.scheme}://${this.authority}${this.path}?${this.query}`;
  }
}

export const documentEvents = { opened: new EventEmitter<unknown>(), closed: new EventEmitter<unknown>() };

export const workspace = {
  textDocuments: [] as unknown[],
  onDidOpenTextDocument: documentEvents.opened.event,
  onDidCloseTextDocument: documentEvents.closed.event,
};

/** Commands as a test wants them. */
export const commandHandlers = new Map<string, () => unknown>();

export const commands = {
  executeCommand: async (id: string) => commandHandlers.get(id)?.(),
};

export const window = {};
export const QuickPickItemKind = { Separator: -1, Default: 0 };
export const ViewColumn = { Active: -1 };
export const ProgressLocation = { Notification: 15 };

export const env = { language: "en" };
export const l10n = { bundle: undefined };

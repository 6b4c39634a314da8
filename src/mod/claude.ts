/** The types of Claude Code's interface for mods, as far as it is used here. */
import type { Elements } from "./pane.js";

export interface Claude {
  readonly ui: {
    log(text: string, options?: { readonly to: "debug" }): unknown;
    open(pane: { readonly id: string; readonly title: string }): Promise<unknown>;
    close(pane: { readonly id: string }): Promise<unknown>;
    resolve(event: Event): Elements;
    invalidate(event: "ui.render"): unknown;
  };
  readonly session: {
    messages(args?: MessagesArgs): Promise<unknown>;
    cwd(): Promise<string>;
    id(): Promise<unknown>;
    usage(): Promise<unknown>;
    surfaces(): Promise<unknown>;
  };
  readonly command: {
    register(command: {
      readonly name: string;
      readonly description: string;
      readonly immediate: true;
    }): Promise<unknown>;
  };
  readonly clock: { every(ms: number, action: () => void): { cancel(): unknown } };
  readonly env: { get(name: string): Promise<unknown>; set(name: string, value: string): Promise<unknown> };
  readonly fs: { read(path: string): Promise<string> };
  readonly plugin: { readonly root: string };
}

interface MessagesArgs {
  readonly as: "api";
  readonly agentId?: string;
}

export type Event = Readonly<Record<string, unknown>>;
type Next = (event: Event) => Promise<unknown>;
type Hook = ($: Claude, event: Event, next: Next) => Promise<unknown>;
type StreamHook = (
  $: Claude,
  event: Event,
  next: (event: Event) => AsyncGenerator<unknown, unknown>,
) => AsyncGenerator<unknown, unknown>;

export interface On {
  (name: "turn.step", hook: StreamHook): unknown;
  (name: string, hook: Hook): unknown;
  (name: string, only: Event, hook: Hook): unknown;
}

/** Live hints in the text of a Claude Code settings file: the mod, which 2.1.287 and later load, and the hooks. */
import { type JsonNode, memberOf, parseJson, propertyOf, withChild, withoutChildren } from "./jsonEdit.js";
import { isHookCommand, isModFolder, MARKETPLACE, PLUGIN } from "./programCommand.js";

/** The file is JSON, but the parts that live hints need do not have the form that Claude Code reads. */
export class UnexpectedShape extends Error {}

interface Handler {
  readonly type: "command";
  readonly command: string;
  /** Seconds: far more than the hook needs, and far less than Claude Code's default. */
  readonly timeout: number;
}

interface Group {
  readonly matcher?: string;
  readonly hooks: readonly Handler[];
}

export type HookBlock = Readonly<Record<string, readonly Group[]>>;

/** Tools that could write a hint into a file, or pass it on: see src/dedup/hintGuard.ts. */
const WRITERS = "^(Bash|PowerShell|Edit|Write|MultiEdit|NotebookEdit|Agent|Task|SendMessage|mcp__.*)$";

/** For every tool: any of them may make other tools' results stale, and which ones do can change at any time. */
export function hookBlock(command: string): HookBlock {
  const hooks: readonly Handler[] = [{ type: "command", command, timeout: 10 }];
  return {
    PreToolUse: [{ matcher: WRITERS, hooks }],
    PostToolUse: [{ matcher: "*", hooks }],
    PreCompact: [{ hooks }],
    PostCompact: [{ hooks }],
    SessionStart: [{ hooks }],
    SubagentStart: [{ hooks }],
  };
}

/** The doors into Claude Code that a settings text opens for live hints. */
export interface Doors {
  /** 2.1.287 and later. */
  readonly mod: boolean;
  /** Earlier versions, and if mods are turned off. */
  readonly hooks: boolean;
}

export function doorsIn(text: string): Doors {
  const root = rootOf(text);
  const isEnabled = memberOf(memberOf(root, PLUGINS), PLUGIN_ID)?.value === true;
  return { mod: isEnabled && marketplaceOf(root).isOurs, hooks: liveHooks(root).found.length > 0 };
}

/** The same mod from other marketplaces, installed with Claude Code's own commands: by id, whether it is enabled. */
export function otherCopies(text: string): Map<string, boolean> {
  const entries = objectIn(rootOf(text), PLUGINS)?.children ?? [];
  const named = entries.map(({ children: [name, isEnabled] = [] }) => [String(name?.value), isEnabled?.value] as const);
  return new Map(
    named.flatMap(([id, isEnabled]) =>
      id.startsWith(`${PLUGIN}@`) && id !== PLUGIN_ID ? [[id, isEnabled === true]] : [],
    ),
  );
}

/** The text with exactly these live hints, replacing earlier ones; unchanged if it has them. `folder`: the mod's. */
export function withLiveHints(text: string, block: HookBlock, folder: string): string {
  if (isInstalled(text, block, folder)) return text;
  let changed = withoutLiveHints(text);
  if (marketplaceOf(rootOf(changed)).path !== undefined) {
    throw new UnexpectedShape(`${MARKETPLACES}.${MARKETPLACE} is another marketplace`);
  }
  for (const [event, groups] of Object.entries(block)) {
    for (const group of groups) changed = withItem(changed, event, group);
  }
  changed = withEntry(changed, MARKETPLACES, MARKETPLACE, { source: { source: "directory", path: folder } });
  return withEntry(changed, PLUGINS, PLUGIN_ID, true);
}

/** The text without live hints, and without containers that become empty. */
export function withoutLiveHints(text: string): string {
  const root = rootOf(text);
  return withoutChildren(text, new Set([...liveHooks(root).removable, ...modEntries(root)]));
}

const MARKETPLACES = "extraKnownMarketplaces";
const PLUGINS = "enabledPlugins";
const PLUGIN_ID = `${PLUGIN}@${MARKETPLACE}`;

function withItem(text: string, event: string, group: Group): string {
  const root = rootOf(text);
  const hooks = objectIn(root, "hooks");
  if (hooks === undefined) return withChild(text, root, { [event]: [group] }, 2, "hooks");
  const present = memberOf(hooks, event);
  if (present === undefined) return withChild(text, hooks, [group], 1, event);
  return withChild(text, expect(present, "array", `hooks.${event}`), group, 0);
}

function withEntry(text: string, container: string, name: string, value: unknown): string {
  const root = rootOf(text);
  const entries = objectIn(root, container);
  if (entries === undefined) return withChild(text, root, { [name]: value }, 1, container);
  const present = propertyOf(entries, name);
  if (present === undefined) return withChild(text, entries, value, 0, name);
  return withEntry(withoutChildren(text, new Set([present])), container, name, value);
}

/** The marketplace with our name: its path, and whether it is ours. */
function marketplaceOf(root: JsonNode): { readonly path: unknown; readonly isOurs: boolean } {
  const entry = memberOf(objectIn(root, MARKETPLACES), MARKETPLACE);
  const path: unknown = entry && (memberOf(memberOf(entry, "source"), "path")?.value ?? null);
  return { path, isOurs: isModFolder(path) };
}

/** The entries to remove for the mod. */
function modEntries(root: JsonNode): JsonNode[] {
  const { path, isOurs } = marketplaceOf(root);
  const isTheirs = path !== undefined && !isOurs;
  if (isTheirs) return [];
  return [
    [MARKETPLACES, MARKETPLACE],
    [PLUGINS, PLUGIN_ID],
  ].flatMap(([container = "", name = ""]) => {
    const entries = objectIn(root, container);
    const entry = propertyOf(entries, name);
    const isOnly = entries?.children?.length === 1;
    return entry === undefined ? [] : ((isOnly ? propertyOf(root, container) : entry) ?? []);
  });
}

function isInstalled(text: string, block: HookBlock, folder: string): boolean {
  const wanted = Object.entries(block).flatMap(([event, groups]) =>
    groups.map(({ matcher, hooks }) => `${event} ${matcher} ${hooks[0]?.command}`),
  );
  const root = rootOf(text);
  const found = liveHooks(root).found.map(({ event, matcher, command }) => `${event} ${matcher} ${command}`);
  const isSame = wanted.length === found.length && wanted.every(one => found.includes(one));
  return isSame && doorsIn(text).mod && marketplaceOf(root).path === folder;
}

interface LiveHook {
  readonly event: string;
  readonly matcher: unknown;
  readonly command: string;
}

interface LiveHooks {
  readonly found: readonly LiveHook[];
  /** The nodes to remove for them: handlers, or the outermost container with nothing else in it. */
  readonly removable: ReadonlySet<JsonNode>;
}

function liveHooks(root: JsonNode): LiveHooks {
  const found: LiveHook[] = [];
  const removable = new Set<JsonNode>();
  /** A container is removed with its last child. */
  const climb = (container: JsonNode, children: readonly JsonNode[]) => {
    if (children.length === 0 || !children.every(child => removable.has(child))) return;
    for (const child of children) removable.delete(child);
    removable.add(container);
  };
  const property = propertyOf(root, "hooks");
  const events = objectIn(root, "hooks")?.children ?? [];
  for (const event of events) {
    const [name, value] = event.children ?? [];
    const groups = itemsOf(value);
    for (const group of groups) {
      const handlers = itemsOf(memberOf(group, "hooks"));
      const matcher: unknown = memberOf(group, "matcher")?.value;
      for (const handler of handlers) {
        const command: unknown = memberOf(handler, "command")?.value;
        if (typeof command !== "string" || !isHookCommand(command)) continue;
        found.push({ event: String(name?.value), matcher, command });
        removable.add(handler);
      }
      climb(group, handlers);
    }
    climb(event, groups);
  }
  if (property !== undefined) climb(property, events);
  return { found, removable };
}

function itemsOf(node: JsonNode | undefined): readonly JsonNode[] {
  return node?.type === "array" ? (node.children ?? []) : [];
}

export function rootOf(text: string): JsonNode {
  return expect(parseJson(text), "object", "the file");
}

function objectIn(root: JsonNode, key: string): JsonNode | undefined {
  const member = memberOf(root, key);
  return member && expect(member, "object", key);
}

function expect(node: JsonNode, type: "object" | "array", what: string): JsonNode {
  if (node.type !== type) throw new UnexpectedShape(`${what} is not ${type === "object" ? "an object" : "a list"}`);
  return node;
}

/** The hooks for live hints in the text of a Claude Code settings file. */
import { type JsonNode, memberOf, parseJson, propertyOf, withChild, withoutChildren } from "./jsonEdit.js";
import { isHookCommand } from "./program.js";

/** The file is JSON, but its hooks are not in the form that Claude Code reads. */
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

/** Tools whose results can be replaced by hints, and tools that change files. */
const TOOLS = "Bash|PowerShell|Read|Grep|Edit|Write|MultiEdit|NotebookEdit|mcp__.*";

/** `everyTool`: for settings in which any tool may make other tools' results stale. */
export function hookBlock(command: string, everyTool = false): HookBlock {
  const hooks: readonly Handler[] = [{ type: "command", command, timeout: 10 }];
  return {
    PostToolUse: [{ matcher: everyTool ? "*" : TOOLS, hooks }],
    PreCompact: [{ hooks }],
    PostCompact: [{ hooks }],
    SessionStart: [{ hooks }],
  };
}

/** The commands of live hints in a settings text, one per event. */
export function liveCommands(text: string): string[] {
  return liveHooks(text).found.map(({ command }) => command);
}

/** The text with these hooks in place of any earlier ones of ours; unchanged if it has exactly these. */
export function withLiveHooks(text: string, block: HookBlock): string {
  if (isInstalled(text, block)) return text;
  let changed = withoutLiveHooks(text);
  const root = rootOf(changed);
  if (hooksOf(root) === undefined) return withChild(changed, root, block, 2, "hooks");
  for (const [event, groups] of Object.entries(block)) {
    const hooks = hooksOf(rootOf(changed)) as JsonNode;
    const present = memberOf(hooks, event);
    if (present === undefined) changed = withChild(changed, hooks, groups, 1, event);
    else for (const group of groups) changed = withChild(changed, expect(present, "array", `hooks.${event}`), group, 0);
  }
  return changed;
}

/** The text without our hooks, and without the containers that have nothing else. */
export function withoutLiveHooks(text: string): string {
  return withoutChildren(text, liveHooks(text).removable);
}

function isInstalled(text: string, block: HookBlock): boolean {
  const wanted = Object.entries(block).flatMap(([event, groups]) =>
    groups.map(({ matcher, hooks }) => `${event} ${matcher} ${hooks[0]?.command}`),
  );
  const found = liveHooks(text).found.map(({ event, matcher, command }) => `${event} ${matcher} ${command}`);
  return wanted.length === found.length && wanted.every(one => found.includes(one));
}

interface LiveHook {
  readonly event: string;
  readonly matcher: unknown;
  readonly command: string;
}

interface LiveHooks {
  readonly found: readonly LiveHook[];
  /** What has to be removed to be rid of them: handlers, or the outermost container that has nothing else. */
  readonly removable: ReadonlySet<JsonNode>;
}

function liveHooks(text: string): LiveHooks {
  const found: LiveHook[] = [];
  const removable = new Set<JsonNode>();
  /** A container goes with its last child. */
  const climb = (container: JsonNode, children: readonly JsonNode[]) => {
    if (children.length === 0 || !children.every(child => removable.has(child))) return;
    for (const child of children) removable.delete(child);
    removable.add(container);
  };
  const root = rootOf(text);
  const property = propertyOf(root, "hooks");
  const events = hooksOf(root)?.children ?? [];
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

function hooksOf(root: JsonNode): JsonNode | undefined {
  const hooks = memberOf(root, "hooks");
  return hooks && expect(hooks, "object", "hooks");
}

function expect(node: JsonNode, type: "object" | "array", what: string): JsonNode {
  if (node.type !== type) throw new UnexpectedShape(`${what} is not ${type === "object" ? "an object" : "a list"}`);
  return node;
}

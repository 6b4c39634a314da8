/** The hooks that make live hints, in the text of a Claude Code settings file. */
import { type JsonNode, memberOf, parseJson } from "./jsonText.js";
import { isHookCommand } from "./program.js";
import { withChild, withoutChild } from "./splice.js";

/** The file is JSON, but its hooks are not laid out as Claude Code's are. */
export class UnexpectedShape extends Error {}

interface Handler {
  readonly type: "command";
  readonly command: string;
  /** Seconds: far more than it takes, and far less than Claude Code would wait by itself. */
  readonly timeout: number;
}

interface Group {
  readonly matcher?: string;
  readonly hooks: readonly Handler[];
}

export type HookBlock = Readonly<Record<string, readonly Group[]>>;

/** The tools whose results can be hinted, and those that change files. */
const TOOLS = "Bash|PowerShell|Read|Grep|Edit|Write|MultiEdit|NotebookEdit|mcp__.*";

/** `everyTool`: settings may name any tool as one that makes others' results stale. */
export function hookBlock(command: string, everyTool = false): HookBlock {
  const hooks: readonly Handler[] = [{ type: "command", command, timeout: 10 }];
  return {
    PostToolUse: [{ matcher: everyTool ? "*" : TOOLS, hooks }],
    PreCompact: [{ hooks }],
    PostCompact: [{ hooks }],
    SessionStart: [{ hooks }],
  };
}

/** The commands of live hints that a settings text holds, one per event. */
export function liveCommands(text: string): string[] {
  return [...places(text)].map(({ command }) => command);
}

/** The text with these hooks and without any earlier ones of ours; the same text where it has exactly these. */
export function withLiveHooks(text: string, block: HookBlock): string {
  if (isInstalled(text, block)) return text;
  let changed = withoutLiveHooks(text);
  const root = rootOf(changed);
  if (memberOf(root, "hooks") === undefined) return withChild(changed, root, block, 2, "hooks");
  for (const [event, groups] of Object.entries(block)) {
    const hooks = hooksOf(rootOf(changed)) as JsonNode;
    const present = memberOf(hooks, event)?.node;
    if (present === undefined) changed = withChild(changed, hooks, groups, 1, event);
    else for (const group of groups) changed = withChild(changed, expect(present, "array", `hooks.${event}`), group, 0);
  }
  return changed;
}

/** The text without our hooks; containers that are empty then go too. */
export function withoutLiveHooks(text: string): string {
  let changed = text;
  for (;;) {
    const [place] = places(changed);
    if (place === undefined) return changed;
    // The outermost container that holds nothing but our hook, in what holds something else too.
    const { containers, indices } = place;
    let level = containers.length - 1;
    while (level > 0 && containers[level]?.children.length === 1) level--;
    changed = withoutChild(changed, containers[level] as JsonNode, indices[level] ?? 0);
  }
}

function isInstalled(text: string, block: HookBlock): boolean {
  const wanted = Object.entries(block).flatMap(([event, groups]) =>
    groups.map(({ matcher, hooks }) => `${event} ${matcher} ${hooks[0]?.command}`),
  );
  const found = [...places(text)].map(({ event, matcher, command }) => `${event} ${matcher} ${command}`);
  return wanted.length === found.length && wanted.every(one => found.includes(one));
}

interface PlaceOfHook {
  readonly event: string;
  readonly matcher: unknown;
  readonly command: string;
  /** From the root down to the list that holds the hook, and the child's index in each. */
  readonly containers: readonly JsonNode[];
  readonly indices: readonly number[];
}

function* places(text: string): Generator<PlaceOfHook> {
  const root = rootOf(text);
  const hooks = hooksOf(root);
  if (hooks === undefined) return;
  const hooksIndex = root.children.findLastIndex(({ key }) => key === "hooks");
  for (const [eventIndex, { key: event = "", node: groups }] of hooks.children.entries()) {
    for (const [groupIndex, { node: group }] of groups.children.entries()) {
      const list = memberOf(group, "hooks");
      const listIndex = group.children.findLastIndex(({ key }) => key === "hooks");
      for (const [index, { node: handler }] of (list?.node.children ?? []).entries()) {
        const command = memberOf(handler, "command")?.node.value;
        if (typeof command !== "string" || !isHookCommand(command)) continue;
        const containers = [root, hooks, groups, group, list?.node as JsonNode];
        // A group's matcher says nothing once its list is empty: the group counts as holding its list alone.
        const matcher = memberOf(group, "matcher")?.node.value;
        const isAlone = list?.node.children.length === 1;
        yield {
          event,
          matcher,
          command,
          containers: isAlone ? containers.slice(0, 3) : containers,
          indices: [hooksIndex, eventIndex, groupIndex, listIndex, index],
        };
      }
    }
  }
}

function rootOf(text: string): JsonNode {
  return expect(parseJson(text), "object", "the file");
}

function hooksOf(root: JsonNode): JsonNode | undefined {
  const hooks = memberOf(root, "hooks")?.node;
  return hooks && expect(hooks, "object", "hooks");
}

function expect(node: JsonNode, kind: "object" | "array", what: string): JsonNode {
  if (node.kind !== kind) throw new UnexpectedShape(`${what} is not ${kind === "object" ? "an object" : "a list"}`);
  return node;
}

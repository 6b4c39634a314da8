/** docs/json.md as a schema to check values against. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY } from "./replay.js";

interface Member {
  /** The object whose table lists it, and its name. */
  readonly documentedAs: string;
  readonly isOptional: boolean;
  /** Alternatives, such as `string` and `null`. */
  readonly types: readonly string[];
}

type Members = ReadonlyMap<string, Member>;

export class JsonContract {
  readonly #text = readFileSync(join(REPOSITORY, "docs", "json.md"), "utf8");
  readonly #objects = new Map<string, Members>();
  /** The members of each kind of event, in addition to those that all events have. */
  readonly #kinds: ReadonlyMap<string, readonly string[]>;
  readonly #seen = new Set<string>();

  constructor() {
    // Members inherited from another object are documented above or below.
    const sections = new Map(this.#text.split(/^### /m).map(section => [/^\w*/.exec(section)?.[0] ?? "", section]));
    for (const name of sections.keys()) if (name !== "") this.#objects.set(name, membersOf(name, sections));
    this.#kinds = new Map(
      rowsOf(this.#text, "Kind").map(([kind = "", , names = ""]) => [plain(kind), [...names.split(", ").map(plain)]]),
    );
  }

  /** What is wrong with a value of this type, one line per fault. */
  faults(value: unknown, type: string, path = type): string[] {
    const isObject = type.startsWith("object of ");
    const isList = !isObject && type.endsWith("[]");
    if (isObject || isList) {
      if (typeof value !== "object" || value === null || Array.isArray(value) !== isList)
        return [`${path} is no ${type}`];
      const item = isList ? type.slice(0, -2) : type.slice("object of ".length);
      return Object.entries(value).flatMap(([name, one]) => this.faults(one, item, `${path}.${isList ? "" : name}`));
    }
    const members = this.#objects.get(type);
    if (members === undefined) return isOfType(value, type) ? [] : [`${path} is no ${type}: ${JSON.stringify(value)}`];
    if (typeof value !== "object" || value === null) return [`${path} is no ${type}`];
    return this.#faultsOfMembers(value, members, path);
  }

  /** Members that no value has had so far. */
  get unseen(): string[] {
    const documented = new Set(
      [...this.#objects.values()].flatMap(members => [...members.values()].map(member => member.documentedAs)),
    );
    return [...documented].filter(one => !this.#seen.has(one));
  }

  get kinds(): string[] {
    return [...this.#kinds.keys()];
  }

  #faultsOfMembers(value: object, members: Members, path: string): string[] {
    const missing = [...members].filter(([name, { isOptional }]) => !isOptional && !(name in value));
    return [
      ...missing.map(([name]) => `${path}.${name} is missing`),
      ...(members.has("partition") && "kind" in value ? this.#faultsOfKind(value, members, path) : []),
      ...Object.entries(value).flatMap(([name, one]) => {
        const at = `${path}.${name}`;
        const member = members.get(name);
        if (member === undefined) return [`${at} is not documented`];
        this.#seen.add(member.documentedAs);
        const faults = member.types.map(alternative => this.faults(one, alternative, at));
        return faults.some(({ length }) => length === 0) ? [] : faults.flat();
      }),
    ];
  }

  /** An event has exactly the members of its kind. */
  #faultsOfKind(value: object & { kind?: unknown }, members: Members, path: string): string[] {
    const ofKind = this.#kinds.get(String(value.kind));
    if (ofKind === undefined) return [`${path}: the kind ${value.kind} is not documented`];
    const always = [...members].filter(([, { isOptional }]) => !isOptional).map(([name]) => name);
    const allowed = new Set([...always, ...ofKind.map(name => name.replace("?", ""))]);
    const foreign = Object.keys(value).filter(name => !allowed.has(name));
    const missing = ofKind.filter(name => !name.endsWith("?") && !(name in value));
    return [...foreign, ...missing].map(name => `${path}: ${value.kind} and ${name}`);
  }
}

function membersOf(type: string, sections: ReadonlyMap<string, string>): Members {
  const section = sections.get(type) ?? "";
  const [, inherited] = /All members of \[(\w+)\]/.exec(section) ?? [];
  const own = rowsOf(section, "Member").map(([name = "", types = ""]): [string, Member] => [
    plain(name).replace("?", ""),
    {
      documentedAs: `${type}.${plain(name).replace("?", "")}`,
      isOptional: plain(name).endsWith("?"),
      types: types.split(" or ").map(plain),
    },
  ]);
  return new Map([...(inherited === undefined ? [] : membersOf(inherited, sections)), ...own]);
}

/** The cells of the first table whose first heading is this. */
function rowsOf(text: string, heading: string): string[][] {
  const lines = text.split("\n");
  const start = lines.findIndex(line => line.startsWith(`| ${heading} |`));
  if (start < 0) return [];
  const end = lines.findIndex((line, at) => at > start && !line.startsWith("|"));
  return lines.slice(start + 2, end < 0 ? undefined : end).map(line =>
    line
      .slice(1, -1)
      .split("|")
      .map(cell => cell.trim()),
  );
}

/** Without Markdown. */
function plain(text: string): string {
  return text.replace(/\[(\w+)\]\(#\w+\)/g, "$1").replaceAll("`", "");
}

function isOfType(value: unknown, type: string): boolean {
  if (["string", "number", "boolean"].includes(type)) return typeof value === type;
  return JSON.stringify(value) === type;
}

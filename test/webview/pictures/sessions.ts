/** Realistic sessions for the pictures of the page: a folder for each state that a user can see. */
import { appendFileSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Session } from "../../bench/history/session.mjs";
import { Chance } from "../../bench/history/text.mjs";
import { answer, call, logText, result } from "../../support/log.js";

const CWD = "/home/ana/work/ladle";
const ID = "5b0f6b1e-6a43-4d0a-9d7e-2f6f3c0d1a11";
const EARLIER = Date.now() - 3 * 3_600_000;

/** Writes a state's logs into a folder; returns the log that is shown. */
export type WriteState = (root: string) => string;

function logIn(root: string, ...name: string[]): string {
  const path = join(root, "-home-ana-work-ladle", ...name);
  mkdirSync(dirname(path), { recursive: true });
  return path;
}

/** A session that ended a while ago. */
function written(path: string, text: string): string {
  writeFileSync(path, text);
  utimesSync(path, EARLIER / 1000, EARLIER / 1000);
  return path;
}

const FILES = [
  ["src/units/convert.ts", "src/units/parse.ts", "src/recipes/scale.ts", "src/recipes/import.ts", "src/cli.ts"],
  ["test/units/convert.test.ts", "test/recipes/scale.test.ts", "docs/formats.md", "docs/units-of-measure.md"],
  ["packages/web/src/components/RecipeList.tsx", "packages/web/src/components/UnitPicker.tsx", "package.json"],
  ["packages/web/src/state/recipes.ts", "scripts/release.mjs"],
].flat();

const COMMANDS = [
  "npm test -- units",
  "git status --short",
  "git diff --stat HEAD~1",
  "npx tsc --noEmit",
  "npm run build && ls -la dist",
  "rg -n 'toGrams' src test",
  "node dist/cli.js scale pancakes.txt --servings 12",
];

/** Replaces generated words that nobody would write in places where users look first. */
function worded(line: string, index: number): string {
  const command = COMMANDS[index % COMMANDS.length];
  return line
    .replace(/src\/part(\d+)-[0-9a-f]+\.ts/g, (whole, file: string) => FILES[Number(file)] ?? whole)
    .replace(/"command":"(?:[^"\\]|\\.)*"/, `"command":"${command}"`)
    .replace(/"pattern":"[^"]*"/, `"pattern":"${["toGrams", "parseUnit", "servings"][index % 3]}"`)
    .replace(/"customTitle":"[^"]*"/, '"customTitle":"Convert units when a recipe is scaled"');
}

/** A generated session, turn by turn. */
class Turns {
  readonly #session: Session;
  readonly lines: string[] = [];
  results = 0;
  compactions = 0;

  constructor(seed: number, startedAt: number, agent: string | undefined) {
    const about = { sessionId: ID, cwd: CWD, startedAt };
    this.#session = new Session(new Chance(seed), agent === undefined ? about : { ...about, agent });
  }

  next(): string {
    const turn = this.#session.turn().map((line, index) => worded(line, this.lines.length + index));
    this.lines.push(...turn);
    this.results += turn.filter(line => line.includes('"tool_use_id"')).length;
    this.compactions += turn.filter(line => line.includes('"compact_boundary"')).length;
    return `${turn.join("\n")}\n`;
  }

  get text(): string {
    return `${this.lines.join("\n")}\n`;
  }

  /** Until there is enough; the newest line is from `endsAt`. */
  static until(isEnough: (turns: Turns) => boolean, seed: number, endsAt: number, agent?: string): Turns {
    const made = (startedAt: number) => {
      const turns = new Turns(seed, startedAt, agent);
      while (!isEnough(turns)) turns.next();
      return turns;
    };
    const last = /"timestamp":"([^"]+)"/.exec(made(0).lines.at(-1) ?? "")?.[1] ?? "";
    return made(endsAt - Date.parse(last));
  }
}

/** Each file is read once, and nothing repeats. */
function withoutRepeats(count: number): string {
  const lines = Array.from({ length: count }, (_, index) => {
    const at = { timestamp: new Date(EARLIER - (count - index) * 60_000).toISOString(), cwd: CWD, sessionId: ID };
    const id = `toolu_01${String(index).padStart(22, "x")}`;
    const usage = { input_tokens: 3, cache_read_input_tokens: 14_000 + 900 * index, cache_creation_input_tokens: 900 };
    const path = `${CWD}/src/units/unit${index}.ts`;
    const text = Array.from(
      { length: 20 + (index % 30) },
      (_, line) => `${line + 1}\texport const u${index}_${line} = ${line * index};`,
    );
    const message = { id: `msg_${index}`, model: "claude-haiku-4-5", usage };
    return [
      answer(`msg_${index}`, 0, { ...at, message }),
      call(id, "Read", { file_path: path }, { ...at, message }),
      result(id, text.join("\n"), at),
    ];
  });
  return logText(
    { type: "custom-title", customTitle: "Look through the units of measure", sessionId: ID },
    ...lines.flat(),
  );
}

/** Live sessions, by log. */
const live = new Map<string, Turns>();

export const STATES: Readonly<Record<string, WriteState>> = {
  nothing: root => logIn(root, `${ID}.jsonl`),
  one: root => written(logIn(root, `${ID}.jsonl`), withoutRepeats(1)),
  "no-repeat": root => written(logIn(root, `${ID}.jsonl`), withoutRepeats(40)),
  "6000": root => written(logIn(root, `${ID}.jsonl`), Turns.until(turns => turns.results >= 6000, 6, EARLIER).text),
  compacted: root => {
    for (const [index, agent] of ["a1b2c3d4", "b2c3d4e5", "c3d4e5f6"].entries()) {
      const path = logIn(root, ID, "subagents", `agent-${agent}.jsonl`);
      written(path, Turns.until(turns => turns.results >= 30, 20 + index, EARLIER, agent).text);
    }
    // The partition after the last compaction has begun.
    let goal = Number.POSITIVE_INFINITY;
    const isEnough = (turns: Turns) => {
      if (turns.compactions < 3) goal = turns.results + 90;
      return turns.results >= goal;
    };
    return written(logIn(root, `${ID}.jsonl`), Turns.until(isEnough, 3, EARLIER).text);
  },
  live: root => {
    const path = logIn(root, `${ID}.jsonl`);
    const turns = Turns.until(({ results }) => results >= 120, 11, Date.now());
    writeFileSync(path, turns.text);
    live.set(path, turns);
    return path;
  },
};

/** Continues a live session by one turn. */
export function goOn(path: string): void {
  appendFileSync(path, live.get(path)?.next() ?? "");
}

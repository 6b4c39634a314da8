/** What other programs may rely on: the library's names, its types, and that its documentation is true. */
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { built, Place } from "../support/cli.js";
import { readText } from "../support/documents.js";
import { REPOSITORY } from "../support/replay.js";

/** Every export. Removing one, or changing its meaning, requires a new major version. */
const VALUES = [
  "COMPACTABLE_TOOLS",
  "ConversationReader",
  "DEFAULT_SETTINGS",
  "DedupCache",
  "LogReader",
  "NEAR_LIMITS",
  "NO_STATS",
  "NearMatcher",
  "Replay",
  "applyAll",
  "cacheBreakpoints",
  "collapseRepeatedCalls",
  "compileInvalidation",
  "dedupToolOutputs",
  "estimateTokens",
  "fingerprint",
  "hintWithin",
  "hintedId",
  "isTooShort",
  "kindOfTool",
  "mergeStats",
  "messagesFromApi",
  "nearDelta",
  "pathOfCall",
  "projectCacheMarks",
  "projectPasses",
  "pruneLowEntropy",
  "pruneThinking",
  "renderHint",
  "renderNearHint",
  "repairOrphans",
  "replayLog",
  "snippet",
  "streamingTrim",
  "validateCacheHit",
  "wireMarks",
];

const TYPES = [
  ...["BoundaryEvent", "BypassEvent", "BypassReason", "ClearEvent", "DedupEvent", "DropEvent", "EvictEvent"],
  ...[
    "ForgoneReason",
    "HitEvent",
    "InvalidateEvent",
    "MissEvent",
    "MissReason",
    "ReaskEvent",
    "ResultEvent",
    "RunReference",
  ],
  ...[
    "AnswerFact",
    "BoundaryFact",
    "BranchFact",
    "CallFact",
    "ClearFact",
    "ExplanationFact",
    "Fact",
    "Place",
    "RequestFact",
  ],
  ...["ResultFact", "RewindFact", "LogHeader", "LogChunk", "LogSink", "LogSource", "LoggedEvent"],
  ...["BreakpointOptions", "Breakpoints", "CacheProjection", "MarkOptions", "OutputOptions", "PassName"],
  ...[
    "PartitionPasses",
    "PassReport",
    "PassesReport",
    "PassProjection",
    "PassRates",
    "PassResult",
    "PassStats",
    "RewritePrice",
    "Rewriting",
    "Unpriced",
  ],
  ...["ContextReport", "Figures", "PartitionReport", "Report", "SessionReport"],
  ...["DedupSettings", "InvalidationMap", "PriceTable", "ReplaySettings", "ReplayedLog", "ReportSettings"],
  ...["Entry", "Fingerprint", "HintSource", "NearDelta", "NearLimits", "Verbosity", "ToolInput", "ToolKind"],
  ...["LiveList", "LiveRequest", "ApiMessage", "Message", "Part"],
];

const SAMPLE = join(REPOSITORY, "media", "sample.jsonl");
const place = new Place();
/** A project that has installed the package. */
const project = place.path("project");
const read = (name: string) => readFileSync(join(REPOSITORY, "dist", name), "utf8");

beforeAll(async () => {
  await built();
  mkdirSync(join(project, "node_modules"), { recursive: true });
  symlinkSync(REPOSITORY, join(project, "node_modules", "dedup-inspector"));
  copyFileSync(SAMPLE, join(project, "session.jsonl"));
});
afterAll(() => place.remove());

function node(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: project, encoding: "utf8" });
  expect([status, stderr, status === 0 ? "" : stdout]).toEqual([0, "", ""]);
  return stdout;
}

function run(name: string, code: string): string {
  return node(place.write(`project/${name}.mjs`, code));
}

describe("the library", () => {
  it("exports these names", () => {
    const names = run("names", 'console.log(JSON.stringify(Object.keys(await import("dedup-inspector"))))');
    expect(JSON.parse(names)).toEqual(VALUES);
  });

  it("is available to programs that require it, too", () => {
    const file = place.write("project/names.cjs", 'console.log(Object.keys(require("dedup-inspector")).length)');
    expect(node("--no-warnings", file)).toBe(`${VALUES.length}\n`);
  });

  it("declares them all, and these types", () => {
    const declared = [...read("library.d.mts").matchAll(/^export (?:declare )?\w+ (\w+)/gm)].map(([, name]) => name);
    expect(declared.toSorted()).toEqual([...VALUES, ...TYPES].toSorted());
  });

  it("needs nothing from Node except bytes, hashes and what unpacks the compiled scanner", () => {
    const imports = [...read("library.mjs").matchAll(/^import .* from "(.*)";$/gm)].map(([, from]) => from);
    expect(imports.toSorted()).toEqual(["node:buffer", "node:crypto", "node:zlib"]);
    expect(read("library.mjs")).not.toMatch(/\b(?:require|process)\b[.(]/);
    const { outputs } = JSON.parse(read("build.json")) as { outputs: Record<string, { inputs: object }> };
    const inputs = Object.keys(outputs["dist/library.mjs"]?.inputs ?? {});
    expect(inputs).toContain("src/dedup/cache.ts");
    expect(
      inputs.filter(path => !/^src\/(?:settings|log|scanner|kernel|trial|dedup|inspect|pipeline|library)\//.test(path)),
    ).toEqual([]);
  });

  it("has types that are strict and need no others", () => {
    place.write(
      "project/use.mts",
      `import { DedupCache, type DedupEvent, fingerprint, nearDelta, renderHint, replayLog, type Report } from "dedup-inspector";
interface Mine { readonly fingerprint: string; readonly id: string; readonly tool: string; readonly kind: "other"; readonly at: Date }
const cache = new DedupCache<Mine>(5);
cache.insert({ fingerprint: fingerprint("a"), id: "1", tool: "t", kind: "other", at: new Date() });
export const when: Date | undefined = cache.check(fingerprint("a"))?.at;
export const hint: string = renderHint({ id: "1" }, "located");
// @ts-expect-error
renderHint({ id: "1" }, "loud");
// @ts-expect-error
nearDelta("{}", 1);
const { report, events } = replayLog("", { settings: { capacity: 3 } });
export const schema: Report["schema"] = report.schema;
export const why = (event: DedupEvent): string => (event.kind === "miss" ? event.why : event.kind);
export const tools: string[] = events.flatMap(event => (event.kind === "hit" ? event.tool : []));
`,
    );
    const strict = [
      "--strict",
      "--exactOptionalPropertyTypes",
      "--noUncheckedIndexedAccess",
      "--skipLibCheck",
      "false",
    ];
    const modules = ["--module", "nodenext", "--target", "es2023", "--lib", "es2023", "--types", ""];
    const compiler = join(REPOSITORY, "node_modules", "typescript", "bin", "tsc");
    expect(node(compiler, "--noEmit", ...strict, ...modules, "use.mts")).toBe("");
  });

  it("replays as the report does", async () => {
    const { stdout } = await place.ask([
      "report",
      SAMPLE,
      "--json",
      "--no-cache",
      "--strategies",
      "--passes",
      "--capacity",
      "3",
    ]);
    const code = `
      import { readFileSync } from "node:fs";
      import { replayLog } from "dedup-inspector";
      const path = ${JSON.stringify(SAMPLE)};
      const log = readFileSync(path);
      const pieces = Array.from({ length: Math.ceil(log.length / 1000) }, (_, at) => new Uint8Array(log.subarray(at * 1000, at * 1000 + 1000)));
      const options = { path, passes: true, settings: { capacity: 3 }, strategies: true };
      console.log(JSON.stringify(replayLog(pieces, options).report));
    `;
    expect(JSON.parse(run("replay", code))).toEqual(JSON.parse(stdout));
  });
});

describe("docs/library.md", () => {
  const text = readText("docs/library.md");
  const examples = [...text.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code = ""]) => code);

  it.each(examples.map((code, at) => [/import \{ ([^}]*) \} from "dedup/.exec(code)?.[1], at, code]))(
    "has an example that prints what it says: %s",
    (_, at, code) => {
      const promised = [...String(code).matchAll(/\/\/ → (.*)/g)].map(([, line]) => `${line}\n`);
      expect(promised.length).toBeGreaterThan(0);
      expect(run(`example-${at}`, String(code))).toBe(promised.join(""));
    },
  );

  it("names every export that is not a type", () => {
    expect(VALUES.filter(name => !new RegExp(`\\b${name}\\b`).test(text))).toEqual([]);
  });
});

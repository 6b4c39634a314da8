// Every program that a document mentions, and how `npm test` runs it: in its smallest form, to check that it still does
// what it promises. `test/contract/programs.test.ts` compares these lists with the documents.

/** A session that always exists. */
const SAMPLE = "media/sample.jsonl";
const RATIO = String.raw`\d+\.\d{2,3}`;

/**
 * What `test/programs/run.mjs` runs. FOLDER in an argument becomes a folder that is removed afterwards.
 * `prints`: all of them must be found in what it says. `until`: it runs on until this is said, then it is ended.
 * `needs`: what a machine may lack; the program is then passed over, and that is said.
 */
export const PROGRAMS = [
  { command: "node dist/cli.js report", args: [SAMPLE, "--json"], prints: [/"sessions":/] },
  {
    command: "node dist/cli.js watch",
    args: [SAMPLE, "--json", "--from-start", "--idle-exit", "1"],
    prints: [/"kind":"hit"/],
  },
  { command: "node dist/cli.js open", args: ["--no-browser", "--no-cache"], until: /http:\/\/127\.0\.0\.1:\d+/ },
  { command: "node dist/cli.js replay", args: [SAMPLE, "--json"], prints: [/"emitted":"> \[ref: /] },
  {
    command: "node dist/cli.js export",
    args: [SAMPLE, "--out", "FOLDER/tables"],
    prints: [/1 session, [1-9]\d* requests, [1-9]\d* results, [1-9]\d* runs, [1-9]\d* events$/m],
  },
  { command: "node dist/cli.js hooks", args: ["status"], prints: [/settings\.json/] },
  { command: "node dist/cli.js sample", args: ["--out", "FOLDER/sample.jsonl"] },
  { command: "npm start", args: ["--no-browser", "--no-cache"], until: /http:\/\/127\.0\.0\.1:\d+/ },
  {
    command: "npm run bench",
    args: ["--generate", "2M", "--runs", "1", "--large", "2M"],
    prints: [
      /÷ ccusage +÷ parse loop/,
      new RegExp(`our report, warm +[\\d.]+ s .*≤ 0.1 of cold \\(${RATIO}, CPU ${RATIO}\\)`),
      new RegExp(`our report, cold: one log of 2M +[\\d.]+ s .*${RATIO}`),
      /times the bytes/,
    ],
  },
  {
    command: "node test/bench/live.mjs",
    args: [
      ...["--seconds", "0.5", "--logs", "2", "--results", "500", "--history", "1M"],
      ...["--idle-seconds", "0.5", "--idle-logs", "50", "--settle", "0.5"],
    ],
    prints: [
      new RegExp(`dedup-inspector watch --json +\\d+ .* ms +${RATIO} .*none lost or doubled: (?:yes|NO)`),
      /dedup-inspector watch +[\d.]+ % +\d+ +\d+ MB/,
      new RegExp(`opening 500 results .* ms +${RATIO}`),
      new RegExp(`^live .* ms +${RATIO}`, "m"),
    ],
  },
  {
    command: "node test/bench/open.mjs",
    args: ["--size", "1M", "--runs", "1", "--stay", "1"],
    prints: [/cold +\d+ ms +1\.00/, new RegExp(`warm +\\d+ ms +${RATIO}`)],
  },
  {
    command: "node test/bench/strategies.mjs",
    args: ["--generate", "1M", "--results", "200", "--runs", "1"],
    prints: [new RegExp(`and all strategies .*${RATIO}`), new RegExp(`near-references +\\d+ ms +${RATIO}`)],
  },
  {
    command: "node test/bench/hook.mjs",
    args: ["--size", "1M", "--runs", "3"],
    prints: [new RegExp(`the hook: hit .* ms +${RATIO} +${RATIO}`), /catching up with the whole log took/],
  },
  {
    command: "node test/bench/mod.mjs",
    args: ["--size", "1M"],
    prints: [new RegExp(`the mod, per result .* ms +${RATIO}`), /memory: at most \d+ MB more/],
  },
  { command: "node test/bench/generate.mjs", args: ["FOLDER", "1M"], prints: [/^\d+ logs, 1 MB$/m] },
  {
    command: "node test/bench/timeline.bench.mjs",
    args: ["--marks", "2000", "--seconds", "0.5"],
    prints: [/pan and zoom +p50 .* x empty\)/, /must hold .* ms CPU: (?:yes|NO)/],
    needs: "Chromium",
  },
  {
    command: "npm run load",
    args: ["--sessions", "8", "--size", "2M"],
    prints: [
      /^\| cold: everything read \| \d+ ms \| \d+ ms \| [\d.]+ \|$/m,
      /^\| a new log noticed and followed \| \d+ ms/m,
    ],
    needs: "Chromium",
  },
  {
    command: "npm run screenshots",
    args: ["--out", "FOLDER"],
    prints: [/^panel-dark\.png$/m, /^panel-light\.png$/m, /^browser-dark\.png$/m, /^browser-light\.png$/m],
    needs: "Chromium",
  },
  {
    command: "npm run fuzz",
    args: ["--lines", "80", "--scanned", "240", "--rounds", "1", "--seed", "1", "test/unit/log/splitter.test.ts"],
    prints: [
      /^80 mutated lines .* seeds 1 to 2: 0 failures$/m,
      /^240 mutated lines for the scanner .* seeds 1 to 1: 0 failures$/m,
      /^1 rounds of the 1 files with properties, seeds 1 to 1: 0 failures$/m,
    ],
  },
  {
    command: "npm run laws",
    args: [SAMPLE],
    prints: [/[1-9]\d* hints save [1-9]\d* of \d+ bytes/, /^1 logs, 0 law breaks$/m],
  },
  {
    command: "npm run calibration",
    args: [SAMPLE],
    prints: [/^[1-9]\d* samples/m, /error, calibrated: +[\d.]+ %/, /error, chars \/ 4: +[\d.]+ %/],
  },
  { command: "node scripts/passes.mjs", args: [SAMPLE], prints: [/dedupToolOutputs/, /^0 laws broken$/m] },
  {
    command: "node examples/duplicates.mjs",
    args: [SAMPLE],
    prints: [/^1 logs, 1 sessions/m, /^Dedup Inspector, capacity 5 +[1-9]/m],
  },
  { command: "npm run sample", args: ["--out", "FOLDER"], prints: [/^written: .*sample\.jsonl$/m] },
  { command: "npm run manifests", args: ["--out", "FOLDER"], prints: [/^written: package\.json$/m] },
  { command: "npm run notices", args: ["--out", "FOLDER/notices.txt"], prints: [/^notices\.txt: .*\bpreact\b/m] },
  {
    command: "npm run package",
    args: ["--out", "FOLDER"],
    prints: [/\.vsix \(sha256 [\da-f]{64}\)$/m, /\.tgz \(sha256 [\da-f]{64}\)$/m],
  },
  {
    command: "npm run test:fresh",
    args: ["--linked"],
    prints: [/^from the clone to the page: \d+ s$/m, /^from there to dedup-inspector-.*\.vsix: \d+ s$/m],
    needs: "git",
  },
];

/** The parts of `npm test`, in order: scripts of package.json, and what each of them checks. */
export const PARTS = {
  typecheck: "types",
  lint: "lint and format",
  build: "build",
  unit: "units and contracts",
  "test:webview": "the page in Chromium",
  "test:claude": "live hints in a real Claude Code",
  "test:vscode": "the extension in a real VS Code",
  "test:programs": "the programs that documents name",
};

/** What else `npm test` runs, and where. */
export const ELSEWHERE = {
  "npm test": "itself",
  "npm run check": "two of its parts",
  "npm run soak": "test/faults/soak.test.ts",
  "node examples/mcp-server.mjs": "test/contract/examples.test.ts",
  "node test/vscode/run.mjs": "npm run test:vscode",
  "npx vitest": "npm run unit",
  "npx dedup-inspector": "test/contract/npmPackage.test.ts",
  "node dist/cli.js statusline": "test/contract/statusLine.test.ts",
};

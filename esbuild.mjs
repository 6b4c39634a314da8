// Builds everything that runs into dist/. `--watch` rebuilds on every change.
import { writeFile } from "node:fs/promises";
import * as esbuild from "esbuild";
import { writeDeclarations } from "./scripts/package/declarations.mjs";
import { compileScanner } from "./scripts/scanner.mjs";
import { pageBuild } from "./webview/build.mjs";

// Once: `--watch` does not see changes to its sources.
await compileScanner();

const shared = { bundle: true, outdir: "dist", sourcemap: true, metafile: true, logLevel: "warning" };
const node = {
  ...shared,
  platform: "node",
  format: "cjs",
  target: "node20",
  loader: { ".css": "text" },
  // The main file of jsonc-parser is UMD, whose own requires no bundler can follow.
  mainFields: ["module", "main"],
};

/** Half as large, in lines that can still be shown where a program fails. */
const packed = { ...node, minify: true, lineLimit: 200 };

/** Two threads that have most of their code in common, so they share a file. */
const THREADS = {
  engineWorker: "./src/engine/engineWorker.ts",
  comparisonWorker: "./src/engine/compare/comparisonWorker.ts",
};
const threads = Object.entries(THREADS)
  .map(([name, path]) => `exports.${name} = () => require("${path}");`)
  .join("\n");

/** A program that is written here. */
function written(name, contents) {
  const stdin = { contents, resolveDir: ".", sourcefile: `${name}.js` };
  return { stdin, outdir: undefined, outfile: `dist/${name}.js`, external: ["./threads.js"] };
}

/** The engine's door to Node's bytes, closed: a mod has its own. */
const withoutNode = {
  name: "without-node",
  setup(build) {
    const plain = new URL("src/mod/plainBytes.ts", import.meta.url).pathname;
    build.onResolve({ filter: /\/bytes\.js$/ }, () => ({ path: plain }));
  },
};

/** The Parquet library beside the program: it is loaded only by an export. */
const parquetBeside = {
  name: "parquet-beside",
  setup(build) {
    build.onResolve({ filter: /\/parquetFile\.js$/ }, () => ({ path: "./parquetFile.js", external: true }));
  },
};

const builds = [
  { ...node, entryPoints: { cli: "src/cli/start.ts" }, minify: true, banner: { js: "#!/usr/bin/env node" } },
  { ...packed, entryPoints: { cliProgram: "src/cli/index.ts" }, plugins: [parquetBeside] },
  { ...node, entryPoints: { parquetFile: "src/export/parquetFile.ts" }, minify: true, sourcemap: false },
  { ...packed, entryPoints: { replayWorker: "src/batch/replayWorker.ts" } },
  { ...packed, ...written("threads", threads) },
  ...Object.keys(THREADS).map(name => ({ ...node, ...written(name, `require("./threads.js").${name}();`) })),
  // Started for every tool call, and copied to where they stay: small, and without a map beside them.
  {
    ...node,
    entryPoints: { hook: "src/hook/start.ts", hookProgram: "src/hook/main.ts" },
    minify: true,
    sourcemap: false,
  },
  // Read by Claude Code before it runs it: one module, nothing of Node, and names that stay as they are.
  ...["dist", "plugin/dist"].map(outdir => ({
    ...shared,
    platform: "neutral",
    format: "esm",
    target: "es2023",
    outdir,
    entryPoints: { register: "src/mod/register.ts" },
    sourcemap: false,
    banner: { js: "// dedup-inspector" },
    plugins: [withoutNode],
  })),
  { ...node, entryPoints: { statusProgram: "src/hook/status/statusLine.ts" }, minify: true, sourcemap: false },
  { ...packed, entryPoints: { host: "src/vscode/extension.ts" }, external: ["vscode"] },
  // For other programs: readable, without anything of ours that it does not need.
  {
    ...node,
    entryPoints: { library: "src/library/index.ts" },
    format: "esm",
    outExtension: { ".js": ".mjs" },
    sourcemap: false,
  },
  { ...shared, ...pageBuild },
];

if (process.argv.includes("--watch")) {
  for (const options of builds) await (await esbuild.context(options)).watch();
} else {
  const declarations = writeDeclarations("src/library", "dist/library.d.mts");
  const results = await Promise.all(builds.map(options => esbuild.build(options)));
  // What came from where: for the list of other people's work (scripts/notices.mjs) and for what may be imported.
  const inputs = Object.assign({}, ...results.map(({ metafile }) => metafile.inputs));
  const outputs = Object.assign({}, ...results.map(({ metafile }) => metafile.outputs));
  await declarations;
  await writeFile("dist/build.json", JSON.stringify({ inputs, outputs }));
}

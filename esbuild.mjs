// Builds everything that runs into dist/. `--watch` rebuilds on every change.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import * as esbuild from "esbuild";
import { writeDeclarations } from "./scripts/package/declarations.mjs";
import { COMPILED, compilePrograms } from "./scripts/scanner.mjs";
import { pageBuild } from "./webview/build.mjs";

// Once: `--watch` does not see changes to its sources.
await compilePrograms();

const shared = { bundle: true, outdir: "dist", sourcemap: true, metafile: true, logLevel: "warning" };
const node = {
  ...shared,
  platform: "node",
  format: "cjs",
  target: "node20",
  loader: { ".css": "text" },
  // A fifth less to download; source maps explain stack traces.
  minify: true,
  // The main file of jsonc-parser is UMD, whose requires no bundler can follow.
  mainFields: ["module", "main"],
};

/** A large program, in lines that fit a stack trace. The limit splits strings, so small programs do without. */
const large = { ...node, lineLimit: 200 };

/** What src/hook/start.ts runs: one function, compiled just as it was read (src/files/compiledProgram.ts). */
const started = {
  ...node,
  sourcemap: false,
  banner: { js: "(function(exports,require,module,__filename,__dirname){" },
  footer: { js: "})" },
};

/** Programs that share most of their code: one file contains everything, and each runs its part. */
const PROGRAMS = {
  cliProgram: "src/cli/index.ts",
  comparisonWorker: "src/engine/compare/comparisonWorker.ts",
  // These have their own entry points: src/engine/start.ts and src/batch/start.ts.
  engineWorker: "src/engine/engineWorker.ts",
  replayWorker: "src/batch/replayWorker.ts",
};
const parts = Object.entries(PROGRAMS).map(([name, path]) => `exports.${name} = () => require("./${path}");\n`);

const compiled = Object.keys(COMPILED).map(name => `export * from "./src/${name}/compiled.ts";\n`);

/** Replaces the engine's byte functions that use Node: a mod has its own. */
const withoutNode = {
  name: "without-node",
  setup(build) {
    const plain = new URL("src/mod/plainBytes.ts", import.meta.url).pathname;
    build.onResolve({ filter: /\/bytes\.js$/ }, () => ({ path: plain }));
  },
};

/** Most runs never use Node's crypto, and loading it takes longer than using it. */
const cryptoOnDemand = {
  name: "crypto-on-demand",
  setup(build) {
    const namespace = "on-demand";
    build.onResolve({ filter: /^node:crypto$/ }, ({ path, namespace: from }) =>
      from === namespace ? { path, external: true } : { path, namespace },
    );
    build.onLoad({ filter: /^/, namespace }, async ({ path }) => {
      const { default: _, ...functions } = await import(path);
      const onDemand = name => `export const ${name} = (...all) => require("${path}").${name}(...all);`;
      return { contents: Object.keys(functions).map(onDemand).join("\n") };
    });
  },
};

/** The Parquet library as a separate file: only an export loads it. */
const parquetBeside = {
  name: "parquet-beside",
  setup(build) {
    build.onResolve({ filter: /\/parquetFile\.js$/ }, () => ({ path: "./parquetFile.js", external: true }));
  },
};

/** What is compiled from AssemblyScript, as a separate file: so the package has it only once. */
const compiledBeside = {
  name: "compiled-beside",
  setup(build) {
    build.onResolve({ filter: /\/compiled\.js$/ }, () => ({ path: "./compiled.js", external: true }));
  },
};

/** A program with its own texts leaves out all others. */
const textsOnDemand = {
  name: "texts-on-demand",
  setup(build) {
    const all = new URL("src/words/strings.ts", import.meta.url).pathname;
    build.onResolve({ filter: /^\.\/strings\.js$/ }, () => ({ path: all, sideEffects: false }));
  },
};

/** The mod draws a pane and no page: of the texts, each group as an export of its own, it has only those that it uses. */
const usedTexts = {
  name: "used-texts",
  setup(build) {
    const all = new URL("src/words/strings.ts", import.meta.url).pathname;
    build.onLoad({ filter: /\/src\/words\/strings\.ts$/ }, async () => {
      const { outputFiles } = await esbuild.build({ entryPoints: [all], bundle: true, format: "esm", write: false });
      const { strings } = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
      const groups = Object.entries(strings).map(([name, texts]) => `export const ${name} = ${JSON.stringify(texts)};`);
      return { contents: groups.join("\n") };
    });
    build.onLoad({ filter: /\/src\/(mod|words)\/.*\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, "utf8");
      return { contents: text.replace("import { strings } from", "import * as strings from"), loader: "ts" };
    });
  },
};

const builds = [
  { ...node, entryPoints: { cli: "src/cli/start.ts" }, banner: { js: "#!/usr/bin/env node" } },
  { ...node, entryPoints: { engineWorker: "src/engine/start.ts" }, sourcemap: false },
  { ...node, entryPoints: { replayWorker: "src/batch/start.ts" }, sourcemap: false },
  { ...node, entryPoints: { parquetFile: "src/export/parquetFile.ts" }, sourcemap: false },
  {
    ...large,
    plugins: [parquetBeside, compiledBeside, cryptoOnDemand],
    stdin: { contents: parts.join(""), resolveDir: ".", sourcefile: "programs.js" },
    outdir: undefined,
    outfile: "dist/programs.js",
  },
  {
    ...node,
    stdin: { contents: compiled.join(""), resolveDir: ".", sourcefile: "compiled.js" },
    outdir: undefined,
    outfile: "dist/compiled.js",
    sourcemap: false,
  },
  // Started for every tool call, and copied to where they are installed: small, and without a source map.
  { ...node, entryPoints: { hook: "src/hook/start.ts" }, sourcemap: false },
  { ...started, entryPoints: { hookProgram: "src/hook/main.ts" } },
  // Claude Code checks it before running it: one module, no Node APIs, and names unchanged. Without whitespace it is a
  // fifth smaller.
  ...["dist", "plugin/dist"].map(outdir => ({
    ...shared,
    platform: "neutral",
    format: "esm",
    target: "es2023",
    outdir,
    entryPoints: { register: "src/mod/register.ts" },
    minifyWhitespace: true,
    minifySyntax: true,
    lineLimit: 200,
    sourcemap: false,
    banner: { js: "// dedup-inspector" },
    plugins: [withoutNode, usedTexts],
  })),
  { ...started, entryPoints: { recallProgram: "src/cli/recallReport.ts" } },
  { ...started, entryPoints: { statusProgram: "src/hook/status/statusLine.ts" }, plugins: [textsOnDemand] },
  { ...large, entryPoints: { host: "src/vscode/extension.ts" }, external: ["vscode"] },
  // For other programs: readable, and without anything that it does not need.
  {
    ...node,
    entryPoints: { library: "src/library/index.ts" },
    format: "esm",
    outExtension: { ".js": ".mjs" },
    minify: false,
    sourcemap: false,
  },
  { ...shared, ...pageBuild },
];

await mkdir("dist", { recursive: true });
for (const name of ["cliProgram", "comparisonWorker"]) {
  const run = name === "cliProgram" ? ".run()" : "";
  await writeFile(`dist/${name}.js`, `require("./programs.js").${name}()${run};\n`);
}

if (process.argv.includes("--watch")) {
  for (const options of builds) await (await esbuild.context(options)).watch();
} else {
  const declarations = writeDeclarations("src/library", "dist/library.d.mts");
  const results = await Promise.all(builds.map(options => esbuild.build(options)));
  // Where everything came from: for the third-party notices (scripts/notices.mjs) and the check of imports.
  const inputs = Object.assign({}, ...results.map(({ metafile }) => metafile.inputs));
  const outputs = Object.assign({}, ...results.map(({ metafile }) => metafile.outputs));
  await declarations;
  await writeFile("dist/build.json", JSON.stringify({ inputs, outputs }));
}

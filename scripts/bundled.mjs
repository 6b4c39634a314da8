// Lets a script import the current sources: bundled in memory, without writing anything.
import Module from "node:module";
import { build } from "esbuild";

export async function bundled(exports) {
  const { outputFiles } = await build({
    stdin: { contents: exports, resolveDir: "." },
    bundle: true,
    write: false,
    platform: "node",
    format: "cjs",
  });
  const source = new Module("bundled");
  source._compile(outputFiles[0].text, "bundled.cjs");
  return source.exports;
}

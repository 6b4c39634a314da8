// How the page is bundled: one source for esbuild.mjs and for the tests of the page.

/** @type {import("esbuild").BuildOptions} */
export const pageBuild = {
  entryPoints: { webview: "webview/main.tsx", loader: "webview/loader.ts" },
  bundle: true,
  platform: "browser",
  format: "iife",
  target: "es2022",
  jsx: "automatic",
  jsxImportSource: "preact",
  minify: true,
  // Both pages say that they are UTF-8; escapes would be twice as long.
  charset: "utf8",
  legalComments: "none",
  logLevel: "warning",
};

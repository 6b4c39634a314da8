// How the page is bundled, for esbuild.mjs and for the page's tests.

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
  // Both pages declare UTF-8; escapes would be twice as long.
  charset: "utf8",
  legalComments: "none",
  logLevel: "warning",
};

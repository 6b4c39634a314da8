/** The minified build has no types of its own; it is the same code as the one that has. */
declare module "@vscode/webview-ui-toolkit/dist/toolkit.min.js" {
  export * from "@vscode/webview-ui-toolkit/dist/toolkit.js";
}

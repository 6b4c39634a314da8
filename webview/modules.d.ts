/**
 * The engine's types come from files that use Node. None of their code ends up in the page, and the page must not see
 * Node's globals, so what those files import is declared as any here.
 */
declare module "node:crypto";
declare module "node:buffer" {
  // biome-ignore lint/suspicious/noExplicitAny: see above.
  export type Buffer = any;
  // biome-ignore lint/suspicious/noExplicitAny: see above.
  export const Buffer: any;
}

/** Style sheets are bundled next to the script; importing one yields nothing. */
declare module "*.css";

/** What a browser shows when the page itself cannot be loaded. Not in strings.ts, because the loader must stay small. */
export const loaderStrings = {
  noToken: "This page needs its full address. Open the one that dedup-inspector printed.",
  refused: "Dedup Inspector was restarted or has stopped. Open the address that it printed last.",
} as const;

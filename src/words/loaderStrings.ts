/** What a browser shows where the page itself cannot be loaded: apart from strings.ts, for the loader must stay small. */
export const loaderStrings = {
  noToken: "This page is for whoever has its whole address. Open the one that dedup-inspector has printed.",
  refused: "Dedup Inspector was started anew or has ended. Open the address that it has printed last.",
} as const;

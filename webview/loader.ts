/** Loads the page in a browser: whatever is larger than this is served only to who has the token. */
import { loaderStrings } from "../src/words/loaderStrings.js";
import { takeToken } from "./token.js";

function load(token: string): void {
  const key = `?token=${encodeURIComponent(token)}`;
  const style = document.createElement("link");
  style.rel = "stylesheet";
  style.href = `/webview.css${key}`;
  const script = document.createElement("script");
  script.src = `/webview.js${key}`;
  script.nonce = document.currentScript?.nonce ?? "";
  // The page measures itself when it starts: it must look by then as it will.
  style.onload = () => document.head.append(script);
  style.onerror = () => say(loaderStrings.refused);
  script.onerror = () => say(loaderStrings.refused);
  document.head.append(style);
}

function say(text: string): void {
  document.body.textContent = text;
}

const token = takeToken();
if (token === null) say(loaderStrings.noToken);
else load(token);

/** Loads the page in a browser: everything larger than this is only served with the token. */
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
  // The page measures itself when it starts, so the styles must be there by then.
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

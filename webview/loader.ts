/** Loads the page in a browser. It must stay small: everything else is served only with the token. */
import { takeToken } from "./token.js";

const NO_TOKEN = "This page needs its full address. Open the one that dedup-inspector printed.";
const REFUSED = "Dedup Inspector was restarted or has stopped. Open the address that it printed last.";

function load(token: string): void {
  const key = `?token=${encodeURIComponent(token)}`;
  const style = document.createElement("link");
  style.rel = "stylesheet";
  style.href = `/webview.css${key}`;
  const script = document.createElement("script");
  script.src = `/webview.js${key}`;
  script.nonce = document.currentScript?.nonce ?? "";
  // The page measures itself at startup, so the styles must be loaded by then.
  style.onload = () => document.head.append(script);
  style.onerror = () => say(REFUSED);
  script.onerror = () => say(REFUSED);
  document.head.append(style);
}

function say(text: string): void {
  document.body.textContent = text;
}

const token = takeToken();
if (token === null) say(NO_TOKEN);
else load(token);

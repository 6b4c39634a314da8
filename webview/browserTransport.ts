import type { ToHost, ToPage } from "../src/protocol/messages.js";
import type { Transport } from "./transport.js";

/**
 * The page served by `dedup-inspector open`: events stream in, messages are posted. The server tells two tabs apart by
 * the page's own id, which both requests carry.
 */
export function browserTransport(): Transport {
  const token = takeToken();
  const page = crypto.randomUUID();
  let tellConnection: (connected: boolean) => void = () => {};
  let sent: Promise<unknown> = Promise.resolve();

  let arrived: Promise<unknown> = Promise.resolve();
  const authorization = `Bearer ${token}`;

  /** A snapshot's context is fetched: bytes do not go well with a stream of text. Undefined where a newer one comes. */
  async function whole(message: ToPage): Promise<ToPage | undefined> {
    if (message.type !== "snapshot" || message.state.context === null) return message;
    const response = await fetch(`/context?page=${page}&seq=${message.seq}`, { headers: { authorization } });
    if (!response.ok) return undefined;
    return { ...message, state: { ...message.state, context: [await response.arrayBuffer()] } };
  }

  async function post(message: ToHost): Promise<void> {
    const response = await fetch(`/message?page=${page}`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization },
      body: JSON.stringify(message),
    });
    if (!response.ok) throw new Error(`${response.status}`);
  }

  return {
    // One at a time: requests on their way together may arrive in any order.
    send: message => {
      sent = sent.then(() => post(message)).catch(() => tellConnection(false));
    },
    onMessage: take => {
      const listen = () => {
        const events = new EventSource(`/events?token=${encodeURIComponent(token)}&page=${page}`);
        events.onmessage = event => {
          const message = whole(JSON.parse(event.data) as ToPage).catch(() => tellConnection(false));
          // One after the other: what follows a snapshot waits for its bytes.
          arrived = Promise.all([message, arrived])
            .then(([next]) => next && take(next))
            .catch(reportError);
        };
        events.onopen = () => tellConnection(true);
        events.onerror = () => {
          tellConnection(false);
          // A broken stream is opened again by the browser, a refused one is not.
          if (events.readyState === EventSource.CLOSED) setTimeout(listen, RETRY_MS);
        };
      };
      listen();
    },
    getState: () => readState(),
    setState: state => localStorage.setItem(STATE_KEY, JSON.stringify(state)),
    onConnection: tell => {
      tellConnection = tell;
    },
  };
}

const RETRY_MS = 3000;
const TOKEN_KEY = "dedup.token";
const STATE_KEY = "dedup.state";

/** The token must not stay where it is copied along with the address; it is kept for reloads of this tab only. */
function takeToken(): string {
  const fromHash = new URLSearchParams(location.hash.slice(1)).get("token");
  const fromMeta = document.querySelector<HTMLMetaElement>('meta[name="dedup-token"]')?.content;
  if (fromHash !== null) history.replaceState(null, "", location.pathname + location.search);
  const token = fromHash ?? fromMeta ?? sessionStorage.getItem(TOKEN_KEY) ?? "";
  sessionStorage.setItem(TOKEN_KEY, token);
  return token;
}

function readState(): unknown {
  try {
    return JSON.parse(localStorage.getItem(STATE_KEY) ?? "null") ?? undefined;
  } catch {
    return undefined;
  }
}

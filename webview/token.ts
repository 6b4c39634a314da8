/** The token in a browser: it must not stay where it is copied along with the address, and is kept for this tab only. */
const KEY = "dedup.token";

/** Takes it from the document or from the address, for whoever asks later and for reloads; null where there is none. */
export function takeToken(): string | null {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="dedup-token"]');
  const given = meta?.content ?? new URLSearchParams(location.hash.slice(1)).get("token");
  if (given === null) return sessionStorage.getItem(KEY);
  meta?.remove();
  sessionStorage.setItem(KEY, given);
  history.replaceState(null, "", "/");
  return given;
}

export function keptToken(): string {
  return sessionStorage.getItem(KEY) ?? "";
}

/** The token in a browser: removed from the URL, from where it might be copied, and kept for this tab only. */
const KEY = "dedup.token";

/** Takes it from the document or the URL and keeps it for reloads; null if there is none. */
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

/** So deep that indentation would take more room than what is indented: it grows with the square of the depth. */
const MAX_INDENTED = 100;

/** A value of a log for people: indented, or on one line where it is nested too deeply for that. */
export function readableJson(value: unknown): string {
  try {
    return JSON.stringify(value, undefined, isDeep(value) ? 0 : 2) ?? "";
  } catch {
    return "(nested too deeply to be shown)";
  }
}

function isDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; depth < MAX_INDENTED; depth++) {
    level = level.flatMap(one => (typeof one === "object" && one !== null ? Object.values(one) : []));
    if (level.length === 0) return false;
  }
  return true;
}

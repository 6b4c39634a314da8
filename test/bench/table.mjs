// One aligned table: the first column and verdicts left-aligned, figures right-aligned.
export function table(heads, rows) {
  const cells = [heads, ...rows].map(row => heads.map((_, column) => row[column] ?? ""));
  const widths = heads.map((_, column) => Math.max(...cells.map(row => row[column].length)));
  const last = heads.length - 1;
  return cells
    .map(row =>
      row
        .map((cell, column) =>
          column === 0 || column === last ? cell.padEnd(widths[column]) : cell.padStart(widths[column]),
        )
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

export function seconds(value) {
  return value >= 10 ? `${value.toFixed(1)} s` : `${value.toFixed(2)} s`;
}

export function ratio(value) {
  return Number.isFinite(value) ? value.toFixed(value < 0.1 ? 3 : 2) : "–";
}

export function megabytes(value) {
  return Number.isFinite(value) ? `${value.toFixed(0)} MB` : "–";
}

/** "yes" or "NO", with the requirement. */
export function verdict(...checks) {
  return checks.map(([what, holds]) => `${what}: ${holds ? "yes" : "NO"}`).join(", ");
}

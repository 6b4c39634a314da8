import { setImmediate as nextTurn } from "node:timers/promises";
import { replayAll } from "../batch/replayPool.js";
import type { LogData } from "../inspect/logData.js";
import type { SessionFilter } from "../inspect/sessionDescription.js";
import { calibrationsOf, type Sample } from "../log/calibration.js";
import { groupSessions, type LogFile } from "../log/sessionFiles.js";
import type { PipelineOptions } from "../pipeline/logPipeline.js";
import type { FigureSettings } from "../settings/table.js";
import type { FoundLog } from "../tail/discover.js";
import type { ExportFolder } from "./exportFolder.js";
import type { Secrets } from "./secrets.js";
import { SessionRows } from "./sessionRows.js";
import { LogSpool, RowSpool } from "./spool.js";
import { csvFile, type ExportFormat, ndjsonFile, type TableFile } from "./tableFile.js";
import { type Cell, SCHEMA, TABLE_NAMES, type TableName } from "./tables.js";

export interface ExportOptions {
  readonly format: ExportFormat;
  readonly settings: PipelineOptions["settings"];
  readonly figures: FigureSettings;
  readonly shows: SessionFilter;
  /** Undefined: names are not hidden. */
  readonly secrets: Secrets | undefined;
  readonly cacheFolder: string | undefined;
  /** The version of this program. */
  readonly version: string;
}

/** The progress of an export: it reads all logs, then makes rows of the sessions, then writes one file after another. */
export interface ExportEvents {
  /** A stage begins. */
  begins(stage: "read" | "gather" | "write", total: { readonly items: number; readonly bytes: number }): void;
  advance(bytes: number): void;
  itemDone(): void;
  /** A log has been read. */
  read(data: LogData): void;
  problem(line: string): void;
}

export type RowCounts = Readonly<Record<TableName, number>>;

/**
 * Writes the tables into a folder. Only one session is in memory at a time, plus what figures need of all others: the
 * rest waits on disk.
 */
export async function exportLogs(
  logs: readonly FoundLog[],
  folder: ExportFolder,
  options: ExportOptions,
  events: ExportEvents,
): Promise<RowCounts> {
  // Usually the wrong folder, or one that is not mounted today.
  if (logs.length === 0 && folder.replaces)
    throw new Error("there are no logs, so the earlier export was not replaced");
  const open = await openerOf(options.format);
  const spool = new LogSpool(folder.spool);
  const read = await readLogs(logs, spool, options, events);
  // An empty export must not replace an earlier one only because the disk cannot be read today.
  if (logs.length > 0 && read.files.length === 0) throw new Error("no log could be read, so nothing was exported");
  // Nor because of a mistyped name.
  if (!read.hasLines && folder.replaces) {
    throw new Error("no line of any log is JSON, so the earlier export was not replaced");
  }
  const rows = new RowSpool(folder.spool);
  await gatherRows(read, spool, rows, options, events);
  spool.close();
  const { format, version, secrets } = options;
  await writeTables(rows, { folder, format, open }, events);
  const counts = Object.fromEntries(TABLE_NAMES.map(table => [table, 0])) as Record<TableName, number>;
  for (const { table, rows: count } of rows.days) counts[table] += count;
  const { invalidates, ...settings } = options.settings;
  await folder.finish({
    schema: SCHEMA,
    version,
    format,
    anonymous: secrets !== undefined,
    // It may name the user's own tools.
    settings: { ...settings, ...(secrets === undefined && { invalidates }) },
    rows: counts,
  });
  return counts;
}

interface ReadLogs {
  readonly files: readonly (LogFile & { readonly index: number })[];
  readonly samples: readonly Sample[];
  /** Whether any line of any log could be read. */
  readonly hasLines: boolean;
}

async function readLogs(
  logs: readonly FoundLog[],
  spool: LogSpool,
  { settings, cacheFolder }: ExportOptions,
  events: ExportEvents,
): Promise<ReadLogs> {
  const files: (LogFile & { index: number })[] = [];
  const samplesOf: (readonly Sample[])[] = [];
  let hasLines = false;
  let failure: unknown;
  events.begins("read", { items: logs.length, bytes: logs.reduce((sum, { bytes }) => sum + bytes, 0) });
  await replayAll(
    { logs, options: { settings, keepEvents: true, keepDetails: false, keepFacts: false }, cacheFolder },
    {
      advance: bytes => events.advance(bytes),
      done: ({ index: at, data, problem }) => {
        if (problem !== undefined) events.problem(problem);
        if (data !== undefined && failure === undefined) {
          try {
            files.push({ path: data.path, sessionId: data.sessionId, index: spool.put(data) });
            samplesOf[at] = data.samples;
            hasLines ||= data.lines > data.badLines;
            events.read(data);
          } catch (error) {
            failure = error;
          }
        }
        events.itemDone();
      },
    },
    // Results must not pile up while this thread is busy with a log of its own, and it must react to Ctrl-C.
    { callerWorks: false },
  );
  if (failure !== undefined) throw failure;
  return { files, samples: samplesOf.flat(), hasLines };
}

async function gatherRows(
  { files, samples }: ReadLogs,
  spool: LogSpool,
  rows: RowSpool,
  { figures, shows, secrets }: ExportOptions,
  events: ExportEvents,
): Promise<void> {
  const finish = (column: string, cell: Cell) => {
    const hidden = secrets?.cell(column, cell) ?? cell;
    return typeof hidden === "string" ? storable(hidden) : hidden;
  };
  const ratios = { everywhere: calibrationsOf(samples), set: figures.charsPerToken };
  const sessions = new SessionRows({ ratios, prices: figures.prices, shows }, (table, row) =>
    rows.add(table, row, finish),
  );
  const groups = groupSessions(files);
  events.begins("gather", { items: groups.length, bytes: spool.bytes });
  for (const { main, agents } of groups) {
    sessions.add(
      spool.get(main.index),
      agents.map(({ index }) => spool.get(index)),
    );
    for (const { index } of [main, ...agents]) events.advance(spool.size(index));
    events.itemDone();
    await nextTurn();
  }
  rows.flush();
}

interface Target {
  readonly folder: ExportFolder;
  readonly format: ExportFormat;
  readonly open: Opener;
}

type Opener = (path: string, table: TableName) => TableFile;

async function writeTables(rows: RowSpool, { folder, format, open }: Target, events: ExportEvents): Promise<void> {
  const days = rows.days;
  // Queries name every table: each needs at least one file.
  const empty = TABLE_NAMES.filter(table => !days.some(day => day.table === table));
  events.begins("write", { items: days.length + empty.length, bytes: 0 });
  for (const { table, day } of [...days, ...empty.map(table => ({ table, day: undefined }))]) {
    const file = open(folder.fileFor(table, day, format), table);
    rows.read(table, day, cells => file.add(cells));
    file.finish();
    events.itemDone();
    await nextTurn();
  }
}

async function openerOf(format: ExportFormat): Promise<Opener> {
  switch (format) {
    case "parquet":
      try {
        return (await import("./parquetFile.js")).parquetFile;
      } catch {
        // Not part of the VS Code extension, to keep it small: nobody exports from it.
        throw new Error(
          "this copy of the program cannot write Parquet: use --format ndjson, or install the program from npm",
        );
      }
    case "ndjson":
      return ndjsonFile;
    case "csv":
      return csvFile;
    default:
      return format satisfies never;
  }
}

/** No name is longer. Without a limit, a log could have a huge name that every row repeats. */
const MAX_TEXT_CHARS = 4096;
/** Invalid characters, and those that databases cannot store. */
const UNSTORABLE = /\0|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

function storable(text: string): string {
  return text.slice(0, MAX_TEXT_CHARS).replace(UNSTORABLE, "\uFFFD");
}

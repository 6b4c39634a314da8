import type { EngineConfig } from "../engine/engineMessages.js";
import { Inspector } from "../serve/inspector.js";
import { FIGURES, REPLAY, WINDOW } from "../settings/table.js";
import { defaultRoots, findLogs } from "../tail/discover.js";
import { capitalized } from "../words/text.js";
import { noLogs } from "./askedReport.js";
import { optionsFor, readArguments, settingsIn, wholeNumber } from "./options.js";
import { samplePath } from "./sampleCommand.js";
import { printLine, type Terminal } from "./terminal.js";

const OPTIONS = {
  ...optionsFor(REPLAY, FIGURES),
  port: { type: "string" },
  "no-browser": { type: "boolean" },
  "no-cache": { type: "boolean" },
} as const;

/** At shutdown: how long a thread that is still reading a log may take. */
const LAST_WORDS_MS = 1000;

/** Serves the inspector's page until Ctrl-C. */
export async function openCommand(args: string[], terminal: Terminal): Promise<number> {
  const { values, paths } = readArguments(args, OPTIONS);
  const port = wholeNumber(values, "port", 0, 65_535) ?? 0;
  const roots = paths.length > 0 ? paths : defaultRoots();
  const project = process.cwd();
  const config: Omit<EngineConfig, "place"> = {
    roots,
    workspace: [project],
    settings: settingsIn(REPLAY, values),
    figures: settingsIn(FIGURES, values),
    axis: WINDOW.axis.default,
    useCache: values["no-cache"] !== true,
  };
  const say = (line: string) => terminal.say(line);
  const { logs, problems, isUsable } = findLogs(roots);
  for (const line of problems) say(line);
  if (paths.length > 0 && !isUsable) return 1;

  const withSample = paths.length === 0 && logs.length === 0;
  const ended = new Promise<void>(resolve => {
    // Not `once`: another signal during shutdown (Ctrl-C reaches npm too, which passes it on) would end the program at
    // once, and leave its temporary files behind.
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => resolve());
  });
  const laterRoots = () => (paths.length > 0 ? [] : defaultRoots());
  const shipped = { assets: __dirname, samplePath: samplePath() };
  const options = { port, config, laterRoots, project, ...shipped, withSample, notice: say };
  const inspector = await Inspector.start(options).catch(error => {
    throw new Error(startProblem(error as NodeJS.ErrnoException, port));
  });
  terminal.out(`Dedup Inspector: ${inspector.address}\n`);
  if (withSample) printLine(terminal, `${capitalized(noLogs())}. This is the bundled sample session, replayed live.`);
  if (values["no-browser"] !== true) inspector.openBrowser();

  await ended;
  await inspector.close();
  setTimeout(() => process.exit(), LAST_WORDS_MS).unref();
  return 0;
}

function startProblem({ code, message }: NodeJS.ErrnoException, port: number): string {
  if (code === "EADDRINUSE") return `port ${port} is in use`;
  if (code === "EACCES") return `no permission to use port ${port}`;
  return message;
}

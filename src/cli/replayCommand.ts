import type { DedupSettings } from "../dedup/settings.js";
import { problemOf, readLog } from "../files/openFile.js";
import {
  parametersOf,
  STRATEGIES,
  STRATEGY_ALIASES,
  STRATEGY_IDS,
  type Strategy,
  strategyInForce,
} from "../inspect/strategies.js";
import { emissionReader } from "../pipeline/strategyReplays.js";
import { REPLAY } from "../settings/table.js";
import { damageOf } from "./damage.js";
import {
  type OptionValues,
  oneOf,
  onlyWith,
  optionsFor,
  readArguments,
  settingsIn,
  text,
  UsageError,
} from "./options.js";
import type { Terminal } from "./terminal.js";

/** What the model would have received, one JSON line per result, in the order of the log. */
export function replayCommand(args: string[], terminal: Terminal): number {
  const { values, paths } = readArguments(args, {
    ...optionsFor(REPLAY),
    strategy: { type: "string" },
    "span-inputs": { type: "boolean" },
    json: { type: "boolean" },
  });
  const [file] = paths;
  if (file === undefined || paths.length > 1) throw new UsageError("replay takes one log file");
  if (values["json"] !== true) throw new UsageError("replay writes JSON lines: use --json");
  const settings = settingsIn(REPLAY, values);
  const strategy = strategyOption(values, settings);
  const lines: string[] = [];
  try {
    const write = (line: string) => {
      lines.push(line);
      // Written in large pieces; held back only until the file has proved readable.
      if (lines.length >= 256) terminal.out(lines.splice(0).join(""));
    };
    const reader = emissionReader(file, { strategy, settings }, (context, emission) =>
      write(`${JSON.stringify({ context, ...emission })}\n`),
    );
    readLog(file, bytes => reader.push(bytes));
    terminal.out(lines.join(""));
    for (const line of damageOf(file, reader.lines, reader.header).values()) terminal.say(line);
  } catch (error) {
    throw new Error(`${problemOf(error)}: ${file}`);
  }
  return 0;
}

/** The requested strategy. Options that it does not support are rejected. */
function strategyOption(values: OptionValues, settings: DedupSettings): Strategy {
  const named = text(values, "strategy") ?? (values["span-inputs"] === true ? "span-inputs" : undefined);
  const given = named ?? strategyInForce(settings);
  const strategy = oneOf(STRATEGY_ALIASES.get(given) ?? given, "strategy", STRATEGY_IDS);
  const kindOf = (id: Strategy) => STRATEGIES[id].replay.kind;
  onlyWith(
    values,
    [REPLAY.runs.flag],
    named === undefined,
    "a replay without --strategy, which decides about runs of lines itself",
  );
  const onlyIf = (names: readonly string[], takes: (id: Strategy) => boolean) =>
    onlyWith(values, names, takes(strategy), `--strategy ${STRATEGY_IDS.filter(takes).join(", ")}`);
  onlyIf([REPLAY.capacity.flag], id => typeof parametersOf(id, settings).capacity === "number");
  onlyIf([REPLAY.spanMinBytes.flag], id => kindOf(id) === "live");
  onlyIf(Object.keys(optionsFor(REPLAY)), id => kindOf(id) !== "span");
  onlyIf(["span-inputs"], id => kindOf(id) === "span");
  return values["span-inputs"] === true ? "span-inputs" : strategy;
}

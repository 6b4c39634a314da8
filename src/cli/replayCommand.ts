import type { DedupSettings } from "../dedup/settings.js";
import { problemOf, readLog } from "../files/openFile.js";
import {
  isSpanStrategy,
  parametersOf,
  STRATEGY_ALIASES,
  STRATEGY_IDS,
  type Strategy,
  type StrategyOptions,
  type StrategyParameters,
  strategyInForce,
} from "../inspect/strategies.js";
import { emissionReader } from "../pipeline/strategyReplays.js";
import { FIGURES, REPLAY } from "../settings/table.js";
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

const SPANS = { spanMinBytes: FIGURES.spanMinBytes };

/** What the model would have been given, one JSON line per result, in the order of the log. */
export function replayCommand(args: string[], terminal: Terminal): number {
  const { values, paths } = readArguments(args, {
    ...optionsFor(REPLAY, SPANS),
    strategy: { type: "string" },
    "span-inputs": { type: "boolean" },
    json: { type: "boolean" },
  });
  const [file] = paths;
  if (file === undefined || paths.length > 1) throw new UsageError("replay takes one log file");
  if (values["json"] !== true) throw new UsageError("replay writes JSON lines: use --json");
  const settings = settingsIn(REPLAY, values);
  const options = settingsIn(SPANS, values);
  const strategy = strategyOption(values, settings, options);
  const lines: string[] = [];
  try {
    const write = (line: string) => {
      lines.push(line);
      // Written in large pieces; held back only until the file has proved readable.
      if (lines.length >= 256) terminal.out(lines.splice(0).join(""));
    };
    const reader = emissionReader(file, { strategy, settings, options }, (context, emission) =>
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

/** The strategy that was asked for. Options that it does not take are refused. */
function strategyOption(values: OptionValues, settings: DedupSettings, options: StrategyOptions): Strategy {
  const given = text(values, "strategy") ?? strategyInForce(settings);
  const strategy = oneOf(STRATEGY_ALIASES.get(given) ?? given, "strategy", STRATEGY_IDS);
  const onlyIf = (names: readonly string[], takes: (parameters: StrategyParameters) => boolean) => {
    const takers = STRATEGY_IDS.filter(id => takes(parametersOf(id, settings, options)));
    onlyWith(values, names, takers.includes(strategy), `--strategy ${takers.join(", ")}`);
  };
  onlyIf(["capacity"], ({ capacity }) => typeof capacity === "number");
  onlyIf(Object.keys(optionsFor(REPLAY)), ({ capacity }) => capacity !== undefined);
  onlyIf(["span-min-bytes"], ({ spanMinBytes: minBytes }) => minBytes !== undefined);
  onlyWith(values, ["span-inputs"], isSpanStrategy(strategy), "--strategy span");
  return values["span-inputs"] === true ? "span-inputs" : strategy;
}

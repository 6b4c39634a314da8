import { DEFAULT_SETTINGS } from "../dedup/settings.js";
import { STRATEGY_ALIASES, STRATEGY_IDS, strategyInForce } from "../inspect/strategies.js";
import { defaultsOf, liveDefaultsOf, type Setting, type SettingTable, type ValuesOf } from "../settings/kinds.js";
import { FIGURES, LIVE_HINTS, REPLAY } from "../settings/table.js";
import { strings } from "../words/strings.js";

/** One line for each option of a section. `json`: what the argument of a JSON option is. */
function optionLines<T extends SettingTable>(
  table: T,
  defaults: ValuesOf<T> = defaultsOf(table),
  json: "FILE" | "JSON" = "FILE",
): string {
  const lines = Object.entries(table).map(([name, setting]) => {
    const { argument, about } = describe(setting, json, defaults[name]);
    return `  ${`--${setting.flag}${argument}`.padEnd(22)} ${about}`;
  });
  return lines.join("\n");
}

function describe(setting: Setting, json: "FILE" | "JSON", byDefault: unknown): { argument: string; about: string } {
  const { help = "" } = setting;
  switch (setting.kind) {
    case "integer":
      return { argument: " N", about: `${help} (default ${byDefault})` };
    case "number":
      return { argument: " N", about: help };
    case "toggle":
      return { argument: "", about: help };
    case "choice": {
      const choices = `${setting.choices.slice(0, -1).join(", ")} or ${setting.choices.at(-1)}`;
      return { argument: " V", about: `${help}: ${choices} (default ${byDefault})` };
    }
    case "json":
      return json === "FILE" ? { argument: " FILE", about: `JSON: ${help}` } : { argument: "=JSON", about: help };
    default:
      return setting satisfies never;
  }
}

const ENGINE = `
Engine options
${optionLines(REPLAY)}`;

/** `when`: where the smallest run counts. */
function figureLines(when: string): string {
  const { spanMinBytes } = FIGURES;
  return optionLines({ ...FIGURES, spanMinBytes: { ...spanMinBytes, help: `${when}: ${spanMinBytes.help}` } });
}

const LIVE = optionLines(LIVE_HINTS);
const LIVE_DEFAULTS = liveDefaultsOf(REPLAY);

/** One line for each, with its aliases. */
const STRATEGY_LINES = STRATEGY_IDS.map(strategy => {
  const aliases = [...STRATEGY_ALIASES].filter(([, meant]) => meant === strategy).map(([alias]) => alias);
  const also = aliases.length === 0 ? "" : ` (also called ${aliases.join(", ")})`;
  return `  ${strategy.padEnd(23)}${strings.strategies[strategy].about}${also}`;
}).join("\n");

export const HELP: Readonly<Record<string, string>> = {
  "": `dedup-inspector: see which tool results of Claude Code repeat what the model already has

Usage: dedup-inspector COMMAND [options]

Commands
  report [PATH…]     replay logs and show what repeats, what was forgone, and what it costs
  open [PATH…]       the inspector in a browser, live
  watch [PATH…]      follow logs live, one line per event
  replay FILE        show, result by result, what the model would have been given
  hooks              live hints: turn them on or off in Claude Code, or show where they are on
  hook               the live hints' own program: one Claude Code hook event on stdin, the answer on stdout
  sample             write the bundled sample session

dedup-inspector COMMAND --help tells more, --version which one this is. Nothing leaves this machine, and no log is ever changed.`,

  report: `Replay logs and show what repeats.

Usage: dedup-inspector report [PATH…] [options]

PATH is a .jsonl log or a folder, searched to its end; default: Claude Code's own logs.

Options
  --json                 print the whole report as JSON
  --events               with --json: every hit, miss, invalidation and boundary too
  --since DATE           only sessions active since then
  --project TEXT         only sessions whose project path contains the text
  --no-cache             read every log anew and keep nothing for the next time
  --limit N              sessions, projects, tools and files shown in the tables (default 10)
  --strategies           compare all ways to save: whole results, near-references, runs of lines (reads every log anew)
  --gates                list the largest results, the files read again and again, overlapping and stale reads
${figureLines("with --strategies")}
${ENGINE}`,

  watch: `Follow logs live: one line per event, as it happens. Ends on Ctrl-C.

Usage: dedup-inspector watch [PATH…] [options]

PATH is a .jsonl log or a folder, searched to its end; default: Claude Code's own logs.

Options
  --json                 one JSON object per event
  --from-start           first what is already in the logs
  --idle-exit S          end after S seconds without a change
${ENGINE}`,

  open: `Open the inspector in a browser: what repeats, what was invalidated, what each part saved. Ends on Ctrl-C.

Usage: dedup-inspector open [PATH…] [options]

PATH is a .jsonl log or a folder, searched to its end; default: Claude Code's own logs, or the bundled sample session
where there are none. The page is served to this machine only (127.0.0.1), for whoever has the printed address.

Options
  --port N               serve on this port; default: any free one
  --no-browser           print the address, open nothing
  --no-cache             read every log anew and keep nothing for the next time
${figureLines("What if")}
${ENGINE}`,

  replay: `Show what the model would have been given in place of each result of one log.

Usage: dedup-inspector replay FILE [--strategy NAME] --json [options]

One JSON line per result: context, partition, id, tool, bytes, emitted (the text, null where it was not only text) and
refs (the calls that the emitted text refers to).

Ways to save, by NAME (default ${strategyInForce(DEFAULT_SETTINGS)})
${STRATEGY_LINES}

Options for runs of lines
  --span-min-bytes N     shorter runs are not replaced (default ${FIGURES.spanMinBytes.default})
  --span-inputs          the same as --strategy span-inputs
${ENGINE.replace("Engine options", "Options for whole results")}`,

  hooks: `Live hints: a tool result that the model already has in full is answered by one line that says where. Off until you
turn them on.

Usage: dedup-inspector hooks install|uninstall|restore|status [options]

install and uninstall show the exact change of Claude Code's settings and ask before they write it. The hooks of others
stay as they are, and uninstall brings the file back as it was. A file that would lose something (one that is read-only,
has a second name or is not UTF-8) is left alone. restore is for a settings file that is broken: it brings back the one
from before live hints and keeps the broken one beside it.

Options
  --scope S              user: all your projects (default); project: this one, for everyone who works on it;
                         local: this one, for you alone
  --config-dir DIR       Claude Code's own folder; default: CLAUDE_CONFIG_DIR (one folder, not a list), or ~/.claude
  --yes                  do not ask; needed where there is no terminal
${LIVE}

Engine options
${optionLines(REPLAY, LIVE_DEFAULTS)}`,

  hook: `The live hints' own program, run by Claude Code: reads one hook event on stdin, answers on stdout or says nothing.

Usage: dedup-inspector hook [options]

It never fails: whatever goes wrong, the tool's result reaches the model as it is.

Options
${LIVE}
  --state DIR            where it keeps what it has read; default: the user's cache folder

Engine options
${optionLines(REPLAY, LIVE_DEFAULTS, "JSON")}`,

  sample: `Write the bundled sample session: one log with every kind of event.

Usage: dedup-inspector sample [--out FILE] [--live]

Options
  --out FILE             write there, never over an existing file; default: standard output
  --live                 line by line, as a running session would`,
};

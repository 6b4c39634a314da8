import { DEFAULT_SETTINGS } from "../dedup/settings.js";
import { DEFAULT_OUT, EXPORT_FORMATS } from "../export/tableFile.js";
import { STRATEGY_ALIASES, STRATEGY_IDS, strategyInForce } from "../inspect/strategies.js";
import { defaultsOf, type Setting, type SettingTable } from "../settings/kinds.js";
import { FIGURES, HINTS, REPLAY } from "../settings/table.js";
import { strings } from "../words/strings.js";

/** One line for each option of a section. `json`: the argument of a JSON option. */
function optionLines(table: SettingTable, json: "FILE" | "JSON" = "FILE"): string {
  const defaults = defaultsOf(table);
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

/** Which of Claude Code's settings files to change. */
const PLACE_OPTIONS = `  --scope S              user: all your projects (default); project: this one, for everyone who works on it;
                         local: this one, only for you
  --config-dir DIR       Claude Code's own folder; default: CLAUDE_CONFIG_DIR (if it is a list, each folder in it), or
                         ~/.claude
  --yes                  do not ask; required if there is no terminal`;

/** One line for each, with its aliases. */
const STRATEGY_LINES = STRATEGY_IDS.map(strategy => {
  const aliases = [...STRATEGY_ALIASES].filter(([, meant]) => meant === strategy).map(([alias]) => alias);
  const also = aliases.length === 0 ? "" : ` (also called ${aliases.join(", ")})`;
  return `  ${strategy.padEnd(23)}${strings.strategies[strategy].about}${also}`;
}).join("\n");

const PATHS = `PATH is a .jsonl log (its subagents' logs are separate files) or a folder, searched recursively; default: Claude
Code's own logs`;

/** The same for reports and exports. */
const SINCE = `  --since DATE           only sessions active since that date, such as 2026-01-31 (the day begins in UTC) or
                         2026-01-31T23:59 (local time)`;

export const HELP: Readonly<Record<string, string>> = {
  "": `dedup-inspector: see which of Claude Code's tool results repeat what the model already has

Usage: dedup-inspector [COMMAND] [options]

Commands
  open [PATH…]       open the inspector in a browser, live (the default)
  report [PATH…]     replay logs and show what repeats, what was missed, and what that costs
  watch [PATH…]      follow logs live, one line per event
  replay FILE        show, result by result, what the model would have seen
  export [PATH…]     write tables for SQL: sessions, requests, results, runs of lines, events
  hooks              turn live hints on or off in Claude Code, or show where they are on
  hook               the live hints program: takes a Claude Code hook event on stdin and answers on stdout
  statusline         Claude Code's status line: how full the context is, and how much of it repeats
  sample             write the bundled sample session

Run dedup-inspector COMMAND --help for details, or --version for the version. Nothing leaves this machine, and logs are
never changed.`,

  report: `Replay logs and show what repeats.

Usage: dedup-inspector report [PATH…] [options]

${PATHS}.

Options
  --json                 print the whole report as JSON
  --markdown             print it as a Markdown document
  --html                 print it as one HTML file, including the sessions' timelines
  --events               with --json: include every event (hits, misses, invalidations, compactions)
${SINCE}
  --project TEXT         only sessions whose project path contains the text
  --no-cache             read every log from scratch and cache nothing
  --limit N              rows shown in the tables, such as sessions, projects, tools and files (default 10)
  --strategies           compare all ways to save, and other smallest runs of lines (reads every log)
  --passes               what codetether and PilotDeck would do to each partition, and what it costs (reads every log)
  --trial                compare a trial's sessions with and without hints (see hooks install --trial), and show which
                         hints were asked for again
  --gates                list the largest results, files read repeatedly, overlapping and stale reads (20 each at most)
${optionLines(FIGURES)}
${ENGINE}`,

  watch: `Follow logs live: one line per event, as it happens. Stop with Ctrl-C.

Usage: dedup-inspector watch [PATH…] [options]

${PATHS}.

Options
  --json                 one JSON object per event
  --from-start           start with what is already in the logs
  --idle-exit S          exit after S seconds without a change
${ENGINE}`,

  open: `Open the inspector in a browser: what repeats, what was invalidated, what each part saved. Stop with Ctrl-C.

Usage: dedup-inspector open [PATH…] [options]

${PATHS}, or the bundled sample session if there are none. The page is served to this machine only (127.0.0.1), to
anyone who has the printed address.

Options
  --port N               serve on this port; default: any free port
  --no-browser           only print the address
  --no-cache             read every log from scratch and cache nothing
${optionLines(FIGURES)}
${ENGINE}`,

  replay: `Show what the model would have seen instead of each result of one log.

Usage: dedup-inspector replay FILE [--strategy NAME] --json [options]

One JSON line per result: context, partition, id, tool, bytes, emitted (the text, or null if it was not plain text)
and refs (the calls that the emitted text refers to).

Ways to save, by NAME (default ${strategyInForce(DEFAULT_SETTINGS)})
${STRATEGY_LINES}

Options
  --span-inputs          the same as --strategy span-inputs
${ENGINE}`,

  export: `Write the data behind a report as tables, for DuckDB and any other SQL engine: sessions, requests, results, runs,
events. They contain no conversation text. docs/sql.md describes every column and has queries to start from.

Usage: dedup-inspector export [PATH…] [options]

${PATHS}.

Options
  --format F             ${EXPORT_FORMATS.slice(0, -1).join(", ")} or ${EXPORT_FORMATS.at(-1)} (default ${EXPORT_FORMATS[0]})
  --out DIR              the folder to write, or an earlier export to replace (default ${DEFAULT_OUT})
  --anonymous            replace paths, projects, titles, ids and names of your own with keyed hashes
  --key FILE             with --anonymous: the key of the hashes; default: your own, which is created on first use
${SINCE}
  --project TEXT         only sessions whose project path contains the text
  --no-cache             read every log from scratch and cache nothing
${optionLines(FIGURES)}
${ENGINE}`,

  hooks: `Live hints: a tool result that the model already has in full is replaced by one line that says where it is. They
are off until you turn them on.

Usage: dedup-inspector hooks install|uninstall|restore|status|end-trial [options]

Claude Code 2.1.287 and later run them as a mod, earlier versions as hooks; status shows which is on. Options given to
install apply until the next install, or until the same setting changes in VS Code, and take effect in running sessions.

install and uninstall show the exact change to Claude Code's settings and ask before writing it. Other hooks are not
touched, and uninstall restores the file to what it was. A file that would lose something (because it is read-only, has a
hard link or is not UTF-8) is not changed. restore is for a broken settings file: it brings back the one from before live
hints and keeps the broken one next to it.

install --trial turns them on in half of the new sessions, chosen at random; report --trial compares the two halves.
end-trial shows what was found and keeps whichever did better, or asks; install without --trial also ends a trial. If
nothing is kept, hints are turned off wherever they are on, in other projects too, unless --scope or --config-dir says
where. The trial continues as long as they are on anywhere.

Options
${PLACE_OPTIONS}
  --trial                with install: only half of the new sessions get hints
  --keep WHAT            with end-trial: hints or nothing; default: whichever did better

Engine options
${optionLines(HINTS)}`,

  hook: `The live hints program, run by Claude Code: reads one hook event on stdin and answers on stdout or prints nothing.

Usage: dedup-inspector hook [options]

It never fails: if anything goes wrong, the tool's result reaches the model unchanged.

Options
  --state DIR            where it keeps what it has read; default: the user's cache folder

Engine options
${optionLines(HINTS, "JSON")}`,

  statusline: `Claude Code's status line: how full the context is, and how much of what the tools returned repeats lines
that the model already has, such as "62 % · 12 % repeats".

Usage: dedup-inspector statusline install|uninstall [options]
       dedup-inspector statusline < session data, as Claude Code passes it

install shows the exact change to Claude Code's settings and asks before writing it. If there is a status line already,
nothing is changed. uninstall restores the file to what it was.

Options
${PLACE_OPTIONS}`,

  sample: `Write the bundled sample session, with its subagents.

Usage: dedup-inspector sample [--out FILE] [--live]

Options
  --out FILE             write to this file, which must not exist, and its subagents' logs to a folder of the same name
                         without .jsonl; default: the main log to standard output
  --live                 line by line, like a running session`,
};

import { DEFAULT_SETTINGS } from "../dedup/settings.js";
import { DEFAULT_STRATEGY_OPTIONS } from "../inspect/strategies.js";

const LOOKS = `  --prices FILE          JSON: US dollars per million input tokens by model, before the built-in list prices
  --chars-per-token N    use this ratio instead of the calibrated ones`;

const ENGINE = `
Engine options
  --capacity N           results remembered per context (default ${DEFAULT_SETTINGS.capacity})
  --min-bytes N          smaller results are left alone (default ${DEFAULT_SETTINGS.minBytes})
  --near-ref             also refer to JSON objects that differ in a few values
  --verbosity V          hint text: terse, standard, verbose or located (default ${DEFAULT_SETTINGS.verbosity})
  --invalidates FILE     JSON map: after which tool which tools' results are stale`;

export const HELP: Readonly<Record<string, string>> = {
  "": `dedup-inspector: see which of Claude Code's tool results repeat what the model already has

Usage: dedup-inspector COMMAND [options]

Commands
  report [PATH…]     replay logs and show what repeats, what was missed, and what it costs
  open [PATH…]       open the inspector in a browser, live
  watch [PATH…]      follow logs live, one line per event
  replay FILE        show, result by result, what the model would have seen
  hooks              turn live hints on or off in Claude Code, or show where they are on
  hook               the live hints program: takes a Claude Code hook event on stdin and answers on stdout
  sample             write the bundled sample session

Run dedup-inspector COMMAND --help for details, or --version for the version. Nothing leaves this machine, and logs are
never changed.`,

  report: `Replay logs and show what repeats.

Usage: dedup-inspector report [PATH…] [options]

PATH is a .jsonl log or a folder, searched recursively; default: Claude Code's own logs.

Options
  --json                 print the whole report as JSON
  --events               with --json: every hit, miss, invalidation and boundary too
  --since DATE           only sessions active since then
  --project TEXT         only sessions whose project path contains the text
  --no-cache             read every log anew and keep nothing for the next time
  --limit N              sessions, projects, tools and files shown in the tables (default 10)
  --strategies           compare all ways to save: whole results, near-references, runs of lines (reads every log anew)
  --span-min-bytes N     with --strategies: shorter runs of lines are left alone (default ${DEFAULT_STRATEGY_OPTIONS.spanMinBytes})
  --gates                list the largest results, the files read again and again, overlapping and stale reads
${LOOKS}
${ENGINE}`,

  watch: `Follow logs live: one line per event, as it happens. Stop with Ctrl-C.

Usage: dedup-inspector watch [PATH…] [options]

PATH is a .jsonl log or a folder, searched recursively; default: Claude Code's own logs.

Options
  --json                 one JSON object per event
  --from-start           first what is already in the logs
  --idle-exit S          end after S seconds without a change
${ENGINE}`,

  open: `Open the inspector in a browser: what repeats, what was invalidated, what each part saved. Stop with Ctrl-C.

Usage: dedup-inspector open [PATH…] [options]

PATH is a .jsonl log or a folder, searched recursively; default: Claude Code's own logs, or the bundled sample session
if there are none. The page is served to this machine only (127.0.0.1), to anyone who has the printed address.

Options
  --port N               serve on this port; default: any free one
  --no-browser           print the address, open nothing
  --no-cache             read every log anew and keep nothing for the next time
  --span-min-bytes N     What if: shorter runs of lines are left alone (default ${DEFAULT_STRATEGY_OPTIONS.spanMinBytes})
${LOOKS}
${ENGINE}`,

  replay: `Show what the model would have seen instead of each result of one log.

Usage: dedup-inspector replay FILE --strategy lru|near|span --json [options]

One JSON line per result: context, partition, id, tool, bytes, emitted (the text, or null if it was not plain text)
and refs (the calls that the emitted text refers to).

Strategies
  lru                    a result that repeats one of the last few becomes one hint line (default)
  near                   also a JSON object that differs in a few values: the same as lru with --near-ref
  span                   runs of lines that stand in an earlier result become hint lines
    --span-min-bytes N   shorter runs are left alone (default ${DEFAULT_STRATEGY_OPTIONS.spanMinBytes})
    --span-inputs        runs that stand in an earlier call's input too
${ENGINE.replace("Engine options", "Engine options, for lru and near")}`,

  hooks: `Live hints: a tool result that the model already has in full is replaced by one line that says where. They are off until
you turn them on.

Usage: dedup-inspector hooks install|uninstall|restore|status [options]

install and uninstall show the exact change to Claude Code's settings and ask before writing it. Other hooks are not
touched, and uninstall restores the file to what it was. A file that would lose something (because it is read-only, has a
hard link or is not UTF-8) is not changed. restore is for a broken settings file: it restores the one from before live
hints and keeps the broken one next to it.

Options
  --scope S              user: all your projects (default); project: this one, for everyone who works on it;
                         local: this one, for you alone
  --config-dir DIR       Claude Code's own folder; default: CLAUDE_CONFIG_DIR (one folder, not a list), or ~/.claude
  --yes                  do not ask; needed where there is no terminal
  --span                 also replace runs of lines that an earlier result already showed
${ENGINE.replace(`(default ${DEFAULT_SETTINGS.verbosity})`, "(default located)")}`,

  hook: `The live hints program, run by Claude Code: reads one hook event on stdin and answers on stdout or prints nothing.

Usage: dedup-inspector hook [options]

It never fails: whatever goes wrong, the tool's result reaches the model unchanged.

Options
  --span                 also replace runs of lines that an earlier result already showed
  --state DIR            where it keeps what it has read; default: the user's cache folder
${ENGINE.replace(`(default ${DEFAULT_SETTINGS.verbosity})`, "(default located)").replace("FILE     JSON map:", "=JSON    ")}`,

  sample: `Write the bundled sample session: one log with every kind of event.

Usage: dedup-inspector sample [--out FILE] [--live]

Options
  --out FILE             write there, never over an existing file; default: standard output
  --live                 line by line, as a running session would`,
};

/** The commands. Failures are reported to the user in one line. */
import { commands, type Disposable, type LogOutputChannel, Uri, window } from "vscode";
import { messageOf } from "../protocol/channel.js";
import { menuCallOf } from "../protocol/contextMenu.js";
import { strings } from "../words/strings.js";
import { fill } from "../words/text.js";
import type { Actions } from "./actions.js";
import type { EditorPanels } from "./editorPanel.js";
import { AT_CURSOR, COMMANDS } from "./ids.js";
import { Disposables } from "./lifecycle.js";
import type { LiveHints } from "./liveHints.js";
import type { Pages } from "./pages.js";
import type { CallRef, SelectedCall } from "./selectedCall.js";
import type { Texts } from "./transcript/textDocuments.js";
import { texts } from "./vscodeStrings.js";

type CommandName = keyof typeof COMMANDS;

export interface CommandParts {
  readonly actions: Actions;
  readonly pages: Pages;
  readonly panels: EditorPanels;
  readonly liveHints: LiveHints;
  readonly selection: SelectedCall;
  readonly texts: Texts;
  readonly log: LogOutputChannel;
}

/** The call under a context menu, the call at the cursor of a transcript in which a key was pressed, or the selected call. */
async function callFor(argument: unknown, parts: CommandParts): Promise<CallRef | undefined> {
  const call = menuCallOf(argument);
  if (call !== undefined) return call;
  if (argument === AT_CURSOR) return parts.texts.callAtCursor();
  return argument instanceof Uri ? parts.texts.callAtCursor(argument) : parts.selection.call;
}

export function registerCommands(parts: CommandParts): Disposable {
  const { actions, pages, panels, liveHints, selection, log } = parts;
  const withCall = async (argument: unknown, act: (call: CallRef) => Promise<void>) => {
    const call = await callFor(argument, parts);
    if (call !== undefined) await act(call);
    else void window.showInformationMessage(texts.selectFirst);
  };
  const handlers: Record<CommandName, (argument: unknown) => unknown> = {
    openPanel: () => pages.openPanel(),
    openInEditor: () => panels.show(),
    goToReference: argument => withCall(argument, call => actions.goToReference(call)),
    selectSession: () => actions.selectSession(),
    followLive: () => actions.followLive(),
    showTranscript: () => actions.showTranscript(selection.call),
    openLogLine: argument => withCall(argument, call => actions.openLogLine(call)),
    compare: argument => withCall(argument, call => actions.compare(call)),
    exportReport: () => actions.exportReport(),
    openSample: () => actions.openSample(),
    turnLiveHintsOn: () => liveHints.turnOn(),
    turnLiveHintsOff: () => liveHints.turnOff(),
    startTrial: () => liveHints.startTrial(),
    endTrial: () => liveHints.endTrial(),
    showOutput: () => log.show(),
  };
  // Read only now: they may have been translated.
  const { details } = strings;
  const failures: Readonly<Partial<Record<CommandName, string>>> = {
    ...texts.couldNot,
    goToReference: details.cannotOpen,
    openLogLine: details.cannotOpenLine,
    compare: details.cannotCompare,
    exportReport: details.cannotExport,
  };
  const registered = new Disposables();
  for (const [name, id] of Object.entries(COMMANDS) as [CommandName, string][]) {
    const run = async (argument: unknown) => {
      try {
        await handlers[name](argument);
      } catch (error) {
        tellFailure(log, failures[name] ?? details.cannotDo, error);
      }
    };
    registered.add(commands.registerCommand(id, run));
  }
  return registered;
}

/** The details go to the log. */
function tellFailure(log: LogOutputChannel, what: string, error: unknown): void {
  log.error(what, error instanceof Error ? (error.stack ?? error.message) : String(error));
  void window.showErrorMessage(fill(strings.app.failed, { what, why: messageOf(error) }));
}

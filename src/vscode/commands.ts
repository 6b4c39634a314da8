/** The commands of the palette. A command that does not work says so in one line; nothing is thrown at the user. */
import { commands, type Disposable, type LogOutputChannel, Uri, window } from "vscode";
import { menuCallOf } from "../protocol/contextMenu.js";
import type { Actions } from "./actions.js";
import type { EditorPanels } from "./editorPanel.js";
import { COMMANDS } from "./ids.js";
import { Disposables } from "./lifecycle.js";
import type { LiveHints } from "./liveHints.js";
import { tellFailure } from "./log.js";
import type { Pages } from "./pages.js";
import type { CallPlace } from "./place.js";
import type { SelectedCall } from "./selection.js";
import { texts } from "./strings.js";
import type { Texts } from "./transcript/index.js";

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

/** A command of a menu is about what the menu was opened on; from the palette or by a key, about what is selected. */
async function callFor(argument: unknown, parts: CommandParts): Promise<CallPlace | undefined> {
  const call = menuCallOf(argument);
  if (call !== undefined) {
    const looksAt = parts.pages.ofType(call.webview)?.looksAt;
    return looksAt && { ...looksAt, row: call.row };
  }
  return argument instanceof Uri ? parts.texts.callAtCursor(argument) : parts.selection.place;
}

export function registerCommands(parts: CommandParts): Disposable {
  const { actions, pages, panels, liveHints, selection, log } = parts;
  const withCall = async (argument: unknown, act: (place: CallPlace) => Promise<void>) => {
    const place = await callFor(argument, parts);
    if (place !== undefined) await act(place);
    else void window.showInformationMessage(texts.selectFirst);
  };
  // The type makes a command that is named but not written an error.
  const handlers: Record<CommandName, (argument: unknown) => unknown> = {
    openPanel: () => pages.openPanel(),
    openInEditor: () => panels.show(),
    goToReference: argument => withCall(argument, place => actions.goToReference(place)),
    selectSession: () => actions.selectSession(),
    followLive: () => actions.followLive(),
    showTranscript: () => actions.showTranscript(selection.place),
    openLogLine: argument => withCall(argument, place => actions.openLogLine(place)),
    compare: argument => withCall(argument, place => actions.compare(place)),
    exportReport: () => actions.exportReport(),
    openSample: () => actions.openSample(),
    turnLiveHintsOn: () => liveHints.turnOn(),
    turnLiveHintsOff: () => liveHints.turnOff(),
    showLog: () => log.show(),
  };
  const failures: Readonly<Partial<Record<CommandName, string>>> = {
    ...texts.couldNot,
    goToReference: texts.couldNot.openCall,
  };
  const registered = new Disposables();
  for (const [name, id] of Object.entries(COMMANDS) as [CommandName, string][]) {
    const run = async (argument: unknown) => {
      try {
        await handlers[name](argument);
      } catch (error) {
        tellFailure(log, failures[name] ?? texts.couldNot.generally, error);
      }
    };
    registered.add(commands.registerCommand(id, run));
  }
  return registered;
}

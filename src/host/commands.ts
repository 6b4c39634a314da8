/** The commands of the palette. A command that does not work says so in one line; nothing is thrown at the user. */
import { commands, type Disposable, type LogOutputChannel, window } from "vscode";
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

type CommandName = keyof typeof COMMANDS;

export interface CommandParts {
  readonly actions: Actions;
  readonly pages: Pages;
  readonly panels: EditorPanels;
  readonly liveHints: LiveHints;
  readonly selection: SelectedCall;
  readonly log: LogOutputChannel;
}

export function registerCommands({ actions, pages, panels, liveHints, selection, log }: CommandParts): Disposable {
  const withCall = async (act: (place: CallPlace) => Promise<void>) => {
    const { place } = selection;
    if (place !== undefined) await act(place);
    else void window.showInformationMessage(texts.selectFirst);
  };
  // The type makes a command that is named but not written an error.
  const handlers: Record<CommandName, () => unknown> = {
    openPanel: () => pages.openPanel(),
    openInEditor: () => panels.show(),
    goToReference: () => withCall(place => actions.goToReference(place)),
    selectSession: () => actions.selectSession(),
    followLive: () => actions.followLive(),
    showTranscript: () => actions.showTranscript(selection.place),
    openLogLine: () => withCall(place => actions.openLogLine(place)),
    compare: () => withCall(place => actions.compare(place)),
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
    const run = async () => {
      try {
        await handlers[name]();
      } catch (error) {
        tellFailure(log, failures[name] ?? texts.couldNot.generally, error);
      }
    };
    registered.add(commands.registerCommand(id, run));
  }
  return registered;
}

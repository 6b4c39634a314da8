/** Turns live hints on and off in Claude Code's settings, after the user has chosen where and agreed to the change. */
import { execFile } from "node:child_process";
import { basename, dirname } from "node:path";
import { promisify } from "node:util";
import {
  commands,
  type Disposable,
  type ExtensionContext,
  type LogOutputChannel,
  ProgressLocation,
  RelativePattern,
  Uri,
  window,
  workspace,
} from "vscode";
import { dataFolder } from "../files/folders.js";
import { liveSettingsFile } from "../hook/hookSettings.js";
import {
  type Change,
  canRestore,
  install,
  isChange,
  planInstall,
  planRestore,
  planUninstall,
  restore,
  uninstall,
} from "../hook/install/installer.js";
import { chosenSettings, updateProgram, updateSettings } from "../hook/install/ownCopies.js";
import {
  activePlugins,
  isOnAt,
  type LiveHintsPlace,
  liveHintsPlaces,
  liveHintsState,
  removalOf,
} from "../hook/install/places.js";
import { projectScopeOf } from "../hook/install/settingsFile.js";
import { endTrialWithHints, endTrialWithoutHints, hasTrialRecord } from "../hook/install/trialEnd.js";
import { runningTrial, withoutTrial, withTrial } from "../hook/install/trials.js";
import { savedIn } from "../inspect/sessionList.js";
import type { TrialReport } from "../inspect/trialReport.js";
import { messageOf } from "../protocol/channel.js";
import { type LiveSettings, NO_CHOICES, type Scope, withConfiguration } from "../settings/liveSettings.js";
import { aboutLiveHints } from "../words/liveHintsTexts.js";
import { strings } from "../words/strings.js";
import { fill, visible } from "../words/text.js";
import { measureFinding, trialBasis } from "../words/trialTexts.js";
import { ChangePreview } from "./changePreview.js";
import { type Configuration, openProjects } from "./config.js";
import type { EngineHost } from "./engineHost.js";
import { COMMANDS, CONTEXT_KEYS } from "./ids.js";
import { texts } from "./vscodeStrings.js";

const words = texts.liveHints;
const { liveHints: shared } = strings;
const MAX_LINE = 400;

export class LiveHints implements Disposable {
  readonly #shipped: string;
  readonly #config: Configuration;
  readonly #engine: EngineHost;
  readonly #preview = new ChangePreview();
  readonly #parts: readonly Disposable[];
  /** By file. */
  #watchers = new Map<string, Disposable>();

  constructor({ extensionUri }: ExtensionContext, config: Configuration, engine: EngineHost, log: LogOutputChannel) {
    this.#engine = engine;
    this.#shipped = Uri.joinPath(extensionUri, "dist", "hook.js").fsPath;
    this.#config = config;
    // They can also be turned on or off on the command line, even in this window's own terminal, and so can a trial.
    let known = liveHintsState(places());
    const check = () => {
      const now = liveHintsState(places());
      tellVsCode();
      if (now === known) return;
      known = now;
      config.refresh();
    };
    const focus = window.onDidChangeWindowState(({ focused }) => focused && check());
    const warn = (error: unknown) => log.warn(`${words.notUpdated}: ${messageOf(error)}`);
    const change = config.onDidChange(() => void this.#handOn().catch(warn));
    const folders = config.onDidChange(() => {
      known = liveHintsState(places());
      this.#watch(check);
      tellVsCode();
    });
    this.#parts = [focus, change, this.#preview, folders];
    this.#watch(check);
    tellVsCode();
    // An update of the extension may bring a new program; the settings still refer to its copy.
    setImmediate(() => {
      updateProgram(this.#shipped)
        .then(() => this.#handOn())
        .catch(warn);
    });
  }

  dispose(): void {
    for (const part of [...this.#parts, ...this.#watchers.values()]) part.dispose();
  }

  /** Folders may be added to the window, and removed. */
  #watch(changed: () => void): void {
    const files = new Set([...places().map(({ file }) => file), ...trialFile()].filter(file => file !== ""));
    if (String([...files]) === String([...this.#watchers.keys()])) return;
    for (const watcher of this.#watchers.values()) watcher.dispose();
    this.#watchers = new Map([...files].map(file => [file, watched(file, changed)]));
  }

  /** Passes changed settings on to active live hints. */
  async #handOn(): Promise<void> {
    await updateSettings(chosen => withConfiguration(chosen, this.#config.forLiveHints));
  }

  async turnOn(): Promise<void> {
    await needNode();
    const target = await pick(words.whereOn, places());
    if (target === undefined) return;
    const change = planInstall(target.file);
    if (!isChange(change)) return this.#tellOn(target);
    const about = [...(await this.#about()), words.aboutTrial];
    const answer = await this.#answerTo(shared.on, [words.turnOn, words.turnOnAsTrial], change, target.scope, about);
    if (answer === undefined) return;
    const isTrial = answer === words.turnOnAsTrial;
    await install(change, this.#shipped, chosen => {
      const settings = withConfiguration(chosen, this.#config.forLiveHints);
      return isTrial ? withTrial(settings, target.project) : withoutTrial(settings);
    });
    this.#config.refresh();
    tell(isTrial ? words.isTrial : shared.isOn, target);
  }

  /** Offers to start or end a trial, which does not change Claude Code's settings. Not awaited. */
  #tellOn(target: LiveHintsPlace): void {
    const [offer, command] = isTrialRunning()
      ? [words.endTrial, COMMANDS.endTrial]
      : [words.startTrial, COMMANDS.startTrial];
    void window.showInformationMessage(inFile(words.alreadyOn, target), offer).then(answer => {
      if (answer === offer) void commands.executeCommand(command);
    });
  }

  async startTrial(): Promise<void> {
    const on = places().filter(isOnAt);
    if (on.length === 0) return void window.showInformationMessage(words.nowhereOn);
    const projects = new Set(on.map(place => place.project));
    const project = projects.size === 1 ? on[0]?.project : undefined;
    const start = (chosen: LiveSettings) => withTrial(withConfiguration(chosen, this.#config.forLiveHints), project);
    await updateSettings(start, NO_CHOICES);
    this.#config.refresh();
    void window.showInformationMessage(words.isTrial);
  }

  /** Shows the trial's findings first; the trial continues until the user has decided. */
  async endTrial(): Promise<void> {
    const wait = { location: ProgressLocation.Notification, title: words.comparing, cancellable: true };
    const report = await window.withProgress(wait, (_, token) => {
      const cancelled = new Promise<undefined>(resolve => {
        token.onCancellationRequested(() => {
          resolve(undefined);
          // Without an engine, nothing is left to stop.
          void this.#engine.ask({ method: "stopTrial" }).catch(() => {});
        });
      });
      return Promise.race([this.#engine.ask({ method: "trial" }), cancelled]);
    });
    if (report === undefined) return;
    if (report === null || !isTrialRunning()) return void window.showInformationMessage(words.noTrial);
    const keep = await askToKeep(report);
    if (keep === undefined) return;
    if (keep) await endTrialWithHints();
    else if (!(await this.#endWithoutHints())) return;
    this.#config.refresh();
    void window.showInformationMessage(keep ? strings.trial.keptHints : strings.trial.keptNothing);
    for (const line of keep ? [] : aboutPlugins()) void window.showInformationMessage(line);
  }

  /** Returns false, after saying so, if the trial continues. */
  async #endWithoutHints(): Promise<boolean> {
    const here = places();
    const { ended, stillOn } = await endTrialWithoutHints(
      here.flatMap(({ file }) => (file === "" ? [] : file)),
      async file => {
        // Files elsewhere are other projects'.
        const place = here.find(one => one.file === file) ?? { scope: projectScopeOf(file), file };
        try {
          return (await this.#turnOffAt(place)) ? "off" : "declined";
        } catch (error) {
          void window.showErrorMessage(messageOf(error));
          return "failed";
        }
      },
    );
    if (ended) return true;
    const left =
      stillOn.length === 0 ? [] : [fill(strings.trial.stillOn, { files: visible(stillOn.join(", "), MAX_LINE) })];
    void window.showInformationMessage([strings.trial.continues, ...left].join(" "));
    return false;
  }

  async turnOff(): Promise<void> {
    const on = placesToTurnOff();
    const hadTrial = hasTrialRecord();
    if (on.length > 0) {
      const target = await pick(words.whereOff, on);
      if (target === undefined || !(await this.#turnOffAt(target))) return;
    }
    if (hadTrial && !hasTrialRecord()) void window.showInformationMessage(strings.trial.recordRemoved);
    const left = aboutPlugins();
    if (on.length === 0 && left.length === 0) return void window.showInformationMessage(words.nowhereOn);
    for (const line of left) void window.showInformationMessage(line);
  }

  /** Returns false if the user declined. */
  async #turnOffAt(target: LiveHintsPlace): Promise<boolean> {
    if (canRestore(target.file)) return this.#bringBack(target);
    const change = planUninstall(target.file);
    // Another name of the same file may have been changed already.
    const isOn = isChange(change);
    const ask = () => this.#answerTo(shared.off, [words.turnOff], change, target.scope);
    if (isOn && (await ask()) === undefined) return false;
    await uninstall(change);
    this.#config.refresh();
    if (isOn) tell(shared.isOff, target);
    return true;
  }

  /** Asks in plain words; the exact change is one click away, and the question is then repeated next to it. */
  async #answerTo(
    question: string,
    answers: readonly string[],
    change: Change,
    scope: Scope,
    about: readonly string[] = [],
  ): Promise<string | undefined> {
    const forAll = scope === "project" ? [shared.shared] : [];
    const detail = [...about, ...forAll, fill(shared.changes, { file: change.file })].join("\n\n");
    const answer = await window.showInformationMessage(question, { modal: true, detail }, ...answers, words.showChange);
    if (answer !== words.showChange) return answer;
    await this.#preview.show(change);
    // A notification would disappear before the change has been read.
    const stays = { title: question, ignoreFocusOut: true };
    const picked = await window.showQuickPick([...answers, words.notNow], stays);
    return picked === words.notNow ? undefined : picked;
  }

  /** What live hints do, and what they would have saved on the user's own sessions. */
  async #about(): Promise<string[]> {
    const saved = await this.#engine.ask({ method: "sessions" }).then(savedIn, () => null);
    return [...aboutLiveHints(saved), ...aboutPlugins()];
  }

  /** The settings file can no longer be read, but there is a backup from before live hints. */
  async #bringBack(target: LiveHintsPlace): Promise<boolean> {
    const change = planRestore(target.file);
    if ((await this.#answerTo(words.askRestore, [words.restore], change, target.scope)) === undefined) return false;
    await restore(change);
    this.#config.refresh();
    tell(words.isRestored, target);
    return true;
  }
}

/** The better setting is offered first; undefined if the user dismisses the question. */
async function askToKeep(report: TrialReport): Promise<boolean | undefined> {
  const { measures, verdicts, askKeep, about } = strings.trial;
  const findings = report.measures.map(one => `• ${measures[one.measure]}: ${measureFinding(one)}`);
  const detail = [trialBasis(report), findings.join("\n"), about].join("\n\n");
  const answers = report.verdict === "drop" ? [words.turnOff, words.keepOn] : [words.keepOn, words.turnOff];
  const question = `${verdicts[report.verdict]} ${askKeep}`;
  const answer = await window.showInformationMessage(question, { modal: true, detail }, ...answers);
  return answer === undefined ? undefined : answer === words.keepOn;
}

function isTrialRunning(): boolean {
  try {
    return runningTrial(chosenSettings() ?? NO_CHOICES) !== undefined;
  } catch {
    // If the settings cannot be read, no session takes part in a trial.
    return false;
  }
}

/** A trial that starts or ends while live hints stay on changes nothing else. */
function trialFile(): string[] {
  try {
    return [liveSettingsFile(dataFolder())];
  } catch {
    // There is no folder for it, so there are no live hints either.
    return [];
  }
}

/** VS Code can watch a folder that does not exist yet. */
function watched(file: string, changed: () => void): Disposable {
  const watcher = workspace.createFileSystemWatcher(new RelativePattern(Uri.file(dirname(file)), basename(file)));
  for (const event of [watcher.onDidCreate, watcher.onDidChange, watcher.onDidDelete]) event(changed);
  return watcher;
}

function places(): LiveHintsPlace[] {
  return liveHintsPlaces(...openProjects());
}

/** Only Claude Code itself removes what it has installed. */
function aboutPlugins(): string[] {
  return activePlugins(places()).map(plugin =>
    visible(fill(shared.throughPlugin, { id: plugin.id, command: removalOf(plugin) }), MAX_LINE),
  );
}

/** Where they are on, or where they were on before the file was broken. */
function placesToTurnOff(): LiveHintsPlace[] {
  return places().filter(place => canRestore(place.file) || isOnAt(place));
}

/** Only commands that apply are offered. */
function tellVsCode(): void {
  void commands.executeCommand("setContext", CONTEXT_KEYS.liveHintsOn, liveHintsState(places()) !== "off");
  const canTurnOff = placesToTurnOff().length > 0 || activePlugins(places()).length > 0;
  void commands.executeCommand("setContext", CONTEXT_KEYS.canTurnLiveHintsOff, canTurnOff);
  const [isOn, hasTrial] = [places().some(isOnAt), isTrialRunning()];
  void commands.executeCommand("setContext", CONTEXT_KEYS.canStartTrial, isOn && !hasTrial);
  void commands.executeCommand("setContext", CONTEXT_KEYS.canEndTrial, hasTrial);
}

async function pick(title: string, offered: readonly LiveHintsPlace[]): Promise<LiveHintsPlace | undefined> {
  const items = offered.map(place => ({
    label: shared.scopes[place.scope],
    description: place.problem ?? place.file,
    place,
  }));
  const picked = (await window.showQuickPick(items, { title, placeHolder: words.placeholder }))?.place;
  if (picked?.problem !== undefined) throw new Error(picked.problem);
  return picked;
}

function tell(message: string, place: LiveHintsPlace): void {
  void window.showInformationMessage(inFile(message, place));
}

function inFile(message: string, { file }: LiveHintsPlace): string {
  return fill(message, { file: workspace.asRelativePath(file) });
}

/** Claude Code runs the program with the user's Node. */
async function needNode(): Promise<void> {
  const found = await promisify(execFile)("node", ["--version"]).catch(() => undefined);
  if (found === undefined) throw new Error(words.noNode);
}

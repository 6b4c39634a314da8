import type { RunStrategy } from "../../src/inspect/strategies.js";
import { AskChannel, messageOf } from "../../src/protocol/channel.js";
import type { ToHost } from "../../src/protocol/messages.js";
import type { ReportFormat } from "../../src/protocol/reportFormats.js";
import type { LiveHintsOffer, OfferedPlace, PageAsk } from "../../src/protocol/requests.js";
import { markName } from "../lib/sameSelection.js";
import type { Transport } from "../transport.js";
import { callText, fill, strings, visible } from "../words/pageText.js";
import type { PanelStore } from "./panelStore.js";
import type { Selection, Ui } from "./ui.js";

const MAX_TRAIL = 100;
const MAX_NOTICES = 5;
const MAX_ANNOUNCED = 500;

/** Everything that a user can do; views call nothing else. */
export class Actions {
  readonly #send: (message: ToHost) => void;
  readonly #exportReport: Transport["exportReport"];
  #cancelExport = () => {};
  readonly #store: PanelStore;
  readonly #ui: Ui;
  readonly channel: AskChannel;
  /** The calls that the user came from, for Back. */
  readonly #trail: number[] = [];

  constructor({ send, exportReport }: Pick<Transport, "send" | "exportReport">, store: PanelStore, ui: Ui) {
    this.#send = send;
    this.#exportReport = exportReport;
    this.#store = store;
    this.#ui = ui;
    this.channel = new AskChannel(send, strings.failures);
  }

  get inBrowser(): boolean {
    return this.#store.peek()?.place === "browser";
  }

  get canGoBack(): boolean {
    return this.#trail.length > 0;
  }

  select(row: number | null): void {
    if (!this.inBrowser) this.#send({ type: "selected", row });
    this.#choose(row);
    this.#ui.choices.value++;
  }

  #choose(row: number | null): void {
    this.#ui.selection.value = row === null ? null : { row };
    this.#ui.call.value = row === null ? null : (this.#store.peek()?.context?.ids[row] ?? null);
    this.#ui.mark.value = null;
  }

  /** Restores the selection in new data. If it is missing there, later data may have it again. */
  restore(selection: Selection | null): void {
    const row = selection !== null && "row" in selection ? selection.row : null;
    if (!this.inBrowser) this.#send({ type: "selected", row, restored: true });
    if (row === null) this.#ui.selection.value = selection;
    else this.#choose(row);
  }

  selectMark(mark: number): void {
    this.#ui.selection.value = { mark };
    this.#ui.choices.value++;
    this.#ui.call.value = null;
    this.#ui.mark.value = markName(this.#store.peek()?.context?.marks[mark]);
  }

  /** Selects a call that another one refers to, and remembers where the user came from. */
  follow(row: number): void {
    this.#leave(row);
    this.select(row);
    this.announce(callText(row));
  }

  /** The same for a call that was selected elsewhere. */
  reveal(row: number): void {
    this.#leave(row);
    this.restore({ row });
    this.#ui.choices.value++;
    this.announce(callText(row));
  }

  #leave(row: number): void {
    const from = this.#ui.selection.value;
    if (from !== null && "row" in from && from.row !== row) this.#trail.push(from.row);
    if (this.#trail.length > MAX_TRAIL) this.#trail.shift();
  }

  forgetTrail(): void {
    this.#trail.length = 0;
  }

  back(): void {
    const row = this.#trail.pop();
    if (row !== undefined) this.select(row);
  }

  /** Selects a call and shows it in the transcript. */
  goTo(row: number): void {
    this.follow(row);
    this.openCall(row);
  }

  openCall(row: number): void {
    this.select(row);
    if (this.inBrowser) this.#ui.tab.value = "transcript";
    else this.#request({ method: "openCall", row }, strings.details.cannotOpen);
  }

  /** With a strategy, compares a result with what the model would be given. */
  compare(row: number, strategy?: RunStrategy): void {
    const compared = { row, ...(strategy && { strategy }) };
    if (this.inBrowser) this.#ui.overlay.value = { kind: "compare", ...compared };
    else this.#request({ method: "openComparison", ...compared }, strings.details.cannotCompare);
  }

  openLogLine(row: number): void {
    if (this.inBrowser) this.#ui.overlay.value = { kind: "logLine", row };
    else this.#request({ method: "openLogLine", row }, strings.details.cannotOpenLine);
  }

  useCapacity(capacity: number): void {
    const before = this.#store.peek()?.settings.capacity;
    if (before === undefined) return;
    this.#request({ method: "setCapacity", capacity }, strings.whatIf.cannotSet, () => {
      this.#ui.used.value = { capacity, before };
      this.announce(fill(strings.whatIf.used, { capacity, before }));
    });
  }

  /** Restores the capacity from before the last change. */
  undoCapacity(): void {
    const { before: capacity } = this.#ui.used.peek() ?? {};
    if (capacity === undefined) return;
    this.#request({ method: "setCapacity", capacity }, strings.whatIf.cannotSet, () => {
      this.#ui.used.value = null;
      this.announce(fill(strings.whatIf.undone, { capacity }));
    });
  }

  compareAll(on: boolean): void {
    this.#request({ method: "compareAll", on }, strings.whatIf.cannotCompare);
  }

  setAxis(axis: "order" | "time", refused: () => void): void {
    this.#request({ method: "setAxis", axis }, strings.details.cannotDo, undefined, refused);
  }

  openSettings(): void {
    this.#request({ method: "openSettings" }, strings.details.cannotDo);
  }

  turnLiveHints(on: boolean): void {
    if (this.inBrowser) this.#ui.overlay.value = { kind: "liveHints", on };
    else this.#request({ method: "turnLiveHints", on }, strings.details.cannotDo);
  }

  /** Applies the change that the user was shown. */
  acceptLiveHints({ number: offer, places }: LiveHintsOffer, picked: OfferedPlace, on: boolean): void {
    const { file } = picked;
    const place = places.indexOf(picked);
    this.#request({ method: "acceptLiveHints", offer, place }, strings.liveHints.cannotChange, () => {
      this.#ui.overlay.value = null;
      this.#ui.liveHintsDone.value = { file, on };
      this.announce(fill(on ? strings.liveHints.isOn : strings.liveHints.isOff, { file }));
    });
  }

  /** Undoes what was just done in one settings file. */
  undoLiveHints(file: string, on: boolean): void {
    const undone = this.channel.ask({ method: "offerLiveHints", on: !on }).then(async ({ number: offer, places }) => {
      const place = places.findIndex(one => one.file === file);
      const problem = places[place]?.problem ?? null;
      if (problem !== null) throw new Error(problem);
      if (place >= 0) await this.channel.ask({ method: "acceptLiveHints", offer, place });
    });
    this.#settle(undone, strings.liveHints.cannotChange, () => {
      this.#ui.liveHintsDone.value = null;
      this.announce(strings.liveHints.undone);
    });
  }

  openSample(): void {
    this.#request({ method: "openSample" }, strings.details.cannotDo);
  }

  /** VS Code asks for a file; a browser downloads the report, in a format that is chosen first. */
  exportReport(): void {
    if (this.#exportReport === undefined) {
      this.#request({ method: "exportReport" }, strings.details.cannotExport);
      return;
    }
    this.#ui.exporting.value = "choosing";
    this.announce(strings.reading.reportAs);
  }

  exportAs(format: ReportFormat): void {
    if (this.#exportReport === undefined) return;
    const cancelled = new AbortController();
    this.#cancelExport = () => cancelled.abort();
    this.#ui.exporting.value = "running";
    this.announce(strings.reading.report);
    const exported = this.#exportReport(format, cancelled.signal)
      .catch(error => {
        if (!cancelled.signal.aborted) throw error;
      })
      .finally(() => {
        this.#ui.exporting.value = null;
      });
    this.#settle(exported, strings.details.cannotExport);
  }

  /** Also if nothing is being exported yet. */
  cancelExport(): void {
    this.#cancelExport();
    this.#ui.exporting.value = null;
  }

  chooseSession(session: string): void {
    this.#send({ type: "select", session });
  }

  chooseContext(session: string, context: string): void {
    this.#send({ type: "select", session, context });
  }

  setFollowing(on: boolean): void {
    this.#send({ type: "follow", on });
  }

  /** Announces something to screen readers. */
  announce(text: string): void {
    // A live region only announces changes, and repeating the same text is not one.
    this.#ui.announcement.value = this.#ui.announcement.peek() === text ? `${text}\u00a0` : text;
  }

  /** A message about a failure: shown until it is dismissed, and announced. */
  notice(text: string): void {
    this.announce(visible(text, MAX_ANNOUNCED));
    this.#ui.notices.value = [...this.#ui.notices.peek(), text].slice(-MAX_NOTICES);
  }

  #request(ask: PageAsk, failure: string, done?: () => void, failed?: () => void): void {
    this.#settle(this.channel.ask(ask), failure, done, failed);
  }

  #settle(work: Promise<unknown>, failure: string, done?: () => void, failed?: () => void): void {
    work.then(done, (error: unknown) => {
      failed?.();
      this.notice(fill(strings.app.failed, { what: failure, why: messageOf(error) }));
    });
  }
}

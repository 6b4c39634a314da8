import type { ReplayFact } from "../dedup/digest.js";
import { renderNearHint } from "../dedup/hints.js";
import { mayBeNear, NearMatcher } from "../dedup/near.js";
import type { ReadTexts } from "../kernel/compiledReader.js";
import type { NearTexts } from "../kernel/kernel.js";
import type { Fact } from "../log/facts.js";
import type { LogText } from "../log/heldText.js";

interface ComparedText {
  readonly body: string;
  /** Of the lines with it. */
  readonly uuids: string[];
}

/** The texts to search for near-references, while the kernel replays facts without texts. */
export class ComparedTexts implements NearTexts, ReadTexts {
  /** By context and fingerprint. */
  readonly #texts = new Map<string, Map<string, ComparedText>>();
  /** Pending removals of texts that left a context: they wait until the facts taken so far are replayed. */
  #leaving: (() => void)[] = [];
  readonly #matcher = new NearMatcher();

  wants(fact: Fact<LogText>): boolean {
    return fact.fact === "result" && fact.body !== null && !fact.error && mayBeNear(fact.body);
  }

  take(context: string, fact: ReplayFact): void {
    if (fact.fact === "boundary") return this.#compact(context, new Set(fact.preserved));
    if (fact.fact !== "result" || fact.body === undefined || fact.fingerprint === undefined) return;
    this.takeText(context, fact.fingerprint, fact.uuid, fact.body);
  }

  takeText(context: string, fingerprint: string, uuid: string, text: LogText): void {
    if (!mayBeNear(text)) return;
    const texts = this.#texts.get(context) ?? new Map<string, ComparedText>();
    this.#texts.set(context, texts);
    const known = texts.get(fingerprint);
    if (known === undefined) texts.set(fingerprint, { body: text.toString(), uuids: [uuid] });
    else known.uuids.push(uuid);
  }

  /** All facts taken so far have been replayed. */
  replayed(): void {
    for (const leave of this.#leaving) leave();
    this.#leaving = [];
  }

  get isEmpty(): boolean {
    return this.#texts.size === 0;
  }

  has(context: string, fingerprint: string): boolean {
    return this.#texts.get(context)?.has(fingerprint) === true;
  }

  hint(context: string, old: string, fresh: string): string | undefined {
    const texts = this.#texts.get(context);
    const before = texts?.get(old);
    const after = texts?.get(fresh);
    const delta = before && after && this.#matcher.delta(before.body, after.body);
    return delta && renderNearHint("", delta);
  }

  /** Memory would grow with the log if nothing ever left it. */
  #compact(context: string, preserved: ReadonlySet<string>): void {
    const texts = this.#texts.get(context);
    if (texts === undefined) return;
    const gone = [...texts].filter(([, { uuids }]) => !uuids.some(uuid => preserved.has(uuid)));
    const counts = gone.map(([fingerprint, { uuids }]) => [fingerprint, uuids.length] as const);
    this.#leaving.push(() => {
      // Those that have come again since then are still there.
      for (const [fingerprint, count] of counts) {
        if (texts.get(fingerprint)?.uuids.length === count) texts.delete(fingerprint);
      }
    });
  }
}

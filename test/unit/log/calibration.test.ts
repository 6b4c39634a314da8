import { describe, expect, it } from "vitest";
import { type Calibration, Calibrator, calibrate, calibrationsOf, type Sample } from "../../../src/log/calibration.js";

/** Samples of 100 tokens with these characters per token. */
function samples(ratios: readonly number[], model = "m"): Sample[] {
  return ratios.map(ratio => ({ model, chars: ratio * 100, tokens: 100 }));
}

function calibrated(model: string, session: readonly Sample[], everywhere: readonly Sample[] = []): Calibration {
  return calibrate(model, calibrationsOf(session), { everywhere: calibrationsOf(everywhere) });
}

describe("calibrating", () => {
  it("uses the median of a session's own samples", () => {
    // In order: 1 2 2.5 3 3.5 4 10.
    const odd = calibrated("m", samples([4, 2, 3, 2.5, 3.5, 10, 1]));
    expect(odd).toMatchObject({ charsPerToken: 3, samples: 7, basis: "session" });
    // In order: 1 2 3 4 9 10: between 3 and 4.
    const even = calibrated("m", samples([10, 9, 4, 3, 2, 1]));
    expect(even).toMatchObject({ charsPerToken: 3.5, samples: 6, basis: "session" });
  });

  it("shows how far off each sample is when the others estimate it", () => {
    // Ratios 1 2 2 2 2 4. Without any one of them the median is 2, so the errors are |1/2 − 1| = 0.5, four times 0
    // and |4/2 − 1| = 1; in order 0 0 0 0 0.5 1: the median is 0.
    expect(calibrated("m", samples([1, 2, 2, 2, 2, 4])).medianAbsError).toBe(0);
    // Ratios 1 2 3 4 5 6. Leaving one out, the median of five is 4 for 1, 2 and 3, and 3 for 4, 5 and 6.
    // Errors: 3/4, 2/4, 1/4, 1/3, 2/3, 1; in order 1/4 1/3 1/2 2/3 3/4 1: the median is (1/2 + 2/3) / 2.
    expect(calibrated("m", samples([6, 4, 2, 1, 3, 5])).medianAbsError).toBeCloseTo(7 / 12, 12);
    // Of seven, those below the middle are estimated as 4.5, the middle as 4, those above it as 3.5.
    expect(calibrated("m", samples([4, 1, 7, 3, 5, 2, 6])).medianAbsError).toBeCloseTo(5 / 9, 12);
  });

  it("counts only the samples of the context's own model", () => {
    const session = [...samples([2, 2, 2, 2, 2, 2], "a"), ...samples([5, 5, 5, 5, 5, 5, 5], "b")];
    expect(calibrated("a", session).charsPerToken).toBe(2);
    expect(calibrated("b", session)).toMatchObject({ charsPerToken: 5, samples: 7 });
  });

  it("falls back to the model's samples of all sessions, and then to 2.6", () => {
    const few = samples([9, 9, 9, 9, 9]);
    expect(calibrated("m", few, samples([3, 3, 3, 3, 3, 3]))).toMatchObject({ charsPerToken: 3, basis: "model" });
    expect(calibrated("m", few, few)).toMatchObject({ charsPerToken: 2.6, basis: "default" });
    expect(calibrated("m", few, samples([3, 3, 3, 3, 3, 3], "other"))).toEqual({
      charsPerToken: 2.6,
      samples: 0,
      medianAbsError: null,
      basis: "default",
    });
  });
});

describe("a calibrator", () => {
  /** A context whose last request had 1,000 tokens and its answer 100. */
  function started(): Calibrator {
    const calibrator = new Calibrator();
    calibrator.request("m", 1000, 100);
    return calibrator;
  }

  it("uses what a request grew by, minus the previous answer, as its results' tokens", () => {
    const calibrator = started();
    calibrator.result(2500);
    calibrator.result(500);
    calibrator.request("m", 2300, 50);
    expect(calibrator.samples).toEqual([{ model: "m", chars: 3000, tokens: 1200 }]);
    calibrator.result(4000);
    calibrator.request("m", 3350, 10);
    expect(calibrator.samples[1]).toEqual({ model: "m", chars: 4000, tokens: 1000 });
  });

  it("uses the longest reported output of the previous answer", () => {
    const calibrator = started();
    calibrator.raiseOutput(300);
    calibrator.raiseOutput(200);
    calibrator.result(3000);
    calibrator.request("m", 2300, 50);
    expect(calibrator.samples).toEqual([{ model: "m", chars: 3000, tokens: 1000 }]);
  });

  it("needs more than 2,000 characters", () => {
    for (const [chars, kept] of [
      [2000, 0],
      [2001, 1],
    ] as const) {
      const calibrator = started();
      calibrator.result(chars);
      calibrator.request("m", 2000, 1);
      expect(calibrator.samples).toHaveLength(kept);
    }
  });

  it("takes no sample if anything else was added or removed in between", () => {
    const spoilt = started();
    spoilt.result(3000);
    spoilt.spoil();
    spoilt.request("m", 2300, 50);
    const picture = started();
    picture.result(3000);
    picture.result(null);
    picture.request("m", 2300, 50);
    const shrunk = started();
    shrunk.result(3000);
    shrunk.request("m", 900, 50);
    expect([...spoilt.samples, ...picture.samples, ...shrunk.samples]).toEqual([]);
  });

  it("takes no sample from the first request, nor after one of unknown size", () => {
    const first = new Calibrator();
    first.result(3000);
    first.request("m", 2000, 1);
    const unknown = started();
    unknown.request("m", 0, 0);
    unknown.result(3000);
    unknown.request("m", 2300, 50);
    expect([...first.samples, ...unknown.samples]).toEqual([]);
  });

  it("takes samples again after a spoilt one", () => {
    const calibrator = started();
    calibrator.spoil();
    calibrator.request("m", 2000, 0);
    calibrator.result(3000);
    calibrator.request("m", 3000, 0);
    expect(calibrator.samples).toEqual([{ model: "m", chars: 3000, tokens: 1000 }]);
  });
});

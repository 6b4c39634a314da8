/** Runs before every test file: everything random uses one seed. fast-check prints it when a property fails. */
import fc from "fast-check";
import { afterEach } from "vitest";
import { SEED } from "./seed.js";
import { turn } from "./turns.js";

afterEach(turn);

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: SEED });

let state = SEED;
Math.random = () => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 2 ** 32;
};

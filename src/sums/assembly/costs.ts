/** What saved tokens would have cost: src/inspect/cost.ts and prices.ts. */
import {
  COST_SENT,
  COST_UNCOUNTED,
  COST_UNITS,
  COST_UNPRICED,
  COST_USD,
  PRICE_ABOVE,
  PRICE_ABOVE_INPUT,
  PRICE_ABOVE_READ,
  PRICE_BEFORE,
  PRICE_BEFORE_INPUT,
  PRICE_BEFORE_READ,
  PRICE_INPUT,
  PRICE_NUMBERS,
  PRICE_READ,
  REQUEST_NUMBERS,
} from "../layout";
import { add, number, Room } from "./memory";

export const price = new StaticArray<f64>(PRICE_NUMBERS);
let hasPrice = false;
/** The price of reading a token, in units of the input price, for models without a price. */
let readShare: f64 = 0;

/** The place of a result: the requests after it, and the cost of a token that enters there. */
export class CostPlace {
  laterRequests: f64 = 0;
  weight: f64 = 0;
  reads: f64 = 0;
  usdWrite: f64 = 0;
  usdReads: f64 = 0;
}

/** For each request: its weight, the reads after it, and both in dollars. */
const PLACE_NUMBERS: i32 = 4;
const room = new Room();
let places: usize = 0;
let starts: usize = 0;
let partitions: i32 = 0;

/** The requests of a context: their numbers, and the start of each partition's, followed by the end of all. */
export function setRequests(
  requests: usize,
  newStarts: usize,
  newPartitions: i32,
  isPriced: bool,
  newReadShare: f64,
): void {
  hasPrice = isPriced;
  readShare = newReadShare;
  starts = newStarts;
  partitions = newPartitions;
  places = room.take(startOf(partitions) * PLACE_NUMBERS * 8);
  for (let partition = 0; partition < partitions; partition++) {
    let reads: f64 = 0;
    let usdReads: f64 = 0;
    for (let request = startOf(partition + 1) - 1; request >= startOf(partition); request--) {
      const numbers = requests + ((<usize>(request * REQUEST_NUMBERS)) << 3);
      const place = placeOf(request);
      const weight = number(numbers, 0);
      choose(number(numbers, 1), number(numbers, 2));
      store<f64>(place, weight);
      store<f64>(place + 8, reads);
      store<f64>(place + 16, weight * input);
      store<f64>(place + 24, usdReads);
      // This request read everything before it.
      reads += !hasPrice || input === 0 ? readShare : read / input;
      if (hasPrice) usdReads += read;
    }
  }
}

function startOf(partition: i32): i32 {
  return load<i32>(starts + ((<usize>partition) << 2));
}

function placeOf(request: i32): usize {
  return places + ((<usize>(request * PLACE_NUMBERS)) << 3);
}

let input: f64 = 0;
let read: f64 = 0;

/** Chooses the rates of a request. */
function choose(promptTokens: f64, at: f64): void {
  if (!hasPrice) {
    input = 0;
    read = 0;
  } else if (at > 0 && at * 1000 < price[PRICE_BEFORE]) {
    input = price[PRICE_BEFORE_INPUT];
    read = price[PRICE_BEFORE_READ];
  } else if (promptTokens > price[PRICE_ABOVE]) {
    input = price[PRICE_ABOVE_INPUT];
    read = price[PRICE_ABOVE_READ];
  } else {
    input = price[PRICE_INPUT];
    read = price[PRICE_READ];
  }
}

/** Looks up the place of a result that came after `request` requests of its partition. */
export function findPlace(partition: u32, request: u32, place: CostPlace): void {
  place.laterRequests = 0;
  if (partition >= <u32>partitions) return;
  const first = startOf(partition);
  const count = <u32>(startOf(partition + 1) - first);
  if (request >= count) return;
  const at = placeOf(first + request);
  place.laterRequests = <f64>(count - request);
  place.weight = load<f64>(at);
  place.reads = load<f64>(at + 8);
  place.usdWrite = load<f64>(at + 16);
  place.usdReads = load<f64>(at + 24);
}

export function addCost(sum: usize, tokens: f64, place: CostPlace): void {
  // Whatever was never sent has not cost anything yet.
  if (place.laterRequests === 0) return;
  const amount = abs(tokens);
  add(sum, COST_SENT, amount);
  if (place.weight === 0) add(sum, COST_UNCOUNTED, amount);
  else add(sum, COST_UNITS, tokens * (place.weight + place.reads));
  if (place.weight === 0 || !hasPrice) add(sum, COST_UNPRICED, amount);
  else add(sum, COST_USD, (tokens * (place.usdWrite + place.usdReads)) / 1e6);
}

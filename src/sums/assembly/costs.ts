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

/** The rates of the context's models. */
let prices: usize = 0;
let models: i32 = 0;
/** The price of reading a token, in units of the input price, for models without a price. */
let readShare: f64 = 0;

/** The place of a result: the requests after it, and the cost of a token that enters there. */
export class CostPlace {
  laterRequests: f64 = 0;
  weight: f64 = 0;
  reads: f64 = 0;
  /** Not a number if one of the requests has no price. */
  usdWrite: f64 = 0;
  usdReads: f64 = 0;
}

/** For each request: its weight, the reads after it, and both in dollars. */
const PLACE_NUMBERS: i32 = 4;
const room = new Room();
let places: usize = 0;
let starts: usize = 0;
let partitions: i32 = 0;

export function setPrices(newPrices: usize, newModels: i32, newReadShare: f64): void {
  prices = newPrices;
  models = newModels;
  readShare = newReadShare;
}

/** The requests of a context: their numbers, and the start of each partition's, followed by the end of all. */
export function setRequests(requests: usize, newStarts: usize, newPartitions: i32): void {
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
      choose(number(numbers, 1), number(numbers, 2), <i32>number(numbers, 3));
      store<f64>(place, weight);
      store<f64>(place + 8, reads);
      store<f64>(place + 16, weight * input);
      store<f64>(place + 24, usdReads);
      // This request read everything before it.
      reads += F64.isNaN(input) || input === 0 ? readShare : read / input;
      usdReads += read;
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

/** Chooses the rates of a request; not numbers if they are unknown. */
function choose(promptTokens: f64, at: f64, model: i32): void {
  if (<u32>model >= <u32>models) {
    input = NaN;
    read = NaN;
    return;
  }
  const price = prices + ((<usize>(model * PRICE_NUMBERS)) << 3);
  if (at > 0 && at * 1000 < number(price, PRICE_BEFORE)) {
    input = number(price, PRICE_BEFORE_INPUT);
    read = number(price, PRICE_BEFORE_READ);
  } else if (promptTokens > number(price, PRICE_ABOVE)) {
    input = number(price, PRICE_ABOVE_INPUT);
    read = number(price, PRICE_ABOVE_READ);
  } else {
    input = number(price, PRICE_INPUT);
    read = number(price, PRICE_READ);
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
  const usd = place.usdWrite + place.usdReads;
  if (place.weight === 0 || F64.isNaN(usd)) add(sum, COST_UNPRICED, amount);
  else add(sum, COST_USD, (tokens * usd) / 1e6);
}

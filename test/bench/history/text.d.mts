export class Chance {
  constructor(seed: number);
  uuid(): string;
  hex(): string;
}

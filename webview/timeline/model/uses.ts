import { withRoom } from "./grow.js";

/** For each result, the later results that point at it: one list per result, linked through two columns. */
export class Uses {
  #newest = new Uint32Array(0);
  #earlier = new Uint32Array(0);

  add(row: number, reference: number): void {
    this.#newest = withRoom(this.#newest, row + 1);
    this.#earlier = withRoom(this.#earlier, row + 1);
    if (reference < 0 || reference >= row) return;
    this.#earlier[row] = this.#newest[reference] ?? 0;
    this.#newest[reference] = row + 1;
  }

  /** Newest first, at most `limit`: a picture of more arcs tells nothing. */
  of(row: number, limit: number): number[] {
    const uses: number[] = [];
    for (let next = this.#newest[row] ?? 0; next > 0 && uses.length < limit; next = this.#earlier[next - 1] ?? 0) {
      uses.push(next - 1);
    }
    return uses;
  }
}

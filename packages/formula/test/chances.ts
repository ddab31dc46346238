/** Park and Miller's generator, so that a seed always produces the same inputs. */
export class Chances {
  #state: number

  constructor(seed: number) {
    this.#state = seed + 1
  }

  /** Returns a whole number from 0 up to but excluding `limit`. */
  below(limit: number): number {
    this.#state = (this.#state * 48_271) % 2_147_483_647
    return this.#state % limit
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!
  }

  chance(probability: number): boolean {
    return this.below(1_000_000) < probability * 1_000_000
  }
}

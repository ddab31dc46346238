import { statSync } from 'node:fs'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Minimum size of a large file in bytes; includes the ten slowest files. */
const largeBytes = 30_000

/**
 * The order of test files. With `--sequence.shuffle.tests` files are also shuffled, but large ones still come first,
 * because a long file that starts last would make the other workers wait.
 */
export class TestOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { shuffle, seed } = this.ctx.config.sequence
    if (!shuffle) return super.sort(files)
    const shuffled = shuffledBy(seed, files)
    const isLarge = ({ moduleId }: TestSpecification) => statSync(moduleId).size >= largeBytes
    return [...shuffled.filter(isLarge), ...shuffled.filter((file) => !isLarge(file))]
  }
}

/** Returns all items in an order that the seed determines (Fisher–Yates shuffle with mulberry32). */
export function shuffledBy<Item>(seed: number, items: readonly Item[]): Item[] {
  let state = seed >>> 0
  const below = (limit: number) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit
  }
  const order = [...items]
  for (let last = order.length - 1; last > 0; last -= 1) {
    const other = below(last + 1)
    ;[order[last], order[other]] = [order[other]!, order[last]!]
  }
  return order
}

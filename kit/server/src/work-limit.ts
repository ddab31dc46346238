/** Runs work of which each piece holds something scarce, such as a connection of the pool; what is too much waits for its turn. */
export type WorkLimit = <T>(work: () => Promise<T>) => Promise<T>

/** Lets at most `atOnce` pieces of work run at once, in the order they came. */
export function createWorkLimit(atOnce: number): WorkLimit {
  const waiting: (() => void)[] = []
  let taken = 0
  return async (work) => {
    if (taken < atOnce) taken += 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) taken -= 1
      else next()
    }
  }
}

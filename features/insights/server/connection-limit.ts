/** Runs work of which each piece occupies a connection of the pool; what is too much waits for its turn. */
export type ConnectionLimit = <T>(work: () => Promise<T>) => Promise<T>

/** Lets at most `maxConnections` pieces of work run at once, in the order they came. */
export function createConnectionLimit(maxConnections: number): ConnectionLimit {
  const waiting: (() => void)[] = []
  let taken = 0
  return async (work) => {
    if (taken < maxConnections) taken += 1
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

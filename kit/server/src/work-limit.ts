/** Limits concurrent work that uses a scarce resource, such as pool connections. Further work waits. */
export type WorkLimit = <T>(work: () => Promise<T>) => Promise<T>

/** Creates a limit for concurrent work. Waiting work starts in order of arrival. */
export function createWorkLimit(concurrency: number): WorkLimit {
  const waiting: (() => void)[] = []
  let taken = 0
  return async (work) => {
    if (taken < concurrency) taken += 1
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

/** Clock of {@link createThrottle}; a parameter for tests. */
export interface ThrottleClock {
  /** Returns the time in milliseconds. */
  nowMs(): number
  /** Waits; rejects when the signal aborts. */
  wait(delayMs: number, signal?: AbortSignal): Promise<void>
}

/** Creates a function that admits callers in order, at most `perSecond` in any second. */
export function createThrottle(
  perSecond: number,
  clock: ThrottleClock,
): (signal?: AbortSignal) => Promise<void> {
  const started: number[] = []
  return async function pass(signal) {
    const now = clock.nowMs()
    const earliest = started.length < perSecond ? now : (started[started.length - perSecond] ?? now) + 1000
    const at = Math.max(now, earliest)
    started.push(at)
    if (started.length > perSecond) started.shift()
    if (at > now) await clock.wait(at - now, signal)
  }
}

/** Waits; rejects immediately when the signal aborts. */
export function waitFor(delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, delayMs)
    function stop() {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}

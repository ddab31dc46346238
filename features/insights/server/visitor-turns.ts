import { insightErrors } from '../contract/index.ts'

/** Lets so many questions of visitors be worked on at once; the others wait for their turn. */
export interface VisitorTurns {
  /**
   * Waits for a turn. It ends with the signal, and at the latest after `longestMs`, so that a visitor who reads slowly
   * holds up nobody. What is asked meanwhile may go on for as long again, then `signal` of the turn ends it: it holds a session of the
   * engine for as long as it is read.
   * @throws tooManyRequests when too many wait; the reason of the signal when it is aborted before
   */
  take(signal: AbortSignal): Promise<VisitorTurn>
}

/** The turn of a visitor. */
export interface VisitorTurn {
  /** Ends what is asked in this turn. */
  signal: AbortSignal
  /** Ends the turn, once. */
  end(this: void): void
}

/** Turns on this server; several servers count apart. */
export function createVisitorTurns({
  atOnce,
  maxWaiting,
  longestMs,
}: {
  atOnce: number
  maxWaiting: number
  longestMs: number
}): VisitorTurns {
  const waiting = new Set<() => void>()
  let running = 0

  function start(signal: AbortSignal): VisitorTurn {
    running += 1
    const timer = setTimeout(end, longestMs)
    timer.unref()
    signal.addEventListener('abort', end)
    let isOver = false
    function end(): void {
      if (isOver) return
      isOver = true
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      running -= 1
      const [next] = waiting
      next?.()
    }
    return { signal: AbortSignal.any([signal, AbortSignal.timeout(2 * longestMs)]), end }
  }

  return {
    take(signal) {
      return new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason as Error)
        if (running < atOnce) return resolve(start(signal))
        if (waiting.size >= maxWaiting) return reject(insightErrors.tooManyRequests({ waitSeconds: 10 }))
        const leave = () => {
          waiting.delete(next)
          reject(signal.reason as Error)
        }
        const next = () => {
          waiting.delete(next)
          signal.removeEventListener('abort', leave)
          resolve(start(signal))
        }
        waiting.add(next)
        signal.addEventListener('abort', leave)
      })
    },
  }
}

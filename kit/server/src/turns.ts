/** Lets so many pieces of work run at once, in all and for each taker; the others wait. */
export interface Turns {
  /**
   * Waits for a turn. The taker with the fewest running turns is served next, of several the one that was served longest ago; of the
   * work of one taker the cheapest comes first. The turn ends with the signal.
   * @param ask.taker who takes the turn, for example the id of a user
   * @param ask.cost how much work it is, in any unit; default 0
   * @throws the error of `tooMany` or `tooManyOfTaker` when too much waits; the reason of the signal when it is aborted before
   */
  take(ask: { taker: number | string; cost?: number; signal: AbortSignal }): Promise<Turn>
}

/** Permission to work. */
export interface Turn {
  /** Ends the work, when there is a time limit for it. */
  signal: AbortSignal
  /** Ends the turn, once. */
  end(this: void): void
}

/** Limits of turns; several servers count apart. */
export interface TurnsOptions {
  /** Turns at once. */
  atOnce: number
  /** Turns at once of one taker. */
  perTaker: number
  /** The turn of work that takes longer passes on, so that a slow reader holds up nobody. */
  longestMs: number
  /** Work that takes longer is ended; default none. */
  limitMs?: number
  /** Most that wait, and the error for more; default any number. */
  tooMany?: { waiting: number; error: () => Error }
  /** The same for each taker, which comes first. */
  tooManyOfTaker?: { waiting: number; error: () => Error }
}

interface Waiting {
  cost: number
  start: () => void
}

/** Creates the turns of one kind of work. */
export function createTurns({
  atOnce,
  perTaker,
  longestMs,
  limitMs,
  tooMany,
  tooManyOfTaker,
}: TurnsOptions): Turns {
  const running = new Map<number | string, number>()
  /** Number of the last turn of each taker that has turns or waits. */
  const lastTurns = new Map<number | string, number>()
  const queues = new Map<number | string, Waiting[]>()
  let total = 0
  let waitingCount = 0
  let turnCount = 0

  const hasRoom = (taker: number | string) => total < atOnce && (running.get(taker) ?? 0) < perTaker

  function start(taker: number | string, signal: AbortSignal): Turn {
    total += 1
    lastTurns.set(taker, (turnCount += 1))
    running.set(taker, (running.get(taker) ?? 0) + 1)
    const timer = setTimeout(end, longestMs)
    timer.unref()
    signal.addEventListener('abort', end)
    let isOver = false
    function end(): void {
      if (isOver) return
      isOver = true
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      total -= 1
      const left = running.get(taker)! - 1
      if (left === 0) running.delete(taker)
      else running.set(taker, left)
      serve()
      if (!running.has(taker) && !queues.has(taker)) lastTurns.delete(taker)
    }
    return {
      signal: limitMs === undefined ? signal : AbortSignal.any([signal, AbortSignal.timeout(limitMs)]),
      end,
    }
  }

  function serve(): void {
    const runningOf = (taker: number | string) => running.get(taker) ?? 0
    const lastTurnOf = (taker: number | string) => lastTurns.get(taker) ?? 0
    const [next] = [...queues]
      .filter(([taker]) => hasRoom(taker))
      .toSorted(([a], [b]) => runningOf(a) - runningOf(b) || lastTurnOf(a) - lastTurnOf(b))
    if (next === undefined) return
    const [, queue] = next
    const cheapest = Math.min(...queue.map(({ cost }) => cost))
    const chosen = queue.find(({ cost }) => cost === cheapest)!
    chosen.start()
    serve()
  }

  function leave(taker: number | string, waiting: Waiting): void {
    const queue = queues.get(taker)!
    queue.splice(queue.indexOf(waiting), 1)
    if (queue.length === 0) queues.delete(taker)
    waitingCount -= 1
  }

  return {
    take({ taker, cost = 0, signal }) {
      return new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason as Error)
        if (hasRoom(taker) && !queues.has(taker)) return resolve(start(taker, signal))
        const waitingOfTaker = queues.get(taker)?.length ?? 0
        if (tooManyOfTaker !== undefined && waitingOfTaker >= tooManyOfTaker.waiting)
          return reject(tooManyOfTaker.error())
        if (tooMany !== undefined && waitingCount >= tooMany.waiting) return reject(tooMany.error())
        const waiting: Waiting = {
          cost,
          start() {
            leave(taker, waiting)
            signal.removeEventListener('abort', giveUp)
            resolve(start(taker, signal))
          },
        }
        const giveUp = () => {
          leave(taker, waiting)
          reject(signal.reason as Error)
        }
        const queue = queues.get(taker) ?? []
        queue.push(waiting)
        queues.set(taker, queue)
        waitingCount += 1
        signal.addEventListener('abort', giveUp)
      })
    },
  }
}

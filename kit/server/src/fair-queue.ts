/** A queue that limits concurrent work in total and per taker, and serves takers fairly. */
export interface FairQueue {
  /**
   * Waits for a slot. The taker with the fewest running slots is served next; ties go to the one that was served
   * longest ago. Within a taker, the cheapest work comes first. An abort of the signal releases the slot.
   * @param work.taker the owner of the slot, for example the id of a user
   * @param work.cost estimated cost of the work in any unit; default 0
   * @throws the error of `tooMany` or `tooManyOfTaker` when the queue is full; the reason of the signal when it is aborted while waiting
   */
  take(work: { taker: number | string; cost?: number; signal: AbortSignal }): Promise<Slot>
}

/** A granted slot for one piece of work. */
export interface Slot {
  /** Aborts when the caller leaves or the time limit is exceeded. */
  signal: AbortSignal
  /** Releases the slot; further calls do nothing. */
  end(this: void): void
}

/** Limits of a queue. They apply to each server separately. */
export interface FairQueueOptions {
  /** Maximum number of concurrent slots. */
  atOnce: number
  /** Maximum number of concurrent slots per taker. */
  perTaker: number
  /** A slot is released after this time, so that a slow reader does not block others. */
  releaseAfterMs: number
  /** Work that takes longer is aborted; default no limit. */
  abortAfterMs?: number
  /** Maximum number of waiting pieces of work, and the error for any further work; default no limit. */
  tooMany?: { waiting: number; error: () => Error }
  /** The same limit per taker; checked first. */
  tooManyOfTaker?: { waiting: number; error: () => Error }
}

interface Waiting {
  cost: number
  start: () => void
}

/** Creates a queue for one kind of work. */
export function createFairQueue({
  atOnce,
  perTaker,
  releaseAfterMs,
  abortAfterMs,
  tooMany,
  tooManyOfTaker,
}: FairQueueOptions): FairQueue {
  const running = new Map<number | string, number>()
  /** Sequence number of the last slot of each taker that has slots or is waiting. */
  const lastSlots = new Map<number | string, number>()
  const queues = new Map<number | string, Waiting[]>()
  let total = 0
  let waitingCount = 0
  let slotCount = 0

  const hasCapacity = (taker: number | string) => total < atOnce && (running.get(taker) ?? 0) < perTaker

  function start(taker: number | string, signal: AbortSignal): Slot {
    total += 1
    lastSlots.set(taker, (slotCount += 1))
    running.set(taker, (running.get(taker) ?? 0) + 1)
    const timer = setTimeout(end, releaseAfterMs)
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
      if (!running.has(taker) && !queues.has(taker)) lastSlots.delete(taker)
    }
    return {
      signal:
        abortAfterMs === undefined ? signal : AbortSignal.any([signal, AbortSignal.timeout(abortAfterMs)]),
      end,
    }
  }

  function serve(): void {
    const runningOf = (taker: number | string) => running.get(taker) ?? 0
    const lastSlotOf = (taker: number | string) => lastSlots.get(taker) ?? 0
    const [next] = [...queues]
      .filter(([taker]) => hasCapacity(taker))
      .toSorted(([a], [b]) => runningOf(a) - runningOf(b) || lastSlotOf(a) - lastSlotOf(b))
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
        if (hasCapacity(taker) && !queues.has(taker)) return resolve(start(taker, signal))
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

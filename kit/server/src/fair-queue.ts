/** A queue that limits concurrent work in total and per owner, and serves owners fairly. */
export interface FairQueue {
  /**
   * Waits for a slot. The next slot goes to the owner with the fewest slots; among these, to the owner that has waited
   * longest since its last slot. For one owner, the cheapest work comes first. The slot is released when the signal aborts.
   * @param work.owner for example the id of a user
   * @param work.cost estimated cost of the work in any unit; default 0
   * @throws the error of `tooMany` or `tooManyOfOwner` if the queue is full; `signal.reason` if the signal aborts while
   * waiting
   */
  take(work: { owner: number | string; cost?: number; signal: AbortSignal }): Promise<Slot>
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
  concurrency: number
  /** Maximum number of concurrent slots per owner. */
  perOwner: number
  /** A slot is released after this time, so that a slow reader does not block others. */
  releaseAfterMs: number
  /** Work that takes longer is aborted; default no limit. */
  abortAfterMs?: number
  /** Maximum number of waiting pieces of work, and the error for any further work; default no limit. */
  tooMany?: { waiting: number; error: () => Error }
  /** The same limit per owner. It is checked first. */
  tooManyOfOwner?: { waiting: number; error: () => Error }
}

interface Waiting {
  cost: number
  start: () => void
}

/** Creates a queue for one kind of work. */
export function createFairQueue({
  concurrency,
  perOwner,
  releaseAfterMs,
  abortAfterMs,
  tooMany,
  tooManyOfOwner,
}: FairQueueOptions): FairQueue {
  const running = new Map<number | string, number>()
  /** Sequence number of the last slot of each owner that has slots or is waiting. */
  const lastSlots = new Map<number | string, number>()
  const queues = new Map<number | string, Waiting[]>()
  let total = 0
  let waitingCount = 0
  let slotCount = 0

  const hasCapacity = (owner: number | string) => total < concurrency && (running.get(owner) ?? 0) < perOwner

  function start(owner: number | string, signal: AbortSignal): Slot {
    total += 1
    lastSlots.set(owner, (slotCount += 1))
    running.set(owner, (running.get(owner) ?? 0) + 1)
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
      const left = running.get(owner)! - 1
      if (left === 0) running.delete(owner)
      else running.set(owner, left)
      serve()
      if (!running.has(owner) && !queues.has(owner)) lastSlots.delete(owner)
    }
    return {
      signal:
        abortAfterMs === undefined ? signal : AbortSignal.any([signal, AbortSignal.timeout(abortAfterMs)]),
      end,
    }
  }

  function serve(): void {
    const runningOf = (owner: number | string) => running.get(owner) ?? 0
    const lastSlotOf = (owner: number | string) => lastSlots.get(owner) ?? 0
    const [next] = [...queues]
      .filter(([owner]) => hasCapacity(owner))
      .toSorted(([a], [b]) => runningOf(a) - runningOf(b) || lastSlotOf(a) - lastSlotOf(b))
    if (next === undefined) return
    const [, queue] = next
    const cheapest = Math.min(...queue.map(({ cost }) => cost))
    const chosen = queue.find(({ cost }) => cost === cheapest)!
    chosen.start()
    serve()
  }

  function leave(owner: number | string, waiting: Waiting): void {
    const queue = queues.get(owner)!
    queue.splice(queue.indexOf(waiting), 1)
    if (queue.length === 0) queues.delete(owner)
    waitingCount -= 1
  }

  return {
    take({ owner, cost = 0, signal }) {
      return new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason as Error)
        if (hasCapacity(owner) && !queues.has(owner)) return resolve(start(owner, signal))
        const waitingOfOwner = queues.get(owner)?.length ?? 0
        if (tooManyOfOwner !== undefined && waitingOfOwner >= tooManyOfOwner.waiting)
          return reject(tooManyOfOwner.error())
        if (tooMany !== undefined && waitingCount >= tooMany.waiting) return reject(tooMany.error())
        const waiting: Waiting = {
          cost,
          start() {
            leave(owner, waiting)
            signal.removeEventListener('abort', giveUp)
            resolve(start(owner, signal))
          },
        }
        const giveUp = () => {
          leave(owner, waiting)
          reject(signal.reason as Error)
        }
        const queue = queues.get(owner) ?? []
        queue.push(waiting)
        queues.set(owner, queue)
        waitingCount += 1
        signal.addEventListener('abort', giveUp)
      })
    },
  }
}

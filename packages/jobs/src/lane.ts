/** A share of a worker's capacity that only some kinds of jobs use. */
export interface Lane {
  /** Maximum number of concurrent jobs of the lane in this process, at least 1. */
  capacity: number
  /**
   * Whether the last free slot is reserved for a fairness key with no running job on this worker. A lane with a single slot
   * reserves none. Default false.
   */
  reserve?: boolean
}

/** A started lane. */
export interface RunningLane {
  /** Checks for jobs immediately instead of at the next poll. */
  wake(): void
  /** Returns whether the lane can start another job now. */
  hasFreeSlot(): boolean
  /**
   * Waits for a free slot and holds it, for work that is not a job, until the returned function is called. Such work can hold
   * at most half of the slots, but always at least one.
   */
  occupy(signal: AbortSignal): Promise<() => void>
  /** Stops claiming; resolves once no claim is in flight. */
  stop(): Promise<void>
}

/** Dependencies of a lane. */
export interface LaneOptions<Job> {
  /** Maximum number of concurrent jobs. */
  capacity: number
  /** Number of slots that a claim can leave free although jobs are waiting, 0 or 1. */
  reserved: number
  /** Polling interval in milliseconds. */
  pollMs: number
  /** Claims up to `limit` jobs. If it throws, the lane retries after a short delay. */
  claim: (limit: number) => Promise<Job[]>
  /** Runs a job. Its slot becomes free when the promise settles. Never rejects. */
  run: (job: Job) => Promise<void>
  /** Reports problems from which the lane recovers on its own. */
  warn: (message: string, error: unknown) => void
}

const failurePauseMs = 200

/** Claims jobs and runs them until it is stopped. */
export function startLane<Job>({
  capacity,
  reserved,
  pollMs,
  claim,
  run,
  warn,
}: LaneOptions<Job>): RunningLane {
  let running = 0
  /** Number of slots held for other work; `running` includes them. */
  let occupied = 0
  const waiting = new Set<() => void>()
  let stopping = false
  let wakeUp = () => {}
  let woken = false
  /** Whether the last claim failed. If so, the next one follows after a short delay. */
  let hasFailed = false
  /**
   * Whether jobs may be waiting for a slot of this lane. If false, the last claim received all of them, and new jobs cause a
   * notification.
   */
  let canHaveMore = true
  /** Whether a job has ended since the claim in progress began. */
  let hasEnded = false
  const loop = work()

  async function work(): Promise<void> {
    while (!stopping) {
      woken = false
      hasEnded = false
      serveWaiting()
      const free = capacity - running
      const claimed = free > 0 ? await claimUpTo(free) : []
      canHaveMore = hasFailed || claimed.length >= free - reserved
      for (const job of claimed) start(job)
      if (claimed.length < Math.max(free, 1) && !(hasEnded && canHaveMore && !hasFailed)) await rest()
    }
  }

  async function claimUpTo(limit: number): Promise<Job[]> {
    try {
      const claimed = await claim(limit)
      hasFailed = false
      return claimed
    } catch (error) {
      if (!hasFailed) warn('Jobs could not be claimed', error)
      hasFailed = true
      return []
    }
  }

  function start(job: Job): void {
    running += 1
    void run(job).finally(() => {
      running -= 1
      hasEnded = true
      if (canHaveMore || waiting.size > 0) wake()
    })
  }

  function serveWaiting(): void {
    for (const grant of waiting) {
      if (running >= capacity || occupied >= Math.max(1, Math.floor(capacity / 2))) return
      waiting.delete(grant)
      running += 1
      occupied += 1
      grant()
    }
  }

  function release(): void {
    running -= 1
    occupied -= 1
    wake()
  }

  function rest(): Promise<void> {
    if (woken || stopping) return Promise.resolve()
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, hasFailed ? Math.min(failurePauseMs, pollMs) : pollMs)
      wakeUp = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  function wake(): void {
    woken = true
    wakeUp()
  }

  return {
    wake,
    hasFreeSlot: () => waiting.size === 0 && running < capacity - reserved,
    async occupy(signal) {
      signal.throwIfAborted()
      await new Promise<void>((resolve, reject) => {
        const grant = () => {
          signal.removeEventListener('abort', cancel)
          resolve()
        }
        function cancel(): void {
          waiting.delete(grant)
          reject(signal.reason as Error)
        }
        signal.addEventListener('abort', cancel, { once: true })
        waiting.add(grant)
        wake()
      })
      return release
    },
    async stop() {
      stopping = true
      wakeUp()
      await loop
    },
  }
}

/** Capacity of a worker for the jobs of some kinds, which jobs of other kinds never take. */
export interface Lane {
  /** Maximum concurrent jobs of the lane in this process, at least 1. */
  capacity: number
  /**
   * Whether the last free slot of the lane is left to a fair key of which this worker runs no job. A lane with one slot
   * reserves none. Default false.
   */
  reserve?: boolean
}

/** A lane in operation. */
export interface RunningLane {
  /** Checks for jobs now instead of at the next poll. */
  wake(): void
  /** Stops claiming; resolves once no claim is in flight. */
  stop(): Promise<void>
}

/** Dependencies of a lane. */
export interface LaneOptions<Job> {
  /** Maximum concurrent jobs. */
  capacity: number
  /** Polling interval in milliseconds. */
  pollMs: number
  /** Claims up to `limit` jobs. If it throws, the lane claims again after a short pause. */
  claim: (limit: number) => Promise<Job[]>
  /** Runs a job; its slot is free again when the promise settles. Never rejects. */
  run: (job: Job) => Promise<void>
  /** Reports problems from which the lane recovers on its own. */
  warn: (message: string, error: unknown) => void
}

const failurePauseMs = 200

/** Claims jobs and runs them until it is stopped. */
export function startLane<Job>({ capacity, pollMs, claim, run, warn }: LaneOptions<Job>): RunningLane {
  let running = 0
  let stopping = false
  let wakeUp = () => {}
  let woken = false
  /** Whether the last claim failed; the next one then follows after a short pause. */
  let hasFailed = false
  const loop = work()

  async function work(): Promise<void> {
    while (!stopping) {
      woken = false
      const free = capacity - running
      const claimed = free > 0 ? await claimUpTo(free) : []
      for (const job of claimed) start(job)
      if (claimed.length < Math.max(free, 1)) await rest()
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
      wake()
    })
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
    async stop() {
      stopping = true
      wakeUp()
      await loop
    },
  }
}

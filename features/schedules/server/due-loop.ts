/** A loop that processes due schedules until it is stopped. */
export interface DueLoop {
  /** Waits for the current batch, then stops. */
  stop(): Promise<void>
}

/** Settings of the loop. */
export interface DueLoopOptions {
  /** Processes all due schedules; returns the milliseconds until the next occurrence. */
  processDue: () => Promise<number>
  /** Maximum milliseconds between two reads, so that the loop notices changed schedules. */
  pollMs: number
  /** Reports a failure, once per outage. */
  warn: (message: string, error: unknown) => void
}

/** Starts the loop, which sleeps until the next occurrence. */
export function startDueLoop({ processDue, pollMs, warn }: DueLoopOptions): DueLoop {
  let stopping = false
  let wakeUp = () => {}
  let hasFailed = false
  const loop = run()

  async function run(): Promise<void> {
    while (!stopping) await rest(Math.min(await processOrWarn(), pollMs))
  }

  async function processOrWarn(): Promise<number> {
    try {
      const inMs = await processDue()
      hasFailed = false
      return inMs
    } catch (error) {
      if (!hasFailed) warn('Due schedules could not be read. The server retries.', error)
      hasFailed = true
      return pollMs
    }
  }

  async function rest(milliseconds: number): Promise<void> {
    if (stopping) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds)
      wakeUp = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  return {
    async stop() {
      stopping = true
      wakeUp()
      await loop
    },
  }
}

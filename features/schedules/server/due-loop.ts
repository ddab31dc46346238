/** Takes what is due until it is stopped. */
export interface DueLoop {
  /** Lets what is being taken finish. */
  stop(): Promise<void>
}

/** Settings of the loop. */
export interface DueLoopOptions {
  /** Takes everything that is due; returns the milliseconds until the next moment. */
  takeDue: () => Promise<number>
  /** How often it looks at the latest, so that it learns of schedules that changed. */
  pollMs: number
  warn: (message: string, error: unknown) => void
}

/** Starts the loop: it sleeps until the next moment. */
export function startDueLoop({ takeDue, pollMs, warn }: DueLoopOptions): DueLoop {
  let stopping = false
  let wakeUp = () => {}
  let hasFailed = false
  const loop = run()

  async function run(): Promise<void> {
    while (!stopping) await rest(Math.min(await look(), pollMs))
  }

  async function look(): Promise<number> {
    try {
      const inMs = await takeDue()
      hasFailed = false
      return inMs
    } catch (error) {
      if (!hasFailed) warn('Due schedules could not be read. The server tries again.', error)
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

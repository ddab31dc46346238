import { join } from 'node:path'
import { createLog, readConfig, systemClock } from '@headwater/server-kit'
import { startWorker } from './start-server.ts'

/**
 * npm forwards signals that the terminal also sends to this process. A second signal within this time is treated as the
 * copy.
 */
const pairMs = 500

try {
  const config = readConfig(process.env)
  const starting = startWorker({
    config,
    clock: systemClock,
    openLog: ({ folders }) =>
      createLog({ level: config.logLevel, destination: join(folders.logs, 'worker.log') }),
    say: (line) => console.log(line),
  })
  let stoppingSinceMs: number | undefined
  const stop = async () => {
    if (stoppingSinceMs !== undefined) {
      // Other processes run the jobs again when their leases expire.
      if (performance.now() - stoppingSinceMs > pairMs) process.exit(1)
      return
    }
    stoppingSinceMs = performance.now()
    console.log(
      `The worker accepts no new jobs. Running jobs have ${config.drainSeconds} s to finish; then another process runs them again.`,
    )
    const worker = await starting.catch(() => undefined)
    await worker?.stop()
    console.log('The worker has stopped.')
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => void stop())
  await starting
} catch (error) {
  console.error(`The worker could not start: ${(error as Error).message}`)
  process.exit(1)
}

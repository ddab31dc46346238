import { join } from 'node:path'
import { createLog, readConfig, systemClock } from '@headwater/server-kit'
import { startServer } from './start-server.ts'

/** Maximum time for a start to complete after a stop was requested. */
const startLimitMs = 8000
/**
 * npm forwards a Ctrl+C that the terminal also sends to this process. A second signal within this time is treated as
 * the copy.
 */
const pairMs = 500
/** Maximum time for the database to stop during an immediate stop. */
const immediateStopMs = 5000

try {
  const config = readConfig(process.env)
  const starting = startServer({
    config,
    clock: systemClock,
    openLog: ({ folders }) =>
      createLog({ level: config.logLevel, destination: join(folders.logs, 'server.log') }),
    say: (line) => console.log(line),
  })
  let stoppingSinceMs: number | undefined
  const stop = async () => {
    if (stoppingSinceMs !== undefined) {
      if (performance.now() - stoppingSinceMs > pairMs) await stopAtOnce()
      return
    }
    stoppingSinceMs = performance.now()
    console.log(
      `Headwater is shutting down. In-flight requests are completed; running jobs have ${config.drainSeconds} s to finish.`,
    )
    console.log('Press Ctrl+C again to stop immediately. Acknowledged data is safe.')
    // Starting engines cannot be stopped in order, so the start completes first, unless it takes too long.
    const giveUp = setTimeout(() => process.exit(1), startLimitMs)
    const server = await starting.catch(() => undefined)
    clearTimeout(giveUp)
    await server?.stop()
    console.log('Headwater has stopped.')
    process.exit(0)
  }
  const stopAtOnce = async () => {
    setTimeout(() => process.exit(1), immediateStopMs)
    await (await starting.catch(() => undefined))?.stopAtOnce()
    process.exit(1)
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => void stop())
  await starting
} catch (error) {
  console.error(`Headwater could not start: ${(error as Error).message}`)
  process.exit(1)
}

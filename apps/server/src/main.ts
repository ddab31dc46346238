import { join } from 'node:path'
import { createLog, readConfig, systemClock } from '@headwater/server-kit'
import { startServer } from './start-server.ts'

/** How long a start that is to be stopped may still take. */
const startLimitMs = 8000
/** npm hands on a Ctrl+C that the terminal sends to everybody: a second one that comes sooner is the first one's echo. */
const pairMs = 500
/** How long the database may take to end when nothing is waited for. */
const atOnceLimitMs = 5000

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
      'Headwater is shutting down. In-flight requests are completed; running jobs have 10 s to finish.',
    )
    console.log('Press Ctrl+C again to stop immediately. Acknowledged data is safe.')
    // While the engines start they cannot be stopped in order: they are let come up first, unless it takes too long.
    const giveUp = setTimeout(() => process.exit(1), startLimitMs)
    const server = await starting.catch(() => undefined)
    clearTimeout(giveUp)
    await server?.stop()
    console.log('Headwater has stopped.')
    process.exit(0)
  }
  const stopAtOnce = async () => {
    setTimeout(() => process.exit(1), atOnceLimitMs)
    await (await starting.catch(() => undefined))?.stopAtOnce()
    process.exit(1)
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => void stop())
  await starting
} catch (error) {
  console.error(`Headwater could not start: ${(error as Error).message}`)
  process.exit(1)
}

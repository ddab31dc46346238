import { join } from 'node:path'
import { createLog, readConfig, systemClock } from '@headwater/server-kit'
import { startServer } from './start-server.ts'

/** How long a start that is to be stopped may still take. */
const startLimitMs = 8000

try {
  const config = readConfig(process.env)
  const starting = startServer({
    config,
    clock: systemClock,
    openLog: ({ folders }) =>
      createLog({ level: config.logLevel, destination: join(folders.logs, 'server.log') }),
    say: (line) => console.log(line),
  })
  let stopping = false
  const stop = async () => {
    if (stopping) return
    stopping = true
    // While the engines start they cannot be stopped in order: they are let come up first, unless it takes too long.
    const giveUp = setTimeout(() => process.exit(1), startLimitMs)
    const server = await starting.catch(() => undefined)
    clearTimeout(giveUp)
    await server?.stop()
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => void stop())
  await starting
} catch (error) {
  console.error(`Headwater could not start: ${(error as Error).message}`)
  process.exit(1)
}

import { join } from 'node:path'
import { createLog, readConfig, systemClock } from '@headwater/server-kit'
import { startServer } from './start-server.ts'

try {
  const config = readConfig(process.env)
  const server = await startServer({
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
    await server.stop()
    process.exit(0)
  }
  process.on('SIGTERM', () => void stop())
  process.on('SIGINT', () => void stop())
} catch (error) {
  console.error(`Headwater could not start: ${(error as Error).message}`)
  process.exit(1)
}

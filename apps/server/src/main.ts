import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { createLog, dataFolderMode, readConfig, systemClock } from '@headwater/server-kit'
import { startServer } from './start-server.ts'

try {
  const config = readConfig(process.env)
  // The log is opened first and would make the folder with rights for everybody.
  mkdirSync(config.dataFolder, { recursive: true, mode: dataFolderMode() })
  const log = createLog({
    level: config.logLevel,
    destination: resolve(config.dataFolder, 'logs', 'server.log'),
  })
  const server = await startServer({ config, log, clock: systemClock, say: (line) => console.log(line) })
  let stopping = false
  const stop = async (signal: string) => {
    if (stopping) return
    stopping = true
    log.info({ signal }, 'stopping')
    await server.stop()
    process.exit(0)
  }
  process.on('SIGTERM', () => void stop('SIGTERM'))
  process.on('SIGINT', () => void stop('SIGINT'))
} catch (error) {
  console.error(`Headwater could not start: ${(error as Error).message}`)
  process.exit(1)
}

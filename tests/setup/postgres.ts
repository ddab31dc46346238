import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '@headwater/server-kit'
import type { TestProject } from 'vitest/node'
import { startGuard } from '../../scripts/process-guard.mjs'

declare module 'vitest' {
  interface ProvidedContext {
    /** PostgreSQL of this test run, as the role of a server, which creates no databases. Also HEADWATER_TEST_DATABASE_URL. */
    databaseUrl: string
  }
}

const variable = 'HEADWATER_TEST_DATABASE_URL'
const administratorVariable = 'HEADWATER_TEST_ADMINISTRATOR_URL'

/**
 * Starts one PostgreSQL for the whole test run in a temporary folder, in which the tests also create their own
 * temporary folders, and removes all of it at the end.
 */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const running = process.env[variable]
  if (running) {
    project.provide('databaseUrl', running)
    return undefined
  }
  const folder = await mkdtemp(join(tmpdir(), 'headwater-test-'))
  const guard = startGuard(cleanUp, [folder])
  const outerTemporary = process.env.TMPDIR
  process.env.TMPDIR = join(folder, 't')
  await mkdir(process.env.TMPDIR, { mode: 0o711 })
  const log = { info: () => undefined, warn: console.warn, error: console.error }
  const server = await startPostgres({ folder, log, durability: 'none', maxConnections: 300 })
  process.env[variable] = server.connectionString
  const password = await readFile(join(folder, 'password'), 'utf8')
  process.env[administratorVariable] = server.connectionString.replace(
    /\/\/[^@]*@/,
    () => `//headwater:${password}@`,
  )
  project.provide('databaseUrl', server.connectionString)

  return async () => {
    delete process.env[variable]
    delete process.env[administratorVariable]
    if (outerTemporary === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = outerTemporary
    await server.stop()
    // Browsers end with their workers and can still be writing their profiles.
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
    guard.release()
  }
}

/** Ends every PostgreSQL below the folder `$1`, also those of servers that tests started, and removes the folder. */
const cleanUp = `sleep 1
  find "$1" -name postmaster.pid -exec head -n 1 {} \\; | while read -r pid; do kill -INT "$pid"; done
  sleep 2
  rm -rf "$1"`

import { chmod, mkdir, mkdtemp, readFile, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '@headwater/server-kit'
import type { TestProject } from 'vitest/node'
import { startGuard } from '../../scripts/process-guard.mjs'

declare module 'vitest' {
  interface ProvidedContext {
    /**
     * URL of the PostgreSQL of this test run for the role of a server, which cannot create databases. Also
     * HEADWATER_TEST_DATABASE_URL.
     */
    databaseUrl: string
  }
}

const variable = 'HEADWATER_TEST_DATABASE_URL'
const administratorVariable = 'HEADWATER_TEST_ADMINISTRATOR_URL'

/** File system in memory, on Linux. */
const memoryFolder = '/dev/shm'
/** Free memory in bytes that PostgreSQL needs there: its write-ahead log has up to 512 MB, and each database 12 MB. */
const neededMemory = 3_000_000_000

/**
 * Starts one PostgreSQL for the whole test run, and removes it at the end with the temporary folder in which the tests
 * create theirs. It is in memory if there is enough, because each test file creates a database with a thousand files,
 * which is slow on a busy disk.
 */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const running = process.env[variable]
  if (running) {
    project.provide('databaseUrl', running)
    return undefined
  }
  const folder = await mkdtemp(join(tmpdir(), 'headwater-test-'))
  // Scripts and PostgreSQL of tests run as other users, which need to traverse this folder.
  await chmod(folder, 0o711)
  const databaseFolder = await mkdtemp(join(await chooseLocation(), 'headwater-test-'))
  const folders = [databaseFolder, folder]
  const guard = startGuard(cleanUp, folders)
  const outerTemporary = process.env.TMPDIR
  process.env.TMPDIR = join(folder, 't')
  await mkdir(process.env.TMPDIR, { mode: 0o711 })
  const log = { info: () => undefined, warn: console.warn, error: console.error }
  const server = await startPostgres({ folder: databaseFolder, log, durability: 'none', maxConnections: 300 })
  process.env[variable] = server.connectionString
  const password = await readFile(join(databaseFolder, 'password'), 'utf8')
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
    for (const each of folders)
      await rm(each, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
    guard.release()
  }
}

async function chooseLocation(): Promise<string> {
  const space = await statfs(memoryFolder).catch(() => undefined)
  const isEnough = space !== undefined && space.bavail * space.bsize >= neededMemory
  return isEnough ? memoryFolder : tmpdir()
}

/**
 * Ends every PostgreSQL in the given folders, including those of servers that tests started, and removes the folders.
 */
const cleanUp = `sleep 1
  find "$@" -name postmaster.pid -exec head -n 1 {} \\; | while read -r pid; do kill -INT "$pid"; done
  sleep 2
  rm -rf "$@"`

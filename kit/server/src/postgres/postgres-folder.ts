import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readFile, realpath, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Binaries } from './binaries.ts'
import type { PostgresOptions } from './postgres-options.ts'
import type { RunAs } from './run-as.ts'

/** Name of the superuser. The file `password` contains its password. */
export const administrator = 'headwater'
/** Name of the database. */
export const database = 'headwater'
/** Port, which is part of the name of the socket. */
export const port = 5432

/** Files of one PostgreSQL instance. */
export interface PostgresPaths {
  /** Folder of this PostgreSQL instance, with symbolic links resolved. */
  folder: string
  /** Data directory of the cluster (`PGDATA`). */
  cluster: string
  /** Folder for version links of the shared libraries, used if `node_modules` lacks them. */
  libraryLinks: string
  /** File with the password of the superuser. */
  passwordFile: string
  /** File to which PostgreSQL writes its log. */
  logFile: string
}

/** Values that all steps of starting and stopping share. */
export interface PostgresContext extends PostgresPaths {
  /** The programs and their environment. */
  binaries: Binaries
  /** User and command prefix for starting the programs. */
  runAs: RunAs
  /** Options of the caller. */
  options: PostgresOptions
}

/** Creates the folders of a PostgreSQL instance. */
export async function preparePaths(options: PostgresOptions): Promise<PostgresPaths> {
  await mkdir(options.folder, { recursive: true, mode: 0o700 })
  // If root starts PostgreSQL, it runs as another user, which needs to traverse this folder. Nobody else can access the
  // content.
  if (process.getuid?.() === 0) await chmod(options.folder, 0o711)
  const folder = await realpath(options.folder)
  const logFolder = options.logFolder ?? folder
  await mkdir(logFolder, { recursive: true, mode: 0o700 })
  return {
    folder,
    cluster: join(folder, 'cluster'),
    libraryLinks: join(folder, 'lib'),
    passwordFile: join(folder, 'password'),
    logFile: join(logFolder, 'postgres.log'),
  }
}

/** Returns the password of the superuser; the first call creates it. */
export async function readPassword({ passwordFile, cluster }: PostgresPaths): Promise<string> {
  if (!existsSync(passwordFile)) {
    if (existsSync(cluster)) {
      throw new Error(`The password of the database is missing: ${passwordFile}. Restore it from a backup.`)
    }
    await writeFile(`${passwordFile}.new`, randomBytes(24).toString('base64url'), {
      mode: 0o600,
      flush: true,
    })
    await rename(`${passwordFile}.new`, passwordFile)
  }
  return (await readFile(passwordFile, 'utf8')).trim()
}

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** A lock that this process holds. */
export interface FolderLock {
  /** Releases the lock. */
  release(): void
}

const sqliteBusy = 5

/**
 * Locks a folder for this process, or throws an error that names the holder. It uses a lock of the operating system on a
 * file in `runFolder`, which always ends with the process and which two concurrent starts cannot both get. Node offers such
 * a lock only through SQLite.
 */
export async function lockFolder(folder: string, runFolder: string): Promise<FolderLock> {
  const holderFile = join(runFolder, 'holder.json')
  const file = new DatabaseSync(join(runFolder, 'lock'), { timeout: 0 })
  try {
    file.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
  } catch (error) {
    file.close()
    if ((error as { errcode?: number }).errcode !== sqliteBusy) throw error
    throw new Error(
      `The data folder ${folder} is in use by ${await holderOf(holderFile)}. ` +
        'Stop that server first, or set HEADWATER_DATA to another folder.',
    )
  }
  // The process id is not in the lock file itself, because closing any other handle of that file would release the
  // lock.
  await writeFile(holderFile, JSON.stringify({ pid: process.pid, since: new Date().toISOString() }), {
    mode: 0o600,
  })
  return { release: () => file.isOpen && file.close() }
}

async function holderOf(holderFile: string): Promise<string> {
  const text = await readFile(holderFile, 'utf8').catch(() => '')
  const [, pid] = /"pid":(\d+)/.exec(text) ?? []
  return pid ? `another server, process ${pid}` : 'another server'
}

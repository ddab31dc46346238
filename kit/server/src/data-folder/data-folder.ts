import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readFile, realpath, rename, stat, statfs, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { lockFolder } from './folder-lock.ts'
import { readSecrets } from './secrets.ts'
import type { Secrets } from './secrets.ts'

/** The folder that holds all the server keeps on this machine. */
export interface DataFolder {
  /** Absolute path with every link resolved. */
  path: string
  /** Absolute paths of its parts, each made when absent. */
  folders: {
    /** The built-in PostgreSQL. */
    postgres: string
    /** Points of series. */
    series: string
    /** Bytes of files. */
    content: string
    /** Log files. */
    logs: string
    /** Things of the running process: lock and sockets. Nothing in it needs a backup. */
    run: string
  }
  /** Random id of the folder, the same at every start. While the folder is locked only this server uses it. */
  id: string
  secrets: Secrets
  /** Gives the folder free for the next start. */
  close(): Promise<void>
}

export interface DataFolderOptions {
  /** Refuse to start with less room than this on the disk, default 200 MB. */
  minFreeBytes?: number
}

/**
 * Opens the data folder, making it when absent, readable by its owner only. It stays locked against a second server
 * until it is closed or the process ends, in whatever way. Throws an error for people when the folder is in use, cannot
 * be written or has no room.
 */
export async function openDataFolder(path: string, options: DataFolderOptions = {}): Promise<DataFolder> {
  const { minFreeBytes = 200_000_000 } = options
  const wanted = resolve(path)
  try {
    // As root the built-in PostgreSQL runs as another user, who has to pass through; all inside is closed on its own.
    await makeFolder(wanted, process.getuid?.() === 0 ? 0o711 : 0o700)
    const root = await realpath(wanted)
    await demandRoom(root, minFreeBytes)
    const folders = await makeFolders(root)
    const lock = await lockFolder(root, folders.run)
    try {
      const [secrets, id] = [await readSecrets(root), await readId(folders.run)]
      return { path: root, folders, id, secrets, close: async () => lock.release() }
    } catch (error) {
      lock.release()
      throw error
    }
  } catch (error) {
    throw explained(error as NodeJS.ErrnoException, wanted)
  }
}

/** Makes a folder and those it lies in. Part by part: where a file system takes no folders, such as /proc, `recursive` never ends. */
async function makeFolder(path: string, mode: number): Promise<void> {
  const parent = dirname(path)
  if (!existsSync(parent)) await makeFolder(parent, mode)
  try {
    await mkdir(path, { mode })
  } catch (error) {
    // It is there already, or another start has made it meanwhile.
    const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST' && (await stat(path)).isDirectory()
    if (!isThere) throw error
  }
}

async function makeFolders(root: string): Promise<DataFolder['folders']> {
  const folders = {
    postgres: join(root, 'postgres'),
    series: join(root, 'series'),
    content: join(root, 'content'),
    logs: join(root, 'logs'),
    run: join(root, 'run'),
  }
  for (const folder of Object.values(folders)) await mkdir(folder, { recursive: true, mode: 0o700 })
  // The log may have been opened first, with what the system allows by default.
  await chmod(folders.logs, 0o700)
  return folders
}

/** The id lies in the folder of the running process, so that a restored backup has another one than its original. */
async function readId(runFolder: string): Promise<string> {
  const path = join(runFolder, 'id')
  if (!existsSync(path)) {
    await writeFile(`${path}.new`, randomUUID(), { mode: 0o600 })
    await rename(`${path}.new`, path)
  }
  return (await readFile(path, 'utf8')).trim()
}

async function demandRoom(root: string, minFreeBytes: number): Promise<void> {
  const disk = await statfs(root)
  const freeBytes = disk.bavail * disk.bsize
  if (freeBytes >= minFreeBytes) return
  throw new Error(
    `The disk of the data folder ${root} is full: ${megabytes(freeBytes)} MB are free and ` +
      `${megabytes(minFreeBytes)} MB are needed. Free some room, or name another folder in HEADWATER_DATA.`,
  )
}

function megabytes(bytes: number): number {
  return Math.floor(bytes / 1_000_000)
}

const reasons: Record<string, string> = {
  EACCES: 'this user is not allowed to',
  EPERM: 'this user is not allowed to',
  EROFS: 'it is on a read-only disk',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota of this user is used up',
  ENOTDIR: 'a part of its path is a file',
  EEXIST: 'there is a file of that name',
  ENOENT: 'no folder can be made there',
}

function explained(error: NodeJS.ErrnoException, path: string): Error {
  const reason = error.code && reasons[error.code]
  if (!reason) return error
  return new Error(
    `The data folder ${path} cannot be written: ${reason} (${error.code}). ` +
      'Name a folder this user may write to in HEADWATER_DATA.',
    { cause: error },
  )
}

import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readFile, realpath, rename, stat, statfs, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { defineErrors } from '@headwater/contract'
import { lockFolder } from './folder-lock.ts'
import { addEncryptionKey, readSecrets, readSharedSecrets } from './secrets.ts'
import type { Secrets } from './secrets.ts'

/** The folder with all data of the server on this machine. */
export interface DataFolder {
  /** Absolute path with all links resolved. */
  path: string
  /** Absolute paths of its subfolders, which are created when absent. */
  folders: {
    /** The built-in PostgreSQL. */
    postgres: string
    /** Data points of series. */
    series: string
    /** Contents of files. */
    content: string
    /** Installed Python packages. No backup needed. */
    packages: string
    /** Log files. */
    logs: string
    /** Lock and sockets of the running process. No backup needed. */
    run: string
  }
  /**
   * Random id of the folder, which is stable across starts. While the folder is locked, only this server uses the id.
   */
  id: string
  /** Secrets of the installation. */
  secrets: Secrets
  /** Reads the secrets again, after another process changed their file. */
  reloadSecrets(): Promise<void>
  /**
   * Adds an encryption key to the secrets; the other keys remain.
   * @throws sharedSecrets if the file belongs to another data folder
   */
  addEncryptionKey(): Promise<void>
  /** Releases the folder for the next start. */
  close(): Promise<void>
}

const dataFolderErrors = defineErrors({
  sharedSecrets: {
    status: 409,
    message: () =>
      'This server uses a copy of the keys (HEADWATER_SECRETS_FILE). Add the key on the server that has the original file, then replace the copies.',
  },
})

/** Options of {@link openDataFolder}. */
export interface DataFolderOptions {
  /** Minimum free disk space in bytes; the start fails if less is free. Default 200 MB. */
  minFreeBytes?: number
  /** File with the secrets; default `secrets.json` of the folder, which is created when absent. */
  secretsFile?: string | undefined
}

/**
 * Opens the data folder. Creates it when absent, accessible to its owner only. The folder is locked until it is closed
 * or the process ends in any way. Throws an error with a message for users if the folder is in use, is not writable or has
 * too little free space.
 */
export async function openDataFolder(path: string, options: DataFolderOptions = {}): Promise<DataFolder> {
  const { minFreeBytes = 200_000_000, secretsFile } = options
  const wanted = resolve(path)
  try {
    // When the server runs as root, the built-in PostgreSQL runs as another user, which needs to traverse this folder.
    // The subfolders stay private.
    await makeFolder(wanted, process.getuid?.() === 0 ? 0o711 : 0o700)
    const root = await realpath(wanted)
    await requireSpace(root, minFreeBytes)
    const folders = await makeFolders(root)
    const lock = await lockFolder(root, folders.run)
    try {
      const read = () => (secretsFile === undefined ? readSecrets(root) : readSharedSecrets(secretsFile))
      const secrets = await read()
      const id = await readId(folders.run)
      const folder: DataFolder = {
        path: root,
        folders,
        id,
        secrets,
        async reloadSecrets() {
          folder.secrets = await read()
        },
        async addEncryptionKey() {
          if (secretsFile !== undefined) throw dataFolderErrors.sharedSecrets()
          folder.secrets = await addEncryptionKey(root, folder.secrets)
        },
        close: async () => lock.release(),
      }
      return folder
    } catch (error) {
      lock.release()
      throw error
    }
  } catch (error) {
    throw explained(error as NodeJS.ErrnoException, wanted)
  }
}

/**
 * Creates a folder and its parents one by one, because `recursive` never returns on a file system where folders cannot be
 * created, such as /proc.
 */
async function makeFolder(path: string, mode: number): Promise<void> {
  const parent = dirname(path)
  if (!existsSync(parent)) await makeFolder(parent, mode)
  try {
    await mkdir(path, { mode })
  } catch (error) {
    // The folder exists already, or a concurrent start has just created it.
    const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST' && (await stat(path)).isDirectory()
    if (!isThere) throw error
  }
}

async function makeFolders(root: string): Promise<DataFolder['folders']> {
  const folders = {
    postgres: join(root, 'postgres'),
    series: join(root, 'series'),
    content: join(root, 'content'),
    packages: join(root, 'packages'),
    logs: join(root, 'logs'),
    run: join(root, 'run'),
  }
  for (const folder of Object.values(folders)) await mkdir(folder, { recursive: true, mode: 0o700 })
  // The log file may already exist with the default permissions of the system.
  await chmod(folders.logs, 0o700)
  // When the server runs as root, scripts run as other users, which need to read installed packages.
  await chmod(folders.packages, process.getuid?.() === 0 ? 0o711 : 0o700)
  return folders
}

/** Reads or creates the id. It is stored in the run folder, which backups omit, so a restored backup gets a new id. */
async function readId(runFolder: string): Promise<string> {
  const path = join(runFolder, 'id')
  if (!existsSync(path)) {
    await writeFile(`${path}.new`, randomUUID(), { mode: 0o600 })
    await rename(`${path}.new`, path)
  }
  return (await readFile(path, 'utf8')).trim()
}

async function requireSpace(root: string, minFreeBytes: number): Promise<void> {
  const disk = await statfs(root)
  const freeBytes = disk.bavail * disk.bsize
  if (freeBytes >= minFreeBytes) return
  throw new Error(
    `The disk of the data folder ${root} is full: ${megabytes(freeBytes)} MB are free and ` +
      `${megabytes(minFreeBytes)} MB are needed. Free some space, or set HEADWATER_DATA to another folder.`,
  )
}

function megabytes(bytes: number): number {
  return Math.floor(bytes / 1_000_000)
}

const reasons: Record<string, string> = {
  EACCES: 'this user has no permission',
  EPERM: 'this user has no permission',
  EROFS: 'it is on a read-only disk',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota of this user is used up',
  ENOTDIR: 'a part of its path is a file',
  EEXIST: 'a file with that name exists',
  ENOENT: 'folders cannot be created there',
}

function explained(error: NodeJS.ErrnoException, path: string): Error {
  const reason = error.code && reasons[error.code]
  if (!reason) return error
  return new Error(
    `The data folder ${path} cannot be written: ${reason} (${error.code}). ` +
      'Set HEADWATER_DATA to a folder that this user can write to.',
    { cause: error },
  )
}

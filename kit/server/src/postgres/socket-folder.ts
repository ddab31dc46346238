import { chmod, chown, mkdir, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { isPrivateFolderOf } from './run-as.ts'
import type { ProcessIdentity } from './run-as.ts'

const prefix = 'headwater-'
// A socket path can have 107 bytes on Linux and 103 on macOS. The file name `/.s.PGSQL.5432.lock` is part of it.
const longestFolderBytes = 103 - '/.s.PGSQL.5432.lock'.length

/**
 * Creates the folder of the Unix socket: inside `folder` if its path is short enough for a socket, otherwise with an
 * unguessable name in the temporary folder of the system. Only its owner can enter it.
 */
export async function createSocketFolder(folder: string, owner: ProcessIdentity): Promise<string> {
  const near = join(folder, 'socket')
  const path =
    Buffer.byteLength(near) <= longestFolderBytes
      ? await freshFolder(near)
      : await mkdtemp(join(await realpath(tmpdir()), prefix))
  await chmod(path, 0o700)
  if (process.getuid?.() === 0) await chown(path, owner.uid, owner.gid)
  return path
}

/** Removes a socket folder that a killed server left in the temporary folder. Does not remove any other folder. */
export async function removeSocketFolder(path: string, owner: ProcessIdentity): Promise<void> {
  const temporary = dirname(path) === (await realpath(tmpdir())) && basename(path).startsWith(prefix)
  if (temporary && (await isPrivateFolderOf(owner, path))) await rm(path, { recursive: true, force: true })
}

async function freshFolder(path: string): Promise<string> {
  await rm(path, { recursive: true, force: true })
  await mkdir(path, { mode: 0o700 })
  return path
}

import { createHash } from 'node:crypto'
import { lstat, mkdir, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const otherUsersTraverse = 0o001
const otherUsersWrite = 0o022

/**
 * Returns the folder for environments. If the server runs as root, scripts run as other users, who must be able to traverse it.
 * If they cannot traverse the data folder, returns a folder owned by root in the folder for temporary files.
 * @param folder preferred folder
 */
export async function findCacheFolder(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o711 })
  if (process.getuid?.() !== 0 || (await isTraversable(folder))) return folder
  const other = join(
    tmpdir(),
    `headwater-packages-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}`,
  )
  await mkdir(other, { mode: 0o711 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  const stats = await lstat(other)
  if (
    !stats.isDirectory() ||
    stats.uid !== 0 ||
    (stats.mode & otherUsersWrite) !== 0 ||
    !(await isTraversable(other))
  )
    throw new Error(
      `The folder ${other} belongs to a different user. Remove it, or move the data folder to a location that other users can traverse.`,
    )
  return other
}

async function isTraversable(folder: string): Promise<boolean> {
  for (let path = folder; ; path = dirname(path)) {
    if (((await stat(path)).mode & otherUsersTraverse) === 0) return false
    if (path === dirname(path)) return true
  }
}

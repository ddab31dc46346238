import { createHash } from 'node:crypto'
import { lstat, mkdir, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const othersTraverse = 0o001
const othersWrite = 0o022

/**
 * Returns the folder for environments. As root, scripts run as other users, which must be able to traverse it; if they
 * cannot enter the data folder, the function returns a folder of root in the folder for temporary files.
 * @param folder wanted folder
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
    (stats.mode & othersWrite) !== 0 ||
    !(await isTraversable(other))
  )
    throw new Error(
      `The folder ${other} belongs to another user. Remove it, or move the data folder to where other users can enter it.`,
    )
  return other
}

async function isTraversable(folder: string): Promise<boolean> {
  for (let path = folder; ; path = dirname(path)) {
    if (((await stat(path)).mode & othersTraverse) === 0) return false
    if (path === dirname(path)) return true
  }
}

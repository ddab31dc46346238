import { createHash, randomUUID } from 'node:crypto'
import { chmod, lstat, mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { LockedPackage } from '../../contract/index.ts'

/** A folder with installed packages. It is not evicted until it is released. */
export interface Environment {
  /** Path of the folder. */
  folder: string
  /** Releases the folder, so that it can be evicted. */
  release: () => void
}

/** Cache of folders with installed packages, by the hash of the package list. */
export interface Environments {
  /**
   * Returns the environment for locked packages. If it is not cached, `build` creates it.
   * @param build writes the packages into an empty folder
   */
  provide(packages: readonly LockedPackage[], build: (folder: string) => Promise<void>): Promise<Environment>
}

interface Entry {
  path: string
  sizeBytes: number
  usedAt: number
}

/** Suffix of unfinished folders. */
const unfinished = '.new-'
const wheelsFolder = 'wheels'

/**
 * Creates the cache.
 * @param folder folder for environments and wheels
 * @param variant name of the interpreter; each interpreter needs separate environments
 * @param maxBytes maximum total size of environments and wheels; the least recently used are removed first
 */
export function createEnvironments({
  folder,
  variant,
  maxBytes,
}: {
  folder: string
  variant: string
  maxBytes: number
}): Environments {
  const users = new Map<string, number>()
  const builds = new Map<string, Promise<void>>()
  let cleaned: Promise<void> | undefined

  async function build(path: string, write: (folder: string) => Promise<void>): Promise<void> {
    await (cleaned ??= removeUnfinished(folder))
    const own = `${path}${unfinished}${randomUUID()}`
    await mkdir(own, { recursive: true, mode: 0o755 })
    try {
      await chmod(own, 0o755)
      await write(own)
      await writeFile(`${path}.size`, String(await sizeOf(own)), { mode: 0o600 })
      await rename(own, path)
    } catch (error) {
      await rm(own, { recursive: true, force: true })
      throw error
    }
    await evict(path)
  }

  async function evict(newest: string): Promise<void> {
    const entries = await listEntries(folder)
    let total = entries.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
    for (const { path, sizeBytes } of entries.toSorted((a, b) => a.usedAt - b.usedAt)) {
      if (total <= maxBytes) return
      if (path === newest || users.has(path) || builds.has(path)) continue
      // A run that starts meanwhile must not see a partially removed folder.
      const removed = `${path}${unfinished}${randomUUID()}`
      await rename(path, removed).catch(() => {})
      await rm(removed, { recursive: true, force: true })
      await rm(`${path}.size`, { force: true })
      total -= sizeBytes
    }
  }

  function release(path: string): void {
    const count = users.get(path)! - 1
    if (count > 0) users.set(path, count)
    else users.delete(path)
  }

  return {
    async provide(packages, write) {
      const path = join(folder, hashOfPackages(packages, variant))
      users.set(path, (users.get(path) ?? 0) + 1)
      try {
        const isBuilt = await stat(path).then(
          () => true,
          () => false,
        )
        if (!isBuilt) {
          const running = builds.get(path) ?? build(path, write).finally(() => builds.delete(path))
          builds.set(path, running)
          await running
        }
        const now = new Date()
        await utimes(`${path}.size`, now, now).catch(() => {})
      } catch (error) {
        release(path)
        throw error
      }
      let isReleased = false
      return {
        folder: path,
        release() {
          if (!isReleased) release(path)
          isReleased = true
        },
      }
    },
  }
}

function hashOfPackages(packages: readonly LockedPackage[], variant: string): string {
  const lines = packages.map(({ name, version, sha256 }) => `${name}==${version} ${sha256}`).toSorted()
  return createHash('sha256')
    .update([variant, ...lines].join('\n'))
    .digest('hex')
}

async function removeUnfinished(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  for (const name of names)
    if (name.includes(unfinished)) await rm(join(folder, name), { recursive: true, force: true })
}

async function listEntries(folder: string): Promise<Entry[]> {
  const entries: Entry[] = []
  for (const name of await readdir(folder)) {
    if (!name.endsWith('.size')) continue
    const path = join(folder, basename(name, '.size'))
    const sizeBytes = Number(await readFile(join(folder, name), 'utf8').catch(() => '0'))
    const stats = await stat(join(folder, name)).catch(() => undefined)
    if (stats) entries.push({ path, sizeBytes, usedAt: stats.mtimeMs })
  }
  const wheels = join(folder, wheelsFolder)
  for (const name of await readdir(wheels).catch(() => [])) {
    const stats = await stat(join(wheels, name)).catch(() => undefined)
    if (stats) entries.push({ path: join(wheels, name), sizeBytes: stats.size, usedAt: stats.mtimeMs })
  }
  return entries
}

async function sizeOf(path: string): Promise<number> {
  const stats = await lstat(path)
  if (!stats.isDirectory()) return stats.size
  let sum = 0
  for (const name of await readdir(path)) sum += await sizeOf(join(path, name))
  return sum
}

/** Returns the wheels folder within the cache folder. */
export function wheelsFolderOf(folder: string): string {
  return join(folder, wheelsFolder)
}

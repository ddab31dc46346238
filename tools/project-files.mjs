import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Names of folders with files that are installed, built or written by a run. In a git worktree `.git` is a file. */
const skippedNames = new Set([
  'node_modules',
  'dist',
  '.git',
  '.runtime',
  '.headwater',
  'test-results',
  'coverage',
])

/**
 * Lists the files of a folder and its subfolders, without those that are not part of the sources.
 * @param {string} folder
 * @param {(name: string) => boolean} isWanted by the name of a file
 * @param {(name: string) => boolean} [isSkipped] further folders to omit, by their names
 * @returns {string[]} paths
 */
export function filesUnder(folder, isWanted, isSkipped = () => false) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (skippedNames.has(entry.name)) return []
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return isSkipped(entry.name) ? [] : filesUnder(path, isWanted, isSkipped)
    return entry.isFile() && isWanted(entry.name) ? [path] : []
  })
}

/** A file in an archive. */
export interface ArchivedFile {
  /** Name of the file. */
  name: string
  /** Group of the file. */
  groupName: string
  /** Number of its version. */
  version: number
}

/**
 * Returns the paths of files in an archive, in their order. Files with the same name, regardless of case, are in a folder with the name of
 * their group; versions of one file also have their number. A path never leaves the folder into which the archive is
 * unpacked.
 */
export function archivePaths(files: readonly ArchivedFile[]): string[] {
  const names = files.map(({ name }) => safeName(name))
  const counts = countOf(names)
  const inGroups = files.map(({ groupName }, at) =>
    counts.get(keyOf(names[at]!))! > 1 ? `${safeName(groupName)}/${names[at]!}` : names[at]!,
  )
  const groupCounts = countOf(inGroups)
  // A folder and a file cannot have the same name.
  const used = new Set(
    inGroups.flatMap((path) => (path.includes('/') ? [keyOf(path.slice(0, path.indexOf('/')))] : [])),
  )
  return files.map(({ version }, at) => {
    const path = inGroups[at]!
    const wanted = groupCounts.get(keyOf(path))! > 1 ? withSuffix(path, `version ${version}`) : path
    let free = wanted
    for (let number = 2; used.has(keyOf(free)); number++) free = withSuffix(wanted, String(number))
    used.add(keyOf(free))
    return free
  })
}

/** Returns a name that every system accepts as the name of one file. */
function safeName(name: string): string {
  const safe = name.replace(/[\p{Cc}\p{Bidi_Control}\\/:*?"<>|]/gu, '_').replace(/^[. ]+|[. ]+$/g, '_')
  return safe === '' || /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(safe) ? `_${safe}` : safe
}

function withSuffix(path: string, suffix: string): string {
  const [, base = path, extension = ''] = /^(.*[^/])(\.[^./]*)$/.exec(path) ?? []
  return `${base} (${suffix})${extension}`
}

function countOf(paths: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const path of paths) counts.set(keyOf(path), (counts.get(keyOf(path)) ?? 0) + 1)
  return counts
}

/** Returns the key for duplicate paths. Some systems ignore case and cannot store paths that differ only in case. */
function keyOf(path: string): string {
  return path.normalize('NFC').toLowerCase()
}

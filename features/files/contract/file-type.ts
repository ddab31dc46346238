/** Types of files that everybody may choose. The type is open: other programs may send words of their own. */
export const fileTypes = ['SOURCE', 'NCSV', 'D-NCSV', 'MARKDOWN'] as const

/** Types that are offered only to users of the administrator area. */
export const administratorFileTypes = ['CONFIG', 'COMMAND_JSON'] as const

/** Whether the content of a file of this type is taken over as series of symbols. */
export function isSeriesFile(fileType: string): boolean {
  return fileType === 'NCSV' || fileType === 'D-NCSV'
}

const zipExtensions = ['.zip', '.gz', '.tgz', '.bz2', '.xz', '.7z', '.zst']

/** Whether a file counts as zipped: its name ends in .zip, .gz, .tgz, .bz2, .xz, .7z or .zst, in any letter case. */
export function isZippedName(fileName: string): boolean {
  const name = fileName.toLowerCase()
  return zipExtensions.some((extension) => name.endsWith(extension))
}

/** Extensions of pictures that can be shown, in lower case. */
export const imageExtensions = ['png', 'jpg', 'jpeg', 'webp', 'gif', 'svg'] as const

/** The extension of a file name in lower case without its dot; empty when there is none. */
export function extensionOf(fileName: string): string {
  const dot = fileName.lastIndexOf('.')
  return dot <= 0 ? '' : fileName.slice(dot + 1).toLowerCase()
}

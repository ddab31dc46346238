/** File types that all users can choose. Other programs can send other types. */
export const fileTypes = ['SOURCE', 'NCSV', 'D-NCSV', 'MARKDOWN'] as const

/** File types that only users of the administrator area can choose. */
export const administratorFileTypes = ['CONFIG', 'COMMAND_JSON'] as const

/** Returns whether files of this type are ingested as time series. */
export function isSeriesFile(fileType: string): boolean {
  return fileType === 'NCSV' || fileType === 'D-NCSV'
}

const zipExtensions = ['.zip', '.gz', '.tgz', '.bz2', '.xz', '.7z', '.zst']

/** Returns whether a file counts as zipped: its name ends in .zip, .gz, .tgz, .bz2, .xz, .7z or .zst, regardless of case. */
export function isZippedName(fileName: string): boolean {
  const name = fileName.toLowerCase()
  return zipExtensions.some((extension) => name.endsWith(extension))
}

/** Extensions of images that browsers can display, in lower case. */
export const imageExtensions = ['png', 'jpg', 'jpeg', 'webp', 'gif', 'svg'] as const

/** Returns the extension of a file name in lower case without its dot; empty without an extension. */
export function extensionOf(fileName: string): string {
  const dot = fileName.lastIndexOf('.')
  return dot <= 0 ? '' : fileName.slice(dot + 1).toLowerCase()
}

/** Returns a title as a file name that every system allows, without an extension. */
export function baseNameOf(title: string): string {
  const name = title
    .replace(/[^\p{L}\p{M}\p{N}()_ -]/gu, '')
    .trim()
    .slice(0, 100)
  return name === '' ? 'tile' : name
}

/** Returns a title as a file name that every system allows. */
export function fileNameOf(title: string, extension: string): string {
  return `${baseNameOf(title)}.${extension}`
}

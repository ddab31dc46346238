/** A title as the name of a file on any system, without an extension. */
export function baseNameOf(title: string): string {
  const name = title
    .replace(/[^\p{L}\p{M}\p{N}()_ -]/gu, '')
    .trim()
    .slice(0, 100)
  return name === '' ? 'tile' : name
}

/** A title as the name of a file on any system. */
export function fileNameOf(title: string, extension: string): string {
  return `${baseNameOf(title)}.${extension}`
}

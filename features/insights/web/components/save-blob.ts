/** Hands a file that was made in the browser to the user. */
export function saveBlob(blob: Blob, fileName: string): void {
  const address = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = address
  link.download = fileName
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}

/** A title as the name of a file on any system. */
export function fileNameOf(title: string, extension: string): string {
  const name = title
    .replace(/[^\p{L}\p{M}\p{N}()_ -]/gu, '')
    .trim()
    .slice(0, 100)
  return `${name === '' ? 'tile' : name}.${extension}`
}

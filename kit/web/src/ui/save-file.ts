/** Lifetime of the object URL of saved content, in milliseconds. The browser starts to read the content much earlier. */
const addressLifeMs = 10_000

/** Downloads content that was created in the browser as a file. */
export function saveBlob(blob: Blob, fileName: string): void {
  const address = URL.createObjectURL(blob)
  saveAddress(address, fileName)
  setTimeout(() => URL.revokeObjectURL(address), addressLifeMs)
}

/** Downloads a URL of this origin without opening a tab, which the browser could block. */
export function saveAddress(address: string, fileName: string): void {
  const link = document.createElement('a')
  link.href = address
  link.download = fileName
  link.click()
}

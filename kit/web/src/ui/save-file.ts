/** How long the address of saved content stays readable, in milliseconds; the browser has begun to read it long before. */
const addressLifeMs = 10_000

/** Hands content that was made in the browser to the user, as a file. */
export function saveBlob(blob: Blob, fileName: string): void {
  const address = URL.createObjectURL(blob)
  saveAddress(address, fileName)
  setTimeout(() => URL.revokeObjectURL(address), addressLifeMs)
}

/** Lets the browser save what stands at an address of this origin, without opening a tab that it may block. */
export function saveAddress(address: string, fileName: string): void {
  const link = document.createElement('a')
  link.href = address
  link.download = fileName
  link.click()
}

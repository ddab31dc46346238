/** Maximum age of a check while content is sent, in milliseconds. */
const checkAfterMs = 1000
/** Maximum number of bytes sent between two checks. */
const checkAfterBytes = 8 * 1024 * 1024

/**
 * Returns a function that a transfer calls before it sends each chunk. It calls `check` if the last check was more than
 * 1 s or 8 MiB ago, and returns undefined otherwise. An error of `check` must abort the transfer, so that the client
 * notices that the content is incomplete.
 */
export function createTransferCheck(
  check: () => Promise<unknown>,
): (chunk: { length: number }) => Promise<void> | undefined {
  let checkedAtMs = performance.now()
  let sentBytes = 0
  return (chunk) => {
    sentBytes += chunk.length
    if (sentBytes < checkAfterBytes && performance.now() - checkedAtMs < checkAfterMs) return undefined
    return check().then(() => {
      checkedAtMs = performance.now()
      sentBytes = 0
    })
  }
}

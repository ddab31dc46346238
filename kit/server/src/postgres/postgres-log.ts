import { createReadStream, createWriteStream } from 'node:fs'
import { stat, truncate } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'

const largestLogBytes = 10_000_000

/**
 * Moves the end of a large log to another file, which replaces the previous one. Returns the remaining size of the log, the
 * offset of new messages.
 */
export async function shortenLog(logFile: string): Promise<number> {
  const sizeBytes = (await stat(logFile).catch(() => undefined))?.size ?? 0
  if (sizeBytes <= largestLogBytes) return sizeBytes
  try {
    await pipeline(
      createReadStream(logFile, { start: sizeBytes - largestLogBytes, end: sizeBytes - 1 }),
      createWriteStream(`${logFile}.1`, { mode: 0o600 }),
    )
  } finally {
    // Does not rename the file, because PostgreSQL keeps it open and appends to it.
    await truncate(logFile)
  }
  return 0
}

/** Returns the error message for a failed start of PostgreSQL. */
export function startFailure(messages: string, logFile: string): string {
  const lines = messages.trim().split('\n').slice(-5).join('\n')
  return `PostgreSQL did not start. Its last messages (see ${logFile} for all of them):\n${lines}`
}

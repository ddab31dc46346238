import { closeSync, ftruncateSync, openSync, readSync, renameSync } from 'node:fs'
import { Session } from 'chdb'

const [quote, lineBreak] = [34, 10]
const chunkBytes = 1024 * 1024

/** Truncates a CSV file of the engine to its header and `maxRows` rows. Returns whether it had more rows. */
export function cutCsv(path: string, maxRows: number): boolean {
  const descriptor = openSync(path, 'r+')
  try {
    const chunk = Buffer.alloc(chunkBytes)
    let isQuoted = false
    let lines = 0
    for (let start = 0; ; start += chunkBytes) {
      const size = readSync(descriptor, chunk, 0, chunkBytes, start)
      for (let at = 0; at < size; at++) {
        // A quote inside a cell is doubled, so the state is correct after both.
        if (chunk[at] === quote) isQuoted = !isQuoted
        else if (chunk[at] === lineBreak && !isQuoted && ++lines === maxRows + 1) {
          const end = start + at + 1
          if (readSync(descriptor, chunk, 0, 1, end) === 0) return false
          ftruncateSync(descriptor, end)
          return true
        }
      }
      if (size < chunkBytes) return false
    }
  } finally {
    closeSync(descriptor)
  }
}

/** Truncates a Parquet file to `maxRows` rows, in a separate session. Returns whether it had more rows. */
export function cutParquet(
  path: string,
  maxRows: number,
  { folder, memoryBytes }: { folder: string; memoryBytes: number },
): boolean {
  const session = new Session(folder)
  const table = `file('${path}', Parquet)`
  const rows = Number(String(session.query(`SELECT count() FROM ${table}`, 'TSVRaw')))
  if (rows <= maxRows) return false
  session.query(`SET max_memory_usage = ${memoryBytes}`)
  // Several threads would change the order of the rows.
  session.query('SET max_threads = 1')
  session.query(`SELECT * FROM ${table} LIMIT ${maxRows} INTO OUTFILE '${path}.cut' FORMAT Parquet`)
  renameSync(`${path}.cut`, path)
  return true
}

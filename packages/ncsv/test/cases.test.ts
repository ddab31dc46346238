import { readdirSync, readFileSync, writeFileSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { NcsvError, readNcsv } from '../src/index.ts'

const folder = join(import.meta.dirname, 'cases')

/**
 * To add a case, create a folder with input.ncsv. `UPDATE=1` writes the expected result; review it before you commit
 * it.
 */
for (const name of readdirSync(folder)) {
  const isWarning = name.startsWith('warn-')
  test(`${name}: ${isWarning ? 'is rejected with the positions of its problems' : 'is read'}`, async () => {
    const actual = await readAll(readFileSync(join(folder, name, 'input.ncsv')))
    const expectedFile = join(folder, name, 'expected.json')
    const changedFile = join(folder, name, 'expected-changed.json')
    const text = JSON.stringify(actual, null, 2)
    if (process.env.UPDATE) writeFileSync(expectedFile, `${text}\n`)
    const expected: unknown = existsSync(expectedFile)
      ? JSON.parse(readFileSync(expectedFile, 'utf8'))
      : undefined
    if (isDeepStrictEqual(JSON.parse(text), expected)) rmSync(changedFile, { force: true })
    else writeFileSync(changedFile, `${text}\n`)
    expect(JSON.parse(text)).toEqual(expected)
    expect('problems' in actual).toBe(isWarning)
  })
}

async function readAll(input: Buffer) {
  try {
    const { header, batches } = await readNcsv([input])
    const symbols: string[][] = []
    const rows: unknown[] = []
    const metadata: unknown[] = []
    for await (const batch of batches) {
      symbols.push(...batch.newSymbols)
      for (let row = 0; row < batch.rowCount; row++) {
        const timestamp = batch.timestamps[row]
        rows.push({
          symbol: batch.symbols[row],
          ...(timestamp === undefined ? {} : { timestamp: new Date(timestamp).toISOString() }),
          values: batch.values.map((values) => values[row]),
        })
      }
      for (const [symbol, values] of batch.metadata) metadata.push({ symbol, values })
    }
    return { header, symbols, rows, metadata }
  } catch (error) {
    if (!(error instanceof NcsvError)) throw error
    return { problems: error.problems, hasMore: error.hasMore }
  }
}

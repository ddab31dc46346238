import { expect, test } from 'vitest'
import type { SymbolItem } from '@headwater/symbols/contract'
import { shapeOutput, type OutputShape } from './run-output.ts'

const response = `Code,"Ven,ue",Date(UTC),Close,"Say ""hi""",Note(S),Unit(MD-S)
A,"x,""1""",2024-01-01,1,,"two
lines, ""quoted""",€
A,"x,""1""",2024-01-02,2,,,€
Ä,,2024-01-01,,3,,
`
const symbol = (symbols: Record<string, string>, metadata = {}): SymbolItem => ({
  symbols,
  groupName: 'Prices',
  columns: [],
  metadata,
})

async function shaped(text: string, shape: OutputShape, pieceSize = Infinity) {
  const bytes = Buffer.from(text)
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += pieceSize) yield bytes.subarray(at, at + pieceSize)
  }
  const progress = { rows: 0 }
  const chunks: Buffer[] = []
  for await (const chunk of shapeOutput(pieces(), shape, progress)) chunks.push(chunk)
  return { text: Buffer.concat(chunks).toString(), rows: progress.rows }
}

const pieceSizes = [1, 2, 3, 7, 40, Infinity]

test.each(pieceSizes)(
  'in pieces of %s bytes the response is unchanged and its rows are counted',
  async (size) => {
    expect(await shaped(response, { withType: false }, size)).toEqual({ text: response, rows: 3 })
  },
)

test.each(pieceSizes)('in pieces of %s bytes the header gets the types of its columns', async (size) => {
  const [header, ...rows] = response.split('\n')
  const typed = header!.replace('Close,"Say ""hi"""', 'Close(DB),"Say ""hi""(DB)"')
  expect((await shaped(response, { withType: true }, size)).text).toBe([typed, ...rows].join('\n'))
})

test.each(pieceSizes)('in pieces of %s bytes a row is added for each symbol without rows', async (size) => {
  async function* symbols() {
    yield [symbol({ Code: 'A', 'Ven,ue': 'x,"1"' }), symbol({ Code: 'Ä' })]
    yield [symbol({ Code: 'B', 'Ven,ue': 'y,z' }, { Unit: 'USD' }), symbol({ Code: 'B', 'Ven,ue': 'y,z' })]
  }
  expect(await shaped(response, { withType: false, symbols }, size)).toEqual({
    text: `${response}B,"y,z",,,,,USD\n`,
    rows: 4,
  })
})

test('a response without symbols, rows or content is unchanged', async () => {
  async function* symbols() {
    yield [symbol({ Code: 'A' })]
  }
  for (const text of ['', 'Date(UTC)\n', 'Date(UTC),A_Close\n2024-01-01,1\n'])
    expect((await shaped(text, { withType: false, symbols })).text).toBe(text)
  expect((await shaped('Code,Date(UTC)\n', { withType: true, symbols })).text).toBe('Code,Date(UTC)\nA,\n')
  expect((await shaped('Date(UTC),A_Close\n', { withType: true })).text).toBe('Date(UTC),A_Close(DB)\n')
})

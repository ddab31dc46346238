import { setImmediate as nextTurn } from 'node:timers/promises'
import { CsvReader } from '@headwater/csv'

/** Number of bytes to convert before yielding to other requests: a few milliseconds of work. */
const pieceBytes = 64 * 1024

/**
 * Converts CSV to a JSON list of objects, keyed by the header. Cells of numeric columns become numbers; empty cells of value
 * columns and metadata become null. Symbol columns, up to the date column, stay texts.
 */
export async function* toJsonRows(csv: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let header: Column[] | undefined
  let isFirst = true
  yield Buffer.from('[')
  for await (const rows of readRows(csv)) {
    const objects: string[] = []
    for (const cells of rows) {
      if (header === undefined) header = columnsOf(cells)
      else objects.push(objectOf(header, cells))
    }
    if (objects.length === 0) continue
    yield Buffer.from(`${isFirst ? '' : ','}${objects.join(',')}`)
    isFirst = false
  }
  yield Buffer.from(']')
}

interface Column {
  /** Name as JSON. */
  name: string
  kind: 'symbol' | 'number' | 'text'
}

function columnsOf(header: readonly string[]): Column[] {
  const dates = header.findIndex((name) => /^Date\(.+\)$/.test(name))
  return header.map((name, index) => ({
    name: JSON.stringify(name),
    kind:
      index <= dates
        ? 'symbol'
        : /\((MD-)?[SD]\)$/.test(name) || (dates < 0 && !/\(MD-(DB|I)\)$/.test(name))
          ? 'text'
          : 'number',
  }))
}

function objectOf(columns: readonly Column[], cells: readonly string[]): string {
  const members = columns.map(({ name, kind }, index) => {
    const cell = cells[index] ?? ''
    if (kind === 'symbol') return `${name}:${JSON.stringify(cell)}`
    if (cell === '') return `${name}:null`
    const isNumber = kind === 'number' && Number.isFinite(Number(cell))
    return `${name}:${isNumber ? String(Number(cell)) : JSON.stringify(cell)}`
  })
  return `{${members.join(',')}}`
}

/** Yields the rows of each piece. */
async function* readRows(csv: AsyncIterable<Uint8Array>): AsyncGenerator<string[][]> {
  const decoder = new TextDecoder()
  let rows: string[][] = []
  const reader = new CsvReader((row) => void rows.push(row))
  for await (const piece of inPieces(csv)) {
    reader.push(decoder.decode(piece, { stream: true }))
    yield rows
    rows = []
  }
}

async function* inPieces(csv: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of csv)
    for (let from = 0; from < chunk.length; from += pieceBytes) {
      yield chunk.subarray(from, from + pieceBytes)
      await nextTurn()
    }
}

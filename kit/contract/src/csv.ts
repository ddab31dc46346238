/** Thrown when a text is no CSV; the message says where. */
export class CsvError extends Error {}

const comma = 44
const quote = 34
const lineFeed = 10
const carriageReturn = 13

/**
 * Reads CSV (RFC 4180; lines end with LF, CRLF or CR, empty lines are skipped, a byte order mark is dropped).
 * Throws a CsvError for a quote that never ends, and for text behind a closing quote.
 */
export function parseCsv(given: string): string[][] {
  const text = given.charCodeAt(0) === 0xfeff ? given.slice(1) : given
  const rows: string[][] = []
  let row: string[] = []
  let at = 0
  while (at < text.length) {
    const [cell, end] =
      text.charCodeAt(at) === quote ? quotedCell(text, at, rows.length) : plainCell(text, at)
    row.push(cell)
    at = end
    const code = text.charCodeAt(at)
    if (code === comma) {
      at++
      if (at === text.length) row.push('')
      continue
    }
    if (code === carriageReturn && text.charCodeAt(at + 1) === lineFeed) at++
    at++
    if (row.length > 1 || row[0] !== '') rows.push(row)
    row = []
  }
  if (row.length > 0) rows.push(row)
  return rows
}

function plainCell(text: string, start: number): [cell: string, end: number] {
  let end = start
  while (end < text.length) {
    const code = text.charCodeAt(end)
    if (code === comma || code === lineFeed || code === carriageReturn) break
    end++
  }
  return [text.slice(start, end), end]
}

function quotedCell(text: string, start: number, row: number): [cell: string, end: number] {
  let end = start + 1
  for (;;) {
    end = text.indexOf('"', end)
    if (end === -1) throw new CsvError(`A quote in row ${row + 1} is never closed.`)
    if (text.charCodeAt(end + 1) !== quote) break
    end += 2
  }
  const next = text.charCodeAt(end + 1)
  if (end + 1 < text.length && next !== comma && next !== lineFeed && next !== carriageReturn)
    throw new CsvError(`There is text behind a closing quote in row ${row + 1}.`)
  return [text.slice(start + 1, end).replaceAll('""', '"'), end + 1]
}

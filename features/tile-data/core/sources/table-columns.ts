import type { ResultColumn } from '../series/series-result.ts'

/** Number of filled cells that determine the kind of a column. */
const sample = 200
const time = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/
const number = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i
const dateHeader = /^(Date|DateTime|Date\([^)]*\))$/i
const typed = /^(.*)\((MD-)?(S|DB|I|D)\)$/is

/**
 * Returns the columns of a table. The header of an NCSV file determines their kinds; in other files, the cells determine
 * whether a column contains numbers, ISO dates or text.
 */
export function columnsOfTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
): ResultColumn[] {
  const isNcsv =
    header.some((name) => /^Date(\([^)]*\))$/i.test(name)) || header.some((name) => typed.test(name))
  const dateAt = isNcsv ? header.findIndex((name) => dateHeader.test(name)) : -1
  return header.map((text, index) => {
    const suffix = typed.exec(text)
    const name = suffix?.[1] ?? (text === '' ? `Column ${index + 1}` : text)
    if (index === dateAt) return { index, name: 'Date', kind: 'time' }
    if (index < dateAt) return { index, name, kind: 'symbol' }
    if (suffix)
      return { index, name, kind: suffix[3] === 'S' ? 'text' : suffix[3] === 'D' ? 'time' : 'number' }
    return { index, name, kind: kindOf(rows, index) }
  })
}

function kindOf(rows: readonly (readonly string[])[], index: number): ResultColumn['kind'] {
  let seen = 0
  let [numbers, times] = [true, true]
  for (const row of rows) {
    const cell = row[index]!.trim()
    if (cell === '') continue
    numbers &&= number.test(cell)
    times &&= time.test(cell)
    seen++
    if ((!numbers && !times) || seen === sample) break
  }
  if (seen === 0) return 'text'
  return times ? 'time' : numbers ? 'number' : 'text'
}

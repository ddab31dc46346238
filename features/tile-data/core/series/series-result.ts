import { wildcardMatcher } from '@headwater/contract'
import { parseCsv } from '@headwater/csv'

/** The result of a query: a header, and rows as wide as the header. */
export interface SeriesResult {
  /** Names of the columns in the response, for example `Code`, `Date(UTC)`, `Price`, `Note(S)`. */
  header: string[]
  /** Rows of cells as text. */
  rows: string[][]
  /** Whether the row limit truncated the result. */
  limited: boolean
  /** Number of all rows, if the response contains it. */
  totalRows?: number
  /** Whether the rows are points selected for drawing. Default: no. */
  drawn?: boolean
  /** The columns; absent if the header alone determines them. */
  columns?: readonly ResultColumn[]
}

/**
 * Error for a result that cannot be displayed. A quiet error appears only in the tile; other errors also appear as a
 * message.
 */
export class SeriesResultError extends Error {
  readonly quiet: boolean
  /** Details for users who can fix the source. */
  readonly detail: string | undefined

  constructor(message: string, { quiet, detail }: { quiet: boolean; detail?: string }) {
    super(message)
    this.quiet = quiet
    this.detail = detail
  }
}

/** Message for an empty result. */
export const noDataMessage = 'No data has been received.'
/** Message for a response that is not CSV. */
export const notCsvMessage = 'CSV file can not be parsed.'

/**
 * Parses the CSV of a response. An incomplete last row is dropped.
 * @param options `totalRows`: total reported by the server, by default the number of rows in the response; `drawn`:
 *   whether the server selects points for drawing if there are too many rows
 * @throws SeriesResultError for a string that is not a table, and for a table with one status and message
 */
export function readSeriesResult(
  text: string,
  { totalRows, drawn = false }: { totalRows?: number | undefined; drawn?: boolean } = {},
): SeriesResult {
  const [header = [], ...rows] = parse(text)
  const last = rows.at(-1)
  if (last !== undefined && last.length !== header.length) rows.pop()
  if (rows.some((row) => row.length !== header.length))
    throw new SeriesResultError(notCsvMessage, { quiet: false })
  throwServerError(header, rows)
  const isLess = rows.length < (totalRows ?? 0)
  return {
    header,
    rows,
    limited: isLess && !drawn,
    ...(totalRows === undefined ? {} : { totalRows }),
    ...(isLess && drawn ? { drawn } : {}),
  }
}

/** A column of a result. */
export interface ResultColumn {
  /** Position in a row. */
  index: number
  /** Name without the suffix of its type. */
  name: string
  /** Kind of value in the cells. */
  kind: 'symbol' | 'time' | 'number' | 'text'
}

/** Returns the columns of a result. Columns before the date are symbol keys, columns after it are values. */
export function resultColumns({
  header,
  columns,
}: Pick<SeriesResult, 'header' | 'columns'>): readonly ResultColumn[] {
  if (columns !== undefined) return columns
  const dateAt = header.findIndex((name) => /^Date\([^)]*\)$/.test(name))
  return header.map((text, index) => {
    if (index === dateAt) return { index, name: 'Date', kind: 'time' }
    if (index < dateAt) return { index, name: text, kind: 'symbol' }
    const suffix = /^(.*)\((?:MD-)?(S|DB|I|D)\)$/s.exec(text)
    const isText = suffix?.[2] === 'S' || suffix?.[2] === 'D'
    return { index, name: suffix?.[1] ?? text, kind: isText ? 'text' : 'number' }
  })
}

/** Returns the names of the number columns of results, each name once. */
export function numberColumnsIn(
  results: readonly { result: Pick<SeriesResult, 'header' | 'columns'> }[],
): string[] {
  const names = results.flatMap(({ result }) =>
    resultColumns(result).flatMap(({ name, kind }) => (kind === 'number' ? [name] : [])),
  )
  return [...new Set(names)]
}

/** Returns the distinct symbols of a result, in the order of their first rows. Empty keys are omitted. */
export function symbolsIn(result: SeriesResult): Record<string, string>[] {
  const keys = resultColumns(result).filter(({ kind }) => kind === 'symbol')
  const bySignature = new Map<string, Record<string, string>>()
  for (const row of result.rows) {
    const signature = keys.map(({ index }) => row[index]).join('\u0001')
    if (bySignature.has(signature)) continue
    const pairs = keys.map(({ name, index }) => [name, row[index]!] as const)
    bySignature.set(signature, Object.fromEntries(pairs.filter(([, value]) => value !== '')))
  }
  return [...bySignature.values()]
}

/** Returns whether a symbol matches a pattern, in which `*` matches any text. For many symbols use {@link symbolMatcher}. */
export function fitsPattern(symbol: Record<string, string>, pattern: Record<string, string>): boolean {
  return symbolMatcher(pattern)(symbol)
}

/** Returns {@link fitsPattern} for one pattern and many symbols. */
export function symbolMatcher(pattern: Record<string, string>): (symbol: Record<string, string>) => boolean {
  const parts = Object.entries(pattern).map(([key, wanted]) => ({
    key,
    wanted,
    matches: wildcardMatcher(wanted, { matchCase: true }),
  }))
  return (symbol) =>
    parts.every(({ key, wanted, matches }) => {
      const value = symbol[key]
      return value === undefined ? wanted === '' : matches(value)
    })
}

/** Indexes the rows of a result by symbol. */
export function rowsBySymbol(result: SeriesResult): (symbols: Record<string, string>) => readonly string[][] {
  const keys = resultColumns(result).filter(({ kind }) => kind === 'symbol')
  const groups = new Map<string, string[][]>()
  for (const row of result.rows) {
    const signature = keys.map(({ index }) => row[index]).join('\u0001')
    const group = groups.get(signature)
    if (group === undefined) groups.set(signature, [row])
    else group.push(row)
  }
  return (symbols) => {
    const names = Object.keys(symbols).filter((name) => symbols[name] !== '')
    if (names.some((name) => keys.every((key) => key.name !== name))) return []
    return groups.get(keys.map(({ name }) => symbols[name] ?? '').join('\u0001')) ?? []
  }
}

function parse(text: string): string[][] {
  try {
    return parseCsv(text)
  } catch {
    throw new SeriesResultError(notCsvMessage, { quiet: false })
  }
}

/** Throws a SeriesResultError for a table with one row of status and message. An error with status 400 is quiet. */
export function throwServerError(header: string[], rows: string[][]): void {
  const names = header.map((name) => name.trim().toLowerCase())
  const status = names.indexOf('status')
  const message = names.indexOf('message')
  if (header.length !== 2 || status === -1 || message === -1 || rows.length !== 1) return
  throw new SeriesResultError(rows[0]![message]!, { quiet: Number(rows[0]![status]) === 400 })
}

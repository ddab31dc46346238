import { wildcardMatcher } from '@headwater/contract'
import { parseCsv } from '@headwater/csv'

/** What storage answered to the question of a tile: a header and rows, all as wide as the header. */
export interface SeriesResult {
  /** Names of the columns as they came, for example `Code`, `Date(UTC)`, `Price`, `Note(S)`. */
  header: string[]
  rows: string[][]
  /** Whether the row limit of the question cut the answer off. */
  limited: boolean
  /** How many rows there are, where the answer says it. */
  totalRows?: number
  /** Whether the rows are points chosen for drawing; absent = no. */
  drawn?: boolean
  /** What the columns hold, where the header alone does not say it; absent = it does. */
  columns?: readonly ResultColumn[]
}

/** Why an answer cannot be shown. A `quiet` one is told in the tile only, not as a message besides. */
export class SeriesResultError extends Error {
  readonly quiet: boolean
  /** What exactly is wrong, for whoever can mend it. */
  readonly detail: string | undefined

  constructor(message: string, { quiet, detail }: { quiet: boolean; detail?: string }) {
    super(message)
    this.quiet = quiet
    this.detail = detail
  }
}

/** What is said when nothing came. */
export const noDataMessage = 'No data has been received.'
/** What is said when the answer is no CSV. */
export const notCsvMessage = 'CSV file can not be parsed.'

/**
 * Reads the CSV that storage answers with. A last row that was cut off is dropped. Throws a SeriesAnswerError for a
 * text that is no table, and for an error that came in the shape of a table with status and message.
 * @param told `totalRows`: total reported by the server, absent = the rows in the response; `drawn`: whether it selects points for drawing
 *   where there are too many rows
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

/** A column of an answer, taken apart. */
export interface ResultColumn {
  /** Position in a row. */
  index: number
  /** Name without the suffix of its type. */
  name: string
  kind: 'symbol' | 'time' | 'number' | 'text'
}

/** The columns of an answer: symbol keys stand before the date, values behind it. */
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

/** The different symbols of an answer, in the order of their first rows; keys that a symbol lacks are left out. */
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

/** Whether a symbol has the values of a pattern, in which `*` stands for any text. For many symbols see {@link symbolMatcher}. */
export function fitsPattern(symbol: Record<string, string>, pattern: Record<string, string>): boolean {
  return symbolMatcher(pattern)(symbol)
}

/** Prepares {@link fitsPattern} for one pattern and many symbols. */
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

/** Rows of an answer by symbol, so that each series finds its own without reading all of them again. */
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

/** One row with only status and message is an error: 400 is quiet, any other is told as a message too. */
export function throwServerError(header: string[], rows: string[][]): void {
  const names = header.map((name) => name.trim().toLowerCase())
  const status = names.indexOf('status')
  const message = names.indexOf('message')
  if (header.length !== 2 || status === -1 || message === -1 || rows.length !== 1) return
  throw new SeriesResultError(rows[0]![message]!, { quiet: Number(rows[0]![status]) === 400 })
}

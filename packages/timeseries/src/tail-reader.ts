import { columnName, datasetTable, positiveInteger, type DatasetTables } from './dataset-tables.ts'
import { readNativeNumbers } from './native-rows.ts'
import { bindSignal, startBudget, type QueryLimits } from './query-budget.ts'
import type { ColumnSpec } from './series-upload.ts'
import { makeTail, mostTailRows, type SeriesTail } from './series-tail.ts'
import type { SqlConnection } from './sql-connection.ts'
import { quoteInteger } from './sql-text.ts'

/**
 * Maximum number of columns of a dataset that are read together, so that later queries for other columns are cached, too.
 */
const mostColumns = 32

/** Tails that were read. */
export interface ReadTails {
  /** One for each requested series. */
  tails: ReadonlyMap<number, SeriesTail>
  /** Whether they have all columns of numbers and dates. */
  hasAllColumns: boolean
}

/**
 * Reads the newest rows of series of one dataset with a simple statement. Planning a general statement would take as long as
 * reading the points.
 */
export class TailReader {
  readonly #connection: SqlConnection
  readonly #tables: DatasetTables
  readonly #limits: QueryLimits

  constructor(connection: SqlConnection, tables: DatasetTables, limits: QueryLimits = {}) {
    this.#connection = connection
    this.#tables = tables
    this.#limits = limits
  }

  /**
   * Reads tails of the requested columns. If the tails will be cached and the dataset has at most 32 columns of numbers and
   * dates, reads all of these columns.
   */
  async read(
    dataset: number,
    sids: readonly number[],
    { requested, isCached }: { requested: readonly ColumnSpec[]; isCached: boolean },
  ): Promise<ReadTails> {
    const budget = startBudget(this.#limits)
    try {
      for (const { id } of requested) positiveInteger(id, 'column')
      const stored = await this.#tables.find(positiveInteger(dataset, 'dataset'), requested)
      if (stored === undefined) return { tails: tailsOf(sids, [], []), hasAllColumns: true }
      const all = [...stored].flatMap(([id, type]) => (type === 'string' ? [] : [{ id, type }]))
      const hasAllColumns = isCached && all.length <= mostColumns
      const columns = hasAllColumns
        ? all
        : all.filter(({ id }) => requested.some((column) => column.id === id))
      const connection = bindSignal(this.#connection, budget.signal)
      const chunks: Uint8Array[] = []
      for await (const chunk of await connection.stream(tailSql(dataset, columns, sids), {}))
        chunks.push(chunk)
      const rows = readNativeNumbers(Buffer.concat(chunks), columns.length + 2)
      return { tails: tailsOf(sids, columns, rows.columns), hasAllColumns }
    } catch (error) {
      throw budget.signal.aborted ? budget.signal.reason : error
    } finally {
      budget.end()
    }
  }
}

// Reads the series one at a time, each from its newest row. This is the reverse order of the table, so no sort is needed.
// One thread is enough for few points. Whole numbers and timestamps are exact as doubles, because uploads with other values
// are rejected.
function tailSql(dataset: number, columns: readonly ColumnSpec[], sids: readonly number[]): string {
  const names = columns.map(({ id }) => columnName(id))
  const isOne = sids.length === 1
  const condition = isOne
    ? `sid = ${quoteInteger(sids[0]!)}`
    : `sid IN (${sids.map(quoteInteger).join(', ')})`
  const points = `SELECT ${['sid', 'ts', ...names].join(', ')} FROM ${datasetTable(dataset)} WHERE ${condition} ORDER BY sid DESC, ts DESC, age LIMIT 1 BY sid, ts`
  const values = columns.map(({ id, type }) =>
    type === 'date' ? millisecondsOf(columnName(id)) : `toFloat64(${columnName(id)})`,
  )
  return `SELECT ${['sid', millisecondsOf('ts'), ...values].join(', ')} FROM (${points}) LIMIT ${mostTailRows}${isOne ? '' : ' BY sid'}
    FORMAT Native SETTINGS max_threads = 1`
}

function millisecondsOf(instant: string): string {
  return `toFloat64(toUnixTimestamp64Milli(${instant}))`
}

/** Splits columns `sid, timestamp, value…`, the newest rows first, into tails. */
function tailsOf(
  sids: readonly number[],
  columns: readonly ColumnSpec[],
  [sidOfRow = new Float64Array(), ...others]: readonly Float64Array[],
): Map<number, SeriesTail> {
  const tails = new Map<number, SeriesTail>(
    sids.map((sid) => [sid, { columns, rows: undefined, isWhole: true }]),
  )
  for (let from = 0; from < sidOfRow.length;) {
    const sid = sidOfRow[from]!
    let to = from + 1
    while (to < sidOfRow.length && sidOfRow[to] === sid) to++
    const [timestamps, ...values] = others.map((column) => column.slice(from, to).reverse())
    tails.set(sid, makeTail(columns, { timestamps: timestamps!, values }, to - from < mostTailRows))
    from = to
  }
  return tails
}

import { columnName, datasetTable, positiveInteger, type DatasetTables } from './dataset-tables.ts'
import { readNativeNumbers } from './native-rows.ts'
import { bindSignal, startBudget, type QueryLimits } from './query-budget.ts'
import type { ColumnSpec } from './series-engine.ts'
import { makeTail, mostTailRows, type SeriesTail } from './series-tail.ts'
import type { SqlConnection } from './sql-connection.ts'
import { quoteInteger } from './sql-text.ts'

/** Columns of a dataset that are read all at once, so that whoever asks for another one finds it. */
const mostColumns = 32

/** Tails that were read. */
export interface ReadTails {
  /** One for each series that was asked for. */
  tails: ReadonlyMap<number, SeriesTail>
  /** Whether they have all columns of numbers and dates. */
  hasAllColumns: boolean
}

/**
 * Reads the newest rows of series of one dataset by a statement of two levels. What the statements of all questions can do beyond
 * that costs the planner as long as the points themselves.
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
   * Tails of the asked columns; of all columns of numbers and dates if they are to be kept and are not more than 32.
   */
  async read(
    dataset: number,
    sids: readonly number[],
    { asked, isKept }: { asked: readonly ColumnSpec[]; isKept: boolean },
  ): Promise<ReadTails> {
    const budget = startBudget(this.#limits)
    try {
      for (const { id } of asked) positiveInteger(id, 'column')
      const stored = await this.#tables.find(positiveInteger(dataset, 'dataset'), asked)
      if (stored === undefined) return { tails: tailsOf(sids, [], []), hasAllColumns: true }
      const all = [...stored].flatMap(([id, type]) => (type === 'string' ? [] : [{ id, type }]))
      const hasAllColumns = isKept && all.length <= mostColumns
      const columns = hasAllColumns ? all : all.filter(({ id }) => asked.some((column) => column.id === id))
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

// Newest first and one series after the other, both against the order of the table, so that nothing is sorted; one thread, as the
// points are few. Whole numbers and moments of points and of columns fit into doubles: no others are taken in.
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

function millisecondsOf(moment: string): string {
  return `toFloat64(toUnixTimestamp64Milli(${moment}))`
}

/** Cuts columns `sid, timestamp, value…`, the newest rows first, into tails. */
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

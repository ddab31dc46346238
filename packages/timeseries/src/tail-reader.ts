import { formatHeaderLine, rawLines, type AnswerColumn } from './answer-format.ts'
import { columnName, datasetTable, positiveInteger, type DatasetTables } from './dataset-tables.ts'
import { clickhouseType } from './native-block.ts'
import { unionColumns } from './open-selections.ts'
import { bindSignal, startBudget, type QueryLimits } from './query-budget.ts'
import type { SeriesQuery, ValueType } from './series-engine.ts'
import type { SqlConnection } from './sql-connection.ts'
import { usedParams } from './sql-params.ts'
import { quoteInteger } from './sql-text.ts'
import type { TailQuery } from './tail-cache.ts'
import { TimeZones } from './time-zones.ts'
import { createValueSql } from './value-sql.ts'

/** The newest points of some series as lines of NCSV. */
export interface Tails {
  /** First line of the answer without the symbol keys. */
  header: string
  /** Lines without the symbol and the metadata, each with its line break; series without points are left out. */
  linesBySid: ReadonlyMap<number, string>
}

/**
 * Reads the newest points of series of one dataset by a statement of two levels. What the statements of all questions can do beyond
 * that costs the planner as long as the points themselves.
 */
export class TailReader {
  readonly #connection: SqlConnection
  readonly #tables: DatasetTables
  readonly #timeZones: TimeZones
  readonly #limits: QueryLimits

  constructor(connection: SqlConnection, tables: DatasetTables, limits: QueryLimits = {}) {
    this.#connection = connection
    this.#tables = tables
    this.#limits = limits
    this.#timeZones = new TimeZones(connection)
  }

  /** @param sids instead of the series of the query. */
  async read(asked: TailQuery, sids: readonly number[]): Promise<Tails> {
    const budget = startBudget(this.#limits)
    try {
      const query = { ...asked, timeZone: await this.#timeZones.resolve(asked.timeZone ?? 'UTC') }
      const columns = unionColumns(query)
      const header = formatHeaderLine({ ...query, symbolKeys: [] }, columns).slice(0, -1)
      const [selection] = query.selections
      for (const { id } of selection.columns) positiveInteger(id, 'column')
      const stored = await this.#tables.find(positiveInteger(selection.dataset, 'dataset'), selection.columns)
      if (!stored || columns.length === 0) return { header, linesBySid: new Map() }
      const sql = tailSql(query, columns, stored, sids)
      const params = usedParams(sql, { zone: query.timeZone, pattern: query.dateFormat ?? '' })
      const connection = bindSignal(this.#connection, budget.signal)
      const chunks: Uint8Array[] = []
      for await (const chunk of await connection.stream(sql, params)) chunks.push(chunk)
      return { header, linesBySid: cutBySeries(Buffer.concat(chunks).toString(), query.order ?? 'asc') }
    } catch (error) {
      throw budget.signal.aborted ? budget.signal.reason : error
    } finally {
      budget.end()
    }
  }
}

// Newest first and one series after the other, both against the order of the table, so that nothing is sorted; one thread, as the
// points are few.
function tailSql(
  query: TailQuery,
  columns: readonly AnswerColumn[],
  stored: ReadonlyMap<number, ValueType>,
  sids: readonly number[],
): string {
  const { dataset, columns: asked } = query.selections[0]
  const values = columns.map(({ name, type }, index) => {
    const id = asked.find((column) => column.name === name && column.type === type)?.id
    const isStored = id !== undefined && stored.get(id) === type
    return `${isStored ? columnName(id) : `CAST(NULL AS ${clickhouseType(type)})`} AS v${index}`
  })
  const [first] = sids
  const isOne = sids.length === 1
  const condition = isOne ? `sid = ${quoteInteger(first!)}` : `sid IN (${sids.map(quoteInteger).join(', ')})`
  const points = `SELECT sid, ts, ${values.join(', ')} FROM ${datasetTable(dataset)} WHERE ${condition} ORDER BY sid DESC, ts DESC, age LIMIT 1 BY sid, ts`
  const text = createValueSql(query)
  const cells = columns.map(({ type }, index) => text.cell(`v${index}`, type))
  const hasValue = columns.map((_, index) => `isNotNull(v${index})`).join(' OR ')
  return `SELECT sid, ${text.timestampCell(text.timestamp('ts'))}, ${cells.join(', ')} FROM (${points}) WHERE ${hasValue} LIMIT ${quoteInteger(query.range.amount)}${isOne ? '' : ' BY sid'}
    FORMAT CustomSeparated SETTINGS ${rawLines}, format_custom_row_after_delimiter = '\\n', max_threads = 1, output_format_parallel_formatting = 0`
}

/** Cuts lines `sid,rest`, the newest first, into the rests of each series in the order of the answer. */
function cutBySeries(text: string, order: NonNullable<SeriesQuery['order']>): Map<number, string> {
  const linesBySid = new Map<number, string>()
  let at = 0
  while (at < text.length) {
    const prefix = text.slice(at, text.indexOf(',', at) + 1)
    const lines: string[] = []
    while (text.startsWith(prefix, at)) {
      const end = text.indexOf('\n', at) + 1
      lines.push(text.slice(at + prefix.length, end))
      at = end
    }
    linesBySid.set(Number(prefix.slice(0, -1)), (order === 'asc' ? lines.reverse() : lines).join(''))
  }
  return linesBySid
}

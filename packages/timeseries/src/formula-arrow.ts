import { doubleColumn, encodeRecordBatch, int64Column } from './arrow-batch.ts'
import { endOfStream, readSchema } from './arrow-stream.ts'
import { hasClock } from './clock-sql.ts'
import { openFormulaRows, type FormulaBlock } from './formula-points.ts'
import type { OpenSelection, OpenSelections } from './open-selections.ts'
import { resolveRange } from './resolve-range.ts'
import { createFormatter, type ResultColumn } from './result-format.ts'
import { orderedRowsSql } from './result-rows.ts'
import type { SqlConnection } from './sql-connection.ts'
import { usedParams } from './sql-params.ts'
import { zoneParams, type ZonedQuery } from './time-zones.ts'

/**
 * Opens the Arrow result of a query that requests only points of formulas. The Arrow data are written here, because
 * sending the points to the engine and back takes longer than computing them. The engine writes the schema.
 * @returns undefined for other queries, and for inputs with too many points for one part
 */
export async function openFormulaArrow(
  connection: SqlConnection,
  query: ZonedQuery,
  { open, columns, signal }: { open: OpenSelections; columns: readonly ResultColumn[]; signal: AbortSignal },
): Promise<AsyncIterable<Uint8Array> | undefined> {
  const selection = plainFormulas(query, open)
  if (selection === undefined || columns.length !== 1) return undefined
  const range = await resolveRange(connection, query, async () => undefined)
  const wanted = selection.formulas.map(({ sid, formula }) => ({ sid, formula, range }))
  const [schema, rows] = await Promise.all([
    fetchSchema(connection, query, columns),
    openFormulaRows(connection, wanted, { signal }),
  ])
  if (!rows.isWhole) selection.readsInParts = true
  // An error must come before the first byte.
  if (!rows.isWhole || !rows.isWithinLimit) return undefined
  const labels = new Map(
    selection.formulas.map(({ sid, labels }) => [
      sid,
      query.symbolKeys.map((_, index) => Buffer.from(labels[index]!)),
    ]),
  )
  async function* messages() {
    yield schema
    for await (const block of rows.blocks()) yield encodeBlock(block, labels, query.symbolKeys.length)
    yield endOfStream
  }
  return messages()
}

type FormulaSelection = OpenSelection & { formulas: NonNullable<OpenSelection['formulas']> }

/** Returns the selection if the query requests only all points of formulas in order; undefined otherwise. */
function plainFormulas(query: ZonedQuery, { items }: OpenSelections): FormulaSelection | undefined {
  const [selection] = items
  const isPlain =
    query.format === 'ARROW' &&
    (query.range === undefined || query.range.kind === 'ALL' || query.range.kind === 'BETWEEN') &&
    (query.corrections ?? 'false') === 'false' &&
    (query.layout ?? 'rows') === 'rows' &&
    (query.sortBy ?? 'series') === 'series' &&
    (query.order ?? 'asc') === 'asc' &&
    (query.filters ?? []).length === 0 &&
    (query.metadataColumns ?? []).length === 0 &&
    !hasClock(query) &&
    !query.delta &&
    !query.offset &&
    !query.skipEmptyColumns &&
    !query.countRows &&
    query.limit === undefined &&
    query.decimalPrecision === undefined &&
    query.versionTexts === undefined &&
    query.drawPoints === undefined &&
    query.window === undefined &&
    query.resample === undefined &&
    query.aggregate === undefined
  if (!isPlain || items.length !== 1 || selection?.formulas === undefined) return undefined
  return selection.shift || selection.fill ? undefined : (selection as FormulaSelection)
}

/** Reads the schema from a result without rows. */
async function fetchSchema(
  connection: SqlConnection,
  query: ZonedQuery,
  columns: readonly ResultColumn[],
): Promise<Uint8Array> {
  const { wrap, params, arrowNames = [] } = createFormatter(query, columns)
  const labelCount = query.symbolKeys.length + 1
  const rows = orderedRowsSql({ query, columns, selections: [], range: {}, labelCount })
  const sql = wrap(rows, { milliseconds: '0', versionText: undefined, threads: 1 })
  const stream = await connection.stream(sql, usedParams(sql, { ...zoneParams(query), ...params }))
  try {
    return await readSchema(stream, arrowNames)
  } finally {
    stream.close()
  }
}

function encodeBlock(
  { sids, timestamps, values }: FormulaBlock,
  labels: ReadonlyMap<number, readonly Buffer[]>,
  labelCount: number,
): Buffer {
  const runs: { sid: number; count: number }[] = []
  for (let from = 0; from < sids.length;) {
    const sid = sids[from]!
    let to = from + 1
    while (to < sids.length && sids[to] === sid) to++
    runs.push({ sid, count: to - from })
    from = to
  }
  const counts = runs.map(({ count }) => count)
  return encodeRecordBatch(sids.length, [
    ...Array.from({ length: labelCount }, (_, index) => ({
      texts: runs.map(({ sid }) => labels.get(sid)![index]!),
      counts,
    })),
    int64Column(timestamps),
    doubleColumn(values),
  ])
}

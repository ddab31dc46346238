import { columnName, datasetTable } from './dataset-tables.ts'
import type { ColumnSpec, StageRequest, ValueType } from './series-upload.ts'
import { quoteTimestamp } from './sql-text.ts'
import type { UploadFacts } from './upload-blocks.ts'

/** Builds SQL that sorts the upload and selects the last of equal points. Modes that compare join the stored points. */
export function insertSql(upload: {
  /** Table to insert into. */
  target: string
  dataset: number
  version: number
  columns: readonly ColumnSpec[]
  /** All columns of the dataset; for modes that compare. */
  stored?: ReadonlyMap<number, ValueType>
  source: string
  mode: NonNullable<StageRequest['mode']>
  seen: UploadFacts
}): string {
  const given = upload.columns.map((column) => columnName(column.id))
  const all = [...(upload.stored?.keys() ?? [])].map(columnName)
  const isGiven = new Set(given)
  const order = upload.seen.isSorted ? '' : 'ORDER BY sid, ts, seq DESC LIMIT 1 BY sid, ts'
  const fresh = `SELECT ${['sid', 'ts', ...given].join(', ')} FROM ${upload.source} ${order}`
  const { target } = upload
  const age = `toInt64(-${upload.version})`
  // Several threads would change the order of sorted rows and require another sort.
  const threads = upload.seen.isSorted && upload.mode === 'replace' ? 'max_threads = 1, ' : ''
  const settings = `SETTINGS ${threads}max_insert_threads = 1, min_insert_block_size_rows = 1048576, min_insert_block_size_bytes = 268435456`
  if (upload.mode === 'replace' || all.length === 0) {
    // Without a column, no value is given and nothing differs.
    const condition = upload.mode === 'replace' ? '' : 'WHERE 0'
    return `INSERT INTO ${target} (${['sid', 'ts', 'age', ...given].join(', ')})
      SELECT ${['sid', 'ts', age, ...given].join(', ')} FROM (${fresh}) ${condition} ${settings}`
  }
  const latest = `SELECT ${['sid', 'ts', ...all].join(', ')} FROM ${datasetTable(upload.dataset)}
    WHERE ts BETWEEN ${quoteTimestamp(upload.seen.first)} AND ${quoteTimestamp(upload.seen.last)}
      AND sid IN (SELECT sid FROM ${upload.source})
    ORDER BY sid, ts, age LIMIT 1 BY sid, ts`
  const isPartial = upload.mode === 'partial'
  const values = all.map((name) => {
    if (!isGiven.has(name)) return isPartial ? `stored.${name}` : 'NULL'
    return isPartial ? `coalesce(fresh.${name}, stored.${name})` : `fresh.${name}`
  })
  const conditions = isPartial
    ? given.map((name) => `isNotNull(fresh.${name})`)
    : all.map((name) =>
        isGiven.has(name) ? `isDistinctFrom(fresh.${name}, stored.${name})` : `isNotNull(stored.${name})`,
      )
  return `INSERT INTO ${target} (${['sid', 'ts', 'age', ...all].join(', ')})
    SELECT ${['fresh.sid', 'fresh.ts', age, ...values].join(', ')}
    FROM (${fresh}) AS fresh LEFT JOIN (${latest}) AS stored ON fresh.sid = stored.sid AND fresh.ts = stored.ts
    WHERE ${conditions.join(' OR ') || '0'}
    ${settings}, join_use_nulls = 1, join_algorithm = 'full_sorting_merge'`
}

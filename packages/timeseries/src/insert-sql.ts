import { columnName, datasetTable, originName } from './dataset-tables.ts'
import type { ColumnSpec, StageRequest, ValueType } from './series-upload.ts'
import { quoteTimestamp } from './sql-text.ts'
import type { UploadFacts } from './upload-blocks.ts'

/**
 * Builds SQL that sorts the upload and selects the last of several rows for the same point. Modes that compare join the
 * stored points.
 */
export function insertSql(upload: {
  /** Table to insert into. */
  target: string
  dataset: number
  version: number
  columns: readonly ColumnSpec[]
  /** All columns of the dataset, with origins. Only for modes that compare. */
  stored?: ReadonlyMap<number, ValueType>
  source: string
  mode: NonNullable<StageRequest['mode']>
  seen: UploadFacts
}): string {
  const given = upload.columns.map((column) => columnName(column.id))
  const storedIds = [...(upload.stored?.keys() ?? [])]
  const all = storedIds.map(columnName)
  const isGiven = new Set(given)
  const order = upload.seen.isSorted ? '' : 'ORDER BY sid, ts, seq DESC LIMIT 1 BY sid, ts'
  const fresh = `SELECT ${['sid', 'ts', ...given].join(', ')} FROM ${upload.source} ${order}`
  const { target, mode } = upload
  const age = `toInt64(-${upload.version})`
  // Several threads would change the order of sorted rows and require another sort.
  const threads = upload.seen.isSorted && mode === 'replace' ? 'max_threads = 1, ' : ''
  const settings = `SETTINGS ${threads}max_insert_threads = 1, min_insert_block_size_rows = 1048576, min_insert_block_size_bytes = 268435456`
  if (mode === 'replace' || all.length === 0) {
    // Without a column, no value is given and nothing differs.
    const condition = mode === 'replace' ? '' : 'WHERE 0'
    return `INSERT INTO ${target} (${['sid', 'ts', 'age', ...given].join(', ')})
      SELECT ${['sid', 'ts', age, ...given].join(', ')} FROM (${fresh}) ${condition} ${settings}`
  }
  const origins = storedIds.map(originName)
  const latest = `SELECT ${['sid', 'ts', 'age', ...all, ...origins].join(', ')} FROM ${datasetTable(upload.dataset)}
    WHERE ts BETWEEN ${quoteTimestamp(upload.seen.first)} AND ${quoteTimestamp(upload.seen.last)}
      AND sid IN (SELECT sid FROM ${upload.source})
    ORDER BY sid, ts, age LIMIT 1 BY sid, ts`
  const isPartial = mode !== 'changes'
  const columns = storedIds.map((id) => {
    const [name, origin] = [columnName(id), originName(id)]
    const oldOrigin = `ifNull(if(stored.${origin} = 0, stored.age, stored.${origin}), 0)`
    if (!isGiven.has(name)) {
      if (isPartial) return { isNew: '0', value: `stored.${name}`, origin: oldOrigin }
      const isNew = `isNotNull(stored.${name})`
      return { isNew, value: 'NULL', origin: `if(${isNew}, 0, ${oldOrigin})` }
    }
    const isGivenSql = `isNotNull(fresh.${name})`
    const isChanged = `isDistinctFrom(fresh.${name}, stored.${name})`
    const isNew = {
      partial: isGivenSql,
      partialChanges: `(${isGivenSql} AND ${isChanged})`,
      changes: isChanged,
    }[mode]
    const value = isPartial ? `coalesce(fresh.${name}, stored.${name})` : `fresh.${name}`
    return { isNew, value, origin: `if(${isNew}, 0, ${oldOrigin})` }
  })
  const values = [...columns.map(({ value }) => value), ...columns.map(({ origin }) => origin)]
  return `INSERT INTO ${target} (${['sid', 'ts', 'age', ...all, ...origins].join(', ')})
    SELECT ${['fresh.sid', 'fresh.ts', age, ...values].join(', ')}
    FROM (${fresh}) AS fresh LEFT JOIN (${latest}) AS stored ON fresh.sid = stored.sid AND fresh.ts = stored.ts
    WHERE ${columns.map(({ isNew }) => isNew).join(' OR ')}
    ${settings}, join_use_nulls = 1, join_algorithm = 'full_sorting_merge'`
}

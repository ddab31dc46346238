import { preserveOrder, type RowQuery } from './result-rows.ts'
import { checkFilledRows, canFillRows, maxFilledRows, unionOf, type FillBranch } from './fill-sql.ts'
import { joinNumbers, readNumberBlocks } from './native-rows.ts'
import { countSpans } from './resample-sql.ts'
import { sortRuns } from './sort-runs.ts'
import { buildGridSql } from './span-sql.ts'
import type { SqlConnection, SqlParams } from './sql-connection.ts'
import { usedParams } from './sql-params.ts'

/**
 * Returns the timestamps at which every filled series gets a row, distinct and in order. They are the timestamps of all
 * rows, or the starts of all spans from the first to the last one.
 * @throws SeriesEngineError `too-large` for too many rows
 */
export async function readFillTimestamps(
  connection: SqlConnection,
  { query, selections }: RowQuery,
  branches: readonly FillBranch[],
  params: SqlParams,
): Promise<Float64Array> {
  const rows = unionOf(branches)
  const mostSeries = selections.reduce((sum, { fill, seriesCount }) => sum + (fill ? seriesCount : 0), 0)
  const check = async (instants: number) => {
    if (canFillRows(instants, mostSeries)) return
    const own = unionOf(branches.filter(({ fill }) => fill))
    checkFilledRows(instants, await countSeries(connection, own, params))
  }
  let timestamps = rows
  if (query.resample) {
    const ends = await readEnds(connection, rows, params)
    await check(Math.ceil(countSpans(query.resample, ends.lastMs - ends.firstMs)))
    timestamps = buildGridSql(query.resample, query.timeZone ?? 'UTC', ends)
  }
  const instants = await readDistinct(connection, timestamps, params)
  await check(instants.length)
  return instants
}

async function readDistinct(
  connection: SqlConnection,
  rows: string,
  params: SqlParams,
): Promise<Float64Array> {
  const sql = `SELECT DISTINCT toFloat64(toUnixTimestamp64Milli(ts)) AS instant FROM (${rows}) LIMIT ${maxFilledRows + 1} FORMAT Native SETTINGS ${preserveOrder}`
  const parts: Float64Array[] = []
  for await (const { columns } of readNumberBlocks(await connection.stream(sql, usedParams(sql, params)), 1))
    parts.push(columns[0]!)
  return sortRuns(joinNumbers(parts))
}

async function readEnds(
  connection: SqlConnection,
  rows: string,
  params: SqlParams,
): Promise<{ firstMs: number; lastMs: number }> {
  const sql = `SELECT toFloat64(toUnixTimestamp64Milli(min(ts))) AS first, toFloat64(toUnixTimestamp64Milli(max(ts))) AS last FROM (${rows})`
  const [row] = await connection.rows(sql, usedParams(sql, params))
  return { firstMs: Number(row?.first), lastMs: Number(row?.last) }
}

async function countSeries(connection: SqlConnection, rows: string, params: SqlParams): Promise<number> {
  const sql = `SELECT toFloat64(uniqExact(selection, sid)) AS series FROM (${rows})`
  const [row] = await connection.rows(sql, usedParams(sql, params))
  return Number(row?.series)
}

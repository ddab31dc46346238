import { positiveInteger, type DatasetTables } from './dataset-tables.ts'
import { withinLimits } from './point-limits.ts'
import { buildPointSql } from './point-sql.ts'
import type { SeriesStatistics } from './query-result.ts'
import { timeFacts } from './result-statistics.ts'
import type { PointLimits } from './series-query.ts'
import { openSeriesScope, type SeriesScope } from './series-scope.ts'
import type { SqlConnection } from './sql-connection.ts'

/** Reads the statistics of series: see `SeriesEngine.statistics`. */
export async function readSeriesStatistics(
  connection: SqlConnection,
  tables: DatasetTables,
  dataset: number,
  sids: readonly number[] | 'all',
  limits: PointLimits | undefined,
): Promise<SeriesStatistics[]> {
  const stored = await tables.find(positiveInteger(dataset, 'dataset'))
  if (!stored) return []
  const columns = [...stored].map(([id, type]) => ({ id, type }))
  const scope = sids === 'all' ? allSeries : await openSeriesScope(connection, 's', labelless(sids))
  try {
    const points = buildPointSql({
      dataset,
      seriesCondition: withinLimits(scope.condition, limits),
      isOneSeries: scope.isOneSeries,
      columns,
      range: {},
      corrections: 'false',
      order: 'asc',
    })
    const rows = await connection.rows(`SELECT sid, ${timeFacts} FROM (${points}) GROUP BY sid ORDER BY sid`)
    return rows.map((row) => ({
      sid: Number(row.sid),
      firstTimestamp: Number(row.first),
      lastTimestamp: Number(row.last),
      count: Number(row.count),
    }))
  } finally {
    await scope.drop()
  }
}

const allSeries: SeriesScope = {
  condition: '1',
  isOneSeries: false,
  params: {},
  label: () => `''`,
  drop: async () => {},
}

function labelless(sids: readonly number[]) {
  const unique = [...new Set(sids.map((sid) => positiveInteger(sid, 'series')))]
  return { sids: unique, labels: unique.map(() => []) }
}

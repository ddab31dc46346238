import type { VisibleVersions } from './cluster-versions.ts'
import { database } from './dataset-tables.ts'
import type { SqlConnection } from './sql-connection.ts'
import { quoteText } from './sql-text.ts'

/**
 * Opens a connection to the first shard that reads the datasets of all shards. It replaces each table name by the tables of
 * all shards, which is safe because statements contain no user text. The shards evaluate the conditions.
 */
export function openClusterReader(
  connection: SqlConnection,
  cluster: string,
  visible: VisibleVersions,
): SqlConnection {
  async function spread(sql: string): Promise<string> {
    const names = new RegExp(`\\b${database}\\.dataset_(\\d+)\\b`, 'g')
    const datasets = [...new Set([...sql.matchAll(names)].map(([, dataset]) => Number(dataset)))]
    if (datasets.length === 0) return sql
    const newest = await visible.newest(datasets)
    return sql.replaceAll(names, (name, dataset: string) => {
      const version = newest.get(Number(dataset)) ?? 0
      return `cluster(${quoteText(cluster)}, view(SELECT * FROM ${name} WHERE age >= -${version}))`
    })
  }
  return {
    ...connection,
    rows: async (sql, params, signal) => connection.rows(await spread(sql), params, signal),
    stream: async (sql, params, signal) => connection.stream(await spread(sql), params, signal),
  }
}

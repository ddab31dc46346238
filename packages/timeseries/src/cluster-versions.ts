import { database, positiveInteger } from './dataset-tables.ts'
import type { SqlConnection } from './sql-connection.ts'

const table = `${database}.visible_versions`

/** Stores on the first shard which versions are complete on all shards of a cluster. */
export class VisibleVersions {
  readonly #connection: SqlConnection

  private constructor(connection: SqlConnection) {
    this.#connection = connection
  }

  static async open(connection: SqlConnection): Promise<VisibleVersions> {
    await connection.run(
      `CREATE TABLE IF NOT EXISTS ${table} (dataset UInt64, version UInt64, is_visible UInt8)
        ENGINE = MergeTree ORDER BY (dataset, version, is_visible) SETTINGS fsync_after_insert = 1, fsync_part_directory = 1`,
    )
    return new VisibleVersions(connection)
  }

  /** Returns the publishing state of each version. */
  async statesOf(dataset: number): Promise<ReadonlyMap<number, 'begun' | 'visible'>> {
    const rows = await this.#connection.rows(
      `SELECT toString(version) AS version, max(is_visible) AS state FROM ${table} WHERE ${conditionOf(dataset)} GROUP BY version`,
    )
    return new Map(rows.map((row) => [Number(row.version), Number(row.state) === 1 ? 'visible' : 'begun']))
  }

  begin(dataset: number, version: number): Promise<void> {
    return this.#insert(dataset, version, 0)
  }

  show(dataset: number, version: number): Promise<void> {
    return this.#insert(dataset, version, 1)
  }

  /** Deletes a version, or all versions of a dataset. */
  async forget(dataset: number, version?: number): Promise<void> {
    await this.#connection.run(
      `DELETE FROM ${table} WHERE ${conditionOf(dataset, version)} SETTINGS lightweight_deletes_sync = 2`,
    )
  }

  /** Returns the newest version on all shards, by dataset; datasets without a version are absent. */
  async newest(datasets: readonly number[]): Promise<ReadonlyMap<number, number>> {
    const list = datasets.map((dataset) => positiveInteger(dataset, 'dataset')).join(', ')
    const rows = await this.#connection.rows(
      `SELECT toString(dataset) AS dataset, toString(max(version)) AS version FROM ${table}
        WHERE is_visible = 1 AND dataset IN (${list}) GROUP BY dataset`,
    )
    return new Map(rows.map((row) => [Number(row.dataset), Number(row.version)]))
  }

  async #insert(dataset: number, version: number, isVisible: 0 | 1): Promise<void> {
    const values = [positiveInteger(dataset, 'dataset'), positiveInteger(version, 'version'), isVisible]
    await this.#connection.run(`INSERT INTO ${table} SELECT ${values.join(', ')}`)
  }
}

function conditionOf(dataset: number, version?: number): string {
  const one = version === undefined ? '' : ` AND version = ${positiveInteger(version, 'version')}`
  return `dataset = ${positiveInteger(dataset, 'dataset')}${one}`
}

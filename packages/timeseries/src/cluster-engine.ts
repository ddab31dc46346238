import { openClusterReader } from './cluster-reader.ts'
import { splitBatches } from './cluster-split.ts'
import { VisibleVersions } from './cluster-versions.ts'
import { database, DatasetTables } from './dataset-tables.ts'
import { Ingest } from './ingest.ts'
import { dropOldLeftovers } from './leftover-tables.ts'
import type { QueryLimits } from './query-budget.ts'
import { QueryEngine } from './query-engine.ts'
import { SeriesEngineError } from './series-engine-error.ts'
import type { SeriesEngine } from './series-engine.ts'
import type { CollectedPoints, CollectRequest, StageRequest, StageResult } from './series-upload.ts'
import { openServerConnection, type ServerConnectionOptions } from './server-connection.ts'
import type { SqlConnection } from './sql-connection.ts'

/** Options of a cluster engine. */
export interface ClusterOptions {
  /**
   * One server per shard. Their number and order must never change: a series belongs to shard `sid % number`. Queries
   * go through the first one.
   */
  shards: readonly ServerConnectionOptions[]
  /** Name of the cluster in the configuration (`remote_servers`) of the first server. */
  cluster: string
}

/**
 * Opens a series engine that spreads series over several ClickHouse servers. Every shard stores its own series like a single
 * server. The first shard also stores which versions are visible, so that a version becomes visible on all shards at once.
 * Versions and series are removed shard by shard, so a concurrent query can see an incomplete removal.
 *
 * @throws SeriesEngineError `invalid` if the servers do not belong to this cluster or were used in another order before
 */
export async function openClusterEngine({
  shards,
  cluster,
  ...limits
}: ClusterOptions & QueryLimits): Promise<SeriesEngine> {
  const connections = shards.map((shard) => openServerConnection(shard))
  const reading = openServerConnection(shards[0]!, { prefer_global_in_and_join: 1 })
  const close = async () => {
    for (const connection of [...connections, reading]) await connection.close()
  }
  try {
    for (const [number, connection] of connections.entries())
      await claimShard(connection, number, connections.length)
    await checkCluster(connections[0]!, cluster, connections.length)
    for (const connection of connections) await dropOldLeftovers(connection)
    const visible = await VisibleVersions.open(connections[0]!)
    const reader = openClusterReader(reading, cluster, visible)
    return createClusterEngine(connections, reader, { visible, limits, close })
  } catch (error) {
    await close()
    throw error
  }
}

function createClusterEngine(
  connections: readonly SqlConnection[],
  reading: SqlConnection,
  { visible, limits, close }: { visible: VisibleVersions; limits: QueryLimits; close: () => Promise<void> },
): SeriesEngine {
  const tables = new ClusterTables(connections[0]!, visible)
  const shards = connections.map(
    (connection, number) => new Shard(connection, number === 0 ? tables : new DatasetTables(connection)),
  )
  const reader = new QueryEngine(reading, tables, limits)
  const onAll = async (work: (shard: Shard, number: number) => Promise<void>) =>
    void (await Promise.all(shards.map(work)))

  async function collect(request: CollectRequest): Promise<ClusterPoints> {
    const split = splitBatches(request.batches, shards.length)
    const collected = await Promise.allSettled(
      shards.map(async (shard, number) => {
        try {
          return await shard.collect({ ...request, batches: split.parts[number]! })
        } catch (error) {
          split.fail(error)
          throw error
        }
      }),
    )
    const points = new ClusterPoints(
      collected.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : [])),
    )
    if (split.failure === undefined) return points
    await points.drop().catch(() => {})
    throw split.failure
  }

  async function stage(request: StageRequest): Promise<StageResult> {
    const { batches } = request
    // Queries go through the first shard, so its tables must not have columns that others lack.
    for (const shard of shards.toReversed()) await shard.prepare(request)
    const { parts } = batches instanceof ClusterPoints ? batches : await collect(request as CollectRequest)
    const staged = await Promise.allSettled(
      shards.map((shard, number) => shard.stage({ ...request, batches: parts[number]! })),
    )
    const failed = staged.find((result) => result.status === 'rejected')
    if (failed !== undefined) {
      await onAll((shard) => shard.discard(request.dataset, request.version)).catch(() => {})
      throw failed.reason
    }
    return mergeResults(staged.map((result) => (result as PromiseFulfilledResult<StageResult>).value))
  }

  async function remove(dataset: number, version: number): Promise<void> {
    await onAll((shard) => shard.remove(dataset, version))
    await visible.forget(dataset, version)
  }

  async function publish(dataset: number, version: number): Promise<void> {
    const states = await visible.statesOf(dataset)
    if (states.get(version) === 'visible') {
      await onAll((shard) => shard.discard(dataset, version))
      return
    }
    // Abandoned versions would become visible with this one.
    for (const [other, state] of states)
      if (state === 'begun' && other !== version) await remove(dataset, other)
    if (!states.has(version)) {
      // Checks all shards before the first one changes: a version is either complete or has to be staged again.
      for (const shard of shards)
        if (!(await shard.isStaged(dataset, version))) throw notStaged(dataset, version)
      await visible.begin(dataset, version)
    }
    await onAll(async (shard) => {
      if (await shard.isStaged(dataset, version)) await shard.publish(dataset, version)
    })
    await visible.show(dataset, version)
  }

  return {
    collect,
    stage,
    publish,
    discard: (dataset, version) => onAll((shard) => shard.discard(dataset, version)),
    remove,
    removeSeries: (dataset, sids) =>
      onAll((shard, number) =>
        shard.removeSeries(
          dataset,
          sids.filter((sid) => sid % shards.length === number),
        ),
      ),
    listVersions: (dataset) => new Ingest(reading, tables).listVersions(dataset),
    async dropDataset(dataset) {
      await visible.forget(dataset)
      await onAll((shard) => shard.dropDataset(dataset))
    },
    query: (query, options) => reader.query(query, options),
    statistics: (dataset, sids, limits) => reader.statistics(dataset, sids, limits),
    rollUp: async () => {},
    close,
  }
}

/**
 * The tables of the first shard, which has all tables of the cluster. Facts about the points of one shard do not hold for
 * the others.
 */
class ClusterTables extends DatasetTables {
  readonly #visible: VisibleVersions

  constructor(connection: SqlConnection, visible: VisibleVersions) {
    super(connection)
    this.#visible = visible
  }

  override async newestVersion(dataset: number): Promise<number> {
    return (await this.#visible.newest([dataset])).get(dataset) ?? 0
  }

  override async readFacts(): Promise<undefined> {
    return undefined
  }
}

/** Collected rows, by shard. */
class ClusterPoints implements CollectedPoints {
  readonly parts: readonly CollectedPoints[]

  constructor(parts: readonly CollectedPoints[]) {
    this.parts = parts
  }

  get rowCount(): number {
    return this.parts.reduce((sum, part) => sum + part.rowCount, 0)
  }

  async drop(): Promise<void> {
    await Promise.all(this.parts.map((part) => part.drop()))
  }
}

/** Writes to one shard. */
class Shard extends Ingest {
  readonly #tables: DatasetTables

  constructor(connection: SqlConnection, tables: DatasetTables) {
    super(connection, tables)
    this.#tables = tables
  }

  /** Creates the columns of an upload. */
  async prepare({ dataset, columns, mode = 'replace' }: StageRequest): Promise<void> {
    if (mode !== 'replace') await this.#tables.ensure(dataset, columns, { hasOrigins: true })
  }

  async isStaged(dataset: number, version: number): Promise<boolean> {
    return (await this.#tables.alignStaging(dataset, version)).partCount !== undefined
  }
}

function notStaged(dataset: number, version: number): SeriesEngineError {
  return new SeriesEngineError(
    'not-staged',
    `Version ${version} of dataset ${dataset} is not staged; stage it again.`,
  )
}

function mergeResults(results: readonly StageResult[]): StageResult {
  const sum = (key: 'rowsRead' | 'rowsStaged') => results.reduce((total, result) => total + result[key], 0)
  const some = results.filter(({ rowsStaged }) => rowsStaged > 0)
  const [firstRepeat] = results.flatMap((result) => result.firstRepeat ?? []).sort((a, b) => a.row - b.row)
  return {
    rowsRead: sum('rowsRead'),
    rowsStaged: sum('rowsStaged'),
    ...(firstRepeat ? { firstRepeat } : {}),
    ...(some.length > 0
      ? {
          firstTimestamp: Math.min(...some.map((result) => result.firstTimestamp!)),
          lastTimestamp: Math.max(...some.map((result) => result.lastTimestamp!)),
        }
      : {}),
  }
}

/** Checks or stores the shard number of a server, because points on the wrong shard would hide or duplicate others. */
async function claimShard(connection: SqlConnection, number: number, count: number): Promise<void> {
  await connection.run(`CREATE DATABASE IF NOT EXISTS ${database}`)
  await connection.run(
    `CREATE TABLE IF NOT EXISTS ${database}.shard (number UInt32, count UInt32) ENGINE = MergeTree ORDER BY number SETTINGS fsync_after_insert = 1`,
  )
  const [known] = await connection.rows(`SELECT number, count FROM ${database}.shard`)
  if (known === undefined) {
    await connection.run(`INSERT INTO ${database}.shard SELECT ${number}, ${count}`)
  } else if (known.number !== number || known.count !== count) {
    throw new SeriesEngineError(
      'invalid',
      `A server of the cluster holds shard ${Number(known.number) + 1} of ${Number(known.count)}, but is configured as shard ${number + 1} of ${count}. List the same servers in the same order as before.`,
    )
  }
}

async function checkCluster(connection: SqlConnection, cluster: string, count: number): Promise<void> {
  const [row] = await connection.rows(
    'SELECT toUInt32(uniqExact(shard_num)) AS count FROM system.clusters WHERE cluster = {cluster:String}',
    { cluster },
  )
  const known = Number(row?.count)
  if (known === count) return
  throw new SeriesEngineError(
    'invalid',
    `The first server knows ${known === 0 ? 'no cluster' : `${known} shards of a cluster`} “${cluster.slice(0, 40)}”, but ${count} shards are configured. See remote_servers in its configuration.`,
  )
}

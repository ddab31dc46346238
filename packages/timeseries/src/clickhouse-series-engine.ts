import { totalmem } from 'node:os'
import { ResultCache } from './result-cache.ts'
import { database, DatasetTables } from './dataset-tables.ts'
import { openEmbeddedConnection, type EmbeddedConnectionOptions } from './embedded-connection.ts'
import { Ingest } from './ingest.ts'
import { dropAllLeftovers, dropOldLeftovers } from './leftover-tables.ts'
import type { QueryLimits } from './query-budget.ts'
import { QueryEngine } from './query-engine.ts'
import { RollUpBuilder, type RollUpOptions } from './roll-up-builder.ts'
import { RollUpTables } from './roll-up-tables.ts'
import type { SeriesEngine } from './series-engine.ts'
import { openServerConnection, type ServerConnectionOptions } from './server-connection.ts'
import type { SqlConnection } from './sql-connection.ts'
import { TailQueries } from './tail-queries.ts'
import { TailReader } from './tail-reader.ts'
import { TailStore } from './tail-store.ts'

/** A series engine in a child process on this machine. */
export interface EmbeddedEngine extends SeriesEngine {
  /** Process id of the engine; undefined while it is not running. */
  readonly processId: number | undefined
}

/** Opens the embedded engine: see openEmbeddedConnection. Discards versions that were staged but not published. */
export async function openEmbeddedEngine(
  options: EmbeddedConnectionOptions & QueryLimits & RollUpOptions,
): Promise<EmbeddedEngine> {
  const connection = await openEmbeddedConnection(options)
  try {
    const engine = await createSeriesEngine(connection, true, options)
    await dropAllLeftovers(connection)
    return Object.defineProperty(engine, 'processId', { get: () => connection.processId }) as EmbeddedEngine
  } catch (error) {
    await connection.close()
    throw error
  }
}

/**
 * Opens an engine on a ClickHouse server, which several Headwater servers may share. Drops old tables of servers that
 * have crashed.
 */
export async function openServerEngine(
  options: ServerConnectionOptions & QueryLimits & RollUpOptions,
): Promise<SeriesEngine> {
  const connection = openServerConnection(options)
  try {
    const engine = await createSeriesEngine(connection, false, options)
    await dropOldLeftovers(connection)
    return engine
  } catch (error) {
    await connection.close()
    throw error
  }
}

/** Returns the memory for caching the newest points, in bytes: a 32nd of the machine's memory, at most 256 MiB. */
function tailBytesOf(machineBytes: number): number {
  return Math.min(machineBytes / 32, 256 * 1024 * 1024)
}

async function createSeriesEngine(
  connection: SqlConnection,
  isOnlyWriter: boolean,
  options: QueryLimits & RollUpOptions,
): Promise<SeriesEngine> {
  await connection.run(`CREATE DATABASE IF NOT EXISTS ${database}`)
  const tables = new DatasetTables(connection)
  const ingest = new Ingest(connection, tables, { isOnlyWriter })
  const rollUps = new RollUpTables(connection)
  const builder = new RollUpBuilder(connection, tables, rollUps, options)
  const reader = new QueryEngine(connection, tables, options, rollUps)
  const tailStore = new TailStore(isOnlyWriter ? tailBytesOf(totalmem()) : 0)
  const tailReader = new TailReader(connection, tables, options)
  const tails = new TailQueries(tailReader, tailStore, { isCaching: isOnlyWriter })
  const cache = new ResultCache((query, signal) => reader.query(query, { signal }), {
    isEnabled: isOnlyWriter,
  })
  const removeFrom = async (dataset: number, work: () => Promise<void>) => {
    await cache.change(dataset, 'all', () => tailStore.change(dataset, work))
    builder.changed(dataset)
  }
  const publish = async (dataset: number, version: number, isRestored: boolean) => {
    const span = ingest.stagedSeries(dataset, version) ?? 'all'
    const upload = await ingest.stagedTails(dataset, version)
    await cache.change(dataset, span, () =>
      tailStore.publish({ dataset, version, span }, upload, async () => {
        await ingest.publish(dataset, version)
        if (isRestored) await ingest.endRollUps(dataset)
      }),
    )
    builder.changed(dataset)
  }
  return {
    collect: (request) => builder.uploading(() => ingest.collect(request)),
    stage: (request) => builder.uploading(() => ingest.stage(request)),
    publish: (dataset, version, { isRestored = false } = {}) =>
      builder.uploading(() => publish(dataset, version, isRestored)),
    discard: (dataset, version) => ingest.discard(dataset, version),
    remove: (dataset, version) => removeFrom(dataset, () => ingest.remove(dataset, version)),
    removeSeries: (dataset, sids) => removeFrom(dataset, () => ingest.removeSeries(dataset, sids)),
    listVersions: (dataset) => ingest.listVersions(dataset),
    dropDataset: (dataset) =>
      removeFrom(dataset, async () => {
        await rollUps.dropAll(dataset)
        await ingest.dropDataset(dataset)
      }),
    async query(query, options) {
      const result = tails.accepts(query) ? await tails.run(query, options?.signal) : undefined
      if (result !== undefined) return result
      if (cache.accepts(query)) return cache.run(query, options?.signal)
      return reader.query(query, options)
    },
    statistics: (dataset, sids, limits) => reader.statistics(dataset, sids, limits),
    rollUp: (dataset) => builder.build(dataset),
    async close() {
      builder.stop()
      await connection.close()
    },
  }
}

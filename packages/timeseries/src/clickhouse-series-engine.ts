import { database, DatasetTables } from './dataset-tables.ts'
import { openEmbeddedConnection, type EmbeddedConnectionOptions } from './embedded-connection.ts'
import { Ingest } from './ingest.ts'
import { dropAllLeftovers, dropOldLeftovers } from './leftover-tables.ts'
import type { QueryLimits } from './query-budget.ts'
import { QueryEngine } from './query-engine.ts'
import type { SeriesEngine } from './series-engine.ts'
import { openServerConnection, type ServerConnectionOptions } from './server-connection.ts'
import type { SqlConnection } from './sql-connection.ts'
import { TailCache } from './tail-cache.ts'
import { TailReader } from './tail-reader.ts'

/** An engine in a process of its own on this machine. */
export interface EmbeddedEngine extends SeriesEngine {
  /** Process id of the engine, undefined while it is not running. */
  readonly processId: number | undefined
}

/** Starts the engine of this machine: see openEmbeddedConnection. What was staged and not published before is forgotten. */
export async function openEmbeddedEngine(
  options: EmbeddedConnectionOptions & QueryLimits,
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

/** Talks to a ClickHouse server, which several of our servers may share. Old tables of servers that have crashed are dropped. */
export async function openServerEngine(
  options: ServerConnectionOptions & QueryLimits,
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

async function createSeriesEngine(
  connection: SqlConnection,
  isOnlyWriter: boolean,
  limits: QueryLimits,
): Promise<SeriesEngine> {
  await connection.run(`CREATE DATABASE IF NOT EXISTS ${database}`)
  const tables = new DatasetTables(connection)
  const ingest = new Ingest(connection, tables, { isOnlyWriter })
  const reader = new QueryEngine(connection, tables, limits)
  const tailReader = new TailReader(connection, tables, limits)
  const tails = new TailCache((query, sids) => tailReader.read(query, sids), { keeps: isOnlyWriter })
  return {
    collect: (request) => ingest.collect(request),
    stage: (request) => ingest.stage(request),
    publish: (dataset, version) =>
      tails.change(dataset, ingest.stagedSeries(dataset, version) ?? 'all', () =>
        ingest.publish(dataset, version),
      ),
    discard: (dataset, version) => ingest.discard(dataset, version),
    remove: (dataset, version) => tails.change(dataset, 'all', () => ingest.remove(dataset, version)),
    removeSeries: (dataset, sids) => tails.change(dataset, 'all', () => ingest.removeSeries(dataset, sids)),
    listVersions: (dataset) => ingest.listVersions(dataset),
    dropDataset: (dataset) => tails.change(dataset, 'all', () => ingest.dropDataset(dataset)),
    query: (query, options) =>
      tails.accepts(query) ? tails.answer(query, options?.signal) : reader.query(query, options),
    statistics: (dataset, sids) => reader.statistics(dataset, sids),
    close: () => connection.close(),
  }
}

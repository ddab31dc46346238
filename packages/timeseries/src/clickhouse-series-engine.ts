import { totalmem } from 'node:os'
import { AnswerCache } from './answer-cache.ts'
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
import { TailAnswers } from './tail-answers.ts'
import { TailReader } from './tail-reader.ts'
import { TailStore } from './tail-store.ts'

/** An engine in a process of its own on this machine. */
export interface EmbeddedEngine extends SeriesEngine {
  /** Process id of the engine, undefined while it is not running. */
  readonly processId: number | undefined
}

/** Starts the engine of this machine: see openEmbeddedConnection. What was staged and not published before is forgotten. */
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

/** Talks to a ClickHouse server, which several of our servers may share. Old tables of servers that have crashed are dropped. */
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

/** What the newest points may take of the memory of a machine: a 32nd, at most 256 MiB. */
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
  const tails = new TailAnswers(tailReader, tailStore, { keeps: isOnlyWriter })
  const answers = new AnswerCache((query, signal) => reader.query(query, { signal }), { keeps: isOnlyWriter })
  const takeAway = async (dataset: number, work: () => Promise<void>) => {
    await answers.change(dataset, 'all', () => tailStore.change(dataset, work))
    builder.changed(dataset)
  }
  const publish = async (dataset: number, version: number) => {
    const span = ingest.stagedSeries(dataset, version) ?? 'all'
    const upload = await ingest.stagedTails(dataset, version)
    await answers.change(dataset, span, () =>
      tailStore.publish({ dataset, version, span }, upload, () => ingest.publish(dataset, version)),
    )
    builder.changed(dataset)
  }
  return {
    collect: (request) => builder.uploading(() => ingest.collect(request)),
    stage: (request) => builder.uploading(() => ingest.stage(request)),
    publish: (dataset, version) => builder.uploading(() => publish(dataset, version)),
    discard: (dataset, version) => ingest.discard(dataset, version),
    remove: (dataset, version) => takeAway(dataset, () => ingest.remove(dataset, version)),
    removeSeries: (dataset, sids) => takeAway(dataset, () => ingest.removeSeries(dataset, sids)),
    listVersions: (dataset) => ingest.listVersions(dataset),
    dropDataset: (dataset) =>
      takeAway(dataset, async () => {
        await rollUps.dropAll(dataset)
        await ingest.dropDataset(dataset)
      }),
    async query(query, options) {
      const answer = tails.accepts(query) ? await tails.answer(query, options?.signal) : undefined
      if (answer !== undefined) return answer
      if (answers.accepts(query)) return answers.answer(query, options?.signal)
      return reader.query(query, options)
    },
    statistics: (dataset, sids) => reader.statistics(dataset, sids),
    rollUp: (dataset) => builder.build(dataset),
    async close() {
      builder.stop()
      await connection.close()
    },
  }
}

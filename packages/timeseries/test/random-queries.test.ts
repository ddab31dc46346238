import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, inject, test } from 'vitest'
import { openClusterEngine, openEmbeddedEngine, openServerEngine, type SeriesEngine } from '../src/index.ts'
import { describeWithServer, startChdbServer, startChdbServers } from './chdb-server.ts'
import { runRandomQueries } from './random-queries.ts'

const given = process.env.HEADWATER_RANDOM_QUERIES
const isLong = inject('campaign') === 'long'
const queryCount = Number(given ?? (isLong ? 5000 : 500))
// A server runs the same statements as the embedded engine, and three servers plan every query to a cluster.
const serverQueries = Number(given ?? (isLong ? 2000 : 40))
const clusterQueries = Number(given ?? (isLong ? 800 : 20))
const seed = Number(process.env.HEADWATER_RANDOM_SEED ?? 20_261)
const timeout = 120_000 + queryCount * 1000

const endings: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const end of endings.reverse()) await end()
})

async function openEmbedded(): Promise<SeriesEngine> {
  const folder = await mkdtemp(join(tmpdir(), 'series-random-'))
  endings.push(() => rm(folder, { recursive: true, force: true }))
  return openEmbeddedEngine({ folder })
}

async function openServer(): Promise<SeriesEngine> {
  const server = await startChdbServer()
  endings.push(() => server.stop())
  return openServerEngine({ url: server.url })
}

async function openCluster(): Promise<SeriesEngine> {
  const shards = await startChdbServers(2)
  endings.push(async () => {
    for (const shard of shards) await shard.stop()
  })
  return openClusterEngine({ shards, cluster: 'shards' })
}

async function runAll(open: () => Promise<SeriesEngine>, queryCount: number): Promise<void> {
  const engine = await open()
  endings.push(() => engine.close())
  const run = await runRandomQueries(engine, { seed, queryCount })
  expect(run.queryCount).toBe(queryCount)
  // A run of empty results would prove nothing.
  expect(run.rows).toBeGreaterThan(queryCount * 5)
}

test(
  'the embedded engine returns the same results as the plain one for random uploads and queries',
  async () => {
    await runAll(openEmbedded, queryCount)
  },
  timeout,
)

describeWithServer('a ClickHouse server', () => {
  test(
    'a server returns the same results as the plain engine for random uploads and queries',
    async () => {
      await runAll(openServer, serverQueries)
    },
    timeout,
  )

  test(
    'a cluster of two shards returns the same results as the plain engine for random uploads and queries',
    async () => {
      await runAll(openCluster, clusterQueries)
    },
    timeout,
  )
})

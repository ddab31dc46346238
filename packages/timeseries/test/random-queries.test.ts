import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, inject, test } from 'vitest'
import { openClusterEngine, openEmbeddedEngine, openServerEngine, type SeriesEngine } from '../src/index.ts'
import { describeWithServer, startChdbServer, startChdbServers } from './chdb-server.ts'
import { askRandomQuestions } from './random-queries.ts'

const given = process.env.HEADWATER_RANDOM_QUERIES
const isLong = inject('campaign') === 'long'
const questions = Number(given ?? (isLong ? 2000 : 120))
// A server runs the same statements as the embedded engine, and three servers plan every query to a cluster.
const questionsToServer = Number(given ?? (isLong ? 2000 : 40))
const questionsToCluster = Number(given ?? (isLong ? 800 : 20))
const seed = Number(process.env.HEADWATER_RANDOM_SEED ?? 20_261)
const timeout = 120_000 + questions * 1000

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

async function askAll(open: () => Promise<SeriesEngine>, questions: number): Promise<void> {
  const engine = await open()
  endings.push(() => engine.close())
  const run = await askRandomQuestions(engine, { seed, questions })
  expect(run.questions).toBe(questions)
  // A run of empty answers would prove nothing.
  expect(run.rows).toBeGreaterThan(questions * 5)
}

test(
  'random uploads and questions are answered by the embedded engine as by the plain one',
  async () => {
    await askAll(openEmbedded, questions)
  },
  timeout,
)

describeWithServer('a ClickHouse server', () => {
  test(
    'random uploads and questions are answered by a server as by the plain engine',
    async () => {
      await askAll(openServer, questionsToServer)
    },
    timeout,
  )

  test(
    'random uploads and questions are answered by a cluster of two shards as by the plain engine',
    async () => {
      await askAll(openCluster, questionsToCluster)
    },
    timeout,
  )
})

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe } from 'vitest'
import { openEmbeddedEngine, openServerEngine, type SeriesEngine } from '../src/index.ts'
import { describeAggregation } from './aggregate.spec.ts'
import { describeWithServer, startChdbServer, type ChdbServer } from './chdb-server.ts'

describe('the embedded engine', () => {
  let folder: string
  let engine: SeriesEngine
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'series-aggregate-'))
    engine = await openEmbeddedEngine({ folder })
  }, 60_000)
  afterAll(async () => {
    await engine?.close()
    await rm(folder, { recursive: true, force: true })
  })
  describeAggregation(() => engine)
})

describeWithServer('a ClickHouse server', () => {
  let server: ChdbServer
  let engine: SeriesEngine
  beforeAll(async () => {
    server = await startChdbServer()
    engine = await openServerEngine({ url: server.url })
  }, 60_000)
  afterAll(async () => {
    await engine?.close()
    await server?.stop()
  })
  describeAggregation(() => engine)
})

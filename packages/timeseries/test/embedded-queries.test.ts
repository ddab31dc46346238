import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { openEmbeddedEngine } from '../src/index.ts'
import type { SeriesEngine } from '../src/index.ts'
import { describeBudget } from './query-budget.spec.ts'
import { describeQueries } from './queries.spec.ts'

const folders: string[] = []
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

describeQueries('queries to the embedded engine', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'series-queries-'))
  folders.push(folder)
  return openEmbeddedEngine({ folder })
})

const engines: SeriesEngine[] = []
afterAll(async () => {
  for (const engine of engines) await engine.close()
})
describeBudget(async (limits) => {
  const folder = await mkdtemp(join(tmpdir(), 'series-budget-'))
  folders.push(folder)
  const engine = await openEmbeddedEngine({ folder, ...limits })
  engines.push(engine)
  return engine
})

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { openEmbeddedEngine } from '../src/index.ts'
import { describeSeriesEngine } from './series-engine.spec.ts'

const folders: string[] = []
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

describeSeriesEngine('embedded engine', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'series-spec-'))
  folders.push(folder)
  return openEmbeddedEngine({ folder })
})

import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openEmbeddedConnection } from '../src/embedded-connection.ts'
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

test('uses all processors for a statement over many rows', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'series-spec-'))
  folders.push(folder)
  const connection = await openEmbeddedConnection({ folder })
  try {
    const rows = await connection.rows(
      'SELECT explain FROM (EXPLAIN PIPELINE SELECT sum(number) FROM numbers_mt(1000000000))',
    )
    const threads = Math.min(8, availableParallelism())
    expect(rows.map(({ explain }) => explain).join('\n')).toContain(
      threads === 1 ? 'NumbersRange' : `NumbersRange × ${threads}`,
    )
  } finally {
    await connection.close()
  }
})

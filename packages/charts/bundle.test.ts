import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { build } from 'vite'
import type { Rolldown } from 'vite'

/** Measures the size of the initial load, and of the engine with all parts that are loaded on demand. */
async function measure(): Promise<{ first: number; all: number }> {
  const result = await build({
    root: import.meta.dirname,
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      modulePreload: false,
      rolldownOptions: { input: 'src/chart.ts', preserveEntrySignatures: 'strict' },
    },
  })
  const { output } = result as Rolldown.RolldownOutput
  const chunks = output.filter((file) => file.type === 'chunk')
  const size = (code: string) => gzipSync(code, { level: 9 }).length
  const entry = chunks.find((chunk) => chunk.isEntry)!
  const eager = [entry, ...chunks.filter((chunk) => entry.imports.includes(chunk.fileName))]
  return {
    first: eager.reduce((sum, { code }) => sum + size(code), 0),
    all: chunks.reduce((sum, { code }) => sum + size(code), 0),
  }
}

test('the whole engine with its curves is at most 30 kB gzipped, and draws before it is completely loaded', async () => {
  const { first, all } = await measure()
  expect(all).toBeLessThanOrEqual(30_000)
  expect(first).toBeLessThan(all)
})

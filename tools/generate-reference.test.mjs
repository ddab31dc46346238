import { spawnSync } from 'node:child_process'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

test('the reference of the HTTP API matches the contracts, and the list of decisions their titles', () => {
  const script = fileURLToPath(new URL('./generate-reference.ts', import.meta.url))
  const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' })
  expect(stderr.replace(/^.*Warning.*\n/gm, '')).toBe('')
  expect(status).toBe(0)
})

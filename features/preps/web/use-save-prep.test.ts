import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const features = new URL('../../', import.meta.url)
const sources = readdirSync(features, { recursive: true, encoding: 'utf8' }).filter(
  (path) => /^[^/]+\/web\/.*\.tsx?$/.test(path) && !path.includes('.test.'),
)

function filesWith(pattern: RegExp): string[] {
  return sources.filter((path) => pattern.test(readFileSync(new URL(path, features), 'utf8')))
}

test('DP-344 save, copy, move and edit share one save path: no other function of the web app saves data preps', () => {
  expect(filesWith(/\b(createDataPrep|updateDataPrep)\b/)).toEqual(['preps/web/preps-client.ts'])
  const callers = filesWith(/\busePrepCalls\(\)/)
  expect(callers).toContain('preps/web/use-save-prep.ts')
  expect(filesWith(/\bcalls\.(create|update)\(/).filter((path) => callers.includes(path))).toEqual([
    'preps/web/use-save-prep.ts',
  ])
})

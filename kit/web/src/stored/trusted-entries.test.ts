import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createTrustedEntries } from './trusted-entries.ts'

beforeEach(() => {
  const entries = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
  })
})
afterEach(() => vi.unstubAllGlobals())

test('an allowed entry can be withdrawn; the oldest entries are removed first', () => {
  const trusted = createTrustedEntries('trusted', 2)
  for (const entry of ['a', 'b', 'b', 'c']) trusted.add(entry)
  expect(['a', 'b', 'c'].map(trusted.has)).toEqual([false, true, true])
  trusted.remove('b')
  expect(['b', 'c'].map(trusted.has)).toEqual([false, true])
})

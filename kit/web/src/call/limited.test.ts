import { expect, test } from 'vitest'
import { createLimitedProviders, limitedProviders, localProvider, isLimitStatus } from './limited.ts'
import { createQueryClient, refreshEvery } from './query.ts'

function manualTimer() {
  const waiting: { atMs: number; callback: () => void }[] = []
  let nowMs = 0
  return {
    set: (callback: () => void, delayMs: number) => waiting.push({ atMs: nowMs + delayMs, callback }),
    forward(ms: number) {
      nowMs += ms
      for (const { atMs, callback } of waiting.splice(0).toSorted((a, b) => a.atMs - b.atMs)) {
        if (atMs <= nowMs) callback()
        else waiting.push({ atMs, callback })
      }
    },
  }
}

test('SH-049 removes a limited provider 120 s after it was added, even if it is limited again meanwhile', () => {
  const timer = manualTimer()
  const limited = createLimitedProviders(timer)
  limited.add('remote')
  timer.forward(60_000)
  limited.add('remote')
  limited.add('other')
  timer.forward(59_999)
  expect([...limited.store.get()]).toEqual(['remote', 'other'])
  timer.forward(1)
  expect([...limited.store.get()]).toEqual(['other'])
  timer.forward(60_000)
  expect([...limited.store.get()]).toEqual([])
})

test('SH-051 the statuses 429 and 503 mark a provider as limited, others do not', () => {
  expect([429, 503].every(isLimitStatus)).toBe(true)
  expect([200, 400, 401, 403, 404, 500, 502].some(isLimitStatus)).toBe(false)
})

test('SH-027 SH-048 SH-050 queries are offline-first and refreshes are suspended while a provider is limited', () => {
  const client = createQueryClient()
  const defaults = () => client.getDefaultOptions().queries
  expect(defaults()).toMatchObject({ retry: false, retryDelay: 3000, staleTime: 3000, networkMode: 'online' })
  expect(refreshEvery(10_000)()).toBe(10_000)
  for (const provider of [localProvider, 'remote']) {
    limitedProviders.add(provider)
    expect(defaults()).toMatchObject({
      retry: false,
      retryDelay: 3000,
      staleTime: 3000,
      networkMode: 'offlineFirst',
    })
    expect(refreshEvery(10_000)()).toBe(false)
    limitedProviders.store.set(new Set())
    expect(defaults()).toMatchObject({ networkMode: 'online' })
    expect(refreshEvery(10_000)()).toBe(10_000)
  }
})

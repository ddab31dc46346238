import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { visibleToasts } from '../ui/toasts.ts'
import { watchConnectivity } from './connectivity.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  vi.runAllTimers()
  vi.useRealTimers()
})

const titles = () => visibleToasts.get().map(({ title }) => title)

test('SH-045 SH-047 reports offline and back online for 30 s each, and only the latest of the two', () => {
  const target = Object.assign(new EventTarget(), { navigator: { onLine: true } })
  const stop = watchConnectivity(target as Window)
  target.dispatchEvent(new Event('offline'))
  vi.advanceTimersByTime(29_999)
  expect(titles()).toEqual(['You are offline.'])
  vi.advanceTimersByTime(1)
  expect(titles()).toEqual([])
  target.dispatchEvent(new Event('offline'))
  vi.advanceTimersByTime(5000)
  target.dispatchEvent(new Event('online'))
  expect(titles()).toEqual(['You are back online.'])
  vi.advanceTimersByTime(29_999)
  expect(titles()).toEqual(['You are back online.'])
  vi.advanceTimersByTime(1)
  expect(titles()).toEqual([])
  target.dispatchEvent(new Event('online'))
  target.dispatchEvent(new Event('offline'))
  expect(titles()).toEqual(['You are offline.'])
  vi.advanceTimersByTime(30_000)
  expect(titles()).toEqual([])
  stop()
  target.dispatchEvent(new Event('online'))
  expect(titles()).toEqual([])
})

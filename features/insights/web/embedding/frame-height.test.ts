import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { watchFrameHeight, type FrameHeightMessage } from './frame-height.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function watch(heights: { now: number | undefined }) {
  const messages: FrameHeightMessage[] = []
  const stop = watchFrameHeight({
    measure: () => heights.now,
    send: (message) => messages.push(message),
    after(delayMs, callback) {
      const timer = setTimeout(callback, delayMs)
      return () => clearTimeout(timer)
    },
  })
  return { messages, stop }
}

test('IN-032 IN-034 a framed page reports its height after 1 s', () => {
  const { messages, stop } = watch({ now: 812.4 })
  vi.advanceTimersByTime(999)
  expect(messages).toEqual([])
  vi.advanceTimersByTime(1)
  expect(messages).toEqual([{ type: 'headwater:height', height: 813 }])
  stop()
})

test('IN-033 the check repeats every 500 ms and reports a changed height', () => {
  const heights: { now: number | undefined } = { now: undefined }
  const { messages, stop } = watch(heights)
  vi.advanceTimersByTime(1000)
  expect(messages).toEqual([])
  heights.now = 400
  vi.advanceTimersByTime(499)
  expect(messages).toEqual([])
  vi.advanceTimersByTime(1)
  expect(messages.map(({ height }) => height)).toEqual([400])
  vi.advanceTimersByTime(2000)
  expect(messages).toHaveLength(1)
  heights.now = 900
  vi.advanceTimersByTime(500)
  expect(messages.map(({ height }) => height)).toEqual([400, 900])
  stop()
  heights.now = 100
  vi.advanceTimersByTime(5000)
  expect(messages).toHaveLength(2)
})

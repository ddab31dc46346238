import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createExpressionCheck, type ExpressionResult } from './expression-check.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function setUp(reply: (value: string) => Promise<ExpressionResult>) {
  const sent: string[] = []
  const results: (string | undefined)[] = []
  const check = createExpressionCheck(
    (value) => {
      sent.push(value)
      return reply(value)
    },
    (result) => results.push(result?.response),
  )
  return { check, sent, results }
}

test('DP-421 the check is requested 500 ms after the last change', async () => {
  const { check, sent, results } = setUp(async (value) => ({ response: `of ${value}`, message: '' }))
  check.change('1')
  await vi.advanceTimersByTimeAsync(499)
  check.change('1 + 1')
  await vi.advanceTimersByTimeAsync(499)
  expect(sent).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(sent).toEqual(['1 + 1'])
  expect(results).toEqual([undefined, undefined, 'of 1 + 1'])
})

test('DP-422 ERROR is displayed if no response arrives, after a failure or a timeout', async () => {
  const failed = setUp(() => Promise.reject(new Error('offline')))
  failed.check.change('1')
  await vi.advanceTimersByTimeAsync(500)
  expect(failed.results.at(-1)).toBe('ERROR')
  const silent = setUp(() => new Promise(() => {}))
  silent.check.change('1')
  await vi.advanceTimersByTimeAsync(500)
  expect(silent.results.at(-1)).toBeUndefined()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(silent.results.at(-1)).toBe('ERROR')
})

test('a late response to an earlier expression is discarded, and a stopped check displays nothing', async () => {
  const replies: ((result: ExpressionResult) => void)[] = []
  const { check, results } = setUp(() => new Promise((resolve) => replies.push(resolve)))
  check.change('a')
  await vi.advanceTimersByTimeAsync(500)
  check.change('b')
  await vi.advanceTimersByTimeAsync(500)
  replies[0]!({ response: 'old', message: '' })
  replies[1]!({ response: 'new', message: '' })
  await vi.advanceTimersByTimeAsync(0)
  expect(results.at(-1)).toBe('new')
  check.change('c')
  check.stop()
  await vi.advanceTimersByTimeAsync(1000)
  expect(replies).toHaveLength(2)
})

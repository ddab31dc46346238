import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from '../call/api-error.ts'
import { dismissToast, message, visibleToasts, toast, toastError } from './toasts.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  vi.runAllTimers()
  vi.useRealTimers()
})

const titles = () => visibleToasts.get().map(({ title }) => title)

test('SH-038 removes a toast after 30 s', () => {
  toast({ title: 'Pipeline has been run.' })
  vi.advanceTimersByTime(29_999)
  expect(titles()).toEqual(['Pipeline has been run.'])
  vi.advanceTimersByTime(1)
  expect(titles()).toEqual([])
})

test('SH-039 removes a message after 5 s', () => {
  message('Settings have been saved')
  vi.advanceTimersByTime(4999)
  expect(titles()).toEqual(['Settings have been saved'])
  vi.advanceTimersByTime(1)
  expect(titles()).toEqual([])
})

test('a repeated message appears once and restarts its timeout; at most five toasts are visible', () => {
  message('Saved')
  vi.advanceTimersByTime(4000)
  message('Saved')
  vi.advanceTimersByTime(4000)
  expect(titles()).toEqual(['Saved'])
  for (let index = 0; index < 8; index++) toast({ title: `Toast ${index}` })
  expect(titles()).toEqual(['Toast 3', 'Toast 4', 'Toast 5', 'Toast 6', 'Toast 7'])
})

test('shows an error with its id, and nothing for an aborted call', () => {
  const id = toastError(
    new ApiError({ status: 500, code: 'unexpected', message: 'It broke.', errorId: 'ab-1' }),
  )
  expect(visibleToasts.get().at(-1)).toMatchObject({ kind: 'error', title: 'It broke.', text: 'Error ab-1' })
  dismissToast(id!)
  expect(toastError(new DOMException('left', 'AbortError'))).toBeUndefined()
  expect(titles()).toEqual([])
})

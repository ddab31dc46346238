import { expect, test } from 'vitest'
import { visibleRunId } from './visible-run.ts'

const newest = { jobId: 'j7', version: 7 }

test('the page of an older version shows no run of another version, unless the URL names it', () => {
  const visible = (pipeline: { version: number; latest: boolean }, named?: string) =>
    visibleRunId({ named, newest, hidden: undefined, pipeline })
  expect(visible({ version: 1, latest: false })).toBeUndefined()
  expect(visible({ version: 1, latest: false }, 'j7')).toBe('j7')
  expect(visible({ version: 7, latest: false })).toBe('j7')
  expect(visible({ version: 8, latest: true })).toBe('j7')
})

test('a hidden run stays hidden', () => {
  const pipeline = { version: 7, latest: true }
  expect(visibleRunId({ named: undefined, newest, hidden: 'j7', pipeline })).toBeUndefined()
})

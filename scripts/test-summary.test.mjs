import { expect, test } from 'vitest'
import { countTests, summaryLine } from './test-summary.mjs'

test('the last line counts passed, failed and skipped tests of all files', () => {
  const testResults = [
    { status: 'passed', assertionResults: [{ status: 'passed' }, { status: 'pending' }] },
    { status: 'failed', assertionResults: [{ status: 'failed' }, { status: 'passed' }, { status: 'todo' }] },
  ]
  expect(summaryLine(countTests({ testResults }))).toBe('2 passed, 1 failed, 2 skipped')
})

test('a file that could not be loaded counts as a failure', () => {
  const testResults = [
    { status: 'failed', assertionResults: [] },
    { status: 'failed', assertionResults: [{ status: 'passed' }] },
  ]
  expect(countTests({ testResults })).toEqual({ passed: 1, failed: 2, skipped: 0 })
})

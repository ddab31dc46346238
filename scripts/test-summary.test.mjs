import { expect, test } from 'vitest'
import { countTests, failedFiles, mergeSecondTry, summaryLine } from './test-summary.mjs'

test('the closing line counts passed, failed and skipped tests over all files', () => {
  const testResults = [
    { status: 'passed', assertionResults: [{ status: 'passed' }, { status: 'pending' }] },
    { status: 'failed', assertionResults: [{ status: 'failed' }, { status: 'passed' }, { status: 'todo' }] },
  ]
  expect(summaryLine(countTests({ testResults }))).toBe('2 passed, 1 failed, 2 skipped')
})

test('a file that could not even be loaded counts as a failure', () => {
  const testResults = [
    { status: 'failed', assertionResults: [] },
    { status: 'failed', assertionResults: [{ status: 'passed' }] },
  ]
  expect(countTests({ testResults })).toEqual({ passed: 1, failed: 2, skipped: 0 })
})

test('files with failed tests are tried again, and what passed only then is named', () => {
  const steady = {
    name: '/a',
    status: 'passed',
    assertionResults: [{ status: 'passed', fullName: 'steady' }],
  }
  const file = (...statuses) => ({
    name: '/b',
    status: 'failed',
    assertionResults: statuses.map((status, index) => ({ status, fullName: `test ${index}` })),
  })
  const unloaded = { name: '/c', status: 'failed', assertionResults: [] }
  const first = { testResults: [steady, file('failed', 'failed', 'passed'), unloaded] }
  expect(failedFiles(first)).toEqual(['/b', '/c'])
  const second = { testResults: [file('passed', 'failed', 'passed')] }
  const { results, passedOnSecondTry } = mergeSecondTry(first, second)
  expect(passedOnSecondTry).toEqual(['test 0'])
  expect(countTests(results)).toEqual({ passed: 3, failed: 2, skipped: 0 })
})

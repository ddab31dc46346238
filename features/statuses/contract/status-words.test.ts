import { expect, test } from 'vitest'
import { combinedStatus, isUuid, statusWords, triggerTypes } from './status-words.ts'

test('SH-240 the statuses of a job', () => {
  expect(statusWords.map((word) => word.toLowerCase()).toSorted()).toEqual(
    ['running', 'paused', 'completed', 'error', 'info', 'pending', 'unexecuted', 'warn'].toSorted(),
  )
})

test('SH-241 what can start a job', () => {
  expect(triggerTypes).toEqual([
    'ANY',
    'None',
    'EMAIL',
    'FILEARRIVAL',
    'PIPELINE',
    'RETRY',
    'CRON',
    'SCHEDULER',
  ])
})

test('SH-242 the pause of a step itself wins over everything after it', () => {
  expect(combinedStatus('PAUSED', ['ERROR', 'RUNNING'])).toBe('PAUSED')
})

const order = ['ERROR', 'RUNNING', 'WARN', 'PAUSED', 'PENDING', 'UNEXECUTED', 'INFO'] as const
const pairs = order.flatMap((first, index) =>
  order.slice(index + 1).map((second) => [first, second] as const),
)

test.each(pairs)('SH-243 %s comes before %s', (first, second) => {
  expect(combinedStatus('INFO', [second, first])).toBe(first)
  if (second !== 'PAUSED') expect(combinedStatus(second, [first])).toBe(first)
})

test('SH-243 SH-244 steps that are all completed are completed; one that is not counts', () => {
  expect(combinedStatus('COMPLETED', ['COMPLETED', 'COMPLETED'])).toBe('COMPLETED')
  expect(combinedStatus('COMPLETED', [])).toBe('COMPLETED')
  expect(combinedStatus('COMPLETED', ['UNEXECUTED'])).toBe('UNEXECUTED')
})

test('SH-247 a text that is a uuid and nothing else is the id of a job', () => {
  expect(isUuid(' 0B8E6F1C-4b6e-4e0e-9f35-0c2a3a5b7d11 ')).toBe(true)
  expect(isUuid('0b8e6f1c-4b6e-4e0e-9f35-0c2a3a5b7d11x')).toBe(false)
  expect(isUuid('*')).toBe(false)
})

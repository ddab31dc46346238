import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { StatusBadge } from './StatusBadge.tsx'
import { levelLabel, statusLabel, statusOf } from './statuses.ts'

test.each([
  ['RUNNING', 'Running'],
  ['PAUSED', 'Paused'],
  ['COMPLETED', 'Succeeded'],
  ['INFO', 'Succeeded'],
  ['ERROR', 'Error'],
  ['WARN', 'Warning'],
  ['warning', 'Warning'],
  ['PENDING', 'Pending'],
  ['UNEXECUTED', 'Unexecuted'],
  ['STOPPED', 'Stopped'],
  ['LOST', 'Worker lost'],
  ['something else', 'Unexecuted'],
  ['toString', 'Unexecuted'],
])('the badge and the label of the status %s are “%s”', (status, label) => {
  expect(statusLabel(status)).toBe(label)
  expect(renderToStaticMarkup(<StatusBadge status={status} />)).toContain(`>${label}</span>`)
})

test('INFO is the level of a message, not a result', () => {
  expect(['DEBUG', 'INFO', 'WARN', 'ERROR'].map(levelLabel)).toEqual(['Debug', 'Info', 'Warning', 'Error'])
  expect(statusOf(null)).toBe('unexecuted')
})

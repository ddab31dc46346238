import { expect, test } from 'vitest'
import type { Worker } from '../contract/index.ts'
import { isLastRunning, waitText } from './work-texts.ts'

test('a waiting time is formatted with its two largest units', () => {
  expect([0, 999, 1000, 65_000, 3_600_000, 93_784_000, 1000 * 86_400_000].map(waitText)).toEqual([
    '0 s',
    '0 s',
    '1 s',
    '1 min 5 s',
    '1 h',
    '1 d 2 h',
    '1,000 d',
  ])
})

function worker(id: string, more: Partial<Worker> = {}): Worker {
  return {
    id,
    name: id,
    kind: 'worker',
    tags: [],
    version: '1',
    state: 'running',
    startTime: '',
    lastSeen: '',
    isDrainRequested: false,
    capacity: [{ kind: 'scripts', slots: 2, running: 0 }],
    jobs: [],
    ...more,
  }
}

test('a process is the last one if no other running process has capacity', () => {
  const own = worker('a')
  expect(isLastRunning(own, [own, worker('b')])).toBe(false)
  expect(isLastRunning(own, [own, worker('b', { state: 'draining' }), worker('c', { state: 'lost' })])).toBe(
    true,
  )
  expect(isLastRunning(own, [own, worker('d', { capacity: [] })])).toBe(true)
})

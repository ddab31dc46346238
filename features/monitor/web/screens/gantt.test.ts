import { expect, test } from 'vitest'
import { ganttBars, ganttPeriod, toMs } from './gantt.ts'
import { monitorTabs, startOfPeriod, statusFilters } from './monitor-filters.ts'

const at = (second: number) => `2026-01-31T08:00:${String(second).padStart(2, '0')}`
const attempt = (
  number: number,
  from: number,
  to: number | null,
  status: 'INFO' | 'ERROR' | 'RUNNING' | null,
) => ({
  attempt: number,
  startTime: at(from),
  endTime: to === null ? null : at(to),
  status,
  message: '',
})

test('bars are proportional to the run; a lost attempt ends where the next starts, a running one at the current time', () => {
  const step = {
    attempts: [attempt(1, 0, 2, 'ERROR'), attempt(2, 4, null, null), attempt(3, 6, null, 'RUNNING')],
  }
  const period = ganttPeriod({ startTime: at(0), endTime: null }, [step], toMs(at(10)))
  expect(ganttBars(step, period)).toMatchObject([
    { attempt: 1, status: 'ERROR', left: 0, width: 20 },
    { attempt: 2, status: 'LOST', left: 40, width: 20 },
    { attempt: 3, status: 'RUNNING', left: 60, width: 40 },
  ])
})

test('a run without duration has a visible bar inside the chart', () => {
  const step = { attempts: [attempt(1, 5, 5, 'INFO')] }
  const period = ganttPeriod({ startTime: at(5), endTime: at(5) }, [step], 0)
  const [bar] = ganttBars(step, period)
  expect(bar!.width).toBeGreaterThan(0)
  expect(bar!.left + bar!.width).toBeLessThanOrEqual(100)
})

test('the monitor has the tab Recent and one for each tag in dashboardUserTabs; other entries are ignored', () => {
  const setting = JSON.stringify([
    { tag: 'daily' },
    { tag: 'EU power', name: 'Power' },
    { tag: 'DAILY' },
    5,
    { tag: '' },
    {},
  ])
  expect(monitorTabs(setting, 'Recent')).toEqual([
    { hash: 'Recent', label: 'Recent', tag: undefined },
    { hash: 'daily', label: 'daily', tag: 'daily' },
    { hash: 'EU%20power', label: 'Power', tag: 'EU power' },
  ])
  for (const broken of ['', '{', '{"tag":"a"}', 'null']) expect(monitorTabs(broken, 'Recent')).toHaveLength(1)
})

test('a period starts on a full hour; an unknown one is the last 7 days', () => {
  const now = new Date('2026-01-31T08:20:00Z')
  expect(startOfPeriod('24h', now)).toBe('2026-01-30T08:00:00.000Z')
  expect(startOfPeriod('x', now)).toBe('2026-01-24T08:00:00.000Z')
  expect(startOfPeriod('all', now)).toBeUndefined()
})

test('the filter of the monitor names statuses with their labels', () => {
  expect(statusFilters.map(({ label }) => label)).toEqual([
    'All statuses',
    'Error or warning',
    'Paused',
    'Running or pending',
    'Succeeded',
  ])
})

import { expect, test } from 'vitest'
import { parseLine } from './parse-line.ts'

test.each([
  ['stdout', 'plain text', 'INFO', 'plain text'],
  ['stderr', 'plain text', 'ERROR', 'plain text'],
  ['stderr', 'script.py:3: UserWarning: late', 'WARN', 'script.py:3: UserWarning: late'],
  ['stderr', 'WARNING:root:no price', 'WARN', 'root: no price'],
  ['stdout', 'DEBUG:urllib3.connectionpool:GET /status', 'DEBUG', 'urllib3.connectionpool: GET /status'],
  ['stderr', 'CRITICAL:NG_SDK:a:b', 'ERROR', 'NG_SDK: a:b'],
  ['stderr', 'NOTALEVEL:root:text', 'ERROR', 'NOTALEVEL:root:text'],
  ['stdout', '{"price": 3}', 'INFO', '{"price": 3}'],
  ['stdout', '{"level": broken}', 'INFO', '{"level": broken}'],
  ['stdout', '{"level": "INFO", "message": 3}', 'INFO', '{"level": "INFO", "message": 3}'],
  ['stdout', '{"level": "nonsense", "message": "a"}', 'INFO', '{"level": "nonsense", "message": "a"}'],
  ['stdout', '{"level": "__proto__", "message": "a"}', 'INFO', '{"level": "__proto__", "message": "a"}'],
] as const)('%s: %s is %s', (stream, line, level, text) => {
  expect(parseLine(line, stream)).toEqual({ level, text, timeMs: undefined })
})

test('level, logger and time of client library records are parsed', () => {
  const timeMs = Date.UTC(2026, 10, 24, 18, 0, 1, 234)
  expect(parseLine('2026-11-24 18:00:01,234 - GX_SDK - DEBUG - sends a - b', 'stderr')).toEqual({
    level: 'DEBUG',
    text: 'GX_SDK: sends a - b',
    timeMs,
  })
  const record = {
    task: 'Load',
    component: 'other',
    e_id: 'foreign',
    job_id: 'foreign',
    pipeline_id: 'None',
    level: 'warning',
    time: '2026-11-24T19:00:01.234+01:00',
    message: 'late',
  }
  expect(parseLine(JSON.stringify(record), 'stdout')).toEqual({ level: 'WARN', text: 'late', timeMs })
  expect(parseLine('2026-99-99 18:00:01,234 - GX_SDK - INFO - x', 'stderr').timeMs).toBeUndefined()
})

test('a long line is parsed without delay', () => {
  for (const line of [
    `${' - '.repeat(50_000)}`,
    `2026-11-24 18:00:01 - ${'a - '.repeat(50_000)}`,
    'a:'.repeat(90_000),
  ])
    for (let index = 0; index < 20; index++) expect(parseLine(line, 'stderr').level).toBe('ERROR')
})

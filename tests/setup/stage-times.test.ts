import { expect, test } from 'vitest'
import { reportStages, type FileTime } from './stage-times.ts'

const file = (stage: string, path: string, seconds: number): FileTime => ({
  stage,
  path,
  durationMs: seconds * 1000,
})

test('reports the time of each stage and the ten slowest files, slowest first', () => {
  const files = Array.from({ length: 12 }, (_, index) => file('server', `s${index}.test.ts`, index + 1))
  const { lines } = reportStages([...files, file('browser', 'b.test.ts', 5.5)], {})
  expect(lines).toEqual([
    'Time per stage, summed over its files:',
    '  server    78.0 s  12 files',
    '  browser    5.5 s  1 file',
    'Slowest files:',
    ...[12, 11, 10, 9, 8, 7, 6].map((n) => `  ${`${n}.0 s`.padStart(7)}  s${n - 1}.test.ts`),
    '    5.5 s  b.test.ts',
    '    5.0 s  s4.test.ts',
    '    4.0 s  s3.test.ts',
  ])
})

test('lists files above 60 s, and excepted files above their own limit', () => {
  const files = [
    file('server', 'slow.test.ts', 60.1),
    file('server', 'just.test.ts', 60),
    file('alone', 'excepted.test.ts', 80),
    file('alone', 'beyond.test.ts', 91),
  ]
  const exceptions = {
    'excepted.test.ts': { limitMs: 90_000, reason: 'a reason' },
    'beyond.test.ts': { limitMs: 90_000, reason: 'a reason' },
  }
  expect(reportStages(files, exceptions).tooSlow.map(({ path, limitMs }) => ({ path, limitMs }))).toEqual([
    { path: 'slow.test.ts', limitMs: 60_000 },
    { path: 'beyond.test.ts', limitMs: 90_000 },
  ])
})

test('a run that is slow overall raises the limit of each file in proportion, at most tenfold', () => {
  const others = Array.from({ length: 79 }, (_, index) => file('server', `other${index}.test.ts`, 50))
  const tooSlow = (seconds: number) =>
    reportStages([...others, file('server', 'slow.test.ts', seconds)], {}).tooSlow.map(({ path }) => path)
  expect(tooSlow(115)).toEqual([])
  expect(tooSlow(130)).toEqual(['slow.test.ts'])
  const slowRun = Array.from({ length: 80 }, (_, index) => file('server', `slow${index}.test.ts`, 601))
  expect(reportStages(slowRun, {}).tooSlow).toHaveLength(80)
})

import { expect, test } from 'vitest'
import { egressErrors } from '@headwater/server-kit'
import type { RetryRules } from '../contract/index.ts'
import { errorClassOf, retryPause } from './retries.ts'
import { setUpRunStage } from './testing/run-stage.ts'

const stage = setUpRunStage()

/** Pauses of a step that always fails, with a constant random number. */
function pausesOf(rules: RetryRules, random: number): number[] {
  const pauses: number[] = []
  for (;;) {
    const pause = retryPause(rules, pauses.length, [], () => random)
    if (pause === undefined) return pauses
    pauses.push(pause.seconds)
  }
}

test.each<[string, RetryRules, number, number[]]>([
  ['no retry by default', {}, 0, []],
  ['10 s, doubled, by default', { retries: 4 }, 0, [10, 20, 40, 80]],
  ['up to half of a pause is random by default', { retries: 2 }, 1, [5, 10]],
  [
    'the factor and the maximum pause',
    { retries: 4, retryDelay: 2, retryBackoff: 3, retryMaxDelay: 30 },
    0,
    [2, 6, 18, 30],
  ],
  ['a constant pause', { retries: 3, retryDelay: 7, retryBackoff: 1, retryJitter: 0 }, 0.9, [7, 7, 7]],
  ['a fully random pause', { retries: 2, retryDelay: 8, retryJitter: 1 }, 0.75, [2, 4]],
  ['at most an hour by default', { retries: 2, retryDelay: 3600 }, 0, [3600, 3600]],
])('pauses between attempts: %s', (_title, rules, random, pauses) => {
  expect(pausesOf(rules, random)).toEqual(pauses)
})

test('only errors of the selected classes are retried; by default all errors are', () => {
  const isRetried = (errors: Parameters<typeof retryPause>[2], retryOn?: RetryRules['retryOn']) =>
    retryPause({ retries: 1, ...(retryOn && { retryOn }) }, 0, errors, () => 0) !== undefined
  expect(isRetried(['timeout'], ['timeout', 'connection'])).toBe(true)
  expect(isRetried(['script'], ['timeout', 'connection'])).toBe(false)
  expect(isRetried(['script', 'connection'], ['connection'])).toBe(true)
  expect(isRetried([], ['other'])).toBe(true)
  expect(isRetried([], ['script'])).toBe(false)
  expect(isRetried(['script'])).toBe(true)
})

test('errors of outgoing connections are classified', () => {
  const host = 'files.example.com'
  expect(errorClassOf(egressErrors.egressTimedOut({ host, seconds: 1 }))).toBe('timeout')
  expect(errorClassOf(egressErrors.egressHostNotFound({ host }))).toBe('connection')
  expect(errorClassOf(egressErrors.egressConnectionFailed({ host, reason: 'ECONNREFUSED' }))).toBe(
    'connection',
  )
  expect(errorClassOf(egressErrors.egressHostNotAllowed({ host }))).toBe('other')
  expect(errorClassOf(new Error('egressTimedOut'))).toBe('other')
})

test('the next attempt starts after the pause that the retry rules define, and the message states the maximum pause', async () => {
  const runs = stage.startWorker(
    { bad: () => ({ status: 'ERROR', message: 'no' }) },
    {},
    { random: () => 0.5 },
  )
  const rules = { retries: 3, retryDelay: 400, retryBackoff: 2, retryMaxDelay: 500, retryJitter: 0.2 }
  const id = await stage.start(runs, { a: { definitionName: 'bad', ...rules } })
  await expect
    .poll(async () => (await stage.statusesOf(id)).messages)
    .toEqual({ a: 'Attempt 1 of 4 failed. The next one starts within 400 s.\nno' })
  const pause = async () => {
    const { rows } = await stage.database.pool.query(
      `select extract(epoch from queue_jobs.run_after - run_attempts.ended_at)::float8 as seconds
       from queue_jobs cross join lateral (select max(ended_at) as ended_at from run_attempts where run_id = $1) as run_attempts
       where payload ->> 'runId' = $1::text and queue_jobs.state = 'delayed'`,
      [id],
    )
    return (rows as { seconds: number }[])[0]?.seconds
  }
  expect(await pause()).toBeCloseTo(360, 1)
  await stage.database.pool.query(`update queue_jobs set run_after = now() where payload ->> 'runId' = $1`, [
    id,
  ])
  await expect
    .poll(async () => (await stage.statusesOf(id)).messages.a)
    .toContain('Attempt 2 of 4 failed. The next one starts within 500 s.')
  expect(await pause()).toBeCloseTo(450, 1)
})

test('a step is retried only after an error of a selected class', async () => {
  let attempts = 0
  const runs = stage.startWorker({
    refuses: () => {
      attempts++
      return { status: 'ERROR', message: 'refused', errors: ['connection'] }
    },
  })
  const rules = { definitionName: 'refuses', retries: 2, retryDelay: 0 }
  const ended = async (retryOn: RetryRules['retryOn']) => {
    attempts = 0
    const { status } = await stage.ended(
      runs,
      await stage.start(runs, { a: { ...rules, retryOn: retryOn! } }),
    )
    return [status, attempts]
  }
  expect(await ended(['timeout', 'unavailable', 'script', 'other'])).toEqual(['ERROR', 1])
  expect(await ended(['connection'])).toEqual(['ERROR', 3])
})

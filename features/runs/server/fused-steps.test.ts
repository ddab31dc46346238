import { expect, test } from 'vitest'
import { referenceOf } from '../contract/index.ts'
import { restartedMessage } from './execute-step.ts'
import { setUpRunStage, type Behaviour, type Node } from './testing/run-stage.ts'

const stage = setUpRunStage()

const succeeds: Behaviour = () => ({ status: 'INFO', message: '' })

/** Consecutive steps that can be fused. */
function chainOf(names: string[], own: Record<string, Node> = {}): Record<string, Node> {
  return Object.fromEntries(
    names.map((name, index) => [
      name,
      { isFused: true, ...(index === 0 ? {} : { after: [names[index - 1]!] }), ...own[name] },
    ]),
  )
}

/** A step that blocks its worker once. */
function createGate() {
  const reached = Promise.withResolvers<void>()
  const opened = Promise.withResolvers<void>()
  let isFirst = true
  return {
    reached: reached.promise,
    open: () => opened.resolve(),
    async pass() {
      if (!isFirst) return
      isFirst = false
      reached.resolve()
      await opened.promise
    },
  }
}

async function attemptsOf(runId: string): Promise<string[]> {
  const { rows } = await stage.database.pool.query(
    `select step.task ->> 'name' as name, own.attempt, own.outcome, own.message from run_attempts own
     join run_steps step using (run_id, number) where run_id = $1 order by number, own.attempt`,
    [runId],
  )
  return (rows as { name: string; attempt: number; outcome: string | null; message: string }[]).map(
    ({ name, attempt, outcome, message }) => `${name} ${attempt} ${outcome} ${message}`.trim(),
  )
}

async function statesOf(runId: string): Promise<string[]> {
  const { rows } = await stage.database.pool.query(
    'select state from run_steps where run_id = $1 order by number',
    [runId],
  )
  return (rows as { state: string }[]).map(({ state }) => state)
}

test('one transaction writes the results of a chain; each step has a status, an attempt and a message, and receives values of earlier steps', async () => {
  const gate = createGate()
  const reference = referenceOf('5f3c0000-0000-4000-8000-000000000001')
  const runs = stage.startWorker({
    good: succeeds,
    gives: () => ({ status: 'INFO', message: 'gave', outputs: { out: '42' } }),
    takes: async ({ inputs }) => {
      await gate.pass()
      return { status: 'INFO', message: `${inputs.plain} ${inputs.computed}` }
    },
  })
  const takes = { inputs: { plain: reference, computed: `${reference} & "!"` }, expressions: ['computed'] }
  const id = await stage.start(
    runs,
    chainOf(['a', 'b', 'c', 'd'], {
      b: { definitionName: 'gives', outputs: { out: reference } },
      c: { definitionName: 'takes', ...takes },
    }),
  )
  await gate.reached
  expect(await statesOf(id)).toEqual(['running', 'waiting', 'waiting', 'waiting'])
  expect(await runs.value(id, reference)).toBeUndefined()
  gate.open()
  expect(await stage.ended(runs, id)).toEqual({
    status: 'INFO',
    message: 'All 4 tasks succeeded.',
    steps: { a: 'INFO', b: 'INFO', c: 'INFO', d: 'INFO' },
    messages: { a: '', b: 'gave', c: '42 42!', d: '' },
  })
  expect(await runs.value(id, reference)).toBe('42')
  expect(await attemptsOf(id)).toEqual(['a 1 INFO', 'b 1 INFO gave', 'c 1 INFO 42 42!', 'd 1 INFO'])
})

test('after a crash the whole chain is executed again, with new attempt numbers; the result of the lost worker is discarded', async () => {
  const gate = createGate()
  const executed: string[] = []
  const good: Behaviour = async ({ taskName, attempt }) => {
    executed.push(`${taskName} ${attempt}`)
    if (taskName === 'b') await gate.pass()
    return { status: 'INFO', message: `attempt ${attempt}` }
  }
  const runs = stage.startWorker({ good })
  const id = await stage.start(runs, chainOf(['a', 'b', 'c']))
  await gate.reached
  await stage.loseWorkers()
  stage.startWorker({ good })
  expect(await stage.ended(runs, id)).toMatchObject({
    status: 'INFO',
    messages: { b: 'attempt 2', c: 'attempt 2' },
  })
  gate.open()
  await stage.queues[0]!.stop(5000)
  // The lost worker can execute the last step before it notices.
  expect(executed.filter((each) => each !== 'c 1')).toEqual(['a 1', 'b 1', 'a 2', 'b 2', 'c 2'])
  expect(await attemptsOf(id)).toEqual([
    'a 1 null',
    `a 2 INFO ${restartedMessage}\nattempt 2`,
    'b 2 INFO attempt 2',
    'c 2 INFO attempt 2',
  ])
})

test('a failure is the result of its step; earlier steps succeeded, and later steps are skipped', async () => {
  const runs = stage.startWorker({ good: succeeds, bad: () => ({ status: 'ERROR', message: 'no price' }) })
  const id = await stage.start(runs, chainOf(['a', 'b', 'c', 'd'], { c: { definitionName: 'bad' } }))
  expect(await stage.ended(runs, id)).toMatchObject({
    status: 'ERROR',
    message: '“c”: no price',
    steps: { a: 'INFO', b: 'INFO', c: 'ERROR', d: 'UNEXECUTED' },
  })
  expect(await attemptsOf(id)).toEqual(['a 1 INFO', 'b 1 INFO', 'c 1 ERROR no price'])
  const continued = await stage.start(
    runs,
    chainOf(['a', 'b', 'c', 'd'], { b: { definitionName: 'bad', onError: 'continue' } }),
  )
  expect(await stage.ended(runs, continued)).toMatchObject({
    status: 'WARN',
    steps: { a: 'INFO', b: 'ERROR', c: 'INFO', d: 'INFO' },
  })
})

test('a retry, and a job that is executed again after an unexpected error, begin with the failed step', async () => {
  const executed: string[] = []
  const runs = stage.startWorker({
    good: ({ taskName }) => {
      executed.push(taskName)
      return { status: 'INFO', message: '' }
    },
    flaky: ({ taskName }) => {
      executed.push(taskName)
      if (executed.filter((name) => name === taskName).length > 1) return { status: 'INFO', message: '' }
      if (taskName === 'throws') throw new Error('unexpected')
      return { status: 'ERROR', message: 'no' }
    },
  })
  const flaky = { definitionName: 'flaky', retries: 1, retryDelay: 0 }
  const retried = await stage.start(runs, chainOf(['a', 'retried', 'c'], { retried: flaky }))
  expect((await stage.ended(runs, retried)).status).toBe('INFO')
  expect(executed.splice(0)).toEqual(['a', 'retried', 'retried', 'c'])
  const thrown = await stage.start(runs, chainOf(['a', 'throws', 'c'], { throws: flaky }))
  expect((await stage.ended(runs, thrown)).steps).toEqual({ a: 'INFO', throws: 'INFO', c: 'INFO' })
  expect(executed).toEqual(['a', 'throws', 'throws', 'c'])
})

test('a stop ends the step in progress; the steps before it keep their results', async () => {
  const gate = createGate()
  const runs = stage.startWorker({
    good: succeeds,
    waits: async ({ signal }) => {
      const stopped = new Promise((resolve) => signal.addEventListener('abort', resolve))
      void gate.pass()
      await stopped
      throw signal.reason
    },
  })
  const id = await stage.start(runs, chainOf(['a', 'b', 'c'], { b: { definitionName: 'waits' } }))
  await gate.reached
  await runs.stop([id])
  expect(await stage.ended(runs, id)).toMatchObject({
    status: 'ERROR',
    steps: { a: 'INFO', b: 'ERROR', c: 'UNEXECUTED' },
  })
})

test('a chain ends before a pause, a branch, user code and a step with several steps before it', async () => {
  const gate = createGate()
  const runs = stage.startWorker({
    good: succeeds,
    chooses: () => ({ status: 'INFO', message: '', branch: 'then' }),
    waits: async () => {
      await gate.pass()
      return { status: 'INFO', message: '' }
    },
  })
  const id = await stage.start(runs, {
    ...chainOf(['a', 'b', 'paused', 'chooses'], {
      paused: { isPaused: true },
      chooses: { definitionName: 'chooses' },
    }),
    left: { isFused: true, after: ['chooses'], branches: { chooses: 'then' } },
    right: { isFused: true, after: ['chooses'], branches: { chooses: 'else' } },
    script: { after: ['left'], isUserCode: true },
    last: { isFused: true, after: ['script', 'right'], definitionName: 'waits' },
    end: { isFused: true, after: ['last'] },
  })
  await expect.poll(async () => (await runs.find(id))?.state).toBe('paused')
  expect(await statesOf(id)).toEqual(['done', 'done', 'paused', ...Array<string>(6).fill('waiting')])
  await runs.continue(id, undefined, new Date())
  await gate.reached
  gate.open()
  expect(await stage.ended(runs, id)).toMatchObject({
    status: 'INFO',
    steps: { chooses: 'INFO', left: 'INFO', right: 'UNEXECUTED', script: 'INFO', last: 'INFO', end: 'INFO' },
  })
  expect(await attemptsOf(id)).toHaveLength(8)
})

test('a chain has at most 50 steps; a longer sequence is split into several chains', async () => {
  const runs = stage.startWorker({ good: succeeds })
  const names = Array.from({ length: 120 }, (_, index) => `step ${index}`)
  const id = await stage.start(runs, chainOf(names))
  expect((await stage.ended(runs, id)).message).toBe('All 120 tasks succeeded.')
  const { rows } = await stage.database.pool.query(
    'select max(cardinality(chain)) as longest from run_steps where run_id = $1',
    [id],
  )
  expect(rows).toEqual([{ longest: 49 }])
})
